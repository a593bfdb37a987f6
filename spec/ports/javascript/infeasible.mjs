// S3.9, the proof that there is no hard margin.

import { vanishing } from "./exact_kernels.mjs";
import { nearestInNullSpace } from "./exact_space.mjs";
import { dotOf, doubles, fractions, nullSpace, solve } from "./linear_algebra.mjs";
import { hasExactValues, isSemidefinite } from "./semidefinite.mjs";

const MOST = 60;

// The proof, a number for each example, or null
export function farkasOf(climb) {
  const { problem, unbounded } = climb;
  if (!unbounded) return farkasAlong(climb, Array.from(climb.beta, (v, k) => [k, v]));
  if (unbounded.some(([k, number]) => number !== 0 && problem.C[k] !== Infinity)) return null;
  return farkasAlong(climb, unbounded);
}

// Points 3 to 6, with a direction: [variable, number] each
export function farkasAlong(climb, direction) {
  const { problem } = climb;
  const v = new Array(climb.size).fill(0);
  for (const [k, number] of direction) v[k] = number;
  const support = v.flatMap((number, k) => (number !== 0 && problem.C[k] === Infinity ? [k] : []));
  const a = support.map((k) => Math.abs(v[k]));
  const K = (i, j) => climb.row(i)[j];
  for (const candidate of [nearest(doubles, problem, K, support, a), { support, q: a }]) {
    if (!candidate || candidate.support.length === 0) continue;
    if (vanishes(climb, candidate) && isConfirmed(problem, candidate)) {
      const proof = new Array(problem.n).fill(0);
      candidate.support.forEach((k, place) => (proof[k] = candidate.q[place]));
      return proof;
    }
  }
  return null;
}

// Point 4: { support, q } with all q above 0, or null
function nearest(field, problem, K, start, begin) {
  let support = start;
  let a = begin.map(field.of);
  while (support.length >= 1 && support.length <= MOST) {
    const A = support.map((i) => support.map((j) => field.times(field.of(problem.y[j]), field.of(K(i, j)))));
    if (problem.bias) A.push(support.map((j) => field.of(problem.y[j])));
    const q = field === fractions ? nearestInNullSpace(A, support.length, a) : nearestOfDoubles(A, a);
    const kept = q.flatMap((value, place) => (field.isAbove(value, field.zero) ? [place] : []));
    if (kept.length === support.length) return { support, q };
    support = kept.map((place) => support[place]);
    a = kept.map((place) => a[place]);
  }
  return null;
}

function nearestOfDoubles(A, a) {
  const Z = nullSpace(doubles, A, a.length);
  if (!Z.length) return a.map(() => 0);
  const G = Z.map((s) => Z.map((t) => dotOf(doubles, s, t)));
  const weights = solve(doubles, G, Z.map((z) => dotOf(doubles, z, a)));
  return a.map((_, j) => dotOf(doubles, weights, Z.map((z) => z[j])));
}

// Point 6
function vanishes(climb, { support, q }) {
  const { problem } = climb;
  const { y } = problem;
  const slack = 2 ** -52 * support.length;
  let [total, weight, balance, largest] = [0, 0, 0, 0];
  support.forEach((i, s) => {
    const row = climb.row(i);
    support.forEach((j, t) => {
      const term = q[s] * q[t] * row[j];
      total += y[i] * y[j] * term;
      weight += Math.abs(term);
    });
  });
  support.forEach((i, s) => {
    balance += q[s] * y[i];
    largest = Math.max(largest, q[s]);
  });
  const isBalanced = !problem.bias || Math.abs(balance) <= slack * support.length * largest;
  return isBalanced && Math.abs(total) <= slack * weight;
}

function isConfirmed(problem, { support, q }) {
  if (support.length > MOST) return false;
  if (nearest(fractions, problem, vanishing(problem), support, q) === null) return false;
  return !hasExactValues(problem.kernel) || isSemidefinite(problem);
}
