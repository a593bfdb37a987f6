// S3.1 and S34.1, the dual that a solver sees: variables in an order, with targets, bounds and groups.

import { Exact, exactSum } from "./numbers.mjs";
import { max, min } from "./problem.mjs";

// { size, of, target, lower, upper, group, groups, sums, sign, isPaired, ridge, diag, row }: of[k] is the example of
// variable k, group[k] its group, or null where nothing is tied; sums are fractions. members: the variables of each group;
// soft: C_k of squared slack, infinite without; scale: of the primal.
export function programOf(problem) {
  const form = forms[problem.form](problem);
  const { of } = form;
  const size = of.length;
  const ridge = Array.from({ length: problem.n }, (_, i) => problem.ridge(i));
  const isPlain = of.every((i, k) => i === k);
  const rows = new Array(problem.n);
  const row = (k) => {
    const i = of[k];
    if (!rows[i]) {
      const own = Float64Array.from(problem.K[i]);
      own[i] += ridge[i];
      rows[i] = isPlain ? own : Float64Array.from(of, (j) => own[j]);
    }
    return rows[i];
  };
  const diag = Float64Array.from(of, (i) => problem.K[i][i] + ridge[i]);
  const groups = form.sums.length;
  const members = form.sums.map((_, g) => [...of.keys()].filter((k) => form.group[k] === g));
  const soft = of.map((i) => (problem.isSquared ? problem.C[i] : Infinity));
  const scale = problem.form === "ball" ? 2 : 1;
  const sign = new Array(size).fill(1);
  return { size, ridge, row, diag, groups, members, soft, scale, isPaired: false, sign, ...form };
}

const half = (v) => v.over(2);

function lines(problem, parts) {
  const form = { of: [], target: [], lower: [], upper: [], group: [] };
  parts.forEach(({ who, target, lower, upper, group }) => {
    for (const i of who) {
      form.of.push(i);
      form.target.push(target(i));
      form.lower.push(lower(i));
      form.upper.push(upper(i));
      form.group.push(group);
    }
  });
  for (const name of ["target", "lower", "upper"]) form[name] = Float64Array.from(form[name]);
  return form;
}

const zero = () => 0;

const forms = {
  classification(problem) {
    const { y, n, bias } = problem;
    return {
      of: [...y.keys()],
      target: Float64Array.from(y),
      lower: Float64Array.from(y, (label, i) => (label > 0 ? 0 : -problem.upperBound(i))),
      upper: Float64Array.from(y, (label, i) => (label > 0 ? problem.upperBound(i) : 0)),
      group: bias ? new Array(n).fill(0) : null,
      sums: bias ? [Exact.of(0)] : [],
      sign: y,
    };
  },

  nu(problem) {
    const { y, weights, nu, all } = problem;
    const share = half(exactSum(weights).times(nu));
    const form = lines(problem, [
      { who: all.filter((i) => y[i] > 0), target: zero, lower: zero, upper: (i) => weights[i], group: 0 },
      { who: all.filter((i) => y[i] < 0), target: zero, lower: (i) => -weights[i], upper: zero, group: 1 },
    ]);
    return { ...form, sums: [share, share.negated()], sign: form.of.map((i) => y[i]) };
  },

  regression(problem) {
    const { y, epsilon, all, C } = problem;
    const form = lines(problem, [
      { who: all, target: (i) => y[i] - epsilon, lower: zero, upper: (i) => C[i], group: 0 },
      { who: all, target: (i) => y[i] + epsilon, lower: (i) => -C[i], upper: zero, group: 0 },
    ]);
    return { ...form, sums: [Exact.of(0)], isPaired: true };
  },

  regression_without_offset(problem) {
    const { y, epsilon, all } = problem;
    const form = lines(problem, [
      { who: all, target: (i) => y[i] - epsilon, lower: zero, upper: (i) => problem.upperBound(i) },
      { who: all, target: (i) => y[i] + epsilon, lower: (i) => -problem.upperBound(i), upper: zero },
    ]);
    return { ...form, group: null, sums: [], isPaired: true };
  },

  nu_regression(problem) {
    const { y, nu, all, C } = problem;
    const share = half(exactSum(C).times(nu));
    const form = lines(problem, [
      { who: all, target: (i) => y[i], lower: zero, upper: (i) => C[i], group: 0 },
      { who: all, target: (i) => y[i], lower: (i) => -C[i], upper: zero, group: 1 },
    ]);
    return { ...form, sums: [share, share.negated()], isPaired: true };
  },

  one_class(problem) {
    const { weights, nu, all } = problem;
    const form = lines(problem, [{ who: all, target: zero, lower: zero, upper: (i) => weights[i], group: 0 }]);
    return { ...form, sums: [exactSum(weights).times(nu)] };
  },

  ball(problem) {
    const { all, C, K } = problem;
    const form = lines(problem, [{ who: all, target: (i) => K[i][i] / 2, lower: zero, upper: (i) => C[i], group: 0 }]);
    return { ...form, sums: [Exact.of(1)] };
  },
};

// The variables of multipliers: two for an example of a tube
export function variablesOf({ isTube, y }, alpha) {
  if (!isTube) return alpha.map((a, i) => a * y[i]);
  return [...alpha.map((a) => max(a, 0)), ...alpha.map((a) => min(a, 0))];
}

// One coefficient for each example
export function netOf(problem, program, beta) {
  const net = new Array(problem.n).fill(0);
  program.of.forEach((i, k) => (net[i] += beta[k]));
  return net;
}

// S3.4: the first group whose bounds do not allow its sum, or -1
export function impossibleGroup(program) {
  for (let g = 0; g < program.groups; g++) {
    const reaches = (bounds, isUpper) => {
      const own = program.members[g].map((k) => bounds[k]);
      if (own.some((v) => !Number.isFinite(v))) return true;
      const order = exactSum(own).compare(program.sums[g]);
      return isUpper ? order >= 0 : order <= 0;
    };
    if (!reaches(program.lower, false) || !reaches(program.upper, true)) return g;
  }
  return -1;
}
