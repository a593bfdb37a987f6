// S30.5: variables and the machine made of them in exact arithmetic, of the rows as given.

import { bestLam } from "./best_offset.mjs";
import { evaluate, usualCoefficients } from "./exact_kernels.mjs";
import { Exact, exactSum, isInfinite, least, most, order, ZERO } from "./numbers.mjs";
import { exactDot } from "./problem.mjs";
import { impossibleGroup, netOf } from "./program.mjs";
import { lamOfOffsets } from "./unit.mjs";

const MAX_PRODUCTS = 2 ** 12;
const MAX_LOOKED_AT = 2 ** 6;

const isExact = ({ name }) => name === "precomputed" || name === "spectrum";

const hasRationalValues = (kernel) => isExact(kernel) || usualCoefficients(kernel) !== null;

export function isSmall({ n, isLinear, kernel, width }, beta) {
  const support = isLinear ? 1 : beta.reduce((count, v) => count + (v !== 0), 0);
  return n * support * Math.max(1, width) <= MAX_PRODUCTS && hasRationalValues(kernel);
}

// Few numbers, of 12 binary digits at most
export function isShort({ n, X, kernel, width }) {
  if (n * Math.max(1, width) > MAX_LOOKED_AT) return false;
  const isShortRow = (row) => typeof row === "string" || row.every(hasFewDigits);
  return X.every(isShortRow) && hasRationalValues(kernel);
}

function hasFewDigits(v) {
  let { n } = Exact.of(v);
  if (n < 0n) n = -n;
  while (n && !(n & 1n)) n >>= 1n;
  return n < 4096n;
}

export class ExactAnswer {
  // net: the coefficients that are kept, doubles; w: what a linear machine keeps
  constructor(problem, program, beta, net, w = null) {
    Object.assign(this, { problem, program });
    this.scale = problem.form === "ball" ? 2 : 1;
    this.beta = Array.from(beta, Exact.of);
    this.own = this.netOf(this.beta);
    this.scores = this.scoresOf(this.own);
    this.w2 = product(this.own, this.scores);
    const kept = net.map(Exact.of);
    [this.keptScores, this.keptW2] = [this.scores, this.w2];
    if (w) [this.keptScores, this.keptW2] = [problem.X.map((row) => exactDot(w, row)), exactDot(w, w)];
    else if (!isSame(kept, this.own)) [this.keptScores, this.keptW2] = this.scored(kept);
    this.target = program.of.map((i, k) => this.targetOf(i, k));
    this.r = this.beta.map((b, k) => this.target[k].minus(this.scores[program.of[k]]).minus(this.ridge(k).times(b)));
  }

  netOf(beta) {
    const net = new Array(this.problem.n).fill(ZERO);
    this.program.of.forEach((i, k) => (net[i] = net[i].plus(beta[k])));
    return net;
  }

  scored(net) {
    const scores = this.scoresOf(net);
    return [scores, product(net, scores)];
  }

  scoresOf(net) {
    const { problem } = this;
    if (problem.isLinear) {
      const w = problem.X[0].map((_, j) => net.reduce((sum, c, i) => sum.plus(c.times(problem.X[i][j])), ZERO));
      return problem.X.map((row) => row.reduce((sum, v, j) => sum.plus(w[j].times(v)), ZERO));
    }
    return problem.all.map((i) => net.reduce((sum, c, j) => (c.n ? sum.plus(c.times(this.value(j, i))) : sum), ZERO));
  }

  value(i, j) {
    const { kernel, X, K } = this.problem;
    if (isExact(kernel)) return Exact.of(K[i][j]);
    return evaluate(usualCoefficients(kernel), exactDot(X[i], X[j]));
  }

  targetOf(i, k) {
    const { form, y, epsilon, n } = this.problem;
    if (form === "regression") return Exact.of(y[i]).plus(k < n ? Exact.of(epsilon).negated() : epsilon);
    return form === "ball" ? this.value(i, i).over(2) : Exact.of(this.program.target[k]);
  }

  ridge(k) {
    const { isSquared, C } = this.problem;
    const c = isSquared ? C[this.program.of[k]] : Infinity;
    return c === Infinity ? ZERO : Exact.of(1).over(c);
  }

  // Of feasible multipliers; -Infinity where there are none
  get dual() {
    if (impossibleGroup(this.program) >= 0) return -Infinity;
    const beta = this.isFeasible(this.beta) ? this.beta : this.repaired();
    if (beta === this.beta) {
      const doubled = product(beta, this.target.map((t, k) => t.plus(this.r[k])));
      return doubled.times(this.scale).over(2);
    }
    const [, w2] = this.scored(this.netOf(beta));
    const ofRidge = beta.reduce((sum, b, k) => sum.plus(this.ridge(k).times(b).times(b)), ZERO);
    return product(beta, this.target).minus(w2.plus(ofRidge).over(2)).times(this.scale);
  }

  isFeasible(beta) {
    const { lower, upper } = this.program;
    return this.surpluses(beta).every((v) => !v.n) && beta.every((b, k) => order(b, lower[k]) >= 0 && order(b, upper[k]) <= 0);
  }

  surpluses(beta) {
    return this.program.sums.map((s, g) => exactSum(this.members(g).map((k) => beta[k])).minus(s));
  }

  members(g) {
    const { group } = this.program;
    return [...this.program.of.keys()].filter((k) => group[k] === g);
  }

  // The nearest feasible variables, made of the multipliers
  repaired() {
    const { lower, upper, groups, sums } = this.program;
    const x = this.variablesOf(this.netOf(this.beta)).map((b, k) => least([most([b, lower[k]]), upper[k]])).map(Exact.of);
    for (let g = 0; g < groups; g++) {
      const members = this.members(g);
      const much = exactSum(members.map((k) => x[k])).minus(sums[g]);
      if (!much.n) continue;
      const side = members.filter((k) => x[k].sign() * much.sign() > 0);
      const size = exactSum(side.map((k) => x[k]));
      if (size.absolute().compare(much.absolute()) >= 0) {
        for (const k of side) x[k] = x[k].times(Exact.of(1).minus(much.over(size)));
      } else {
        fill(x, much.sign() < 0 ? upper : lower, members, much.negated());
      }
    }
    return this.variablesOf(this.netOf(x));
  }

  // Of one coefficient an example
  variablesOf(net) {
    const { problem, program } = this;
    if (!program.isPaired) return program.of.map((i) => net[i]);
    const positive = net.map((v) => (v.sign() > 0 ? v : ZERO));
    const negative = net.map((v) => (v.sign() < 0 ? v : ZERO));
    if (problem.form === "nu_regression") {
      let missing = program.sums[0].minus(exactSum(positive));
      net.forEach((v, i) => {
        if (missing.sign() <= 0) return;
        const part = least([Exact.of(problem.C[i]).minus(v.absolute()), missing]);
        if (part.sign() <= 0) return;
        [positive[i], negative[i]] = [positive[i].plus(part), negative[i].minus(part)];
        missing = missing.minus(part);
      });
    }
    return [...positive, ...negative];
  }

  // With these offsets; without any, with the best
  primal(offsets) {
    const { problem, program, target } = this;
    const scores = program.of.map((i) => this.keptScores[i]);
    let lam;
    if (offsets === null) lam = bestLam(problem, program, target.map((t, k) => t.minus(scores[k])));
    else lam = program.group ? lamOfOffsets(problem.form, offsets, Exact.of(offsets.b ?? 0), this.keptW2) : [ZERO];
    const factor = this.factor(scores, lam);
    if (!factor) return Infinity;
    if (problem.form === "ball") lam = [this.lamOfAll(scores, lam[0])];
    let value = factor.times(factor).times(this.keptW2).over(2);
    program.sums.forEach((s, g) => (value = value.plus(s.times(lam[g]))));
    scores.forEach((s, k) => {
      const e = target[k].minus(factor.times(s.plus(lam[this.group(k)])));
      value = value.plus(this.loss(e, k));
    });
    return value.times(this.scale);
  }

  group(k) {
    return this.program.group ? this.program.group[k] : 0;
  }

  // Of (w, b), which keeps all margins that allow no slack; null where none does
  factor(scores, lam) {
    const { form, C, y } = this.problem;
    let factor = Exact.of(1);
    if (form !== "classification" || !C.some((c) => c === Infinity)) return factor;
    for (const [i, s] of scores.entries()) {
      if (C[i] !== Infinity) continue;
      const margin = s.plus(lam[0]).times(y[i]);
      if (factor.times(margin).compare(1) >= 0) continue;
      if (margin.sign() <= 0) return null;
      factor = Exact.of(1).over(margin);
    }
    return factor;
  }

  lamOfAll(scores, lam) {
    const must = scores.flatMap((s, k) => (this.program.upper[k] === Infinity ? [this.target[k].minus(s)] : []));
    return most([lam, ...must]);
  }

  loss(e, k) {
    const { isSquared, C } = this.problem;
    const limit = [this.program.lower[k], 0, this.program.upper[k]][e.sign() + 1];
    const c = isSquared ? C[this.program.of[k]] : Infinity;
    if (c !== Infinity && limit !== 0) return e.times(e).times(c).over(2);
    return isInfinite(limit) ? ZERO : e.times(limit);
  }

  gap(offsets) {
    const { dual } = this;
    const primal = this.primal(offsets);
    return isInfinite(dual) || isInfinite(primal) ? Infinity : primal.minus(dual);
  }
}

const product = (x, z) => x.reduce((sum, v, k) => (v.n ? sum.plus(v.times(z[k])) : sum), ZERO);

const isSame = (x, z) => x.every((v, k) => v.compare(z[k]) === 0);

// Add to some what their sum is missing, on the way to their ends
function fill(x, ends, members, missing) {
  for (const some of [members.filter((k) => x[k].n), members]) {
    if (some.some((k) => isInfinite(ends[k]))) {
      for (const k of some) x[k] = x[k].plus(missing.over(some.length));
      return;
    }
    const room = exactSum(some.map((k) => Exact.of(ends[k]).minus(x[k]))).absolute();
    if (room.compare(missing.absolute()) >= 0) {
      const part = room.n ? missing.absolute().over(room) : ZERO;
      for (const k of some) x[k] = x[k].plus(Exact.of(ends[k]).minus(x[k]).times(part));
      return;
    }
  }
}
