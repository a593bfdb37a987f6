"""linalg, factorisations and eigenvalues: exact on Fractions, and the order of addition."""

from copy import deepcopy
from fractions import Fraction
from math import inf, isnan, nan

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from minors import has_no_negative_principal_minor
from refusing import refusals, type_error

from refsvm.numerics import eigenvalues, linalg
from refsvm.numerics.eigenvalues import symmetric_eigen, symmetric_eigenvalues
from refsvm.numerics.factorisations import (
    cholesky,
    ldl,
    null_space,
    rank,
    row_echelon,
    solve,
    solve_lower,
    solve_upper,
    swap_in_pivot,
)
from refsvm.numerics.linalg import (
    add,
    add_scaled,
    dot,
    gram_of_rows,
    identity,
    matrix_product,
    matrix_vector,
    norm,
    quadratic_form,
    scale,
    squared_distance,
    squared_norm,
    subtract,
    total,
    transpose,
)

rationals = st.fractions(min_value=-4, max_value=4, max_denominator=5)
few_values = st.integers(-2, 2).map(Fraction)  # so few that singular matrices are common
floats = st.floats(min_value=-1e6, max_value=1e6).filter(lambda a: a == 0 or abs(a) > 1e-6)
powers = st.integers(-200, 200)
HALF_STEP = Fraction(1, 2**53)  # the largest relative error of one rounding


def vectors(n, numbers=rationals):
    return st.lists(numbers, min_size=n, max_size=n)


def matrices(m, n, numbers=rationals):
    return st.lists(vectors(n, numbers), min_size=m, max_size=m)


def shapes(numbers):
    return st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
        lambda shape: matrices(shape[0], shape[1], numbers)
    )


def squares(numbers):
    return st.integers(1, 4).flatmap(lambda n: matrices(n, n, numbers))


def symmetrised(A):
    return [[A[max(i, j)][min(i, j)] for j in range(len(A))] for i in range(len(A))]


def symmetric_matrices(numbers):
    return squares(numbers).map(symmetrised)


def times(A, c):
    return [scale(c, row) for row in A]


def two_to(k):
    return float(Fraction(2) ** k)


def hexes(x):
    return [a.hex() for a in x]


# The order of addition, seen in the bits


ONES = [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    "terms, expected",
    [([1e16, 1.0, -1e16], 0.0), ([1e16, -1e16, 1.0], 1.0), ([1.0, 1e16, -1e16], 0.0)],
)
def test_sums_run_from_the_first_index_to_the_last(terms, expected):
    assert total(terms) == total(iter(terms)) == expected
    assert dot(terms, ONES) == dot(ONES, terms) == expected
    assert matrix_vector([terms, ONES], ONES) == [expected, 3.0]
    assert matrix_product([terms], [[1.0], [1.0], [1.0]]) == [[expected]]
    diagonal = [[terms[i] if i == j else 0.0 for j in range(3)] for i in range(3)]
    assert quadratic_form(diagonal, ONES) == expected
    assert gram_of_rows([terms, ONES])[0][1] == gram_of_rows([ONES, terms])[0][1] == expected


def test_squares_are_added_from_the_first_index_to_the_last():
    large, up, down = 2.0**27, [1.0, 1.0, 1.0, 2.0**27], [2.0**27, 1.0, 1.0, 1.0]
    assert squared_norm(up) == large * large + 4 and squared_norm(down) == large * large
    zero = [0.0] * 4
    assert squared_distance(up, zero) == large * large + 4
    assert squared_distance(down, zero) == large * large


def test_a_product_is_rounded_before_it_is_added():
    a = 1.0 + 2.0**-30
    assert dot([a, 1.0], [a, -(a * a)]) == 0.0
    assert dot([1.0, a], [-(a * a), a]) == 0.0
    assert add_scaled([-(a * a)], a, [a]) == [0.0]


def test_squared_distance_does_not_cancel_far_from_the_origin():
    assert squared_distance([1e8 + 1.0], [1e8]) == 1.0
    assert squared_norm([1e8 + 1.0]) + squared_norm([1e8]) - 2 * dot([1e8 + 1.0], [1e8]) != 1.0


def test_triangular_solves_subtract_the_sum_of_the_known_terms_in_index_order():
    L = [[1.0, 0, 0, 0], [0, 1.0, 0, 0], [0, 0, 1.0, 0], [1e16, -1e16, 1.0, 1.0]]
    assert solve_lower(L, [1.0, 1.0, 1.0, 5.0])[3] == 4.0
    U = [[1.0, 1e16, -1e16, 1.0], [0, 1.0, 0, 0], [0, 0, 1.0, 0], [0, 0, 0, 1.0]]
    assert solve_upper(U, [5.0, 1.0, 1.0, 1.0])[0] == 4.0


def test_cholesky_subtracts_the_sum_of_the_earlier_products_in_index_order():
    # The dot of the last two rows of L is 2^54 + 1 + 1 + 1, which is 2^54 added in this order.
    L = [[1.0, 0, 0, 0, 0], [0, 1.0, 0, 0, 0], [0, 0, 1.0, 0, 0], [0, 0, 0, 1.0, 0]]
    L += [[2.0**27, 1.0, 1.0, 1.0, 2.0**27]]
    A = identity(5, float)
    A[4] = L[4][:4] + [2.0**55]
    for i in range(4):
        A[i][4] = A[4][i]
    assert cholesky(A)[4] == L[4]
    # Here the dot of rows 4 and 3 of L is 1e16 - 1e16 + 1, and A_43 is 5.
    A = identity(5, float)
    A[3], A[4] = [1.0, 1.0, 1.0, 4.0, 5.0], [1e16, -1e16, 1.0, 5.0, 1e33]
    for i in range(4):
        A[i][3:] = [A[3][i], A[4][i]]
    assert cholesky(A)[4][3] == 4.0


def test_a_sum_begun_at_zero_has_no_negative_zero():
    assert dot([-0.0], [1.0]).hex() == total([-0.0]).hex() == (0.0).hex()
    assert type(total([])) is int
    assert matrix_vector([[-0.0]], [1.0])[0].hex() == (0.0).hex()


def test_nan_and_infinity_go_through():
    assert isnan(dot([nan, 1.0], [1.0, 1.0])) and isnan(dot([inf, -inf], [1.0, 1.0]))
    assert dot([inf, 1.0], [1.0, 1.0]) == inf and norm([-inf]) == inf
    assert add([inf], [1.0]) == [inf] and isnan(subtract([inf], [inf])[0])
    assert all(map(isnan, gram_of_rows([[nan]])[0])) and isnan(norm([nan]))
    assert isnan(solve([[1.0]], [nan])[0]) and solve([[2.0]], [inf]) == [inf]


def test_the_bits_of_a_small_example():
    A, b = [[2.0, -1.0, 0.1], [-1.0, 3.0, 0.7], [0.1, 0.7, 5.0]], [1.0, 0.3, 0.1]
    known = [
        (solve(A, b), "0x1.55ffb30f7a62ep-1 0x1.53ea9e4d277aap-2 -0x1.464e5b3ca54cbp-5"),
        (cholesky(A)[2], "0x1.21a1851ff630ap-4 0x1.e5b9d136c6d96p-2 0x1.178e646adca59p+1"),
        (ldl(A).D, "0x1.4000000000000p+2 0x1.7374bc6a7ef9ep+1 0x1.a4c9215864366p+0"),
        (ldl(A).L[2], "0x1.47ae147ae147bp-6 -0x1.65ccd5d54dce4p-2 0x1.0000000000000p+0"),
        (
            symmetric_eigenvalues(A),
            "0x1.52f827607107fp+0 0x1.b85f951ab47e1p+1 0x1.4f122b9a897efp+2",
        ),
        (
            symmetric_eigen(A).vectors[0],
            "0x1.a7c34720013c5p-1 0x1.17f022e07022bp-1 -0x1.0358ac60dd4e0p-3",
        ),
        (
            null_space([[0.1, 0.7, 0.3], [0.2, 0.3, 0.9]])[0],
            "-0x1.3a2e8ba2e8ba3p+2 0x1.1745d1745d176p-2 0x1.0000000000000p+0",
        ),
    ]
    for computed, bits in known:
        assert " ".join(hexes(computed)) == bits


# Kinds of numbers, errors, and the caller's data


@given(vectors(3), vectors(3), rationals, matrices(3, 3))
def test_fractions_stay_fractions(x, z, c, A):
    numbers = [dot(x, z), squared_norm(x), squared_distance(x, z), quadratic_form(A, x)]
    for v in (add(x, z), subtract(x, z), scale(c, x), add_scaled(x, c, z), matrix_vector(A, x)):
        numbers += v
    for B in (matrix_product(A, A), gram_of_rows(A), transpose(A), *row_echelon(A)[:1]):
        numbers += [b for row in B for b in row]
    numbers += [a for v in null_space(A) for a in v]
    for part in (ldl(gram_of_rows(A)).L, [ldl(gram_of_rows(A)).D], ldl(symmetrised(A)).rest):
        numbers += [a for row in part for a in row]
    assert {type(a) for a in numbers} == {Fraction}


def test_ints_stay_ints_until_something_is_divided():
    assert dot([1, 2], [3, 4]) == 11 and type(dot([1, 2], [3, 4])) is int
    assert [type(a) for a in solve([[2]], [1]) + cholesky([[4]])[0]] == [float, float]
    assert {type(a) for row in ldl([[1, 1], [1, 1]])[1] for a in row} == {float}
    assert type(identity(1, Fraction)[0][0]) is Fraction


def test_one_fraction_makes_all_that_is_divided_fractions():
    assert solve([[3, 0.5], [0, 1]], [1, Fraction(0)]) == [Fraction(1, 3), 0]


def test_empty_vectors_and_matrices():
    assert dot([], []) == 0 and norm([]) == 0.0 and add([], []) == []
    assert matrix_vector([], []) == transpose([]) == gram_of_rows([]) == identity(0) == []
    assert solve([], []) == cholesky([]) == null_space([]) == [] and rank([]) == 0
    assert symmetric_eigen([]) == ([], []) and ldl([]).rank == 0


WIDE = [[1, 2, 3], [4, 5, 6]]
RAGGED = [[1, 2], [3]]


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: dot([1, 2], [3]), "x has length 2 and z has length 1; the two must be equal"),
        (lambda: dot([1], [3, 4]), "x has length 1 and z has length 2; the two must be equal"),
        (lambda: squared_distance([1], []), "x has length 1 and z has length 0"),
        (lambda: add([1], [1, 2]), "x has length 1 and z has length 2"),
        (lambda: subtract([1], [1, 2]), "x has length 1 and z has length 2"),
        (lambda: add_scaled([1], 3, [1, 2]), "x has length 1 and z has length 2"),
        (lambda: matrix_vector(WIDE, [1, 2]), "A[0] has length 3 and x has length 2"),
        (lambda: matrix_vector(RAGGED, [1, 2]), "A[1] has length 1 and x has length 2"),
        (lambda: matrix_product(WIDE, WIDE), "A[0] has length 3 and the number of rows of B is 2"),
        (lambda: matrix_product([[1, 2]], RAGGED), "B[1] has length 1 and B[0] has length 2"),
        (lambda: quadratic_form(WIDE, [1, 2]), "A[0] has length 3 and x has length 2"),
        (lambda: quadratic_form(WIDE, [1, 2, 3]), "A has length 2 and x has length 3"),
        (lambda: transpose(RAGGED), "A[1] has length 1 and A[0] has length 2"),
        (lambda: gram_of_rows(RAGGED), "X[1] has length 1 and X[0] has length 2"),
        (lambda: row_echelon(RAGGED), "A[1] has length 1 and A[0] has length 2"),
        (lambda: solve(WIDE, [1, 2]), "A[0] has length 3 and the number of rows of A is 2"),
        (lambda: solve([[1]], [1, 2]), "A has length 1 and b has length 2"),
        (lambda: solve_lower([[1]], [1, 2]), "L has length 1 and b has length 2"),
        (lambda: solve_upper(WIDE, [1, 2]), "U[0] has length 3 and the number of rows of U is 2"),
        (lambda: solve_lower([[1, 0], [1, 0]], [1, 1]), "L[1][1] is 0; the diagonal must not"),
        (lambda: solve_upper([[0.0]], [1]), "U[0][0] is 0.0; the diagonal must not hold a zero"),
        (lambda: cholesky(WIDE), "A[0] has length 3 and the number of rows of A is 2"),
        (lambda: ldl([[1, 2], [3, 4]]), "A[0][1] is 2 and A[1][0] is 3; A must be symmetric"),
        (lambda: cholesky([[1, 2], [3, 9]]), "A[0][1] is 2 and A[1][0] is 3; A must be symmetric"),
        (lambda: symmetric_eigen([[1, nan], [2, 3]]), "A[0][1] is nan and A[1][0] is 2"),
        (lambda: symmetric_eigen([[1, nan], [nan, 3]]), "A[0][1] is nan; eigenvalues need finite"),
        (lambda: symmetric_eigenvalues([[inf]]), "A[0][0] is inf; eigenvalues need finite"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value).startswith(sentence) and "\n" not in str(refusal.value)


test_square_roots_of_fractions_are_refused_and_point_elsewhere = refusals(
    type_error("..squared_norm..", norm, [Fraction(3), Fraction(4)]),
    type_error("..ldl..", cholesky, [[Fraction(1)]]),
    type_error("..floats..", symmetric_eigenvalues, [[Fraction(1)]]),
    type_error("..floats..", symmetric_eigen, [[Fraction(1)]]),
)


def test_nothing_given_is_changed():
    A, b, x = [[4.0, 2.0], [2.0, 5.0]], [1.0, 2.0], (3.0, 4.0)
    before = deepcopy((A, b, x))
    for f in (transpose, gram_of_rows, cholesky, ldl, rank, null_space, symmetric_eigen):
        f(A)
    solve([A[1], A[0]], b), solve_lower(A, b), solve_upper(A, b), matrix_product(A, A)
    add_scaled(x, 2, b), scale(2, b), dot(x, b), quadratic_form(A, x), add(x, b), subtract(x, b)
    assert (A, b, x) == before


# The laws of vectors and matrices, exactly


@given(vectors(3), vectors(3), vectors(3), rationals)
def test_dot_is_bilinear_and_measures_distance(x, y, z, c):
    assert dot(add_scaled(x, c, y), z) == dot(x, z) + c * dot(y, z)
    assert add_scaled(x, c, y) == add(x, scale(c, y)) and add(subtract(x, y), y) == x
    assert squared_distance(x, z) == squared_norm(x) + squared_norm(z) - 2 * dot(x, z)
    assert squared_distance(x, z) == squared_norm(subtract(x, z))


@given(matrices(2, 3), matrices(3, 4), vectors(4), vectors(2))
def test_matrix_products_associate_and_transpose(A, B, x, z):
    AB = matrix_product(A, B)
    assert matrix_vector(AB, x) == matrix_vector(A, matrix_vector(B, x))
    assert transpose(AB) == matrix_product(transpose(B), transpose(A))
    assert dot(z, matrix_vector(AB, x)) == dot(matrix_vector(transpose(AB), z), x)
    assert gram_of_rows(A) == matrix_product(A, transpose(A))
    assert quadratic_form(gram_of_rows(A), z) == squared_norm(matrix_vector(transpose(A), z))
    assert matrix_product(A, identity(3)) == A == matrix_product(identity(2), A)


@given(vectors(3, floats), vectors(3, floats), powers)
def test_vectors_times_a_power_of_two_give_the_scaled_answers(x, z, k):
    c = two_to(k)
    assert dot(scale(c, x), z) == c * dot(x, z)
    assert norm(scale(c, x)) == c * norm(x)
    assert squared_distance(scale(c, x), scale(c, z)) == c * c * squared_distance(x, z)


@pytest.mark.parametrize("a, b, place", [
    (1.0, 1.0, None), (1.0, 2.0, (0, 1)), (1.0, nan, (0, 1)), (nan, 1.0, (0, 1)), (nan, nan, None),
])
def test_one_nan_makes_a_matrix_asymmetric_and_two_do_not(a, b, place):
    assert linalg.first_asymmetry([[0.0, a], [b, 0.0]]) == place


# Factorisations


@given(squares(few_values).flatmap(lambda A: st.tuples(st.just(A), vectors(len(A)))))
def test_solve_is_exact_and_refuses_exactly_the_singular(problem):
    A, b = problem
    if rank(A) == len(A):
        assert matrix_vector(A, solve(A, b)) == b
        assert null_space(A) == []
    else:
        with pytest.raises(ValueError, match="A is singular: no pivot is left for column"):
            solve(A, b)


@given(squares(rationals).flatmap(lambda A: st.tuples(st.just(A), vectors(len(A)))))
def test_triangles_are_solved_exactly_and_the_other_half_is_not_read(problem):
    A, b = problem
    for i, row in enumerate(A):
        row[i] = row[i] or Fraction(1)
    L = [[a if j <= i else 0 for j, a in enumerate(row)] for i, row in enumerate(A)]
    U = [[a if j >= i else 0 for j, a in enumerate(row)] for i, row in enumerate(A)]
    assert matrix_vector(L, solve_lower(A, b)) == b
    assert matrix_vector(U, solve_upper(A, b)) == b


def test_a_singular_matrix_is_refused_with_its_column():
    with pytest.raises(ValueError, match="^A is singular: no pivot is left for column 1$"):
        solve([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [1.0, 2.0, 3.0])


def test_the_pivot_is_the_largest_entry_of_its_column_and_the_first_of_equals():
    rows = [[9, 0], [8, 1], [7, -2], [6, 2]]
    swap_in_pivot(rows, 1, 1)
    assert rows == [[9, 0], [7, -2], [8, 1], [6, 2]]
    assert solve([[1e-20, 1.0], [1.0, 1.0]], [1.0, 2.0]) == [1.0, 1.0]  # without: [0.0, 1.0]


@given(squares(floats).flatmap(lambda A: st.tuples(st.just(A), vectors(len(A), floats))), powers)
def test_equations_times_a_power_of_two_have_the_scaled_solution(problem, k):
    A, b = problem
    for i, row in enumerate(A):
        row[i] += 1e8  # far from singular, so that nothing overflows
    x, c = solve(A, b), two_to(k)
    assert solve(times(A, c), scale(c, b)) == x
    assert solve(A, scale(c, b)) == scale(c, x)
    assert solve(times(A, c), b) == scale(1 / c, x)


whole_lower = squares(st.integers(-9, 9)).map(
    lambda A: [
        [float(abs(a) + 1 if i == j else a if j < i else 0) for j, a in enumerate(row)]
        for i, row in enumerate(A)
    ]
)


@given(whole_lower, powers)
def test_cholesky_finds_the_very_triangle_when_it_is_whole(L, k):
    A, c = gram_of_rows(L), two_to(k)
    assert cholesky(A) == L
    assert cholesky(times(A, c * c)) == times(L, c)


@pytest.mark.parametrize(
    "A, sentence",
    [
        ([[0.0]], "pivot 0 is 0.0; a positive definite matrix has positive pivots only"),
        ([[1.0, 1.0], [1.0, 1.0]], "pivot 1 is 0.0; "),
        ([[4.0, 2.0, 0.0], [2.0, 1.0, 1.0], [0.0, 1.0, 1.0]], "pivot 1 is 0.0; "),
        ([[1.0, nan], [nan, 1.0]], "pivot 1 is nan; "),
    ],
)
def test_cholesky_names_the_pivot_that_is_not_positive(A, sentence):
    with pytest.raises(ValueError, match="^" + sentence):
        cholesky(A)


def check_ldl(A, f):
    n, r = len(A), f.rank
    assert sorted(f.order) == list(range(n))
    permuted = [[A[i][j] for j in f.order] for i in f.order]
    LD = [[a * d for a, d in zip(row, f.D)] for row in f.L]
    product = matrix_product(LD, transpose(f.L))
    for i in range(n):
        for j in range(n):
            rest = f.rest[i - r][j - r] if min(i, j) >= r else 0
            assert permuted[i][j] == product[i][j] + rest
            assert f.L[i][j] == (1 if i == j else 0) or i > j and j < r
    assert all(d > 0 for d in f.D[:r]) and f.D[r:] == [0] * (n - r)
    assert f.D[:r] == sorted(f.D[:r], reverse=True) or any(map(any, f.rest))


@example([[Fraction(0), Fraction(0)], [Fraction(0), Fraction(1)]])  # the first pivot is the last
@given(st.one_of(symmetric_matrices(few_values), symmetric_matrices(rationals)))
def test_ldl_is_exact_and_its_rest_is_zero_exactly_for_the_semidefinite(A):
    f = ldl(A)
    check_ldl(A, f)
    assert any(map(any, f.rest)) == (not has_no_negative_principal_minor(A))


@given(shapes(few_values))
def test_ldl_of_a_gram_matrix_has_no_rest_and_the_rank_of_the_data(X):
    f = ldl(gram_of_rows(X))
    check_ldl(gram_of_rows(X), f)
    assert f.rank == rank(X) and not any(map(any, f.rest))


def test_ldl_pivots_on_the_largest_diagonal_entry_and_the_first_of_equals():
    assert ldl([[1, 0, 0, 0], [0, 2, 0, 0], [0, 0, 3, 0], [0, 0, 0, 2]]).order == [2, 1, 3, 0]
    assert ldl([[1, 0, 0], [0, 1, 0], [0, 0, 2]]).order == [2, 0, 1]  # the first as A was given
    assert ldl([[2, 1], [1, 2]]).order == [0, 1]
    assert ldl([[1, 0], [0, -2]]).D == [1, 0]  # the largest, not the largest in size


def test_ldl_takes_a_float_for_zero_relative_to_the_largest_diagonal_entry_only():
    step = 2.0**-52
    assert ldl([[1.0, 1.0], [1.0, 1.0 + 2 * step]]).rank == 1
    assert ldl([[1.0, 1.0], [1.0, 1.0 + 3 * step]]).rank == 2
    assert ldl([[1e-300, 0.0], [0.0, 1e-310]]).rank == 2


@given(symmetric_matrices(floats), powers)
def test_ldl_of_a_power_of_two_times_the_matrix_is_the_scaled_one(A, k):
    A, c = gram_of_rows(A), two_to(k)
    f, g = ldl(A), ldl(times(A, c))
    assert (g.order, g.L, g.rank) == (f.order, f.L, f.rank)
    assert g.D == scale(c, f.D) and g.rest == times(f.rest, c)


@given(shapes(few_values))
def test_null_space_and_rank_are_exact(A):
    R, pivots = row_echelon(A)
    basis = null_space(A)
    assert len(basis) == len(A[0]) - rank(A) and len(pivots) == rank(A)
    assert rank(A) == rank(transpose(A)) == rank(gram_of_rows(A)) <= min(len(A), len(A[0]))
    free = [j for j in range(len(A[0])) if j not in pivots]
    for x, j in zip(basis, free):
        assert not any(matrix_vector(A, x))
        assert [x[i] for i in free] == [1 if i == j else 0 for i in free]
    for i, row in enumerate(R):
        first = next((j for j, a in enumerate(row) if a), None)
        assert first == (pivots[i] if i < len(pivots) else None)
    for i, j in enumerate(pivots):
        assert [row[j] for row in R] == [1 if k == i else 0 for k in range(len(R))]
    assert rank(A + R) == rank(A)  # the same row space


def test_a_float_counts_as_zero_relative_to_its_column_only():
    A = [[0.1, 0.3, 1.0], [0.2, 0.6, 0.0], [0.3, 0.9, 0.0]]  # 3 * 0.1 is not 0.3, nor 3 * 0.3 0.9
    assert rank([row[:2] for row in A]) == 1 and rank(A) == 2
    assert rank([[Fraction(a) for a in row[:2]] for row in A]) == 2
    assert rank([[1.0, 0.0], [0.0, 1e-300]]) == 2
    assert rank([[0.0, 0.0], [0.0, 5e-324]]) == 1
    assert row_echelon([row[:2] for row in A])[0][1:] == [[0.0, 0.0], [0.0, 0.0]]
    step = 2.0**-52
    assert rank([[1.0, 1.0], [1.0, 1.0 + 2 * step]]) == 1
    assert rank([[1.0, 1.0], [1.0, 1.0 + 3 * step]]) == 2
    assert rank([[1.0, 1.0], [1.0, 1.0 + 3 * step], [0.0, 0.0]]) == 1


@given(shapes(floats), st.lists(powers, min_size=4, max_size=4))
def test_rank_does_not_change_when_columns_are_scaled_by_powers_of_two(A, k):
    scaled = [[two_to(k[j]) * a for j, a in enumerate(row)] for row in A]
    assert rank(scaled) == rank(A)


# Eigenvalues


def characteristic(A):
    """The coefficients of det(x I - A), highest power first (Faddeev and LeVerrier), exactly."""
    n, M, coefficients = len(A), [[0] * len(A) for _ in A], [Fraction(1)]
    for k in range(1, n + 1):
        M = matrix_product(A, M)
        for i in range(n):
            M[i][i] += coefficients[-1]
        AM = matrix_product(A, M)
        trace = dot([AM[i][i] for i in range(n)], [1] * n)
        coefficients.append(-trace / Fraction(k))
    return coefficients


def positive_eigenvalues(A):
    """How many there are: the sign changes of the polynomial (Descartes; all roots are real)."""
    signs = [c > 0 for c in characteristic(A) if c != 0]
    return [a != b for a, b in zip(signs, signs[1:])].count(True)


def counting(f, calls):
    def counted(*arguments):
        calls.append(f)
        return f(*arguments)

    return counted


def rotations_counted(f, A):
    calls, rotate = [], eigenvalues.rotate
    eigenvalues.rotate = counting(rotate, calls)
    try:
        return f(A), len(calls)
    finally:
        eigenvalues.rotate = rotate


def size(A):
    """At least the Frobenius norm: the sum of the absolute values."""
    total = Fraction(0)
    for row in A:
        for a in row:
            total += abs(Fraction(a))
    return total


def shifted(A, c, mu):
    """c (A - mu I), exactly."""
    return [
        [c * (Fraction(a) - (mu if i == j else 0)) for j, a in enumerate(row)]
        for i, row in enumerate(A)
    ]


# Why |computed - exact| <= (32 r + n) u |A|, with u = 2^-53, r rotations, |A| the Frobenius norm:
# Let t be as computed. c has a relative error of 3u against the cosine of arctan t, s of 4u, so a
# pair (a, b) off the diagonal comes out within 6 sqrt(2) u |(a, b)| of the rotated one. The exact
# rotation by arctan t would leave A_pq dt/t in place of 0, and t has a relative error of 6u; it
# would leave A_pp - t A_pq + t A_pq dt/t at p. With two roundings at p and at q, what happened is
# an exact rotation of A + E with |E| <= 32 u |A|. At the end each entry left out is at most u
# times the diagonal entry of its row, together at most n u |A|. The eigenvalues of A + E and of A
# differ by |E| at most, in order (Weyl).


@given(symmetric_matrices(st.one_of(st.integers(-3, 3).map(float), floats)))
def test_eigenvalues_are_within_the_proved_bound_of_the_exact_ones(A):
    values, r = rotations_counted(symmetric_eigenvalues, A)
    n = len(A)
    bound = (32 * r + n) * HALF_STEP * size(A)
    assert values == sorted(values)
    for i, value in enumerate(map(Fraction, values)):  # i are smaller, n - 1 - i larger
        assert positive_eigenvalues(shifted(A, 1, value + bound)) <= n - 1 - i
        assert positive_eigenvalues(shifted(A, -1, value - bound)) <= i


@given(symmetric_matrices(st.one_of(st.integers(-3, 3).map(float), floats)))
def test_eigenvectors_are_orthonormal_and_belong_to_their_values(A):
    (values, vectors), r = rotations_counted(symmetric_eigen, A)
    n = len(A)
    assert hexes(values) == hexes(symmetric_eigenvalues(A))
    # The vectors are within 9 r u sqrt(n) of the exact ones of a matrix within (32 r + n) u |A|.
    V = [list(map(Fraction, v)) for v in vectors]
    exact = [list(map(Fraction, row)) for row in A]
    errors = [subtract(a, b) for a, b in zip(gram_of_rows(V), identity(n))]
    for v, value in zip(V, map(Fraction, values)):
        residual = subtract(matrix_vector(exact, v), scale(value, v))
        assert squared_norm(residual) <= ((64 * r + n) * n * HALF_STEP * size(A)) ** 2
    for row in errors:
        assert squared_norm(row) <= (32 * r * n * HALF_STEP) ** 2


@given(symmetric_matrices(floats), powers)
def test_eigenvalues_of_a_power_of_two_times_the_matrix_are_the_scaled_ones(A, k):
    c = two_to(k)
    f, g = symmetric_eigen(A), symmetric_eigen(times(A, c))
    assert g.values == scale(c, f.values) and g.vectors == f.vectors


@pytest.mark.parametrize(
    "A, values",
    [
        ([[3.0]], [3.0]),
        ([[0.0, 0.0], [0.0, 0.0]], [0.0, 0.0]),
        ([[2.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]], [-1.0, 1.0, 2.0]),
        ([[0.0, 1e308], [1e308, 0.0]], [-1e308, 1e308]),
        ([[1.5e308, 1.5e308], [1.5e308, 1.5e308]], [0.0, inf]),
        ([[0.0, 5e-324], [5e-324, 0.0]], [-5e-324, 5e-324]),
        ([[1e20, 1.0], [1.0, 0.0]], [-1e-20, 1e20]),
        ([[1e20, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]], [-1.0, 1.0, 1e20]),
    ],
)
def test_eigenvalues_known_exactly(A, values):
    assert symmetric_eigenvalues(A) == values


def test_equal_eigenvalues_keep_the_order_of_their_indices():
    assert symmetric_eigen(identity(3, float)).vectors == identity(3)
