// gap_bounds, S30.6: of any multipliers and offsets.

import { bestLam } from "./best_offset.mjs";
import { Gap } from "./gap.mjs";
import { dot } from "./kernels.mjs";
import { ZERO } from "./numbers.mjs";
import { max, Problem } from "./problem.mjs";
import { programOf } from "./program.mjs";
import { Judge, leftBy } from "./residuals.mjs";
import { above, ofSum, TINY, U } from "./rounding.mjs";
import { betaOf } from "./start.mjs";
import { lamOfOffsets } from "./unit.mjs";

// What this port cannot tell
export class Unsupported extends Error {}

export function gapBounds({ problem: document, alpha, b }) {
  const problem = new Problem(document);
  const program = programOf(problem);
  const judge = new Judge(problem, program, betaOf(problem, program, alpha), program.isPaired ? alpha : undefined);
  const exact = problem.isLinear ? judge.addExactly(judge.bracketsByW()) : judge.nothingRounded();
  const wError = judge.wError(problem.isLinear ? judge.lengthOfW() : 0, exact);
  const s = judge.scores();
  const r = judge.residualsOfScores(s);
  const E = errorsOf(judge, r, exact, wError);
  const best = bestLam(problem, program, Array.from(program.target, (t, k) => t - s[program.of[k]]));
  const [lam, lamError] = b === null ? [best, best.map(() => 0)] : lamOf(judge, b, s, r, E, wError);
  const gap = new Gap(judge, { r, E, lam, lamError, wError });
  gap.refine();
  const high = gap.told();
  return { low: b === null ? 0 : least(gap), high };
}

function errorsOf(judge, r, exact, wError) {
  const isBall = judge.problem.form === "ball";
  if (exact) return r.map((_, k) => (isBall && wError ? above(wError * judge.roots[k], 4) : 0));
  return isBall && judge.problem.isLinear ? judge.errorsByW(wError) : judge.errors(r);
}

// Point 1
function lamOf(judge, b, s, r, E, wError) {
  const { problem, program } = judge;
  const isNumber = typeof b === "number";
  const offsets = isNumber ? { b } : b;
  let w2 = problem.isLinear ? dot(judge.wThere, judge.wThere) : 0;
  if (!problem.isLinear) judge.net.forEach((v, i) => (w2 += v * s[i]));
  const exactB = offsets.b === undefined ? ZERO : problem.exactlyThere(offsets.b, judge.w);
  const exact = program.group ? lamOfOffsets(problem.form, offsets, exactB, w2) : [ZERO];
  const lam = exact.map((v) => v.toDouble());
  const half = problem.form === "ball" ? judge.halfOfSquare(r, E, wError, w2) : 0;
  const lamError = exact.map((v, g) => {
    const error = above(leftBy(v, lam[g]), 1);
    return half > 0 ? above(error + half, 4) : error;
  });
  return [lam, lamError];
}

// What other offsets would gain at this w, at least
function least(gap) {
  const { problem, program } = gap.judge;
  const { upper, sums, groups } = program;
  const isOpen = !problem.isSquared && upper.some((v) => v === Infinity);
  if (groups === 0 || isOpen || (problem.C && problem.C.some((c) => c === Infinity))) return 0;
  const v = gap.r.map((r, k) => r + gap.judge.ridge(k) * gap.beta[k]);
  const best = bestLam(problem, program, Array.from(v));
  const other = new Gap(gap.judge, { ...gap, lam: best });
  let [found, size] = [0, 0];
  for (let g = 0; g < groups; g++) {
    const sum = sums[g].toDouble();
    if (sum === 0) continue;
    const [own, others] = [sum * gap.lam[g], sum * best[g]];
    [found, size] = [found + (own - others), size + (Math.abs(own) + Math.abs(others))];
    found -= Math.abs(sum) * gap.lamError[g];
  }
  for (let k = 0; k < gap.size; k++) {
    const [a, b] = [lossOf(gap, k, false), lossOf(other, k, true)];
    [found, size] = [found + (a - b), size + (a + b)];
  }
  found -= ofSum(gap.size + 16, size) + gap.size * TINY;
  const low = gap.scale * found;
  return Number.isFinite(low) ? max(low, 0) : 0;
}

// loss_k where it is least, or largest
function lossOf(gap, k, isLargest) {
  const { problem, program } = gap.judge;
  const ridge = gap.judge.ridge(k);
  const [low, high] = gap.interval(k);
  const a = ridge * gap.beta[k];
  const off = ridge === 0 ? 0 : 4 * U * (Math.abs(a) + max(Math.abs(low), Math.abs(high)));
  const ends = [low + a - off, high + a + off];
  const losses = ends.map((e) => {
    let limit = 0;
    if (e > 0) limit = program.upper[k];
    else if (e < 0) limit = program.lower[k];
    if (problem.isSquared && limit !== 0) return (problem.C[program.of[k]] * (e * e)) / 2;
    return Number.isFinite(limit) ? limit * e : 0;
  });
  if (isLargest) return max(...losses);
  if (ends[0] < 0 && ends[1] > 0) return 0;
  return losses[1] < losses[0] ? losses[1] : losses[0];
}
