"""Is there a machine at all? If multipliers make w exactly 0, there is none.

Where tol is a multiple of rho (nu-SVC, one class), rho is 0 if and only if some multipliers within
their bounds, which have the sums of their groups, make

    sum beta_i phi(x_i) = 0

that is, if the reduced hulls meet, or the only one holds the origin. On floats the multipliers are
rounded, and this sum is 0 only nearly. So "degenerate" is said if such multipliers are found in
Fractions: the active-set method goes from those on floats to the optimum of their dual, which as a
rule takes one step. All that is asked of them is asked again of what it finds.

Of few examples all are tried, and then it is decided. Of more those with a multiplier, and only
the farthest from their bounds may move: rounding is made good by any of them.

A proof must end, and the fractions of a polynomial of high degree are long: equations with k
unknowns, of numbers of b bits, have answers of k b bits, which take k (k b)^2 products of bits.
So these are counted (`MAX_WORK`); what takes more proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from ..numerics.exact_sums import integer_dot, scaled_integers
from ..svm.dual_form import DualForm, Numbers, is_feasible, restore_sums
from ..svm.training_problem import TrainingProblem
from .qp_active_set import ActiveSetMethod, BoundedQP
from .semidefiniteness import exact_rows, is_semidefinite

MAX_MOVABLE = 60  # variables
MAX_EXAMPLES = 500  # with a multiplier: of more nothing is proved
MAX_MOVES = 200  # of the active-set method
MAX_BITS = 2**29  # of all rows together
MAX_WORK = 2**37  # products of bits: a few seconds


def is_proved_degenerate(problem: TrainingProblem, form: DualForm, beta: Numbers) -> bool:
    """Whether multipliers found make w exactly 0 (S10.4, S11.6, S30.10). O(s^2) for s examples.

    beta: the variables of the form at which rho is 0 as far as their numbers show
    """
    if problem.kind is not float:
        return is_semidefinite(problem)
    few = len(beta) <= MAX_MOVABLE
    chosen = [k for k, x in enumerate(beta) if few or x != 0]
    if len(chosen) > MAX_EXAMPLES:
        return False
    part = _part_of(form, chosen)
    start = restore_sums(part, [Fraction(beta[k]) for k in chosen], Fraction)
    if not is_feasible(part, start):  # these alone do not reach the sums
        return False
    row = cache(exact_rows(problem, [k if form.of is None else form.of[k] for k in chosen]))
    bits = _longest(row, len(chosen))
    if bits is None:
        return False
    if not is_semidefinite(problem):  # of another matrix no method surely ends, either
        return False
    A = [[Fraction(k in g) for k in range(len(chosen))] for g in part.groups]
    lower, upper = _movable_bounds(part, start)
    program = BoundedQP(row, part.target, A, list(part.sums), lower, upper)
    x = _minimised(ActiveSetMethod(program, start, Fraction), bits)
    return x is not None and is_feasible(part, x) and _vanishes(row, x)


def _longest(row: Callable[[int], Any], n: int) -> int | None:
    """How many bits the longest number of a matrix has; None if all may be more than MAX_BITS."""
    bits = 0
    for numbers, denominator in map(row, range(n)):
        bits = max(bits, denominator.bit_length(), *(v.bit_length() for v in numbers))
        if n * n * bits > MAX_BITS:
            return None
    return bits


def _minimised(method: ActiveSetMethod, bits: int) -> Numbers | None:
    """The x that a method comes to with MAX_MOVES; None if that takes more than MAX_WORK."""
    work, status = 0, None
    while status is None:
        k = len(method.inverse.index)
        longest = max(max(v.numerator.bit_length(), v.denominator.bit_length()) for v in method.x)
        work += k * (k * bits + longest) ** 2
        if work > MAX_WORK:
            return None
        status = method.next_move(Fraction(0), MAX_MOVES)
    return method.x


def _part_of(form: DualForm, chosen: list[int]) -> DualForm:
    """The form of these variables alone, on Fractions."""
    groups, end = [], 0
    for group in form.groups:
        begin, end = end, end + len([k for k in chosen if k in group])
        groups.append(range(begin, end))
    return form._replace(
        of=None,
        target=[Fraction(0) for _ in chosen],
        lower=[Fraction(form.lower[k]) for k in chosen],
        upper=[Fraction(form.upper[k]) for k in chosen],
        groups=groups,
    )


def _movable_bounds(form: DualForm, x: Numbers) -> tuple[Numbers, Numbers]:
    """The bounds: as they are of the variables farthest from them, x itself of the others."""
    rooms = [min(v - low, high - v) for v, low, high in zip(x, form.lower, form.upper)]
    some = sorted(range(len(x)), key=lambda k: -rooms[k])[:MAX_MOVABLE]
    lower, upper = list(x), list(x)
    for k in some:
        lower[k], upper[k] = form.lower[k], form.upper[k]
    return lower, upper


def _vanishes(row: Callable[[int], Any], x: Numbers) -> bool:
    """Whether sum_j x_j K_ij is 0 for every i."""
    numbers = scaled_integers(x).numbers
    return not any(integer_dot(row(i).numbers, numbers) for i in range(len(x)))
