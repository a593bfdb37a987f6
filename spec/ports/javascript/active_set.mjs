// S6.7, the active-set method on doubles.

import { Climb } from "./climb.mjs";
import { finishFrom } from "./finish.mjs";
import { farkasAlong } from "./infeasible.mjs";
import { Inverse, Stop } from "./part_inverse.mjs";
import { max, min, Problem } from "./problem.mjs";
import { programOf } from "./program.mjs";
import { DEFAULT_TOL } from "./smo.mjs";
import { startOf } from "./start.mjs";
import { NOISE } from "./steps.mjs";

class ActiveSet {
  constructor({ problem: document, tol = DEFAULT_TOL, max_iter: maxIter, start = null }) {
    this.problem = new Problem(document);
    this.program = programOf(this.problem);
    const { program } = this;
    this.n = program.size;
    this.tol = tol;
    this.maxIter = maxIter ?? Math.max(100000, 100 * this.n);
    this.x = startOf(this.problem, program, start);
    this.e = program.group ? 1 : 0;
    this.q = program.target;
    const { e } = this;
    this.inverse = new Inverse((a, b) => {
      if (e && (a === 0 || b === 0)) return a === b ? 0 : 1;
      return program.row(a - e)[b - e];
    });
    this.steps = [];
    this.moves = 0;
    this.ray = null;
  }

  isFree(k) {
    return this.program.lower[k] < this.x[k] && this.x[k] < this.program.upper[k];
  }

  // The variables of the list, in its order, with their places
  members() {
    return this.inverse.list.flatMap((index, place) => (index >= this.e ? [[index - this.e, place]] : []));
  }

  begin() {
    const { inverse, e, n } = this;
    let first = -1;
    if (e) {
      first = [...this.x.keys()].findIndex((k) => this.isFree(k));
      if (first < 0) first = 0;
      inverse.list = [0, e + first];
    }
    inverse.anew();
    for (let j = 0; j < n; j++) {
      if (j === first || !this.isFree(j)) continue;
      const response = inverse.response(e + j);
      if (response.sign === 1) inverse.add(e + j, response);
    }
    this.makeRight();
    const v = this.timesK(this.x);
    let [xv, qx] = [0, 0];
    for (let k = 0; k < n; k++) [xv, qx] = [xv + this.x[k] * v[k], qx + this.q[k] * this.x[k]];
    this.objective = -xv / 2 - qx;
    this.atOptimum = false;
    this.stalled = false;
    this.isAnew = false;
    this.best = Infinity;
    this.worse = 0;
  }

  // 0, less x_j times row j of K
  timesK(x) {
    const v = new Float64Array(this.n);
    for (let j = 0; j < this.n; j++) {
      if (x[j] === 0) continue;
      const row = this.program.row(j);
      for (let k = 0; k < this.n; k++) v[k] -= x[j] * row[k];
    }
    return v;
  }

  makeRight() {
    const { e, n, inverse } = this;
    this.right = new Float64Array(e + n);
    this.right.set(this.q, e);
    const inside = new Set(inverse.list);
    for (let j = 0; j < n; j++) if (this.x[j] !== 0 && !inside.has(e + j)) this.fix(j, this.x[j]);
  }

  fix(j, c) {
    if (c === 0) return;
    for (let a = 0; a < this.e + this.n; a++) this.right[a] -= c * this.inverse.S(this.e + j, a);
  }

  cut(v) {
    return this.inverse.list.map((index) => v[index]);
  }

  // The ratio test: d is a list of [variable, number]
  ratio(d, start) {
    const { lower, upper } = this.program;
    let still = 0;
    for (const [, v] of d) still = max(still, Math.abs(v));
    still *= NOISE;
    let [t, blocking] = [start, -1];
    for (const [k, v] of [...d].sort((a, b) => a[0] - b[0])) {
      const bound = v > 0 ? upper[k] : lower[k];
      if (Math.abs(v) <= still || !Number.isFinite(bound)) continue;
      const length = (bound - this.x[k]) / v;
      if (length < t || (length === t && blocking > k)) [t, blocking] = [length, k];
    }
    return [t, blocking];
  }

  // Whether some x became another number
  move(d, t, blocking) {
    const { lower, upper } = this.program;
    let changed = false;
    for (const [k, v] of d) {
      const bound = v > 0 ? upper[k] : lower[k];
      const next = k === blocking ? bound : min(max(this.x[k] + t * v, lower[k]), upper[k]);
      if (next !== this.x[k]) changed = true;
      this.x[k] = next;
    }
    return changed;
  }

  tell(entering, step, blocking) {
    this.steps.push({
      iteration: this.moves,
      entering,
      step,
      blocking: blocking < 0 ? null : blocking,
      objective: this.objective * -1,
    });
  }

  // Point 4
  towards() {
    const { inverse } = this;
    const began = this.isAnew;
    const z = inverse.solve(this.cut(this.right));
    let d = this.members().map(([k, place]) => [k, z[place] - this.x[k]]);
    const some = d.some(([, v]) => v !== 0);
    if (some && this.moves === this.maxIter && !this.isAnew) throw new Stop("max_iter");
    const v = new Float64Array(inverse.size);
    const places = this.members();
    d.forEach(([, by], a) => {
      if (by === 0) return;
      for (let b = 0; b < inverse.size; b++) v[b] -= by * inverse.M(places[a][1], b);
    });
    let total = 0;
    d.forEach(([, by], a) => (total += by * v[places[a][1]]));
    const slope = -total;
    let [t, blocking] = this.ratio(d, 1);
    if (blocking >= 0 && this.e && d.length === 1) {
      d = d.map(([k, own]) => [k, k === blocking ? 0 : own]);
      [t, blocking] = this.ratio(d, 1);
    }
    if (this.move(d, t, blocking)) this.stalled = false;
    if (blocking < 0) {
      this.atOptimum = true;
      this.z = z;
    } else {
      this.isAnew = false;
      inverse.remove(inverse.list.indexOf(this.e + blocking));
      this.fix(blocking, this.x[blocking]);
    }
    if (d.some(([, own]) => own !== 0) && !(blocking < 0 && began)) {
      this.moves += 1;
      this.objective -= slope * t - (slope * t * t) / 2;
      this.tell(null, t, blocking);
    }
  }

  // Point 5: the gradients, and who enters
  entering() {
    const { inverse, e, n, tol } = this;
    const { lower, upper } = this.program;
    const g = Float64Array.from(this.right);
    inverse.list.forEach((c, place) => {
      if (this.z[place] === 0) return;
      for (let a = 0; a < e + n; a++) g[a] -= this.z[place] * inverse.S(c, a);
    });
    const inside = new Set(inverse.list);
    let best = -1;
    for (let j = 0; j < n; j++) {
      const own = g[e + j];
      if (inside.has(e + j) || !(Math.abs(own) > tol / 2)) continue;
      if (own > 0 ? this.x[j] === upper[j] : this.x[j] === lower[j]) continue;
      if (best < 0) best = j;
      else if (!this.stalled && Math.abs(own) > Math.abs(g[e + best])) best = j;
    }
    return [best, g];
  }

  // Points 5 to 7
  release() {
    const { inverse, e } = this;
    const [j, g] = this.entering();
    if (j < 0) {
      if (this.isAnew) throw new Stop("optimal");
      inverse.anew();
      this.makeRight();
      this.atOptimum = false;
      this.isAnew = true;
      return;
    }
    if (this.moves === this.maxIter) throw new Stop("max_iter");
    this.watch(g);
    const response = inverse.response(e + j);
    const { u, eta, sign } = response;
    const slope = Math.abs(g[e + j]);
    const s = g[e + j] > 0 ? 1 : -1;
    const d = [...this.members().map(([k, place]) => [k, s * u[place]]), [j, s]];
    const [t, blocking] = this.ratio(d, eta > 0 ? slope / eta : Infinity);
    if (sign === -1) this.bent = d;
    if (blocking < 0 && sign <= 0) {
      if (sign === -1) throw new Stop("indefinite");
      if (eta <= 0 || this.proofAlong(d)) {
        this.ray = d;
        throw new Stop("unbounded");
      }
    }
    const old = this.x[j];
    this.stalled = !this.move(d, t, blocking);
    this.isAnew = false;
    const gain = t * slope - (t * t * eta) / 2;
    const isFixed = blocking === j || (blocking < 0 && sign === 0);
    this.fix(j, isFixed ? this.x[j] - old : 0 - old);
    if (blocking >= 0 && blocking !== j) {
      inverse.replace(inverse.list.indexOf(e + blocking), e + j, response);
      this.fix(blocking, this.x[blocking]);
      this.atOptimum = false;
    } else {
      this.z = this.z.map((v, c) => v + t * s * u[c]);
      if (!isFixed) {
        inverse.add(e + j, response);
        this.z.push(this.x[j]);
      }
    }
    this.moves += 1;
    this.objective -= gain;
    this.tell(j, t, blocking);
    if (sign === -1) throw new Stop("indefinite");
  }

  // Point 6
  watch(g) {
    let [qx, gx] = [0, 0];
    for (let k = 0; k < this.n; k++) [qx, gx] = [qx + this.q[k] * this.x[k], gx + g[this.e + k] * this.x[k]];
    const value = -(this.e ? qx + gx + this.z[0] * 0 : qx + gx) / 2;
    if (value < this.best) {
      this.best = value;
      this.worse = 0;
    } else {
      this.worse += 1;
      if (this.worse > this.n) throw new Stop("precision");
    }
  }

  climb() {
    const climb = new Climb(this.program, this.x);
    Object.assign(climb, { problem: this.problem, tol: this.tol, steps: this.moves, impossible: -1 });
    return climb;
  }

  proofAlong(d) {
    const climb = this.climb();
    return climb.problem.isHard ? farkasAlong(climb, d) : null;
  }

  status() {
    try {
      this.begin();
      for (;;) {
        if (this.atOptimum) this.release();
        else this.towards();
      }
    } catch (stop) {
      if (stop instanceof Stop) return stop.status;
      throw stop;
    }
  }
}

export function activeSet(given) {
  const run = new ActiveSet(given);
  const status = run.status();
  const climb = run.climb();
  return { steps: run.steps, ...finishFrom(climb, status, run.ray, run.bent) };
}
