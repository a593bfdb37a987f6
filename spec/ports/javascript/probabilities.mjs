// S12, probabilities of decision values.

import { exp } from "./arithmetic.mjs";
import { Exact } from "./numbers.mjs";
import { max, Refusal } from "./problem.mjs";

const bits = (n) => (n < 0n ? -n : n).toString(2).length;

// Exact scaling by 2^e, in two steps where one would leave the doubles
const scaled = (v, e) => (Math.abs(e) <= 1000 ? v * 2 ** e : v * 2 ** Math.trunc(e / 2) * 2 ** (e - Math.trunc(e / 2)));

// S12.2, step 1
function exponentOfLargest(values) {
  let largest = 0;
  for (const v of values) largest = max(largest, Math.abs(v));
  if (largest === 0) return 0;
  const [p, q] = Exact.of(largest).terms();
  return Math.min(Math.max(bits(p) - bits(q), -1000), 1000);
}

// S12.2
export function calibrate({ decisions, y }) {
  const e = exponentOfLargest(decisions);
  const f = decisions.map((v) => scaled(v, -e));
  const sorted = [...f].sort((a, b) => a - b);
  const n = f.length;
  const c = (sorted[Math.floor((n - 1) / 2)] + sorted[Math.floor(n / 2)]) / 2;
  const x = f.map((v) => v - c);
  const share = { 1: 1 / (y.filter((v) => v > 0).length + 2), "-1": 1 / (y.filter((v) => v < 0).length + 2) };
  const [least, most] = [sorted[0] - c, sorted[n - 1] - c];
  const slopes = (a, b) => {
    const g = new Array(n);
    const h = new Array(n);
    for (let i = 0; i < n; i++) {
      const z = a * x[i] + b;
      const v = exp(-Math.abs(z));
      const q = y[i] * z < 0 ? v / (1 + v) : 1 / (1 + v);
      g[i] = y[i] * (q - share[y[i]]);
      h[i] = v / ((1 + v) * (1 + v));
    }
    return [g, h];
  };
  let [a, b, last] = [0, 0, null];
  for (let time = 0; time < 1000; time++) {
    const [g, h] = slopes(a, b);
    let [M, G, hx] = [0, 0, 0];
    for (let i = 0; i < n; i++) [M, G, hx] = [M + h[i], G + g[i], hx + h[i] * x[i]];
    const m = hx / M;
    let [T, S] = [0, 0];
    for (let i = 0; i < n; i++) {
      const d = x[i] - m;
      [T, S] = [T + g[i] * d, S + h[i] * d * d];
    }
    const da = S === 0 ? 0 : -(T / S);
    const db = -(G / M) - da * m;
    const fall = (G * G) / M - T * da;
    const change = max(Math.abs(da * least + db), Math.abs(da * most + db));
    if (last !== null && 4 * fall >= last) break;
    let step = 1;
    if (change > 1 / 2) {
      const sure = 2 / (2 + change);
      for (;;) {
        if (step <= sure) {
          step = sure;
          break;
        }
        const [next] = slopes(a + step * da, b + step * db);
        let [gx, total] = [0, 0];
        for (let i = 0; i < n; i++) [gx, total] = [gx + next[i] * x[i], total + next[i]];
        if (!(da * gx + db * total > 0)) break;
        step /= 2;
      }
    }
    a += step * da;
    b += step * db;
    last = change <= 1 / 2 ? fall : null;
  }
  const A = scaled(a, -e);
  if (!Number.isFinite(A)) throw new Refusal("A is infinite");
  return { A, B: b - a * c };
}

function probability(A, B, f) {
  const z = A * f + B;
  const v = exp(-Math.abs(z));
  return z > 0 ? v / (1 + v) : 1 / (1 + v);
}

export const sigmoid = ({ A, B, decisions }) => ({ value: decisions.map((f) => probability(A, B, f)) });

// S12.3: elimination with row pivoting, the unknowns p and v, the equation of the sum last
export function couple(R) {
  const k = R.length;
  if (k === 2) return [R[0][1], R[1][0]];
  const rows = [];
  for (let i = 0; i < k; i++) {
    const row = new Array(k + 2).fill(0);
    for (let j = 0; j < k; j++) {
      if (j !== i) {
        row[j] = -R[j][i] * R[i][j];
        row[i] += R[j][i] * R[j][i];
      }
    }
    row[k] = 1;
    rows.push(row);
  }
  rows.push([...new Array(k).fill(1), 0, 1]);
  for (let c = 0; c <= k; c++) {
    let at = c;
    for (let s = c + 1; s <= k; s++) if (Math.abs(rows[s][c]) > Math.abs(rows[at][c])) at = s;
    [rows[c], rows[at]] = [rows[at], rows[c]];
    for (let s = c + 1; s <= k; s++) {
      const by = -(rows[s][c] / rows[c][c]);
      for (let j = 0; j <= k + 1; j++) rows[s][j] += by * rows[c][j];
    }
  }
  const p = new Array(k + 1).fill(0);
  for (let c = k; c >= 0; c--) {
    let total = 0;
    for (let j = c + 1; j <= k; j++) total += rows[c][j] * p[j];
    p[c] = (rows[c][k + 1] - total) / rows[c][c];
  }
  return p.slice(0, k).map((v) => (v < 0 ? 0 : v));
}

// S12.4
export function classProbabilities({ decisions, A, B, k }) {
  const R = Array.from({ length: k }, () => new Array(k).fill(0));
  let pair = 0;
  for (let i = 0; i < k; i++) {
    for (let j = i + 1; j < k; j++) {
      const p = Math.min(Math.max(probability(A[pair], B[pair], decisions[pair]), 1e-7), 1 - 1e-7);
      R[i][j] = p;
      R[j][i] = 1 - p;
      pair += 1;
    }
  }
  return couple(R);
}

// S12.5
export function laplaceScale(residuals) {
  const e = exponentOfLargest(residuals);
  const sizes = residuals.map((v) => Math.abs(scaled(v, -e)));
  const meanOf = (values) => {
    let total = 0;
    for (const v of values) total += v;
    return total / values.length;
  };
  const s = meanOf(sizes);
  if (s === 0) return 0;
  return scaled(meanOf(sizes.filter((v) => !((v / s) * (v / s) > 50))), e);
}
