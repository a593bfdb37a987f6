"""Questions without end, drawn by SplitMix64: the k-th of a seed is the same in every version.

    drawn        the questions of a type and a seed, as JSON
    question_of  the one that an id names: "smo 7 12/1000", type, seed, number and last number

Each question has a generator of its own, whose seed is the first word of the seed's generator plus
its number, so that one can be drawn without those before it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from ...numerics.picks import WORD, splitmix64
from ...numerics.quoting import quote
from ...numerics.validation import one_of
from ..cases.number_json import hexadecimal
from .problem_draws import (
    MACHINES,
    Chance,
    Document,
    kernel,
    labels,
    linear_problem,
    problem,
    rows,
    size,
    width,
)

ID = re.compile(r"([a-z_:]+) ([0-9]{1,20}) ([1-9][0-9]{0,17})/([1-9][0-9]{0,17})")
LAST = 10**18 - 1
Draw = Callable[[Chance], Document]


def drawn(kind: str, seed: int, count: int, first: int = 1) -> Iterator[Document]:
    """Yield questions: those of these numbers, from the first on.

    Parameters
    ----------
    kind : str
        a key of DRAWS: a type, or one with its machine, as smo:regression
    seed : int
        0, ..., 2^64 - 1
    count, first : int
        at least 1; the last number is at most 10^18 - 1

    Examples
    --------
    >>> next(drawn("power", 17, 1))
    {'id': 'power 17 1/1', 'type': 'power', 'given': {'b': '0x1.8000000000000p+0', 'n': 3}}
    """
    last = first + count - 1
    for number in range(first, last + 1):
        yield question_of(f"{one_of(kind, DRAWS, 'type')} {seed} {number}/{last}")


def question_of(name: str) -> Document:
    """Return the question with this id; ValueError for what is none."""
    kind, seed, number, _ = parts_of(name)
    words = splitmix64((next(splitmix64(seed)) + number) & WORD)
    given = DRAWS[kind](Chance(words))
    return {"id": name, "type": kind.partition(":")[0], "given": hexadecimal(given)}


def parts_of(name: Any) -> tuple[str, int, int, int]:
    """Return type, seed, number and last number of an id; ValueError for what is none."""
    found = ID.fullmatch(name) if isinstance(name, str) else None
    if found is None or found[1] not in DRAWS or int(found[2]) > WORD:
        raise ValueError(f"id is {quote(name)}, which no drawn question has")
    return found[1], int(found[2]), int(found[3]), int(found[4])


# ---- numbers and orders


def _double(chance: Chance) -> float:
    """Draw any double: by its bits, one that functions are used at, or one near 1."""
    sort = chance.below(8)
    if sort == 0:
        value: float = struct.unpack("<d", struct.pack("<Q", next(chance.words)))[0]
        return value
    if sort == 1:
        return chance.pick([0.0, -0.0, inf, -inf, float("nan"), 2.0**-1074, -(2.0**-1074)])
    if sort < 4:
        return chance.unit() * 1456 - 746
    return chance.around_zero() * chance.power_of_two(-8, 5)


def _power(chance: Chance) -> Document:
    """Draw a base and an exponent."""
    base = chance.pick([1.5, chance.around_zero(), 1 + chance.around_zero() / 1024])
    return {"b": base, "n": chance.below(chance.pick([4, 8, 16, 64, 1100]))}


def _seed(chance: Chance) -> str:
    """Draw a seed."""
    return str(next(chance.words))


def _below(chance: Chance) -> Document:
    """Draw a bound for draws."""
    n = 1 + (next(chance.words) >> chance.below(64))
    return {"n": str(n), "seed": _seed(chance), "count": 1 + chance.below(20)}


def _folds(chance: Chance) -> Document:
    """Draw a number of rows and of parts."""
    n = 2 + chance.below(40)
    return {"n": n, "k": 2 + chance.below(n - 1), "seed": _seed(chance)}


def _counted(name: str, most: int, *fixed: str) -> Draw:
    """Return what draws n, a count of this name and, of these, a seed."""

    def draw(chance: Chance) -> Document:
        given: Document = {"n": 1 + chance.below(30), name: chance.below(most + 1)}
        return {**given, **{key: _seed(chance) for key in fixed}}

    return draw


# ---- kernels, conditions, solvers


def _kernel(chance: Chance) -> Document:
    """Draw a kernel and two rows of up to 33 features, most of which round."""
    if chance.one_in(12):
        x, z = ("".join(chance.pick("ab") for _ in range(chance.below(12))) for _ in "xz")
        return {"kernel": {"name": "spectrum", "length": 1 + chance.below(4)}, "x": x, "z": z}
    x, z = rows(chance, 2, 1 + chance.below(33), Chance.around_zero)
    return {"kernel": kernel(chance, extreme=8), "x": x, "z": z}


def _multipliers(chance: Chance, bounds: list[float], outside: bool) -> list[float]:
    """Draw a multiplier for each bound; outside: sometimes below 0, or above."""
    shares = [0.0, 0.0, 1.0, 1.0, 0.5, 0.3, *([-0.5, 1.5] if outside else [])]
    return [chance.pick(shares) * min(bound, 8.0) for bound in bounds]


def _bounds(*machines: str) -> Draw:
    """Return what draws a problem of these machines, and multipliers."""

    def draw(chance: Chance) -> Document:
        machine = chance.pick(machines)
        if machine == "svc":
            return _conditions(chance)
        given = problem(chance, machine)
        bounds = [given.get("C", 1.0) * w for w in given["weights"]]
        alpha = _multipliers(chance, bounds, chance.one_in(4))
        if machine.endswith("regression"):
            alpha = [chance.pick([1, -1]) * a for a in alpha]
        return {"problem": given, "alpha": alpha, "b": None}

    return draw


def _conditions(chance: Chance) -> Document:
    """Draw a problem of classification, multipliers, and an offset or none."""
    given = problem(chance)
    alpha = _multipliers(chance, given["C"], chance.one_in(3))
    b = chance.pick([None, None, 0.0, chance.around_zero()])
    return {"problem": given, "alpha": alpha, "b": b if given["bias"] else None}


def _solver(
    *machines: str, bias: bool | None = None, members: bool = False, slow: bool = False
) -> Draw:
    """Return what draws the arguments of a solver of these machines."""

    def draw(chance: Chance) -> Document:
        machine = chance.pick(machines)
        limits = _limits(chance)
        given = problem(chance, machine, gentle="max_iter" not in limits)
        if bias is not None:
            given["bias"] = bias
        if slow:
            limits.setdefault("max_iter", 400)
        arguments: Document = {"problem": given, **limits}
        if members:
            arguments["members"] = 2 + chance.below(chance.pick([3, 8, 20]))
        if machine == "svc" and chance.one_in(6):
            arguments["start"] = _multipliers(chance, given["C"], outside=False)
        return arguments

    return draw


def _limits(chance: Chance) -> Document:
    """Draw a tolerance, and how many steps are allowed: seldom none is said."""
    if chance.one_in(4):
        return {"tol": chance.pick([2.0**-10, 1e-3, 1e-6])}
    tol = chance.pick([2.0**-20, 2.0**-20, 1e-3, 1e-9, 0.5, 0.0])
    return {"tol": tol, "max_iter": chance.pick([0, 1, 2, 5, 40, 40, 200, 200])}


def _coordinate_descent(chance: Chance) -> Document:
    """Draw the arguments of dual_coordinate_descent."""
    given = linear_problem(chance)
    n = len(given["y"])
    picks = [chance.below(n) for _ in range(n * (1 + chance.below(12)))]
    tol = chance.pick([2.0**-10, 0.1, 1e-6, 0.0])
    arguments: Document = {"problem": given, "tol": tol, "picks": picks}
    if chance.one_in(4):
        arguments["start"] = _multipliers(chance, given["C"], outside=False)
    return arguments


def _primal(slack: str, may_start: bool = False) -> Draw:
    """Return what draws the arguments of a solver of the primal: newton or proximal_point."""

    def draw(chance: Chance) -> Document:
        given = linear_problem(chance, slack)
        tol = chance.pick([2.0**-10, 1e-6, 0.0])
        arguments: Document = {"problem": given, "tol": tol, "max_iter": chance.pick([1, 5, 40])}
        if may_start and chance.one_in(4):
            arguments["start"] = [chance.around_zero() for _ in given["X"][0]]
        if chance.one_in(3):  # so many columns that steps are nearly right
            more = 34 + chance.below(4)
            given["X"] = [
                [*x, *(chance.pick([0.0, chance.around_zero()]) for _ in range(more))]
                for x in given["X"]
            ]
            if "start" in arguments:
                arguments["start"] += [0.0] * more
        return arguments

    return draw


# ---- learners, probabilities, votes


def _data(chance: Chance) -> Document:
    """Draw rows, and examples to look at."""
    n = size(chance)
    X = rows(chance, n, width(chance), Chance.around_zero)
    picks = [chance.below(n) for _ in range(1 + chance.below(3 * n))]
    return {"X": X, "picks": picks}


def _learner(*names: str, regression: bool = False) -> Draw:
    """Return what draws the arguments of a learner: those named, beside X, y, picks."""

    def draw(chance: Chance) -> Document:
        given = _data(chance)
        X = given["X"]
        given["y"] = [chance.around_zero() for _ in X] if regression else labels(chance, X)
        more: Document = {
            "kernel": kernel(chance),
            "lam": chance.pick([0.25, 1.0, 0.1, 0.01]),
            "rate": chance.pick([0.125, 0.1, 1.0, 0.01]),
            "steps": chance.below(9),
        }
        if "steps" in names:
            del given["picks"]
        return {**given, **{name: more[name] for name in names}}

    return draw


def _calibrate(chance: Chance) -> Document:
    """Draw decisions and labels that these speak for, more or less."""
    n, scale = size(chance) + 1, chance.pick([1.0, 1.0, 1e-3, 1e6])
    decisions = [scale * chance.around_zero() for _ in range(n)]
    noise = chance.pick([0.0, 0.5, 2.0])
    y = [1 if f / scale + noise * chance.around_zero() > 0 else -1 for f in decisions]
    if len(set(y)) == 1:
        y[0] *= -1
    return {"decisions": decisions, "y": y}


def _sigmoid(chance: Chance) -> Document:
    """Draw a sigmoid and decisions."""
    A, B = (chance.around_zero() * chance.pick([1.0, 1.0, 50.0]) for _ in "AB")
    return {"A": A, "B": B, "decisions": [8 * chance.around_zero() for _ in range(5)]}


def _couple(chance: Chance) -> Document:
    """Draw the probabilities of pairs, which add up to 1 without rounding."""
    k = 2 + chance.below(5)
    R = [[0.0] * k for _ in range(k)]
    for i in range(k):
        for j in range(i + 1, k):
            R[i][j] = chance.pick([chance.below(65) / 64, (next(chance.words) >> 12) * 2.0**-52])
            R[j][i] = 1 - R[i][j]
    return {"R": R}


def _pairs(chance: Chance, scale: float) -> tuple[int, list[float]]:
    """Draw a number of classes, and a number for each pair."""
    k = 2 + chance.below(4)
    return k, [scale * chance.around_zero() for _ in range(k * (k - 1) // 2)]


def _class_probabilities(chance: Chance) -> Document:
    """Draw the decisions and sigmoids of pairs."""
    k, decisions = _pairs(chance, chance.pick([1.0, 8.0]))
    A, B = ([chance.around_zero() for _ in decisions] for _ in "AB")
    return {"decisions": decisions, "A": A, "B": B, "k": k}


def _votes(chance: Chance) -> Document:
    """Draw the decisions of pairs, some of them 0."""
    k, decisions = _pairs(chance, 1.0)
    return {"decisions": [0.0 if chance.one_in(6) else f for f in decisions], "k": k}


def _residuals(chance: Chance) -> Document:
    """Draw residuals, some with an outlier, in any unit."""
    unit = chance.pick([1.0, chance.power_of_two(-1000, 900)])
    found = [unit * chance.around_zero() for _ in range(size(chance))]
    return {"residuals": [*found, 60 * unit] if chance.one_in(3) else found}


# ---- tables


FIELDS = ("1", "2.5", "-3", "1e3", "0.1", "7", ".5", "40", "1e-7", "12345.678")
WORDS = ("a", "b", "A", "of  both", "low", "high", "\u00e9", "none")
DAYS = ("2000-02-29", "1969-12-31", "2024/05/01", "1999-01-31")
GAPS = (None, "", "?", "NA", "nan")


def _table(chance: Chance) -> Document:
    """Draw a table of columns of one kind each, with gaps, and rows to prepare."""
    n = 2 + chance.below(30)
    columns = [chance.pick([FIELDS, FIELDS, WORDS, DAYS]) for _ in range(1 + chance.below(5))]

    def row() -> list[Any]:
        return [chance.pick(GAPS if chance.one_in(8) else fields) for fields in columns]

    names = [f"column {k}" for k in range(1, len(columns) + 1)]
    table = {"names": names, "rows": [row() for _ in range(n)]}
    return {**table, "new": [row() for _ in range(2)]}


def _fold(chance: Chance) -> Document:
    """Draw a table, and the rows of a fold."""
    table = _table(chance)
    part = [i for i in range(len(table["rows"])) if not chance.one_in(3)]
    return {**table, "part": part or [0]}


def _any_table(chance: Chance) -> Document:
    """Draw a table that may have to be refused."""
    table = _table(chance)
    rows = [[chance.pick([field, "<5"]) if field == "1" else field for field in row]
            for row in table["rows"]]  # fmt: skip
    return {"names": table["names"], "rows": rows}


DRAWS: dict[str, Draw] = {
    "exp": lambda chance: {"x": _double(chance)},
    "tanh": lambda chance: {"x": _double(chance)},
    "power": _power,
    "words": lambda chance: {"seed": _seed(chance), "count": 8},
    "units": lambda chance: {"seed": _seed(chance), "count": 8},
    "below": _below,
    "shuffle": lambda chance: {"n": 1 + chance.below(60), "seed": _seed(chance)},
    "passes": _counted("times", 3),
    "shuffled_passes": _counted("times", 3, "seed"),
    "uniform": _counted("steps", 40, "seed"),
    "folds": _folds,
    "kernel": _kernel,
    "kkt": _conditions,
    "gap_bounds": _bounds(*MACHINES),
    **{f"gap_bounds:{machine}": _bounds(machine) for machine in MACHINES},
    "votes": _votes,
    "smo": _solver("svc", *MACHINES),
    **{f"smo:{machine}": _solver(machine) for machine in MACHINES},
    "decomposition": _solver("svc", *MACHINES, members=True),
    **{f"decomposition:{machine}": _solver(machine, members=True) for machine in MACHINES},
    "coordinate_ascent": _solver("svc", bias=False, slow=True),
    "projected_gradient": _solver("svc", slow=True),
    "active_set": _solver("svc"),
    "dual_coordinate_descent": _coordinate_descent,
    "newton": _primal("squared", may_start=True),
    "proximal_point": _primal("hinge"),
    "pegasos": _learner("lam"),
    "kernel_pegasos": _learner("kernel", "lam"),
    "perceptron": _learner(),
    "kernel_perceptron": _learner("kernel"),
    "lms": _learner("rate", "steps", regression=True),
    "stochastic_lms": _learner("rate", regression=True),
    "kernel_lms": _learner("kernel", "rate", "steps", regression=True),
    "stochastic_kernel_lms": _learner("kernel", "rate", regression=True),
    "calibrate": _calibrate,
    "sigmoid": _sigmoid,
    "couple": _couple,
    "class_probabilities": _class_probabilities,
    "laplace_scale": _residuals,
    "preparation": _table,
    "refitted": _fold,
    "refusal": _any_table,
}
