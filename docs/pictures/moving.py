"""The picture of README.md: a point is dragged, then SMO starts anew, and it moves by itself.

Each frame is an answer of refsvm/play, drawn: the same regions, lines and slacks, the same two
bars, the same fractions, so every optimum that is seen was computed exactly. Frames follow each
other by rules of style, without a script, as an <img> shows them. Where less motion is wanted, and
on paper, the last frame is seen.

    scene     what a state of play shows, for so many seconds, below a line of words
"""

import re
from fractions import Fraction
from typing import NamedTuple

from docs.pictures.paper import Chart, Sheet, words
from refsvm.numerics.linalg import total
from refsvm.play.answers import answer

PLANE = (0, 5, 0, 4)
HIGH, LEFT, ROOM = 310, 388, 232  # of the sheet; where the bars begin, and how long one may be
LARGEST = 9  # a value that fills the room
OTHERS = "+1,2;+3,3;-2,1;-3,2;-4,5/2"
WAY = [(2 + k / 16, 3 - k / 8) for k in range(17)]  # of the point that is dragged
DRAG, STEP, REST = 0.15, 1.1, 2.6  # seconds
NUMBERS = re.compile(r"(-?[\d.]+) (-?[\d.]+)")
SAID = {
    "drag": ("Drag a point:", "the exact optimum follows."),
    "start": ("The same by SMO,", "two multipliers a step."),
    "end": ("Primal and dual meet:", "that is the proof."),
}


class Scene(NamedTuple):
    """A state of play, and how it is shown."""

    point: tuple
    watched: str
    seconds: float
    said: str


def play_at_work():
    """A point is dragged and the street follows; then SMO closes the gap.

    Six points of two classes, the street between them, and two bars, the primal and dual value.
    While a point is dragged into the other class, both bars stay equally long. Then SMO starts
    from nothing: the primal bar is long and the dual one empty, until after some steps they meet.
    """
    shown = scenes()
    period = total(scene.seconds for scene in shown)
    frames, begin = [], 0.0
    for scene in shown:
        frames.append(frame(scene, begin - period))
        begin += scene.seconds
    style = f"<style>{moving({scene.seconds for scene in shown}, period)}</style>"
    still = plane()
    still.examples(*others(), size=6.5)  # over the regions of every frame
    parts = [words(LEFT, 170, "½‖w‖²", "other", small=True)]
    parts.append(words(LEFT + 56, 170, "+ C Σξ, the slacks", "soft", small=True))
    return Sheet([], HIGH, (style, *frames, still.text(), *parts))


def plane():
    """The part of the sheet where the points lie."""
    return Chart(PLANE[:2], PLANE[2:], at=(12, 12, 352, 272))


def others():
    """The points that stay, and their labels."""
    points = [
        ([float(Fraction(number)) for number in word[1:].split(",")], 1 if word[0] == "+" else -1)
        for word in OTHERS.split(";")
    ]
    return tuple(zip(*points))


def scenes():
    """The scenes in order."""
    rest = [Scene(WAY[0], "", REST, "drag")]
    drag = [Scene(place, "", DRAG, "drag") for place in WAY[1:-1]]
    pause = [Scene(WAY[-1], "", REST, "drag")]
    steps = answer({"state": state_at(WAY[-1], "t=smo,0;")})["watch"]["steps"]
    smo = [Scene(WAY[-1], f"t=smo,{k};", STEP, "start") for k in range(steps)]
    return [*rest, *drag, *pause, *smo, Scene(WAY[-1], f"t=smo,{steps};", 2 * REST, "end")]


def state_at(place, watched):
    """The state of play in which the dragged point is at this place."""
    u, v = (f"{c:.4f}" for c in place)
    return f"1;{watched}p=+{u},{v};{OTHERS}"


def frame(scene, delay):
    """What is seen of a scene, as SVG text."""
    told = answer({"state": state_at(scene.point, scene.watched), "plane": PLANE})
    on, picture = plane(), told["drawing"]
    for words_of, classes in [
        (picture["plus"], "tint f-plus"),
        (picture["minus"], "tint f-minus"),
        *((line, "line s-ink dash") for line in picture["margins"].values()),
        (picture["border"], "line s-ink bold"),
        *((line, "line s-other") for line in picture["slacks"]),
    ]:
        if words_of:
            on.add(NUMBERS.sub(lambda m: place_text(on, m), words_of), classes)
    places = [scene.point, *others()[0]]
    rings = [at for at, row in zip(places, told["rows"]) if row["support"]]
    if rings:
        on.rings(rings, "ink", 11)
    on.examples([scene.point], [1], size=6.5)
    if not scene.watched:
        on.rings([scene.point], "key", 16)
    text = "\n".join([on.text(), *said(scene.said), *bars(told["bars"])])
    name = f"t{scene.seconds * 100:.0f}"
    last = " end" if scene.said == "end" else ""
    return f'<g class="at {name}{last}" style="animation-delay:{delay:.2f}s">{text}</g>'


def place_text(chart, match):
    """A place of the plane as one of the sheet."""
    x, y = chart.place((float(match[1]), float(match[2])))
    return f"{x:.1f} {y:.1f}"


def said(key):
    """The two lines of words."""
    return [words(LEFT, 38 + 24 * k, text, "ink") for k, text in enumerate(SAID[key])]


def bars(values):
    """The primal and the dual bar, with their values."""
    primal, dual = values["primal"], values["dual"]
    half, slack = (part["near"] for part in primal["parts"])
    meet = values["gap"]["near"] == 0
    return [
        words(LEFT, 112, f"primal = {primal['text']}", "ink"),
        box(0, half, 122, "other"),
        box(half, slack, 122, "soft"),
        words(LEFT, 204, f"dual = {dual['text']}", "ink"),
        box(0, dual["near"], 214, "key"),
        words(LEFT, 270, f"gap = {values['gap']['text']}", "key" if meet else "plus"),
    ]


def box(begin, size, y, ink):
    """A part of a bar."""
    x, wide = LEFT + ROOM * begin / LARGEST, ROOM * size / LARGEST
    return f'<path class="f-{ink}" d="M{x:.1f} {y}h{wide:.1f}v26h{-wide:.1f}z"/>'


def moving(lengths, period):
    """The rules by which each frame is seen for its part of the period."""
    parts = [
        f"@keyframes k{100 * s:.0f}{{0%{{visibility:visible}}"
        f"{100 * s / period:.3f}%,100%{{visibility:hidden}}}}"
        f".t{100 * s:.0f}{{animation:k{100 * s:.0f} {period:.2f}s step-end infinite}}"
        for s in sorted(lengths)
    ]
    still = "@media print,(prefers-reduced-motion:reduce){.at{animation:none}}"
    return ".at{visibility:hidden}.end{visibility:visible}" + "".join(parts) + still
