// S5.9, dual coordinate descent by way of w.

import { Climb, U } from "./climb.mjs";
import { finishWith } from "./finish.mjs";
import { max, min, Problem, Refusal } from "./problem.mjs";
import { programOf } from "./program.mjs";
import { DEFAULT_TOL } from "./smo.mjs";

class Descent {
  constructor(problem, start) {
    this.problem = problem;
    const { n } = problem;
    this.rows = problem.X.map((row) => row.flatMap((v, k) => (v !== 0 ? [[k, v]] : [])));
    this.D = problem.all.map((i) => problem.ridge(i));
    this.Q = this.rows.map((row, i) => {
      let total = 0;
      for (const [, v] of row) total += v * v;
      return total + this.D[i];
    });
    if (this.Q.some((v) => !Number.isFinite(v))) throw new Refusal("a kernel value is not finite");
    this.alpha = start ? [...start] : new Array(n).fill(0);
    this.makeW();
    let w2 = 0;
    for (const v of this.w) w2 += v * v;
    this.objective = 0;
    this.alpha.forEach((a, i) => {
      const beta = a * problem.y[i];
      this.objective += problem.y[i] * beta - (this.D[i] * beta * beta) / 2;
    });
    this.objective -= w2 / 2;
  }

  makeW() {
    this.w = new Float64Array(this.problem.X[0].length);
    this.alpha.forEach((a, i) => {
      if (a !== 0) this.add(i, a);
    });
  }

  add(i, by) {
    const b = by * this.problem.y[i];
    for (const [k, v] of this.rows[i]) this.w[k] += b * v;
  }

  G(i) {
    let s = 0;
    for (const [k, v] of this.rows[i]) s += this.w[k] * v;
    return this.problem.y[i] * s - 1 + this.D[i] * this.alpha[i];
  }

  // m - M of residuals made anew
  known() {
    const { problem, alpha } = this;
    let [m, M] = [0, 0];
    this.r = problem.all.map((i) => -problem.y[i] * this.G(i));
    for (const i of problem.all) {
      const [rises, falls] = [alpha[i] < problem.upperBound(i), alpha[i] > 0];
      if (problem.y[i] > 0 ? rises : falls) m = max(m, this.r[i]);
      if (problem.y[i] > 0 ? falls : rises) M = min(M, this.r[i]);
    }
    return m - M;
  }

  rounded() {
    let [s, sum, largest] = [0, 0, 0];
    for (const a of this.alpha) [s, sum] = [s + (a !== 0), sum + a];
    for (const v of this.Q) largest = max(largest, v);
    return 2 * (U * (s + this.w.length + 8) * (1 + sum * largest));
  }
}

export function dualCoordinateDescent({ problem: document, tol = DEFAULT_TOL, picks, start }) {
  const problem = new Problem(document);
  const run = new Descent(problem, start);
  const { alpha } = run;
  const steps = [];
  const asleep = new Array(problem.n).fill(false);
  let [high, low, known] = [Infinity, -Infinity, Infinity];
  let best = [Infinity, -Infinity];
  let picked = 0;
  let proof = -1;
  let ended = "max_iter";
  const visit = (i, before) => {
    const G = run.G(i);
    if (!Number.isFinite(G)) throw new Refusal(`r[${i}] is ${G}`);
    const U_i = problem.upperBound(i);
    let PG = G;
    if (alpha[i] === 0) PG = min(G, 0);
    else if (alpha[i] === U_i) PG = max(G, 0);
    const slope = -problem.y[i] * PG;
    high = max(high, slope);
    low = min(low, slope);
    if (PG === 0) {
      const r = -problem.y[i] * G;
      if (!(before[1] <= r && r <= before[0])) asleep[i] = true;
      return false;
    }
    let unclipped = G < 0 ? U_i : 0;
    if (run.Q[i] > 0) unclipped = alpha[i] - G / run.Q[i];
    const clipped = min(max(unclipped, 0), U_i);
    if (clipped === Infinity) {
      if (run.rows[i].length === 0 && run.Q[i] === 0) {
        proof = i;
        return true;
      }
      throw new Refusal(`beta[${i}] is infinite`);
    }
    const moved = clipped - alpha[i];
    if (moved === 0) return false;
    alpha[i] = clipped;
    run.add(i, moved);
    run.objective -= moved * G + (run.Q[i] * moved * moved) / 2;
    steps.push({
      iteration: picked,
      i,
      j: i,
      low: 0,
      high: U_i,
      unclipped,
      clipped,
      violation: Math.abs(PG),
      objective: run.objective,
    });
    return false;
  };
  while (picked < picks.length && proof < 0) {
    const before = [high, low];
    [high, low] = [0, 0];
    for (const i of picks.slice(picked, picked + problem.n)) {
      picked += 1;
      if (!asleep[i] && visit(i, before)) break;
    }
    if (proof >= 0) break;
    if (high - low > max(max(tol, known / 10), run.rounded())) continue;
    run.makeW();
    known = run.known();
    asleep.fill(false);
    [high, low] = [Infinity, -Infinity];
    if (known <= tol) break;
    const [least, most] = best;
    best = [min(least, known), max(most, run.objective)];
    if (known < least || run.objective > most || known > run.rounded()) continue;
    ended = "precision";
    break;
  }
  run.makeW();
  known = run.known();
  const climb = climbOf(problem, run, tol, picked);
  let status = known <= tol ? "optimal" : ended;
  let farkas = null;
  if (proof >= 0) {
    status = "infeasible";
    farkas = problem.all.map((i) => +(i === proof));
  }
  return { steps, ...finishWith(climb, status, farkas) };
}

function climbOf(problem, run, tol, picked) {
  const program = programOf(problem);
  const climb = new Climb(program, run.alpha.map((a, i) => a * problem.y[i]));
  Object.assign(climb, { problem, tol, steps: picked, impossible: -1 });
  climb.r = Float64Array.from(run.r);
  climb.anew();
  return climb;
}
