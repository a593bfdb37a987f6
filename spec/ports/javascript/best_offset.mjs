// S30.6, the best lam: S8.5, the offsets that cost least at a given w. Of v, target less scores.

import { Exact, exactSum } from "./numbers.mjs";
import { max, min } from "./problem.mjs";
import { middleOf } from "./unit.mjs";

// lam of each group
export function bestLam(problem, program, v) {
  if (!program.group) return [0];
  if (problem.form !== "classification") return program.sums.map((sum, g) => bestOfGroup(program, v, g, sum));
  const { C, y } = problem;
  const finite = [...y.keys()].filter((i) => C[i] !== Infinity);
  let [low, high] = [-Infinity, Infinity];
  if (finite.length) [low, high] = (problem.isSquared ? cheapestSquared : cheapest)(finite, v, C, y);
  let [most, least] = [-Infinity, Infinity];
  y.forEach((label, i) => {
    if (C[i] !== Infinity) return;
    if (label > 0) most = max(most, v[i]);
    else least = min(least, v[i]);
  });
  return [middleOf(...[low, high].map((b) => min(max(b, most), least)))];
}

// With the hinge: a walk along the v, each of which changes the slope by its C
function cheapest(members, v, C, y) {
  const order = [...members].sort((a, b) => v[a] - v[b]);
  let slope = exactSum(order.map((i) => (y[i] > 0 ? C[i] : 0))).negated();
  let low = -Infinity;
  if (slope.sign() < 0) low = null;
  for (const i of order) {
    slope = slope.plus(C[i]);
    if (low === null && slope.sign() >= 0) low = v[i];
    if (slope.sign() > 0) return [low, v[i]];
  }
  return [low, Infinity];
}

function bestOfGroup({ group, lower, upper }, v, g, sum) {
  const members = [...v.keys()].filter((k) => group[k] === g).sort((a, b) => v[b] - v[a]);
  if (members.some((k) => !Number.isFinite(lower[k]))) return 0;
  let slope = sum.minus(exactSum(members.map((k) => lower[k])));
  let [low, high] = [-Infinity, Infinity];
  for (const k of members) {
    if (slope.sign() > 0) high = v[k];
    if (upper[k] !== Infinity) slope = slope.minus(Exact.of(upper[k]).minus(lower[k]));
    if (upper[k] === Infinity || slope.sign() < 0) {
      low = v[k];
      break;
    }
    if (slope.sign() === 0 && high === Infinity) high = v[k];
  }
  return middleOf(low, high);
}

function cheapestSquared(members, v, C, y) {
  const lines = members.map((i) => [v[i], y[i], C[i]]);
  lines.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  const mirror = lines.map(([value, label, c]) => [-value, -label, c]).reverse();
  return [leastSquared(lines), 0 - leastSquared(mirror)];
}

function leastSquared(lines) {
  const slope = (b) => {
    let total = 0;
    for (const [v, y, C] of lines) if (y * (v - b) > 0) total += C * (b - v);
    return total;
  };
  let [from, to] = [0, lines.length];
  while (from < to) {
    const p = Math.floor((from + to) / 2);
    if (slope(lines[p][0]) < 0) from = p + 1;
    else to = p;
  }
  const counted = lines.filter(([, y], place) => (y > 0 ? place >= from : place < from));
  let pull = 0;
  for (const [v, , C] of counted) pull += C * v;
  return counted.length ? pull / exactSum(counted.map(([, , C]) => C)).toDouble() : -Infinity;
}
