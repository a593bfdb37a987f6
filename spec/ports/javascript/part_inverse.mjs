// S6.7, points 8 to 11: the inverse of a part of a matrix, which follows when an index comes or goes.

import { NOISE } from "./steps.mjs";

// An ending, from anywhere in the method
export class Stop extends Error {
  constructor(status) {
    super(status);
    this.status = status;
  }
}

// The list of indices, and the inverse of its part M of S
export class Inverse {
  constructor(row) {
    this.S = row; // S(a, b)
    this.list = [];
    this.H = [];
    this.updates = 0;
  }

  get size() {
    return this.list.length;
  }

  M(a, b) {
    return this.S(this.list[a], this.list[b]);
  }

  // Point 11
  anew() {
    this.updates = 0;
    const k = this.size;
    const rows = this.list.map((i) => this.list.map((j) => this.S(i, j)));
    const from = [...rows.keys()];
    for (let c = 0; c < k; c++) {
      let at = c;
      for (let a = c + 1; a < k; a++) if (Math.abs(rows[a][c]) > Math.abs(rows[at][c])) at = a;
      [rows[c], rows[at]] = [rows[at], rows[c]];
      [from[c], from[at]] = [from[at], from[c]];
      if (rows[c][c] === 0) throw new Stop("precision");
      const e = 1 / rows[c][c];
      rows[c][c] = 1;
      rows[c] = rows[c].map((v) => e * v);
      for (let a = 0; a < k; a++) {
        if (a === c || rows[a][c] === 0) continue;
        const f = rows[a][c];
        rows[a][c] = 0;
        for (let b = 0; b < k; b++) rows[a][b] -= f * rows[c][b];
      }
    }
    this.H = rows.map((row) => {
      const own = new Array(k);
      from.forEach((place, c) => (own[place] = row[c]));
      return own;
    });
  }

  times(rows, v) {
    return rows.map((row) => {
      let total = 0;
      for (let b = 0; b < v.length; b++) total += row[b] * v[b];
      return total;
    });
  }

  matrix() {
    return this.list.map((i) => this.list.map((j) => this.S(i, j)));
  }

  // Point 8
  solve(r) {
    if (this.updates > this.size) this.anew();
    const M = this.matrix();
    let z = this.times(this.H, r);
    for (let time = 0; time < 2; time++) {
      const made = this.times(M, z);
      const rest = r.map((v, a) => v - made[a]);
      const more = this.times(this.H, rest);
      z = z.map((v, a) => v + more[a]);
    }
    return z;
  }

  // Point 9: of the index
  response(index) {
    const m = this.list.map((a) => this.S(index, a));
    const u = this.solve(m).map((v) => 0 - v);
    let eta = this.S(index, index);
    let size = Math.abs(eta);
    const M = this.matrix();
    for (let a = 0; a < this.size; a++) {
      let [made, sizes] = [0, 0];
      for (let b = 0; b < this.size; b++) {
        made += M[a][b] * u[b];
        sizes += Math.abs(M[a][b]) * Math.abs(u[b]);
      }
      eta += u[a] * (m[a] + (m[a] + made));
      size += Math.abs(u[a]) * (2 * Math.abs(m[a]) + sizes);
    }
    let sign = 0;
    if (eta > NOISE * size) sign = 1;
    else if (eta < -NOISE * size) sign = -1;
    return { u, eta, sign };
  }

  // Point 10
  add(index, { u, eta }) {
    this.list.push(index);
    if (eta === 0) return this.anew();
    this.updates += 1;
    const e = 1 / eta;
    const last = u.map((v) => e * v);
    this.H.forEach((row, a) => {
      for (let b = 0; b < row.length; b++) row[b] += last[a] * u[b];
      row.push(last[a]);
    });
    this.H.push([...last, e]);
    return undefined;
  }

  remove(a) {
    this.list.splice(a, 1);
    const pivot = this.H[a][a];
    if (pivot === 0) return this.anew();
    this.updates += 1;
    const e = 1 / pivot;
    const share = this.H[a].map((v) => e * v);
    this.H.forEach((row, c) => {
      if (c === a) return;
      const by = row[a];
      for (let b = 0; b < row.length; b++) row[b] -= by * share[b];
    });
    this.H.splice(a, 1);
    for (const row of this.H) row.splice(a, 1);
    return undefined;
  }

  replace(a, index, { u, eta }) {
    this.list[a] = index;
    const before = [...this.H[a]];
    const h = before[a];
    const D = h * eta + u[a] * u[a];
    if (D === 0) return this.anew();
    this.updates += 1;
    const e = 1 / D;
    const v = u.map((value, b) => e * (h * value - u[a] * before[b]));
    const w = u.map((value, b) => e * (eta * before[b] + u[a] * value));
    this.H.forEach((row, c) => {
      if (c === a) return;
      const by = before[c];
      for (let b = 0; b < row.length; b++) row[b] = row[b] + u[c] * v[b] - by * w[b];
    });
    v[a] = e * h;
    this.H[a] = v;
    v.forEach((value, c) => (this.H[c][a] = value));
    return undefined;
  }
}
