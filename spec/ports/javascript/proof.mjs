// S30.8, what "optimal" needs: residuals of the answer, with a bound for each of what they may be off.

import { plainRoundings } from "./kernel_errors.mjs";
import { Exact } from "./numbers.mjs";
import { max, min } from "./problem.mjs";
import { Judge, leftBy } from "./residuals.mjs";
import { endsOf, errorOfUnit, offOf, unitOfBounds, unitOfEnds } from "./least_unit.mjs";
import { above, ofSum, TINY, U } from "./rounding.mjs";

const LEAST = 2 ** -960;

// { judge, r, E, Ekept, wError, status }: E of the multipliers, Ekept of the machine that is kept
export function prove(climb, status) {
  const { unit } = climb;
  const judge = new Judge(climb.problem, climb, climb.beta);
  const claimed = status === "optimal";
  const exactError = judge.wError(0, true);
  if (exactError === 0 && judge.nothingRounded()) {
    const r = judge.residualsAnew();
    const E = new Float64Array(climb.size);
    const wError = exactError;
    const proved = isWithin(climb, r, E, () => unitOfEnds(judge, climb, r, E));
    return { judge, r, E, Ekept: E, wError, status: claimed && !proved ? "precision" : status };
  }
  const carried = climb.error ? climb.error + U * climb.counted * (climb.R + 4 * climb.N * climb.massAnew) : 0;
  const one = oneBound(judge, climb, carried, claimed, unit);
  if (one) return { judge, r: climb.r, E: one.E, Ekept: one.E, wError: one.wError, status, isOneBound: true };
  return boundForEach(judge, climb, carried, status);
}

// Whether r and E show that m - M <= tol times the least unit, exactly; a bound that is infinite shows nothing
function isWithin(climb, r, E, leastUnit, exactly) {
  if (E.some((v) => !Number.isFinite(v))) return false;
  const limit = Exact.of(climb.tol).times(leastUnit());
  return endsOf(climb, r, E, exactly).every(
    ({ high, low }) => high[1] === null || low[0] === null || high[1].minus(low[0]).compare(limit) <= 0,
  );
}

// Kernels whose sizes are their values, S30.8, point 2
function hasPlainSizes(kernel, factor = 1) {
  switch (kernel.name) {
    case "polynomial":
      return kernel.gamma >= 0 && kernel.coef0 >= 0 && factor * kernel.gamma <= 2 ** 50;
    case "gaussian":
    case "cauchy":
      return kernel.gamma >= 0 && factor <= 2 ** 50;
    case "sigmoid":
    case "precomputed":
      return false;
    case "sum":
      return kernel.terms.every((part) => hasPlainSizes(part, factor));
    case "product":
      return (
        kernel.factors.every((part) => hasPlainSizes(part, factor)) &&
        kernel.factors.filter((part) => !isAtMostOne(part)).length < 2
      );
    case "multiple":
      return hasPlainSizes(kernel.kernel, factor * Math.max(kernel.factor, 1));
    default:
      return factor <= 2 ** 50;
  }
}

function isAtMostOne({ name, terms, factors, factor, kernel }) {
  if (terms || factors) return (terms || factors).every(isAtMostOne);
  if (name === "multiple") return factor <= 1 && isAtMostOne(kernel);
  return name === "gaussian" || name === "cauchy";
}

function oneBound(judge, climb, carried, claimed, unit) {
  const { problem } = judge;
  if (!judge.sizes || !hasPlainSizes(problem.kernel)) return null;
  const d = typeof problem.X[0] === "string" ? 0 : problem.X[0].length;
  const roundings = plainRoundings(problem.kernel, d);
  let K = 0;
  for (const v of climb.diag) K = max(K, v);
  K += LEAST;
  const root = above(Math.sqrt(K), 4);
  let T = 0;
  for (const v of climb.target) T = max(T, Math.abs(v));
  const wError = judge.wError(judge.mass * root);
  const E = above(ofSum(judge.used + roundings + 5, K * judge.mass + T) + carried + wError * root, 8);
  const V = climb.violation();
  const mass = judge.mass;
  const off = E + U * (climb.size + 1) * (K * mass + T);
  const error = errorOfUnit(problem.form, E, mass * off + wError * (mass * root + wError));
  if (!(E >= 2 ** -1013 && E <= 2 ** -8 * max(V, climb.tol * unit))) return null;
  if (claimed && !(V + 2 * E <= climb.tol * (unit - error) * (1 - 2 ** -50))) return null;
  judge.roots = new Array(climb.size).fill(root); // one for all, as E
  judge.reach = climb.beta.reduce((sum, v) => sum + root * Math.abs(v), 0);
  return { E: new Float64Array(climb.size).fill(E), wError };
}

// Points 3 and 4
function boundForEach(judge, climb, carried, status) {
  const { problem } = judge;
  let r = problem.isLinear ? judge.residualsByW() : Float64Array.from(climb.r);
  let wError = 0;
  let Ekept;
  let E;
  if (problem.isLinear) {
    Ekept = judge.errorsByW(0);
    wError = judge.wError(judge.lengthOfW(), Ekept.every((v) => v === 0));
    if (problem.form === "ball") Ekept = judge.errorsByW(wError);
    E = Ekept.map((v, k) => v + wError * judge.roots[k]);
    if (r.some((v) => !Number.isFinite(v))) [r, E] = [Float64Array.from(climb.r), E.fill(Infinity)];
  } else {
    E = judge.sizes ? judge.errorsByKernel(carried) : judge.errorsWithoutSizes(r);
    Ekept = E;
  }
  const found = { judge, r, E, Ekept, wError, status };
  const unit = () => (problem.isLinear ? unitOfEnds(judge, climb, r, E) : unitOfBounds(judge, climb, E));
  if (status !== "optimal" || isWithin(climb, r, E, unit)) return found;
  const exactly = new Map();
  for (const k of doubtful(climb, r, E)) {
    const { exact, left } = judge.exactResidual(k);
    exactly.set(k, { exact, left });
    const rounded = exact.toDouble();
    if (!Number.isFinite(rounded)) continue;
    r[k] = rounded;
    E[k] = above(leftBy(exact, rounded) + left + (wError && wError * judge.roots[k]), 8) || TINY;
    if (Ekept !== E) Ekept[k] = E[k];
  }
  if (!isWithin(climb, r, E, () => unitOfEnds(judge, climb, r, E, exactly), exactly)) found.status = "precision";
  return found;
}

// Point 4: those that may be m or M
function doubtful(climb, r, E) {
  const off = (k) => offOf(r[k], E[k]);
  const groups = climb.isTied ? climb.groups : 1;
  const least = new Array(groups).fill(-Infinity);
  const most = new Array(groups).fill(Infinity);
  const g = (k) => (climb.isTied ? climb.group[k] : 0);
  for (let k = 0; k < climb.size; k++) {
    if (climb.canRise(k)) least[g(k)] = max(least[g(k)], r[k] - off(k));
    if (climb.canFall(k)) most[g(k)] = min(most[g(k)], r[k] + off(k));
  }
  const asked = [];
  for (let k = 0; k < climb.size; k++) {
    const mayBeFirst = climb.canRise(k) && r[k] + off(k) >= least[g(k)];
    const mayBeLast = climb.canFall(k) && r[k] - off(k) <= most[g(k)];
    if (mayBeFirst || mayBeLast) asked.push(k);
  }
  return asked;
}
