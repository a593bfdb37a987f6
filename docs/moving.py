"""Pictures of the course that move on the site: a small page of play for each, in a frame.

The state is that of the command of play which follows the picture in its chapter. Without a
script, and in the repository, the picture is seen as it is.
"""

import json
import re
from posixpath import relpath
from typing import NamedTuple

from docs.scenes import LIST, answer_at, steps_of

COURSE = "spec/course/"
PICTURE = re.compile(r"^!\[[^]]*\]\(pictures/(\w+)\.svg\)\n" + LIST, re.MULTILINE)
STATE = re.compile(r"refsvm play '#([^']+)'")
LONG = re.compile(r"-?\d+\.\d{4,}")
ROOM = {True: 3, False: 1.6}  # of a plane that is wide; a curve is drawn in so many cells only
MOST_STEPS = 7  # that are seen before Python has started


class Moving(NamedTuple):
    """What is said above a picture, which of its points move, and what is shown below it."""

    sentence: str  # of a scene: its name
    handles: tuple  # the numbers of points; the first is the one to begin with
    numbers: tuple  # names in an answer of play, or "bars"
    beside: str = ""  # the column that is written beside points


class Shown(NamedTuple):
    """What the chapter of a picture says of it."""

    state: str
    steps: tuple  # of its scene, if it has one


MOVING = {
    "sides": Moving(
        "Drag point 1: the line turns, and w with it. Where y f > 0, a point is on its own side.",
        (1, 4),
        ("w", "b", "y f"),
    ),
    "street": Moving("The widest street, in steps", (1, 2, 4), ("margin²",), "α"),
    "slack": Moving("Slack and C, in steps", (5, 11), ("margin²", "½‖w‖²", "C Σξ"), "slack ξ"),
    "duality": Moving(
        "Drag point 3: wherever it is, the two programs have one value.",
        (3, 2),
        ("bars",),
    ),
    "alpha": Moving("What alpha says, in steps", (1, 4, 5), ("α", "y f"), "α"),
    "xor": Moving(
        "Drag a corner: no line separates these classes; with products as features one does.",
        (1, 3),
        ("margin²", "support"),
    ),
    "pair": Moving("Pairs of SMO, in steps", (3, 4), ("bars",), "α"),
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


def shown():
    """What chapters say of each picture: {picture: Shown}."""
    from docs.names import text_of
    from tests.test_spec import ROOT

    found = {}
    for path in sorted((ROOT / COURSE).glob("*.md")):
        text = text_of(f"{COURSE}{path.name}")
        for picture in PICTURE.finditer(text):
            state = STATE.search(text, picture.end())
            if picture[1] in MOVING and state:
                found[picture[1]] = Shown(state[1], tuple(steps_of(picture[2] or "")))
    return found


def pages(modules):
    """Yield name and text of the page of each picture; modules are those of quick.js."""
    from refsvm.play.page import small

    for name, (state, steps) in shown().items():
        sentence, handles, numbers, beside = MOVING[name]
        places, room = [number - 1 for number in handles], ROOM["k=" not in state]
        told = [[step.unbroken(), light(answer_at(state, step, room))] for step in steps]
        answers = {} if steps else answers_of(state)
        page = small(sentence, places, numbers, answers, modules, beside, told)
        yield f"{name}.html", page


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
    return {text: light(told) for text, told in found.items()}


def light(told):
    """An answer for a page of text, on which no program is shown and lines are seen only."""
    kept = {name: value for name, value in told.items() if name != "program"}
    return {**kept, "drawing": rounded(told["drawing"])}


def rounded(drawing):
    """A drawing to a thousandth of a unit: finer is not seen, and a curve has many corners."""
    text = LONG.sub(lambda match: f"{float(match[0]):.3f}", json.dumps(drawing))
    return json.loads(text)


def with_moving(text, name):
    """The text of a chapter in which each of these pictures is followed by where it moves.

    The list of a scene follows, which is read where nothing moves.
    """

    def moved(match):
        picture = match[1]
        if picture not in shown():
            return match[0]
        here = name.rpartition("/")[0]
        page, script = relpath(f"play/{picture}.html", here), relpath("_static/moving.js", here)
        place = f'<div class="moving" data-page="{page}"></div>'
        steps = f'\n<div class="steps">\n\n{match[2]}\n</div>\n' if match[2] else ""
        line = match[0].partition("\n")[0]
        return f'{line}\n\n{place}\n{steps}\n<script src="{script}"></script>\n'

    return PICTURE.sub(moved, text) if name.startswith(COURSE) else text
