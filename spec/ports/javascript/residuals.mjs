// S30.4 and S30.5: residuals, how far they may be off, and residuals without rounding.

import { coefficients, degreeOf, evaluate } from "./exact_kernels.mjs";
import { grainOfValues, valueErrors } from "./kernel_errors.mjs";
import { dot } from "./kernels.mjs";
import { Exact, exactSum, ZERO } from "./numbers.mjs";
import { exactDot } from "./problem.mjs";
import { netOf } from "./program.mjs";
import { above, addsExactly, grain, ofSum, sumOfSizes, TINY } from "./rounding.mjs";

const LOST = 2 ** -517;
const SMALLEST = 2 ** -1013;

// What is told of multipliers: program as in program.mjs, beta one number for each variable, net one for each example.
export class Judge {
  constructor(problem, program, beta, net = netOf(problem, program, beta)) {
    Object.assign(this, { problem, program, beta, net });
    this.size = program.size;
    this.n = problem.n;
    const { roundings, sizes } = valueErrors(problem.kernel, problem.rows);
    this.roundings = roundings;
    this.sizes = sizes;
    this.used = beta.reduce((count, v) => count + (v !== 0), 0);
    this.hasCoefficient = net.some((v) => v !== 0);
    this.mass = sumOfSizes(beta);
    this.w = problem.isLinear ? problem.roundedWeights(this.net) : null;
    this.wThere = this.w; // for the rows solved on
    if (this.w && problem.form === "ball") this.wThere = this.exactWOfShifted().map((v) => v.toDouble());
    const size = (i) => (sizes ? sizes[i] : Math.abs(problem.K[i][i]));
    this.roots = program.of.map((i) => above(Math.sqrt(size(i) + program.ridge[i]), 4));
    this.reach = 0; // S
    beta.forEach((v, k) => (this.reach += this.roots[k] * Math.abs(v)));
  }

  ridge(k) {
    return this.program.ridge[this.program.of[k]];
  }

  // |target_k|, for the ball s_k / 2
  targetSize(k) {
    return this.problem.form === "ball" && this.sizes ? this.sizes[this.program.of[k]] / 2 : Math.abs(this.program.target[k]);
  }

  // Exact sums of groups less what they must be
  surpluses() {
    const { group, groups, sums } = this.program;
    if (!group) return [];
    return Array.from({ length: groups }, (_, g) =>
      exactSum(Array.from(this.beta).filter((_, k) => group[k] === g)).minus(sums[g]),
    );
  }

  // S30.4, by w
  wError(size, isExact = false) {
    const { problem, far } = this;
    if (!problem.isLinear) return 0;
    const surplus = far ? leftBy(this.totalSurplus(), 0) : 0;
    let length = 0;
    if (!isExact || surplus) length = this.hasCoefficient ? size + LOST : size;
    let error = ofSum(2, length) + above(surplus, 2) * far;
    if (problem.form === "ball") error += ofSum(2, far * this.mass); // also where nothing is rounded
    return Number.isNaN(error) ? Infinity : error;
  }

  totalSurplus() {
    let total = exactSum(this.net);
    if (this.problem.form === "ball") total = total.minus(1);
    return total;
  }

  // How far the rows are shifted
  get far() {
    const { shift } = this.problem;
    return shift ? above(Math.sqrt(dot(shift, shift)), shift.length + 2) : 0;
  }

  lengthOfW() {
    return Math.sqrt(dot(this.wThere, this.wThere));
  }

  // Residuals by w, S4.5
  residualsByW() {
    const { program, problem, beta } = this;
    return Float64Array.from(beta, (b, k) => {
      const s = dot(this.wThere, problem.rows[program.of[k]]);
      return program.target[k] - (s + this.ridge(k) * b);
    });
  }

  // Of each example, S2.6: by w, or in the order of the examples
  scores() {
    return this.problem.scores(this.net, this.wThere);
  }

  residualsOfScores(s) {
    const { program, beta } = this;
    return Float64Array.from(beta, (b, k) => program.target[k] - (s[program.of[k]] + this.ridge(k) * b));
  }

  // What |w|^2 / 2 may be off
  halfOfSquare(r, E, wError, w2) {
    if (wError === 0 && E.every((v) => v === 0) && Number.isFinite(w2)) {
      let exact = ZERO;
      this.beta.forEach((b, k) => (exact = exact.plus(Exact.of(this.program.target[k]).minus(r[k]).times(b))));
      return above(leftBy(exact.minus(w2).over(2), 0), 1);
    }
    let sum = 0;
    this.beta.forEach((v, k) => (sum += v ? Math.abs(v) * E[k] : 0));
    return above(sum + (ofSum(this.size + 4, this.reach * this.reach) + wError * wError), 8);
  }

  residualsAnew() {
    const { program, beta } = this;
    const r = Float64Array.from(program.target);
    const count = program.isPaired ? this.n : this.size;
    for (let j = 0; j < count; j++) {
      const b = program.isPaired ? beta[j] + beta[count + j] : beta[j];
      if (b === 0) continue;
      const row = program.row(j);
      for (let k = 0; k < this.size; k++) r[k] -= b * row[k];
    }
    return r;
  }

  // Of scores, and the ridge apart
  residualsApart() {
    const { program, problem } = this;
    const s = new Float64Array(this.n);
    this.net.forEach((b, j) => {
      if (b !== 0) for (let i = 0; i < this.n; i++) s[i] += b * problem.K[j][i];
    });
    return Float64Array.from(this.beta, (b, k) => program.target[k] - s[program.of[k]] - this.ridge(k) * b);
  }

  finishError(E) {
    return Number.isNaN(E) || E < SMALLEST ? Infinity : E;
  }

  errorsByW(wPart, { length = this.lengthOfW(), carried = 0 } = {}) {
    const brackets = this.bracketsByW(length);
    if (carried === 0 && this.addExactly(brackets)) return Float64Array.from(this.roots, (root) => above(0 + wPart * root, 4));
    return Float64Array.from(brackets, (bracket, k) =>
      this.finishError(above(ofSum(this.roundings + 5, bracket) + wPart * this.roots[k] + carried, 4)),
    );
  }

  bracketsByW(length = this.lengthOfW()) {
    const size = this.reach === 0 ? length : length + LOST;
    return Array.from(this.beta, (b, k) => size * this.roots[k] + this.ridge(k) * Math.abs(b) + this.targetSize(k));
  }

  errorsByKernel(carried) {
    return Float64Array.from(this.brackets(), (bracket) =>
      this.finishError(above(ofSum(this.roundings + 5 + this.used, bracket) + 0 + carried, 4)),
    );
  }

  // Of kernels that are not linear
  brackets() {
    const A = this.sizes ? null : this.sizesOfTerms();
    return Array.from(this.beta, (b, k) =>
      A ? A[k] + this.ridge(k) * Math.abs(b) + this.targetSize(k) : this.roots[k] * this.reach + this.targetSize(k),
    );
  }

  // Of residuals that no step carried
  errors(r) {
    if (this.problem.isLinear) return this.errorsByW(0);
    return this.sizes ? this.errorsByKernel(0) : this.errorsWithoutSizes(r);
  }

  // A_k of kernels without sizes
  sizesOfTerms() {
    const { program } = this;
    const A = new Float64Array(this.size);
    this.net.forEach((b, j) => {
      if (b === 0) return;
      const row = this.problem.K[j];
      for (let k = 0; k < this.size; k++) A[k] += Math.abs(b * row[program.of[k]]);
    });
    return A;
  }

  errorsWithoutSizes(r) {
    const again = this.residualsApart();
    return Float64Array.from(this.brackets(), (bracket, k) =>
      this.finishError(above(ofSum(this.roundings + 5 + this.used, bracket) + 0 + Math.abs(r[k] - again[k]), 4)),
    );
  }

  // S30.4: residuals anew and sums are exact
  nothingRounded() {
    return this.addExactly(this.brackets());
  }

  addExactly(brackets) {
    const { problem, program, beta } = this;
    if (this.values === undefined) this.values = grainOfValues(problem);
    if (this.values === null || !this.targetsAreExact()) return false;
    const own = grain(beta);
    const unit = Math.min(own * this.values, own * grain(program.ridge), grain(program.target));
    return addsExactly(Math.max(...brackets), unit);
  }

  // Whether targets and ridges are doubles as they stand
  targetsAreExact() {
    const { problem, program } = this;
    if (problem.isSquared && !problem.C.every((c) => c === Infinity || isPowerOfTwo(c))) return false;
    return Array.from(program.target).every((v, k) => this.exactTarget(k).compare(v) === 0);
  }

  exactTarget(k) {
    const { problem, program } = this;
    const i = this.program.of[k];
    switch (problem.form) {
      case "regression":
        return k < this.n ? Exact.of(problem.y[i]).minus(problem.epsilon) : Exact.of(problem.y[i]).plus(problem.epsilon);
      case "ball":
        return this.exactValue(i, i).over(2);
      default:
        return Exact.of(program.target[k]);
    }
  }

  exactRidge(i) {
    const { problem } = this;
    return problem.isSquared && problem.C[i] !== Infinity ? Exact.of(1).over(problem.C[i]) : ZERO;
  }

  polynomial() {
    if (this.formula === undefined) {
      const found = coefficients(this.problem.kernel);
      this.formula = found && degreeOf(found) <= 10 ? found : null;
    }
    return this.formula;
  }

  exactValue(i, j) {
    const { problem } = this;
    const formula = this.polynomial();
    if (!formula) return Exact.of(problem.K[i][j]);
    return evaluate(formula, exactDot(problem.rows[i], problem.rows[j]));
  }

  // S30.5: [the double nearest to the exact residual, its error]
  withoutRounding(k, wError) {
    const { exact, left } = this.exactResidual(k);
    const r = exact.toDouble();
    if (!Number.isFinite(r)) return null;
    const E = above(above(leftBy(exact, r), 1) + left + (wError && wError * this.roots[k]), 4);
    return [r, E === 0 ? TINY : E];
  }

  // The residual but for kernel values that are as computed, and what these leave
  exactResidual(k) {
    const { problem } = this;
    const i = this.program.of[k];
    let exact = this.exactTarget(k).minus(this.exactRidge(i).times(this.beta[k]));
    let left = 0;
    if (problem.isLinear) {
      this.exactW ||= this.exactWOfResiduals();
      let s = ZERO;
      problem.rows[i].forEach((v, j) => {
        if (v) s = s.plus(this.exactW[j].times(v));
      });
      exact = exact.minus(s);
    } else {
      this.net.forEach((b, j) => {
        if (b) exact = exact.minus(this.exactValue(i, j).times(b));
      });
      if (!this.polynomial()) left = this.left(k);
    }
    return { exact, left };
  }

  left(k) {
    const { roundings } = this;
    if (roundings === 0 || !this.hasCoefficient) return 0;
    const i = this.program.of[k];
    let size = 0;
    if (this.sizes) {
      let sum = 0;
      this.net.forEach((b, j) => (sum += Math.sqrt(this.sizes[j]) * Math.abs(b)));
      size = Math.sqrt(this.sizes[i]) * sum;
      if (this.problem.form === "ball") size += this.sizes[i] / 2;
    } else {
      size = this.sizesOfTerms()[k];
    }
    return ofSum(roundings, size) + roundings * TINY;
  }

  // S30.5: of the rows as given; the ball's c less the shift, once
  exactWOfResiduals() {
    const w = this.problem.exactWeights(this.net);
    return this.problem.form === "ball" ? w.map((v, j) => v.minus(this.problem.shift[j])) : w;
  }

  // Of the rows solved on
  exactWOfShifted() {
    const w = this.problem.exactWeights(this.net);
    if (this.problem.form !== "ball") return w;
    const total = exactSum(this.net);
    return w.map((v, j) => v.minus(total.times(this.problem.shift[j])));
  }
}

// What rounding leaves: the double nearest to its size, tiny if that is 0 although something is left
export function leftBy(exact, rounded) {
  const left = exact.minus(rounded).absolute();
  return left.n ? left.toDouble() || TINY : 0;
}

function isPowerOfTwo(c) {
  const { n } = Exact.of(c);
  let whole = n;
  while (!(whole & 1n)) whole >>= 1n;
  return whole === 1n;
}

