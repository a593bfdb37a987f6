// The page of play: its panels and controls around the plane, which play.js moves.

import { accept, boxes, fill, onTyped, refuse } from "./boxes.js";
import { Plane } from "./plane.js";
import { COMPUTING, showBrief, showChosen, showFacts, showLegend, showNear, showOffset, showTable, showValue } from "./panels.js";
import { Play, snapped } from "./play.js";
import { listen } from "./pointing.js";
import { Run } from "./running.js";
import { copy, pictureOf, save } from "./saving.js";
import { Trial } from "./trial.js";
import { fractionText, near, placesOf, textOf } from "./state.js";

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

let quiet = 0;
const play = new Play(data, plane, {
  draw, show, dropped: keepLink, chose: showRows,
  changed: () => { $("preset").value = ""; },
  pause: () => running.pause(),
  asked: () => trial.asked,
  told(found, isLatest) {
    if (!isLatest) return;
    if (found.tried) trial.show(found.tried);
    speakLater();
    if (play.before === null) keepLink();
  },
  refused(sentence, wasTyped) {
    const box = wasTyped ? boxes.typed : null;
    if (box) refuse(box, box.value, sentence);
    else showError(sentence);
  },
  forget() {
    boxes.typed = null;
    hideError();
  },
});

play.engine.slow = (late) => {
  document.body.classList.toggle("late", late);
  if (late) $("late").textContent = data.engine === "worker" ? "Python is starting …" : "a moment …";
};

function power(k) { return k < 0 ? `1/${2 ** -k}` : String(2 ** k); }
function sixteenths(k) {
  let q = 16;
  while (q > 1 && k % 2 === 0) { k /= 2; q /= 2; }
  return q === 1 ? String(k) : `${k}/${q}`;
}

// Drawing

function draw(late, quick) {
  const { state, chosen, fitting } = play, refused = boxes.refused !== null;
  const word = late || !refused ? COMPUTING : "before the refused number";
  document.body.classList.toggle("computing", late || refused);
  for (const note of document.querySelectorAll(".computing-note")) note.textContent = word;
  if (quick) showNear(quick);
  showChosen(state, fitting, chosen, late);
  showControls();
  for (const id of ["save-svg", "save-python"]) $(id).disabled = late || refused;
  plane.svg.setAttribute("aria-label", `${state.points.length} points. ${late ? COMPUTING : play.answer.told}`);
}

function show() {
  const { state, answer, took } = play;
  showLegend(state, answer);
  showValue(answer, took);
  showBrief(answer);
  showFacts(answer);
  showOffset(answer);
  showRows();
  showStepper();
  $("program").textContent = answer.program ?? "";
  running.answered(answer.watch);
}

function showRows() {
  const { state, answer } = play, { length } = state.points;
  if ((answer.rows?.length ?? length) === length) showTable(state, answer, play.chosen, (index) => play.choose(index));
}

function showControls() {
  const { state, answer, history } = play;
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
  const { state, answer } = play, watch = answer.watch, [step, steps] = watch ? [watch.step, watch.steps] : [0, 0];
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

function keepLink() {
  window.history.replaceState(null, "", `#${textOf(play.state)}`);
  speakLater();
}

function speakLater() {
  clearTimeout(quiet);
  quiet = setTimeout(() => {
    const { answer, chosen } = play, row = answer.rows?.[chosen];
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
  play.draw();
}

// Actions

function freePlace() {
  const taken = new Set(play.state.points.map(([, x, y]) => `${x},${y}`));
  const { x, y } = plane.view;
  for (let k = 0; ; k += 1) {
    for (const u of [snapped(x + k / 4), snapped(x - k / 4)]) {
      if (!taken.has(`${fractionText(u)},${fractionText(snapped(y))}`)) return [u, y];
    }
  }
}

/** Begin with a link or a preset, and what may be tried on it: a preset's question. */
function load(text, preset) {
  showAll();
  trial.begin(preset);
  play.load(text);
}

Object.assign(play, {
  add(where) {
    const { length } = play.state.points;
    if (length >= play.answer.most) {
      showError(`There are ${length} points: no more fit with this kernel.`);
      return;
    }
    play.change(({ points }) => {
      points.push([points[play.chosen]?.[0] ?? 1, "0", "0"]);
      play.place(length, where ?? freePlace());
      play.chosen = length;
    });
    play.choose(play.chosen, true);
  },
  remove(index) {
    if (!play.state.points[index]) return;
    play.change(({ points }) => {
      points.splice(index, 1);
      play.chosen = Math.max(0, Math.min(index, points.length - 1));
    });
    play.choose(play.chosen, true);
  },
  relabel(index) {
    if (play.state.points[index] && play.state.machine === "svc") play.change(({ points }) => { points[index][0] *= -1; });
  },
  run() { running.toggle(play.answer.watch); },
});

// Controls

function onInput(id, event, alter) {
  $(id).addEventListener(event, () => { play.change(alter); play.fitIfHidden(); });
}

onInput("machine", "change", (state) => {
  state.machine = $("machine").value;
  if (state.machine !== "svc" && state.watched && state.watched[0] !== "smo") state.watched = null;
  if (state.machine === "svr" && state.C === "inf") state.C = "1";
});
onInput("kernel", "change", (state) => {
  const name = $("kernel").value;
  state.kernel = name === "rbf" ? ["rbf", "1/2"] : name.split(",");
});
onInput("squared", "change", (state) => { state.squared = $("squared").checked; });
onInput("bias", "change", (state) => { state.bias = $("bias").checked; });
for (const label of document.querySelectorAll(".slider")) {
  const field = label.dataset.field, [slider, number] = label.querySelectorAll("input");
  const set = (text) => { if (field === "gamma") play.state.kernel = ["rbf", text]; else play.state[field] = text; };
  slider.addEventListener("input", () => play.change(() => set(SLIDERS[field][0](Number(slider.value)))));
  onTyped(number, (text) => play.change(() => set(text.replace("∞", "inf"))), takenBack);
}
onInput("algorithm", "change", (state) => {
  state.watched = $("algorithm").value ? [$("algorithm").value, 0] : null;
});
const step = (to, how) => play.change((state) => { state.watched = [state.watched?.[0] ?? "smo", Math.max(0, to)]; }, how);
const running = new Run($("run"), $("speed"), (to) => step(to, { during: true, runs: true }), () => play.moved());
$("run").addEventListener("click", () => play.run());
$("first").addEventListener("click", () => step(0));
$("back").addEventListener("click", () => step(play.state.watched[1] - 1));
$("on").addEventListener("click", () => step(play.state.watched ? play.state.watched[1] + 1 : 0));
$("step").addEventListener("input", () => step(Number($("step").value)));
["chosen-x", "chosen-y"].forEach((id, k) => onTyped($(id), (text) => play.change(({ points }) => {
  points[play.chosen][k + 1] = text.replace("−", "-");
}), takenBack));
$("relabel").addEventListener("click", () => play.relabel(play.chosen));
$("remove").addEventListener("click", () => play.remove(play.chosen));
$("more").addEventListener("click", () => { showAll(); play.choose(play.chosen, true); });
$("add").addEventListener("click", () => play.add(null));
$("undo").addEventListener("click", () => play.undo());
$("preset").addEventListener("change", () => {
  const place = Number($("preset").value);
  load(data.presets[place][1], place);
});
$("copy").addEventListener("click", async () => {
  const done = await copy(location.href);
  $("copy").textContent = done ? "Copied" : "It is in the address";
  setTimeout(() => { $("copy").textContent = "Copy link"; }, 1500);
});
$("save-svg").addEventListener("click", () => save("play.svg", "image/svg+xml", pictureOf(plane.svg, textOf(play.state))));
$("save-python").addEventListener("click", () => save("play.py", "text/x-python", play.answer.program ?? ""));

/** Fetch the answers to all presets, where Python may not have started yet. */
async function fetchPresets() {
  if (data.engine !== "worker" || Object.keys(data.answers).length) return;
  try {
    Object.assign(data.answers, await (await fetch("presets.json")).json());
  } catch { /* Python will answer */ }
}
for (const event of ["pointerdown", "focus"]) $("preset").addEventListener(event, fetchPresets, { once: true });

// The beginning

listen(plane, play, true);
new ResizeObserver(() => play.resized()).observe(plane.svg);
addEventListener("hashchange", () => {
  const text = location.hash.slice(1);
  if (text && text !== textOf(play.state)) load(text, -1);
});
plane.resize();
play.fit();
const linked = location.hash.slice(1);
const preset = data.presets.findIndex(([, text]) => text === (linked || textOf(play.state)));
$("preset").value = preset < 0 ? "" : preset;
trial.begin(preset);
if (!linked && preset === 0) document.body.classList.add("few"), play.chosen = 2;
play.show();
if (linked && linked !== textOf(play.state)) {
  if (preset >= 0) await fetchPresets();
  load(linked, preset);
  play.history.pop();
} else play.ask();
