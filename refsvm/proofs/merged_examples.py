"""A problem with equal examples made one, which is how its optimum is enclosed.

Examples with the same features and the same label, or value, have one loss at any w and offsets.
So they may be made one whose C, or weight, is the sum of theirs, and nothing else changes. Then
the features of the examples left depend on each other by the kernel only, not by repetition.

    groups    for each example left, the indices it stands for
    box       what the bounds of an example are proportional to: its C_i or its weight
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf
from sys import float_info
from typing import Any

from ..kernels.standard import Gaussian, Linear
from ..numerics.intervals import point_interval
from ..numerics.linalg import total
from ..svm.dual_form import DualForm, as_fraction
from ..svm.regression_problem import TubeProblem
from .enclosures import kernel_interval


class MergedProblem:
    """The problem with equal examples made one.

    groups      for each example left, the indices it stands for
    features    and its features and label, or value
    box         and the exact sum of their C or weights
    problem     on floats, where these sums may be rounded
    given       the problem before
    """

    def __init__(self, problem: Any) -> None:
        places: dict[Any, list[int]] = {}
        labels = getattr(problem, "y", [None] * problem.n)
        for i, (x, y) in enumerate(zip(problem.points, labels)):
            places.setdefault((_feature_key(problem.kernel, x), y), []).append(i)
        self.given, self.groups, self.features = problem, list(places.values()), list(places)
        self.given_box = getattr(problem, problem.box)
        self.box = [_sum_of_box([self.given_box[i] for i in group]) for group in self.groups]
        most = Fraction(float_info.max)
        self.problem = self.with_box([float(min(c, most)) if c < inf else inf for c in self.box])

    def with_box(self, box: list[Any]) -> Any:
        """The problem of the examples left, with these C or weights."""
        return self.given.of_examples([group[0] for group in self.groups], box)

    def exact(self, kernel: Any) -> Any:
        """The problem of the examples left, on Fractions, with [i] for row i."""
        rows = [[Fraction(i)] for i in range(len(self.groups))]
        return self.with_box(self.box).with_rows(rows, kernel, Fraction)

    def divide(self, alpha: Any) -> list[Any]:
        """The alpha of the examples as given: each group's is divided in proportion to the box.

        If a C is infinite, the first of those takes all: then no slack is allowed, and with
        squared slack a finite C counts for slack only.
        """
        parts = [Fraction(0)] * self.given.n
        for group, a, c in zip(self.groups, alpha, self.box):
            if c == inf:
                parts[self.first_unlimited(group)] = a
            else:
                for i in group:
                    parts[i] = a * Fraction(self.given_box[i]) / c
        return parts

    def divide_otherwise(
        self, alpha: Any, movable: Sequence[bool], limits: Sequence[Any]
    ) -> list[Any] | None:
        """Another alpha, as good as divide(alpha); None if no group in `movable` has one.

        movable: whether the alpha of a group is off its bounds; limits: its largest size.
        """
        parts, box = self.divide(alpha), self.given_box
        squared = getattr(self.given, "slack", "") == "squared"
        for group, may, a, limit, c in zip(self.groups, movable, alpha, limits, self.box):
            takers = [i for i in group if box[i] == inf] if squared else group
            if may and len(takers) > 1:
                i = max(takers, key=lambda i: abs(parts[i]))
                j = next(j for j in takers if j != i)
                reach = limit * Fraction(box[j]) / c if c < inf else as_fraction(box[j])
                # Half of what can move from i to j, so that both stay off their bounds; from i
                # nothing can where all are 0, and then i goes below 0 by as much.
                part = min(abs(parts[i]) or reach, reach - abs(parts[j])) / 2
                change = part if a >= 0 else -part
                other = list(parts)
                other[i], other[j] = parts[i] - change, parts[j] + change
                return other if a != 0 else self.within_tube(parts, other)
        return None

    def within_tube(self, parts: list[Any], other: list[Any]) -> list[Any]:
        """An alpha on the way from these parts to the other, for which the tube stays closed."""
        if not isinstance(self.given, TubeProblem):
            return other
        rows = [[Fraction(i)] for i in range(self.given.n)]
        return self.given.with_rows(rows, Linear(), Fraction).within_tube(parts, other)

    def unmerged(self, values: Iterable[Any]) -> list[Any]:
        """One of these values an example, from one a group."""
        parts = [None] * self.given.n
        for group, value in zip(self.groups, values):
            for i in group:
                parts[i] = value
        return parts

    def first_unlimited(self, group: list[int]) -> int:
        """The first of a group whose C is infinite."""
        return next(i for i in group if self.given_box[i] == inf)


def _feature_key(kernel: Any, x: Any) -> Any:
    """What stands for the features of x: x itself, but one thing for all that have none.

    Of a Gaussian no x has none, as k(x, x) is 1.
    """
    if type(kernel) is Gaussian:
        return tuple(x)
    return tuple(x) if kernel_interval(kernel, x, x, 0) != point_interval(0) else None


def _sum_of_box(box: Sequence[Any]) -> Any:
    """The exact sum of some C or weights; inf if one of them is."""
    return inf if inf in box else total(map(Fraction, box))


def find_farkas(merged: MergedProblem) -> list[Fraction] | None:
    """Multipliers that prove, by equal rows, that there is no hard margin (S17.6); else None.

    Two examples with the same features, other labels, and no slack allowed: the sum of their
    y phi(x) is zero. Without an offset one example without features is enough, as its f is 0.
    """
    given = merged.given
    strict = {
        key: merged.first_unlimited(group)
        for key, group, c in zip(merged.features, merged.groups, merged.box)
        if c == inf
    }
    for (x, y), i in strict.items():
        both = (x, -y) in strict
        if both or x is None and not given.bias:
            q = [Fraction(0)] * given.n
            q[i] = Fraction(1)
            if both:
                q[strict[x, -y]] = Fraction(1)
            return q
    return None


def find_cancelling(merged: MergedProblem, form: DualForm) -> list[Fraction] | None:
    """Feasible variables with w = 0, if equal rows show that there are any; else None (S17.8).

    As much is taken from one class as from the other, example by example with the same features;
    but examples without features, which add nothing to w, are taken first.
    """
    places: dict[Any, list[int]] = {}
    for k, i in enumerate(range(len(form.target)) if form.of is None else form.of):
        places.setdefault(merged.features[i][0], []).append(k)
    ends = [high or low for low, high in zip(form.lower, form.upper)]  # not 0; signs tell classes
    without = places.pop(None, [])
    pairs = [pair for pair in places.values() if len(pair) == 2]
    x: list[Any] = [Fraction(0)] * len(ends)
    size = max(form.sums)
    rooms = [total(abs(ends[k]) for k in without if k in group) for group in form.groups]
    matched = missing = size - min(min(rooms), size)
    for pair in pairs:
        part = min(missing, *(abs(ends[k]) for k in pair))
        missing -= part
        for k in pair:
            x[k] = part if ends[k] > 0 else -part
    if missing > 0:
        return None
    for k in without:
        x[k] = size - matched if ends[k] > 0 else matched - size
    return x
