// S30.3: how far kernel values as computed are off.

import { power } from "./arithmetic.mjs";
import { isExtreme, partsOf, timesDot } from "./kernels.mjs";
import { SPARE } from "./rounding.mjs";

export const SMALLEST = 2 ** -960;

// Whether values may be larger than their sizes
export const mayExceed = (kernel) => kernel.name === "precomputed" || partsOf(kernel).some(mayExceed);

function roundingsOf(kernel, m) {
  const { name, degree } = kernel;
  const parts = partsOf(kernel).map((part) => roundingsOf(part, m));
  switch (name) {
    case "linear":
      return m;
    case "polynomial":
      return degree * (m + 3);
    case "monomial_sum":
      return degree * (m + 2);
    case "gaussian":
      return 2 + (m + 3) * 0.3679;
    case "cauchy":
      return 2 + (m + 3) / 4;
    case "sigmoid":
      return m + 10;
    case "sum":
      return Math.max(...parts) + 1;
    case "product":
      return parts[0] + parts[1] + 1;
    case "multiple":
      return parts[0] + 1;
    default:
      return 0;
  }
}

function sizesOf(kernel, rows) {
  const { name, gamma, coef0, degree, factor } = kernel;
  const [a, b] = partsOf(kernel).map((part) => sizesOf(part, rows));
  if (name === "multiple") return a.map((v) => factor * v + SMALLEST);
  if (name === "sum") return a.map((v, i) => v + b[i] + SMALLEST);
  if (name === "product") return a.map((v, i) => v * b[i] + SMALLEST);
  const hasNorms = name !== "sigmoid" && !(name === "polynomial" && (gamma < 0 || coef0 < 0 || gamma > 2 ** 50));
  if (hasNorms) return rows.map((x) => Math.abs(kernel.value(x, x)) + SMALLEST);
  const g = Math.abs(gamma);
  const brackets = rows.map((x) => timesDot(g, x, x) + SMALLEST * (isExtreme(g) ? 4 : g) + Math.abs(coef0));
  return brackets.map((v) => (name === "sigmoid" ? 1 + v : power(v, degree) + SMALLEST));
}

// How many terms of a value are not 0, at most
export function mostTerms({ rows, width }) {
  const numbers = (x) => x.reduce((count, v) => count + (v !== 0), 0);
  return width && rows.reduce((most, x) => Math.min(width, Math.max(most, 2 * numbers(x))), 0);
}

export function valueErrors(kernel, rows, m) {
  return { roundings: SPARE * roundingsOf(kernel, m), sizes: sizesOf(kernel, rows) };
}

// Of the rows of a problem
export function valueErrorsOf(problem) {
  const { kernel, rows, all, K } = problem;
  const m = mostTerms(problem);
  if (!mayExceed(kernel)) return valueErrors(kernel, rows, m);
  return { roundings: SPARE * roundingsOf(kernel, m), sizes: all.map((i) => Math.abs(K[i][i]) + SMALLEST) };
}
