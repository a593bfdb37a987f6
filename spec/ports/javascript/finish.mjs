// S3.10 and S34.5, what is returned.

import { isDegenerate } from "./degenerate.mjs";
import { even } from "./even.mjs";
import { farkasAlong, farkasOf } from "./infeasible.mjs";
import { Refusal } from "./problem.mjs";
import { netOf } from "./program.mjs";
import { prove } from "./proved.mjs";
import { isWitness } from "./semidefinite.mjs";

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
  } else if (climb.violation() > 0 && climb.problem.isHard) {
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
  if (climb.problem.isHard) farkas ||= farkasOf(climb);
  const isRho = problem.form === "nu" || problem.form === "one_class";
  if (status === "precision" && isRho && isDegenerate(climb)) status = "degenerate";
  if (status !== "max_iter") {
    if (farkas) status = "infeasible";
    else if ([unbounded, bent].some((d) => d && isWitnessOf(climb, d))) status = "indefinite";
  }
  return [status, farkas];
}

const isWitnessOf = (climb, direction) => isWitness(climb.problem, direction.map(([k, v]) => [climb.of[k], v]));

// The answer, once its status is proved
export function told(climb, found, farkas = null) {
  const { problem, steps: iterations } = climb;
  const { offsets, objective, gap, violation, holds } = prove(climb, found === "optimal");
  const status = found === "optimal" && !holds ? "precision" : found;
  const alpha = multipliersOf(climb);
  const answer = { alpha, ...bOf(problem, offsets), objective, gap, violation, iterations, status, farkas };
  if (status === "degenerate") answer.farkas = alpha.map((a) => a / climb.sums[0].toDouble());
  if (status === "infeasible" && climb.impossible >= 0) {
    const proof = problem.all.map((i) => +climb.members[climb.impossible].some((k) => climb.of[k] === i));
    Object.assign(answer, { objective: -Infinity, gap: Infinity, farkas: proof });
  }
  return problem.form === "classification" ? answer : { ...answer, offsets };
}

function multipliersOf({ beta, problem, of, sign, isPaired }) {
  if (isPaired) return netOf(problem, { of }, beta);
  const alpha = new Array(problem.n);
  of.forEach((i, k) => (alpha[i] = beta[k] * sign[k] + 0));
  return alpha;
}

// S34.5, point 7
function bOf({ form }, { b, rho, radius2 }) {
  if (form === "one_class") return { b: 0 - rho.value, b_low: 0 - rho.high, b_high: 0 - rho.low };
  const { value, low, high } = form === "ball" ? radius2 : b;
  return { b: value, b_low: low, b_high: high };
}
