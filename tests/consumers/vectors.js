// node vectors.js FILE...: every optimum of core.json, lectures.json, bugs.json, families.json is
// proved anew in whole numbers, from its certificate alone; a fraction is [p, q], two BigInts.
const fs = require("fs"), crypto = require("crypto");

const gcd = (a, b) => (b ? gcd(b, a % b) : a < 0n ? -a : a);
const frac = (p, q) => { const g = gcd(p, q); return q < 0n ? [-p / g, -q / g] : [p / g, q / g]; };
const num = (text) => text === "inf" ? null : frac(...`${text}/1`.split("/").slice(0, 2).map(BigInt));
const add = ([a, b], [c, d]) => frac(a * d + c * b, b * d);
const mul = ([a, b], [c, d]) => frac(a * c, b * d);
const neg = ([a, b]) => [-a, b];
const below = ([a, b], [c, d]) => a * d < c * b;
const same = (x, y) => x[0] === y[0] && x[1] === y[1];
const ZERO = [0n, 1n], ONE = [1n, 1n], HALF = [1n, 2n];
const sum = (list) => list.reduce(add, ZERO);
const dot = (x, z) => sum(x.map((v, k) => mul(v, z[k])));
const power = (x, n) => Array(n).fill(x).reduce(mul, ONE);
const words = (x, n) => [...Array(Math.max(0, x.length - n + 1)).keys()].map((i) => x.substr(i, n));

function value(k, x, z) {
  const of = (part) => value(part, x, z);
  if (k.name === "sum") return sum(k.terms.map(of));
  if (k.name === "product") return k.factors.map(of).reduce(mul);
  if (k.name === "multiple") return mul(num(k.factor), of(k.kernel));
  if (k.name === "spectrum") return [BigInt(words(x, k.length).reduce(
    (n, word) => n + words(z, k.length).filter((other) => other === word).length, 0)), 1n];
  const s = dot(x.map(num), z.map(num));
  if (k.name === "linear") return s;
  if (k.name === "polynomial") return power(add(mul(num(k.gamma), s), num(k.coef0)), k.degree);
  return sum([...Array(k.degree + 1).keys()].map((n) => power(s, n)));     // monomial_sum
}
const column = (p, x) => p.kernel.name === "precomputed" ? x.map(num) : p.X.map((z) => value(p.kernel, z, x));
const text = (d) => Array.isArray(d) ? `[${d.map(text)}]` : typeof d !== "object" ? JSON.stringify(d)
  : `{${Object.keys(d).sort().map((key) => `"${key}":${text(d[key])}`)}}`;

function faults({ problem: p, optimum, queries, certificate, problem_sha256 }) {
  const found = [], must = (holds, what) => holds || found.push(what);
  must(crypto.createHash("sha256").update(text(p)).digest("hex") === problem_sha256, "sha256");
  const alpha = certificate.alpha.map((a) => num(`${a}/${certificate.denominator}`)), C = p.C.map(num);
  const beta = alpha.map((a, i) => mul(a, [BigInt(p.y[i]), 1n]));
  const s = p.X.map((x) => dot(beta, column(p, x))), squared = p.slack === "squared";
  must(!p.bias || same(sum(beta), ZERO), "balance");
  must(alpha.every((a, i) => !below(a, ZERO) && (squared || !C[i] || !below(C[i], a))), "bounds");
  if (optimum.status === "infeasible") {
    must(alpha.every((a, i) => !C[i] || same(a, ZERO)) && !alpha.every((a) => same(a, ZERO)), "ray");
    return must(same(dot(beta, s), ZERO), "touch"), found;
  }
  const ridge = beta.map((b, i) => squared && C[i] ? mul(b, [C[i][1], C[i][0]]) : ZERO);
  const r = s.map((v, i) => add([BigInt(p.y[i]), 1n], neg(add(v, ridge[i])))), more = [], less = [];
  alpha.forEach((a, i) => {
    if (squared || !C[i] || below(a, C[i])) (p.y[i] > 0 ? more : less).push(r[i]);
    if (below(ZERO, a)) (p.y[i] > 0 ? less : more).push(r[i]);
  });
  const [lo, hi] = [optimum.b.lo, optimum.b.hi].map(num), norm = dot(beta, s);
  must(p.bias ? more.some((v) => same(v, lo)) && less.some((v) => same(v, hi)) : same(lo, hi), "b");
  must(more.every((v) => !below(lo, v)) && less.every((v) => !below(v, hi)) && !below(hi, lo), "KKT");
  const total = sum(alpha), value = add(total, neg(mul(HALF, add(norm, dot(beta, ridge)))));
  const told = [optimum.value, optimum.w_norm2, optimum.sum_alpha, optimum.sum_C_xi, ...optimum.s_train];
  [value, norm, total, add(value, neg(mul(HALF, norm))), ...s].forEach(
    (v, k) => must(same(v, num(told[k])), `number ${k}`));
  for (const { x, s: score, f_lo, f_hi, label } of queries) {
    const t = dot(beta, column(p, x)), [low, high] = [add(t, lo), add(t, hi)];
    must(same(t, num(score)) && same(low, num(f_lo)) && same(high, num(f_hi)), "query");
    must(label === (below(ZERO, low) ? 1 : below(high, ZERO) ? -1 : "undetermined"), "label");
  }
  return found;
}

let right = 0, wrong = 0;
for (const file of process.argv.slice(2))
  for (const group of JSON.parse(fs.readFileSync(file)).testGroups)
    for (const test of group.tests) {
      const found = faults(test);
      if (found.length) console.log(test.name, ...found);
      found.length ? wrong++ : right++;
    }
console.log(`${right} right, ${wrong} wrong`);
process.exit(wrong > 0 ? 1 : 0);
