// S1, arithmetic: exp, tanh, power, the generator, draws and orders.

import { fromHex } from "./numbers.mjs";

// S1.3. The constants, copied in their hexadecimal form.
const ROUNDER = fromHex("0x1.8000000000000p+52");
const INV_LN2 = fromHex("0x1.71547652b82fep+0");
const LN2_HIGH = fromHex("0x1.62e42fefa3800p-1");
const LN2_LOW = fromHex("0x1.ef35793c76730p-45");
const P1 = fromHex("0x1.5555555555530p-3");
const P2 = fromHex("-0x1.6c16c16bdd563p-9");
const P3 = fromHex("0x1.1566aac9be885p-14");
const P4 = fromHex("-0x1.bbd3bf9244eaep-20");
const P5 = fromHex("0x1.6351493e5c54fp-25");
const HALF_LN2 = fromHex("0x1.62e42fefa39efp-2");

const series = (z) => P1 + z * (P2 + z * (P3 + z * (P4 + z * P5)));

// S1.3
export function exp(x) {
  if (Number.isNaN(x)) return NaN;
  if (x > 710) return Infinity;
  if (x < -746) return 0;
  const k = x * INV_LN2 + ROUNDER - ROUNDER;
  const a = x - k * LN2_HIGH;
  const b = k * LN2_LOW;
  const r = a - b;
  const z = r * r;
  const c = r - z * series(z);
  const s = 1 + a;
  const p = s + (1 - s + a - (b - (r * c) / (2 - c)));
  return timesPowerOfTwo(p, k);
}

// S1.3, step 10, for |k| up to 2000: of two factors the first product is exact.
export function timesPowerOfTwo(p, k) {
  if (k < -1074) return p * 2 ** (k + 1000) * 2 ** -1000;
  if (k > 1023) return p * 2 ** (k - 1000) * 2 ** 1000;
  return p * 2 ** k;
}

// S1.4
export function tanh(x) {
  if (Number.isNaN(x)) return NaN;
  if (x < 0) return -tanh(-x);
  if (x > 22) return 1;
  const r = x + x;
  if (r > HALF_LN2) {
    const e = exp(r);
    return (e - 1) / (e + 1);
  }
  const z = r * r;
  return r / (2 + z * series(z));
}

// S1.4, of doubles
export function power(b, n) {
  let r = 1;
  while (n) {
    if (n % 2) r *= b;
    n = Math.floor(n / 2);
    if (n) b *= b;
  }
  return r;
}

// S1.5: the words of SplitMix64, as BigInt
export function* splitmix64(seed) {
  const word = (v) => BigInt.asUintN(64, v);
  let state = word(BigInt(seed));
  for (;;) {
    state = word(state + 0x9e3779b97f4a7c15n);
    let z = state;
    z = word((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = word((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    yield z ^ (z >> 31n);
  }
}

// S1.5: a double in [0, 1) of a word
export const unit = (word) => Number(word >> 11n) * 2 ** -53;

// S1.5: a draw below n, both BigInt
export function below(n, words) {
  if (n === 1n) return 0n;
  const width = BigInt((n - 1n).toString(2).length);
  for (;;) {
    const draw = words.next().value >> (64n - width);
    if (draw < n) return draw;
  }
}

const smallBelow = (n, words) => Number(below(BigInt(n), words));

const upTo = (n) => Array.from({ length: n }, (_, i) => i);

// S1.5: from the last place down; v is changed
export function shuffle(v, words) {
  for (let i = v.length - 1; i > 0; i--) {
    const j = smallBelow(i + 1, words);
    [v[i], v[j]] = [v[j], v[i]];
  }
  return v;
}

// S1.5, picks
export const passes = (n, times) => upTo(n * times).map((i) => i % n);

export function shuffledPasses(n, times, seed) {
  const words = splitmix64(seed);
  return upTo(times).flatMap(() => shuffle(upTo(n), words));
}

export function uniform(n, steps, seed) {
  const words = splitmix64(seed);
  return upTo(steps).map(() => smallBelow(n, words));
}

export function folds(n, k, seed) {
  const order = shuffle(upTo(n), splitmix64(seed));
  const edge = (j) => Math.floor((n * j) / k);
  return upTo(k).map((j) => order.slice(edge(j), edge(j + 1)).sort((a, b) => a - b));
}
