// S3.1 to S3.8, the state of a solver: multipliers with signs, residuals, and what rounding may have done to these.
// Steps (steps.mjs) and faces (face.mjs) change it; smo.mjs and decomposition.mjs say when.

import { max, min } from "./problem.mjs";

export const U = 2 ** -53;

export class Climb {
  // program: size, target, lower, upper, group (of each variable, or null), groups (how many), diag, row(k)
  constructor(program, beta) {
    Object.assign(this, program);
    this.beta = Float64Array.from(beta);
    this.r = new Float64Array(this.size);
    this.R = 0;
    this.distance = 0;
    this.error = 0;
    this.bend = 0;
    this.bent = null; // as unbounded
    this.unit = 1;
    this.unbounded = null; // [[variable, number], ...]
    this.N = 0;
    for (const v of this.diag) this.N = max(this.N, Math.abs(v));
  }

  // S3.5, point 4: curvature below 0 along a direction
  note(curvature, size, direction) {
    if (curvature < 0 && size > 0 && curvature / size < this.bend) {
      this.bend = curvature / size;
      this.bent = direction;
    }
  }

  get isTied() {
    return this.group !== null;
  }

  canRise(k) {
    return this.beta[k] < this.upper[k];
  }

  canFall(k) {
    return this.beta[k] > this.lower[k];
  }

  isFree(k) {
    return this.lower[k] < this.beta[k] && this.beta[k] < this.upper[k];
  }

  // S3.2: [m, M] of each group; one pair if not tied
  ends() {
    const ends = this.isTied ? Array.from({ length: this.groups }, () => [-Infinity, Infinity]) : [[0, 0]];
    for (let k = 0; k < this.size; k++) {
      const pair = ends[this.isTied ? this.group[k] : 0];
      if (this.canRise(k) && this.r[k] > pair[0]) pair[0] = this.r[k];
      if (this.canFall(k) && this.r[k] < pair[1]) pair[1] = this.r[k];
    }
    return ends;
  }

  // The violation: that of the worst group
  violation() {
    let worst = -Infinity;
    for (const [m, M] of this.ends()) worst = max(worst, m - M);
    return worst;
  }

  // What a limit is a multiple of is made anew where S3.4 says so
  limit() {
    return this.tol * this.unit;
  }

  // S3.4, D as it was at first
  objective() {
    let total = 0;
    for (let k = 0; k < this.size; k++) total += this.beta[k] * (this.target[k] + this.r[k]);
    return total / 2;
  }

  sizeOfBeta() {
    let total = 0;
    for (const v of this.beta) total += Math.abs(v);
    return total;
  }

  // S3.8
  recompute() {
    this.r.set(this.target);
    const count = this.isPaired ? this.size / 2 : this.size;
    for (let j = 0; j < count; j++) {
      const b = this.isPaired ? this.beta[j] + this.beta[count + j] : this.beta[j];
      if (b === 0) continue;
      const row = this.row(j);
      for (let k = 0; k < this.size; k++) this.r[k] -= b * row[k];
    }
    this.anew();
  }

  anew() {
    this.R = 0;
    for (const v of this.r) this.R = max(this.R, Math.abs(v));
    this.distance = 0;
    this.error = 0;
    this.counted = this.beta.reduce((count, v) => count + (v !== 0), 0);
    this.massAnew = this.sizeOfBeta();
  }

  // S3.7, point 5: the residuals follow those that moved, [variable, by how much] in index order
  carryOver(moved) {
    for (const [j, d] of moved) {
      const row = this.row(j);
      for (let k = 0; k < this.size; k++) this.r[k] -= d * row[k];
      this.distance += Math.abs(d) * this.N;
    }
    this.error += U * moved.length * (this.R + 4 * this.distance);
  }

  // S3.5, point 9: what was really moved
  put(k, t) {
    const before = this.beta[k];
    if (t === this.upper[k] - before) this.beta[k] = this.upper[k];
    else if (t === this.lower[k] - before) this.beta[k] = this.lower[k];
    else this.beta[k] = min(max(before + t, this.lower[k]), this.upper[k]);
    return this.beta[k] - before;
  }
}
