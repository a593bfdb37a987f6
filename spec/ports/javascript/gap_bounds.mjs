// gap_bounds, S30.6: of any multipliers and offset.

import { cheapest, cheapestSquared } from "./best_offset.mjs";
import { Gap } from "./gap.mjs";
import { max, middle, Problem } from "./problem.mjs";
import { programOf } from "./program.mjs";
import { Judge } from "./residuals.mjs";
import { above, ofSum, TINY } from "./rounding.mjs";

// What this port cannot tell to the last bit
export class Unsupported extends Error {}

export function gapBounds({ problem: document, alpha, b }) {
  if (document.form) throw new Unsupported("gap_bounds of classification only");
  const problem = new Problem(document);
  const program = programOf(problem);
  const judge = new Judge(problem, program, problem.beta(alpha));
  const exact = judge.nothingRounded();
  const wError = judge.wError(problem.isLinear ? judge.lengthOfW() : 0, exact);
  const r = judge.residualsOfProblem();
  const E = exact ? new Float64Array(judge.size) : judge.errors(r);
  const best = bestOffset(judge, r);
  const [lam, lamError] = b === null ? [best, 0] : lamOfB(problem, b, judge.w);
  if (b !== null && (problem.isSquared || !exact)) throw new Unsupported("low of gap_bounds, but where it is exact");
  const given = { r, E, wError };
  const gap = new Gap(judge, { ...given, lam: [lam], lamError: [lamError] });
  gap.refine();
  const low = b === null ? 0 : gain(gap, new Gap(judge, { r: gap.r, E: gap.E, wError, lam: [best], lamError: [0] }));
  return { low, high: gap.told() };
}

function bestOffset(judge, r) {
  const { problem } = judge;
  if (!problem.bias) return 0;
  if (!problem.isSquared) return middle(...cheapest(r, problem.C, problem.y));
  const s = problem.scores(judge.beta, judge.w);
  return cheapestSquared(problem.y.map((y, i) => y - s[i]), problem.C, problem.y);
}

// What another offset would gain at this w, at least
function gain(own, best) {
  const { size } = own;
  let [least, most] = [0, 0];
  for (let k = 0; k < size; k++) least += loss(own, k, (a, b) => (b < a ? b : a));
  for (let k = 0; k < size; k++) most += loss(best, k, max);
  const lost = ofSum(size + 16, least + most) + size * TINY;
  return max(least - most - lost, 0);
}

// loss_k at the end of the excess that choose prefers
function loss(gap, k, choose) {
  const { problem } = gap.judge;
  const { lower, upper, ridge } = gap.program;
  const [low, high] = gap.interval(k);
  const at = (excess) => {
    if (gap.isSquared) {
      const slack = max(problem.y[k] * (excess + ridge[k] * gap.beta[k]), 0);
      return (problem.C[k] * (slack * slack)) / 2;
    }
    return excess > 0 ? upper[k] * excess || 0 : -lower[k] * -excess || 0;
  };
  const found = choose(at(low), at(high));
  return low < 0 && high > 0 ? choose(found, at(0)) : found;
}

function lamOfB(problem, b, w) {
  const exact = problem.exactlyThere(b, w);
  const lam = exact.toDouble();
  return [lam, above(exact.minus(lam).absolute().toDouble(), 1)];
}
