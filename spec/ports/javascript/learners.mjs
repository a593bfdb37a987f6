// Learners that see one example after the other: the perceptron (chapter 2), LMS (S23), Pegasos (S29), and votes (S2.10).

import { dot, gram } from "./kernels.mjs";
import { Refusal } from "./problem.mjs";

// A rate that is too large
function refuseInfinite(numbers, t) {
  if (!numbers.every(Number.isFinite)) throw new Refusal(`step ${t + 1} leaves the range of doubles: the rate is too large`);
}

const zeros = (n) => new Array(n).fill(0);

// One loop for both forms of the perceptron: converged is whether since the last mistake every example was found right.
function untilRight(n, picks, marginOf, add) {
  const counts = zeros(n);
  let mistakes = 0;
  let right = new Set();
  for (const s of picks) {
    if (marginOf(s) > 0) {
      right.add(s);
    } else {
      add(s);
      counts[s] += 1;
      mistakes += 1;
      right = new Set();
    }
  }
  return { counts, mistakes, converged: right.size === n };
}

export function perceptron({ X, y, picks }) {
  const w = zeros(X[0].length);
  const run = untilRight(
    X.length,
    picks,
    (s) => y[s] * dot(w, X[s]),
    (s) => X[s].forEach((v, k) => (w[k] += y[s] * v)),
  );
  return { w, ...run };
}

export function kernelPerceptron({ kernel, X, y, picks }) {
  const K = gram(kernel, X);
  const counts = zeros(X.length);
  const score = (s) => {
    let total = 0;
    for (let i = 0; i < X.length; i++) if (counts[i]) total += counts[i] * y[i] * K[s][i];
    return total;
  };
  return untilRight(
    X.length,
    picks,
    (s) => y[s] * score(s),
    (s) => (counts[s] += 1),
  );
}

// S23.1: half the sum of squared errors, and a step against its gradient
export function lms({ X, y, rate, steps }) {
  const w = zeros(X[0].length);
  const losses = [];
  for (let t = 0; t < steps; t++) {
    const errors = X.map((x, i) => y[i] - dot(w, x));
    losses.push(dot(errors, errors) / 2);
    const gradient = zeros(w.length);
    X.forEach((x, i) => x.forEach((v, k) => (gradient[k] += errors[i] * v)));
    gradient.forEach((v, k) => (w[k] += rate * v));
    refuseInfinite(w, t);
  }
  return { w, losses };
}

export function stochasticLms({ X, y, rate, picks }) {
  const w = zeros(X[0].length);
  const losses = [];
  for (const s of picks) {
    const error = y[s] - dot(w, X[s]);
    losses.push((error * error) / 2);
    X[s].forEach((v, k) => (w[k] += rate * error * v));
    refuseInfinite(w, losses.length - 1);
  }
  return { w, losses };
}

// S23.2
export function kernelLms({ kernel, X, y, rate, steps }) {
  const K = gram(kernel, X);
  const beta = zeros(X.length);
  const losses = [];
  for (let t = 0; t < steps; t++) {
    const errors = y.map((v, i) => v - dot(beta, K[i]));
    losses.push(dot(errors, errors) / 2);
    errors.forEach((error, i) => (beta[i] += rate * error));
    refuseInfinite(beta, t);
  }
  return { beta, losses };
}

export function stochasticKernelLms({ kernel, X, y, rate, picks }) {
  const K = gram(kernel, X);
  const beta = zeros(X.length);
  const losses = [];
  for (const s of picks) {
    const error = y[s] - dot(beta, K[s]);
    losses.push((error * error) / 2);
    beta[s] += rate * error;
    refuseInfinite([beta[s]], losses.length - 1);
  }
  return { beta, losses };
}

// S29.4
export function pegasos({ X, y, lam, picks }) {
  const v = zeros(X[0].length);
  const late = zeros(v.length);
  const W = [zeros(v.length)];
  let H = 0;
  let t = 0;
  for (const s of picks) {
    t += 1;
    let g = 0;
    if (t > 1) {
      H += 1 / (t - 1);
      g = dot(v, X[s]) / (lam * (t - 1));
    }
    if (y[s] * g < 1) {
      X[s].forEach((x, k) => {
        const p = y[s] * x;
        v[k] += p;
        late[k] += H * p;
      });
    }
    W.push(v.map((value) => value / (lam * t)));
  }
  const average = v.map((value, k) => (0 - late[k] + value * H) / (lam * t));
  return { w: W[W.length - 1], average, W };
}

// S29.7
export function kernelPegasos({ kernel, X, y, lam, picks }) {
  const K = gram(kernel, X);
  const counts = zeros(X.length);
  const late = zeros(X.length);
  let H = 0;
  let t = 0;
  for (const s of picks) {
    t += 1;
    let g = 0;
    if (t > 1) {
      H += 1 / (t - 1);
      for (let i = 0; i < X.length; i++) if (counts[i]) g += counts[i] * y[i] * K[s][i];
      g /= lam * (t - 1);
    }
    if (y[s] * g < 1) {
      counts[s] += 1;
      late[s] += H;
    }
  }
  return { counts, average: counts.map((c, i) => c * H - late[i]), steps: t, lam };
}

// S2.10: a decision of each pair, above 0 for the earlier class. The scores are scikit-learn's "ovr".
export function votes({ decisions, k }) {
  const counts = zeros(k);
  const sums = zeros(k);
  let pair = 0;
  for (let p = 0; p < k; p++) {
    for (let q = p + 1; q < k; q++) {
      const f = decisions[pair++];
      counts[f > 0 ? p : q] += 1;
      sums[p] += f;
      sums[q] -= f;
    }
  }
  const scores = counts.map((count, c) => count + sums[c] / (3 * (Math.abs(sums[c]) + 1)));
  return { votes: counts, scores, place: counts.indexOf(Math.max(...counts)) };
}
