"""What every picture has: marks of the examples, rings around support vectors, a legend.

    class c    the c-th in the order of the labels, whatever the picture is of
    sign       of a class: a colour, a shape, and the tint of its region, the same in every picture
    entry      of the legend: (function that draws a sign at x, y; its meaning)

Ten classes have ten colours and ten shapes; of a hundred no two have the same colour and shape.
The colours stay apart for people with any colour blindness: simulated for each kind (Machado,
Oliveira and Fernandes 2009), no two are nearer than 0.08 in Oklab. They were found by random
search from the first three, which are near those of Okabe and Ito, Color Universal Design (2008).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..numerics.quoting import quote, shorten
from ..numerics.types import Label
from ..numerics.validation import text
from .svg import TOP, WIDTH, box, path, stroke, words

Place = tuple[float, float]  # x, y in pixels

# Of two classes the later one, +1, is a blue disc and the earlier one, -1, an orange square: here,
# in play, in the course and on slides. Each in light and in dark.
PLUS_COLOURS = "#0072b2", "#5ab4ea"
MINUS_COLOURS = "#c24e00", "#ff9a57"
COLOURS = [
    MINUS_COLOURS[0],
    PLUS_COLOURS[0],
    "#009e73",  # green
    "#5f24a9",  # violet
    "#b482b1",  # mauve
    "#653226",  # brown
    "#726c7f",  # grey
    "#9a6cf4",  # lavender
    "#854942",  # russet
    "#154974",  # navy
]
TINT = 16  # of a hundred parts of the colour of a region; the others are white
SIZE = 3.4  # of a mark: the radius of the disc
MAX_MARKS = 1500  # marks of one sort; more are thinned out, they would hide each other
BORDER = {"width": 2}
DASHED = {"width": 1.2, "style": 'stroke-dasharray="5 3" '}
HAIRLINE = {"width": 0.8, "style": 'stroke-opacity="0.8" '}
CIRCLE = {"width": 1.3, "colour": "#000000"}
RING_GAP = 3  # pixels between a mark and the ring around it
MAX_LEGEND_LETTERS = 28  # characters of a line of the legend
LEGEND_PIXELS = 22  # pixels from one sign of the legend to the next


def in_order(labels: Iterable[Any]) -> list[Label]:
    """Return the labels of all classes in the order that gives each its sign.

    >>> in_order([7, 2, 2]), in_order(["b", 1])
    ([2, 7], [1, 'b'])
    """
    every = list(dict.fromkeys(labels))
    try:
        return sorted(every)
    except TypeError:  # a model and the data may have labels of two sorts
        return sorted(every, key=lambda label: (type(label).__name__, str(label)))


def class_name(label: object) -> str:
    """Return what a legend calls a class, if it is not told: a text by itself, others by class.

    >>> class_name("yes"), class_name(-1)
    ('yes', 'class -1')
    """
    return label if isinstance(label, str) else f"class {label}"


# ---- the sign of a class


def colour(c: int) -> str:
    """Return the colour of the marks of class c."""
    return COLOURS[c % len(COLOURS)]


def tint(c: int, share: int = TINT) -> str:
    """Return the colour of the region of class c, or another share of its colour.

    >>> tint(1)
    '#d6e8f2'
    """
    parts = [int(colour(c)[k : k + 2], 16) for k in (1, 3, 5)]
    return "#" + "".join(f"{(share * v + (100 - share) * 255) // 100:02x}" for v in parts)


def marks(c: int, places: Iterable[Place], size: float = SIZE) -> str:
    """Return the marks of class c, one at each place, as one SVG path."""
    # After ten classes the colours begin again, with the shapes one further on.
    shape = MARK_SHAPES[(c + c // len(COLOURS)) % len(MARK_SHAPES)]
    d = "".join(shape(x, y, size) for x, y in places)
    white = f'stroke="#ffffff" stroke-width="{size / 2:.2g}" paint-order="stroke"'
    return f'<path fill="{colour(c)}" {white} d="{d}"/>'


def circle(x: float, y: float, size: float) -> str:
    """Return a circle around x, y, in the words of a path."""
    half = f"a{size:g} {size:g} 0 1 0"
    return f"M{x - size:.1f} {y:.1f}{half} {2 * size:g} 0{half}-{2 * size:g} 0z"


def _polygon(corners: list[tuple[float, float]]) -> Callable[[float, float, float], str]:
    """Return the shape with these corners, in units of a mark's size, in the words of a path."""
    steps = [(x - u, y - v) for (u, v), (x, y) in zip(corners, corners[1:])]

    def shape(x: float, y: float, size: float) -> str:
        (u, v), *_ = corners
        sides = "".join(f"l{size * p:.2g} {size * q:.2g}" for p, q in steps)
        return f"M{x + size * u:.1f} {y + size * v:.1f}{sides}z"

    return shape


def _turned(corners: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners of the shape turned by a half."""
    return [(-x, -y) for x, y in corners]


TRIANGLE = [(0.0, -1.25), (1.2, 0.85), (-1.2, 0.85)]
PLUS = [
    *[(-0.4, -1.3), (0.4, -1.3), (0.4, -0.4), (1.3, -0.4), (1.3, 0.4), (0.4, 0.4)],
    *[(0.4, 1.3), (-0.4, 1.3), (-0.4, 0.4), (-1.3, 0.4), (-1.3, -0.4), (-0.4, -0.4)],
]
STAR = [
    *[(0.0, -1.6), (0.4, -0.5), (1.5, -0.5), (0.6, 0.2), (0.95, 1.3)],
    *[(0.0, 0.65), (-0.95, 1.3), (-0.6, 0.2), (-1.5, -0.5), (-0.4, -0.5)],
]
MARK_SHAPES = [
    _polygon([(-0.87, -0.87), (0.87, -0.87), (0.87, 0.87), (-0.87, 0.87)]),  # square
    circle,
    _polygon(TRIANGLE),
    _polygon([(0.0, -1.35), (1.15, 0.0), (0.0, 1.35), (-1.15, 0.0)]),  # diamond
    _polygon(PLUS),
    _polygon(_turned(TRIANGLE)),
    _polygon(STAR),
    _polygon([(0.71 * (x - y), 0.71 * (x + y)) for x, y in PLUS]),  # cross
    _polygon([(-1.15, -1.25), (1.15, -1.25), (-1.15, 1.25), (1.15, 1.25)]),  # hourglass
    _polygon([(-0.85, -1.2), (1.25, 0.0), (-0.85, 1.2)]),  # triangle to the right
]


# ---- in the plot, and beside it


def example_marks(frame, classes, X, y):
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


def rings(frame, machine, size=SIZE):
    """Yield a ring around each support vector that is shown, to be seen around marks of a size."""
    places = thin_out(frame.place(row) for row in machine.vectors if frame.shows(row))
    if places:
        yield stroke("".join(circle(x, y, size + RING_GAP) for x, y in places), **CIRCLE)


def thin_out(places):
    """Return at most MAX_MARKS of the places: one for each cell of a coarse enough lattice.

    >>> thin_out([(0.5, 0.5), (7.0, 7.0)])
    [(0.5, 0.5), (7.0, 7.0)]
    """
    kept, cell = list(places), 1
    while (
        len(kept) > MAX_MARKS
    ):  # of a cell the first place stays: in reverse it is the last one written
        kept = list({(x // cell, y // cell): (x, y) for x, y in reversed(kept)}.values())[::-1]
        cell *= 2
    return kept


def legend_names(classes, called, shown):
    """Return what the legend says of each class: its name, and how many marks were thinned out."""
    texts = []
    for label, (drawn, count) in zip(classes, shown):
        name = text((called or {}).get(label, class_name(label)), f"called[{quote(label)}]")
        some = "" if drawn == count else f" ({drawn:,} of {count:,})"
        texts.append(shorten(name, MAX_LEGEND_LETTERS - len(some)) + some if some else name)
    return texts


def legend(frame, entries):
    """Yield what each sign of the picture means, at its right; signs stand on the plot's paper."""
    x, y = frame.left + WIDTH + 26, TOP + 12
    for sign, meaning in entries:
        drawn = sign(x, y)
        if drawn:
            yield box(x - 10, y - 10, 20, 20, 'fill="#ffffff"') + drawn
        yield words(x + 18, y + 4, meaning, "start", MAX_LEGEND_LETTERS)
        y += LEGEND_PIXELS


def legend_bottom(entries):
    """Return how high a picture must be for its legend."""
    return TOP + LEGEND_PIXELS * (len(entries) + 1)


def _sign_of_class(c, is_predicted):
    """Return the sign of class c: its mark, on its colour if the model predicts the class."""
    patch = f'fill="{tint(c)}"'
    return lambda x, y: (
        (box(x - 10, y - 10, 20, 20, patch) if is_predicted else "") + marks(c, [(x, y)])
    )


def dash(x, y, style):
    """Return a short line of a style."""
    return stroke(f"M{x - 9} {y}h18", **style)


def border_paths(lines):
    """Yield the margins, and over them the border."""
    for level, of_level in lines.items():
        if of_level:
            yield stroke("".join(map(path, of_level)), **(DASHED if level else BORDER))


def class_entries(classes, predicted, texts):
    """Return the entry of the legend for each class; those predicted have a region."""
    return [
        (_sign_of_class(c, label in predicted), meaning)
        for c, (label, meaning) in enumerate(zip(classes, texts))
    ]


def ring_entry(machine):
    """Return the entry of the support vectors, if there are any."""
    sign = (lambda x, y: stroke(circle(x, y, SIZE + RING_GAP), **CIRCLE), "support vector")
    return [sign] if machine.vectors else []


def scale_entry(frame):
    """Return the legend entry for axes of different scales."""
    return [] if frame.has_one_scale() else [(lambda x, y: "", "the axes differ in scale")]
