// S31, Newton's method for linear machines.

import { dot } from "./kernels.mjs";
import { answerOfNewton } from "./own_weights.mjs";
import { max, min, Problem, Refusal } from "./problem.mjs";
import { DEFAULT_TOL } from "./smo.mjs";

export const scoresOf = (rows, w) =>
  rows.map((row) => {
    let score = 0;
    for (const [j, v] of row) score += w[j] * v;
    return score;
  });

class Point {
  constructor({ n, C, ends }, w, scores) {
    Object.assign(this, { w, scores, active: [], coefs: new Array(n).fill(0) });
    let loss = 0;
    scores.forEach((s, i) => {
      const [low, high] = ends[i];
      const short = s < low ? low - s : s > high ? high - s : 0;
      if (short === 0) return;
      this.active.push(i);
      this.coefs[i] = C[i] * short;
      loss += C[i] * short * short;
    });
    let square = 0;
    for (const v of w) square += v * v;
    this.P = this.value = square / 2 + loss / 2;
  }
}

// w less the sum of some examples, each times its multiplier
export function gradientOf({ w, coefs }, rows, some) {
  const g = [...w];
  for (const i of some) for (const [j, v] of rows[i]) g[j] -= coefs[i] * v;
  return g;
}

// S31.5: { s, isNear }, by products of H with vectors; effort: how many, and what |g|^2 is to be
// divided by
function nearDirection(problem, rows, { active }, g, effort) {
  const D = g.map(() => 1);
  for (const i of active) for (const [j, v] of rows[i]) D[j] += problem.C[i] * v * v;
  const s = g.map(() => 0);
  const r = g.map((v) => -v);
  let p = r.map((v, j) => v / D[j]);
  let slope = dot(r, p);
  const limit = dot(g, g) / effort.reduction;
  for (let k = 0; k < max(effort.products, 16); k++) {
    const q = [...p];
    for (const i of active) {
      let score = 0;
      for (const [j, v] of rows[i]) score += p[j] * v;
      const c = problem.C[i] * score;
      for (const [j, v] of rows[i]) q[j] += c * v;
    }
    const curvature = dot(p, q);
    if (!(curvature > 0 && curvature < Infinity)) break;
    const t = slope / curvature;
    s.forEach((_, j) => ([s[j], r[j]] = [s[j] + t * p[j], r[j] + -t * q[j]]));
    if (dot(r, r) <= limit) return { s, isNear: true };
    const z = r.map((v, j) => v / D[j]);
    const before = slope;
    slope = dot(r, z);
    if (!(slope > 0 && slope < Infinity)) break;
    p = z.map((v, j) => v + (slope / before) * p[j]);
  }
  return { s, isNear: false };
}

export function productsOf({ n }, rows, d) {
  const N = rows.reduce((sum, row) => sum + row.length, 0);
  const all = Math.floor((N * N) / n) + Math.floor(d ** 3 / 3);
  return Math.min(d, Math.floor(all / Math.max(1, 4 * N + 16 * d)));
}

function direction(problem, rows, point, g, effort) {
  const near = () => nearDirection(problem, rows, point, g, effort);
  const first = effort.products < 16 ? null : near();
  if (first && (first.isNear || g.length > 2048)) return first.s;
  effort.products = 0;
  const s = solved(problem, rows, point, g);
  const slope = dot(s, g);
  return slope > -Infinity && slope < 0 ? s : (first ?? near()).s;
}

// H s = -g by H = L D L'
function solved(problem, rows, point, g) {
  const d = g.length;
  const H = Array.from({ length: d }, (_, j) => Float64Array.from({ length: j + 1 }, (_, k) => +(j === k)));
  for (const i of point.active) {
    for (const [j, v] of rows[i]) {
      const c = problem.C[i] * v;
      for (const [k, u] of rows[i]) if (k <= j) H[j][k] += c * u;
    }
  }
  const s = g.map((v) => -v);
  const D = new Float64Array(d);
  const L = Array.from({ length: d }, () => new Float64Array(d));
  for (let j = 0; j < d; j++) {
    const c = new Float64Array(j);
    for (let k = 0; k < j; k++) {
      c[k] = H[j][k];
      for (let m = 0; m < k; m++) c[k] -= L[k][m] * c[m];
    }
    for (let k = 0; k < j; k++) {
      L[j][k] = c[k] / D[k];
      H[j][j] -= L[j][k] * c[k];
      s[j] -= L[j][k] * s[k];
    }
    D[j] = max(H[j][j], 1);
  }
  for (let j = 0; j < d; j++) s[j] /= D[j];
  for (let j = d - 1; j >= 0; j--) for (let k = 0; k < j; k++) s[k] -= L[j][k] * s[j];
  return s;
}

// The same examples are active, on the same sides
const sameActive = (a, b) =>
  a.active.length === b.active.length && a.active.every((v, k) => v === b.active[k] && a.coefs[v] > 0 === b.coefs[v] > 0);

// The largest 1 / 8^k that makes all C_i |x_i|^2 at most 1
export function leastShare(C, X) {
  const longest = X.reduce((most, row) => max(most, dot(row, row)), 0);
  const most = C.reduce(max);
  let share = 1;
  while (share * most * longest > 1) share /= 8;
  if (share * most === 0) throw new Refusal("the numbers are beyond the doubles");
  return share;
}

// (column, number) of the numbers of each row that are not zero
export const rowsOf = ({ X }) => X.map((row) => row.flatMap((v, j) => (v !== 0 ? [[j, v]] : [])));

// S31.3, 4 and 5: [the next point, its t]; pointAt: what follows from a w and its scores
export function nextPoint(penalties, rows, point, g, effort, pointAt, isSamePiece) {
  const s = direction(penalties, rows, point, g, effort);
  const slope = dot(s, g);
  const made = (w) => pointAt(w, scoresOf(rows, w));
  const full = made(point.w.map((v, j) => v + s[j]));
  if (isSamePiece(full, point)) return [full, 1];
  const between = (t) => point.scores.map((a, i) => a + t * (full.scores[i] - a));
  let t = 1;
  let next = full;
  while (next.value > point.value + (t * slope) / 4 && next.w.some((v, j) => v !== point.w[j])) {
    t /= 2;
    const w = point.w.map((v, j) => v + t * s[j]);
    next = full.value < Infinity ? pointAt(w, between(t)) : made(w);
  }
  return [t === 1 ? full : made(next.w), t];
}

export function newton({ problem: document, tol = DEFAULT_TOL, max_iter: maxIter, start }) {
  const problem = new Problem(document);
  const rows = rowsOf(problem);
  const d = problem.X[0].length;
  const zero = new Array(d).fill(0);
  const products = productsOf(problem, rows, d);
  const steps = [];
  const more = { tol, maxIter, steps };
  const answer = descend(problem, rows, start ? [...start] : zero, products, more);
  const isNear = products >= 16 && d <= 2048 && answer.status === "precision" && steps.length !== maxIter;
  return { steps, ...(isNear ? descend(problem, rows, zero, 0, more) : answer) };
}

function descend(problem, rows, w, products, { tol, maxIter, steps }) {
  const given = problem.C;
  const least = leastShare(given, problem.X);
  const pointAt = (w, scores) => new Point(problem, w, scores);
  let point = pointAt(w, scoresOf(rows, w));
  let best = [Infinity, Infinity];
  const effort = { products, reduction: 100 };
  let share = 1;
  let [shortened, since] = [0, steps.length];
  let status;
  let g;
  let gap;
  const take = (another) => {
    share = another;
    problem.C = given.map((c) => share * c);
    point = pointAt(point.w, scoresOf(rows, point.w));
    since = steps.length;
    best = [Infinity, Infinity];
  };
  for (;;) {
    g = gradientOf(point, rows, point.active);
    let square = 0;
    for (const v of g) square += v * v;
    gap = square / 2;
    if (!(gap < Infinity) || !(point.P < Infinity)) throw new Refusal("the numbers are beyond the doubles");
    status = null;
    if (share === 1 ? gap <= tol * point.P : gap * 8 <= point.P) status = "optimal";
    else if (!(point.P < best[0] || gap < best[1])) status = "precision";
    else if (steps.length === (maxIter ?? Infinity)) status = "max_iter";
    if (status && share === 1) break;
    if (status) {
      take(min(1, share * (steps.length <= since + 1 ? 8 : 2)));
      continue;
    }
    best = [min(best[0], point.P), min(best[1], gap)];
    const [next, t] = nextPoint(problem, rows, point, g, effort, pointAt, sameActive);
    steps.push({ iteration: steps.length + 1, w: point.w, primal: point.P, gap, active: point.active, t, share });
    point = next;
    shortened += t < 1;
    if (t < 1) effort.reduction = min(4 * effort.reduction, 100 * 4 ** 7);
    if (t < 1 && shortened === 2 && least < 1) {
      effort.products = products;
      take(least);
    }
  }
  return { ...answerOfNewton(problem, point, g, gap, status, tol, steps.length), w: point.w };
}
