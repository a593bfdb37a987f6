// The state of the page: what a link holds. It is written here, and read by Python only, so that
// there is one reader of links with one set of limits.

export const SNAP = 8;  // parts of a unit

/** Return a multiple of 1/SNAP as the fraction that it is: 2.5 is "5/2". */
export function fractionText(value) {
  let p = Math.round(value * SNAP), q = SNAP;
  while (q > 1 && p % 2 === 0) { p /= 2; q /= 2; }
  return q === 1 ? String(p) : `${p}/${q}`;
}

/** Return the double next to a number in the form p, p.ddd or p/q. */
export function near(text) {
  if (text === "inf") return Infinity;
  const [p, q] = text.split("/");
  return q === undefined ? Number(p) : Number(p) / Number(q);
}

/** Return whether a number in this form is that double, as a multiple of 2^-20 is: its optimum is, too. */
export function isDouble(text) {
  const [p, q = "1"] = text.split("/"), digits = (p.split(".")[1] ?? "").length, k = near(text) * 2 ** 20;
  return text === "inf" || /^-?[\d.]+(\/\d+)?$/.test(text) && Number.isSafeInteger(k)
    && BigInt(p.replace(".", "")) * 2n ** 20n === BigInt(k) * BigInt(q) * 10n ** BigInt(digits);
}

/** Return the text of a state, as states.py reads it. */
export function textOf(state) {
  const parts = ["1"];
  if (state.machine !== "svc") parts.push(`m=${state.machine}`);
  parts.push(`k=${state.kernel.join(",")}`, `C=${state.C}`);
  if (state.squared) parts.push("s=2");
  if (!state.bias) parts.push("o=0");
  if (state.epsilon !== "1/4") parts.push(`e=${state.epsilon}`);
  if (state.nu !== "1/2") parts.push(`n=${state.nu}`);
  if (state.watched) parts.push(`t=${state.watched.join(",")}`);
  const points = state.points.map(([label, x, y]) => `${label > 0 ? "+" : "-"}${x},${y}`);
  parts.push(`p=${points.join(";")}`);
  return parts.join(";");
}

/** Return the places of the points as doubles: [[x, y], ..]. */
export function placesOf(state) {
  return state.points.map(([, x, y]) => [near(x), near(y)]);
}

/** Return a copy that can be changed. */
export function copyOf(state) {
  return structuredClone(state);
}
