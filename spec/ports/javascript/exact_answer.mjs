// S30.5: variables, and the machine made of them, in exact arithmetic, of the rows as given.

import { bestLam } from "./best_offset.mjs";
import { evaluate, hasOwnValues, usualCoefficients } from "./exact_kernels.mjs";
import { bitLength, Exact, exactSum, isInfinite, least, most, order, ZERO } from "./numbers.mjs";
import { exactDot } from "./problem.mjs";
import { impossibleGroup } from "./program.mjs";
import { lamOfOffsets } from "./unit.mjs";

const MAX_PRODUCTS = 2 ** 12;
const MAX_LOOKED_AT = 2 ** 6;
const ONE = Exact.of(1);

const hasRationalValues = (kernel) => hasOwnValues(kernel) || usualCoefficients(kernel) !== null;

export function isSmall({ n, isLinear, kernel, width }, beta) {
  const support = isLinear ? 1 : beta.reduce((count, v) => count + (v !== 0), 0);
  return n * support * Math.max(1, width) <= MAX_PRODUCTS && hasRationalValues(kernel);
}

// Few numbers, of 12 binary digits at most
export function isShort({ n, X, kernel, width }) {
  if (n * Math.max(1, width) > MAX_LOOKED_AT) return false;
  return X.every((row) => typeof row === "string" || row.every(hasFewDigits)) && hasRationalValues(kernel);
}

function hasFewDigits(v) {
  const { n } = Exact.of(v);
  return !n || bitLength(n) - bitLength(n & -n) < 12;
}

export class ExactAnswer {
  // net: the coefficients that are kept; w: what a linear machine keeps
  constructor(problem, program, beta, net, w = null) {
    Object.assign(this, { problem, program, formula: usualCoefficients(problem.kernel) });
    this.beta = Array.from(beta, Exact.of);
    this.own = this.netOf(this.beta);
    [this.scores, this.w2] = this.scored(this.own);
    if (w) [this.keptScores, this.keptW2] = [problem.X.map((row) => exactDot(row, w)), exactDot(w, w)];
    else [this.keptScores, this.keptW2] = this.scored(net.map(Exact.of));
    this.target = program.of.map((i, k) => this.targetOf(i, k));
    this.ridge = program.soft.map((C) => (C === Infinity ? ZERO : ONE.over(C)));
    this.r = this.beta.map((b, k) => this.target[k].minus(this.scores[program.of[k]]).minus(this.ridge[k].times(b)));
    this.dual = this.dualOf(this.isFeasible() ? this.beta : this.nearestFeasible());
  }

  netOf(beta) {
    const net = new Array(this.problem.n).fill(ZERO);
    this.program.of.forEach((i, k) => (net[i] = net[i].plus(beta[k])));
    return net;
  }

  // The scores of these coefficients, and |w|^2
  scored(net) {
    if (this.w2 && net.every((c, i) => c.compare(this.own[i]) === 0)) return [this.scores, this.w2];
    const scores = this.scoresOf(net);
    return [scores, product(net, scores)];
  }

  scoresOf(net) {
    const { problem } = this;
    if (problem.isLinear) {
      const w = problem.exactWeights(net);
      return problem.X.map((row) => exactDot(row, w));
    }
    const support = problem.all.filter((j) => net[j].n);
    return problem.all.map((i) => support.reduce((sum, j) => sum.plus(net[j].times(this.value(i, j))), ZERO));
  }

  value(i, j) {
    const { X, K } = this.problem;
    return this.formula ? evaluate(this.formula, exactDot(X[i], X[j])) : Exact.of(K[i][j]);
  }

  targetOf(i, k) {
    const { form, y, epsilon, n } = this.problem;
    if (/^regression/.test(form)) return Exact.of(y[i]).plus(k < n ? -epsilon : epsilon);
    return form === "ball" ? this.value(i, i).over(2) : Exact.of(this.program.target[k]);
  }

  isFeasible() {
    const { lower, upper, sums, members } = this.program;
    const isInside = (b, k) => order(b, lower[k]) >= 0 && order(b, upper[k]) <= 0;
    return sums.every((s, g) => sumOf(this.beta, members[g]).compare(s) === 0) && this.beta.every(isInside);
  }

  // Variables near those of the multipliers; null where none are feasible
  nearestFeasible() {
    const { lower, upper, members, sums } = this.program;
    if (impossibleGroup(this.program) >= 0) return null;
    const x = this.variablesOf(this.own).map((b, k) => Exact.of(least([most([b, lower[k]]), upper[k]])));
    members.forEach((some, g) => {
      const much = sumOf(x, some).minus(sums[g]);
      if (!much.n) return;
      const side = some.filter((k) => x[k].sign() === much.sign());
      const size = sumOf(x, side);
      const factor = size.n ? ONE.minus(much.over(size)) : ZERO.minus(1);
      if (factor.sign() < 0) fill(x, much.sign() < 0 ? upper : lower, some, much.negated());
      else for (const k of side) x[k] = x[k].times(factor);
    });
    return this.variablesOf(this.netOf(x));
  }

  // Of one coefficient an example
  variablesOf(net) {
    const { problem, program } = this;
    if (!program.isPaired) return program.of.map((i) => net[i]);
    const positive = net.map((v) => most([v, ZERO]));
    const negative = net.map((v) => least([v, ZERO]));
    let missing = problem.form === "nu_regression" ? program.sums[0].minus(exactSum(positive)) : ZERO;
    net.forEach((v, i) => {
      const part = least([Exact.of(problem.C[i]).minus(v.absolute()), missing]);
      if (part.sign() <= 0) return;
      [positive[i], negative[i], missing] = [positive[i].plus(part), negative[i].minus(part), missing.minus(part)];
    });
    return [...positive, ...negative];
  }

  dualOf(beta) {
    if (beta === null) return -Infinity;
    const [, w2] = this.scored(this.netOf(beta));
    const squares = product(beta, beta.map((b, k) => b.times(this.ridge[k])));
    return product(beta, this.target).minus(w2.plus(squares).over(2)).times(this.program.scale);
  }

  // With these offsets; without any, with the best
  primal(offsets) {
    const { problem, program, target } = this;
    const scores = program.of.map((i) => this.keptScores[i]);
    let lam;
    if (offsets === null) lam = bestLam(problem, program, target.map((t, k) => t.minus(scores[k])));
    else lam = lamOfOffsets(problem, offsets, ZERO, this.keptW2);
    const factor = this.factor(scores, lam[0]);
    if (!factor) return Infinity;
    if (problem.form === "ball") lam = [this.lamOfAll(scores, lam[0])];
    let value = factor.times(factor).times(this.keptW2).over(2);
    program.sums.forEach((s, g) => (value = value.plus(s.times(lam[g]))));
    scores.forEach((s, k) => {
      const v = lam[program.group ? program.group[k] : 0];
      value = value.plus(this.loss(target[k].minus(factor.times(s.plus(v))), k));
    });
    return value.times(program.scale);
  }

  // Of (w, b), which keeps all margins that allow no slack; null where none does
  factor(scores, b) {
    const { isHard, C, y } = this.problem;
    const margins = isHard ? scores.map((s, i) => s.plus(b).times(y[i])).filter((_, i) => C[i] === Infinity) : [];
    const worst = least([ONE, ...margins]);
    return worst.sign() > 0 ? ONE.over(worst) : null;
  }

  lamOfAll(scores, lam) {
    const must = scores.map((s, k) => this.target[k].minus(s)).filter((_, k) => this.program.upper[k] === Infinity);
    return most([lam, ...must]);
  }

  loss(e, k) {
    const { lower, upper, soft } = this.program;
    const limit = [lower[k], 0, upper[k]][e.sign() + 1];
    if (soft[k] !== Infinity && limit !== 0) return e.times(e).times(soft[k]).over(2);
    return isInfinite(limit) ? ZERO : e.times(limit);
  }

  gap(offsets) {
    const primal = this.primal(offsets);
    return isInfinite(this.dual) || isInfinite(primal) ? Infinity : primal.minus(this.dual);
  }
}

const product = (x, z) => x.reduce((sum, v, k) => (v.n ? sum.plus(v.times(z[k])) : sum), ZERO);

const sumOf = (x, some) => exactSum(some.map((k) => x[k]));

// Adds to some what their sum is missing, on the way to their ends
function fill(x, ends, members, missing) {
  for (const some of [members.filter((k) => x[k].n), members]) {
    const isOpen = some.some((k) => isInfinite(ends[k]));
    const ways = some.map((k) => (isOpen ? ONE : Exact.of(ends[k]).minus(x[k])));
    const room = exactSum(ways).absolute();
    if (!room.n || (!isOpen && room.compare(missing.absolute()) < 0)) continue;
    const part = (isOpen ? missing : missing.absolute()).over(room);
    some.forEach((k, place) => (x[k] = x[k].plus(ways[place].times(part))));
    return;
  }
}
