// S8.8, the best lam of S30.6: the offsets that cost least at a given w. Of v, target less scores, doubles or fractions.

import { Exact, exactSum, isInfinite, order } from "./numbers.mjs";
import { middle } from "./problem.mjs";

const DOUBLES = {
  zero: 0,
  plus: (a, b) => a + b,
  minus: (a, b) => a - b,
  times: (a, b) => a * b,
  over: (a, exact) => a / exact.toDouble(),
  negated: (a) => 0 - a,
  middle,
};
const FRACTIONS = {
  zero: Exact.of(0),
  plus: (a, b) => a.plus(b),
  minus: (a, b) => a.minus(b),
  times: (a, b) => b.times(a),
  over: (a, exact) => a.over(exact),
  negated: (a) => (isInfinite(a) ? -a : a.negated()),
  middle: (a, b) => a.plus(b).over(2),
};

const larger = (a, b) => (order(b, a) > 0 ? b : a);
const lesser = (a, b) => (order(b, a) < 0 ? b : a);

// lam of each group
export function bestLam(problem, program, v) {
  const N = typeof v[0] === "number" ? DOUBLES : FRACTIONS;
  const between = (m, M) => (isInfinite(m) || isInfinite(M) ? (isInfinite(m) ? M : m) : N.middle(m, M));
  if (!program.group) return [N.zero];
  if (problem.form !== "classification") return program.sums.map((sum, g) => between(...bestOfGroup(program, v, g, sum)));
  const { C, y } = problem;
  const finite = [...y.keys()].filter((i) => C[i] !== Infinity);
  let ends = [-Infinity, Infinity];
  if (finite.length) ends = problem.isSquared ? cheapestSquared(N, finite, v, C, y) : cheapest(finite, v, C, y);
  let [most, least] = [-Infinity, Infinity];
  y.forEach((label, i) => {
    if (C[i] !== Infinity) return;
    if (label > 0) most = larger(most, v[i]);
    else least = lesser(least, v[i]);
  });
  return [between(...ends.map((b) => lesser(larger(b, most), least)))];
}

// With the hinge: a walk along the v, each of which changes the slope by its C
function cheapest(members, v, C, y) {
  const sorted = [...members].sort((a, b) => order(v[a], v[b]));
  let slope = exactSum(sorted.map((i) => (y[i] > 0 ? C[i] : 0))).negated();
  let low = slope.sign() < 0 ? null : -Infinity;
  for (const i of sorted) {
    slope = slope.plus(C[i]);
    if (low === null && slope.sign() >= 0) low = v[i];
    if (slope.sign() > 0) return [low, v[i]];
  }
  return [low, Infinity];
}

function bestOfGroup({ group, lower, upper }, v, g, sum) {
  const members = [...v.keys()].filter((k) => group[k] === g).sort((a, b) => order(v[b], v[a]));
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
  return [low, high];
}

function cheapestSquared(N, members, v, C, y) {
  const lines = members.map((i) => [v[i], y[i], C[i]]);
  lines.sort((a, b) => order(a[0], b[0]) || a[1] - b[1] || a[2] - b[2]);
  const mirror = lines.map(([value, label, c]) => [N.negated(value), -label, c]).reverse();
  return [leastSquared(N, lines), N.negated(leastSquared(N, mirror))];
}

function leastSquared(N, lines) {
  const slope = (b) =>
    lines.reduce((total, [v, y, C]) => (y * order(v, b) > 0 ? N.plus(total, N.times(C, N.minus(b, v))) : total), N.zero);
  let [from, to] = [0, lines.length];
  while (from < to) {
    const p = Math.floor((from + to) / 2);
    if (order(slope(lines[p][0]), 0) < 0) from = p + 1;
    else to = p;
  }
  const counted = lines.filter(([, y], place) => (y > 0 ? place >= from : place < from));
  if (!counted.length) return -Infinity;
  const pull = counted.reduce((total, [v, , C]) => N.plus(total, N.times(C, v)), N.zero);
  return N.over(pull, exactSum(counted.map(([, , C]) => C)));
}
