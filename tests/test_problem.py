"""The problem against the exact judge: the optimum, what bounds it, what leaves it as it is."""

import copy
import pickle
from fractions import Fraction as Q
from math import inf, nan

import exact
import pytest
from cases_by_hand import CASES, NOT_SEPARABLE, column
from hypothesis import assume, given
from hypothesis import strategies as st
from peers import peer
from problems import arbitrary, dyadics, givens, known, of_case, offsets
from test_kernels import Common, common
from test_validation import ODD, exactly, refused

from refsvm import active_set, kkt, projected_gradient, smo
from refsvm.kernels.base import KNOWN
from refsvm.kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from refsvm.svm.problem import Problem

by_name = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])


# At the optimum


@given(givens(hard=True))
def test_gap_is_zero_at_the_optimum(g):
    found = exact.optimum(*g.for_the_judge)
    assume(found)
    problem = g.problem()
    assert problem.dual(found.alpha) == found.value
    for b in (found.b_low, found.b_high, (found.b_low + found.b_high) / 2):
        assert problem.primal(found.alpha, b) == found.value
        assert exactly(problem.gap(found.alpha, b), Q(0))


@given(st.data(), givens())
def test_objectives_are_those_of_the_definition_at_any_point(data, g):
    """Any numbers for alpha, also such as break its bounds and its equation."""
    K, y, C, bias, squared = g.for_the_judge
    alpha, b = data.draw(arbitrary(g)), data.draw(offsets) if bias else Q(0)
    beta = [a * s for a, s in zip(alpha, y)]
    margins = [s * (t + b) for s, t in zip(y, exact.times(K, beta))]
    problem = g.problem()
    assert exactly(problem.primal(alpha, b), exact.primal(K, y, C, beta, b, squared))
    assert exactly(problem.dual(alpha), exact.dual(K, y, C, beta, squared))
    assert exactly(problem.gap(alpha, b), problem.primal(alpha, b) - problem.dual(alpha))
    assert exactly(problem.margins(alpha, b), margins)
    assert exactly(problem.slacks(alpha, b), [max(Q(0), 1 - m) for m in margins])
    if problem.linear:
        w = [exact.inner(beta, column) for column in zip(*g.X)]
        assert exactly(problem.weights(alpha), w)


# Hard margin


@given(st.data(), givens(hard=True))
def test_a_broken_constraint_is_mended_by_the_least_factor(data, g):
    K, y, C, bias, squared = g.for_the_judge
    alpha, b = data.draw(arbitrary(g)), data.draw(offsets) if bias else Q(0)
    value = g.problem().primal(alpha, b)
    margins = g.problem().margins(alpha, b)
    hard = [m for m, c in zip(margins, C) if c == inf]
    if any(m <= 0 for m in hard):
        assert value == inf
        return
    factor = max([1] + [1 / m for m in hard])
    beta = [a * s * factor for a, s in zip(alpha, y)]
    assert value == exact.primal(K, y, C, beta, b * factor, squared) < inf
    found = exact.optimum(*g.for_the_judge)
    assert found and value >= found.value


def test_a_broken_constraint_is_mended_by_hand():
    """w = 1/4 and b = 0 give the margins 1/4, 1/2 and 1; four times as much mends the first."""
    X, y, alpha = column(1, 2, -4), [1, 1, -1], [Q(1, 4), 0, 0]
    assert Problem(X, y, C=inf).primal(alpha, 0) == Q(1, 2)
    assert Problem(X, y, C=[Q(1), inf, inf]).primal(alpha, 0) == Q(1, 8) + Q(1, 2)
    squared = Problem(X, y, C=[Q(1), inf, inf], slack="squared")
    assert squared.primal(alpha, 0) == Q(1, 8) + Q(1, 8)
    alpha = [Q(1, 2), 0, 0]
    assert Problem(X, y, C=[Q(1), inf, inf]).primal(alpha, 0) == Q(1, 8) + Q(1, 2)
    assert Problem([X[1], X[0], X[2]], y, C=inf).primal([0, alpha[0], 0], 0) == Q(1, 2)


def test_the_gap_of_a_broken_hard_margin_is_infinite_however_large_the_multipliers():
    problem = Problem([[0.0], [1.0]], [-1, 1], C=inf)
    for alpha in ([1e308, 1e308], [1.0, 1.0]):
        assert problem.gap(alpha, Q(1, 3)) == problem.gap(alpha, 1 / 3) == inf


@pytest.mark.parametrize("case", NOT_SEPARABLE, ids=[case.name for case in NOT_SEPARABLE])
def test_without_a_hard_margin_every_point_costs_infinity(case):
    problem = of_case(case).problem()
    for alpha in ([1] * problem.n, list(range(problem.n)), [0] * problem.n):
        for b in (Q(-1), 0, 2) if case.bias else (0,):
            assert problem.primal(alpha, b) == inf == problem.gap(alpha, b)


# What leaves the problem unchanged


@st.composite
def dyadic_problems(draw):
    """X, y, C of floats with few bits, and a balanced alpha of such numbers."""
    pairs, d = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    rows = st.lists(dyadics, min_size=d, max_size=d)
    X = draw(st.lists(rows, min_size=2 * pairs, max_size=2 * pairs))
    C = draw(st.sampled_from([0.25, 1.0, 8.0]))
    eighths = draw(st.lists(st.integers(0, 8), min_size=pairs, max_size=pairs))
    return X, [1, -1] * pairs, C, [v / 8 * C for v in eighths for _ in range(2)], draw(dyadics)


@given(dyadic_problems(), st.integers(-3, 40), st.booleans())
def test_moving_by_a_power_of_two_keeps_every_bit(drawn, k, negative):
    """Timestamps lose nothing: the shift takes off what was added before anything is squared."""
    X, y, C, alpha, b = drawn
    t = -(2.0**k) if negative else 2.0**k
    here, there = Problem(X, y, C=C), Problem([[v + t for v in x] for x in X], y, C=C)
    b_there = b - exact.inner(here.weights(alpha), [t] * len(X[0]))
    assume(float(b_there) == b_there)
    assert bits(there.weights(alpha)) == bits(here.weights(alpha))
    assert there.dual(alpha).hex() == here.dual(alpha).hex()
    assert there.gap(alpha, float(b_there)).hex() == here.gap(alpha, b).hex()
    uneven = [a / 3 for a in alpha]
    assert there.dual(uneven).hex() == here.dual(uneven).hex()


def bits(values):
    return [float(value).hex() for value in values]


@given(st.data(), dyadic_problems(), st.integers(-60, 60), st.sampled_from(["hinge", "squared"]))
def test_scaling_by_a_power_of_two_scales_every_bit(data, drawn, k, slack):
    """X by 2^k, C and alpha by 4^-k: the objectives by 4^-k, the margins and b not at all."""
    X, y, C, alpha, b = drawn
    uneven = [a / 3 for a in alpha], [a / 7 + 0.1 for a in alpha]
    alpha = data.draw(st.sampled_from([alpha, *uneven]))
    for bias in (True, False):
        b = b / 3 if bias else 0.0
        here = Problem(X, y, C=C, slack=slack, bias=bias)
        wide = [[v * 2.0**k for v in x] for x in X]
        there = Problem(wide, y, C=C * 4.0**-k, slack=slack, bias=bias)
        scaled = [a * 4.0**-k for a in alpha]
        assert bits(there.weights(scaled)) == bits(v * 2.0**-k for v in here.weights(alpha))
        assert bits(there.margins(scaled, b)) == bits(here.margins(alpha, b))
        assert there.dual(scaled).hex() == (here.dual(alpha) * 4.0**-k).hex()
        assert there.primal(scaled, b).hex() == (here.primal(alpha, b) * 4.0**-k).hex()
        assert there.gap(scaled, b).hex() == (here.gap(alpha, b) * 4.0**-k).hex()


# On floats


def has_few_bits(case):
    return all(Q(float(a)) == a for a in known(case.name).alpha)


@by_name
def test_gap_is_zero_on_floats_too_where_every_number_has_few_bits(case):
    """Also C17 and C18, around 2^20, where squares of features do not fit a float."""
    if not has_few_bits(case):
        return
    g, found = of_case(case), known(case.name)
    problem = g.problem(X=[list(map(float, x)) for x in g.X], C=list(map(float, g.C)))
    alpha = list(map(float, found.alpha))
    assert problem.kind is float
    assert exactly(problem.dual(alpha), float(found.value))
    for b in (found.b_low, found.b_high):
        assert exactly(problem.primal(alpha, float(b)), float(found.value))
        assert exactly(problem.gap(alpha, float(b)), 0.0)


@given(st.data(), dyadic_problems())
def test_floats_and_fractions_meet_as_fractions(data, drawn):
    X, y, C, alpha, b = drawn
    for slack in ("hinge", "squared"):
        floats = Problem(X, y, C=C, slack=slack)
        fractions = Problem([list(map(Q, x)) for x in X], y, C=Q(C), slack=slack)
        exact_alpha = list(map(Q, alpha))
        for args in ((exact_alpha, b), (alpha, Q(b)), (exact_alpha, Q(b))):
            assert exactly(floats.primal(*args), fractions.primal(*args))
            assert exactly(floats.gap(*args), fractions.gap(*args))
            assert exactly(floats.margins(*args), fractions.margins(*args))
        assert exactly(floats.dual(exact_alpha), fractions.dual(exact_alpha))
        assert exactly(floats.weights(exact_alpha), fractions.weights(exact_alpha))
        assert exactly(floats.to(Q).C, fractions.C) and exactly(floats.to(Q).X, fractions.X)
        assert floats.to(float) is floats and exactly(floats.to(Q).to(float).X, floats.X)


@pytest.mark.parametrize("kernel", [Gaussian(1), Sigmoid(1, 0)])
def test_exponentials_do_not_meet_fractions(kernel):
    problem = Problem([[0], [1]], [1, -1], kernel)
    name = type(kernel).__name__
    sentence = f"the values of {name} on Fractions are not Fractions; give floats"
    assert refused(problem.dual, [Q(1), 1]) == (TypeError, sentence)
    assert refused(Problem, [[0], [1]], [1, -1], kernel, Q(1)) == (TypeError, sentence)


def test_the_shift_is_the_lower_median_of_each_column():
    X, y = [[5, 0], [1, 0], [9, 7], [3, 0]], [1, -1, 1, -1]
    problem = Problem(X, y)
    assert exactly(problem.shift, [3.0, 0.0])
    assert exactly(problem.rows, [[2.0, 0.0], [-2.0, 0.0], [6.0, 7.0], [0.0, 0.0]])
    assert exactly(problem.X, [[5.0, 0.0], [1.0, 0.0], [9.0, 7.0], [3.0, 0.0]])
    assert exactly(problem.to(Q).shift, [Q(0), Q(0)])
    for other in (Problem(X, y, bias=False), Problem(X, y, Polynomial(1))):
        assert other.shift is None and other.rows == problem.X


# Strings and precomputed matrices


@pytest.mark.parametrize("kernel", [common, Common(), Common() + Common() * Common()])
@pytest.mark.parametrize("C", [1, Q(1, 2), inf])
def test_rows_may_be_strings_for_a_kernel_that_takes_them(kernel, C):
    """The Gram matrix in place of the words is the same problem, in floats and in Fractions."""
    X, y = ["ab", "bcd", "d", "abd"], [1, -1, 1, -1]
    words = Problem(X, y, kernel, C)
    assert words.X == X and words.shift is None
    K = [[Q(kernel(x, z)) for z in X] for x in X]
    given_gram = Problem(K, y, Precomputed(), C)
    for alpha in ([1, 2, 1, 0.5], [Q(1), Q(1, 3), 0, Q(2, 3)]):
        assert words.dual(alpha) == given_gram.dual(alpha)
        assert words.margins(alpha, 0) == given_gram.margins(alpha, 0)
    assert exactly(words.dual([Q(1, 3)] * 4), given_gram.dual([Q(1, 3)] * 4))
    assert X == ["ab", "bcd", "d", "abd"]


# What a Problem holds, and what it refuses


def test_attributes_hold_what_was_understood():
    problem = Problem([[1, 2], (3, True)], (1.0, -1.0), Polynomial(2), 3, slack="squared", bias=0)
    assert exactly(problem.X, [[1.0, 2.0], [3.0, 1.0]]) and exactly(problem.y, [1, -1])
    assert exactly(problem.C, [3.0, 3.0]) and problem.bias is False and problem.slack == "squared"
    assert problem.n == 2 and problem.kind is float and problem.kernel == Polynomial(2)
    assert exactly(problem.upper_bounds(), [inf, inf])
    assert exactly(problem.ridge(), [1 / 3.0, 1 / 3.0])
    hinge = Problem([[1], [2]], [1, -1], C=[2, inf])
    assert exactly(hinge.upper_bounds(), [2.0, inf]) and exactly(hinge.ridge(), [0.0, 0.0])
    assert exactly(Problem([[1], [2]], [1, -1], C=[2, inf], slack="squared").ridge(), [0.5, 0.0])


@pytest.mark.parametrize("given_, kind", [
    (dict(), float), (dict(C=Q(1)), Q), (dict(C=[1, Q(1)]), Q), (dict(kernel=Q(1) * Linear()), Q),
    (dict(kernel=Polynomial(2, Q(1))), Q), (dict(X=[[1], [Q(2)]]), Q),
])
def test_one_fraction_among_data_and_parameters_makes_all_fractions(given_, kind):
    problem = Problem(**dict(dict(X=[[1], [2]], y=[1, -1]), **given_))
    assert problem.kind is kind
    assert {type(v) for v in problem.C + problem.X[0] + problem.X[1]} == {kind}
    assert {type(v) for v in problem.kernel.parameters() if not isinstance(v, int)} <= {kind}


def test_repr():
    assert repr(Problem([[1], [2]], [1, -1], Gaussian(0.5))) == (
        "<Problem of 2 examples, Gaussian(gamma=0.5), hinge slack, with offset>"
    )
    assert repr(Problem([[1], [2]], [1, -1], common, slack="squared", bias=False)) == (
        "<Problem of 2 examples, common, squared slack, without offset>"
    )


def test_a_problem_survives_pickle_and_copy():
    problem = Problem([[1, 2], [3, 5]], [1, -1], Polynomial(2), [1, inf])
    for twin in (pickle.loads(pickle.dumps(problem)), copy.deepcopy(problem), copy.copy(problem)):
        assert vars(twin) == vars(problem)


def test_what_was_given_is_as_before():
    X, y, C, alpha = [[1, 2.5], (3, Q(1, 2))], [1, -1.0], [1, inf], [0.5, 1]
    before = copy.deepcopy((X, y, C, alpha))
    problem = Problem(X, y, C=C)
    for call in (problem.primal, problem.gap, problem.margins, problem.slacks):
        call(alpha, 1)
    problem.dual(alpha), problem.weights(alpha), problem.to(float)
    problem.X[0][0] = problem.C[0] = problem.y[0] = 99
    assert (X, y, C, alpha) == before
    assert type(X[0][0]) is int and type(y[1]) is float and type(alpha[1]) is int


X2, Y2 = [[1, 2], [3, 4]], [1, -1]


@pytest.mark.parametrize("given_, refusal", [
    (dict(X=[]), (ValueError, "X is empty; it must have at least one row")),
    (dict(X=5), (TypeError, "X is 5; a sequence is needed")),
    (dict(X="ab"), (TypeError, "X is 'ab'; a sequence is needed")),
    (dict(X=[[1, 2], [3]]),
     (ValueError, "X[1] has length 1; every row must have the length of X[0], which is 2")),
    (dict(X=[[], []]), (ValueError, "X[0] is empty; it must hold at least one number")),
    (dict(X=[[1, nan], [3, 4]]), (ValueError, "X[0][1] is nan; it must be a finite number")),
    (dict(X=[[1, 2], [inf, 4]]), (ValueError, "X[1][0] is inf; it must be a finite number")),
    (dict(X=[[1, 2], [3, "4"]]), (TypeError, "X[1][1] is '4'; a number is needed")),
    (dict(X=[[1, 2], [3, ODD]]),
     (ValueError, f"X[1][1] is {ODD}, an integer that no double holds; give the nearest float,"
                  " or a Fraction")),
    (dict(X=["ab", "cd"]), (TypeError, "X[0] is 'ab'; Linear() needs rows of numbers")),
    (dict(X=["ab", "cd"], kernel=Precomputed()),
     (TypeError, "X[0] is 'ab'; Precomputed() needs rows of numbers")),
    (dict(X=["ab", [1]], kernel=common), (TypeError, "X[0] is 'ab'; a sequence is needed")),
    (dict(y=[1, 0]), (ValueError, "y[1] is 0; a label must be +1 or -1")),
    (dict(y=[1, 1]), (ValueError, "y holds the label +1 only; both classes are needed")),
    (dict(y=[-1, -1]), (ValueError, "y holds the label -1 only; both classes are needed")),
    (dict(y=[1, -1, 1]), (ValueError, "y has length 3; there are 2 examples")),
    (dict(y=None), (TypeError, "y is None; a sequence is needed")),
    (dict(C=0), (ValueError, "C is 0; it must be positive")),
    (dict(C=-1), (ValueError, "C is -1; it must be positive")),
    (dict(C=nan), (ValueError, "C is nan; it must be positive")),
    (dict(C=[1, 0]), (ValueError, "C[1] is 0; it must be positive")),
    (dict(C=[1, nan]), (ValueError, "C[1] is nan; it must be positive")),
    (dict(C=[1, 2, 3]), (ValueError, "C has length 3; there are 2 examples")),
    (dict(C="1"), (TypeError, "C is '1'; a number is needed")),
    (dict(slack="square"),
     (ValueError, "slack is 'square'; the known ones are 'hinge', 'squared'")),
    (dict(slack=None), (ValueError, "slack is None; the known ones are 'hinge', 'squared'")),
    (dict(bias="no"), (TypeError, "bias is 'no'; it must be True or False")),
    (dict(kernel="rbf"),
     (ValueError, f"kernel is 'rbf'; the known ones are {', '.join(KNOWN)},"
                  " or a function k(x, z)")),
    (dict(kernel=Linear),
     (TypeError, f"kernel is {Linear!r}; a kernel or a function k(x, z) is needed")),
    (dict(kernel=None), (TypeError, "kernel is None; a kernel or a function k(x, z) is needed")),
    (dict(X=[[1, 2, 3], [2, 1, 3]], kernel=Precomputed()),
     (ValueError, "X[0] has length 3; a precomputed Gram matrix of 2 rows is square")),
    (dict(X=[[1, 2], [2.5, 1]], kernel=Precomputed()),
     (ValueError, "X[1][0] is 2.5 and X[0][1] is 2.0; a precomputed Gram matrix is symmetric,"
      " so take (K + K.T) / 2")),
    (dict(X=[[1], [2]], y=[1], C=0), (ValueError, "y has length 1; there are 2 examples")),
])
def test_bad_input_is_refused_in_one_sentence(given_, refusal):
    arguments = dict(dict(X=X2, y=Y2), **given_)
    before = copy.deepcopy(arguments)
    assert refused(Problem, **arguments) == refusal
    assert repr(arguments) == repr(before)


@pytest.mark.parametrize("call", [
    smo, active_set, projected_gradient, lambda problem: kkt(problem, [0, 0]),
    lambda problem: problem.dual([0, 0]), lambda problem: problem.gap([0, 0], 0),
], ids=["smo", "active_set", "projected_gradient", "kkt", "dual", "gap"])
def test_a_ridge_beyond_the_doubles_is_refused_by_whatever_needs_it(call):
    problem = Problem(X2, Y2, C=[8, 5e-324], slack="squared")
    assert refused(call, problem) == (
        ValueError, "C[1] is 5e-324; under squared slack floats need a C whose 1 / C is finite"
    )
    call(Problem(X2, Y2, C=[8, Q(5e-324)], slack="squared"))
    call(Problem(X2, Y2, C=[8, 5.6e-309], slack="squared"))


@pytest.mark.parametrize("alpha, b, refusal", [
    ([1], 0, (ValueError, "alpha has length 1; there are 2 examples")),
    ([1, nan], 0, (ValueError, "alpha[1] is nan; it must be a finite number")),
    ([1, None], 0, (TypeError, "alpha[1] is None; a number is needed")),
    (3, 0, (TypeError, "alpha is 3; a sequence is needed")),
    ([1, 1], inf, (ValueError, "b is inf; it must be a finite number")),
    ([1, 1], None, (TypeError, "b is None; a number is needed")),
    ([Q(1), 1], nan, (ValueError, "b is nan; it must be a finite number")),
])
def test_a_bad_alpha_or_b_is_refused(alpha, b, refusal):
    problem = Problem(X2, Y2)
    for call in (problem.primal, problem.gap, problem.margins, problem.slacks):
        assert refused(call, alpha, b) == refusal
    if b == 0:
        assert refused(problem.dual, alpha) == refusal == refused(problem.weights, alpha)


def test_an_offset_is_refused_by_a_problem_without():
    problem = Problem(X2, Y2, bias=False)
    for call in (problem.primal, problem.gap, problem.margins, problem.slacks):
        assert refused(call, [1, 1], 0.5) == (
            ValueError, "b is 0.5; a problem without offset has b = 0"
        )
        call([1, 1], -0.0)


def test_weights_are_for_the_linear_kernel():
    assert refused(Problem(X2, Y2, Polynomial(1)).weights, [1, 1]) == (
        TypeError,
        "w is a list of numbers for Linear() only, not for"
        " Polynomial(degree=1, gamma=1.0, coef0=0.0)",
    )


def test_arrays_of_numpy_are_the_same_problem():
    np = peer("numpy")
    X, y, C = np.array([[1, 2.5], [3, 4]]), np.array([1, -1]), np.array([1, 2])
    there, here = Problem(X, y, C=C), Problem(X.tolist(), [1, -1], C=[1, 2])
    assert exactly([there.X, there.y, there.C], [here.X, here.y, here.C])
    assert exactly(there.gap(np.array([1, 1]), np.float64(0.5)), here.gap([1, 1], 0.5))
    assert X.tolist() == [[1, 2.5], [3, 4]] and y.tolist() == [1, -1] and C.tolist() == [1, 2]
