"""Exercises on losses and slack, slopes at kinks, the primal, the dual and their optimum."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..numerics.linalg import dot, scale
from ..numerics.picks import below
from ..numerics.types import Matrix, Number, Vector
from ..solvers.smo import smo
from ..svm.kkt_conditions import kkt
from ..svm.problem import Problem
from ..theory import losses, margins, qp_duality
from .draws import Bits, dimension, draw_labels, number, one_of, positive, rows, vector
from .exercise import Arguments, Exercise
from .geometry import examples

HINGES = "Hinge and slack"
CONVEXITY = "Convexity"
DUALITY = "Duality, executed"
ALPHA = "What alpha says"


def a_margin(bits: Bits, size: int) -> Arguments:
    """Draw a margin, 1 now and then."""
    return (one_of(bits, [number(bits, size), number(bits, size), 1 + 0 * number(bits, 1)]),)


def a_slack(bits: Bits, size: int) -> Arguments:
    """Draw the least slack of an example."""
    return (abs(number(bits, size)),)


def two_hyperplanes(bits: Bits, size: int) -> Arguments:
    """Draw squared lengths a < b and sums of slacks s > t."""
    a, t = abs(number(bits, size)), abs(number(bits, size))
    return a, t + positive(bits, size), a + positive(bits, size), t


def data(bits: Bits, size: int) -> Arguments:
    """Draw rows and labels, both there."""
    X = rows(bits, size, dimension(bits, size), 2)
    return X, draw_labels(bits, len(X))


def an_example(bits: Bits, size: int) -> Arguments:
    """Draw w, x and y, with a margin of 1 now and then."""
    d = dimension(bits, size)
    w, x, y = vector(bits, size, d), vector(bits, size, d), one_of(bits, [1, -1])
    score = dot(w, x)
    return (scale(y / score, w) if score and below(3, bits) == 0 else w), x, y


def a_multiplier(bits: Bits, size: int) -> Arguments:
    """Draw a and c."""
    return abs(number(bits, size)), number(bits, size)


def with_multipliers(bits: Bits, size: int) -> Arguments:
    """Draw multipliers of at least 0, rows and labels."""
    X, y = data(bits, size)
    return [abs(number(bits, size)) for _ in X], X, y


def with_offset_and_C(bits: Bits, size: int) -> Arguments:
    """Draw multipliers of at most C, an offset, rows, labels and C."""
    alpha, X, y = with_multipliers(bits, size)
    C = max([*alpha, positive(bits, size)])
    return alpha, number(bits, size), X, y, C


def solved(bits: Bits, size: int) -> tuple[Vector, Number, Matrix, list[int], Number]:
    """Draw a small problem with one feature and return its exact optimum with it."""
    X = [vector(bits, size, 1) for _ in range(2 + below(3, bits))]
    y, C = draw_labels(bits, len(X)), positive(bits, size)
    solution = smo(Problem(X, y, C=C), tol=0)
    return solution.alpha, solution.b, [list(x) for x in X], y, C


def optimal_or_not(bits: Bits, size: int) -> Arguments:
    """Draw a small problem with its optimum, or with another b or alpha."""
    alpha, b, X, y, C = solved(bits, size)
    change = below(4, bits)
    if change == 1:
        b = b + number(bits, size)
    elif change == 2:
        alpha = [value / 2 for value in alpha]
    elif change == 3:
        k = below(len(alpha), bits)
        alpha = [C if i == k else value for i, value in enumerate(alpha)]
    return alpha, b, X, y, C


def optimal_multipliers(bits: Bits, size: int) -> Arguments:
    """Draw a small problem with its multipliers."""
    alpha, _, X, y, C = solved(bits, size)
    return alpha, X, y, C


def stands(xi: Number) -> str:
    """The right side_by_slack."""
    return "beyond" if xi == 0 else "inside" if xi < 1 else "on" if xi == 1 else "wrong"


def right_slacks(w: Vector, b: Number, X: Matrix, y: list[int]) -> Vector:
    """The right slacks."""
    return [losses.smallest_slack(m) for m in margins.functional_margins(w, b, X, y)]


def judge_zero_loss(X: Matrix, y: list[int], answer: Any) -> str | None:
    """Tell what is wrong with a pair whose mean perceptron loss should be 0."""
    w, b = answer
    if len(w) != len(X[0]):
        return "w must have as many numbers as a row"
    risk = losses.empirical_risk(losses.perceptron_loss, margins.functional_margins(w, b, X, y))
    return f"its mean perceptron loss is {risk}" if risk else None


def judge_subgradient(w: Vector, x: Vector, y: int, answer: Any) -> str | None:
    """Tell what is wrong with a subgradient of the hinge of an example: -t y x, t from 0 to 1."""
    m = y * dot(w, x)
    low, high = losses.hinge_subdifferential(m)
    if len(answer) != len(x):
        return "it must have as many numbers as w"
    k = next((i for i, value in enumerate(x) if value), None)
    slope = low if k is None else answer[k] / (y * x[k])
    if list(answer) != [slope * y * value for value in x]:
        return "it is no multiple of x"
    if low <= slope <= high:
        return None
    ends = f"{low}" if low == high else f"from {low} to {high}"
    return f"it is {slope} y x; at the margin {m} the slope of the hinge is {ends}"


def infimum(a: Number, c: Number) -> Number:
    """The right dual_function."""
    program = qp_duality.quadratic_program([[1]], [0 * c], G=[[-1]], h=[-c])
    return qp_duality.dual_function(program, [a])


def meets_conditions(alpha: Vector, b: Number, X: Matrix, y: list[int], C: Number) -> bool:
    """The right is_optimal."""
    if any(not 0 <= a <= C for a in alpha) or dot(alpha, y) != 0:
        return False
    return bool(kkt(Problem(X, y, C=C), alpha, b).worst.amount <= 0)


def every_offset(alpha: Vector, X: Matrix, y: list[int], C: Number) -> tuple[Number, Number]:
    """The right offset_interval."""
    found = kkt(Problem(X, y, C=C), alpha)
    return found.b_low, found.b_high


ONE, MID = Fraction(1), Fraction(1, 2)
SUITED = (  # every margin is 1, and yet: a sum that is not 0, one above C, one below 0
    ([MID / 2, 3 * MID / 2], 0 * ONE, [[ONE], [-ONE]], [1, -1], ONE),
    ([MID, MID / 4, 3 * MID / 4], 0 * ONE, [[ONE], [-ONE], [-ONE]], [1, -1, -1], 3 * MID / 4),
    ([ONE, MID, -MID], 0 * ONE, [[ONE], [-ONE], [ONE]], [1, -1, 1], ONE),
)
EXERCISES = [
    Exercise(
        "hinge(m)",
        "Return the hinge loss of an example with the functional margin m.",
        HINGES,
        a_margin,
        losses.hinge,
    ),
    Exercise(
        "slacks(w, b, X, y)",
        "Return the least slack ξᵢ of every example: what its margin lacks to 1, at least 0.",
        HINGES,
        examples,
        right_slacks,
    ),
    Exercise(
        "side_by_slack(xi)",
        """Return where an example with the least slack xi stands: what does the slack tell?

        Return "beyond" (on its margin or beyond), "inside" (inside the street, decided rightly),
        "on" (on the hyperplane) or "wrong" (decided wrongly).
        """,
        HINGES,
        a_slack,
        stands,
        note="nyu-23",
    ),
    Exercise(
        "equal_penalty(a, s, b, t)",
        """Return the C at which two hyperplanes have the same value of ½‖w‖² + C Σξ.

        The first has ‖w‖² = a and slacks that add up to s, the second b and t, with a < b and s >
        t. For a smaller C the first one is better, for a larger C the second. What is the role of
        C?
        """,
        HINGES,
        two_hyperplanes,
        lambda a, s, b, t: (b - a) / (2 * (s - t)),
        note="nyu-24",
    ),
    Exercise(
        "zero_loss(X, y)",
        """Return a (w, b) whose mean perceptron loss, of max(0, -yᵢ (⟨w, xᵢ⟩ + b)), is 0.

        What happens if the mean perceptron loss is minimised, on any data?
        """,
        HINGES,
        data,
        lambda X, y: ([0 * v for v in X[0]], 0 * X[0][0]),
        judge_zero_loss,
        note="nyu-28",
    ),
    Exercise(
        "hinge_slopes(m)",
        "Return the least and the largest subgradient of the hinge at the margin m, as a pair.",
        CONVEXITY,
        a_margin,
        losses.hinge_subdifferential,
    ),
    Exercise(
        "hinge_subgradient(w, x, y)",
        "Return one subgradient, in w, of the loss max(0, 1 - y ⟨w, x⟩) of an example.",
        CONVEXITY,
        an_example,
        lambda w, x, y: scale(losses.hinge_subgradient(y * dot(w, x)) * y, x),
        judge_subgradient,
    ),
    Exercise(
        "dual_function(a, c)",
        """Return the least value of ½ x² + a (c - x) over all numbers x.

        It is the dual function of: minimise ½ x² such that x >= c. a is the multiplier.
        """,
        DUALITY,
        a_multiplier,
        infimum,
    ),
    Exercise(
        "weights(alpha, X, y)",
        "Return w = Σ αᵢ yᵢ xᵢ, as a list.",
        DUALITY,
        with_multipliers,
        lambda alpha, X, y: Problem(X, y).weights(alpha),
    ),
    Exercise(
        "dual(alpha, X, y)",
        "Return the value of the dual: Σ αᵢ - ½ Σᵢⱼ αᵢ αⱼ yᵢ yⱼ ⟨xᵢ, xⱼ⟩.",
        DUALITY,
        with_multipliers,
        lambda alpha, X, y: Problem(X, y).dual(alpha),
    ),
    Exercise(
        "gap(alpha, b, X, y, C)",
        """Return primal - dual, with w = Σ αᵢ yᵢ xᵢ in the primal ½‖w‖² + C Σ ξᵢ and the least ξᵢ.

        Call weights, dual and slacks if you have them; the file may hold more than one function.
        """,
        DUALITY,
        with_offset_and_C,
        lambda alpha, b, X, y, C: Problem(X, y, C=C).gap(alpha, b),
    ),
    Exercise(
        "is_optimal(alpha, b, X, y, C)",
        """Return whether alpha and b are optimal, by looking at every example.

        Is 0 <= αᵢ <= C and Σ αᵢ yᵢ = 0, and does each margin suit its αᵢ?
        """,
        ALPHA,
        optimal_or_not,
        meets_conditions,
        cases=SUITED,
    ),
    Exercise(
        "offset_interval(alpha, X, y, C)",
        """Return the smallest and the largest b with which an optimal alpha is optimal.

        Every example that could still rise (αᵢ < C with yᵢ = +1, or αᵢ > 0 with yᵢ = -1) asks for
        a b of at least yᵢ - ⟨w, xᵢ⟩; one that could fall asks for at most that. Both kinds are
        there.
        """,
        ALPHA,
        optimal_multipliers,
        every_offset,
    ),
]
