"""What estimators alone are asked: weights, words for parameters, several classes; and inputs.py.

    class weights   class_weight multiplies C and each sample_weight, and "balanced" is n / (2 n_k)
    weight 0 in a Gram matrix  its row and column are as if absent
    gamma scale     gamma="scale" is 1 / (features * variance of X), not of the rows asked about,
                    nor of those of an earlier fit; "auto" is 1 / features
    kernel parameters  gamma, coef0 and degree are those that were asked for
    zero to the zero, sign of the sigmoid: two kernels on points where they are easily wrong
    three classes   three classes far apart are told apart, if three are taken at all
    vote in a circle  three classes of which each beats one (E1): each pair is decided rightly,
                    and nobody is predicted who has fewer votes than another
    tolerance       a tolerance of 1e-9 is kept, or it is said that it was not

What an estimator's constructor has no parameter for, it is not asked.

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface.
"""

from fractions import Fraction

from ..kernels.standard import Gaussian, Polynomial, Precomputed, Sigmoid
from ..numerics.linalg import dot, total
from ..numerics.picks import splitmix64
from ..svm.problem import Problem
from .checks import PASS, Finding, failed
from .diagnosis import by_kernel_values
from .estimator_inputs import (
    PLANE,
    SIGNS,
    arrays,
    first_failure,
    integers,
    judged,
    labels,
    many_rows,
    question,
    rows_to_decide,
    sparse_rows,
    stopped,
)
from .protocol import Answer, asked, says_unfinished
from .truth import evidence_of, gap_of, middle, shape_of, truth_of

CORNERS = [[0.0, 0.0], [1.0, 0.0], [20.0, 0.0], [21.0, 0.0], [0.0, 20.0], [1.0, 21.0]]
CIRCLE = [[0.0, 0.0], [4.0, 0.0], [2.0, 4.0], [1.0, 0.0], [4.0, 1.0], [2.0, 1.0]]
PAIRS = ((0, 1), (0, 2), (1, 2))
TIGHT = 1e-9


def policies():
    """{name of a case: its policy}."""
    return {
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
        "tolerance": tolerance,
    }


def class_weights(ask):
    """class_weight as a dict, and "balanced", of which no row that weighs nothing is counted."""
    X, y, c = [[0.0], [1.0], [3.0], [2.0], [4.0], [7.0]], [-1, -1, 1, 1, 1, 1], 1 / 8

    def told(name, class_weight, weight):
        request = question(name, X, y, c, class_weight=class_weight)
        C = [c * weight[label] for label in y]
        return judged(ask, request, Problem(X, y, C=C), "ClassWeight")

    def beside_weights():
        weight, each = {-1: 0.5, 1: 1.0}, [c, 2 * c, c, c, 4 * c, 2 * c]
        request = question("class_weight and sample_weight", X, y, class_weight=[[-1, 0.5]])
        C = [v * weight[label] for v, label in zip(each, y)]
        return judged(ask, request._replace(C=each), Problem(X, y, C=C), "ClassWeight")

    def absent():
        X, y, C = [[0.0], [5.0], [1.0], [2.0], [3.0]], [-1, -1, 1, 1, 1], [1.25] * 2 + [5 / 6] * 3
        name = "balanced beside a row of weight 0"
        request = question(name, [*X, [9.0]], [*y, -1], class_weight="balanced")
        request = request._replace(C=[1.0] * len(y) + [0.0], rows=X)
        return judged(ask, request, Problem(X, y, C=C), "ClassWeight")

    return first_failure(
        found()
        for found in (
            lambda: told("class_weight", [[-1, 4.0], [1, 1.0]], {-1: 4.0, 1: 1.0}),
            lambda: told("class_weight", [[1, 4.0], [-1, 1.0]], {-1: 1.0, 1: 4.0}),
            lambda: told("balanced", "balanced", {-1: 3 / 2, 1: 3 / 4}),
            beside_weights,
            absent,
        )
    )


def weight_0_in_a_gram_matrix(ask):
    """The second of four examples weighs nothing; the rows to decide hold its kernel values."""
    points = [[2.0, 0.0, 0.0], [3.0, 4.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 2.0]]
    K = [[dot(x, z) for z in points] for x in points]
    y, kept = [-1, 1, 1, -1], [0, 2, 3]
    problem = Problem([[K[i][j] for j in kept] for i in kept], [-1, 1, -1], Precomputed())
    request = question("weight 0 in a Gram matrix", K, y, kernel={"name": "precomputed"})
    request = request._replace(C=[1.0, 0.0, 1.0, 1.0])
    there = [[row[j] for j in kept] for row in K]
    return judged(ask, request, problem, "ZeroWeight", there)


def gamma_scale(ask):
    """gamma="scale", after a fit to other rows, too; and gamma="auto"."""
    values = [Fraction(v) for row in PLANE for v in row]
    mean = total(values) / len(values)
    variance = total((v - mean) * (v - mean) for v in values) / len(values)

    def told(word, gamma):
        kernel = {"name": "gaussian", "gamma": word}
        request = question(f"gamma {word}", PLANE, SIGNS, kernel=kernel, extras=2)
        answer = ask(request._replace(rows=PLANE[1:3]))
        if answer.refused is not None:
            return [("G7", Finding("acceptable", f"not on offer: gamma={word!r}"))]
        problem = Problem(PLANE, SIGNS, Gaussian(gamma))
        return judged(
            lambda request: answer, request._replace(rows=PLANE[1:3]), problem, "GammaScale"
        )

    return first_failure([told("scale", float(1 / (2 * variance))), told("auto", 1 / 2)])


def kernel_parameters(ask):
    """gamma, coef0 and degree, each other than usual; C so small that s adds up kernel values."""
    X, y, rows = [[-1.0], [1.0]], [-1, 1], [[-1.0], [1.0], [0.5], [3.0], [-2.0]]
    result = [("G7", PASS)]
    for kernel, C in (
        (Polynomial(1, 0.5, 1.0), 1 / 4),
        (Polynomial(2, 0.5, 1.0), 1 / 4),
        (Polynomial(3, 2.0, 0.5), 1 / 64),
        (Gaussian(0.25), 1 / 2),
        (Sigmoid(0.5, 0.25), 1 / 2),
    ):
        problem, name = Problem(X, y, kernel, C), f"kernel {kernel!r}"
        found = judged(ask, asked(name, problem, rows, 1e-6), problem, "KernelParameters")
        if found and found[0][1].flag == "NotAccepted":
            result = [("G7", Finding("acceptable", found[0][1].reason))]
        elif found and found[0][1].result != "pass":
            return found
    return result


def zero_to_the_zero(ask):
    """(x z)^0 is 1 for all x and z, 0 too. To refuse the degree 0 is no mistake."""
    kernel = {"name": "polynomial", "degree": 0, "gamma": 1.0, "coef0": 0.0}
    X, y = [[0.0], [1.0], [2.0]], [-1, 1, 1]
    request = question("zero to the zero", X, y, kernel=kernel)
    found = judged(ask, request, Problem(X, y, Polynomial(0)), "ZeroToTheZero")
    if found and found[0][1].flag == "NotAccepted":
        return [("G7", Finding("acceptable", found[0][1].reason))]
    return found


def sign_of_the_sigmoid(ask):
    """tanh(x z) at x, z = -1 and 1, where it is positive semidefinite."""
    X, y = [[-1.0], [1.0]], [-1, 1]
    request = question(
        "sign of the sigmoid", X, y, 8.0, {"name": "sigmoid", "gamma": 1.0, "coef0": 0.0}
    )
    found = judged(ask, request, Problem(X, y, Sigmoid(1.0, 0.0), 8.0), "KernelSign")
    if found and found[0][1].flag == "NotAccepted":
        return [("G7", Finding("acceptable", found[0][1].reason))]
    return found


def three_classes(ask):
    """Three classes far apart."""
    y = ["a", "a", "b", "b", "c", "c"]
    answer = ask(question("three classes", CORNERS, y, 10.0)._replace(extras=False))
    if answer.refused is not None or answer.unsupported is not None or answer.crashed is not None:
        return [("G7", Finding("acceptable", "not on offer: three classes"))]
    if answer.predictions is not None and answer.predictions != y:
        return [("G7", failed(f"of the labels {y} it makes {answer.predictions}", "NotAccepted"))]
    return [("G7", PASS)]


def vote_in_a_circle(ask):
    """E1, whole: at (0, 1) each class has one vote, and any may be predicted.

    Who predicts another class than the one with the largest score is told so: it is no mistake,
    for votes tie and scores do not, but it surprises.
    """
    y = [0, 0, 1, 1, 2, 2]
    plain = question("vote in a circle", CIRCLE, y)._replace(rows=[*CIRCLE, [0.0, 1.0]])
    answer = ask(plain._replace(pairs=True))
    if answer.refused is not None or answer.unsupported is not None or answer.crashed is not None:
        return [("G7", Finding("acceptable", "not on offer: three classes"))]
    votes = votes_of_pairs(plain, y, answer)
    if votes is None:
        return [("G7", Finding("acceptable", "not on offer: the decisions of pairs of classes"))]
    if isinstance(votes, Finding):
        return [("G7", votes)]
    for x, votes_here, label in zip(plain.rows, votes, answer.predictions or []):
        if dict(enumerate(votes_here)).get(label, -1) < max(votes_here):
            return [
                (
                    "G7",
                    failed(f"predicts {label} at {x}, where the votes are {votes_here}", "Votes"),
                )
            ]
    return [("G7", surprise(plain.rows, ask(plain)))]


def votes_of_pairs(request, y, answer):
    """The votes for each class at each row; a Finding if the pairs are decided wrongly.

    None if the answer does not hold a decision of each pair, which of several classes need not be.
    """
    if not is_table(answer.scores, len(request.rows), len(PAIRS)):
        return None
    votes = [[0] * len(PAIRS) for _ in request.rows]
    sides = set()
    for column, (p, q) in zip(zip(*answer.scores), PAIRS):
        X = [x for x, label in zip(request.X, y) if label in (p, q)]
        problem = Problem(X, [1 if label == p else -1 for label in y if label in (p, q)])
        truth = truth_of(problem, request.rows)
        sides.add(side_of(truth, request, column))
        for count, s in zip(votes, truth.scores):
            count[p if s + middle(truth.optimum) > 0 else q] += 1
    if len(sides) == 1 and sides != {0}:
        return votes
    return failed("the decisions of the pairs of classes are not theirs", "Votes")


def is_table(values, length, width):
    """Whether it is a list of so many rows of so many numbers."""
    return (
        isinstance(values, list)
        and len(values) == length
        and all(isinstance(row, list) and len(row) == width for row in values)
    )


def side_of(truth, request, decisions):
    """+1 if the decisions are those of the first class, -1 of the second, 0 of neither."""
    for side in (1, -1):
        turned = Answer(decisions=[side * f for f in decisions])
        shape = shape_of(evidence_of(truth, request, turned, None))
        if not shape.bent and not shape.outside:
            return side
    return 0


def surprise(rows, answer):
    """A Finding about predictions that are not the largest score."""
    for x, label, scores in zip(rows, answer.predictions or [], answer.scores or []):
        if is_table([scores], 1, len(PAIRS)) and scores[int(label)] < max(scores):
            best = scores.index(max(scores))
            reason = f"votes tie at {x}: it predicts {label}, the largest score is that of {best}"
            return Finding("acceptable", reason)
    return PASS


def tolerance(ask):
    """A tolerance of 1e-9, on forty points with a Gaussian kernel and a large C."""
    bits = splitmix64(1)
    X = [[next(bits) / 2**64 for _ in range(3)] for _ in range(40)]
    y = [1 if x[0] + next(bits) / 2**66 > 0.6 else -1 for x in X]
    problem = Problem(X, y, Gaussian(2.0), 10000.0)
    request = asked("tolerance", problem, X, TIGHT)
    answer = ask(request)
    ended = stopped(answer, problem.n, len(X))
    if ended is not None:
        return [("G7", Finding("acceptable", ended[0][1].reason))]
    e = evidence_of(truth_of(problem, X), request, answer, TIGHT)
    excess, promised = gap_of(e)
    if excess is None or promised is None or excess <= 2 * promised or says_unfinished(answer):
        return [("G8", Finding("pass", gap=excess))]
    flag, why = by_kernel_values(e) or ("ToleranceBroken", "no warning")
    times = float(excess / promised)
    return [
        (
            "G8",
            failed(
                f"tol = {TIGHT:g} allows a gap {times:.3g} times smaller; {why}", flag, gap=excess
            ),
        )
    ]
