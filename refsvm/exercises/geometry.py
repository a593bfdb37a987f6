"""Exercises on hyperplanes, the perceptron and margins."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..numerics.linalg import add_scaled, dot
from ..numerics.picks import below
from ..numerics.types import Number, Vector
from ..online.perceptron import perceptron as run_perceptron
from ..svm.offsets import midpoint
from ..theory import hyperplanes, margins
from .draws import Bits, dimension, draw_labels, normal, number, one_of, rows, separated, vector
from .exercise import Arguments, Exercise

HALVES = "A line and two sides"
PERCEPTRON = "The perceptron"
STREET = "The widest street"


def a_point(bits: Bits, size: int) -> Arguments:
    """Draw w, b and x."""
    d = dimension(bits, size)
    return normal(bits, size, d), number(bits, size), vector(bits, size, d)


def a_line(bits: Bits, size: int) -> Arguments:
    """Draw w of two numbers, and b."""
    return normal(bits, size, 2), number(bits, size)


def a_mistake_or_not(bits: Bits, size: int) -> Arguments:
    """Draw w, x and y."""
    d = dimension(bits, size)
    return vector(bits, size, d), vector(bits, size, d), one_of(bits, [1, -1])


def a_run(bits: Bits, size: int) -> Arguments:
    """Draw rows, labels and picks."""
    X = rows(bits, size, dimension(bits, size), 2)
    return X, draw_labels(bits, len(X)), [below(len(X), bits) for _ in range(2 * size)]


def examples(bits: Bits, size: int) -> Arguments:
    """Draw w, b, rows and labels."""
    d = dimension(bits, size)
    X = rows(bits, size, d)
    return normal(bits, size, d), number(bits, size), X, draw_labels(bits, len(X))


def without_b(bits: Bits, size: int) -> Arguments:
    """Draw w, rows and labels such that some b separates."""
    w, _, X, y = separated(bits, size)
    return w, X, y


def step_if_mistaken(w: Vector, x: Vector, y: int) -> Vector:
    """The right perceptron_step."""
    return add_scaled(w, y, x) if y * dot(w, x) <= 0 else w


def points_of_line(w: Vector, b: Number) -> tuple[Vector, Vector]:
    """Two points of a line: the foot of the origin, and one further along the line."""
    near = hyperplanes.foot(w, b, [0 * v for v in w])
    return near, [near[0] - w[1], near[1] + w[0]]


def judge_points(w: Vector, b: Number, answer: Any) -> str | None:
    """Tell what is wrong with two points of a line."""
    u, v = answer
    for point in (u, v):
        if len(point) != 2 or dot(w, point) + b != 0:
            return f"the score of {point_text(point)} is not 0, so it is not on the line"
    return "they are one and the same point" if list(u) == list(v) else None


def judge_no_margin(w: Vector, b: Number, answer: Any) -> str | None:
    """Tell what is wrong with an example that should be right without a margin."""
    x, y = answer
    if len(x) != len(w) or y not in (1, -1):
        return "x must have as many numbers as w, and y must be 1 or -1"
    score = dot(w, x) + b
    if y != (1 if score >= 0 else -1):
        return f"its score is {score}, so the prediction is not {y}"
    return f"its functional margin is {y * score}, which is positive" if y * score > 0 else None


def judge_pair(w: Vector, b: Number, answer: Any) -> str | None:
    """Tell what is wrong with another pair for the same margins."""
    v, c = answer
    if len(v) != len(w):
        return "its w has another number of features"
    k = next(i for i, value in enumerate(w) if value)
    factor = v[k] / w[k]
    if [factor * value for value in w] != list(v) or factor * b != c:
        return "it is another hyperplane"
    if factor <= 0:
        return "it has the two sides changed, or is all zero"
    return "it is the same pair" if factor == 1 else None


def point_text(point: Any) -> str:
    """Return a point in round brackets."""
    return f"({', '.join(map(str, point))})"


TWO = Fraction(2)
UPRIGHT = (([TWO, 0 * TWO], TWO / 2), ([-TWO / 3, 0 * TWO], TWO))  # lines of one x_1
EXERCISES = [
    Exercise(
        "predict(w, b, x)",
        "Return the side of x: +1 where f(x) = ⟨w, x⟩ + b is 0 or more, else -1.",
        HALVES,
        a_point,
        hyperplanes.predict,
    ),
    Exercise(
        "foot(w, b, x)",
        """Return the point of the hyperplane ⟨w, x⟩ + b = 0 that is nearest to x.

        The way from x to it runs along w. w is not zero.
        """,
        HALVES,
        a_point,
        hyperplanes.foot,
    ),
    Exercise(
        "two_points(w, b)",
        """Return two different points u, v of the hyperplane ⟨w, x⟩ + b = 0; w has two numbers.

        Convince yourself that w is at right angles to u - v, whichever two you choose.
        """,
        HALVES,
        a_line,
        points_of_line,
        judge_points,
        UPRIGHT,
        note="cs229-52",
    ),
    Exercise(
        "right_without_margin(w, b)",
        """Return an example (x, y) that is predicted rightly without a positive functional margin.

        A positive functional margin y (⟨w, x⟩ + b) means a right prediction: check that yourself.
        Is a right prediction always a positive margin? It is +1 where the score is 0.
        """,
        HALVES,
        a_line,
        lambda w, b: (points_of_line(w, b)[0], 1),
        judge_no_margin,
        UPRIGHT,
        note="cs229-48",
    ),
    Exercise(
        "functional_margins(w, b, X, y)",
        "Return the functional margin of every example, yᵢ (⟨w, xᵢ⟩ + b), as a list.",
        HALVES,
        examples,
        margins.functional_margins,
    ),
    Exercise(
        "perceptron_step(w, x, y)",
        """Return w after the perceptron has looked at the example (x, y), as a new list.

        It adds y x to w if y ⟨w, x⟩ <= 0, and leaves w as it is otherwise.
        """,
        PERCEPTRON,
        a_mistake_or_not,
        step_if_mistaken,
    ),
    Exercise(
        "perceptron(X, y, picks)",
        """Return the w that the perceptron ends with, which begins with zeros.

        picks is a list of indices: which example it looks at first, second, and so on.
        """,
        PERCEPTRON,
        a_run,
        lambda X, y, picks: run_perceptron(X, y, picks).w,
    ),
    Exercise(
        "another_pair(w, b)",
        """Return another (w, b) that gives every example the same geometric margin as this one.

        The w and b of the largest margin are not unique: why? w is not zero.
        """,
        STREET,
        a_line,
        lambda w, b: ([2 * v for v in w], 2 * b),
        judge_pair,
        note="nyu-15",
    ),
    Exercise(
        "canonical(w, b, X, y)",
        """Return the (w, b) of the same hyperplane whose smallest functional margin is 1.

        (w, b) decides every example rightly.
        """,
        STREET,
        separated,
        margins.canonical,
    ),
    Exercise(
        "offset(w, X, y)",
        """Return the b that puts the hyperplane half way between the nearest rows of both classes.

        w is that of a hard margin: every ⟨w, x⟩ of class +1 is above every one of class -1.
        """,
        STREET,
        without_b,
        midpoint,
        note="cs229-82",
    ),
]
