"""Scenes: a list below a picture of the course, each of whose sentences moves the picture on.

    2. Point 2 moves, and the street stays: margin² = 8. <!-- 2=5,0 -->

The comment says in what this step differs from the state of the chapter, which is that of the
command of play below the list:

    2=5,0            where point 2 lies           C=inf    the penalty
    w=1/6,1/3        a line through (0, 0) that is no optimum
    α=0,2/5,2/5,0    multipliers on the way to the optimum; a point that the sentence names and
                     whose multiplier is free lies at the edge, which tells b

Numbers of a sentence follow a name and =, so that tests/test_scenes.py can look each of them up.
"""

import re
from fractions import Fraction
from typing import NamedTuple

from refsvm.kernels.standard import Linear
from refsvm.numerics.linalg import squared_norm
from refsvm.play.answers import drawing_of, value_bars
from refsvm.play.classification import problem_of_state, rows_of
from refsvm.play.page import plane_around, seen_whole
from refsvm.play.shown_machine import equation, moment_at, objectives_at, shown_number
from refsvm.play.states import parse_state
from refsvm.svm.model import model_from_beta
from refsvm.svm.offsets import estimates

LIST = r"(?:\n((?:\d\. .*\n(?:   .*\n)*)+))?"  # behind the line of a picture and an empty one
STEP = re.compile(r"^\d\. ", re.MULTILINE)
CHANGES = re.compile(r"\s*<!--(.*?)-->\s*", re.DOTALL)
TOGETHER = re.compile(r" (?==|f =)|(?<==) |(?<=,) (?=[^ ]*\))")  # where no line ends
NAMED = re.compile(r"[Pp]oints? (\d+(?:(?:, | and )\d+)*)")


class SceneStep(NamedTuple):
    """A sentence, and in what its state differs from that of the chapter."""

    sentence: str
    changes: dict

    def points(self):
        """The numbers of the points that the sentence names."""
        named = " ".join(NAMED.findall(self.sentence))
        return [int(k) for k in re.findall(r"\d+", named)]

    def unbroken(self):
        """The sentence with what is read in one, as margin² = 8, on one line."""
        return TOGETHER.sub("\N{NO-BREAK SPACE}", self.sentence)


def steps_of(text):
    """The steps of a list in Markdown.

    >>> next(steps_of("1. All is well. <!-- C=2 -->\\n2. Point 1\\n   moves.\\n"))
    SceneStep(sentence='All is well.', changes={'C': '2'})
    """
    for item in STEP.split(text)[1:]:
        told = CHANGES.search(item)
        changes = dict(word.split("=") for word in told[1].split()) if told else {}
        yield SceneStep(" ".join(CHANGES.sub("", item).split()), changes)


def answer_at(state, step, room):
    """The answer of play to a step: of its optimum, or of the line or multipliers it gives."""
    head, _, points = state.partition("p=")
    places = [re.split(r"(?<=^[-+])", point) for point in points.split(";")]
    for name, value in step.changes.items():
        if name.isdigit():
            places[int(name) - 1][1] = value
        elif name == "C":
            head = re.sub(r"C=[^;]*;|(?<=^1;)", f"C={value};", head, count=1)
    told = seen_whole(f"{head}p={';'.join(map(''.join, places))}", room)
    if {"w", "α"} & set(step.changes):
        told |= given(parse_state(told["link"]), step, plane_around(told["link"], room))
    return {**told, "marked": [k - 1 for k in step.points()]}


def given(state, step, plane):
    """What an answer says of a machine that is no optimum."""
    problem, b = problem_of_state(state), Fraction(0)
    w, alpha = (numbers(step.changes.get(name, "")) for name in "wα")
    if alpha:
        free = [k - 1 for k in step.points() if 0 < alpha[k - 1] < state.C]
        b = estimates(problem, alpha)[free[0]]
    moment = moment_at(problem, alpha or [Fraction(0)] * problem.n, b)
    if w:
        model = model_from_beta(Linear(), [w], [Fraction(1)], b)
        moment = moment._replace(model=model, f=model.decisions(problem.X))
    norm2, values = squared_norm(moment.model.w), objectives_at(problem, moment.alpha, b)
    rows = list(rows_of(moment))
    for row in rows if w else ():
        row["cells"][1] = {"text": "–"}
    return {
        "rows": rows,
        "drawing": drawing_of(state, moment, plane, (b, b)),
        "facts": [["w", f"({', '.join(shown_number(v)['text'] for v in moment.model.w)})"],
                  ["margin²", equation("1/‖w‖²", 1 / norm2)]],
        "bars": None if w else value_bars(state, values),
        "value": None if w or values.primal != values.dual else shown_number(values.dual),
        "told": "Not the widest street." if w else f"The gap is {values.primal - values.dual}.",
    }  # fmt: skip


def numbers(text):
    """The numbers between the commas of a text."""
    return [Fraction(word) for word in text.split(",") if word]
