"""A picture of a machine with two features, as SVG text.

    region       where a class is predicted, in a light tint of its colour
    border       f = 0                       margins     f = -1 and f = +1
    ring         a support vector            slack       from a point with y f < 1 to its margin
    shade        of one class and the ball: the darker, the larger f is

The SVM wants every example on its own side of the border and beyond its own margin. The slack is
how far an example falls short, and only the examples with a ring decide where the border runs.
With more than two classes the regions are those of the vote, and there is no single margin. Of one
class, or a ball, f = 0 is the border between inside and outside. What the picture of a regression
shows: regression_picture.py.

A class has the same sign in every picture (marks_and_legend.py). Rings lie below the marks, so
that they hide none, and of marks at one place each is smaller than the one below it. The same
input gives the same text, byte for byte. How lines and regions are found: contours.py; how things
are drawn: svg.py, which also tells the letters u, v, x, y.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..estimators.estimator import refuse_other_names
from ..estimators.labels import plain_labels
from ..numerics.types import Label, Labels, RowsLike
from ..numerics.validation import check_length, instance_of, matrix, nearest, sequence, text
from ..svm.one_vs_one import first_largest, votes_of
from .contours import level_lines, regions
from .marks_and_legend import (
    BORDER,
    DASHED,
    HAIRLINE,
    border_paths,
    class_entries,
    dash,
    example_marks,
    in_order,
    legend,
    legend_bottom,
    legend_names,
    mark_size,
    ring_entry,
    rings,
    scale_entry,
    thin_out,
    tint,
)
from .regression_picture import regression_parts
from .svg import HEIGHT, TOP, WIDTH, Picture, axes, box, frame_around, path, stroke, svg_document
from .trained_machines import (
    EMPTY_MACHINE,
    decision_grids,
    features_shown,
    grid_places,
    grid_size,
    trained_machine_of,
)

AXIS_NAMES = ("feature 1", "feature 2")
INNER, OUTER = 1, -1  # the classes of one class and the ball, the second and the first in order
SIDE_NAMES = {INNER: "inside, f >= 0", OUTER: "outlier, f < 0"}
SHADES = (5, 10, 15, 20)  # of a hundred parts of the colour of INNER


def plot(
    model: Any,
    X: RowsLike,
    y: Labels | None = None,
    *,
    title: str = "",
    names: Sequence[str] | None = None,
    called: Mapping[Label, str] | None = None,
) -> Picture:
    """Draw a machine: its regions, tube or levels, its support vectors, and examples.

    Parameters
    ----------
    model : a model, or an estimator that is fitted
        for classes, one class or a ball of two features; for regression of one
    X : n rows of two numbers, for regression of one
        the examples to show; none need be one that the machine was trained on
    y : n labels, for regression n numbers
        None for one class and the ball: the side of f = 0 that an example lies on
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
        unless the machine is trained and has two features (regression: one), and so has X

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
    machine, known = trained_machine_of(model), getattr(model, "feature_names_in_", None)
    refuse_other_names(X, known)
    names = axis_names(model, machine) if names is None else names
    return draw_machine(machine, X, y, title, names, called)


def axis_names(fitted, machine):
    """Return the names of the axes: columns of the data frame that an estimator was fitted to."""
    known = getattr(fitted, "feature_names_in_", None)
    if machine.task == "regression":
        return [*(known or ["feature"]), "value"]
    return AXIS_NAMES if known is None else list(known)


def picture(X, y, model=None, *, title="", names=AXIS_NAMES, called=None):
    """Return the text of an SVG file that shows the rows X with labels y, and how model decides.

    It is that of plot; without a model, of the examples alone.

    >>> picture([[0, 0], [1, 1]], [-1, 1])[:4]
    '<svg'
    """
    machine = EMPTY_MACHINE if model is None else trained_machine_of(model)
    return draw_machine(machine, X, y, title, names, called)


def draw_machine(machine, X, y, title="", names=AXIS_NAMES, called=None, grid=None):
    """Return the Picture of a TrainedMachine, on this grid or its own; the rest as for plot."""
    title, names = text(title, "title"), sequence(names, "names")
    check_length(names, 2, "names")
    names = [text(name, f"names[{k}]") for k, name in enumerate(names)]
    called = None if called is None else instance_of(dict, called, "called")
    X = matrix(X, "X")
    if len(X[0]) != machine.features:
        raise ValueError(f"X[0] has length {len(X[0])}; {features_shown(machine.features)}")
    X = [[nearest(float, v, "a number of X") for v in row] for row in X]
    if machine.task == "regression":
        frame, parts, entries = regression_parts(machine, X, y, called)
    elif machine.task == "outliers":
        frame, parts, entries = _one_class_parts(machine, X, y, called, grid)
    else:
        frame, parts, entries = _class_parts(machine, X, y, called, grid)
    return svg_document(
        frame,
        (title, machine.about),
        [*parts, *axes(frame, names), *legend(frame, entries)],
        legend_bottom(entries),
    )


# ---- classes


def _class_parts(machine, X, y, called, grid):
    """Return the frame, what is drawn in it, and the entries of the legend."""
    y = plain_labels(y, len(X))
    frame, classes = frame_around(X), in_order([*machine.classes, *y])
    fields = decision_grids(frame, machine, grid or grid_size(machine))
    lines = border_and_margins(frame, fields)
    found, shown = example_marks(frame, classes, X, y)
    short = [stroke(d, **HAIRLINE) for d in slack_paths(frame, machine, lines, X, y) if d]
    drawn = {"slack": short, "border": lines.get(0), "margins": lines.get(1) or lines.get(-1)}
    names_in = legend_names(classes, called, shown)
    entries = legend_entries(frame, classes, machine, names_in, [w for w in drawn if drawn[w]])
    parts = [
        *_region_paths(frame, machine, classes, fields),
        *short,
        *rings(frame, machine, mark_size(len(X))),
        *found,
        *border_paths(lines),
    ]
    return frame, parts, entries


def border_and_margins(frame, fields):
    """Return {level: the lines where f is that level} of two classes; nothing for more."""
    if len(fields) != 1:
        return {}
    xs, ys = grid_places(frame, fields[0])
    levels = (-1, 1, 0)  # the border last, to be drawn over the margins
    return {level: level_lines(xs, ys, fields[0], level) for level in levels}


def _region_paths(frame, machine, classes, fields):
    """Yield the regions, each half a pixel too wide, so that no white is left between two."""
    if fields:
        k = len(machine.classes)
        xs, ys = grid_places(frame, fields[0])
        parts = regions(xs, ys, fields, lambda signs: first_largest(votes_of(signs, k)))
        for p in sorted(parts):
            yield _filled(parts[p], tint(classes.index(machine.classes[p])))


def _filled(polygons, colour):
    """Return polygons in one colour, each half a pixel larger on every side."""
    d = "".join(path(polygon) + "z" for polygon in polygons)
    return f'<path fill="{colour}" stroke="{colour}" d="{d}"/>'


def legend_entries(frame, classes, machine, texts, lines=("border", "margins", "slack")):
    """Return [(function that draws a sign at x, y; its meaning)], for all in the picture."""
    entries = [*class_entries(classes, machine.classes, texts), *ring_entry(machine)]
    if "border" in lines:
        entries.append((lambda x, y: dash(x, y, BORDER), "border, f = 0"))
    if "margins" in lines:
        entries.append((lambda x, y: dash(x, y, DASHED), "margins, f = -1 and f = +1"))
    if "slack" in lines:
        entries.append((lambda x, y: dash(x, y, HAIRLINE), "slack, to its margin"))
    return entries + scale_entry(frame)


# ---- slack: for the linear kernel at right angles to the margin, and not beyond the plot;
# otherwise to the nearest place of the margin that is seen


def slack_paths(frame, machine, lines, X, y):
    """Yield for each of two classes the path of its slack lines, as thin_out leaves them."""
    for label, level in zip(machine.classes, (1, -1)):
        rows = [row for row, of_row in zip(X, y) if of_row == label]
        if rows and lines and (lines[level] or machine.is_linear):
            short = [(row, f) for row, (f,) in zip(rows, machine.decisions(rows)) if level * f < 1]
            ends = dict(_ends_of_slack(frame, machine, lines[level], level, short))
            yield "".join(path((start, ends[start])) for start in thin_out(ends))


def _ends_of_slack(frame, machine, margin, level, short):
    """Yield the two ends of each line, as places."""
    normal = _normal_of(frame, machine) if machine.is_linear else None
    for row, f in short:
        place = frame.place(row)
        if normal is None:
            yield place, nearest_place(place, margin)
        elif any(normal):
            yield place, _end_in_plot(frame, place, _foot_on_margin(frame, row, f - level, normal))


def _normal_of(frame, machine):
    """Return w of a linear machine, from its decisions at three corners of the plot."""
    (u0, u1), (v0, v1) = frame.u, frame.v
    (f,), (right,), (up,) = machine.decisions([[u0, v0], [u1, v0], [u0, v1]])
    return (right - f) / (u1 - u0), (up - f) / (v1 - v0)


def _foot_on_margin(frame, row, above, w):
    """Return the place of the margin nearest to a row whose f is `above` larger."""
    size = max(map(abs, w))  # the square of c / size is a double, that of c may be none
    p, q = (c / size for c in w)
    t = above / size / (p * p + q * q)
    return frame.place((row[0] - t * p, row[1] - t * q))


def _end_in_plot(frame, start, end):
    """Return the end of the part of a line that is in the plot; the start is."""
    share = 1.0
    edges = ((frame.left, frame.left + WIDTH), (TOP, TOP + HEIGHT))
    for a, b, (low, high) in zip(start, end, edges):
        if not low <= b <= high:
            share = min(share, ((low if b < low else high) - a) / (b - a))
    return tuple(a + share * (b - a) for a, b in zip(start, end))


def nearest_place(point, lines):
    """Return the place on some lines that is nearest to a point.

    >>> nearest_place((1.0, 5.0), [[(0.0, 0.0), (3.0, 0.0)]])
    (1.0, 0.0)
    """
    x, y = point
    best = None
    for line in lines:
        for (x0, y0), (x1, y1) in zip(line, line[1:]):
            dx, dy = x1 - x0, y1 - y0
            length2 = dx * dx + dy * dy
            t = ((x - x0) * dx + (y - y0) * dy) / length2 if length2 else 0.0
            t = min(max(t, 0.0), 1.0)  # beyond an end of the piece, that end is nearest
            p, q = x0 + t * dx, y0 + t * dy
            distance2 = (p - x) * (p - x) + (q - y) * (q - y)
            if best is None or distance2 < best[0]:
                best = distance2, (p, q)
    return best[1]


# ---- one class, or a ball


def _one_class_parts(machine, X, y, called, grid):
    """Return the frame, what is drawn in it, and the entries of the legend.

    Without y an example is marked by the side that it lies on.
    """
    if y is None:
        y = [INNER if f >= 0 else OUTER for (f,) in machine.decisions(X)]
        called = {**SIDE_NAMES, **(called or {})}
    y = plain_labels(y, len(X))
    frame, classes = frame_around(X), _one_class_classes(y)
    (field,) = decision_grids(frame, machine, grid or grid_size(machine))
    border = level_lines(*grid_places(frame, field), field, 0)
    highest = max(map(max, field))  # f of the place that is farthest inside, of those seen
    marks, shown = example_marks(frame, classes, X, y)
    parts = [
        *_shaded_regions(frame, field, highest),
        *rings(frame, machine, mark_size(len(X))),
        *marks,
        *border_paths({0: border}),
    ]
    of_classes = class_entries(classes, [], legend_names(classes, called, shown))
    entries = [entry for entry, (_, count) in zip(of_classes, shown) if count]
    entries += ring_entry(machine)
    if border:
        entries.append((lambda x, y: dash(x, y, BORDER), "border, f = 0"))
    if highest > 0:
        entries.append((_sign_of_shades, f"f, from 0 to {highest:.3g}"))
    return frame, parts, entries + scale_entry(frame)


def _one_class_classes(y):
    """Return the classes whose signs the examples have.

    Both sides are classes, even if all examples lie on one: a class has its sign by its place in
    the order, and inside must not look like outside where there is no outlier.
    """
    return in_order({*y, INNER, OUTER} if {INNER, OUTER}.issuperset(y) else y)


def _shaded_regions(frame, field, highest):
    """Yield the regions inside, a shade for each quarter of the highest f; outside stays white.

    There is one function for each shade, f less the level at which the shade begins. As many as
    are above 0 at a place, so dark it is there.
    """
    if highest <= 0:
        return
    levels = [highest / len(SHADES) * k for k in range(len(SHADES))]
    above = [[[f - level for f in row] for row in field] for level in levels]
    parts = regions(*grid_places(frame, field), above, lambda signs: signs.count(True))
    for steps in sorted(parts):
        if steps:
            yield _filled(parts[steps], _shade(steps - 1))


def _shade(k):
    """Return the colour of the k-th shade."""
    return tint(in_order([INNER, OUTER]).index(INNER), SHADES[k])


def _sign_of_shades(x, y):
    """Return the shades side by side."""
    wide = 20 // len(SHADES)
    return "".join(
        box(x - 10 + wide * k, y - 10, wide, 20, f'fill="{_shade(k)}"') for k in range(len(SHADES))
    )
