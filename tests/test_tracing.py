"""Traces: what they show is what the solver did, and the pictures move without any script."""

import re
from copy import deepcopy
from fractions import Fraction
from math import inf
from xml.etree import ElementTree

import exact
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import balance, feasible, givens, tops
from profiles import draws

from refsvm.kernels.base import Kernel
from refsvm.kernels.standard import Gaussian, Precomputed
from refsvm.kernels.strings import Spectrum
from refsvm.numerics.picks import uniform
from refsvm.plotting import animation, tracing
from refsvm.plotting.animation import SIMPLIFIED_PIXELS, evenly_taken, simplify
from refsvm.plotting.tracing import COLUMN_MEANINGS, column_meanings, shown, trace
from refsvm.solvers.active_set import active_set
from refsvm.solvers.coordinate_ascent import coordinate_ascent
from refsvm.solvers.projected_gradient import projected_gradient
from refsvm.solvers.smo import smo
from refsvm.svm.ball_problem import BallProblem
from refsvm.svm.kkt_conditions import kkt
from refsvm.svm.nu_problem import NuProblem
from refsvm.svm.one_class_problem import OneClassProblem
from refsvm.svm.problem import Problem
from refsvm.svm.regression_problem import NuRegressionProblem, RegressionProblem
from refsvm.theory.smo_step import pair_step

F = Fraction
POINTS = [[0, 0], [1, 2], [3, 1], [2, 0], [0, 3], [4, 4]]
LABELS = [-1, -1, 1, 1, -1, 1]
SIX = Problem([[F(v) for v in x] for x in POINTS], LABELS)
TEXT = """\
step i j low  high unclipped clipped others dual violation   gap
   0 - -   -     -         -       -      -    0         2     6
   1 2 1   0     1       2/5     2/5      0  2/5       2/5   4/5
   2 3 2   0   2/5       1/5     1/5      1  4/9         2     2
   3 5 2   0   2/9      4/45    4/45      0 8/15       2/3 22/45
   4 3 2   0 14/45     -8/45       0      2  5/8         0     0
optimal after 4 steps: b is -1"""


def cloud(n, seed):
    """n points in the plane, the label says whether one is near the middle: the same always."""
    draws = uniform(2**20, 2 * n, seed)
    X = [[next(draws) / 2**18 - 2, next(draws) / 2**18 - 2] for _ in range(n)]
    return X, [1 if u * u + v * v > 2 else -1 for u, v in X]


def noise(n, seed):
    """n points in the plane with labels that have nothing to do with them."""
    X, _ = cloud(n, seed)
    return X, [1 if word else -1 for word in uniform(2, n, seed + 1)]


# ---- what SMO does, step by step

@given(givens(biases=(True,)))
@draws(2/5)
def test_smo_starts_at_zero_and_every_step_is_feasible(given):
    problem = given.problem()
    traced = trace(problem, smo, tol=0)
    assert problem.upper_bounds() == tops(given)
    assert traced.start.alpha == [0] * len(given.y) and traced.start.objective == 0
    for row in traced.rows:
        assert balance(given, row.solution.alpha) == 0
        assert all(0 <= a <= c for a, c in zip(row.solution.alpha, tops(given)))


@given(givens(biases=(True,)))
@draws(2/5)
def test_the_dual_rises_with_every_step_up_to_the_optimum(given):
    traced = trace(given.problem(), smo, tol=0)
    heights = [traced.start.objective] + [row.solution.objective for row in traced.rows]
    assert all(before < after for before, after in zip(heights, heights[1:]))
    assert heights[-1] == exact.optimum(*given.for_the_judge).value
    for height, solution in zip(heights, [traced.start] + [row.solution for row in traced.rows]):
        beta = [a * y for a, y in zip(solution.alpha, given.y)]
        assert height == exact.dual(given.K, given.y, given.C, beta, given.slack == "squared")


@given(givens(biases=(True,)))
@draws(2/5)
def test_a_step_that_moves_no_others_is_the_step_of_its_pair(given):
    traced = trace(given.problem(), tol=0)
    alpha = traced.start.alpha
    for t, row in enumerate(traced.rows, 1):
        after = pair_step(traced.problem, alpha, row.step.i, row.step.j)
        assert after[row.step.j] == row.step.clipped
        if tracing.others(traced, t) == 0:
            assert row.solution.alpha == after
        alpha = row.solution.alpha


@given(
    givens(biases=(True,), slacks=("hinge",)), st.sampled_from([F(0), F(1, 100), F(1, 2), F(3)])
)
@draws(2/5)
def test_at_the_end_the_conditions_hold_within_tol_and_the_gap_is_as_small_as_that_implies(
    given, tol
):
    problem = given.problem()
    alpha = smo(problem, tol=tol).alpha
    report = kkt(problem, alpha)
    assert report.m - report.M <= tol
    assert all(max(row.short, row.long) <= tol / 2 for row in report.rows)
    middle = (report.b_low + report.b_high) / 2
    largest = exact.exact_sum(max(a, c - a) for a, c in zip(alpha, given.C))
    assert problem.gap(alpha, middle) <= tol / 2 * largest <= tol / 2 * exact.exact_sum(given.C)


@given(st.data())
@draws(2/5)
def test_anywhere_the_violation_bounds_the_gap(data):
    given = data.draw(givens(biases=(True,), slacks=("hinge",)))
    problem, alpha = given.problem(), data.draw(feasible(given))
    report = kkt(problem, alpha)
    epsilon = max(report.m - report.M, F(0))
    largest = exact.exact_sum(max(a, c - a) for a, c in zip(alpha, given.C))
    middle = (report.b_low + report.b_high) / 2
    assert problem.gap(alpha, middle) <= epsilon / 2 * largest
    assert (epsilon == 0) == (report.worst.amount == 0)


class Counting(Kernel):
    """The linear kernel, which counts how often it is asked."""

    def __init__(self):
        self.asked = 0

    def __call__(self, x, z):
        self.asked += 1
        return exact.exact_sum(a * b for a, b in zip(x, z))


@given(st.integers(8, 14), st.integers(1, 2))
@draws(2/5)
def test_a_step_asks_for_two_rows_of_the_kernel_at_most(n, steps):
    X, y = cloud(n, n)
    rows = [[F(v) for v in x] for x in X]
    kernel = Counting()
    solution = smo(Problem(rows, y, kernel), tol=0, max_iter=steps)
    assert solution.iterations <= steps
    diagonal, symmetry = n, 2 * (n - 1)
    assert kernel.asked <= diagonal + symmetry + 2 * n * steps < n * n


# ---- the trace

@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("solver", [smo, projected_gradient, active_set, coordinate_ascent])
@given(data=st.data())
@draws(1/6)
def test_a_trace_is_the_solvers_own_way(solver, bias, data):
    if solver is coordinate_ascent and bias:
        return
    given = data.draw(givens(biases=(bias,), hard=True))
    problem, told = given.problem(), []
    before = deepcopy(vars(problem))
    solution = solver(problem, tol=0, max_iter=100, on_step=told.append)
    traced = trace(problem, solver, tol=0)
    assert [row.step for row in traced.rows] == told
    assert traced.solution == solution == (traced.rows or [(None, traced.start)])[-1][1]
    assert traced.start == solver(problem, tol=0, max_iter=0) or not told
    for row in traced.rows:
        assert row.solution.objective == row.step.objective
        assert row.solution.iterations == row.step.iteration
    assert {k: v for k, v in vars(problem).items()} == before


@pytest.mark.slow("a trace without an end")
def test_a_trace_ends_after_a_hundred_steps_unless_told_otherwise():
    problem = Problem(*noise(50, 5), Gaussian(1), C=1000)
    assert smo(problem, tol=1e-9).iterations > 100
    traced = trace(problem, tol=1e-9)
    assert (len(traced.rows), traced.solution.status) == (100, "max_iter")
    assert len(trace(problem, tol=1e-9, max_iter=3).rows) == 3
    assert traced.rows[2] == trace(problem, tol=1e-9, max_iter=3).rows[2]


def test_a_start_in_fractions_makes_the_trace_exact():
    traced = trace(Problem([[0], [3]], [-1, 1]), start=[F(1, 9), F(1, 9)], tol=0)
    assert traced.problem.kind is Fraction
    assert traced.start.alpha == [F(1, 9), F(1, 9)]
    assert traced.solution.alpha == [F(2, 9), F(2, 9)]


# ---- the table

def test_the_table_of_six_points():
    assert trace(SIX, tol=0).text() == TEXT


@given(givens(biases=(True,)))
@draws(2/5)
def test_the_table_lines_up_and_its_numbers_are_those_of_the_trace(given):
    traced = trace(given.problem(), tol=0)
    names, *lines, last = traced.text().split("\n")
    assert {len(line) for line in lines} == {len(names)} and len(lines) == len(traced.rows) + 1
    for line, row in zip(lines[1:], traced.rows):
        cells = dict(zip(names.split(), line.split()))
        for name in ("i", "j", "low", "high", "unclipped", "clipped"):
            assert cells[name] == shown(getattr(row.step, name))
        assert cells["step"] == str(row.step.iteration)
        for name, field in (("dual", "objective"), ("violation", "violation"), ("gap", "gap")):
            value = getattr(row.solution, field)
            assert cells[name] == shown(value)
            assert cells[name][0] == "~" or value == inf or F(cells[name]) == value
    assert last.startswith(f"{traced.solution.status} after {len(traced.rows)} step")


@pytest.mark.parametrize("solver, names", [
    (projected_gradient, "step rate moved dual violation gap"),
    (active_set, "step entering travel blocking dual violation gap"),
])
def test_every_solver_has_the_columns_it_tells_of(solver, names):
    lines = trace(SIX, solver, tol=0).text().split("\n")
    assert lines[0].split() == names.split()
    assert lines[1].split() == ["0"] + ["-"] * (len(names.split()) - 4) + ["0", "2", "6"]
    assert lines[-2].split()[-3:] == ["5/8", "0", "0"]


def test_a_solver_that_has_nothing_to_do_leaves_a_table_of_one_row():
    traced = trace(SIX, tol=0, start=smo(SIX, tol=0).alpha)
    assert traced.rows == []
    assert traced.text().split("\n") == [
        "step dual violation gap", "   0  5/8         0   0", "optimal after 0 steps: b is -1"
    ]


@pytest.mark.parametrize("value, text", [
    (None, "-"), (7, "7"), (-0.0, "0"), (1 / 3, "0.333333"), (inf, "inf"), (-inf, "-inf"),
    (F(-8, 45), "-8/45"), (F(1234567, 1234568), "1234567/1234568"),
    (F(123456789, 1234567), "~100"), (F(12345671, 12345681), "~0.999999"),
    (F(10) ** 400 / 3, "~3.33333e+399"),
])
def test_a_number_in_short(value, text):
    assert shown(value) == text


# ---- the picture

def frames_of(svg):
    """(name of the picture, delay in seconds, group) of each frame."""
    found = []
    for group in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}g"):
        name, at, k = (group.get("class") or "").rpartition("-at-")
        if at:
            assert int(k) == len(found)
            found.append((name.split()[1], group.get("style"), group))
    return found


def told_by(group):
    """The words in a group, but for those of its links."""
    links = [t for a in group.iter("{http://www.w3.org/2000/svg}a") for t in a.itertext()]
    texts = [t for t in group.itertext() if t.strip()]
    return texts[:len(texts) - len(links)]


def test_the_animation_is_xml_without_script_and_the_same_every_time():
    svg = trace(SIX, tol=0).svg(title="a < b")
    ElementTree.fromstring(svg)
    assert "script" not in svg and "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    assert svg.isascii() and svg == trace(SIX, tol=0).svg(title="a < b")
    assert "a &lt; b" in svg


def test_each_frame_is_seen_in_its_own_part_of_the_period_and_the_last_one_where_nothing_moves():
    svg = trace(SIX, tol=0).svg()
    name = frames_of(svg)[0][0]
    assert [style for _, style, _ in frames_of(svg)] == [
        f"animation-delay:{seconds - 12}s" for seconds in (0, 2, 4, 6, 8)
    ]
    for line in (
        f"@keyframes {name}-step{{0%{{visibility:visible}}16.6667%,100%{{visibility:hidden}}}}",
        f"@keyframes {name}-last{{0%{{visibility:visible}}33.3333%,100%{{visibility:hidden}}}}",
        f".{name}-step{{visibility:hidden;animation:{name}-step 12s step-end infinite}}",
        f".{name}-last{{visibility:visible;animation:{name}-last 12s step-end infinite}}",
        f"@media print,(prefers-reduced-motion:reduce){{.{name}-step,.{name}-last"
        "{animation:none}}",
    ):
        assert line in svg.split("\n")


def test_links_stop_it_and_go_to_the_frames_beside_and_each_is_seen_when_its_address_is():
    svg = trace(SIX, tol=0).svg()
    for k, (name, _, group) in enumerate(frames_of(svg)):
        links = {"".join(a.itertext()): a.get("href") for a in group
                 if a.tag.endswith("}a")}
        assert links == {"back": f"#{name}-{max(k - 1, 0)}", "stop": f"#{name}-{k}",
                         "next": f"#{name}-{min(k + 1, 4)}", "play": "#"}
        stop = f'<g class="{name}-stop" id="{name}-{k}"/>'
        assert svg.index(stop) < svg.index(f'{name}-at-0"')     # for the sibling selector ~
        assert f"#{name}-{k}:target~.{name}-at-{k}{{visibility:visible}}" in svg
    assert f".{name}-stop:target~.{name}-step,.{name}-stop:target~.{name}-last" in svg
    other = trace(SIX, tol=0, max_iter=3).svg()
    assert not {*re.findall('id="(.*?)"', svg)} & {*re.findall('id="(.*?)"', other)}
    assert "id=" not in trace(SIX, tol=0).frame(1)


def test_each_word_of_the_caption_is_explained():
    for problem, solver in ((SIX, smo), (SIX, projected_gradient), (SIX, active_set)):
        traced = trace(problem, solver, tol=0)
        said = [text for text in ElementTree.fromstring(traced.svg()).itertext() if text.strip()]
        for name in traced.text().split("\n")[0].split():
            assert (name, COLUMN_MEANINGS[name]) in zip(said, said[1:])


def test_a_frame_alone_is_the_frame_of_the_animation():
    traced = trace(SIX, tol=0)
    for t, (_, _, group) in enumerate(frames_of(traced.svg())):
        alone = traced.frame(t)
        inside = [e for e in ElementTree.fromstring(alone).iter() if e.tag in
                  {part.tag for part in group}]
        drawn = [ElementTree.tostring(e).strip() for e in inside]
        for part in group:
            if not part.tag.endswith("}a"):
                assert ElementTree.tostring(part).strip() in drawn
        assert "animation" not in alone and f"{t} of 4" in told_by(group)


def test_a_frame_tells_the_numbers_of_its_step_and_marks_its_pair():
    names, *lines = TEXT.split("\n")[:-1]
    traced = trace(SIX, tol=0)
    for t, line in enumerate(lines):
        told = told_by(frames_of(traced.svg())[t][2])
        marks, table = (told[:2], told[2:]) if t else ([], told)
        assert marks == (["i", "j"] if t else [])
        assert table == [f"{t} of 4"] + line.split()[1:]
    svg = traced.frame(1)
    rings = re.findall(r'stroke="#00704f" stroke-width="2.5" d="M([\d.]+) ([\d.]+)a9', svg)
    frame = animation.frame_around([[float(v) for v in x] for x in POINTS])
    assert [(float(x) + 9, float(y)) for x, y in rings] == [
        pytest.approx(frame.place(POINTS[k]), abs=0.06) for k in (2, 1)
    ]


def test_a_solver_that_moves_one_or_all_marks_one_or_none():
    problem = Problem(SIX.X, LABELS, bias=False)
    one = trace(problem, coordinate_ascent, tol=0).frame(1)
    assert one.count('stroke-width="2.5"') == 2 and ">i</text></g>" in one      # and the legend
    assert 'stroke-width="2.5"' not in trace(SIX, projected_gradient, tol=0).frame(1)
    assert ">entering</text></g>" in trace(SIX, active_set, tol=0).frame(1)


def test_a_machine_that_decides_nothing_yet_has_no_border():
    start = trace(SIX, tol=0).frame(0)
    assert "stroke-dasharray" not in start.split("<rect")[1]
    assert start.count('stroke-dasharray="5 3"') == 1       # the one of the legend


def test_a_linear_border_is_two_points_where_f_is_zero_and_another_is_a_curve():
    frame = animation.frame_around([[float(v) for v in x] for x in POINTS])
    model = trace(SIX, tol=0).solution.model().to(float)
    ((one, other),) = animation.lines_of_model(frame, model)[0]
    (u0, u1), (v0, v1) = frame.u, frame.v
    for x, y in (one, other):
        u = u0 + (u1 - u0) * (x - frame.left) / animation.WIDTH
        v = v1 - (v1 - v0) * (y - animation.TOP) / 420
        assert abs(model.decision([u, v])) < 1e-9
    curved = trace(Problem(POINTS, LABELS, Gaussian(1))).solution.model()
    assert max(map(len, animation.lines_of_model(frame, curved)[0])) > 9


def test_the_legend_is_that_of_the_last_frame_and_its_lines_are_below_each_other():
    said = re.findall(r'y="([\d.]+)" text-anchor="start">([^<]+)<', trace(SIX, tol=0).svg())
    place = {text: float(y) for y, text in said}
    signs = ["class -1", "class 1", "support vector", "border, f = 0",
             "margins, f = -1 and f = +1", "slack, to its margin", "moved by this step"]
    assert [place[sign] - place["class -1"] for sign in signs] == [22 * k for k in range(7)]
    names = TEXT.split("\n")[0].split()
    assert [place[name] - place["step"] for name in names] == [17 * k for k in range(11)]
    assert place["step"] > place["moved by this step"] + 17 and place["gap"] < 474
    first = trace(SIX, tol=0, max_iter=0).svg()
    assert "moved by" not in first and "support vector" not in first


@pytest.mark.slow("a limit of what is drawn")
def test_the_slacks_of_many_are_not_drawn_and_not_in_the_legend():
    for n, drawn in ((60, True), (61, False)):
        frame = trace(Problem(*noise(n, 7), Gaussian(4), C=9), max_iter=30).frame(30)
        assert ("slack, to its margin" in frame) == drawn
        assert (frame.count('stroke-opacity="0.8"') > 1) == drawn
        assert "moved by this step" in frame


@pytest.mark.slow("pictures too large for a page")
def test_thirty_frames_at_most_and_they_are_small_enough_for_a_page():
    traced = trace(Problem(*noise(36, 3), Gaussian(2), C=30), tol=1e-6)
    assert len(traced.rows) > 29
    svg = traced.svg()
    frames = frames_of(svg)
    assert len(frames) == 30 and len(svg) < 240_000
    assert f"{len(traced.rows)} of {len(traced.rows)}" in told_by(frames[-1][2])
    assert f"0 of {len(traced.rows)}" in told_by(frames[0][2])
    assert len(frames_of(traced.svg(frames=2))) == 2


@given(st.integers(1, 50), st.integers(2, 12))
def test_some_are_in_order_with_the_first_and_the_last(n, most):
    chosen = evenly_taken(range(n), most)
    assert len(chosen) == min(n, most) and chosen == sorted(set(chosen))
    assert (chosen[0], chosen[-1]) == (0, n - 1)
    gaps = {b - a for a, b in zip(chosen, chosen[1:])}
    assert not gaps or max(gaps) - min(gaps) <= 1


places = st.tuples(st.integers(0, 40), st.integers(0, 40)).map(lambda p: (p[0] / 8, p[1] / 8))


@given(st.lists(places, min_size=2, max_size=12))
def test_a_simplified_line_keeps_its_ends_and_stays_near_every_point(line):
    fewer = simplify(line)
    assert (fewer[0], fewer[-1]) == (line[0], line[-1])
    rest = iter(line)
    assert all(point in rest for point in fewer)
    for p in line:
        x, y = animation.nearest_place(p, [fewer])
        assert (x - p[0]) ** 2 + (y - p[1]) ** 2 <= SIMPLIFIED_PIXELS * SIMPLIFIED_PIXELS


def test_a_straight_line_keeps_its_two_ends_only():
    assert simplify([(float(k), 2.0 * k) for k in range(9)]) == [(0.0, 0.0), (8.0, 16.0)]


# ---- refusals

@pytest.mark.parametrize("arguments, options, sentence", [
    ((3,), {}, "problem is 3; a Problem is needed"),
    ((SIX, "smo"), {}, "solver is 'smo'; a function is needed, such as refsvm.smo"),
    ((SIX,), {"on_step": print},
     "on_step is how a trace listens to the solver; it cannot be given"),
    ((SIX,), {"tol": -1}, "tol is -1; it must not be negative"),
    ((SIX,), {"start": [2] * 6}, "start[0] is 2; it must be from 0 to C, which is 1"),
    ((SIX,), {"max_iter": -1}, "max_iter is -1; it must be at least 0"),
    ((SIX, coordinate_ascent), {},
     "problem has an offset, so sum alpha_i y_i = 0 gives each alpha_i from the others and none"
     " can move alone; coordinate_ascent needs bias=False"),
])
def test_bad_arguments_are_refused_in_a_sentence(arguments, options, sentence):
    with pytest.raises((ValueError, TypeError)) as refusal:
        trace(*arguments, **options)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("problem, sentence", [
    (Problem([[0], [1]], [-1, 1]), "X[0] has length 1; a picture shows two features"),
    (Problem([[0, 1], [1, 0]], [-1, 1], Precomputed()),
     "problem has kernel values and no features; a picture shows two"),
    (Problem(["ab", "ba"], [-1, 1], Spectrum(1)),
     "problem has strings for rows; a picture shows two features"),
])
def test_what_is_no_plane_is_not_drawn_but_told(problem, sentence):
    traced = trace(problem)
    assert traced.text()
    for draw in (traced.svg, lambda: traced.frame(0)):
        with pytest.raises(ValueError) as refusal:
            draw()
        assert str(refusal.value) == sentence


def test_frames_and_steps_that_do_not_exist_are_refused():
    traced = trace(SIX, tol=0)
    with pytest.raises(ValueError, match="frames is 1; it must be at least 2"):
        traced.svg(frames=1)
    with pytest.raises(ValueError, match="step is 5; there are 4"):
        traced.frame(5)


@pytest.mark.parametrize("problem, end", [
    (NuProblem([[0], [1], [3], [4]], [-1, -1, 1, 1], nu=F(3, 4)), "b is -8, rho is 8"),
    (RegressionProblem([[0], [1], [2]], [0, 1, 4], epsilon=F(1, 4)), "b is 1/4"),
    (NuRegressionProblem([[0], [1], [2]], [0, 1, 4], nu=F(1, 3)), "b is 1, epsilon is 1"),
    (OneClassProblem([[1], [2], [F(4)]], nu=F(1, 2)), "rho is 4"),
    (BallProblem([[0], [2], [F(10)]]), "radius2 is 25"),
], ids=lambda value: type(value).__name__)
def test_the_steps_of_every_machine_are_told_and_not_drawn(problem, end):
    traced = trace(problem, tol=0)
    assert traced.text().splitlines()[-1].endswith(": " + end)
    assert traced.solution == smo(problem, tol=0)
    assert "<pre>" in traced._repr_html_() and "<img" not in traced._repr_html_()
    with pytest.raises(ValueError, match="only the steps of a Problem are drawn"):
        traced.svg()


@pytest.mark.parametrize("epsilon", [F(0), F(1, 4), F(2)])
def test_a_step_of_regression_tells_the_signed_share_and_the_net_multiplier(epsilon):
    X = [[F(v)] for v in (0, 1, 2, 3, 5, 4)]
    traced = trace(RegressionProblem(X, [0, 1, 4, 3, 7, 2], C=2, epsilon=epsilon), tol=0)
    heads = traced.text().splitlines()[0].split()
    before, signs = traced.start, set()
    for t, (step, solution) in enumerate(traced.rows, 1):
        cells = dict(zip(heads, traced.text().splitlines()[t + 1].split()))
        assert cells["net"] == shown(solution.alpha[step.j])
        assert -2 <= step.low <= step.clipped <= step.high <= 2
        assert step.low >= 0 or step.high <= 0  # a share has one sign
        if epsilon and cells["others"] == "0":
            assert step.clipped == solution.alpha[step.j]
            assert solution.alpha[step.j] < before.alpha[step.j]  # j falls, i rises
        # The net multiplier has both shares, and the other one has the other sign.
        other = solution.alpha[step.j] - step.clipped
        assert cells["others"] != "0" or (other <= 0 if step.low >= 0 else other >= 0)
        before = solution
        signs.add(step.clipped < 0)
    assert True in signs
    assert "share" in dict(column_meanings(traced))["low"]
