// The two bars: the parts of the primal value, and the dual one.

const $ = (id) => document.getElementById(id);

/** Return an HTML element with a class and a text. */
export function element(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/** Draw the two bars to one scale; what the dual lacks is hatched. */
export function showBars(bars) {
  for (const id of ["primal", "dual"]) $(id).replaceChildren();
  if (!bars) return;
  const { primal, dual, gap } = bars;
  const sizes = [primal.near, dual.near].map((v) => v === null ? Infinity : Math.abs(v));
  const whole = Math.max(...sizes.filter(Number.isFinite), 1e-300);
  const parts = primal.parts.filter((part) => part.near);
  const plain = parts.every((part) => part.near > 0) && Number.isFinite(sizes[0]);
  if (plain) {
    parts.forEach((part) => {
      const kind = part === primal.parts[0] ? "half" : "penalty";
      bar("primal", kind, `${part.name} ${part.text}`, part.near / whole);
    });
  } else if (primal.near === null) bar("primal", "gap", "∞: a point is on the wrong side", 1);
  else {
    bar("primal", "half", primal.parts.map((part) => `${part.name} ${part.text}`).join(", "),
      sizes[0] / whole);
  }
  bar("dual", "gain", `${dual.name}${dual.name.includes("=") ? "" : ` = ${dual.text}`}`,
    dual.near > 0 || !plain ? sizes[1] / whole : 0);
  if (gap?.near > 1e-9 * whole) {
    bar("dual", "gap", `gap ${gap.text}`, 1 - (plain && dual.near > 0 ? sizes[1] / whole : 0));
  }
}

function bar(id, kind, text, share) {
  const part = element("span", kind, text);
  part.title = text;
  part.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  if (share < .02) part.style.padding = "0";
  $(id).append(part);
}

/** Say how near a picture in doubles is to the optimum. */
export function nearWords({ gap, rows, isExact }) {
  if (!rows.length) return isExact ? "proved; why, when Python has started" : "in doubles; Python will tell";
  const most = (1.06 * gap).toPrecision(2);  // which rounding to two digits leaves above the gap
  const words = gap ? `at most ${most} above the optimum: proved` : "the optimum: proved";
  return `in doubles, ${isExact ? words : "of numbers next to these"}. The other numbers come with Python.`;
}
