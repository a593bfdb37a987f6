// S3.4, the loop of the solver of record.

import { Climb } from "./climb.mjs";
import { isDegenerate } from "./degenerate.mjs";
import { alongFace } from "./face.mjs";
import { finish } from "./finish.mjs";
import { farkasOf } from "./infeasible.mjs";
import { max, min, Problem } from "./problem.mjs";
import { impossibleGroup, programOf } from "./program.mjs";
import { startOf } from "./start.mjs";
import { pairStep, singleStep } from "./steps.mjs";
import { unitOf } from "./unit.mjs";

export const DEFAULT_TOL = 1e-3;
const FACE_LIMIT = 250;

// S3.4, P of n variables
export const intervalOf = (n) => Math.min(Math.floor(n / 4) + 1, 1000);

export const usualBudget = (interval, n) => Math.max(10 * interval * n, 25000);

// The state of S3.2 at the start
export function begin({ problem: document, tol = DEFAULT_TOL, start = null }, anew = (climb) => climb.recompute()) {
  const problem = new Problem(document);
  const program = programOf(problem);
  const climb = new Climb(program, startOf(problem, program, start));
  climb.problem = problem;
  climb.tol = tol;
  climb.patience = 1;
  climb.steps = 0;
  climb.end = Infinity;
  anew(climb);
  climb.D = climb.objective();
  climb.window = new Window(climb);
  climb.checkAt = problem.n;
  climb.impossible = impossibleGroup(program);
  return climb;
}

// S3.4, point 6: whether a window of steps brought anything
export class Window {
  constructor(climb) {
    this.length = Math.max(100000, 100 * climb.size);
    this.due = this.length;
    this.least = Infinity;
    this.most = -Infinity;
  }

  isInVain(climb, limit) {
    this.due = climb.steps + this.length;
    climb.recompute();
    const V = climb.violation();
    const D = climb.objective();
    const mass = climb.sizeOfBeta();
    const feigned = 2 ** -50 * (climb.R + climb.N * mass);
    const fell = this.least - V > feigned;
    const rose = !climb.problem.isHard && D - this.most > feigned * mass;
    this.least = min(this.least, V);
    this.most = max(this.most, D);
    return V > limit && !fell && !rose;
  }
}

// S3.4, point 6: a status, or null
export function askForEnd(climb, limit) {
  if (climb.steps >= climb.checkAt) {
    climb.checkAt *= 2;
    if (climb.problem.isHard) climb.farkas = farkasOf(climb);
    return climb.farkas ? "infeasible" : null;
  }
  return climb.steps >= climb.window.due && climb.window.isInVain(climb, limit) ? "precision" : null;
}

// S3.4, the second part of point 1: a status, or null
export function askForMachine(climb, interval) {
  climb.unit = unitOf(climb);
  if (climb.problem.form !== "nu" && climb.problem.form !== "one_class") return null;
  const small = 2 ** -40 * climb.sizeOfBeta() * climb.N;
  if (climb.end !== Infinity || climb.unit > small || climb.violation() > small) return null;
  if (isDegenerate(climb)) return "degenerate";
  climb.end = climb.steps + 20 * interval;
  return null;
}

// A Step as on_step hears of it: numbers of alpha
export function report(climb, step, whole = climb, of = (k) => k) {
  const j = of(step.j);
  const sign = whole.sign[j];
  const [low, high] = sign > 0 ? [step.low, step.high] : [step.high * sign, step.low * sign];
  return {
    iteration: whole.steps,
    i: whole.of[of(step.i)],
    j: whole.of[j],
    low,
    high,
    unclipped: step.unclipped * sign,
    clipped: step.clipped * sign,
    violation: climb.violation(),
    objective: whole.D,
  };
}

// The loop; moves takes a step and returns what is told of it, or null
export function loop(climb, moves, { interval, usual, maxIter, onStep }) {
  if (climb.impossible >= 0) return "infeasible";
  let [lastV, lastD] = [Infinity, -Infinity];
  for (;;) {
    const V = climb.violation();
    const isDue = climb.steps % interval === 0;
    if (isDue || V <= climb.limit()) {
      const status = askForMachine(climb, interval);
      if (status) return status;
    }
    const limit = climb.limit();
    if (V <= limit || (isDue && V <= 2 * climb.error)) {
      if (V + 2 * climb.error <= limit) return "optimal";
      climb.recompute();
      const [newV, newD] = [climb.violation(), climb.objective()];
      if (!(newV <= limit || newV < lastV || newD > lastD)) return "precision";
      [lastV, lastD] = [newV, newD];
      continue;
    }
    if (climb.steps === maxIter) return "max_iter";
    if (climb.steps >= climb.end) return "precision";
    const step = moves(climb);
    if (step) {
      climb.steps += 1;
      climb.D += step.gain;
      if (climb.steps % interval === 0) {
        climb.D += alongFace(climb, { usual, limit: FACE_LIMIT, half: limit / 2, once: true });
      }
      onStep(climb, step);
    }
    let status = null;
    if (climb.unbounded) status = "precision";
    else if (!step) {
      const hadNone = climb.error === 0;
      climb.recompute();
      if (hadNone) status = "precision";
    }
    status ||= askForEnd(climb, limit);
    if (status) return status;
  }
}

export function smo(given) {
  const climb = begin(given);
  const n = climb.size;
  const interval = intervalOf(n);
  const steps = [];
  const status = loop(climb, climb.isTied ? pairStep : singleStep, {
    interval,
    usual: usualBudget(interval, n),
    maxIter: given.max_iter ?? Infinity,
    onStep: (c, step) => steps.push(report(c, step)),
  });
  return { steps, ...finish(climb, status) };
}
