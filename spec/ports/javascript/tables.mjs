// S33: what a preparation learns of the columns of a table, and the rows of numbers that it makes.

import { PLAIN, cellOf, dayOf, isNumber, mannerOf, numberOf, written } from "./cells.mjs";
import { Exact, exactSum } from "./numbers.mjs";
import { Refusal } from "./problem.mjs";

const MANY = 50;
const CODES = 10;
const UNITS = 3;

export function preparation({ names, rows, new: fresh = [], part = rows.keys(), ...named }) {
  const all = rows.map((row) => row.map(cellOf));
  const kinds = kindsOf(names, all, named); // of all rows, also where a fold is learnt from: S33.5
  return prepared(kinds, names, all, fresh.map((row) => row.map(cellOf)), new Set(part));
}

export function refusal(given) {
  try {
    preparation(given);
  } catch (error) {
    if (error instanceof Refusal) return { value: true };
    throw error;
  }
  return { value: false };
}

// S33.2, of each column: "texts", "dates", or how its numbers are written; null where it is left out
function kindsOf(names, rows, { keep = [], drop = [], texts = [] }) {
  if (new Set(names).size < names.length) throw new Refusal("two columns have one name");
  const isNamed = (list, place) => list.includes(names[place]) || list.includes(place + 1);
  const kinds = names.map((name, place) => {
    if (isNamed(drop, place)) return null;
    const column = rows.map((row) => row[place]);
    const isKept = isNamed(keep, place) || isNamed(texts, place);
    const hasNames = place === 0 && name === "" && !column.includes(null) && new Set(column).size === column.length;
    if (hasNames && !isKept) return null;
    const kind = kindOf(name, column, isNamed(texts, place));
    return kind === null || (!isKept && tellsRowsApart(name, column, kind)) ? null : kind;
  });
  if (kinds.every((kind) => kind === null)) throw new Refusal("no column is left");
  if (kinds.some((kind, place) => kind && names[place].trim() === "")) throw new Refusal("a column has no name");
  return kinds;
}

function kindOf(name, column, isText) {
  const known = column.filter((cell) => cell !== null);
  const values = new Set(known).size;
  if (values < 2) return null;
  if (isText) return "texts";
  if (known.every((cell) => dayOf(cell) !== null)) return "dates";
  const manner = known.every(isNumber) ? PLAIN : mannerOf(known);
  if (manner) return new Set(known.map((cell) => numberOf(cell, manner))).size < 2 ? null : manner;
  const units = new Set(known.flatMap((cell) => (numberOf(cell) === null && written(cell) ? [written(cell).unit] : [])));
  const numbers = known.filter((cell) => numberOf(cell) !== null || (units.size <= UNITS && written(cell)));
  const isMany = new Set(numbers).size > CODES || (known.length >= 3 && 2 * values > known.length);
  if (2 * numbers.length >= known.length && isMany) throw new Refusal(`${name} has numbers and texts`);
  return "texts";
}

function tellsRowsApart(name, column, kind) {
  const known = column.filter((cell) => cell !== null);
  const values = new Set(known).size;
  if (kind === "texts") return values > MANY || (known.length >= 3 && values === known.length);
  if (kind === "dates" || known.length < column.length || column.length < 10) return false;
  const numbers = known.map((cell) => numberOf(cell, kind));
  if (!numbers.every(Number.isInteger) || new Set(numbers).size < numbers.length) return false;
  const [least, most] = numbers.reduce(([a, b], v) => [v < a ? v : a, v > b ? v : b], [Infinity, -Infinity]);
  return most - least === numbers.length - 1 || /id$/i.test(name);
}

const readAs = (kind, cell) => (kind === "dates" ? dayOf(cell) : numberOf(cell, kind));

// S33.3 and S33.4
function prepared(kinds, names, rows, fresh, part) {
  const known = rows.filter((_, i) => part.has(i));
  const columns = kinds.map((kind, place) => kind && learnt(kind, known.map((row) => row[place])));
  const made = columns.flatMap((column, place) => {
    if (!column) return [];
    return column.values ? column.values.map((value) => `${names[place]}=${value}`) : [names[place]];
  });
  if (new Set(made).size < made.length) throw new Refusal("two columns would have one name");
  const row = (given) => columns.flatMap((column, place) => (column ? numbersOf(kinds[place], column, given[place]) : []));
  const count = (isCounted) =>
    columns.map((column, place) => (column ? fresh.filter((given) => isCounted(column, given[place])).length : 0));
  return {
    columns,
    names: made,
    rows: rows.map(row),
    new: fresh.map(row),
    gaps: count((_, cell) => cell === null),
    unknown: count(({ values }, cell) => values && cell !== null && !values.includes(cell)),
  };
}

function learnt(kind, column) {
  const known = column.filter((cell) => cell !== null);
  if (kind === "texts") return { values: [...new Set(known)].sort(byCodePoint) };
  const found = meanAndDeviation(known.map((cell) => readAs(kind, cell)));
  const { decimal, unit } = kind;
  return { ...found, ...(kind === "dates" && { days: true }), ...(decimal && { decimal }), ...(unit && { unit }) };
}

function numbersOf(kind, { values, mean, deviation }, cell) {
  if (values) return values.map((value) => (value === cell ? 1 : 0));
  if (cell === null) return [0];
  const v = readAs(kind, cell);
  if (v === null) throw new Refusal(`${cell} is a text in a column of numbers or dates`);
  return [deviation === 0 ? 0 : (v - mean) / deviation];
}

function byCodePoint(a, b) {
  const [p, q] = [[...a], [...b]];
  const place = p.findIndex((v, k) => v !== q[k]);
  if (place < 0) return p.length - q.length;
  return place < q.length ? p[place].codePointAt(0) - q[place].codePointAt(0) : 1;
}

function meanAndDeviation(numbers) {
  const n = numbers.length;
  if (n === 0) return { mean: 0, deviation: 0 };
  const S = exactSum(numbers);
  const Q = numbers.reduce((sum, v) => sum.plus(Exact.of(v).times(v)), Exact.of(0));
  return { mean: S.over(n).toDouble(), deviation: rootOf(Q.times(n).minus(S.times(S)).over(n * n)) };
}

// The double nearest to the root
function rootOf(exact) {
  if (exact.sign() === 0) return 0;
  const { n, e, d } = exact;
  const isOdd = e % 2 !== 0;
  const top = isOdd ? n * 2n : n;
  const bits = Math.max(0, 140 - top.toString(2).length + d.toString(2).length);
  const shift = bits + (bits % 2);
  const whole = (top << BigInt(shift)) / d;
  const root = wholeRoot(whole);
  const rest = root * root === whole && whole * d === top << BigInt(shift) ? 0n : 1n;
  return new Exact(2n * root + rest, ((isOdd ? e - 1 : e) - shift) / 2 - 1).toDouble();
}

function wholeRoot(whole) {
  let x = 1n << BigInt(Math.ceil(whole.toString(2).length / 2));
  for (;;) {
    const y = (x + whole / x) >> 1n;
    if (y >= x) return x;
    x = y;
  }
}
