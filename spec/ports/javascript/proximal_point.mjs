// S31.7, the proximal point method for linear machines with linear slack.

import { dot } from "./kernels.mjs";
import { gradientOf, leastShare, nextPoint, productsOf, rowsOf, scoresOf } from "./newton.mjs";
import { answerOfNewton } from "./own_weights.mjs";
import { max, min, Problem, Refusal } from "./problem.mjs";

const MOST_SHARE = 2 ** 20;

class Point {
  constructor({ C, ends }, w, scores, c, centre) {
    Object.assign(this, { w, scores, active: [], coefs: [], places: [], shares: 0 });
    let [value, loss, m, M] = [0, 0, 0, 0];
    scores.forEach((score, i) => {
      const [left, right] = ends[i].map((end) => end - score);
      const up = centre[i] + c[i] * left;
      const down = centre[i] + c[i] * right;
      const b = up > 0 ? min(up, C[i]) : down < 0 ? max(down, -C[i]) : 0;
      const cost = C[i] * (left > 0 ? left : right < 0 ? -right : 0);
      const gained = b > 0 ? b * left : b < 0 ? b * right : 0;
      loss += cost;
      this.shares += cost - gained;
      value += gained;
      const moved = b - centre[i];
      if (moved !== 0) value -= (moved * (moved / c[i])) / 2;
      if (b < C[i]) m = max(m, left);
      if (b < 0) m = max(m, right);
      if (b > 0) M = min(M, left);
      if (b > -C[i]) M = min(M, right);
      const isFree = b !== 0 && -C[i] < b && b < C[i];
      if (isFree) this.active.push(i);
      this.coefs.push(b);
      this.places.push(Math.sign(b) * (isFree ? 1 : 2));
    });
    const half = dot(w, w) / 2;
    Object.assign(this, { P: half + loss, value: half + value, apart: m - M });
  }

  get pushing() {
    return [...this.coefs.keys()].filter((i) => this.coefs[i] !== 0);
  }
}

const samePlaces = (a, b) => a.places.every((v, i) => v === b.places[i]);

export function proximalPoint({ problem: document, tol = 1e-4, max_iter: maxIter = 1000 }) {
  const problem = new Problem(document);
  const rows = rowsOf(problem);
  const d = problem.X[0].length;
  const effort = { products: productsOf(problem, rows, d), reduction: 100 };
  let share = leastShare(problem.C, problem.X);
  const most = MOST_SHARE / (problem.largestTarget || 1);
  let centre = rows.map(() => 0);
  let w = new Array(d).fill(0);
  let least = Infinity;
  let best;
  const steps = [];
  for (;;) {
    const c = problem.C.map((v) => share * v);
    const pointAt = (another, scores) => new Point(problem, another, scores, c, centre);
    let point = pointAt(w, scoresOf(rows, w));
    let lowest = [Infinity, Infinity];
    let [count, shortened] = [0, 0];
    let g, gap, status;
    for (;;) {
      g = gradientOf(point, rows, point.pushing);
      const half = dot(g, g) / 2;
      gap = half + point.shares;
      if (!(gap < Infinity) || !(point.P < Infinity)) throw new Refusal("the numbers are beyond the doubles");
      status = gap <= tol * point.P ? "optimal" : steps.length === maxIter ? "max_iter" : null;
      const isNear = count > 0 && half <= point.shares;
      if (status || isNear || !(point.value < lowest[0] || half < lowest[1])) break;
      lowest = [min(lowest[0], point.value), min(lowest[1], half)];
      const [next, t] = nextPoint({ C: c }, rows, point, g, effort, pointAt, samePlaces);
      steps.push({ iteration: steps.length + 1, w: point.w, primal: point.P, gap, active: point.active, t, share });
      point = next;
      count += 1;
      shortened += t < 1;
      if (shortened === 8 && 2 * effort.products <= d && d <= 2048) effort.products = 0;
    }
    if (gap < least || status === "optimal") [least, best] = [gap, { point, g }];
    else if (share === most) status ??= "precision";
    if (status) {
      const answer = answerOfNewton(problem, best.point, best.g, least, status, tol, steps.length);
      return { steps, ...answer, w: best.point.w };
    }
    share = min(share * (count === 1 ? 8 : 2), most);
    [centre, w] = [point.coefs, point.w];
  }
}
