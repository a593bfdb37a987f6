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
    return [[place(edge) for edge in chain] for chain in chains(crossings(above))]


def crossings(above):
    """Return {edge: the edges it is joined to}, for edges with a node on either side."""
    joined = {}
    for j, (row, following) in enumerate(zip(above, above[1:])):
        for i in range(len(row) - 1):
            if row[i] == row[i + 1] == following[i] == following[i + 1]:
                continue
            for corners in triangles(i, j):
                sides = zip(corners, corners[1:] + corners[:1])
                cut = [tuple(sorted(s)) for s in sides if on_two_sides(above, s)]
                if cut:
                    one, other = cut
                    joined.setdefault(one, []).append(other)
                    joined.setdefault(other, []).append(one)
    return joined


def triangles(i, j):
    """Return the two triangles of a cell, as nodes; both run around in the same sense."""
    a, b, c, d = (i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)
    return [(a, b, c), (a, c, d)]


def on_two_sides(above, edge):
    """Tell whether one node of the edge is above the level and the other is not."""
    (i, j), (k, l) = edge
    return above[j][i] != above[l][k]


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
        if len(joined[start]) == 2:
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
    nodes = [[(x, y, v) for x, v in zip(xs, row)] for y, row in zip(ys, at)]
    signs = [[tuple([v > 0 for v in values]) for values in row] for row in at]
    of_signs, parts = {}, {}
    for j in range(len(ys) - 1):
        rows, of_rows = nodes[j : j + 2], signs[j : j + 2]
        cells = [cell_parts(rows, of_rows, i, winner, of_signs) for i in range(len(xs) - 1)]
        for won, polygon in joined_along(xs, ys[j], ys[j + 1], cells):
            parts.setdefault(won, []).append(polygon)
    return parts


def cell_parts(rows, of_rows, i, winner, of_signs):
    """Return [(winner, polygon)] of a cell; [(winner, None)] if one wins all of it.

    A vertex is (x, y, the values of all functions); of_rows has the signs of these. of_signs keeps
    what winner said before.
    """
    (a, b), (c, d) = (row[i : i + 2] for row in of_rows)
    if a == b == c == d:
        if a not in of_signs:
            of_signs[a] = winner(a)
        return [(of_signs[a], None)]
    nodes = {(k, l): rows[l][k] for l in (0, 1) for k in (i, i + 1)}
    found = []
    for corners in triangles(i, 0):
        for signs, polygon in pieces([nodes[corner] for corner in corners]):
            if signs not in of_signs:
                of_signs[signs] = winner(signs)
            found.append((of_signs[signs], polygon))
    return found if any(won != found[0][0] for won, _ in found) else [(found[0][0], None)]


def joined_along(xs, top, bottom, cells):
    """Yield (winner, polygon) along a row of cells, whole cells of one winner put together."""
    first = 0
    for i, cell in enumerate(cells):
        if cell[0][1] is not None:
            yield from cell
        elif i + 1 < len(cells) and cells[i + 1] == cell:
            continue
        else:
            left, right = xs[first], xs[i + 1]
            yield cell[0][0], [(left, top), (right, top), (right, bottom), (left, bottom)]
        first = i + 1


def pieces(triangle):
    """Return a triangle cut along the zeros of all functions: (signs, polygon) for each piece."""
    signs = [tuple(v > 0 for v in values) for _, _, values in triangle]
    if signs[0] == signs[1] == signs[2]:
        return [(signs[0], [vertex[:2] for vertex in triangle])]
    polygons = [triangle]
    for f in [f for f, s in enumerate(zip(*signs)) if len(set(s)) == 2]:
        polygons = [part for polygon in polygons for part in cut_in_two(polygon, f)]
    return [
        (
            tuple(max(v) > 0 for v in zip(*(vertex[2] for vertex in polygon))),
            [vertex[:2] for vertex in polygon],
        )
        for polygon in polygons
    ]


def cut_in_two(polygon, f):
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
