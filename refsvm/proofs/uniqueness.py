"""Is this alpha the only optimal one? If not, here is another.

Let lam be optimal multipliers of the groups (svm/dual_form.py), inside the interval of all of
them; in classification that is an optimal offset. Then every optimal beta_k is at the bound to
which its residual r_k pulls it where r_k is not lam: only the variables on the margin (status M)
may vary. And w is the same at every optimum, so two optima differ by a direction d on M with

    sum_l K_kl d_l = 0 for k in M        and, over each group,    sum d_k = 0

which points inwards where beta_k is on a bound. If several lam are optimal for a group, no example
is on the margin of one inside their interval, and its variables are unique.

Some of M are free: between their bounds. If their part of the matrix (bordered by the groups' ones
and zeros) is singular, a null vector of it is such a direction. If it is regular the free ones
follow the others: a change t >= 0 of those on a bound, inwards, makes d, and d is a direction if
S t = 0, with S the Schur complement of the free part. Whether there is such a t is a question
about cones.

In regression two variables stand for an example, and what is to be unique is their sum. Where the
tube has closed (TubeProblem.form_of_closed_tube), one variable an example is looked at, between
-C_i and C_i. Elsewhere one of the two is 0 at every optimum, or all that vary change some sum.

    inverse  that of the free part, an ExactInverse, whose index a stands for an equation if
             a < m and for variable a - m otherwise; m is the number of groups
    bound    those of M whose beta_k is at a bound
    inwards  +1 or -1 for each of them: the sign of d_k that leads inwards
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any

from ..numerics.exact_sums import ScaledIntegers
from ..numerics.linalg import dot
from ..numerics.polyhedra import nonnegative_combination
from ..numerics.submatrix_inverse import ExactInverse
from ..numerics.types import Number, Vector, VectorLike
from ..svm.dual_form import DualForm

Direction = dict[int, Any]  # d_k of each variable that moves


def strictly_between(m: Number, M: Number) -> Any:
    """A number between m <= M; one of their own only where they are equal."""
    if m == -inf:
        return M - 1
    return m + 1 if M == inf else (m + M) / 2


def statuses(form: DualForm, residuals: ScaledIntegers, lam: Sequence[Fraction]) -> str:
    """A letter for each variable, L, M or U, in one string; lam is inside its interval (S15.3).

    U: it is at the bound that is not 0; L: it is 0.

    >>> from refsvm.numerics.exact_sums import ScaledIntegers
    >>> from refsvm.svm.problem import Problem
    >>> line = Problem([[Fraction(0)], [1], [3]], [-1, 1, 1]).dual_form()
    >>> statuses(line, ScaledIntegers([-1, -1, -5], 1), [Fraction(-1)])
    'MML'
    """
    numbers, D = residuals
    letters = [""] * len(numbers)
    for group, v in zip(form.groups or [range(len(numbers))], lam):
        for k in group:
            pull = numbers[k] - v * D
            bound = form.upper[k] if pull > 0 else form.lower[k]
            letters[k] = "M" if pull == 0 else "L" if bound == 0 else "U"
    return "".join(letters)


def letters_of_examples(of: Sequence[int] | None, letters: str, n: int) -> str:
    """A letter for each example from those of its variables: of two that which says most (S15.9).

    On the margin (M; T, proved by algebra; or ?, not known), beyond it, or before it.
    """
    found = ["L"] * n
    for i, letter in zip(range(n) if of is None else of, letters):
        found[i] = min(letter, found[i], key="MT?UL".index)
    return "".join(found)


def find_other_optimum(
    form: DualForm, beta: VectorLike, status: str, inverse: ExactInverse
) -> Vector | None:
    """Another optimal beta, or None if there is none; inverse: where the search ended (S15.4)."""
    movable = [k for k, letter in enumerate(status) if letter == "M"]
    if not movable:
        return None
    free = [k for k in movable if form.lower[k] < beta[k] < form.upper[k]]
    direction = _null_direction(inverse, free, form.groups)
    if direction is None:
        bound = set(movable) - set(free)
        inwards = {k: 1 if beta[k] == form.lower[k] else -1 for k in movable if k in bound}
        direction = _inward_direction(inverse, inwards, len(form.groups))
    return None if direction is None else _move_to_bound(form, beta, direction)


def _null_direction(
    inverse: ExactInverse, free: Sequence[int], groups: Sequence[range]
) -> Direction | None:
    """{k: d_k} on the free ones, a null vector of their part; None if it is regular.

    Then the inverse is of all of them and of no other variable. But of a group without a free one
    it keeps one that is on a bound, without which it would not be regular.
    """
    m = len(groups)
    wanted = [m + k for k in free]
    for group in groups:
        _replace_by_free(inverse, wanted, range(m + group.start, m + group.stop))
    if not groups:
        for a in reversed([a for a in inverse.index if a not in wanted]):
            inverse.remove(a)
    for a in [a for a in wanted if a not in inverse.index]:
        if not inverse.add_if_regular(a):
            u, _, sign = inverse.response(a)
            if sign == 0:
                return {a - m: Fraction(1), **_by_variable(inverse, u, m)}
            inverse.add(a)
    return None


def _replace_by_free(inverse: ExactInverse, wanted: Sequence[int], group: range) -> None:
    """Leave the free ones of a group in the inverse; without any, put one in or keep another."""
    others = [a for a in inverse.index if a in group and a not in wanted]
    missing = [a for a in wanted if a in group and a not in inverse.index]
    # One that is on a bound stays where no free one is in it: without any it were not regular.
    alone = not any(a in inverse.index for a in wanted if a in group)
    while len(others) > alone:
        inverse.remove(others.pop())
    if others and missing:
        inverse.replace(others.pop(), missing.pop())


def _by_variable(inverse: ExactInverse, values: VectorLike, m: int) -> Direction:
    """{k: value} for the variables in the inverse, from a value for each index of it."""
    return {a - m: v for a, v in zip(inverse.index[m:], values[m:])}


def _inward_direction(
    inverse: ExactInverse, inwards: Mapping[int, int], m: int
) -> Direction | None:
    """{i: d_i} that leads inwards from the bounds, the others following; None if there is none.

    inwards has all of M that are on a bound. The inverse may hold some of them: for each of these
    an equation says, with an unknown >= 0, that it moves inwards, too.
    """
    movers = [i for i in inwards if m + i not in inverse.index]
    if _is_regular_with(inverse, [m + i for i in movers]):
        return None
    responses = {i: inverse.response(m + i)[0] for i in movers}
    held = [k for k, a in enumerate(inverse.index) if a - m in inwards]
    columns = []
    for i, u in responses.items():
        schur = _schur_column(inverse, [m + e for e in movers], m + i, u)
        followers = [inwards[inverse.index[k] - m] * u[k] for k in held]
        # The 1 is for the last equation: the t of the movers add up to 1, so not all are 0.
        columns.append([inwards[i] * v for v in schur + followers] + [Fraction(1)])
    zeros = [Fraction(0)] * len(movers)
    for k in held:
        columns.append([*zeros, *(Fraction(-int(k == other)) for other in held), Fraction(0)])
    goal = [*zeros, *(Fraction(0) for _ in held), Fraction(1)]
    t = nonnegative_combination(columns, goal).coefs
    if t is None:
        return None
    steps = [inwards[i] * v for i, v in zip(movers, t)]
    follow = [dot(steps, column) for column in zip(*responses.values())]
    return {**dict(zip(movers, steps)), **_by_variable(inverse, follow, m)}


def _is_regular_with(inverse: ExactInverse, indices: Sequence[int]) -> bool:
    """Whether the matrix is surely regular with all of these in it; the inverse stays as it is."""
    added = [a for a in indices if inverse.add_if_regular(a)]
    for a in added:
        inverse.remove(a)
    return len(added) == len(indices)


def _schur_column(
    inverse: ExactInverse, rows: Sequence[int], j: int, u: VectorLike
) -> list[Fraction]:
    """Column j of the Schur complement, at these rows; u is the response to j."""
    column: list[Fraction] = []
    for e in rows:
        numbers, denominator = inverse.prepare(e)
        moved: Any = dot([numbers[a] for a in inverse.index], u)
        column.append(Fraction(numbers[j] + moved, denominator))
    return column


def _move_to_bound(form: DualForm, beta: VectorLike, direction: Direction) -> Vector:
    """The beta at the end of the direction, where the first variable meets a bound."""
    change = {k: d for k, d in direction.items() if d != 0}
    ends = {k: form.upper[k] if d > 0 else form.lower[k] for k, d in change.items()}
    t = min((ends[k] - beta[k]) / d for k, d in change.items() if abs(ends[k]) < inf)
    return [v + t * change.get(k, 0) for k, v in enumerate(beta)]
