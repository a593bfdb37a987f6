"""Points, hyperplanes and labelled examples in Fractions, for the tests of the geometry."""

from fractions import Fraction

from hypothesis import strategies as st
from problems import coordinates

from refsvm.theory.hyperplanes import score

positives = st.sampled_from([Fraction(c) for c in ("1/7", "1/2", "1", "3", "8")])
offsets = st.fractions(-4, 4, max_denominator=4)

# Vectors whose length is a fraction: multiples of these.
WHOLE_LENGTHS = [[1], [-1], [3, 4], [0, -2], [-5, 12], [1, -2, 2], [2, 3, 6], [0, 8, -15]]


def points(d):
    return st.lists(coordinates, min_size=d, max_size=d)


def normals(d):
    return points(d).filter(any)


@st.composite
def planes(draw, exact_length=False):
    """(w, b) with w not zero; `exact_length`: |w| is a Fraction."""
    if not exact_length:
        return draw(normals(draw(st.integers(1, 3)))), draw(offsets)
    c = draw(positives)
    return [c * v for v in draw(st.sampled_from(WHOLE_LENGTHS))], draw(offsets)


@st.composite
def planes_and_points(draw, count, exact_length=False):
    """(w, b, point, ..., point), `count` points."""
    w, b = draw(planes(exact_length))
    return (w, b, *(draw(points(len(w))) for _ in range(count)))


@st.composite
def labelled(draw, separated=False, exact_length=False):
    """(w, b, X, y); `separated`: every label is that of its side, and no point lies on the cut."""
    w, b = draw(planes(exact_length))
    point = points(len(w))
    if separated:
        point = point.filter(lambda x: score(w, b, x) != 0)
    X = draw(st.lists(point, min_size=1, max_size=5))
    if separated:
        return w, b, X, [1 if score(w, b, x) > 0 else -1 for x in X]
    return w, b, X, draw(st.lists(st.sampled_from([1, -1]), min_size=len(X), max_size=len(X)))


def times(c, w, b):
    """(c w, c b)."""
    return [c * v for v in w], c * b
