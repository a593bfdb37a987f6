// The types of S18.6: what is given as text becomes numbers, what is answered becomes text.

import { activeSet } from "./active_set.mjs";
import * as arithmetic from "./arithmetic.mjs";
import { makeKernel } from "./kernels.mjs";
import * as learners from "./learners.mjs";
import { fromHex, toHex } from "./numbers.mjs";
import { coordinateAscent, projectedGradient } from "./dual_ascent.mjs";
import { decomposition } from "./decomposition.mjs";
import { gapBounds } from "./gap_bounds.mjs";
import { kkt, Refusal } from "./problem.mjs";
import { dualCoordinateDescent } from "./coordinate_descent.mjs";
import { newton } from "./newton.mjs";
import { proximalPoint } from "./proximal_point.mjs";
import * as probabilities from "./probabilities.mjs";
import { smo } from "./smo.mjs";
import * as tables from "./tables.mjs";

// A result that is written as it is, not as a double: whole numbers, words, flags
class Plain {
  constructor(value) {
    this.value = value;
  }
}

const plain = (value) => new Plain(value);
const take = (count, words) => Array.from({ length: count }, () => words.next().value);
const big = (text) => BigInt(text);

const WHOLE = new Set("counts mistakes steps votes place iteration i j iterations index y moved entering blocking active".split(" "));

// Doubles as text, in lists and objects too
function written(value, name) {
  if (value instanceof Plain) return value.value;
  if (typeof value === "number") return WHOLE.has(name) ? value : toHex(value);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value, (v) => written(v, name));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, written(v, key)]));
}

const isNumber = (text) => /^(-?0x[01]\.[0-9a-f]+p[+-]\d+|-?inf|nan)$/.test(text);

// Text as doubles, in lists and objects too; strings that are rows stay
export function read(value) {
  if (typeof value === "string") return isNumber(value) ? fromHex(value) : value;
  if (Array.isArray(value)) return value.map(read);
  if (value === null || typeof value !== "object") return value;
  const result = Object.fromEntries(Object.entries(value).map(([key, v]) => [key, read(v)]));
  if (result.kernel && value.kernel.name && !value.name) result.kernel = makeKernel(result.kernel);
  return result;
}

const table = {
  exp: ({ x }) => ({ value: arithmetic.exp(x) }),
  tanh: ({ x }) => ({ value: arithmetic.tanh(x) }),
  power: ({ b, n }) => ({ value: arithmetic.power(b, n) }),
  words: ({ seed, count }) => ({ value: plain(take(count, arithmetic.splitmix64(seed)).map(String)) }),
  units: ({ seed, count }) => ({ value: take(count, arithmetic.splitmix64(seed)).map(arithmetic.unit) }),
  below: ({ n, seed, count }) => {
    const words = arithmetic.splitmix64(seed);
    return { value: plain(Array.from({ length: count }, () => String(arithmetic.below(big(n), words)))) };
  },
  shuffle: ({ n, seed }) => ({ value: plain(arithmetic.shuffle(arithmetic.passes(n, 1), arithmetic.splitmix64(seed))) }),
  passes: ({ n, times }) => ({ value: plain(arithmetic.passes(n, times)) }),
  shuffled_passes: ({ n, times, seed }) => ({ value: plain(arithmetic.shuffledPasses(n, times, seed)) }),
  uniform: ({ n, steps, seed }) => ({ value: plain(arithmetic.uniform(n, steps, seed)) }),
  folds: ({ n, k, seed }) => ({ value: plain(arithmetic.folds(n, k, seed)) }),
  kernel: ({ kernel, x, z }) => ({ value: kernel.value(x, z) }),
  kkt,
  gap_bounds: gapBounds,
  smo,
  decomposition,
  active_set: activeSet,
  coordinate_ascent: coordinateAscent,
  projected_gradient: projectedGradient,
  dual_coordinate_descent: dualCoordinateDescent,
  newton,
  proximal_point: proximalPoint,
  calibrate: probabilities.calibrate,
  sigmoid: probabilities.sigmoid,
  couple: ({ R }) => ({ value: probabilities.couple(R) }),
  class_probabilities: (given) => ({ value: probabilities.classProbabilities(given) }),
  laplace_scale: ({ residuals }) => ({ value: probabilities.laplaceScale(residuals) }),
  votes: learners.votes,
  perceptron: learners.perceptron,
  kernel_perceptron: learners.kernelPerceptron,
  lms: learners.lms,
  kernel_lms: learners.kernelLms,
  stochastic_lms: learners.stochasticLms,
  stochastic_kernel_lms: learners.stochasticKernelLms,
  pegasos: learners.pegasos,
  kernel_pegasos: learners.kernelPegasos,
};

// What is given to these are fields of a file, in which no double is written
const ofFields = {
  preparation: (given) => withCounts(tables.preparation(given)),
  refitted: (given) => withCounts(tables.preparation(given)),
  refusal: tables.refusal,
};

const withCounts = (answer) => ({ ...answer, gaps: plain(answer.gaps), unknown: plain(answer.unknown) });

export const types = [...Object.keys(table), ...Object.keys(ofFields)];

// S18.12
export function answerOf({ id, type, given }) {
  if (type === "offers") return { id, offers: types };
  if (!types.includes(type)) return { id, unsupported: `there is no ${type} here` };
  try {
    return { id, ...written(ofFields[type] ? ofFields[type](given) : table[type](read(given))) };
  } catch (error) {
    if (error instanceof Refusal) return { id, refused: error.message };
    throw error;
  }
}
