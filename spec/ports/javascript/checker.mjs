// Does a certificate prove what it states (S16.8, S16.9)?   node checker.mjs PROBLEM CERTIFICATE
//
// Fractions are pairs of BigInt. Whatever is not proved is refused with an Error that says why.
//
//     p      the problem, c the certificate, as documents
//     alpha  the multipliers            beta   alpha_i y_i where y are labels, else alpha
//     s      the scores K beta          w2     |w|^2          k      the diagonal of the matrix K
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// ---- fractions

const size = (n) => (n < 0n ? -n : n);
const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return size(a); };
const fraction = (p, q = 1n) => { const g = q < 0n ? -gcd(p, q) : gcd(p, q); return { p: p / g, q: q / g }; };
const ZERO = fraction(0n), ONE = fraction(1n), TWO = fraction(2n), INF = Symbol("inf");
const add = (a, b) => fraction(a.p * b.q + b.p * a.q, a.q * b.q);
const neg = (a) => ({ p: -a.p, q: a.q });
const sub = (a, b) => add(a, neg(b));
const mul = (a, b) => fraction(a.p * b.p, a.q * b.q);
const div = (a, b) => fraction(a.p * b.q, a.q * b.p);
const below = (a, b) => b === INF ? a !== INF : a !== INF && a.p * b.q < b.p * a.q;
const same = (a, b) => a === b || (a !== INF && b !== INF && a.p === b.p && a.q === b.q);
const abs = (a) => ({ p: size(a.p), q: a.q });
const text = (a) => (a === INF ? "inf" : a.q === 1n ? `${a.p}` : `${a.p}/${a.q}`);
const lcm = (values) => values.reduce((m, v) => (m / gcd(m, v.q)) * v.q, 1n);
// fractions of many denominators are added over their common one
function sum(values) {
  const q = lcm(values);
  return fraction(values.reduce((t, v) => t + v.p * (q / v.q), 0n), q);
}
const dot = (x, z) => x.reduce((t, v, i) => t + v * z[i], 0n);

// ---- the texts

function require_(truth, sentence) {
  if (!truth) throw new Error(sentence);
}
function canonical(part) {
  if (Array.isArray(part)) return `[${part.map(canonical).join(",")}]`;
  if (part === null || typeof part !== "object") return JSON.stringify(part);
  return `{${Object.keys(part).sort().map((k) => `${JSON.stringify(k)}:${canonical(part[k])}`).join(",")}}`;
}
function number(word) {
  require_(typeof word === "string" && /^-?\d+(\/\d+)?$/.test(word), "a number is not written as one");
  const [p, q = "1"] = word.split("/");
  const value = q === "0" ? null : fraction(BigInt(p), BigInt(q));
  require_(value && text(value) === word, "a number has another spelling");
  return value;
}
const string = (word) => { require_(typeof word === "string", "a string is needed"); return word; };
const whole = (word) => { const v = number(word); require_(v.q === 1n, "a multiplier is no whole number"); return v.p; };
const limit = (word) => (word === "inf" ? INF : number(word));
const list = (item) => (part) => { require_(Array.isArray(part), "a list is needed"); return part.map(item); };
const oneOf = (...values) => (part) => { require_(values.includes(part), "a part has no known value"); return part; };
const label = (v) => { oneOf(1, -1)(v); return fraction(BigInt(v)); };
function kernel(part) {
  require_(part !== null && typeof part === "object", "the kernel is no object");
  if (part.name === "polynomial") {
    const { degree, gamma, coef0 } = read(part, { name: string, degree: Number, gamma: number, coef0: number });
    require_(Number.isInteger(part.degree) && degree >= 0 && degree < 1000, "the degree is no whole number from 0 to 999");
    require_(gamma.p >= 0n && coef0.p >= 0n, "gamma or coef0 is negative");
    return { name: part.name, degree, gamma, coef0 };
  }
  return read(part, { name: oneOf("linear", "precomputed") });
}
function read(document, fields) {
  require_(document !== null && typeof document === "object" && !Array.isArray(document), "an object is needed");
  require_(canonical(Object.keys(document).sort()) === canonical(Object.keys(fields).sort()), "keys are missing or unknown");
  return Object.fromEntries(Object.entries(fields).map(([key, item]) => [key, item(document[key])]));
}
const ANY = { X: list(list(number)), kernel };
const OTHER = { ...ANY, form: string, weights: list(number) };
const FORMS = {
  classification: [{ ...ANY, y: list(label), C: list(limit), bias: oneOf(true, false), slack: oneOf("hinge", "squared") }, ["b"]],
  nu: [{ ...OTHER, y: list(label), nu: number }, ["b", "rho"]],
  regression: [{ ...OTHER, y: list(number), C: number, epsilon: number }, ["b"]],
  regression_without_offset: [
    { ...ANY, form: string, y: list(number), C: list(number), epsilon: number, slack: oneOf("linear", "squared") }, ["b"]],
  nu_regression: [{ ...OTHER, y: list(number), C: number, nu: number }, ["b", "epsilon"]],
  one_class: [{ ...OTHER, nu: number }, ["rho"]],
  ball: [{ ...OTHER, C: limit }, ["radius2"]],
};

// ---- the checks

export function check(problem, certificate) {
  const [document, stated] = [problem, certificate].map((word) => {
    const part = JSON.parse(word);
    require_(canonical(part) === word, "a text is not the canonical one");
    return part;
  });
  require_(document !== null && typeof document === "object", "the problem is no object");
  const form = "form" in document ? string(document.form) : "classification";
  require_(Object.hasOwn(FORMS, form), "the form is not known");
  const [fields, names] = FORMS[form];
  const p = { ...read(document, fields), form };
  const offsets = Object.fromEntries(names.map((name) => [name, number]));
  const c = read(stated, { alpha: list(whole), denominator: whole, dual: string, primal: string, problem_sha256: string, ...offsets });
  require_(c.problem_sha256 === createHash("sha256").update(problem).digest("hex"), "the certificate is of another problem");
  checkShape(p, c);
  if (p.kernel.name === "precomputed") checkDefinite(wholeRows(p.X).rows);
  p.C_i = p.slack ? p.C : p.weights.map((w) => (p.C === INF ? INF : mul(p.C || ONE, w)));
  p.sum = p.C_i.includes(INF) ? INF : sum(p.C_i);
  const y = p.form === "classification" || p.form === "nu" ? p.y : p.X.map(() => ONE);
  if (c.primal === "-inf") return checkNoMultipliers(p, c, names, y);
  const alpha = c.alpha.map((a) => fraction(a, c.denominator));
  checkMultipliers(p, c, alpha, y);
  const beta = c.alpha.map((a, i) => a * y[i].p);
  const { sums, norms, q } = scores(p, beta);
  const s = sums.map((v) => fraction(v, q * c.denominator));
  const w2 = fraction(dot(beta, sums), q * c.denominator * c.denominator);
  const k = norms.map((v) => fraction(v, q));
  const dual = dualOf(p, alpha, w2, k);
  require_(c.dual === text(dual), "dual is not the value of alpha");
  require_(dual !== INF || c.b.p === 0n, "b is not 0, and dual is inf");
  require_(c.primal === text(primalOf(p, c, s, w2, k)), "primal is not the value of w and the offsets");
}

function checkShape(p, c) {
  const n = p.X.length;
  for (const part of [p.y, p.weights, p.slack ? p.C : undefined, c.alpha]) {
    require_(part === undefined || part.length === n, "X, y, C, weights and alpha differ in length");
  }
  require_(n > 0 && p.X[0].length > 0 && p.X.every((x) => x.length === p.X[0].length), "rows differ in length, or are empty");
  if (p.form === "classification" || p.form === "nu") {
    require_([ONE, neg(ONE)].every((v) => p.y.some((t) => same(t, v))), "both labels are needed");
  }
  const positive = [...(p.weights || []), ...(p.C === undefined ? [] : [p.C].flat()), p.nu || ONE];
  require_(positive.every((v) => below(ZERO, v)), "a penalty, a weight or nu is not above 0");
  require_(!p.nu || !below(ONE, p.nu), "nu is above 1");
  require_(!p.epsilon || !below(p.epsilon, ZERO), "epsilon is negative");
}

// rows as whole numbers over one denominator
function wholeRows(X) {
  const q = lcm(X.flat());
  return { rows: X.map((x) => x.map((v) => v.p * (q / v.q))), q };
}

// K beta and the diagonal of K, both times q; a linear kernel needs w alone
function scores({ X, kernel: { name, degree, gamma, coef0 } }, beta) {
  const { rows, q } = wholeRows(X);
  if (name === "linear") {
    const w = rows[0].map((_, j) => rows.reduce((t, x, i) => t + beta[i] * x[j], 0n));
    return { sums: rows.map((x) => dot(x, w)), norms: rows.map((x) => dot(x, x)), q: q * q };
  }
  const of = (K, common) => ({ sums: K.map((row) => dot(row, beta)), norms: K.map((row, i) => row[i]), q: common });
  if (name === "precomputed") return of(rows, q);
  const d = gamma.q * coef0.q, g = gamma.p * coef0.q, r = coef0.p * gamma.q * q * q, n = BigInt(degree);
  return of(rows.map((x) => rows.map((z) => (g * dot(x, z) + r) ** n)), (d * q * q) ** n);
}

// Elimination without fractions: each row is divided by the pivot before
function checkDefinite(K) {
  require_(K.every((row, i) => row.length === K.length && row.every((v, j) => v === K[j][i])), "the kernel matrix is not symmetric");
  for (let before = 1n; K.length > 0;) {
    const [[pivot, ...row], ...rest] = K;
    require_(pivot > 0n || (pivot === 0n && row.every((v) => v === 0n)), "the kernel matrix is indefinite");
    K = rest.map(([u, ...x]) => (pivot === 0n ? x : x.map((v, j) => (pivot * v - u * row[j]) / before)));
    before = pivot || before;
  }
}

function checkMultipliers(p, c, alpha, y) {
  require_(c.denominator > 0n, "the denominator is no whole number above 0");
  const free = p.form === "regression_without_offset", signed = free || p.form === "regression" || p.form === "nu_regression";
  require_(signed || alpha.every((a) => a.p >= 0n), "a multiplier is negative");
  require_(p.slack === "squared" || alpha.every((a, i) => !below(p.C_i[i], abs(a))), "a multiplier is above its C");
  const balance = sum(alpha.map((a, i) => mul(a, y[i]))), sizes = sum(alpha.map(abs));
  if (p.form === "classification") {
    require_(!p.bias || balance.p === 0n, "sum alpha_i y_i is not 0");
    require_(p.bias || c.b.p === 0n, "b is not 0, and there is no offset");
  }
  if (free) require_(c.b.p === 0n, "b is not 0, and there is no offset");
  if ((signed && !free) || p.form === "nu") require_(balance.p === 0n, "the multipliers are not balanced");
  if (p.form === "nu" || p.form === "one_class") require_(same(sizes, mul(p.nu, p.sum)), "the sum is not nu W");
  if (p.form === "nu_regression") require_(!below(mul(p.nu, p.sum), sizes), "sum |alpha_i| is above C nu W");
  if (p.form === "ball") require_(same(sizes, ONE), "sum alpha_i is not 1");
}

function checkNoMultipliers(p, c, names, y) {
  require_(p.form === "nu" || p.form === "ball", "a machine of this form always has multipliers");
  require_(c.dual === "-inf" && c.denominator === 1n && names.every((name) => c[name].p === 0n), "offsets are not 0");
  const classes = [ONE, neg(ONE)].map((v) => y.map((t) => (same(t, v) ? 1n : 0n)));
  const marked = classes.some((part) => part.every((v, i) => v === c.alpha[i]) && part.includes(1n));
  require_(marked, "a sum has others");
  const wanted = p.form === "nu" ? div(mul(p.nu, p.sum), TWO) : ONE;
  const boxes = p.C_i.filter((v, i) => c.alpha[i] === 1n);
  require_(!boxes.includes(INF) && below(sum(boxes), wanted), "the boxes allow the sum");
}

function dualOf(p, alpha, w2, k) {
  const half = div(w2, TWO);
  if (p.form === "ball") return sub(sum(alpha.map((a, i) => mul(a, k[i]))), w2);
  if (p.form === "nu" || p.form === "one_class") return neg(half);
  const ridge = p.slack ? sum(alpha.map((a, i) => (p.C[i] === INF ? ZERO : div(mul(a, a), p.C[i])))) : ZERO;
  if (p.form !== "classification") {
    const tube = sum(alpha.map((a, i) => sub(mul(p.y[i], a), mul(p.epsilon || ZERO, abs(a)))));
    return sub(sub(tube, p.slack === "squared" ? div(ridge, TWO) : ZERO), half);
  }
  if (w2.p === 0n && ridge.p === 0n && alpha.some((a) => a.p > 0n)) return INF;
  return sub(sub(sum(alpha), p.slack === "squared" ? div(ridge, TWO) : ZERO), half);
}

// the sum of C_i xi_i; it is infinite if there is slack where C_i is
function penalty(p, slack, squared = false) {
  const costs = slack.map((v, i) => {
    if (v.p <= 0n) return ZERO;
    return p.C_i[i] === INF ? INF : mul(p.C_i[i], squared ? div(mul(v, v), TWO) : v);
  });
  return costs.includes(INF) ? INF : sum(costs);
}
const plus = (a, b) => (a === INF || b === INF ? INF : add(a, b));

function primalOf(p, c, s, w2, k) {
  const half = div(w2, TWO);
  if (p.form === "ball") {
    const far = s.map((v, i) => sub(add(sub(k[i], mul(TWO, v)), w2), c.radius2));
    return plus(c.radius2, penalty(p, far));
  }
  if (p.form === "nu" || p.form === "one_class") {
    const f = p.form === "nu" ? s.map((v, i) => mul(p.y[i], add(v, c.b))) : s;
    return plus(sub(half, mul(mul(p.nu, p.sum), c.rho)), penalty(p, f.map((v) => sub(c.rho, v))));
  }
  if (p.form !== "classification") {
    const width = p.epsilon || c.epsilon, error = s.map((v, i) => sub(sub(p.y[i], v), c.b));
    const charge = p.nu ? add(half, mul(mul(p.nu, p.sum), width)) : half;
    const outside = [error, error.map(neg)].map((side) => penalty(p, side.map((v) => sub(v, width)), p.slack === "squared"));
    return plus(charge, plus(...outside));
  }
  const margins = s.map((v, i) => mul(p.y[i], add(v, c.b)));
  const least = margins.reduce((m, v, i) => (p.C[i] === INF && below(v, m) ? v : m), ONE);
  if (least.p <= 0n) return INF;
  const slack = margins.map((v) => sub(ONE, div(v, least)));
  return plus(div(half, mul(least, least)), penalty(p, slack, p.slack === "squared"));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    check(...process.argv.slice(2).map((name) => readFileSync(name, "latin1").replace(/\n+$/, "")));
    console.log("proved");
  } catch (error) {
    console.log(`refused: ${error.message}`);
    process.exitCode = 1;
  }
}
