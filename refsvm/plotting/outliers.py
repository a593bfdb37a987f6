"""The picture of a machine of one class, or of a ball, with two features: where most rows lie.

Inside, where f > 0, the paper is the darker the larger f is: a step at each quarter of the largest
f that is seen. Outside it is white.
"""

from ..estimators.labels import plain_labels
from .contours import level_lines, regions
from .grids import cells, decision_grids, grid_places
from .palette import tint
from .scenes import in_order
from .signs import (
    BORDER,
    border,
    class_entries,
    dash,
    examples,
    mark_size,
    names_of,
    ring_entry,
    rings,
    scale_entry,
)
from .svg import box, frame_around, path

INSIDE, OUTSIDE = 1, -1
WORDS = {INSIDE: "inside, f >= 0", OUTSIDE: "outlier, f < 0"}
SHADES = (5, 10, 15, 20)  # of a hundred parts of the colour of INSIDE


def outlier_parts(scene, X, y, called, grid):
    """Return the frame, what is drawn in it, and the entries of the legend.

    Without y an example is marked by the side that it lies on.
    """
    frame = frame_around(X)
    if y is None:
        y = [INSIDE if f >= 0 else OUTSIDE for (f,) in scene.decisions(X)]
        called = {**WORDS, **(called or {})}
    y = plain_labels(y, len(X))
    classes = in_order({*y, INSIDE, OUTSIDE} if {INSIDE, OUTSIDE}.issuperset(y) else y)
    (field,) = decision_grids(frame, scene, grid or cells(scene))
    top = max(map(max, field))
    lines = level_lines(*grid_places(frame, field), field, 0)
    marked, shown = examples(frame, classes, X, y)
    parts = [
        *_shaded(frame, field, top),
        *rings(frame, scene, mark_size(len(X))),
        *marked,
        *border({0: lines}),
    ]
    every = class_entries(classes, [], names_of(classes, called, shown))
    entries = [entry for entry, (_, count) in zip(every, shown) if count] + ring_entry(scene)
    if lines:
        entries.append((lambda x, y: dash(x, y, BORDER), "border, f = 0"))
    if top > 0:
        entries.append((_sign_of_shades, f"f, from 0 to {top:.3g}"))
    return frame, parts, entries + scale_entry(frame)


def _shaded(frame, field, top):
    """Yield the regions between the levels of f, from the outermost."""
    if top > 0:
        share = top / len(SHADES)
        fields = [[[f - share * k for f in row] for row in field] for k in range(len(SHADES))]
        found = regions(*grid_places(frame, field), fields, lambda signs: signs.count(True))
        for k in sorted(found):
            if k:
                colour, d = shade(k - 1), "".join(path(polygon) + "z" for polygon in found[k])
                yield f'<path fill="{colour}" stroke="{colour}" d="{d}"/>'


def shade(k):
    """Return the colour of the k-th step."""
    return tint(in_order([INSIDE, OUTSIDE]).index(INSIDE), SHADES[k])


def _sign_of_shades(x, y):
    """Return the steps side by side."""
    wide = 20 // len(SHADES)
    return "".join(
        box(x - 10 + wide * k, y - 10, wide, 20, f'fill="{shade(k)}"') for k in range(len(SHADES))
    )
