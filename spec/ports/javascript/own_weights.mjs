// S31.4, what is told of Newton's method.

import { Climb } from "./climb.mjs";
import { ExactAnswer, isSmall } from "./exact_answer.mjs";
import { told } from "./finish.mjs";
import { dot } from "./kernels.mjs";
import { Machine } from "./gap.mjs";
import { Exact, up } from "./numbers.mjs";
import { max } from "./problem.mjs";
import { programOf } from "./program.mjs";
import { residualsByW } from "./residuals.mjs";
import { above, normAbove, ofSum, TINY } from "./rounding.mjs";

const finite = (v) => (Number.isNaN(v) ? Infinity : v);

export function answerOfNewton(problem, point, g, gap, found, tol, steps) {
  const { n, X, C } = problem;
  const d = X[0].length;
  const q = point.active.length;
  let [mass, all, K, least] = [0, 0, 0, Infinity];
  for (const a of point.alpha) mass += a;
  for (const c of C) [all, least] = [all + c, Math.min(least, c)];
  for (const row of X) K = max(K, dot(row, row));
  const W = normAbove(point.w);
  const R = above(Math.sqrt(K + d * TINY), d + 4);
  const E = above(ofSum(d + 4, 1 + W * R) + d * TINY + TINY / least, 4);
  const a = above(normAbove(g) + ofSum(q + 2, W + R * mass) + q * d * TINY, 4);
  const own = finite(above((E * E * all) / 2 + n * TINY + (a * a) / 2, n + 16));
  const lost = finite(above(E * mass + E * E * all + ofSum(n + d + 8, point.P) + (2 * n + d + 8) * TINY, n + 16));
  const violation = finite(2 * above(E + a * R, 4));
  const answer = { alpha: point.alpha, b: 0, b_low: 0, b_high: 0, objective: 0, gap: own, violation };
  Object.assign(answer, { iterations: steps, status: found, farkas: null });
  const isSharp = found === "optimal" ? isWithin(own, tol, point.P, lost) : own / 2 <= gap && lost < Infinity;
  if (isSharp) {
    return { ...answer, objective: Exact.of(point.P).minus(lost).minus(own).roundedDown() };
  }
  return byExactSums(problem, point, answer, tol, lost);
}

function isWithin(gap, tol, P, lost) {
  if (!Number.isFinite(gap) || !Number.isFinite(lost)) return false;
  return Exact.of(gap).compare(Exact.of(P).minus(lost).times(tol)) <= 0;
}

// With the exact sums, v, and residuals by w
function byExactSums(problem, point, answer, tol, lost) {
  const program = programOf(problem);
  const beta = point.alpha.map((a, i) => a * problem.y[i]);
  const gap = gapOfW(problem, program, beta, point.w);
  const { status } = answer;
  const isProved = status !== "optimal" || isWithin(gap, tol, point.P, lost);
  const bounds = boundsOf(problem, program, beta, answer.iterations);
  return { ...answer, ...bounds, gap, status: isProved ? status : "precision" };
}

function gapOfW(problem, program, beta, w) {
  if (isSmall(problem, beta)) return up(new ExactAnswer(problem, program, beta, beta, w).gap(null));
  const ofV = residualsByW(problem, program, beta);
  const found = residualsByW(problem, program, beta, { w });
  const v = problem.roundedWeights(beta);
  const wError = above(normAbove(w.map((a, j) => a - v[j])) + ofV.wError, 4);
  return new Machine(problem, program, beta, { ...found, wError }).most();
}

// objective, violation and ends of alpha, with residuals by v
function boundsOf(problem, program, beta, steps) {
  const climb = new Climb(program, beta);
  Object.assign(climb, { problem, tol: 0, steps, impossible: -1, error: 0 });
  climb.r = residualsByW(problem, program, beta).r;
  const { objective, violation, b_low: low, b_high: high } = told(climb, "max_iter");
  return { objective, violation, b_low: low, b_high: high };
}
