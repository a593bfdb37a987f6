// S31.4, what is told of Newton's method.

import { Climb } from "./climb.mjs";
import { answerByW } from "./finish.mjs";
import { Gap } from "./gap.mjs";
import { Exact } from "./numbers.mjs";
import { dot } from "./kernels.mjs";
import { max } from "./problem.mjs";
import { programOf } from "./program.mjs";
import { Judge } from "./residuals.mjs";
import { above, ofSum, TINY } from "./rounding.mjs";

function length(x) {
  const d = x.length;
  let square = 0;
  for (const v of x) square += v * v;
  const some = x.some((v) => v !== 0);
  return above(Math.sqrt(square + (some ? d * TINY : 0)), d + 4);
}

const finite = (v) => (Number.isNaN(v) ? Infinity : v);

export function answerOfNewton(problem, point, g, gap, found, tol, steps) {
  const { n, X, C } = problem;
  const d = X[0].length;
  const q = point.active.length;
  let [mass, all, K, least] = [0, 0, 0, Infinity];
  for (const a of point.alpha) mass += a;
  for (const c of C) [all, least] = [all + c, Math.min(least, c)];
  for (const row of X) K = max(K, dot(row, row));
  const W = length(point.w);
  const R = above(Math.sqrt(K + d * TINY), d + 4);
  const E = above(ofSum(d + 4, 1 + W * R) + d * TINY + TINY / least, 4);
  const a = above(length(g) + ofSum(q + 2, W + R * mass) + q * d * TINY, 4);
  const told = finite(above((E * E * all) / 2 + n * TINY + (a * a) / 2, n + 16));
  const lost = finite(
    above(E * mass + E * E * all + ofSum(n + d + 8, point.P) + (2 * n + d + 8) * TINY, n + 16),
  );
  const violation = finite(2 * above(E + a * R, 4));
  const answer = {
    alpha: point.alpha,
    b: 0,
    b_low: 0,
    b_high: 0,
    objective: 0,
    gap: told,
    violation,
    iterations: steps,
    status: found,
    farkas: null,
  };
  if (found === "optimal" && isWithin(told, tol, point.P, lost)) {
    answer.objective = Exact.of(point.P).minus(lost).minus(told).roundedDown();
    return answer;
  }
  return byExactSums(problem, point, answer, tol, lost);
}

function isWithin(gap, tol, P, lost) {
  if (!Number.isFinite(gap) || !Number.isFinite(lost)) return false;
  return Exact.of(gap).compare(Exact.of(P).minus(lost).times(tol)) <= 0;
}

// With the exact sums, v, and residuals by w
function byExactSums(problem, point, answer, tol, lost) {
  const program = programOf(problem);
  const beta = point.alpha.map((a, i) => a * problem.y[i]);
  const judge = new Judge(problem, program, beta);
  const v = judge.w;
  const largest = Math.sqrt(max(dot(point.w, point.w), dot(v, v)));
  const apart = point.w.map((value, j) => value - v[j]);
  const isOwn = apart.every((value) => value === 0);
  const own = new Judge(problem, program, beta);
  own.w = point.w;
  own.wThere = point.w;
  const r = own.residualsByW();
  const E = own.errorsByW(0, { length: largest, carried: isOwn ? 0 : TINY });
  const isExact = E.every((e) => e === 0);
  const wError = judge.wError(largest, isExact);
  const gap = new Gap(own, { r, E, lam: [0], lamError: [0], wError: 0 });
  let shares = 0;
  for (const share of gap.shares(gap.intervals(), beta)) shares += share;
  const a = above(length(apart) + wError, 4);
  const sum = shares + 0 + (a * a) / 2;
  const told = finite(above(sum === 0 && a !== 0 ? TINY : sum, problem.n + 16));
  const { status } = answer;
  const isProved = status !== "optimal" || isWithin(told, tol, point.P, lost);
  const bounds = boundsOf(problem, judge, program, beta, answer.iterations);
  return { ...answer, ...bounds, gap: told, status: isProved ? status : "precision" };
}

// objective, violation and ends of alpha, with residuals by v
function boundsOf(problem, judge, program, beta, steps) {
  const climb = new Climb(program, beta);
  Object.assign(climb, { problem, tol: 0, steps, impossible: -1, hasInfinite: false });
  climb.r = judge.residualsByW();
  const { objective, violation, b_low: low, b_high: high } = answerByW(climb, judge);
  return { objective, violation, b_low: low, b_high: high };
}
