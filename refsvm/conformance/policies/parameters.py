"""What the parameters of an estimator mean, as policies of check G7: weights, kernels, tolerance.

    class weights   class_weight multiplies C and each sample_weight, and "balanced" is n / (2 n_k)
    weight 0 in a Gram matrix  its row and column are as if absent
    gamma scale     gamma="scale" is 1 / (features * variance of X), not of the rows asked about;
                    nor of those of an earlier fit; "auto" is 1 / features
    kernel parameters  gamma, coef0 and degree are those that were asked for
    kernels of wide rows  each kernel by its name is that of its Gram matrix
    zero to the zero, sign of the sigmoid: two kernels on points where they are easily wrong
    tolerance       a tolerance of 1e-9, or an instance's own, is kept, or it is said that it was
                    not (G8)

What an estimator's constructor has no parameter for, it is not asked.

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain
from statistics import pvariance
from typing import Any

from ...kernels.base import Kernel
from ...kernels.standard import Gaussian, Linear, Polynomial, Sigmoid
from ...numerics.linalg import dot
from ...numerics.picks import splitmix64
from ..checks import Finding, failure, short_text
from ..protocol import Request, kernel_document, problem_from_request, says_unfinished
from ..truth import evidence_of, gap_of, truth_of
from ..wrong.solver import why_tolerance_is_broken
from .own_answers import OwnAnswers
from .questions import (
    Ask,
    FindingList,
    check_meaning,
    every_question,
    g7,
    of_examples,
    request_on_rows,
    usual_kernel,
    wide_request,
    without_answer,
)

KERNEL_WIDTHS = (5, 8, 9, 15, 16, 17, 33, 65)  # features


# ---- weights


def class_weights(ask: Ask) -> FindingList:
    """Check class_weight against rows that are there as often as they weigh.

    There are 6 rows of class -1 and 12 of +1, so "balanced" is 3/2 and 3/4; no row of weight 0 is
    counted.
    """
    own = OwnAnswers(ask)
    drawn = wide_request(5, 24, Linear)
    few = [i for i, label in enumerate(drawn.y) if label < 0][:6]
    many = [i for i, label in enumerate(drawn.y) if label > 0]
    X, y = [drawn.X[i] for i in few + many], [-1] * len(few) + [1] * len(many)

    def check(
        name: str, class_weight: Any, C: float, times: list[int], each: list[float]
    ) -> FindingList:
        """C is the penalty of a row that is there once; each are those of the rows as they are."""
        copies = [i for i, count in enumerate(times) for _ in range(count)]
        examples = request_on_rows("", X, y, C)._replace(rows=drawn.rows)
        plain = of_examples(examples, f"rows repeated, {name}", copies)
        given = [i % len(X) for i in range(len(each))]
        other = of_examples(examples, name, given)._replace(C=each, class_weight=class_weight)
        return own.compare(plain, other, "ClassWeight")

    c, all_alike = 1 / 4, [1 / 4] * len(X)
    some = [1 + i % 3 for i in range(len(X))]
    asked: tuple[tuple[str, Any, float, list[int], list[float]], ...] = (
        ("class_weight of -1", [[-1, 4.0], [1, 1.0]], c, by_class(y, 4, 1), all_alike),
        ("class_weight of 1", [[1, 4.0], [-1, 1.0]], c, by_class(y, 1, 4), all_alike),
        ("balanced", "balanced", 3 * c / 4, by_class(y, 2, 1), all_alike),
        (
            "class_weight and sample_weight",
            [[-1, 0.5]],
            c / 2,
            [v * w for v, w in zip(some, by_class(y, 1, 2))],
            [c * v for v in some],
        ),
        (
            "balanced beside a row of weight 0",
            "balanced",
            3 / 4,
            by_class(y, 2, 1),
            [*[1.0] * len(X), 0.0],
        ),
    )
    return every_question(check(*given) for given in asked)


def by_class(y: Sequence[int], low: int, high: int) -> list[int]:
    """Return the first number for each example of class -1, the second for the others."""
    return [low if label < 0 else high for label in y]


def weight_0_in_a_gram_matrix(ask: Ask) -> FindingList:
    """Check a second of four examples that weighs nothing; the rows hold its kernel values."""
    points = [[2.0, 0.0, 0.0], [3.0, 4.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 2.0]]
    K = [[dot(x, z) for z in points] for x in points]
    kernel, y, kept = {"name": "precomputed"}, [-1, 1, 1, -1], [0, 2, 3]
    request = request_on_rows("weight 0 in a Gram matrix", K, y, kernel=kernel)
    there = [[row[j] for j in kept] for row in K]
    plain = request_on_rows(
        "a Gram matrix of three", [there[i] for i in kept], [y[i] for i in kept], kernel=kernel
    )
    return OwnAnswers(ask).compare(
        plain._replace(rows=there), request._replace(C=[1.0, 0.0, 1.0, 1.0]), "ZeroWeight"
    )


# ---- kernels


def gamma_scale(ask: Ask) -> FindingList:
    """Check gamma="scale" and gamma="auto" against the numbers that they stand for."""
    own = OwnAnswers(ask)

    def check(features: int, word: str) -> FindingList:
        plain = wide_request(features, 20, Gaussian)
        variance = pvariance([Fraction(v) for row in plain.X for v in row])
        gamma = float(1 / (features * variance)) if word == "scale" else 1 / features
        name = f"gamma={word!r}, {features} features"
        plain = plain._replace(id=f"{gamma:.3g} for {name}", rows=plain.rows[1:9])
        return own.compare(
            plain._replace(kernel={"name": "gaussian", "gamma": gamma}),
            plain._replace(id=name, kernel={"name": "gaussian", "gamma": word}),
            "GammaScale",
        )

    def again() -> FindingList:
        plain = wide_request(5, 20, Gaussian)
        plain = plain._replace(id="gamma='scale'", kernel={"name": "gaussian", "gamma": "scale"})
        rows = [[v * v + 1 for v in x] for x in plain.X]
        name = "gamma='scale' after a fit to other rows"
        other = plain._replace(id=name, before=[("fit", {"X": rows, "rows": rows})])
        return own.compare(plain, other, "StateKept")

    numbers = (check(d, word) for d in (2, 5, 17, 65) for word in ("scale", "auto"))
    return every_question(chain(numbers, (other() for other in (again,))))


def _by_gram_matrix(request: Request, kernel: Kernel) -> Request:
    """Return the same Request with the kernel values in the place of the rows."""
    values = kernel.row_function(request.X, float)
    return request._replace(
        id=f"Gram matrix of {request.id}",
        X=list(map(values, request.X)),
        rows=list(map(values, request.rows)),
        kernel={"name": "precomputed"},
    )


def kernels_of_wide_rows(ask: Ask) -> FindingList:
    """Check each kernel by its name against its Gram matrix, at widths near those of blocks."""
    own = OwnAnswers(ask)

    def check(features: int, kind: type[Kernel]) -> FindingList:
        other = wide_request(features, 20, kind)
        plain = _by_gram_matrix(other, usual_kernel(kind, features))
        return own.compare(plain, other, "KernelParameters")

    kinds = (Linear, Gaussian, Polynomial, Sigmoid)
    return every_question(
        check(d, kinds[k % 4]) if d > 9 else check(d, kind)
        for k, d in enumerate(KERNEL_WIDTHS)
        for kind in (kinds if d <= 9 else kinds[:1])
    )


def kernel_parameters(ask: Ask) -> FindingList:
    """Check gamma, coef0 and degree; C is so small that s adds up kernel values."""
    X, y, rows = [[-1.0], [1.0]], [-1, 1], [[-1.0], [1.0], [0.5], [3.0], [-2.0]]
    own = OwnAnswers(ask)

    def with_kernel(kernel: Kernel, C: float) -> FindingList:
        request = request_on_rows(f"kernel {kernel!r}", X, y, C, kernel_document(kernel))
        request = ask.meant(request._replace(rows=rows))
        plain = _by_gram_matrix(request, kernel)
        if (own.answer(plain).unsupported or own.answer(plain).refused) is not None:
            return check_meaning(ask, request, "KernelParameters")
        return own.compare(plain, request, "KernelParameters")

    return every_question(
        with_kernel(*given)
        for given in (
            (Polynomial(1, 0.5, 1.0), 1 / 4),
            (Polynomial(2, 0.5, 1.0), 1 / 4),
            (Polynomial(3, 2.0, 0.5), 1 / 64),
            (Gaussian(0.25), 1 / 2),
            (Sigmoid(0.5, 0.25), 1 / 2),
        )
    )


def zero_to_the_zero(ask: Ask) -> FindingList:
    """Check that (x z)^0 is 1 for all x and z, 0 too. To refuse the degree 0 is no mistake."""
    X, y, kernel = [[0.0], [1.0], [2.0]], [-1, 1, 1], kernel_document(Polynomial(0))
    request = request_on_rows("zero to the zero", X, y, kernel=kernel)
    return check_meaning(ask, request, "ZeroToTheZero")


def sign_of_the_sigmoid(ask: Ask) -> FindingList:
    """Check tanh(x z) at x, z = -1 and 1, where it is positive semidefinite."""
    X, y, kernel = [[-1.0], [1.0]], [-1, 1], kernel_document(Sigmoid(1.0, 0.0))
    request = request_on_rows("sign of the sigmoid", X, y, 8.0, kernel)
    return check_meaning(ask, request, "KernelSign")


# ---- tolerance


def tolerance(ask: Ask, tol: float | None) -> FindingList:
    """Check a tolerance, on forty points with a Gaussian kernel and a large C."""
    if tol is None:
        return g7(Finding("acceptable", "not on offer: there is no tol"))
    bits = splitmix64(1)
    X = [[next(bits) / 2**64 for _ in range(3)] for _ in range(40)]
    y = [1 if x[0] + next(bits) / 2**66 > 0.6 else -1 for x in X]
    kernel = {"name": "gaussian", "gamma": 2.0}
    request = ask.meant(request_on_rows("tolerance", X, y, 10000.0, kernel)._replace(tol=tol))
    answer = ask(request)
    found = without_answer(answer)
    if found is not None:
        return g7(Finding("acceptable", found[0][1].reason))
    e = evidence_of(truth_of(problem_from_request(request), X), request, answer, tol)
    excess, promised = gap_of(e)
    if excess is None or promised is None or excess <= 2 * promised or says_unfinished(answer):
        return [("G8", Finding("pass", gap=excess))]
    flag, words = why_tolerance_is_broken(e)
    times = short_text(excess / promised, 3)
    reason = f"tol = {tol:g} allows a gap {times} times smaller; {words}"
    return [("G8", failure(reason, flag, gap=excess))]
