// S30.10, that there is no machine: whether exact multipliers make w exactly 0.

import { ExactActiveSet } from "./exact_active_set.mjs";
import { usualCoefficients, vanishing } from "./exact_kernels.mjs";
import { hasSolution } from "./modular.mjs";
import { bitLength, Exact, exactSum, ZERO } from "./numbers.mjs";
import { isSemidefinite } from "./semidefinite.mjs";

const FEW = 60;
const MANY = 500;
const LONGEST = 2 ** 29;
const MUCH = 2 ** 37;

export function isDegenerate(climb) {
  const taken = takenOf(climb);
  if (taken.length > MANY) return false;
  const x = startOf(climb, taken);
  if (x === null) return false;
  const Q = matrixOf(climb, taken);
  const bits = bitsOf(climb.problem, taken.map((k) => climb.of[k]), Q);
  if (taken.length ** 2 * bits > LONGEST) return false;
  const program = programOf(climb, taken, Q, bits);
  if (!canVanish(program) || !isSemidefinite(climb.problem)) return false;
  return vanishes(program, new ExactActiveSet(held(program, x), x, MUCH).run());
}

// Point 1
function takenOf({ of, beta }) {
  const all = [...of.keys()];
  return all.length > FEW ? all.filter((k) => beta[k] !== 0) : all;
}

function programOf({ group, sums, lower, upper }, taken, Q, bits) {
  const pick = (values) => taken.map((k) => values[k]);
  return { Q, bits, sums, group: pick(group), lower: pick(lower), upper: pick(upper) };
}

// Point 2: beta of those taken with the sums, as S3.3 makes them, but exactly; null if that cannot be
function startOf({ beta, lower, upper, group, sums }, taken) {
  const x = taken.map((k) => Exact.of(beta[k]));
  for (let g = 0; g < sums.length; g++) {
    let surplus = exactSum(taken.filter((k) => group[k] === g).map((k) => beta[k])).minus(sums[g]);
    for (const towards of [() => 0, (k) => (surplus.sign() > 0 ? lower[k] : upper[k])]) {
      taken.forEach((k, a) => {
        if (group[k] !== g || !surplus.n) return;
        const room = x[a].minus(towards(k));
        if (room.sign() !== surplus.sign()) return;
        const part = room.absolute().compare(surplus.absolute()) < 0 ? room : surplus;
        [x[a], surplus] = [x[a].minus(part), surplus.minus(part)];
      });
    }
    if (surplus.n) return null;
  }
  return x;
}

// Of more than 60 the farthest from their bounds may move, of equals the first; the others have no room
function held(program, x) {
  if (x.length <= FEW) return program;
  const { lower, upper } = program;
  const far = x.map((v, a) => {
    const [down, up] = [v.minus(lower[a]), Exact.of(upper[a]).minus(v)];
    return down.compare(up) < 0 ? down : up;
  });
  const order = [...x.keys()].sort((a, b) => far[b].compare(far[a]) || a - b);
  const mayMove = new Set(order.slice(0, FEW));
  const bounds = (values) => values.map((v, a) => (mayMove.has(a) ? v : x[a]));
  return { ...program, lower: bounds(lower), upper: bounds(upper) };
}

function matrixOf(climb, taken) {
  const value = vanishing(climb.problem);
  const Q = taken.map(() => []);
  taken.forEach((k, a) => {
    for (let b = 0; b <= a; b++) Q[a][b] = Q[b][a] = value(climb.of[k], climb.of[taken[b]]);
  });
  return Q;
}

// B of the text, of whole numbers over one denominator: of the problem for polynomials, of a row for others
function bitsOf(problem, taken, Q) {
  const formula = usualCoefficients(problem.kernel);
  if (!formula) return Math.max(...Q.map((row) => longestOver(row, denominatorOf(row))));
  const q = denominatorOf(taken.flatMap((i) => problem.rows[i].map((v) => Exact.of(v))));
  let denominator = denominatorOf(formula);
  for (let power = 2 * (formula.length - 1); power > 0; power--) denominator *= q;
  return Math.max(...Q.map((row) => longestOver(row, denominator)));
}

function denominatorOf(values) {
  let [twos, d] = [0, 1n];
  for (const v of values) {
    const [, q] = v.terms();
    const own = bitLength(q & -q) - 1;
    twos = Math.max(twos, own);
    const odd = q >> BigInt(own);
    if (d % odd) d *= odd;
  }
  return d << BigInt(twos);
}

const longestOver = (row, denominator) =>
  Math.max(bitLength(denominator), ...row.map((v) => v.times(new Exact(denominator)).longest()));

// Whether there is an x at all with these sums and Q x = 0
function canVanish({ Q, group, sums }) {
  const equations = sums.map((_, g) => group.map((own) => Exact.of(own === g ? 1 : 0)));
  return hasSolution([...Q, ...equations], [...Q.map(() => ZERO), ...sums]);
}

// Point 4
function vanishes({ Q }, x) {
  return x !== null && Q.every((row) => !row.reduce((total, v, a) => total.plus(v.times(x[a])), ZERO).n);
}
