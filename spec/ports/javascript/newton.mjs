// S31, Newton's method for linear machines.

import { answerOfNewton } from "./own_weights.mjs";
import { max, min, Problem, Refusal } from "./problem.mjs";
import { DEFAULT_TOL } from "./smo.mjs";

class Point {
  constructor(problem, rows, w) {
    this.w = w;
    const { y, C } = problem;
    this.alpha = new Array(problem.n).fill(0);
    this.active = [];
    let loss = 0;
    rows.forEach((row, i) => {
      let s = 0;
      for (const [j, v] of row) s += w[j] * v;
      const xi = 1 - y[i] * s;
      if (!(xi > 0)) return;
      this.active.push(i);
      this.alpha[i] = C[i] * xi;
      loss += C[i] * xi * xi;
    });
    let square = 0;
    for (const v of w) square += v * v;
    this.P = square / 2 + loss / 2;
  }

  gradient(problem, rows) {
    const g = [...this.w];
    for (const i of this.active) {
      const by = problem.y[i] * this.alpha[i];
      for (const [j, v] of rows[i]) g[j] -= by * v;
    }
    return g;
  }
}

// H s = -g by H = L D L'
function direction(problem, rows, point, g) {
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

const sameActive = (a, b) => a.active.length === b.active.length && a.active.every((v, k) => v === b.active[k]);

export function newton({ problem: document, tol = DEFAULT_TOL, max_iter: maxIter, start }) {
  const problem = new Problem(document);
  const rows = problem.X.map((row) => row.flatMap((v, j) => (v !== 0 ? [[j, v]] : [])));
  const steps = [];
  let point = new Point(problem, rows, start ? [...start] : problem.X[0].map(() => 0));
  let best = [Infinity, Infinity];
  let status = null;
  let g;
  let gap;
  for (;;) {
    g = point.gradient(problem, rows);
    let square = 0;
    for (const v of g) square += v * v;
    gap = square / 2;
    if (!(gap < Infinity) || !(point.P < Infinity)) throw new Refusal("the numbers are beyond the doubles");
    if (gap <= tol * point.P) status = "optimal";
    else if (!(point.P < best[0] || gap < best[1])) status = "precision";
    else if (steps.length === (maxIter ?? Infinity)) status = "max_iter";
    if (status) break;
    best = [min(best[0], point.P), min(best[1], gap)];
    const s = direction(problem, rows, point, g);
    let slope = 0;
    s.forEach((v, j) => (slope += v * g[j]));
    const at = (t) => new Point(problem, rows, point.w.map((v, j) => v + (t === 1 ? s[j] : t * s[j])));
    let t = 1;
    let next = at(1);
    if (!sameActive(next, point)) {
      while (next.P > point.P + (t * slope) / 4 && next.w.some((v, j) => v !== point.w[j])) {
        t /= 2;
        next = at(t);
      }
    }
    steps.push({ iteration: steps.length + 1, w: point.w, primal: point.P, gap, active: point.active, t });
    point = next;
  }
  return { steps, ...answerOfNewton(problem, point, g, gap, status, tol, steps.length), w: point.w };
}
