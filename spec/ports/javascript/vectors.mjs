// Holds the port against files of vectors: node vectors.mjs ../../vectors/*.json

import fs from "node:fs";
import { answerOf, types } from "./types.mjs";

// The place of the first difference, or nothing
export function difference(expected, found, place = "") {
  if (expected === null || typeof expected !== "object") {
    return expected === found ? null : `${place}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`;
  }
  if (found === null || typeof found !== "object") return `${place}: found ${JSON.stringify(found)}`;
  for (const key of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    if (!(key in expected)) return `${place}.${key}: not expected: ${JSON.stringify(found[key])}`;
    if (!(key in found)) return `${place}.${key}: missing`;
    const inside = difference(expected[key], found[key], `${place}.${key}`);
    if (inside) return inside;
  }
  return null;
}

function outcome(type, { given, answer }) {
  try {
    const { id, ...found } = answerOf({ type, given });
    void id;
    return difference(answer, found);
  } catch (error) {
    return error.stack;
  }
}

let failed = 0;
const shown = Number(process.env.SHOWN || 5);
const only = process.env.TYPE;
for (const path of process.argv.slice(2)) {
  const counts = {};
  for (const group of JSON.parse(fs.readFileSync(path)).testGroups || []) {
    if (!types.includes(group.type) || (only && only !== group.type)) continue;
    for (const test of group.tests) {
      if (!test.answer) continue;
      const wrong = outcome(group.type, test);
      const count = (counts[group.type] ||= { right: 0, wrong: 0 });
      count[wrong ? "wrong" : "right"] += 1;
      if (wrong && failed++ < shown) console.log(`${path} ${test.tcId} ${test.name}\n    ${wrong}`);
    }
  }
  for (const [type, { right, wrong }] of Object.entries(counts)) console.log(`${path} ${type}: ${right} right, ${wrong} wrong`);
}
process.exitCode = failed ? 1 : 0;
