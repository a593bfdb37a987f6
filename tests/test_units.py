"""Other units: numbers in decimals give one answer in every unit, as far as doubles can.

Each machine at a vertex: 2 of 5 examples at their bounds for nu = .4, the others at 0. In decimals
the sum of a group is that of whole multipliers, and an offset may lie in an interval. In doubles
nu, C and the weights are rounded, and one multiplier is by 1e-16 off its bound. The truth is
solve_exactly's, of the decimals as Fractions.
"""

from fractions import Fraction as Q
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

import refsvm
import refsvm_fast
from refsvm.solvers.decomposition import decomposition
from refsvm.svm.dual_form import DualForm, group_extremes, roundings_of_sums

UNITS = ["1", "0.000001", "0.1", "1000", "0.0000000000000001"]
PACKAGES = [refsvm, refsvm_fast]
ROWS = ["1.5", "-0.3", "2.2", "0.7", "-1.9", "3.1"]
VALUES = ["2.1", "-0.4", "3.3", "0.2", "-1.6", "2.9"]


def nu_regression(package, number, unit, rows, values, k):
    n = len(rows)
    y, C = [number(Q(v) * unit) for v in values], number(unit / 100)
    return package.NuRegressionProblem(columns(number, rows), y, C=C, nu=number(Q(2 * k, n)))


def nu_classification(package, number, unit, rows, values, k):
    n, y = len(rows), [1 if i % 2 else -1 for i in range(len(rows))]
    apart = [Q(v) + 2 * label for v, label in zip(rows, y)]
    return package.NuProblem(
        columns(number, apart), y, nu=number(Q(2 * k, n)), weights=[number(unit)] * n
    )


def one_class(package, number, unit, rows, values, k):
    n, far = len(rows), [Q(v) + 6 for v in rows]
    return package.OneClassProblem(
        columns(number, far), nu=number(Q(k, n)), weights=[number(unit)] * n
    )


def balanced_classification(package, number, unit, rows, values, k):
    """All at their bounds, as classes weigh the same with C n / (2 n_c)."""
    n = len(rows)
    y = [1 if i < 1 + n % 2 else -1 for i in range(n)]
    C = [number(Q(n, 2 * y.count(label)) / 10**5) for label in y]
    return package.Problem([[number(Q(v) * unit)] for v in rows], y, C=C)


def weighted_regression(package, number, unit, rows, values, k):
    y = [number(Q(v) * unit) for v in values]
    weights = [number(Q(3 if i % 2 else 1, 10)) for i in range(len(y))]
    return package.RegressionProblem(
        columns(number, rows), y, C=number(unit / 1000), epsilon=number(unit / 10), weights=weights
    )


def ball(package, number, unit, rows, values, k):
    return package.BallProblem([[number(Q(v) * unit)] for v in rows], C=number(Q(1, k + 1)))


def columns(number, values):
    return [[number(Q(v))] for v in values]


MACHINES = [nu_regression, nu_classification, one_class, balanced_classification,
            weighted_regression, ball]


def assert_same_answer(machine, unit, *data):
    """The offsets are those of the decimals, values and ends, and both packages say so."""
    exact = refsvm.solve_exactly(machine(refsvm, Q, unit, *data))
    if exact.offsets is None or exact.status in ("degenerate", "infeasible"):
        return
    try:
        slow, fast = (package.smo(machine(package, float, unit, *data), tol=1e-9)
                      for package in PACKAGES)
    except ValueError:
        return
    assert tuple(slow) == tuple(fast) and slow.offsets == fast.offsets
    if slow.status != "optimal":  # the classes meet, or nearly: the unit of tol is below rounding
        return
    for told, true in zip(slow.offsets, exact.offsets):
        ends = [v for v in (true.low, true.high) if abs(v) < inf]
        off = max(map(abs, ends)) / 10**6
        assert abs(Q(told.value) - sum(ends) / len(ends)) <= off, (told, true)
        for found, end in zip(told[1:], true[1:]):
            assert found == end if abs(end) == inf else abs(Q(found) - Q(end)) <= off, (told, true)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("n", [5, 6])
@pytest.mark.parametrize("k", [1, 2])
def test_an_interval_of_the_decimals_is_told_as_one(machine, unit, n, k):
    assert_same_answer(machine, Q(unit), ROWS[:n], VALUES[:n], k)


@draws(1)
@given(st.integers(0, 2**40), st.sampled_from(MACHINES), st.sampled_from(UNITS))
def test_no_unit_decides_about_an_offset(seed, machine, unit):
    random = Random(seed)
    n = random.choice([5, 6, 7, 10, 20])
    rows, values = ([Q(random.randrange(-50, 51), 10) for _ in range(n)] for _ in range(2))
    assert_same_answer(machine, Q(unit), rows, values, random.randrange(1, n // 2))


@pytest.mark.parametrize(
    ("solve", "options"),
    [
        (refsvm.smo, {}),
        (decomposition, {"members": 4}),
        (refsvm.active_set, {}),
        (refsvm.projected_gradient, {}),
    ],
)
def test_every_solver_takes_the_middle(solve, options):
    random = Random(7)
    for n in 6, 8, 10, 20:
        rows = [Q(random.randrange(-50, 51), 10) for _ in range(n)]
        (true,) = refsvm.solve_exactly(balanced_classification(refsvm, Q, 1, rows, (), 1)).offsets
        found = solve(balanced_classification(refsvm, float, 1, rows, (), 1), tol=1e-6, **options)
        ends = [float(true.low + true.high) / 2, float(true.low), float(true.high)]
        assert [found.b, found.b_low, found.b_high] == pytest.approx(ends, abs=1e-5)


def test_the_case_that_was_seen():
    """b was 1.3 in one unit and .8 in the other, by the rounding of C nu n / 2."""
    found = []
    for unit in 1.0, 1e-6:
        machine = refsvm.NuSVR(kernel="linear", nu=0.4, C=unit, tol=1e-9)
        machine.fit([[0], [1], [2], [3], [4]], [unit * v for v in (0.6, 1.3, 3.6, 1.7, 1.8)])
        found.append(machine.intercept_[0] / unit)
    assert found == pytest.approx([1.3, 1.3], rel=1e-9)


def test_what_is_near_a_bound():
    """As near as rounding makes it; on Fractions nothing is."""
    form = DualForm(None, [0.0] * 3, [0.0] * 3, [1.0] * 3, [range(3)], [Q(2)])
    beta, r = [1.0, 1 - 2.0**-52, 2.0**-50], [3.0, 2.0, 1.0]
    (near,) = roundings_of_sums(form, beta)
    assert near == 2.0**-50 + (1 - 2.0**-52) * 2.0**-50 + 2.0**-100
    assert group_extremes(form, beta, r) == [(2.0, 1.0)]
    assert group_extremes(form, beta, r, [near]) == [(1.0, 2.0)]
    further = [1.0, 1 - 2.0**-48, 2.0**-48]
    assert group_extremes(form, further, r, roundings_of_sums(form, further)) == [(2.0, 1.0)]
    exact = [Q(1), 1 - Q(2) ** -60, Q(2) ** -60]
    assert roundings_of_sums(form, exact) == [0]
