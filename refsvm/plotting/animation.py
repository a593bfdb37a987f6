"""A moving picture of a machine with two features, as SVG text: one frame for each moment.

Every frame has the border, the margins, the slacks and the rings of drawing.py, for the machine as
it is at that moment, rings around the examples that the moment marks, and a caption. The axes,
the examples and the legend stay. Below them stands what each word of the caption means.

It moves by itself, by rules of style and without a script: each frame is a group that is seen
during its own part of the period, and the last one for longer. Links stop it and step through it:
a link leads to the address `#..-k`, and what the address names is the frame that is seen. Where
nothing moves (on paper, in a program that knows no animation, or where less motion is preferred)
the last frame is seen, and the links work as ever.

    frame     of the plot, see svg.py; or one of the pictures one after the other
    moment    the caption, the marked examples, the machine
    stop      an empty group before the frames, which an address can name
    name      of the picture, from what it shows: several on one page do not disturb each other
"""

from hashlib import sha256
from typing import Any, NamedTuple

from ..numerics.linalg import squared_distance
from ..numerics.validation import whole_number
from .contours import cell_ends
from .drawing import border_and_margins, legend_entries, nearest_place, slack_paths
from .marks_and_legend import (
    HAIRLINE,
    border_paths,
    circle,
    example_marks,
    in_order,
    legend,
    legend_names,
    rings,
)
from .svg import BOTTOM, HEIGHT, INK, TOP, WIDTH, axes, frame_around, stroke, svg_document, words
from .trained_machines import ONE_CELL, subtitle, trained_machine_of

FRAME_SECONDS, LAST_SECONDS = 2, 4  # that a frame is seen, and the last one
CELLS = (56, 42)  # columns and rows of the grid, unless the machine is linear
SIMPLIFIED_PIXELS = 0.5  # pixels that a line may be simplified by
GREEN = "#00704f"
MARK = {"width": 2.5, "colour": GREEN}
MAX_SLACKS = 60  # examples; the slacks of more would hide everything else
CAPTION = TOP + 204  # where the caption begins, below the legend
ROW = 17  # pixels from one line of text to the next
BUTTONS = TOP + HEIGHT - 28  # where the links stand, below the caption


class Moment(NamedTuple):
    """What one frame shows."""

    caption: list  # (name, value), texts; the names are the same at every moment
    marked: list  # (name, index of an example)
    model: Any  # the Model


class Surroundings(NamedTuple):
    """What is said around the plot."""

    title: str
    C: Any  # of the problem
    names: Any  # of the axes
    called: Any  # {label: what the legend calls its class}
    meanings: list  # (word of the caption, what it means)


def animation(X, y, moments, around):
    """Return the Picture in which the moments follow each other.

    X are rows of two floats, y the labels +1 and -1. O(moments * grid * vectors).
    """
    frames = [_draw_frame(X, y, moment) for moment in moments]
    name = "refsvm-" + sha256("".join(frames).encode("ascii")).hexdigest()[:12]
    last = len(frames) - 1
    period = FRAME_SECONDS * last + LAST_SECONDS
    stops = [f'<g class="{name}-stop" id="{name}-{k}"/>' for k in range(last + 1)]
    # A delay below 0 begins inside a period. With one to wait for, the last frame would be seen
    # from the start, as it is where nothing moves.
    moving = [
        f'<g class="{name}-{"step" if k < last else "last"} {name}-at-{k}"'
        f' style="animation-delay:{FRAME_SECONDS * k - period}s">{frame}'
        f"{links(frame_around(X), name, k, last)}</g>"
        for k, frame in enumerate(frames)
    ]
    rules = style(name, len(frames), period)
    return _page(X, y, moments[-1], [rules, *stops, *moving], around)


def still_picture(X, y, moment, around):
    """Return the Picture of one moment, which does not move."""
    return _page(X, y, moment, [_draw_frame(X, y, moment)], around)


def _page(X, y, moment, parts, around):
    """Return the document: the parts, and around them examples, axes, legend and words."""
    frame, machine = frame_around(X), trained_machine_of(moment.model)
    classes = in_order(machine.classes)
    marks, shown = example_marks(frame, classes, X, y)
    names = legend_names(classes, around.called, shown)
    entries = _entries(frame, classes, X, moment, names)
    below = list(_below_plot(frame, around.meanings))
    return svg_document(
        frame,
        (around.title, subtitle(moment.model.kernel, around.C)),
        [
            *parts,
            *marks,
            *axes(frame, around.names),
            *legend(frame, entries),
            *caption(frame, 0, [name for name, _ in moment.caption]),
            *below,
        ],
        TOP + HEIGHT + BOTTOM + ROW * (len(below) + 1),
    )


def _entries(frame, classes, X, moment, names):
    """Return (function that draws the sign at x, y; its meaning): drawing.py's, and the ring."""
    bare = trained_machine_of(moment.model)._replace(classes=[])  # no region is drawn
    lines = ("border", "margins", *(["slack"] if len(X) <= MAX_SLACKS else []))
    entries = legend_entries(frame, classes, bare, names, lines)
    if moment.marked:
        entries.append((lambda x, y: stroke(circle(x, y, 7), **MARK), "moved by this step"))
    return entries


def _below_plot(frame, meanings):
    """Yield what the words of the caption mean, below the plot."""
    y = TOP + HEIGHT + BOTTOM + 6
    for word, meaning in meanings:
        bold = words(frame.left + 62, y, word, "end")
        yield f'<g font-weight="bold">{bold}</g>' + words(
            frame.left + 72, y, meaning, "start", 130
        )
        y += ROW


def style(name, count, period):
    """Return the rules by which one frame after the other is seen, or the one asked for."""

    def seen(part, seconds):
        share = f"{100 * seconds / period:.4f}%"
        return (
            f"@keyframes {name}-{part}{{0%{{visibility:visible}}"
            f"{share},100%{{visibility:hidden}}}}"
        )

    step, last, stop = f".{name}-step", f".{name}-last", f".{name}-stop"
    return "\n".join(
        [
            "<style>",
            seen("step", FRAME_SECONDS),
            seen("last", LAST_SECONDS),
            f"{step}{{visibility:hidden;animation:{name}-step {period}s step-end infinite}}",
            f"{last}{{visibility:visible;animation:{name}-last {period}s step-end infinite}}",
            f"@media print,(prefers-reduced-motion:reduce){{{step},{last}{{animation:none}}}}",
            f"{stop}:target~{step},{stop}:target~{last}{{animation:none;visibility:hidden}}",
            *(f"#{name}-{k}:target~.{name}-at-{k}{{visibility:visible}}" for k in range(count)),
            "</style>",
        ]
    )


def links(frame, name, k, last):
    """Return the links of frame k, seen and in reach as long as the frame is."""
    x, places = frame.left + WIDTH + 16, (0, 46, 92, 138)
    named = [("back", max(k - 1, 0)), ("stop", k), ("next", min(k + 1, last)), ("play", None)]
    return "".join(
        f'<a href="#{"" if to is None else f"{name}-{to}"}">'
        f'<rect x="{x + place:g}" y="{BUTTONS}" width="38" height="22" rx="4" fill="#e8eef2"'
        f' stroke="{INK}" stroke-width="0.6"/>'
        f'<g fill="{INK}">{words(x + place + 19, BUTTONS + 15, text)}</g></a>'
        for place, (text, to) in zip(places, named)
    )


def _draw_frame(X, y, moment):
    """Return one frame as SVG: border, margins, slacks, marked examples and the caption."""
    frame, machine = frame_around(X), trained_machine_of(moment.model)
    lines = lines_of_model(frame, moment.model)
    short = slack_paths(frame, machine, lines, X, y) if len(X) <= MAX_SLACKS else []
    return "\n".join(
        [
            *(stroke(d, **HAIRLINE) for d in short),
            *border_paths(lines),
            *rings(frame, machine),
            *mark_examples(frame, X, moment),
            *caption(frame, 78, [value for _, value in moment.caption]),
        ]
    )


def lines_of_model(frame, model):
    """Return {level: the lines where f is that level}."""
    columns, rows = ONE_CELL if model.w is not None else CELLS
    us, vs = cell_ends(*frame.u, columns), cell_ends(*frame.v, rows)[::-1]
    lines = border_and_margins(frame, [[model.decisions([[u, v] for u in us]) for v in vs]])
    return {level: [simplify(line) for line in of_level] for level, of_level in lines.items()}


def simplify(line):
    """Return the line with fewer points, at most SIMPLIFIED_PIXELS from the original.

    >>> simplify([(0.0, 0.0), (4.0, 0.1), (8.0, 0.0), (8.0, 9.0)])
    [(0.0, 0.0), (8.0, 0.0), (8.0, 9.0)]

    (Ramer; Douglas and Peucker: cut at the point farthest from the chord until none is far)
    """
    kept, todo = [line[0]], [(0, len(line) - 1)]
    while todo:
        first, last = todo.pop()
        chord = [(line[first], line[last])]
        aside = [squared_distance(p, nearest_place(p, chord)) for p in line[first + 1 : last]]
        if aside and max(aside) > SIMPLIFIED_PIXELS * SIMPLIFIED_PIXELS:
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
        yield words(frame.left + WIDTH + 16 + right, CAPTION + ROW * k, text, "start")


def evenly_taken(values, most):
    """Return at most `most` values, evenly spaced, with the first and the last.

    >>> evenly_taken([0, 1, 2, 3, 4, 5, 6], 4), evenly_taken([0, 1], 4)
    ([0, 2, 4, 6], [0, 1])
    """
    most = whole_number(most, "frames", 2)
    if len(values) <= most:
        return list(values)
    return [values[k * (len(values) - 1) // (most - 1)] for k in range(most)]
