"""From an entry to a case: solved exactly, its flags completed, rows to decide added."""

from ..linalg import dot
from ..problem import Problem
from ..proofs.optimum import solve_exactly
from .cases import Case, Query

BITS = 128  # how narrow the objective is where it is an interval: narrower than any double
ARGUMENTS = ("X", "y", "C", "kernel", "bias", "slack")


def case_of(entry):
    """The Case of an Entry: O(what solve_exactly needs)."""
    given = {key: getattr(entry, key) for key in ARGUMENTS}
    problem = problem_of(given)
    optimum = solve_exactly(problem, bits=BITS)
    flags = dict.fromkeys([*entry.flags, *shown_by(problem, optimum)])
    asked = [] if optimum.farkas else [*probes(problem), *entry.asked]
    return Case(
        entry.name, entry.comment, tuple(flags), entry.result, given, problem, optimum,
        [query(problem, optimum, x) for x in asked],
    )


def problem_of(given):
    """The Problem of arguments among whose C there may be zeros: those examples are left out."""
    X, y, C = given["X"], given["y"], given["C"]
    C = C if isinstance(C, list) else [C] * len(y)
    kept = [i for i, c in enumerate(C) if c != 0]
    X, y, C = ([values[i] for i in kept] for values in (X, y, C))
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
    """The Query of the row x."""
    if isinstance(x, tuple):
        x = list(map(problem.kind, x))
    s = dot(problem.beta(optimum.alpha), kernel_values(problem, x))
    low, high = s + optimum.b_low, s + optimum.b_high
    return Query(x, s, low, high, 1 if low > 0 else -1 if high < 0 else None)


def kernel_values(problem, x):
    """Those of x with every example."""
    if not problem.kernel.has_rows:
        return x
    return [problem.kernel(z, x) for z in problem.X]


def shown_by(problem, optimum):
    """The flags of what the optimum itself shows."""
    if optimum.farkas:
        return ["Infeasible"]
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
    return [name for name, is_so in shown.items() if is_so]
