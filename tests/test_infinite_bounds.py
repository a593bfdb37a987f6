"""Fractions of any size: none ever meets a float, which may not hold it."""

from fractions import Fraction
from math import inf
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

import refsvm
from refsvm import Gaussian, Linear, Polynomial, Problem, kkt, solve_exactly
from refsvm.numerics.linalg import difference

HUGE, TINY = Fraction(10**400), Fraction(1, 10**400)
LINE, LABELS = [0, 1, 3, 4], [-1, -1, 1, 1]
NAMES = ("add", "sub", "mul", "truediv")
ARITHMETIC = [f"__{side}{name}__" for name in NAMES for side in ("", "r")]
SOLVERS = ["smo", "textbook_smo", "active_set", "projected_gradient", "coordinate_ascent",
           "textbook_projected_gradient", "textbook_coordinate_ascent", "solve_exactly"]


def kept_from_floats(method):
    def kept(a, b):
        assert not isinstance(b, float), f"{method.__name__} of a Fraction and the float {b}"
        return method(a, b)

    return kept


def no_float_allowed():
    """While this is on, arithmetic of a Fraction with a float fails, of whatever size they are."""
    return patch.multiple(Fraction, **{
        name: kept_from_floats(getattr(Fraction, name)) for name in ARITHMETIC
    })


@given(st.sampled_from(SOLVERS), st.sampled_from([Fraction(1, 3), 2, HUGE, inf]), st.data())
@draws(1/5)
def test_no_solver_lets_a_fraction_meet_a_float(solver, C, data):
    bias = "coordinate" not in solver and (solver == "textbook_smo" or data.draw(st.booleans()))
    scale = data.draw(st.sampled_from([1, TINY, HUGE, Fraction(1, 2**1074)]))
    rows = data.draw(st.lists(st.integers(-2, 2), min_size=4, max_size=4))
    kernel = data.draw(st.sampled_from([Linear(), Polynomial(2, coef0=1)]))
    slack = data.draw(st.sampled_from(["hinge", "squared"]))
    problem = Problem([[v * scale + Fraction(0)] for v in rows], LABELS, kernel, C, bias, slack)
    options = {} if solver == "solve_exactly" else {"max_iter": 5}
    with no_float_allowed():
        solution = getattr(refsvm, solver)(problem, **options)
        if solution.status != "infeasible":
            kkt(problem, solution.alpha)


@pytest.mark.parametrize("scale", [TINY, HUGE])
def test_data_in_any_unit_have_the_answer_in_that_unit(scale):
    exact = solve_exactly(Problem([[v] for v in LINE], LABELS, C=inf))
    scaled = solve_exactly(Problem([[v * scale] for v in LINE], LABELS, C=inf))
    assert scaled.objective == exact.objective / scale**2
    assert (scaled.b_low, scaled.b_high) == (exact.b_low, exact.b_high)


@pytest.mark.parametrize("name", ["tol", "cache_mb"])
def test_floats_with_a_parameter_that_no_double_holds_are_refused(name):
    with pytest.raises(ValueError, match=f"^{name} is about 10\\^400; it must be within the dou"):
        refsvm.smo(Problem([[v] for v in LINE], LABELS), **{name: HUGE})


def test_penalties_whose_sum_no_double_holds_are_added():
    C = 1.7e308
    optimum = solve_exactly(Problem([[1.5]] * 4, [-1, -1, 1, 1], Gaussian(1), C))
    assert optimum.objective.low <= 4 * Fraction(C) <= optimum.objective.high


@given(*2 * [st.one_of(st.fractions(), st.floats(allow_nan=False), st.sampled_from([HUGE, inf]))])
def test_a_difference_is_exact_or_infinite(a, b):
    finite = -inf < a < inf, -inf < b < inf
    if all(finite) and Fraction in (type(a), type(b)):
        assert difference(a, b) == Fraction(a) - Fraction(b)
    elif any(finite) and not all(finite):
        assert difference(a, b) == (-b if finite[0] else a)
