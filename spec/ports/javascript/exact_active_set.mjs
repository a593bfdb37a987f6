// S6.7 on fractions (point 12), for the least x Q x within bounds and with the sums of groups: S30.10. Q is positive
// semidefinite, so that nothing bends upwards.

import { Equations } from "./lifting.mjs";
import { dotModulo, residue } from "./modular.mjs";
import { Exact, wholeNumbers, ZERO } from "./numbers.mjs";

const MOVES = 200;
const ONE = Exact.of(1);

export class ExactActiveSet {
  // { Q, bits, group, sums, lower, upper }, bits of the longest number of Q; x, where it starts; how much may be counted
  constructor(program, x, allowed) {
    Object.assign(this, program, { x, allowed });
    this.e = this.sums.length;
    this.n = x.length;
    this.moves = 0;
    this.stalled = false;
    this.begin();
  }

  S(a, b) {
    const { e, group } = this;
    if (a < e && b < e) return ZERO;
    if (a < e || b < e) return group[Math.max(a, b) - e] === Math.min(a, b) ? ONE : ZERO;
    return this.Q[a - e][b - e];
  }

  isFree(k) {
    const v = this.x[k];
    return v.compare(this.lower[k]) > 0 && v.compare(this.upper[k]) < 0;
  }

  // Points 1 and 2
  begin() {
    const { e, group, sums } = this;
    const all = [...this.x.keys()];
    const firsts = sums.map((_, g) => {
      const own = all.filter((k) => group[k] === g);
      return own.find((k) => this.isFree(k)) ?? own.find((k) => this.upper[k] !== this.lower[k]) ?? own[0];
    });
    this.setList([...sums.keys(), ...firsts.map((k) => e + k)]);
    for (const k of all) {
      if (firsts.includes(k) || !this.isFree(k)) continue;
      const m = this.list.map((a) => this.S(a, e + k));
      const eta = residue(this.S(e + k, e + k)) - dotModulo(m.map(residue), this.equations.solveModulo(m));
      if (eta !== 0) this.setList([...this.list, e + k]);
    }
  }

  setList(list) {
    this.list = list;
    this.equations = new Equations(list.map((a) => list.map((b) => this.S(a, b))));
  }

  // Of the rows of these indices: sums, less what those not in the list make of it
  right(indices) {
    const { e, x } = this;
    const inside = new Set(this.list);
    const fixed = [...x.keys()].filter((k) => x[k].n && !inside.has(e + k));
    return indices.map((a) =>
      fixed.reduce((v, k) => v.minus(x[k].times(this.S(e + k, a))), a < e ? this.sums[a] : ZERO),
    );
  }

  // The variables of the list with their numbers of v
  own(v) {
    return this.list.flatMap((a, place) => (a < this.e ? [] : [[a - this.e, v[place]]]));
  }

  // The ratio test. With one denominator for all of x, and one for d, lengths are compared without being reduced.
  ratio(d, start) {
    const inOrder = [...d].sort((a, b) => a[0] - b[0]).filter(([, v]) => v.n);
    const [X, ofX] = wholeNumbers(inOrder.map(([k]) => this.x[k]));
    const [V, ofV] = wholeNumbers(inOrder.map(([, v]) => v));
    let [t, blocking] = [start && start.times(ofX).over(ofV).pair(), -1];
    inOrder.forEach(([k, v], place) => {
      const bound = Exact.of(v.sign() > 0 ? this.upper[k] : this.lower[k]);
      const room = bound.times(ofX).minus(X[place]);
      const length = [room.absolute(), Exact.of(V[place]).absolute()];
      const order = t === null ? -1 : length[0].times(t[1]).compare(t[0].times(length[1]));
      if (order < 0 || (order === 0 && blocking > k)) [t, blocking] = [length, k];
    });
    return [t && t[0].over(t[1]).times(ofV).over(ofX), blocking];
  }

  // Whether some x became another number
  move(d, t, blocking) {
    let changed = false;
    for (const [k, v] of d) {
      const next = k === blocking ? Exact.of(v.sign() > 0 ? this.upper[k] : this.lower[k]) : this.x[k].plus(v.times(t));
      changed ||= next.compare(this.x[k]) !== 0;
      this.x[k] = next;
    }
    return changed;
  }

  // S30.10, point 3: whether what is counted is too much
  isTooMuch() {
    const k = this.list.length;
    const longest = this.x.reduce((most, v) => Math.max(most, v.longest()), 0);
    this.allowed -= k * (k * this.bits + longest) ** 2;
    return this.allowed < 0;
  }

  // x where it ends, or null where too much was counted
  run() {
    for (;;) {
      if (this.isTooMuch()) return null;
      const where = this.towards();
      if (where === "end") return this.x;
      if (where === "blocked") continue;
      do {
        if (this.isTooMuch()) return null;
        if (!this.release()) return this.x;
      } while (this.atOptimum);
    }
  }

  // Point 4: "end", "blocked", or "there"
  towards() {
    const z = this.equations.solve(this.right(this.list));
    const d = this.own(z).map(([k, v]) => [k, v.minus(this.x[k])]);
    const isMove = d.some(([, v]) => v.n);
    if (isMove && this.moves === MOVES) return "end";
    const [t, blocking] = this.ratio(d, ONE);
    if (this.move(d, t, blocking)) this.stalled = false;
    if (blocking < 0) {
      this.z = z;
      return "there";
    }
    if (isMove) this.moves += 1;
    this.setList(this.list.filter((a) => a !== this.e + blocking));
    return "blocked";
  }

  // Point 5: [variable, gradient] of the one that enters, or null
  entering() {
    const { e, x, list, z } = this;
    const inside = new Set(list);
    const held = [...x.keys()].filter((k) => !inside.has(e + k));
    const right = this.right(held.map((k) => e + k));
    const [numbers, factor] = wholeNumbers(z); // so the gradients have one denominator, too
    let best = null;
    held.forEach((k, place) => {
      const g = list.reduce((v, a, c) => v.minus(this.S(a, e + k).times(numbers[c])), right[place].times(factor));
      if (!g.n || x[k].compare(g.sign() > 0 ? this.upper[k] : this.lower[k]) === 0) return;
      if (!best || (!this.stalled && g.absolute().compare(best[1].absolute()) > 0)) best = [k, g];
    });
    return best && [best[0], best[1].over(factor)];
  }

  // Points 5 to 7: whether there is more to do
  release() {
    const { e, list } = this;
    const found = this.entering();
    if (!found || this.moves === MOVES) return false;
    const [j, g] = found;
    const m = list.map((a) => this.S(a, e + j));
    const u = this.equations.solve(m).map((v) => v.negated());
    const eta = u.reduce((total, v, c) => total.plus(v.times(m[c])), this.S(e + j, e + j));
    const isUp = g.sign() > 0;
    const d = [...this.own(u), [j, ONE]].map(([k, v]) => [k, isUp ? v : v.negated()]);
    const [t, blocking] = this.ratio(d, eta.sign() > 0 ? g.absolute().over(eta) : null);
    if (t === null) return false;
    this.stalled = !this.move(d, t, blocking);
    this.moves += 1;
    this.atOptimum = blocking < 0 || blocking === j;
    if (!this.atOptimum) this.setList(list.map((a) => (a === e + blocking ? e + j : a)));
    else {
      const by = isUp ? t : t.negated();
      this.z = this.z.map((v, c) => v.plus(u[c].times(by)));
      if (blocking < 0) this.add(j);
    }
    return true;
  }

  add(j) {
    this.z.push(this.x[j]);
    this.setList([...this.list, this.e + j]);
  }
}
