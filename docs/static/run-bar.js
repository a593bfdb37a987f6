// The bar below a block or an exercise: buttons, and what is said of the last run.

import { inTurn, python, stop } from "./run-python.js";

const spoken = document.createElement("div");  // what a screen reader says: of the bar in use alone
spoken.className = "run-spoken";
spoken.setAttribute("role", "status");
document.body.append(spoken);

const WAITS = "Python starts: 15 MB, once …";

export class Bar {
  /** of: what the buttons are about, as in "block 3"; begin: the words of the first button. */
  constructor(of, begin, run) {
    this.of = of;
    this.task = run;
    this.element = document.createElement("div");
    this.element.className = "run-bar";
    this.status = document.createElement("span");
    this.begin = this.button(begin, () => this.run());
    this.end = this.button("Stop", stop);
    this.end.hidden = true;
    this.element.append(this.status);
  }

  button(text, action) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.setAttribute("aria-label", `${text}: ${this.of}`);
    made.addEventListener("click", action);
    this.element.append(made, this.status);
    return made;
  }

  /** What is said beside the buttons; kind: "good", "bad" or nothing. */
  say(text, kind = "") {
    this.status.textContent = text;
    this.status.className = kind;
  }

  /** Say that the code is no longer the one that was asked about. */
  outdated() {
    this.say(`changed meanwhile; press ${this.begin.textContent} again`);
  }

  /** Do the task in its turn; meanwhile there is a button that stops it. */
  async run() {
    if (this.begin.hidden) return;
    this.switch(true);
    this.say(python.started ? "runs …" : WAITS);
    try {
      await inTurn(this.task);
    } catch (error) {
      const stopped = error.message === "stopped";
      this.say(stopped ? "stopped; the next run starts Python anew" : error.message, stopped ? "" : "bad");
      if (!stopped) console.error(error);
    }
    this.switch(false);
    spoken.textContent = `${this.of}: ${this.status.textContent}`;
  }

  switch(runs) {
    const held = document.activeElement === (runs ? this.begin : this.end);
    this.begin.hidden = runs;
    this.end.hidden = !runs;
    if (held) (runs ? this.end : this.begin).focus();
  }
}

/** A field for code: Control or Shift with Enter runs, Escape leads to the bar, Enter indents. */
export function editor(bar, text) {
  const field = document.createElement("textarea");
  field.className = "run-editor";
  Object.assign(field, { value: text, spellcheck: false, autocapitalize: "off", autocomplete: "off" });
  field.setAttribute("aria-label", `Code of ${bar.of}; Control and Enter run it`);
  const fit = () => { field.rows = field.value.split("\n").length + 1; };
  field.addEventListener("input", () => {
    fit();
    if (bar.end.hidden) bar.say("");  // what was said is of the code before
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") bar.begin.focus();
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    if (event.ctrlKey || event.shiftKey || event.metaKey) return bar.run();
    const line = field.value.slice(0, field.selectionStart).split("\n").pop();
    const indent = line.match(/^ */)[0] + (/:\s*$/.test(line) ? "    " : "");
    field.setRangeText(`\n${indent}`, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input"));
  });
  fit();
  return field;
}
