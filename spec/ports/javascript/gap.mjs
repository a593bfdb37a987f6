// S30.6, the gap: what the machine that is kept costs above the optimum, at most.

import { exactSum } from "./numbers.mjs";
import { max } from "./problem.mjs";
import { impossibleGroup } from "./program.mjs";
import { leftBy } from "./residuals.mjs";
import { above, TINY, U } from "./rounding.mjs";

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

  get isSomethingRounded() {
    return this.wError !== 0 || this.E.some((v) => v !== 0);
  }

  // Point 2: [low, high] of the excess
  interval(k) {
    const g = this.group(k);
    const e = this.r[k] - this.lam[g];
    if (e === Infinity) return [Number.MAX_VALUE, e];
    if (e === -Infinity) return [e, -Number.MAX_VALUE];
    let E = this.E[k] + this.lamError[g];
    if (E > 0) E += 4 * U * Math.abs(e);
    return [e - E, e + E];
  }

  intervals() {
    return this.beta.map((_, k) => this.interval(k));
  }

  // Point 5
  share(k, beta, e) {
    const { lower, upper, ridge } = this.program;
    if (!this.isSoft(k)) {
      const room = e > 0 ? upper[k] - beta : beta - lower[k];
      if (!(room > 0) || room === Infinity || e === 0) return 0;
      const product = room * Math.abs(e);
      return product === 0 ? TINY : product;
    }
    const i = this.program.of[k];
    const { C, y } = this.judge.problem;
    const [a, c, d] = [Math.abs(beta), ridge[i], e * y[i]];
    let value = 0;
    if (d >= -c * a) value = (C[i] * (d * d)) / 2;
    else if (a > 0) value = -a * (d + (c * a) / 2);
    return value === 0 && d !== 0 && (a > 0 || d > 0) ? TINY : value;
  }

  // Point 4: beta', its cost, and by how much it moves w
  repair(ends) {
    const { lower, upper, groups = 0, sums } = this.program;
    const { roots } = this.judge;
    const large = ends.map(([low, high]) => max(Math.abs(low), Math.abs(high)));
    let cost = 0;
    let moved = this.pairsRounded();
    const near = this.beta.map((v, k) => {
      const clipped = v < lower[k] ? lower[k] : v > upper[k] ? upper[k] : v;
      if (clipped !== v) {
        cost += Math.abs(v - clipped) * large[k];
        moved += Math.abs(v - clipped) * roots[k];
      }
      return clipped;
    });
    this.sizes = [];
    for (let g = 0; g < groups; g++) {
      const members = [...near.keys()].filter((k) => this.group(k) === g);
      const much = exactSum(members.map((k) => near[k])).minus(sums[g]);
      if (!much.n) continue;
      const size = above(leftBy(much, 0), 1);
      this.sizes.push([g, size]);
      const [by, root] = this.mover(members, near, large, much.sign(), size);
      cost += size * by;
      moved += size * root;
    }
    return { near, cost, moved };
  }

  // Where two variables make one coefficient, which is rounded
  pairsRounded() {
    if (!this.program.isPaired) return 0;
    const { n, roots, net } = this.judge;
    let total = 0;
    for (let i = 0; i < n; i++) {
      const [a, b] = [this.beta[i], -this.beta[n + i]];
      const d = a - b;
      const off = d + b === a && a - d === b ? 0 : U * Math.abs(d);
      total += (Math.abs(d - net[i]) + off) * roots[i];
    }
    return total;
  }

  // What the one that can make up for a sum costs, and its root; or the worst that could be
  mover(members, near, large, sign, size) {
    const { lower, upper } = this.program;
    let best = -1;
    for (const k of members) {
      const end = sign > 0 ? lower[k] : upper[k];
      if (Math.abs(end - near[k]) > size && (best < 0 || large[k] < large[best])) best = k;
    }
    if (best >= 0) return [large[best], this.judge.roots[best]];
    if (impossibleGroup(this.program) >= 0) return [Infinity, Infinity];
    let [by, root] = [0, 0];
    for (const k of members) by = max(by, large[k]);
    for (const v of this.judge.roots) root = max(root, v);
    return [by, root];
  }

  // Point 3: { g, more } for the lesser and the larger short, or null where nothing must be lifted
  lift(ends) {
    const { lower, upper } = this.program;
    let [lesser, larger] = [0, 0];
    ends.forEach(([low, high], k) => {
      if (this.isSoft(k)) return;
      if (upper[k] === Infinity) [lesser, larger] = [max(lesser, low), max(larger, high)];
      if (lower[k] === -Infinity) [lesser, larger] = [max(lesser, -high), max(larger, -low)];
    });
    if (larger === 0) return null;
    if (this.judge.problem.form === "ball") return { g: [0, 0], more: [lesser * (1 - 8 * U), above(larger, 4)] };
    if (!(larger < 1)) return { g: [0, Infinity], more: [0, 0] };
    return { g: [(lesser / (1 - lesser)) * (1 - 8 * U), above(larger / (1 - larger), 4)], more: [0, 0] };
  }

  // With squared slack and a finite C a row allows slack
  isSoft(k) {
    const { C } = this.judge.problem;
    return this.isSquared && C[this.program.of[k]] !== Infinity;
  }

  lifted([low, high], k, { g, more }) {
    const t = this.program.target[k];
    const a = this.judge.ridge(k) * this.beta[k];
    const moved = (e) => g.map((by) => e + by * (e + (a - t)));
    const sizes = max(Math.abs(low), Math.abs(high)) + (Math.abs(a) + Math.abs(t));
    const wide = 8 * U * ((1 + g[1]) * sizes + more[1]) + 4 * TINY;
    return [Math.min(...moved(low)) - more[1] - wide, Math.max(...moved(high)) - more[0] + wide];
  }

  told() {
    let ends = this.intervals();
    const lift = this.lift(ends);
    let stretched = 0;
    if (lift) {
      if (lift.g[1] === Infinity) return Infinity;
      ends = ends.map((pair, k) => this.lifted(pair, k, lift));
      if (lift.g[1] > 0) stretched = lift.g[1] * (this.judge.reach + this.wError);
    }
    const { near, cost, moved } = this.repair(ends);
    let shares = 0;
    for (const v of this.shares(ends, near)) shares += v;
    const distance = this.wError + (moved + stretched);
    const found = this.scale * (shares + cost + (distance * distance) / 2);
    const gap = above(found === 0 && distance !== 0 ? TINY : found, this.size + 16);
    return Number.isNaN(gap) ? Infinity : gap;
  }

  shares(ends, near) {
    return ends.map(([low, high], k) => max(this.share(k, near[k], low), this.share(k, near[k], high)));
  }

  // Point 6
  refine() {
    if (!this.isSomethingRounded) return;
    const plain = new Gap(this.judge, { ...this, E: new Float64Array(this.size), lamError: this.lam.map(() => 0) });
    const point = plain.shares(plain.intervals(), this.beta);
    const wide = this.shares(this.intervals(), this.beta).map((v, k) => v - point[k]);
    let [more, size] = [0, 0];
    wide.forEach((v, k) => ([more, size] = [more + v, size + point[k]]));
    const part = 2 ** -8 * size;
    if (!(more > part)) return;
    const asked = wide.flatMap((v, k) => (v * this.size > part / 2 ? [k] : []));
    if (asked.length * this.judge.net.filter((v) => v !== 0).length > 2 ** 18) return;
    for (const k of asked) {
      [this.r[k], this.E[k]] = this.judge.withoutRounding(k, this.wError) || [this.r[k], this.E[k]];
    }
  }
}
