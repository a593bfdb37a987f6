// S30.10: a matrix Q of fractions that vanishes with K, in exact arithmetic.

import { evaluate, usualCoefficients } from "./exact_kernels.mjs";
import { partsOf } from "./kernels.mjs";
import { Exact, ZERO } from "./numbers.mjs";
import { exactDot } from "./problem.mjs";

const ONE = Exact.of(1);

// Whether values of a Gram matrix or of strings are in it
export const isOwn = (kernel) =>
  kernel.name === "precomputed" || kernel.name === "spectrum" || partsOf(kernel).some(isOwn);

export function vanishing(problem) {
  const { kernel, rows, K } = problem;
  const formula = usualCoefficients(kernel);
  if (formula) return (i, j) => evaluate(formula, exactDot(rows[i], rows[j]));
  if (isOwn(kernel)) return (i, j) => Exact.of(K[i][j]);
  return (i, j) => (rows[i].every((v, c) => v === rows[j][c]) ? ONE : ZERO);
}
