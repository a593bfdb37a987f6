"""What the page asks and is told: one function, called by the server and in a browser.

    {"state": "1;k=lin;..", "plane": [left, right, bottom, top], "number": 7}

is a question: state is the text of states.py, plane is what is seen, and number comes back with
the answer. JavaScript only draws what it is told here.
"""

import json
from math import isfinite

from ..numerics.quoting import quote
from .documents import MACHINES, document_of
from .scripts import program_of
from .states import most_points, numeral, parse_state, state_text, written

FARTHEST = 1e6  # of the plane that is seen
PLANE = (-4.0, 4.0, -3.0, 3.0)


def reply(text):
    """Return the answer to a question, both texts of JSON; a bad question has {"error": ..}."""
    number = None
    try:
        question = json.loads(text)
        if not isinstance(question, dict):
            raise ValueError("the question must be an object of JSON")
        number = question.get("number")
        number = number if type(number) is int else None
        return json.dumps({**answer(question), "number": number})
    except RecursionError:
        return json.dumps({"error": "the question is nested too deeply", "number": number})
    except ValueError as error:
        return json.dumps({"error": str(error), "number": number})


def answer(question):
    """Answer a question.

    Parameters
    ----------
    question : dict
        "state", and if wanted "plane"; see the head of this module

    Returns
    -------
    dict
        what is shown, ready for JSON

    Raises
    ------
    ValueError
        in one sentence, for a state or a plane that is not allowed

    Examples
    --------
    >>> told = answer({"state": "1;k=lin;C=1;p=+1,2;+2,3;+3,3;-2,1;-3,2;-4,5/2"})
    >>> told["value"]["text"], told["facts"][0], told["verdict"]
    ('92/49', ['w', '(−6/7, 8/7)'], 'primal = dual')
    """
    unknown = set(question) - {"state", "plane", "number"}
    if unknown:
        raise ValueError(
            f"the question has {quote(min(unknown))}; it may have state, plane, number"
        )
    state = parse_state(question.get("state"))
    plane = _plane_of(question.get("plane", PLANE))
    link = state_text(state)
    document = {
        "link": link,
        "state": described(state),
        "columns": MACHINES[state.machine].COLUMNS,
        "bar": MACHINES[state.machine].BAR,
        "most": most_points(state.kernel),
    }
    try:
        problem = MACHINES[state.machine].problem_of(state)
        found = document_of(state, problem, plane)
    except ValueError as error:  # nothing to solve yet
        return {**document, "status": "incomplete", "told": str(error)}
    return {**document, **found, "program": program_of(state, link)}


def _plane_of(given):
    """Return the plane that is seen; ValueError unless it is four numbers that make sense."""
    fine = isinstance(given, (list, tuple)) and len(given) == 4
    fine = fine and all(type(v) in (int, float) and isfinite(v) for v in given)
    if fine and max(map(abs, given)) <= FARTHEST and given[0] < given[1] and given[2] < given[3]:
        return tuple(map(float, given))
    raise ValueError(
        f"plane is {quote(given)}; it must be [left, right, bottom, top], each pair in order"
    )


def described(state):
    """Return the fields of a state for the page."""
    return {
        "machine": state.machine,
        "kernel": written(state.kernel, "k").split(","),
        "C": written(state.C, "C"),
        "squared": state.squared,
        "bias": state.bias,
        "epsilon": written(state.epsilon, "e"),
        "nu": written(state.nu, "n"),
        "watched": list(state.watched) if state.watched else None,
        "points": [[p.label, numeral(p.x), numeral(p.y)] for p in state.points],
    }
