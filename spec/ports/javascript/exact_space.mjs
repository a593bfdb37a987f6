// The same as linear_algebra.mjs in exact arithmetic, where any way to the answer is right (S3.9): of a matrix of
// fractions the vector of the null space that is nearest to a. Whole numbers without fractions are far quicker.

import { Exact, ZERO } from "./numbers.mjs";

// Rows of whole numbers, each a multiple of a row of A
function wholeRows(A) {
  return A.map((row) => {
    let e = Infinity;
    let d = 1n;
    for (const v of row) {
      if (!v.n) continue;
      e = Math.min(e, v.e);
      d = v.d === 1n || d % v.d === 0n ? d : d * v.d;
    }
    if (e === Infinity) return row.map(() => 0n);
    return row.map((v) => (v.n ? (v.n << BigInt(v.e - e)) * (d / v.d) : 0n));
  });
}

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
  const [own] = wholeRows([a]);
  const scale = a.findIndex((v) => v.n);
  const unit = scale < 0 ? ZERO : a[scale].over(new Exact(own[scale])); // a = unit times own
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

// Nearest to a of the x with A x = c, as Exact; null if there is none
export function nearestSolution(A, c, a) {
  const n = a.length;
  // A (x - a) = c - A a: of d = x - a the shortest
  const right = A.map((row, s) => row.reduce((left, v, k) => left.minus(v.times(a[k])), c[s]));
  const { rows, pivots, pivot } = echelon(A.map((row, s) => [...row, right[s]]), n + 1);
  if (pivots.includes(n)) return null;
  if (rows.length === 0) return a;
  if (2 * pivots.length > n) return nearestOfFew(rows, pivots, pivot, n, a);
  const G = rows.map((s) => rows.map((t) => dotWhole(s.slice(0, n), t.slice(0, n))));
  const [x, d] = solveWhole(G, rows.map((row) => row[n]));
  const denominator = new Exact(d);
  return a.map((v, k) => v.plus(new Exact(rows.reduce((t, row, s) => t + row[k] * x[s], 0n)).over(denominator)));
}

// The same where few directions are left: some d, less what of it stands in these
function nearestOfFew(rows, pivots, pivot, n, a) {
  const d = new Array(n).fill(0n); // times pivot
  pivots.forEach((column, s) => (d[column] = rows[s][n]));
  const Z = [];
  for (let c = 0; c < n; c++) {
    if (pivots.includes(c)) continue;
    const z = new Array(n).fill(0n);
    z[c] = pivot;
    pivots.forEach((column, s) => (z[column] = -rows[s][c]));
    Z.push(z);
  }
  if (Z.length === 0) return a.map((v, k) => v.plus(new Exact(d[k]).over(new Exact(pivot))));
  const G = Z.map((s) => Z.map((t) => dotWhole(s, t)));
  const [x, e] = solveWhole(G, Z.map((z) => dotWhole(z, d)));
  const denominator = new Exact(e * pivot);
  return a.map((v, k) => v.plus(new Exact(Z.reduce((t, z, s) => t - z[k] * x[s], d[k] * e)).over(denominator)));
}
