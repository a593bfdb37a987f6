"""Pictures of the course that move on the site: a small page of play for each, in a frame.

The state is that of the command of play which follows the picture in its chapter. Without a
script, and in the repository, the picture is seen as it is.
"""

import json
import re
from posixpath import relpath
from typing import NamedTuple

COURSE = "spec/course/"
PICTURE = re.compile(r"^!\[[^]]*\]\(pictures/(\w+)\.svg\)$", re.MULTILINE)
STATE = re.compile(r"refsvm play '#([^']+)'")
LONG = re.compile(r"-?\d+\.\d{4,}")
ROOM = {True: 3, False: 1.6}  # of a plane that is wide; a curve is drawn in so many cells only
MOST_STEPS = 7  # that are seen before Python has started


class Moving(NamedTuple):
    """What is said above a picture, which of its points move, and what is shown below it."""

    sentence: str
    handles: tuple  # the numbers of points; the first is the one to begin with
    numbers: tuple  # names in an answer of play, or "bars"


MOVING = {
    "sides": Moving(
        "Drag point 1: the line turns, and w with it. Where y f > 0, a point is on its own side.",
        (1, 4),
        ("w", "b", "y f"),
    ),
    "street": Moving(
        "Drag point 2. Only what comes to the edge of the street can move it.",
        (2, 1, 4),
        ("margin²", "support", "α"),
    ),
    "slack": Moving(
        "Drag point 5: its slack ξ is what y f lacks to 1, the margin line of its class.",
        (5, 11),
        ("½‖w‖²", "C Σξ", "slack ξ"),
    ),
    "duality": Moving(
        "Drag point 3: wherever it is, the two programs have one value.",
        (3, 4),
        ("bars",),
    ),
    "alpha": Moving(
        "Drag point 4: α is 0 where y f > 1, C = 1 where y f < 1, and between where y f = 1.",
        (4, 5),
        ("α", "y f"),
    ),
    "xor": Moving(
        "Drag a corner: no line separates these classes; with products as features one does.",
        (1, 3),
        ("margin²", "support"),
    ),
    "box": Moving(
        "Take a step: two multipliers move, and the dual grows. Where the bars meet, it is done.",
        (3, 4),
        ("bars", "pair", "clipped"),
    ),
    "pegasos": Moving(
        "Take a step: one point is looked at. The value may go up, too.",
        (5, 7),
        ("look", "value", "optimum"),
    ),
    "tube": Moving(
        "Drag point 9 well into the tube: errors within it are free, and α is 0.",
        (9, 5),
        ("w", "C Σξ", "α"),
    ),
    "one_class": Moving(
        "Drag point 9: at most a quarter of the points lies outside, and ν is that quarter.",
        (9, 7),
        ("w", "ρ", "α"),
    ),
    "reduced_hulls": Moving(
        "Drag point 5: ν lies between the share of points with slack and that of support vectors.",
        (5, 10),
        ("ν", "support"),
    ),
}


def states():
    """The state of each picture, from the text of its chapter: {picture: state}."""
    from docs.names import text_of
    from tests.test_spec import ROOT

    found = {}
    for path in sorted((ROOT / COURSE).glob("*.md")):
        text = text_of(f"{COURSE}{path.name}")
        for picture in PICTURE.finditer(text):
            state = STATE.search(text, picture.end())
            if picture[1] in MOVING and state:
                found[picture[1]] = state[1]
    return found


def pages(modules):
    """Yield name and text of the page of each picture; modules are those of quick.js."""
    from refsvm.play.page import small

    for name, state in states().items():
        sentence, handles, numbers = MOVING[name]
        places = [number - 1 for number in handles]
        yield f"{name}.html", small(sentence, places, numbers, answers_of(state), modules)


def answers_of(state):
    """The answers that a picture has before Python has started: to its state, and each step."""
    from refsvm.play.page import seen_whole

    room = ROOM["k=" not in state]  # a line
    first = seen_whole(state, room)
    found = {first["link"]: first}
    watch = first.get("watch")
    for step in range(watch["step"], min(watch["steps"], MOST_STEPS) + 1) if watch else ():
        told = seen_whole(re.sub(r"(?<=;t=)(\w+),\d+", rf"\1,{step}", first["link"]), room)
        found[told["link"]] = told
    for told in found.values():
        del told["program"]
        told["drawing"] = rounded(told["drawing"])
    return found


def rounded(drawing):
    """A drawing to a thousandth of a unit: finer is not seen, and a curve has many corners."""
    text = LONG.sub(lambda match: f"{float(match[0]):.3f}", json.dumps(drawing))
    return json.loads(text)


def with_moving(text, name):
    """The text of a chapter in which each of these pictures is followed by where it moves."""

    def moved(match):
        picture = match[1]
        if picture not in states():
            return match[0]
        here = name.rpartition("/")[0]
        page, script = relpath(f"play/{picture}.html", here), relpath("_static/moving.js", here)
        place = f'<div class="moving" data-page="{page}"></div>'
        return f'{match[0]}\n\n{place}<script src="{script}"></script>'

    return PICTURE.sub(moved, text) if name.startswith(COURSE) else text
