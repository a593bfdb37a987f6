// S34.3, what tol is a multiple of, and the offsets that lam makes: S34.5.

import { Exact, isInfinite, order } from "./numbers.mjs";
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

function spreadOf({ y }) {
  let [most, least] = [-Infinity, Infinity];
  for (const v of y) [most, least] = [max(most, v), min(least, v)];
  return most / 2 - least / 2;
}

// S34.5: each offset as { name, parts: [factor of lam_1, of lam_2], square, least }
export const OFFSETS = {
  classification: [{ name: "b", parts: [1], least: -Infinity }],
  nu: [
    { name: "b", parts: [0.5, 0.5], least: -Infinity },
    { name: "rho", parts: [-0.5, 0.5], least: 0 },
  ],
  regression: [{ name: "b", parts: [1], least: -Infinity }],
  nu_regression: [
    { name: "b", parts: [0.5, 0.5], least: -Infinity },
    { name: "epsilon", parts: [0.5, -0.5], least: 0 },
  ],
  one_class: [{ name: "rho", parts: [-1], least: 0 }],
  ball: [{ name: "radius2", parts: [2], square: true, least: 0 }],
};

// Sums begin at 0, which takes the sign off a lam of 0
export function valueOf({ parts, square, least }, lam, w2) {
  const infinite = lam.findIndex(isInfinite);
  let value;
  if (infinite >= 0) value = Math.sign(parts[infinite]) * lam[infinite];
  else if (typeof lam[0] !== "number") value = exactValue(parts, lam).plus(square ? w2 : 0);
  else if (parts.length === 1) value = 0 + parts[0] * lam[0] + (square ? w2 : 0);
  else if (parts[0] < 0) value = middle(0 + lam[1], -lam[0]);
  else value = middle(0 + lam[0], Math.sign(parts[1]) * lam[1]);
  return order(value, least) < 0 ? least : value;
}

const exactValue = (parts, lam) => lam.reduce((sum, v, g) => sum.plus(v.times(parts[g])), Exact.of(0));

// A lower bound of the unit, from [low, high] of each lam, and what |w|^2 / 2 may be off
export function unitOfEnds(problem, ends, w2, error) {
  const { form } = problem;
  if (form === "classification") return 1;
  if (isInfinite(error) || ends.flat().some(isInfinite)) return -Infinity;
  const [[low, high], second] = ends;
  if (form === "nu") return second[0].minus(high).over(2);
  if (form === "one_class") return high.negated();
  if (form === "ball") return low.times(2).plus(w2).minus(Exact.of(error).times(2));
  return spreadOf(problem);
}

// lam of the offsets that are kept, as fractions; exactB is b on the rows solved on
export function lamOfOffsets(form, offsets, exactB, w2) {
  switch (form) {
    case "nu":
      return [exactB.minus(offsets.rho), exactB.plus(offsets.rho)];
    case "nu_regression":
      return [exactB.plus(offsets.epsilon), exactB.minus(offsets.epsilon)];
    case "one_class":
      return [Exact.of(-offsets.rho)];
    case "ball":
      return [Exact.of(offsets.radius2).minus(w2).over(2)];
    default:
      return [exactB];
  }
}
