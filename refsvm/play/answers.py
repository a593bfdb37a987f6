"""What the page asks and is told: one function, called by the server and in a browser.

    {"state": "1;k=lin;..", "plane": [left, right, bottom, top], "number": 7, "tried": 0}

is a question: state is the text of states.py, plane is what is seen, and number comes back with
the answer; tried is the place of the preset whose question the reader sees. JavaScript only draws
what it is told here.
"""

import json
from fractions import Fraction
from math import inf

from ..numerics.display import text_above
from ..numerics.intervals import Interval
from ..numerics.quoting import quote
from ..proofs.optimum import solve_exactly
from . import classification, one_class, regression
from .algorithms import watch
from .curves import (
    border_places,
    lines_of_classes,
    lines_of_one_class,
    lines_of_regression,
    slack_lines,
    tube_lines,
)
from .presets import PRESETS, question_stands, reply_to
from .python_program import program_of
from .shown_machine import equation, midpoint, moment_at, objectives_of_optimum, shown_number
from .states import most_points, parse_state, state_text, written_number, written_part

MACHINE_MODULES = {"svc": classification, "svr": regression, "one": one_class}
MAX_PLANE = 1e6  # of the plane that is seen
USUAL_PLANE = (-4.0, 4.0, -3.0, 3.0)
ENCLOSURE_BITS = 40  # an enclosure is 2^-40 wide, or narrower
ROUNDING_TOL = 1e-6  # a condition holds, as far as doubles can tell


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
        "state", and if wanted "plane" and "tried"; see the head of this module

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
    unknown = set(question) - {"state", "plane", "number", "tried"}
    if unknown:
        raise ValueError(
            f"the question has {quote(min(unknown))}; it may have state, plane, number, tried"
        )
    state = parse_state(question.get("state"))
    plane = _plane_of(question.get("plane", USUAL_PLANE))
    link = state_text(state)
    document = {
        "link": link,
        "state": _state_document(state),
        "columns": MACHINE_MODULES[state.machine].COLUMNS,
        "bar": MACHINE_MODULES[state.machine].BAR,
        "places": MACHINE_MODULES[state.machine].PLACES,
        "most": most_points(state),
    }
    try:
        problem = MACHINE_MODULES[state.machine].problem_of_state(state)
        found = _shown_document(state, problem, plane)
    except ValueError as error:  # nothing to solve yet
        found = {"status": "incomplete", "told": str(error)}
    else:
        found["program"] = program_of(state, link)
    return {**document, **found, **_tried(question, state, found)}


def _plane_of(given):
    """Return the plane that is seen; ValueError unless it is four numbers that make sense."""
    fine = isinstance(given, (list, tuple)) and len(given) == 4
    fine = fine and all(type(v) in (int, float) and abs(v) <= MAX_PLANE for v in given)
    if fine and given[0] < given[1] and given[2] < given[3]:
        return tuple(map(float, given))
    raise ValueError(
        f"plane is {quote(given)}; it must be [left, right, bottom, top], each pair in order"
    )


def _tried(question, state, document):
    """Return whether the question of the preset that is tried stands, and the reply to it."""
    place = question.get("tried")
    if place is None:
        return {}
    if type(place) is not int or not 0 <= place < len(PRESETS):
        raise ValueError(f"tried is {quote(place)}; it must be from 0 to {len(PRESETS) - 1}")
    preset = PRESETS[place]
    first = parse_state(preset.state)
    stands = question_stands(preset, first, state)
    return {"tried": {"stands": stands, "reply": reply_to(preset, first, state, document)}}


def _state_document(state):
    """Return the fields of a state for the page."""
    return {
        "machine": state.machine,
        "kernel": written_part(state.kernel, "k").split(","),
        "C": written_part(state.C, "C"),
        "squared": state.squared,
        "bias": state.bias,
        "epsilon": written_part(state.epsilon, "e"),
        "nu": written_part(state.nu, "n"),
        "watched": list(state.watched) if state.watched else None,
        "points": [[p.label, written_number(p.x), written_number(p.y)] for p in state.points],
    }


# ---- what is shown of the optimum, and of the step that is watched


def _shown_document(state, problem, plane):
    """Return the document of the optimum and of the watched step."""
    machine = MACHINE_MODULES[state.machine]
    best, moment, values, ends = _optimum_of(problem, machine.offset_of)
    watched = watch(state, problem) if state.watched else None
    document = {"watch": watched.document} if watched else {}
    if best.status == "infeasible":
        document |= classification.infeasible_document(problem, best)
        if watched is None:
            return {**document, "columns": classification.COLUMNS_OF_WEIGHTS}
    else:
        document |= _optimum_document(machine, state, problem, best, moment, values, ends)
    seen = watched.moment if watched else moment
    if watched and state.watched.algorithm == "perceptron":
        document["columns"] = classification.COLUMNS_OF_COUNTS
        document["rows"] = list(classification.rows_of_counts(seen))
    else:
        document["rows"] = list(machine.rows_of(seen))
    if watched:
        document["bars"] = watched.values and value_bars(state, watched.values)
        ends = (seen.b, seen.b)
    document["drawing"] = {**document.get("drawing", {}), **drawing_of(state, seen, plane, ends)}
    return document


def _optimum_document(machine, state, problem, best, moment, values, ends):
    """Return the document of an optimum."""
    low, high = sorted(ends, key=midpoint)
    if (
        machine is one_class
    ):  # whose rho is taken away from a score, while its ends say what is added
        low, high = -ends[1], -ends[0]
    facts = []
    w = moment.model.w
    if w is not None:
        facts.append(["w", "(" + ", ".join(shown_number(v)["text"] for v in w) + ")"])
    facts.append(["‖w‖²", shown_number(2 * values.half_norm2)["text"]])
    norm2 = midpoint(2 * values.half_norm2)
    if machine is classification and norm2:
        facts.append(["margin²", equation("1/‖w‖²", 1 / norm2)])
    count = len([a for a in best.alpha if a != 0])
    facts.append(["support", f"{count} of {problem.n} points"])
    if machine is classification and not state.squared and not isinstance(values.primal, Interval):
        facts += classification.share_of_C(problem, moment)
    other = getattr(best, "other_alpha", None)
    return {
        "status": "degenerate" if best.status == "degenerate" else "optimal",
        "told": _told_of(machine, best, values),
        "value": shown_number(values.primal),
        "verdict": "primal = dual"
        if not isinstance(values.primal, Interval) or values.primal.width == 0
        else f"primal − dual ≤ {text_above(values.primal.width, 1)}",
        "bars": value_bars(state, values),
        "facts": facts,
        "offset": {
            "name": machine.OFFSET,
            "low": shown_number(low),
            "high": shown_number(high),
            "held": machine.who_holds(moment, *[midpoint(v) for v in ends]),
        },
        "other": [shown_number(a)["text"] for a in other] if other else None,
    }


def _told_of(machine, best, values):
    """Return the sentence that is spoken when a move has ended."""
    count = len([a for a in best.alpha if a != 0])
    told = f"Optimum {shown_number(values.primal)['text']}, {count} support vectors"
    if best.status == "degenerate":
        told += "; w is 0: the origin lies among the points, so there is no machine"
    if getattr(best, "other_alpha", None):
        told += "; another α is as good"
    return told + "."


def value_bars(state, values):
    """Return the two bars: parts of the primal value, and the dual one."""
    machine = MACHINE_MODULES[state.machine]
    names, gain = machine.bar_words(state)
    half, slack = shown_number(values.half_norm2), shown_number(values.slack)
    parts = [{"name": names[0], **half}, {"name": names[1], **slack}]
    parted = values.gain is not None and machine is not one_class
    name_of_dual = equation(gain, values.dual)
    if parted:
        name_of_dual = f"{gain} = {shown_number(values.gain)['text']} − {half['text']}"
    gap = values.gap
    if gap is None and not isinstance(values.primal, Interval):
        gap = values.primal - values.dual
    return {
        "primal": {**shown_number(values.primal), "parts": parts},
        "dual": {**shown_number(values.dual), "name": name_of_dual},
        "gap": None if gap is None else shown_number(gap),
    }


def drawing_of(state, moment, plane, ends):
    """Return the paths of a machine."""
    problem, model = moment.problem, moment.model
    low, high = (_middle_end(end, end) for end in ends)
    if high - low < ROUNDING_TOL:  # too narrow to be seen
        low = high = moment.b
    if state.machine == "svr":
        paths = lines_of_regression(model, plane, problem.epsilon)
        slacks = tube_lines(problem.X, problem.y, moment.f, problem.epsilon)
    elif state.machine == "one":
        paths = lines_of_one_class(model, plane)
        slacks = slack_lines(model, problem.X, [1] * problem.n, moment.f, 0)
    else:
        paths = lines_of_classes(model, plane, low, high)
        slacks = slack_lines(model, problem.X, problem.y, moment.f, 1)
    return {**paths, "slacks": slacks, "reach": border_places(model, problem.X, (low, high))}


def _optimum_of(problem, offset_of):
    """Return the optimum, its ShownMachine, its Objectives and the ends of its offset.

    offset_of    says of an optimum what the ends are
    """
    best = solve_exactly(problem, bits=ENCLOSURE_BITS)
    if best.status == "infeasible":
        return best, None, None, None
    values = objectives_of_optimum(best.w_norm2 * Fraction(1, 2), best.objective)
    letters = "" if best.status == "degenerate" else best.status
    ends = offset_of(best)
    tol = 0 if problem.kind is Fraction else ROUNDING_TOL
    return best, moment_at(problem, best.alpha, _middle_end(*ends), letters, tol), values, ends


def _middle_end(low, high):
    """Return the middle of two ends, or the finite one."""
    low, high = midpoint(low), midpoint(high)
    return high if low == -inf else low if high == inf else (low + high) / 2
