// S8.8, the best lam of S30.6: the offsets that cost least at a given w. Of v, target less scores, doubles or fractions.

import { doubles, fractions } from "./linear_algebra.mjs";
import { Exact, exactSum, isInfinite, least, most, order, ZERO } from "./numbers.mjs";
import { middleOf } from "./unit.mjs";

// lam of each group
export function bestLam(problem, program, v) {
  if (!program.group) return [typeof v[0] === "number" ? 0 : ZERO];
  if (problem.form === "classification") return [middleOf(...bestOffsets(problem, v))];
  return program.sums.map((_, g) => middleOf(...bestOfGroup(program, v, g)));
}

function bestOffsets({ C, y, isSquared }, v) {
  const field = typeof v[0] === "number" ? doubles : fractions;
  const lowest = isSquared ? lowestOfSquares : lowestOfHinge;
  const minus = (x) => (isInfinite(x) ? -x : field.minus(field.zero, x));
  const lines = v.map((x, i) => [x, y[i], C[i]]);
  const hard = (label) => lines.filter(([, own, c]) => c === Infinity && own === label).map(([x]) => x);
  const soft = lines.filter(([, , c]) => c !== Infinity);
  soft.sort((a, b) => order(a[0], b[0]) || a[1] - b[1] || a[2] - b[2]);
  const mirror = soft.map(([x, label, c]) => [minus(x), -label, c]).reverse();
  const ends = [lowest(field, soft), minus(lowest(field, mirror))];
  return ends.map((b) => least([most([b, ...hard(1)]), ...hard(-1)]));
}

function lowestOfHinge(_, lines) {
  const positive = exactSum(lines.map(([, y, C]) => (y > 0 ? C : 0)));
  let weight = ZERO;
  const found = lines.find(([, , C]) => (weight = weight.plus(C)).compare(positive) >= 0);
  return positive.n ? found[0] : -Infinity;
}

function lowestOfSquares(field, lines) {
  const sum = (values) => values.reduce(field.plus, field.zero);
  const times = ([, , C], x) => field.times(field.of(C), x);
  const short = (b) => lines.filter(([x, y]) => y * order(x, b) > 0);
  const slope = (b) => sum(short(b).map((line) => times(line, field.minus(b, line[0]))));
  let [from, to] = [0, lines.length];
  while (from < to) {
    const p = Math.floor((from + to) / 2);
    if (order(slope(lines[p][0]), 0) < 0) from = p + 1;
    else to = p;
  }
  const counted = lines.filter(([, y], place) => (y > 0 ? place >= from : place < from));
  if (!counted.length) return -Infinity;
  const weight = field.rounded(exactSum(counted.map(([, , C]) => C)));
  return field.over(sum(counted.map((line) => times(line, line[0]))), weight);
}

function bestOfGroup({ members, lower, upper, sums }, v, g) {
  const sorted = [...members[g]].sort((a, b) => order(v[b], v[a]));
  let slope = sums[g].minus(exactSum(sorted.map((k) => lower[k])));
  let high = Infinity;
  for (const k of sorted) {
    if (slope.sign() > 0) high = v[k];
    if (upper[k] === Infinity) return [v[k], high];
    slope = slope.minus(Exact.of(upper[k]).minus(lower[k]));
    if (slope.sign() < 0) return [v[k], high];
    if (slope.sign() === 0 && high === Infinity) high = v[k];
  }
  return [-Infinity, high];
}
