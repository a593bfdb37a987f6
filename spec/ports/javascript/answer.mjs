// Answers questions line by line, as S18.12 says: node answer.mjs < questions > answers

import readline from "node:readline";
import { answerOf } from "./types.mjs";

const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
for await (const line of lines) {
  if (line.trim()) process.stdout.write(`${JSON.stringify(answerOf(JSON.parse(line)))}\n`);
}
