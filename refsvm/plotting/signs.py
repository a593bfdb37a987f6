"""What every picture has: marks of the examples, rings of the support vectors, a legend."""

from ..numerics.quoting import quote, shorten
from ..numerics.validation import text
from .palette import SIZE, circle, marks, tint
from .scenes import class_name
from .svg import TOP, WIDTH, box, path, stroke, words

MANY = 1500  # marks of one sort; more are thinned out, they would hide each other
BORDER = {"width": 2}
MARGIN = {"width": 1.2, "style": 'stroke-dasharray="5 3" '}
SLACK = {"width": 0.8, "style": 'stroke-opacity="0.8" '}
RING = {"width": 1.3, "colour": "#000000"}
ROOM = 3  # pixels between a mark and the ring around it
LONGEST = 28  # characters of a line of the legend
LINE = 22  # pixels from one sign of the legend to the next


def examples(frame, classes, X, y):
    """Return one path of marks for each class, and how many of how many marks it shows."""
    size = mark_size(len(X))
    found, shown, taken = [], [], set()
    for c, label in enumerate(classes):
        every = [frame.place(row) for row, of_row in zip(X, y) if of_row == label]
        places = thin_out(every)
        free = [place for place in places if place not in taken]
        found.append(marks(c, free, size))
        if len(free) < len(places):  # smaller, so that the mark below is seen
            found.append(marks(c, [place for place in places if place in taken], 0.6 * size))
        taken.update(places)
        shown.append((len(places), len(every)))
    return found, shown


def mark_size(n):
    """Return the size of the marks of n examples."""
    return SIZE if n <= 400 else 2.7 if n <= 2000 else 2.0


def rings(frame, scene, size=SIZE):
    """Yield a ring around each support vector that is shown, to be seen around marks of a size."""
    places = thin_out(frame.place(row) for row in scene.vectors if frame.shows(row))
    if places:
        yield stroke("".join(circle(x, y, size + ROOM) for x, y in places), **RING)


def thin_out(places):
    """Return at most MANY of the places: one for each cell of a lattice that is coarse enough.

    >>> thin_out([(0.5, 0.5), (7.0, 7.0)])
    [(0.5, 0.5), (7.0, 7.0)]
    """
    kept, cell = list(places), 1
    while len(kept) > MANY:
        kept = list({(x // cell, y // cell): (x, y) for x, y in reversed(kept)}.values())[::-1]
        cell *= 2
    return kept


def names_of(classes, called, shown):
    """Return what the legend says of each class: its name, and how many marks were thinned out."""
    texts = []
    for label, (drawn, count) in zip(classes, shown):
        name = text((called or {}).get(label, class_name(label)), f"called[{quote(label)}]")
        some = "" if drawn == count else f" ({drawn:,} of {count:,})"
        texts.append(shorten(name, LONGEST - len(some)) + some if some else name)
    return texts


def legend(frame, entries):
    """Yield what each sign of the picture means, at its right; signs stand on the plot's paper."""
    x, y = frame.left + WIDTH + 26, TOP + 12
    for sign, meaning in entries:
        drawn = sign(x, y)
        if drawn:
            yield box(x - 10, y - 10, 20, 20, 'fill="#ffffff"') + drawn
        yield words(x + 18, y + 4, meaning, "start", LONGEST)
        y += LINE


def legend_bottom(entries):
    """Return how high a picture must be for its legend."""
    return TOP + LINE * (len(entries) + 1)


def _sign_of_class(c, is_predicted):
    """Return the sign of class c: its mark, on its colour if the model predicts the class."""
    patch = f'fill="{tint(c)}"'
    return lambda x, y: (
        (box(x - 10, y - 10, 20, 20, patch) if is_predicted else "") + marks(c, [(x, y)])
    )


def dash(x, y, style):
    """Return a short line of a style."""
    return stroke(f"M{x - 9} {y}h18", **style)


def border(lines):
    """Yield the margins, and over them the border."""
    for level, of_level in lines.items():
        if of_level:
            yield stroke("".join(map(path, of_level)), **(MARGIN if level else BORDER))


def class_entries(classes, predicted, texts):
    """Return the entry of the legend for each class; those predicted have a region."""
    return [
        (_sign_of_class(c, label in predicted), meaning)
        for c, (label, meaning) in enumerate(zip(classes, texts))
    ]


def ring_entry(scene):
    """Return the entry of the support vectors, if there are any."""
    sign = (lambda x, y: stroke(circle(x, y, SIZE + ROOM), **RING), "support vector")
    return [sign] if scene.vectors else []


def scale_entry(frame):
    """Return what is said where the axes differ in scale."""
    return [] if frame.has_one_scale() else [(lambda x, y: "", "the axes differ in scale")]
