"""The sheet of every picture: colours in light and in dark, charts, and what is drawn on them.

    u, v      the two quantities that a chart shows        x, y     a place in pixels, y downwards
    ink       what a line or a word is drawn with, a name in COLOURS

Colours are classes with two lists of rules, so one file is readable on a light and on a dark page,
also as <img>. The sheet itself is opaque, because a page may be dark where the system is light.
Places have one decimal, and no function of a mathematical library is called but the square root,
which is rounded the same everywhere: the same input gives the same text on every machine.
"""

import inspect
from typing import NamedTuple

from refsvm.numerics.linalg import norm
from refsvm.plotting.animation import simplify
from refsvm.plotting.contours import cell_ends, level_lines, regions
from refsvm.plotting.marks_and_legend import (
    MARK_SHAPES,
    MINUS_COLOURS,
    PLUS_COLOURS,
    circle,
)
from refsvm.plotting.svg import path, xml_text

WIDTH = 640
FINE = 4  # a line may be half of the 4th part of a pixel off
ROOM = 6  # pixels between a word and what it names
COLOURS = {  # in light, in dark
    "paper": ("#ffffff", "#17191e"),
    "ink": ("#1f2328", "#e4e6ea"),
    "soft": ("#6a717b", "#9aa1ab"),
    "pale": ("#e3e6ea", "#30343c"),
    "minus": MINUS_COLOURS,  # the class -1
    "plus": PLUS_COLOURS,  # the class +1
    "key": ("#00795a", "#35d0a0"),  # what the picture is about
    "other": ("#7a3fb8", "#c59bff"),  # what it is compared with
}
SIGNS = {"minus": ("\N{MINUS SIGN}1", MARK_SHAPES[0]), "plus": ("+1", MARK_SHAPES[1])}
RULES = (
    "text{font:17px system-ui,sans-serif;stroke-width:4px;stroke-linejoin:round;"
    "paint-order:stroke}.small{font-size:14px}.line{fill:none;stroke-width:2;"
    "stroke-linejoin:round;stroke-linecap:round}.thin{stroke-width:1}.bold{stroke-width:3.5}"
    ".dash{stroke-dasharray:6 5}.dots{stroke-dasharray:1 5}.tint{fill-opacity:.13}"
    ".deep{fill-opacity:.3}.odd{fill-rule:evenodd}.mark{stroke-width:1.5}"
)


class Chart:
    """A part of the sheet with two axes, on which things are drawn in order.

    u, v    the ranges (low, high); a v with one number only has the scale of u
    at      left, top, width and height in pixels
    """

    def __init__(self, u, v, at=(52, 20, 568, 330)):
        self.left, self.top, self.width, self.height = at
        if len(v) == 1:
            v = (v[0], v[0] + (u[1] - u[0]) * self.height / self.width)
        self.u, self.v = tuple(map(float, u)), tuple(map(float, v))
        self.parts, self.over = [], []

    def place(self, point):
        """x, y of a point (u, v)."""
        (u0, u1), (v0, v1) = self.u, self.v
        return (
            self.left + self.width * (float(point[0]) - u0) / (u1 - u0),
            self.top + self.height * (v1 - float(point[1])) / (v1 - v0),
        )

    def add(self, d, classes):
        """Draw what the words of a path say."""
        self.parts.append(f'<path class="{classes}" d="{d}"/>')

    def path(self, points):
        """A line through points in the words of a path, without points that make no difference."""
        fine = simplify([(FINE * x, FINE * y) for x, y in map(self.place, points)])
        return path([(x / FINE, y / FINE) for x, y in fine])

    def line(self, points, ink="s-ink", style=""):
        """Draw a line through points."""
        self.add(self.path(points), joined("line", ink, style))

    def area(self, points, ink, style="tint"):
        """Fill a polygon."""
        self.add(path([self.place(point) for point in points]) + "z", joined(style, f"f-{ink}"))

    def curve(self, function, ink="ink", style="", between=None, cells=120):
        """Draw the graph of a function of u."""
        low, high = between or self.u
        us = cell_ends(float(low), float(high), cells)
        self.line([(u, function(u)) for u in us], f"s-{ink}", style)

    def field(self, function, cells):
        """The places of a grid and the values of a function of (u, v) there."""
        us, vs = cell_ends(*self.u, cells), cell_ends(*self.v, cells)
        return us, vs, [[float(function([u, v])) for u in us] for v in vs]

    def levels(self, function, levels, ink="ink", style="", cells=1):
        """Draw the lines where a function has these values; one cell is exact if it is linear."""
        us, vs, values = self.field(function, cells)
        for level in levels:
            lines = level_lines(us, vs, values, level)
            d = "".join(map(self.path, lines))
            if d:
                self.add(d, joined("line", f"s-{ink}", style))

    def sides(self, function, cells=1, below="minus", above="plus", style="tint", border=""):
        """Tint where a function is above 0, and where not, and draw the border; no ink, no paint.

        The function counts as below 0 all around the chart, so that every border is a closed line.
        """
        us, vs, values = self.field(function, cells)
        du, dv = us[1] - us[0], vs[1] - vs[0]
        us, vs = [us[0] - du, *us, us[-1] + du], [vs[0] - dv, *vs, vs[-1] + dv]
        outside = [-1.0] * len(us)
        values = [outside, *([-1.0, *row, -1.0] for row in values), outside]
        d = "".join(self.path(line) for line in level_lines(us, vs, values, 0))
        if above and d:
            self.add(d, joined(style, f"f-{above}"))
        if below:
            x, y = self.left, self.top
            whole = f"M{x} {y}h{self.width}v{self.height}h-{self.width}z"
            self.add(whole + d, joined(style, "odd", f"f-{below}"))
        if border:
            self.add(d, f"line s-{border}")

    def between(self, functions, ink, style="deep", cells=1):
        """Tint where every function is above 0."""
        fields = [self.field(function, cells) for function in functions]
        us, vs, _ = fields[0]
        parts = regions(us, vs, [values for _, _, values in fields], all).get(True, [])
        self.add(
            "".join(path([self.place(p) for p in part]) + "z" for part in parts),
            joined(style, f"f-{ink}"),
        )

    def examples(self, X, y, size=5.0):
        """Draw rows with their signs: a square for the class -1, a disc for the class +1."""
        for label, (ink, (_, shape)) in zip((-1, 1), SIGNS.items()):
            d = "".join(shape(*self.place(x), size) for x, of_x in zip(X, y) if of_x == label)
            if d:
                self.add(d, f"mark f-{ink}")

    def dots(self, points, ink="ink", size=3.5):
        """Draw small discs."""
        self.add("".join(circle(*self.place(p), size) for p in points), f"f-{ink}")

    def rings(self, points, ink="ink", size=10):
        """Draw circles of a radius in pixels around points."""
        self.add("".join(circle(*self.place(p), size) for p in points), f"line s-{ink}")

    def arrow(self, start, end, ink="key", style="", head=9):
        """Draw an arrow from one point to another."""
        (x, y), (p, q) = self.place(start), self.place(end)
        length = norm([p - x, q - y])
        c, s = (p - x) / length, (q - y) / length
        m, n = p - head * c, q - head * s
        half = 0.45 * head
        self.add(path([(x, y), (m, n)]), joined("line", f"s-{ink}", style))
        tip = [(p, q), (m - half * s, n + half * c), (m + half * s, n - half * c)]
        self.add(path(tip) + "z", f"f-{ink}")

    def word(self, point, text, ink="ink", side="right", small=False):
        """Write a text at a side of a point: right, left, above, below, or on it."""
        x, y = self.place(point)
        dx, dy, anchor = {
            "right": (ROOM + 3, 5, "start"),
            "left": (-ROOM - 3, 5, "end"),
            "above": (0, -ROOM - 4, "middle"),
            "below": (0, ROOM + 14, "middle"),
            "on": (0, 5, "middle"),
        }[side]
        self.over.append(words(x + dx, y + dy, text, ink, anchor, small))

    def frame(self, names=("", ""), us=(), vs=(), grid=False):
        """Draw the axes along the left and the bottom, with ticks at these numbers."""
        left, bottom = self.left, self.top + self.height
        if grid:
            lines = [path([self.place((u, self.v[0])), self.place((u, self.v[1]))]) for u in us]
            lines += [path([self.place((self.u[0], v)), self.place((self.u[1], v))]) for v in vs]
            self.add("".join(lines), "line thin s-pale")
        d = f"M{left} {self.top}V{bottom}H{left + self.width}"
        self.over.append(f'<path class="line thin s-soft" d="{d}"/>')
        for u in us:
            x, _ = self.place((u, 0))
            self.over.append(words(x, bottom + 18, short(u), "soft", "middle", True))
        for v in vs:
            _, y = self.place((0, v))
            self.over.append(words(left - 8, y + 5, short(v), "soft", "end", True))
        if names[0]:
            self.over.append(words(left + self.width, bottom + 36, names[0], "ink", "end"))
        if names[1]:
            self.over.append(words(left - 16, self.top - 14, names[1], "ink", "start"))

    def text(self):
        """The chart as SVG text: what is drawn ends at its sides, words may stand outside."""
        sides = f"{self.left} {self.top} {self.width} {self.height}"
        x, y, wide, high = sides.split()
        return "\n".join(
            [
                f'<svg x="{x}" y="{y}" width="{wide}" height="{high}" viewBox="{sides}">',
                *self.parts,
                "</svg>",
                *self.over,
            ]
        )

    def heading(self, text, ink="ink"):
        """Write what the chart shows above it."""
        self.over.append(words(self.left + self.width / 2, self.top - 10, text, ink, "middle"))


def joined(*classes):
    """The names of classes with blanks between them."""
    return " ".join(filter(None, classes))


def words(x, y, text, ink, anchor="start", small=False):
    """A line of text."""
    return (
        f'<text class="{joined(f"f-{ink}", small and "small")}" x="{x:.1f}" y="{y:.1f}"'
        f' text-anchor="{anchor}">{xml_text(text)}</text>'
    )


def short(value):
    """A number as it is written at an axis."""
    return str(value).replace("-", "\N{MINUS SIGN}")


class Sheet(NamedTuple):
    """What a picture shows, and how many pixels high it is."""

    charts: list
    high: int = 400
    over: tuple = ()  # what is drawn last, as SVG text


def drawing(picture):
    """The text of an SVG file: the sheet that a function returns, with the title it has."""
    title, _, description = inspect.getdoc(picture).partition("\n\n")
    charts, high, over = picture()
    body = "\n".join([*(chart.text() for chart in charts), *over])
    body += legend(body, 14, high - 13)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {high}" width="{WIDTH}"'
            f' height="{high}" role="img" aria-labelledby="t d">',
            f'<title id="t">{xml_text(title.rstrip("."))}</title>',
            f'<desc id="d">{xml_text(" ".join(description.split()))}</desc>',
            f"<style>{rules(body)}</style>",
            f'<rect class="f-paper" width="{WIDTH}" height="{high}" rx="8"/>',
            body,
            "</svg>\n",
        ]
    )


def legend(body, x, y):
    """What the marks of examples in a text of SVG mean, from a place on, as further text."""
    parts = []
    for ink, (sign, shape) in SIGNS.items():
        if f"mark f-{ink}" in body:
            parts.append(f'\n<path class="mark f-{ink}" d="{shape(x, y, 5.0)}"/>')
            parts.append("\n" + words(x + 10, y + 5, sign, ink, small=True))
            x += 46
    return "".join(parts)


def rules(body):
    """The rules of style for the classes that are there."""
    light, dark = (colours(body, shade) for shade in (0, 1))
    return f"{RULES}{light}@media(prefers-color-scheme:dark){{{dark}}}"


def colours(body, shade):
    """The rules for the colours that are there, in light (0) or in dark (1)."""
    used = {
        f".{kind}-{name}": (kind, name)
        for name in COLOURS
        for kind in "fs"
        if f"{kind}-{name}" in body or (kind, name) == ("f", "paper")
    }
    inks = (
        f"{sign}{{{'fill' if kind == 'f' else 'stroke'}:{COLOURS[name][shade]}}}"
        for sign, (kind, name) in used.items()
    )
    return "".join(inks) + f"text,.mark{{stroke:{COLOURS['paper'][shade]}}}"
