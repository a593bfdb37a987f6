"""plotting: lines where they belong, well-formed text, the same bytes every time."""

import copy
import itertools
import math
import re
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import slow_cases

import refsvm
from refsvm.commands import main
from refsvm.estimators.nu_svc import NuSVC
from refsvm.estimators.outliers import SVDD, OneClassSVM
from refsvm.estimators.svc import SVC
from refsvm.estimators.svr import SVR, NuSVR
from refsvm.kernels.standard import Gaussian, Precomputed
from refsvm.kernels.strings import Spectrum
from refsvm.numerics.linalg import dot
from refsvm.plotting import contours, svg
from refsvm.plotting.contours import level_lines, regions
from refsvm.plotting.drawing import nearest_place, picture, plot, slack_paths
from refsvm.plotting.marks_and_legend import (
    COLOURS,
    MAX_LEGEND_LETTERS,
    MAX_MARKS,
    MINUS_COLOURS,
    PLUS_COLOURS,
    RING_GAP,
    SIZE,
    colour,
    thin_out,
    tint,
)
from refsvm.plotting.regression_picture import frame_of, of_support, runs
from refsvm.plotting.svg import decimal_text, frame_around, ticks
from refsvm.plotting.tracing import trace
from refsvm.plotting.trained_machines import EMPTY_MACHINE, trained_machine_of
from refsvm.solvers.smo import smo
from refsvm.svm.problem import Problem

F = Fraction
X = [[0, 0], [1, 0], [0, 1], [3, 3], [4, 3], [1.2, 1.2], [2, 0.5]]
Y = [-1, -1, -1, 1, 1, 1, 1]
THREE = [[*row, 0] for row in X]
small = st.integers(-3, 3).map(F)


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
    assert "a < b & \u03b3\\x00" in words_in(text)
    assert "nan" not in text and "inf" not in text


def test_legend_names_what_is_drawn():
    points, linear, _, three = machines()
    assert "support vector" not in words_in(picture(X, Y, points))
    named = words_in(picture(X, Y, linear, called={-1: "no"}, names=("width", "height")))
    for word in ("no", "class 1", "support vector", "border, f = 0", "width", "height"):
        assert word in named
    assert "the axes differ in scale" not in named
    assert "border, f = 0" not in words_in(picture(X, [0, 0, 1, 2, 2, 1, 1], three))
    assert "the axes differ in scale" in words_in(picture([[0, 0], [1, 99]], [1, 2]))
    assert "yes" in words_in(picture(X, ["yes"] * 7))


def paths(text, **wanted):
    return [e.get("d") for e in elements(text, "path")
            if all(e.get(k.replace("_", "-")) == v for k, v in wanted.items())]


def places(d):
    return [tuple(map(float, pair)) for pair in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", d)]


def marks_of(text):
    """{colour: the words of the path} of the marks of each class; the legend's come last."""
    found = {}
    for e in elements(text, "path"):
        if e.get("paint-order"):
            found.setdefault(e.get("fill"), e.get("d"))
    return found


def test_one_ring_for_each_support_vector_below_one_mark_for_each_example():
    model = SVC(kernel="linear").fit(X, Y).model_
    text = picture(X, Y, model)
    (rings,) = [d for d in paths(text, stroke="#000000") if d.count("M") > 1]
    assert rings.count("M") == len(model.vectors)
    assert [d.count("M") for d in marks_of(text).values()] == [3, 4]
    assert text.index(rings) < min(map(text.index, marks_of(text).values()))


def test_of_marks_at_one_place_each_is_smaller_than_the_one_below():
    text = picture([[0, 0], [0, 0], [1, 1]], [1, 2, 2])
    below, beside, above = [e.get("d") for e in elements(text, "path") if e.get("paint-order")][:3]
    assert (below.count("M"), beside.count("M"), above.count("M")) == (1, 1, 1)
    assert "a3.4 3.4" in beside and "a2.04 2.04" in above  # the radii of the discs


def test_the_legend_has_no_line_that_is_not_in_the_picture():
    alike = smo(Problem([[1, 1], [1, 1], [2, 1]], [-1, 1, 1])).model()      # f = 1 everywhere
    assert not {"border, f = 0", "margins, f = -1 and f = +1", "slack, to its margin"} & {
        *words_in(plot(alike, [[1, 1], [2, 1]], [1, 1]))}


def test_slack_lines_of_a_linear_machine_are_at_right_angles_to_its_margins():
    model = smo(Problem(X, Y)).model()
    text, frame = picture(X, Y, model), frame_around(X)
    short = [(r, y) for r, y in zip(X, Y) if y * model.decision(r) < 1]
    lines = [place for d in paths(text, stroke_opacity="0.8")[:2] for place in places(d)]
    starts, feet = lines[::2], lines[1::2]
    shown = [tuple(round(v, 1) for v in frame.place(row)) for row, _ in short]
    assert sorted(starts) == sorted(shown)
    (u0, u1), (v0, v1) = frame.u, frame.v
    for (_, y), start in zip(short, shown):
        foot = feet[starts.index(start)]
        u = u0 + (foot[0] - frame.left) / svg.WIDTH * (u1 - u0)
        v = v1 - (foot[1] - svg.TOP) / svg.HEIGHT * (v1 - v0)
        assert abs(model.decision([u, v]) - y) < 0.01
        w, line = model.w, (foot[0] - start[0], start[1] - foot[1])
        assert abs(w[0] * line[1] - w[1] * line[0]) < 0.11 * (abs(w[0]) + abs(w[1]))


def test_a_slack_line_ends_where_it_leaves_the_plot():
    problem = Problem([[0, 0], [9, 0], [0, 9]], [-1, 1, 1], C=F(1, 99))
    model = trained_machine_of(smo(problem).model())
    frame = frame_around([[0.0, 0.0], [1.0, 0.0]])
    unseen = {1: [], -1: [], 0: []}
    (d,) = [d for d in slack_paths(frame, model, unseen, [[0.0, 0.0]], [1]) if d]
    _, (x, y) = places(d)
    edges = (frame.left, frame.left + svg.WIDTH, svg.TOP, svg.TOP + svg.HEIGHT)
    assert min(abs(x - edges[0]), abs(x - edges[1]), abs(y - edges[2]), abs(y - edges[3])) < 0.1


def test_nearest_place_may_be_an_end_or_on_a_line_of_no_length():
    assert nearest_place((-1.0, 2.0), [[(0.0, 0.0), (3.0, 0.0)]]) == (0.0, 0.0)
    assert nearest_place((9.0, 2.0), [[(0.0, 5.0), (0.0, 5.0)]]) == (0.0, 5.0)


def test_many_points_are_thinned_to_a_file_of_reasonable_size_and_the_legend_says_so():
    rows = [[(i * 37 % 1009) / 7, (i * 91 % 997) / 3] for i in range(5_000)]
    text = picture(rows, [i % 2 for i in range(5_000)])
    drawn = [d.count("M") for d in marks_of(text).values()]
    assert len(text) < 200_000 and max(drawn) <= MAX_MARKS
    assert f"class 0 ({drawn[0]:,} of 2,500)" in words_in(text)
    assert len(thin_out([(float(x), float(y)) for x in range(300) for y in range(40)])) == 750


# ---- a class has one sign in every picture

def sign_in(text, name):
    """(colour, shape) of the sign that a legend has before a name; the shape without its place."""
    every = list(ElementTree.fromstring(text))
    k = next(k for k, e in enumerate(every) if e.text == name)
    return every[k - 1].get("fill"), re.sub(r"M\S+ [\d.]+", "", every[k - 1].get("d"))


def test_a_class_has_one_sign_whatever_draws_it_and_in_which_order():
    problem = Problem(X, Y)
    svc = SVC(kernel="linear").fit(X, Y)
    turned = svc.model_._replace(classes=[1, -1], coefs=[[-c for c in svc.model_.coefs[0]]],
                                 offsets=[-svc.model_.offsets[0]])
    texts = [picture(X, Y), plot(smo(problem).model(), X, Y), plot(svc, X[::-1], Y[::-1]),
             plot(turned, X, Y), trace(problem).svg(), trace(problem).frame(1)]
    for name in ("class -1", "class 1"):
        assert len({sign_in(text, name) for text in texts}) == 1
    tints = [{d: c for c, d in zip([e.get("fill") for e in elements(t, "path")], paths(t))}
             for t in texts[1:4]]
    regions_of = [{c for c in found.values() if c in (tint(0), tint(1))}
                  for found in tints]
    assert regions_of == [{tint(0), tint(1)}] * 3


def test_ten_classes_have_ten_colours_and_ten_shapes_and_a_hundred_are_told_apart():
    text = picture([[k, k % 3] for k in range(10)], list(range(10)))
    signs = [sign_in(text, f"class {k}") for k in range(10)]
    assert len({colour for colour, _ in signs}) == len({shape for _, shape in signs}) == 10
    every = picture([[k, k % 9] for k in range(100)], list(range(100)))
    assert len({sign_in(every, f"class {k}") for k in range(100)}) == 100
    high = float(ElementTree.fromstring(every).get("height"))
    assert max(float(e.get("y")) for e in elements(every, "text")) < high


BLIND = {  # how linear RGB is seen, for each kind of colour blindness: Machado 2009
    "none": [(1, 0, 0), (0, 1, 0), (0, 0, 1)],
    "red": [(0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
            (-0.003882, -0.048116, 1.051998)],
    "green": [(0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
              (-0.011820, 0.042940, 0.968881)],
    "blue": [(1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
             (0.004733, 0.691367, 0.303900)],
}


def linear_light(colour):
    parts = [int(colour[k:k + 2], 16) / 255 for k in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]


def product(rows, v):
    return [dot(row, v) for row in rows]


def oklab(light):
    cones = product([(0.4122214708, 0.5363325363, 0.0514459929),
                     (0.2119034982, 0.6806995451, 0.1073969566),
                     (0.0883024619, 0.2817188376, 0.6299787005)],
                    [min(max(c, 0), 1) for c in light])
    return product([(0.2104542553, 0.7936177850, -0.0040720468),
                    (1.9779984951, -2.4285922050, 0.4505937099),
                    (0.0259040371, 0.7827717662, -0.8086757660)], [c ** (1 / 3) for c in cones])


@pytest.mark.parametrize("kind", BLIND)
def test_no_two_colours_are_near_for_any_eyes(kind):
    seen = [oklab(product(BLIND[kind], linear_light(c))) for c in COLOURS]
    assert min(math.dist(p, q) for p, q in itertools.combinations(seen, 2)) > 0.08


def test_a_mark_stands_out_from_the_region_of_its_class():
    def luminance(colour):
        return dot((0.2126, 0.7152, 0.0722), linear_light(colour))

    for c in range(10):
        assert (luminance(tint(c)) + 0.05) / (luminance(colour(c)) + 0.05) > 2.5


# ---- regression, one class, the ball

U = [[k * 0.25] for k in range(25)]
V = [math.sin(u) + (k * 37 % 11 - 5) / 20 for k, (u,) in enumerate(U)]
CLOUD = [[0.5 * math.cos(k * k), 0.3 * math.sin(3 * k)] for k in range(30)] + [[2.0, 1.0]]


@pytest.mark.parametrize("make, rows, values", [
    (lambda rows, values: SVR(epsilon=0.1, C=10).fit(rows, values), U, V),
    (lambda rows, values: NuSVR(nu=0.3, kernel="linear").fit(rows, values), U, V),
    (lambda rows, values: SVR(kernel="linear", epsilon=F(1, 8)).fit(rows, values),
     [[0], [1], [2]], [0, 1, 4]),
    (lambda rows, values: SVR(epsilon=0, gamma=1).fit(rows, values), U + U, V + V[::-1]),
    (lambda rows, _: OneClassSVM(nu=0.3).fit(rows), CLOUD, None),
    (lambda rows, _: OneClassSVM("linear").fit(rows), [[u + 2, v + 2] for u, v in CLOUD], None),
    (lambda rows, _: SVDD(0.1, "linear").fit(rows), CLOUD, ["no"] * 30 + ["odd"]),
])
def test_every_machine_has_a_picture(make, rows, values):
    machine = make(rows, values)
    text = plot(machine, rows, values, title="a < b")
    assert text == plot(machine, [tuple(row) for row in rows], values, title="a < b")
    assert text.isascii() and len(text) < 200_000 and not re.search(r"nan|inf\b|\bid=", text)
    said = words_in(text)
    assert said[0] == "a < b" and f"{len(machine.support_)} support vector" in said[1]
    (circles,) = [d for d in paths(text, stroke="#000000")][:1]
    assert circles.count("M") == len(machine.support_)
    assert sum(d.count("M") for d in marks_of(text).values()) == len(rows)


def test_a_tube_has_its_width_and_its_support_vectors():
    machine = SVR(epsilon=0.2, C=10, tol=1e-9).fit(U, V)
    text, examples = plot(machine, U, V), list(zip([u for u, in U], V, machine.predict(U)))
    frame = frame_of(trained_machine_of(machine), examples, 0.2)
    (above, below) = [places(d) for d in paths(text, stroke_width="1.2")][:2]
    pixels = 0.4 / (frame.v[1] - frame.v[0]) * svg.HEIGHT
    by_place = dict(above)
    assert all(abs(y - by_place[x] - pixels) < 0.11 for x, y in below if x in by_place)
    rings, size = paths(text, stroke="#000000")[0], SIZE + RING_GAP
    centres = sorted(frame.place((U[i][0], V[i])) for i in machine.support_)
    drawn = sorted((float(x) + size, float(y)) for x, y in re.findall(r"M(\S+) (\S+?)a", rings))
    assert all(math.dist(p, q) < 0.2 for p, q in zip(centres, drawn))


def test_of_examples_with_one_row_those_beyond_the_tube_have_the_ring():
    machine = EMPTY_MACHINE._replace(vectors=[[1.0], [1.0], [2.0]], coefs=[0.5, -1.0, -0.5])
    examples = [(1.0, v, 0.0) for v in (0.1, 3.0, -2.0)] + [(2.0, v, 0.0) for v in (0.0, -1.0)]
    assert sorted(of_support(machine, examples)) == [(1.0, -2.0), (1.0, 3.0), (2.0, -1.0)]


@given(st.lists(st.tuples(small, small), min_size=2, max_size=6, unique_by=lambda p: p[0]))
def test_a_line_is_cut_where_it_leaves_the_plot(points):
    points.sort()
    for run in runs(points, -1, 2):
        assert all(-1 <= v <= 2 for _, v in run)
        for u, v in run:
            (a, p), (b, q) = next(s for s in zip(points, points[1:]) if s[0][0] <= u <= s[1][0])
            assert (v - p) * (b - a) == (q - p) * (u - a)


def test_outliers_are_marked_as_such_and_the_ball_is_round():
    ball = SVDD(0.1, "linear").fit(CLOUD)
    text, outside = plot(ball, CLOUD), ball.predict(CLOUD).count(-1)
    assert [d.count("M") for d in marks_of(text).values()] == [outside, len(CLOUD) - outside]
    assert {"outlier, f < 0", "inside, f >= 0", "border, f = 0"} < set(words_in(text))
    (border,) = paths(text, stroke_width="2")[:1]
    frame, (u, v) = frame_around(CLOUD), ball.model_.w
    radius = math.sqrt(ball.radius2_) / (frame.u[1] - frame.u[0]) * svg.WIDTH
    centre = frame.place((u, v))
    assert all(abs(math.dist(centre, place) - radius) < 0.3 for place in places(border))


def test_of_nu_svc_nu_is_told_and_no_penalty():
    machine = NuSVC(nu=0.5, kernel="linear").fit(X, Y)
    count = len(machine.support_)
    assert words_in(plot(machine, X, Y))[0] == f"Linear(), nu = 0.5, {count} support vectors"


# ---- what plot takes, and says

@pytest.mark.parametrize("rows", [
    X, [[0, 0], [9, 1]], [[0, 0], [1, 7]], [[5, 5]], [[0, 0]], [[3, 1], [8, 1]], [[2, 2], [4, 4]],
    [[1e12, 3], [1e12 + 5, 1]],
])
def test_the_axes_have_one_scale(rows):
    frame = frame_around([list(map(float, row)) for row in rows])
    assert frame.has_one_scale() and all(map(frame.shows, rows))
    (u0, u1), (v0, v1) = frame.u, frame.v
    assert (u1 - u0) / svg.WIDTH == pytest.approx((v1 - v0) / svg.HEIGHT)


@pytest.mark.parametrize("make", [
    lambda: (smo(Problem(X, Y, C=2)).model(), "Linear(), 3 support vectors"),
    lambda: (SVC(kernel="linear", C=2).fit(X, Y), "Linear(), C = 2, 3 support vectors"),
    lambda: (SVC(gamma=1 / 3, C=math.inf).fit(X, Y), "Gaussian(gamma=0.333333), C = inf, 5"),
    lambda: (smo(Problem([[F(v) for v in x] for x in X], Y)).model(), "Linear(), "),
    *slow_cases("a function without a name of its own", lambda: (
        smo(Problem(X, Y, lambda x, z: F(dot(x, z)), C=F(2))).model(), "<lambda>")),
])
def test_kernel_and_penalty_stand_below_the_title(make):
    model, about = make()
    said = words_in(plot(model, X, Y, title="Seven points"))
    assert said[0] == "Seven points" and said[1].startswith(about)
    assert words_in(plot(model, X, Y))[0].startswith(about)


def test_a_picture_is_text_that_a_notebook_shows_and_a_terminal_does_not():
    drawn = plot(smo(Problem(X, Y)).model(), X, Y)
    assert isinstance(drawn, str) and drawn._repr_svg_() == drawn and len(repr(drawn)) < 80
    assert not re.search(r'<script|href="h|url\(|\bid=| on\w+=', drawn)
    for rule in re.search("<style>(.*?)</style>", drawn, re.DOTALL)[1].split("}")[:3]:
        assert ".refsvm-picture" in rule


def test_names_are_those_of_the_data_frame_that_was_fitted():
    svc = SVC().fit(X, Y)
    svc.feature_names_in_ = ["width", "height"]
    assert "width" in svc._repr_html_()
    assert {"width", "height"} <= set(words_in(plot(svc, X, Y)))
    assert {"u", "v"} <= set(words_in(plot(svc, X, Y, names=("u", "v"))))


def test_long_names_are_cut_and_whole_in_a_hint():
    long = "a very long name <of> a class & then some more of it"
    text = picture(X, [long] * 7)
    (cut,) = [e for e in elements(text, "text") if len(e)]
    assert len(cut.text) == MAX_LEGEND_LETTERS and cut[0].text == long


def test_the_picture_of_the_readme_is_what_its_command_draws(tmp_path, capsys):
    root, path = Path(__file__).parent.parent, tmp_path / "iris.svg"
    features = ["--features", "petal_length", "petal_width"]
    assert main(["plot", str(root / "refsvm/data/iris.csv"), *features, "--C", "10", "-o",
                 str(path)]) == 0
    assert path.read_bytes() == (root / "docs/iris.svg").read_bytes()


@pytest.mark.parametrize("model, kind, sentence", [
    (3, TypeError, "model is 3; a Model, a OneAgainstOne, a BallModel or a fitted estimator of"
     " refsvm is needed"),
    (SVDD(), ValueError, "model is SVDD(), which is not fitted; call fit(X, y) first"),
    (SVR().fit(X, Y), ValueError, "model has 2 features; a picture of a regression shows one"),
    (SVDD().fit(THREE), ValueError, "model has 3 features; a picture shows two"),
    (SVC(), ValueError, "model is SVC(), which is not fitted; call fit(X, y) first"),
    (SVC(kernel="linear").fit(THREE, Y), ValueError,
     "model has 3 features; a picture shows two"),
    (smo(Problem(THREE, Y, Gaussian(1))).model(), ValueError,
     "model has 3 features; a picture shows two"),
    (smo(Problem([[2, 0], [0, 2]], [-1, 1], Precomputed())).model(), ValueError,
     "model has kernel values and no features; a picture shows two"),
    (smo(Problem(["a", "b"], [-1, 1], Spectrum(1))).model(), ValueError,
     "model has strings for rows; a picture shows two features"),
])
def test_what_cannot_be_drawn_is_refused_in_a_sentence(model, kind, sentence):
    with pytest.raises(kind, match="^" + re.escape(sentence) + "$"):
        plot(model, X, Y)


def test_a_solution_is_refused_with_the_cure():
    with pytest.raises(TypeError, match=r"is needed; its model\(\) is one$"):
        plot(smo(Problem(X, Y)), X, Y)


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


def test_play_has_the_colours_of_the_pictures():
    css = (Path(refsvm.__file__).parent / "play" / "assets" / "play.css").read_text()
    for name, colours in (("plus", PLUS_COLOURS), ("minus", MINUS_COLOURS)):
        assert f"--{name}: light-dark({', '.join(colours)});" in css
