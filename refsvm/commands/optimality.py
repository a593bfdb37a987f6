"""How far multipliers and offsets are from the optimum: tables and verdicts, of every machine.

    variables, r, lam      see svm/dual_form.py
    unit                   what tol is a multiple of: rho, half the spread of the values; else 1
    rounding               half a unit in the last digit of a file's numbers, in proportion to them

What is asked of an answer that was trained to a tolerance tol, and how it is proved, stands in
svm/judgement.py: alpha and its sums, the gap, and the offset, of each group its lam.
"""

from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..numerics.display import text_above, text_below
from ..numerics.linalg import total
from ..proofs.fitted_check import judge_answer
from ..svm.dual_form import exact_total
from ..svm.judgement import LEEWAY
from ..svm.kkt_conditions import CONDITIONS, kkt_at
from ..svm.machine_in_doubles import machine_at
from ..svm.nu_problem import NuProblem
from ..svm.one_class_problem import OneClassProblem
from ..svm.problem import Problem
from ..svm.regression_problem import NuRegressionProblem, RegressionProblem
from .console import number


class _Words(NamedTuple):
    """What is said of a machine."""

    bounds: str  # what multipliers keep
    short: str  # what holds of an example whose multiplier may grow
    long: str  # and of one whose multiplier may shrink
    sums: tuple  # of each group
    levels: tuple  # what the lam of each group is to the machine
    unit: Any  # of tol; None: the margin, which is 1
    value: str = "f"  # of an example, beside its alpha
    ends: Any = None  # {"below": .., "above": ..} where each bound has a row of its own


C_SVC_WORDS = _Words(
    "alpha from 0 to C",
    CONDITIONS["short"],
    CONDITIONS["long"],
    ("sum alpha_i y_i = 0",),
    ("offset",),
    unit=None,
    value="margin y f",
    ends={end: CONDITIONS[end] for end in ("below", "above")},
)
TUBE_WORDS = _Words(
    "|alpha| at most C",
    "|y - f| <= epsilon where |alpha| < C",
    "|y - f| >= epsilon where alpha is not 0",
    ("sum of alpha",),
    ("b",),
    unit="half the spread of y",
)
MACHINE_WORDS = {
    Problem: C_SVC_WORDS,
    NuProblem: _Words(
        "alpha from 0 to its bound",
        "y f >= rho where alpha < its bound",
        "y f <= rho where alpha > 0",
        ("sum of alpha, y = +1", "sum of -alpha, y = -1"),
        ("b - rho", "b + rho"),
        unit="rho",
    ),
    RegressionProblem: TUBE_WORDS,
    NuRegressionProblem: TUBE_WORDS._replace(
        sums=("sum of alpha above 0", "sum of alpha below 0"),
        levels=("b + epsilon", "b - epsilon"),
    ),
    OneClassProblem: _Words(
        "alpha from 0 to 1",
        "f >= 0 where alpha < 1",
        "f <= 0 where alpha > 0",
        ("sum of alpha",),
        ("-rho",),
        unit="rho",
    ),
}


class _JudgedExample(NamedTuple):
    """By how much an example breaks the conditions, as a Row of kkt_conditions.py has it."""

    index: int  # type: ignore[assignment]  # hides tuple.index
    y: str  # "" where examples have none
    alpha: Any
    size: Any  # what of its limit alpha takes
    limit: Any
    value: Any  # its margin; its decision value, of other machines than C-SVC
    below: Any
    above: Any
    short: Any
    long: Any

    @property
    def outside(self):
        """By how much alpha is beyond its bounds."""
        return max(self.below, self.above)

    def violation(self):
        """Return by how much an example violates its conditions, at worst."""
        return max(self.below, self.above, self.short, self.long)


class _Measured(NamedTuple):
    """An answer with its primal, dual and conditions."""

    words: _Words
    primal: Any
    dual: Any
    unit: Any
    off: list  # by how much the sum of each group is wrong
    size: Any  # the sum of |alpha|
    levels: list  # (lam, m, M) of each group; of C-SVC (b, b_low, b_high)
    examples: list
    machine: Any  # in doubles, see svm/machine_in_doubles.py
    given: tuple  # the problem, alpha and offsets


def measure(problem, alpha, offsets):
    """Measure multipliers and offsets, with one pass over the kernel values."""
    point = problem.at(alpha, offsets)
    report = kkt_at(point, has_offsets=True)
    machine = machine_at(point, alpha, offsets)
    problem, form, lam = point.problem, point.form, point.lam
    words = next(words for known, words in MACHINE_WORDS.items() if isinstance(problem, known))
    is_C_SVC = words is C_SVC_WORDS
    add = total if is_C_SVC else exact_total  # a C of C-SVC may be infinite
    sums = [add(point.beta[g.start : g.stop]) - s for g, s in zip(form.groups, form.sums)]
    b_and_ends = [(*offsets, report.b_low, report.b_high)]
    return _Measured(
        words,
        point.primal(),
        point.dual(),
        unit=form.unit(lam, point.w_norm2) if form.unit else 1,
        off=[problem.kind(much) for much in sums],
        size=total(map(abs, problem.beta(alpha))),
        levels=b_and_ends if is_C_SVC else [(v, *ends) for v, ends in zip(lam, report.ends)],
        examples=_by_margin(point, report) if is_C_SVC else _by_variables(point, report, alpha),
        machine=machine,
        given=(problem, alpha, offsets),
    )


def _by_margin(point, report):
    """Return a _JudgedExample for each of a C-SVC, from its Row."""
    return [
        _JudgedExample(
            *(row.index, f"{row.y:+d}", row.alpha, row.alpha, C, row.margin),
            *(row.below, row.above, row.short, row.long),
        )
        for row, C in zip(report.rows, point.problem.C)
    ]


def _by_variables(point, report, alpha):
    """Return a _JudgedExample for each, from what its variables break: one, or two of a tube."""
    y, form, found = getattr(point.problem, "y", None), point.form, {}
    b = total(point.lam) / len(point.lam)  # the offset of f
    for k, (row, r) in enumerate(zip(report.rows, point.residuals())):
        i, low, high = row.index, form.lower[k], form.upper[k]
        # Where beta is never above 0, |alpha| grows as it falls.
        lacks = (row.long, row.short) if high == 0 else (row.short, row.long)
        broken = [row.below, row.above, *lacks]
        if i in found:
            broken = map(max, found[i][-len(broken) :], broken)
        label = number(y[i]) if y else ""
        value = form.target[k] - r + b
        found[i] = _JudgedExample(i, label, alpha[i], abs(alpha[i]), high - low, value, *broken)
    return [found[i] for i in sorted(found)]


def condition_rows(found, tol):
    """Return rows of a table: each condition, how many it concerns, how many break it, how far."""
    words, allowed, examples = found.words, tol * found.unit, found.examples
    concerned = {
        "short": len([e for e in examples if e.size < e.limit]),
        "long": len([e for e in examples if e.size > 0]),
    }
    ends = words.ends or {"outside": words.bounds}
    rows = [["condition", "examples", "broken", "by > tol", "at worst by"]]
    for field, condition in {**ends, "short": words.short, "long": words.long}.items():
        amounts = [getattr(example, field) for example in examples]
        rows.append(
            [
                condition,
                str(concerned.get(field, len(examples))),
                str(len([amount for amount in amounts if amount > 0])),
                str(len([amount for amount in amounts if amount > allowed])),
                text_above(max(amounts), 3),
            ]
        )
    sums = zip(words.sums, found.off)
    return [*rows, *([name, "all", "", "", text_above(abs(much), 3)] for name, much in sums)]


def value_rows(found):
    """Return rows of a table: primal, dual and gap, and what the offset or tol is measured by."""
    gap = found.machine.most()
    rows = [
        ["primal", number(found.primal, 12), "as computed"],
        ["dual", number(found.dual, 12), "as computed, of alpha as it is"],
        ["gap", text_above(gap, 3), _share_of_gap(found, gap)],
    ]
    if found.words.unit:
        return [*rows, ["unit of tol", number(found.unit, 10), found.words.unit]]
    ((b, low, high),) = found.levels
    return [
        *rows,
        ["rho in the file", number(b, 10), "the offset b of f, where f > 0 means y = +1"],
        ["rho from, to", number(low, 10), number(high, 10)],
    ]


def _share_of_gap(found, gap):
    """Return in words what share of the primal an upper bound of the gap is, and why it holds."""
    if gap == inf:
        return "nothing bounds it"
    holds = ", if K is positive semidefinite"
    if found.machine.problem.kernel.inner_product:
        holds = ": proved"
    if not 0 < abs(found.primal) < inf:
        return f"it is no larger{holds}"
    share = Fraction(gap) / abs(Fraction(found.primal))
    return f"at most {text_above(share, 2)} of the primal as computed{holds}"


def worst_rows(found, serials, most=5):
    """Return rows of a table: the examples that break a condition most, the worst first."""
    has_y = found.examples[0].y != ""
    head = ["row", *(["y"] if has_y else []), "alpha", found.words.value, "breaks a condition by"]
    worst = sorted(found.examples, key=_JudgedExample.violation, reverse=True)[:most]
    return [head] + [
        [
            str(serials[e.index] + 1),
            *([e.y] if has_y else []),
            number(e.alpha),
            number(e.value),
            text_above(e.violation(), 3),
        ]
        for e in worst
        if e.violation() > 0
    ]


def judged(found, tol, rounding, exact=False):
    """Return the Judgement of what was measured, and ""; or why fractions decide nothing."""
    within = tol * found.unit
    return judge_answer(found.machine, *found.given, within, rounding, exact=exact)


def verdict_rows(found, judgement, tol):
    """Return rows of a table: the verdicts on alpha, each sum, the gap and each lam."""
    off = LEEWAY * tol * found.unit
    names = {
        "alpha": iter([found.words.bounds]),
        "sum": iter([name.removesuffix(" = 0") for name in found.words.sums]),
        "gap": iter(["gap"]),
        "offset": iter(found.words.levels),
    }
    levels, rows = iter(found.levels), []
    for verdict, what, low, high, allowed in judgement.promises:
        told, limit = text_above(high, 3), f"at most {text_below(allowed, 3)}"
        if what == "alpha":
            limit = "0 outside"
        elif what == "sum":
            limit += ", by the digits of the file"
        elif what == "gap":
            is_one = number(low, 3) == number(high, 3)
            told = told if is_one else f"{text_below(low, 3)} to {told}"
            limit += ", by tol"
        else:
            value, m, M = next(levels)
            told, limit = number(value, 10), _ends_of(m - off, M + off)
        rows.append([verdict.partition(" ")[0], next(names[what]), told, limit])
    return rows


def _ends_of(low, high):
    """Return in words what an offset may be."""
    none = "" if low <= high else ": no offset is right within tol"
    return f"at least {text_below(low, 10)} and at most {text_above(high, 10)}{none}"
