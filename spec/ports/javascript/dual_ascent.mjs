// S5.7: coordinate ascent and projected gradient ascent, which have the loop of S3.4.

import { finish } from "./finish.mjs";
import { max, min, Refusal } from "./problem.mjs";
import { begin, intervalOf, loop, report, usualBudget } from "./smo.mjs";
import { moveAlone, slopeAlong } from "./steps.mjs";
import { ontoBoxAndPlane } from "./projection.mjs";

export function coordinateAscent({ problem, tol, max_iter: maxIter, start }) {
  if (problem.bias) throw new Refusal("problem has an offset; coordinate_ascent needs bias=False");
  const climb = begin({ problem, tol, start });
  const n = climb.size;
  let turn = 0;
  const move = () => {
    const slopes = [...climb.beta.keys()].filter((k) => slopeAlong(climb, k) !== 0);
    for (const k of [...slopes.filter((v) => v >= turn), ...slopes.filter((v) => v < turn)]) {
      const step = moveAlone(climb, k);
      if (!step && !climb.unbounded) continue;
      turn = k + 1;
      return step;
    }
    return null;
  };
  const interval = intervalOf(n);
  const steps = [];
  const status = loop(climb, move, {
    interval,
    usual: usualBudget(interval, n),
    maxIter: maxIter ?? Infinity,
    onStep: (c, step) => steps.push(report(c, step)),
  });
  return { steps, ...finish(climb, status) };
}

function rateOf(climb) {
  let L = 0;
  for (let i = 0; i < climb.size; i++) {
    let total = 0;
    for (const v of climb.row(i)) total += Math.abs(v);
    L = max(L, total);
  }
  const rate = 1 / L;
  return L === 0 || !Number.isFinite(rate) ? 1 : rate;
}

// A step: P(beta + rate r)
function projectedStep(climb, rate, total) {
  const { beta, r, lower, upper } = climb;
  const z = Array.from(beta, (b, k) => b + rate * r[k]);
  if (z.some((v) => !Number.isFinite(v))) return null;
  const next = climb.isTied
    ? ontoBoxAndPlane(z, lower, upper, total)
    : z.map((v, k) => min(max(v, lower[k]), upper[k]));
  const moved = next.flatMap((v, k) => (v - beta[k] !== 0 ? [[k, v - beta[k]]] : []));
  if (moved.length === 0) return null;
  const before = Float64Array.from(r);
  next.forEach((v, k) => (beta[k] = v));
  climb.carryOver(moved);
  let [gain, bend, size] = [0, 0, 0];
  for (const [k, d] of moved) {
    gain += (d * (before[k] + r[k])) / 2;
    bend += d * (before[k] - r[k]);
    size += d * d;
  }
  climb.note(bend, size / rate, moved);
  return { gain, moved: moved.length };
}

export function projectedGradient({ problem, tol, max_iter: maxIter, start }) {
  const climb = begin({ problem, tol, start });
  const interval = 3;
  const n = climb.size;
  const rate = rateOf(climb);
  const total = climb.beta.reduce((sum, v) => sum + v, 0);
  const steps = [];
  const status = loop(climb, () => projectedStep(climb, rate, total), {
    interval,
    usual: Math.max(10 * interval * n * n, 25000),
    maxIter: maxIter ?? Infinity,
    onStep: (c, step) =>
      steps.push({
        iteration: c.steps,
        rate,
        moved: step.moved,
        violation: c.violation(),
        objective: c.D,
      }),
  });
  return { steps, ...finish(climb, status) };
}
