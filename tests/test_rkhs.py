"""The space of a kernel: values, inner products and lengths of sums of K(x_i, .)."""

from fractions import Fraction as Q
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import coordinates, givens
from profiles import draws
from test_feature_maps import rows
from test_validation import exactly, refused

from refsvm.kernels.feature_maps import images, ordered_monomials
from refsvm.kernels.gram_matrices import gram
from refsvm.kernels.rkhs import (
    KernelFunction,
    add,
    combination,
    cosine,
    inner,
    multiple,
    norm,
    objective,
    projection,
    section,
    squared_distance,
    squared_norm,
    subtract,
    value,
    values,
)
from refsvm.kernels.standard import Gaussian, Linear, MonomialSum, Polynomial, Precomputed
from refsvm.kernels.strings import Spectrum
from refsvm.numerics.linalg import dot, matrix_vector, quadratic_form
from refsvm.solvers.smo import smo
from refsvm.svm.conventions import from_mean_hinge_halved
from refsvm.svm.problem import Problem

kernels = st.sampled_from([Linear(), Polynomial(2, coef0=1), MonomialSum(3), 2 * Linear()])
fractions = st.fractions(-3, 3, max_denominator=4)


@st.composite
def functions(draw, count=2, most=3):
    """A kernel, `count` functions of it, and two more points; all Fractions."""
    kernel, d = draw(kernels), draw(st.integers(1, 2))
    made = []
    for _ in range(count):
        n = draw(st.integers(1, most))
        points = draw(st.lists(rows(d, coordinates), min_size=n, max_size=n))
        made.append(combination(kernel, points, draw(rows(n, fractions))))
    return kernel, made, draw(rows(d, coordinates)), draw(rows(d, coordinates))


@draws(2/5)
@given(functions(1))
def test_a_function_is_the_sum_it_is_written_as(drawn):
    kernel, (g,), x, _ = drawn
    total = Q(0)
    for point, c in zip(g.points, g.coefs):
        total += c * kernel(point, x)
    assert exactly(value(g, x), total)
    assert exactly(values(g, [x, x]), [total, total])


@draws(2/5)
@given(functions(1))
def test_the_inner_product_with_a_section_is_the_value(drawn):
    """<g, K(x, .)> = g(x), and so <K(x, .), K(z, .)> = K(x, z)."""
    kernel, (g,), x, z = drawn
    assert exactly(inner(g, section(kernel, x)), value(g, x))
    assert inner(section(kernel, x), g) == value(g, x)
    assert exactly(inner(section(kernel, x), section(kernel, z)), kernel(x, z))
    assert value(section(kernel, x), z) == kernel(x, z)


@draws(2/5)
@given(functions(3), fractions)
def test_the_inner_product_is_symmetric_and_linear(drawn, c):
    _, (f, g, h), _, _ = drawn
    assert inner(f, g) == inner(g, f)
    assert inner(add(f, multiple(c, g)), h) == inner(f, h) + c * inner(g, h)


@draws(2/5)
@given(functions(2), fractions)
def test_sums_and_multiples_are_those_of_the_values(drawn, c):
    _, (f, g), x, _ = drawn
    before = KernelFunction(*f), [list(p) for p in f.points], list(f.coefs)
    assert value(add(f, g), x) == value(f, x) + value(g, x)
    assert value(multiple(c, f), x) == c * value(f, x)
    assert value(subtract(f, g), x) == value(f, x) - value(g, x)
    assert before == (f, f.points, f.coefs)
    assert len(add(f, f).points) <= len(f.points) and not any(subtract(f, f).coefs)


@draws(2/5)
@given(functions(2))
def test_lengths_are_not_negative_and_bound_values_and_inner_products(drawn):
    """|g(x)|^2 <= |g|^2 K(x, x), and the inequality of Cauchy and Schwarz."""
    kernel, (f, g), x, _ = drawn
    assert squared_norm(g) >= 0
    assert squared_norm(g) == quadratic_form(gram(kernel, g.points), g.coefs)
    assert value(g, x) ** 2 <= squared_norm(g) * kernel(x, x)
    assert inner(f, g) ** 2 <= squared_norm(f) * squared_norm(g)


@draws(2/5)
@given(functions(2))
def test_the_distance_of_two_images_is_made_of_kernel_values(drawn):
    """|phi(x) - phi(z)|^2 = K(x, x) - 2 K(x, z) + K(z, z)."""
    kernel, (f, g), x, z = drawn
    of_sections = squared_distance(section(kernel, x), section(kernel, z))
    assert of_sections == kernel(x, x) - 2 * kernel(x, z) + kernel(z, z) >= 0
    assert squared_distance(f, g) == squared_norm(f) - 2 * inner(f, g) + squared_norm(g)


whole = st.lists(st.integers(-9, 9).map(float), min_size=2, max_size=2)


@given(st.sampled_from([Linear(), Polynomial(2), Polynomial(2, coef0=1)]), whole, whole)
def test_the_cosine_of_two_images_is_the_kernel_over_both_lengths(kernel, x, z):
    """In [-1, 1]: of whole numbers all is exact but two roots and a quotient, 2^-52 each."""
    if kernel(x, x) == 0 or kernel(z, z) == 0:
        assert refused(cosine, section(kernel, x), section(kernel, z)) == (
            ValueError, "|f| |g| is 0; a function of length 0 has no direction"
        )
        return
    got = Q(cosine(section(kernel, x), section(kernel, z)))
    square = Q(kernel(x, z)) ** 2 / (Q(kernel(x, x)) * Q(kernel(z, z)))
    assert 0 <= square <= 1
    assert abs(got * got - square) <= Q(1, 2**49)
    assert got * Q(kernel(x, z)) >= 0
    assert norm(section(kernel, x)) ** 2 == pytest.approx(kernel(x, x), rel=2.0**-50)


def test_a_large_kernel_value_does_not_mean_similar():
    """1 is nearer to itself than to 10, but k(1, 10) is larger than k(1, 1): E-cs-14."""
    one, ten = section(Linear(), [1]), section(Linear(), [10])
    assert inner(one, one) == 1 < inner(one, ten) == 10
    assert squared_distance(one, one) == 0 < squared_distance(one, ten) == 81
    assert cosine(one, one) == cosine(one, ten) == 1


def test_a_string_too_short_has_no_direction():
    assert refused(cosine, section(Spectrum(3), "ab"), section(Spectrum(3), "abc")) == (
        ValueError, "|f| |g| is 0; a function of length 0 has no direction"
    )


@pytest.mark.parametrize("call, refusal", [
    (lambda: combination(Linear(), [[1]], [1, 2]),
     (ValueError, "coefs has length 2; there are 1 examples")),
    (lambda: combination(Linear(), [], []),
     (ValueError, "points is empty; it must have at least one row")),
    (lambda: combination(Linear(), ["ab"], [1]),
     (TypeError, "points[0] is 'ab'; Linear() needs rows of numbers")),
    (lambda: combination(Linear(), [[inf]], [1]),
     (ValueError, "points[0][0] is inf; it must be a finite number")),
    (lambda: section(Precomputed(), [1]),
     (TypeError, "Precomputed cannot be part of a sum, product or multiple of kernels")),
    (lambda: inner(section(Linear(), [1]), section(Polynomial(2), [1])),
     (ValueError, "g is a function of Polynomial(degree=2, gamma=1.0, coef0=0.0) and f of"
                  " Linear(); not one space")),
    (lambda: add(section(Linear(), [1]), section(Linear(), [1, 2])),
     (ValueError, "g.points has rows of length 2; the function has points of length 1")),
    (lambda: multiple(inf, section(Linear(), [1])),
     (ValueError, "c is inf; it must be a finite number")),
    (lambda: norm(section(Linear(), [Q(1)])),
     (TypeError, "g holds Fractions, and norm takes a square root; use squared_norm")),
    (lambda: norm(section(lambda x, z: -1, [1])),
     (ValueError, "the squared norm is -1.0; it must not be negative")),
    (lambda: value(section(Linear(), [1]), [1, 2]),
     (ValueError, "X has rows of length 2; the function has points of length 1")),
    (lambda: value(section(lambda x, z: 1, [1]), "a"),
     (TypeError, "X[0] is 'a'; the function has the point [1.0]")),
    (lambda: projection(section(Linear(), [1, 0]), [[1, 0], [2, 0]]),
     (ValueError, "A is singular: no pivot is left for column 1")),
    (lambda: objective(section(Linear(), [1]), [[1], [2]], [1, -1], 0),
     (ValueError, "lam is 0; it must be positive")),
    (lambda: objective(section(Linear(), [1]), [[1], [2]], [1, 0], 1),
     (ValueError, "y[1] is 0; a label must be +1 or -1")),
])
def test_bad_input_is_refused(call, refusal):
    assert refused(call) == refusal


@pytest.mark.parametrize("call", [
    lambda half: value(section(Linear(), [0.1]), [half]),
    lambda half: value(combination(Linear(), [[half]], [0.1]), [1]),
    lambda half: value(multiple(half, section(Linear(), [0.1])), [1]),
    lambda half: inner(section(Linear(), [half]), section(Linear(), [0.1])),
    lambda half: value(add(section(Linear(), [0.1]), section(Linear(), [half])), [1]) - half,
    lambda half: value(multiple(half, section(Spectrum(1), "a")), "ba") * 2 * Q(0.1),
    lambda half: objective(section(Linear(), [0]), [[0.1], [0.2]], [1, -1], half) * Q(0.1) * half,
    lambda half: value(projection(section(Linear(), [0.1]), [[half]]), [1]) * half,
])
def test_one_fraction_makes_all_numbers_exact(call):
    """0.1 is the dyadic it is, and nothing is rounded."""
    got = call(Q(1, 2))
    assert type(got) is Q and got in (Q(0.1), Q(0.1) / 2)


# The machine as a function


@draws(2/5)
@given(givens(most=4, slacks=("hinge",), biases=(False,),
              kernels=(("linear",), ("polynomial", 2, 1, 1))), st.sampled_from([Q(1, 3), Q(2)]))
def test_the_best_function_is_a_sum_over_the_support_vectors(given, lam):
    """F_K at the machine's g is the dual's value: no function whatever is better."""
    m = len(given.y)
    C, scale = from_mean_hinge_halved(lam, m)
    problem = Problem(given.X, given.y, given.kernel, C=C, bias=False)
    solution = smo(problem, tol=0)
    g = combination(given.kernel, given.X, problem.beta(solution.alpha))
    assert objective(g, given.X, given.y, lam) == scale * solution.objective
    assert values(g, given.X) == matrix_vector(given.K, g.coefs)
    model = solution.model()
    if model.vectors:
        of_model = combination(model.kernel, model.vectors, model.coef)
        assert values(of_model, given.X) == values(g, given.X) == model.decisions(given.X)
        assert squared_norm(of_model) == squared_norm(g)


@draws(2/5)
@given(givens(most=4, slacks=("hinge",), kernels=(("linear",), ("polynomial", 2, 1, 1))),
       st.data(), st.sampled_from([Q(1, 3), Q(2)]))
def test_the_objective_of_a_function_is_that_of_its_weights(given, data, lam):
    """F_K(g) = F(w), with w = sum c_i phi(x_i) written down."""
    X, y, n = given.X, given.y, len(given.y)
    coefs = data.draw(rows(n, fractions))
    phi = list
    kernel = Linear()
    if given.kernel != Linear():
        def phi(x):
            return ordered_monomials(x, 2)
        kernel = MonomialSum(2)
    Phi = images(phi, X)
    w = [dot(coefs, column) for column in zip(*Phi)]
    total = Q(0)
    for sign, image in zip(y, Phi):
        total += max(1 - sign * dot(w, image), 0)
    g = combination(kernel, X, coefs)
    assert objective(g, X, y, lam) == total / n + lam * dot(w, w) / 2


@draws(2/5)
@given(functions(1, most=4), st.data(), st.sampled_from([Q(1, 3), Q(2)]))
def test_what_a_function_has_outside_the_span_of_the_examples_only_costs(drawn, data, lam):
    """The projection has the same scores, and is shorter by the length of the rest."""
    kernel, (g,), x, z = drawn
    X = [x, z]
    K = gram(kernel, X)
    if K[0][0] * K[1][1] == K[0][1] * K[1][0]:
        return
    p = projection(g, X)
    rest = subtract(g, p)
    assert values(p, X) == values(g, X) and values(rest, X) == [0, 0]
    assert inner(p, rest) == 0
    y = data.draw(st.sampled_from([[1, -1], [-1, 1]]))
    more = objective(g, X, y, lam) - objective(p, X, y, lam)
    assert more == lam * squared_norm(rest) / 2 >= 0


# Not complete


def same(x, z):
    return 1 if x == z else 0


@given(st.integers(1, 12), st.integers(1, 12))
def test_a_sequence_may_settle_without_a_limit_in_the_space(n, more):
    """g_n = sum 2^-k K(k, .), k < n: the distances shrink to 0, but the limit is not 0 at any k,
    and a sum of m sections of this kernel is 0 at all but m places. Source: E-cb-15."""
    def g(count):
        return combination(same, [[k] for k in range(count)],
                           [Q(1, 2**k) for k in range(count)])

    far = squared_distance(g(n), g(n + more))
    assert far == sum(Q(1, 4**k) for k in range(n, n + more)) < Q(4, 3 * 4**n)  # exact
    assert [value(g(n + more), [k]) != 0 for k in range(n + more + 1)] == [True] * (n + more) + [
        False]


def test_strings_have_a_space_too():
    g = combination(Spectrum(2), ["abab", "ba"], [Q(1, 2), -1])
    assert exactly(value(g, "ba"), Q(-1, 2)) and exactly(squared_norm(g), Q(5, 4) - 1 + 1)
    assert Gaussian(1).bounded and norm(section(Gaussian(1), [3])) == 1.0
