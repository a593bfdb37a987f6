"""How input may be given to an estimator, and what must be refused there: policies of check G7.

    stage            question that sees a fault in it
    reading rows     integers: rows of ints are rows of numbers, as large as they are
                     arrays: small integers, single precision, other strides, lists, data frames
                     sparse rows: whatever is stored of a row and in which order
    decision         many rows: one row and thousands, in batches of every size near a block's
                     rows to decide: with a NaN, of another width, or none of them

Rows have 7 to 65 features: no number of them is a multiple of 4, 8 or 16, so that a loop that was
unrolled has a remainder. All but the last are compared with the estimator's own answer to the same
numbers, given plainly (own_answers.py). A form that is refused is not on offer; but an array of
doubles that is taken is taken wherever its numbers lie in memory.

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface.
"""

from __future__ import annotations

from itertools import chain
from math import isfinite

from ...kernels.base import Kernel
from ...kernels.standard import Gaussian, Linear, Polynomial
from ..checks import PASS, failure, short_text
from ..protocol import Request
from ..subjects.array_forms import FRAME, LAYOUTS, LISTS, SPARSE
from .own_answers import OwnAnswers
from .questions import (
    Ask,
    FindingList,
    Rows,
    about,
    every_question,
    g7,
    request_on_rows,
    wide_request,
    without_answer,
)

PLANE_X, PLANE_Y = [[0.0, 1.0], [1.0, 3.0], [3.0, 0.0], [4.0, 2.0], [7.0, 1.0]], [-1, -1, 1, 1, 1]
SCALES = {  # how large features are that an array of each form holds
    "uint8": 2.0**5,
    "int8": 2.0**4,
    "int16": 2.0**12,
    "int32": 2.0**28,
    "int64": 2.0**40,
    "float16": 2.0**12,
}
PARTS = ("X", "rows")
DENSE_FORMS = ("float64", "float32", ">f8", "object", FRAME, *SCALES, *LAYOUTS, *LISTS)
WIDTHS: tuple[tuple[int, int, type[Kernel]], ...] = (  # features, examples
    (7, 20, Gaussian),
    (33, 29, Linear),
    (65, 37, Polynomial),
)
MANY = 2503  # a prime, so that blocks of no size fit
BATCHES = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 97, 128, 129)


def integers(ask: Ask) -> FindingList:
    """Check rows of ints, whose squares need 6, 16, 34 and 70 bits; rows to decide are floats."""
    own = OwnAnswers(ask)

    def at(scale: int, kind: type[Kernel]) -> FindingList:
        plain = wide_request(9, 21, kind, float(scale))
        halves = [[v + scale / 2 for v in row] for row in plain.X[:5]]
        plain = plain._replace(rows=[*plain.rows, *halves])
        ints = [[int(v) for v in row] for row in plain.X]
        return own.compare(plain, plain._replace(id=f"ints {plain.id}", X=ints), "NotAccepted")

    kinds = (Linear, Gaussian)
    return every_question(at(s, kind) for s in (1, 2**5, 2**14, 2**32) for kind in kinds)


def arrays(ask: Ask) -> FindingList:
    """Check rows in arrays of every form, at three widths."""
    own = OwnAnswers(ask)
    return every_question(
        _check_form(own, form, wide_request(*width, SCALES.get(form, 1.0)))
        for form in DENSE_FORMS
        for width in WIDTHS
    )


def _check_form(
    own: OwnAnswers,
    form: str,
    plain: Request,
    parts: tuple[str, ...] = PARTS,
    flag: str = "NotAccepted",
) -> FindingList:
    """Check rows in this form: those of the fit, those to decide about, or both."""
    where = {"X": " in fit", "rows": " to decide"}[parts[0]] if len(parts) == 1 else ""
    if form in LAYOUTS:
        plain = plain._replace(id=f"doubles, {plain.id}", arrays=dict.fromkeys(PARTS, "float64"))
    forms = {**(plain.arrays or {}), **dict.fromkeys(parts, form)}
    other = plain._replace(id=f"{form}{where}, {plain.id}", arrays=forms)
    return own.compare(plain, other, flag, refusable=form not in LAYOUTS)


def mixed_arrays(ask: Ask) -> FindingList:
    """Check rows of which those of the fit and those to decide about have different forms."""
    own = OwnAnswers(ask)
    plain = wide_request(17, 25, Gaussian)
    return every_question(
        _check_form(own, form, plain, (part,), flag)
        for form, flag in (
            ("float32", "NotAccepted"),
            ("int8", "NotAccepted"),
            ("columns first", "NotAccepted"),
            ("sparse rows", "SparseRows"),
        )
        for part in ("X", "rows")
    )


def sparse_rows(ask: Ask) -> FindingList:
    """Check rows in sparse matrices: mostly zeros, an empty row, and empty columns at the ends."""
    own = OwnAnswers(ask)

    def thinned(kind: type[Kernel]) -> Request:
        plain = wide_request(33, 29, kind)
        empty = len(plain.X[0]) - 1
        X = [
            [v if (i + j) % 3 == 0 and 0 < j < empty and i != 8 else 0.0 for j, v in enumerate(x)]
            for i, x in enumerate(plain.X)
        ]
        rows = [*X, *plain.rows[len(X) :]]
        return plain._replace(id=f"sparse {plain.id}", X=X, rows=rows)

    return every_question(
        _check_form(own, form, plain, flag="SparseRows")
        for plain in map(thinned, (Linear, Gaussian))
        for form in SPARSE
    )


def many_rows(ask: Ask) -> FindingList:
    """Check thousands of rows to decide about, from either end, and batches of every size."""
    own = OwnAnswers(ask)

    def thousands(kind: type[Kernel]) -> FindingList:
        plain = wide_request(5, 20, kind)
        shifts = [k / 512 for k in range(MANY)]
        rows = [[v + shift for v in plain.X[k % 20]] for k, shift in enumerate(shifts)]
        plain = plain._replace(id=f"{MANY} rows to decide, {plain.id}", rows=rows, brief=True)
        other = plain._replace(id=f"{plain.id}, from the last", rows=rows[::-1])
        return own.compare(plain, other, "BatchDependence", False, range(MANY - 1, -1, -1))

    def batch(size: int, kind: type[Kernel]) -> FindingList:
        plain = wide_request(5, 20, kind)
        rows = [[v + k / 8 for v in plain.X[k % 20]] for k in range(BATCHES[-1] + 2)]
        plain = plain._replace(id=f"{len(rows)} rows to decide, {plain.id}", rows=rows)
        some = range(len(rows) - size, len(rows))
        other = plain._replace(id=f"batch of {size}, {plain.id}", rows=[rows[k] for k in some])
        return own.compare(plain, other, "BatchDependence", False, some)

    kinds = (Linear, Polynomial, Gaussian)
    batches = (batch(size, kind) for size in BATCHES for kind in kinds[1:])
    return every_question(chain(batches, map(thousands, kinds)))


def rows_to_decide(ask: Ask) -> FindingList:
    """Check rows to decide about that are none: a NaN, a feature more or less; or no row at all.

    To have no row may be refused, or has no decision.
    """

    def with_rows(rows: Rows, flag: str, name: str) -> FindingList:
        request = request_on_rows(f"to decide: {name}", PLANE_X, PLANE_Y)
        answer = ask(request._replace(rows=rows, brief=not rows))
        found = g7(PASS)
        if answer.late or answer.died or answer.malformed:
            found = without_answer(answer) or []
        elif answer.decisions and all(map(isfinite, answer.decisions)):
            found = g7(failure(f"f is {short_text(answer.decisions[0])}", flag))
        return about(name, found)

    return every_question(
        with_rows(*given)
        for given in (
            ([[float("nan"), 1.0]], "RejectNotFinite", "a NaN in a row to decide about"),
            ([[1.0, 2.0, 3.0]], "RejectShape", "a feature more in a row to decide about"),
            ([[1.0]], "RejectShape", "a feature less in a row to decide about"),
            ([], "RejectShape", "no row to decide about"),
        )
    )
