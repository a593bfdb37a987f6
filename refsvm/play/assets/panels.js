// Shows what an answer says: the bars, the machine, the interval of the offset, the table.

import { element, nearWords, showBars } from "./bars.js";
import { fill } from "./boxes.js";
import { drawMark, make, markClass } from "./plane.js";

export const COMPUTING = "computing";  // stands where a proof would be, until its answer is there

const ALPHAS = { L: "α is 0 at every optimum", M: "α may be anything from 0 to its bound", U: "α is at its bound at every optimum" };

const $ = (id) => document.getElementById(id);

/** Write a number: its text, and all of its digits where these are more. */
function write(parent, number) {
  parent.textContent = number.text;
  parent.title = number.full ?? "";
}

export function showValue(answer, milliseconds) {
  const watched = answer.watch && answer.bars;
  const none = answer.status !== "optimal" && answer.status !== "degenerate";
  $("value-title").textContent = answer.watch
    ? `${titleOf(answer.watch.algorithm)} after ${steps(answer.watch)}, beside the optimum`
    : "The optimum";
  write($("value"), none ? { text: answer.status === "infeasible" ? "no hard margin" : "–" } : answer.value);
  const near = none || !answer.value.text.includes("/") ? "" : `${decimal(answer.value.near)}, `;
  $("value-note").textContent = none ? "" : near + (milliseconds ? `answered in ${Math.max(1, Math.round(milliseconds))} ms` : "proved before");
  const bars = answer.bars;
  showBars(bars);
  $("primal").parentElement.hidden = !bars;
  $("facts").closest(".two").hidden = none && !answer.watch;
  const settled = !watched || bars.gap?.near === 0;
  $("verdict").parentElement.parentElement.classList.toggle("unsettled", !settled || none);
  if (none) {
    $("verdict").textContent = "";
    $("verdict-note").textContent = answer.told;
  } else if (answer.watch && !bars) {
    $("verdict").textContent = "";
    $("verdict-note").textContent = "This is the value of the optimum; the perceptron has none.";
  } else if (settled) {
    $("verdict").textContent = answer.verdict;
    $("verdict-note").textContent = answer.status === "degenerate"
      ? "w is 0: there is no machine" : answer.verdict.includes("=") ? "— no other machine has a lower value: the proof" : "— that near it is to the optimum";
  } else {
    $("verdict").textContent = bars.gap ? `gap ${bars.gap.text}` : "";
    $("verdict-note").textContent = bars.gap ? "is how far it is from the optimum, at most" : "";
  }
}

/** Return a fraction as decimals, with dots where they do not end. */
function decimal(near) {
  const short = Number(near.toPrecision(6));
  return short === near ? `= ${short}` : `= ${near.toPrecision(6)}…`;
}

/** Show the result in a line, for a screen where the other numbers are below its edge. */
export function showBrief(answer) {
  const words = answer.value ? [["b", answer.value.text], ["span", answer.watch && !answer.bars ? "at the optimum" : answer.verdict]]
    : [["span", answer.told]];
  const w = (answer.facts ?? []).find(([name]) => name === "w");
  if (w) words.push(["span", `w ${w[1]}`], ["span", `b ${answer.offset.low.text}${
    answer.offset.low.text === answer.offset.high.text ? "" : ` to ${answer.offset.high.text}`}`]);
  $("brief").replaceChildren(...words.map(([name, text]) => element(name, "", text)));
}

/** Show in its place what is known before Python has answered. */
export function showNear(quick) {
  $("brief").replaceChildren(element("b", "", quick.text), element("span", "", nearWords(quick)));
}

function titleOf(algorithm) {
  return { smo: "SMO", perceptron: "The perceptron", pegasos: "Pegasos" }[algorithm];
}

function steps({ step, algorithm }) {
  const one = algorithm === "smo" ? "step" : "look";
  return `${step} ${step === 1 ? one : `${one}s`}`;
}

export function showFacts(answer) {
  const facts = answer.watch?.facts ?? answer.facts ?? [];
  $("facts-title").textContent = answer.watch ? `This ${answer.watch.algorithm === "smo" ? "step" : "look"}` : "The machine";
  $("facts").replaceChildren(...facts.flatMap(([name, text]) =>
    [element("dt", "", name), element("dd", "", text)]));
  $("facts-note").textContent = answer.watch?.note ?? "";
}

/** Draw the interval of the optimal offsets. */
export function showOffset(answer) {
  const svg = $("offset"), offset = answer.offset;
  svg.replaceChildren();
  $("offset-title").textContent = `Which ${offset?.name ?? "b"} are optimal`;
  $("offset-note").textContent = offset?.held ?? "";
  if (!offset) return;
  const width = svg.clientWidth || 200;
  const low = offset.low.near ?? offset.high.near - 2, high = offset.high.near ?? offset.low.near + 2;
  const middle = (low + high) / 2, half = Math.max(1, high - low);
  const x = (v) => 12 + (width - 24) * (v - middle + half) / (2 * half);
  make("path", { class: "rail", d: `M6 13H${width - 6}` }, svg);
  make("path", { class: "room", d: `M${x(low)} 13H${Math.max(x(high), x(low) + .01)}` }, svg);
  const one = offset.low.text === offset.high.text;
  const words = one ? [[middle, offset.low.text]] : [[low, offset.low.text], [high, offset.high.text]];
  const texts = words.map(([, text]) => {
    const made = make("text", { class: "offset-text", y: 36 }, svg);
    made.textContent = text;
    return made;
  });
  const wide = texts.map((text) => text.getComputedTextLength());
  const left = one ? [x(middle) - wide[0] / 2]
    : [Math.min(x(low) + 6 - wide[0], x(middle) - 5 - wide[0]), Math.max(x(high) - 6, x(middle) + 5)];
  texts.forEach((text, k) => text.setAttribute("x", Math.max(0, Math.min(left[k], width - wide[k]))));
  const crowded = !one && wide[0] + wide[1] + 8 > width;  // the high end stands in a line of its own
  if (crowded) texts[1].setAttribute("y", 52);
  svg.setAttribute("viewBox", `0 0 ${width} ${crowded ? 56 : 40}`);
  svg.style.height = crowded ? "56px" : "";
  svg.setAttribute("aria-label", one ? `only ${offset.low.text} is optimal`
    : `every number from ${offset.low.text} to ${offset.high.text} is optimal`);
}

/** Fill the table; its rows are made once for so many points. */
export function showTable(state, answer, chosen, choose) {
  const rows = answer.rows ?? state.points.map(() => null);
  const columns = answer.columns, other = answer.watch ? null : answer.other;
  const heads = [...columns];
  if (other) heads.splice(answer.bar + 1, 0, "or");
  $("heads").replaceChildren(headRow(heads, answer.places));
  const body = $("rows");
  while (body.children.length > rows.length) body.lastChild.remove();
  while (body.children.length < rows.length) {
    const tr = element("tr");
    tr.append(element("th"));
    tr.firstChild.scope = "row";
    const place = body.children.length;
    tr.addEventListener("click", () => choose(place));
    body.append(tr);
  }
  rows.forEach((row, i) => {
    const tr = body.children[i], label = state.machine === "svc" ? state.points[i][0] : 0;
    const paired = answer.watch?.marked?.includes(i);
    tr.className = `${i === chosen ? "selected" : ""} ${paired ? "paired" : ""}`;
    const cells = (row?.cells ?? columns.map(() => ({ text: "–" }))).map((cell, k) => {
      const td = element("td");
      write(td, cell);
      if (k === answer.bar && row) td.append(shareBar(row.share));
      return td;
    });
    if (other) {
      const td = element("td", "", other[i]);
      td.title = "another optimal α";
      cells.splice(answer.bar + 1, 0, td);
    }
    const holds = row?.holds === null || row?.holds === undefined ? "" : row.holds ? "✓" : "✗";
    const last = element("td", row?.holds ? "holds" : "fails", holds);
    if (holds) last.setAttribute("aria-label", row.holds ? "holds" : "does not hold");
    const at = element("td", "at", answer.places[row?.letter] ?? "");
    tr.firstChild.replaceChildren(markOf(label, row, i));
    tr.replaceChildren(tr.firstChild, ...cells, at, element("td", "must", row?.must ?? ""), last);
  });
}

function headRow(heads, places) {
  const tr = element("tr");
  const first = element("th");
  first.append(element("span", "hidden", "point"));
  const at = element("th", "at", "where");
  at.title = Object.entries(places).map(([letter, place]) => `${place}: ${ALPHAS[letter]}`).join("; ");
  const last = element("th");
  last.append(element("span", "hidden", "holds"));
  const made = [first, ...heads.map((head) => element("th", "", head)), at, element("th", "must", "must hold"), last];
  made.forEach((th) => { th.scope = "col"; });
  tr.append(...made);
  return tr;
}

function shareBar(share) {
  const bar = element("span", "share");
  bar.append(element("i"));
  bar.firstChild.style.width = `${share * 100}%`;
  return bar;
}

/** Return the mark of a point as a small picture. */
export function markOf(label, row, i) {
  const svg = make("svg", { viewBox: "-13 -13 26 26", class: `mark ${markClass(label, row)}`, "aria-hidden": "true" });
  drawMark(svg, label, label ? 11 : 9.5);
  if (i !== undefined) {
    make("text", { class: "digit", y: 4.5 }, svg).textContent = i + 1;
    svg.setAttribute("aria-hidden", "false");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `point ${i + 1}`);
  }
  return svg;
}

/** Show the chosen point and its numbers, where they are not being typed. */
export function showChosen(state, answer, chosen, late) {
  const point = state.points[chosen], row = answer?.rows?.[chosen];
  for (const id of ["chosen-x", "chosen-y", "remove", "relabel"]) $(id).disabled = !point;
  $("relabel").hidden = state.machine !== "svc";
  const mark = $("chosen-mark");
  mark.replaceChildren();
  const label = point && state.machine === "svc" ? point[0] : 0;
  mark.setAttribute("class", `mark ${markClass(label, row)}`);
  if (point) {
    drawMark(mark, label, label ? 11 : 9.5);
    make("text", { class: "digit", y: 4.5 }, mark).textContent = chosen + 1;
  }
  [["chosen-x", 1], ["chosen-y", 2]].forEach(([id, k]) => {
    const input = $(id);
    input.setAttribute("aria-label", `${"xy"[k - 1]} of point ${chosen + 1}`);
    fill(input, point ? point[k] : "");
  });
  $("chosen-told").textContent = late ? COMPUTING : row && answer.columns
    ? answer.columns.slice(state.machine === "svc" ? 1 : 0).map((name, k) =>
      `${name} ${row.cells[k + (state.machine === "svc" ? 1 : 0)].text}`).join(" · ") : "";
}

/** Show what each sign means. */
export function showLegend(state, answer) {
  const watched = answer?.watch?.algorithm;
  const signs = state.machine === "svc"
    ? [[1, "class +1", true], [-1, "class −1", true]] : [[0, "point", true]];
  const items = signs.map(([label, text, support]) => legendItem((svg) => {
    svg.setAttribute("class", markClass(label, { support }));
    drawMark(svg, label, 9);
  }, text));
  items.push(legendItem((svg) => {
    svg.setAttribute("class", "support");
    make("circle", { class: "ring", r: 10 }, svg);
  }, watched ? "α > 0" : answer?.status === "infeasible" ? "in the proof" : "support vector"));
  items.push(legendItem((svg) => {
    svg.setAttribute("class", markClass(signs[0][0], { support: false }));
    drawMark(svg, signs[0][0], 9);
  }, "hollow: plays no part"));
  if (answer?.drawing?.slacks?.some(Boolean)) {
    items.push(legendItem((svg) => make("path", { class: "slack", d: "M-11 0H11" }, svg), "slack"));
  }
  if (answer?.drawing?.band) {
    items.push(legendItem((svg) => make("rect", { class: "fill-band", x: -11, y: -8, width: 22, height: 16 }, svg),
      state.machine === "svr" ? "the tube" : "every line of the band is optimal"));
  }
  document.getElementById("legend").replaceChildren(...items);
}

function legendItem(draw, text) {
  const span = element("span");
  const svg = make("svg", { viewBox: "-13 -13 26 26" });
  draw(svg);
  span.append(svg, text);
  return span;
}
