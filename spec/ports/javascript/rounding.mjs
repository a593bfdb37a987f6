// S30.2, numbers that bound others: what rounding may have done at most.

import { Exact } from "./numbers.mjs";

export const U = 2 ** -53;
export const TINY = 2 ** -1074;
const SPARE = 1 + 2 ** -6;

// Of a sum whose terms add up to size, each rounded k times at most
export const ofSum = (k, size) => SPARE * U * k * size;

// No less than a v >= 0 that was rounded k times
export const above = (v, k) => (v === 0 ? 0 : v * (1 + (k + 4) * U * SPARE) + (k + 1) * TINY);

export const spared = (v) => v * SPARE;

export const addsExactly = (size, unit) => (SPARE * size) / 2 ** 53 < unit;

// The largest power of two of which a double is a multiple
function grainOfOne(v) {
  let whole = Exact.of(v).n;
  let e = Exact.of(v).e;
  while (!(whole & 1n)) [whole, e] = [whole >> 1n, e + 1];
  return 2 ** e;
}

export function grain(values) {
  let least = Infinity;
  for (const v of values) if (v !== 0) least = Math.min(least, grainOfOne(v));
  return least;
}

// The sum of sizes, left to right
export function sumOfSizes(values) {
  let total = 0;
  for (const v of values) total += Math.abs(v);
  return total;
}

