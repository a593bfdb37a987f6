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

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
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
from .own_answers import AskedTwice, OwnAnswers, same_answers
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

KERNELS = (  # with a C for each
    (Polynomial(1, 0.5, 1.0), 1 / 4),
    (Polynomial(2, 0.5, 1.0), 1 / 4),
    (Polynomial(3, 2.0, 0.5), 1 / 64),
    (Gaussian(0.25), 1 / 2),
    (Sigmoid(0.5, 0.25), 1 / 2),
)
KERNEL_WIDTHS = (5, 8, 9, 15, 16, 17, 33, 65)  # features


# ---- weights


@same_answers
def class_weights() -> Iterator[AskedTwice]:
    """Ask about class_weight beside rows that are there as often as they weigh.

    There are 6 rows of class -1 and 12 of +1, so "balanced" is 3/2 and 3/4; no row of weight 0 is
    counted. The plain question has one C and rows a number of times, the other a C of each row.
    """
    drawn = wide_request(5, 24, Linear)
    few = [i for i, label in enumerate(drawn.y) if label < 0][:6]
    many = [i for i, label in enumerate(drawn.y) if label > 0]
    X, y = [drawn.X[i] for i in few + many], [-1] * len(few) + [1] * len(many)

    def by_class(low: int, high: int) -> list[int]:
        return [low if label < 0 else high for label in y]

    some = [1 + i % 3 for i in range(len(X))]
    some_times = [v * w for v, w in zip(some, by_class(1, 2))]
    alike, unlike, with_none = [0.25] * len(X), [v / 4 for v in some], [*[1.0] * len(X), 0.0]
    asked: tuple[tuple[str, Any, float, list[int], list[float]], ...] = (  # C, times; C of each
        ("class_weight of -1", [[-1, 4.0], [1, 1.0]], 1 / 4, by_class(4, 1), alike),
        ("class_weight of 1", [[1, 4.0], [-1, 1.0]], 1 / 4, by_class(1, 4), alike),
        ("balanced", "balanced", 3 / 16, by_class(2, 1), alike),
        ("class_weight and sample_weight", [[-1, 0.5]], 1 / 8, some_times, unlike),
        ("balanced beside a row of weight 0", "balanced", 3 / 4, by_class(2, 1), with_none),
    )
    for name, class_weight, C, times, each in asked:
        copies = [i for i, count in enumerate(times) for _ in range(count)]
        examples = request_on_rows("", X, y, C)._replace(rows=drawn.rows)
        plain = of_examples(examples, f"rows repeated, {name}", copies)
        other = of_examples(examples, name, [i % len(X) for i in range(len(each))])
        yield AskedTwice(plain, other._replace(C=each, class_weight=class_weight), "ClassWeight")


@same_answers
def weight_0_in_a_gram_matrix() -> Iterator[AskedTwice]:
    """Ask about a second of four examples that weighs nothing; the rows hold its kernel values."""
    points = [[2.0, 0.0, 0.0], [3.0, 4.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 2.0]]
    K = [[dot(x, z) for z in points] for x in points]
    kernel, y, kept = {"name": "precomputed"}, [-1, 1, 1, -1], [0, 2, 3]
    request = request_on_rows("weight 0 in a Gram matrix", K, y, kernel=kernel)
    there = [[row[j] for j in kept] for row in K]
    plain = of_examples(request, "a Gram matrix of three", kept)
    plain = plain._replace(X=[there[i] for i in kept], rows=there)
    yield AskedTwice(plain, request._replace(C=[1.0, 0.0, 1.0, 1.0]), "ZeroWeight")


# ---- kernels


@same_answers
def gamma_scale() -> Iterator[AskedTwice]:
    """Ask about gamma="scale" and gamma="auto" beside the numbers that they stand for."""
    for features, word in product((2, 5, 17, 65), ("scale", "auto")):
        plain = wide_request(features, 20, Gaussian)
        variance = pvariance([Fraction(v) for row in plain.X for v in row])
        gamma = float(1 / (features * variance)) if word == "scale" else 1 / features
        name = f"gamma={word!r}, {features} features"
        kernel = {"name": "gaussian", "gamma": gamma}
        plain = plain._replace(id=f"{gamma:.3g} for {name}", rows=plain.rows[1:9], kernel=kernel)
        by_word = plain._replace(id=name, kernel={"name": "gaussian", "gamma": word})
        yield AskedTwice(plain, by_word, "GammaScale")
    plain = wide_request(5, 20, Gaussian)
    plain = plain._replace(id="gamma='scale'", kernel={"name": "gaussian", "gamma": "scale"})
    rows = [[v * v + 1 for v in x] for x in plain.X]
    name = "gamma='scale' after a fit to other rows"
    again = plain._replace(id=name, before=[("fit", {"X": rows, "rows": rows})])
    yield AskedTwice(plain, again, "StateKept")


def _by_gram_matrix(request: Request, kernel: Kernel) -> Request:
    """Return the same Request with the kernel values in the place of the rows."""
    values = kernel.row_function(request.X, float)
    return request._replace(
        id=f"Gram matrix of {request.id}",
        X=list(map(values, request.X)),
        rows=list(map(values, request.rows)),
        kernel={"name": "precomputed"},
    )


@same_answers
def kernels_of_wide_rows() -> Iterator[AskedTwice]:
    """Ask about each kernel by its name and by its Gram matrix, at widths near those of blocks."""
    kinds = (Linear, Gaussian, Polynomial, Sigmoid)
    for k, features in enumerate(KERNEL_WIDTHS):
        for kind in kinds if features <= 9 else [kinds[k % 4]]:
            other = wide_request(features, 20, kind)
            plain = _by_gram_matrix(other, usual_kernel(kind, features))
            yield AskedTwice(plain, other, "KernelParameters")


def kernel_parameters(ask: Ask) -> FindingList:
    """Check gamma, coef0 and degree; C is so small that s adds up kernel values.

    Where there are no Gram matrices, against the optimum.
    """
    own = OwnAnswers(ask)

    def check(kernel: Kernel, C: float) -> FindingList:
        request = _on_the_line(f"kernel {kernel!r}", kernel, [-1.0, 1.0], [-1, 1], C)
        request = ask.meant(request._replace(rows=[[-1.0], [1.0], [0.5], [3.0], [-2.0]]))
        plain = _by_gram_matrix(request, kernel)
        if (own.answer(plain).unsupported or own.answer(plain).refused) is not None:
            return check_meaning(ask, request, "KernelParameters")
        return own.compare(AskedTwice(plain, request, "KernelParameters"))

    return every_question(check(*given) for given in KERNELS)


def _on_the_line(name: str, kernel: Kernel, x: list[float], y: list[int], C: float) -> Request:
    """Return a Request about examples of one feature."""
    return request_on_rows(name, [[v] for v in x], y, C, kernel_document(kernel))


def zero_to_the_zero(ask: Ask) -> FindingList:
    """Check that (x z)^0 is 1 for all x and z, 0 too. To refuse the degree 0 is no mistake."""
    given = Polynomial(0), [0.0, 1.0, 2.0], [-1, 1, 1], 1.0
    return check_meaning(ask, _on_the_line("zero to the zero", *given), "ZeroToTheZero")


def sign_of_the_sigmoid(ask: Ask) -> FindingList:
    """Check tanh(x z) at x, z = -1 and 1, where it is positive semidefinite."""
    given = Sigmoid(1.0, 0.0), [-1.0, 1.0], [-1, 1], 8.0
    return check_meaning(ask, _on_the_line("sign of the sigmoid", *given), "KernelSign")


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
