// What the page and its small pictures have in common: a state, the answer to it, and the plane.
// While an answer is not there, the picture is that of quick.js where there is one, else grey.

import { Engine } from "./engine.js";
import { SNAP, copyOf, fractionText, placesOf, textOf } from "./state.js";

const STEPPED = ["perceptron", "pegasos"];  // their lines go through (0, 0)

export class Play {
  /** view: what else is shown, { draw, show, told, asked, refused, forget, pause, changed, dropped, chose }. */
  constructor(data, plane, view) {
    Object.assign(this, { data, plane, view, answer: data.first, took: 0, chosen: 0, handles: null });
    this.state = copyOf(data.first.state);
    this.history = [];
    this.before = null;  // the text of the state before a change that goes on
    this.loading = null;  // the text of a state that is not known here yet, only to Python
    this.answered = textOf(this.state);  // the text of the state that the answer is of
    this.quickly = null;  // the function of quick.js, once it is there
    this.engine = new Engine(data, (...found) => (this.loading === null ? this.told(...found)
      : this.loaded(...found)), (...why) => this.failed(...why));
  }

  // Answers

  told(found, milliseconds, isLatest) {
    if (!isLatest && !this.computing) return;  // of a picture that is gone
    this.answer = found;
    this.took = milliseconds;
    if (isLatest) {
      this.state.points = copyOf(found.state.points);  // the answer may be shown again
      if (this.state.watched && found.watch) this.state.watched = [found.watch.algorithm, found.watch.step];
      this.answered = textOf(this.state);
    } else this.answered = found.link;
    this.view.told(found, isLatest);
    this.show();
  }

  /** What was refused is undone, so that the page shows what its numbers are of. */
  failed(sentence, isLatest, wasRead) {
    if (!isLatest) return;
    this.view.pause();
    const undone = this.loading === null && this.computing && this.history.length > 0;
    this.view.refused(sentence, undone && wasRead);
    this.loading = null;
    if (undone) this.undo(false);
    if (undone && this.computing) this.ask();  // what it goes back to may not have been answered either
    this.draw();
  }

  ask() {
    this.wake();
    const text = this.loading ?? textOf(this.state), known = this.data.answers[text];
    if (known && this.handles) {
      this.engine.forget();
      (this.loading === null ? this.told(known, 0, true) : this.loaded(known, 0, true));
    } else this.engine.ask({ state: text, plane: this.plane.seen, ...this.view.asked() });
  }

  /** Have Python start, as it will soon be asked. */
  begin() {
    this.wake();
    this.engine.ask({ state: textOf(this.state), plane: this.plane.seen });
  }

  /** Fetch what draws in doubles, where Python is not there at once. */
  wake() {
    if (this.data.engine !== "worker" || this.quickly) return;
    this.quickly = () => null;
    for (const href of this.data.scripts) {  // all at once, not one after the other
      document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    }
    import("./quick.js").then(({ quickAnswer }) => {
      this.quickly = quickAnswer;
      this.draw();
    }, () => {});
  }

  /** Begin with a state that only Python can read. */
  load(text) {
    this.view.pause();
    if (this.loading === null) this.history.push({ state: copyOf(this.state), chosen: this.chosen });
    this.loading = text;
    this.view.forget();
    this.draw();
    if (this.data.answers[text]) this.loaded(this.data.answers[text], 0, true);
    else this.ask();
  }

  loaded(found, milliseconds, isLatest) {
    if (!isLatest) return;
    this.loading = this.before = null;
    this.chosen = this.handles?.[0] ?? 0;
    this.state = copyOf(found.state);
    this.answer = found;
    this.fit();
    this.told(found, milliseconds, true);
    if (!this.handles) this.ask();  // for the part of the plane that is seen now
  }

  /** Change the state; the change before which Undo goes back begins at the first of a drag. */
  change(alter, { during = false, runs = false } = {}) {
    if (!runs) this.view.pause();
    if (this.before === null) {
      this.before = textOf(this.state);
      this.history.push({ state: copyOf(this.state), chosen: this.chosen });
    }
    alter(this.state);
    this.view.forget();
    if (!during) this.changed();
    this.draw();
    this.ask();
  }

  changed() {
    if (this.before === textOf(this.state)) this.history.pop();
    this.before = null;
    this.history = this.history.slice(-200);
    this.view.changed();
  }

  undo(again = true) {
    this.view.pause();
    const last = this.history.pop();
    if (!last) return;
    Object.assign(this, last);
    this.before = null;
    this.fitIfHidden();
    this.draw();
    if (again) this.view.forget(), this.ask();
  }

  /** Whether the picture is newer than the answer, so that its numbers prove nothing about it. */
  get computing() {
    return this.loading !== null || textOf(this.state) !== this.answered;
  }

  // Drawing

  /** Draw at once what moves with the finger; the machine follows with the answer. */
  draw() {
    const { plane, state } = this, late = this.computing;
    const quick = late && this.loading === null ? this.quickly?.(state, plane.seen) ?? null : null;
    if (quick) plane.draw(quick, state.machine, placesOf(state));
    else this.drawMachine();
    document.body.classList.toggle("near", quick !== null);
    document.body.classList.toggle("computing", late);
    plane.drawPoints(state, placesOf(state), quick ?? this.fitting, this.chosen, late, this.handles);
    this.view.draw(late, quick);
  }

  drawMachine() {
    this.plane.draw(this.answer, this.state.machine, placesOf(this.state));
  }

  /** The answer, where it has a row for each point. */
  get fitting() {
    const { answer, state } = this;
    const fits = answer.state.machine === state.machine && (answer.rows?.length ?? -1) === state.points.length;
    return fits ? answer : null;
  }

  show() {
    this.draw();
    this.view.show();
  }

  resized() {
    if (!this.plane.resize()) return;
    this.fit();
    this.draw();
    if (!this.handles) this.ask();
  }

  fit() {
    const places = placesOf(this.state), reach = this.fitting?.drawing?.reach ?? [];
    const size = Math.max(2, ...[0, 1].map((k) => spanOf(places.map((p) => p[k]))));
    const [x, y] = places[0] ?? [0, 0];
    places.push(...reach.filter(([u, v]) => Math.hypot(u - x, v - y) < 3 * size));
    if (!this.state.bias || STEPPED.includes(this.state.watched?.[0])) places.push([0, 0]);
    this.plane.fit(places);
  }

  fitIfHidden() {
    const places = placesOf(this.state);
    if (!places.every((p) => this.plane.sees(p) || !p.every(Number.isFinite))) this.fit();
  }

  // What a pointer or a key does

  /** Choose a point; of a small picture, one of its handles: at this place among all. */
  choose(index, focus = false) {
    const n = this.state.points.length;
    const next = n ? Math.min(Math.max(index, 0), n - 1) : 0;
    if (!this.holds(next)) return;
    if (next !== this.chosen) this.view.forget();  // what was said was of another point
    this.chosen = next;
    this.draw();
    this.view.chose();
    if (focus) this.plane.marks[next]?.focus({ preventScroll: true });
  }

  /** Whether a point may be moved. */
  holds(index) {
    return this.handles === null || this.handles.includes(index);
  }

  placeOf(index) {
    return placesOf(this.state)[index];
  }

  place(index, [u, v]) {
    this.state.points[index][1] = fractionText(snapped(u));
    this.state.points[index][2] = fractionText(snapped(v));
  }

  move(index, where) {
    if (!this.state.points[index] || !this.holds(index)) return;
    const [u, v] = this.placeOf(index);
    if (snapped(where[0]) === u && snapped(where[1]) === v) return;
    this.change(() => this.place(index, where), { during: true });
  }

  moved() {
    if (this.before !== null) this.changed();
    this.draw();
    this.view.dropped();
  }

  push(index, [du, dv]) {
    if (!this.holds(index)) return;
    const [u, v] = this.placeOf(index);
    this.change(() => { this.place(index, [u + du, v + dv]); this.fitIfHidden(); });
  }
}

export function snapped(value) {
  return Math.min(Math.max(Math.round(value * SNAP) / SNAP, -1000), 1000);
}

function spanOf(values) {
  return values.length ? Math.max(...values) - Math.min(...values) : 0;
}
