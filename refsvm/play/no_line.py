"""Why no line separates two classes: a place that would be on both sides, by Farkas's lemma.

The weights that prove it, made to have the sum 1 in each class, are of one and the same place in
feature space. Without an offset they show instead that no half-plane that begins at the origin has
every +x and every -x of them inside.
"""

from fractions import Fraction

from .numbers import shown


def no_line(problem, farkas):
    """Return the proof for the page: a sentence, the weights, and the place, where there is one.

    The weights of each class have the sum 1; without an offset they are as they are.
    """
    plus, minus = (
        [(i, v) for i, v in enumerate(farkas) if v != 0 and problem.y[i] == label]
        for label in (1, -1)
    )
    if not problem.bias:
        zero = " − ".join(weighted(side, grouped=True) for side in (plus, minus) if side)
        sentence = f"{zero} = 0: no line through (0, 0) has all of these on their sides"
        return {"sentence": sentence, "weights": [shown(v) for v in farkas]}
    whole = Fraction(0)
    for _, v in plus:
        whole += v
    plus, minus = ([(i, v / whole) for i, v in side] for side in (plus, minus))
    proof = {"weights": [shown(v / whole) for v in farkas]}
    if not problem.linear:
        at = "one place in feature space that would be on both sides"
        return {**proof, "sentence": f"{weighted(plus)} = {weighted(minus)}: {at}"}
    place = place_of(problem, plus)
    at = "(" + ", ".join(shown(v)["text"] for v in place) + ")"
    both = "one place that would be on both sides"
    return {
        **proof,
        "sentence": f"{weighted(plus)} = {at} = {weighted(minus)}: {both}",
        "place": [float(v) for v in place],
        "ends": [[float(v) for v in problem.X[i]] for i, _ in plus + minus],
    }


def place_of(problem, side):
    """Return the weighted mean of points."""
    place = [Fraction(0)] * len(problem.X[0])
    for i, v in side:
        place = [p + v * x for p, x in zip(place, problem.X[i])]
    return place


def weighted(side, grouped=False):
    """Return a weighted sum of points, in words.

    >>> weighted([(0, Fraction(1, 2)), (3, Fraction(1, 2))]), weighted([(1, Fraction(1))])
    ('1/2 · point 1 + 1/2 · point 4', 'point 2')
    """
    terms = [(shown(v)["text"], f"point {i + 1}") for i, v in side]
    words = " + ".join(point if v == "1" else f"{v} · {point}" for v, point in terms)
    return f"({words})" if grouped and len(terms) > 1 else words
