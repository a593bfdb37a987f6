"""Exercises on the other machines: regression, one class, the ball, nu, probabilities."""

from __future__ import annotations

from fractions import Fraction

from ..numerics.linalg import scale, squared_distance, total
from ..numerics.picks import below
from ..numerics.polyhedra import weighted_mean
from ..numerics.types import Matrix, Number, Vector
from ..svm.regression_problem import RegressionProblem
from .draws import Bits, dimension, draw_labels, number, positive, rows, vector
from .exercise import Arguments, Exercise

TUBE = "Regression"
OUTLIERS = "One class, and the smallest ball"
NU_ETC = "nu, and probabilities"


def a_value(bits: Bits, size: int) -> Arguments:
    """Draw y, f and epsilon."""
    return number(bits, size), number(bits, size), abs(number(bits, size))


def values_and_multipliers(bits: Bits, size: int) -> Arguments:
    """Draw net multipliers whose sum is 0, rows, values and epsilon."""
    X = rows(bits, size, dimension(bits, size), 2)
    alpha = vector(bits, size, len(X) - 1)
    y = vector(bits, size, len(X))
    return [*alpha, -total(alpha)], X, y, abs(number(bits, size))


def some_scores(bits: Bits, size: int) -> Arguments:
    """Draw scores, and nu, now and then so that nu n is a whole number."""
    scores = vector(bits, size, 2 + below(size + 2, bits))
    parts = len(scores) * (1 + below(2, bits))
    return scores, Fraction(1 + below(parts - 1, bits), parts)


def a_ball(bits: Bits, size: int) -> Arguments:
    """Draw weights whose sum is 1, rows, a squared radius and a point."""
    X = rows(bits, size, dimension(bits, size))
    parts = [positive(bits, size) for _ in X]
    alpha = scale(1 / total(parts), parts)
    return alpha, X, abs(number(bits, size)), vector(bits, size, len(X[0]))


def nu_multipliers(bits: Bits, size: int) -> Arguments:
    """Draw multipliers of the nu machine, rows, labels and nu."""
    X = rows(bits, size, dimension(bits, size), 2)
    y = draw_labels(bits, len(X))
    nu = Fraction(1 + below(3, bits), 4)
    parts = [positive(bits, size) for _ in X]
    sums = {side: total([p for p, of in zip(parts, y) if of == side]) for side in (1, -1)}
    return [nu * len(X) / 2 * p / sums[of] for p, of in zip(parts, y)], X, y, nu


def counts(bits: Bits, size: int) -> Arguments:
    """Draw a label and how many examples have each."""
    return 1 - 2 * below(2, bits), 1 + below(3 * size, bits), 1 + below(3 * size, bits)


def right_rho(scores: Vector, nu: Number) -> Number:
    """The right best_rho: the sum falls until more than nu n of the scores lie below rho."""
    return sorted(scores)[int(nu * len(scores))]


def mean_of_class(alpha: Vector, X: Matrix, y: list[int], nu: Number) -> Vector:
    """The right centre_of_class."""
    share = nu * len(X) / 2
    return weighted_mean(X, [a / share if of > 0 else a * 0 for a, of in zip(alpha, y)])


def laplace(y: int, n_plus: int, n_minus: int) -> Number:
    """The right target_probability."""
    return Fraction(n_plus + 1, n_plus + 2) if y > 0 else Fraction(1, n_minus + 2)


def inside_ball(alpha: Vector, X: Matrix, radius2: Number, x: Vector) -> Number:
    """The right ball_decision."""
    return radius2 - squared_distance(x, weighted_mean(X, alpha))


def dual_of_tube(alpha: Vector, X: Matrix, y: Vector, epsilon: Number) -> Number:
    """The right tube_dual."""
    most = 1 + total([max(a, -a) for a in alpha])  # no multiplier is at its bound
    return RegressionProblem(X, y, C=most, epsilon=epsilon).dual(alpha)


EXERCISES = [
    Exercise(
        "tube_slack(y, f, epsilon)",
        "Return by how much the value y lies outside the tube from f - epsilon to f + epsilon.",
        TUBE,
        a_value,
        lambda y, f, epsilon: max(abs(y - f) - epsilon, 0 * y),
    ),
    Exercise(
        "tube_dual(alpha, X, y, epsilon)",
        """Return the dual of regression: Σ (yᵢ αᵢ - epsilon |αᵢ|) - ½‖w‖², with w = Σ αᵢ xᵢ.

        The alpha are net multipliers: each may be negative.
        """,
        TUBE,
        values_and_multipliers,
        dual_of_tube,
    ),
    Exercise(
        "best_rho(scores, nu)",
        """Return the largest rho that minimises Σ max(0, rho - sᵢ) - nu n rho, for n scores sᵢ.

        That is the rho of the machine of one class, once w is known. nu is above 0 and below 1.
        """,
        OUTLIERS,
        some_scores,
        right_rho,
    ),
    Exercise(
        "ball_decision(alpha, X, radius2, x)",
        "Return R² - ‖x - c‖², for the centre c = Σ αᵢ xᵢ: it is negative outside the ball.",
        OUTLIERS,
        a_ball,
        inside_ball,
    ),
    Exercise(
        "centre_of_class(alpha, X, y, nu)",
        """Return the point of the reduced hull of class +1 that the multipliers stand for.

        In the nu machine the alpha of each class add up to nu n / 2, so divided by that they are
        the weights of a mean.
        """,
        NU_ETC,
        nu_multipliers,
        mean_of_class,
    ),
    Exercise(
        "target_probability(y, n_plus, n_minus)",
        """Return the probability of +1 to which Platt's sigmoid is fitted where the label is y.

        It is not 1 and 0: it is that of another draw of the same label by Laplace's rule, when
        n_plus and n_minus examples have been seen. Write it as a Fraction.
        """,
        NU_ETC,
        counts,
        laplace,
    ),
]
