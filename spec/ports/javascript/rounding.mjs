// S30.2, upper bounds of what rounding did.

export const U = 2 ** -53;
export const TINY = 2 ** -1074;
export const SPARE = 1 + 2 ** -6;

// Of a sum whose terms add up to size, without signs, each rounded k times
export const ofSum = (k, size) => SPARE * U * k * size;

// Of a v >= 0 that was rounded k times
export const above = (v, k) => (v === 0 ? 0 : v * (1 + (k + 4) * U * SPARE) + (k + 1) * TINY);

// Of |v|
export function normAbove(v) {
  let square = 0;
  for (const x of v) square += x * x;
  return above(Math.sqrt(square + (v.some((x) => x !== 0) ? v.length * TINY : 0)), v.length + 4);
}
