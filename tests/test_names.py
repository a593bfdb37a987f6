"""One verdict over a run: each bug has its name, whether the model is told or decisions only.

A machine is an exact solver with one change. Few cases are asked: those of a file, or of a kind.
"""

from math import inf, sqrt
from struct import pack, unpack

import pytest
from profiles import one_in, slow_cases

from refsvm.conformance.audit import audit
from refsvm.conformance.cases.flags import BUGS
from refsvm.conformance.protocol.forms import changed_problem
from refsvm.conformance.report.causes import cause_of
from refsvm.conformance.wrong import pipeline
from refsvm.estimators.svc import SVC
from refsvm.kernels.standard import Gaussian, Linear, Polynomial, Precomputed
from refsvm.numerics.elementary import exp
from refsvm.numerics.linalg import dot, squared_distance
from refsvm_fast import smo

pipeline.smo = smo  # the same bits, sooner
CORE = ["C0?", "C1?"]
GAUSSIAN = ["E2-*"]
SIZES = ["linear, [457] features*", "gaussian, 4 features*"]
TOL = 1e-9
SLOW = pytest.mark.slow("a bug of which the verdict says another name")
LONG = (  # they take a second or more
    "scaled", "signs", "C = 1", "halfway", "halved where many", "two steps",
    "two steps, decisions", "two steps, whatever is asked",
)


def sampled(rows, names):
    """Every other row as parameters of a test, and at night all; short ones of them are quick."""
    return one_in(2, [
        pytest.param(*row, id=name, marks=[SLOW] if k % 6 or name in LONG else [])
        for k, (row, name) in enumerate(zip(rows, names))
    ])


def solved(problem):
    return smo(problem, tol=TOL)


def scores_of(problem, beta):
    return smo_model(problem, beta, 0.0)


def smo_model(problem, beta, b, kernel=None):
    """The function of a row that multipliers and an offset stand for."""
    support = [i for i, c in enumerate(beta) if c]
    if not problem.kernel.has_rows:
        return lambda x: dot([beta[i] for i in support], [x[i] for i in support]) + b
    value = kernel or problem.kernel
    return lambda x: dot([beta[i] for i in support], [value(problem.X[i], x) for i in support]) + b


def causes(machine, names):
    cause = cause_of(audit(machine, isolate=False, names=names))
    return [] if cause is None else [cause.flag, *(other.flag for other in cause.others)]


# ---- offsets


def with_offset(offset, told):
    """A machine that finds b by its own rule: offset(r, beta, solution)."""

    def machine(problem):
        solution = solved(problem)
        beta = problem.beta(solution.alpha)
        if not problem.bias:
            return {"alpha": solution.alpha, "b": 0.0}
        score = scores_of(problem, beta)
        r = [y - score(x) for x, y in zip(problem.X, problem.y)]
        b = offset(r, beta, solution)
        return {"alpha": solution.alpha, "b": b} if told else smo_model(problem, beta, b)

    return machine


def ends_exchanged(r, beta, solution):
    problem = solution.problem
    each = list(zip(r, solution.alpha, problem.y, problem.upper_bounds()))
    up = [v for v, a, y, c in each if (a < c if y > 0 else a > 0)]
    low = [v for v, a, y, c in each if (a > 0 if y > 0 else a < c)]
    return (min(up) + max(low)) / 2


def half_way(r, beta, solution):
    y = solution.problem.y
    below = min(v for v, label in zip(r, y) if label < 0)
    return (below + max(v for v, label in zip(r, y) if label > 0)) / 2


OFFSETS = [
    ("OffsetSign", lambda r, beta, s: -s.b),
    ("OffsetMissing", lambda r, beta, s: 0.0),
    ("OffsetScaled", lambda r, beta, s: 2 * s.b),
    ("OffsetBounded", lambda r, beta, s: next(v for v, c in zip(r, beta) if c)),
    ("OffsetBounded", lambda r, beta, s: [v for v, c in zip(r, beta) if c][-1]),
    ("OffsetAveraged", lambda r, beta, s: mean([v for v, c in zip(r, beta) if c])),
    ("OffsetEveryRow", lambda r, beta, s: mean(r)),
    ("OffsetHardMargin", half_way),
    ("OffsetEnds", ends_exchanged),
    ("Offset", lambda r, beta, s: s.b + 0.3371),
]


def mean(values):
    return dot(values, [1.0] * len(values)) / len(values)


@pytest.mark.parametrize("told", [True, pytest.param(False, marks=SLOW)])
@pytest.mark.parametrize("flag, offset", sampled(OFFSETS, [
    "sign", "missing", "doubled", "first", "last", "support", "all", "half way", "ends",
    "constant",
]))
def test_an_offset_has_its_name(flag, offset, told):
    assert causes(with_offset(offset, told), CORE)[0] == flag


# ---- other problems


def solving(change, told):
    """A machine that solves another problem."""

    def machine(problem):
        solution = solved(change(problem))
        if told:
            return {"alpha": solution.alpha, "b": solution.b}
        return solution.model().decision

    return machine


def scaled_rows(problem):
    columns = list(zip(*problem.X))
    middles = [mean(column) for column in columns]
    spans = [sqrt(mean([(v - m) ** 2 for v in c])) or 1.0 for c, m in zip(columns, middles)]
    return lambda x: [(v - m) / s for v, m, s in zip(x, middles, spans)]


def on_rows(read, problem):
    """The decision function of a machine that reads rows by another function."""
    if not problem.kernel.has_rows:
        return solved(problem).model().decision
    model = solved(changed_problem(problem, X=[read(x) for x in problem.X])).model()
    return lambda x: model.decision(read(x))


def with_half_gamma(problem):
    if type(problem.kernel) is not Gaussian:
        return problem
    return changed_problem(problem, kernel=Gaussian(problem.kernel.gamma / 2))


def without_coef0(problem):
    kernel = problem.kernel
    if type(kernel) is not Polynomial:
        return problem
    return changed_problem(problem, kernel=Polynomial(kernel.degree, kernel.gamma, 0.0))


PROBLEMS = [
    ("PriceIgnored", CORE, lambda p: changed_problem(p, bounds=1.0)),
    ("PriceIgnored", CORE, lambda p: changed_problem(p, bounds=2.0**20)),
    ("PriceScaled", CORE, lambda p: changed_problem(p, bounds=[c / p.n for c in p.C])),
    ("NoOffset", CORE, lambda p: changed_problem(p, bias=False)),
    ("SquaredLoss", CORE, lambda p: p if inf in p.C else changed_problem(p, slack="squared")),
    ("WeightsIgnored", ["C14", "C24"], lambda p: changed_problem(p, bounds=1.0)),
    ("KernelParameters", GAUSSIAN, with_half_gamma),
    ("KernelParameters", ["C09", "kernel *", "coef0*", "gamma on*"], without_coef0),
]


@pytest.mark.parametrize("told", [True, pytest.param(False, marks=SLOW)])
@pytest.mark.parametrize("flag, names, change", sampled(PROBLEMS, [
    "C = 1", "C is huge", "C / n", "no offset", "squared", "weights", "gamma / 2", "coef0",
]))
def test_another_problem_has_its_name(flag, names, change, told):
    assert causes(solving(change, told), names)[0] == flag


def single(value):
    try:
        return unpack("f", pack("f", value))[0]
    except OverflowError:
        return value


def with_values(value, problem, kind=Gaussian):
    """A machine with other values of a kernel, the Gaussian if none is told."""
    if type(problem.kernel) is not kind:
        return solved(problem).model().decision
    K = [[value(problem.kernel, x, z) for z in problem.X] for x in problem.X]
    other = solved(changed_problem(problem, X=K, kernel=Precomputed()))
    beta = problem.beta(other.alpha)
    return smo_model(problem, beta, other.b, lambda x, z: value(problem.kernel, x, z))


def expanded(kernel, x, z):
    return exp(-kernel.gamma * max(0.0, dot(x, x) + dot(z, z) - 2 * dot(x, z)))


def expanded_in_fit(problem):
    K = [[expanded(problem.kernel, x, z) for z in problem.X] for x in problem.X]
    other = solved(changed_problem(problem, X=K, kernel=Precomputed()))
    return smo_model(problem, problem.beta(other.alpha), other.b)


def penalised_offset(problem):
    if not (problem.bias and problem.kernel.has_rows):
        return solved(problem).model().decision
    K = [[problem.kernel(x, z) + 1 for z in problem.X] for x in problem.X]
    gram = changed_problem(problem, X=K, kernel=Precomputed(), bias=False)
    beta = problem.beta(solved(gram).alpha)
    return smo_model(problem, beta, mean(beta) * problem.n)


def labels_0_and_1(problem):
    if inf in problem.C or problem.slack != "hinge":
        return solved(problem).model().decision
    decision = solved(changed_problem(problem, bounds=[2 * c for c in problem.C])).model().decision
    return lambda x: (decision(x) + 1) / 2


def made_of(formula):
    """A machine whose decisions are made of right ones."""

    def machine(problem):
        decision = solved(problem).model().decision
        return lambda x: formula(problem, decision(x), x)

    return machine


def halfway(problem):
    """Multipliers far from the end, told in full, where kernel values are large."""
    solution = solved(problem)
    return {"alpha": [a / 2 for a in solution.alpha], "b": solution.b / 2}


def far(problem, x):
    return problem.kernel.has_rows and min(squared_distance(x, z) for z in problem.X) > 30


MACHINES = [
    ("HiddenScaling", CORE, lambda p: on_rows(scaled_rows(p), p)),
    ("FeatureIgnored", SIZES, lambda p: on_rows(lambda x: [*x[:3], *[0.0] * (len(x) - 3)], p)),
    ("Cancellation", ["E5*"], lambda p: with_values(expanded, p)),
    ("Cancellation", ["E5*"], expanded_in_fit),
    ("Cancellation", ["C0[1-8]", "C1[78]", "years", "eight digits", "unix time"],
     lambda p: with_values(lambda kernel, x, z: dot(x, z), p, Linear)),
    ("Float32Rows", ["C17", "C18", "E5*", "*year*"],
     lambda p: on_rows(lambda x: list(map(single, x)), p)),
    ("Float32Rows", ["E5-10000000"], lambda p: on_rows(lambda x: list(map(single, x)), p)),
    ("Wrong", ["C17", "C18", "moved by 2^24"], halfway),
    ("RegularisedOffset", CORE, penalised_offset),
    ("ZeroOneLabels", CORE, labels_0_and_1),
    ("Length", CORE, made_of(lambda p, f, x: f / 2)),
    ("Length", CORE, made_of(lambda p, f, x: 1.01 * f)),
    ("Length", SIZES, made_of(
        lambda p, f, x: f / 2 if p.n > 50 and type(p.kernel) is not Linear else f)),
    ("DecisionArithmetic", CORE, made_of(lambda p, f, x: 1.0 if f > 0 else -1.0)),
    ("SignFlipped", CORE, made_of(lambda p, f, x: -f)),
    ("FarRows", CORE, made_of(lambda p, f, x: 0.0 if far(p, x) else f)),
    ("NothingLearnt", CORE, lambda p: lambda x: 0.25),
    ("ToleranceScaled", CORE,
     lambda p, tol=TOL: smo(p, tol=1e-6 * p.C[0]) if inf not in p.C else solved(p)),
    ("StoppedEarly", ["C??", "E1-*"],
     lambda p, max_iter=2: smo(p, max_iter=max_iter)._replace(status="optimal")),
    ("StoppedEarly", ["C??", "E1-*"],
     lambda p, max_iter=2: smo(p, max_iter=max_iter).model().decision),
    ("Wrong", ["C??", "E1-*"], lambda p: smo(p, max_iter=2)._replace(status="optimal")),
]


@pytest.mark.parametrize("flag, names, machine", sampled(MACHINES, [
    "scaled", "first three", "expanded", "expanded in fit", "products", "single",
    "single queries", "halfway", "penalised", "labels", "halved", "longer", "halved where many",
    "signs", "flipped", "far", "constant",
    "tolerance", "two steps", "two steps, decisions", "two steps, whatever is asked",
]))
def test_a_machine_has_the_name_of_its_bug(flag, names, machine):
    assert causes(machine, names)[0] == flag


# ---- two bugs


def without_b(problem, factor=1.0, change=lambda p: p):
    solution = solved(change(problem))
    beta = [factor * c for c in problem.beta(solution.alpha)]
    return smo_model(change(problem), beta, 0.0)


@SLOW
@pytest.mark.parametrize("flags, names, machine", one_in(3, [
    ({"Length", "OffsetMissing"}, CORE, lambda p: without_b(p, 0.5)),
    ({"PriceIgnored", "OffsetMissing"}, CORE,
     lambda p: without_b(p, change=lambda q: changed_problem(q, bounds=1.0))),
    ({"KernelParameters", "OffsetMissing"}, GAUSSIAN,
     lambda p: without_b(p, change=with_half_gamma)),
], first=2), ids=one_in(3, ["length and offset", "C and offset", "kernel and offset"], first=2))
def test_two_bugs_have_two_names(flags, names, machine):
    assert flags <= set(causes(machine, names)[:3])


# ---- weights, offsets


class WithoutWeights(SVC):
    """Takes weights, and forgets them."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y)


@pytest.mark.slow("weights that are ignored, told as an example of weight 0")
def test_an_estimator_that_ignores_weights_is_told_so():
    assert causes(WithoutWeights, ["C*"])[0] == "WeightsIgnored"


@pytest.mark.slow("an offset accused where the problem has none")
def test_no_offset_is_wrong_where_there_is_none():
    def machine(problem):
        decision = solved(problem).model().decision
        return lambda x: decision(x) + (0 if problem.bias else 0.3371)

    assert not any(flag.startswith("Offset") for flag in causes(machine, ["C0?", "*no offset*"]))


# ---- what names by accident


def test_an_error_of_another_size_is_no_rounding_to_single_precision():
    def rough(problem):
        decision = solved(problem).model().decision
        return lambda x: decision(x) + 2e-3 * (1 + abs(decision(x))) * (-1) ** int(x[0])

    assert "Float32Rows" not in causes(rough, ["C0?"])


@pytest.mark.parametrize("names", [["C02"], *slow_cases("nothing learnt", ["C??"])])
def test_a_machine_that_decides_0_has_learnt_nothing(names):
    assert causes(lambda problem: lambda x: 0.0, names)[0] == "NothingLearnt"


class WeightsOfMean1(SVC):
    """Takes weights, and makes their mean 1."""

    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None:
            sample_weight = [w * len(y) / mean(sample_weight) / len(y) for w in sample_weight]
        return super().fit(X, y, sample_weight)


def test_weights_of_mean_1_are_no_example_of_weight_0():
    assert causes(WeightsOfMean1, ["C14", "C19", "C2?"])[0] == "WeightsScaled"


def test_the_machines_of_this_file_are_bugs():
    named = {flag for flag, *_ in [*OFFSETS, *PROBLEMS, *MACHINES]}
    assert named <= set(BUGS)
