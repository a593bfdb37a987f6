// An SVM in exact arithmetic: a program for the audit, which must not accuse it of anything.
//
//     node exact_svm.js [FAULT]     reads and writes the lines of spec/standard/audit.md; a FAULT below
//
// The dual's conditions are a linear complementarity problem: w = M z + q, w, z >= 0, w z = 0, with
// z = (alpha, slacks, b+, b-). Lemke's method solves it on whole numbers, ties by lexicographic
// order; if it ends in a ray, no hard margin exists. A number is [m, e], which is m 2^e. Kernels
// with an exponential are taken to 2^-256. Beyond MOST examples SMO on doubles does, to 1e-10.
'use strict';
const fault = process.argv[2]; // first-three | over-12 | first-vector | half-gamma
const MOST = 14, P = 320n, ONE = 1n << P;

// ---- numbers
function dyadic(x) {
  if (typeof x !== 'number' || !Number.isFinite(x)) throw new Error(`${x} is no number`);
  let e = 0;
  for (; !Number.isInteger(x); e--) x *= 2;
  return [BigInt(x), e];
}
const mul = (a, b) => [a[0] * b[0], a[1] + b[1]];
const add = (a, b) => a[1] < b[1] ? add(b, a) : [(a[0] << BigInt(a[1] - b[1])) + b[0], b[1]];
const minus = a => [-a[0], a[1]];
const sum = numbers => numbers.reduce(add, [0n, 0]);
const scaled = (a, e) => a[0] << BigInt(a[1] - e); // a / 2^e, whole
const bits = a => 4 * a.toString(16).length;
function double([m, e], den = 1n) {
  const size = m < 0n ? -m : m, shift = 70 + bits(den) - bits(size);
  const q = shift > 0 ? (size << BigInt(shift)) / den : size / (den << BigInt(-shift));
  const half = (e - shift) >> 1;
  return (m < 0n ? -1 : 1) * Number(q) * 2 ** half * 2 ** (e - shift - half);
}

// ---- kernels
function exp(t) { // e^-t in units of 1 / ONE, t >= 0
  const up = t[1] + Number(P), x = up > 0 ? t[0] << BigInt(up) : t[0] >> BigInt(-up);
  if (x >> P > 255n) return 0n;
  let value = ONE, term = ONE;
  for (let i = 1n; term !== 0n; i++) value += term = -term * (x >> 8n) / ONE / i;
  for (let i = 0; i < 8; i++) value = value * value / ONE;
  return value;
}
const rounded = value => [value >> 64n, 64 - Number(P)];
function kernel({ name, degree, gamma, coef0 }) {
  const inner = (x, z) => sum(x.map((v, j) => mul(v, z[j])));
  const g = gamma === undefined ? null : dyadic(fault === 'half-gamma' ? gamma / 2 : gamma);
  const c = coef0 === undefined ? null : dyadic(coef0);
  const affine = (x, z) => add(mul(g, inner(x, z)), c);
  if (name === 'linear') return inner;
  if (name === 'precomputed') return (x, z, i) => z[i];
  if (name === 'polynomial' && Number.isInteger(degree) && degree >= 0 && g[0] > 0n)
    return (x, z) => Array(degree).fill(affine(x, z)).reduce(mul, [1n, 0]);
  if (name === 'gaussian' && g[0] > 0n) return (x, z) => {
    const apart = x.map((v, j) => add(v, minus(z[j])));
    return rounded(exp(mul(g, inner(apart, apart))));
  };
  if (name === 'sigmoid') return (x, z) => {
    const [m, e] = affine(x, z), E = exp([m < 0n ? -2n * m : 2n * m, e]);
    return rounded((m < 0n ? -1n : 1n) * (ONE - E) * ONE / (ONE + E));
  };
  throw new Error(`kernel ${name}: its name or a parameter is not known`);
}

// ---- Lemke's method: {z: numerators, det: their denominator}, or null if it ends in a ray
function lemke(M, q) {
  const m = q.length, z0 = 2 * m, last = z0 + 1;
  const unit = (row, i) => row.map((_, j) => i === j ? 1n : 0n);
  const T = M.map((row, i) => [...unit(row, i), ...row.map(v => -v), -1n, q[i]]);
  const basis = q.map((_, i) => i);
  let det = 1n, enter = z0;
  const smaller = (i, k) => { // whether row i leaves before row k
    const a = enter === z0 ? 1n : T[i][enter], b = enter === z0 ? 1n : T[k][enter];
    for (const j of [last, ...q.keys()])
      if (T[i][j] * b !== T[k][j] * a) return T[i][j] * b < T[k][j] * a;
    return false;
  };
  while (basis.includes(z0) || enter === z0) {
    let r = -1;
    for (let i = 0; i < m; i++)
      if ((enter === z0 || T[i][enter] > 0n) && (r < 0 || smaller(i, r))) r = i;
    if (r < 0) return null;
    if (enter === z0) T[r] = T[r].map(v => -v);
    const row = T[r], p = row[enter];
    for (let i = 0; i < m; i++) {
      const by = T[i][enter];
      if (i !== r) T[i] = T[i].map((v, j) => (v * p - by * row[j]) / det);
    }
    det = p;
    const left = basis[r];
    basis[r] = enter;
    enter = left === z0 ? -1 : left < m ? left + m : left - m;
  }
  const z = Array(m).fill(0n);
  basis.forEach((v, i) => { if (v >= m) z[v - m] = T[i][last]; });
  return { z, det };
}

// M and q, each row multiplied until it is whole: margins less 1, C - alpha, and the equation twice.
function conditions(K, y, C, bias, squared) {
  const n = y.length, numbers = [...y.keys()], M = [], q = [];
  const boxed = squared ? [] : numbers.filter(i => C[i] !== Infinity);
  const size = n + boxed.length + (bias ? 2 : 0), least = Math.min(0, ...K.flat().map(k => k[1]));
  const zeros = () => Array(size).fill(0n);
  for (const i of numbers) {
    const curved = squared && C[i] !== Infinity; // then alpha_i / C_i is added, and C_i is a factor
    const [m, e] = curved ? dyadic(C[i]) : [1n, 0], down = Math.min(0, -e) + least;
    const unit = m << BigInt(least - down), one = unit << BigInt(-least), row = zeros();
    numbers.forEach(j => { row[j] = scaled(K[i][j], least) * unit * BigInt(y[i] * y[j]); });
    if (curved) row[i] += 1n << BigInt(-e - down);
    if (boxed.includes(i)) row[n + boxed.indexOf(i)] = one;
    if (bias) [row[size - 2], row[size - 1]] = [one * BigInt(y[i]), -one * BigInt(y[i])];
    M.push(row);
    q.push(-one);
  }
  for (const i of boxed) {
    const row = zeros(), [m, e] = dyadic(C[i]), down = Math.min(0, e);
    row[i] = -(1n << BigInt(-down));
    M.push(row);
    q.push(scaled([m, e], down));
  }
  for (const sign of bias ? [-1, 1] : []) {
    M.push([...y.map(v => BigInt(sign * v)), ...Array(size - n).fill(0n)]);
    q.push(0n);
  }
  return [M, q];
}

function exact(K, y, C, bias, squared) {
  const found = lemke(...conditions(K, y, C, bias, squared));
  if (!found) return null;
  const [above, below] = bias ? found.z.slice(-2) : [0n, 0n];
  return { beta: y.map((v, i) => BigInt(v) * found.z[i]), b: above - below, det: found.det };
}

// ---- many examples: SMO with second-order pairs, on doubles
function smo(K, y, C, bias, squared) {
  const n = y.length, alpha = Array(n).fill(0), s = Array(n).fill(0);
  const k = K.map((row, i) => row.map((v, j) => double(v) + (squared && i === j ? 1 / C[i] : 0)));
  const most = C.map(c => squared ? Infinity : c);
  let up, low;
  for (let steps = 0; steps < 3e6; steps++) {
    const e = i => y[i] - s[i];
    const ups = [...y.keys()].filter(i => y[i] > 0 ? alpha[i] < most[i] : alpha[i] > 0);
    const lows = [...y.keys()].filter(i => y[i] > 0 ? alpha[i] > 0 : alpha[i] < most[i]);
    const best = (list, f) => list.reduce((a, i) => f(i) > f(a) ? i : a, list[0]);
    let i = best(ups, e), j = -1, step;
    if (bias) {
      up = e(i), low = e(best(lows, t => -e(t)));
      if (up - low < 1e-10) break;
      const curve = t => k[i][i] + k[t][t] - 2 * k[i][t];
      j = best(lows.filter(t => e(t) < e(i)), t => (e(i) - e(t)) ** 2 / Math.max(curve(t), 1e-300));
      step = (e(i) - e(j)) / Math.max(curve(j), 1e-300);
      const room = (t, up) => (y[t] > 0) === up ? most[t] - alpha[t] : alpha[t];
      step = Math.min(step, room(i, true), room(j, false));
    } else {
      const down = best(lows, t => -e(t));
      if (Math.max(e(i) || 0, -e(down) || 0) < 1e-10) break;
      i = !(e(i) > -e(down)) ? down : i;
      step = e(i) / k[i][i];
      const [a, c] = y[i] > 0 ? [-alpha[i], most[i] - alpha[i]] : [alpha[i] - most[i], alpha[i]];
      step = Math.min(Math.max(step, a), c);
    }
    alpha[i] += y[i] * step;
    if (j >= 0) alpha[j] -= y[j] * step;
    for (let t = 0; t < n; t++) s[t] += step * (k[i][t] - (j >= 0 ? k[j][t] : 0));
  }
  const b = bias ? dyadic((up + low) / 2) : [0n, 0], betas = alpha.map((a, i) => dyadic(a * y[i]));
  const least = Math.min(b[1], ...betas.map(v => v[1]));
  return { beta: betas.map(v => scaled(v, least) << 0n), b: scaled(b, least), det: 1n, e: least };
}

// ---- the lines
function check(condition, words) { if (!condition) throw new Error(words); }
function checked({ X, y, C, kernel: { name }, slack = 'hinge' }) {
  const n = y.length, classes = new Set(y);
  check(n === X.length && n === C.length, 'as many rows, labels and penalties are needed');
  check(y.every(v => v === 1 || v === -1) && classes.size === 2, 'labels -1 and 1 are needed');
  check(C.every(c => c > 0), 'each C must be positive');
  check(['hinge', 'squared'].includes(slack), 'slack must be hinge or squared');
  check(X.every(x => x.length === X[0].length && x.length > 0), 'rows of one length are needed');
  check(name !== 'precomputed' || X[0].length === n, 'a square matrix is needed');
}

function answer(asked) {
  checked(asked);
  const { X, y, C, bias = true, slack, rows } = asked, n = y.length, { name } = asked.kernel;
  const cut = x => fault === 'first-three' && name !== 'precomputed' ? x.slice(0, 3) : x;
  const k = kernel(asked.kernel), points = X.map(x => cut(x).map(dyadic));
  const K = points.map(x => points.map((z, i) => k(z, x, i)));
  const same = (a, b) => add(a, minus(b))[0] === 0n;
  check(K.every((row, i) => row.every((v, j) => same(v, K[j][i]))), 'K must be symmetric');
  const found = (n > MOST ? smo : exact)(K, y, C, bias, slack === 'squared');
  if (!found) return { status: 'infeasible' };
  const beta = found.beta.map(v => [v, found.e || 0]); // times det, as b
  const total = values => sum(beta.map((v, i) => v[0] ? mul(v, values(i)) : [0n, 0]));
  let b = [found.b, found.e || 0];
  if (fault === 'first-vector') {
    const i = beta.findIndex(v => v[0] !== 0n);
    b = add([BigInt(y[i]) * found.det, 0], minus(total(j => K[i][j])));
  }
  const factor = fault === 'over-12' && n > 12 && name !== 'linear' ? 0.5 : 1;
  const f = x => double(add(total(i => k(points[i], x, i)), b), found.det);
  return { decisions: rows.map(x => factor * f(cut(x).map(dyadic))), status: 'optimal' };
}

const NUMBERS = { nan: NaN, inf: Infinity, '-inf': -Infinity };
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const asked = JSON.parse(line, (key, value) => NUMBERS[value] ?? value);
  let said;
  try { said = answer(asked); } catch (error) { said = { refused: error.message }; }
  console.log(JSON.stringify(said));
});
