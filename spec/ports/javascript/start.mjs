// S3.3 and S34.4, where a solver starts.

import { Exact, exactSum, nextUp, ZERO } from "./numbers.mjs";
import { max, min } from "./problem.mjs";

export function startOf(problem, program, start) {
  const beta = new Array(program.size).fill(0);
  if (start) fill(problem, program, start, beta);
  else if (program.sums.every((s) => !s.n)) return beta;
  makeSums(program, beta);
  return beta;
}

// S3.3, points 1 to 3, of every group
export function makeSums(program, beta) {
  program.members.forEach((members, g) => makeSum(program, beta, members, program.sums[g]));
}

function makeSum({ lower, upper }, beta, members, sum) {
  let surplus = exactSum(members.map((k) => beta[k])).minus(sum);
  for (const k of members) {
    const sign = surplus.sign();
    if (sign === 0) return;
    if (beta[k] === 0 || Math.sign(beta[k]) !== sign) continue;
    const own = Exact.of(beta[k]);
    const part = own.absolute().compare(surplus.absolute()) <= 0 ? own : surplus;
    beta[k] = own.minus(part).toDouble();
    surplus = surplus.minus(part);
  }
  for (const k of members) {
    const sign = surplus.sign();
    if (sign === 0) return;
    const bound = sign > 0 ? lower[k] : upper[k];
    const room = Number.isFinite(bound) ? Exact.of(beta[k]).minus(bound) : null;
    if (room && room.absolute().compare(surplus.absolute()) <= 0) {
      beta[k] = bound;
      surplus = surplus.minus(room);
    } else {
      beta[k] = Exact.of(beta[k]).minus(surplus).toDouble();
      surplus = ZERO;
    }
  }
}

// S34.4, without what makes the sums
export function betaOf(problem, program, alpha) {
  const beta = new Array(program.size).fill(0);
  fill(problem, program, alpha, beta);
  return beta;
}

function fill(problem, program, alpha, beta) {
  const { n } = problem;
  if (!program.isPaired) {
    program.of.forEach((i, k) => (beta[k] = alpha[i] * program.sign[k]));
    return;
  }
  alpha.forEach((a, i) => {
    beta[i] = max(a, 0);
    beta[n + i] = min(a, 0);
  });
  if (problem.form === "nu_regression") fillUp(problem, program, alpha, beta);
}

function fillUp({ n, C }, program, alpha, beta) {
  let missing = program.sums[0].minus(exactSum(beta.slice(0, n)));
  const ulps = exactSum(alpha.map((a) => nextUp(Math.abs(a)) - Math.abs(a)));
  if (missing.compare(ulps) <= 0) return;
  for (let i = 0; i < n && missing.sign() > 0; i++) {
    const room = Exact.of(C[i]).minus(Math.abs(alpha[i]));
    const part = room.compare(missing) < 0 ? room : missing;
    if (part.sign() <= 0) continue;
    beta[i] = Exact.of(beta[i]).plus(part).toDouble();
    beta[n + i] = Exact.of(beta[n + i]).minus(part).toDouble();
    missing = missing.minus(part);
  }
}
