// S30.6 in doubles: a machine beside variables, and upper bounds of how far its primal is from the optimum.

import { bestLam } from "./best_offset.mjs";
import { exactSum, isInfinite, up } from "./numbers.mjs";
import { max, min } from "./problem.mjs";
import { impossibleGroup } from "./program.mjs";
import { massOf } from "./residuals.mjs";
import { above, ofSum, TINY, U } from "./rounding.mjs";
import { lamOfOffsets } from "./unit.mjs";

export class Machine {
  // r of the machine's w, their errors E, the roots and wError of S30.4; lam of each group
  constructor(problem, program, beta, { r, E, roots, wError }, lam = [0], lamError = lam.map(() => 0)) {
    Object.assign(this, { problem, program, r, E, roots, wError, lam, lamError });
    this.beta = Array.from(beta);
    this.n = this.beta.length;
    this.scale = problem.form === "ball" ? 2 : 1;
  }

  group(k) {
    return this.program.group ? this.program.group[k] : 0;
  }

  ridge(k) {
    return this.program.ridge[this.program.of[k]];
  }

  // C_k of squared slack; infinite without
  softness(k) {
    return this.problem.isSquared ? this.problem.C[this.program.of[k]] : Infinity;
  }

  // Of the duality gap
  most() {
    let found = this.apart();
    const short = this.shortness();
    if (short > 0) {
      const [, dual] = this.dual();
      found += above(this.costOfMending(short, max(dual + found, 0)), 8);
    }
    return found < Infinity ? above(this.scale * found, 4) : Infinity;
  }

  // Of the right side of the theorem
  apart() {
    const moves = this.moves();
    if (!moves) return Infinity;
    const excess = this.excess();
    const [cost, moved] = this.costOf(moves, excess.map(([low, high]) => max(-low, high)));
    let shares = 0;
    for (const v of this.shares(excess, max)) shares += v;
    const distance = this.wError + moved;
    const found = shares + cost + (distance * distance) / 2;
    if (!(found < Infinity)) return Infinity;
    return above(found > 0 || distance === 0 ? found : TINY, this.n + 12);
  }

  // How short a margin is that allows no slack
  shortness() {
    const { lower, upper } = this.program;
    let short = 0;
    this.excess().forEach(([low, high], k) => {
      if (this.softness(k) !== Infinity) return;
      if (upper[k] === Infinity) short = max(short, high);
      else if (lower[k] === -Infinity) short = max(short, -low);
    });
    return short;
  }

  costOfMending(short, primal) {
    if (this.problem.form === "ball") return short;
    if (this.problem.form !== "classification") return 0;
    const part = short < 1 ? short / (1 - short) : Infinity;
    return part * (2 + part) * primal;
  }

  // Between what the dual of feasible multipliers near beta is
  dual() {
    const { beta, r, E, program, n } = this;
    const moves = this.moves();
    if (!moves) return [-Infinity, Infinity];
    if (!moves.length && !beta.some((v) => v !== 0)) return [0, 0];
    const [cost, moved] = this.costOf(moves, r.map((v, k) => Math.abs(v) + E[k]));
    let [doubled, size, off] = [0, 0, 0];
    beta.forEach((x, k) => {
      if (x === 0) return;
      const t = program.target[k];
      doubled += x * (t + r[k]);
      size += Math.abs(x) * (Math.abs(t) + Math.abs(r[k]));
      off += Math.abs(x) * E[k];
    });
    const lost = above((off + ofSum(n + 4, size)) / 2 + (cost + moved * moved) + n * TINY, 8);
    return lost < Infinity ? [doubled / 2 - lost, doubled / 2 + lost] : [-Infinity, Infinity];
  }

  // [low, high] of each r_k - lam_g
  excess() {
    return this.beta.map((_, k) => {
      const g = this.group(k);
      const e = this.r[k] - this.lam[g];
      if (e === Infinity) return [Number.MAX_VALUE, e];
      if (e === -Infinity) return [e, -Number.MAX_VALUE];
      const error = this.E[k] + this.lamError[g] + 4 * U * Math.abs(e);
      return [e - error, e + error];
    });
  }

  // Where each is largest, or least
  shares(excess, choose) {
    const { lower, upper } = this.program;
    return this.beta.map((v, k) => {
      const x = min(max(v, lower[k]), upper[k]);
      const [low, high] = excess[k];
      if (choose === min && low <= 0 && high >= 0) return 0;
      const C = this.softness(k);
      if (C === Infinity) return choose(hingeShare(low, x, lower[k], upper[k]), hingeShare(high, x, lower[k], upper[k]));
      const sign = upper[k] > 0 ? 1 : -1;
      const share = (e) => squareShare(sign * e, Math.abs(x), C, this.ridge(k));
      return choose(share(low), share(high));
    });
  }

  // What other offsets would gain
  leastLossOfOffsets() {
    const { problem, program, beta, r } = this;
    if (!hasBestOffsets(problem, program)) return 0;
    const best = bestLam(problem, program, r.map((v, k) => v + this.ridge(k) * beta[k]));
    const given = this.shares(this.excess(), min);
    const others = new Machine(problem, program, beta, this, best, this.lamError);
    const theirs = others.shares(others.excess(), max);
    const total = (values) => values.reduce((sum, v) => sum + v, 0);
    let lost = this.n * TINY + ofSum(this.n + 16, total(given) + total(theirs));
    for (const [part, size] of this.moves() || []) {
      const g = this.group(part[0]);
      lost += 2 * size * (Math.abs(this.lam[g] - best[g]) + this.lamError[g]);
    }
    const found = this.scale * (total(given.map((a, k) => a - theirs[k])) - lost);
    return found < Infinity ? max(found, 0) : 0;
  }

  // [variables, size]: some of these move by the size together; null where nothing helps
  moves() {
    this.moved ??= this.movesToFeasible();
    return this.moved === "none" ? null : this.moved;
  }

  movesToFeasible() {
    const { lower, upper, groups, sums } = this.program;
    const moves = [];
    const clipped = this.beta.map((x, k) => {
      if (x >= lower[k] && x <= upper[k]) return x;
      const end = min(max(x, lower[k]), upper[k]);
      moves.push([[k], above(Math.abs(x - end), 1)]);
      return end;
    });
    for (let g = 0; g < groups; g++) {
      const members = [...clipped.keys()].filter((k) => this.group(k) === g);
      const much = exactSum(members.map((k) => clipped[k])).minus(sums[g]);
      if (much.n) moves.push([members, up(much.absolute())]);
    }
    return moves.length && impossibleGroup(this.program) >= 0 ? "none" : moves;
  }

  costOf(moves, slopes) {
    let [cost, moved] = [0, 0];
    for (const [some, size] of moves) {
      cost += size * largest(some.map((k) => slopes[k]));
      moved += size * largest(some.map((k) => this.roots[k]));
    }
    return [cost, moved];
  }

  // Of |w|^2 / 2, in the lam of a ball
  errorOfHalf() {
    if (this.problem.form !== "ball") return 0;
    const mass = massOf(this.roots, this.beta);
    let found = 0;
    this.beta.forEach((b, k) => (found += b === 0 ? 0 : Math.abs(b) * this.E[k]));
    return above(found + (ofSum(this.n + 4, mass * mass) + this.wError * (mass + this.wError)), 8);
  }

  // With the lam of offsets, of the rows as given: point 1
  withOffsets(offsets, exactB, w2, moved = 0) {
    const { problem, program } = this;
    const asked = [...Object.values(offsets), ...(problem.form === "ball" ? [w2] : [])];
    const groups = Math.max(program.groups, 1);
    const made = (lam, errors) => new Machine(problem, program, this.beta, this, lam, errors);
    if (!asked.every(Number.isFinite)) return made(new Array(groups).fill(0), new Array(groups).fill(Infinity));
    if (!program.groups) return made([0], [0]);
    const exact = lamOfOffsets(problem.form, offsets, exactB(offsets.b), Number.isFinite(w2) ? w2 : 0);
    const lam = exact.map((v) => v.toDouble());
    const more = this.errorOfHalf() + moved;
    const errors = exact.map((v, g) => (isInfinite(lam[g]) ? Infinity : up(v.minus(lam[g]).absolute())));
    return made(lam, more > 0 ? errors.map((e) => above(e + more, 4)) : errors);
  }
}

const largest = (values) => values.reduce((a, b) => max(a, b));

function hingeShare(e, x, low, high) {
  const room = e > 0 ? high - x : x - low;
  if (!(room > 0) || room === Infinity || e === 0) return 0;
  return room * Math.abs(e) || TINY;
}

function squareShare(d, a, C, ridge) {
  let found = 0;
  if (d >= -ridge * a) found = (C * (d * d)) / 2;
  else if (a > 0) found = -a * (d + (ridge * a) / 2);
  return found || (d !== 0 && (a > 0 || d > 0) ? TINY : 0);
}

// Whether other offsets are compared: where all allow some slack
export function hasBestOffsets({ isSquared, C, form }, { groups, upper }) {
  const isHard = form === "classification" && C.some((c) => c === Infinity);
  return groups > 0 && !isHard && (isSquared || !upper.some((v) => v === Infinity));
}
