"""What is orthogonal to the rows adds to |w|^2 and to nothing else."""

import copy
from fractions import Fraction as Q

import exact
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import coordinates, feasible, givens, offsets, penalties
from profiles import draws
from soft_optima import hinges, solved
from test_validation import exactly, refused

from refsvm.kernels.standard import Polynomial
from refsvm.numerics.linalg import add, dot, squared_norm
from refsvm.svm.conventions import from_mean_hinge_halved
from refsvm.svm.problem import Problem
from refsvm.theory.regularised_risk import primal_at, span_decomposition


@st.composite
def vector_and_rows(draw):
    n, d = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    row = st.lists(coordinates, min_size=d, max_size=d)
    return draw(row), draw(st.lists(row, min_size=n, max_size=n))


@st.composite
def wide(draw, **changed):
    """A linear problem, and a vector w with the rows' length, which is often more than n."""
    g = draw(hinges(most=4, kernels=(("linear",),), **changed))
    more = draw(st.integers(0, 3))
    X = [x + draw(st.lists(coordinates, min_size=more, max_size=more)) for x in g.X]
    return Problem(X, g.y, C=g.C, bias=g.bias), [draw(coordinates) for _ in X[0]]


@given(vector_and_rows())
def test_the_two_parts_add_up_and_the_second_is_orthogonal_to_every_row(given_):
    before = copy.deepcopy(given_)
    w, X = given_
    found = span_decomposition(w, X)
    assert exactly(add(found.inside, found.outside), w)
    assert [dot(found.outside, x) for x in X] == [0] * len(X)
    combined = [exact.inner(found.coefficients, column) for column in zip(*X)]
    assert exactly(found.inside, combined)
    assert given_ == before


@given(vector_and_rows())
def test_pythagoras(given_):
    """The part in the span is shorter, and strictly so unless nothing was left out."""
    w, X = given_
    _, v, u = span_decomposition(w, X)
    assert squared_norm(w) == squared_norm(v) + squared_norm(u)
    assert (squared_norm(v) < squared_norm(w)) == any(u)


@given(st.data(), vector_and_rows())
def test_a_combination_of_the_rows_has_nothing_outside(data, given_):
    w, X = given_
    coefs = data.draw(st.lists(coordinates, min_size=len(X), max_size=len(X)))
    w = [exact.inner(coefs, column) for column in zip(*X)]
    assert not any(span_decomposition(w, X).outside)


@given(wide(), offsets)
def test_what_is_orthogonal_to_the_rows_costs_half_its_square_and_buys_nothing(given_, b):
    problem, w = given_
    b = b if problem.bias else Q(0)
    _, v, u = span_decomposition(w, problem.X)
    assert [dot(v, x) for x in problem.X] == [dot(w, x) for x in problem.X]
    assert exactly(primal_at(problem, w, b) - primal_at(problem, v, b), squared_norm(u) / 2)


@given(wide(biases=(False,)), penalties)
def test_in_the_averaged_form_it_costs_lambda_half_its_square(given_, lam):
    problem, w = given_
    C, scale = from_mean_hinge_halved(lam, problem.n)
    averaged = Problem(problem.X, problem.y, C=C, bias=False)
    _, v, u = span_decomposition(w, problem.X)

    def F(w):
        hinge = [max(0, 1 - y * dot(w, x)) for x, y in zip(problem.X, problem.y)]
        return exact.exact_sum(hinge) / problem.n + lam / 2 * squared_norm(w)

    assert F(w) == scale * primal_at(averaged, w)
    assert F(w) - F(v) == lam / 2 * squared_norm(u)


@draws(2/5)
@given(wide())
def test_the_best_weights_lie_in_the_span_of_the_rows(given_):
    problem, other = given_
    found = solved(problem)
    w = problem.weights(found.alpha)
    assert not any(span_decomposition(w, problem.X).outside)
    best = primal_at(problem, w, found.b)
    assert best == found.objective
    # No other weights are as good: the objective is strongly convex.
    distance = exact.inner(*[[p - q for p, q in zip(w, other)]] * 2)
    for b in (found.b, found.b + 1) if problem.bias else (Q(0),):
        assert primal_at(problem, other, b) >= best + distance / 2


@given(st.data(), givens(most=4, hard=True, kernels=(("linear",),)), offsets)
def test_at_the_weights_of_an_alpha_it_is_the_primal_of_that_alpha(data, g, b):
    problem, alpha = g.problem(), data.draw(feasible(g))
    b = b if g.bias else Q(0)
    assert exactly(primal_at(problem, problem.weights(alpha), b), problem.primal(alpha, b))


@given(st.lists(st.integers(-40, 40), min_size=2, max_size=5), st.integers(-8, 8),
       st.integers(-8, 8))
def test_it_is_of_the_rows_as_given_though_others_are_computed_with(values, w, b):
    """On floats a linear problem is shifted; here everything is dyadic, so nothing is rounded."""
    X, y = [[2000.0 + v / 4] for v in values], [-1, *[1] * (len(values) - 1)]
    exactly_ = Problem([[Q(v) for v in x] for x in X], y)
    for bias_b in (b / 2, b - 2000 * w / 8):
        assert primal_at(Problem(X, y), [w / 8], bias_b) == primal_at(exactly_, [w / 8], bias_b)
    assert type(primal_at(Problem(X, y), [w / 8], 1)) is float
    assert type(primal_at(Problem(X, y), [Q(w, 8)], 1)) is Q


PAIR = Problem([[-1], [1]], [-1, 1])


@pytest.mark.parametrize("call, refusal", [
    (lambda: span_decomposition([1, 2], [[1]]),
     (ValueError, "w has length 2; the rows of X have length 1")),
    (lambda: span_decomposition([1], [[1], [1, 2]]),
     (ValueError, "X[1] has length 2; every row must have the length of X[0], which is 1")),
    (lambda: primal_at(PAIR, [1, 2]),
     (ValueError, "w has length 2; the rows of X have length 1")),
    (lambda: primal_at(PAIR, ["1"]), (TypeError, "w[0] is '1'; a number is needed")),
    (lambda: primal_at(Problem([[-1], [1]], [-1, 1], bias=False), [1], 1),
     (ValueError, "b is 1.0; a problem without offset has b = 0")),
    (lambda: primal_at(Problem([[-1], [1]], [-1, 1], Polynomial(2)), [1]),
     (TypeError, "w is a list of numbers for Linear() only, not for"
                 " Polynomial(degree=2, gamma=1.0, coef0=0.0)")),
    (lambda: primal_at(1, [1]), (TypeError, "problem is 1; a Problem is needed")),
])
def test_bad_input_is_refused(call, refusal):
    assert refused(call) == refusal
