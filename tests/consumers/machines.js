// node machines.js machines.json: proves each optimum of nu, regression, one class and the ball anew
// from its multipliers, in whole numbers; a fraction is [p, q], infinity [1n, 0n]
const fs = require("fs"), crypto = require("crypto");

const gcd = (a, b) => (b ? gcd(b, a % b) : a < 0n ? -a : a);
const frac = (p, q) => [p / gcd(p, q), q / gcd(p, q)];
const num = (text) => (text.endsWith("inf") ? [text[0] === "-" ? -1n : 1n, 0n] :
  frac(...`${text}/1`.split("/", 2).map(BigInt)));
const add = ([a, b], [c, d]) => (b ? frac(a * d + c * b, b * d) : [a, b]);
const mul = ([a, b], [c, d]) => frac(a * c, b * d);
const cmp = ([a, b], [c, d]) => Number(b || d ? a * d - c * b : a - c);  // its sign matters
const whole = (n) => [BigInt(n), 1n], ZERO = whole(0), HALF = [1n, 2n], minus = (a) => [-a[0], a[1]];
const sub = (a, b) => add(a, minus(b)), sum = (list) => list.reduce(add, ZERO);
const dot = (x, z) => sum(x.map((v, k) => mul(v, z[k])));
const largest = (list) => list.sort(cmp).pop() || [-1n, 0n], above = (a) => largest([a, ZERO]);
const smallest = (list) => minus(largest(list.map(minus)));
const words = (x, n) => [...x].map((_, i) => x.slice(i, i + n)).filter((w) => w.length === n);

function value(k, x, z) {
  if (k.name === "spectrum") return sum(words(x, k.length).map(
    (word) => whole(words(z, k.length).filter((other) => other === word).length)));
  const s = dot(x.map(num), z.map(num)), power = (n) => Array(n).fill(s).reduce(mul, whole(1));
  if (k.name === "monomial_sum") return sum([...Array(k.degree + 1)].map((_, n) => power(n)));
  const base = add(mul(num(k.gamma ?? "1"), s), num(k.coef0 ?? "0"));
  return Array(k.degree ?? 1).fill(base).reduce(mul, whole(1));
}
const canonical = (d) => Array.isArray(d) ? `[${d.map(canonical)}]` : typeof d !== "object" ?
  JSON.stringify(d) : `{${Object.keys(d).sort().map((key) => `"${key}":${canonical(d[key])}`)}}`;

function proved({ given: { problem: p }, optimum: o, queries, certificate: c, problem_sha256 }) {
  const hash = crypto.createHash("sha256").update(canonical(p)).digest("hex"), form = p.form;
  const w = p.weights.map(num), W = sum(w), C = num(p.C ?? "1"), nu = num(p.nu ?? "0");
  const y = form === "nu" ? p.y.map(whole) : (p.y ?? w.map(() => "0")).map(num);
  const top = w.map((v) => (C[1] ? mul(C, v) : C)), width = num(p.epsilon ?? "0");
  if (hash !== problem_sha256) return false;
  if (o.status === "infeasible") { // the bounds of these examples are less than their sum
    const q = o.farkas.map(num), wanted = form === "ball" ? whole(1) : mul(HALF, mul(nu, W));
    return cmp(dot(q, top), wanted) < 0;
  }
  const alpha = c.alpha.map((a) => num(`${a}/${c.denominator}`)), one = form === "nu" ? y : w.map(() => whole(1));
  const beta = alpha.map((a, i) => mul(a, one[i])), size = alpha.map((a) => largest([a, minus(a)]));
  const K = (x) => p.X.map((z, i) => (p.kernel.name === "precomputed" ? num(x[i]) : value(p.kernel, z, x)));
  const s = p.X.map((x) => dot(beta, K(x))), norm = dot(beta, s), k = p.X.map((x, i) => K(x)[i]);
  const signed = form.endsWith("regression"), total = sum(size), balance = sum(beta);
  const inside = alpha.every((a, i) => cmp(size[i], top[i]) <= 0 && (signed || cmp(a, ZERO) >= 0));
  const sums = { nu: [total, mul(nu, W)], one_class: [total, mul(nu, W)], ball: [total, whole(1)] }[form] ?? [ZERO, ZERO];
  const most = form !== "nu_regression" || cmp(total, mul(mul(C, nu), W)) <= 0;
  const level = form === "nu" || signed ? !cmp(balance, ZERO) : true;
  const linear = signed ? sub(dot(y, alpha), mul(width, total)) : form === "ball" ? dot(alpha, k) : ZERO;
  const dual = sub(linear, form === "ball" ? norm : mul(HALF, norm));
  const b = num(c.b ?? "0"), rho = num(c.rho ?? "0"), radius2 = num(c.radius2 ?? "0"), tube = num(c.epsilon ?? p.epsilon ?? "0");
  const r = s.map((v, i) => sub(signed ? y[i] : ZERO, add(v, b))), slack = s.map((v, i) =>
    signed ? add(above(sub(r[i], tube)), above(sub(minus(r[i]), tube))) : above(form === "ball"
      ? sub(add(sub(k[i], add(v, v)), norm), radius2) : sub(rho, mul(one[i], add(v, b)))));
  const cost = sum(slack.map((v, i) => (v[0] ? mul(top[i], v) : ZERO)));
  const fixed = form === "ball" ? radius2 : sub(mul(HALF, norm), mul(mul(nu, W), signed ? minus(mul(C, tube)) : rho));
  const ends = (up, low) => [largest(up), smallest(low)], some = (f) => s.map(f).flat();
  const t = (i, side) => (signed ? sub(y[i], mul(whole(side), width)) : form === "ball" ? mul(HALF, k[i]) : ZERO);
  const group = (sign) => ends(...[1, -1].map((way) => some((v, i) => (signed ? [1, -1] : [0]).map((side) => {
    const own = side ? above(mul(whole(side), alpha[i])) : alpha[i], rises = way * (side || Number(one[i][0])) > 0;
    return (!sign || !cmp(one[i], whole(sign))) && (rises ? cmp(own, top[i]) < 0 : cmp(own, ZERO) > 0) ? [sub(t(i, side), v)] : [];
  }).flat())));
  const half = (u, v) => mul(HALF, add(u[1] ? v : u, u[1] ? u : v)), double = (v) => add(add(v, v), norm);
  const found = form === "nu" ? (([m, M], [n, N]) => ({ b: [half(m, n), half(M, N)],
    rho: [half(n, minus(M)), half(N, minus(m))] }))(group(1), group(-1)) : (([m, M]) => ({
    regression: { b: [m, M] }, one_class: { rho: [above(minus(M)), minus(m)] },
    ball: { radius2: [above(double(m)), above(double(M))] } }[form] ?? {}))(group(0));
  const away = (q) => (form === "ball" ? sub(sub(add(num(q.s), num(q.s)), value(p.kernel, q.x, q.x)), norm) : num(q.s));
  const [low, high] = { one_class: ["rho", -1], ball: ["radius2", 1] }[form] ?? ["b", 1];
  const end = (key) => (high < 0 ? minus(num(o.offsets[low][key === "lo" ? "hi" : "lo"])) : num(o.offsets[low][key]));
  const shift = (v, e) => (e[1] ? add(v, e) : e), same = (v, text) => !cmp(v, num(text));
  return inside && !cmp(...sums) && most && level && same(dual, o.value) && !cmp(add(fixed, cost), dual)
    && same(norm, o.w_norm2) && s.every((v, i) => same(v, o.s_train[i]))
    && Object.entries(found).every(([name, [lo, hi]]) => same(lo, o.offsets[name].lo) && same(hi, o.offsets[name].hi))
    && queries.every((q) => same(dot(beta, K(q.x)), q.s)
      && same(shift(away(q), end("lo")), q.f_lo) && same(shift(away(q), end("hi")), q.f_hi));
}
const tests = process.argv.slice(2).flatMap((file) =>
  JSON.parse(fs.readFileSync(file)).testGroups.flatMap((group) => group.tests));
const wrong = tests.filter((test) => !proved(test)).map((test) => test.name);
console.log(`${tests.length - wrong.length} right, ${wrong.length} wrong`, ...wrong);
process.exit(wrong.length ? 1 : 0);
