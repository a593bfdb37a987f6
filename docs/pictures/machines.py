"""Pictures of the other machines: the tube, one class, the ball, reduced hulls, probabilities."""

import re
from bisect import bisect
from fractions import Fraction as F
from itertools import permutations
from math import sqrt
from pathlib import Path

from docs.pictures.lines import plane
from docs.pictures.paper import Chart, Sheet, words
from refsvm import BallProblem, NuProblem, OneClassProblem, RegressionProblem, calibrate, smo
from refsvm.numerics.elementary import exp
from refsvm.numerics.polyhedra import weighted_mean
from refsvm.plotting.marks_and_legend import circle


def tube():
    """Errors inside the tube are free, and only examples on its edge or outside hold it.

    Ten values over one feature, and the line that regression fits with ε = 1/2. Inside the band
    from ε below to ε above the line nothing is paid. The six examples with a ring, on the edge or
    outside, are the support vectors; how far they lie outside is drawn.
    """
    values = [F(1, 2), F(3, 4), F(9, 8), F(1), F(5, 2), F(2), F(9, 4), F(13, 4), F(5, 4), F(7, 2)]
    X = [[F(k)] for k in range(len(values))]
    epsilon = F(1, 2)
    problem = RegressionProblem(X, values, C=F(1), epsilon=epsilon)
    solution = smo(problem, tol=0)
    f = solution.model().decision
    chart = Chart((F(-1, 2), F(19, 2)), (0, 4), (52, 36, 568, 330))
    chart.frame(("x", "y"), range(10), range(5), grid=True)
    low, high = F(-1, 2), F(19, 2)
    band = [(u, f([u]) + side * epsilon) for side in (1, -1) for u in (low, high)[:: int(side)]]
    chart.area(band, "key", "deep")
    chart.curve(lambda u: f([u]), "key", "bold", cells=1)
    for side in (1, -1):
        chart.curve(lambda u, side=side: f([u]) + side * epsilon, "key", "dash", cells=1)
    held = [(x[0], v) for x, v, a in zip(X, values, solution.alpha) if a]
    for u, v in held:
        edge = f([u]) + (epsilon if v > f([u]) else -epsilon)
        if abs(v - f([u])) > epsilon:
            chart.line([(u, v), (u, edge)], "s-plus", "bold")
    chart.dots([(x[0], v) for x, v in zip(X, values)], "ink", 5)
    chart.rings(held)
    chart.word((0, F(7, 2)), f"{len(held)} of {len(X)} are support vectors")
    chart.arrow((F(7, 2), f([F(7, 2)])), (F(7, 2), f([F(7, 2)]) + epsilon), "ink")
    chart.word((F(7, 2), f([F(7, 2)]) + epsilon / 2), "ε")
    return Sheet([chart], 410)


CLOUD = [
    [F(u, 4), F(v, 4)]
    for u, v in [
        (6, 8),
        (8, 6),
        (9, 9),
        (10, 7),
        (7, 10),
        (11, 10),
        (8, 12),
        (12, 8),
        (3, 4),
        (15, 13),
    ]
]


def one_class_and_ball():
    """Two ways to say where most rows lie: beyond a line, or within a ball.

    Ten rows without labels. Left, the line of the one-class machine with ν = 1/4: it keeps as far
    from the origin as it can while a quarter of the rows may fall short of it. Right, the
    smallest ball with slack: two rows lie outside, for a penalty. Support vectors have a ring.
    """
    line = OneClassProblem(CLOUD, nu=F(1, 4))
    solution = smo(line, tol=0)
    w, rho = line.weights(solution.alpha), solution.offsets.rho.value
    left = Chart((F(-1, 2), F(9, 2)), (F(-1, 2),), (24, 40, 286, 286))
    left.sides(plane(w, -rho), 1, None, "key", "deep")
    left.levels(plane(w, -rho), (0,), "key", "bold")
    left.dots(CLOUD, "ink", 5)
    left.dots([(0, 0)], "other", 5)
    left.rings([x for x, a in zip(CLOUD, solution.alpha) if a])
    left.word((0, 0), "origin", "other")
    left.heading("one class")
    ball = BallProblem(CLOUD, C=F(1, 4))
    solution = smo(ball, tol=0)
    centre, radius2 = weighted_mean(CLOUD, solution.alpha), solution.offsets.radius2.value
    right = Chart((F(-1, 2), F(9, 2)), (F(-1, 2),), (330, 40, 286, 286))
    radius = sqrt(radius2) * right.width / 5
    right.rings([centre], "key", radius)
    right.parts[-1] = right.parts[-1].replace('class="line s-key"', 'class="deep f-key"')
    right.rings([centre], "key", radius)
    right.dots(CLOUD, "ink", 5)
    right.dots([centre], "key", 4)
    right.rings([x for x, a in zip(CLOUD, solution.alpha) if a])
    right.heading("the smallest ball with slack")
    return Sheet([left, right], 350)


def reduced_hulls():
    """Hulls that meet are cut down until there is a gap.

    Two classes whose convex hulls overlap, drawn pale. In the reduced hulls no example has a
    weight above a bound that ν sets; they are smaller and do not meet. The line runs between
    them, at a right angle to the shortest segment from one to the other.
    """
    plus = [(2, 3), (4, 1), (5, 3), (4, 4), (0, 0)]
    minus = [(-2, -1), (-4, 1), (-1, -3), (-4, -2), (1, 2)]
    X = [[F(u), F(v)] for u, v in [*plus, *minus]]
    y = [1] * 5 + [-1] * 5
    nu = F(1, 2)
    problem = NuProblem(X, y, nu=nu)
    solution = smo(problem, tol=0)
    share = nu * len(X) / 2  # what the multipliers of a class add up to
    chart = Chart((-7.5, 7.5), (-4.1,))
    w, (b, rho) = problem.weights(solution.alpha), solution.offsets
    f = plane(w, b.value)
    chart.levels(f, (-rho.value, rho.value), "key", "dash")
    chart.levels(f, (0,), "key", "bold")
    near = {}
    for label, ink, rows, weights in (
        (1, "plus", X[:5], solution.alpha[:5]),
        (-1, "minus", X[5:], solution.alpha[5:]),
    ):
        chart.area(around(rows), ink, "tint")
        chart.area(around(reduced(rows, 1 / share)), ink, "deep")
        near[label] = weighted_mean(rows, [a / share for a in weights])
    chart.line(list(near.values()), "s-ink")
    chart.dots(near.values())
    chart.examples(X, y, 6)
    chart.word((F(9, 2), 2), "reduced hull", "plus")
    chart.word((-3, F(-3, 2)), "reduced hull", "minus", "left")
    return Sheet([chart], 370)


def reduced(rows, most):
    """Corners of the reduced hull, where no row has a weight above `most`: fill in any order."""
    found = []
    for order in permutations(range(len(rows))):
        left, weights = F(1), [F(0)] * len(rows)
        for k in order:
            weights[k] = min(most, left)
            left -= weights[k]
        found.append(tuple(weighted_mean(rows, weights)))
    return [list(point) for point in sorted(set(found))]


def around(points):
    """The corners of the convex hull of points of the plane, in order (Andrew's chains)."""

    def chain(ordered):
        kept = []
        for p in ordered:
            while len(kept) > 1 and turn(kept[-2], kept[-1], p) <= 0:
                kept.pop()
            kept.append(p)
        return kept[:-1]

    ordered = sorted(points)
    return chain(ordered) + chain(ordered[::-1])


def turn(p, q, r):
    """Twice the area of the triangle p, q, r; positive if it is run through to the left."""
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def sigmoid():
    """Platt's sigmoid turns decision values into probabilities.

    Fourteen decision values, drawn at the top if their label is +1 and at the bottom if it is −1,
    and the sigmoid 1 / (1 + exp(A f + B)) that fits them best. It crosses one half not at f = 0
    but where both labels are equally probable.
    """
    f = [-3.0, -2.25, -1.75, -1.5, -1.0, -0.5, -0.25, 0.25, 0.5, 0.75, 1.25, 1.5, 2.0, 2.5]
    y = [-1, -1, -1, -1, -1, 1, -1, -1, 1, 1, -1, 1, 1, 1]
    found = calibrate(f, y)
    chart = Chart((-3.5, 3), (F(-1, 12), F(13, 12)), (52, 36, 568, 320))
    chart.frame(
        ("decision value f", "probability of +1"), range(-3, 4), (0, F(1, 2), 1), grid=True
    )
    chart.curve(lambda u: 1 / (1 + exp(found.A * u + found.B)), "key", "bold")
    half = -found.B / found.A
    chart.line([(half, 0), (half, 0.5), (-3.5, 0.5)], "s-soft", "dash")
    places = [(v, 1 if label > 0 else 0) for v, label in zip(f, y)]
    chart.examples(places, y, 6)
    chart.word((half, F(1, 4)), f"f = {half:.2f}", "soft")
    return Sheet([chart], 400)


def iris_map():
    """Where C and gamma suit iris, and where scikit-learn's map of them is another.

    Thirteen values of C from 0.01 to 10^10, going down, and thirteen of gamma from 10^-9 to 1000.
    The darker a cell, the more of 150 rows are predicted right: most along a diagonal on which C
    times gamma is the same, fewest where gamma is large. Rings mark the cells in which
    scikit-learn has another number, large ones where it is off by ten rows or more: the column of
    the least gamma, and most cells of the lower left corner.
    """
    page = (Path(__file__).parents[2] / "spec/use/iris-map.md").read_text(encoding="utf-8")
    rows = [line.split()[1:] for line in page.splitlines() if re.match(r"1e[-+]\d\d ", line)]
    shades, rings = {}, ""
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            right, off = map(int, re.fullmatch(r"(\d+)([-+]\d+)?", cell).groups("0"))
            x, y = 92 + 40 * j, 40 + 26 * i
            shade = bisect([100, 125, 135, 140], right)
            shades[shade] = shades.get(shade, "") + f"M{x} {y}h38v24h-38z"
            if off:
                rings += circle(x + 19, y + 12, 9 if abs(off) > 9 else 4)
    over = [
        f'<path class="f-key" fill-opacity="{0.08 + 0.18 * k:.2f}" d="{d}"/>'
        for k, d in sorted(shades.items())
    ]
    over.append(f'<path class="line s-other" d="{rings}"/>')
    for k in range(0, 13, 3):
        over.append(words(84, 58 + 26 * k, f"1e{k - 2}", "soft", "end", True))
        over.append(words(111 + 40 * k, 396, f"1e{k - 9}", "soft", "middle", True))
    over.append(words(84, 28, "C", "ink", "end"))
    over.append(words(612, 420, "gamma", "ink", "end"))
    told = "rings: scikit-learn's number is another, large by 10 rows or more"
    over.append(words(14, 420, told, "other", small=True))
    return Sheet([], 430, tuple(over))
