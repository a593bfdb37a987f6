"""Exercises on kernels, on the steps of SMO, Pegasos and coordinate ascent."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..kernels.feature_maps import images, ordered_pairs
from ..kernels.standard import Polynomial
from ..numerics.linalg import dot, gram_of_rows, quadratic_form, squared_distance
from ..numerics.picks import below
from ..numerics.types import Matrix, Number, Vector
from ..solvers.coordinate_ascent import quadratic
from ..solvers.textbook import most_violating_pair
from ..svm.problem import Problem
from ..theory import smo_step
from .draws import Bits, dimension, draw_labels, number, one_of, positive, rows, vector
from .exercise import Arguments, Exercise

TRICK = "Kernels"
PAIR = "SMO on paper"
TEXTBOOK = "The textbook SMO"
PEGASOS = "Pegasos"
OTHERS = "Other ways, other traps"


def two_vectors(bits: Bits, size: int) -> Arguments:
    """Draw x and z."""
    d = dimension(bits, size)
    return vector(bits, size, d), vector(bits, size, d)


def kernel_arguments(bits: Bits, size: int) -> Arguments:
    """Draw x, z, a degree and a constant."""
    return (*two_vectors(bits, size), 1 + below(3, bits), abs(number(bits, size)))


def some_rows(bits: Bits, size: int) -> Arguments:
    """Draw rows."""
    return (rows(bits, size, dimension(bits, size)),)


def values_of_pair(bits: Bits, size: int) -> Arguments:
    """Draw the kernel's three values for two vectors."""
    x, z = two_vectors(bits, size)
    return dot(x, x), dot(x, z), dot(z, z)


def not_semidefinite(bits: Bits, size: int) -> Arguments:
    """Draw a symmetric matrix with K_00 K_11 < K_01^2 and a diagonal of at least 0."""
    b, c = abs(number(bits, size)), positive(bits, size) * one_of(bits, [1, -1])
    a = abs(number(bits, size)) if b == 0 else c * c / b * below(4, bits) / 4
    return ([[a, c], [c, b]],)


def two_multipliers(bits: Bits, size: int) -> Arguments:
    """Draw two multipliers within C, their labels, and C."""
    alpha = [abs(number(bits, size)) for _ in range(2)]
    C = max(alpha) + one_of(bits, [Fraction(0), positive(bits, size)])
    y = [one_of(bits, [1, -1]) for _ in range(2)]
    return (*alpha, *y, C or Fraction(1))


def a_step(bits: Bits, size: int) -> Arguments:
    """Draw what best_multiplier is given."""
    L = abs(number(bits, size))
    H = L + abs(number(bits, size))
    alpha = one_of(bits, [L, H, (L + H) / 2])
    y, E = one_of(bits, [1, -1]), vector(bits, size, 2)
    return alpha, y, *E, positive(bits, size), L, H


def errors_of_examples(bits: Bits, size: int) -> Arguments:
    """Draw multipliers, some at their bounds, errors, labels and C, so that there is a pair."""
    C = positive(bits, size)
    while True:
        n = 2 + below(3, bits)
        alpha = [one_of(bits, [C * 0, C, C / 2]) for _ in range(n)]
        y = draw_labels(bits, n)
        rises = [a < C if of > 0 else a > 0 for a, of in zip(alpha, y)]
        falls = [a > 0 if of > 0 else a < C for a, of in zip(alpha, y)]
        if any(rises) and any(falls):
            return alpha, vector(bits, size, n), y, C


def a_round(bits: Bits, size: int) -> Arguments:
    """Draw what pegasos_step is given."""
    x, z = two_vectors(bits, size)
    return x, z, one_of(bits, [1, -1]), positive(bits, size), 1 + below(2 * size, bits)


def a_hill(bits: Bits, size: int) -> Arguments:
    """Draw a matrix A = LL' + 1 on the diagonal, b, a point and an index."""
    d = 1 + below(3, bits)
    half = [vector(bits, 1 + size // 3, d) for _ in range(d)]
    A = [[v + (i == j) for j, v in enumerate(row)] for i, row in enumerate(gram_of_rows(half))]
    return A, vector(bits, size, d), vector(bits, size, d), below(d, bits)


def negative_direction(K: Matrix) -> Vector:
    """A vector that proves that K is no kernel matrix."""
    (a, c), (_, b) = K
    # At v = (t, 1) the form is a t^2 + 2 c t + b: least at t = -c / a, and a line if a is 0.
    t = -c / a if a else -(b + 1) / (2 * c)
    return [t, t * 0 + 1]


def judge_features(X: Matrix, answer: Any) -> str | None:
    """Tell what is wrong with features for the square of the inner product."""
    if len(answer) != len(X):
        return "there must be one list for each row"
    for i, x in enumerate(X):
        for j, z in enumerate(X):
            if len(answer[i]) != len(answer[j]):
                return f"the lists of the rows {i} and {j} differ in length"
            got = dot(answer[i], answer[j])
            if got != dot(x, z) ** 2:
                return f"⟨φ(x), φ(z)⟩ of the rows {i} and {j} is {got}, not {dot(x, z) ** 2}"
    return None


def judge_witness(K: Matrix, answer: Any) -> str | None:
    """Tell what is wrong with a vector that should make a quadratic form negative."""
    if len(answer) != len(K):
        return "v must have two numbers"
    value = quadratic_form(K, list(answer))
    return None if value < 0 else f"the sum is {value}, which is not negative"


def ends(alpha_i: Number, alpha_j: Number, y_i: int, y_j: int, C: Number) -> Any:
    """The right segment."""
    if y_i != y_j:
        return smo_step.segment(Problem([[0], [1]], [y_i, y_j], C=C), [alpha_i, alpha_j], 0, 1)
    three = Problem([[0], [1], [2]], [y_i, y_j, -y_i], C=C)
    return smo_step.segment(three, [alpha_i, alpha_j, 0 * C], 0, 1)


def squared_term(x: Vector, z: Vector) -> Number:
    """The right leading_coefficient."""
    return -squared_distance(x, z) / 2


def clipped(
    alpha_j: Number, y_j: int, E_i: Number, E_j: Number, eta: Number, L: Number, H: Number
) -> Number:
    """The right best_multiplier."""
    return smo_step.clip(alpha_j + y_j * (E_i - E_j) / eta, L, H)


def worst_pair(alpha: Vector, E: Vector, y: list[int], C: Number) -> tuple[int, int]:
    """The right violating_pair."""
    return most_violating_pair(y, [C] * len(y), alpha, E)


def next_iterate(w: Vector, x: Vector, y: int, lam: Number, t: int) -> Vector:
    """The right pegasos_step."""
    push = [y * v / (lam * t) for v in x] if y * dot(w, x) < 1 else [0 * v for v in x]
    return [v - v / t + p for v, p in zip(w, push)]


def moved(A: Matrix, b: Vector, alpha: Vector, i: int) -> Vector:
    """The right coordinate_step."""
    _, along = quadratic(A, b)
    return [along(alpha, i) if k == i else v for k, v in enumerate(alpha)]


EXERCISES = [
    Exercise(
        "polynomial(x, z, degree, c)",
        "Return the polynomial kernel (⟨x, z⟩ + c) to the power degree, a whole number from 1.",
        TRICK,
        kernel_arguments,
        lambda x, z, degree, c: Polynomial(degree, coef0=c)(x, z),
    ),
    Exercise(
        "quadratic_features(X)",
        """Return for every row x a list φ(x) such that ⟨φ(x), φ(z)⟩ = ⟨x, z⟩² for any two rows.

        Numbers are fractions, so there is no square root of 2: which features do without it?
        """,
        TRICK,
        some_rows,
        lambda X: images(ordered_pairs, X),
        judge_features,
    ),
    Exercise(
        "feature_distance(k_xx, k_xz, k_zz)",
        "Return the squared distance of φ(x) and φ(z), from the kernel's values alone.",
        TRICK,
        values_of_pair,
        lambda xx, xz, zz: xx - 2 * xz + zz,
    ),
    Exercise(
        "no_kernel(K)",
        """Return numbers v with Σᵢⱼ vᵢ vⱼ Kᵢⱼ < 0, which prove that K is no kernel matrix.

        K is symmetric, of two rows. Its diagonal is not negative, but K₀₀ K₁₁ < K₀₁².
        """,
        TRICK,
        not_semidefinite,
        negative_direction,
        judge_witness,
    ),
    Exercise(
        "segment(alpha_i, alpha_j, y_i, y_j, C)",
        """Return L and H: the least and the largest that alpha_j can be when only these two move.

        Both stay between 0 and C, and alpha_i y_i + alpha_j y_j stays what it is.
        """,
        PAIR,
        two_multipliers,
        ends,
    ),
    Exercise(
        "leading_coefficient(x, z)",
        """Return the a of the parabola a α² + b α + c that the dual is along the line of a pair.

        x and z are the rows of the two examples, the kernel is linear, and α is the multiplier of
        z. Check this yourself: put α₁ = (ζ - α₂ y₂) y₁ into the dual and collect what is squared.
        """,
        PAIR,
        two_vectors,
        squared_term,
        note="cs229-105",
    ),
    Exercise(
        "best_multiplier(alpha_j, y_j, E_i, E_j, eta, L, H)",
        """Return the alpha_j at which a pair is best: α + y (Eᵢ - Eⱼ) / η, brought to L .. H.

        eta is above 0.
        """,
        PAIR,
        a_step,
        clipped,
    ),
    Exercise(
        "violating_pair(alpha, E, y, C)",
        """Return the pair (i, j) of indices that violates the conditions most; at ties the lowest.

        E are the errors f(xₖ) - yₖ. i has the least error of those whose αₖ yₖ may rise, j the
        largest of those whose αₖ yₖ may fall, with every αₖ between 0 and C.
        """,
        TEXTBOOK,
        errors_of_examples,
        worst_pair,
    ),
    Exercise(
        "pegasos_step(w, x, y, lam, t)",
        """Return w after round t of Pegasos, which draws the example (x, y), as a new list.

        It is (1 - 1/t) w, plus y x / (lam t) if the margin y ⟨w, x⟩ was below 1. t begins at 1;
        mind that 1 / t of an int is a float.
        """,
        PEGASOS,
        a_round,
        next_iterate,
    ),
    Exercise(
        "coordinate_step(A, b, alpha, i)",
        """Return alpha, as a new list, with alpha_i where ⟨b, α⟩ - ½ Σᵢⱼ αᵢ αⱼ Aᵢⱼ is largest.

        The others stay. A is symmetric and A_ii is above 0.
        """,
        OTHERS,
        a_hill,
        moved,
    ),
]
