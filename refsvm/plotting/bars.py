"""Bars: a number for each of some names, with how far it may be off, as SVG."""

from .svg import INK, LETTER, PICTURE_STYLE, Picture, box, stroke, words, xml_text

HIGH = 22  # pixels from one bar to the next
BAR_PIXELS = 360  # for the longest bar
MIN_BAR_LETTERS, MAX_BAR_LETTERS = 8, 34  # letters of a name that have room
FIRST_BAR, BARS_MARGIN = 60, 24


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
    return Picture(
        "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{tall}"'
                f' viewBox="0 0 {wide} {tall}" font-family="sans-serif" font-size="12"'
                f' fill="{INK}" class="refsvm-picture">',
                f"<title>{xml_text(title)}</title>",
                PICTURE_STYLE,
                box(0, 0, wide, tall, 'class="paper" fill="#ffffff"'),
                f'<g font-size="15">{words(BARS_MARGIN, 24, title, "start", 70)}</g>',
                words(BARS_MARGIN, 42, below, "start", 90),
                *parts,
                "</svg>\n",
            ]
        )
    )
