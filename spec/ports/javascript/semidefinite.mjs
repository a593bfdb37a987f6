// S30.10: is the kernel matrix of all examples one of inner products, and what shows that it is not.

import { mostTerms, valueErrors } from "./kernel_errors.mjs";
import { hasOwnValues, usualCoefficients, vanishing } from "./exact_kernels.mjs";
import { bitLength, Exact, wholeNumbers, ZERO } from "./numbers.mjs";
import { above, ofSum, TINY } from "./rounding.mjs";

const FEW = 60;
const MUCH = 2 ** 37;
const WITNESSES = 500;
const NOISE = 2 ** -40;

export function isSemidefinite(problem) {
  if (isByFormula(problem.kernel)) return true;
  const { n } = problem;
  if (!hasExactValues(problem.kernel) || n > FEW) return false;
  const Q = vanishing(problem);
  const M = inLargestUnit(problem.all.flatMap((i) => problem.all.map((j) => Q(i, j))));
  const bits = Math.max(...M.map(bitLength));
  return n * (n * bits) ** 2 <= MUCH && isPositive(problem.all.map((i) => M.slice(i * n, (i + 1) * n)));
}

// Whether v'Kv < 0 is proved, of a direction [example, number] each, in which an example may stand twice
export function isWitness(problem, direction) {
  const v = new Map();
  for (const [i, number] of direction) v.set(i, (v.get(i) || ZERO).plus(number));
  for (const [i, number] of v) if (!number.n) v.delete(i);
  if (v.size === 0 || v.size > WITNESSES || isByFormula(problem.kernel)) return false;
  const { roundings, sizes } = errorsOf(problem, v);
  let largest = ZERO;
  for (const number of v.values()) if (number.absolute().compare(largest) > 0) largest = number.absolute();
  const Q = hasExactValues(problem.kernel) ? vanishing(problem) : (i, j) => Exact.of(problem.K[i][j]);
  let [total, size, mass] = [ZERO, ZERO, 0];
  let place = 0;
  for (const [i, a] of v) {
    for (const [j, b] of v) {
      const term = Q(i, j).times(a.over(largest)).times(b.over(largest));
      [total, size] = [total.plus(term), size.plus(term.absolute())];
    }
    if (sizes) mass += above(Math.sqrt(sizes[place]), 4) * Math.abs(a.over(largest).toDouble());
    place += 1;
  }
  if (isPolynomial(problem.kernel)) return total.sign() < 0;
  if (hasExactValues(problem.kernel)) return total.plus(size.times(NOISE)).sign() < 0;
  const error = above(ofSum(roundings, above(mass * mass, 2 * v.size + 4)) + TINY, 8);
  return Number.isFinite(error) && total.plus(error).sign() < 0;
}

const errorsOf = (problem, v) =>
  hasExactValues(problem.kernel)
    ? { sizes: null }
    : valueErrors(problem.kernel, [...v.keys()].map((i) => problem.rows[i]), mostTerms(problem));

const isPolynomial = (kernel) => usualCoefficients(kernel) !== null;

export const hasExactValues = (kernel) => isPolynomial(kernel) || hasOwnValues(kernel);

function isByFormula(kernel) {
  if (isPolynomial(kernel)) return usualCoefficients(kernel).every((v) => v.sign() >= 0);
  const { name, terms, factors, gamma, coef0 } = kernel;
  if (terms || factors) return (terms || factors).every(isByFormula);
  if (name === "multiple") return isByFormula(kernel.kernel);
  if (name === "polynomial") return gamma >= 0 && coef0 >= 0;
  return ["linear", "monomial_sum", "gaussian", "cauchy", "spectrum"].includes(name);
}

function inLargestUnit(values) {
  const [numbers] = wholeNumbers(values);
  let unit = 0n;
  for (let v of numbers) {
    if (v < 0n) v = -v;
    while (v) [unit, v] = [v, unit % v];
  }
  return unit ? numbers.map((v) => v / unit) : numbers;
}

// By elimination without fractions, with a diagonal that is above 0 for pivot
function isPositive(M) {
  const rows = M.map((row) => [...row]);
  const left = new Set(rows.keys());
  let last = 1n;
  while (left.size) {
    if ([...left].some((i) => rows[i][i] < 0n)) return false;
    const at = [...left].find((i) => rows[i][i] > 0n);
    if (at === undefined) return [...left].every((i) => [...left].every((j) => rows[i][j] === 0n));
    left.delete(at);
    const [own, pivot] = [rows[at], rows[at][at]];
    for (const i of left) {
      const by = rows[i][at];
      for (const j of left) rows[i][j] = (pivot * rows[i][j] - by * own[j]) / last;
    }
    last = pivot;
  }
  return true;
}
