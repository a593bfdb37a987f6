"""Slides of lines between two classes: the widest street, slack, three cases, the kernel trick."""

from fractions import Fraction as F
from math import sqrt

from docs.pictures.features import CORNERS, CROSSED
from docs.pictures.lines import GAP_LABELS, GAP_ROWS, street
from docs.pictures.paper import Chart, short
from docs.slides.paper import Slide, formula, lines, text
from refsvm import Polynomial, Problem, smo
from refsvm.kernels.feature_maps import count_distinct
from refsvm.numerics.linalg import squared_norm, total
from refsvm.solvers.hard_margin import widest

ROWS = [[F(u), F(v)] for u, v in [(1, 2), (2, 3), (3, 3), (2, 1), (3, 2), (4, F(5, 2))]]
LABELS = [1, 1, 1, -1, -1, -1]
SIX = Problem(ROWS, LABELS, C=F(1))  # the six points that play begins with
BEST = smo(SIX, tol=0)
W = SIX.weights(BEST.alpha)
PLANE = (F(1, 4), F(19, 4)), (F(1, 4),)


def vector(values):
    """A vector of fractions, as it is written."""
    return f"({', '.join(map(short, values))})"


def widest_street():
    """Of all lines, one has the widest street.

    Left, two classes of points and the street between them; the two points at its edges have a
    ring. Right, the problem that asks for the shortest w which gives every example a margin of
    1, and its exact solution: w, its squared length, and the width of the street.
    """
    best = widest(GAP_ROWS, GAP_LABELS)
    chart = Chart((F(-9, 2), F(9, 2)), (-4,), (20, 56, 320, 270))
    street(chart, best.w, best.b)
    chart.arrow((0, 0), (2, 2), "ink")
    chart.arrow((0, 0), (-2, -2), "ink")
    chart.examples(GAP_ROWS, GAP_LABELS, 7)
    chart.rings([GAP_ROWS[i] for i in best.closest], size=12)
    chart.word((F(1, 2), F(1, 2)), "1 / ‖w‖")
    square = squared_norm(best.w)
    written = lines(
        360,
        90,
        ("minimise  ½ ‖w‖²", "key"),
        ("such that  yᵢ (⟨w, xᵢ⟩ + b) ≥ 1", "key"),
        "",
        f"w = {vector(best.w)},  b = {best.b}",
        f"‖w‖² = {square}",
        f"width = 2 / ‖w‖ = √{4 / square} ≈ {2 / sqrt(square):.2f}",
        f"held by {len(best.closest)} of {len(GAP_ROWS)} points",
        step=30,
    )
    return Slide(
        [chart], written, "Boser, Guyon, Vapnik 1992; Ng, Ma: CS229 notes; course, chapter 3"
    )


def six_points(at):
    """The chart of the six points with their street, and no marks yet."""
    chart = Chart(*PLANE, at)
    street(chart, W, BEST.b)
    return chart


def slack():
    """Slack is what a margin lacks to 1.

    Left, six points that no line separates, and the best street for C = 1. A segment runs from
    each point that is short of its margin to the edge of the street, with its slack as a
    fraction. Right, the problem, and its parts in numbers: half the squared length of w, the sum
    of the slacks, and the value.
    """
    chart = six_points((20, 56, 320, 270))
    slacks = SIX.slacks(BEST.alpha, BEST.b)
    square = squared_norm(W)
    for x, label, xi in zip(ROWS, LABELS, slacks):
        if xi:
            end = [v + label * xi * c / square for v, c in zip(x, W)]
            chart.line([x, end], "s-plus" if label > 0 else "s-minus", "bold")
            place = ("plus", "right") if label > 0 else ("minus", "left")
            chart.word(x, f"ξ = {xi}", *place)
    chart.examples(ROWS, LABELS, 7)
    cost = total(slacks)
    written = lines(
        360,
        90,
        ("minimise  ½ ‖w‖² + C Σᵢ ξᵢ", "key"),
        ("ξᵢ = max(0, 1 − yᵢ f(xᵢ))", "key"),
        "",
        f"C = {SIX.C[0]}",
        f"½ ‖w‖² = {square / 2}",
        f"Σ ξ = {cost}",
        f"value = {square / 2 + SIX.C[0] * cost}",
        step=30,
    )
    return Slide([chart], written, "Cortes, Vapnik 1995; Ng, Ma: CS229 notes; course, chapter 4")


CASES = [
    ("α = 0", "≥", lambda a, C: a == 0),
    ("0 < α < C", "=", lambda a, C: 0 < a < C),
    (f"α = C (here {SIX.C[0]})", "≤", lambda a, C: a == C),
]


def three_cases():
    """At the optimum there are three cases.

    Three times the same six points and their street for C = 1. In each picture the points of one
    case have a ring, and below it stand their multipliers and margins. Where the multiplier is
    0, the margin is at least 1; where it is between 0 and C, the margin is 1; where it is C, the
    margin is at most 1.
    """
    margins = SIX.margins(BEST.alpha, BEST.b)
    charts, written = [], []
    for k, (case, sign, holds) in enumerate(CASES):
        left = 20 + 206 * k
        chart = six_points((left, 88, 188, 165))
        chart.examples(ROWS, LABELS, 6)
        found = [i for i in range(len(ROWS)) if holds(BEST.alpha[i], SIX.C[i])]
        chart.rings([ROWS[i] for i in found], "ink", 12)
        chart.heading(case, "key")
        charts.append(chart)
        told = [f"margin y f(x) {sign} 1"]
        told += [
            f"{name} = {', '.join(str(values[i]) for i in found)}"
            for name, values in (("α", BEST.alpha), ("margin", margins))
        ]
        for row, words in enumerate(told):
            ink = "ink" if row else "key"
            written.append(text(left + 94, 275 + 23 * row, words, ink, "middle"))
    return Slide(charts, written, "Karush 1939; Kuhn, Tucker 1951; course, chapter 7")


def kernel_trick():
    """A kernel is an inner product in disguise.

    Left, the four corners of a square, of which opposite ones have equal labels: no line
    separates them. Next to it, the same corners over the first feature and the product of the
    two: a street separates them. Right, the kernel that does this without any feature being
    written down, its value for two corners, and how many features it stands for.
    """
    kernel = Polynomial(2, coef0=1)
    model = smo(Problem(CORNERS, CROSSED, kernel, C=F(100)), tol=0).model()
    before = Chart((-2, 2), (-2,), (20, 88, 180, 180))
    before.sides(model.decision, 16, style="deep", border="key")
    before.examples(CORNERS, CROSSED, 7)
    after = Chart((-2, 2), (-2,), (214, 88, 180, 180))
    lifted = [[x[0], x[0] * x[1]] for x in CORNERS]
    street(after, *widest(lifted, CROSSED)[:2])
    after.examples(lifted, CROSSED, 7)
    x, z = CORNERS[:2]
    sides = [(110, "x₁ and x₂", "no line separates"), (304, "x₁ and x₁ x₂", "a street does")]
    written = [formula(at, 78, over, anchor="middle") for at, over, _ in sides]
    written += [text(at, 294, below, anchor="middle") for at, _, below in sides]
    written += lines(
        410,
        104,
        ("K(x, z) = ⟨φ(x), φ(z)⟩", "key"),
        ("K(x, z) = (⟨x, z⟩ + 1)²", "key"),
        "",
        f"x = {vector(x)}, z = {vector(z)}",
        f"K(x, x) = {kernel(x, x)}",
        f"K(x, z) = {kernel(x, z)}",
        f"φ(x) has {count_distinct(len(x), 2)} numbers",
        step=28,
    )
    return Slide(
        [before, after], written, "Aizerman et al. 1964; Boser et al. 1992; course, chapter 8"
    )
