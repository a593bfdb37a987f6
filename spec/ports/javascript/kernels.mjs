// S2.3, kernels: each is made of its document (S18.4) and has value(x, z).

import { exp, power, tanh } from "./arithmetic.mjs";
import { exponentOf } from "./numbers.mjs";

export function dot(x, z) {
  let total = 0;
  for (let j = 0; j < x.length; j++) total += x[j] * z[j];
  return total;
}

function squaredDistance(x, z, factor) {
  let total = 0;
  for (let j = 0; j < x.length; j++) {
    const d = (x[j] - z[j]) * factor;
    total += d * d;
  }
  return total;
}

// The h of S2.3: 4^h is taken off a gamma whose squares might be beyond the doubles.
function half(gamma) {
  const size = Math.abs(gamma);
  if (size === 0 || (size >= 2 ** -500 && size <= 2 ** 500)) return 0;
  return Math.floor(exponentOf(gamma) / 2);
}

export const isExtreme = (gamma) => half(gamma) !== 0;

export function timesDot(gamma, x, z) {
  const h = half(gamma);
  if (h === 0) return gamma * dot(x, z);
  const unit = (row) => row.map((v) => v * 2 ** h);
  return gamma * 2 ** -h * 2 ** -h * dot(unit(x), unit(z));
}

function timesSquaredDistance(gamma, x, z) {
  const h = half(gamma);
  return gamma * 2 ** -h * 2 ** -h * squaredDistance(x, z, 2 ** h);
}

function monomialSum({ degree }) {
  return (x, z) => {
    const s = dot(x, z);
    let t = 1;
    for (let k = 0; k < degree; k++) t = 1 + s * t;
    return t;
  };
}

function spectrum({ length }) {
  const counts = (text) => {
    const found = new Map();
    for (let k = 0; k + length <= text.length; k++) {
      const part = text.slice(k, k + length);
      found.set(part, (found.get(part) || 0) + 1);
    }
    return found;
  };
  return (x, z) => {
    const other = counts(z);
    let pairs = 0;
    for (const [part, count] of counts(x)) pairs += count * (other.get(part) || 0);
    return pairs;
  };
}

const makers = {
  linear: () => dot,
  polynomial: ({ degree, gamma, coef0 }) => (x, z) => power(timesDot(gamma, x, z) + coef0, degree),
  gaussian: ({ gamma }) => (x, z) => exp(-timesSquaredDistance(gamma, x, z)),
  cauchy: ({ gamma }) => (x, z) => 1 / (1 + timesSquaredDistance(gamma, x, z)),
  sigmoid: ({ gamma, coef0 }) => (x, z) => tanh(timesDot(gamma, x, z) + coef0),
  monomial_sum: monomialSum,
  spectrum,
  precomputed: () => () => {
    throw new Error("a precomputed kernel has no value of two rows");
  },
  sum: ({ terms: [a, b] }) => (x, z) => a.value(x, z) + b.value(x, z),
  product: ({ factors: [a, b] }) => (x, z) => a.value(x, z) * b.value(x, z),
  multiple: ({ factor, kernel }) => (x, z) => factor * kernel.value(x, z),
};

// The kernels that a kernel is made of
export const partsOf = ({ terms = [], factors = [], kernel }) => [...terms, ...factors, ...(kernel ? [kernel] : [])];

// A kernel of a document whose numbers are doubles already
export function makeKernel(document) {
  const kernel = { ...document };
  if (kernel.terms) kernel.terms = kernel.terms.map(makeKernel);
  if (kernel.factors) kernel.factors = kernel.factors.map(makeKernel);
  if (kernel.kernel) kernel.kernel = makeKernel(kernel.kernel);
  kernel.value = makers[kernel.name](kernel);
  return kernel;
}

// The matrix of all k(x_i, x_j), a Float64Array for each row
export function gram(kernel, rows) {
  if (kernel.name === "precomputed") return rows.map((row) => Float64Array.from(row));
  return rows.map((x) => Float64Array.from(rows, (z) => kernel.value(x, z)));
}
