// S3.10, point 1: the sums are made even, by the free multipliers whose change costs least.

import { exactSum } from "./numbers.mjs";
import { U } from "./rounding.mjs";
import { makeSums } from "./start.mjs";

export function even(climb, status) {
  if (climb.problem.form === "regression") mergePairs(climb);
  if (!climb.isTied) return;
  const groups = climb.members;
  const someLost = () => groups.some((members, g) => isLost(climb, members, climb.sums[g].toDouble()));
  const wasLost = status !== "infeasible" && someLost();
  const before = Float64Array.from(climb.beta);
  groups.forEach((members, g) => evenGroup(climb, members, climb.sums[g]));
  if (wasLost) {
    if (someLost()) makeSums(climb, climb.beta);
    climb.recompute();
    return;
  }
  const moved = [];
  for (let k = 0; k < climb.size; k++) if (climb.beta[k] !== before[k]) moved.push([k, climb.beta[k] - before[k]]);
  climb.carryOver(moved);
}

function mergePairs({ beta, problem: { n } }) {
  for (let i = 0; i < n; i++) {
    const sum = beta[i] + beta[n + i];
    beta[i] = sum > 0 ? sum : 0;
    beta[n + i] = sum < 0 ? sum : 0;
  }
}

function isLost(climb, members, sum) {
  let [total, size] = [0, 0];
  for (const k of members) [total, size] = [total + climb.beta[k], size + Math.abs(climb.beta[k])];
  return Math.abs(total - sum) > 16 * U * (members.length + 2) * (size + Math.abs(sum));
}

function evenGroup(climb, members, sum) {
  const { beta, lower, upper, diag } = climb;
  const free = members.filter((k) => climb.isFree(k));
  free.sort((a, b) => diag[a] - diag[b] || Math.abs(beta[a]) - Math.abs(beta[b]) || a - b);
  if (free.length === 0) return;
  for (const k of free) {
    const surplus = exactSum(members.map((j) => beta[j])).minus(sum);
    if (!surplus.n) return;
    if (!climb.problem.isLinear && diag[k] > diag[free[0]]) return;
    const next = beta[k] - surplus.toDouble();
    if (lower[k] <= next && next <= upper[k]) beta[k] = next;
  }
}
