// Draws the plane: regions, grid, lines, slacks and points. Elements are made once and changed
// afterwards, so that what has the focus, or is being dragged, stays.

const SVG = "http://www.w3.org/2000/svg";
const SPAN = 4;      // units that are seen at least
const ROOM = 1.36;   // what is seen, in times of what the points take
const GRID = 80;     // pixels between two lines of the grid, about
const PARTS = ["fills", "grid", "lines", "slacks", "points", "beside"];  // from below to above
const UNTOLD = { class: "answer", "aria-hidden": "true" };
const TOLD = { grid: { "aria-hidden": "true" }, points: {} };  // these follow no answer

/** Return an SVG element with attributes. */
export function make(name, attributes = {}, parent = null) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

/** Draw the mark of a point into an element: a disc for +1, a square for -1, else a diamond. */
export function drawMark(parent, label, size) {
  if (label > 0) make("circle", { class: "shape", r: size }, parent);
  else if (label < 0) {
    make("rect", { class: "shape", x: -size * .9, y: -size * .9, width: size * 1.8, height: size * 1.8 }, parent);
  } else {
    make("path", { class: "shape", d: `M0 ${-1.25 * size}L${1.25 * size} 0L0 ${1.25 * size}L${-1.25 * size} 0z` }, parent);
  }
}

/** Return the class of the mark of a point: its label, and what it is in the machine. */
export function markClass(label, row) {
  const side = label > 0 ? "plus" : label < 0 ? "minus" : "none";
  return row && !row.support ? `${side} idle` : side;
}

export class Plane {
  constructor(svg) {
    this.svg = svg;
    this.parts = Object.fromEntries(PARTS.map((id) => [id, make("g", { id, ...TOLD[id] ?? UNTOLD }, svg)]));
    this.view = { x: 0, y: 0, unit: 60 };  // what is in the middle, and pixels a unit
    this.width = 640;
    this.height = 480;
    this.marks = [];
    this.beside = "";  // the column that is written beside points
  }

  /** Take the size that the page gives. */
  resize() {
    const box = this.svg.getBoundingClientRect();
    const changed = Math.round(box.width) !== this.width || Math.round(box.height) !== this.height;
    this.width = Math.max(1, Math.round(box.width));
    this.height = Math.max(1, Math.round(box.height));
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    return changed;
  }

  /** See all of these places. */
  fit(places) {
    const [us, vs] = [0, 1].map((k) => places.map((place) => place[k]));
    const ends = (values) => values.length ? [Math.min(...values), Math.max(...values)] : [-1, 1];
    const [[left, right], [bottom, top]] = [ends(us), ends(vs)];
    const across = Math.max((right - left) * ROOM, SPAN), up = Math.max((top - bottom) * ROOM, SPAN * .75);
    this.view = {
      x: (left + right) / 2, y: (bottom + top) / 2,
      unit: Math.min(this.width / across, this.height / up, 150),
    };
  }

  /** [left, right, bottom, top] of what is seen. */
  get seen() {
    const { x, y, unit } = this.view;
    const a = this.width / 2 / unit, b = this.height / 2 / unit;
    return [x - a, x + a, y - b, y + b];
  }

  /** Whether a place is seen, with its mark. */
  sees([u, v]) {
    const [x, y] = this.pixel([u, v]);
    return x > 18 && x < this.width - 18 && y > 18 && y < this.height - 18;
  }

  pixel([u, v]) {
    const { x, y, unit } = this.view;
    return [this.width / 2 + (u - x) * unit, this.height / 2 - (v - y) * unit];
  }

  place(px, py) {
    const { x, y, unit } = this.view;
    return [x + (px - this.width / 2) / unit, y - (py - this.height / 2) / unit];
  }

  /** Draw the grid and what is drawn of the machine. */
  draw(answer, machine, places) {
    this.places = places;
    const { x, y, unit } = this.view;
    const [cx, cy] = [this.width / 2 - x * unit, this.height / 2 + y * unit];
    const into = { transform: `matrix(${unit} 0 0 ${-unit} ${cx} ${cy})` };
    const drawing = answer?.drawing ?? {};
    this.parts.fills.replaceChildren();
    const fills = make("g", into, this.parts.fills);
    for (const kind of ["plus", "minus", "band"]) {
      if (drawing[kind]) make("path", { class: `fill-${kind}`, d: drawing[kind] }, fills);
    }
    this.drawGrid();
    this.parts.lines.replaceChildren();
    const lines = make("g", into, this.parts.lines);
    for (const d of Object.values(drawing.margins ?? {})) make("path", { class: "margin", d }, lines);
    if (drawing.border) make("path", { class: "border", d: drawing.border }, lines);
    this.nameLines(drawing, machine);
    if (drawing.place) this.drawProof(drawing, lines);
    this.parts.slacks.replaceChildren();
    const slacks = make("g", into, this.parts.slacks);
    for (const d of (drawing.slacks ?? []).filter(Boolean)) {
      make("path", { class: "slack-edge", d }, slacks);
      make("path", { class: "slack", d }, slacks);
    }
  }

  drawGrid() {
    const grid = this.parts.grid;
    grid.replaceChildren();
    const [left, right, bottom, top] = this.seen;
    const rough = GRID / this.view.unit, power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((m) => m * power >= rough);
    const digits = Math.max(0, -Math.floor(Math.log10(step)));
    for (let k = Math.ceil(left / step); k * step <= right; k += 1) {
      const [px] = this.pixel([k * step, 0]);
      make("line", { class: k ? "grid-line" : "grid-line grid-axis", x1: px, x2: px, y1: 0, y2: this.height }, grid);
      this.number(grid, k * step, digits, px + 4, this.height - 6);
    }
    for (let k = Math.ceil(bottom / step); k * step <= top; k += 1) {
      const [, py] = this.pixel([0, k * step]);
      make("line", { class: k ? "grid-line" : "grid-line grid-axis", y1: py, y2: py, x1: 0, x2: this.width }, grid);
      if (py < this.height - 24) this.number(grid, k * step, digits, 5, py - 4);
    }
  }

  number(grid, value, digits, x, y) {
    const text = make("text", { class: "grid-text", x, y }, grid);
    text.textContent = value.toFixed(digits).replace("-", "−");
  }

  /** Write f = 0 and the like along lines that are straight. */
  nameLines(drawing, machine) {
    const names = machine === "one" ? { border: "f = 0" }
      : machine === "svr" ? { border: "f", 1: "f + ε", [-1]: "f − ε" }
      : { border: "f = 0", 1: "f = +1", [-1]: "f = −1" };
    for (const [key, name] of Object.entries(names)) {
      const d = (key === "border" ? drawing.border : drawing.margins?.[key]) ?? "";
      const corners = d.split(/[ML]/).filter(Boolean).map((pair) => this.pixel(pair.split(" ").map(Number)));
      if (corners.length < 2 || corners.length > 3) continue;  // no line, or a curve
      let [a, b] = [corners[0], corners.at(-1)];
      if (a[0] > b[0] || (a[0] === b[0] && a[1] < b[1])) [a, b] = [b, a];
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      if (length < 130) continue;
      const [x, y] = this.freeOn(a, b, length);
      const angle = Math.atan2(b[1] - a[1], b[0] - a[0]) * 180 / Math.PI;
      make("text", { class: "line-text", transform: `translate(${x} ${y}) rotate(${angle})`, y: -7 }, this.parts.lines)
        .textContent = name;
    }
  }

  /** Return a place on a line, in pixels, that is away from the points and from the edge. */
  freeOn(a, b, length) {
    const at = (t) => [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
    const near = ([x, y]) => Math.min(x - 18, this.width - 34 - x, y - 18, this.height - 48 - y,
      ...this.places.map((place) => {
        const [px, py] = this.pixel(place);
        return Math.hypot(px - x, py - y) - 24;
      }));
    const tried = [];
    for (let from = 44; from < length - 34; from += 12) tried.push(at(from / length));
    return tried.find((place) => near(place) > 22)
      ?? tried.reduce((best, place) => near(place) > near(best) ? place : best, at(.5));
  }

  /** Draw why there is no line: the place that would be on both sides. */
  drawProof(drawing, lines) {
    const [u, v] = drawing.place;
    for (const [p, q] of drawing.ends) {
      make("path", { class: "proof", d: `M${p} ${q}L${u} ${v}` }, lines);
    }
    const [x, y] = this.pixel(drawing.place);
    make("path", { class: "cross", d: `M${x - 8} ${y - 8}l16 16m0 -16l-16 16` }, this.parts.lines);
  }

  /** Write a number beside a point, where no other number and no other mark is: below, if it can. */
  writeBeside(index, told, taken) {
    const at = this.places.map((place) => this.pixel(place)), [x, y] = at[index];
    const isFree = (up) => taken.every(([u, v]) => Math.abs(u - x) > 56 || Math.abs(v - y - up) > 13)
      && at.every(([u, v], k) => k === index || Math.abs(u - x) > 36 || Math.abs(v - y - up + 4) > 22);
    const up = [33, -24, 49, -40, 65].find(isFree) ?? 33;
    make("text", { class: "beside", x, y: y + up }, this.parts.beside)
      .textContent = `${this.beside.split(" ").at(-1)} = ${told}`;
    taken.push([x, y + up]);
  }

  /** Draw the points where they are now; rows say what each is in the machine, unless it is late.
      Of a small picture only its handles may be moved, and Tab reaches each. */
  drawPoints(state, places, answer, chosen, late, handles = null) {
    const marks = this.marks, taken = [];  // the places of numbers beside points
    this.parts.beside.replaceChildren();
    while (marks.length > places.length) marks.pop().remove();
    while (marks.length < places.length) {
      const g = make("g", {}, this.parts.points);
      make("circle", { class: "hit", r: 22 }, g);
      make("circle", { class: "halo", r: 21 }, g);
      make("circle", { class: "ring", r: 16.5 }, g);
      g.append(make("g"));
      make("text", { class: "digit", y: 4.5 }, g);
      marks.push(g);
    }
    places.forEach((place, i) => {
      const label = state.machine === "svc" ? state.points[i][0] : 0;
      const row = answer?.rows?.[i];
      const g = marks[i], shape = g.children[3], held = handles?.includes(i) ?? true;
      if (g.dataset.label !== String(label)) {
        g.dataset.label = String(label);
        shape.replaceChildren();
        drawMark(shape, label, label ? 11 : 9.5);
      }
      const paired = (answer?.watch ?? answer)?.marked?.includes(i);
      const told = row?.cells?.[answer.columns.indexOf(this.beside)]?.text ?? "";
      if (/[1-9]/.test(told)) this.writeBeside(i, told, taken);
      g.setAttribute("class", ["point", markClass(label, row), row?.support ? "support" : "",
        i === chosen ? "selected" : "", paired ? "paired" : "", held ? "" : "fixed"].join(" "));
      g.setAttribute("role", held ? "button" : "img");
      g.setAttribute("aria-roledescription", held ? "point" : "point that stays");
      if (held) g.setAttribute("tabindex", handles || i === chosen ? "0" : "-1");
      if (place.every(Number.isFinite)) {  // what is typed may be no number, until Python says so
        g.setAttribute("transform", `translate(${this.pixel(place).join(" ")})`);
      }
      g.dataset.index = i;
      g.lastChild.textContent = i + 1;
      const [, x, y] = state.points[i];
      g.setAttribute("aria-label", `point ${i + 1} at ${x}, ${y}; ${late ? "computing" : row ? row.spoken : ""}`);
    });
  }
}
