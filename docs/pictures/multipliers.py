"""Pictures of the dual: the path in C, what alpha says, steps of one and of two multipliers."""

from fractions import Fraction as F
from math import sqrt

from docs.pictures.lines import soft_rows, street
from docs.pictures.paper import Chart, Sheet
from refsvm import Polynomial, Problem, certify, smo, trace
from refsvm.numerics.linalg import squared_norm, total
from refsvm.numerics.picks import passes
from refsvm.solvers.coordinate_ascent import climb, quadratic
from refsvm.theory.smo_step import (
    clip,
    offset_after,
    pair_step,
    parabola,
    partner,
    segment,
    unclipped,
)

SIX_ROWS = [[F(p), F(q)] for p, q in [(0, 0), (1, 2), (3, 1), (2, 0), (0, 3), (4, 4)]]
SIX_LABELS = [-1, -1, 1, 1, -1, 1]
SIX = Problem(SIX_ROWS, SIX_LABELS, C=F(1))


def path_in_C():
    """As C grows, w gets longer and the street narrower, and the slack smaller.

    Twelve examples, and the exact optimum for many values of C. The length of w grows from 0 and
    never shrinks; the sum of the slacks falls and never grows. Before C = 3 both become level, as
    far as the picture goes; much larger C, beyond it, forbid the slack that is left.
    """
    rows, labels = soft_rows()[0].X, soft_rows()[0].y
    lengths, slacks = [(0, 0)], []
    for k in [*range(1, 8), *range(8, 49, 2), *range(52, 129, 4)]:
        C = F(k, 32)
        problem = Problem(rows, labels, C=C)
        solution = smo(problem, tol=0)
        lengths.append((C, sqrt(squared_norm(problem.weights(solution.alpha)))))
        slacks.append((C, total(problem.slacks(solution.alpha, solution.b))))
    chart = Chart((0, 4), (0, 6), (52, 36, 568, 330))
    chart.frame(("C", ""), range(5), range(7), grid=True)
    chart.line(slacks, "s-plus", "bold")
    chart.line(lengths, "s-key", "bold")
    chart.word((1, 4), "sum of the slacks Σξ", "plus")
    chart.word((F(5, 4), F(3, 4)), "length of w: the street is 2 / ‖w‖ wide", "key")
    return Sheet([chart], 410)


def what_alpha_says():
    """At the optimum every example lies on one of three lines.

    The multiplier α of each of five examples over its margin y f(x), for a machine with C = 1.
    Point 1 is on the line α = 0, where the margin is 1 or more. Points 2 and 4 are on the line
    margin = 1, where α is between 0 and C: here 7/8. Points 3 and 5 are on the line α = C, where
    the margin is 1 or less.
    """
    problem = Problem([[F(v)] for v in (-4, -2, 1, 2, 4)], [-1, -1, 1, 1, -1], C=F(1))
    solution = smo(problem, tol=0)
    chart = Chart((F(-5, 2), F(7, 2)), (F(-1, 5), F(13, 10)), (70, 36, 550, 330))
    chart.frame(("margin y f(x)", "α"), range(-2, 4), (), grid=True)
    chart.line([(F(-5, 2), 1), (1, 1)], "s-other", "bold")
    chart.line([(1, 0), (1, 1)], "s-key", "bold")
    chart.line([(1, 0), (F(7, 2), 0)], "s-soft", "bold")
    places = list(zip(problem.margins(solution.alpha, solution.b), solution.alpha))
    chart.dots(places, "ink", 6)
    chart.word((F(-5, 2), 1), "C", "other", "left")
    chart.word((F(-5, 2), 0), "0", "soft", "left")
    chart.word((F(-3, 4), 1), "α = C: in the street, or wrong", "other", "below")
    chart.word((1, F(1, 2)), "0 < α < C: on the margin", "key")
    chart.word((F(5, 2), 0), "α = 0: not needed", "soft", "below")
    for k, side in ((0, "above"), (2, "above"), (3, "right"), (4, "above")):
        chart.word(places[k], "2 and 4" if k == 3 else str(k + 1), "ink", side)
    return Sheet([chart], 410)


def coordinate_ascent():
    """One coordinate at a time climbs to the top of a hill without a constraint.

    Level lines of a quadratic function of two variables around its top at (0, 0), and the path of
    coordinate ascent from (2, −2). Every move is parallel to an axis, to the best place on that
    line.
    """
    W, along = quadratic([[F(2), F(1)], [F(1), F(2)]], [F(0), F(0)])
    points = climb(along, [F(2), F(-2)], passes(2, 3))
    chart = Chart((-4, 4), (-2.65,))
    levels = sorted({float(W(point)) for point in points[:4]})
    chart.levels(W, [*levels, -6.0, -0.1], "soft", "thin", 64)
    chart.line(points, "s-key", "bold")
    chart.dots(points, "key", 4)
    chart.dots([(0, 0)], "ink", 5)
    chart.word(points[0], "start (2, −2)", "key")
    chart.word((0, 0), "top", "ink", "above")
    return Sheet([chart], 370)


def pair_before_and_after():
    """One step moves two multipliers, and the dual rises.

    Six points, each with its multiplier where that is not 0, before a step and after it. The two
    points of the step have a ring. Both are of class +1, so one gives what the other gets: 2/5
    becomes twice 1/5, both come to the edge of the street, and the dual rises from 2/5 to 11/25.
    """
    before = [F(0), F(2, 5), F(2, 5), F(0), F(0), F(0)]
    charts = []
    for left, alpha in ((20, before), (332, pair_step(SIX, before, 3, 2))):
        chart = Chart((F(-3, 2), F(11, 2)), (F(-3, 2),), (left, 44, 288, 288))
        street(chart, SIX.weights(alpha), offset_after(SIX, alpha, 2, 3))
        chart.examples(SIX_ROWS, SIX_LABELS, 6)
        chart.rings([SIX_ROWS[3], SIX_ROWS[2]], "other", 11)
        for x, a in zip(SIX_ROWS, alpha):
            if a:
                chart.word(x, f"α = {a}", "ink", "below", True)
        chart.heading(f"dual {SIX.dual(alpha)}")
        charts.append(chart)
    return Sheet(charts, 364)


def box_and_segment():
    """Two multipliers move on a segment of the box, and a top beyond it is clipped.

    Left, the box from 0 to C for the multipliers of two examples with different labels, and the
    line on which α₁ − α₂ = 3/10. It crosses the box in the segment from α₂ = L = 0 to H = 7/10.
    Right, the dual along that line is a parabola over α₂ with its top beyond H, so the step ends
    at H.
    """
    problem = Problem([[F(0)], [F(2)], [F(-3)]], [1, -1, -1], C=F(1))
    alpha, i, j = [F(2, 5), F(1, 10), F(3, 10)], 0, 1
    low, high = segment(problem, alpha, i, j)
    top, W = unclipped(problem, alpha, i, j), parabola(problem, alpha, i, j)
    end = clip(top, low, high)

    def at(v):
        return partner(problem, alpha, i, j, v), v

    box = Chart((F(-1, 5), F(13, 10)), (F(-1, 5), F(7, 5)), (24, 36, 290, 300))
    box.area([(0, 0), (1, 0), (1, 1), (0, 1)], "soft")
    box.line([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)], "s-ink", "thin")
    box.line([at(F(-1, 5)), at(F(7, 5))], "s-soft", "dash")
    box.line([at(low), at(high)], "s-key", "bold")
    along = Chart((F(-1, 5), F(6, 5)), (F(-1, 4), F(9, 4)), (356, 36, 264, 300))
    along.curve(W.at, "soft", "dash")
    along.curve(W.at, "key", "bold", (low, high))
    for v, ink in ((alpha[j], "minus"), (end, "key"), (top, "plus")):
        box.dots([at(v)], ink, 6)
        along.dots([(v, W.at(v))], ink, 6)
    for v, name in ((low, "L"), (high, "H")):
        box.word(at(v), name, "key", "right")
        along.line([(v, F(-1, 4)), (v, W.at(v))], "s-key", "thin dash")
        along.word((v, F(-1, 4)), f"{name} = {v}", "key", "below", True)
    box.word(at(alpha[j]), "now", "minus")
    box.word(at(top), "top", "plus", "left")
    box.word((0, 0), "0", "soft", "left", True)
    box.word((1, 0), "α₁ = C", "soft", "below", True)
    box.word((0, 1), "α₂ = C", "soft", "above", True)
    along.word((alpha[j], W.at(alpha[j])), "now", "minus")
    along.word((top, W.at(top)), "top", "plus", "above")
    along.word((end, W.at(end)), "clipped", "key", "left")
    box.heading("the box and the line")
    along.heading("the dual along the line")
    return Sheet([box, along], 376)


class Moving:
    """Charts that are seen one after the other; where nothing moves, the last one is."""

    SECONDS = 2

    def __init__(self, charts):
        self.charts = charts

    def text(self):
        """The charts as groups, with the rules that show one at a time."""
        period = self.SECONDS * (len(self.charts) + 1)  # the last one is seen twice as long
        share = 100 * self.SECONDS / period
        last = len(self.charts) - 1
        groups = [
            f'<g class="{"moment" if k < last else "end"}"'
            f' style="animation-delay:{self.SECONDS * k - period}s">{chart.text()}</g>'
            for k, chart in enumerate(self.charts)
        ]
        rules = (
            f"<style>@keyframes seen{{0%{{visibility:visible}}{share:.2f}%,100%"
            f"{{visibility:hidden}}}}@keyframes stays{{0%{{visibility:visible}}{2 * share:.2f}%,"
            f"100%{{visibility:hidden}}}}.moment{{visibility:hidden;animation:seen {period}s"
            f" step-end infinite}}.end{{animation:stays {period}s step-end infinite}}"
            "@media print,(prefers-reduced-motion:reduce){.moment,.end{animation:none}}</style>"
        )
        return "\n".join([rules, *groups])


def smo_moving():
    """SMO moves two multipliers at a time until no pair gains.

    A moving picture of SMO on six examples in the plane. Before the first step every multiplier
    is 0 and the street is everything. Each step moves the two ringed examples' multipliers, and
    the dual rises. After four steps the gap, 6 at first, is 0.
    """
    traced, area = trace(SIX, tol=0), [(-2.5, 7.5), (-1.0,)]
    charts = []
    for t in range(len(traced.rows) + 1):
        step, solution = traced.rows[t - 1] if t else (None, traced.start)
        chart = Chart(*area, (20, 56, 600, 340))
        w, b = SIX.weights(solution.alpha), solution.b
        if t:
            street(chart, w, b)
            chart.rings([SIX_ROWS[k] for k in (step.i, step.j)], "other", 11)
        gap = SIX.gap(solution.alpha, b)
        chart.over.extend(
            head.format(f"step {t}: dual {SIX.dual(solution.alpha)}, gap {gap}") for head in [HEAD]
        )
        for x, a in zip(SIX_ROWS, solution.alpha):
            chart.word(x, f"α = {a}", "key" if a else "soft", "below", True)
        charts.append(chart)
    over = Chart(*area, (20, 56, 600, 340))
    over.examples(SIX_ROWS, SIX_LABELS, 6)
    return Sheet([Moving(charts), over], 412)


HEAD = '<text class="f-ink" x="20" y="34">{}</text>'


def gap_closes():
    """The dual rises at every step, and the optimum is always between it and the primal.

    The dual and the primal of twelve examples after each step of SMO. The dual never falls. The
    primal may rise on the way; where the two meet, at 0 gap, the optimum is found and proved.
    """
    problem, solution = soft_rows()
    traced = trace(problem, tol=0)
    states = [traced.start, *(row.solution for row in traced.rows)]
    duals = [float(problem.dual(s.alpha)) for s in states]
    primals = [d + float(problem.gap(s.alpha, s.b)) for d, s in zip(duals, states)]
    best = [min(primals[: t + 1]) for t in range(len(primals))]
    steps = len(states) - 1
    chart = Chart((0, steps), (0, 6), (52, 36, 568, 330))
    chart.frame(("step", "value"), range(0, steps + 1, 2), range(7), grid=True)
    chart.area([*enumerate(duals), *reversed(list(enumerate(best)))], "key", "deep")
    chart.line([(0, solution.objective), (steps, solution.objective)], "s-key", "dash")
    chart.line(list(enumerate(primals)), "s-plus")
    chart.line(list(enumerate(duals)), "s-minus", "bold")
    chart.word((2, F(19, 4)), "primal", "plus", "above")
    chart.word((F(5, 2), F(6, 5)), "dual", "minus", "below")
    chart.word((F(1, 4), F(13, 5)), "gap", "key")
    chart.word((10, solution.objective), "optimum", "key", "below")
    return Sheet([chart], 410)


def certified():
    """A gap says how far an answer may be from the optimum, without knowing the optimum.

    The score of a machine over one feature, from a solver that was stopped early. Around it lies
    the band that its gap of 0.02 leaves to the optimum. The exact optimum, dashed, is inside.
    """
    X, y = [[F(v)] for v in (-4, -3, -2, -1, 0, 1, 2, 3)], [-1, -1, 1, -1, 1, -1, 1, 1]
    problem = Problem(X, y, Polynomial(2, coef0=1), C=F(1, 8))
    early, best = smo(problem, tol=F(1, 4)), smo(problem, tol=0)
    certificate = certify(problem, early.alpha, early.b)

    def s(solution):
        return lambda u: solution.model().decision([F(u)]) - solution.b

    found, optimum = s(early), s(best)
    places = [F(k, 8) for k in range(-36, 33)]
    bounds = [(u, certificate.bound([u])) for u in places]
    chart = Chart((-4.5, 4), (-4, 4), (52, 36, 568, 330))
    chart.frame(("x", "score s(x)"), range(-4, 5), range(-4, 5), grid=True)
    upper = [(u, found(u) + d) for u, d in bounds]
    lower = [(u, found(u) - d) for u, d in bounds]
    chart.area([*upper, *reversed(lower)], "key", "deep")
    chart.line([(u, found(u)) for u in places], "s-key", "bold")
    chart.line([(u, optimum(u)) for u in places], "s-ink", "dash")
    chart.examples([[x[0], 0] for x in X], y, 5)
    chart.word((F(-9, 2), F(-1)), "an answer", "key")
    chart.word((-3, F(-11, 5)), "the optimum")
    chart.word((2, F(3, 2)), f"gap {float(certificate.gap):.2f}: it is in here", "key", "above")
    return Sheet([chart], 410)
