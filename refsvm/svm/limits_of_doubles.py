"""Why doubles cannot show more, where a status is "precision": the cause in numbers, and the cure.

Multipliers are doubles. A free one, between its bounds, is rounded, by u = 2^-53 of its size at
most, and that alone moves the score of example i by up to

    u sum_j |beta_j K_ij|           over the free j; if there is none, over those at a bound, which
                                    would have to move by less than doubles can

Where that is more than tol, no doubles are good enough. It falls with K and with C, so the cure is
to divide the columns whose numbers are large, or to lower C. Both are other problems; of this one
fractions have the optimum.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from ..kernels.standard import Linear, Polynomial
from ..kernels.value_errors import may_exceed_its_diagonal
from ..numerics.display import text_above
from ..numerics.linalg import total
from ..numerics.rounding_bounds import U
from ..numerics.sparse_rows import row_items
from ..numerics.types import Number, VectorLike

if TYPE_CHECKING:
    from .problem_rows import ProblemRows


MOST_VALUES = 2**16  # kernel values that are looked at; of more, Cauchy and Schwarz
LARGE_NUMBER = 1000  # numbers in X, in whose squares a thousandth of a thousandth is lost
MINOR_RATIO = 1000  # times smaller than the largest: such columns matter little
MAX_NAMED_COLUMNS = 3  # columns


def limit_in_words(
    problem: Any, alpha: Any, violation: Any, most: Any = -inf, gap: Any = None
) -> str:
    """Return in a sentence why doubles cannot show more at alpha, and what helps (S30.9).

    violation: an upper bound of m - M
    most: an upper bound of the optimum; where it is 0 or more, rho and w may be 0
    gap: where that was what had to be small, of a w that rounding of alpha does not move

    >>> from refsvm.svm.problem import Problem
    >>> far = Problem([[0], [1e9], [2e9], [3e9]], [-1, 1, -1, 1])
    >>> why, helps = limit_in_words(far, [0.5, 1, 0.5, 0], 444.09).split(": ")
    >>> why
    'to round alpha moves decisions by up to 222.1, and m - M may be 444.1'
    >>> helps.partition(";")[0]
    'divide X by about 2e+09 or lower C, each of which is another problem'
    """
    cures = [*_large_columns(problem), *(["lower C"] if hasattr(problem, "C") else [])]
    either = ", each of which is another problem" if cures[1:] else ", which is another problem"
    cure = f"{' or '.join(cures)}{either}; " if cures else ""
    if gap is not None:
        cause = f"rounding leaves a gap of up to {text_above(gap, 4)}"
    else:
        moved = _moved_by_rounding(problem, alpha)
        no_machine = " and rho 0" if problem.dual_form().degenerates and not most < 0 else ""
        cause = (
            f"to round alpha moves decisions by up to {text_above(moved, 4)}, and m - M may be"
            f" {text_above(violation, 4)}{no_machine}"
        )
    return f"{cause}: {cure}solve_exactly, or refsvm exact, has the optimum of this one"


def _moved_by_rounding(problem: Any, alpha: VectorLike) -> float:
    """Return how far rounding the free multipliers once may move a score, at most.

    >>> from refsvm.svm.problem import Problem
    >>> _moved_by_rounding(Problem([[1], [3], [5]], [-1, 1, 1]), [1, 1, 0.5]) / 2.0**-53
    2.0
    """
    form, beta = problem.dual_form(), problem.variables_of(problem.multipliers(alpha))
    of = range(problem.n) if form.of is None else form.of
    limits = list(zip(of, beta, form.lower, form.upper))
    some = [(i, x) for i, x, low, high in limits if low < x < high and x != 0]
    some = some or [(i, x) for i, x, _, _ in limits if x != 0]
    kernel, rows = problem.kernel, problem.rows
    if len(some) * problem.n > MOST_VALUES and not may_exceed_its_diagonal(kernel):
        roots = problem.value_errors().roots
        return float(U * max(roots) * total(abs(x) * roots[i] for i, x in some))
    row, sums = problem.kernel_rows(), [0.0] * problem.n
    for i, x in some:
        sums = [s + abs(x * k) for s, k in zip(sums, row(rows[i]))]
    return float(U * max(sums))


def _large_columns(problem: ProblemRows) -> list[str]:
    """What to divide X by, of kernels that grow with it; nothing if its numbers are not large."""
    if not isinstance(problem.kernel, (Linear, Polynomial)):
        return []
    largest: dict[int, Number] = {}
    for x in problem.rows:
        for c, v in row_items(x):
            largest[c] = max(largest.get(c, 0), abs(v))
    kept = problem.kept.places if problem.kept else range(problem.row_length())
    size = max(largest.values(), default=0)
    if not LARGE_NUMBER < size < inf:
        return []
    large = sorted(kept[c] for c, v in largest.items() if v * MINOR_RATIO > size)
    whole = len(large) == problem.row_length()
    return [f"divide {'X' if whole else _columns(large)} by about {float(size):.0e}"]


def _columns(numbers: list[int]) -> str:
    """What columns are called.

    >>> _columns([2]), _columns([0, 3, 4, 9])
    ('column 2 of X', 'columns 0, 3, 4 and 1 more of X')
    """
    if not numbers[1:]:
        return f"column {numbers[0]} of X"
    more = f" and {len(numbers) - MAX_NAMED_COLUMNS} more" if numbers[MAX_NAMED_COLUMNS:] else ""
    return f"columns {', '.join(map(str, numbers[:MAX_NAMED_COLUMNS]))}{more} of X"
