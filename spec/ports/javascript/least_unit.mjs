// S30.8, points 3 and 4: the ends of every group, and what the unit is at least.

import { Exact, exactSum, ZERO } from "./numbers.mjs";
import { max, min } from "./problem.mjs";
import { U } from "./rounding.mjs";

const PART = Exact.of(2 ** -50);

export const offOf = (r, E) => (E === 0 ? 0 : E + 2 * U * Math.abs(r));

// Of each group { high: [m', m''], low: [M', M''] } as fractions, null where there is none
export function endsOf(climb, r, E, exactly = new Map()) {
  const start = () => (climb.isTied ? [null, null] : [ZERO, ZERO]);
  const ends = Array.from({ length: climb.isTied ? climb.groups : 1 }, () => ({ high: start(), low: start() }));
  for (let k = 0; k < climb.size; k++) {
    const known = exactly.get(k);
    const off = offOf(r[k], E[k]);
    const pair = known
      ? [known.exact.minus(known.left), known.exact.plus(known.left)]
      : [Exact.of(r[k] - off), Exact.of(r[k] + off)];
    const { high, low } = ends[climb.isTied ? climb.group[k] : 0];
    pair.forEach((v, place) => {
      if (climb.canRise(k) && (high[place] === null || v.compare(high[place]) > 0)) high[place] = v;
      if (climb.canFall(k) && (low[place] === null || v.compare(low[place]) < 0)) low[place] = v;
    });
  }
  return ends;
}

// How far the unit may be off: its slope along each lam times a, and b of |w|^2
export function errorOfUnit(form, a, b) {
  if (form === "nu" || form === "one_class") return a;
  return form === "ball" ? 2 * a + b : 0;
}

// Of kernels that are not linear, by one bound: the largest of all rows
export function unitOfBounds(judge, climb, E) {
  const { form } = judge.problem;
  if (form === "classification") return 1;
  const largest = E.reduce((a, b) => max(a, b), 0);
  const bracket = judge.brackets().reduce((a, b) => max(a, b), 0);
  const ofSquare = judge.mass * (largest + U * (climb.size + 1) * bracket);
  const unit = (climb.unit - errorOfUnit(form, largest, ofSquare)) * (1 - 2 ** -50);
  return Number.isFinite(unit) ? unit : 0;
}

// Made of the ends, exactly
export function unitOfEnds(judge, climb, r, E, exactly) {
  const { form, y } = judge.problem;
  if (form === "classification") return 1;
  const ends = endsOf(climb, r, E, exactly);
  const lam = ends.map(({ high, low }) => middleOf(middleOf(...high), middleOf(...low)));
  const a = ends.map(({ high, low }) => width(high).plus(width(low))).reduce((x, v) => (v.compare(x) > 0 ? v : x));
  let unit;
  if (form === "nu") unit = lam[1].minus(lam[0]).over(2);
  else if (form === "one_class") unit = ZERO.minus(lam[0]);
  else if (form !== "ball") unit = Exact.of(y.reduce((x, v) => max(x, v))).minus(y.reduce((x, v) => min(x, v))).over(2);
  if (form === "one_class") return less(unit).minus(a);
  if (form !== "ball") return less(unit).toDouble() - (form === "nu" ? a.toDouble() : 0);
  const [square, left] = squareOf(judge);
  return less(lam[0].times(2).plus(square)).minus(a.times(2)).minus(left);
}

// |w|^2 of the ball, exactly, and what kernel values as computed leave of it
function squareOf(judge) {
  let square = ZERO;
  const parts = [];
  judge.beta.forEach((v, k) => {
    if (!v) return;
    const { exact, left } = judge.exactResidual(k);
    square = square.plus(judge.exactTarget(k).minus(exact).times(v));
    parts.push(Math.abs(v) * left);
  });
  if (judge.problem.isLinear) square = judge.exactW.reduce((total, v) => total.plus(v.times(v)), ZERO);
  return [square, exactSum(parts)];
}

const less = (unit) => unit.minus(unit.absolute().times(PART));

const width = ([from, to]) => (from === null ? ZERO : to.minus(from));

function middleOf(a, b) {
  if (a === null || b === null) return a === null ? b : a;
  return a.plus(b).over(2);
}
