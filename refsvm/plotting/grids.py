"""The decisions of a machine on a grid over the plot, from which lines and regions are drawn."""

from .svg import HEIGHT, TOP, WIDTH

ONE_CELL = (1, 1)  # columns and rows of the grid on which decisions are taken: exact if linear
FINE, COARSE = (100, 75), (52, 39)  # coarse where there is much to compute at each place
MUCH = 6, 1000  # classes, as the work grows with their square, and support vectors


def decision_grids(frame, scene, grid):
    """Return for each pair of classes the grid of its decisions, rows from the top."""
    if not scene.classes:
        return []
    columns, rows = ONE_CELL if scene.is_linear else grid
    us, vs = steps(*frame.u, columns), steps(*frame.v, rows)[::-1]
    decisions = zip(*scene.decisions([[u, v] for v in vs for u in us]))
    wide = len(us)
    return [[f[start : start + wide] for start in range(0, len(f), wide)] for f in decisions]


def cells(scene):
    """Return the columns and rows of the grid that a machine needs, if it is not linear."""
    classes, vectors = MUCH
    return FINE if len(scene.classes) <= classes and len(scene.vectors) <= vectors else COARSE


def steps(low, high, cells):
    """Return the ends of equal cells from low to high."""
    return [low + (high - low) * (i / cells) for i in range(cells + 1)]


def grid_places(frame, field):
    """Return x of the columns and y of the rows of a grid of decisions."""
    xs = steps(frame.left, frame.left + WIDTH, len(field[0]) - 1)
    return xs, steps(TOP, TOP + HEIGHT, len(field) - 1)
