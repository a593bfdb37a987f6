// S5.9, dual coordinate descent by way of w.

import { Climb, U } from "./climb.mjs";
import { finishWith } from "./finish.mjs";
import { max, min, Problem, Refusal } from "./problem.mjs";
import { programOf, variablesOf } from "./program.mjs";
import { residualsOf } from "./residuals.mjs";
import { DEFAULT_TOL } from "./smo.mjs";

class Descent {
  constructor(problem, start) {
    this.problem = problem;
    this.program = programOf(problem);
    const { n, isTube } = problem;
    this.rows = problem.X.map((row) => row.flatMap((v, k) => (v !== 0 ? [[k, v]] : [])));
    this.D = problem.all.map((i) => problem.ridge(i));
    this.Q = this.rows.map((row, i) => {
      let total = 0;
      for (const [, v] of row) total += v * v;
      return total + this.D[i];
    });
    if (this.Q.some((v) => !Number.isFinite(v))) throw new Refusal("a kernel value is not finite");
    this.alpha = start ? start.map(isTube ? Math.abs : (a) => a) : new Array(n).fill(0);
    this.y = isTube ? this.alpha.map((_, i) => (start && start[i] < 0 ? -1 : 1)) : [...problem.y];
    this.unit = isTube ? problem.y.map(Math.abs).reduce(max) : 1;
    this.makeW();
    let w2 = 0;
    for (const v of this.w) w2 += v * v;
    this.objective = 0;
    const { of, target } = this.program;
    this.variables().forEach((beta, k) => {
      this.objective += target[k] * beta - (this.D[of[k]] * beta * beta) / 2;
    });
    this.objective -= w2 / 2;
  }

  variables() {
    const net = this.alpha.map((a, i) => a * this.y[i] + 0);
    return this.problem.isTube ? variablesOf(this.problem, net) : net;
  }

  makeW() {
    this.w = new Float64Array(this.problem.X[0].length);
    this.alpha.forEach((a, i) => {
      if (a !== 0) this.add(i, a);
    });
  }

  add(i, by) {
    const b = by * this.y[i];
    for (const [k, v] of this.rows[i]) this.w[k] += b * v;
  }

  G(i) {
    let s = 0;
    for (const [k, v] of this.rows[i]) s += this.w[k] * v;
    const { isTube, y, epsilon } = this.problem;
    if (isTube && this.alpha[i] === 0) this.y[i] = s <= y[i] ? 1 : -1;
    const margin = isTube ? this.y[i] * y[i] - epsilon : 1;
    return this.y[i] * s - margin + this.D[i] * this.alpha[i];
  }

  // m - M of residuals made anew
  known() {
    const { problem, program } = this;
    const { lower, upper } = program;
    const beta = this.variables();
    const score = (i) => this.rows[i].reduce((s, [k, v]) => s + this.w[k] * v, 0);
    this.r = problem.isTube
      ? residualsOf(problem.all.map(score), program, beta)
      : problem.all.map((i) => -problem.y[i] * this.G(i));
    let [m, M] = [0, 0];
    this.r.forEach((r, k) => {
      if (beta[k] < upper[k]) m = max(m, r);
      if (beta[k] > lower[k]) M = min(M, r);
    });
    return m - M;
  }

  rounded() {
    let [s, sum, largest] = [0, 0, 0];
    for (const a of this.alpha) [s, sum] = [s + (a !== 0), sum + a];
    for (const v of this.Q) largest = max(largest, v);
    return 2 * (U * (s + this.w.length + 8) * (this.problem.largestTarget + sum * largest));
  }
}

export function dualCoordinateDescent({ problem: document, tol = DEFAULT_TOL, picks, start }) {
  const problem = new Problem(document);
  const run = new Descent(problem, start);
  const { alpha } = run;
  const within = tol * run.unit;
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
    const slope = -run.y[i] * PG;
    high = max(high, slope);
    low = min(low, slope);
    if (PG === 0) {
      const r = -run.y[i] * G;
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
    if (high - low > max(max(within, known / 10), run.rounded())) continue;
    run.makeW();
    known = run.known();
    asleep.fill(false);
    [high, low] = [Infinity, -Infinity];
    if (known <= within) break;
    const [least, most] = best;
    best = [min(least, known), max(most, run.objective)];
    if (known < least || run.objective > most || known > run.rounded()) continue;
    ended = "precision";
    break;
  }
  run.makeW();
  known = run.known();
  const climb = climbOf(problem, run, tol, picked);
  let status = known <= within ? "optimal" : ended;
  let farkas = null;
  if (proof >= 0) {
    status = "infeasible";
    farkas = problem.all.map((i) => +(i === proof));
  }
  return { steps, ...finishWith(climb, status, farkas) };
}

function climbOf(problem, run, tol, picked) {
  const climb = new Climb(run.program, run.variables());
  Object.assign(climb, { problem, tol, steps: picked, impossible: -1 });
  climb.r = Float64Array.from(run.r);
  climb.anew();
  return climb;
}
