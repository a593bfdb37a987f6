// S2, the problem: its rows as they are solved on, its dual, w and offsets, and the conditions of optimality.

import { dot, gram } from "./kernels.mjs";
import { Exact, ZERO } from "./numbers.mjs";

export const min = (a, b) => (b < a ? b : a); // the first if they are equal
export const max = (a, b) => (b > a ? b : a);

export class Refusal extends Error {}

// S2.5: the lower median of each column, 0 where a difference would be rounded
function shiftOf(rows) {
  return rows[0].map((_, j) => {
    const column = rows.map((row) => row[j]);
    const c = [...column].sort((a, b) => a - b)[Math.floor((column.length - 1) / 2)];
    const exact = column.every((v) => v - c + c === v && v - (v - c) === c);
    return exact ? c + 0 : 0;
  });
}

export class Problem {
  constructor(document) {
    const isTube = document.form === "regression_without_offset";
    Object.assign(this, { form: "classification", bias: !isTube, slack: "hinge", isTube }, document);
    this.n = this.X.length;
    this.all = [...this.X.keys()];
    this.weights ||= this.X.map(() => 1);
    if (this.form !== "classification" && this.C !== undefined && !isTube) {
      const { C } = this;
      this.C = this.weights.map((w) => C * w);
    }
    this.isLinear = this.kernel.name === "linear";
    this.hasOffset = this.form !== "one_class" && this.bias;
    this.shift = this.isLinear && this.hasOffset ? shiftOf(this.X) : null;
    this.rows = this.shift ? this.X.map((row) => row.map((v, j) => v - this.shift[j])) : this.X;
    this.isSquared = this.slack === "squared";
    this.isHard = this.form === "classification" && this.C.some((c) => c === Infinity);
  }

  // The matrix of kernel values of the rows solved on, without a ridge
  get K() {
    this.matrix ||= gram(this.kernel, this.rows);
    return this.matrix;
  }

  // S2.4
  ridge(i) {
    return this.isSquared ? 1 / this.C[i] : 0;
  }

  // S31.1: between which numbers a score costs nothing
  get ends() {
    if (this.isTube) return this.y.map((v) => [v - this.epsilon, v + this.epsilon]);
    return this.y.map((v) => (v > 0 ? [1, Infinity] : [-Infinity, -1]));
  }

  get largestTarget() {
    return this.isTube ? this.ends.flat().map(Math.abs).reduce(max) : 1;
  }

  // The multiplier of a row in w
  beta(alpha) {
    return this.form === "classification" || this.form === "nu" ? alpha.map((a, i) => a * this.y[i]) : [...alpha];
  }

  // Numbers in a row
  get width() {
    return typeof this.X[0] === "string" ? 0 : this.X[0].length;
  }

  // S2.5, point 2: of the caller's rows, each number rounded once
  roundedWeights(beta) {
    return this.exactWeights(beta).map((v) => v.toDouble());
  }

  exactWeights(beta, rows = this.X) {
    const w = rows[0].map(() => ZERO);
    rows.forEach((row, i) => {
      if (!beta[i]) return;
      const b = Exact.of(beta[i]);
      row.forEach((v, j) => {
        if (v) w[j] = w[j].plus(b.times(v));
      });
    });
    return w;
  }

  // S2.6, point 1: the w of the scores, of the ball that of the rows solved on
  weightsOfScores(beta) {
    return this.form === "ball" ? this.exactWeights(beta, this.rows).map((v) => v.toDouble()) : this.roundedWeights(beta);
  }

  get isShifted() {
    return this.shift !== null && this.shift.some((c) => c !== 0);
  }

  // S2.5, point 3: what b has more on the rows solved on, exactly
  movedBy(w) {
    return this.isShifted && this.form !== "ball" ? exactDot(w, this.shift) : ZERO;
  }

  // From the rows solved on to the caller's, and the reverse
  back(b, w) {
    return this.isShifted && Number.isFinite(b) ? Exact.of(b).minus(this.movedBy(w)).toDouble() : b;
  }

  there(b, w) {
    return this.isShifted ? Exact.of(b).plus(this.movedBy(w)).toDouble() : b;
  }

  // S2.6, point 1
  scores(beta, w) {
    if (this.isLinear) return this.rows.map((row) => dot(w, row));
    const s = new Array(this.n).fill(0);
    for (let j = 0; j < this.n; j++) {
      if (beta[j]) for (let i = 0; i < this.n; i++) s[i] += beta[j] * this.K[j][i];
    }
    return s;
  }

  upperBound(i) {
    return this.isSquared ? Infinity : this.C[i];
  }
}

export function exactDot(x, z) {
  let total = ZERO;
  x.forEach((v, j) => {
    if (v && z[j]) total = total.plus(Exact.of(v).times(z[j]));
  });
  return total;
}

// S30.11: where the sum is beyond the doubles, the sum of the halves
export function middle(a, b) {
  const sum = a + b;
  return Number.isFinite(sum) || !Number.isFinite(a) || !Number.isFinite(b) ? sum / 2 : a / 2 + b / 2;
}

// An offset from m to M: the middle, or the end that is finite
function between(m, M) {
  if (Number.isFinite(m) && Number.isFinite(M)) return middle(m, M);
  return Number.isFinite(m) ? m : Number.isFinite(M) ? M : 0;
}

const SHORT = "margin >= 1 where alpha < C";
const LONG = "margin <= 1 where alpha > 0";

// S2.7
export function kkt({ problem: document, alpha, b: given }) {
  const problem = new Problem(document);
  const { y, n } = problem;
  const beta = problem.beta(alpha);
  const w = problem.isLinear ? problem.roundedWeights(beta) : null;
  const s = problem.scores(beta, w);
  const r = y.map((label, i) => label - (s[i] + problem.ridge(i) * beta[i]));
  let [m, M] = problem.bias ? [-Infinity, Infinity] : [0, 0];
  for (let i = 0; i < n; i++) {
    const canRise = alpha[i] < problem.upperBound(i);
    const canFall = alpha[i] > 0;
    if (y[i] > 0 ? canRise : canFall) m = max(m, r[i]);
    if (y[i] > 0 ? canFall : canRise) M = min(M, r[i]);
  }
  const middleOffset = problem.bias ? between(m, M) : 0;
  const b = given === null || given === undefined ? middleOffset : problem.there(given, w);
  const rows = alpha.map((a, index) => {
    const upper = problem.upperBound(index);
    const margin = y[index] * (s[index] + b);
    const off = y[index] * (r[index] - b);
    return {
      index,
      y: y[index],
      alpha: a,
      margin,
      slack: max(0, 1 - margin),
      below: max(0, -a),
      above: max(0, a - upper),
      short: a < upper ? max(0, off) : 0,
      long: a > 0 ? max(0, -off) : 0,
    };
  });
  const balance = beta.reduce((total, v) => total + v, 0);
  const sum = problem.bias ? Math.abs(balance) : 0;
  let worst = { amount: sum, condition: "sum alpha_i y_i = 0", index: null };
  for (const row of rows) {
    const broken = [
      [row.below, "alpha >= 0"],
      [row.above, "alpha <= C"],
      [row.short, SHORT],
      [row.long, LONG],
    ];
    for (const [amount, condition] of broken) {
      if (amount > worst.amount) worst = { amount, condition, index: row.index };
    }
  }
  return { m, M, b_low: problem.back(m, w), b_high: problem.back(M, w), worst, rows };
}
