"""Paper for a plot, as SVG text: the frame with its ticks, lines and words; and a chart of bars.

    u, v      the two quantities that the axes show      x, y     a place in pixels, y downwards
    path      the words of an SVG path, which draws many marks or lines at once

Both axes have one scale, so that right angles look right, unless that would leave one of the two
less than a tenth of its room.

Places have one decimal and no mathematical library is asked, so the same input gives the same
text, byte for byte. The text is ASCII, whatever the words on it are. It has no script and asks for
nothing outside itself; its rules of style are for its own parts only, wherever it stands. On a
dark screen the paper around the plot is dark, and the plot is the same.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import NamedTuple

from ..numerics.quoting import markup, shorten, visible

INK = "#333333"
WIDTH, HEIGHT = 560, 420  # of the plot itself
TOP, BOTTOM, LEGEND = 54, 56, 216  # room around it; on the left the labels say how much
LETTER = 7  # the width of a digit
UNEQUAL = 10  # how many times the scale of one axis that of the other must be to differ from it
HIGH = 22  # pixels from one bar to the next
BAR_PIXELS = 360  # for the longest bar
MIN_BAR_LETTERS, MAX_BAR_LETTERS = 8, 34  # letters of a name that have room
FIRST_BAR, BARS_MARGIN = 60, 24
PICTURE_STYLE = (
    "<style>@media screen and (prefers-color-scheme:dark){.refsvm-picture{fill:#dddddd}"
    ".refsvm-picture .paper{fill:#1e1e22}.refsvm-picture .axis{stroke:#999999}}</style>"
)


class Picture(str):
    """The text of an SVG file.

    It is a str: write it to a file. A notebook shows the picture, a terminal what it is.

    >>> Picture("<svg/>")
    <a picture: 6 characters of SVG, to be written to a file>
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<a picture: {len(self):,} characters of SVG, to be written to a file>"

    def _repr_svg_(self) -> str:
        """Return what a notebook shows."""
        return str(self)


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

    def has_one_scale(self):
        """Tell whether a unit of u is as many pixels as a unit of v."""
        across, up = ((high - low) / pixels for (low, high), pixels in self.sides())
        return abs(across - up) <= 1e-3 * across  # far from 0 numbers are coarse

    def sides(self):
        """Return the range of each axis, and how many pixels it has."""
        return (self.u, WIDTH), (self.v, HEIGHT)


def frame_around(rows):
    """Return the Frame that shows all the rows (u, v)."""
    columns = list(zip(*rows))
    scales = [
        (max(values) - min(values)) / pixels for values, pixels in zip(columns, (WIDTH, HEIGHT))
    ]
    # All rows at one place: about a fifth of its larger coordinate is seen, of 10 at (0, 0).
    one = max(scales) or (max(abs(v) for v in rows[0]) or 10.0) / WIDTH / 5
    u, v = (
        _axis_range(columns[k], k, pixels * (scale if 0 < scale < one / UNEQUAL else one))
        for k, (scale, pixels) in enumerate(zip(scales, (WIDTH, HEIGHT)))
    )
    return _framed(u, v)


def frame_filled(us, vs):
    """Return the Frame that shows all u and all v, each on a scale of its own."""
    widths = [max(values) - min(values) or (abs(values[0]) or 10.0) / 5 for values in (us, vs)]
    return _framed(_axis_range(us, 0, widths[0]), _axis_range(vs, 1, widths[1]))


def _framed(u, v):
    """Return the Frame of these ranges, with room for the labels at its left."""
    return Frame(u, v, 48 + LETTER * max(len(text) for _, text in ticks(*v, 8)))


def _axis_range(values, k, width):
    """Return the range of an axis: the values in the middle of this width, and a tenth more."""
    low, high = min(values), max(values)
    middle, half = low + (high - low) / 2, 0.55 * width
    # Far from 0 the half may be lost in rounding, and a range of one number cannot be divided by.
    room = 0.0 if middle - half < middle < middle + half else abs(low) / 10
    low, high = min(low, middle - half) - room, max(high, middle + half) + room
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
    yield box(left, TOP, WIDTH, HEIGHT, f'class="axis" fill="none" stroke="{INK}"')
    across = ticks(*frame.u, 8)
    while LETTER * len("  ".join(text for _, text in across)) > WIDTH:
        across = across[::2]
    for value, text in across:
        x, _ = frame.place((value, frame.v[0]))
        yield f'<path class="axis" stroke="{INK}" d="M{x:.1f} {bottom}v5"/>'
        yield words(x, bottom + 18, text)
    for value, text in ticks(*frame.v, 8):
        _, y = frame.place((frame.u[0], value))
        yield f'<path class="axis" stroke="{INK}" d="M{left} {y:.1f}h-5"/>'
        yield words(left - 8, y + 4, text, "end")
    yield words(left + WIDTH // 2, bottom + 40, names[0], most=80)
    name = words(16, middle, names[1], most=60)
    yield f'<g transform="rotate(-90 16 {middle})">{name}</g>'


def svg_document(frame, headings, parts, high=0):
    """Return the Picture of these parts, at least `high` pixels high.

    headings    the title, and what is said below it; either may be empty
    """
    wide, high = frame.left + WIDTH + LEGEND, max(high, TOP + HEIGHT + BOTTOM)
    lines = list(filter(None, headings))
    title = xml_text(lines[0]) if lines else ""
    sizes = zip(lines, (15, 12), (24, 42), (95, 120))
    heads = (
        f'<g font-size="{size}">{words(frame.left, y, line, "start", most)}</g>'
        for line, size, y, most in sizes
    )
    plot = box(frame.left, TOP, WIDTH, HEIGHT, 'fill="#ffffff"')
    return _on_paper(wide, high, title, [*heads, plot, *parts])


def _on_paper(wide, high, title, parts):
    """Return the Picture of parts on paper of this size."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"'
        f' viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="12" fill="{INK}"'
        ' class="refsvm-picture">',
        f"<title>{title}</title>",
        PICTURE_STYLE,
        box(0, 0, wide, high, 'class="paper" fill="#ffffff"'),
        *parts,
        "</svg>\n",
    ]
    return Picture("\n".join(lines))


def box(x, y, wide, high, style):
    """Return a rectangle."""
    return f'<rect x="{x:g}" y="{y:g}" width="{wide}" height="{high}" {style}/>'


def words(x, y, text, anchor="middle", most=60):
    """Return a line of text that starts at x, ends there or has its middle there.

    A longer one loses its middle, and is there whole as a hint of the mouse.
    """
    text = visible(str(text))
    shown = xml_text(shorten(text, most))
    whole = f"<title>{xml_text(text)}</title>" if len(text) > most else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{shown}{whole}</text>'


def xml_text(text):
    """Text as it may stand in XML, in ASCII.

    >>> xml_text("a < \u03b3")
    'a &lt; &#947;'
    """
    return markup(str(text)).encode("ascii", "xmlcharrefreplace").decode("ascii")


def stroke(d, width, style="", colour=INK):
    """Return a path that is drawn as a line."""
    return f'<path fill="none" stroke="{colour}" stroke-width="{width}" {style}d="{d}"/>'


def path(line):
    """Return a line through some places, in the words of a path."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line)


def bars(names, values, errors, title, below):
    """Return the Picture of a bar for each name, the first on top, with a line for its error.

    >>> bars(["a", "b"], [0.5, -0.1], [0.1, 0.0], "drop", "")
    <a picture: 1,145 characters of SVG, to be written to a file>
    """
    left = BARS_MARGIN + LETTER * min(MAX_BAR_LETTERS, max(MIN_BAR_LETTERS, *map(len, names)))
    low = min(0.0, *(v - e for v, e in zip(values, errors)))
    high = max(0.0, *(v + e for v, e in zip(values, errors)))
    scale = BAR_PIXELS / (high - low or 1.0)
    zero = left - low * scale
    parts = [stroke(f"M{zero:.1f} {FIRST_BAR - 6}v{HIGH * len(names) + 4}", 1, 'class="axis" ')]
    for k, (name, value, error) in enumerate(zip(names, values, errors)):
        y, x = FIRST_BAR + HIGH * k, zero + value * scale
        begin, width = min(zero, x), f"{abs(x - zero):.1f}"
        parts += [
            words(left - 10, y + 11, name, "end", MAX_BAR_LETTERS),
            box(round(begin, 1), y, width, HIGH - 8, 'fill="#4477aa"'),
            stroke(f"M{x - error * scale:.1f} {y + 7}H{x + error * scale:.1f}", 1.5),
            words(left + BAR_PIXELS + 10, y + 11, f"{value:.4f}", "start"),
        ]
    wide, tall = left + BAR_PIXELS + 90, FIRST_BAR + HIGH * len(names) + BARS_MARGIN
    heads = [
        f'<g font-size="15">{words(BARS_MARGIN, 24, title, "start", 70)}</g>',
        words(BARS_MARGIN, 42, below, "start", 90),
    ]
    return _on_paper(wide, tall, xml_text(title), [*heads, *parts])
