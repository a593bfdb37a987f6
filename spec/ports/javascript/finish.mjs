// S3.10 and S34.5, what is returned, with the bounds of S30.7.

import { isDegenerate } from "./degenerate.mjs";
import { even } from "./even.mjs";
import { Gap } from "./gap.mjs";
import { farkasAlong, farkasOf } from "./infeasible.mjs";
import { Exact, ZERO } from "./numbers.mjs";
import { dot } from "./kernels.mjs";
import { exactDot, max, min, Refusal } from "./problem.mjs";
import { netOf } from "./program.mjs";
import { prove } from "./proof.mjs";
import { leftBy } from "./residuals.mjs";
import { above, addsExactly, grain, ofSum, TINY, U } from "./rounding.mjs";
import { isWitness } from "./semidefinite.mjs";
import { lamOfOffsets, middleOf, OFFSETS, valueOf } from "./unit.mjs";

export function finish(climb, found) {
  refuseInfinite(climb);
  even(climb, found);
  refuseInfinite(climb);
  const [status, farkas] = ending(climb, found);
  const room = roomOfModel(climb);
  return new Answer(climb, prove(climb, status), farkas, room).told();
}

// S5.9, point 5: without points 0, 1 and the search for a proof
export function finishWith(climb, status, farkas) {
  refuseInfinite(climb);
  return new Answer(climb, prove(climb, status), farkas, 0).told();
}

// S31.4: what is told of multipliers by w alone
export function answerByW(climb, judge) {
  const kept = judge.errorsByW(0);
  const wError = judge.wError(judge.lengthOfW(), kept.every((v) => v === 0));
  const E = kept.map((v, k) => v + wError * judge.roots[k]);
  return new Answer(climb, { judge, r: climb.r, E, wError, status: "" }, null, 0).told();
}

// The end of S6.7
export function finishFrom(climb, found, ray, bent) {
  refuseInfinite(climb);
  even(climb, "infeasible"); // no sum counts as lost
  climb.recompute();
  let status = found;
  let farkas = null;
  if (status === "indefinite") {
    if (!isWitnessOf(climb, bent)) status = "precision";
  } else if (climb.violation() > 0 && climb.hasInfinite) {
    farkas = farkasAlong(climb, ray || Array.from(climb.beta, (v, k) => [k, v]));
    if (farkas) status = "infeasible";
  }
  if (status === "unbounded") status = "precision";
  return new Answer(climb, prove(climb, status), farkas, 0).told();
}

function refuseInfinite({ beta, r }) {
  for (const [values, name] of [[beta, "beta"], [r, "r"]]) {
    const k = values.findIndex((v) => !Number.isFinite(v));
    if (k >= 0) throw new Refusal(`${name}[${k}] is ${values[k]}`);
  }
}

// S3.9
function ending(climb, found) {
  const { problem, unbounded, bent } = climb;
  let status = found;
  let { farkas = null } = climb;
  if (climb.hasInfinite) farkas ||= farkasOf(climb);
  const isRho = problem.form === "nu" || problem.form === "one_class";
  if (status === "precision" && isRho && isDegenerate(climb)) status = "degenerate";
  if (status !== "max_iter") {
    if (farkas) status = "infeasible";
    else if ([unbounded, bent].some((d) => d && isWitnessOf(climb, d))) status = "indefinite";
  }
  return [status, farkas];
}

const isWitnessOf = (climb, direction) => isWitness(climb.problem, direction.map(([k, v]) => [climb.of[k], v]));

// S34.6, points 1 and 2: what the model of one class or a ball may move its offset by
function roomOfModel(climb) {
  const { problem, beta } = climb;
  if (problem.form !== "one_class" && problem.form !== "ball") return 0;
  let norm = 0;
  for (let i = 0; i < problem.n; i++) norm = max(norm, Math.abs(problem.K[i][i]));
  if (problem.form === "ball" && problem.isLinear) {
    let c2 = 0;
    for (const c of problem.shift) c2 += c * c;
    norm = 2 * (norm + c2);
  }
  let [count, mass] = [0, 0];
  for (const v of beta) [count, mass] = [count + (v !== 0), mass + v];
  const d = problem.kernel.name === "precomputed" ? problem.n : problem.X[0].length;
  return climb.error + 16 * (count + d + 4) * U * (mass * norm);
}

class Answer {
  constructor(climb, proof, farkas, room) {
    Object.assign(this, proof, { climb, farkas, room });
    this.problem = climb.problem;
    this.isNothingRounded = this.wError === 0 && this.E.every((v) => v === 0);
    this.net = netOf(this.problem, climb, climb.beta);
    this.near = new Array(Math.max(climb.groups, 1)).fill(0); // S30.11
    if (climb.isTied) climb.beta.forEach((v, k) => (this.near[this.group(k)] += Math.abs(v) * 2 ** -50));
    this.scores = Float64Array.from(this.r, (v, k) => climb.target[k] - v - this.judge.ridge(k) * climb.beta[k]);
    this.w2 = 0;
    if (climb.isPaired) this.net.forEach((v, i) => (this.w2 += v * this.scores[i]));
    else climb.beta.forEach((v, k) => (this.w2 += v * this.scores[k]));
  }

  group(k) {
    return this.climb.isTied ? this.climb.group[k] : 0;
  }

  mayRise(k) {
    return this.climb.beta[k] + this.near[this.group(k)] < this.climb.upper[k];
  }

  mayFall(k) {
    return this.climb.beta[k] - this.near[this.group(k)] > this.climb.lower[k];
  }

  told() {
    const { climb, problem } = this;
    const lam = this.lam();
    const isPlain = problem.form === "classification";
    const ends = this.ends();
    const offsets = isPlain ? null : this.offsetsOf(lam, ends);
    let b = 0;
    let [low, high] = [ends.low[0], ends.high[0]];
    if (isPlain && problem.bias) {
      b = problem.back(lam[0], this.judge.w);
      [low, high] = [this.outward(low, false), this.outward(high, true)];
    } else if (offsets) {
      [b, low, high] = bOf(problem.form, offsets);
    }
    let [objective, gap] = this.objectiveAndGap(isPlain ? { b } : mapValues(offsets, (v) => v.value));
    let { status, farkas } = this;
    if (status === "infeasible" && !isPlain) {
      [objective, gap] = [-Infinity, Infinity];
      farkas = problem.all.map((i) => +climb.of.some((of, k) => of === i && this.group(k) === climb.impossible));
    }
    const alpha = this.alpha();
    if (status === "degenerate") farkas = alpha.map((a) => a / climb.sums[0].toDouble());
    if (status === "optimal" && Number.isNaN(gap)) status = "precision";
    const answer = {
      alpha,
      b,
      b_low: low,
      b_high: high,
      objective,
      gap,
      violation: ends.violation,
      iterations: climb.steps,
      status,
      farkas,
    };
    return offsets ? { ...answer, offsets } : answer;
  }

  alpha() {
    const { climb, problem } = this;
    if (climb.isPaired) return this.net;
    const alpha = new Array(problem.n);
    climb.of.forEach((i, k) => (alpha[i] = climb.beta[k] * climb.sign[k] + 0));
    return alpha;
  }

  // S3.10, point 3, and S34.5, point 3
  lam() {
    const { climb, r, problem } = this;
    if (!climb.isTied) return [0];
    const groups = Array.from({ length: climb.groups }, () => ({ sum: 0, count: 0, m: -Infinity, M: Infinity }));
    for (let k = 0; k < climb.size; k++) {
      const own = groups[this.group(k)];
      const [rises, falls] = [this.mayRise(k), this.mayFall(k)];
      if (rises && falls) [own.sum, own.count] = [own.sum + r[k], own.count + 1];
      if (rises) own.m = max(own.m, r[k]);
      if (falls) own.M = min(own.M, r[k]);
    }
    return groups.map(({ sum, count, m, M }) => {
      if (problem.form === "classification" && count) return sum / count;
      const between = middleOf(m, M);
      return problem.form === "one_class" || problem.form === "ball" ? max(m, between) : between;
    });
  }

  // S30.7: violation, and l and h of each group
  ends() {
    const { climb, r, E } = this;
    const wide = (k) => (E[k] === 0 ? 0 : E[k] + 4 * U * Math.abs(r[k]));
    const all = (value) => new Array(Math.max(climb.groups, 1)).fill(value);
    const none = climb.isTied ? Infinity : 0;
    const [m, M, low, high] = [all(0 - none), all(none), all(0 - none), all(none)];
    for (let k = 0; k < climb.size; k++) {
      const g = this.group(k);
      const e = wide(k);
      if (climb.canRise(k)) m[g] = max(m[g], r[k] + e);
      if (climb.canFall(k)) M[g] = min(M[g], r[k] - e);
      if (this.mayRise(k)) low[g] = max(low[g], r[k] - e);
      if (this.mayFall(k)) high[g] = min(high[g], r[k] + e);
    }
    let violation = -Infinity;
    m.forEach((v, g) => {
      const V = this.isNothingRounded && Number.isFinite(v - M[g]) ? Exact.of(v).minus(M[g]).roundedUp() : v - M[g];
      violation = max(violation, V);
    });
    return { low, high, violation: violation + 0 };
  }

  // An end of b, carried back and rounded outwards
  outward(v, up) {
    if (!Number.isFinite(v)) return v;
    return this.carried(Exact.of(v), up);
  }

  carried(exact, up) {
    const { problem, wError } = this;
    let end = exact;
    const moved = problem.isShifted ? exactDot(this.judge.w, problem.shift) : ZERO;
    if (moved.n) {
      if (!Number.isFinite(wError)) return up ? Infinity : -Infinity;
      const wide = above(wError * Math.sqrt(dot(problem.shift, problem.shift)), problem.shift.length + 4);
      end = end.minus(moved);
      end = up ? end.plus(wide) : end.minus(wide);
    }
    return up ? end.roundedUp() : end.roundedDown();
  }

  offsetsOf(lam, { low, high }) {
    const found = {};
    for (const offset of OFFSETS[this.problem.form]) {
      let value = valueOf(offset, lam, this.w2);
      if (offset.name === "b") value = this.problem.back(value, this.judge.w);
      found[offset.name] = {
        value,
        low: this.endOf(offset, low, high, false),
        high: this.endOf(offset, high, low, true),
      };
    }
    return found;
  }

  // S34.5, point 5
  endOf({ name, parts, square, least }, same, other, up) {
    const ends = parts.map((factor, g) => (factor > 0 ? same[g] : other[g]));
    const infinite = ends.findIndex((v) => !Number.isFinite(v));
    if (infinite >= 0) {
      const value = parts[infinite] * ends[infinite];
      return value < least ? 0 : value;
    }
    let exact = ZERO;
    ends.forEach((v, g) => (exact = exact.plus(Exact.of(v).times(parts[g]))));
    if (square) {
      const error = 2 * this.errorOfSquare();
      if (!Number.isFinite(error)) return up ? Infinity : 0;
      exact = exact.plus(this.w2);
      exact = up ? exact.plus(error) : exact.minus(error);
    }
    if (least === 0 && exact.sign() < 0) return 0;
    if (name === "b") return this.carried(exact, up);
    return up ? exact.roundedUp() : exact.roundedDown();
  }

  // S30.6, point 1: |w|^2 / 2 of the ball may be off by
  errorOfSquare() {
    return this.judge.halfOfSquare(this.r, this.E, this.wError, this.w2);
  }

  // S34.6, point 2
  decidesExactly() {
    const { judge, problem } = this;
    if (!this.isNothingRounded || problem.form !== "ball") return this.isNothingRounded;
    const g = Math.min(grain(judge.beta), 1);
    let reach = 0;
    for (const root of judge.roots) reach = max(reach, root);
    reach += judge.reach;
    return addsExactly(reach * reach, g * g * judge.values);
  }

  objectiveAndGap(kept) {
    const { climb, problem, judge } = this;
    const exactB = kept.b === undefined ? ZERO : problem.exactlyThere(kept.b, judge.w);
    const exact = climb.isTied ? lamOfOffsets(problem.form, kept, exactB, this.w2) : [ZERO];
    const lam = exact.map((v) => v.toDouble());
    const lamError = exact.map((v, g) => above(leftBy(v, lam[g]), 1));
    const moved = this.decidesExactly() ? 0 : 2 * this.room;
    if (problem.form === "one_class") lamError[0] += moved;
    if (problem.form === "ball") {
      const more = this.errorOfSquare() + moved;
      if (more > 0) lamError[0] = above(lamError[0] + more, 4);
    }
    const gap = new Gap(judge, { r: this.r, E: this.E, lam, lamError, wError: this.wError });
    const objective = this.objective(gap);
    if (!this.isOneBound) gap.refine();
    return [objective, gap.told()];
  }

  // S30.7, and S34.5, point 8
  objective(gap) {
    const { climb, problem, judge, r, E, scores } = this;
    const { beta, target, size } = climb;
    if (!judge.used) return 0;
    const { cost, moved } = gap.repair(gap.intervals());
    let ofSums = 0;
    for (const [g, v] of gap.sizes) ofSums += v * Math.abs(gap.lam[g]);
    if (!gap.isSomethingRounded && cost === 0 && moved === 0 && ofSums === 0) {
      let total = ZERO;
      beta.forEach((v, k) => (total = total.plus(Exact.of(v).times(Exact.of(target[k]).plus(r[k])))));
      return total.times(gap.scale).over(2).roundedDown();
    }
    let D = 0;
    if (problem.form === "nu_regression") this.net.forEach((v, i) => (D += problem.y[i] * v));
    else beta.forEach((v, k) => (D += target[k] * v - (judge.ridge(k) * v * v) / 2));
    D = gap.scale * (D - this.w2 / 2);
    let lost = 0;
    if (climb.isPaired) {
      for (let i = 0; i < problem.n; i++) lost += times0(Math.abs(beta[i]) + Math.abs(beta[problem.n + i]), E[i]);
    } else {
      beta.forEach((v, k) => (lost += times0(Math.abs(v), E[k])));
    }
    let sizes = 0;
    beta.forEach(
      (v, k) =>
        (sizes += Math.abs(v) * (Math.abs(target[k]) + Math.abs(scores[k]) + judge.ridge(k) * Math.abs(v))),
    );
    lost = lost + ofSum(size + 16, sizes) + size * TINY;
    lost += cost + ofSums;
    if (moved) {
      let root = 0;
      for (const v of judge.roots) root = max(root, v);
      lost += moved * (moved + 2 * root * judge.mass);
    }
    const objective = D - above(gap.scale * lost, 8);
    return Number.isNaN(objective) ? -Infinity : objective;
  }
}

// |beta_k| E_k: 0 of a multiplier that is 0, also where E_k is infinite
const times0 = (a, b) => (a === 0 ? 0 : a * b);

const mapValues = (object, f) => Object.fromEntries(Object.entries(object).map(([key, v]) => [key, f(v)]));

// S34.5, point 7
function bOf(form, offsets) {
  if (form === "one_class") return [0 - offsets.rho.value, 0 - offsets.rho.high, 0 - offsets.rho.low];
  const { value, low, high } = form === "ball" ? offsets.radius2 : offsets.b;
  return [value, low, high];
}
