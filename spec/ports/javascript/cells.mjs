// S33.1 and S33.2: what a field of a table may be. A cell is a text without needless blanks, or null.

import { Refusal } from "./problem.mjs";

const GAPS = new Set(["", "?", "NA", "N/A", "#N/A", "NAN", "NULL"]);
const NUMBER = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/;
const MEANT = /^[<>~≤≥=]* ?[+-]? ?[$€£]? ?[+-]?([0-9]{1,3}([,.' ][0-9]{3})+|[0-9]+)([.,][0-9]+)? ?[$€£%]?$/;
const DAY = /^([0-9]{4})([-/])([0-9]{2})\2([0-9]{2})$/;
const LARGEST = 2 ** 1022;

export function cellOf(field) {
  if (field === null) return null;
  const text = String(field).trim().replace(/\s+/g, " ");
  return GAPS.has(text.toUpperCase()) ? null : text;
}

export const isNumber = (cell) => NUMBER.test(cell);

export const isMeantAsNumber = (cell) => isNumber(cell) || MEANT.test(cell);

// null for a text
export function numberOf(cell) {
  if (!isNumber(cell)) return null;
  const v = Number(cell);
  if (Math.abs(v) > LARGEST) throw new Refusal(`${cell} is beyond 2^1022`);
  return v;
}

// Days from 1970-01-01, or null
export function dayOf(cell) {
  const [, year, , month, day] = (DAY.exec(cell) || []).map(Number);
  if (!year) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return date.getTime() / 86400000;
}
