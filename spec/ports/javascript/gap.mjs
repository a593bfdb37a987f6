// S30.6 in doubles: a machine beside variables, and upper bounds of how far its primal is from the optimum.

import { bestLam } from "./best_offset.mjs";
import { exactSum, isInfinite, up } from "./numbers.mjs";
import { max, min } from "./problem.mjs";
import { impossibleGroup } from "./program.mjs";
import { massOf } from "./residuals.mjs";
import { above, ofSum, TINY, U } from "./rounding.mjs";
import { lamOfOffsets } from "./unit.mjs";

const largest = (values) => values.reduce((a, b) => max(a, b));
const total = (values) => values.reduce((sum, v) => sum + v, 0);

export class Machine {
  // residuals: { r, E, roots, wError } of S30.4; lam of each group
  constructor(problem, program, beta, residuals, lam = [0], lamError = lam.map(() => 0)) {
    Object.assign(this, residuals, { problem, program, residuals, lam, lamError });
    this.beta = Array.from(beta);
    this.n = program.size;
  }

  withLam(lam, lamError) {
    return new Machine(this.problem, this.program, this.beta, this.residuals, lam, lamError);
  }

  // Point 1: with the lam of offsets of the rows as given; shifted: what b has more on the rows solved on
  withOffsets(offsets, shifted, w2, moved = 0) {
    const { problem } = this;
    const asked = [...Object.values(offsets), ...(problem.form === "ball" ? [w2] : [])];
    const { sums } = this.program;
    if (!asked.every(Number.isFinite)) return this.withLam(sums.map(() => 0), sums.map(() => Infinity));
    const exact = lamOfOffsets(problem, offsets, shifted, w2);
    const lam = exact.map((v) => v.toDouble());
    const errors = exact.map((v, g) => (isInfinite(lam[g]) ? Infinity : up(v.minus(lam[g]).absolute())));
    const more = this.errorOfHalf() + moved;
    return this.withLam(lam, more > 0 ? errors.map((e) => above(e + more, 4)) : errors);
  }

  // Of |w|^2 / 2, in the lam of a ball
  errorOfHalf() {
    const { roots, beta, E, wError, n } = this;
    if (this.problem.form !== "ball") return 0;
    const mass = massOf(roots, beta);
    const found = total(beta.map((b, k) => (b === 0 ? 0 : Math.abs(b) * E[k])));
    return above(found + (ofSum(n + 4, mass * mass) + wError * (mass + wError)), 8);
  }

  // Point 2: [low, high] of each r_k - lam_g
  excess() {
    const { program, r, E, lam, lamError } = this;
    return r.map((v, k) => {
      const g = program.group ? program.group[k] : 0;
      const e = v - lam[g];
      if (isInfinite(e)) return e > 0 ? [Number.MAX_VALUE, e] : [e, -Number.MAX_VALUE];
      const error = E[k] + lamError[g] + 4 * U * Math.abs(e);
      return [e - error, e + error];
    });
  }

  // Point 3: [variables, size], of which some move by the size together; null where nothing helps
  moves() {
    const { lower, upper, members, sums } = this.program;
    const near = this.beta.map((x, k) => min(max(x, lower[k]), upper[k]));
    const outside = [...near.keys()].filter((k) => near[k] !== this.beta[k]);
    const moves = outside.map((k) => [[k], above(Math.abs(this.beta[k] - near[k]), 1)]);
    members.forEach((some, g) => {
      const much = exactSum(some.map((k) => near[k])).minus(sums[g]);
      if (much.n) moves.push([some, up(much.absolute())]);
    });
    return moves.length && impossibleGroup(this.program) >= 0 ? null : moves;
  }

  costOf(moves, slopes) {
    let [cost, moved] = [0, 0];
    for (const [some, size] of moves) {
      cost += size * largest(some.map((k) => slopes[k]));
      moved += size * largest(some.map((k) => this.roots[k]));
    }
    return [cost, moved];
  }

  // Point 4: each share where it is largest, or least
  shares(choose) {
    const { lower, upper, soft, ridge, of } = this.program;
    return this.excess().map(([low, high], k) => {
      const x = min(max(this.beta[k], lower[k]), upper[k]);
      const hinge = (e) => hingeShare(e, upper[k] - x, x - lower[k]);
      const square = (e) => squareShare(upper[k] > 0 ? e : -e, Math.abs(x), soft[k], ridge[of[k]]);
      const share = soft[k] === Infinity ? hinge : square;
      return choose === min && low <= 0 && high >= 0 ? 0 : choose(share(low), share(high));
    });
  }

  apart() {
    const moves = this.moves();
    if (!moves) return Infinity;
    const [cost, moved] = this.costOf(moves, this.excess().map(([low, high]) => max(-low, high)));
    const distance = this.wError + moved;
    const found = total(this.shares(max)) + cost + (distance * distance) / 2;
    if (!(found < Infinity)) return Infinity;
    return above(found > 0 || distance === 0 ? found : TINY, this.n + 12);
  }

  // Of the duality gap
  most() {
    const { program, problem } = this;
    let found = this.apart();
    const short = this.shortness();
    if (short > 0) {
      const part = short < 1 ? short / (1 - short) : Infinity;
      const mending = problem.form === "ball" ? short : part * (2 + part) * max(this.dual()[1] + found, 0);
      found += above(mending, 8);
    }
    return found < Infinity ? above(program.scale * found, 4) : Infinity;
  }

  // Point 5: how short a margin is that allows no slack
  shortness() {
    const { lower, upper, soft } = this.program;
    const shorts = this.excess().map(([low, high], k) => {
      if (soft[k] !== Infinity) return 0;
      if (upper[k] === Infinity) return high;
      return lower[k] === -Infinity ? -low : 0;
    });
    return max(0, largest(shorts));
  }

  // S30.7: between what the dual of feasible multipliers near beta is
  dual() {
    const { beta, r, E, n } = this;
    const { target } = this.program;
    const moves = this.moves();
    if (!moves) return [-Infinity, Infinity];
    const some = [...beta.keys()].filter((k) => beta[k] !== 0);
    if (!moves.length && !some.length) return [0, 0];
    const [cost, moved] = this.costOf(moves, r.map((v, k) => Math.abs(v) + E[k]));
    const doubled = total(some.map((k) => beta[k] * (target[k] + r[k])));
    const size = total(some.map((k) => Math.abs(beta[k]) * (Math.abs(target[k]) + Math.abs(r[k]))));
    const off = total(some.map((k) => Math.abs(beta[k]) * E[k]));
    const lost = above((off + ofSum(n + 4, size)) / 2 + (cost + moved * moved) + n * TINY, 8);
    return lost < Infinity ? [doubled / 2 - lost, doubled / 2 + lost] : [-Infinity, Infinity];
  }

  // What other offsets would gain
  leastLossOfOffsets() {
    const { problem, program, beta, r, lam, lamError, n } = this;
    if (!hasBestOffsets(problem, program)) return 0;
    const best = bestLam(problem, program, r.map((v, k) => v + program.ridge[program.of[k]] * beta[k]));
    const own = this.shares(min);
    const others = this.withLam(best, lamError).shares(max);
    let lost = n * TINY + ofSum(n + 16, total(own) + total(others));
    for (const [[k], size] of this.moves() || []) {
      const g = program.group[k];
      lost += 2 * size * (Math.abs(lam[g] - best[g]) + lamError[g]);
    }
    const found = program.scale * (total(own.map((a, k) => a - others[k])) - lost);
    return found < Infinity ? max(found, 0) : 0;
  }
}

function hingeShare(e, rise, fall) {
  const room = e > 0 ? rise : fall;
  return room > 0 && room < Infinity && e !== 0 ? room * Math.abs(e) || TINY : 0;
}

function squareShare(d, a, C, ridge) {
  let found = 0;
  if (d >= -ridge * a) found = (Math.abs(d) >= 2 ** -480 ? C * (d * d) : C * d * d) / 2;
  else if (a > 0) found = -a * (d + (ridge * a) / 2);
  return found || (d !== 0 && (a > 0 || d > 0) ? TINY : 0);
}

// Whether other offsets are compared: where all allow some slack
export const hasBestOffsets = ({ isSquared, isHard }, { groups, upper }) =>
  groups > 0 && !isHard && (isSquared || !upper.some((v) => v === Infinity));
