"""Problems drawn by SplitMix64, as the documents of a question: for all machines, drawn wide.

    Chance    draws, each of a word of the generator or a few
    rows      numbers that are exact and that are not, far from 0, equal, sparse, at both ends of
              the doubles; words for a string kernel
    kernel    every kernel, with parameters that suit the size of the rows
    problem   of a machine, or of a solver that takes some only

What is drawn stays the same for ever: a seed names its questions. So nothing here asks another
module for more than the generator. Some problems have no answer but a refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Any, NamedTuple, TypeVar

from ...numerics.picks import below
from ...numerics.types import Rows

T = TypeVar("T")
Document = dict[str, Any]
MACHINES = ("svc", "nu", "regression", "nu_regression", "one_class", "ball")


class Chance:
    """Draws from the words of a generator."""

    def __init__(self, words: Iterator[int]) -> None:
        self.words = words

    def below(self, n: int) -> int:
        """Draw 0, ..., n - 1."""
        return below(n, self.words)

    def pick(self, values: Sequence[T]) -> T:
        """Draw one of several values."""
        return values[self.below(len(values))]

    def one_in(self, n: int) -> bool:
        """Draw whether what happens once in n times happens."""
        return self.below(n) == 0

    def unit(self) -> float:
        """Draw a double in [0, 1)."""
        return (next(self.words) >> 11) * 2.0**-53

    def around_zero(self) -> float:
        """Draw a double in [-2, 2) that rounds."""
        return self.unit() * 4 - 2

    def power_of_two(self, least: int, most: int) -> float:
        """Draw a power of two."""
        return 2.0 ** (least + self.below(most - least + 1))


class Numbers(NamedTuple):
    """A kind of features: how one is drawn, and how many doublings its size is from 1."""

    draw: Callable[[Chance], float]
    size: int = 1


def _sparse(chance: Chance) -> float:
    """Draw 0 three times in five."""
    return 0.0 if chance.below(5) < 3 else chance.around_zero()


def _numbers(chance: Chance) -> Numbers:
    """Draw a kind of features."""
    scale = chance.below(401) - 200
    kinds: list[tuple[int, Numbers]] = [  # and how often of 32
        (9, Numbers(Chance.around_zero)),
        (6, Numbers(lambda c: (c.below(17) - 8) / 4, 2)),
        (4, Numbers(lambda c: float(c.below(3) - 1))),
        (4, Numbers(_sparse)),
        (3, Numbers(lambda c: 2000.0 + c.below(25), 11)),
        (2, Numbers(lambda c: 1e6 + c.around_zero(), 20)),
        (2, Numbers(lambda c: c.around_zero() * 2.0**scale, abs(scale))),
        (1, Numbers(lambda c: (c.below(9) - 4) * 2.0**-1074, 1074)),
        (1, Numbers(lambda c: c.around_zero() * 2.0**500, 501)),
    ]
    return chance.pick([kind for share, kind in kinds for _ in range(share)])


def rows(chance: Chance, n: int, d: int, draw: Callable[[Chance], float]) -> list[list[float]]:
    """Draw n rows; sometimes from a few different ones."""
    if chance.one_in(6):
        few = [[draw(chance) for _ in range(d)] for _ in range(1 + n // 2)]
        return [list(chance.pick(few)) for _ in range(n)]
    return [[draw(chance) for _ in range(d)] for _ in range(n)]


def size(chance: Chance) -> int:
    """Draw a number of rows: mostly few."""
    return 2 + chance.below(chance.pick([5, 5, 10, 10, 10, 20, 40, 70]))


def width(chance: Chance) -> int:
    """Draw a number of features."""
    return 1 + chance.below(chance.pick([2, 3, 3, 5, 9, 18]))


# ---- kernels


def kernel(chance: Chance, size: int = 1, depth: int = 1, extreme: int = 40) -> Document:
    """Draw the document of a kernel of rows of numbers of this size (see Numbers).

    One gamma in `extreme` is far above 1 or below.
    """
    name = chance.pick(
        ["linear"] * 4 + ["gaussian"] * 4 + ["polynomial"] * 3 + ["sigmoid", "monomial_sum"]
        + (["sum", "product", "multiple"] if depth else [])
    )  # fmt: skip
    if name in ("sum", "product"):
        if size > 100:
            return kernel(chance, size, 0)
        parts = [kernel(chance, size, 0), kernel(chance, size, 0)]
        both: Document = {"name": name, {"sum": "terms", "product": "factors"}[name]: parts}
        return both
    if name == "multiple":
        factor = chance.pick([0.0, 0.1, 0.5, 3.0])
        return {"name": name, "factor": factor, "kernel": kernel(chance, size, 0)}
    return {"name": name, **_parameters(chance, name, size, extreme)}


def _parameters(chance: Chance, name: str, size: int, extreme: int) -> Document:
    """Draw the parameters of a kernel."""
    unit = 1.0 if size > 500 else 2.0 ** -(2 * size if size > 2 else 0)
    gamma = unit * chance.pick([0.1, 0.3, 0.5, 1.0, 2.0])
    degree = chance.pick([1, 2, 2, 3, 4, 7]) if size < 30 else 1
    if chance.one_in(extreme) and size < 30:
        gamma = chance.pick([2.0**-501, 2.0**501, 3 * 2.0**-540]) * chance.pick([1.0, 1.25])
        degree = min(degree, 1 + (gamma < 1))
    of_kernels: dict[str, Document] = {
        "linear": {},
        "gaussian": {"gamma": gamma},
        "polynomial": {"degree": degree, "gamma": gamma, "coef0": chance.pick([0.0, 1.0, 0.1])},
        "sigmoid": {"gamma": gamma, "coef0": chance.pick([0.0, -1.0, 0.3])},
        "monomial_sum": {"degree": degree},
    }
    return of_kernels[name]


# ---- problems


def _any_rows(chance: Chance, n: int, gentle: bool) -> tuple[Document, Document]:
    """Draw {X} and the kernel of n examples: numbers, words, or a Gram matrix."""
    if gentle:
        X = rows(chance, n, width(chance), Chance.around_zero)
        gamma, degree = chance.pick([0.1, 0.5, 2.0]), chance.pick([1, 2])
        named: list[Document] = [
            {"name": "linear"},
            {"name": "gaussian", "gamma": gamma},
            {"name": "polynomial", "degree": degree, "gamma": gamma, "coef0": 1.0},
        ]
        return {"X": X}, chance.pick(named)
    sort = chance.below(24)
    if sort == 0:
        words = ["".join(chance.pick("abc") for _ in range(chance.below(9))) for _ in range(n)]
        return {"X": words}, {"name": "spectrum", "length": 1 + chance.below(3)}
    if sort < 4:
        return {"X": _gram_matrix(chance, n)}, {"name": "precomputed"}
    numbers = _numbers(chance)
    X = rows(chance, n, width(chance), numbers.draw)
    return {"X": X}, kernel(chance, numbers.size)


def _gram_matrix(chance: Chance, n: int) -> list[list[float]]:
    """Draw a symmetric matrix; every second is no matrix of inner products."""
    if chance.one_in(2):
        K = [[chance.around_zero() for _ in range(n)] for _ in range(n)]
        return [[K[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
    X = [[float(chance.below(5) - 2) for _ in range(2)] for _ in range(n)]
    return [[x[0] * z[0] + x[1] * z[1] for z in X] for x in X]


def labels(chance: Chance, X: Rows) -> list[int]:
    """Draw a label for each row, of both kinds: by a line, by chance, or mostly by a line."""
    sort, n = chance.below(4), len(X)
    first = [float(len(x)) if isinstance(x, str) else x[0] for x in X]
    middle = sorted(first)[n // 2]
    y = []
    for value in first:
        by_chance = chance.one_in(2) if sort == 0 else sort == 1 and chance.one_in(8)
        y.append(1 if (value < middle) == by_chance else -1)
    if len(set(y)) == 1:
        y[chance.below(n)] *= -1
    return y


def penalty(chance: Chance) -> float:
    """Draw a penalty, seldom infinite."""
    return chance.pick([0.1, 0.5, 1.0, 1.0, 10.0, 1e4, inf, inf, chance.power_of_two(-60, 60)])


def penalties(chance: Chance, n: int) -> list[float]:
    """Draw a penalty for each example: the same, of two kinds, or different ones."""
    sort, C, other = chance.below(5), penalty(chance), penalty(chance)
    if sort == 0:
        return [chance.pick([C, other]) for _ in range(n)]
    if sort == 1:
        finite = C if C < inf else 1.0
        return [finite * chance.pick([0.25, 1.0, 3.0, 0.7]) for _ in range(n)]
    return [C] * n


def problem(chance: Chance, machine: str = "svc", gentle: bool = False) -> Document:
    """Draw the problem of a machine, its numbers floats.

    gentle: with features and a kernel of ordinary size, which few steps solve
    """
    n = size(chance)
    given, kernel = _any_rows(chance, n, gentle)
    if machine == "svc":
        C = [min(c, 10.0) if gentle else c for c in penalties(chance, n)]
        given.update(y=labels(chance, given["X"]), C=C, kernel=kernel)
        given["bias"] = chance.below(4) > 0
        given["slack"] = "squared" if chance.one_in(3) else "hinge"
        return given
    given = {"form": machine, **given, "kernel": kernel, "weights": _weights(chance, n)}
    return {**given, **_of_machine(chance, machine, given["X"])}


def linear_problem(chance: Chance, slack: str | None = None) -> Document:
    """Draw a problem with the linear kernel and no offset, of this slack, with finite penalties.

    Without a slack that is drawn, too, and only squared slack has finite penalties.
    """
    n = size(chance)
    X = rows(chance, n, width(chance), _numbers(chance).draw)
    C = penalties(chance, n)
    finite, slack = slack is not None, slack or chance.pick(["hinge", "squared"])
    if (finite or slack == "squared") and max(C) == inf:
        C = [min(c, 100.0) for c in C]
    y = labels(chance, X)
    return {"X": X, "y": y, "C": C, "kernel": {"name": "linear"}, "bias": False, "slack": slack}


def _weights(chance: Chance, n: int) -> list[float]:
    """Draw weights, most often 1."""
    if chance.one_in(4):
        return [chance.pick([0.5, 1.0, 2.0, 0.3]) for _ in range(n)]
    return [1.0] * n


def _of_machine(chance: Chance, machine: str, X: Rows) -> Document:
    """Draw what a machine has beside its rows."""
    n, nu = len(X), chance.pick([0.5, 0.25, 0.1, 0.75, 1.0, 0.3, 1 / 3])
    if machine == "nu":
        return {"y": labels(chance, X), "nu": nu}
    if machine == "one_class":
        return {"nu": nu}
    if machine == "ball":
        return {"C": chance.pick([inf, 1.0, 0.5, 2.0 / n, 1.0 / n, 0.9 / n])}
    unit = chance.pick([1.0, 1.0, 1.0, 1.0, chance.power_of_two(-300, 300)])
    values = {"y": _values(chance, X, unit), "C": unit * chance.pick([0.1, 1.0, 10.0, 1e4])}
    if machine == "nu_regression":
        return {**values, "nu": nu}
    return {**values, "epsilon": unit * chance.pick([0.0, 0.05, 0.25, 0.5, 8.0])}


def _values(chance: Chance, X: Rows, unit: float) -> list[float]:
    """Draw values to be predicted, in this unit."""
    if chance.one_in(4):
        return [unit * (chance.below(9) - 4) / 2 for _ in X]
    return [unit * chance.around_zero() for _ in X]
