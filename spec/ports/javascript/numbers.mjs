// Numbers as text (S18.2, S18.7), and exact numbers: every double is a fraction, sums and products of fractions are
// exact, and a fraction is rounded to the nearest double once.

// S18.7
export function fromHex(text) {
  const [, sign, digits, exponent] = /^(-?)0x([01]\.[0-9a-f]+)p([+-]\d+)$/.exec(text) || [];
  if (!digits) return { inf: Infinity, "-inf": -Infinity, nan: NaN }[text];
  const whole = parseInt(digits.replace(".", ""), 16) * (sign ? -1 : 1);
  const shift = Number(exponent) - 4 * (digits.length - 2);
  return shift < -1000 ? whole * 2 ** (shift + 100) * 2 ** -100 : whole * 2 ** shift;
}

const view = new DataView(new ArrayBuffer(8));

function bitsOf(x) {
  view.setFloat64(0, x);
  return view.getBigUint64(0);
}

function fromBits(bits) {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

// The reverse of fromHex, as C and Python write a double.
export function toHex(x) {
  if (Number.isNaN(x)) return "nan";
  if (x === Infinity) return "inf";
  if (x === -Infinity) return "-inf";
  const sign = x < 0 || Object.is(x, -0) ? "-" : "";
  if (x === 0) return `${sign}0x0.0p+0`;
  const bits = bitsOf(x);
  const field = Number((bits >> 52n) & 0x7ffn);
  const digits = (bits & 0xfffffffffffffn).toString(16).padStart(13, "0");
  const exponent = field ? field - 1023 : -1022;
  return `${sign}0x${field ? 1 : 0}.${digits}p${exponent < 0 ? "" : "+"}${exponent}`;
}

// The doubles next to a finite x
export function nextUp(x) {
  if (x === Infinity) return x;
  if (x === 0) return 2 ** -1074;
  return fromBits(bitsOf(x) + (x > 0 ? 1n : -1n));
}

export const nextDown = (x) => -nextUp(-x);

// floor(log2 |x|) of a finite double that is not 0
export function exponentOf(x) {
  const field = Number((bitsOf(x) >> 52n) & 0x7ffn);
  if (field) return field - 1023;
  return Number((bitsOf(x) & 0xfffffffffffffn).toString(2).length) - 1075;
}

const size = (n) => (n < 0n ? -n : n);

export const bitLength = (n) => {
  const hex = size(n).toString(16);
  return hex === "0" ? 0 : 4 * (hex.length - 1) + (32 - Math.clz32(parseInt(hex[0], 16)));
};

// Euclid's algorithm, many steps at once for long numbers (Lehmer): as long as their first 52 bits tell each quotient
function greatestDivisor(p, q) {
  let [a, b] = p < q ? [q, p] : [p, q];
  let length = bitLength(a);
  while (b >> 52n) {
    const top = Number(a >> BigInt(length - 52));
    if (!top) {
      length = bitLength(a);
      continue;
    }
    length -= 51 - Math.floor(Math.log2(top));
    const shift = BigInt(Math.max(length - 52, 0));
    const [A, B, C, D] = severalSteps(Number(a >> shift), Number(b >> shift));
    if (B) [a, b] = [BigInt(A) * a + BigInt(B) * b, BigInt(C) * a + BigInt(D) * b];
    else [a, b] = [b, a % b];
  }
  while (b) [a, b] = [b, a % b];
  return a;
}

// Factors A, B, C, D that the steps come to: of both numbers a and b, those that follow are A a + B b and C a + D b
function severalSteps(first, second) {
  let [x, y, A, B, C, D] = [first, second, 1, 0, 0, 1];
  while (y + C !== 0 && y + D !== 0) {
    const q = Math.floor((x + A) / (y + C));
    if (q !== Math.floor((x + B) / (y + D))) break;
    [A, B, C, D] = [C, D, A - q * C, B - q * D];
    [x, y] = [y, x - q * y];
  }
  return [A, B, C, D];
}

// n * 2^e / d, with whole n and e, and d odd and above 0: doubles and what + - * make of them have d = 1.
export class Exact {
  constructor(n, e = 0, d = 1n) {
    this.n = n;
    this.e = e;
    this.d = d;
  }

  static of(x) {
    if (x instanceof Exact) return x;
    if (typeof x === "bigint") return new Exact(x);
    if (Number.isSafeInteger(x)) return new Exact(BigInt(x));
    if (!Number.isFinite(x)) throw new RangeError(`${x} is no fraction`);
    const bits = bitsOf(x);
    const field = Number((bits >> 52n) & 0x7ffn);
    const low = bits & 0xfffffffffffffn;
    const whole = field ? low | 0x10000000000000n : low;
    return new Exact(x < 0 ? -whole : whole, (field || 1) - 1075);
  }

  // "p" or "p/q"
  static parse(text) {
    const [p, q] = text.split("/");
    return new Exact(BigInt(p)).over(new Exact(BigInt(q || "1")));
  }

  plus(other) {
    const [a, b] = [this, Exact.of(other)];
    if (!a.n) return b;
    if (!b.n) return a;
    const e = Math.min(a.e, b.e);
    const p = a.n << BigInt(a.e - e);
    const q = b.n << BigInt(b.e - e);
    if (a.d === b.d) return new Exact(p + q, e, a.d).reduced();
    return new Exact(p * b.d + q * a.d, e, a.d * b.d).reduced();
  }

  minus(other) {
    return this.plus(Exact.of(other).negated());
  }

  times(other) {
    const b = Exact.of(other);
    return new Exact(this.n * b.n, this.e + b.e, this.d * b.d).reduced();
  }

  over(other) {
    const b = Exact.of(other);
    if (!b.n) throw new RangeError("division by 0");
    const divisor = size(b.n);
    const twos = bitLength(divisor & -divisor) - 1;
    const sign = b.n < 0n ? -1n : 1n;
    return new Exact(sign * this.n * b.d, this.e - b.e - twos, this.d * (divisor >> BigInt(twos))).reduced();
  }

  reduced() {
    if (this.d === 1n) return this;
    const common = greatestDivisor(size(this.n), this.d);
    return common === 1n ? this : new Exact(this.n / common, this.e, this.d / common);
  }

  negated() {
    return new Exact(-this.n, this.e, this.d);
  }

  absolute() {
    return this.n < 0n ? this.negated() : this;
  }

  sign() {
    return this.n > 0n ? 1 : this.n < 0n ? -1 : 0;
  }

  compare(other) {
    return this.minus(other).sign();
  }

  // Numerator and denominator in lowest terms
  terms() {
    let [p, q] = [this.n, this.d];
    if (this.e >= 0) p <<= BigInt(this.e);
    else q <<= BigInt(-this.e);
    const common = greatestDivisor(size(p), q) || 1n;
    return [p / common, q / common];
  }

  // Two numbers without a denominator of which this is the quotient
  pair() {
    return [new Exact(this.n, this.e), new Exact(this.d)];
  }

  // Bits of the numerator or the denominator, whichever has more
  longest() {
    const twos = this.e < 0 && this.n ? Math.min(-this.e, bitLength(this.n & -this.n) - 1) : 0;
    const e = this.n ? this.e + twos : 0;
    return Math.max(bitLength(this.n) - twos + Math.max(e, 0), bitLength(this.d) + Math.max(-e, 0));
  }

  // The nearest double, ties to even; infinity where none is near
  toDouble() {
    if (!this.n) return 0;
    let whole = size(this.n);
    let e = this.e;
    const more = 66 + bitLength(this.d) - bitLength(whole);
    if (this.d !== 1n) {
      const shift = BigInt(Math.max(more, 0));
      whole <<= shift;
      e -= Number(shift);
      const rest = whole % this.d;
      whole = ((whole / this.d) << 1n) | (rest ? 1n : 0n);
      e -= 1;
    }
    const drop = Math.max(bitLength(whole) - 53, -1074 - e);
    if (drop > 0) {
      const half = 1n << BigInt(drop - 1);
      const rest = whole & ((half << 1n) - 1n);
      whole >>= BigInt(drop);
      e += drop;
      if (rest > half || (rest === half && whole & 1n)) whole += 1n;
    }
    let value = Number(whole);
    while (e > 900) [value, e] = [value * 2 ** 900, e - 900];
    while (e < -900) [value, e] = [value * 2 ** -900, e + 900]; // exact: what does not fit was dropped above
    value *= 2 ** e;
    return this.n < 0n ? -value : value;
  }

  // The largest double that is not above, the smallest that is not below
  roundedDown() {
    const near = this.toDouble();
    if (near === Infinity) return Number.MAX_VALUE;
    if (near === -Infinity) return near;
    return Exact.of(near).compare(this) > 0 ? nextDown(near) : near;
  }

  roundedUp() {
    return 0 - this.negated().roundedDown();
  }
}

export const ZERO = new Exact(0n);

// Of doubles, of fractions, and of infinities beside these: the sign of a - b
export function order(a, b) {
  if (typeof a === "number" && typeof b === "number") return (a > b) - (a < b);
  if (isInfinite(a) || isInfinite(b)) return isInfinite(a) ? Math.sign(a) : 0 - Math.sign(b);
  return Exact.of(a).compare(b);
}

export const isInfinite = (v) => v === Infinity || v === -Infinity;

// Doubles next to a fraction; infinities as they are
export const down = (v) => (isInfinite(v) ? v : Exact.of(v).roundedDown());
export const up = (v) => 0 - down(isInfinite(v) ? -v : Exact.of(v).negated());

export const least = (values) => values.reduce((a, b) => (order(b, a) < 0 ? b : a));
export const most = (values, none) => (values.length ? values.reduce((a, b) => (order(b, a) > 0 ? b : a)) : none);

// The exact sum of doubles
export function exactSum(values) {
  let total = ZERO;
  for (const v of values) if (v) total = total.plus(v);
  return total;
}

// [whole numbers, what they were multiplied with]: by one number, for all
export function wholeNumbers(values) {
  let [e, d] = [Infinity, 1n];
  for (const v of values) {
    if (!v.n) continue;
    e = Math.min(e, v.e);
    if (d % v.d) d *= v.d / greatestDivisor(d, v.d);
  }
  if (e === Infinity) return [values.map(() => 0n), Exact.of(1)];
  return [values.map((v) => (v.n ? (v.n << BigInt(v.e - e)) * (d / v.d) : 0n)), new Exact(d, -e)];
}
