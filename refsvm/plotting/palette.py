"""The sign of a class in every picture: a colour, a shape, and the tint of its region.

    class c    the c-th in the order of the labels, whatever the picture is of

Ten classes have ten colours and ten shapes; of a hundred no two have the same colour and shape.
The colours stay apart for people with any colour blindness: simulated for each kind (Machado,
Oliveira and Fernandes 2009), no two are nearer than 0.08 in Oklab. They were found by random
search from the first three, which are those of Okabe and Ito, Color Universal Design (2008).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Place = tuple[float, float]  # x, y in pixels

COLOURS = [
    "#0072b2",  # blue
    "#d55e00",  # vermilion
    "#009e73",  # green
    "#5f24a9",  # violet
    "#b482b1",  # mauve
    "#653226",  # brown
    "#726c7f",  # grey
    "#9a6cf4",  # lavender
    "#b63c34",  # red
    "#154974",  # navy
]
TINT = 16  # of a hundred parts of the colour of a region; the others are white
SIZE = 3.4  # of a mark: the radius of the disc


def colour(c: int) -> str:
    """Return the colour of the marks of class c."""
    return COLOURS[c % len(COLOURS)]


def tint(c: int, share: int = TINT) -> str:
    """Return the colour of the region of class c, or another share of its colour.

    >>> tint(0)
    '#d6e8f2'
    """
    parts = [int(colour(c)[k : k + 2], 16) for k in (1, 3, 5)]
    return "#" + "".join(f"{(share * v + (100 - share) * 255) // 100:02x}" for v in parts)


def marks(c: int, places: Iterable[Place], size: float = SIZE) -> str:
    """Return the marks of class c, one at each place, as one SVG path."""
    shape = SHAPES[(c + c // len(COLOURS)) % len(SHAPES)]
    d = "".join(shape(x, y, size) for x, y in places)
    white = f'stroke="#ffffff" stroke-width="{size / 2:.2g}" paint-order="stroke"'
    return f'<path fill="{colour(c)}" {white} d="{d}"/>'


def circle(x: float, y: float, size: float) -> str:
    """Return a circle around x, y, in the words of a path."""
    half = f"a{size:g} {size:g} 0 1 0"
    return f"M{x - size:.1f} {y:.1f}{half} {2 * size:g} 0{half}-{2 * size:g} 0z"


def polygon(corners: list[tuple[float, float]]) -> Callable[[float, float, float], str]:
    """Return the shape with these corners, in units of a mark's size, in the words of a path."""
    steps = [(x - u, y - v) for (u, v), (x, y) in zip(corners, corners[1:])]

    def shape(x: float, y: float, size: float) -> str:
        (u, v), *_ = corners
        sides = "".join(f"l{size * p:.2g} {size * q:.2g}" for p, q in steps)
        return f"M{x + size * u:.1f} {y + size * v:.1f}{sides}z"

    return shape


def turned(corners: list[tuple[float, float]]) -> list[tuple[float, float]]:
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
SHAPES = [
    circle,
    polygon([(-0.87, -0.87), (0.87, -0.87), (0.87, 0.87), (-0.87, 0.87)]),  # square
    polygon(TRIANGLE),
    polygon([(0.0, -1.35), (1.15, 0.0), (0.0, 1.35), (-1.15, 0.0)]),  # diamond
    polygon(PLUS),
    polygon(turned(TRIANGLE)),
    polygon(STAR),
    polygon([(0.71 * (x - y), 0.71 * (x + y)) for x, y in PLUS]),  # cross
    polygon([(-1.15, -1.25), (1.15, -1.25), (-1.15, 1.25), (1.15, 1.25)]),  # hourglass
    polygon([(-0.85, -1.2), (1.25, 0.0), (-0.85, 1.2)]),  # triangle to the right
]
