"""Bars: a number for each of some names, with how far it may be off, as SVG."""

from .svg import INK, LETTER, STYLE, Picture, box, stroke, words, xml_text

HIGH = 22  # pixels from one bar to the next
ROOM = 360  # for the longest bar
LEAST, MOST = 8, 34  # letters of a name that have room
TOP, MARGIN = 60, 24


def bars(names, values, errors, title, below):
    """Return the Picture of a bar for each name, the first on top, with a line for its error.

    >>> bars(["a", "b"], [0.5, -0.1], [0.1, 0.0], "drop", "")
    <a picture: 1,145 characters of SVG, to be written to a file>
    """
    left = MARGIN + LETTER * min(MOST, max(LEAST, *map(len, names)))
    low = min(0.0, *(v - e for v, e in zip(values, errors)))
    high = max(0.0, *(v + e for v, e in zip(values, errors)))
    scale = ROOM / (high - low or 1.0)
    zero = left - low * scale
    parts = [stroke(f"M{zero:.1f} {TOP - 6}v{HIGH * len(names) + 4}", 1, 'class="axis" ')]
    for k, (name, value, error) in enumerate(zip(names, values, errors)):
        y, x = TOP + HIGH * k, zero + value * scale
        begin, width = min(zero, x), f"{abs(x - zero):.1f}"
        parts += [
            words(left - 10, y + 11, name, "end", MOST),
            box(round(begin, 1), y, width, HIGH - 8, 'fill="#4477aa"'),
            stroke(f"M{x - error * scale:.1f} {y + 7}H{x + error * scale:.1f}", 1.5),
            words(left + ROOM + 10, y + 11, f"{value:.4f}", "start"),
        ]
    wide, tall = left + ROOM + 90, TOP + HIGH * len(names) + MARGIN
    return Picture(
        "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{tall}"'
                f' viewBox="0 0 {wide} {tall}" font-family="sans-serif" font-size="12"'
                f' fill="{INK}" class="refsvm-picture">',
                f"<title>{xml_text(title)}</title>",
                STYLE,
                box(0, 0, wide, tall, 'class="paper" fill="#ffffff"'),
                f'<g font-size="15">{words(MARGIN, 24, title, "start", 70)}</g>',
                words(MARGIN, 42, below, "start", 90),
                *parts,
                "</svg>\n",
            ]
        )
    )
