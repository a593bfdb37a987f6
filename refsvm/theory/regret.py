"""Regret: how much worse online descent can be than the best fixed point, for any losses.

The losses l_1, l_2, ..., l_T come one at a time. Online descent chooses w_t before l_t is known,
and then takes a step against a subgradient of l_t:

    w_{t+1} = w_t - g_t / (lam t)            g_t a subgradient of l_t at w_t

If every loss is lam-strongly convex (regularised_risk.Loss is), no point u, chosen afterwards with
all losses known, is better than the w_t by more than the lengths of the steps show:

    sum l_t(w_t) - sum l_t(u)  <=  sum |g_t|^2 / (2 lam t)  <=  G^2 H_T / (2 lam)

The left side is the regret. Pegasos is online descent on the losses of the examples picked. Where
these are drawn at random, independently, each of the n equally likely, the mean over all draws
turns regret into a bound on F at the average of w_1, ..., w_T.

Throughout this module
    T      number of rounds                         H_T    1 + 1/2 + ... + 1/T
    W      [w_1, ..., w_{T+1}]                      G      the largest |g_t|
    lam    constant of strong convexity             X      the largest |x_i|
    v_t    push: y x if the margin is below 1, else zero; then g_t = lam w_t - v_t

Lengths are squared, so that all is exact on Fractions. H_T is close to ln T, but it is a fraction,
and it is what the proof gives: ln(T+1), which the notes print, is less than H_T.

Source: Nicolo Cesa-Bianchi, "Support Vector Machines" (2023), from equation (4) to the bound on F
that ends the analysis of Pegasos; Hazan, Agarwal and Kale, Logarithmic regret algorithms for
online convex optimization, Machine Learning 69 (2007), Theorem 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple, Protocol

from ..numerics.display import displayed
from ..numerics.linalg import add_scaled, scale, squared_norm, total
from ..numerics.quoting import quote
from ..numerics.types import Matrix, Number, Vector, VectorLike
from ..numerics.validation import (
    iterator,
    matrix,
    number_kind,
    positive,
    sequence,
    to_number,
    vector,
    whole_number,
)

TERMS = 24  # of the series for a logarithm: its two bounds are then less than 1e-22 apart


class OnlineLoss(Protocol):
    """A loss that online descent can take: regularised_risk.Loss is one."""

    def value(self, w: VectorLike) -> Number:
        """Return the loss at w."""

    def subgradient(self, w: VectorLike) -> Vector:
        """Return a subgradient of the loss at w."""


@displayed
class Rounds(NamedTuple):
    """The points w_1, ..., w_{T+1} of online descent, and the subgradients g_1, ..., g_T."""

    W: Matrix
    gradients: Matrix


def online_descent(losses: Iterable[OnlineLoss], start: VectorLike, lam: Number) -> Rounds:
    """Run online descent from w_1 = start: a step of 1 / (lam t) against each subgradient. O(T d).

    >>> from refsvm.theory.regularised_risk import Loss
    >>> online_descent([Loss([2], 1, 1), Loss([2], 1, 1)], [0], 1)
    Rounds(W=[[0.0], [2.0], [1.0]], gradients=[[-2.0], [2.0]])
    """
    losses = _require_losses(losses)
    kind = number_kind(start, lam, losses)
    lam = positive(kind, lam, "lam")
    W, gradients = [vector(start, "start", kind)], []
    for t, loss in enumerate(losses, 1):
        gradients.append(loss.subgradient(W[-1]))
        W.append(add_scaled(W[-1], -1 / (lam * t), gradients[-1]))
    return Rounds(W, gradients)


def _require_losses(losses: Iterable[OnlineLoss]) -> list[OnlineLoss]:
    """The losses as a list; TypeError for what has no value or no subgradient."""
    found = list(iterator(losses, "losses", "losses"))
    for t, loss in enumerate(found):
        if not (hasattr(type(loss), "value") and hasattr(type(loss), "subgradient")):
            raise TypeError(f"losses[{t}] is {quote(loss)}; a loss has value and subgradient")
    return found


def regret(losses: Sequence[OnlineLoss], W: Sequence[VectorLike], u: VectorLike) -> Number:
    """Return sum l_t(w_t) - sum l_t(u): by how much u is better than the w_t (S29.5). O(T d).

    >>> from refsvm.theory.regularised_risk import Loss
    >>> regret([Loss([2], 1, 1), Loss([2], 1, 1)], [[0], [2]], [1])
    2.0
    """
    W, losses = sequence(W, "W"), _require_losses(losses)
    if len(W) < len(losses):
        raise ValueError(f"W has length {len(W)}; there are {len(losses)} losses")
    return total(loss.value(w) - loss.value(u) for loss, w in zip(losses, W))


def regret_bound(gradients: Sequence[VectorLike], lam: Number) -> Number:
    """Return sum |g_t|^2 / (2 lam t): an upper bound of the regret, for any u (S29.5). O(T d).

    >>> regret_bound([[-2], [2]], 1)
    3.0
    """
    gradients = matrix(gradients, "gradients", number_kind(gradients, lam))
    lam = positive(type(gradients[0][0]), lam, "lam")
    return total(squared_norm(g) / (2 * lam * t) for t, g in enumerate(gradients, 1))


def mean_regret_bound(G2: Number, lam: Number, T: int) -> Number:
    """Return G^2 H_T / (2 lam T): an upper bound of the regret over T; G2 is G^2.

    >>> mean_regret_bound(4, 1, 2)
    1.5
    """
    kind = number_kind(G2, lam)
    G2, lam = to_number(kind, G2, "G2"), positive(kind, lam, "lam")
    return G2 * kind(harmonic(T)) / (2 * lam * T)


def pegasos_bound(X2: Number, lam: Number, T: int) -> Number:
    """Return X^2 (4 H_T - 3) / (2 lam T): F at the average exceeds its least value by no more.

    This holds for the mean over all draws. X2 is X^2, or the largest K(x, x). The first of the g_t
    is no longer than X because w_1 = 0, the others are no longer than 2 X. Standard: S29.6.

    >>> pegasos_bound(1, 1, 1), pegasos_bound(1, 1, 2)
    (0.5, 0.75)
    """
    kind = number_kind(X2, lam)
    X2, lam = to_number(kind, X2, "X2"), positive(kind, lam, "lam")
    return X2 * kind(4 * harmonic(T) - 3) / (2 * lam * T)


def largest_squared_norm(vectors: Sequence[VectorLike]) -> Number:
    """Return the largest |x|^2 of some vectors: X^2 of the rows, G^2 of the subgradients.

    >>> largest_squared_norm([[3, 4], [1, 1]])
    25.0
    """
    return max(map(squared_norm, matrix(vectors, "vectors")))


def coefficient(s: int, t: int, lam: Number) -> Number:
    """Return the factor of v_s in w_{t+1} (S29.3): 1 / (lam s), times 1 - 1/r for r = s+1 to t.

    It is 1 / (lam t) for every s: in the end all pushes count the same. 1 <= s <= t. O(t - s).

    >>> [coefficient(s, 4, Fraction(1)) for s in (1, 2, 3, 4)] == [Fraction(1, 4)] * 4
    True
    """
    lam = positive(number_kind(lam), lam, "lam")
    s = whole_number(s, "s", 1)
    t = whole_number(t, "t", s)
    value = 1 / (lam * s)
    for r in range(s + 1, t + 1):
        value = value * (1 - type(lam)(1) / r)
    return value


def from_pushes(pushes: Sequence[VectorLike], lam: Number) -> Vector:
    """Return w_{t+1} of Pegasos from v_1, ..., v_t: their sum divided by lam t (S29.3). O(t d).

    Source: Cesa-Bianchi, equation (8).

    >>> from_pushes([[2], [0], [1]], 0.5)
    [2.0]
    """
    pushes = matrix(pushes, "pushes", number_kind(pushes, lam))
    lam = positive(type(pushes[0][0]), lam, "lam")
    pushed = [0] * len(pushes[0])
    for v in pushes:
        pushed = add_scaled(pushed, 1, v)
    return scale(1 / (lam * len(pushes)), pushed)


def expectation(
    n: int, T: int, value: Callable[[tuple[int, ...]], Number], given: Iterable[int] = ()
) -> Number:
    """Return the mean of value(draws) over all n^T ways to draw T times from 0, ..., n - 1.

    `draws` is a tuple of T indices; with `given` only those that begin with these: a conditional
    expectation. Exact if the values are ints or Fractions. O(n^T) calls. Standard: S29.6.

    >>> expectation(3, 2, lambda draws: draws[0] * draws[1])
    Fraction(1, 1)
    >>> expectation(3, 2, lambda draws: draws[0] * draws[1], given=(2,))
    Fraction(2, 1)
    """
    n, given = whole_number(n, "n", 1), tuple(iterator(given, "given", "indices"))
    rest = whole_number(T, "T", len(given)) - len(given)
    values = (value(given + draws) for draws in product(range(n), repeat=rest))
    return total(values) / Fraction(n**rest)


def harmonic(T: int) -> Fraction:
    """Return H_T = 1 + 1/2 + ... + 1/T as a Fraction; its digits grow with T.

    >>> harmonic(4)
    Fraction(25, 12)
    """
    return Fraction(total(Fraction(1, t) for t in range(1, whole_number(T, "T", 1) + 1)))


def log_bounds(x: Number) -> tuple[Fraction, Fraction]:
    """Return two Fractions, close together, with the natural logarithm of x between them.

    x is 2^e r with 1 <= r < 2, so ln x = e ln 2 + ln r, and ln r = 2 artanh((r - 1) / (r + 1)).

    >>> low, high = log_bounds(10)
    >>> float(low), float(high - low) < 1e-21
    (2.302585092994046, True)
    """
    x = Fraction(positive(Fraction, x, "x"))
    if x < 1:
        low, high = log_bounds(1 / x)
        return -high, -low
    e = 0
    while x >= 2:
        x, e = x / 2, e + 1
    (a, b), (c, d) = _artanh_bounds((x - 1) / (x + 1)), _artanh_bounds(Fraction(1, 3))
    return 2 * (e * c + a), 2 * (e * d + b)


def _artanh_bounds(z: Fraction) -> tuple[Fraction, Fraction]:
    """Return bounds on z + z^3/3 + z^5/5 + ..., from below and from above, for 0 <= z < 1."""
    low, power = Fraction(0), z
    for k in range(TERMS):
        low += power / (2 * k + 1)
        power = power * z * z
    return low, low + power / ((2 * TERMS + 1) * (1 - z * z))  # the rest: a geometric series
