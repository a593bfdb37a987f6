// S34.3, what tol is a multiple of, and the offsets that lam makes: S34.5.

import { Exact, isInfinite, order, ZERO } from "./numbers.mjs";
import { max, middle, min } from "./problem.mjs";

// Of m and M, doubles or fractions
export function middleOf(m, M) {
  if (m === -Infinity || M === Infinity) return m === -Infinity ? M : m;
  if (isInfinite(m) || isInfinite(M)) return isInfinite(m) ? m : M; // beside a fraction
  return typeof m === "number" ? middle(m, M) : m.plus(M).over(2);
}

// S34.3; of the ends of the moment
export function unitOf(climb) {
  const { problem } = climb;
  const lam = () => climb.ends().map(([m, M]) => middleOf(m, M));
  switch (problem.form) {
    case "classification":
      return 1;
    case "nu": {
      const [first, second] = lam();
      return max(0, middle(second, -first));
    }
    case "one_class":
      return max(0, -lam()[0]);
    case "ball": {
      let square = 0;
      for (let k = 0; k < climb.size; k++) square += climb.beta[k] * (climb.target[k] - climb.r[k]);
      return max(0, 2 * lam()[0] + square);
    }
    default:
      return spreadOf(problem);
  }
}

const spreadOf = ({ isTube, y }) => isTube ? y.map(Math.abs).reduce(max) : y.reduce(max) / 2 - y.reduce(min) / 2;

// S30.8: a lower bound, from the [least, largest] lam of each group and the least |w|^2; fractions
export function leastUnit(problem, ends, square) {
  const { form } = problem;
  if (form === "classification") return 1;
  if (isInfinite(square) || ends.flat().some(isInfinite)) return -Infinity;
  const [[least, largest], second] = ends;
  if (form === "nu") return second[0].minus(largest).over(2);
  if (form === "one_class") return largest.negated();
  return form === "ball" ? least.times(2).plus(square) : spreadOf(problem);
}

// S34.5: each offset as { name, parts: [factor of lam_1, of lam_2], square, least }
export const OFFSETS = {
  classification: [{ name: "b", parts: [1], least: -Infinity }],
  nu: [
    { name: "b", parts: [0.5, 0.5], least: -Infinity },
    { name: "rho", parts: [-0.5, 0.5], least: 0 },
  ],
  regression: [{ name: "b", parts: [1], least: -Infinity }],
  regression_without_offset: [{ name: "b", parts: [1], least: -Infinity }],
  nu_regression: [
    { name: "b", parts: [0.5, 0.5], least: -Infinity },
    { name: "epsilon", parts: [0.5, -0.5], least: 0 },
  ],
  one_class: [{ name: "rho", parts: [-1], least: 0 }],
  ball: [{ name: "radius2", parts: [2], square: true, least: 0 }],
};

// The least that an offset is for [low, high] of each lam, exactly
export function offsetOf({ parts, square, least }, ends, w2) {
  const lam = parts.map((factor, g) => ends[g][factor > 0 ? 0 : 1]);
  const g = lam.findIndex(isInfinite);
  let value = ZERO;
  if (g >= 0) value = Math.sign(parts[g]) * lam[g];
  else if (square && isInfinite(w2)) value = w2;
  else value = lam.reduce((sum, v, place) => sum.plus(Exact.of(v).times(parts[place])), square ? Exact.of(w2) : ZERO);
  return order(value, least) < 0 ? least : value;
}

// lam of the offsets that are kept, as fractions; moved: what b has more on the rows solved on
export function lamOfOffsets({ form }, { b = 0, rho, epsilon, radius2 }, moved, w2) {
  const there = moved.plus(b);
  switch (form) {
    case "nu":
      return [there.minus(rho), there.plus(rho)];
    case "nu_regression":
      return [there.plus(epsilon), there.minus(epsilon)];
    case "one_class":
      return [Exact.of(-rho)];
    case "ball":
      return [Exact.of(radius2).minus(w2).over(2)];
    default:
      return [there];
  }
}
