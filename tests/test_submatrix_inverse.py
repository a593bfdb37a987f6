"""The inverse that follows is the inverse: indices come, leave, and take each other's place."""

from fractions import Fraction as Q

import pytest
from exact import inner as dot
from exact_programs import solved
from hypothesis import given
from hypothesis import strategies as st

from refsvm.numerics.dixon_lifting import mersenne_primes
from refsvm.numerics.submatrix_inverse import ExactInverse, FloatInverse, Singular

WIDTH = 6


@st.composite
def matrices(draw):
    """Symmetric matrices of small fractions, often singular in part."""
    numbers = st.sampled_from([Q(0), Q(1), Q(-1), Q(2), Q(1, 2), Q(3, 7), Q(-8, 31)])
    lower = [[draw(numbers) for _ in range(i + 1)] for i in range(WIDTH)]
    return [[lower[max(i, j)][min(i, j)] for j in range(WIDTH)] for i in range(WIDTH)]


def principal(M, index, arithmetic):
    """The inverse of the part of M with this index."""
    part = arithmetic(M.__getitem__, len(M))
    part.set_index(index)
    return part


def part_of(M, index):
    return [[M[a][b] for b in index] for a in index]


def regular(M, index):
    return solved(part_of(M, index), [0] * len(index)) is not None


@given(matrices(), st.data(), st.sampled_from([3, 5, 521]))
def test_after_any_changes_the_solutions_are_those_of_elimination(M, data, least):
    part = ExactInverse(lambda a: M[a], WIDTH)
    part.primes = mersenne_primes(least)
    part.p = next(part.primes)
    part.set_index([])
    for _ in range(8):
        changes = [
            (kind, i, j)
            for kind in ("add", "remove", "replace")
            for i in (part.index if kind != "add" else [None])
            for j in (range(WIDTH) if kind != "remove" else [None])
            if j not in part.index and regular(M, changed(part.index, i, j))
        ]
        if not changes:
            return
        kind, i, j = data.draw(st.sampled_from(changes))
        expected = changed(part.index, i, j)
        getattr(part, kind)(*[a for a in (i, j) if a is not None])
        assert part.index == expected
        right = [Q(a + 1, a + 2) for a in range(len(expected))]
        assert part.solve(right) == solved(part_of(M, expected), right)
        M_p = [part.entries(line, part.index) for line in part.rows]
        product = [[dot(row, column) % part.p for column in zip(*part.H)] for row in M_p]
        assert product == [[int(a == b) for b in expected] for a in expected]


def changed(index, i, j):
    """The index after j came (i None), i left (j None), or j took the place of i."""
    if i is None:
        return [*index, j]
    return [j if a == i else a for a in index if a != i or j is not None]


@given(matrices(), st.lists(st.integers(0, WIDTH - 1), unique=True, max_size=4), st.data())
def test_the_response_keeps_the_equations_and_eta_decides(M, index, data):
    if not regular(M, index):
        return
    j = data.draw(st.sampled_from([a for a in range(WIDTH) if a not in index]))
    part = principal(M, index, ExactInverse)
    u, eta, sign = part.response(j)
    for a in index:
        assert dot([M[a][b] for b in index], u) + M[a][j] == 0
    assert eta == M[j][j] + dot([M[j][b] for b in index], u)
    assert sign == (eta > 0) - (eta < 0)
    assert (eta != 0) == regular(M, [*index, j]) == part.add_if_regular(j)
    if index:
        x = [Q(a - 1, 3) for a in range(len(index))]
        part = principal(M, index, ExactInverse)
        values, below = part.subtract_index_rows([Q(1, 5)] * WIDTH, x)
        sums = [Q(1, 5) - dot(x, [M[a][b] for a in index]) for b in range(WIDTH)]
        assert [Q(v, below) for v in values] == sums


def test_floats_are_refined_to_the_last_bits():
    # A Hilbert matrix: the inverse alone is wrong in the sixth digit.
    n = 7
    M = [[1 / (i + j + 1) for j in range(n)] for i in range(n)]
    part = principal(M, range(n), FloatInverse)
    x = part.solve([1.0] * n)
    left = [abs(Q(1) - dot(map(Q, row), map(Q, x))) for row in M]
    assert max(left) < Q(1, 2**30)


def test_what_rounding_cannot_tell_from_dependent_does_not_come():
    X = [0.1, 0.2, 0.3]
    M = [[a * b for b in X] for a in X]
    part = principal(M, [], FloatInverse)
    assert [part.add_if_regular(j) for j in range(3)] == [True, False, False]
    assert part.index == [0]


def test_a_matrix_without_inverse_is_named_so():
    with pytest.raises(Singular):
        principal([[0.0, 0.0], [0.0, 0.0]], [0, 1], FloatInverse)


@st.composite
def far_from_singular(draw):
    """Symmetric matrices of floats whose diagonal outweighs the rest: every part is regular."""
    tenths = st.integers(-9, 9).map(lambda v: v / 10)
    lower = [[draw(tenths) for _ in range(i)] + [draw(st.sampled_from([7.3, 9.1]))]
             for i in range(WIDTH)]
    return [[lower[max(i, j)][min(i, j)] for j in range(WIDTH)] for i in range(WIDTH)]


def exactly(M):
    return [[Q(v) for v in row] for row in M]


@given(far_from_singular(), st.lists(st.tuples(st.sampled_from("elx"), st.integers(0, 5))))
def test_on_floats_too_the_inverse_follows(M, moves):
    part, expected, changes = principal(M, [], FloatInverse), [], 0
    for kind, k in moves:
        others = [a for a in range(WIDTH) if a not in expected]
        if kind != "l" and others and changes > len(expected):
            changes = 0  # the response of a newcomer asks for a good H
        if kind == "e" and others:
            j = others[k % len(others)]
            part.add(j)
            expected = [*expected, j]
        elif kind == "l" and expected:
            i = expected[k % len(expected)]
            part.remove(i)
            expected = [a for a in expected if a != i]
        elif kind == "x" and expected and others:
            i, j = expected[k % len(expected)], others[k % len(others)]
            part.replace(i, j)
            expected = [j if a == i else a for a in expected]
        else:
            continue
        changes += 1
        assert (part.index, part.updates) == (expected, changes)
        for row, a in zip(part.H, expected):  # H M is the unit matrix
            for column, b in zip(zip(*part_of(exactly(M), expected)), expected):
                assert abs(dot(map(Q, row), column) - (a == b)) < Q(1, 2**40)
    right = [1.0] * len(expected)
    x = part.solve(right)
    assert part.updates == (0 if changes > len(expected) else changes)
    for row in part_of(exactly(M), expected):
        assert abs(dot(row, map(Q, x)) - 1) < Q(1, 2**45)


@given(far_from_singular(), st.integers(0, 4))
def test_the_response_on_floats_is_the_exact_one_but_for_rounding(M, k):
    rounded = principal(M, range(k), FloatInverse)
    exact = principal(exactly(M), range(k), ExactInverse)
    (u, eta, sign), (u_exact, eta_exact, _) = rounded.response(5), exact.response(5)
    assert all(abs(Q(v) - w) < Q(1, 2**45) for v, w in zip(u, u_exact))
    assert abs(Q(eta) - eta_exact) < Q(1, 2**45) and sign == 1
    flipped = [[-v if a == b == 5 else v for b, v in enumerate(row)] for a, row in enumerate(M)]
    assert principal(flipped, range(k), FloatInverse).response(5)[2] == -1


def test_a_line_of_zeros_does_not_come():
    assert not principal([[0.0]], [], FloatInverse).add_if_regular(0)
