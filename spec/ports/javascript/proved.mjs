// S30.8: what is proved of an answer, by the first way that suffices; each way tells the gap and S30.7.

import { ExactAnswer, isShort, isSmall } from "./exact_answer.mjs";
import { Machine } from "./gap.mjs";
import { dot } from "./kernels.mjs";
import { down, Exact, isInfinite, most, up, ZERO } from "./numbers.mjs";
import { extremesOf, keptOffsets, lamOf, nearOf, offsetsOf, roomOfModel, valuesOf } from "./offsets.mjs";
import { max } from "./problem.mjs";
import { netOf } from "./program.mjs";
import { boundedResiduals, endsOf, residualsByW } from "./residuals.mjs";
import { above, normAbove, U } from "./rounding.mjs";
import { leastUnit, middleOf } from "./unit.mjs";

const FAR_BELOW = 2 ** -8;

// { offsets, objective, gap, violation, holds }, holds: whether m - M <= tol units
export function prove(climb, isClaimed) {
  const { problem, beta, r, tol } = climb;
  const carried = carriedOf(climb);
  if (isShort(problem)) return provedExactly(climb);
  const found = provedInDoubles(climb, boundedResiduals(problem, climb, beta, Array.from(r), carried));
  const unit = isInfinite(found.unit) ? found.unit : Exact.of(found.unit).toDouble();
  const isNarrow = found.error <= FAR_BELOW * max(found.violation, tol * unit);
  if (isNarrow && (!isClaimed || found.holds)) return found;
  const exact = isSmall(problem, beta) ? provedExactly(climb) : null;
  if (exact) return (isClaimed && exact.holds) || exact.gap <= found.gap ? exact : found;
  if (problem.isLinear) return provedInDoubles(climb, residualsByW(problem, climb, beta));
  return carried > 0 ? provedInDoubles(climb, boundedResiduals(problem, climb, beta, null)) : found;
}

// S30.4
const carriedOf = ({ error, counted, R, N, massAnew }) => (error ? error + U * counted * (R + 4 * N * massAnew) : 0);

function holds(tol, violation, unit) {
  if (isInfinite(unit) || isInfinite(violation)) return violation === -Infinity && !isInfinite(unit);
  return Exact.of(tol).times(unit).compare(violation) >= 0;
}

// In exact arithmetic, S30.5
function provedExactly(climb) {
  const { problem, beta, tol } = climb;
  const net = netOf(problem, climb, beta);
  const exact = new ExactAnswer(problem, climb, beta, net, problem.isLinear ? problem.roundedWeights(net) : null);
  const { r, w2, dual } = exact;
  const offsets = offsetsOf(problem, lamOf(climb, r), extremesOf(climb, r, nearOf(climb)), [w2, w2, w2]);
  const told = valuesOf(problem, offsets);
  const machines = Object.values(told).every(Number.isFinite) ? [told, keptOffsets(climb, exact, told)] : [];
  const primal = most(machines.map((values) => exact.primal(values)), Infinity);
  const ends = extremesOf(climb, r);
  const violation = up(most(ends.map(([m, M]) => (isInfinite(m) || isInfinite(M) ? -Infinity : m.minus(M)))));
  const lam = ends.map(([m, M]) => middleOf(m, M));
  return {
    offsets,
    objective: down(dual),
    gap: up(isInfinite(primal) || isInfinite(dual) ? Infinity : primal.minus(dual)),
    violation,
    holds: holds(tol, violation, leastUnit(problem, lam.map((v) => [v, v]), w2)),
  };
}

// By bounds in doubles
function provedInDoubles(climb, residuals) {
  const { problem, beta, tol, target } = climb;
  const { r, E, wError } = residuals;
  const shifted = problem.isShifted ? problem.movedBy(problem.roundedWeights(netOf(problem, climb, beta))) : ZERO;
  const off = problem.isShifted ? above(wError * normAbove(problem.shift), 2) : 0;
  const without = new Machine(problem, climb, beta, residuals);
  const w2 = problem.form === "ball" ? dot(beta, r.map((v, k) => target[k] - v)) : 0;
  const half = without.errorOfHalf();
  const squares = isInfinite(half) ? [-half, w2, half] : [-2, 0, 2].map((factor) => Exact.of(w2).plus(factor * half));
  const [inner, outer] = endsOf(residuals).map((values) => extremesOf(climb, values, nearOf(climb)));
  const [lows, highs] = endsOf(residuals).map((values) => extremesOf(climb, values));
  const offsets = offsetsOf(problem, lamOf(climb, r), inner.map(([m], g) => [m, outer[g][1]]), squares, shifted, off);
  const machine = without.withOffsets(valuesOf(problem, offsets), shifted, w2, 2 * roomOfModel(climb, climb.error));
  const violation = lows.map(([, M], g) => violationOf(highs[g][0], M)).reduce((a, b) => max(a, b));
  const lams = lows.map((low, g) => [low, highs[g]].map(([m, M]) => middleOf(exactly(m), exactly(M))));
  const unit = leastUnit(problem, lams, squares[0]);
  return {
    offsets,
    objective: climb.scale * machine.dual()[0],
    gap: machine.most(),
    violation,
    unit,
    error: E.reduce((a, b) => max(a, b)),
    holds: holds(tol, violation, unit),
  };
}

const exactly = (v) => (isInfinite(v) ? v : Exact.of(v));

function violationOf(m, M) {
  if (m === -Infinity || M === Infinity) return -Infinity;
  if (m === Infinity || M === -Infinity) return Infinity;
  return max(Exact.of(m).minus(M).roundedUp(), -Number.MAX_VALUE);
}
