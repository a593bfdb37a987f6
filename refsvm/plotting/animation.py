"""A moving picture of a machine with two features, as SVG text: one frame for each moment.

Every frame has the border, the margins, the slacks and the rings of drawing.py, for the machine as
it is at that moment, rings around the examples that the moment marks, and a caption. The axes,
the examples and the legend stay.

It moves by itself, by rules of style and without a script: each frame is a group that is seen
during its own part of the period, and the last one for longer. Where nothing moves (on paper, in
a program that knows no animation, or where less motion is preferred) the last frame is seen.

    frame     of the plot, see svg.py; or one of the pictures one after the other
    moment    the caption, the marked examples, the machine
    grid      on which decisions are taken: one cell is exact for the linear kernel, contours.py
"""

from typing import Any, NamedTuple

from ..numerics.linalg import squared_distance
from ..numerics.validation import whole_number
from .drawing import (
    border,
    examples,
    legend_entries,
    margin_lines,
    nearest,
    rings,
    scene_of,
    slacks,
    steps,
)
from .svg import COLOURS, TOP, WIDTH, axes, circle, document, frame_around, stroke, words

SECONDS, LAST = 2, 4  # that a frame is seen, and the last one
ONE_CELL, CELLS = (1, 1), (56, 42)  # columns and rows of the grid
NEAR = 0.5  # pixels that a line may be simplified by
GREEN = COLOURS[2][0]
MARK = {"width": 2.5, "colour": GREEN}
FEW = 60  # examples; the slacks of more would hide everything else
LINE = 17  # pixels from one line of the caption to the next


class Moment(NamedTuple):
    """What one frame shows."""

    caption: list  # (name, value), texts; the names are the same at every moment
    marked: list  # (name, index of an example)
    model: Any  # the Model


def animation(X, y, moments, title, names, called):
    """Return the text of an SVG file in which the moments follow each other.

    X are rows of two floats, y the labels +1 and -1; the rest as in drawing.picture.
    O(moments * grid * vectors).
    """
    frames = [draw_frame(X, y, moment) for moment in moments]
    period = SECONDS * (len(frames) - 1) + LAST
    moving = [
        f'<g class="{"step" if k < len(frames) - 1 else "last"}"'
        f' style="animation-delay:{SECONDS * k - period}s">{frame}</g>'
        for k, frame in enumerate(frames)
    ]
    return page(X, y, moments[-1], [style(period), *moving], title, names, called)


def still(X, y, moment, title, names, called):
    """Return the text of an SVG file of one moment, which does not move."""
    return page(X, y, moment, [draw_frame(X, y, moment)], title, names, called)


def page(X, y, moment, parts, title, names, called):
    """Return the document: the parts, and around them examples, axes, legend and caption."""
    frame = frame_around(X)
    return document(
        frame,
        title,
        [
            *examples(frame, scene_of(moment.model).classes, X, y),
            *parts,
            *axes(frame, names),
            *legend(frame, X, moment, called),
            *caption(frame, 0, [name for name, _ in moment.caption]),
        ],
    )


def legend(frame, X, moment, called):
    """Yield what each sign of the picture means, at its right."""
    x, y = frame.left + WIDTH + 24, TOP + 12
    for sign, text in signs(frame, X, moment, called):
        yield sign(x, y) + words(x + 16, y + 4, text, "start")
        y += 22


def signs(frame, X, moment, called):
    """Yield (function that draws the sign at x, y; its meaning): drawing.py's, and the ring."""
    scene, lines = scene_of(moment.model), lines_of(frame, moment.model)
    bare = scene._replace(classes=[])  # no region is region_paths
    for sign, text in legend_entries(scene.classes, bare, called, lines):
        if len(X) <= FEW or not text.startswith("slack"):
            yield sign, text
    if moment.marked:
        yield lambda x, y: stroke(circle(x, y, 7), **MARK), "moved by this step"


def style(period):
    """Return the rules by which one frame after the other is seen."""

    def seen(name, seconds):
        share = f"{100 * seconds / period:.4f}%"
        return f"@keyframes {name}{{0%{{opacity:1}}{share},100%{{opacity:0}}}}"

    return "\n".join(
        [
            "<style>",
            seen("step", SECONDS),
            seen("last", LAST),
            f".step{{opacity:0;animation:step {period}s step-end infinite}}",
            f".last{{opacity:1;animation:last {period}s step-end infinite}}",
            "@media print,(prefers-reduced-motion:reduce){.step,.last{animation:none}}",
            "</style>",
        ]
    )


def draw_frame(X, y, moment):
    """Return one frame as SVG: border, margins, slacks, marked examples and the caption."""
    frame, scene = frame_around(X), scene_of(moment.model)
    lines = lines_of(frame, moment.model)
    return "\n".join(
        [
            *(slacks(frame, scene, lines, X, y) if len(X) <= FEW else []),
            *border(lines),
            *rings(frame, scene),
            *mark_examples(frame, X, moment),
            *caption(frame, 78, [value for _, value in moment.caption]),
        ]
    )


def lines_of(frame, model):
    """Return {level: the lines where f is that level}."""
    columns, rows = ONE_CELL if model.w is not None else CELLS
    us, vs = steps(*frame.u, columns), steps(*frame.v, rows)[::-1]
    lines = margin_lines(frame, [[model.decisions([[u, v] for u in us]) for v in vs]])
    return {level: [simplify(line) for line in of_level] for level, of_level in lines.items()}


def simplify(line):
    """Return the line with fewer points, nowhere more than NEAR pixels from where it was.

    >>> simplify([(0.0, 0.0), (4.0, 0.1), (8.0, 0.0), (8.0, 9.0)])
    [(0.0, 0.0), (8.0, 0.0), (8.0, 9.0)]

    (Ramer; Douglas and Peucker: cut at the point farthest from the chord until none is far)
    """
    kept, todo = [line[0]], [(0, len(line) - 1)]
    while todo:
        first, last = todo.pop()
        chord = [(line[first], line[last])]
        aside = [squared_distance(p, nearest(p, chord)) for p in line[first + 1 : last]]
        if aside and max(aside) > NEAR * NEAR:
            cut = first + 1 + aside.index(max(aside))
            todo += [(cut, last), (first, cut)]
        else:
            kept.append(line[last])
    return kept


def mark_examples(frame, X, moment):
    """Yield a ring around each marked example, with its name."""
    for name, k in moment.marked:
        x, y = frame.place(X[k])
        yield stroke(circle(x, y, 9), **MARK)
        letter = words(x + 16, y - 9, name)
        yield f'<g font-size="16" font-weight="bold" fill="{GREEN}">{letter}</g>'


def caption(frame, right, texts):
    """Yield a column of the caption, at the right of the plot below the legend."""
    for k, text in enumerate(texts):
        yield words(frame.left + WIDTH + 16 + right, TOP + 200 + LINE * k, text, "start")


def some(values, most):
    """At most so many of the values, evenly, with the first and the last.

    >>> some([0, 1, 2, 3, 4, 5, 6], 4), some([0, 1], 4)
    ([0, 2, 4, 6], [0, 1])
    """
    most = whole_number(most, "frames", 2)
    if len(values) <= most:
        return list(values)
    return [values[k * (len(values) - 1) // (most - 1)] for k in range(most)]
