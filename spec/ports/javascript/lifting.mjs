// S6.5: equations of fractions, solved digit by digit from an inverse modulo a prime.

import { bitLength, Exact, wholeNumbers } from "./numbers.mjs";
import { dotModulo, inverseOf, PRIME, residue } from "./modular.mjs";

const P = BigInt(PRIME);

export class Equations {
  // Rows of fractions, of a regular matrix; that it is regular modulo the prime, too, is as good as sure
  constructor(rows) {
    const whole = rows.map(wholeNumbers);
    this.rows = whole.map(([numbers]) => numbers);
    this.factors = whole.map(([, factor]) => factor);
    this.H = inverseOf(this.rows.map((row) => row.map((n) => residue({ n, e: 0, d: 1n }))));
  }

  // The residues of the solution
  solveModulo(r) {
    const right = r.map((v, s) => residue(v.times(this.factors[s])));
    return this.H.map((row) => dotModulo(row, right));
  }

  solve(r) {
    const [right, scale] = wholeNumbers(r.map((v, s) => v.times(this.factors[s])));
    const x = right.map(() => 0n);
    let [rest, power] = [right, 1n];
    for (let due = 6; ; due *= 2) {
      for (let i = 0; i < due; i++) {
        const digits = this.digits(rest);
        digits.forEach((v, k) => (x[k] += v * power));
        rest = rest.map((v, s) => (v - this.product(s, digits)) / P);
        power *= P;
      }
      const found = fractionsOf(x, power);
      if (found && this.isSolution(found, right)) {
        const unit = scale.times(new Exact(found.denominator));
        return found.numerators.map((n) => new Exact(n).over(unit));
      }
    }
  }

  digits(rest) {
    const lowest = rest.map((n) => residue({ n, e: 0, d: 1n }));
    return this.H.map((row) => BigInt(dotModulo(row, lowest)));
  }

  product(s, v) {
    return this.rows[s].reduce((total, a, k) => (a ? total + a * v[k] : total), 0n);
  }

  isSolution({ numerators, denominator }, right) {
    return right.every((v, s) => this.product(s, numerators) === v * denominator);
  }
}

// Numerators over one denominator, short ones, that are x modulo power; or null
function fractionsOf(x, power) {
  const most = 1n << BigInt((bitLength(power) >> 1) - 1);
  let [numerators, denominator] = [[], 1n];
  for (const v of x) {
    const [n, d] = fractionOf((v * denominator) % power, power, most);
    denominator *= d;
    if (denominator > most) return null;
    numerators = d === 1n ? numerators : numerators.map((other) => other * d);
    numerators.push(n);
  }
  return { numerators, denominator };
}

// Euclid: n / d with |n| < most that is v modulo power
function fractionOf(v, power, most) {
  if (power - v < most) return [v - power, 1n];
  let [a, b, s, t] = [power, v, 0n, 1n];
  while (b >= most) {
    const q = a / b;
    [a, b, s, t] = [b, a - q * b, t, s - q * t];
  }
  return t < 0n ? [-b, -t] : [b, t];
}
