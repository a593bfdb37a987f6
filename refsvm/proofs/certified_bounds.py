"""A machine as the examples see it: their scores, and what they say of the optimum, exactly.

Throughout this module
    w      sum beta_i phi(x_i), or the weights of a linear machine     s_i    <w, phi(x_i)>
    b      the offset                                                  m_i    y_i (s_i + b)
    blur   how far a score may be off; 0 where kernel values are fractions (known.py)
    factor the least >= 1 that lifts to 1 each margin whose price is infinite, see Problem.primal
"""

from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..numerics.dixon_lifting import integer_dot
from ..numerics.exact_sums import scaled_integers
from ..numerics.linalg import dot, total
from .verification import image as linear_image
from .verification import weighted


class Image(NamedTuple):
    """A w as the examples see it.

    scores     s_i, off by at most blur         size    sum |beta_i|
    w_norm2    |w|^2, off by at most blur size
    beta       None if w was given              w       None unless it was given
    """

    scores: list
    w_norm2: Fraction
    blur: Fraction
    size: Fraction
    beta: Any
    w: Any


def image_of(known, beta):
    """The Image of sum beta_i phi(x_i). O(n n d), linear O(n d)."""
    size = total(map(abs, beta))
    if known.problem.linear:
        (numbers, below), w_norm2 = linear_image(known.problem, beta)
    else:
        (numbers, below), w_norm2 = scored(known, beta)
    scores = [Fraction(s, below) for s in numbers]
    return Image(scores, w_norm2, known.radius * size, size, beta, None)


def scored(known, beta):
    """The scores as ScaledIntegers, and |w|^2, by the rows of the kernel matrix that are kept."""
    support = {i: x for i, x in enumerate(beta) if x != 0}
    scores = weighted(known, support, len(beta))
    whole, under = scaled_integers(beta)
    return scores, Fraction(integer_dot(whole, scores.numbers), scores.denominator * under)


def image_of_weights(known, w):
    """The Image of the weights w of a linear machine. O(n d)."""
    scores = [dot(w, x) for x in known.problem.X]
    return Image(scores, dot(w, w), Fraction(0), Fraction(0), None, w)


def least_scores(known, image):
    """The scores, each moved by the blur to where it makes the margin least."""
    return [s - y * image.blur for s, y in zip(image.scores, known.problem.y)]


def factor_of(known, image, b):
    """The factor, rounded up; None if there is none."""
    scores = least_scores(known, image)
    return known.problem.rescaling_factor([y * (s + b) for s, y in zip(scores, known.problem.y)])


def primal_at(known, image, b):
    """The primal value at (w, b), rounded up: the optimum's is not above it. May be inf."""
    w_norm2 = image.w_norm2 + image.blur * image.size
    return known.problem.primal_value(least_scores(known, image), w_norm2, b)


def dual_at(known, image):
    """The dual value at the beta of the image, rounded down."""
    w_norm2 = image.w_norm2 + image.blur * image.size
    return known.problem.dual_value(image.beta, w_norm2)


def shares_of(known, image, b, factor, alpha):
    """What each example adds to the gap between (w, b) and alpha, rounded up; none is negative.

    C_i xi_i - alpha_i (1 - m_i), or half of C_i xi_i^2 + alpha_i^2 / C_i with squared slack, less
    the same product; the margins m_i are those of (factor w, factor b). Convex in the margin, so
    within the blur it is largest at an end.
    """
    problem, found = known.problem, []
    for y, s, c, ridge, a in zip(problem.y, image.scores, problem.C, problem.ridge(), alpha):
        margins = [factor * (y * (s + b) + side) for side in {-image.blur, image.blur}]
        found.append(max(share(problem.slack, c, ridge, a, margin) for margin in margins))
    return found


def share(slack, c, ridge, a, margin):
    """The share of one example at one margin."""
    xi = max(1 - margin, Fraction(0))
    if xi > 0 and c == inf:
        return inf
    price = c * (xi if slack == "hinge" else xi * xi / 2) if xi > 0 else xi
    return price + ridge * a * a / 2 - a * (1 - margin)


class Ball(NamedTuple):
    """Where the optimum's w lies: no farther than the root of radius2 from p w + q v."""

    p: Fraction
    q: Fraction
    radius2: Any


def ball_of(known, image, factor, primal, dual_image, dual):
    """The Ball that the primal value at w and the dual value at v leave for the optimum's w.

    The primal is 1-strongly convex in w, and the dual falls by 1/2 |v - w*|^2 at least. So, with
    p* the optimum's value and w multiplied by the factor already,

        1/2 |w - w*|^2 <= primal - p*        1/2 |v - w*|^2 <= p* - dual

    and by the parallelogram law |(w + v) / 2 - w*|^2 <= primal - dual - 1/4 |w - v|^2. Seen from
    w this is never farther than the root of 2 (primal - dual); if w is v, half as far, squared.
    """
    across = dot(dual_image.beta, image.scores)
    apart2 = factor * factor * image.w_norm2 + dual_image.w_norm2 - 2 * factor * across
    size = factor * image.size + dual_image.size
    apart2 = max(Fraction(0), apart2 - known.radius * size * size)
    return Ball(Fraction(factor, 2), Fraction(1, 2), primal - dual - apart2 / 4)
