"""A picture of a machine with two features, as SVG text.

    region       where a class is predicted, in a light tint of its colour
    border       f = 0                       margins     f = -1 and f = +1
    ring         a support vector            slack       from a point with y f < 1 to its margin

The SVM wants every example on its own side of the border and beyond its own margin. The slack is
how far an example falls short, and only the examples with a ring decide where the border runs.
With more than two classes the regions are those of the vote, and there is no single margin. What
the pictures of the other machines show: tubes.py and outliers.py.

A class has the same sign in every picture (palette.py). Rings lie below the marks, so that they
hide none, and of marks at one place each is smaller than the one below it. The same input gives
the same text, byte for byte. How lines and regions are found: contours.py; how things are drawn:
svg.py, which also tells the letters u, v, x, y.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..estimators.estimator import refuse_other_names
from ..estimators.labels import plain_labels
from ..numerics.types import Label, Labels, RowsLike
from ..numerics.validation import check_length, instance_of, matrix, sequence, text
from ..numerics.validation import nearest as nearest_number
from ..svm.one_vs_one import first_largest, votes_of
from .contours import level_lines, regions
from .grids import cells, decision_grids, grid_places
from .outliers import outlier_parts
from .palette import tint
from .pictures import Picture
from .scenes import NOTHING, in_order, scene_of, shows
from .signs import (
    BORDER,
    MARGIN,
    SLACK,
    border,
    class_entries,
    dash,
    examples,
    legend,
    legend_bottom,
    mark_size,
    names_of,
    ring_entry,
    rings,
    scale_entry,
    thin_out,
)
from .slack_lines import slacks
from .svg import axes, document, frame_around, path, stroke
from .tubes import tube_parts

NAMES = ("feature 1", "feature 2")


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
    scene, known = scene_of(model), getattr(model, "feature_names_in_", None)
    refuse_other_names(X, known)
    names = axis_names(model, scene) if names is None else names
    return draw(scene, X, y, title, names, called)


def axis_names(machine, scene):
    """Return the names of the axes: columns of the data frame that an estimator was fitted to."""
    known = getattr(machine, "feature_names_in_", None)
    if scene.task == "regression":
        return [*(known or ["feature"]), "value"]
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
    if len(X[0]) != scene.features:
        raise ValueError(f"X[0] has length {len(X[0])}; {shows(scene.features)}")
    X = [[nearest_number(float, v, "a number of X") for v in row] for row in X]
    if scene.task == "regression":
        frame, parts, entries = tube_parts(scene, X, y, called)
    elif scene.task == "outliers":
        frame, parts, entries = outlier_parts(scene, X, y, called, grid)
    else:
        frame, parts, entries = _class_parts(scene, X, y, called, grid)
    return document(
        frame,
        (title, scene.about),
        [*parts, *axes(frame, names), *legend(frame, entries)],
        legend_bottom(entries),
    )


def _class_parts(scene, X, y, called, grid):
    """Return the frame, what is drawn in it, and the entries of the legend."""
    y = plain_labels(y, len(X))
    frame, classes = frame_around(X), in_order([*scene.classes, *y])
    fields = decision_grids(frame, scene, grid or cells(scene))
    lines = margin_lines(frame, fields)
    found, shown = examples(frame, classes, X, y)
    short = [stroke(d, **SLACK) for d in slacks(frame, scene, lines, X, y, thin_out) if d]
    drawn = {"slack": short, "border": lines.get(0), "margins": lines.get(1) or lines.get(-1)}
    names_in = names_of(classes, called, shown)
    entries = legend_entries(frame, classes, scene, names_in, [w for w in drawn if drawn[w]])
    parts = [
        *_region_paths(frame, scene, classes, fields),
        *short,
        *rings(frame, scene, mark_size(len(X))),
        *found,
        *border(lines),
    ]
    return frame, parts, entries


def margin_lines(frame, fields):
    """Return {level: the lines where f is that level} of two classes; nothing for more."""
    if len(fields) != 1:
        return {}
    xs, ys = grid_places(frame, fields[0])
    return {level: level_lines(xs, ys, fields[0], level) for level in (-1, 1, 0)}


def _region_paths(frame, scene, classes, fields):
    """Yield the regions, each half a pixel too wide, so that no white is left between two."""
    if fields:
        k = len(scene.classes)
        xs, ys = grid_places(frame, fields[0])
        parts = regions(xs, ys, fields, lambda signs: first_largest(votes_of(signs, k)))
        for p in sorted(parts):
            colour = tint(classes.index(scene.classes[p]))
            d = "".join(path(polygon) + "z" for polygon in parts[p])
            yield f'<path fill="{colour}" stroke="{colour}" d="{d}"/>'


def legend_entries(frame, classes, scene, texts, lines=("border", "margins", "slack")):
    """Return [(function that draws a sign at x, y; its meaning)], for all in the picture."""
    entries = [*class_entries(classes, scene.classes, texts), *ring_entry(scene)]
    if "border" in lines:
        entries.append((lambda x, y: dash(x, y, BORDER), "border, f = 0"))
    if "margins" in lines:
        entries.append((lambda x, y: dash(x, y, MARGIN), "margins, f = -1 and f = +1"))
    if "slack" in lines:
        entries.append((lambda x, y: dash(x, y, SLACK), "slack, to its margin"))
    return entries + scale_entry(frame)
