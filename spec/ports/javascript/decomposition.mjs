// S4, decomposition: SMO among a few members, in rounds; the linear kernel by way of w.

import { Climb, U } from "./climb.mjs";
import { alongFace } from "./face.mjs";
import { finish } from "./finish.mjs";
import { max, min } from "./problem.mjs";
import { askForEnd, askForMachine, begin, intervalOf, report, usualBudget } from "./smo.mjs";
import { pairStep, singleStep } from "./steps.mjs";

const FACE_LIMIT = 250;
const FACE_LIMIT_OF_MEMBERS = 512;
const GROWTH = 8;

// S4.5: with the linear kernel residuals are made of w
class ByW {
  constructor(problem, climb) {
    this.rows = problem.rows.map((row) => row.flatMap((v, c) => (v !== 0 ? [[c, v]] : [])));
    this.columns = problem.X[0].length;
    this.climb = climb;
    this.z = this.columns;
  }

  add(k, by) {
    for (const [c, v] of this.rows[this.climb.of[k]]) this.w[c] += by * v;
    this.mass += Math.abs(by) * this.climb.N;
  }

  residuals() {
    const { climb, w } = this;
    for (let k = 0; k < climb.size; k++) {
      let s = 0;
      for (const [c, v] of this.rows[climb.of[k]]) s += w[c] * v;
      climb.r[k] = climb.target[k] - s - climb.ridge[climb.of[k]] * climb.beta[k];
    }
  }

  recompute() {
    this.w = new Float64Array(this.columns);
    this.mass = 0;
    this.added = 0;
    this.climb.beta.forEach((b, k) => {
      if (b !== 0) this.add(k, b);
    });
    this.residuals();
    this.climb.anew();
  }

  carryOver(moved) {
    if (!moved.length) return;
    const { climb } = this;
    for (const [k, d] of moved) this.add(k, d);
    this.added += moved.length;
    this.residuals();
    climb.error = U * (this.added + this.z + 5) * (climb.R + this.mass);
  }
}

// S4.2, of one group: its variables in order
function chooseOf(climb, all, [m, M], count, last) {
  const fresh = count - Math.min(Math.floor(count / 2), count - 2, last.length);
  const { r } = climb;
  const rising = all.filter((k) => climb.canRise(k) && r[k] > M);
  rising.sort((a, b) => r[b] - r[a] || a - b);
  const chosen = rising.slice(0, Math.floor(fresh / 2));
  const taken = new Set(chosen);
  const falling = all.filter((k) => climb.canFall(k) && r[k] < m && !taken.has(k));
  falling.sort((a, b) => r[a] - r[b] || a - b);
  for (const k of falling.slice(0, fresh - chosen.length)) add(k);
  for (const k of last) if (climb.isFree(k)) add(k);
  for (const k of all) if (climb.isFree(k)) add(k);
  for (const k of last) add(k);
  return chosen;

  function add(k) {
    if (chosen.length < count && !taken.has(k)) {
      taken.add(k);
      chosen.push(k);
    }
  }
}

function chooseMembers(climb, count, last) {
  const ends = climb.ends();
  const every = [...climb.of.keys()];
  if (climb.groups < 2) return chooseOf(climb, every, climb.isTied ? ends[0] : [0, 0], count, last);
  const own = (g) => (k) => climb.group[k] === g;
  const choose = (g, size) => chooseOf(climb, every.filter(own(g)), ends[g], size, last.filter(own(g)));
  if (count < 4) {
    const worst = ends[1][0] - ends[1][1] > ends[0][0] - ends[0][1] ? 1 : 0;
    return choose(worst, count);
  }
  return [...choose(0, Math.floor(count / 2)), ...choose(1, Math.floor(count / 2))];
}

// S4.3: the program of the members alone
function blockOf(climb, members) {
  const pick = (values) => Float64Array.from(members, (k) => values[k]);
  const rows = members.map((k) => {
    const row = climb.row(k);
    return Float64Array.from(members, (j) => row[j]);
  });
  const block = new Climb(
    {
      size: members.length,
      target: pick(climb.target),
      lower: pick(climb.lower),
      upper: pick(climb.upper),
      diag: pick(climb.diag),
      group: climb.isTied ? members.map((k) => climb.group[k]) : null,
      groups: climb.groups,
      row: (a) => rows[a],
    },
    pick(climb.beta),
  );
  block.r = pick(climb.r);
  for (const v of block.r) block.R = max(block.R, Math.abs(v));
  block.patience = 1;
  return block;
}

// S4.3, points 3 to 6: how many steps
function round(climb, block, members, limit, maxIter, onStep) {
  const f = members.length;
  const interval = intervalOf(f);
  const usual = usualBudget(interval, f);
  const aim = max(climb.violation() / 10, limit / 2);
  const move = climb.isTied ? pairStep : singleStep;
  let taken = 0;
  while (block.violation() > max(aim, 2 * block.error)) {
    const step = move(block);
    if (!step) break;
    taken += 1;
    climb.steps += 1;
    climb.D += step.gain;
    if (climb.steps % interval === 0) {
      block.D = climb.D;
      climb.D += alongFace(block, { usual, limit: FACE_LIMIT_OF_MEMBERS, half: limit / 2, once: false });
    }
    onStep(report(block, step, climb, (a) => members[a]));
    if (climb.steps === maxIter || taken === climb.window.length || block.unbounded) break;
  }
  return taken;
}

export function decomposition({ problem, tol, max_iter: given, start, members }) {
  const maxIter = given ?? Infinity;
  const climb = begin({ problem, tol, start }, byWay);
  const interval = intervalOf(climb.size);
  const steps = [];
  const status = climb.impossible >= 0 ? "infeasible" : rounds(climb, { interval, maxIter, members, steps });
  return { steps, ...finish(climb, status) };
}

// Residuals made by w, with the linear kernel
function byWay(climb) {
  if (climb.problem.isLinear) {
    const way = new ByW(climb.problem, climb);
    climb.recompute = () => way.recompute();
    climb.carryOver = (moved) => way.carryOver(moved);
  }
  climb.recompute();
}

function rounds(climb, { interval, maxIter, members: first, steps }) {
  const n = climb.size;
  let count = first;
  const usual = usualBudget(interval, n);
  let faceDue = interval;
  let last = [];
  let best = [Infinity, -Infinity];
  const isBetter = (limit) => {
    const [V, D] = [climb.violation(), climb.objective()];
    const better = V <= limit || V < best[0] || D > best[1];
    best = [min(best[0], V), max(best[1], D)];
    return better;
  };
  for (;;) {
    const V = climb.violation();
    const ended = askForMachine(climb, interval);
    if (ended) return ended;
    const limit = climb.limit();
    if (V <= limit || V <= 2 * climb.error) {
      if (V + 2 * climb.error <= limit) return "optimal";
      climb.recompute();
      if (!isBetter(limit)) return "precision";
      continue;
    }
    if (climb.steps === maxIter) return "max_iter";
    if (climb.steps >= climb.end) return "precision";
    if (2 * freeCount(climb) > count) count = min(2 * count, GROWTH * first);
    const chosen = chooseMembers(climb, count, last);
    last = chosen;
    const members = [...chosen].sort((a, b) => a - b);
    const block = blockOf(climb, members);
    const taken = round(climb, block, members, limit, maxIter, (step) => steps.push(step));
    afterRound(climb, block, members);
    if (climb.steps >= faceDue && freeCount(climb) > count && !climb.unbounded) {
      faceDue = climb.steps + interval;
      climb.D += alongFace(climb, { usual, limit: FACE_LIMIT, half: limit / 2, once: true });
    }
    let status = null;
    if (!taken) {
      if (climb.error > 0) {
        climb.recompute();
        if (!isBetter(limit)) status = "precision";
      } else {
        status = "precision";
      }
    }
    if (climb.unbounded) status = "precision";
    status ||= askForEnd(climb, limit);
    if (status) return status;
  }
}

function freeCount(climb) {
  let count = 0;
  for (let k = 0; k < climb.size; k++) count += climb.isFree(k);
  return count;
}

// S4.4, points 1 and 2
function afterRound(climb, block, members) {
  const moved = [];
  members.forEach((k, a) => {
    if (block.beta[a] !== climb.beta[k]) moved.push([k, block.beta[a] - climb.beta[k]]);
    climb.beta[k] = block.beta[a];
  });
  climb.carryOver(moved);
  if (block.bend < climb.bend) {
    climb.bend = block.bend;
    climb.bent = block.bent.map(([a, v]) => [members[a], v]);
  }
  if (block.unbounded) climb.unbounded = block.unbounded.map(([a, v]) => [members[a], v]);
}
