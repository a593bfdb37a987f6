"""Pictures of lines between two classes: sides, margins, hulls, slack."""

from fractions import Fraction as F
from math import inf

from docs.pictures.paper import Chart, Sheet
from refsvm import Problem, perceptron, smo
from refsvm.numerics.linalg import norm
from refsvm.numerics.picks import passes
from refsvm.numerics.polyhedra import weighted_mean
from refsvm.solvers.hard_margin import widest
from refsvm.theory.hyperplanes import foot, score
from refsvm.theory.margins import canonical

GAP_ROWS = [[F(u), F(v)] for u, v in [(2, 2), (3, 3), (2, 3), (-2, -2), (-3, -2)]]
GAP_LABELS = [1, 1, 1, -1, -1]
OUTLIER = [F(-3, 2), F(-1)]


def plane(w, b):
    """The function (u, v) -> w.(u, v) + b."""
    return lambda x: score(w, b, x)


def street(chart, w, b, ink="key"):
    """Draw f = 0, f = -1 and f = +1, and tint what is between the two."""
    f = plane(w, b)
    chart.between([lambda x: 1 - f(x), lambda x: 1 + f(x)], ink)
    chart.levels(f, (-1, 1), ink, "dash")
    chart.levels(f, (0,), ink, "bold")


def right_angle(chart, at, w, ink="soft", size=0.25):
    """Draw the sign of a right angle at a point of a line, on the side that w points to."""
    w = [float(value) for value in w]  # the length of w may be no fraction
    a, c = (size * value / norm(w) for value in w)
    u, v = map(float, at)
    chart.line([(u + a, v + c), (u + a - c, v + c + a), (u - c, v + a)], f"s-{ink}", "thin")


def sides():
    """The sign of f(x) tells the side, and |f(x)| / ‖w‖ the distance.

    The line 3 x₁ + 4 x₂ = 5 cuts the plane, and separates three points of the class +1 from two
    of the class −1. On the side that w points to, f is positive. The point (3, 4) has f = 20 and
    lies 4 away from the line, at a right angle to it; the point (0, 0) has f = −5 and lies 1 away
    on the other side.
    """
    w, b = [F(3), F(4)], F(-5)
    X, y = [[2, 1], [-2, 4], [3, 4], [0, 0], [-1, -2]], [1, 1, 1, -1, -1]  # of 1.4
    chart = Chart((-4, 8), (-2.5,))
    chart.sides(plane(w, b))
    chart.frame(us=range(-3, 8), vs=range(-2, 5), grid=True)
    chart.levels(plane(w, b), (0,), "ink", "bold")
    for x, ink in (([3, 4], "plus"), ([0, 0], "minus")):
        at = foot(w, b, x)
        chart.line([x, at], f"s-{ink}", "dash")
        right_angle(chart, at, w if score(w, b, x) > 0 else [-v for v in w], ink)
    chart.examples(X, y, 6)
    start = [F(-1), F(2)]
    chart.arrow(start, [start[0] + w[0] / 5, start[1] + w[1] / 5], "key")
    chart.word((F(-2, 5), F(14, 5)), "w", "key")
    chart.word((3, 4), "f = 3·3 + 4·4 − 5 = 20", "plus")
    chart.word((2, F(9, 4)), "20 / ‖w‖ = 4", "plus")
    chart.word((0, 0), "f = −5", "minus", "left")
    chart.word((F(3, 10), F(2, 5)), "5 / ‖w‖ = 1", "minus", "left")
    chart.word((F(9, 2), -2), "f = 0")
    chart.word((6, 1), "f > 0", "plus", "right")
    chart.word((-3, -1), "f < 0", "minus", "right")
    return Sheet([chart])


def perceptron_turns():
    """Each mistake turns the line, and after five of them every example is right.

    Four examples, two of each class. Starting from w = 0, a pass over them finds a mistake, adds
    the example to w if it is of class +1 and subtracts it if not, and so on. The five lines
    through the origin are numbered, and the second is the fourth; the last one has both classes
    on their sides.
    """
    X, y = [[F(3), 1], [F(4), -2], [F(-1), 2], [F(-2), -1]], [1, -1, 1, -1]
    chart = Chart((-5.5, 6.5), (-3.2,))
    iterates = []
    for t in range(1, 13):
        w = perceptron(X, y, list(passes(4, 3))[:t]).w
        if not iterates or iterates[-1] != w:
            iterates.append(w)
    last = iterates[-1]
    chart.sides(plane(last, 0))
    chart.frame(us=range(-5, 7), vs=range(-3, 4), grid=True)
    for k, w in enumerate(iterates, 1):
        done = k == len(iterates)
        chart.levels(plane(w, 0), (0,), "key" if done else "soft", "bold" if done else "")
    chart.examples(X, y, 6)
    chart.arrow((0, 0), [v * F(5, 14) for v in last], "key")
    chart.word([v * F(5, 14) for v in last], f"w after {len(iterates)} mistakes", "key")
    for k, at in enumerate([(F(11, 10), -3), (6, 2), (F(-21, 4), F(21, 8)), (-5, F(-5, 3))]):
        chart.word(
            at, str(k + 1), "soft", "above" if k in (1, 2) else "left" if k == 0 else "below"
        )
    chart.word((6, F(-6, 7)), "5", "key", "below")
    return Sheet([chart])


def widest_street():
    """Of all lines between the classes, one has the widest street.

    Two classes and two lines that separate them. The street of the line ¼ x₁ + ¼ x₂ = 0 reaches
    to (2, 2) on one side and (−2, −2) on the other and is 2 / ‖w‖ = 5.66 wide; the street of x₁ +
    2 x₂ = 0 is 5.37 wide. Only the two points at the edge hold the wide one.
    """
    best = widest(GAP_ROWS, GAP_LABELS)
    chart = Chart((-7, 7), (-4,))
    street(chart, best.w, best.b)
    other = canonical([F(1), F(2)], F(0), GAP_ROWS, GAP_LABELS)
    chart.levels(plane(*other), (0,), "other")
    chart.levels(plane(*other), (-1, 1), "other", "dots")
    chart.arrow((0, 0), (2, 2), "ink")
    chart.arrow((0, 0), (-2, -2), "ink")
    chart.examples(GAP_ROWS, GAP_LABELS, 6)
    chart.rings([GAP_ROWS[i] for i in best.closest])
    chart.word((F(1, 2), F(1, 2)), "1 / ‖w‖")
    chart.word((F(-3, 2), F(-3, 2)), "1 / ‖w‖")
    chart.word((-4, F(7, 2)), "f = 0", "key", "left")
    chart.word((F(1, 2), F(17, 5)), "f = +1", "key", "left")
    chart.word((F(-13, 2), F(5, 2)), "f = −1", "key")
    chart.word((5, F(-5, 2)), "a narrower one", "other", "above")
    return Sheet([chart], 370)


def hull_rows():
    """Rows whose hulls are nearest at a point that is no row; labels; exact multipliers."""
    X = [[F(u), F(v)] for u, v in [(1, 3), (4, 1), (4, 4), (0, 0), (-2, 1), (-1, -2), (-4, -1)]]
    y = [1, 1, 1, -1, -1, -1, -1]
    return X, y, smo(Problem(X, y, C=inf), tol=0).alpha


def nearest_points():
    """The widest street lies half way between the nearest points of the two hulls.

    The convex hulls of two classes, as polygons. Their nearest points are (0, 0), a row of class
    −1, and (22/13, 33/13), which is a mean of two rows of class +1 with the weights 10/13 and
    3/13. The line half way between the two, at a right angle, is the widest street's. The weights
    are the multipliers of the dual, divided by their sum.
    """
    X, y, alpha = hull_rows()
    chart = Chart((-6.5, 6.5), (-2.9,))
    for order, ink in (((0, 1, 2), "plus"), ((3, 4, 6, 5), "minus")):
        chart.area([X[i] for i in order], ink, "deep")
    w = Problem(X, y, C=inf).weights(alpha)
    total = {side: sum(a for a, of in zip(alpha, y) if of == side) for side in (1, -1)}
    near = {
        side: weighted_mean(
            X, [a / total[side] if of == side else F(0) for a, of in zip(alpha, y)]
        )
        for side in (1, -1)
    }
    middle = [(p + q) / 2 for p, q in zip(near[1], near[-1])]
    b = -score(w, 0, middle)
    chart.levels(plane(w, b), (0,), "key", "bold")
    chart.levels(plane(w, b), (-1, 1), "key", "dash")
    chart.line([near[1], near[-1]], "s-ink")
    right_angle(chart, middle, w, "ink")
    chart.examples(X, y, 6)
    chart.rings([x for x, a in zip(X, alpha) if a])
    chart.dots(near.values())
    shares = [alpha[i] / total[y[i]] for i in range(3)]
    chart.word(X[0], f"weight {shares[0]}", "plus", "above")
    chart.word(X[1], f"weight {shares[1]}", "plus", "below")
    chart.word(X[3], "weight 1", "minus", "below")
    chart.word((F(5, 2), 3), "hull of class +1", "plus")
    chart.word((F(-7, 2), F(-6, 5)), "hull of class −1", "minus", "below")
    return Sheet([chart], 370)


def one_point_swings():
    """One new point swings the widest street.

    Left, five points with a street whose half width squared is 8. Right, the same points and one
    more of class +1 at (−3/2, −1): the street turns and its half width squared falls to 5/16.
    """
    charts = []
    for left, rows, labels in (
        (20, GAP_ROWS, GAP_LABELS),
        (332, [*GAP_ROWS, OUTLIER], [*GAP_LABELS, 1]),
    ):
        best = widest(rows, labels)
        chart = Chart((-4.5, 4.5), (-4.7,), (left, 44, 288, 300))
        street(chart, best.w, best.b)
        chart.examples(rows, labels, 6)
        chart.rings([rows[i] for i in best.closest])
        chart.heading(f"squared margin {best.squared_margin}")
        charts.append(chart)
    charts[1].word(OUTLIER, "new", "plus", "left")
    return Sheet(charts, 364)


def soft_rows():
    """Rows that hardly any line separates, labels, and the exact optimum for C = 1/2."""
    plus = [(3, 1), (2, 2), (4, F(-1, 2)), (1, F(1, 4)), (-2, 0), (F(7, 2), 2)]
    minus = [(-3, -1), (-2, -2), (-4, F(1, 2)), (F(-1, 2), -1), (F(3, 2), -1), (F(-7, 2), -2)]
    X = [[F(u), F(v)] for u, v in [*plus, *minus]]
    y = [1] * len(plus) + [-1] * len(minus)
    problem = Problem(X, y, C=F(1, 2))
    return problem, smo(problem, tol=0)


def slack_is_paid():
    """Each example pays for what it lacks to the margin line of its class.

    Two classes, each with examples in the street, and the optimum for C = 1/2. From every example
    short of the margin of its class, a line runs to that margin: its slack ξ in units of 1 / ‖w‖.
    An example inside the street has a slack below 1, one on the wrong side a slack above 1.
    """
    problem, solution = soft_rows()
    w, b = problem.weights(solution.alpha), solution.b
    chart = Chart((-5, 5), (-2.6,))
    street(chart, w, b)
    slacks = problem.slacks(solution.alpha, b)
    rows, labels = problem.X, problem.y
    square = w[0] * w[0] + w[1] * w[1]
    for x, label, slack in zip(rows, labels, slacks):
        if slack > 0:
            end = [v + label * slack * c / square for v, c in zip(x, w)]
            chart.line([x, end], "s-plus" if label > 0 else "s-minus", "bold")
    chart.examples(rows, labels, 6)
    for x, label, slack in zip(rows, labels, slacks):
        if slack > 0:
            chart.word(
                x,
                f"ξ = {float(slack):.2f}",
                *(("plus", "below") if label > 0 else ("minus", "above")),
            )
    chart.word((F(-21, 5), F(8, 5)), "f = 0", "key", "below")
    return Sheet([chart], 370)
