"""Convex functions and points for hypothesis to draw, in few small numbers: ties are common."""

from fractions import Fraction

from hypothesis import strategies as st

from refsvm.numerics.linalg import gram_of_rows
from refsvm.theory.convex_functions import Convex, Piece

small = st.integers(-2, 2).map(Fraction)
thirds = st.fractions(-3, 3, max_denominator=3)
one_to_three = st.integers(1, 3)
positives = st.fractions(Fraction(1, 4), 3, max_denominator=4)


def points(d, numbers=small):
    return st.lists(numbers, min_size=d, max_size=d)


def psd_matrices(d):
    """B B' for a small B: positive semidefinite, often singular."""
    return st.lists(points(d), min_size=d, max_size=d).map(gram_of_rows)


def pieces(d, curved):
    Q = st.one_of(st.none(), psd_matrices(d)) if curved else st.none()
    return st.builds(Piece, Q, points(d), small)


def convex(d, curved=True, most_terms=3):
    """A Convex of d numbers; curved: some pieces have a Q."""
    term = st.lists(pieces(d, curved), min_size=1, max_size=3)
    terms = st.lists(term, min_size=1, max_size=most_terms)
    return terms.map(lambda terms: Convex(Fraction, terms))


def quadratics(d):
    return st.builds(
        lambda Q, a, c: Convex(Fraction, [[Piece(Q, a, c)]]), psd_matrices(d), points(d), small
    )


@st.composite
def with_points(draw, make, how_many, dimensions=one_to_three):
    """(f, x, ...): a function made by make(d), and so many points of as many dimensions."""
    d = draw(dimensions)
    return (draw(make(d)), *(draw(points(d)) for _ in range(how_many)))


def written_out(f, x):
    """The value of f at x by the definition, in Fractions, sharing no code with refsvm."""
    total = Fraction(0)
    for term in f.terms:
        total += max(
            (0 if Q is None else Fraction(1, 2) * inner(x, [inner(row, x) for row in Q]))
            + inner(a, x) + Fraction(c)
            for Q, a, c in term
        )
    return total


def inner(x, z):
    return sum((Fraction(p) * Fraction(q) for p, q in zip(x, z)), Fraction(0))  # exact


def halves(weights):
    """Weights that sum to 1, in proportion to these positive ones."""
    whole = sum(weights)  # exact
    return [Fraction(w) / whole for w in weights]
