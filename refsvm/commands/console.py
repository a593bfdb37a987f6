"""Lines of aligned text."""

from math import inf


def table(rows, sides):
    """The rows of words as lines: columns two blanks apart, each aligned as sides says, l or r.

    >>> print("\\n".join(table([["row", "slack"], ["7", "0.25"], ["12", "0"]], "rl")))
    row  slack
      7  0.25
     12  0
    """
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [
        "  ".join(
            word.rjust(width) if side == "r" else word.ljust(width)
            for word, width, side in zip(row, widths, sides)
        ).rstrip()
        for row in rows
    ]


def show(lines, indent=2):
    """Print the lines, moved to the right, and an empty one."""
    for line in lines:
        print(" " * indent + line)
    print()


def number(value, digits=6):
    """A number in short: at most so many digits."""
    return f"{float(value):.{digits}g}"


def percent(part, whole):
    """A share of a whole, as people write it."""
    return f"{100 * part / whole:.2f} %"


def ratio(part, whole):
    """A part in proportion to a whole, or a dash if there is none.

    >>> ratio(1.0, 8.0), ratio(1.0, 0.0), ratio(inf, inf)
    ('0.12', '-', '-')
    """
    return number(part / whole, 2) if whole and abs(whole) < inf else "-"


def plural(count, one, more=None):
    """A count with its noun.

    >>> plural(1, "row"), plural(3, "class", "classes")
    ('1 row', '3 classes')
    """
    return f"{count} {one if count == 1 else more or one + 's'}"
