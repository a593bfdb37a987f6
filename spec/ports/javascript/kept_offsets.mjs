// S34.6: the offset that a model of one class or of a ball keeps, which leaves no example outside by rounding.

import { dot } from "./kernels.mjs";
import { Exact, most, order } from "./numbers.mjs";
import { max, min } from "./problem.mjs";
import { netOf } from "./program.mjs";
import { U } from "./rounding.mjs";
import { lamOfOffsets } from "./unit.mjs";

// Points 1 and 2: what it may be moved by, half of it; error: what steps added to residuals
export function roomOfModel({ problem, beta }, error = 0) {
  if (problem.form !== "one_class" && problem.form !== "ball") return 0;
  let norm = 0;
  for (const i of problem.all) norm = max(norm, Math.abs(problem.K[i][i]));
  if (problem.form === "ball" && problem.isLinear) norm = 2 * (norm + dot(problem.shift, problem.shift));
  let [count, mass] = [0, 0];
  for (const v of beta) [count, mass] = [count + (v !== 0), mass + v];
  return error + 16 * (count + problem.X[0].length + 4) * U * (mass * norm);
}

export function keptOffsets(climb, exact, offsets) {
  const { problem } = climb;
  const isBall = problem.form === "ball";
  if (!isBall && problem.form !== "one_class") return offsets;
  const some = leastScores(climb, exact, offsets);
  if (!some.length) return offsets;
  const decide = isBall ? distanceOf(problem, climb) : scoreOf(problem, netOf(problem, climb, climb.beta));
  const lowest = some.map(decide).reduce(min);
  const kept = max(isBall ? offsets.radius2 : -offsets.rho, 0 - lowest);
  return isBall ? { radius2: kept } : { rho: -kept };
}

// Those below their bound that may have the least score
function leastScores(climb, { r, w2 }, offsets) {
  const { problem, beta, upper } = climb;
  if (problem.form === "ball" && problem.kernel.name === "precomputed") return [];
  const within = 2 * roomOfModel(climb);
  let near = 0;
  for (const v of beta) near += Math.abs(v) * 2 ** -50;
  const below = problem.all.filter((k) => beta[k] + near < upper[k]);
  if (!below.length) return [];
  const from = most(below.map((k) => r[k])).toDouble() - within;
  const found = below.filter((k) => order(r[k], from) >= 0);
  const [lam] = lamOfOffsets(problem.form, offsets, Exact.of(0), w2);
  return found.every((k) => order(r[k], lam.toDouble() + within) <= 0) ? found : [];
}

// What a model computes, with the offset 0
function scoreOf(problem, net) {
  const { kernel, X, K } = problem;
  if (problem.isLinear) {
    const w = problem.roundedWeights(net);
    return (i) => dot(w, X[i]) + 0;
  }
  const support = problem.all.filter((j) => net[j] !== 0);
  const value = kernel.name === "precomputed" ? (i, j) => K[i][j] : (i, j) => kernel.value(X[i], X[j]);
  return (i) => support.reduce((sum, j) => sum + net[j] * value(i, j), 0) + 0;
}

function distanceOf(problem, climb) {
  const { X, kernel } = problem;
  const net = netOf(problem, climb, climb.beta);
  if (problem.isLinear) {
    const w = problem.roundedWeights(net);
    return (i) => 0 - X[i].reduce((sum, v, j) => sum + (v - w[j]) * (v - w[j]), 0);
  }
  const score = scoreOf(problem, net);
  const w2 = dot(net, problem.scores(net, null));
  return (i) => 0 - (kernel.value(X[i], X[i]) - 2 * score(i) + w2);
}
