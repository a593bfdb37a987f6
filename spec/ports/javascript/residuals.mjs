// S30.4: residuals, with an upper bound of how far each is off.

import { mayExceed, SMALLEST, valueErrorsOf } from "./kernel_errors.mjs";
import { dot } from "./kernels.mjs";
import { Exact, exactSum, up } from "./numbers.mjs";
import { netOf } from "./program.mjs";
import { above, ofSum, U } from "./rounding.mjs";

const LOST = 2 ** -517;
const LEAST = U * SMALLEST;

// Of residuals r, or of new ones if r is null: { r, E, roots, wError }. net: the coefficients that are kept
export function boundedResiduals(problem, program, beta, given, carried = 0, net = netOf(problem, program, beta)) {
  const { of, target, size } = program;
  const { roundings, sizes } = valueErrorsOf(problem);
  const roots = of.map((i) => above(Math.sqrt(sizes[i]), 4));
  const mass = massOf(roots, beta);
  const wError = errorOfW(problem, program, beta, net, roots, mass);
  const terms = roundings + 5 + beta.reduce((count, v) => count + (v !== 0), 0);
  let brackets = bracketsOf(problem, program, beta, roots, mass);
  let apart = new Array(size).fill(carried);
  let r = given;
  if (mayExceed(problem.kernel)) {
    const [anew, sums] = residualsAnew(problem, program, beta, net);
    r ||= anew;
    brackets = sums;
    apart = anew.map((v, k) => Math.abs(r[k] - v));
  } else if (r === null) {
    r = residualsOf(problem.scores(net, null), program, beta);
  }
  let E = errorsOf(terms, brackets, roots, apart, wError);
  if (!net.some((v) => v !== 0) && hasExactTargets(problem)) [r, E] = [Array.from(target), new Array(size).fill(0)];
  return { r, E, roots: withRidge(roots, program), wError };
}

// By the w that a model keeps, or by another one, of which alone they are then
export function residualsByW(problem, program, beta, { net = netOf(problem, program, beta), w = null } = {}) {
  const by = w || problem.weightsThere(net);
  const { roundings, sizes } = valueErrorsOf(problem);
  const roots = program.of.map((i) => above(Math.sqrt(sizes[i]), 4));
  const length = Math.sqrt(dot(by, by)) + LOST;
  const wError = w ? 0 : errorOfW(problem, program, beta, net, roots, length);
  const brackets = bracketsOf(problem, program, beta, roots, length);
  const E = errorsOf(roundings + 5, brackets, roots, new Array(program.size).fill(0), wError);
  const r = residualsOf(problem.rows.map((row) => dot(by, row)), program, beta);
  return { r, E, roots: withRidge(roots, program), wError };
}

export const residualsOf = (s, { of, target, ridge }, beta) =>
  Array.from(beta, (b, k) => target[k] - (s[of[k]] + ridge[of[k]] * b));

export function massOf(roots, beta) {
  let mass = 0;
  beta.forEach((b, k) => (mass += roots[k] * Math.abs(b)));
  return mass;
}

function hasExactTargets({ form, epsilon }) {
  return form !== "ball" && !(form === "regression" && epsilon !== 0);
}

function bracketsOf({ form }, { of, target, ridge }, beta, roots, length) {
  return Array.from(beta, (b, k) => {
    const ofTarget = form === "ball" ? (roots[k] * roots[k]) / 2 : Math.abs(target[k]);
    return roots[k] * length + ridge[of[k]] * Math.abs(b) + ofTarget;
  });
}

const errorsOf = (terms, brackets, roots, carried, wError) =>
  brackets.map((bracket, k) => {
    const E = above(ofSum(terms, bracket) + carried[k] + (wError && wError * roots[k]), 4);
    return E >= LEAST && E < Infinity ? E : Infinity;
  });

const withRidge = (roots, { of, ridge }) =>
  roots.map((root, k) => (ridge[of[k]] ? above(Math.sqrt(root * root + ridge[of[k]]), 4) : root));

// Residuals of kernel values, and the sums of the sizes of what they are made of
function residualsAnew(problem, program, beta, net) {
  const { of, target, ridge } = program;
  const [s, sizes] = [new Array(problem.n).fill(0), new Array(problem.n).fill(SMALLEST)];
  net.forEach((c, j) => {
    if (c === 0) return;
    problem.K[j].forEach((v, i) => {
      s[i] += c * v;
      sizes[i] += Math.abs(c * v);
    });
  });
  const sums = Array.from(beta, (b, k) => sizes[of[k]] + ridge[of[k]] * Math.abs(b) + Math.abs(target[k]));
  return [residualsOf(s, program, beta), sums];
}

// Of |w - sum beta_k phi_k|, for the w that is kept
function errorOfW(problem, program, beta, net, roots, size) {
  const { n, shift, form } = problem;
  let found = 0;
  for (let i = 0; program.isPaired && i < n; i++) {
    if (beta[i] === 0 || beta[n + i] === 0) continue;
    const lost = Exact.of(beta[i]).plus(beta[n + i]).minus(net[i]);
    found += up(lost.absolute()) * roots[i];
  }
  if (problem.isLinear) {
    found += ofSum(2, size + LOST);
    if (problem.isShifted) {
      const far = above(Math.sqrt(dot(shift, shift)), shift.length + 2);
      found += up(surplusOf(program, net).absolute()) * far;
      if (form === "ball") found += ofSum(2, far * massOf(new Array(n).fill(1), net));
    }
  }
  found = above(found, 8);
  return found < Infinity ? found : Infinity;
}

const surplusOf = ({ sums }, net) => sums.reduce((total, s) => total.minus(s), exactSum(net));

// Between what each residual lies
export function endsOf({ r, E }) {
  const off = E.map((e, k) => (e > 0 ? e + 4 * U * Math.abs(r[k]) : e));
  return [r.map((v, k) => v - off[k]), r.map((v, k) => v + off[k])];
}
