// S33.1, S33.2 and S33.6: what a field of a table may be. A cell is a text without needless blanks, or null.

import { Refusal } from "./problem.mjs";

const GAPS = new Set(["", "?", "NA", "N/A", "#N/A", "NAN", "NULL"]);
const NUMBER = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/;
const DAY = /^([0-9]{4})([-/])([0-9]{2})\2([0-9]{2})$/;
const LARGEST = 2 ** 1022;

export function cellOf(field) {
  if (field === null) return null;
  const text = String(field).trim().replace(/\s+/g, " ");
  return GAPS.has(text.toUpperCase()) ? null : text;
}

export const isNumber = (cell) => NUMBER.test(cell);

// null for a text
export function numberOf(cell, manner = PLAIN) {
  const found = isNumber(cell) && !manner.unit && manner.decimal !== "," ? Number(cell) : otherNumber(cell, manner);
  if (found !== null && Math.abs(found) > LARGEST) throw new Refusal(`${cell} is beyond 2^1022`);
  return found;
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

// S33.6

export const PLAIN = { decimal: "", unit: "" };
const SPELLINGS = new Map([
  ...[..."\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"].map((sign) => [sign, "-"]),
  ...[..."\uff0b+\uff0e.\u066b.\uff0c,\u066c,\u2019'\uff05%"].flatMap((sign, k, all) => (k % 2 ? [] : [[sign, all[k + 1]]])),
  ...[0xff10, 0x0660, 0x06f0].flatMap((zero) => [..."0123456789"].map((digit, k) => [String.fromCharCode(zero + k), digit])),
]);
const WORD = "[A-Za-z%\u2030\u00b0\u00b5\u00c0-\u024f\u0391-\u04ff]{1,8}[23]?";
const MONEY = "[$€£¥₹]";
const PARTS = new RegExp(
  `^([<>~≤≥]=? ?)?(\\( ?)?([+-] ?)?(${MONEY}|(?:EUR|USD|GBP|CHF) )? ?([+-])?` +
    `([0-9](?:[0-9.,' ]*[0-9])?\\.?|[.,][0-9]+)([eEdD][+-]?[0-9]{1,4})?` +
    `(?: ?(${MONEY}|${WORD}(?:[/^.]${WORD})*))?( ?[+-])?( ?\\))?$`,
);
const DIGITS = [/^[0-9]*(\.[0-9]*)?$/, /^[1-9][0-9]{0,2}(,[0-9]{2,3})*,[0-9]{3}(\.[0-9]*)?$/, /^[1-9][0-9]{0,2}(([' ])[0-9]{3})(\2[0-9]{3})*(\.[0-9]*)?$/];

// Sign, digits, exponent, unit, and the shape: "limit", "brackets", "behind" or "". null for a text
export function written(cell) {
  const spelt = [...cell].map((sign) => SPELLINGS.get(sign) ?? sign).join("");
  const parts = PARTS.exec(spelt);
  if (!parts) return null;
  const [limit, opening, sign, money, inner, digits, power, unit, behind, closing] = parts.slice(1).map((part) => (part ?? "").trim());
  const signs = [opening, sign, inner, behind].filter(Boolean);
  const exponent = power.toLowerCase().replace("d", "e");
  const isCode = /^d[0-9]/i.test(power) && !digits.includes(".");
  if (signs.length > 1 || (money && unit) || Boolean(opening) !== Boolean(closing) || isCode) return null;
  const shape = limit || behind === "+" ? "limit" : behind ? "behind" : opening ? "brackets" : "";
  const found = { sign: signs[0] && signs[0] !== "+" ? "-" : "", digits, exponent, unit: money || unit, shape };
  return valueOf(found, ".") === null && valueOf(found, ",") === null ? null : found;
}

function valueOf({ sign, digits, exponent }, decimal) {
  const pointed = decimal === "." ? digits : digits.replace(/[.,]/g, (mark) => (mark === "," ? "." : ","));
  if (!DIGITS.some((form) => form.test(pointed))) return null;
  const found = Number(sign + pointed.replace(/[,' ]/g, "") + exponent);
  return Number.isFinite(found) ? found : null;
}

function otherNumber(cell, { decimal, unit }) {
  const found = written(cell);
  if (!found || found.shape === "limit" || found.unit !== unit || (!decimal && found.digits.includes(","))) return null;
  return valueOf(found, decimal || ".");
}

// null where they are no numbers of one unit; a Refusal where it is not certain which they are
export function mannerOf(cells) {
  const known = cells.map(written);
  if (known.some((found) => !found || found.shape === "limit" || found.unit !== known[0].unit)) return null;
  const ways = [".", ","].filter((mark) => known.every((found) => valueOf(found, mark) !== null));
  const hasComma = known.some(({ digits }) => digits.includes(","));
  const behind = known.filter(({ shape }) => shape === "behind");
  if (ways.length === 0 || (hasComma && ways.length === 2)) throw new Refusal("a comma may be one of two marks");
  if (known.every(({ shape }) => shape === "brackets")) throw new Refusal("all are in brackets");
  if (behind.length && !behind.some(({ digits }) => /[.,]/.test(digits))) throw new Refusal("a minus may be a mark");
  return { decimal: hasComma || ways[0] === "," ? ways[0] : "", unit: known[0].unit };
}
