// S3.7, the face: the free multipliers are moved together, by conjugate gradients, or at once where they are many.

import { dot } from "./kernels.mjs";
import { max, min } from "./problem.mjs";
import { eliminate } from "./elimination.mjs";
import { NOISE, travel } from "./steps.mjs";

// The free variables with copies of what is asked of them
export class Face {
  constructor(climb) {
    this.climb = climb;
    const all = [];
    for (let k = 0; k < climb.size; k++) if (climb.isFree(k)) all.push(k);
    this.members = all;
    this.beta = all.map((k) => climb.beta[k]);
    this.r = all.map((k) => climb.r[k]);
    this.p = null;
  }

  get size() {
    return this.members.length;
  }

  group(a) {
    return this.climb.isTied ? this.climb.group[this.members[a]] : -1;
  }

  // The places of the members of each group that has some
  byGroup() {
    const places = new Map();
    for (let a = 0; a < this.size; a++) {
      const g = this.group(a);
      if (!places.has(g)) places.set(g, []);
      places.get(g).push(a);
    }
    return places;
  }

  spread() {
    if (!this.climb.isTied) {
      let [most, least] = [-Infinity, Infinity];
      for (const v of this.r) [most, least] = [max(most, v), min(least, v)];
      return max(most, -least);
    }
    let worst = -Infinity;
    for (const places of this.byGroup().values()) {
      let [most, least] = [-Infinity, Infinity];
      for (const a of places) [most, least] = [max(most, this.r[a]), min(least, this.r[a])];
      worst = max(worst, most - least);
    }
    return worst;
  }

  bound(a, p) {
    return p > 0 ? this.climb.upper[this.members[a]] : this.climb.lower[this.members[a]];
  }

  // How far each may go along p
  roomAlong(p) {
    return p.map((v, a) => (v === 0 ? Infinity : (this.bound(a, v) - this.beta[a]) / v));
  }

  // Whether p keeps the sums, of every group, but for rounding
  keepsSums(p) {
    if (!this.climb.isTied) return true;
    for (const places of this.byGroup().values()) {
      let [sum, size] = [0, 0];
      for (const a of places) [sum, size] = [sum + p[a], size + Math.abs(p[a])];
      if (!(Math.abs(sum) <= NOISE * size)) return false;
    }
    return true;
  }

  // Point 3.7: whether a number changed
  move(p, t, room) {
    let changed = false;
    for (let a = 0; a < this.size; a++) {
      const k = this.members[a];
      const next =
        room[a] === t
          ? this.bound(a, p[a])
          : min(max(this.beta[a] + t * p[a], this.climb.lower[k]), this.climb.upper[k]);
      if (next !== this.beta[a]) changed = true;
      this.store(a, next);
    }
    return changed;
  }

  store(a, value) {
    this.beta[a] = value;
    this.moved ||= new Map();
    this.moved.set(this.members[a], value);
  }

  isOnBound(a) {
    const k = this.members[a];
    return this.beta[a] === this.climb.lower[k] || this.beta[a] === this.climb.upper[k];
  }

  keep(places) {
    for (const name of ["members", "beta", "r"]) this[name] = places.map((a) => this[name][a]);
  }

  // The slope less its mean, in each group
  gradient() {
    if (!this.climb.isTied) return [...this.r];
    const g = new Array(this.size);
    for (const places of this.byGroup().values()) {
      const first = this.r[places[0]];
      let sum = 0;
      for (const a of places) sum += this.r[a] - first;
      const mean = sum / places.length;
      for (const a of places) g[a] = this.r[a] - first - mean;
    }
    return g;
  }

  times(p) {
    return this.members.map((k) => {
      const row = this.climb.row(k);
      let total = 0;
      for (let a = 0; a < this.size; a++) total += row[this.members[a]] * p[a];
      return total;
    });
  }
}

// Point 3: whether to go on
function conjugateStep(face) {
  const { climb } = face;
  const g = face.gradient();
  const size = dot(g, g);
  if (size === 0) return false;
  let p = g;
  if (face.p) {
    const ratio = size / face.old;
    p = g.map((v, a) => v + ratio * face.p[a]);
  }
  face.old = size;
  if (!face.keepsSums(p)) p = g;
  const q = face.times(p);
  const room = face.roomAlong(p);
  let end = Infinity;
  for (const v of room) end = min(end, v);
  const t = travel(dot(p, face.r), dot(p, q), 0, end);
  if (t === Infinity) {
    if (p.some((v) => v !== 0)) climb.unbounded = face.members.map((k, a) => [k, p[a]]);
    return false;
  }
  if (!(t > 0)) return false;
  if (!face.move(p, t, room)) return false;
  for (let a = 0; a < face.size; a++) face.r[a] -= t * q[a];
  face.p = p;
  if (t === end) {
    face.keep([...face.members.keys()].filter((a) => !face.isOnBound(a)));
    face.p = null;
  }
  return true;
}

// S3.7. usual: what is usual for one face; limit: the members above which a face is solved at once, or not at all;
// half: half of tol, in its unit. climb.patience changes. The gain.
export function alongFace(climb, { usual, limit, half, once }) {
  const face = new Face(climb);
  if (face.size > limit) {
    if (!once || !eliminate(face, usual, half)) return 0;
    return carryOver(climb, face);
  }
  const f = face.size;
  let left = max(usual, min(climb.patience * usual, 10 * f * f * f));
  while (face.size > 0 && face.spread() > half) {
    left -= face.size * face.size;
    if (left < 0 || !conjugateStep(face)) break;
  }
  const gain = carryOver(climb, face);
  climb.patience = left < 0 && climb.D + gain > climb.D ? 2 * climb.patience : 1;
  return gain;
}

// Points 5 and 6
export function carryOver(climb, face) {
  const moved = [];
  for (const [k, value] of [...(face.moved || [])].sort((a, b) => a[0] - b[0])) {
    if (value !== climb.beta[k]) moved.push([k, value - climb.beta[k]]);
    climb.beta[k] = value;
  }
  const before = moved.map(([k]) => climb.r[k]);
  climb.carryOver(moved);
  let gain = 0;
  moved.forEach(([k, d], a) => (gain += (d * (before[a] + climb.r[k])) / 2));
  return gain;
}
