"""Paper for a plot, as SVG text: the frame with its ticks, marks, lines and words.

    u, v      the two quantities that the axes show      x, y     a place in pixels, y downwards
    path      the words of an SVG path, which draws many marks or lines at once
    class c   the c-th colour and mark; after the last one they begin again

Places have one decimal and no mathematical library is asked, so the same input gives the same
text, byte for byte. The text is ASCII, whatever the words on it are.

The colours are made after those of Okabe and Ito, Color Universal Design (2008), which
colour-blind people can tell apart; the marks differ in shape, too.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from html import escape
from typing import NamedTuple

COLOURS = [  # of the marks, and the tint of the region, class by class
    ("#0072b2", "#d3e5f1"),
    ("#d55e00", "#fae0cf"),
    ("#009e73", "#d1ede4"),
    ("#b0508a", "#f3deeb"),
    ("#a87400", "#f6e8c3"),
    ("#3d9ad1", "#e0f1fb"),
    ("#555555", "#e4e4e4"),
    ("#8f8500", "#f7f4c9"),
]
INK = "#333333"
WIDTH, HEIGHT = 560, 420  # of the plot itself
TOP, BOTTOM, LEGEND = 44, 56, 210  # room around it; on the left the labels say how much
LETTER = 7  # the width of a digit


class Frame(NamedTuple):
    """What part of the plane is shown, and how far from the left the plot begins."""

    u: tuple  # low and high
    v: tuple
    left: int

    def place(self, point):
        """x, y of the point (u, v)."""
        (u0, u1), (v0, v1) = self.u, self.v
        return (
            self.left + WIDTH * ((point[0] - u0) / (u1 - u0)),
            TOP + HEIGHT * ((v1 - point[1]) / (v1 - v0)),
        )

    def shows(self, point):
        """Tell whether the point (u, v) is in the plot."""
        return self.u[0] <= point[0] <= self.u[1] and self.v[0] <= point[1] <= self.v[1]


def frame_around(rows):
    """Return the Frame that shows all the rows (u, v)."""
    u, v = [shown(column, k) for k, column in enumerate(zip(*rows))]
    return Frame(u, v, 48 + LETTER * max(len(text) for _, text in ticks(*v, 8)))


def shown(values, k):
    """Return the range of an axis: that of the values, and a twentieth more at both ends."""
    low, high = min(values), max(values)
    room = (high - low) / 20 or abs(low) / 10 or 1.0
    low, high = low - room, high + room
    if high - low == float("inf"):
        raise ValueError(f"column {k} of X is too wide to be drawn; no double holds its range")
    return low, high


def ticks(low, high, most):
    """Return (value, label) at round numbers from low to high, at most `most` + 1 of them.

    >>> ticks(1999.0, 2021.0, 6)
    [(2000.0, '2000'), (2005.0, '2005'), (2010.0, '2010'), (2015.0, '2015'), (2020.0, '2020')]
    """
    low, high = Decimal(low), Decimal(high)
    least = (high - low) / most
    step = next(s for m in (1, 2, 5, 10) if (s := Decimal(m).scaleb(least.adjusted())) >= least)
    first = int((low / step).to_integral_value(ROUND_CEILING))
    last = int((high / step).to_integral_value(ROUND_FLOOR))
    return [(float(i * step), decimal_text(i * step)) for i in range(first, last + 1)]


def decimal_text(value):
    """Return a decimal as people write it: 0.05, 2000, 1e-8.

    >>> decimal_text(Decimal("2E+3")), decimal_text(Decimal("0.00000020"))
    ('2000', '2e-7')
    """
    if not value:
        return "0"
    text = format(value.normalize(), "f")
    short = len(text) <= 11 and value.adjusted() > -5
    return text if short else f"{value.normalize():e}"


def axes(frame, names):
    """Yield the frame of the plot, ticks with their labels, and the names of u and v."""
    left, bottom, middle = frame.left, TOP + HEIGHT, TOP + HEIGHT // 2
    yield (
        f'<rect x="{left}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none"'
        f' stroke="{INK}"/>'
    )
    across = ticks(*frame.u, 8)
    while LETTER * len("  ".join(text for _, text in across)) > WIDTH:
        across = across[::2]
    for value, text in across:
        x, _ = frame.place((value, frame.v[0]))
        yield f'<path stroke="{INK}" d="M{x:.1f} {bottom}v5"/>'
        yield words(x, bottom + 18, text)
    for value, text in ticks(*frame.v, 8):
        _, y = frame.place((frame.u[0], value))
        yield f'<path stroke="{INK}" d="M{left} {y:.1f}h-5"/>'
        yield words(left - 8, y + 4, text, "end")
    yield words(left + WIDTH // 2, bottom + 40, names[0])
    yield f'<g transform="rotate(-90 16 {middle})">' + words(16, middle, names[1]) + "</g>"


def document(frame, title, parts):
    """Return the text of the whole file."""
    wide, high = frame.left + WIDTH + LEGEND, TOP + HEIGHT + BOTTOM
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"'
            f' viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="12" fill="{INK}">',
            f"<title>{plain(title)}</title>",
            f'<rect width="{wide}" height="{high}" fill="#ffffff"/>',
            f'<g font-size="15">{words(frame.left, 26, title, "start")}</g>',
            *parts,
            "</svg>\n",
        ]
    )


def words(x, y, text, anchor="middle"):
    """Return a line of text that starts at x, ends there or has its middle there."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{plain(text)}</text>'


def plain(text):
    """Text as it may stand in XML, in ASCII; what cannot be printed becomes a question mark.

    >>> plain("a < \u03b3")
    'a &lt; &#947;'
    """
    printable = "".join(letter if letter.isprintable() else "?" for letter in str(text))
    return escape(printable).encode("ascii", "xmlcharrefreplace").decode("ascii")


def stroke(d, width, style="", colour=INK):
    """Return a path that is drawn as a line."""
    return f'<path fill="none" stroke="{colour}" stroke-width="{width}" {style}d="{d}"/>'


def path(line):
    """Return a line through some places, in the words of a path."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line)


def circle(x, y, size):
    """Return a circle around x, y, in the words of a path."""
    half = f"a{size:g} {size:g} 0 1 0"
    return f"M{x - size:.1f} {y:.1f}{half} {2 * size:g} 0{half}-{2 * size:g} 0z"


def square(x, y, size):
    """Return a square around x, y of nearly the area of that circle, in the words of a path."""
    side = 2 * size - 1
    return f"M{x - side / 2:.1f} {y - side / 2:.1f}h{side:g}v{side:g}h-{side:g}z"


def marks(c, places, size):
    """Return the marks of class c: discs and squares by turns."""
    shape = (circle, square)[(c + c // len(COLOURS)) % 2]
    d = "".join(shape(x, y, size) for x, y in places)
    return f'<path fill="{strong(c)}" stroke="#ffffff" stroke-width="0.8" d="{d}"/>'


def strong(c):
    """Return the colour of the marks of class c."""
    return COLOURS[c % len(COLOURS)][0]


def tint(c):
    """Return the colour of the region of class c."""
    return COLOURS[c % len(COLOURS)][1]
