"""Platt's sigmoid: at its A and B both slopes of F are zero, which is shown in fractions."""

from fractions import Fraction as F
from math import exp, inf, isfinite, log, log1p, nan

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from profiles import draws
from refusing import refusals, type_error, value_error

from refsvm.numerics.intervals import floor_exp
from refsvm.numerics.linalg import dot
from refsvm.svm import calibration
from refsvm.svm.calibration import (
    Calibration,
    Examples,
    SigmoidStep,
    calibrate,
    newton_step,
    share_taken,
    sigmoid,
)

BITS = 120
SEVEN = [-2.5, -1.0, -0.25, 0.5, 0.75, 1.5, 3.0], [-1, -1, 1, -1, 1, 1, 1]

sizes = st.sampled_from([0.0, 1.0, 2.0, 0.1]) | st.floats(-100, 100) | st.floats(-1e9, 1e9)
rows = st.lists(st.tuples(sizes, st.sampled_from([-1, 1])), min_size=2, max_size=14)
# Labels at random, mostly right, or the classes apart
orders = st.sampled_from([lambda f, y: y, lambda f, y: 1 if f > 0 else -1,
                          lambda f, y: -1 if f > 50 else 1 if f > 0 else y])


@st.composite
def decided(draw):
    found, order = draw(rows), draw(orders)
    f, y = [f for f, _ in found], [order(f, y) for f, y in found]
    return f, y if len(set(y)) == 2 else [-y[0], *y[1:]]


def wrong_label(f, y, A, B):
    """The probability of the wrong label, 1 / (1 + e^(-y z)), in fractions: within 2^-119."""
    z = y * (F(A) * F(f) + F(B))
    e = F(floor_exp(abs(z), BITS), 2**BITS) if z else F(1)
    return (e if z < 0 else 1) / (1 + e)


def slopes(f, y, A, B):
    """How far F is from flat in A and in B, the latter by example."""
    share = {label: F(1, y.count(label) + 2) for label in (-1, 1)}
    pulls = [label * (wrong_label(v, label, A, B) - share[label]) for v, label in zip(f, y)]
    return sum(p * F(v) for p, v in zip(pulls, f)), sum(pulls)


@given(decided())
@example(([0.0, 1e9, 1e9 + 1, 0.0], [-1, 1, -1, -1]))
def test_both_slopes_are_zero_but_for_rounding(sample):
    """z is off by 2^-52 of its terms, and they are no larger than |A f| + |B|."""
    f, y = sample
    A, B = calibrate(f, y)
    in_A, in_B = slopes(f, y, A, B)
    terms = 1 + max(abs(A * v) for v in f) + abs(B)
    assert abs(in_B) <= len(f) * terms * F(2) ** -49
    assert abs(in_A) <= sum(map(abs, map(F, f))) * terms * F(2) ** -49


@given(decided())
def test_exchanging_labels_and_signs_changes_the_sign_of_B_alone(sample):
    f, y = sample
    found = calibrate(f, y)
    assert calibrate([-v for v in f], [-label for label in y]) == (found.A, -found.B)


@given(decided(), st.integers(-900, 900))
@example(SEVEN, 900)
def test_another_unit_of_the_decisions_is_another_unit_of_A(sample, k):
    f, y = [v if abs(v) > 1e-5 else 0.0 for v in sample[0]], sample[1]  # no digit falls off
    found, scaled = calibrate(f, y), calibrate([v * 2.0**k for v in f], y)
    assert (F(scaled.A) * F(2) ** k, scaled.B) == (found.A, found.B)


@given(decided(), st.floats(-30, 30), st.floats(-30, 30))
def test_F_falls_to_the_end_of_a_step_from_anywhere(sample, a, b):
    f, y = sample
    unit = max(map(abs, f)) or 1
    examples = Examples([v / unit for v in f], y, {-1: 1 / 8, 1: 1 / 9})
    step = newton_step(examples, a, b)
    share = share_taken(examples, a, b, step)
    pulls, _ = calibration.slopes(examples, a + share * step.a, b + share * step.b)
    slope = step.a * dot(pulls, examples.x) + step.b * sum(pulls)
    assert 2 / (2 + step.change) <= share <= 1
    assert slope <= 1e-9 * step.change or share == 1 and step.change <= 1 / 2


def test_of_a_step_uphill_the_least_share_is_taken():
    examples = Examples([-1.0, 1.0], [-1, 1], {-1: 1 / 3, 1: 1 / 3})
    assert share_taken(examples, 0.0, 0.0, SigmoidStep(30.0, 0.0, 1.0, 30.0)) == 2 / 32
    assert share_taken(examples, 0.0, 0.0, SigmoidStep(30.0, 0.0, 1.0, 29.0)) == 2 / 31


def test_of_two_decisions_each_gets_the_share_that_it_ought_to():
    """Two unknowns fit two decisions: the label is certain to 2/3, so the log-odds are ln 2."""
    A, B = calibrate([-1.0, 1.0], [-1, 1])
    assert A == pytest.approx(-0.6931471805599453, rel=1e-15) and abs(B) < 1e-16
    found = calibrate([3.0, 3.0, 5.0], [-1, -1, 1]).probabilities([3.0, 5.0])
    assert found == pytest.approx([1 / 4, 2 / 3], rel=1e-14)


def test_equal_decisions_say_nothing_and_have_the_share_of_the_labels():
    found = calibrate([1e9 + 1] * 10, [1] * 7 + [-1] * 3)
    assert found.A == 0
    assert found.probabilities([0.0, 7.0]) == pytest.approx([(7 * 8 / 9 + 3 / 5) / 10] * 2)


def test_decisions_that_speak_for_the_other_label_have_a_positive_A():
    f, y = SEVEN
    assert calibrate(f, y).A < 0 < calibrate(f, [-label for label in y]).A


@pytest.mark.parametrize("gap", [1e-3, 1e-9, 1e-15])
@pytest.mark.parametrize("outlier", [1.0, 1e6, -1e12, 1e300])
def test_rows_far_away_do_not_keep_it_from_ending(gap, outlier, monkeypatch):
    monkeypatch.setattr(calibration, "MAX_CALIBRATION_STEPS", 100)
    f = [-gap] * 40 + [gap] * 30 + [-1.0, 1.0, outlier]
    y = [-1] * 40 + [1] * 30 + [-1, 1, -1]
    early = calibrate(f, y)
    monkeypatch.setattr(calibration, "MAX_CALIBRATION_STEPS", 1000)
    assert calibrate(f, y) == early
    assert all(map(isfinite, early))


def test_many_of_one_class_and_one_of_the_other_end_in_a_few_steps(monkeypatch):
    monkeypatch.setattr(calibration, "MAX_CALIBRATION_STEPS", 25)
    found = calibrate([0.0] * 999 + [1.0], [-1] * 999 + [1]).probabilities([0.0, 1.0])
    assert found == pytest.approx([1 / 1001, 2 / 3], rel=1e-12)


def as_printed(f, y):
    """The pseudo-code of Lin, Lin and Weng: Newton's method with a line search on F."""
    positive, n = y.count(1), len(y)
    high, low = (positive + 1) / (positive + 2), 1 / (n - positive + 2)
    t = [high if label > 0 else low for label in y]

    def value(A, B):
        z = [A * v + B for v in f]
        return sum(p * w + log1p(exp(-w)) if w >= 0 else (p - 1) * w + log1p(exp(w))
                   for p, w in zip(t, z))

    A, B = 0.0, log((n - positive + 1) / (positive + 1))
    for _ in range(100):
        p = [1 / (1 + exp(A * v + B)) for v in f]
        g = sum(v * (a - b) for v, a, b in zip(f, t, p)), sum(a - b for a, b in zip(t, p))
        if max(map(abs, g)) < 1e-5:
            break
        h = [sum(b * (1 - b) * v**k for v, b in zip(f, p)) + 1e-12 * (k != 1) for k in range(3)]
        det = h[2] * h[0] - h[1] * h[1]
        step = (h[1] * g[1] - h[0] * g[0]) / det, (h[1] * g[0] - h[2] * g[1]) / det
        share, slope = 1.0, g[0] * step[0] + g[1] * step[1]
        while value(A + share * step[0], B + share * step[1]) > value(A, B) + 1e-4 * share * slope:
            share /= 2
        A, B = A + share * step[0], B + share * step[1]
    return A, B


@draws(1 / 2)
@given(st.lists(st.tuples(st.floats(-4, 4), st.sampled_from([-1, 1])), min_size=4, max_size=30))
@example(list(zip(*SEVEN)))
def test_the_algorithm_as_printed_ends_near_it(found):
    f, y = [-1.0, 1.0, *(f for f, _ in found)], [1, -1, *(y for _, y in found)]
    printed = Calibration(*as_printed(f, y)).probabilities(f)
    assert calibrate(f, y).probabilities(f) == pytest.approx(printed, abs=1e-4)


def test_the_sigmoid_loses_nothing_at_its_ends():
    assert Calibration(-1.0, 0.0).probabilities([-1000, -700, 0, 40, 1000]) == [
        0.0, 1 / 1.0142320547350045e304, 0.5, 1.0, 1.0]
    assert Calibration(1e300, 1e300).probabilities([1e300, -1e300]) == [0.0, 1.0]
    assert sigmoid(40.0) > 0 and sigmoid(-40.0) == 1.0


test_what_cannot_be_calibrated_is_refused = refusals(
    value_error("y holds the label +1 only; both classes are needed", calibrate, [1, 2], [1, 1]),
    value_error("decisions[1] is nan; it must be a finite number", calibrate, [1, nan], [1, -1]),
    value_error("decisions[0] is -inf; it must be a finite number", calibrate, [-inf, 1], [1, -1]),
    value_error("y[0] is 0; a label must be +1 or -1", calibrate, [1, 2], [0, 1]),
    value_error("y has length 2; there are 1 examples", calibrate, [1], [0, 1]),
    type_error("decisions[0] is [1]; a number is needed", calibrate, [[1], [2]], [1, -1]),
    type_error("decisions holds Fractions, of which no exponential is taken; give floats",
               calibrate, [F(1), 2], [1, -1]),
    value_error("decisions lie so close to each other that A is no double; multiply them by"
                " 2^100", calibrate, [5e-324, -5e-324], [1, -1]),
)


def test_probabilities_refuse_what_calibrate_refuses():
    for f, kind in ([nan], ValueError), ([F(1)], TypeError), ([], ValueError):
        with pytest.raises(kind, match="^decisions"):
            Calibration(-1.0, 0.0).probabilities(f)
    with pytest.raises(ValueError, match="^B is nan; it must be a finite number$"):
        Calibration(-1.0, nan).probabilities([1])
    with pytest.raises(TypeError, match="^A is 'low'; a number is needed$"):
        Calibration("low", 0.0).probabilities([1])
