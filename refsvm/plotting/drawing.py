"""A picture of a machine with two features, as SVG text.

    region       where a class is predicted, in a light tint of its colour
    border       f = 0                       margins     f = -1 and f = +1
    ring         a support vector            slack       from a point with y f < 1 to its margin

The SVM wants every example on its own side of the border and beyond its own margin. The slack is
how far an example falls short, and only the examples with a ring decide where the border runs.
With more than two classes the regions are those of the vote, and there is no single margin.

A class has the same sign in every picture (palette.py). Rings lie below the marks, so that they
hide none, and of marks at one place each is smaller than the one below it. The same input gives
the same text, byte for byte. How lines and regions are found: contours.py; how things are drawn:
svg.py, which also tells the letters u, v, x, y.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..estimators.feature_names import refuse_other_names
from ..estimators.labels import plain_labels
from ..numerics.options import instance_of, text
from ..numerics.quoting import quote, shorten
from ..numerics.types import Label, Labels, RowsLike
from ..numerics.validation import check_length, matrix, sequence
from ..numerics.validation import nearest as nearest_number
from ..svm.one_vs_one import first_largest, votes_of
from .contours import level_lines, regions
from .palette import SIZE, circle, marks, tint
from .pictures import Picture
from .scenes import NOTHING, class_name, in_order, scene_of
from .slack_lines import slacks
from .svg import HEIGHT, TOP, WIDTH, axes, box, document, frame_around, path, stroke, words

ONE_CELL = (1, 1)  # columns and rows of the grid on which decisions are taken: exact if linear
FINE, COARSE = (100, 75), (52, 39)  # coarse where there is much to compute at each place
MUCH = 6, 1000  # classes, as the work grows with their square, and support vectors
MANY = 1500  # marks of one sort; more are thinned out, they would hide each other
BORDER = {"width": 2}
MARGIN = {"width": 1.2, "style": 'stroke-dasharray="5 3" '}
SLACK = {"width": 0.8, "style": 'stroke-opacity="0.8" '}
RING = {"width": 1.3, "colour": "#000000"}
ROOM = 3  # pixels between a mark and the ring around it
NAMES = ("feature 1", "feature 2")
LONGEST = 28  # characters of a line of the legend
LINE = 22  # pixels from one sign of the legend to the next


def plot(
    model: Any,
    X: RowsLike,
    y: Labels,
    *,
    title: str = "",
    names: Sequence[str] | None = None,
    called: Mapping[Label, str] | None = None,
) -> Picture:
    """Draw a machine with two features: its regions, margins and support vectors, and examples.

    Parameters
    ----------
    model : Model, OneAgainstOne or fitted SVC
        of any number of classes
    X : n rows of two numbers
        the examples to show; none need be one that the machine was trained on
    y : n labels
    title : str
        written above the kernel, C (of an SVC) and the count of support vectors
    names : two texts, of the axes
        by default the columns of the data frame that an SVC was fitted to
    called : dict
        {label: what the legend calls its class}

    Returns
    -------
    Picture
        the text of an SVG file; a notebook shows it

    Raises
    ------
    ValueError or TypeError
        unless the machine is trained and has two features, and so has X

    Notes
    -----
    O(grid * vectors), with some thousand places in the grid.

    Examples
    --------
    >>> from refsvm.estimators.svc import SVC
    >>> X, y = [[0, 0], [1, 0], [3, 3], [4, 3]], ["no", "no", "yes", "yes"]
    >>> picture = plot(SVC(kernel="linear").fit(X, y), X, y, title="Four examples")
    >>> picture[:4], "Linear(), C = 1, 2 support vectors" in picture
    ('<svg', True)
    """
    scene, known = scene_of(model), getattr(model, "feature_names_in_", None)
    refuse_other_names(X, known)
    names = axis_names(model) if names is None else names
    return draw(scene, X, y, title, names, called)


def axis_names(machine):
    """Return the names of the two features: those of the data frame that an SVC was fitted to."""
    known = getattr(machine, "feature_names_in_", None)
    return NAMES if known is None else list(known)


def picture(X, y, model=None, *, title="", names=NAMES, called=None):
    """Return the text of an SVG file that shows the rows X with labels y, and how model decides.

    It is that of plot; without a model, of the examples alone.

    >>> picture([[0, 0], [1, 1]], [-1, 1])[:4]
    '<svg'
    """
    scene = NOTHING if model is None else scene_of(model)
    return draw(scene, X, y, title, names, called)


def draw(scene, X, y, title="", names=NAMES, called=None, grid=None):
    """Return the Picture of a Scene, on this grid or its own; the rest as for plot."""
    title, names = text(title, "title"), sequence(names, "names")
    check_length(names, 2, "names")
    names = [text(name, f"names[{k}]") for k, name in enumerate(names)]
    called = None if called is None else instance_of(dict, called, "called")
    X = matrix(X, "X")
    y = plain_labels(y, len(X))
    if len(X[0]) != 2:
        raise ValueError(f"X[0] has length {len(X[0])}; a picture shows two features")
    X = [[nearest_number(float, v, "a number of X") for v in row] for row in X]
    frame, classes = frame_around(X), in_order([*scene.classes, *y])
    fields = decision_grids(frame, scene, grid or cells(scene))
    lines = margin_lines(frame, fields)
    found, shown = examples(frame, classes, X, y)
    short = [stroke(d, **SLACK) for d in slacks(frame, scene, lines, X, y, thin_out) if d]
    drawn = {"slack": short, "border": lines.get(0), "margins": lines.get(1) or lines.get(-1)}
    names_in = names_of(classes, called, shown)
    entries = legend_entries(frame, classes, scene, names_in, [w for w in drawn if drawn[w]])
    return document(
        frame,
        (title, scene.about),
        [
            *region_paths(frame, scene, classes, fields),
            *short,
            *rings(frame, scene, mark_size(len(X))),
            *found,
            *border(lines),
            *axes(frame, names),
            *legend(frame, entries),
        ],
        legend_bottom(entries),
    )


def decision_grids(frame, scene, grid):
    """Return for each pair of classes the grid of its decisions, rows from the top."""
    if not scene.classes:
        return []
    columns, rows = ONE_CELL if scene.is_linear else grid
    us, vs = steps(*frame.u, columns), steps(*frame.v, rows)[::-1]
    decisions = zip(*scene.decisions([[u, v] for v in vs for u in us]))
    wide = len(us)
    return [[f[start : start + wide] for start in range(0, len(f), wide)] for f in decisions]


def cells(scene):
    """Return the columns and rows of the grid that a machine needs, if it is not linear."""
    classes, vectors = MUCH
    return FINE if len(scene.classes) <= classes and len(scene.vectors) <= vectors else COARSE


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


def region_paths(frame, scene, classes, fields):
    """Yield the regions, each half a pixel too wide, so that no white is left between two."""
    if fields:
        k = len(scene.classes)
        xs, ys = grid_places(frame, fields[0])
        parts = regions(xs, ys, fields, lambda signs: first_largest(votes_of(signs, k)))
        for p in sorted(parts):
            colour = tint(classes.index(scene.classes[p]))
            d = "".join(path(polygon) + "z" for polygon in parts[p])
            yield f'<path fill="{colour}" stroke="{colour}" d="{d}"/>'


def border(lines):
    """Yield the margins, and over them the border."""
    for level, of_level in lines.items():
        if of_level:
            yield stroke("".join(map(path, of_level)), **(MARGIN if level else BORDER))


def examples(frame, classes, X, y):
    """Return one path of marks for each class, and how many of how many marks it shows."""
    size = mark_size(len(X))
    found, shown, taken = [], [], set()
    for c, label in enumerate(classes):
        every = [frame.place(row) for row, of_row in zip(X, y) if of_row == label]
        places = thin_out(every)
        free = [place for place in places if place not in taken]
        found.append(marks(c, free, size))
        if len(free) < len(places):  # smaller, so that the mark below is seen
            found.append(marks(c, [place for place in places if place in taken], 0.6 * size))
        taken.update(places)
        shown.append((len(places), len(every)))
    return found, shown


def mark_size(n):
    """Return the size of the marks of n examples."""
    return SIZE if n <= 400 else 2.7 if n <= 2000 else 2.0


def rings(frame, scene, size=SIZE):
    """Yield a ring around each support vector that is shown, to be seen around marks of a size."""
    places = thin_out(frame.place(row) for row in scene.vectors if frame.shows(row))
    if places:
        yield stroke("".join(circle(x, y, size + ROOM) for x, y in places), **RING)


def thin_out(places):
    """Return at most MANY of the places: one for each cell of a lattice that is coarse enough.

    >>> thin_out([(0.5, 0.5), (7.0, 7.0)])
    [(0.5, 0.5), (7.0, 7.0)]
    """
    kept, cell = list(places), 1
    while len(kept) > MANY:
        kept = list({(x // cell, y // cell): (x, y) for x, y in reversed(kept)}.values())[::-1]
        cell *= 2
    return kept


def names_of(classes, called, shown):
    """Return what the legend says of each class: its name, and how many marks were thinned out."""
    texts = []
    for label, (drawn, count) in zip(classes, shown):
        name = text((called or {}).get(label, class_name(label)), f"called[{quote(label)}]")
        some = "" if drawn == count else f" ({drawn:,} of {count:,})"
        texts.append(shorten(name, LONGEST - len(some)) + some if some else name)
    return texts


def legend_entries(frame, classes, scene, texts, lines=("border", "margins", "slack")):
    """Return [(function that draws a sign at x, y; its meaning)], for all in the picture."""
    entries = [
        (sign_of_class(c, label in scene.classes), meaning)
        for c, (label, meaning) in enumerate(zip(classes, texts))
    ]
    if scene.vectors:
        entries.append((lambda x, y: stroke(circle(x, y, SIZE + ROOM), **RING), "support vector"))
    if "border" in lines:
        entries.append((lambda x, y: dash(x, y, BORDER), "border, f = 0"))
    if "margins" in lines:
        entries.append((lambda x, y: dash(x, y, MARGIN), "margins, f = -1 and f = +1"))
    if "slack" in lines:
        entries.append((lambda x, y: dash(x, y, SLACK), "slack, to its margin"))
    if not frame.has_one_scale():
        entries.append((lambda x, y: "", "the axes differ in scale"))
    return entries


def legend(frame, entries):
    """Yield what each sign of the picture means, at its right; signs stand on the plot's paper."""
    x, y = frame.left + WIDTH + 26, TOP + 12
    for sign, meaning in entries:
        drawn = sign(x, y)
        if drawn:
            yield box(x - 10, y - 10, 20, 20, 'fill="#ffffff"') + drawn
        yield words(x + 18, y + 4, meaning, "start", LONGEST)
        y += LINE


def legend_bottom(entries):
    """Return how high a picture must be for its legend."""
    return TOP + LINE * (len(entries) + 1)


def sign_of_class(c, is_predicted):
    """Return the sign of class c: its mark, on its colour if the model predicts the class."""
    patch = f'fill="{tint(c)}"'
    return lambda x, y: (
        (box(x - 10, y - 10, 20, 20, patch) if is_predicted else "") + marks(c, [(x, y)])
    )


def dash(x, y, style):
    """Return a short line of a style."""
    return stroke(f"M{x - 9} {y}h18", **style)
