"""Lines from each example that falls short of its margin to that margin.

For the linear kernel a line is at right angles to the margin, and ends where it leaves the plot.
Otherwise it goes to the nearest place of the margin that is seen.
"""

from .svg import HEIGHT, TOP, WIDTH, path


def slacks(frame, scene, lines, X, y, thin_out):
    """Yield for each of two classes the path of its slack lines, as thin_out leaves them."""
    for label, level in zip(scene.classes, (1, -1)):
        rows = [row for row, of_row in zip(X, y) if of_row == label]
        if rows and lines and (lines[level] or scene.is_linear):
            short = [(row, f) for row, (f,) in zip(rows, scene.decisions(rows)) if level * f < 1]
            ends = dict(_pairs_of_ends(frame, scene, lines[level], level, short))
            yield "".join(path((start, ends[start])) for start in thin_out(ends))


def _pairs_of_ends(frame, scene, of_level, level, short):
    """Yield the two ends of each line, as places."""
    normal = _normal_of(frame, scene) if scene.is_linear else None
    for row, f in short:
        place = frame.place(row)
        if normal is None:
            yield place, nearest(place, of_level)
        elif any(normal):
            yield place, seen(frame, place, foot(frame, row, f - level, normal))


def _normal_of(frame, scene):
    """Return w of a linear machine, from its decisions at three corners of the plot."""
    (u0, u1), (v0, v1) = frame.u, frame.v
    (f,), (right,), (up,) = scene.decisions([[u0, v0], [u1, v0], [u0, v1]])
    return (right - f) / (u1 - u0), (up - f) / (v1 - v0)


def foot(frame, row, above, w):
    """Return the place of the margin that is nearest to the row, which is so far above it in f."""
    size = max(map(abs, w))  # whose square, but not that of w, is a number
    p, q = (c / size for c in w)
    t = above / size / (p * p + q * q)
    return frame.place((row[0] - t * p, row[1] - t * q))


def seen(frame, start, end):
    """Return the end of the part of a line that is in the plot; the start is."""
    share = 1.0
    edges = ((frame.left, frame.left + WIDTH), (TOP, TOP + HEIGHT))
    for a, b, (low, high) in zip(start, end, edges):
        if not low <= b <= high:
            share = min(share, ((low if b < low else high) - a) / (b - a))
    return tuple(a + share * (b - a) for a, b in zip(start, end))


def nearest(point, lines):
    """Return the place on some lines that is nearest to a point.

    >>> nearest((1.0, 5.0), [[(0.0, 0.0), (3.0, 0.0)]])
    (1.0, 0.0)
    """
    x, y = point
    best = None
    for line in lines:
        for (x0, y0), (x1, y1) in zip(line, line[1:]):
            dx, dy = x1 - x0, y1 - y0
            length2 = dx * dx + dy * dy
            t = ((x - x0) * dx + (y - y0) * dy) / length2 if length2 else 0.0
            t = min(max(t, 0.0), 1.0)
            p, q = x0 + t * dx, y0 + t * dy
            distance2 = (p - x) * (p - x) + (q - y) * (q - y)
            if best is None or distance2 < best[0]:
                best = distance2, (p, q)
    return best[1]
