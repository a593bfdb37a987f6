// The same as linear_algebra.mjs in exact arithmetic, where any way to the answer is right (S3.9): of a matrix of
// fractions the vector of the null space that is nearest to a. Whole numbers without fractions are far quicker.

import { Exact, wholeNumbers, ZERO } from "./numbers.mjs";

// Rows of whole numbers, each a multiple of a row of A
const wholeRows = (A) => A.map((row) => wholeNumbers(row)[0]);

// Bareiss: independent rows of the span of A's rows, in echelon form with one pivot value in all pivot columns
function echelon(A, n) {
  const rows = wholeRows(A);
  const pivots = [];
  let last = 1n;
  for (let c = 0; c < n && pivots.length < rows.length; c++) {
    const r = pivots.length;
    const at = rows.findIndex((row, s) => s >= r && row[c] !== 0n);
    if (at < 0) continue;
    [rows[r], rows[at]] = [rows[at], rows[r]];
    const own = rows[r];
    const pivot = own[c];
    rows.forEach((row, s) => {
      if (s === r) return;
      const by = row[c];
      for (let k = 0; k < n; k++) row[k] = (pivot * row[k] - by * own[k]) / last;
    });
    last = pivot;
    pivots.push(c);
  }
  return { rows: rows.slice(0, pivots.length), pivots, pivot: last };
}

// x of G x = h, for a regular G of whole numbers: [numerators, their denominator]
function solveWhole(G, h) {
  const n = h.length;
  const { rows, pivot } = echelonOfWhole(G.map((row, s) => [...row, h[s]]), n);
  return [rows.map((row) => row[n]), pivot];
}

function echelonOfWhole(rows, n) {
  let last = 1n;
  for (let c = 0; c < n; c++) {
    const at = rows.findIndex((row, s) => s >= c && row[c] !== 0n);
    [rows[c], rows[at]] = [rows[at], rows[c]];
    const own = rows[c];
    const pivot = own[c];
    rows.forEach((row, s) => {
      if (s === c) return;
      const by = row[c];
      for (let k = 0; k <= n; k++) row[k] = (pivot * row[k] - by * own[k]) / last;
    });
    last = pivot;
  }
  return { rows, pivot: last };
}

const dotWhole = (a, b) => a.reduce((total, v, k) => total + v * b[k], 0n);

// Nearest to a, as Exact
export function nearestInNullSpace(A, n, a) {
  const { rows, pivots, pivot } = echelon(A, n);
  const [own, factor] = wholeNumbers(a);
  const unit = new Exact(1n).over(factor); // a = unit times own
  if (2 * pivots.length <= n) {
    // less what stands in the space of the rows
    const G = rows.map((s) => rows.map((t) => dotWhole(s, t)));
    const [x, d] = rows.length ? solveWhole(G, rows.map((s) => dotWhole(s, own))) : [[], 1n];
    return own.map((v, k) => {
      const inside = rows.reduce((total, row, s) => total + row[k] * x[s], 0n);
      return new Exact(v * d - inside).over(new Exact(d)).times(unit);
    });
  }
  const Z = [];
  for (let c = 0; c < n; c++) {
    if (pivots.includes(c)) continue;
    const z = new Array(n).fill(0n);
    z[c] = pivot;
    pivots.forEach((column, s) => (z[column] = -rows[s][c]));
    Z.push(z);
  }
  if (Z.length === 0) return a.map(() => ZERO);
  const G = Z.map((s) => Z.map((t) => dotWhole(s, t)));
  const [x, d] = solveWhole(G, Z.map((z) => dotWhole(z, own)));
  return own.map((_, k) => new Exact(Z.reduce((total, z, s) => total + z[k] * x[s], 0n)).over(new Exact(d)).times(unit));
}
