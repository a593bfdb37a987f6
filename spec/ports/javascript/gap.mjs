// S30.6, the gap: what the machine that is kept costs above the optimum, at most.

import { exactSum } from "./numbers.mjs";
import { max } from "./problem.mjs";
import { above, TINY, U } from "./rounding.mjs";

// Point 5: a product that falls to 0 while both factors do not counts as tiny; 0 times infinity is 0 here
export function product(a, b) {
  if (a === 0 || b === 0) return 0;
  const value = a * b;
  return value === 0 ? TINY : value;
}

// C d^2 / 2
function halfSquare(C, d) {
  if (d === 0) return 0;
  const value = (C * (d * d)) / 2;
  return value === 0 ? TINY : value;
}

export class Gap {
  // judge, residuals and their errors, lam of each group with its error, w's error
  constructor(judge, { r, E, lam, lamError, wError }) {
    Object.assign(this, { judge, r: Float64Array.from(r), E: Float64Array.from(E), lam, lamError, wError });
    this.program = judge.program;
    this.beta = Array.from(judge.beta);
    this.size = judge.size;
    this.isSquared = judge.problem.isSquared;
    this.scale = judge.problem.form === "ball" ? 2 : 1;
  }

  group(k) {
    return this.program.group ? this.program.group[k] : 0;
  }

  // Point 2: [low, high] of the excess
  interval(k) {
    const g = this.group(k);
    const e = this.r[k] - this.lam[g];
    let E = this.E[k] + this.lamError[g];
    if (E > 0) E += 4 * U * Math.abs(e);
    return [e - E, e + E];
  }

  share(k, beta, e) {
    const { lower, upper, ridge } = this.program;
    if (this.isSquared) {
      const i = this.program.of[k];
      const a = Math.abs(beta);
      const c = ridge[i];
      const d = e * this.judge.problem.y[i];
      if (d >= -c * a) return halfSquare(this.judge.problem.C[i], d);
      return product(a, -(d + (c * a) / 2));
    }
    return product(upper[k] - beta, max(e, 0)) + product(beta - lower[k], max(-e, 0));
  }

  // Point 4: beta' and what it costs
  repair(ends) {
    const { lower, upper } = this.program;
    const widest = ends.map(([low, high]) => max(Math.abs(low), Math.abs(high)));
    let cost = 0;
    let moved = this.pairsRounded();
    const near = this.beta.map((v, k) => {
      const clipped = v < lower[k] ? lower[k] : v > upper[k] ? upper[k] : v;
      if (clipped !== v) {
        const size = Math.abs(clipped - v);
        cost += product(size, widest[k]);
        moved += product(size, this.judge.roots[k]);
      }
      return clipped;
    });
    this.sizes = [];
    for (let g = 0; g < (this.program.groups || 0); g++) {
      const members = [...near.keys()].filter((k) => this.group(k) === g);
      const much = exactSum(members.map((k) => near[k])).minus(this.program.sums[g]);
      if (!much.n) continue;
      const size = above(much.absolute().roundedUp(), 1);
      this.sizes.push([g, size]);
      const [by, root] = this.cheapest(members, near, widest, much.sign() * size, size);
      cost += product(size, by);
      moved += product(size, root);
    }
    return { near, cost, moved, widest };
  }

  // Where two variables make one coefficient, which is rounded
  pairsRounded() {
    if (!this.program.isPaired) return 0;
    const { n, roots } = this.judge;
    let total = 0;
    for (let i = 0; i < n; i++) {
      const [a, b] = [this.beta[i], -this.beta[n + i]];
      const d = a - b;
      if (!(d + b === a && a - d === b)) total += U * Math.abs(d) * roots[i];
    }
    return total;
  }

  // The variable that has the room, or the worst that could be
  cheapest(members, near, widest, off, size) {
    const { lower, upper } = this.program;
    let best = -1;
    for (const k of members) {
      const room = off > 0 ? near[k] - lower[k] : upper[k] - near[k];
      if (room >= size && (best < 0 || widest[k] < widest[best])) best = k;
    }
    if (best >= 0) return [widest[best], this.judge.roots[best]];
    let [by, root] = [0, 0];
    for (const k of members) [by, root] = [max(by, widest[k]), max(root, this.judge.roots[k])];
    return [by, root];
  }

  // Point 3: { g, more } for the lesser and the larger short, or null where nothing must be lifted
  lift(ends) {
    const { lower, upper } = this.program;
    let [lesser, larger] = [0, 0];
    let isNeeded = false;
    ends.forEach(([low, high], k) => {
      const rises = upper[k] === Infinity && !this.isSoft(k);
      const falls = lower[k] === -Infinity && !this.isSoft(k);
      if (rises) [lesser, larger] = [max(lesser, low), max(larger, high)];
      if (falls) [lesser, larger] = [max(lesser, -high), max(larger, -low)];
      if ((rises && high > 0) || (falls && low < 0)) isNeeded = true;
    });
    if (!isNeeded) return null;
    if (this.judge.problem.form === "ball") {
      return { g: [0, 0], more: [lesser, above(larger, 4)] };
    }
    if (larger >= 1) return { g: [0, Infinity], more: [0, 0] };
    const g = [(lesser / (1 - lesser)) * (1 - 8 * U), above(larger / (1 - larger), 4)];
    return { g, more: [0, 0] };
  }

  // With squared slack and a finite C a row allows slack
  isSoft(k) {
    const { C } = this.judge.problem;
    return this.isSquared && C[this.program.of[k]] !== Infinity;
  }

  lifted([low, high], k, { g, more }) {
    const target = this.program.target[k];
    const own = this.judge.ridge(k) * this.beta[k];
    const values = [low, high].flatMap((e) => g.map((by) => e + by * (e + (own - target))));
    const sizes = max(Math.abs(low), Math.abs(high)) + (Math.abs(own) + Math.abs(target));
    const wider = 8 * U * ((1 + g[1]) * sizes + more[1]) + 4 * TINY;
    return [Math.min(...values) - more[1] - wider, Math.max(...values) - more[0] + wider];
  }

  // The ends of the excess of each, lifted where that is needed, and what it stretches w by; null if nothing can lift it
  ends() {
    const ends = this.beta.map((_, k) => this.interval(k));
    const lift = this.lift(ends);
    if (!lift) return { ends, stretched: 0 };
    if (lift.g[1] === Infinity) return null;
    return {
      ends: ends.map((pair, k) => this.kept(this.lifted(pair, k, lift), k)),
      stretched: product(lift.g[1], this.judge.reach + this.wError),
    };
  }

  // own: what is known of |w - v| already
  told(own = this.wError) {
    const found = this.ends();
    if (!found) return Infinity;
    const { ends, stretched } = found;
    const { near, cost, moved } = this.repair(ends);
    let shares = 0;
    for (const v of this.shares(ends, near)) shares += v;
    const distance = own + (moved + stretched);
    const sum = this.scale * (shares + cost + (distance * distance) / 2);
    return above(sum, this.size + 16);
  }

  shares(ends, near) {
    return ends.map(([low, high], k) => max(this.share(k, near[k], low), this.share(k, near[k], high)));
  }

  // What was lifted until it keeps all margins asks for no slack
  kept([low, high], k) {
    const { lower, upper } = this.program;
    if (this.isSoft(k)) return [low, high];
    if (upper[k] === Infinity) return [Math.min(low, 0), Math.min(high, 0)];
    if (lower[k] === -Infinity) return [max(low, 0), max(high, 0)];
    return [low, high];
  }

  // Point 6
  refine() {
    if (this.E.every((v) => v === 0)) return;
    const found = this.ends();
    const plain = new Gap(this.judge, { ...this, E: new Float64Array(this.size), lamError: this.lam.map(() => 0) });
    const bare = plain.ends();
    if (!found || !bare) return;
    const told = this.shares(found.ends, this.repair(found.ends).near);
    const without = plain.shares(bare.ends, plain.repair(bare.ends).near);
    let [most, least] = [0, 0];
    told.forEach((v, k) => ([most, least] = [most + v, least + without[k]]));
    if (!(most - least > 2 ** -8 * least)) return;
    const asked = told.flatMap((v, k) => ((v - without[k]) * this.size > 2 ** -9 * least ? [k] : []));
    if (asked.length * this.judge.used > 2 ** 18) return;
    for (const k of asked) {
      [this.r[k], this.E[k]] = this.judge.withoutRounding(k, this.wError) || [this.r[k], this.E[k]];
    }
  }
}

