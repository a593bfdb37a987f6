"""Late answers: in which order cases are asked, and which are given up for late ones.

    kind      the sort of problem and its kernel: cases are compared with others of their kind
    reach     log2 of C times the largest kernel value, roughly: a long way for multipliers to go
    late      no answer within the deadline

A case is given up when two of its kind came late, it is no easier than these, and none that was no
easier was answered. So a program that hangs on two examples is asked about three, and one that is
slow at C = 2^24 is asked all other penalties. The transformed problems of check G5 are counted
apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log2
from typing import NamedTuple

from ...svm.problem import Problem
from ..cases import Case
from ..protocol import kernel_document
from ..protocol.forms import bounds_of

PROBLEMS = ("soft margin", "hard margin", "no hard margin")
FIRST_PROBLEMS = 8  # problems: if none of so many is answered in time, no more is asked
FEWEST_LATE = 2  # cases of a kind, no harder than one that is given up
PATIENCE = 12  # late answers of all kinds, after which one of the kind is enough


class Traits(NamedTuple):
    """What decides how long an answer may take."""

    sort: str
    kernel: str = ""
    examples: int = 0
    penalty: float = 0.0  # the largest C that is finite
    size: float = 0.0  # the largest number of X

    @property
    def kind(self) -> tuple[str, str]:
        """The sort of problem and its kernel."""
        return self.sort, self.kernel

    @property
    def reach(self) -> float:
        """The logarithm of how far multipliers may have to go."""
        bounded = self.kernel in ("Gaussian", "Sigmoid")
        return _log2_of(self.penalty) + (0.0 if bounded else 2 * _log2_of(self.size))


def _log2_of(value: float) -> float:
    """Return the logarithm of a size; of none it is 0."""
    return log2(value) if value > 0 else 0.0


def traits_of(case: Case) -> Traits:
    """Return the traits of a case."""
    problem = case.problem
    if problem is None:
        return Traits("invalid input")
    penalties = bounds_of(problem)
    sort = "soft margin"
    if inf in penalties and isinstance(problem, Problem):
        none = case.optimum is not None and case.optimum.status == "infeasible"
        sort = "no hard margin" if none else "hard margin"
    kernel = type(problem.kernel).__name__
    if kernel_document(problem.kernel) is None:
        kernel = "Precomputed"  # it is sent as its Gram matrix
    rows = [] if isinstance(problem.X[0], str) else problem.X
    return Traits(
        sort,
        kernel,
        problem.n,
        max((float(c) for c in penalties if c != inf), default=0.0),
        float(max((abs(v) for row in rows for v in row), default=0)),
    )


def _is_no_easier(one: Traits, other: Traits) -> bool:
    """Return whether a case has as many examples as another, as large a C and as large a reach."""
    return (
        one.examples >= other.examples
        and one.penalty >= other.penalty
        and one.reach >= other.reach
    )


def asking_order(names: Sequence[str], traits: Sequence[Traits]) -> list[str]:
    """Return the names with the easiest two of each group first: of a kind and a size.

    >>> easy, hard = Traits("soft margin", "Linear", 2, 1.0), Traits("soft margin", "Linear", 9)
    >>> asking_order(["a", "b", "c", "d"], [easy, easy, easy, hard])
    ['a', 'd', 'b', 'c']
    """
    groups: dict[object, list[tuple[float, int]]] = {}
    for k, each in enumerate(traits):
        if each.sort in PROBLEMS:
            size = (each.examples - 1).bit_length()
            groups.setdefault((each.kind, size), []).append((each.reach, k))
    easiest = [[k for _, k in sorted(group)[:2]] for group in groups.values()]
    first = [group[rank] for rank in range(2) for group in easiest if rank < len(group)]
    chosen = set(first)
    return [names[k] for k in [*first, *(k for k in range(len(names)) if k not in chosen)]]


class LateAnswers:
    """What was asked, whether it came late, and what is given up for that."""

    def __init__(self) -> None:
        self.known: list[tuple[Traits, bool]] = []

    def note(self, traits: Traits, is_late: bool) -> None:
        """Count what was asked, and whether it came late."""
        self.known.append((traits, is_late))

    def reason_to_give_up(self, traits: Traits) -> str | None:
        """Return why a case is not to be asked; None if it is."""
        problems = [is_late for other, is_late in self.known if other.sort in PROBLEMS]
        if len(problems) >= FIRST_PROBLEMS and all(problems):
            return f"none of the first {FIRST_PROBLEMS} problems was answered in time"
        if self.is_no_easier_than_late_ones(traits):
            kind = ", ".join(filter(None, traits.kind))
            return f"others of its kind ({kind}), no harder, came too late"
        return None

    def is_no_easier_than_late_ones(self, traits: Traits) -> bool:
        """Return whether enough came late that are no harder, and no answer speaks against these.

        That is an answer to a problem that was no easier. At the end of all patience it is not
        heard.
        """
        count = [is_late for _, is_late in self.known].count(True)
        alike = [(other, is_late) for other, is_late in self.known if other.kind == traits.kind]
        late = [other for other, is_late in alike if is_late and _is_no_easier(traits, other)]
        if count >= 2 * PATIENCE:
            return bool(late)
        answered = [other for other, is_late in alike if not is_late]
        late = [one for one in late if not any(_is_no_easier(other, one) for other in answered)]
        enough = FEWEST_LATE if count < PATIENCE else 1
        sizes = {other.examples for other in late}  # if all have two, they say nothing of three
        return len(late) >= enough and (len(sizes) > 1 or traits.examples in sizes)
