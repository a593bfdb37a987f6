"""The problems that the page offers, most of them from lecture notes, each with a question.

`case` is the name of the problem among the lectures of spec/vectors, whose optimum stands there.
A problem of one feature lies where the second coordinate is 0, which changes no number.
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from ..numerics.types import Number


class TrialReply(NamedTuple):
    """What is said once a reader has done what was asked.

    is_done takes the state before, the state now and the answer to it; least is how many points
    must be there for the question to make sense, or None for all of them.
    """

    text: str
    is_done: Any
    least: Number | None = None


def question_stands(preset, first, state):
    """Tell whether the question of a preset, whose state was first, makes sense of a state now."""
    least = preset.reply.least if preset.reply else None
    points = len(first.points) if least is None else least
    return state.machine == first.machine and len(state.points) >= points


def reply_to(preset, first, state, document):
    """Return the reply to what the reader has done, or an empty text."""
    if preset.reply is None or not question_stands(preset, first, state):
        return ""
    return preset.reply.text if preset.reply.is_done(first, state, document) else ""


def _same_but(first, state, *fields):
    """Tell whether two states differ in these fields at most."""
    return first._replace(**{name: getattr(state, name) for name in fields}) == state


def _value(document):
    """Return the text of the optimum's value."""
    return document.get("value", {}).get("text")


def _moved_in_vain(value):
    """Return whether only points without a multiplier were moved, and the optimum is the same."""

    def is_done(first, state, document):
        if not _same_but(first, state, "points") or _value(document) != value:
            return False
        pairs = zip(first.points, state.points, document["rows"])
        moved = [row["support"] for before, now, row in pairs if before != now]
        return len(first.points) == len(state.points) and bool(moved) and not any(moved)

    return is_done


def _removed_in_vain(value, left=None):
    """Return whether points were removed, down to `left`, and the optimum kept its value."""

    def is_done(first, state, document):
        kept = set(state.points) < set(first.points) and _same_but(first, state, "points")
        return kept and _value(document) == value and left in (None, len(state.points))

    return is_done


def _slack_gone(*fields):
    """Return whether all slacks are 0 and only these fields have changed."""

    def is_done(first, state, document):
        bars = document.get("bars") if _same_but(first, state, *fields) else None
        return bool(bars) and bars["primal"]["parts"][1]["text"] == "0"

    return is_done


def _has_no_hard_margin(first, state, document):
    """Tell whether a hard margin was asked for that is not there."""
    wanted = state.C == inf and _same_but(first, state, "C")
    return wanted and document["status"] == "infeasible"


def _is_separated(first, state, document):
    """Tell whether points were moved until there is a hard margin."""
    return _same_but(first, state, "points") and document["status"] == "optimal"


def _all_support(first, state, document):
    """Tell whether each point is a support vector, by its own kernel with another gamma."""
    same = _same_but(first, state, "kernel") and first.kernel.name == state.kernel.name
    return same and all(row["support"] for row in document["rows"])


def _steps_taken(steps=None):
    """Return whether `steps` steps, or all, of the watched algorithm are taken."""

    def is_done(first, state, document):
        watch = document.get("watch")
        same = _same_but(first, state, "watched") and watch
        if not same or watch["algorithm"] != first.watched.algorithm:
            return False
        return watch["step"] >= (watch["steps"] if steps is None else steps)

    return is_done


class Preset(NamedTuple):
    """A state to begin with, and a question to try on it."""

    name: str
    state: str
    question: str
    case: str = ""
    reply: TrialReply | None = None


SIX_POINTS = "p=+1,2;+2,3;+3,3;-2,1;-3,2;-4,5/2"
CLOUDS = "p=+2,2;+3,3;+2,3;--2,-2;--3,-2"
XOR = "p=+1,1;--1,1;+-1,-1;-1,-1"
OUTLIER = "p=+2,0;+1,0;--1,0;--2,0;-3/2,0"
RING_POINTS = "p=+0,0;+1/2,1/2;+-1/2,1/4;+1/4,-1/2;-2,0;-0,2;--2,1/2;--1,-3/2;-3/2,-3/2;--5/4,3/2"
HOUSES = "p=+0,1/2;+1/2,3/4;+1,7/4;+3/2,3/2;+2,5/2;+5/2,1;+3,3;+7/2,13/4"
CLOUD = "p=+1,2;+3/2,5/2;+2,2;+2,3;+5/2,5/2;+3,2;+5/2,3/2;+3/2,3/2;+1/2,1/4;+4,7/2"
PRESETS = [
    Preset(
        "Six points",
        f"1;k=lin;C=1;{SIX_POINTS}",
        "Move point 2, but not over the dashed line. Why does nothing change?",
        "F9",
        reply=TrialReply(
            "Nothing changes: its α is 0, so that it is in no sum.",
            _moved_in_vain("92/49"),
        ),
    ),
    Preset(
        "Six points, SMO step by step",
        f"1;k=lin;C=1;t=smo,0;{SIX_POINTS}",
        "Take a step: it ends at C. Was it cut off there? Which pair is taken next?",
        "F9",
        reply=TrialReply(
            "No: the best step is 1, and so is C. The next pair violates most again.",
            _steps_taken(1),
        ),
    ),
    Preset(
        "Six points, no offset",
        f"1;k=lin;C=1;o=0;{SIX_POINTS}",
        "There is more than one optimal α, and only one line. Which points share?",
        "F9 without offset",
    ),
    Preset(
        "Two clouds, hard margin",
        f"1;k=lin;C=inf;{CLOUDS}",
        "Two points carry the whole machine. Which others may be removed?",
        "F10",
        reply=TrialReply(
            "The optimum is the same: what has α = 0 may be removed.",
            _removed_in_vain("1/16"),
            2,
        ),
    ),
    Preset(
        "Two clouds and an outlier",
        f"1;k=lin;C=inf;{CLOUDS};+-3/2,-1",
        "One point more, and the margin is a fifth. Which C brings it back?",
        "F10 outlier",
    ),
    Preset(
        "A square, hard margin",
        "1;k=lin;C=inf;p=+1,1;+1,-1;--1,1;--1,-1",
        "All four lie on the margin. How few of them are enough?",
        "F2",
        reply=TrialReply(
            "Two are enough: one of each class, the one opposite the other.",
            _removed_in_vain("1/2", 2),
            2,
        ),
    ),
    Preset(
        "On the margin with α = 0",
        "1;k=lin;C=inf;p=+1,0;+1,1;--1,0",
        "Point 2 lies on its margin and has α = 0. Is it a support vector?",
        "F3",
    ),
    Preset(
        "Five points, hard margin",
        "1;k=lin;C=inf;p=+10,8;+10,6;-1,3;-3,3;-0,10",
        "Which three points fix the line? Move each of the others.",
        "F13",
        reply=TrialReply(
            "The line stays: what has α = 0 does not hold it.",
            _moved_in_vain("1/29"),
        ),
    ),
    Preset(
        "Two points, C too small",
        "1;k=lin;C=1/4;p=+1,0;--1,0",
        "The classes are separable, yet both points have slack. From which C on do they not?",
        "F1 soft",
        reply=TrialReply(
            "No slack is left. That begins at C = 1/2, which is what α is then.",
            _slack_gone("C"),
        ),
    ),
    Preset(
        "b has room",
        "1;k=lin;C=1/10;p=+1,0;--1,0;+2,0",
        "Every b of the band is optimal. Is the middle of the support vectors one of them?",
        "F7",
    ),
    Preset(
        "An outlier on a line",
        f"1;k=lin;C=1/2;{OUTLIER}",
        "Drag point 5 to the right. When does it stop to have any further effect?",
        "F6",
    ),
    Preset(
        "One place, both classes",
        "1;k=lin;C=3/4;p=+1,0;-1,0",
        "w is 0. Why is every b from −1 to 1 optimal? Then take C = ∞.",
        "F5 soft",
        reply=TrialReply(
            "Now there is no machine at all: no line has one place on both of its sides.",
            _has_no_hard_margin,
        ),
    ),
    Preset(
        "Squared slack",
        "1;k=lin;C=1;s=2;p=+1,0;--1,0;+2,0;--2,0;-3,0",
        "One multiplier is above C. Why is that no mistake here?",
        "F8",
    ),
    Preset(
        "Exclusive or, no line",
        f"1;k=lin;C=inf;{XOR}",
        "The cross is a place that would be on both sides. Move one point: when is it gone?",
        "F15 linear",
        reply=TrialReply(
            "It is gone: a line has each class on a side of its own.",
            _is_separated,
        ),
    ),
    Preset(
        "Exclusive or, quadratic",
        f"1;k=poly,2,1,1;C=inf;{XOR}",
        "The same four points, and now a hard margin. What is its shape?",
        "F15",
    ),
    Preset(
        "A ring, Gaussian",
        f"1;k=rbf,1/2;C=1;{RING_POINTS}",
        "Make gamma larger. How many support vectors are there in the end?",
        reply=TrialReply(
            "All of them: each point is so far from the others that it speaks for itself.",
            _all_support,
        ),
    ),
    Preset(
        "Perceptron beside it",
        "1;k=lin;C=inf;t=perceptron,0;p=+2,1;+3,2;+1,2;--1,-2;--2,-1;--3,-3",
        "It stops at the first line that separates. How far is that from the widest street?",
        reply=TrialReply(
            "It has stopped. Its line separates, and the widest street is another one.",
            _steps_taken(),
        ),
    ),
    Preset(
        "Pegasos beside it",
        "1;k=lin;C=1;o=0;t=pegasos,0;p=+2,1;+3,2;+1,2;--1,-2;--2,-1;-1,0",
        "Its value goes up and down. How near is it after 5 passes over the points?",
        reply=TrialReply(
            "These were 5 passes: the gap says how near its value is to the optimum.",
            _steps_taken(30),
        ),
    ),
    Preset(
        "Regression",
        f"1;m=svr;k=lin;C=1;e=1/2;{HOUSES}",
        "Points inside the tube have α = 0. How wide must the tube be for all to be inside?",
        reply=TrialReply(
            "All are inside: no point has slack.",
            _slack_gone("epsilon", "points"),
        ),
    ),
    Preset(
        "One class",
        f"1;m=one;k=rbf,1/2;C=1;n=1/4;{CLOUD}",
        "At most the share ν of the points are outliers. Which are they?",
    ),
]
