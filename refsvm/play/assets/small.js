// A small picture of play for a page of text: one drawing, the points that may be dragged, and the
// few numbers that the text is about.

import { element, nearWords, showBars } from "./bars.js";
import { Plane } from "./plane.js";
import { Play } from "./play.js";
import { listen } from "./pointing.js";
import { textOf } from "./state.js";

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent), { handles, numbers, hasBars } = data.small;
const first = textOf(data.first.state);
const QUIET = 500;  // milliseconds after a change until it is spoken
let quiet = 0, refusal = "";

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
  $("note").classList.toggle("proved", !late && !refusal);
  $("next").textContent = answer.watch?.step < steps ? "Next step" : "Before the first step";
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

$("next").hidden = !data.first.watch;
document.querySelector(".bars").hidden = !hasBars;
$("next").addEventListener("click", () => play.begin(), { once: true });
$("next").addEventListener("click", () => play.change((state) => {
  const { step, steps } = play.answer.watch ?? { step: 0, steps: 0 };
  state.watched[1] = step < steps ? step + 1 : 0;
}));
$("back").addEventListener("click", () => { if (textOf(play.state) !== first) play.load(first); });
play.plane.svg.addEventListener("pointerenter", () => play.wake(), { once: true });
for (const event of ["pointerdown", "focusin"]) {  // Python starts when a point is first touched
  play.plane.svg.addEventListener(event, () => play.begin(), { once: true });
}
listen(play.plane, play);
new ResizeObserver(() => play.resized()).observe(play.plane.svg);
play.plane.resize();
play.fit();
play.show();
