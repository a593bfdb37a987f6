"""What estimators alone are asked, as policies of check G7: parameters, weights, several classes.

    class weights   class_weight multiplies C and each sample_weight, and "balanced" is n / (2 n_k)
    weight 0 in a Gram matrix  its row and column are as if absent
    gamma scale     gamma="scale" is 1 / (features * variance of X), not of the rows asked about,
                    nor of those of an earlier fit; "auto" is 1 / features
    kernel parameters  gamma, coef0 and degree are those that were asked for
    zero to the zero, sign of the sigmoid: two kernels on points where they are easily wrong
    three classes   three classes far apart are told apart, if three are taken at all
    vote in a circle  three classes of which each beats one (E1): each pair is decided rightly,
                    and no class is predicted that has fewer votes than another
    tolerance       a tolerance of 1e-9, or an instance's own, is kept, or it is said that it was
                    not (G8)

What an estimator's constructor has no parameter for, it is not asked. The policies about inputs
are in estimator_inputs.py.

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from ..kernels.base import Kernel
from ..kernels.standard import Gaussian, Polynomial, Precomputed, Sigmoid
from ..numerics.linalg import dot, total
from ..numerics.picks import splitmix64
from ..svm.problem import Problem
from .checks import PASS, Finding, failure, short_text
from .estimator_adapter import Estimator
from .estimator_inputs import (
    PLANE_X,
    PLANE_Y,
    Ask,
    FindingList,
    about,
    arrays,
    check_meaning,
    every_question,
    g7,
    integers,
    labels,
    many_rows,
    request_on_rows,
    rows_to_decide,
    sparse_rows,
    without_answer,
)
from .protocol import Answer, Request, request_for, says_unfinished
from .subjects import stated_tol
from .truth import Truth, evidence_of, gap_of, middle_offset, shape_of, truth_of
from .wrong_multipliers import by_rounded_kernel

CLUSTERS_X = [[0.0, 0.0], [1.0, 0.0], [20.0, 0.0], [21.0, 0.0], [0.0, 20.0], [1.0, 21.0]]
CIRCLE_X = [[0.0, 0.0], [4.0, 0.0], [2.0, 4.0], [1.0, 0.0], [4.0, 1.0], [2.0, 1.0]]
THREE_LABELS: tuple[tuple[Any, ...], ...] = (("a", "b", "c"), (5, 6, 7), (10, 0, -3))
CLASS_PAIRS = ((0, 1), (0, 2), (1, 2))
TIGHT = 1e-9


# ---- weights


def class_weights(ask: Ask) -> FindingList:
    """Check class_weight as a dict, and "balanced", of which no row of weight 0 is counted."""
    X, y, c = [[0.0], [1.0], [3.0], [2.0], [4.0], [7.0]], [-1, -1, 1, 1, 1, 1], 1 / 8

    def alone(name: str, class_weight: Any, weight: dict[int, float]) -> FindingList:
        request = request_on_rows(name, X, y, c, class_weight=class_weight)
        C = [c * weight[label] for label in y]
        return check_meaning(ask, request, Problem(X, y, C=C), "ClassWeight")

    def with_sample_weight() -> FindingList:
        weight, each = {-1: 0.5, 1: 1.0}, [c, 2 * c, c, c, 4 * c, 2 * c]
        name = "class_weight and sample_weight"
        request = request_on_rows(name, X, y, class_weight=[[-1, 0.5]])
        C = [v * weight[label] for v, label in zip(each, y)]
        problem = Problem(X, y, C=C)
        return check_meaning(ask, request._replace(C=each), problem, "ClassWeight")

    def balanced_with_weight_0() -> FindingList:
        X, y, C = [[0.0], [5.0], [1.0], [2.0], [3.0]], [-1, -1, 1, 1, 1], [1.25] * 2 + [5 / 6] * 3
        name = "balanced beside a row of weight 0"
        request = request_on_rows(name, [*X, [9.0]], [*y, -1], class_weight="balanced")
        request = request._replace(C=[1.0] * len(y) + [0.0], rows=X)
        return check_meaning(ask, request, Problem(X, y, C=C), "ClassWeight")

    checks: list[Callable[[], FindingList]] = [
        lambda: alone("class_weight of -1", [[-1, 4.0], [1, 1.0]], {-1: 4.0, 1: 1.0}),
        lambda: alone("class_weight of 1", [[1, 4.0], [-1, 1.0]], {-1: 1.0, 1: 4.0}),
        lambda: alone("balanced", "balanced", {-1: 3 / 2, 1: 3 / 4}),
        with_sample_weight,
        balanced_with_weight_0,
    ]
    return every_question(check() for check in checks)


def weight_0_in_a_gram_matrix(ask: Ask) -> FindingList:
    """Check a second of four examples that weighs nothing; the rows hold its kernel values."""
    points = [[2.0, 0.0, 0.0], [3.0, 4.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 2.0]]
    K = [[dot(x, z) for z in points] for x in points]
    y, kept = [-1, 1, 1, -1], [0, 2, 3]
    problem = Problem([[K[i][j] for j in kept] for i in kept], [-1, 1, -1], Precomputed())
    request = request_on_rows("weight 0 in a Gram matrix", K, y, kernel={"name": "precomputed"})
    request = request._replace(C=[1.0, 0.0, 1.0, 1.0])
    there = [[row[j] for j in kept] for row in K]
    return check_meaning(ask, request, problem, "ZeroWeight", there)


# ---- kernels


def gamma_scale(ask: Ask) -> FindingList:
    """Check gamma="scale", after a fit to other rows, too; and gamma="auto"."""
    values = [Fraction(v) for row in PLANE_X for v in row]
    mean = total(values) / len(values)
    variance = total((v - mean) * (v - mean) for v in values) / len(values)

    def check(word: str, gamma: float) -> FindingList:
        kernel = {"name": "gaussian", "gamma": word}
        request = request_on_rows(f"gamma {word}", PLANE_X, PLANE_Y, kernel=kernel, extras=2)
        request = request._replace(rows=PLANE_X[1:3])
        answer = ask(request)
        if answer.refused is not None:
            return about(request.id, g7(Finding("acceptable", f"not on offer: gamma={word!r}")))
        problem = Problem(PLANE_X, PLANE_Y, Gaussian(gamma))
        return check_meaning(lambda request: answer, request, problem, "GammaScale")

    given = (("scale", float(1 / (2 * variance))), ("auto", 1 / 2))
    return every_question(check(*words) for words in given)


def kernel_parameters(ask: Ask) -> FindingList:
    """Check gamma, coef0 and degree; C is so small that s adds up kernel values."""
    X, y, rows = [[-1.0], [1.0]], [-1, 1], [[-1.0], [1.0], [0.5], [3.0], [-2.0]]

    def with_kernel(kernel: Kernel, C: float) -> FindingList:
        problem = Problem(X, y, kernel, C)
        request = request_for(f"kernel {kernel!r}", problem, rows, 1e-6)
        return may_refuse(check_meaning(ask, request, problem, "KernelParameters"))

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


def may_refuse(findings: FindingList) -> FindingList:
    """Return the findings, but a refusal is acceptable."""
    if findings and findings[0][1].flag == "NotAccepted":
        refused = findings[0][1]
        return g7(refused._replace(result="acceptable", flag=None))
    return findings


def zero_to_the_zero(ask: Ask) -> FindingList:
    """Check that (x z)^0 is 1 for all x and z, 0 too. To refuse the degree 0 is no mistake."""
    kernel = {"name": "polynomial", "degree": 0, "gamma": 1.0, "coef0": 0.0}
    X, y = [[0.0], [1.0], [2.0]], [-1, 1, 1]
    request = request_on_rows("zero to the zero", X, y, kernel=kernel)
    problem = Problem(X, y, Polynomial(0))
    return may_refuse(check_meaning(ask, request, problem, "ZeroToTheZero"))


def sign_of_the_sigmoid(ask: Ask) -> FindingList:
    """Check tanh(x z) at x, z = -1 and 1, where it is positive semidefinite."""
    kernel = {"name": "sigmoid", "gamma": 1.0, "coef0": 0.0}
    X, y = [[-1.0], [1.0]], [-1, 1]
    request = request_on_rows("sign of the sigmoid", X, y, 8.0, kernel)
    problem = Problem(X, y, Sigmoid(1.0, 0.0), 8.0)
    return may_refuse(check_meaning(ask, request, problem, "KernelSign"))


# ---- several classes


def three_classes(ask: Ask) -> FindingList:
    """Check three classes far apart, which are called by words, by numbers, and from the last."""

    def called(names: tuple[Any, ...]) -> FindingList:
        y = [name for name in names for _ in range(2)]
        request = request_on_rows(f"three classes {names}", CLUSTERS_X, y, 10.0)
        answer = ask(request)
        if not takes_three(answer):
            return g7(Finding("acceptable", "not on offer: three classes"))
        found = without_answer(answer)
        if found is None and answer.predictions is not None and answer.predictions != y:
            reason = f"of the labels {y} it makes {answer.predictions}"
            found = g7(failure(reason, "NotAccepted"))
        return about(request.id, g7(PASS) if found is None else found)

    return every_question(map(called, THREE_LABELS))


def takes_three(answer: Answer) -> bool:
    """Return whether the answer to three classes is no refusal."""
    return answer.refused is None and answer.unsupported is None and answer.crashed is None


def vote_in_a_circle(ask: Ask) -> FindingList:
    """Check E1, whole: at (0, 1) each class has one vote, and any may be predicted.

    To predict another class than the one with the largest score is no mistake, for votes tie and
    scores do not; but it surprises, and is acceptable.
    """
    y = [0, 0, 1, 1, 2, 2]
    request = request_on_rows("vote in a circle", CIRCLE_X, y)
    request = request._replace(rows=[*CIRCLE_X, [0.0, 1.0]])
    answer = ask(request._replace(pairs=True))
    if not takes_three(answer):
        return g7(Finding("acceptable", "not on offer: three classes"))
    if not is_table(answer.scores, len(request.rows), len(CLASS_PAIRS)):
        return g7(Finding("acceptable", "not on offer: the decisions of pairs of classes"))
    votes = count_votes(request, y, answer)
    if votes is None:
        return g7(failure("the decisions of the pairs of classes are not theirs", "Votes"))
    for x, votes_here, label in zip(request.rows, votes, answer.predictions or []):
        if dict(enumerate(votes_here)).get(label, -1) < max(votes_here):
            reason = f"predicts {label} at {x}, where the votes are {votes_here}"
            return g7(failure(reason, "Votes"))
    return g7(check_largest_score(request.rows, ask(request)))


def count_votes(request: Request, y: list[int], answer: Answer) -> list[list[int]] | None:
    """Return the votes for each class at each row; None if the pairs are decided wrongly."""
    votes = [[0] * len(CLASS_PAIRS) for _ in request.rows]
    sides = set()
    for column, (p, q) in zip(zip(*answer.scores), CLASS_PAIRS):
        X = [x for x, label in zip(request.X, y) if label in (p, q)]
        problem = Problem(X, [1 if label == p else -1 for label in y if label in (p, q)])
        truth = truth_of(problem, request.rows)
        sides.add(side_of(truth, request, column))
        for count, s in zip(votes, truth.scores):
            count[p if s + middle_offset(truth.optimum) > 0 else q] += 1
    return votes if len(sides) == 1 and sides != {0} else None


def is_table(values: Any, length: int, width: int) -> bool:
    """Return whether it is a list of so many rows of so many numbers."""
    return (
        isinstance(values, list)
        and len(values) == length
        and all(isinstance(row, list) and len(row) == width for row in values)
    )


def side_of(truth: Truth, request: Request, decisions: Any) -> int:
    """Return +1 if the decisions are those of the first class, -1 of the second, 0 of neither."""
    for side in (1, -1):
        answer = Answer(decisions=[side * f for f in decisions])
        if shape_of(evidence_of(truth, request, answer, None)).is_right:
            return side
    return 0


def check_largest_score(rows: list[Any], answer: Answer) -> Finding:
    """Check that predictions have the largest score."""
    for x, label, scores in zip(rows, answer.predictions or [], answer.scores or []):
        score = dict(enumerate(scores)).get(label)
        if len(scores) == len(CLASS_PAIRS) and score is not None and score < max(scores):
            best = scores.index(max(scores))
            reason = f"votes tie at {x}: it predicts {label}, the largest score is that of {best}"
            return Finding("acceptable", reason)
    return PASS


# ---- tolerance


def tolerance(ask: Ask, tol: float | None) -> FindingList:
    """Check a tolerance, on forty points with a Gaussian kernel and a large C."""
    if tol is None:
        return g7(Finding("acceptable", "not on offer: there is no tol"))
    bits = splitmix64(1)
    X = [[next(bits) / 2**64 for _ in range(3)] for _ in range(40)]
    y = [1 if x[0] + next(bits) / 2**66 > 0.6 else -1 for x in X]
    problem = Problem(X, y, Gaussian(2.0), 10000.0)
    request = request_for("tolerance", problem, X, tol)
    answer = ask(request)
    found = without_answer(answer)
    if found is not None:
        return g7(Finding("acceptable", found[0][1].reason))
    e = evidence_of(truth_of(problem, X), request, answer, tol)
    excess, promised = gap_of(e)
    if excess is None or promised is None or excess <= 2 * promised or says_unfinished(answer):
        return [("G8", Finding("pass", gap=excess))]
    rounded = next(by_rounded_kernel(e), None)
    flag, why = (rounded.flag, rounded.why) if rounded else ("ToleranceBroken", "no warning")
    times = short_text(excess / promised, 3)
    reason = f"tol = {tol:g} allows a gap {times} times smaller; {why}"
    return [("G8", failure(reason, flag, gap=excess))]


POLICIES: dict[str, Callable[[Ask], FindingList]] = {  # by the names of their cases
    "labels": labels,
    "integers": integers,
    "arrays": arrays,
    "sparse rows": sparse_rows,
    "many rows": many_rows,
    "rows to decide": rows_to_decide,
    "class weights": class_weights,
    "weight 0 in a Gram matrix": weight_0_in_a_gram_matrix,
    "gamma scale": gamma_scale,
    "kernel parameters": kernel_parameters,
    "zero to the zero": zero_to_the_zero,
    "sign of the sigmoid": sign_of_the_sigmoid,
    "three classes": three_classes,
    "vote in a circle": vote_in_a_circle,
}


def policies_for(subject: Estimator) -> dict[str, Callable[[Ask], FindingList]]:
    """Return the policies by the names of their cases; one has the tolerance that holds here."""
    return {**POLICIES, "tolerance": partial(tolerance, tol=stated_tol(subject, TIGHT))}
