"""A picture of a machine with two features, as SVG text.

    region       where a class is predicted, in a light tint of its colour
    border       f = 0                       margins     f = -1 and f = +1
    ring         a support vector            slack       from a point with y f < 1 to its margin

The SVM wants every example on its own side of the border and beyond its own margin. The slack is
how far an example falls short, and only the examples with a ring decide where the border runs.
With more than two classes the regions are those of the vote, and there is no single margin.

The same input gives the same text, byte for byte. How lines and regions are found: contours.py;
how things are drawn: svg.py, which also tells the letters u, v, x, y, c.
"""

from typing import Any, NamedTuple

from ..estimators.labels import plain_labels
from ..numerics.validation import matrix
from ..numerics.validation import nearest as nearest_number
from ..svm.model import Model
from ..svm.one_vs_one import first_largest, votes_of
from .contours import level_lines, regions
from .svg import (
    HEIGHT,
    TOP,
    WIDTH,
    axes,
    circle,
    document,
    frame_around,
    marks,
    path,
    stroke,
    tint,
    words,
)

FINE = (100, 75)  # columns and rows of the grid on which decisions are taken
COARSE = (52, 39)  # the same with more than six classes, as the work grows with their square
MANY = 3000  # marks of one sort; more are thin_out out, they would hide each other
BORDER = {"width": 2}
MARGIN = {"width": 1.2, "style": 'stroke-dasharray="5 3" '}
SLACK = {"width": 0.8, "style": 'stroke-opacity="0.8" '}


class Scene(NamedTuple):
    """A trained machine, whatever it was: what the picture needs of it."""

    classes: list
    vectors: list
    decisions: Any  # rows -> for each row the decision of each pair, above 0 for the earlier class


def picture(X, y, model=None, *, title="", names=("feature 1", "feature 2"), called=None):
    """Return the text of an SVG file that shows the rows X with labels y, and how model decides.

    model     a Model, a OneAgainstOne, or None for the points alone
    names     of the two features               called    {label: what the legend calls its class}

    ValueError unless X has two columns. O(grid * vectors).

    >>> picture([[0, 0], [1, 1]], [-1, 1])[:4]
    '<svg'
    """
    X = matrix(X, "X")
    y = plain_labels(y, len(X))
    if len(X[0]) != 2:
        raise ValueError(f"X[0] has length {len(X[0])}; a picture shows two features")
    X = [[nearest_number(float, v, "a number of X") for v in row] for row in X]
    frame, scene = frame_around(X), scene_of(model)
    classes = scene.classes + sorted(set(y) - set(scene.classes))
    fields = decision_grids(frame, scene)
    lines = margin_lines(frame, fields)
    return document(
        frame,
        title,
        [
            *region_paths(frame, scene, fields),
            *slacks(frame, scene, lines, X, y),
            *border(lines),
            *examples(frame, classes, X, y),
            *rings(frame, scene),
            *axes(frame, names),
            *legend(frame, classes, scene, called or {}, lines),
        ],
    )


def scene_of(model):
    """Return the Scene of a model; without one, of nothing."""
    if model is None:
        return Scene([], [], None)
    if isinstance(model, Model):
        return Scene([1, -1], model.vectors, lambda X: [[f] for f in model.decisions(X)])
    return Scene(list(model.classes), model.vectors, model.decisions)


def decision_grids(frame, scene):
    """Return for each pair of classes the grid of its decisions, rows from the top."""
    if not scene.classes:
        return []
    columns, rows = FINE if len(scene.classes) <= 6 else COARSE
    us, vs = steps(*frame.u, columns), steps(*frame.v, rows)[::-1]
    decisions = zip(*scene.decisions([[u, v] for v in vs for u in us]))
    wide = len(us)
    return [[f[start : start + wide] for start in range(0, len(f), wide)] for f in decisions]


def steps(low, high, cells):
    """Return the ends of equal cells from low to high."""
    return [low + (high - low) * (i / cells) for i in range(cells + 1)]


def grid_places(frame, field):
    """Return x of the columns and y of the rows of a grid of decisions."""
    xs = steps(frame.left, frame.left + WIDTH, len(field[0]) - 1)
    return xs, steps(TOP, TOP + HEIGHT, len(field) - 1)


def margin_lines(frame, fields):
    """Return {level: the lines where f is that level} of two classes; nothing for more."""
    if len(fields) != 1:
        return {}
    xs, ys = grid_places(frame, fields[0])
    return {level: level_lines(xs, ys, fields[0], level) for level in (-1, 1, 0)}


def region_paths(frame, scene, fields):
    """Yield the regions, each half a pixel too wide, so that no white is left between two."""
    if fields:
        k = len(scene.classes)
        xs, ys = grid_places(frame, fields[0])
        parts = regions(xs, ys, fields, lambda signs: first_largest(votes_of(signs, k)))
        for c in sorted(parts):
            d = "".join(path(polygon) + "z" for polygon in parts[c])
            yield f'<path fill="{tint(c)}" stroke="{tint(c)}" d="{d}"/>'


def border(lines):
    """Yield the margins, and over them the border."""
    for level, of_level in lines.items():
        if of_level:
            yield stroke("".join(map(path, of_level)), **(MARGIN if level else BORDER))


def slacks(frame, scene, lines, X, y):
    """Yield lines from each point with y f < 1 to the nearest visible place of its margin."""
    if not lines:
        return
    for label, level in zip(scene.classes, (1, -1)):
        rows = [row for row, of_row in zip(X, y) if of_row == label]
        if rows and lines[level]:
            short = [r for r, (f,) in zip(rows, scene.decisions(rows)) if level * f < 1]
            places = thin_out(map(frame.place, short))
            feet = [nearest(place, lines[level]) for place in places]
            yield stroke("".join(map(path, zip(places, feet))), **SLACK)


def nearest(point, lines):
    """Return the place on some lines that is nearest to a point.

    >>> nearest((1.0, 5.0), [[(0.0, 0.0), (3.0, 0.0)]])
    (1.0, 0.0)
    """
    x, y = point
    best = None
    for line in lines:
        for (x0, y0), (x1, y1) in zip(line, line[1:]):
            dx, dy = x1 - x0, y1 - y0
            length2 = dx * dx + dy * dy
            t = ((x - x0) * dx + (y - y0) * dy) / length2 if length2 else 0.0
            t = min(max(t, 0.0), 1.0)
            p, q = x0 + t * dx, y0 + t * dy
            distance2 = (p - x) * (p - x) + (q - y) * (q - y)
            if best is None or distance2 < best[0]:
                best = distance2, (p, q)
    return best[1]


def examples(frame, classes, X, y):
    """Yield the examples: for each class one path of marks."""
    size = 3.4 if len(X) <= 400 else 2.7
    for c, label in enumerate(classes):
        places = [frame.place(row) for row, of_row in zip(X, y) if of_row == label]
        yield marks(c, thin_out(places), size)


def rings(frame, scene):
    """Yield a ring around each support vector that is shown."""
    places = thin_out(frame.place(row) for row in scene.vectors if frame.shows(row))
    if places:
        yield stroke("".join(circle(x, y, 5) for x, y in places), 1, colour="#000000")


def thin_out(places):
    """Return at most MANY of the places: one for each cell of a lattice that is coarse enough.

    >>> thin_out([(0.5, 0.5), (7.0, 7.0), (0.6, 0.6)])
    [(0.5, 0.5), (7.0, 7.0)]
    """
    places, cell = list(places), 1
    while True:
        kept = {}
        for x, y in places:
            kept.setdefault((x // cell, y // cell), (x, y))
        if len(kept) <= MANY:
            return list(kept.values())
        cell *= 2


def legend(frame, classes, scene, called, lines):
    """Yield what each sign of the picture means, at its right."""
    x, y = frame.left + WIDTH + 24, TOP + 12
    for sign, text in legend_entries(classes, scene, called, lines):
        yield sign(x, y) + words(x + 16, y + 4, text, "start")
        y += 22


def sign_of_class(c, is_predicted):
    """Return the sign of class c: its mark, on its colour if the model predicts the class."""
    return lambda x, y: (patch(c, x, y) if is_predicted else "") + marks(c, [(x, y)], 3.4)


def legend_entries(classes, scene, called, lines):
    """Yield (function that draws the sign at x, y; its meaning), for each sign in the picture."""
    for c, label in enumerate(classes):
        yield sign_of_class(c, label in scene.classes), called.get(label, f"class {label}")
    if scene.vectors:
        yield lambda x, y: stroke(circle(x, y, 5), 1, colour="#000000"), "support vector"
    if lines:
        yield lambda x, y: dash(x, y, BORDER), "border, f = 0"
        yield lambda x, y: dash(x, y, MARGIN), "margins, f = -1 and f = +1"
        yield lambda x, y: dash(x, y, SLACK), "slack, to its margin"


def patch(c, x, y):
    """Return a patch of the region of class c."""
    return f'<rect x="{x - 8}" y="{y - 8}" width="16" height="16" fill="{tint(c)}"/>'


def dash(x, y, style):
    """Return a short line of a style."""
    return stroke(f"M{x - 9} {y}h18", **style)
