// S30.10: whether exact multipliers make w exactly 0.
//
// The text asks the active-set method on fractions. What it decides, with few variables, is whether there is a point
// within the bounds, with the sums, where Q x = 0. Here the point nearest to beta is looked for instead; variables that
// would leave their bounds are held there.

import { nearestSolution } from "./exact_space.mjs";
import { coefficients } from "./exact_kernels.mjs";
import { hasSolution } from "./modular.mjs";
import { Exact, ZERO } from "./numbers.mjs";
import { makeSums } from "./start.mjs";
import { vanishing } from "./vanishing.mjs";

const FEW = 60;

function matrix(climb, taken) {
  const Q = vanishing(climb.problem);
  return taken.map((k) => taken.map((l) => Q(climb.of[k], climb.of[l])));
}

// In exact arithmetic, by elimination with the diagonal as pivots
function isPositive(Q) {
  const rows = Q.map((row) => [...row]);
  const left = new Set(rows.keys());
  while (left.size) {
    let at = -1;
    for (const i of left) {
      const sign = rows[i][i].sign();
      if (sign < 0) return false;
      if (sign > 0) at = i;
    }
    if (at < 0) return [...left].every((i) => [...left].every((j) => !rows[i][j].n));
    left.delete(at);
    for (const i of left) {
      if (!rows[i][at].n) continue;
      const by = rows[i][at].over(rows[at][at]);
      for (const j of left) rows[i][j] = rows[i][j].minus(by.times(rows[at][j]));
    }
  }
  return true;
}

function needsProof(problem) {
  const formula = coefficients(problem.kernel);
  if (formula) return formula.some((v) => v.sign() < 0);
  const isOwn = ({ name, terms = [], factors = [], kernel }) =>
    name === "precomputed" || name === "spectrum" || [...terms, ...factors, ...(kernel ? [kernel] : [])].some(isOwn);
  return isOwn(problem.kernel);
}

export function isDegenerate(climb) {
  const { beta, lower, upper } = climb;
  let taken = [...climb.of.keys()];
  if (taken.length > FEW) taken = taken.filter((k) => beta[k] !== 0);
  if (taken.length > 500) return false;
  const begin = Array.from(beta);
  makeSums(climb, begin);
  let free = taken;
  if (taken.length > FEW) {
    const far = (k) => Math.min(begin[k] - lower[k], upper[k] - begin[k]);
    free = [...taken].sort((a, b) => far(b) - far(a) || a - b).slice(0, FEW).sort((a, b) => a - b);
  }
  const Q = matrix(climb, taken);
  if (needsProof(climb.problem) && (taken.length > FEW || !isPositive(Q))) return false;
  return hasPoint(climb, Q, taken, free, begin);
}

function hasPoint(climb, Q, taken, start, begin) {
  const x = new Map(taken.map((k) => [k, Exact.of(begin[k])]));
  let free = start;
  const place = new Map(taken.map((k, a) => [k, a]));
  while (free.length) {
    const isFree = new Set(free);
    const A = [];
    const c = [];
    for (const k of taken) {
      A.push(free.map((l) => Q[place.get(k)][place.get(l)]));
      c.push(rest(taken, isFree, (l) => Q[place.get(k)][place.get(l)], x, ZERO));
    }
    for (let g = 0; g < climb.groups; g++) {
      const own = (l) => (climb.group[l] === g ? Exact.of(1) : ZERO);
      A.push(free.map(own));
      c.push(rest(taken, isFree, own, x, climb.sums[g]));
    }
    if (!hasSolution(A, c)) return false;
    const found = nearestSolution(A, c, free.map((k) => x.get(k)));
    if (!found) return false;
    const kept = [];
    free.forEach((k, a) => {
      if (found[a].compare(climb.lower[k]) < 0) x.set(k, Exact.of(climb.lower[k]));
      else if (found[a].compare(climb.upper[k]) > 0) x.set(k, Exact.of(climb.upper[k]));
      else kept.push(k);
    });
    if (kept.length === free.length) return true;
    free = kept;
  }
  return false;
}

// total less what those that are held make
function rest(taken, isFree, factor, x, total) {
  let left = total;
  for (const l of taken) if (!isFree.has(l)) left = left.minus(factor(l).times(x.get(l)));
  return left;
}
