// S34.3, what tol is a multiple of, and the offsets that lam makes: S34.5.

import { Exact } from "./numbers.mjs";
import { max, middle, min } from "./problem.mjs";

// Of m and M
export function middleOf(m, M) {
  if (m === -Infinity) return M;
  return M === Infinity ? m : middle(m, M);
}

const sumHalf = (a, b) => middle(a, b);

// S34.3; of the ends of the moment
export function unitOf(climb) {
  const { problem } = climb;
  const lam = () => climb.ends().map(([m, M]) => middleOf(m, M));
  switch (problem.form) {
    case "classification":
      return 1;
    case "nu": {
      const [first, second] = lam();
      return max(0, sumHalf(second, -first));
    }
    case "one_class":
      return max(0, -lam()[0]);
    case "ball": {
      let square = 0;
      for (let k = 0; k < climb.size; k++) square += climb.beta[k] * (climb.target[k] - climb.r[k]);
      return max(0, 2 * lam()[0] + square);
    }
    default: {
      let [most, least] = [-Infinity, Infinity];
      for (const v of problem.y) [most, least] = [max(most, v), min(least, v)];
      return most / 2 - least / 2;
    }
  }
}

// S34.5: each offset as { name, parts: [factor of lam_1, of lam_2], square, least }
export const OFFSETS = {
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
  const [first, second] = parts;
  let value;
  if (parts.length === 1) value = 0 + first * lam[0] + (square ? w2 : 0);
  else if (first < 0) value = sumHalf(0 + lam[1], -lam[0]);
  else value = sumHalf(0 + lam[0], Math.sign(second) * lam[1]);
  return least === 0 ? max(0, value) : value;
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
