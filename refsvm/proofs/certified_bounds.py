"""What any (w, b) proves of the optimum, exactly: scores, primal and dual values, shares, balls.

Where kernel values are fractions they are exact. A Gaussian's are not; but each can be rounded to
a fraction that is off by one radius at most (rounded_problem.py). So what is computed from those
is off by no more than

    radius |beta|              a score s_i = sum_j beta_j K_ij, where |beta| = sum_j |beta_j|
    radius |beta| |beta|       |w|^2 = sum_ij beta_i beta_j K_ij

which is all it takes to round a primal value up and a dual value down.

    w      sum beta_i phi(x_i), or the weights of a linear machine     s_i    <w, phi(x_i)>
    b      the offset                                                  m_i    y_i (s_i + b)
    blur   how far a score may be off; 0 where kernel values are fractions
    factor the least >= 1 that lifts to 1 each margin whose C_i is infinite, see Problem.primal
"""

from fractions import Fraction
from functools import cache
from math import inf
from typing import Any, NamedTuple

from ..kernels.gram_matrices import refuse_if_string, refuse_other_type
from ..kernels.standard import Precomputed
from ..numerics.dixon_lifting import integer_dot
from ..numerics.exact_sums import ScaledIntegers, scaled_integers
from ..numerics.intervals import point_interval
from ..numerics.linalg import dot, total
from ..numerics.validation import same_length, to_number, vector
from ..svm.problem import Problem, require_problem
from .definiteness import refuse_indefinite, refuse_unless_definite
from .enclosures import enclosing, on_fractions
from .rational_kernels import WholeRows, exact, rational
from .rounded_problem import Rounded, centres
from .verification import image as linear_image
from .verification import weighted

BITS = 128  # of enclosed values: beyond what the 53 of a double can spoil


class Known(NamedTuple):
    """A problem on Fractions, and what its numbers stand for.

    problem    the exact problem; where kernel values are enclosed, that of rounded ones
    row        the function that takes i to row i of its kernel matrix, ScaledIntegers
    radius     how far each of its kernel values may be from the true one
    kernel     the true kernel               rows    the true rows, Fractions or strings
    """

    problem: Problem
    row: Any
    radius: Fraction
    kernel: Any
    rows: list

    @classmethod
    def of(cls, problem, radius, kernel, rows):
        """The Known of these, with the function that makes its rows."""
        return cls(problem, row_of(problem), radius, kernel, rows)

    def __reduce__(self):  # that function cannot be pickled, nor copied, but made anew
        return Known.of, (self.problem, self.radius, self.kernel, self.rows)

    def intervals_at(self, x, norm2=None):
        """(Intervals of k(x_i, x) for each example, Interval of k(x, x)). O(n d).

        With Precomputed, x is the list of the k(x_i, x), and norm2 must be given: k(x, x).
        """
        if isinstance(self.kernel, Precomputed):
            return given_values(x, norm2, len(self.rows))
        if norm2 is not None:
            raise TypeError(f"norm2 is {norm2!r}; {self.kernel!r} computes it itself")
        x = self.read(x)
        own, *values = enclosing(self.kernel, [x, *self.rows])(x, BITS, len(self.rows) + 1)
        return values, own

    def read(self, x):
        """x as a row like those of the examples, refused if it is none."""
        refuse_if_string(self.kernel, x, "x")
        refuse_other_type(x, self.rows, "x")
        if isinstance(x, str):
            return x
        x, width = vector(x, "x", Fraction), len(self.rows[0])
        if len(x) != width:
            raise ValueError(f"x has length {len(x)}; the rows of X have length {width}")
        return x


def known(problem):
    """The Known of a Problem; ValueError if its kernel matrix is not positive semidefinite.

    >>> from refsvm.kernels.standard import Gaussian
    >>> known(Problem([[0.5], [2]], [-1, 1])).problem.X[0]
    [Fraction(1, 2)]
    >>> known(Problem([[0], [1]], [-1, 1], Gaussian(1))).radius == Fraction(1, 2**128)
    True
    """
    kernel = require_problem(problem).kernel
    rows = on_fractions(problem.X)
    if rational(kernel):
        problem = exact(problem)
        refuse_indefinite(problem)
        return Known.of(problem, Fraction(0), problem.kernel, rows)
    refuse_unless_definite(problem)
    values, unit = centres(problem, BITS), Fraction(1, 1 << BITS)
    indices = [[Fraction(i)] for i in range(problem.n)]
    C = [c if c == inf else Fraction(c) for c in problem.C]
    stand_in = Problem(indices, problem.y, Rounded(values, BITS), C, problem.bias, problem.slack)
    return Known.of(stand_in, unit, kernel, rows)


def row_of(problem):
    """The function that takes i to row i of an exact problem's kernel matrix, ScaledIntegers."""
    kernel = problem.kernel
    if isinstance(kernel, Rounded):
        return lambda i: ScaledIntegers(kernel.values[i], kernel.unit.denominator)
    return cache(WholeRows(problem, ridge=False).row)


def given_values(x, norm2, n):
    """The values that a caller of Precomputed brings, as Intervals that hold one number."""
    values = vector(x, "x", Fraction)
    same_length(values, n, "x")
    if norm2 is None:
        raise TypeError("norm2 is None; with Precomputed it must be the kernel value of x and x")
    return list(map(point_interval, values)), point_interval(to_number(Fraction, norm2, "norm2"))


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
