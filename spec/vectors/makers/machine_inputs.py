"""Problems of nu, regression, one class and the ball for the vectors: optima, runs of solvers.

Most are of one feature, and have more than one answer or an answer that programs in wide use get
wrong: hulls that meet, nu next to 0 and at its limit, a tube that holds all or has no width,
targets in other units, equal rows, offsets with an infinite end. None is random.

A test of an optimum states a problem, what every optimum of it has in common, rows to decide, and
a certificate that proofs/checker.py checks; then problem, optimum and queries once more in
doubles. Where the status is "infeasible" there is no more, and where it is "degenerate" there are
no queries.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as Q
from math import inf
from typing import Any

from refsvm.conformance.cases.number_json import doubles
from refsvm.kernels.gram_matrices import gram
from refsvm.kernels.standard import Gaussian, Linear, MonomialSum, Polynomial, Precomputed
from refsvm.kernels.strings import Spectrum
from refsvm.numerics.linalg import dot
from refsvm.numerics.picks import shuffled_passes
from refsvm.proofs.canonical_json import digest, document_of
from refsvm.proofs.certificate_json import optimum_document
from refsvm.proofs.optimum import solve_exactly
from refsvm.proofs.plain_json import Document
from refsvm.svm.ball_problem import BallProblem
from refsvm.svm.nu_problem import NuProblem
from refsvm.svm.one_class_problem import OneClassProblem
from refsvm.svm.problem import Problem
from refsvm.svm.regression_problem import NuRegressionProblem, RegressionProblem
from refsvm.svm.regression_without_offset import RegressionWithoutOffset

from .function_runs import Run, head_of_test
from .json_text import rational
from .small_data import C25_X, C25_Y, column, rows, signs

# name, comment, problem whose optimum is to be stated, rows to decide
Stated = tuple[str, str, Any, list[Any]]

# fmt: off
FOUR, FAR, LINE = column(0, 1, 3, 4), column(0, 3, 2, 5), column(0, 1, 2, 3)
PLANE = rows((0, 0), (1, 0), (0, 2), (3, 1), (2, 2))
CORNERS = rows((1, 0), (0, 1), (1, 1), (3, 1))
HALF, TINY, HUGE, LEAST = Q(1, 2), Q(1, 2**300), Q(2**300), Q(1, 2**515)
WORDS = ["banana", "ananas", "bananas", "cabana"]


def half_way(X: list[Any]) -> list[Any]:
    """Return a row between the first two, the last one, and one far away."""
    middle = [(a + b) / 2 for a, b in zip(X[0], X[1 % len(X)])]
    return [middle, X[-1], [10 * v + 7 for v in X[0]]]


def _nu_problems() -> Iterator[tuple[str, str, Any]]:
    """Yield problems of nu-classification."""
    apart, mixed = signs("--++"), signs("-+-+")
    for name, nu, comment in (
        ("1/2", HALF, "offsets have room"), ("3/4", Q(3, 4), "one offset"),
        ("1", Q(1), "nu at its limit: every offset is optimal"),
        ("next to 0", Q(1, 10_000), "the hard margin, scaled"),
    ):
        yield f"nu {name} on a line", comment, NuProblem(FOUR, apart, nu=nu)
    yield "nu, crossed", "the reduced hulls meet", NuProblem(FAR, apart, nu=Q(1, 4))
    yield "nu, crossed, large", "they are apart for large nu", NuProblem(FAR, apart, nu=Q(3, 4))
    yield ("nu, equal rows", "each row in both classes: w = 0",
           NuProblem(column(0, 2, 0, 2), apart, nu=HALF))
    yield ("nu, three against one", "nu above what the small class allows",
           NuProblem(column(0, 1, 3), signs("--+"), nu=Q(3, 4)))
    yield "nu, one end", "b has no lower end", NuProblem(column(0, 1, 3), signs("--+"), nu=Q(2, 3))
    yield "nu in the plane", "free ones in both", NuProblem(PLANE, signs("--+++"), nu=Q(3, 5))
    yield ("nu with weights", "an example that counts three times",
           NuProblem(PLANE, signs("--+++"), nu=HALF, weights=[1, 3, 1, HALF, 2]))
    yield "nu, quadratic", "a polynomial", NuProblem(FOUR, mixed, Polynomial(2, coef0=1), HALF)


def _regression_problems() -> Iterator[tuple[str, str, Any]]:
    """Yield problems of regression with a tube of given width."""
    three = column(0, 1, 2)
    yield "regression", "one offset", RegressionProblem(three, [0, 1, 4], C=1, epsilon=Q(1, 4))
    yield ("regression, all in the tube", "w = 0, and b has room",
           RegressionProblem(three, [0, 1, 4], C=1, epsilon=5))
    yield ("regression, equal rows", "two values for one row",
           RegressionProblem(column(1, 1, 2), [0, 2, 3], C=1, epsilon=HALF))
    yield ("regression, no width", "epsilon is 0", RegressionProblem(LINE, [0, 1, 4, 3], C=1,
                                                                     epsilon=0))
    yield ("regression, many answers", "alpha is not unique",
           RegressionProblem(LINE, [0, 1, 4, 3], C=10, epsilon=HALF))
    for name, unit in (("small", TINY), ("large", HUGE)):
        yield (f"regression, {name} units", "y, C and epsilon times a power of two",
               RegressionProblem(three, [0, unit, 4 * unit], C=unit, epsilon=unit / 4))
    yield ("regression with weights", "C times 1, 2, 1/2, 3",
           RegressionProblem(LINE, [0, 1, 4, 3], C=HALF, epsilon=HALF, weights=[1, 2, HALF, 3]))
    yield ("regression, years", "columns far from zero",
           RegressionProblem(column(2021, 2022, 2024), [0, 1, 4], C=1, epsilon=Q(1, 4)))
    yield ("regression, cubic", "a monomial sum",
           RegressionProblem(LINE, [0, 1, 4, 3], MonomialSum(3), C=1, epsilon=Q(1, 4)))
    yield ("regression, one value", "all y are equal",
           RegressionProblem(three, [3, 3, 3], C=1, epsilon=Q(1, 4)))


def _nu_regression_problems() -> Iterator[tuple[str, str, Any]]:
    """Yield problems of regression with a share outside the tube."""
    for nu in (Q(1, 4), HALF, Q(1)):
        yield (f"nu-regression, {nu}", "a line and one value off it",
               NuRegressionProblem(LINE, [0, 1, 4, 3], C=1, nu=nu))
    yield ("nu-regression, C 10", "C counts", NuRegressionProblem(LINE, [0, 1, 4, 3], C=10,
                                                                  nu=Q(1, 4)))
    yield ("nu-regression, a third", "free ones on both sides",
           NuRegressionProblem(column(0, 1, 2), [0, 1, 4], C=1, nu=Q(1, 3)))
    yield ("nu-regression, closed", "the tube has no width",
           NuRegressionProblem(LINE, [0, 1, 2, 3], C=100, nu=HALF))
    yield ("nu-regression with weights", "weights 1, 2, 1/2, 3",
           NuRegressionProblem(LINE, [0, 1, 4, 3], C=1, nu=HALF, weights=[1, 2, HALF, 3]))


def _one_class_problems() -> Iterator[tuple[str, str, Any]]:
    """Yield problems of one class."""
    line = column(1, 2, 4)
    for name, nu, comment in (
        ("2/3", Q(2, 3), "rho has room"), ("1/2", HALF, "one rho"), ("1", Q(1), "no upper end"),
        ("next to 0", Q(1, 10**6), "the row nearest to the origin alone"),
    ):
        yield f"one class, nu {name}", comment, OneClassProblem(line, nu=nu)
    yield ("one class around the origin", "the origin is in the reduced hull: w = 0",
           OneClassProblem(column(1, -1, 2), nu=Q(2, 3)))
    yield "one class, corners", "rho has room", OneClassProblem(CORNERS, nu=Q(3, 4))
    yield ("one class with weights", "weights 1, 1/2, 2, 1",
           OneClassProblem(CORNERS, nu=HALF, weights=[1, HALF, 2, 1]))
    yield "one class, one row", "rho has no upper end for nu 1", OneClassProblem(column(3), nu=1)
    yield ("one class, quadratic", "a polynomial",
           OneClassProblem(column(-1, 0, 1, 3), Polynomial(2, coef0=1), HALF))


def _ball_problems() -> Iterator[tuple[str, str, Any]]:
    """Yield problems of the smallest ball."""
    line = column(0, 2, 10)
    for name, C, comment in (
        ("1", 1, "all are inside"), ("without slack", inf, "the same ball"),
        ("2/5", Q(2, 5), "two outside"), ("1/3", Q(1, 3), "around the mean: R^2 has room"),
        ("1/4", Q(1, 4), "no multipliers have the sum 1"),
    ):
        yield f"ball, C {name}", comment, BallProblem(line, C=C)
    yield ("ball in the plane", "two rows carry it",
           BallProblem(rows((0, 0), (4, 0), (0, 2), (1, 1)), C=1))
    yield "ball, equal rows", "radius 0", BallProblem(column(3, 3, 3), C=1)
    yield ("ball with weights", "weights 1, 1/4, 2", 
           BallProblem(line, C=HALF, weights=[1, Q(1, 4), 2]))
    yield "ball, years", "rows far from zero", BallProblem(column(2020, 2022, 2030), C=Q(2, 5))
    yield "ball, quadratic", "a polynomial", BallProblem(line, Polynomial(2, coef0=1), C=1)


def _stated_problems() -> list[Stated]:
    """Return every problem whose optimum is stated."""
    of_all = (*_nu_problems(), *_regression_problems(), *_nu_regression_problems(),
              *_one_class_problems(), *_ball_problems())
    found: list[Stated] = [(name, comment, problem.to(Q), half_way(problem.to(Q).X))
                           for name, comment, problem in of_all]
    K = [[Q(2), Q(1), Q(0)], [Q(1), Q(2), Q(1)], [Q(0), Q(1), Q(3)]]
    found.append(("one class of words", "pairs of equal substrings",
                  OneClassProblem(WORDS, Spectrum(2), HALF).to(Q), ["ban", "nab"]))
    found.append(("regression on a Gram matrix", "a row to decide holds kernel values",
                  RegressionProblem(K, [0, 1, 4], Precomputed(), C=1, epsilon=Q(1, 4)).to(Q),
                  [K[1], [Q(1), Q(1), Q(1)]]))
    return found


STATED = _stated_problems()

SIX = [[Q(v) for v in x] for x in C25_X]
VALUES = [Q(v) for v in ("0", "1", "4", "3", "-1", "1/2")]


def machines(kernel: Any, kind: Any) -> list[tuple[str, Any]]:
    """Return a problem of each machine on six rows, in this kind of numbers."""
    y, half, X = list(C25_Y), kind(HALF), [[kind(v) for v in x] for x in C25_X]
    values = [kind(v) for v in VALUES]
    return [
        ("nu", NuProblem(X, y, kernel, half)),
        ("regression", RegressionProblem(X, values, kernel, 1, kind(Q(1, 4)))),
        ("nu-regression", NuRegressionProblem(X, values, kernel, 1, half)),
        ("one class", OneClassProblem(X, kernel, half)),
        ("ball", BallProblem(X, kernel, half)),
    ]


def _machine_runs() -> Iterator[Run]:
    """Yield runs of smo and of decomposition on every machine."""
    tol = Q(1, 2**20)
    for kernel in (Linear(), Polynomial(2, coef0=1), Gaussian(0.5)):
        kind: Any = float if type(kernel) is Gaussian else Q
        for name, problem in machines(kernel, kind):
            given = {"problem": problem, "tol": kind(tol), "max_iter": 40}
            yield Run(f"smo: {name}, {kernel!r}", "smo", "steps inside the worst group", given)
            yield Run(f"decomposition: {name}, {kernel!r}", "decomposition", "rounds of few",
                      {**given, "members": 3})
    for name, problem in (
        ("hulls that meet", NuProblem(column(0, 2, 0, 2), signs("--++"), nu=HALF)),
        ("nu too large", NuProblem(column(0, 1, 3), signs("--+"), nu=Q(3, 4))),
        ("small units", RegressionProblem(column(0, 1, 2), [0, TINY, 4 * TINY], C=TINY,
                                          epsilon=TINY / 4)),
        ("bounds near the least double", RegressionProblem(
            column(0, 1, 2), [0, LEAST / 3, LEAST * 4 / 7], C=LEAST / 5, epsilon=LEAST / 16)),
        ("the origin inside", OneClassProblem(column(1, -1, 2), nu=Q(2, 3))),
        ("weights", OneClassProblem(CORNERS, nu=HALF, weights=[1, HALF, 2, 1])),
    ):
        given = {"problem": problem.to(Q), "tol": tol, "max_iter": 40}
        yield Run(f"smo: {name}", "smo", name, given)


def _classification_runs() -> Iterator[Run]:
    """Yield runs of decomposition and dual_coordinate_descent on classification."""
    for name, bias, slack in (
        ("hinge", True, "hinge"), ("squared", True, "squared"), ("no offset", False, "hinge")
    ):
        problem = Problem(SIX, list(C25_Y), C=2, bias=bias, slack=slack).to(Q)
        given = {"problem": problem, "tol": Q(1, 2**20), "max_iter": 40}
        yield Run(f"decomposition: {name}", "decomposition", "rounds of two or three",
                  {**given, "members": 3})
    for slack in ("hinge", "squared"):
        problem = Problem(SIX, list(C25_Y), C=2, bias=False, slack=slack).to(Q)
        given = {"problem": problem, "tol": Q(1, 2**10), "picks": list(shuffled_passes(6, 4, 7))}
        yield Run(f"dual_coordinate_descent: {slack}", "dual_coordinate_descent",
                  "one example after the other", given)
        yield Run(f"dual_coordinate_descent: {slack}, from a start", "dual_coordinate_descent",
                  "begun at given multipliers", {**given, "start": [HALF] * 6})


OF_PRIMAL = (
    rows((-4, 3), (-4, -9), (7, 7), (-9, 2)),
    rows((0, 9, -5), (-1, -2, 6), (5, 1, -8), (-7, -4, -5)),
    rows((2001, HALF), (2004, -1), (1998, Q(5, 4)), (2010, Q(-1, 4))),
    rows(*([(i * j * j + 3 * j + i) % 7 - 3 for j in range(32)] for i in range(2))),
)


def _newton_runs() -> Iterator[Run]:
    """Yield runs of newton: a step that is halved, weights, a start, and where doubles end."""
    four, three, years, wide = OF_PRIMAL
    for name, comment, X, C, more in (
        ("four", "full steps alone would go round", four, Q(10), {}),
        ("weights", "a penalty of its own for each", four, [Q(1), Q(10), HALF, Q(3)], {}),
        ("from a start", "two steps from there", four, Q(10), {"start": [HALF, Q(-1, 4)]}),
        ("C that rises", "small from the second step that is shortened", three, Q(10), {}),
        ("C that rises by two", "where it took two steps", rows(
            (6, 9, -4), (-1, -4, 1), (-4, 6, -6), (2, -2, 7)), Q(100), {}),
        ("one step", "stopped after the first", four, Q(10), {"max_iter": 1}),
        ("years", "columns far from 0 and a large C", years, Q(10**6), {}),
        ("years to the last digit", "doubles need exact sums, and end before", years, Q(10**6),
         {"tol": Q(0)}),
        ("many columns", "steps are nearly right, and doubles alone take them", wide, Q(1),
         {"max_iter": 2}),
        ("a column of zeros", "which has no weight", rows((1, 0), (2, 0), (-1, 0), (3, 0)), Q(1),
         {}),
    ):
        problem = Problem(X, signs("+-++")[: len(X)], C=C, bias=False, slack="squared")
        given = {"problem": problem, "tol": Q(1, 2**10), "max_iter": 40, **more}
        yield Run(f"newton: {name}", "newton", comment, given, exact=name != "many columns")
    X = [[0.0] * 35 for _ in range(24)]
    for i, row in enumerate(X):
        for k in range(3):
            row[(11 * i + k + 2 * k * k) % 35] = (i * (k + 2) + k) % 5 - 2.0
    y = [1 if i % 5 < 3 else -1 for i in range(65)]
    problem = Problem(X, y[:24], C=10.0, bias=False, slack="squared")
    given = {"problem": problem, "tol": 2.0**-10, "max_iter": 40}
    comment = "after each step that is shortened, they come nearer to right ones"
    yield Run("newton: many columns, shortened steps", "newton", comment, given, exact=False)
    long = [[256.0 * ((5 * i + 3) * i % 7 - 3), *(0.7 * (i == j) for j in range(63))]
            for i in range(65)]
    problem = Problem(long, y, C=64.0, bias=False, slack="squared")
    comment = "scores are exact sums, each rounded once"
    yield Run("newton: long rows", "newton", comment,
              {"problem": problem, "tol": 0.0, "max_iter": 2}, exact=False)


def _proximal_runs() -> Iterator[Run]:
    """Yield runs of proximal_point: some steps for one centre, weights, and where doubles end."""
    four, three, years, wide = OF_PRIMAL
    for name, comment, X, C, more in (
        ("four", "steps are shortened, and the centre moves after one or three", four, Q(10), {}),
        ("weights", "a penalty of its own for each", four, [Q(1), Q(10), HALF, Q(3)], {}),
        ("a small C", "one example is between its bounds", four, Q(1, 100), {"max_iter": 5}),
        ("three columns", "more of them", three, Q(10), {"max_iter": 8}),
        ("one step", "stopped after the first", four, Q(10), {"max_iter": 1}),
        ("years", "columns far from 0 and a large C", years, Q(10**6), {"max_iter": 8}),
        ("to the last digit", "doubles end before", four, Q(10), {"tol": Q(0)}),
        ("years to the last digit", "doubles need exact sums", years, Q(10**6), {"tol": Q(0)}),
        ("many columns", "steps are nearly right", wide, Q(1), {"max_iter": 4}),
        ("a column of zeros", "which has no weight", rows((1, 0), (2, 0), (-1, 0), (3, 0)), Q(1),
         {}),
    ):
        problem = Problem(X, signs("+-++")[: len(X)], C=C, bias=False)
        given = {"problem": problem, "tol": Q(1, 2**10), "max_iter": 40, **more}
        exact = "last digit" not in name and name != "many columns"
        yield Run(f"proximal_point: {name}", "proximal_point", comment, given, exact=exact)
    scales = [2.0 ** ((8 * i * i + i) % 13 - 6) for i in range(36)]
    far = [[1.0, *(v * (j == 22 * i % 35) for j in range(35))] for i, v in enumerate(scales)]
    y = [1 if i % 5 < 3 else -1 for i in range(36)]
    given = {"problem": Problem(far, y, C=10.0, bias=False), "tol": 2.0**-10, "max_iter": 40}
    comment = "eight steps for one centre are shortened: from then on they are right"
    yield Run("proximal_point: columns of many scales", "proximal_point", comment, given,
              exact=False)


def _tube_runs() -> Iterator[Run]:
    """Yield runs of what solves a tube without an offset: three solvers."""
    X = rows((1, 0), (0, 1), (1, 1), (3, 1), (-2, 1), (0, 0))
    y = [Q(v) for v in (1, 3, 2, 9, -4, 1)]
    for name, comment, C, epsilon, more in (
        ("a tube", "examples on both sides of it", Q(2), HALF, {}),
        ("a tube without width", "every example is active", Q(10), Q(0), {}),
        ("a tube with weights", "a penalty of its own for each, from a start",
         [Q(1), Q(10), HALF, Q(3), Q(1), Q(2)], Q(1, 4), {"start": [HALF, Q(-1, 4)]}),
        ("a tube to the last digit", "doubles end before", Q(10**6), Q(1, 10), {"tol": Q(0)}),
        ("a tube that holds all", "no step", Q(1), Q(10), {}),
    ):
        problem = RegressionWithoutOffset(X, y, C=C, epsilon=epsilon, slack="squared").to(Q)
        given = {"problem": problem, "tol": Q(1, 2**10), "max_iter": 40, **more}
        yield Run(f"newton: {name}", "newton", comment, given)
        problem = RegressionWithoutOffset(X, y, C=C, epsilon=epsilon).to(Q)
        given = {"problem": problem, "tol": given["tol"], "max_iter": 12 if given["tol"] else 40}
        yield Run(f"proximal_point: {name}", "proximal_point", comment.partition(", from")[0],
                  given, exact="last digit" not in name)
    for slack, epsilon in (("linear", HALF), ("squared", Q(1, 4)), ("linear", Q(0))):
        problem = RegressionWithoutOffset(X, y, C=2, epsilon=epsilon, slack=slack).to(Q)
        given = {"problem": problem, "tol": Q(1, 2**10), "picks": list(shuffled_passes(6, 4, 7))}
        name = f"dual_coordinate_descent: a tube of {epsilon}, {slack}"
        yield Run(name, "dual_coordinate_descent", "one example after the other", given)
        start = [HALF, -HALF, Q(0), Q(1), Q(-1), Q(0)]
        yield Run(f"{name}, from a start", "dual_coordinate_descent",
                  "begun at given multipliers", {**given, "start": start})


SOLVERS = ["smo", "decomposition", "dual_coordinate_descent", "newton", "proximal_point"]
MACHINE_RUNS = sorted(
    [*_machine_runs(), *_classification_runs(), *_newton_runs(), *_proximal_runs(), *_tube_runs()],
    key=lambda run: SOLVERS.index(run.function),
)
# fmt: on


# ---- tests of the optima

FORMULATION = (
    "by the key form of the problem, each xi_i the least that is not negative and"
    " allowed: nu: |w|^2 / 2 - nu W rho + sum w_i xi_i, y_i (s_i + b) >= rho - xi_i; regression:"
    " |w|^2 / 2 + C sum w_i xi_i, |y_i - s_i - b| <= epsilon + xi_i; nu_regression: the same"
    " + C nu W epsilon; one_class: |w|^2 / 2 - nu W rho + sum w_i xi_i, s_i >= rho - xi_i; ball:"
    " radius2 + C sum w_i xi_i, |phi(x_i) - w|^2 <= radius2 + xi_i; with s_i = <w, phi(x_i)>, W ="
    " sum w_i"
)


SECTIONS = {
    "nu": "S11",
    "regression": "S9.1",
    "nu_regression": "S9.5",
    "one_class": "S10.1",
    "ball": "S10.5",
}


def groups_of_machines() -> dict[str, list[Document]]:
    """Return {form: its tests} of each machine."""
    found: dict[str, list[Document]] = {}
    for stated in STATED:
        test = _stated_json(*stated)
        found.setdefault(test["given"]["problem"]["form"], []).append(test)
    return found


def _stated_json(name: str, comment: str, problem: Any, queries: list[Any]) -> Document:
    """Return the test that states the optimum of a problem."""
    document, best = document_of(problem), solve_exactly(problem)
    facts: Document = {
        "given": {"problem": document},
        "optimum": rational(_facts_of(problem, best)),
    }
    if best.status != "infeasible":
        found = [] if best.status == "degenerate" else queries
        facts["queries"] = [rational(query_json(problem, best, x)) for x in found]
    test = head_of_test(name, comment, flags_of(best), "valid", SECTIONS[document["form"]])
    test.update(facts, problem_sha256=digest(document))
    if best.status != "infeasible":
        test["certificate"] = optimum_document(problem, best)
    test["doubles"] = doubles(facts) if _is_made_of_doubles(problem) else None
    return test


def _facts_of(problem: Any, best: Any) -> Document:
    """Return what every optimum has in common; an alpha only to show that it is not the only."""
    if best.status == "infeasible":
        return {"status": "infeasible", "farkas": best.farkas}
    facts: Document = {"value": best.objective}
    if best.w is not None:
        facts["w"] = best.w
    facts.update(
        w_norm2=best.w_norm2,
        offsets={
            name: {"lo": offset.low, "hi": offset.high}
            for name, offset in best.offsets._asdict().items()
        },
        s_train=[score(problem, best, x) for x in problem.X],
        status=best.status,
        alpha_unique=best.alpha_unique,
    )
    if best.other_alpha is not None:
        facts["other_alpha"] = best.other_alpha
    if best.farkas is not None:
        facts["farkas"] = best.farkas
    return facts


def score(problem: Any, best: Any, x: Any) -> Any:
    """Return <w, phi(x)>; with Precomputed, x holds the kernel values."""
    given = isinstance(problem.kernel, Precomputed)
    values: Any = x if given else gram(problem.kernel, [x], problem.X)[0]
    return dot(problem.beta(best.alpha), values)


def query_json(problem: Any, best: Any, x: Any) -> Document:
    """Return the row, its score, and between which numbers f(x) may lie."""
    s = score(problem, best, x)
    away: Any = s
    if isinstance(problem, BallProblem):
        away = 2 * s - problem.kernel(x, x) - best.w_norm2
    return {"x": x, "s": s, "f_lo": away + best.b_low, "f_hi": away + best.b_high}


def flags_of(best: Any) -> tuple[str, ...]:
    """Return the flags that the optimum itself shows."""
    if best.status == "infeasible":
        return ()
    room = any(low < high for _, low, high in best.offsets)
    return ("OffsetInterval",) * room + ("AlphaNotUnique",) * (best.alpha_unique is False)


def _is_made_of_doubles(problem: Any) -> bool:
    """Return whether each number of the problem is a double exactly."""
    rows = [v for x in problem.X if not isinstance(x, str) for v in x]
    lists = [getattr(problem, name) for name in problem.numbers]
    flat = [v for part in lists for v in (part if isinstance(part, list) else [part])]
    return all(v == inf or Q(float(v)) == v for v in [*rows, *flat])
