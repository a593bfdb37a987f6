// S34.5, points 3 to 5, S34.6 and S30.11: the ends of groups, lam, and offsets, of residuals that are doubles or fractions.

import { dot } from "./kernels.mjs";
import { down, Exact, isInfinite, least, most, order, up, ZERO } from "./numbers.mjs";
import { max, min } from "./problem.mjs";
import { netOf } from "./program.mjs";
import { U } from "./rounding.mjs";
import { lamOfOffsets, middleOf, offsetOf, OFFSETS } from "./unit.mjs";

// S30.11, of each group
export const nearOf = ({ members, beta }) =>
  members.map((some) => some.reduce((near, k) => near + Math.abs(beta[k]) * 2 ** -50, 0));

// [m, M] of each group, 0 joins both where there is none; near: how near a bound counts as at it
export function extremesOf({ members, beta, lower, upper }, r, near = []) {
  const zero = members.length ? [] : [typeof r[0] === "number" ? 0 : ZERO];
  return (members.length ? members : [[...r.keys()]]).map((some, g) => {
    const off = near[g] || 0;
    const rising = some.filter((k) => beta[k] + off < upper[k]);
    const falling = some.filter((k) => beta[k] - off > lower[k]);
    return [most([-Infinity, ...rising.map((k) => r[k]), ...zero]), least([Infinity, ...falling.map((k) => r[k]), ...zero])];
  });
}

// S3.10, point 3, and S34.5, point 3
export function lamOf(climb, r) {
  const { problem, beta, lower, upper, members } = climb;
  if (!members.length) return [0];
  const near = nearOf(climb);
  const free = r.filter((_, k) => beta[k] + near[0] < upper[k] && beta[k] - near[0] > lower[k]);
  if (problem.form === "classification" && free.length) return [meanOf(free)];
  const isOutlier = problem.form === "one_class" || problem.form === "ball";
  return extremesOf(climb, r, near).map(([m, M]) => (isOutlier ? most([m, middleOf(m, M)]) : middleOf(m, M)));
}

function meanOf(values) {
  if (typeof values[0] === "number") return values.reduce((sum, v) => sum + v, 0) / values.length;
  return values.reduce((sum, v) => sum.plus(v)).over(values.length);
}

const nearest = (v) => (isInfinite(v) ? v : Exact.of(v).toDouble());

export const mapOffsets = ({ form }, f) => Object.fromEntries(OFFSETS[form].map((offset) => [offset.name, f(offset)]));

export const valuesOf = (problem, offsets) => mapOffsets(problem, ({ name }) => offsets[name].value);

// ends: m and M of each group; squares: |w|^2, between its ends; shifted: what b has more on the rows solved on, within off
export function offsetsOf(problem, lam, ends, [lowest, square, highest], shifted = ZERO, off = 0) {
  const swapped = ends.map(([m, M]) => [M, m]);
  return mapOffsets(problem, (offset) => {
    const back = (v, by) => {
      if (offset.name !== "b" || (!shifted.n && !by)) return v;
      if (isInfinite(by) || isInfinite(v)) return isInfinite(by) ? by : v;
      return Exact.of(v).minus(shifted).plus(by);
    };
    const value = offsetOf(offset, lam.map((v) => [v, v]), square);
    return {
      value: nearest(back(typeof lam[0] === "number" ? nearest(value) : value, 0)),
      low: down(back(offsetOf(offset, ends, lowest), -off)),
      high: up(back(offsetOf(offset, swapped, highest), off)),
    };
  });
}

// S34.6, points 1 and 2: half of what a model of one class or a ball may move its offset by
export function roomOfModel({ problem, beta }, error) {
  const { form, all, K, X, shift, isLinear } = problem;
  if (form !== "one_class" && form !== "ball") return 0;
  let norm = all.map((i) => Math.abs(K[i][i])).reduce((a, b) => max(a, b));
  if (form === "ball" && isLinear) norm = 2 * (norm + dot(shift, shift));
  const used = beta.reduce((count, v) => count + (v !== 0), 0);
  const mass = beta.reduce((sum, v) => sum + v, 0);
  return error + 16 * (used + X[0].length + 4) * U * (mass * norm);
}

// Points 3 and 4, where r and |w|^2 are exact: the offset that such a model keeps
export function keptOffsets(climb, { r, w2 }, offsets) {
  const { problem, beta, upper } = climb;
  const isBall = problem.form === "ball";
  if (problem.form !== "one_class" && !(isBall && problem.kernel.name !== "precomputed")) return offsets;
  const room = 2 * roomOfModel(climb, 0);
  const [near] = nearOf(climb);
  const below = problem.all.filter((k) => beta[k] + near < upper[k]);
  const from = below.length ? most(below.map((k) => r[k])).toDouble() - room : Infinity;
  const asked = below.filter((k) => order(r[k], from) >= 0);
  const lam = lamOfOffsets(problem, offsets, ZERO, w2)[0].toDouble() + room;
  if (!asked.length || asked.some((k) => order(r[k], lam) > 0)) return offsets;
  const lowest = asked.map(decisionsOf(problem, netOf(problem, climb, beta))).reduce((a, b) => min(a, b));
  return isBall ? { radius2: max(offsets.radius2, 0 - lowest) } : { rho: -max(-offsets.rho, 0 - lowest) };
}

// What the model computes of an example, with the offset 0
function decisionsOf(problem, net) {
  const { X, K, isLinear, form, all } = problem;
  const w = isLinear ? problem.roundedWeights(net) : null;
  if (w && form === "ball") return (i) => 0 - X[i].reduce((sum, v, j) => sum + (v - w[j]) * (v - w[j]), 0);
  if (w) return (i) => dot(w, X[i]);
  const support = all.filter((j) => net[j] !== 0);
  const score = (i) => support.reduce((sum, j) => sum + net[j] * K[i][j], 0);
  if (form === "one_class") return score;
  const w2 = dot(net, problem.scores(net, null));
  return (i) => 0 - (K[i][i] - 2 * score(i) + w2);
}
