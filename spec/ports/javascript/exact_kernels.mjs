// Kernel values as fractions: S30.5, S30.10.

import { partsOf } from "./kernels.mjs";
import { Exact, ZERO } from "./numbers.mjs";
import { exactDot } from "./problem.mjs";

const ONE = Exact.of(1);

// The degree by the formula; 0 of what is no polynomial in <x, z>
function degreeOf(kernel) {
  const degrees = partsOf(kernel).map(degreeOf);
  if (kernel.name === "product") return degrees[0] + degrees[1];
  if (degrees.length) return Math.max(...degrees);
  return kernel.name === "linear" ? 1 : kernel.degree || 0;
}

// Of a polynomial in <x, z> of degree 10 at most: its coefficients from the constant on, as Exact; null of others
export const usualCoefficients = (kernel) => (degreeOf(kernel) <= 10 ? coefficients(kernel) : null);

function coefficients(kernel) {
  switch (kernel.name) {
    case "linear":
      return [ZERO, Exact.of(1)];
    case "polynomial":
      return powerOf([Exact.of(kernel.coef0), Exact.of(kernel.gamma)], kernel.degree);
    case "monomial_sum":
      return new Array(kernel.degree + 1).fill(Exact.of(1));
    case "sum":
      return both(kernel.terms, plus);
    case "product":
      return both(kernel.factors, times);
    case "multiple":
      return both([kernel.kernel, kernel.kernel], (a) => a.map((v) => v.times(kernel.factor)));
    default:
      return null;
  }
}

function both([a, b], make) {
  const [p, q] = [coefficients(a), coefficients(b)];
  return p && q && make(p, q);
}

function plus(p, q) {
  return Array.from({ length: Math.max(p.length, q.length) }, (_, k) => (p[k] || ZERO).plus(q[k] || ZERO));
}

function times(p, q) {
  const product = new Array(p.length + q.length - 1).fill(ZERO);
  p.forEach((a, i) => q.forEach((b, j) => (product[i + j] = product[i + j].plus(a.times(b)))));
  return product;
}

function powerOf(p, n) {
  let result = [Exact.of(1)];
  for (let k = 0; k < n; k++) result = times(result, p);
  return result;
}

export function evaluate(polynomial, s) {
  let value = ZERO;
  for (let k = polynomial.length - 1; k >= 0; k--) value = value.times(s).plus(polynomial[k]);
  return value;
}

// A Gram matrix, and strings
export const hasOwnValues = ({ name }) => name === "precomputed" || name === "spectrum";

// Of a matrix Q that vanishes with K, S30.10
export function vanishing(problem) {
  const { kernel, rows, K } = problem;
  const formula = usualCoefficients(kernel);
  if (formula) return (i, j) => evaluate(formula, exactDot(rows[i], rows[j]));
  if (hasOwnValues(kernel)) return (i, j) => Exact.of(K[i][j]);
  return (i, j) => (rows[i].every((v, c) => v === rows[j][c]) ? ONE : ZERO);
}
