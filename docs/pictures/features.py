"""Pictures of kernels: XOR before and after the feature map, three widths of the Gaussian."""

from fractions import Fraction as F
from math import inf

from docs.pictures.lines import street
from docs.pictures.paper import Chart, Sheet
from refsvm import Gaussian, Polynomial, Problem, smo
from refsvm.solvers.hard_margin import widest

CORNERS = [[F(1), F(1)], [F(1), F(-1)], [F(-1), F(1)], [F(-1), F(-1)]]
CROSSED = [1, -1, -1, 1]


def xor_before_and_after():
    """No line separates the corners; with the product x₁x₂ as a feature one does.

    Left, the corners of a square, of which opposite ones have equal labels, and the regions of
    the machine with the kernel (⟨x, z⟩ + 1)². Right, the same corners over the features x₁ and
    x₁x₂: the two classes lie above and below a line, which is the border of the left picture.
    """
    model = smo(Problem(CORNERS, CROSSED, Polynomial(2, coef0=1), C=inf), tol=0).model()
    before = Chart((-2, 2), (-2,), (24, 40, 286, 286))
    before.sides(model.decision, 16, style="deep", border="key")
    before.examples(CORNERS, CROSSED, 7)
    after = Chart((-2, 2), (-2,), (330, 40, 286, 286))
    lifted = [[x[0], x[0] * x[1]] for x in CORNERS]
    street(after, *widest(lifted, CROSSED)[:2])
    after.examples(lifted, CROSSED, 7)
    before.heading("x₁ and x₂")
    after.heading("x₁ and x₁x₂")
    return Sheet([before, after], 350)


def ring_rows():
    """Rows of a class in the middle and of one around it, with one row among the others."""
    inner = [
        (0, 0),
        (F(1, 2), F(1, 2)),
        (F(-1, 2), F(1, 4)),
        (F(1, 4), F(-3, 4)),
        (F(3, 2), F(5, 4)),
    ]
    outer = [(2, 0), (F(-7, 4), F(1, 2)), (F(1, 2), 2), (F(-3, 4), F(-7, 4)), (F(3, 2), F(-3, 2))]
    outer += [(F(-3, 2), F(3, 2)), (2, 2)]
    rows = [[float(u), float(v)] for u, v in [*inner, *outer]]
    return rows, [1] * len(inner) + [-1] * len(outer)


def three_widths():
    """A wide Gaussian draws a smooth border, a narrow one islands round the examples.

    The same twelve examples under the Gaussian kernel with γ = 1/16, 1 and 16, C = 5. With the
    smallest γ the region of the class in the middle is a disc with examples of both classes close
    to its border; with 1 it reaches out to the example on the right; with 16 it is an island
    around each example of the class, and every example is a support vector, which has a ring.
    """
    rows, labels = ring_rows()
    charts = []
    for k, (gamma, name) in enumerate([(0.0625, "1/16"), (1.0, "1"), (16.0, "16")]):
        model = smo(Problem(rows, labels, Gaussian(gamma), C=5.0), tol=1e-6).model()
        cells = 30 if gamma < 16 else 56  # a narrow one has small islands
        chart = Chart((-2.6, 2.6), (-2.6,), (16 + 206 * k, 40, 196, 196))
        chart.sides(model.decision, cells, style="deep", border="ink")
        chart.examples(rows, labels, 5)
        chart.rings(model.vectors, "ink", 9)
        chart.heading(f"γ = {name}")
        charts.append(chart)
    return Sheet(charts, 256)
