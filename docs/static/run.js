// The sessions of a chapter run on its page: each has a bar, and Python compares what it prints
// with what the page says. Nothing is loaded before a button is pressed.

import { Bar, editor } from "./run-bar.js";
import { ask, python } from "./run-python.js";
import "./run-exercises.js";

const PROMPT = /^(>>>|\.\.\.)( |$)/;
const SIGNS = { " ": ["span", "  "], "-": ["del", "− "], "+": ["ins", "+ "] };

class Block {
  constructor(place, k) {
    this.printed = place.querySelector("pre").textContent;
    this.bar = new Bar(`block ${k + 1}`, "Run", () => runUpTo(this));
    this.ran = 0;  // the number of the interpreter that has run it, as it stands
    this.edit = this.bar.button("Edit", () => this.open());
    this.reset = this.bar.button("Reset", () => this.close());
    this.reset.hidden = true;
    this.output = document.createElement("pre");
    this.output.className = "run-output";
    this.output.hidden = true;
    this.output.tabIndex = 0;  // it may be wide, and is scrolled by keys
    place.after(this.bar.element, this.output);
  }

  /** The code of the page, without prompts and without what it prints. */
  get code() {
    const lines = this.printed.split("\n").filter((line) => PROMPT.test(line));
    return lines.map((line) => line.slice(4)).join("\n");
  }

  open() {
    this.field = editor(this.bar, this.code);
    this.field.addEventListener("input", () => {
      this.ran = 0;
      this.output.hidden = true;
    });
    this.bar.element.before(this.field);
    this.edit.hidden = true;
    this.reset.hidden = false;
    this.field.focus();
  }

  close() {
    this.field.remove();
    this.field = null;
    this.ran = 0;
    this.edit.hidden = false;
    this.reset.hidden = true;
    this.output.hidden = true;
    this.bar.say("");
    this.edit.focus();
  }

  async run() {
    const source = this.field ? this.field.value : null;
    this.output.hidden = true;
    const { same, lines } = await ask({ printed: this.printed, source });
    if (source !== (this.field ? this.field.value : null)) return this.bar.outdated();
    this.ran = python.number;
    if (!same) this.bar.say("not as printed: − the page, + here", source === null ? "bad" : "");
    else this.bar.say(lines.length ? "as printed" : "done: it prints nothing", "good");
    this.output.replaceChildren(...lines.flatMap(shown));
    this.output.hidden = !lines.length || (same && source === null);
  }
}

/** A line of the output, and its end. */
function shown([sign, text]) {
  const [kind, mark] = SIGNS[sign];
  const line = document.createElement(kind);
  line.textContent = mark + text;
  return [line, "\n"];
}

const places = [...document.querySelectorAll("article .highlight-pycon")];
const blocks = places.map((place, k) => new Block(place, k));

/** Run a block after those before it that have not been run as they stand. */
async function runUpTo(last) {
  const before = blocks.slice(0, blocks.indexOf(last)).filter((block) => block.ran !== python.number);
  for (const block of before) {
    if (python.started) last.bar.say(`${block.bar.of} runs first …`);
    await block.run();
  }
  if (python.started) last.bar.say("runs …");
  await last.run();
}

if (blocks.length > 1) blocks[0].bar.button("Run all", () => blocks.at(-1).bar.run());
