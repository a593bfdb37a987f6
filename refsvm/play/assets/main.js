// The page: holds the state, asks for its answer at every change, and has all of it drawn.

import { accept, boxes, fill, onTyped, refuse } from "./boxes.js";
import { Engine } from "./engine.js";
import { Plane } from "./plane.js";
import { COMPUTING, showBrief, showChosen, showFacts, showLegend, showOffset, showTable, showValue } from "./panels.js";
import { listen } from "./pointing.js";
import { Run } from "./running.js";
import { copy, pictureOf, save } from "./saving.js";
import { Trial } from "./trial.js";
import { SNAP, copyOf, fractionText, near, placesOf, textOf } from "./state.js";

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const plane = new Plane($("plane")), trial = new Trial(data.presets);
const QUIET = 500;   // milliseconds after a change until it is spoken
const SLIDERS = {  // field: [how the slider says it, where the slider stands]
  C: [(k) => k === 11 ? "inf" : power(k), (v) => v === Infinity ? 11 : Math.round(Math.log2(v))],
  gamma: [power, (v) => Math.round(Math.log2(v))],
  epsilon: [(k) => fractionText(k / 8), (v) => Math.round(8 * v)],
  nu: [(k) => sixteenths(k), (v) => Math.round(16 * v)],
};

let state = copyOf(data.first.state), answer = data.first, took = 0, chosen = 0;
let history = [], before = null, quiet = 0;
let loading = null;  // the text of a state that is not known here yet, only to Python
let answered = textOf(state);  // the text of the state that the answer is of
const engine = new Engine(data, (...found) => (loading === null ? told : loaded)(...found), failed);

engine.slow = (late) => {
  document.body.classList.toggle("late", late);
  if (late) $("late").textContent = data.engine === "worker" ? "Python is starting …" : "a moment …";
};

function power(k) { return k < 0 ? `1/${2 ** -k}` : String(2 ** k); }
function sixteenths(k) {
  let q = 16;
  while (q > 1 && k % 2 === 0) { k /= 2; q /= 2; }
  return q === 1 ? String(k) : `${k}/${q}`;
}

// Answers

function told(found, milliseconds, isLatest) {
  answer = found;
  took = milliseconds;
  if (isLatest) {
    state.points = found.state.points;
    if (found.tried) trial.show(found.tried);
    if (state.watched && found.watch) state.watched = [found.watch.algorithm, found.watch.step];
    answered = textOf(state);
    speakLater();
  } else answered = found.link;
  if (isLatest && before === null) keepLink();
  show();
  if (isLatest) running.answered(found.watch);
}

/** What was refused is undone, so that the page shows what its numbers are of. */
function failed(sentence, isLatest, wasRead) {
  if (!isLatest) return;
  running.pause();
  const undone = loading === null && computing() && history.length > 0;
  const box = undone && wasRead ? boxes.typed : null, text = box?.value;
  loading = null;
  if (undone) actions.undo(false);
  if (undone && computing()) ask();  // what it goes back to may not have been answered either
  if (box) refuse(box, text, sentence);
  else showError(sentence);
  draw();
}

function ask() {
  engine.ask({ state: loading ?? textOf(state), plane: plane.seen, ...trial.asked });
}

/** Begin with a state that only Python can read, and what may be tried on it: a preset's question. */
function load(text, preset) {
  showAll();
  running.pause();
  if (loading === null) history.push({ state: copyOf(state), chosen });
  loading = text;
  hideError();
  trial.begin(preset);
  draw();
  if (data.answers[text]) loaded(data.answers[text], 0, true);
  else ask();
}

function loaded(found, milliseconds, isLatest) {
  if (!isLatest) return;
  loading = before = null;
  chosen = 0;
  state = copyOf(found.state);
  answer = found;
  fit();
  told(found, milliseconds, true);
  ask();  // for the part of the plane that is seen now
}

/** Change the state; the change before which Undo goes back begins at the first of a drag. */
function change(alter, { during = false, runs = false } = {}) {
  if (!runs) running.pause();
  if (before === null) before = textOf(state), history.push({ state: copyOf(state), chosen });
  alter();
  boxes.typed = null;
  hideError();
  if (!during) changed();
  draw();
  ask();
}

function changed() {
  if (before === textOf(state)) history.pop();
  before = null;
  $("preset").value = "";
  history = history.slice(-200);
}

function keepLink() {
  window.history.replaceState(null, "", `#${textOf(state)}`);
}

/** Whether the picture is newer than the answer, so that its numbers prove nothing about it. */
function computing() {
  return loading !== null || textOf(state) !== answered;
}

// Drawing

/** Draw at once what moves with the finger; the machine follows with the answer. */
function draw() {
  const late = computing(), word = late || !boxes.refused ? COMPUTING : "before the refused number";
  document.body.classList.toggle("computing", late || boxes.refused !== null);
  for (const note of document.querySelectorAll(".computing-note")) note.textContent = word;
  plane.drawPoints(state, placesOf(state), sameSize() ? answer : null, chosen, late);
  showChosen(state, sameSize() ? answer : null, chosen, late);
  showControls();
  for (const id of ["save-svg", "save-python"]) $(id).disabled = late || boxes.refused !== null;
  $("plane").setAttribute("aria-label", `${state.points.length} points. ${late ? COMPUTING : answer.told}`);
}

function drawMachine() {
  plane.draw(answer, state.machine, placesOf(state));
}

function sameSize() {
  return answer.state.machine === state.machine && (answer.rows?.length ?? -1) === state.points.length;
}

function show() {
  drawMachine();
  draw();
  showLegend(state, answer);
  showValue(answer, took);
  showBrief(answer);
  showFacts(answer);
  showOffset(answer);
  if (answer.state.points.length === state.points.length) showTable(state, answer, chosen, choose);
  showStepper();
  $("program").textContent = answer.program ?? "";
}

function showControls() {
  $("machine").value = state.machine;
  const name = state.kernel.join(",");
  $("kernel").value = [...$("kernel").options].some((o) => o.value === name) ? name : state.kernel[0] === "rbf" ? "rbf" : "";
  $("squared").checked = state.squared;
  $("bias").checked = state.bias;
  for (const label of document.querySelectorAll("[data-of]")) label.hidden = label.dataset.of !== state.machine;
  const values = { C: state.C, epsilon: state.epsilon, nu: state.nu, gamma: state.kernel[1] };
  const uses = { C: state.machine !== "one", gamma: state.kernel[0] === "rbf", epsilon: state.machine === "svr", nu: state.machine === "one" };
  for (const label of document.querySelectorAll(".slider")) {
    const field = label.dataset.field, [slider, number] = label.querySelectorAll("input");
    label.hidden = !uses[field];
    if (label.hidden) continue;
    slider.value = SLIDERS[field][1](near(values[field]));
    slider.setAttribute("aria-valuetext", `${field} is ${values[field]}`);
    fill(number, values[field] === "inf" ? "∞" : values[field]);
  }
  $("undo").disabled = history.length === 0;
  $("add").disabled = state.points.length >= answer.most;
}

function showStepper() {
  const watch = answer.watch, [step, steps] = watch ? [watch.step, watch.steps] : [0, 0];
  $("algorithm").value = state.watched?.[0] ?? "";
  for (const option of $("algorithm").options) option.hidden = state.machine !== "svc" && ["perceptron", "pegasos"].includes(option.value);
  for (const id of ["first", "back"]) $(id).disabled = !watch || step === 0;
  $("on").disabled = watch ? step >= steps : false;
  $("step").disabled = !watch;
  $("step").max = steps;
  $("step").value = step;
  $("step-told").textContent = watch ? `${step} of ${steps}` : "";
  $("step").setAttribute("aria-valuetext", watch ? `step ${step} of ${steps}` : "nothing is watched");
}

// Words

function speakLater() {
  clearTimeout(quiet);
  quiet = setTimeout(() => {
    const row = answer.rows?.[chosen];
    $("spoken").textContent = answer.told + (row ? ` Point ${chosen + 1}: ${row.spoken}.` : "");
  }, QUIET);
}

function showError(sentence) { Object.assign($("error"), { textContent: sentence, hidden: false }); }

function hideError() {
  $("error").hidden = true;
  accept();
}

function showAll() { document.body.classList.remove("few"); }
function takenBack() {
  hideError();
  draw();
}

// Actions

function choose(index, focus = false) {
  const n = state.points.length;
  const next = n ? Math.min(Math.max(index, 0), n - 1) : 0;
  if (next !== chosen) hideError();  // it was said of another point
  chosen = next;
  draw();
  if (answer.rows?.length === n) showTable(state, answer, chosen, choose);
  if (focus) plane.marks[chosen]?.focus({ preventScroll: true });
}

function snapped(value) { return Math.min(Math.max(Math.round(value * SNAP) / SNAP, -1000), 1000); }

function place(index, [u, v]) {
  state.points[index][1] = fractionText(snapped(u));
  state.points[index][2] = fractionText(snapped(v));
}

function fitIfHidden() {
  if (!placesOf(state).every((p) => plane.sees(p) || !p.every(Number.isFinite))) fit();
}

function fit() {
  const places = placesOf(state), reach = sameSize() ? answer.drawing?.reach ?? [] : [];
  const size = Math.max(2, ...[0, 1].map((k) => spanOf(places.map((p) => p[k]))));
  const [x, y] = places[0] ?? [0, 0];
  places.push(...reach.filter(([u, v]) => Math.hypot(u - x, v - y) < 3 * size));
  if (!state.bias || ["perceptron", "pegasos"].includes(state.watched?.[0])) places.push([0, 0]);
  plane.fit(places);
}

function spanOf(values) {
  return values.length ? Math.max(...values) - Math.min(...values) : 0;
}

function freePlace() {
  const taken = new Set(state.points.map(([, x, y]) => `${x},${y}`));
  const { x, y } = plane.view;
  for (let k = 0; ; k += 1) {
    for (const u of [snapped(x + k / 4), snapped(x - k / 4)]) {
      if (!taken.has(`${fractionText(u)},${fractionText(snapped(y))}`)) return [u, y];
    }
  }
}

const actions = {
  choose,
  placeOf: (index) => placesOf(state)[index],
  move(index, where) {
    if (!state.points[index]) return;
    const [u, v] = placesOf(state)[index];
    if (snapped(where[0]) === u && snapped(where[1]) === v) return;
    change(() => place(index, where), { during: true });
  },
  moved() {
    if (before !== null) changed();
    keepLink();
    draw();
    speakLater();
  },
  push(index, [du, dv]) {
    const [u, v] = placesOf(state)[index];
    change(() => { place(index, [u + du, v + dv]); fitIfHidden(); });
  },
  add(where) {
    if (state.points.length >= answer.most) {
      showError(`There are ${state.points.length} points: no more fit with this kernel.`);
      return;
    }
    change(() => {
      state.points.push([state.points[chosen]?.[0] ?? 1, "0", "0"]);
      place(state.points.length - 1, where ?? freePlace());
      chosen = state.points.length - 1;
    });
    choose(chosen, true);
  },
  remove(index) {
    if (!state.points[index]) return;
    change(() => {
      state.points.splice(index, 1);
      chosen = Math.max(0, Math.min(index, state.points.length - 1));
    });
    choose(chosen, true);
  },
  relabel(index) {
    if (state.points[index] && state.machine === "svc") change(() => { state.points[index][0] *= -1; });
  },
  run() { running.toggle(answer.watch); },
  undo(again = true) {
    running.pause();
    const last = history.pop();
    if (!last) return;
    ({ state, chosen } = last);
    before = null;
    fitIfHidden();
    draw();
    if (again) hideError(), ask();
  },
};

// Controls

function onInput(id, event, alter) {
  $(id).addEventListener(event, () => { change(alter); fitIfHidden(); });
}

onInput("machine", "change", () => {
  state.machine = $("machine").value;
  if (state.machine !== "svc" && state.watched && state.watched[0] !== "smo") state.watched = null;
  if (state.machine === "svr" && state.C === "inf") state.C = "1";
});
onInput("kernel", "change", () => {
  const name = $("kernel").value;
  state.kernel = name === "rbf" ? ["rbf", "1/2"] : name.split(",");
});
onInput("squared", "change", () => { state.squared = $("squared").checked; });
onInput("bias", "change", () => { state.bias = $("bias").checked; });
for (const label of document.querySelectorAll(".slider")) {
  const field = label.dataset.field, [slider, number] = label.querySelectorAll("input");
  const set = (text) => { if (field === "gamma") state.kernel = ["rbf", text]; else state[field] = text; };
  slider.addEventListener("input", () => change(() => set(SLIDERS[field][0](Number(slider.value)))));
  onTyped(number, (text) => change(() => set(text.replace("∞", "inf"))), takenBack);
}
onInput("algorithm", "change", () => {
  state.watched = $("algorithm").value ? [$("algorithm").value, 0] : null;
});
const step = (to, how) => change(() => { state.watched = [state.watched?.[0] ?? "smo", Math.max(0, to)]; }, how);
const running = new Run($("run"), $("speed"), (to) => step(to, { during: true, runs: true }), actions.moved);
$("run").addEventListener("click", () => actions.run());
$("first").addEventListener("click", () => step(0));
$("back").addEventListener("click", () => step(state.watched[1] - 1));
$("on").addEventListener("click", () => step(state.watched ? state.watched[1] + 1 : 0));
$("step").addEventListener("input", () => step(Number($("step").value)));
["chosen-x", "chosen-y"].forEach((id, k) => onTyped($(id), (text) => change(() => {
  state.points[chosen][k + 1] = text.replace("−", "-");
}), takenBack));
$("relabel").addEventListener("click", () => actions.relabel(chosen));
$("remove").addEventListener("click", () => actions.remove(chosen));
$("more").addEventListener("click", () => { showAll(); choose(chosen, true); });
$("add").addEventListener("click", () => actions.add(null));
$("undo").addEventListener("click", actions.undo);
$("preset").addEventListener("change", () => {
  const place = Number($("preset").value);
  load(data.presets[place][1], place);
});
$("copy").addEventListener("click", async () => {
  const done = await copy(location.href);
  $("copy").textContent = done ? "Copied" : "It is in the address";
  setTimeout(() => { $("copy").textContent = "Copy link"; }, 1500);
});
$("save-svg").addEventListener("click", () => save("play.svg", "image/svg+xml", pictureOf(plane.svg, textOf(state))));
$("save-python").addEventListener("click", () => save("play.py", "text/x-python", answer.program ?? ""));

// The beginning

listen(plane, actions);
new ResizeObserver(() => {
  if (!plane.resize()) return;
  fit();
  drawMachine();
  draw();
  ask();
}).observe(plane.svg);
addEventListener("hashchange", () => {
  const text = location.hash.slice(1);
  if (text && text !== textOf(state)) load(text, -1);
});
plane.resize();
fit();
const linked = location.hash.slice(1);
const preset = data.presets.findIndex(([, text]) => text === (linked || textOf(state)));
$("preset").value = preset < 0 ? "" : preset;
trial.begin(preset);
if (!linked && preset === 0) document.body.classList.add("few"), chosen = 2;
show();
if (linked && linked !== textOf(state)) load(linked, preset), history.pop();
else ask();
