"""From an entry to a case: solved exactly, its flags completed, rows to decide added."""

from fractions import Fraction
from itertools import chain
from math import inf

from ...numerics.intervals import Interval
from ...numerics.linalg import dot
from ...proofs.enclosures import kernel_interval
from ...proofs.offset_ends import root_above
from ...proofs.optimum import solve_exactly
from ...proofs.rational_kernels import rational
from ...svm.problem import Problem
from .case import ARGUMENTS, Case, Query

BITS = 128  # where the objective is an interval: it is narrower than any double is exact
GRID = 2**96  # the ends of what is told are multiples of 1 / GRID


def case_of(entry):
    """The Case of an Entry: O(what solve_exactly needs)."""
    given = {key: getattr(entry, key) for key in ARGUMENTS}
    problem = problem_of(given)
    optimum = solve_exactly(problem, bits=BITS)
    optimum = optimum._replace(
        **{key: in_short(v) for key, v in optimum._asdict().items() if isinstance(v, Interval)}
    )
    flags = dict.fromkeys([*entry.flags, *shown_by(problem, optimum)])
    asked = [] if optimum.farkas else [*probes(problem), *entry.asked]
    result = "acceptable" if inf in problem.C else entry.result  # not everybody takes infinity
    return Case(
        entry.name,
        entry.comment,
        tuple(flags),
        result,
        given,
        problem,
        optimum,
        [query(problem, optimum, x) for x in asked],
    )


def problem_of(given):
    """The Problem of arguments among whose C there may be zeros: those examples are left out.

    On Fractions, or on the same numbers as floats if the kernel has no exact values.
    """
    X, y, C = given["X"], given["y"], given["C"]
    C = C if isinstance(C, list) else [C] * len(y)
    kept = [i for i, c in enumerate(C) if c != 0]
    X, y, C = ([values[i] for i in kept] for values in (X, y, C))
    if not rational(given["kernel"]):
        X, C = [list(map(float, x)) for x in X], list(map(float, C))
    return Problem(X, y, given["kernel"], C, given["bias"], given["slack"])


def probes(problem):
    """Rows worth asking about: between neighbours in the list, and as far beyond the last.

    The rows of a Gram matrix are no exception: the middle of two of them holds the kernel values
    of the middle of their images. Strings have no middle.
    """
    X = problem.X
    if isinstance(X[0], str):
        return []
    middles = [[(p + q) / 2 for p, q in zip(x, z)] for x, z in zip(X, X[1:])]
    found = [*middles, [2 * q - p for p, q in zip(X[0], X[-1])]]
    return [x for k, x in enumerate(found) if x not in found[:k]]


def query(problem, optimum, x):
    """The Query of the row x. Where all is between two fractions, f_low and f_high are outermost.

    >>> problem = Problem([[Fraction(0)], [Fraction(1)]], [-1, 1])
    >>> query(problem, solve_exactly(problem), [Fraction(3)])[1:]
    (Fraction(3, 1), Fraction(2, 1), Fraction(3, 1), 1)
    """
    if isinstance(x, tuple):
        x = list(map(problem.kind, x))
    s = score(problem, optimum, x)
    low, high = s + optimum.b_low, s + optimum.b_high
    if isinstance(s, Interval):
        low, high = in_short(low).low, in_short(high).high
    return Query(x, s, low, high, 1 if low > 0 else -1 if high < 0 else None)


def scores(problem, optimum):
    """s of every example."""
    return [score(problem, optimum, x) for x in problem.X]


def score(problem, optimum, x):
    """s(x) at the optimum: a Fraction, or an Interval if kernel values are no fractions.

    The interval is that of the optimum's alpha, wider by how far the scores of an alpha whose dual
    falls short by the objective's width may be from the true ones: sqrt(2 width k(x, x)).
    """
    has_rows = problem.kernel.has_rows
    beta = [Fraction(a) * y for a, y in zip(optimum.alpha, problem.y)]
    if rational(problem.kernel):
        return dot(beta, [problem.kernel(z, x) for z in problem.X] if has_rows else x)
    s = Interval(Fraction(0), Fraction(0))
    for b, z in zip(beta, problem.X):
        s = s + b * kernel_interval(problem.kernel, z, x, BITS)
    square = kernel_interval(problem.kernel, x, x, BITS).high
    off = root_above(2 * optimum.objective.width * square)
    return in_short(Interval(s.low - off, s.high + off))


def in_short(interval):
    """The least interval around it whose ends are on the grid.

    >>> in_short(Interval(Fraction(1, 3), Fraction(1))).high
    Fraction(1, 1)
    """
    low, high = interval.low * GRID, -interval.high * GRID
    return Interval(
        Fraction(low.numerator // low.denominator, GRID),
        Fraction(-(high.numerator // high.denominator), GRID),
    )


def shown_by(problem, optimum):
    """The flags of what the problem and its optimum themselves show."""
    not_dyadic = [] if all(map(is_double, given_numbers(problem))) else ["NotDyadic"]
    if optimum.farkas:
        return ["Infeasible", *not_dyadic]
    alpha, top, status = optimum.alpha, problem.upper_bounds(), optimum.status
    at_top = [a == C for a, C in zip(alpha, top)]
    free = any(0 < a < C for a, C in zip(alpha, top))
    shown = {
        "OffsetInterval": not optimum.b_unique,
        "NoFreeSV": not free,
        "BoundedSV": free and any(at_top),
        "AlphaNotUnique": not optimum.alpha_unique,
        "DegenerateMargin": any(a == 0 and letter == "M" for a, letter in zip(alpha, status)),
        "AlphaAtBoundExactly": any(t and letter == "M" for t, letter in zip(at_top, status)),
    }
    return [name for name, is_so in shown.items() if is_so] + not_dyadic


def given_numbers(problem):
    """Every number of the problem that is finite."""
    rows = [] if isinstance(problem.X[0], str) else problem.X
    numbers = [*chain(*rows), *problem.C, *problem.kernel.numbers()]
    return [v for v in numbers if isinstance(v, (Fraction, float)) and v != inf]


def is_double(number):
    """Whether a double holds the number.

    >>> is_double(Fraction(3, 2**1074)), is_double(Fraction(1, 3)), is_double(Fraction(2**1024))
    (True, False, False)
    """
    return abs(number) < 2**1024 and float(number) == number
