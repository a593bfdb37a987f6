// S31.4, what is told of Newton's method, and of the proximal point method.

import { Climb } from "./climb.mjs";
import { ExactAnswer, isSmall } from "./exact_answer.mjs";
import { told } from "./finish.mjs";
import { dot } from "./kernels.mjs";
import { Machine } from "./gap.mjs";
import { Exact, exactSum, most, up, ZERO } from "./numbers.mjs";
import { max } from "./problem.mjs";
import { netOf, programOf, variablesOf } from "./program.mjs";
import { residualsByW } from "./residuals.mjs";
import { above, normAbove, ofSum, TINY } from "./rounding.mjs";

const finite = (v) => (Number.isNaN(v) ? Infinity : v);

export function answerOfNewton(problem, point, g, gap, found, tol, steps) {
  const { X, C } = problem;
  const d = X[0].length;
  const q = (point.pushing ?? point.active).length;
  const [sides, largest] = [problem.isTube ? 2 : 1, problem.largestTarget];
  const n = sides * problem.n;
  let [mass, all, K, least] = [0, 0, 0, Infinity];
  for (const a of point.coefs) mass += Math.abs(a);
  for (const c of C) [all, least] = [all + c, Math.min(least, c)];
  all *= sides;
  for (const row of X) K = max(K, dot(row, row));
  const W = normAbove(point.w);
  const R = above(Math.sqrt(K + d * TINY), d + 4);
  const E = max(above(ofSum(d + 4, largest + W * R) + d * TINY + TINY / least, 4), 2 ** -500);
  const a = above(normAbove(g) + ofSum(q + 2, W + R * mass) + q * d * TINY, 4);
  let [off, part] = [E * mass + E * E * all, (E * E * all) / 2];
  if (!problem.isSquared) {
    const shares = max(point.shares, 0);
    off = E * all;
    part = shares + 2 * off + ofSum(n + 8, 2 * point.P + shares);
  }
  const own = finite(above(part + n * TINY + (a * a) / 2, n + 16));
  const lost = finite(above(off + ofSum(n + d + 8, point.P) + (2 * n + d + 8) * TINY, n + 16));
  const violation = finite(above(point.apart ?? 0, 4) + 2 * above(E + a * R, 4));
  const alpha = problem.isTube ? point.coefs : point.coefs.map((c, i) => c * problem.y[i] + 0);
  const answer = { alpha, b: 0, b_low: 0, b_high: 0, objective: 0, gap: own, violation };
  Object.assign(answer, { iterations: steps, status: found, farkas: null });
  if (problem.isTube) answer.offsets = { b: { value: 0, low: 0, high: 0 } };
  const isSharp = found === "optimal" ? isWithin(own, tol, point.P, lost) : own / 2 <= gap && lost < Infinity;
  if (isSharp) {
    return { ...answer, objective: Exact.of(point.P).minus(lost).minus(own).roundedDown() };
  }
  return byExactSums(problem, point, answer, tol, lost);
}

function isWithin(gap, tol, P, lost) {
  if (![gap, P, lost].every(Number.isFinite)) return false;
  return Exact.of(gap).compare(most([Exact.of(P).minus(lost), ZERO]).times(tol)) <= 0; // no primal is negative
}

// With the exact sums, v, and residuals by w
function byExactSums(problem, point, answer, tol, lost) {
  const program = programOf(problem);
  const beta = variablesOf(problem, answer.alpha);
  const gap = gapOfW(problem, program, beta, point.w);
  const { status } = answer;
  const bounds = boundsOf(problem, program, beta, answer.iterations);
  const half = exactSum(point.w.map((v) => Exact.of(v).times(v))).times(0.5); // no primal is less
  const isPart = isWithin(gap, tol, point.P, lost) || (gap < Infinity && Exact.of(gap).compare(half.times(tol)) <= 0);
  const isProved = status !== "optimal" || isPart;
  return { ...answer, ...bounds, gap, status: isProved ? status : "precision" };
}

function gapOfW(problem, program, beta, w) {
  const net = netOf(problem, program, beta);
  if (isSmall(problem, beta)) return up(new ExactAnswer(problem, program, beta, net, w).gap(null));
  const ofV = residualsByW(problem, program, beta);
  const found = residualsByW(problem, program, beta, { w });
  const v = problem.roundedWeights(net);
  const wError = above(normAbove(w.map((a, j) => a - v[j])) + ofV.wError, 4);
  return new Machine(problem, program, beta, { ...found, wError }).most();
}

// objective, violation and ends of alpha, with residuals by v
function boundsOf(problem, program, beta, steps) {
  const climb = new Climb(program, beta);
  Object.assign(climb, { problem, tol: 0, steps, impossible: -1, error: 0 });
  climb.r = residualsByW(problem, program, beta).r;
  const { objective, violation, b_low: low, b_high: high, offsets } = told(climb, "max_iter");
  return { objective, violation, b_low: low, b_high: high, ...(offsets && { offsets }) };
}
