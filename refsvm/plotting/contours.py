"""Level lines and regions of functions that are known on a grid only.

    xs, ys     the places of the grid's columns and rows, ascending
    values     values[j][i] is the function at (xs[i], ys[j])
    node       a point of the grid; cell: the rectangle between four nodes
    edge       a pair of nodes that belong to one triangle

Every cell is cut into two triangles along a diagonal, and in a triangle the function is taken to
be linear, as its three corners say. So a line crosses a triangle straight, and two neighbours
agree on where it crosses the edge between them. A function that is linear anyway is drawn exactly,
and no cell has two readings, as a saddle has when a square is marched around whole.

Numbers may be Fractions: only + - * / and comparisons are used.

Source: Lorensen and Cline, Marching cubes, SIGGRAPH 1987, with triangles for its cubes.
"""

from itertools import groupby, repeat
from typing import Any, NamedTuple


def cell_ends(low, high, cells):
    """Return the ends of equal cells from low to high.

    >>> cell_ends(0.0, 1.0, 2)
    [0.0, 0.5, 1.0]
    """
    return [low + (high - low) * (i / cells) for i in range(cells + 1)]


def level_lines(xs, ys, values, level):
    """Return the lines where the function is `level`; a closed line ends as it begins.

    The lines are in the order in which the grid meets them. O(cells).

    >>> level_lines([0.0, 2.0], [0.0, 2.0], [[0.0, 4.0], [0.0, 4.0]], 1)
    [[(0.5, 0.0), (0.5, 0.5), (0.5, 2.0)]]
    """

    def place(edge):
        (i, j), (k, l) = edge
        a, b = values[j][i], values[l][k]
        t = (level - a) / (b - a)
        return xs[i] + t * (xs[k] - xs[i]), ys[j] + t * (ys[l] - ys[j])

    above = [[value > level for value in row] for row in values]
    return [[place(edge) for edge in chain] for chain in chains(_crossings(above))]


def _crossings(above):
    """Return {edge: the edges it is joined to}, for edges with a node on either side."""
    joined = {}
    for j, (row, following) in enumerate(zip(above, above[1:])):
        for i in _cut_cells(row, following):
            for edges in _edges_of_triangles(i, j):
                cut = [((i, j), (k, l)) for (i, j), (k, l) in edges if above[j][i] != above[l][k]]
                if cut:
                    one, other = cut
                    joined.setdefault(one, []).append(other)
                    joined.setdefault(other, []).append(one)
    return joined


def _cut_cells(row, following):
    """Return the cells between two rows of nodes whose four nodes are not all on one side.

    row, following    the signs of the nodes; cell i has the nodes i and i + 1 of both

    >>> _cut_cells([False, False, True, True], [False, False, False, True])
    [1, 2]
    """
    corners = enumerate(zip(row, row[1:], following, following[1:]))
    return [i for i, (a, b, c, d) in corners if not a == b == c == d]


def triangles(i, j):
    """Return the two triangles of a cell, as nodes; both run around in the same sense."""
    a, b, c, d = (i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)
    return [(a, b, c), (a, c, d)]


def _edges_of_triangles(i, j):
    """Return the three edges of each triangle of a cell, each edge from its lower node."""
    a, b, c, d = (i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)
    return ((a, b), (b, c), (a, c)), ((a, c), (d, c), (a, d))


def chains(joined):
    """Yield the edges along each line: first the lines with two ends, then the closed ones.

    >>> list(chains({"a": ["b"], "b": ["a", "c"], "c": ["b"]}))
    [['a', 'b', 'c']]
    """
    left = dict.fromkeys(joined)  # a set that keeps its order
    ends = [edge for edge in joined if len(joined[edge]) == 1]
    for start in ends + list(joined):
        if start not in left:
            continue
        chain, edge = [], start
        while edge is not None:
            chain.append(edge)
            del left[edge]
            edge = next((e for e in joined[edge] if e in left), None)
        if len(joined[start]) == 2:  # no end: the line is closed
            chain.append(start)
        yield chain


def regions(xs, ys, fields, winner):
    """Return the grid cut up along the zeros of several functions: {winner: list of polygons}.

    fields     one grid of values for each function
    winner     what the tuple of signs (is it above 0?), one for each function, stands for

    Whole cells are put together along a row. All polygons run around in the same sense, so that
    two of them that touch leave no seam when they are filled at once. O(cells * functions).

    >>> parts = regions([0, 1, 2, 3], [0, 1], [[[-1, -1, 1, 1], [-1, -1, 1, 1]]], lambda s: s[0])
    >>> parts[False][0]
    [(0, 0), (1, 0), (1, 1), (0, 1)]
    """
    at = [list(zip(*rows)) for rows in zip(*fields)]  # at[j][i]: the values of all functions
    sides = [[[v > 0 for v in row] for row in field] for field in fields]
    signs = [list(zip(*rows)) for rows in zip(*sides)]
    wins = {one: winner(one) for one in set().union(*signs)}
    parts = {}
    for j, (top, bottom) in enumerate(zip(ys, ys[1:])):
        nodes = [list(zip(xs, repeat(y), row)) for y, row in zip((top, bottom), at[j : j + 2])]
        spans = _spans_along(nodes, signs[j : j + 2], wins, winner)
        for won, polygon in _joined_along(spans, xs, top, bottom):
            parts.setdefault(won, []).append(polygon)
    return parts


class Span(NamedTuple):
    """Cells of a row: whole ones, all of one winner, or one that is cut up."""

    winner: Any  # of whole cells
    first: int
    end: int  # the cell after the last
    pieces: list  # of one that is cut up: [(winner, polygon)]


def _spans_along(nodes, signs, wins, winner):
    """Yield the Spans of a row of cells.

    A vertex is (x, y, the values of all functions); signs has the signs of these, and wins keeps
    what winner said of them. Cells between two that are cut share nodes, so all have one winner.
    """
    cells, first = len(signs[0]) - 1, 0
    for i in _cut_cells(*signs):
        if first < i:
            yield Span(wins[signs[0][first]], first, i, [])
        yield _cut_up(nodes, i, wins, winner)
        first = i + 1
    if first < cells:
        yield Span(wins[signs[0][first]], first, cells, [])


def _cut_up(nodes, i, wins, winner):
    """Return the Span of a cell that is crossed by a zero; it is whole if one wins all of it."""
    found = []
    for corners in triangles(i, 0):
        for signs, polygon in pieces([nodes[row][column] for column, row in corners]):
            if signs not in wins:
                wins[signs] = winner(signs)
            found.append((wins[signs], polygon))
    whole = all(won == found[0][0] for won, _ in found)
    return Span(found[0][0], i, i + 1, [] if whole else found)


def _joined_along(spans, xs, top, bottom):
    """Yield (winner, polygon) along a row of cells, whole cells of one winner put together."""
    for (whole, won), group in groupby(spans, key=lambda span: (not span.pieces, span.winner)):
        run = list(group)
        if not whole:
            for span in run:
                yield from span.pieces
        else:
            left, right = xs[run[0].first], xs[run[-1].end]
            yield won, [(left, top), (right, top), (right, bottom), (left, bottom)]


def pieces(triangle):
    """Return a triangle cut along the zeros of all functions: (signs, polygon) for each piece."""
    signs = [tuple([v > 0 for v in values]) for _, _, values in triangle]
    if signs[0] == signs[1] == signs[2]:
        return [(signs[0], [vertex[:2] for vertex in triangle])]
    polygons = [triangle]
    for f in [f for f, s in enumerate(zip(*signs)) if len(set(s)) == 2]:
        polygons = [part for polygon in polygons for part in _cut_in_two(polygon, f)]
    # The cuts leave no function with both signs on a piece: above 0 anywhere is above 0 inside.
    return [
        (
            tuple(max(v) > 0 for v in zip(*(vertex[2] for vertex in polygon))),
            [vertex[:2] for vertex in polygon],
        )
        for polygon in polygons
    ]


def _cut_in_two(polygon, f):
    """Return the part of a polygon where function f is above 0, and the rest, if there are both.

    Where the cut meets a side, f is 0 from now on.
    """
    above, rest = [], []
    for here, there in zip(polygon, polygon[1:] + polygon[:1]):
        (above if here[2][f] > 0 else rest).append(here)
        if (here[2][f] > 0) != (there[2][f] > 0):
            cross = between(here, there, f)
            above.append(cross)
            rest.append(cross)
    return [part for part in (above, rest) if len(part) > 2]


def between(here, there, f):
    """Return the vertex on the side from here to there where function f is 0.

    It is computed from the same end whichever way the side is taken, so that two triangles that
    share it agree on the place to the last bit.
    """
    (x, y, p), (u, v, q) = sorted((here, there))
    t = p[f] / (p[f] - q[f])
    values = [a + t * (b - a) for a, b in zip(p, q)]
    values[f] = 0
    return x + t * (u - x), y + t * (v - y), tuple(values)
