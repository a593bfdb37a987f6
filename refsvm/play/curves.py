"""What is drawn of a machine, as paths of SVG in the units of the plane.

    plane       (left, right, bottom, top): the part of the plane that is seen
    separable   a decision value as a sum of products, one factor for each coordinate:

        f(u, v) = b + sum_k  A_k(u) B_k(v)

A polynomial is such a sum over the powers of u, a Gaussian has one product a support vector. So on
a grid each factor is computed once a column or once a row. All this is in doubles: it is for the
eye.
"""

from math import comb

from ..kernels.rational_values import degree_of
from ..numerics.elementary import exp
from ..numerics.linalg import dot, total
from ..plotting.contours import cell_ends, level_lines, regions

CURVE_GRID = (48, 36)  # cells of the grid for a curve
LINE_GRID = (1, 1)  # enough for a line
SAMPLES = 160  # of a curve over x
NO_PATH = ""


def lines_of_classes(model, plane, low, high):
    """Return the paths for two classes: both regions, the band of optimal lines, the lines.

    low, high    the ends of the interval of the offset; the lines are drawn for that of the model
    """
    xs, ys = grid(plane, model)
    f = decision_grid(model, xs, ys)
    ends = [low, high] if low < high else [low]
    fields = [shifted(f, float(end - model.b)) for end in ends]
    parts = regions(xs, ys, fields, lambda above: (above[0], above[-1]))
    path = {signs: _closed_path(polygons) for signs, polygons in parts.items()}
    return {
        "plus": path.get((True, True), NO_PATH),
        "minus": path.get((False, False), NO_PATH),
        "band": path.get((False, True), NO_PATH),
        "border": _open_path(level_lines(xs, ys, f, 0)),
        "margins": {sign: _open_path(level_lines(xs, ys, f, sign)) for sign in (1, -1)},
    }


def lines_of_one_class(model, plane):
    """Return the paths for one class: the region inside, and its border."""
    xs, ys = grid(plane, model)
    f = decision_grid(model, xs, ys)
    parts = regions(xs, ys, [f], lambda above: above[0])
    return {
        "plus": _closed_path(parts.get(True, [])),
        "border": _open_path(level_lines(xs, ys, f, 0)),
    }


def lines_of_regression(model, plane, epsilon):
    """Return the paths for regression: the function, the edges of its tube, and the tube."""
    left, right, _, _ = plane
    cells = 1 if degree_of(model.kernel) == 1 else SAMPLES
    us = cell_ends(left, right, cells)
    values = [float(v) for v in model.to(float).decisions([[u] for u in us])]
    edges = {s: [(u, v + s * float(epsilon)) for u, v in zip(us, values)] for s in (1, -1)}
    return {
        "band": _closed_path([edges[1] + edges[-1][::-1]]),
        "border": _open_path([list(zip(us, values))]),
        "margins": {s: _open_path([edge]) for s, edge in edges.items()},
    }


def grid(plane, model):
    """Return the columns and the rows of the grid that the model needs."""
    left, right, bottom, top = plane
    columns, rows = LINE_GRID if degree_of(model.kernel) == 1 else CURVE_GRID
    return cell_ends(left, right, columns), cell_ends(bottom, top, rows)


def decision_grid(model, xs, ys):
    """Return the decision values on a grid, a list for each row."""
    of_column, of_row = separable(model)
    columns, b = [of_column(u) for u in xs], float(model.b)
    return [[dot(column, row) + b for column in columns] for row in map(of_row, ys)]


def separable(model):
    """Return the functions of u and of v whose products add up to a score."""
    degree = degree_of(model.kernel)
    if model.w is not None:
        p, q = map(float, model.w)
        return lambda u: [u, 1.0], lambda v: [p, q * v]
    coef = [float(c) for c in model.coef]
    vectors = [[float(v) for v in x] for x in model.vectors]
    if degree == 0:
        g = float(model.kernel.gamma)
        return (
            lambda u: [exp(-g * (u - x[0]) * (u - x[0])) for x in vectors],
            lambda v: [c * exp(-g * (v - x[1]) * (v - x[1])) for c, x in zip(coef, vectors)],
        )
    columns = _monomials_of(model.kernel, coef, vectors)
    powers = range(model.kernel.degree + 1)
    return (
        lambda u: [u**p for p in powers],
        lambda v: [dot(column, [v**q for q in range(len(column))]) for column in columns],
    )


def _monomials_of(kernel, coef, vectors):
    """Return the factors of u^p v^q, a list a p, in sum coef_i (gamma x_i.z + coef0)^degree."""
    degree, gamma, coef0 = kernel.degree, float(kernel.gamma), float(kernel.coef0)
    scaled = [(gamma * x[0], gamma * x[1]) for x in vectors]

    def factor(p, q):
        times = comb(degree, p) * comb(degree - p, q) * coef0 ** (degree - p - q)
        return times * dot(coef, [u**p * v**q for u, v in scaled])

    return [[factor(p, q) for q in range(degree + 1 - p)] for p in range(degree + 1)]


def shifted(rows, amount):
    """Return a grid of values with an amount added to each."""
    return [[value + amount for value in row] for row in rows]


def _closed_path(polygons):
    """Return polygons as a path."""
    return "".join(f"M{_corner_text(polygon)}z" for polygon in polygons)


def _open_path(lines):
    """Return lines as a path."""
    return "".join(f"M{_corner_text(line)}" for line in lines)


def _corner_text(places):
    """Return the corners of a path."""
    return "L".join(f"{x:.7g} {y:.7g}" for x, y in places)


def slack_lines(model, X, y, f, level):
    """Return for each point the path from it to its margin line, "" where it has no slack.

    Only of a linear machine with weights that are not 0; level: where y f has no slack.
    """
    if model.w is None or not any(model.w):
        return [NO_PATH] * len(X)
    w = [float(v) for v in model.w]
    norm2, found = dot(w, w), []
    for x, label, value in zip(X, y, f):
        slack = float(level - label * value)
        place = [float(v) + label * slack / norm2 * c for v, c in zip(x, w)]
        found.append(_open_path([[tuple(map(float, x)), tuple(place)]]) if slack > 0 else NO_PATH)
    return found


def tube_lines(X, values, f, epsilon):
    """Return for each point of regression the path from it to the edge of the tube."""
    found = []
    for (x,), value, predicted in zip(X, values, f):
        r = float(value - predicted)
        edge = float(predicted) + (float(epsilon) if r > 0 else -float(epsilon))
        outside = abs(r) > float(epsilon)
        found.append(
            _open_path([[(float(x), float(value)), (float(x), edge)]]) if outside else NO_PATH
        )
    return found


def border_places(model, X, offsets):
    """Return the places of the border that are nearest to the middle of the points.

    A line for each offset; none unless the machine is linear, on the plane, with w that is not 0.
    """
    if model.w is None or len(model.w) != 2 or not any(model.w):
        return []
    w = [float(v) for v in model.w]
    middle = [float(total(column)) / len(X) for column in zip(*X)]
    height = dot(w, middle)
    return [[m - (height + float(b)) / dot(w, w) * v for m, v in zip(middle, w)] for b in offsets]
