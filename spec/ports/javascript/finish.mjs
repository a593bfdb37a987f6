// S3.10 and S34.5, what is returned, with the bounds of S30.7 and the ways of S30.8.

import { isDegenerate } from "./degenerate.mjs";
import { even } from "./even.mjs";
import { ExactAnswer, isShort, isSmall } from "./exact_answer.mjs";
import { farkasAlong, farkasOf } from "./infeasible.mjs";
import { keptOffsets, roomOfModel } from "./kept_offsets.mjs";
import { Machine } from "./machine.mjs";
import { down, Exact, isInfinite, most, order, up, ZERO } from "./numbers.mjs";
import { exactDot, max, Refusal } from "./problem.mjs";
import { netOf } from "./program.mjs";
import { boundedResiduals, endsOf, residualsByW } from "./residuals.mjs";
import { above, normAbove, U } from "./rounding.mjs";
import { isWitness } from "./semidefinite.mjs";
import { middleOf, OFFSETS, unitOfEnds, valueOf } from "./unit.mjs";

export function finish(climb, found) {
  refuseInfinite(climb);
  even(climb, found);
  refuseInfinite(climb);
  return told(climb, ...ending(climb, found));
}

// S5.9, point 5: without points 0, 1 and the search for a proof
export function finishWith(climb, status, farkas) {
  refuseInfinite(climb);
  return told(climb, status, farkas);
}

// The end of S6.7
export function finishFrom(climb, found, ray, bent) {
  refuseInfinite(climb);
  even(climb, "infeasible"); // no sum counts as lost
  climb.recompute();
  let status = found;
  let farkas = null;
  if (status === "indefinite") {
    if (!isWitnessOf(climb, bent)) status = "precision";
  } else if (climb.violation() > 0 && climb.hasInfinite) {
    farkas = farkasAlong(climb, ray || Array.from(climb.beta, (v, k) => [k, v]));
    if (farkas) status = "infeasible";
  }
  if (status === "unbounded") status = "precision";
  return told(climb, status, farkas);
}

function refuseInfinite({ beta, r }) {
  for (const [values, name] of [[beta, "beta"], [r, "r"]]) {
    const k = values.findIndex((v) => !Number.isFinite(v));
    if (k >= 0) throw new Refusal(`${name}[${k}] is ${values[k]}`);
  }
}

// S3.9
function ending(climb, found) {
  const { problem, unbounded, bent } = climb;
  let status = found;
  let { farkas = null } = climb;
  if (climb.hasInfinite) farkas ||= farkasOf(climb);
  const isRho = problem.form === "nu" || problem.form === "one_class";
  if (status === "precision" && isRho && isDegenerate(climb)) status = "degenerate";
  if (status !== "max_iter") {
    if (farkas) status = "infeasible";
    else if ([unbounded, bent].some((d) => d && isWitnessOf(climb, d))) status = "indefinite";
  }
  return [status, farkas];
}

const isWitnessOf = (climb, direction) => isWitness(climb.problem, direction.map(([k, v]) => [climb.of[k], v]));

const FAR_BELOW = 2 ** -8;

// The answer, once its status is proved
export function told(climb, found, farkas = null) {
  const { problem } = climb;
  const proved = proveBySome(climb, found === "optimal");
  let status = found === "optimal" && !holds(proved, climb.tol) ? "precision" : found;
  let { objective, gap } = proved;
  let proof = farkas;
  const alpha = multipliersOf(climb);
  if (status === "infeasible" && problem.form !== "classification") {
    [objective, gap] = [-Infinity, Infinity];
    proof = problem.all.map((i) => +climb.of.some((of, k) => of === i && climb.group[k] === climb.impossible));
  }
  if (status === "degenerate") proof = alpha.map((a) => a / climb.sums[0].toDouble());
  const [b, low, high] = bOf(problem, proved.offsets);
  const answer = {
    alpha,
    b,
    b_low: low,
    b_high: high,
    objective,
    gap,
    violation: proved.violation,
    iterations: climb.steps,
    status,
    farkas: proof,
  };
  return problem.form === "classification" ? answer : { ...answer, offsets: proved.offsets };
}

function proveBySome(climb, isClaimed) {
  const { problem, beta, r, tol } = climb;
  if (isShort(problem)) return provedExactly(climb);
  const found = provedInDoubles(climb, boundedResiduals(problem, climb, beta, r, carriedBy(climb)));
  const unit = isInfinite(found.unit) ? found.unit : Exact.of(found.unit).toDouble();
  const isNarrow = found.error <= FAR_BELOW * max(found.violation, tol * unit);
  if (isNarrow && (!isClaimed || holds(found, tol))) return found;
  if (isSmall(problem, beta)) return provedExactly(climb);
  if (problem.isLinear) return provedInDoubles(climb, residualsByW(problem, climb, beta));
  if (carriedBy(climb) > 0) return provedInDoubles(climb, boundedResiduals(problem, climb, beta, null));
  return found;
}

const carriedBy = ({ error, counted, R, N, massAnew }) => (error ? error + U * counted * (R + 4 * N * massAnew) : 0);

// m - M <= tol units
function holds({ unit, violation }, tol) {
  if (isInfinite(unit) || !(violation < Infinity)) return false;
  return violation === -Infinity || Exact.of(tol).times(unit).compare(violation) >= 0;
}

function multipliersOf({ beta, problem, of, sign, isPaired }) {
  if (isPaired) return netOf(problem, { of }, beta);
  const alpha = new Array(problem.n);
  of.forEach((i, k) => (alpha[i] = beta[k] * sign[k] + 0));
  return alpha;
}

// In exact arithmetic, S30.5

function provedExactly(climb) {
  const { problem, beta } = climb;
  const net = netOf(problem, climb, beta);
  const exact = new ExactAnswer(problem, climb, beta, net, problem.isLinear ? problem.roundedWeights(net) : null);
  const near = nearOf(climb);
  const ends = extremesOf(climb, exact.r);
  const inner = extremesOf(climb, exact.r, near);
  const offsets = offsetsOf(climb, lamOf(climb, exact.r, near), inner, exact.w2, ZERO);
  const values = valuesOf(offsets);
  const primal = primalOfKept(climb, exact, values);
  const gap = isInfinite(primal) || isInfinite(exact.dual) ? Infinity : primal.minus(exact.dual);
  const apart = ends.map(([m, M]) => (isInfinite(m) || isInfinite(M) ? -Infinity : m.minus(M)));
  return {
    offsets,
    objective: down(exact.dual),
    gap: up(gap),
    violation: up(most(apart)),
    unit: unitOfEnds(problem, ends.map((pair) => [middleOf(...pair), middleOf(...pair)]), exact.w2, 0),
  };
}

function primalOfKept(climb, exact, values) {
  if (!Object.values(values).every(Number.isFinite)) return Infinity;
  return most([exact.primal(values), exact.primal(keptOffsets(climb, exact, values))]);
}

// By bounds in doubles, S30.7

function provedInDoubles(climb, residuals) {
  const { problem, beta } = climb;
  const { r, E, wError } = residuals;
  const near = nearOf(climb);
  const net = netOf(problem, climb, beta);
  const [low, high] = endsOf(residuals);
  const [lows, highs, inner, outer] = [
    extremesOf(climb, low),
    extremesOf(climb, high),
    extremesOf(climb, low, near),
    extremesOf(climb, high, near),
  ];
  const w2 = squareOf(climb, r, net);
  const movesB = problem.isShifted && problem.form !== "ball";
  const shifted = movesB ? exactDot(problem.roundedWeights(net), problem.shift) : ZERO;
  let machine = new Machine(problem, climb, beta, residuals);
  const off = movesB ? above(wError * normAbove(problem.shift), 2) : 0;
  const pairs = inner.map(([m], g) => [m, outer[g][1]]);
  const offsets = offsetsOf(climb, lamOf(climb, r, near), pairs, w2, shifted, off, 2 * machine.errorOfHalf());
  const exactB = (b) => (b === undefined ? ZERO : shifted.plus(b));
  machine = machine.withOffsets(valuesOf(offsets), exactB, w2, 2 * roomOfModel(climb, climb.error));
  const [objective] = machine.dual();
  const ends = lows.map(([m, M], g) => [m, highs[g][0], M, highs[g][1]]);
  return {
    offsets,
    objective: machine.scale * objective,
    gap: machine.most(),
    violation: ends.reduce((worst, pair) => max(worst, violationOf(pair)), -Infinity) + 0,
    unit: unitOfEnds(
      problem,
      ends.map(([m, n, M, N]) => [middleOf(exactly(m), exactly(M)), middleOf(exactly(n), exactly(N))]),
      w2,
      machine.errorOfHalf(),
    ),
    error: E.reduce((a, b) => max(a, b)),
  };
}

const exactly = (v) => (isInfinite(v) ? v : Exact.of(v));

function violationOf([, m, M]) {
  if (m === -Infinity || M === Infinity) return -Infinity;
  if (m === Infinity || M === -Infinity) return Infinity;
  return max(Exact.of(m).minus(M).roundedUp(), -Number.MAX_VALUE);
}

function squareOf({ isPaired, beta, target, ridge, of }, r, net) {
  const s = Array.from(r, (v, k) => target[k] - v - ridge[of[k]] * beta[k]);
  let total = 0;
  if (isPaired) net.forEach((v, i) => (total += v * s[i]));
  else beta.forEach((v, k) => (total += v * s[k]));
  return total;
}

// What both have

// S30.11
function nearOf({ beta, groups, isTied, group }) {
  const near = new Array(Math.max(groups, 1)).fill(0);
  if (isTied) beta.forEach((v, k) => (near[group[k]] += Math.abs(v) * 2 ** -50));
  return near;
}

const groupOf = ({ isTied, group }, k) => (isTied ? group[k] : 0);

// [m, M] of each group, of doubles or fractions; what is near a bound is at it
function extremesOf(climb, r, near = null) {
  const { beta, lower, upper, isTied, groups } = climb;
  const zero = typeof r[0] === "number" ? 0 : ZERO;
  const ends = Array.from({ length: Math.max(groups, 1) }, () => (isTied ? [-Infinity, Infinity] : [zero, zero]));
  for (let k = 0; k < climb.size; k++) {
    const own = ends[groupOf(climb, k)];
    const off = near && isTied ? near[groupOf(climb, k)] : 0;
    if (beta[k] + off < upper[k] && order(r[k], own[0]) > 0) own[0] = r[k];
    if (beta[k] - off > lower[k] && order(r[k], own[1]) < 0) own[1] = r[k];
  }
  return ends;
}

// S3.10, point 3, and S34.5, point 3
function lamOf(climb, r, near) {
  const { problem, beta, lower, upper, isTied } = climb;
  if (!isTied) return [0];
  const free = r.filter((_, k) => beta[k] + near[0] < upper[k] && beta[k] - near[0] > lower[k]);
  if (problem.form === "classification" && free.length) return [meanOf(free)];
  return extremesOf(climb, r, near).map(([m, M]) => {
    const between = middleOf(m, M);
    return problem.form === "one_class" || problem.form === "ball" ? most([m, between]) : between;
  });
}

function meanOf(values) {
  if (typeof values[0] !== "number") return values.reduce((a, b) => a.plus(b), ZERO).over(values.length);
  let total = 0;
  for (const v of values) total += v;
  return total / values.length;
}

const valuesOf = (offsets) => Object.fromEntries(Object.entries(offsets).map(([name, { value }]) => [name, value]));

// S34.5, points 4 and 5: ends are [m, M] of each group
function offsetsOf(climb, lam, ends, w2, shifted, off = 0, ofSquare = 0) {
  const { problem } = climb;
  const found = {};
  for (const offset of OFFSETS[problem.form]) {
    const back = (v) => (offset.name === "b" && !isInfinite(v) ? Exact.of(v).minus(shifted) : v);
    const value = back(valueOf(offset, lam, w2));
    const [low, high] = [-1, 1].map((sign) => endOf(offset, ends, w2, sign, ofSquare));
    found[offset.name] = {
      value: isInfinite(value) ? value : Exact.of(value).toDouble(),
      low: down(carried(offset, low, shifted, 0 - off)),
      high: up(carried(offset, high, shifted, off)),
    };
  }
  return found;
}

function carried({ name }, end, shifted, off) {
  if (name !== "b" || (!shifted.n && !off)) return end;
  if (isInfinite(off)) return off;
  return isInfinite(end) ? end : end.minus(shifted).plus(off);
}

function endOf({ parts, square, least: bound }, ends, w2, sign, ofSquare) {
  const chosen = parts.map((factor, g) => ends[g][factor > 0 === sign < 0 ? 0 : 1]);
  const infinite = chosen.findIndex(isInfinite);
  let value;
  if (infinite >= 0) value = Math.sign(parts[infinite]) * chosen[infinite];
  else {
    value = chosen.reduce((sum, v, g) => sum.plus(Exact.of(v).times(parts[g])), ZERO);
    if (square) value = isInfinite(ofSquare) ? sign * Infinity : value.plus(w2).plus(sign * ofSquare);
  }
  return order(value, bound) < 0 ? bound : value;
}

// S34.5, point 7
function bOf({ form }, { b, rho, radius2 }) {
  if (form === "one_class") return [0 - rho.value, 0 - rho.high, 0 - rho.low];
  const { value, low, high } = form === "ball" ? radius2 : b;
  return [value, low, high];
}
