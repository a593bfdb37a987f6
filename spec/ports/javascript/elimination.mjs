// S3.7, a face of more than 250 members is solved at once.

import { max, min } from "./problem.mjs";
import { NOISE } from "./steps.mjs";

// Point 1: whether it is done now
function isDue(face, usual, half) {
  const { climb } = face;
  const f = face.size;
  if (f > 4096 || !(face.spread() > half)) {
    climb.patience = 1;
    return false;
  }
  const cost = Math.floor((f * f * f) / 6) * (f > 2048 ? 4 : 1);
  if (cost > climb.patience * usual) {
    climb.patience += 1;
    return false;
  }
  climb.patience = 1;
  return true;
}

class System {
  constructor(face) {
    this.face = face;
    this.isTied = face.climb.isTied;
    this.groups = this.isTied ? face.climb.groups : 0;
    this.first = 1 + this.groups; // the unknown of the first member
    this.size = this.first + face.size;
    this.firsts = new Array(this.groups).fill(0); // first_g
    if (this.isTied) for (const [g, places] of face.byGroup()) this.firsts[g] = face.r[places[0]];
    this.L = Array.from({ length: this.size }, (_, c) => this.row(c));
    this.d = new Float64Array(this.size);
    this.eliminate();
  }

  row(c) {
    const { face, first } = this;
    const row = new Float64Array(c + 1);
    if (c < first) return row;
    const a = c - first;
    const g = face.group(a);
    row[0] = this.isTied ? face.r[a] - this.firsts[g] : face.r[a];
    if (this.isTied) row[1 + g] = 1;
    const kernel = face.climb.row(face.members[a]);
    for (let b = 0; b <= a; b++) row[first + b] = kernel[face.members[b]];
    return row;
  }

  // Point 2
  eliminate() {
    const { L, d, size, first, face } = this;
    for (let c = size - 1; c >= 1; c--) {
      const row = L[c];
      for (let k = size - 1; k > c; k--) {
        if (d[k] === 0) continue;
        const b = d[k] * L[k][c];
        for (let j = 0; j <= c; j++) row[j] -= b * L[k][j];
      }
      const pivot = row[c];
      const isMember = c >= first;
      const diag = isMember ? face.climb.diag[face.members[c - first]] : 0;
      const held = pivot === 0 || (isMember && !(pivot > NOISE * diag));
      d[c] = held ? 0 : pivot;
      for (let j = 0; j < c; j++) row[j] = held ? 0 : row[j] / pivot;
    }
  }

  // Point 3
  substitute() {
    const z = new Float64Array(this.size);
    z[0] = -1;
    for (let c = 1; c < this.size; c++) {
      let total = 0;
      for (let j = 0; j < c; j++) total += this.L[c][j] * z[j];
      z[c] = -total;
    }
    return z;
  }

  // Point 5
  remove(k) {
    const { L, d } = this;
    const w = Float64Array.from(L[k]);
    let A = d[k];
    d[k] = 0;
    L[k].fill(0);
    for (let c = k + 1; c < this.size; c++) L[c][k] = 0;
    for (let j = k - 1; j >= 1; j--) {
      const by = w[j];
      if (by === 0 || d[j] === 0) continue;
      const pivot = d[j] + A * by * by;
      if (!(pivot / d[j] > NOISE)) {
        d[j] = 0;
        L[j].fill(0);
        continue;
      }
      const B = (A * by) / pivot;
      A = (d[j] * A) / pivot;
      d[j] = pivot;
      for (let i = 0; i < j; i++) {
        w[i] -= by * L[j][i];
        L[j][i] += B * w[i];
      }
    }
  }
}

// Whether the face was moved, or could have been
export function eliminate(face, usual, half) {
  if (!isDue(face, usual, half)) return false;
  const system = new System(face);
  const { first, firsts, isTied } = system;
  const gone = new Array(face.size).fill(false);
  const times = Math.floor(face.size / 2);
  for (let time = 0; time < times; time++) {
    if (gone.every((v) => v) || !(spreadOf(face, gone) > half)) break;
    const z = system.substitute();
    const p = face.members.map((_, a) => (gone[a] ? 0 : z[first + a]));
    if (p.some((v) => !Number.isFinite(v)) || !face.keepsSums(p)) break;
    const room = face.roomAlong(p);
    let t = 1;
    for (const v of room) t = min(t, v);
    if (!(t > 0)) break;
    if (!face.move(p, t, room)) break;
    for (let a = 0; a < face.size; a++) {
      const g = face.group(a);
      const aim = isTied ? firsts[g] + z[1 + g] : 0;
      face.r[a] -= t * (face.r[a] - aim);
    }
    firsts.forEach((v, g) => (firsts[g] = v + t * (v + z[1 + g] - v)));
    if (t === 1) break;
    for (let c = 1; c < system.size; c++) system.L[c][0] *= 1 - t;
    for (let a = 0; a < face.size; a++) {
      if (gone[a] || !face.isOnBound(a)) continue;
      gone[a] = true;
      system.remove(first + a);
    }
  }
  return true;
}

// The spread of the members that are left
function spreadOf(face, gone) {
  const ends = new Map();
  for (let a = 0; a < face.size; a++) {
    if (gone[a]) continue;
    const g = face.group(a);
    const [most, least] = ends.get(g) || [-Infinity, Infinity];
    ends.set(g, [max(most, face.r[a]), min(least, face.r[a])]);
  }
  let worst = -Infinity;
  for (const [most, least] of ends.values()) worst = max(worst, face.climb.isTied ? most - least : max(most, -least));
  return worst;
}
