// S30.4: residuals, with an upper bound of how far each is off.

import { mayExceed, SMALLEST, valueErrorsOf } from "./kernel_errors.mjs";
import { dot } from "./kernels.mjs";
import { Exact, exactSum, up } from "./numbers.mjs";
import { netOf } from "./program.mjs";
import { above, ofSum, U } from "./rounding.mjs";

const LOST = 2 ** -517;
const LEAST = U * SMALLEST;

// { r, E, roots, wError } of r, made anew if it is null; net: the coefficients of the w that is kept
export function boundedResiduals(problem, program, beta, given, carried = 0, net = netOf(problem, program, beta)) {
  const { roundings, roots } = rootsOf(problem, program);
  const mass = massOf(roots, beta);
  const wError = errorOfW(problem, program, beta, net, roots, mass);
  const hasSizes = !mayExceed(problem.kernel);
  const r = given || (hasSizes && residualsOf(problem.scores(net, null), program, beta));
  const anew = hasSizes ? null : residualsAnew(problem, program, beta, net);
  const found = { r: r || anew.r, roots: withRidge(roots, program), wError };
  if (!net.some((v) => v !== 0) && hasExactTargets(problem)) {
    return { ...found, r: [...program.target], E: roots.map(() => 0) };
  }
  const brackets = hasSizes ? bracketsOf(problem, program, beta, roots, mass) : anew.sizes;
  const apart = found.r.map((v, k) => (hasSizes ? carried : Math.abs(v - anew.r[k])));
  const used = beta.reduce((count, v) => count + (v !== 0), 0);
  return { ...found, E: errorsOf(roundings + 5 + used, brackets, roots, apart, wError) };
}

// By the w that a model keeps; or by another one, of which alone they are then
export function residualsByW(problem, program, beta, { net = netOf(problem, program, beta), w = null } = {}) {
  const by = w || problem.weightsOfScores(net);
  const { roundings, roots } = rootsOf(problem, program);
  const length = Math.sqrt(dot(by, by)) + LOST;
  const wError = w ? 0 : errorOfW(problem, program, beta, net, roots, length);
  const s = w ? problem.rows.map((x) => nearestDot(w, x)) : problem.scores(net, by);
  const brackets = bracketsOf(problem, program, beta, roots, length, w && s.map((v) => Math.abs(v) + SMALLEST));
  const E = errorsOf((w ? 0 : roundings) + 5, brackets, roots, roots.map(() => 0), wError);
  return { r: residualsOf(s, program, beta), E, roots: withRidge(roots, program), wError };
}

export const residualsOf = (s, { of, target, ridge }, beta) =>
  Array.from(beta, (b, k) => target[k] - (s[of[k]] + ridge[of[k]] * b));

export const massOf = (roots, beta) => roots.reduce((mass, root, k) => mass + root * Math.abs(beta[k]), 0);

function rootsOf(problem, { of }) {
  const { roundings, sizes } = valueErrorsOf(problem);
  return { roundings, roots: of.map((i) => above(Math.sqrt(sizes[i]), 4)) };
}

const withRidge = (roots, { of, ridge }) =>
  roots.map((root, k) => (ridge[of[k]] ? above(Math.sqrt(root * root + ridge[of[k]]), 4) : root));

const hasExactTargets = ({ form, epsilon }) => form !== "ball" && (!/^regression/.test(form) || epsilon === 0);

// The exact sum, rounded once
const nearestDot = (w, x) => exactSum(x.map((v, j) => Exact.of(v).times(w[j]))).toDouble();

function bracketsOf({ form }, { of, target, ridge }, beta, roots, length, ofScores) {
  const ofTarget = (k) => (form === "ball" ? (roots[k] * roots[k]) / 2 : Math.abs(target[k]));
  return Array.from(beta, (b, k) => (ofScores ? ofScores[of[k]] : roots[k] * length) + ridge[of[k]] * Math.abs(b) + ofTarget(k));
}

const errorsOf = (terms, brackets, roots, apart, wError) =>
  brackets.map((bracket, k) => {
    const E = above(ofSum(terms, bracket) + apart[k] + (wError && wError * roots[k]), 4);
    return E >= LEAST && E < Infinity ? E : Infinity;
  });

// Of kernel values, with the sums of the sizes of what they are made of
function residualsAnew(problem, program, beta, net) {
  const { of, target, ridge } = program;
  const A = new Array(problem.n).fill(SMALLEST);
  net.forEach((c, j) => {
    if (c !== 0) problem.K[j].forEach((v, i) => (A[i] += Math.abs(c * v)));
  });
  const sizes = Array.from(beta, (b, k) => A[of[k]] + ridge[of[k]] * Math.abs(b) + Math.abs(target[k]));
  return { r: residualsOf(problem.scores(net, null), program, beta), sizes };
}

// Of |w - sum beta_k phi_k|, for the w that is kept
function errorOfW(problem, program, beta, net, roots, size) {
  const { n, shift, form } = problem;
  let found = 0;
  for (let i = 0; program.isPaired && i < n; i++) {
    if (beta[i] === 0 || beta[n + i] === 0) continue;
    found += up(Exact.of(beta[i]).plus(beta[n + i]).minus(net[i]).absolute()) * roots[i];
  }
  if (problem.isLinear) found += ofSum(2, size + LOST);
  if (problem.isLinear && problem.isShifted) {
    const far = above(Math.sqrt(dot(shift, shift)), shift.length + 2);
    const surplus = program.sums.reduce((total, s) => total.minus(s), exactSum(net));
    found += up(surplus.absolute()) * far;
    if (form === "ball") found += ofSum(2, far * net.reduce((sum, c) => sum + Math.abs(c), 0));
  }
  found = above(found, 8);
  return found < Infinity ? found : Infinity;
}

// Between what each residual lies
export function endsOf({ r, E }) {
  const off = E.map((e, k) => (e > 0 ? e + 4 * U * Math.abs(r[k]) : e));
  return [r.map((v, k) => v - off[k]), r.map((v, k) => v + off[k])];
}
