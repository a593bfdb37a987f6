// The optimum in doubles, and its picture: what is seen until Python has answered. The solver is the
// port of spec/ports/javascript, which proves how far above the optimum its machine is at most.

import { areas, joined, piecesOf } from "./areas.js";
import { makeKernel } from "./port/kernels.mjs";
import { smo } from "./port/smo.mjs";
import { isDouble, near } from "./state.js";

const TOL = 1e-9;
const SEEN = 1e-6;  // an interval of offsets that is narrower is seen as a line
const SAMPLES = 160;  // of a curve over x
let last = {};  // the text of a machine and what was found: a finger may rest

/** Return the answer for the eye, { rows, drawing, text, gap, isExact }, or null where there is none.
  * isExact: no number of the state was rounded to a double, so that the gap is that of the state. */
export function quickAnswer(state, plane) {
  if (state.watched) return null;  // a step, not the optimum
  const key = JSON.stringify(state);
  if (last.key !== key) last = { key, found: solved(state) };
  const { found } = last, isExact = numbersOf(state).every(isDouble);
  if (!found) return null;
  if (found.status === "infeasible") return { rows: [], drawing: {}, text: "no hard margin", gap: 0, isExact };
  const { form, w, beta, gap, objective } = found;
  return {
    rows: state.points.map((_, i) => ({ support: beta[i] !== 0, spoken: "" })),
    drawing: form === "regression" ? tube(found, plane) : { ...sides(found, plane), slacks: slacks(found, w) },
    text: `≈ ${objective.toPrecision(5)}`, gap, isExact,
  };
}

/** Return all numbers of a state, as they are written. */
function numbersOf({ points, kernel, C, epsilon, nu }) {
  return [...points.flatMap(([, x, y]) => [x, y]), ...kernel.slice(1), C, epsilon, nu].filter((v) => v !== undefined).map(String);
}

/** Return the solution with its score function, or null. */
function solved(state) {
  const points = state.points.map(([label, x, y]) => [label, near(x), near(y)]);
  if (!points.flat().every(Number.isFinite)) return null;
  const [name, ...numbers] = state.kernel, at = numbers.map(near);
  const kernel = name === "lin" ? { name: "linear" } : name === "rbf" ? { name: "gaussian", gamma: at[0] }
    : { name: "polynomial", degree: at[0], gamma: at[1], coef0: at[2] };
  const form = { svc: "classification", svr: "regression", one: "one_class" }[state.machine];
  const labels = points.map(([label]) => label), C = near(state.C);
  if (form === "classification" && new Set(labels).size < 2) return null;
  const X = points.map(([, x, y]) => (form === "regression" ? [x] : [x, y]));
  const y = form === "regression" ? points.map((p) => p[2]) : labels;
  const document = { form, X, y, kernel: makeKernel(kernel), epsilon: near(state.epsilon), nu: near(state.nu),
    C: form === "classification" ? labels.map(() => C) : C, bias: state.bias, slack: state.squared ? "squared" : "hinge" };
  try {
    const found = smo({ problem: document, tol: TOL });
    if (found.status === "infeasible") return found;
    if (found.status !== "optimal" || !Number.isFinite(found.gap)) return null;
    return withScore({ ...found, form, X, y, epsilon: document.epsilon }, kernel);
  } catch {
    return null;  // no machine yet
  }
}

function withScore(found, { name, gamma, degree, coef0 }) {
  const { form, alpha, X, y } = found;
  const beta = form === "classification" ? alpha.map((a, i) => a * y[i]) : alpha;
  const dot = (x, z) => x.reduce((sum, v, j) => sum + v * z[j], 0);
  const value = name === "linear" ? dot : name === "polynomial" ? (x, z) => (gamma * dot(x, z) + coef0) ** degree
    : (x, z) => Math.exp(-gamma * x.reduce((sum, v, j) => sum + (v - z[j]) ** 2, 0));
  const score = (z) => X.reduce((sum, x, i) => sum + (beta[i] ? beta[i] * value(x, z) : 0), 0);
  const isLine = name === "linear" || (name === "polynomial" && degree === 1);
  const w = isLine ? X[0].map((_, j) => score(X[0].map((_, k) => Number(k === j))) - score(X[0].map(() => 0))) : null;
  return { ...found, beta, score, isLine, w: name === "linear" ? w : null };
}

/** The regions of both classes, or of one, the band of optimal offsets, and the lines. */
function sides({ form, score, isLine, b, b_low, b_high }, plane) {
  const pieces = piecesOf(plane, isLine, score);
  if (form === "one_class") return { plus: areas(pieces, [[1, b]]), border: joined(pieces, b) };
  const [low, high] = b_high - b_low > SEEN ? [b_low, b_high] : [b, b];
  return {
    plus: areas(pieces, [[1, low]]), minus: areas(pieces, [[-1, high]]),
    band: low < high ? areas(pieces, [[-1, low], [1, high]]) : "",
    border: joined(pieces, b), margins: { 1: joined(pieces, b - 1), [-1]: joined(pieces, b + 1) },
  };
}

function slacks({ form, score, X, y, b }, w) {
  const norm2 = w ? w[0] ** 2 + w[1] ** 2 : 0;
  if (!norm2) return [];
  const [level, sign] = form === "one_class" ? [0, () => 1] : [1, (i) => y[i]];
  return X.map(([u, v], i) => {
    const slack = level - sign(i) * (score([u, v]) + b), way = sign(i) * slack / norm2;
    return slack > SEEN ? `M${u} ${v}L${u + way * w[0]} ${v + way * w[1]}` : "";
  });
}

function tube({ score, X, y, b, epsilon, isLine }, [left, right]) {
  const cells = isLine ? 1 : SAMPLES;
  const us = Array.from({ length: cells + 1 }, (_, k) => left + (right - left) * k / cells);
  const edge = (up) => us.map((u) => `${u} ${score([u]) + b + up}`);
  return {
    band: `M${[...edge(epsilon), ...edge(-epsilon).reverse()].join("L")}z`, border: `M${edge(0).join("L")}`,
    margins: { 1: `M${edge(epsilon).join("L")}`, [-1]: `M${edge(-epsilon).join("L")}` },
    slacks: X.map((x, i) => {
      const f = score(x) + b, r = y[i] - f;
      return Math.abs(r) - epsilon > SEEN ? `M${x[0]} ${y[i]}L${x[0]} ${f + Math.sign(r) * epsilon}` : "";
    }),
  };
}
