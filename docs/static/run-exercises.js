// The functions that a chapter asks for are written on its page: a field for each, and the judge
// that `refsvm exercise` has. What is written is kept in this browser.

import { Bar, editor } from "./run-bar.js";
import { ask } from "./run-python.js";

const kept = (act) => {  // where a browser keeps nothing of this site, reading and writing throw
  try { return act(localStorage); } catch { return null; }
};

let tasks = null;  // {name: {text, note}}, loaded when the first is opened

async function taskOf(name) {
  tasks ??= await (await fetch(new URL("../play/exercises.json", import.meta.url))).json();
  return tasks[name];
}

class Exercise {
  constructor(mark) {
    this.name = mark.dataset.exercise;
    this.key = `refsvm exercise ${this.name}`;
    this.place = document.createElement("div");
    this.place.className = "run-exercise";
    this.opener = document.createElement("button");
    this.opener.type = "button";
    this.opener.textContent = `Write ${this.name} here`;
    this.opener.addEventListener("click", () => this.open());
    this.place.append(this.opener);
    const named = () => { if (location.hash === mark.hash) this.open(); };
    addEventListener("hashchange", named);
    named();
  }

  async open() {
    if (this.task) return this.field?.focus();
    this.task = await taskOf(this.name).catch(() => null);
    if (!this.task) {
      this.opener.textContent = `The task of ${this.name} cannot be loaded. Try again`;
      return;
    }
    this.bar = new Bar(this.name, "Check", () => this.check());
    this.bar.button("Reset", () => this.reset());
    this.bar.button("Save file", () => this.save());
    this.field = editor(this.bar, kept((store) => store.getItem(this.key)) ?? this.task.text);
    this.field.addEventListener("input", () => {
      kept((store) => store.setItem(this.key, this.field.value));
      this.table.replaceChildren();
    });
    this.note = document.createElement("p");
    this.note.textContent = this.task.note;
    this.table = document.createElement("table");
    this.place.replaceChildren(this.note, this.field, this.bar.element, this.table);
    this.field.focus();
  }

  async check() {
    const source = this.field.value;
    this.table.replaceChildren();
    const { right, sentence, shown } = await ask({ exercise: this.name, source });
    if (source !== this.field.value) return this.bar.outdated();
    this.bar.say(sentence, right ? "good" : "bad");
    this.table.replaceChildren(...shown.map(([name, value]) => {
      const row = document.createElement("tr"), head = document.createElement("th");
      head.scope = "row";
      head.textContent = name;
      row.append(head);
      row.insertCell().textContent = value;
      return row;
    }));
  }

  reset() {
    this.field.value = this.task.text;
    this.field.dispatchEvent(new Event("input"));
    kept((store) => store.removeItem(this.key));
    this.table.replaceChildren();
    this.bar.say("");
  }

  /** Offer the file that `refsvm exercise` takes. */
  save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([this.field.value], { type: "text/x-python" }));
    link.download = `${this.name}.py`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

const last = new Map();  // paragraph: what stands below it already
for (const mark of document.querySelectorAll("a[data-exercise]")) {
  const paragraph = mark.closest("p, li"), made = new Exercise(mark);
  (last.get(paragraph) ?? paragraph).after(made.place);
  last.set(paragraph, made.place);
}
