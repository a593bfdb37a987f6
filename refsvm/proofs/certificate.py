"""How far is an answer from the optimum? Certified for any numbers, from any program.

Nothing is assumed of the numbers. (w, b), whatever they are, have a primal value, and the
optimum's is not above it. Multipliers, repaired until they fulfil the constraints,
have a dual value, and the optimum's is not below it. What lies between is the gap. All of it is
computed in fractions of the exact problem, each double being the fraction it is; where the kernel
is a Gaussian, primal values are rounded up and dual values down.

    gap = sum of the shares + 1/2 |w - v|^2        w: as given, v: of the repaired multipliers

where no share is negative (certified_bounds.py): it tells which examples are to blame. The gap
says more than how much the objective could gain: because the primal is strongly convex, w itself
cannot be far from the optimum's (Certificate.bound), nor b (Certificate.b_interval).

Source: weak duality; Keerthi et al., Neural Computation 13 (2001), for the interval of offsets;
List, Hush, Scovel and Steinwart, Gaps in Support Vector Optimization, COLT 2007.
"""

from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

from ..numerics.intervals import Interval, point_interval
from ..numerics.linalg import dot, total
from ..numerics.validation import is_sequence, not_negative, to_number, vector
from ..svm.best_offsets import best_offsets
from ..svm.kkt_conditions import extremes, middle, residuals
from ..svm.problem import Problem, gap_between, require_problem
from .certificate_json import statement
from .certified_bounds import (
    Ball,
    ball_of,
    dual_at,
    factor_of,
    image_of,
    image_of_weights,
    known,
    primal_at,
    shares_of,
)
from .offset_interval import mover, root_above
from .optimum import solve_exactly


class CertificateFields(NamedTuple):
    """The fields of a Certificate, in order."""

    primal: Any
    dual: Any
    gap: Any
    shares: list
    alpha: list
    b: Any
    problem: Problem


class Certificate(CertificateFields):
    """What is certain of an answer (w, b) to a problem; every number a Fraction.

    primal     the primal value at (w, b): the optimum's is not above it. math.inf if a margin
               that has an infinite price is not positive, so that no multiple of (w, b) will do
    dual       the dual value at alpha: the optimum's is not below it
    gap        primal - dual >= 0: the answer's primal value is at most so far above the optimum's
    shares     what each example adds to the gap, >= 0; all of the gap if alpha was feasible
    alpha      the multipliers, repaired: feasible
    b          the offset as given
    problem    the exact problem; for Gaussian and Sigmoid that of rounded kernel values, and then
               primal and shares are rounded up and dual down
    """

    @classmethod
    def of(cls, known, image, alpha, b):
        """The Certificate of the w of an Image and of b, by feasible multipliers alpha."""
        settled = image_of(known, [a * y for a, y in zip(alpha, known.problem.y)])
        primal, dual = primal_at(known, image, b), dual_at(known, settled)
        factor = factor_of(known, image, b)
        shares = shares_of(known, image, b, factor or Fraction(1), alpha)
        gap = gap_between(primal, dual)
        certificate = cls(primal, dual, gap, shares, alpha, b, known.problem)
        certificate.known, certificate.image, certificate.settled = known, image, settled
        certificate.factor = factor
        return certificate

    @cached_property
    def asks(self):
        """r_i of the repaired multipliers, see kkt_conditions.py."""
        return residuals(self.problem, self.settled.beta, self.settled.scores)

    @cached_property
    def ends(self):
        """m and M of the repaired multipliers: they are optimal if and only if m <= M."""
        return extremes(self.problem, self.alpha, self.asks)

    @cached_property
    def offset(self):
        """The best offset for the repaired multipliers, see best_offsets.py."""
        if not self.problem.bias:
            return self.b
        r = [y - s for y, s in zip(self.problem.y, self.settled.scores)]
        return middle(*best_offsets(self.problem, r))

    @cached_property
    def upper(self):
        """The primal value at the repaired multipliers and `offset`.

        The optimum's is not above it, however bad the b that was given.
        """
        return primal_at(self.known, self.settled, self.offset)

    @cached_property
    def b_interval(self):
        """The Interval of the offsets that may be optimal: every optimal b is in it.

        Where alpha is optimal, of those that are. Otherwise of those that the bounds on the
        optimum's value leave, see offset_interval.py. O(n) kernel rows, at the first time.
        """
        if not self.problem.bias:
            return point_interval(0)
        m, M = self.ends
        if m <= M and not self.known.radius:
            return Interval(m, M)
        if min(self.upper, self.primal) == inf:
            return Interval(-inf, inf)
        return Interval(self.end(+1), self.end(-1))

    def end(self, sign):
        """The lower end of b_interval if sign is +1, the upper if it is -1."""
        best = min(self.upper, self.primal)
        moved = mover(self.problem, self.alpha, self.asks, self.norms2(), best - self.dual, sign)
        image = image_of(self.known, [a * y for a, y in zip(moved, self.problem.y)])
        return (dual_at(self.known, image) - best) / total(image.beta)

    def norms2(self):
        """|phi(x_i)|^2 or more, with what squared slack adds."""
        values = self.problem.kernel.squared_norms(self.problem.rows, Fraction)
        return [v + self.known.radius + c for v, c in zip(values, self.problem.ridge())]

    @cached_property
    def balls(self):
        """The Balls in which the optimum's w lies: by what was given, and by `upper`."""
        known, settled, found = self.known, self.settled, []
        if self.primal < inf:
            found.append(ball_of(known, self.image, self.factor, self.primal, settled, self.dual))
        if self.upper < inf:
            factor = factor_of(known, settled, self.offset)
            p, q, radius2 = ball_of(known, settled, factor, self.upper, settled, self.dual)
            found.append(Ball(Fraction(0), p + q, radius2))
        return found

    def bound(self, x, norm2=None):
        """A Fraction that |s(x) - s*(x)| cannot exceed: s is the score <w, phi(x)> of the answer,
        s* that of the optimum, both without offset. math.inf if nothing is known. O(n d).

        How far the optimum's w may be, times |phi(x)|: see the Balls. The root in it is rounded
        up, by one part in 2^60 at most. Never more than the root of 2 gap k(x, x), if no C_i is
        infinite. With Precomputed, x is the list of the k(x_i, x), and norm2 is k(x, x).
        """
        values, own = self.known.intervals_at(x, norm2)
        given, settled = (score(image, values, x) for image in (self.image, self.settled))
        return min(
            (
                ((1 - p) * given - q * settled).magnitude + root_above(radius2 * own.high)
                for p, q, radius2 in self.balls
            ),
            default=inf,
        )

    def honours(self, tol):
        """False if the answer breaks the promise of this tolerance: m - M <= tol, b in between.

        That promise bounds the gap (see promised), so a larger gap refutes it.
        """
        tol = not_negative(Fraction, tol, "tol")
        return self.gap <= promised(self.problem, self.alpha, self.primal, tol)

    def document(self):
        """The certificate that checker.py checks, as a document of canonical_json.py.

        It speaks of the machine of `alpha`, which was repaired, with b: its dual and its primal
        value; the dual is inf if alpha proves that there is no hard margin. TypeError where kernel
        values are rounded.
        """
        if self.known.radius:
            raise TypeError(
                f"problem has the kernel {self.known.kernel!r}, whose values are no Fractions; "
                "no certificate of it can be checked by fractions alone"
            )
        hard = all(c == inf for a, c in zip(self.alpha, self.problem.C) if a != 0)
        endless = any(self.alpha) and hard and self.settled.w_norm2 == 0
        primal = primal_at(self.known, self.settled, self.b)
        return statement(self.problem, self.alpha, self.b, inf if endless else self.dual, primal)


def score(image, values, x):
    """<w, phi(x)> as an Interval, from the Intervals of the k(x_i, x)."""
    if image.w is not None:
        return point_interval(dot(image.w, vector(x, "x", Fraction)))
    result = point_interval(0)
    for c, value in zip(image.beta, values):
        if c != 0:
            result += c * value
    return result


def promised(problem, alpha, primal, tol):
    """The largest gap at a feasible alpha with m - M <= tol and b between m and M.

    Each v_i = y_i (r_i - b) is at most tol, and at least -tol where alpha_i > 0. So the share of
    an example is at most tol max(alpha_i, C_i - alpha_i), or tol^2 C_i / 2 with squared slack.
    Where C_i is infinite the margin is at least 1 - tol: mended by a factor f <= 1 / (1 - tol) the
    primal becomes f^2 times as large at most. That is at most (1 - (1 - tol)^2) primal of it, and
    the share is at most tol alpha_i. A tol of 1 or more promises nothing then.
    """
    if inf in problem.C and tol >= 1:
        return inf
    result = tol * (2 - tol) * primal if inf in problem.C and primal < inf else Fraction(0)
    for a, c in zip(alpha, problem.C):
        if c == inf:
            result += a * tol
        else:
            result += max(a, c - a) * tol if problem.slack == "hinge" else c * tol * tol / 2
    return result


def certify(problem, alpha, b):
    """The Certificate of the machine w = sum alpha_i y_i phi(x_i), b. O(n n d), linear O(n d).

    alpha: n numbers, from any program, feasible or not (for beta_i, give beta_i y_i); b: a number,
    0 where there is no offset. ValueError if the kernel matrix is not positive semidefinite.

    >>> pair = Problem([[-1], [1]], [-1, 1], C=2)
    >>> found = certify(pair, [0.5, 0.625], 0.25)
    >>> [str(v) for v in (found.primal, found.dual, found.gap)]
    ['113/128', '1/2', '49/128']
    >>> found.b_interval
    Interval(low=Fraction(0, 1), high=Fraction(0, 1))
    """
    require_problem(problem).beta(alpha)  # refused before any work
    facts = known(problem)
    _, b = facts.problem.in_common_type(alpha, b)
    image = image_of(facts, facts.problem.beta(alpha))
    return Certificate.of(facts, image, repaired(facts.problem, alpha), b)


def certify_linear(problem, decision):
    """The Certificate of a linear machine: (w, b), or any function that computes w.x + b.

    The function is called d + 1 times, with lists of floats. What it answers there belongs to one
    w and b exactly, and of these the Certificate speaks. Its multipliers are those of the optimum,
    by solve_exactly, whose cost this is; so the gap is exactly how far above it the answer is.
    TypeError if the kernel is not Linear().

    >>> certify_linear(Problem([[0], [2]], [-1, 1]), lambda x: 1.5 * x[0] - 1).gap
    Fraction(5, 8)
    """
    if not require_problem(problem).linear:
        raise TypeError(f"problem has the kernel {problem.kernel!r}; Linear() is needed")
    w, b = weights_of(problem, decision)
    facts = known(problem)
    _, b = facts.problem.in_common_type(w, b)
    alpha = solve_exactly(problem).alpha or [Fraction(0)] * problem.n  # no optimum: any will do
    return Certificate.of(facts, image_of_weights(facts, w), alpha, b)


def weights_of(problem, decision):
    """(w, b) of a pair or a function; w as Fractions."""
    if callable(decision):
        return linear_function(problem, decision)
    if not (is_sequence(decision) and len(decision) == 2):
        raise TypeError(f"decision is {decision!r}; a pair (w, b) or a function is needed")
    w, width = vector(decision[0], "w", Fraction), len(problem.X[0])
    if len(w) != width:
        raise ValueError(f"w has length {len(w)}; the rows of X have length {width}")
    return w, decision[1]


def linear_function(problem, decision):
    """(w, b) of the linear function with the values of `decision` at d + 1 points, Fractions.

    The points are the lower medians of the columns, and these with one number replaced by the
    farthest in its column: near the data, where a function on floats is as accurate as it can be.

    >>> linear_function(Problem([[2000], [2002]], [-1, 1]), lambda x: x[0] - 2001)
    ([Fraction(1, 1)], Fraction(-2001, 1))
    """
    columns = [sorted(map(float, column)) for column in zip(*problem.X)]
    base = [column[(len(column) - 1) // 2] for column in columns]
    start, w = value_at(decision, base), []
    for k, (c, column) in enumerate(zip(base, columns)):
        far = max(column[0], column[-1], key=lambda v: abs(v - c))
        if far == c:
            far = 0.0 if c else 1.0
        rise = value_at(decision, [*base[:k], far, *base[k + 1 :]]) - start
        w.append(rise / (Fraction(far) - Fraction(c)))
    return w, start - dot(w, list(map(Fraction, base)))


def value_at(decision, x):
    """What the function says of the row, as a Fraction."""
    return to_number(Fraction, decision(x), f"decision({x})")


def repaired(problem, alpha):
    """Feasible multipliers near alpha, for a problem on Fractions; alpha if it is feasible. O(n).

    A program's alpha leaves the box by a rounding, and sum alpha_i y_i is 1e-17 and not 0; that of
    a broken program is anything at all. The dual's value bounds the optimum only at an alpha that
    is feasible. So each multiplier is moved to the nearest end of its interval, and then, where
    there is an offset, the class of larger sum is scaled down to the sum of the other.

    >>> from refsvm.svm.problem import Problem
    >>> problem = Problem([[Fraction(0)], [1], [3]], [-1, 1, 1], C=2)
    >>> [str(a) for a in repaired(problem, [3, -1, 0.5])]
    ['1/2', '0', '1/2']
    """
    alpha = [y * x for y, x in zip(problem.y, problem.beta(alpha))]
    clipped = [min(max(a, Fraction(0)), top) for a, top in zip(alpha, problem.upper_bounds())]
    return even(clipped, problem.y) if problem.bias else clipped


def even(alpha, y):
    """alpha >= 0 with the heavier class scaled down, so that sum alpha_i y_i is 0."""
    weight = {+1: Fraction(0), -1: Fraction(0)}
    for a, label in zip(alpha, y):
        weight[label] += a
    if weight[1] == weight[-1]:
        return alpha
    heavier = 1 if weight[1] > weight[-1] else -1
    factor = weight[-heavier] / weight[heavier]
    return [a * factor if label == heavier else a for a, label in zip(alpha, y)]
