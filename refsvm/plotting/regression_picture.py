"""The picture of a regression with one feature: examples, f, and the tube around it.

The feature runs to the right, the values upwards, each on a scale of its own. Where epsilon is
known the tube is drawn, and from each example outside it a slack line to it. A support vector is
an example on the tube or outside, and is known by its row: of several examples with one row it is
the highest if its multiplier is positive, else the lowest.
"""

from collections import Counter

from ..numerics.validation import check_length, nearest, vector
from .contours import cell_ends
from .marks_and_legend import (
    BORDER,
    CIRCLE,
    DASHED,
    HAIRLINE,
    RING_GAP,
    SIZE,
    circle,
    dash,
    legend_names,
    mark_size,
    marks,
    ring_entry,
    thin_out,
)
from .svg import box, frame_filled, path, stroke

CURVE_PLACES = 280  # of the curve: every second pixel
TUBE_COLOUR = "#e8eef2"
EXAMPLE = 1  # its sign is that of the second class, a disc
MIN_SLACK_PIXELS = 0.5  # pixels: no slack line is shorter


def regression_parts(machine, X, y, called):
    """Return the frame, what is drawn in it, and the entries of the legend."""
    y = [nearest(float, v, "a number of y") for v in vector(y, "y")]
    check_length(y, len(X), "y")
    examples = [(u, v, f) for (u,), v, (f,) in zip(X, y, machine.decisions(X))]
    width = machine.epsilon or 0.0
    frame = frame_of(machine, examples, width)
    us = cell_ends(*frame.u, CURVE_PLACES)
    curve = list(zip(us, _values(machine, us)))
    edges = [[(u, f + side) for u, f in curve] for side in (width, -width)] if width else []
    places = thin_out(frame.place((u, v)) for u, v, _ in examples)
    slack = [] if machine.epsilon is None else _slack_path(frame, examples, width)
    circles = "".join(
        circle(*place, mark_size(len(X)) + RING_GAP)
        for place in thin_out(map(frame.place, of_support(machine, examples)))
    )
    parts = [
        *([_band(frame, *edges)] if edges else []),
        *([stroke(slack, **HAIRLINE)] if slack else []),
        *([stroke(circles, **CIRCLE)] if circles else []),
        marks(EXAMPLE, places, mark_size(len(X))),
        *(_curve(frame, edge, DASHED) for edge in edges),
        _curve(frame, curve, BORDER),
    ]
    (name,) = legend_names(["example"], called, [(len(places), len(X))])
    entries = [(lambda x, y: marks(EXAMPLE, [(x, y)], SIZE), name)]
    entries += ring_entry(machine)
    entries.append((lambda x, y: dash(x, y, BORDER), "prediction f"))
    if edges:
        entries.append((_sign_of_tube, f"tube, {width:.4g} to each side"))
    if slack:
        entries.append((lambda x, y: dash(x, y, HAIRLINE), "slack, to the tube"))
    return frame, parts, entries


def _values(machine, us):
    """Return f at these places."""
    return [f for (f,) in machine.decisions([[u] for u in us])]


def frame_of(machine, examples, width):
    """Return the Frame that shows the examples, and the tube between the first and the last."""
    us = [u for u, _, _ in examples]
    along = _values(machine, cell_ends(min(us), max(us), CURVE_PLACES))
    return frame_filled(
        us, [v for _, v, _ in examples] + [f + width for f in along] + [f - width for f in along]
    )


def of_support(machine, examples):
    """Yield the examples (u, v) that are support vectors."""
    for upper in (True, False):
        signed = [row[0] for row, c in zip(machine.vectors, machine.coefs) if (c > 0) == upper]
        left = Counter(map(float, signed))
        for u, v, _ in sorted(examples, key=lambda example: example[1], reverse=upper):
            if left[u] > 0:
                left[u] -= 1
                yield u, v


def _slack_path(frame, examples, width):
    """Return the path of the lines from the examples outside the tube to it."""
    ends = [
        (frame.place((u, v)), frame.place((u, f + width if v > f else f - width)))
        for u, v, f in examples
        if abs(v - f) > width
    ]
    long = {start: end for start, end in ends if abs(start[1] - end[1]) > MIN_SLACK_PIXELS}
    return "".join(path((start, long[start])) for start in thin_out(long))


def _band(frame, above, below):
    """Return the tube between its edges, as much as is in the plot."""
    corners = [(u, min(max(v, frame.v[0]), frame.v[1])) for u, v in above + below[::-1]]
    return f'<path fill="{TUBE_COLOUR}" d="{path(map(frame.place, corners))}z"/>'


def _curve(frame, points, style):
    """Return a curve, as much as is in the plot."""
    return stroke("".join(path(map(frame.place, run)) for run in runs(points, *frame.v)), **style)


def runs(points, low, high):
    """Yield the pieces of a line through (u, v) where v is from low to high.

    >>> list(runs([(0.0, 0.0), (2.0, 4.0), (3.0, 4.0)], 0.0, 2.0))
    [[(0.0, 0.0), (1.0, 2.0)]]
    """
    run = []
    for start, end in zip(points, points[1:]):
        inside = _part_between(start, end, low, high)
        if run and (not inside or inside[0] != run[-1]):
            yield run
            run = []
        if inside:
            run = run + inside[1:] if run else inside
    if run:
        yield run


def _part_between(start, end, low, high):
    """Return the ends of the part of a segment where v is from low to high; [] if none is."""
    (u, v), (p, q) = start, end
    if max(v, q) < low or min(v, q) > high:
        return []

    def at(level):
        return u + (level - v) / (q - v) * (p - u), level

    return [
        end_of if low <= end_of[1] <= high else at(low if end_of[1] < low else high)
        for end_of in (start, end)
    ]


def _sign_of_tube(x, y):
    """Return the sign of the tube."""
    edges = stroke(f"M{x - 9} {y - 7}h18M{x - 9} {y + 7}h18", **DASHED)
    return box(x - 10, y - 7, 20, 14, f'fill="{TUBE_COLOUR}"') + edges
