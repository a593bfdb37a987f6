// Reads sizes.json of spec/vectors, checks in doubles that the numbers of each test belong together.
const fs = require("fs");

const double = (text) => {
  const [, sign, digits, exponent] = /^(-?)0x([01]\.[0-9a-f]+)p([+-]\d+)$/.exec(text) || [];
  if (!digits) return { inf: Infinity, "-inf": -Infinity, nan: NaN }[text];
  const whole = parseInt(digits.replace(".", ""), 16) * (sign ? -1 : 1);
  const shift = Number(exponent) - 4 * (digits.length - 2);
  return shift < -1000 ? whole * 2 ** (shift + 100) * 2 ** -100 : whole * 2 ** shift;
};
const fraction = (text) => {
  if (text === "inf") return Infinity;
  const [p, q] = text.split("/");
  return Number(p) / Number(q || 1);
};
const sum = (values) => values.reduce((a, b) => a + b, 0);
const near = (p, q, scale = 1) => Math.abs(p - q) <= 1e-9 * Math.max(1, scale, Math.abs(q));

function penalty({ y, C, slack }, s, b) {
  return sum(y.map((label, i) => {
    const xi = Math.max(0, 1 - label * (s[i] + b)), c = fraction(C[i]);
    return xi < 1e-9 ? 0 : slack === "hinge" ? c * xi : (c / 2) * xi * xi;
  }));
}

function isRight({ given: { problem }, optimum, queries }) {
  const [value, norm2, alpha, xi] =
    [optimum.value, optimum.w_norm2, optimum.sum_alpha, optimum.sum_C_xi].map(double);
  const s = optimum.s_train.map(double), ends = [optimum.b.lo, optimum.b.hi].map(double);
  const dual = alpha - norm2 / 2 - (problem.slack === "squared" ? xi : 0);
  const w = optimum.w && optimum.w.map(double), within = double(optimum.within);
  const byWeights = (x) => sum(x.map((v, j) => fraction(v) * w[j]));
  return within < 1e-12 && near(dual, value)
    && ends.every((b) => near(norm2 / 2 + penalty(problem, s, b), value, value))
    && (!w || problem.X.every((x, i) => near(byWeights(x), s[i])))
    && queries.every((q) => {
      const [score, low, high] = [q.s, q.f_lo, q.f_hi].map(double);
      return near(score + ends[0], low) && near(score + ends[1], high)
        && (!w || near(byWeights(q.x), score))
        && q.label === (low > within ? 1 : high < -within ? -1 : "undetermined");
    });
}

let right = 0, wrong = 0;
for (const path of process.argv.slice(2)) {
  for (const group of JSON.parse(fs.readFileSync(path)).testGroups) {
    for (const test of group.tests) isRight(test) ? right++ : wrong++;
  }
}
console.log(`${right} right, ${wrong} wrong`);
process.exit(wrong ? 1 : 0);
