// node vectors.js core.json lectures.json bugs.json families.json: proves each optimum anew from
// its multipliers, in whole numbers; a fraction is [p, q], two BigInts with q > 0
const fs = require("fs"), crypto = require("crypto");

const gcd = (a, b) => (b ? gcd(b, a % b) : a < 0n ? -a : a);
const frac = (p, q) => [p / gcd(p, q), q / gcd(p, q)];
const num = (text) => (text === "inf" ? null : frac(...`${text}/1`.split("/", 2).map(BigInt)));
const add = ([a, b], [c, d]) => frac(a * d + c * b, b * d);
const sub = ([a, b], [c, d]) => frac(a * d - c * b, b * d);
const mul = ([a, b], [c, d]) => frac(a * c, b * d);
const cmp = ([a, b], [c, d]) => Number(a * d - c * b);           // its sign is all that matters
const whole = (n) => [BigInt(n), 1n], ZERO = whole(0), HALF = [1n, 2n];
const sum = (list) => list.reduce(add, ZERO), product = (list) => list.reduce(mul, whole(1));
const dot = (x, z) => sum(x.map((v, k) => mul(v, z[k])));
const words = (x, n) => [...x].map((_, i) => x.slice(i, i + n)).filter((w) => w.length === n);

function value(k, x, z) { // of a kernel; a linear one is a polynomial of degree 1
  if (k.name === "sum") return sum(k.terms.map((part) => value(part, x, z)));
  if (k.name === "product") return product(k.factors.map((part) => value(part, x, z)));
  if (k.name === "multiple") return mul(num(k.factor), value(k.kernel, x, z));
  if (k.name === "spectrum") return sum(words(x, k.length).map(
    (word) => whole(words(z, k.length).filter((other) => other === word).length)));
  const s = dot(x.map(num), z.map(num)), power = (b, n) => product(Array(n).fill(b));
  if (k.name === "monomial_sum") return sum([...Array(k.degree + 1)].map((_, n) => power(s, n)));
  return power(add(mul(num(k.gamma ?? "1"), s), num(k.coef0 ?? "0")), k.degree ?? 1);
}
const canonical = (d) => Array.isArray(d) ? `[${d.map(canonical)}]` : typeof d !== "object" ?
  JSON.stringify(d) : `{${Object.keys(d).sort().map((key) => `"${key}":${canonical(d[key])}`)}}`;

function proved({ given: { problem: p }, optimum: o, queries, certificate, problem_sha256 }) {
  const hash = crypto.createHash("sha256").update(canonical(p)).digest("hex");
  const alpha = certificate.alpha.map((a) => num(`${a}/${certificate.denominator}`));
  const C = p.C.map(num), beta = alpha.map((a, i) => mul(a, whole(p.y[i])));
  const given = p.kernel.name === "precomputed", squared = p.slack === "squared";
  const score = (x) => dot(beta, given ? x.map(num) : p.X.map((z) => value(p.kernel, z, x)));
  const s = p.X.map(score), norm = dot(beta, s), some = alpha.map((a) => cmp(a, ZERO) > 0);
  const room = alpha.map((a, i) => squared || !C[i] || cmp(a, C[i]) < 0);
  const inside = alpha.every((a, i) => cmp(a, ZERO) >= 0 && (room[i] || !cmp(a, C[i])));
  if (hash !== problem_sha256 || !inside || (p.bias && cmp(sum(beta), ZERO))) return false;
  if (o.status === "infeasible")
    return !cmp(norm, ZERO) && some.includes(true) && some.every((here, i) => !here || !C[i]);
  const ridge = beta.map((b, i) => squared && C[i] ? mul(b, [C[i][1], C[i][0]]) : ZERO);
  const r = s.map((v, i) => sub(whole(p.y[i]), add(v, ridge[i]))), none = p.bias ? [] : [ZERO];
  const lo = [...none, ...r.filter((_, i) => p.y[i] > 0 ? room[i] : some[i])].sort(cmp).pop();
  const hi = [...none, ...r.filter((_, i) => p.y[i] < 0 ? room[i] : some[i])].sort(cmp)[0];
  const total = sum(alpha), best = sub(total, mul(HALF, add(norm, dot(beta, ridge))));
  const found = [best, norm, total, sub(best, mul(HALF, norm)), lo, hi, ...s];
  const told = [o.value, o.w_norm2, o.sum_alpha, o.sum_C_xi, o.b.lo, o.b.hi, ...o.s_train];
  return cmp(lo, hi) <= 0 && found.every((number, k) => !cmp(number, num(told[k])))
    && queries.every((q) => {
      const low = add(score(q.x), lo), high = add(score(q.x), hi);
      return !cmp(score(q.x), num(q.s)) && !cmp(low, num(q.f_lo)) && !cmp(high, num(q.f_hi))
        && q.label === (cmp(low, ZERO) > 0 ? 1 : cmp(high, ZERO) < 0 ? -1 : "undetermined");
    });
}
const tests = process.argv.slice(2).flatMap((file) =>
  JSON.parse(fs.readFileSync(file)).testGroups.flatMap((group) => group.tests));
const wrong = tests.filter((test) => !proved(test)).map((test) => test.name);
console.log(`${tests.length - wrong.length} right, ${wrong.length} wrong`, ...wrong);
process.exit(wrong.length ? 1 : 0);
