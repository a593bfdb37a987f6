// S5.5, the nearest point of the box cut by the plane where the sum is total.

import { max, min } from "./problem.mjs";

export function ontoBoxAndPlane(z, lower, upper, total) {
  const [, left, right] = withEnds(z, lower, upper, total);
  const nu = withEnds(z, lower, upper, total)[0];
  const near = nearest(nu, left, right);
  const closer = z.map((v) => v - near);
  const [again] = withEnds(closer, lower, upper, total);
  return closer.map((v, i) => min(max(v - again, lower[i]), upper[i]));
}

// Point 5
function nearest(nu, left, right) {
  const [hasLeft, hasRight] = [Number.isFinite(left), Number.isFinite(right)];
  if (hasLeft && hasRight) return Math.abs(nu - left) <= Math.abs(right - nu) ? left : right;
  if (hasLeft) return left;
  return hasRight ? right : 0;
}

// Points 1 to 4: [nu, left, right]
function withEnds(z, lower, upper, total) {
  const kinks = [];
  z.forEach((v, i) => {
    if (Number.isFinite(lower[i])) kinks.push(v - lower[i]);
    if (Number.isFinite(upper[i])) kinks.push(v - upper[i]);
  });
  const sorted = [...new Set(kinks.map((v) => v + 0))].sort((a, b) => a - b);
  const isAbove = (kink) => {
    let sum = 0;
    for (let i = 0; i < z.length; i++) sum += min(max(z[i] - kink, lower[i]), upper[i]);
    return sum > total;
  };
  let [first, end] = [0, sorted.length];
  while (first < end) {
    const k = Math.floor((first + end) / 2);
    if (isAbove(sorted[k])) first = k + 1;
    else end = k;
  }
  const left = first > 0 ? sorted[first - 1] : -Infinity;
  const right = first < sorted.length ? sorted[first] : Infinity;
  let missing = -total;
  let free = 0;
  for (let i = 0; i < z.length; i++) {
    if (z[i] - upper[i] <= left && right <= z[i] - lower[i]) {
      free += 1;
      missing += z[i];
    } else {
      missing += right <= z[i] - upper[i] ? upper[i] : lower[i];
    }
  }
  let nu = missing / free;
  if (free === 0) nu = left === -Infinity || (missing >= 0 && right !== Infinity) ? right : left;
  return [nu, left, right];
}
