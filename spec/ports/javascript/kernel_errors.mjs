// S30.3: how far kernel values as computed are off, and of what they are multiples.

import { power } from "./arithmetic.mjs";
import { dot } from "./kernels.mjs";
import { addsExactly, grain, spared } from "./rounding.mjs";

const LEAST = 2 ** -960;

// Numbers that are not zero in a row, or in the difference of two, at most
export function longest(rows) {
  if (typeof rows[0] === "string") return 0;
  const used = new Set();
  let most = 0;
  for (const row of rows) {
    let count = 0;
    row.forEach((v, j) => {
      if (v !== 0) {
        count += 1;
        used.add(j);
      }
    });
    most = Math.max(most, count);
  }
  return Math.min(2 * most, used.size);
}

// v of a kernel that is not made of others
function ownRoundings({ name, degree }, m) {
  switch (name) {
    case "linear":
      return m;
    case "polynomial":
      return degree * (m + 3);
    case "monomial_sum":
      return degree * (m + 2);
    case "gaussian":
      return 2 + 0.3679 * (m + 3);
    case "cauchy":
      return 2 + (m + 3) / 4;
    case "sigmoid":
      return m + 10;
    default:
      return 0;
  }
}

// |gamma| <x, x> + |coef0|, and what a product may lose once gamma has multiplied it
function brackets({ gamma, coef0 }, rows) {
  const g = Math.abs(gamma);
  const isScaled = g !== 0 && (g < 2 ** -500 || g > 2 ** 500);
  const lost = isScaled ? 4 * LEAST : g * LEAST;
  return rows.map((x) => g * dot(x, x) + lost + Math.abs(coef0));
}

// { roundings, sizes }; sizes are null where no size is known
function errorsOf(kernel, rows, m) {
  const squares = () => rows.map((x) => dot(x, x) + LEAST);
  const values = () => rows.map((x) => kernel.value(x, x) + LEAST);
  const roundings = ownRoundings(kernel, m);
  switch (kernel.name) {
    case "linear":
      return { roundings, sizes: squares() };
    case "polynomial":
      return { roundings, sizes: brackets(kernel, rows).map((v) => power(v, kernel.degree) + LEAST) };
    case "gaussian":
      return { roundings, sizes: rows.map(() => 1) };
    case "sigmoid":
      return { roundings, sizes: brackets(kernel, rows).map((v) => 1 + v) };
    case "monomial_sum":
    case "cauchy":
    case "spectrum":
      return { roundings, sizes: values() };
    case "sum":
      return combined(kernel.terms, rows, m, (a, b) => 1 + Math.max(a, b), (a, b) => a + b);
    case "product":
      return combined(kernel.factors, rows, m, (a, b) => 1 + (a + b), (a, b) => a * b);
    case "multiple": {
      const inner = errorsOf(kernel.kernel, rows, m);
      const sizes = inner.sizes && inner.sizes.map((v) => kernel.factor * v + LEAST);
      return { roundings: 1 + inner.roundings, sizes };
    }
    default:
      return { roundings, sizes: null };
  }
}

function combined([a, b], rows, m, roundings, size) {
  const [p, q] = [errorsOf(a, rows, m), errorsOf(b, rows, m)];
  const sizes = p.sizes && q.sizes ? p.sizes.map((v, i) => size(v, q.sizes[i]) + LEAST) : null;
  return { roundings: roundings(p.roundings, q.roundings), sizes };
}

export function valueErrors(kernel, rows, m = longest(rows)) {
  const { roundings, sizes } = errorsOf(kernel, rows, m);
  return { roundings: spared(roundings), sizes };
}

// S30.8, point 2: the same of the row's length m, more simply: 2 and what the parts have
export function plainRoundings(kernel, m) {
  const parts = [...(kernel.terms || []), ...(kernel.factors || []), ...(kernel.kernel ? [kernel.kernel] : [])];
  if (parts.length === 0) return spared(ownRoundings(kernel, m));
  return parts.reduce((total, part) => total + plainRoundings(part, m), 2);
}

// What kernel values are multiples of, if the numbers of the rows are multiples of g; null for others
function grainOfKernel(kernel, g) {
  if (kernel.name === "spectrum") return 1;
  if (kernel.name === "precomputed") return g;
  if (kernel.name !== "linear" && kernel.name !== "polynomial") return null;
  const squared = g * g;
  if (g < Infinity && squared === Infinity) return null;
  if (kernel.name === "linear") return squared;
  const bracket = Math.min(grain([kernel.gamma]) * squared, grain([kernel.coef0]));
  return bracket < Infinity ? power(bracket, kernel.degree) : 1;
}

// The grain of the values of a problem, or null
export function grainOfValues(problem) {
  const { kernel, X, n } = problem;
  const isText = typeof X[0] === "string";
  const d = isText ? 1 : X[0].length || 1;
  if (n * d > 2000 || grainOfKernel(kernel, 1) === null) return null;
  let g = Infinity;
  for (let i = 0; i < n; i++) {
    if (!isText) g = Math.min(g, grain(X[i]));
    const own = grainOfKernel(kernel, g);
    if (own === null || !addsExactly(Math.abs(problem.K[i][i]), own)) return null;
  }
  return grainOfKernel(kernel, g);
}
