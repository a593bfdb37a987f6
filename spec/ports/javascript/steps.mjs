// S3.5 and S3.6, a step: two multipliers with an offset, one without.

import { U } from "./climb.mjs";
import { max, min } from "./problem.mjs";

export const NOISE = 2 ** -40;

// S3.5, point 6: where slope t - curvature t^2 / 2 is largest from -backward to forward
export function travel(slope, curvature, backward, forward) {
  if (curvature > 0) return min(max(slope / curvature, -backward), forward);
  if (curvature === 0) return slope >= 0 ? forward : -backward;
  const value = (t) => t * (slope - (curvature * t) / 2);
  return value(forward) >= value(-backward) ? forward : -backward;
}

// The first of the group whose violation is largest, i with r_i = m of it
function worstRiser(climb) {
  const ends = climb.ends();
  let worst = 0;
  for (let g = 1; g < ends.length; g++) {
    if (ends[g][0] - ends[g][1] > ends[worst][0] - ends[worst][1]) worst = g;
  }
  for (let k = 0; k < climb.size; k++) {
    if (climb.group[k] === worst && climb.canRise(k) && climb.r[k] === ends[worst][0]) return k;
  }
  return -1;
}

function bestPartner(climb, i, row) {
  const { r, diag, group } = climb;
  let best = -1;
  let most = -Infinity;
  for (let k = 0; k < climb.size; k++) {
    if (group[k] !== group[i] || !climb.canFall(k)) continue;
    const d = r[i] - r[k];
    let gain = -1;
    if (d > 0) {
      const e = diag[i] + diag[k] - 2 * row[k];
      gain = e > 0 ? (d * d) / e : Infinity;
    }
    if (gain > most) [best, most] = [k, gain];
  }
  return best;
}

// S3.5: what the step was, with its gain; null if nothing was moved
export function pairStep(climb) {
  const { beta, r, lower, upper, diag } = climb;
  const i = worstRiser(climb);
  if (i < 0) return null;
  const rowI = climb.row(i);
  const j = bestPartner(climb, i, rowI);
  if (j < 0) return null;
  const slope = r[i] - r[j];
  const curvature = diag[i] + diag[j] - 2 * rowI[j];
  const K = rowI[j];
  climb.note(curvature, Math.abs(diag[i]) + Math.abs(diag[j]) + 2 * Math.abs(K), [
    [i, 1],
    [j, -1],
  ]);
  const forward = min(upper[i] - beta[i], beta[j] - lower[j]);
  const backward = min(beta[i] - lower[i], upper[j] - beta[j]);
  const t = travel(slope, curvature, backward, forward);
  if (!Number.isFinite(t)) {
    climb.unbounded = [
      [i, 1],
      [j, -1],
    ];
    return null;
  }
  const low = beta[j] - forward;
  const high = beta[j] + backward;
  const unclipped = curvature > 0 ? beta[j] - slope / curvature : beta[j] - t;
  const rose = climb.put(i, t);
  const fell = climb.put(j, -t);
  if (rose === 0 && fell === 0) return null;
  const gain =
    rose * r[i] + fell * r[j] - (diag[i] * rose * rose + 2 * K * rose * fell + diag[j] * fell * fell) / 2;
  const rowJ = climb.row(j);
  for (let k = 0; k < climb.size; k++) r[k] -= rose * rowI[k] + fell * rowJ[k];
  climb.distance += (Math.abs(rose) + Math.abs(fell)) * climb.N;
  climb.error += U * (climb.R + 4 * climb.distance);
  return { i, j, low, high, unclipped, clipped: beta[j], gain };
}

// S3.6, point 1
export function slopeAlong(climb, k) {
  const r = climb.r[k];
  if (climb.canRise(k) && r > 0) return r;
  return climb.canFall(k) && r < 0 ? r : 0;
}

export function singleStep(climb) {
  let best = -1;
  let most = -Infinity;
  for (let k = 0; k < climb.size; k++) {
    const slope = slopeAlong(climb, k);
    let gain = -1;
    if (slope !== 0) gain = climb.diag[k] > 0 ? (slope * slope) / climb.diag[k] : Infinity;
    if (gain > most) [best, most] = [k, gain];
  }
  return moveAlone(climb, best);
}

// S3.6, points 2 to 7
export function moveAlone(climb, i) {
  const { beta, r, lower, upper } = climb;
  const slope = r[i];
  const curvature = climb.diag[i];
  climb.note(curvature, -curvature, [[i, 1]]);
  const before = beta[i];
  const t = travel(slope, curvature, before - lower[i], upper[i] - before);
  if (!Number.isFinite(t)) {
    climb.unbounded = [[i, t > 0 ? 1 : -1]];
    return null;
  }
  const unclipped = curvature > 0 ? before + slope / curvature : before + t;
  const moved = climb.put(i, t);
  if (moved === 0) return null;
  const gain = moved * slope - (curvature * moved * moved) / 2;
  const row = climb.row(i);
  for (let k = 0; k < climb.size; k++) r[k] -= moved * row[k];
  climb.distance += Math.abs(moved) * climb.N;
  climb.error += U * (climb.R + 4 * climb.distance);
  return { i, j: i, low: lower[i], high: upper[i], unclipped, clipped: beta[i], gain };
}
