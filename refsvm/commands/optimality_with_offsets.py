"""How far multipliers and offsets of nu, regression and one class are from the optimum.

    variables, r, lam      see svm/dual_form.py
    unit                   what tol is a multiple of: rho, or half the spread of the values
    rounding               half a unit in the last digit of a file's numbers, in proportion to them

Four things are asked of an answer that was trained to a tolerance tol:

    alpha     each within its bounds                  each sum is right, within rounding
    gap       at most tol * unit * the sum of all that variables may differ by
    lam       m - tol * unit <= lam <= M + tol * unit of each group

Each residual is then at most tol * unit on the wrong side, which bounds the gap as in
optimality.py.
"""

from typing import Any, NamedTuple

from ..numerics.linalg import total
from ..svm.dual_form import exact_total
from ..svm.nu_problem import NuProblem
from ..svm.one_class_problem import OneClassProblem
from ..svm.regression_problem import NuRegressionProblem, RegressionProblem
from .console import number
from .optimality import Verdict


class Words(NamedTuple):
    """What is said of a machine: its conditions, what the sums are of, its lam, its unit."""

    bounds: str
    grows: str  # what holds of an example whose multiplier may grow
    shrinks: str
    sums: tuple
    lam: tuple
    unit: str


NU = Words(
    "alpha from 0 to its bound",
    "y f >= rho where alpha < its bound",
    "y f <= rho where alpha > 0",
    ("alpha, y = +1", "-alpha, y = -1"),
    ("b - rho", "b + rho"),
    "rho",
)
TUBE = Words(
    "|alpha| at most C",
    "|y - f| <= epsilon where |alpha| < C",
    "|y - f| >= epsilon where alpha is not 0",
    ("alpha",),
    ("b",),
    "half the spread of y",
)
WORDS = {
    NuProblem: NU,
    RegressionProblem: TUBE,
    NuRegressionProblem: TUBE._replace(
        sums=("alpha above 0", "alpha below 0"), lam=("b + epsilon", "b - epsilon")
    ),
    OneClassProblem: Words(
        "alpha from 0 to 1",
        "f >= 0 where alpha < 1",
        "f <= 0 where alpha > 0",
        ("alpha",),
        ("-rho",),
        "rho",
    ),
}


class JudgedExample(NamedTuple):
    """By how much an example breaks the conditions; f is its decision value."""

    index: int  # type: ignore[assignment]  # hides tuple.index
    alpha: Any
    f: Any
    bounds: Any
    grows: Any
    shrinks: Any

    def violation(self):
        """Return by how much an example violates its conditions, at worst."""
        return max(self.bounds, self.grows, self.shrinks)


class MeasuredWithOffsets(NamedTuple):
    """An answer with its primal, dual and conditions."""

    words: Words
    report: Any  # the KKT of kkt_conditions.py
    limits: list  # the largest |alpha| of each example
    lam: list
    off: list  # by how much the sum of each group is wrong
    size: Any  # the sum of |alpha|
    primal: Any
    dual: Any
    unit: Any
    room: Any  # the sum of all that variables may differ by
    examples: list


def words_of(problem):
    """Return the Words of a problem of either library."""
    return next(words for known, words in WORDS.items() if isinstance(problem, known))


def _limits_of(problem):
    """Return the largest |alpha| of each example."""
    is_tube = hasattr(problem, "limits")
    return problem.limits() if is_tube else problem.example_weights


def measure_with_offsets(computed_by, problem, alpha, offsets):
    """Measure alpha and offsets; computed_by is the library of the problem (engine.py)."""
    point = problem.at(alpha, offsets)
    problem, form, variables, lam = point.problem, point.form, point.beta, point.lam
    report = computed_by.kkt(problem, alpha, offsets)
    parts = [(variables[group.start : group.stop], s) for group, s in zip(form.groups, form.sums)]
    return MeasuredWithOffsets(
        words_of(problem),
        report,
        _limits_of(problem),
        lam,
        off=[problem.kind(exact_total(part) - s) for part, s in parts],
        size=total(map(abs, problem.beta(alpha))),
        primal=point.primal(),
        dual=point.dual(),
        unit=form.unit(lam, point.w_norm2),
        room=problem.kind(exact_total(form.upper) - exact_total(form.lower)),
        examples=_examples_of(form, report.rows, point.residuals(), alpha, total(lam) / len(lam)),
    )


def _examples_of(form, rows, r, alpha, b):
    """Return a JudgedExample for each, from what its variables break; b: the offset of f."""
    found = {}
    for row, target, residual, upper in zip(rows, form.target, r, form.upper):
        grows, shrinks = (row.long, row.short) if upper == 0 else (row.short, row.long)
        old = found.get(row.index) or JudgedExample(row.index, 0, 0, 0, 0, 0)
        found[row.index] = JudgedExample(
            row.index,
            alpha[row.index],
            target - residual + b,
            max(old.bounds, row.below, row.above),
            max(old.grows, grows),
            max(old.shrinks, shrinks),
        )
    return [found[i] for i in sorted(found)]


def condition_rows_with_offsets(found, tol):
    """Return rows of a table: each condition, how many it concerns, how many break it, how far."""
    words, allowed = found.words, tol * found.unit
    rows = [["condition", "examples", "broken", "by > tol", "at worst by"]]
    may_grow = [abs(e.alpha) < limit for e, limit in zip(found.examples, found.limits)]
    for field, concerned in (
        ("bounds", len(found.examples)),
        ("grows", may_grow.count(True)),
        ("shrinks", len([e for e in found.examples if e.alpha != 0])),
    ):
        amounts = [getattr(example, field) for example in found.examples]
        rows.append(
            [
                getattr(words, field),
                str(concerned),
                str(len([amount for amount in amounts if amount > 0])),
                str(len([amount for amount in amounts if amount > allowed])),
                number(max(amounts), 3),
            ]
        )
    for name, much in zip(words.sums, found.off):
        rows.append([f"sum of {name}", "all", "", "", number(abs(much), 3)])
    return rows


def worst_examples(found, serials, y, most=5):
    """Return rows of a table: the examples that break a condition most, the worst first.

    y: of the problem's examples; [] where there are none.
    """
    rows = [["row", *(["y"] if y else []), "alpha", "f", "breaks a condition by"]]
    worst = sorted(found.examples, key=JudgedExample.violation, reverse=True)[:most]
    for example in [example for example in worst if example.violation() > 0]:
        rows.append(
            [
                str(serials[example.index] + 1),
                *([number(y[example.index])] if y else []),
                number(example.alpha),
                number(example.f),
                number(example.violation(), 3),
            ]
        )
    return rows


def verdicts_with_offsets(found, tol, rounding):
    """Return the verdicts on alpha, the sums, the gap and each lam."""
    outside, gap = max(example.bounds for example in found.examples), found.primal - found.dual
    allowed, most_off = tol * found.unit * found.room, rounding * found.size
    return [
        Verdict(outside == 0, found.words.bounds, number(outside, 3), "0 outside"),
        *(
            Verdict(
                abs(much) <= most_off,
                f"sum of {name}",
                number(abs(much), 3),
                f"at most {number(most_off, 3)}, by the digits of the file",
            )
            for name, much in zip(found.words.sums, found.off)
        ),
        Verdict(
            gap <= allowed,
            "gap",
            number(gap, 3),
            f"at most {number(allowed, 3)}, tol * unit * sum of all bounds",
        ),
        *(
            _verdict_of_offset(name, lam, ends, tol * found.unit)
            for name, lam, ends in zip(found.words.lam, found.lam, found.report.ends)
        ),
    ]


def _verdict_of_offset(name, lam, ends, allowed):
    """Return the verdict on the lam of a group, whose ends are m and M."""
    low, high = ends[0] - allowed, ends[1] + allowed
    return Verdict(
        low <= lam <= high,
        name,
        number(lam, 10),
        f"at least {number(low, 10)} and at most {number(high, 10)}"
        + ("" if low <= high else ": no offset is right within tol"),
    )
