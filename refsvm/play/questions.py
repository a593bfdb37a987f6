"""When a reader has done what the question of a preset asks for, and what is said then."""

from math import inf
from typing import Any, NamedTuple


class TrialReply(NamedTuple):
    """What is said once a reader has done what was asked.

    is_done takes the state before, the state now and the answer to it; least is how many points
    must be there for the question to make sense, or None for all of them.
    """

    text: str
    is_done: Any
    least: Any = None


def question_stands(preset, first, state):
    """Tell whether the question of a preset, whose state was first, makes sense of a state now."""
    least = preset.reply.least if preset.reply else None
    points = len(first.points) if least is None else least
    return state.machine == first.machine and len(state.points) >= points


def reply_to(preset, first, state, document):
    """Return what is said of what the reader has done, or an empty text."""
    if preset.reply is None or not question_stands(preset, first, state):
        return ""
    return preset.reply.text if preset.reply.is_done(first, state, document) else ""


def _same_but(first, state, *fields):
    """Tell whether two states differ in these fields at most."""
    return first._replace(**{name: getattr(state, name) for name in fields}) == state


def _value(document):
    """Return the text of the optimum's value."""
    return document.get("value", {}).get("text")


def moved_in_vain(value):
    """Return whether only points without a multiplier were moved, and the optimum is the same."""

    def is_done(first, state, document):
        if not _same_but(first, state, "points") or _value(document) != value:
            return False
        pairs = zip(first.points, state.points, document["rows"])
        moved = [row["support"] for before, now, row in pairs if before != now]
        return len(first.points) == len(state.points) and bool(moved) and not any(moved)

    return is_done


def removed_in_vain(value, left=None):
    """Return whether points were removed, down to so many, and the optimum has the same value."""

    def is_done(first, state, document):
        kept = set(state.points) < set(first.points) and _same_but(first, state, "points")
        return kept and _value(document) == value and left in (None, len(state.points))

    return is_done


def slack_gone(*fields):
    """Return whether no point has slack, where no more than these fields have changed."""

    def is_done(first, state, document):
        bars = document.get("bars") if _same_but(first, state, *fields) else None
        return bool(bars) and bars["primal"]["parts"][1]["text"] == "0"

    return is_done


def has_no_hard_margin(first, state, document):
    """Tell whether a hard margin was asked for that is not there."""
    wanted = state.C == inf and _same_but(first, state, "C")
    return wanted and document["status"] == "infeasible"


def is_separated(first, state, document):
    """Tell whether points were moved until there is a hard margin."""
    return _same_but(first, state, "points") and document["status"] == "optimal"


def all_support(first, state, document):
    """Tell whether each point is a support vector, by its own kernel with another gamma."""
    same = _same_but(first, state, "kernel") and first.kernel.name == state.kernel.name
    return same and all(row["support"] for row in document["rows"])


def steps_taken(steps=None):
    """Return whether so many steps, or all of them, are taken of what is watched."""

    def is_done(first, state, document):
        watch = document.get("watch")
        same = _same_but(first, state, "watched") and watch
        if not same or watch["algorithm"] != first.watched.algorithm:
            return False
        return watch["step"] >= (watch["steps"] if steps is None else steps)

    return is_done
