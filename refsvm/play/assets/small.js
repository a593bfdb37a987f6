// A small picture of play for a page of text: one drawing, the points that may be dragged, and the
// few numbers that the text is about.

import { element, nearWords, showBars } from "./bars.js";
import { Plane, drawMark, make } from "./plane.js";
import { Play } from "./play.js";
import { listen } from "./pointing.js";
import { copyOf, near, placesOf, textOf } from "./state.js";

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent), { handles, numbers, hasBars, beside, steps: scene } = data.small;
const first = textOf(data.first.state);
const QUIET = 500;  // milliseconds after a change until it is spoken
const WAY = 700;  // milliseconds of a point from one step of a scene to the next
const still = matchMedia("(prefers-reduced-motion: reduce)");
let quiet = 0, refusal = "", at = 0, moving = 0;

const nothing = () => {};
const play = new Play(data, new Plane($("plane")), {
  draw, show: nothing, chose: nothing, changed: nothing, dropped: speakLater, pause: nothing,
  told: speakLater, asked: () => ({}),
  refused(sentence) { refusal = sentence; },
  forget() { refusal = ""; },
});
Object.assign(play, { handles, chosen: handles[0], add: nothing, remove: nothing, relabel: nothing, run: nothing });

function draw(late, quick) {
  const { answer } = play, steps = answer.watch?.steps;
  const none = answer.status === "infeasible" || answer.status === "incomplete";
  $("numbers").replaceChildren(...(none ? [] : numbers.map(numberOf).filter(Boolean)).map(pairOf));
  if (hasBars) showBars(answer.bars);
  $("note").textContent = refusal || (!late ? proofOf(answer) : quick ? `${quick.text}, ${nearWords(quick)}` : "computing …");
  $("note").classList.toggle("proved", !late && !refusal && Boolean(answer.value));
  if (scene.length) $("back").ariaDisabled = String(at === 0 && !strayed());
  else $("next").textContent = answer.watch?.step < steps ? "Next step" : "Before the first step";
  $("open").href = `index.html#${textOf(play.state)}`;
  $("plane").setAttribute("aria-label", `${play.state.points.length} points. ${late ? "computing" : answer.told}`);
}

/** Say why the numbers are right. */
function proofOf(answer) {
  if (!answer.value) return answer.told;
  const { watch, bars } = answer, steps = watch ? `Step ${watch.step} of ${watch.steps}. ` : "";
  if (watch && bars?.gap?.near !== 0) return steps + (bars?.gap ? `The gap is ${bars.gap.text}.` : watch.note);
  return `${steps}Exact: ${answer.verdict} = ${answer.value.text}.`;
}

function pairOf([name, text]) {
  const pair = element("div");
  pair.append(element("dt", "", name), element("dd", "", text));
  return pair;
}

/** Return the name and the text of a number of the answer, or null where it has none. */
function numberOf(name) {
  const { answer, chosen } = play, { columns, offset, bars } = answer;
  const fact = [...answer.watch?.facts ?? [], ...answer.facts ?? []].find(([key]) => key === name);
  if (fact) return fact;
  const part = bars?.primal.parts.find((each) => each.name === name);
  if (part) return [name, part.text];
  if (offset?.name === name) return [name, offset.low.text === offset.high.text ? offset.low.text : `${offset.low.text} to ${offset.high.text}`];
  const cell = answer.rows?.[chosen]?.cells[columns.indexOf(name)];
  return cell ? [`${name} of point ${chosen + 1}`, cell.text] : null;
}

function speakLater() {
  clearTimeout(quiet);
  quiet = setTimeout(() => {
    const row = play.answer.rows?.[play.chosen];
    if (!play.computing) $("spoken").textContent = play.answer.told + (row ? ` Point ${play.chosen + 1}: ${row.spoken}.` : "");
  }, QUIET);
}

/** Say which marks are of which class, and which ring may be dragged. */
function showLegend() {
  for (const [label, name, kind] of [[1, "+1", "plus"], [-1, "−1", "minus"], [0, "drag", "point"]]) {
    const svg = make("svg", { viewBox: "-13 -13 26 26", class: kind });
    if (label) drawMark(svg, label, 11);
    else make("circle", { class: "halo", r: 11 }, svg);
    const entry = element("span", "", name);
    entry.prepend(svg);
    $("marks").append(entry);
  }
}

/** Whether the points are not where the sentence says. */
function strayed() {
  return !moving && textOf(play.state) !== textOf(scene[at][1].state);
}

/** Give the longest sentence its room, so that the plane keeps its size. */
function reserve() {
  const { textContent } = $("sentence"), { style } = $("sentence");
  style.minHeight = "";
  const heights = scene.map(([sentence]) => {
    $("sentence").textContent = sentence;
    return $("sentence").offsetHeight;
  });
  $("sentence").textContent = textContent;
  style.minHeight = `${Math.max(...heights)}px`;
}

/** Tell a step of the scene; its points go where they belong. */
function turn(to) {
  const [sentence, answer] = scene[to], from = copyOf(play.state), begun = performance.now();
  at = to;
  $("sentence").textContent = sentence;
  $("next").textContent = to < scene.length - 1 ? "Next" : "Again";
  $("place").textContent = `${to + 1} of ${scene.length}`;
  cancelAnimationFrame(moving);
  const arrive = () => {
    moving = 0;
    play.engine.forget();
    play.loaded(answer, 0, true);
    clearTimeout(quiet);  // the sentence is spoken
    const named = answer.marked.find((k) => handles.includes(k));
    if (named !== undefined) play.choose(named);
  };
  const go = (now) => {
    const share = (now - begun) / WAY;
    if (share >= 1 || still.matches || !play.quickly) return arrive();
    play.state = between(from, answer.state, share * share * (3 - 2 * share));
    play.draw();
    moving = requestAnimationFrame(go);
  };
  moving = requestAnimationFrame(go);
}

/** Return a state on the way from one to another: of the optimum there. */
function between(from, to, share) {
  const part = (a, b) => (a === b ? a : (near(a) + share * (near(b) - near(a))).toFixed(6));
  const [low, high] = [from.C, to.C].map((C) => Math.log(near(C)));
  const C = from.C === to.C || !Number.isFinite(high - low) ? to.C : Math.exp(low + share * (high - low)).toFixed(6);
  const points = to.points.map(([label, x, y], i) => [label, part(from.points[i][1], x), part(from.points[i][2], y)]);
  return { ...copyOf(to), C, points };
}

if (data.first.state.machine === "svc") showLegend();
$("next").hidden = !data.first.watch && !scene.length;
document.querySelector(".bars").hidden = !hasBars;
if (scene.length) {
  const places = scene.flatMap(([, answer]) => placesOf(answer.state));
  play.fit = () => play.plane.fit(places);  // nothing but points and lines moves
  play.plane.beside = beside;
  $("back").textContent = "Back";
  $("sentence").setAttribute("aria-live", "polite");
  reserve();
  addEventListener("resize", reserve);
  $("next").addEventListener("click", () => turn((at + 1) % scene.length));
  $("back").addEventListener("click", () => turn(strayed() ? at : Math.max(at - 1, 0)));
  for (const event of ["pointerenter", "focusin"]) document.body.addEventListener(event, () => play.wake(), { once: true });
  turn(0);
} else {
  $("next").addEventListener("click", () => play.begin(), { once: true });
  $("next").addEventListener("click", () => play.change((state) => {
    const { step, steps } = play.answer.watch ?? { step: 0, steps: 0 };
    state.watched[1] = step < steps ? step + 1 : 0;
  }));
  $("back").addEventListener("click", () => { if (textOf(play.state) !== first) play.load(first); });
}
play.plane.svg.addEventListener("pointerenter", () => play.wake(), { once: true });
for (const event of ["pointerdown", "focusin"]) {  // Python starts when a point is first touched
  play.plane.svg.addEventListener(event, () => play.begin(), { once: true });
}
listen(play.plane, play);
new ResizeObserver(() => play.resized()).observe(play.plane.svg);
play.plane.resize();
play.fit();
play.show();
