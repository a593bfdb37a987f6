"""drawing, contours, svg: lines where they belong, well-formed text, the same bytes every time."""

import copy
import doctest
import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refsvm.estimators.svc import SVC
from refsvm.plotting import contours, drawing, svg
from refsvm.plotting.contours import level_lines, regions
from refsvm.plotting.drawing import nearest, picture, thin_out
from refsvm.plotting.svg import decimal_text, frame_around, ticks
from refsvm.solvers.smo import smo
from refsvm.svm.problem import Problem

F = Fraction
X = [[0, 0], [1, 0], [0, 1], [3, 3], [4, 3], [1.2, 1.2], [2, 0.5]]
Y = [-1, -1, -1, 1, 1, 1, 1]
small = st.integers(-3, 3).map(F)


@pytest.mark.parametrize("module", [contours, drawing, svg])
def test_examples_in_the_docstrings_hold(module):
    assert doctest.testmod(module).failed == 0


def grid(function, columns=5, rows=4):
    """xs, ys and the values of a function on them, as Fractions."""
    xs, ys = [F(i, 2) for i in range(columns)], [F(j, 3) for j in range(rows)]
    return xs, ys, [[function(x, y) for x in xs] for y in ys]


def area(polygon):
    """The signed area within a polygon."""
    twice = 0
    for (x, y), (u, v) in zip(polygon, polygon[1:] + polygon[:1]):
        twice += x * v - u * y
    return twice / 2


@given(small, small, small, small)
def test_level_lines_of_a_linear_function_are_exact(a, b, c, level):
    xs, ys, values = grid(lambda x, y: a * x + b * y + c)
    for line in level_lines(xs, ys, values, level):
        assert len(line) > 1
        for x, y in line:
            assert a * x + b * y + c == level


def test_level_line_of_a_linear_function_is_one_line_across_the_grid():
    xs, ys, values = grid(lambda x, y: 2 * x + 3 * y)
    (line,) = level_lines(xs, ys, values, F(5, 2))
    assert {line[0], line[-1]} == {(F(5, 4), F(0)), (F(0), F(5, 6))}


def test_level_line_around_a_hill_is_closed():
    xs, ys, values = grid(lambda x, y: -abs(x - 1) - abs(y - F(1, 2)))
    (line,) = level_lines(xs, ys, values, F(-2, 5))
    assert line[0] == line[-1]
    assert len(set(line)) == len(line) - 1


@given(st.lists(st.lists(small, min_size=4, max_size=4), min_size=3, max_size=3))
def test_lines_end_at_the_rim_or_are_closed(values):
    xs, ys = [F(i) for i in range(4)], [F(j) for j in range(3)]
    for line in level_lines(xs, ys, values, F(1, 2)):
        for x, y in (line[0], line[-1]):
            assert line[0] == line[-1] or x in (0, 3) or y in (0, 2)


@given(small, small, small)
def test_regions_of_a_linear_function_have_the_exact_areas(a, b, c):
    xs, ys, values = grid(lambda x, y: a * x + b * y + c)
    parts = regions(xs, ys, [values], lambda signs: signs[0])
    for positive, polygons in parts.items():
        for polygon in polygons:
            assert area(polygon) >= 0
            for x, y in polygon:
                f = a * x + b * y + c
                assert f >= 0 if positive else f <= 0
    total = 0
    for polygons in parts.values():
        for polygon in polygons:
            total += area(polygon)
    assert total == (xs[-1] - xs[0]) * (ys[-1] - ys[0])


@given(st.lists(st.lists(st.lists(small, min_size=4, max_size=4), min_size=3, max_size=3),
                min_size=1, max_size=3))
def test_regions_cover_the_grid_once_whatever_the_functions(fields):
    xs, ys = [F(i) for i in range(4)], [F(j) for j in range(3)]
    total = 0
    for polygons in regions(xs, ys, fields, lambda signs: signs).values():
        for polygon in polygons:
            total += area(polygon)
    assert total == 6


@given(
    st.tuples(st.floats(-9, -0.1), st.floats(-9, 9)),
    st.tuples(st.floats(0.1, 9), st.floats(-9, 9)),
)
def test_a_side_is_cut_at_the_same_place_from_both_ends(p, q):
    here, there = (0.1, 0.7, p), (0.3, 0.2, q)
    assert contours.between(here, there, 0) == contours.between(there, here, 0)


def test_cells_of_one_winner_are_put_together_although_signs_differ_inside():
    parts = regions([0, 1, 2], [0, 1], [[[-1.0, 1.0, 2.0]] * 2], lambda signs: "both")
    assert parts == {"both": [[(0, 0), (2, 0), (2, 1), (0, 1)]]}


def elements(text, tag):
    """The elements with a tag, in order; well-formedness is checked on the way."""
    return list(ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}" + tag))


def words_in(text):
    return [element.text for element in elements(text, "text")]


def machines():
    linear = smo(Problem(X, Y)).model()
    three = SVC(C=10, gamma=1.0).fit(X, [0, 0, 1, 2, 2, 1, 1]).model_
    return [None, linear, SVC(C=10, gamma=1.0).fit(X, Y).model_, three]


@pytest.mark.parametrize("model", machines(), ids=["points", "Model", "two", "three"])
def test_picture_is_well_formed_ascii_and_the_same_every_time(model):
    before = copy.deepcopy((X, Y, model))
    text = picture(X, Y, model, title="a < b & \u03b3\x00")
    assert text == picture([tuple(row) for row in X], tuple(Y), model, title="a < b & \u03b3\x00")
    assert before == (X, Y, model)
    assert text.isascii() and len(text) < 400_000
    assert "a < b & \u03b3?" in words_in(text)
    assert "nan" not in text and "inf" not in text


def test_legend_names_what_is_drawn():
    points, linear, _, three = machines()
    assert "support vector" not in words_in(picture(X, Y, points))
    named = words_in(picture(X, Y, linear, called={-1: "no"}, names=("width", "height")))
    for word in ("no", "class 1", "support vector", "border, f = 0", "width", "height"):
        assert word in named
    assert "border, f = 0" not in words_in(picture(X, [0, 0, 1, 2, 2, 1, 1], three))


def paths(text, **wanted):
    return [e.get("d") for e in elements(text, "path")
            if all(e.get(k.replace("_", "-")) == v for k, v in wanted.items())]


def places(d):
    return [tuple(map(float, pair)) for pair in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", d)]


def test_one_ring_for_each_support_vector_and_one_mark_for_each_example():
    model = SVC(kernel="linear").fit(X, Y).model_
    text = picture(X, Y, model)
    (rings,) = [d for d in paths(text, stroke="#000000") if d.count("M") > 1]
    assert rings.count("M") == len(model.vectors)
    marks = [d.count("M") for d in paths(text, stroke="#ffffff")]
    assert marks == [3, 4, 1, 1]  # of two classes, then their signs in the legend


def test_slack_lines_go_from_points_short_of_their_margin_to_it():
    model = smo(Problem(X, Y)).model()
    text, frame = picture(X, Y, model), frame_around(X)
    short = [r for r, y in zip(X, Y) if y * model.decision(r) < 1]
    lines = paths(text, stroke_opacity="0.8")[:2]
    ends = [place for d in lines for place in places(d)]
    shown = [tuple(round(v, 1) for v in frame.place(row)) for row in short]
    assert sorted(ends[::2]) == sorted(shown)
    (u0, u1), (v0, v1) = frame.u, frame.v
    for d, level in zip(lines, (1, -1)):
        for x, y in places(d)[1::2]:
            u = u0 + (x - frame.left) / svg.WIDTH * (u1 - u0)
            v = v1 - (y - svg.TOP) / svg.HEIGHT * (v1 - v0)
            assert abs(model.decision([u, v]) - level) < 0.01


def test_nearest_place_may_be_an_end_or_on_a_line_of_no_length():
    assert nearest((-1.0, 2.0), [[(0.0, 0.0), (3.0, 0.0)]]) == (0.0, 0.0)
    assert nearest((9.0, 2.0), [[(0.0, 5.0), (0.0, 5.0)]]) == (0.0, 5.0)


@pytest.mark.slow("a picture of megabytes")
def test_many_points_are_thinned_to_a_file_of_reasonable_size():
    rows = [[(i * 37 % 1009) / 7, (i * 91 % 997) / 3] for i in range(20_000)]
    labels = [i % 2 for i in range(20_000)]
    assert len(picture(rows, labels)) < 400_000
    assert len(thin_out([(float(x), float(y)) for x in range(300) for y in range(40)])) == 3000


@pytest.mark.parametrize("rows", [
    [[2, 0], [2, 1]], [[0, 0], [0, 0]], [[2000, 1e-9], [2020, 2e-9]],
    [[-1e300, 1e-300], [1e300, 0]], [[1.7e9, 5e-324], [1.7e9 + 1, 0]], [[1, 1 + 2.0**-52], [1, 1]],
])
def test_any_range_of_values_can_be_drawn(rows):
    text = picture(rows, [1, 2])
    assert ElementTree.fromstring(text) is not None
    assert "nan" not in text and "inf" not in text


@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e9))
def test_ticks_are_round_numbers_within_the_range(low, width):
    found = ticks(low, low + width, 8)
    assert 3 <= len(found) <= 9 or width < 1e-6 * abs(low)
    for value, text in found:
        assert low <= value <= low + width or width < 1e-6 * abs(low)
        assert float(text) == value


def test_labels_of_ticks_are_written_as_people_do():
    assert [text for _, text in ticks(-0.25, 0.25, 5)] == ["-0.2", "-0.1", "0", "0.1", "0.2"]
    assert decimal_text(svg.Decimal("1E+12")) == "1e+12"


@pytest.mark.parametrize("rows, labels, sentence", [
    ([[1, 2, 3], [1, 2, 4]], [1, 2], "X[0] has length 3; a picture shows two features"),
    ([[1, 2], [1, 3]], [1], "y has length 1; there are 2 examples"),
    ([[1, 2], [1, float("nan")]], [1, 2], "X[1][1] is nan; it must be a finite number"),
    ([[-1.7e308, 2], [1.7e308, 3]], [1, 2],
     "column 0 of X is too wide to be drawn; no double holds its range"),
])
def test_bad_input_is_refused_in_one_sentence(rows, labels, sentence):
    with pytest.raises(ValueError, match="^" + re.escape(sentence) + "$"):
        picture(rows, labels)
