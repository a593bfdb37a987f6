// S3.9: null spaces and systems of equations, of doubles or of fractions.

import { Exact, ZERO } from "./numbers.mjs";

export const doubles = {
  zero: 0,
  of: (v) => v,
  rounded: (exact) => exact.toDouble(),
  plus: (a, b) => a + b,
  minus: (a, b) => a - b,
  times: (a, b) => a * b,
  over: (a, b) => a / b,
  size: Math.abs,
  isAbove: (a, b) => a > b,
  tiny: (largest, length) => (largest / 2 ** 52) * length,
};

export const fractions = {
  zero: ZERO,
  of: (v) => Exact.of(v),
  rounded: (exact) => exact,
  plus: (a, b) => a.plus(b),
  minus: (a, b) => a.minus(b),
  times: (a, b) => a.times(b),
  over: (a, b) => a.over(b),
  size: (a) => a.absolute(),
  isAbove: (a, b) => a.compare(b) > 0,
  tiny: () => ZERO,
};

export function dotOf(field, a, b) {
  let total = field.zero;
  for (let k = 0; k < a.length; k++) total = field.plus(total, field.times(a[k], b[k]));
  return total;
}

function largestFrom(field, rows, r, c) {
  let best = r;
  for (let s = r + 1; s < rows.length; s++) {
    if (field.isAbove(field.size(rows[s][c]), field.size(rows[best][c]))) best = s;
  }
  return best;
}

// The vectors of the null space of A, one for each column without pivot
export function nullSpace(field, A, n) {
  const rows = A.map((row) => [...row]);
  const m = rows.length;
  const pivots = []; // the column of each row's pivot
  for (let c = 0; c < n && pivots.length < m; c++) {
    const r = pivots.length;
    let most = field.zero;
    for (const row of A) if (field.isAbove(field.size(row[c]), most)) most = field.size(row[c]);
    const tiny = field.tiny(most, Math.max(m, n));
    const at = largestFrom(field, rows, r, c);
    [rows[r], rows[at]] = [rows[at], rows[r]];
    if (!field.isAbove(field.size(rows[r][c]), tiny)) {
      for (let s = r; s < m; s++) rows[s][c] = field.zero;
      continue;
    }
    const pivot = rows[r][c];
    rows[r] = rows[r].map((v) => field.over(v, pivot));
    for (let s = 0; s < m; s++) {
      if (s === r) continue;
      const by = field.minus(field.zero, rows[s][c]);
      rows[s] = rows[s].map((v, k) => field.plus(v, field.times(by, rows[r][k])));
    }
    pivots.push(c);
  }
  const vectors = [];
  for (let c = 0; c < n; c++) {
    if (pivots.includes(c)) continue;
    const z = new Array(n).fill(field.zero);
    z[c] = field.of(1);
    pivots.forEach((column, s) => (z[column] = field.minus(field.zero, rows[s][c])));
    vectors.push(z);
  }
  return vectors;
}

// G w = h
export function solve(field, G, h) {
  const n = h.length;
  const rows = G.map((row, s) => [...row, h[s]]);
  for (let c = 0; c < n; c++) {
    const at = largestFrom(field, rows, c, c);
    [rows[c], rows[at]] = [rows[at], rows[c]];
    for (let s = c + 1; s < n; s++) {
      const by = field.minus(field.zero, field.over(rows[s][c], rows[c][c]));
      rows[s] = rows[s].map((v, k) => field.plus(v, field.times(by, rows[c][k])));
    }
  }
  const w = new Array(n).fill(field.zero);
  for (let c = n - 1; c >= 0; c--) {
    let total = field.zero;
    for (let k = c + 1; k < n; k++) total = field.plus(total, field.times(rows[c][k], w[k]));
    w[c] = field.over(field.minus(rows[c][n], total), rows[c][c]);
  }
  return w;
}
