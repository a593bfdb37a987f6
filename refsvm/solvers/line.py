"""The best point of a line segment, and picking elements of a list."""

from operator import itemgetter


def best_travel(slope, curvature, low, high):
    """The t in [low, high] where slope t - curvature t^2 / 2 is largest; a tie goes to high.

    >>> best_travel(3.0, 2.0, -1.0, 1.0), best_travel(3.0, 2.0, -1.0, 9.0)
    (1.0, 1.5)
    >>> best_travel(1.0, -2.0, -5.0, 1.0)
    -5.0
    """
    if curvature > 0:
        return min(max(slope / curvature, low), high)
    if curvature == 0:
        return high if slope >= 0 else low
    at_low, at_high = (t * (slope - curvature * t / 2) for t in (low, high))
    return high if at_high >= at_low else low


def picker(wanted, n):
    """The function that takes a list of n to the list of its wanted elements."""
    if len(wanted) == n:
        return list
    if len(wanted) == 0:
        return lambda values: []
    if len(wanted) == 1:
        return lambda values: [values[wanted[0]]]
    pick = itemgetter(*wanted)
    return lambda values: list(pick(values))
