// gap_bounds, S30.6: of any multipliers and offsets.

import { bestLam } from "./best_offset.mjs";
import { ExactAnswer, isSmall } from "./exact_answer.mjs";
import { dot } from "./kernels.mjs";
import { down, isInfinite, least, most, up, ZERO } from "./numbers.mjs";
import { Problem } from "./problem.mjs";
import { netOf, programOf } from "./program.mjs";
import { hasBestOffsets, Machine } from "./gap.mjs";
import { boundedResiduals, residualsByW, residualsOf } from "./residuals.mjs";
import { above, normAbove } from "./rounding.mjs";
import { betaOf } from "./start.mjs";

export function gapBounds({ problem: document, alpha, b }) {
  const problem = new Problem(document);
  const program = programOf(problem);
  const beta = betaOf(problem, program, alpha);
  const net = program.isPaired ? [...alpha] : netOf(problem, program, beta);
  const offsets = typeof b === "number" ? { b } : b;
  if (isSmall(problem, beta)) return exactBounds(problem, program, beta, net, offsets);
  const machine = machineAt(problem, program, beta, net, offsets);
  return { low: offsets === null ? 0 : machine.leastLossOfOffsets(), high: machine.most() };
}

function exactBounds(problem, program, beta, net, offsets) {
  const several = [new ExactAnswer(problem, program, beta, net)];
  if (problem.isLinear) several.push(new ExactAnswer(problem, program, beta, net, problem.roundedWeights(net)));
  const lows = several.map((answer) => {
    const primal = answer.primal(offsets);
    if (offsets === null || !hasBestOffsets(problem, program) || isInfinite(primal)) return ZERO;
    return primal.minus(answer.primal(null));
  });
  return { low: down(least(lows)), high: up(most(several.map((answer) => answer.gap(offsets)))) };
}

function machineAt(problem, program, beta, net, offsets) {
  const w = problem.isLinear ? problem.weightsOfScores(net) : null;
  const s = problem.scores(net, w);
  const residuals = w
    ? residualsByW(problem, program, beta, { net })
    : boundedResiduals(problem, program, beta, residualsOf(s, program, beta), 0, net);
  const best = bestLam(problem, program, Array.from(program.target, (t, k) => t - s[program.of[k]]));
  const machine = new Machine(problem, program, beta, residuals, best);
  if (offsets === null) return machine;
  const shifted = problem.isShifted ? problem.movedBy(problem.roundedWeights(net)) : ZERO;
  const off = problem.isShifted ? above(residuals.wError * normAbove(problem.shift), 2) : 0;
  return machine.withOffsets(offsets, shifted, w ? dot(w, w) : dot(net, s), off);
}
