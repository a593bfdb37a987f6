"""How far multipliers and an offset are from the optimum: tables and verdicts.

    alpha, b      of one pair of classes            primal, dual, gap      see svm/problem.py
    rounding      half a unit in the last digit of a file's numbers, in proportion to them

Four things are asked of an answer that was trained to a tolerance tol:

    alpha     0 <= alpha_i <= C_i                     sum alpha_i y_i is 0, within rounding
    gap       at most tol * sum C_i: what stopping at m - M <= tol promises
    offset    b_low - tol <= b <= b_high + tol: then no margin is wrong by more than tol

Source: for the bound on the gap, Keerthi et al., Neural Computation 13 (2001), pages 637-649:
gap = sum (C_i max(0, v_i) - alpha_i v_i) with v_i = 1 - y_i f_i, and each v_i is at most tol off.
"""

from math import copysign, inf
from typing import Any, NamedTuple

from ..numerics.linalg import total
from ..svm.kkt_conditions import CONDITIONS
from .console import number


class Measured(NamedTuple):
    """An answer for a pair of classes, with its primal, dual and conditions."""

    problem: Any
    alpha: list
    b: Any
    primal: Any
    dual: Any
    report: Any  # the KKT of kkt_conditions.py


class Verdict(NamedTuple):
    """Whether something holds, what was found of it, and what is allowed."""

    passed: bool
    name: str
    found: str
    allowed: str


def measure(computed_by, problem, alpha, b):
    """Measure alpha and b; computed_by is the library of the problem (engine.py)."""
    point = problem.at(alpha, (b,))
    return Measured(
        problem,
        alpha,
        b,
        primal=point.primal(),
        dual=point.dual(),
        report=computed_by.kkt(problem, alpha, b),
    )


def snap(alpha, C, rounding):
    """Return alpha with each multiplier whose size is its C but for rounding moved onto C."""
    return [
        copysign(c, a) if c < inf and abs(abs(a) - c) <= rounding * c else a
        for a, c in zip(alpha, C)
    ]


def condition_rows(found, tol):
    """Return rows of a table: each condition, how many it concerns, how many break it, how far."""
    rows = [["condition", "examples", "broken", "by > tol", "at worst by"]]
    by_row = list(zip(found.report.rows, found.problem.C))
    concerned = {
        "short": len([row for row, c in by_row if row.alpha < c]),
        "long": len([row for row, _ in by_row if row.alpha > 0]),
    }
    for field, condition in CONDITIONS.items():
        amounts = [getattr(row, field) for row, _ in by_row]
        rows.append(
            [
                condition,
                str(concerned.get(field, len(by_row))),
                str(len([amount for amount in amounts if amount > 0])),
                str(len([amount for amount in amounts if amount > tol])),
                number(max(amounts), 3),
            ]
        )
    rows.append(["sum alpha_i y_i = 0", "all", "", "", number(abs(imbalance(found)), 3)])
    return rows


def imbalance(found):
    """sum alpha_i y_i."""
    return total(a * y for a, y in zip(found.alpha, found.problem.y))


def violation(row):
    """Return by how much an example violates its conditions, at worst."""
    return max(row.below, row.above, row.short, row.long)


def worst_rows(found, serials, most=5):
    """Return rows of a table: the examples that break a condition most, the worst first."""
    rows = [["row", "y", "alpha", "margin y f", "breaks a condition by"]]
    for row in sorted(found.report.rows, key=violation, reverse=True)[:most]:
        if violation(row) > 0:
            rows.append(
                [
                    str(serials[row.index] + 1),
                    f"{row.y:+d}",
                    number(row.alpha),
                    number(row.margin),
                    number(violation(row), 3),
                ]
            )
    return rows


def verdicts(found, tol, rounding):
    """Return the verdicts on alpha, gap and offset."""
    report, gap = found.report, found.primal - found.dual
    outside = max(max(row.below, row.above) for row in report.rows)
    off, most_off = abs(imbalance(found)), rounding * total(map(abs, found.alpha))
    allowed = tol * total(found.problem.C)
    low, high = report.b_low - tol, report.b_high + tol
    ends = f"{number(low, 10)} and at most {number(high, 10)}"
    return [
        Verdict(outside == 0, "alpha from 0 to C", number(outside, 3), "0 outside"),
        Verdict(
            off <= most_off,
            "sum alpha_i y_i",
            number(off, 3),
            f"at most {number(most_off, 3)}, by the digits of the file",
        ),
        Verdict(
            gap <= allowed and gap < inf,
            "gap",
            number(gap, 3),
            f"at most {number(allowed, 3)}, tol * sum C_i",
        ),
        Verdict(
            low <= found.b <= high,
            "offset",
            number(found.b, 10),
            f"at least {ends}" + ("" if low <= high else ": no offset is right within tol"),
        ),
    ]
