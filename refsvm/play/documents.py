"""What an answer says of the optimum, and of the step that is watched, ready for JSON."""

from ..numerics.intervals import Interval
from . import classification, one_class, regression
from .algorithms import watch
from .curves import (
    lines_of_classes,
    lines_of_one_class,
    lines_of_regression,
    reach,
    slack_lines,
    tube_lines,
)
from .no_line import no_line
from .numbers import equation, middle_of, shown
from .optima import ROUNDED, middle_end, optimum

MACHINES = {"svc": classification, "svr": regression, "one": one_class}


def document_of(state, problem, plane):
    """Return what is shown of the optimum, and of the step that is watched."""
    machine = MACHINES[state.machine]
    best, moment, values, ends = optimum(problem, machine.offset_of)
    watched = watch(state, problem) if state.watched else None
    document = {"watch": watched.document} if watched else {}
    if best.status == "infeasible":
        document |= _infeasible_document(problem, best)
        if watched is None:
            return {**document, "columns": classification.COLUMNS_OF_WEIGHTS}
    else:
        document |= facts_of(machine, state, problem, best, moment, values, ends)
    seen = watched.moment if watched else moment
    if watched and state.watched.algorithm == "perceptron":
        document["columns"] = classification.COLUMNS_OF_COUNTS
        document["rows"] = list(classification.rows_of_counts(seen))
    else:
        document["rows"] = list(machine.rows_of(seen))
    if watched:
        document["bars"] = watched.values and bars(machine, state, watched.values)
        ends = (seen.b, seen.b)
    document["drawing"] = {**document.get("drawing", {}), **drawing(state, seen, plane, ends)}
    return document


def _infeasible_document(problem, best):
    """Return what is shown where there is no optimum."""
    proof = no_line(problem, best.farkas)
    rows = [
        {
            "cells": [{"text": f"{y:+}".replace("-", "−")}, weight, {"text": "–"}, {"text": "–"}],
            "share": weight["near"] / max(w["near"] for w in proof["weights"]),
            "letter": "",
            "must": "",
            "holds": None,
            "support": weight["near"] > 0,
            "spoken": f"class {'plus' if y > 0 else 'minus'} 1; weight {weight['text']} in the"
            " proof",
        }
        for y, weight in zip(problem.y, proof["weights"])
    ]
    place = {"place": proof["place"], "ends": proof["ends"]} if "place" in proof else {}
    return {
        "status": "infeasible",
        "told": f"No hard margin: {proof['sentence']}.",
        "rows": rows,
        "drawing": place,
    }


def facts_of(machine, state, problem, best, moment, values, ends):
    """Return what is shown of an optimum."""
    low, high = sorted(ends, key=middle_of) if machine is not one_class else (-ends[1], -ends[0])
    facts = []
    w = moment.model.w
    if w is not None:
        facts.append(["w", "(" + ", ".join(shown(v)["text"] for v in w) + ")"])
    facts.append(["‖w‖²", shown(2 * values.half_norm2)["text"]])
    norm2 = middle_of(2 * values.half_norm2)
    if machine is classification and norm2:
        facts.append(["margin²", equation("1/‖w‖²", 1 / norm2)])
    count = len([a for a in best.alpha if a != 0])
    facts.append(["support", f"{count} of {problem.n} points"])
    other = getattr(best, "other_alpha", None)
    return {
        "status": "degenerate" if best.status == "degenerate" else "optimal",
        "told": _told_of(machine, best, values),
        "value": shown(values.primal),
        "verdict": "primal = dual"
        if not isinstance(values.primal, Interval) or values.primal.width == 0
        else f"primal − dual ≤ {float(values.primal.width):.1g}",
        "bars": bars(machine, state, values),
        "facts": facts,
        "offset": {
            "name": machine.OFFSET,
            "low": shown(low),
            "high": shown(high),
            "held": machine.who_holds(moment, *[middle_of(v) for v in ends]),
        },
        "other": [shown(a)["text"] for a in other] if other else None,
    }


def _told_of(machine, best, values):
    """Return the sentence that is spoken when a move has ended."""
    count = len([a for a in best.alpha if a != 0])
    told = f"Optimum {shown(values.primal)['text']}, {count} support vectors"
    if best.status == "degenerate":
        told += "; w is 0: the origin lies among the points, so there is no machine"
    if getattr(best, "other_alpha", None):
        told += "; another α is as good"
    return told + "."


def bars(machine, state, values):
    """Return the two bars: parts of the primal value, and the dual one."""
    names, gain = machine.bar_words(state)
    half, slack = shown(values.half_norm2), shown(values.slack)
    parts = [{"name": names[0], **half}, {"name": names[1], **slack}]
    parted = values.gain is not None and machine is not one_class
    name_of_dual = equation(gain, values.dual)
    if parted:
        name_of_dual = f"{gain} = {shown(values.gain)['text']} − {half['text']}"
    gap = None if isinstance(values.primal, Interval) else values.primal - values.dual
    return {
        "primal": {**shown(values.primal), "parts": parts},
        "dual": {**shown(values.dual), "name": name_of_dual},
        "gap": None if gap is None else shown(gap),
    }


def drawing(state, moment, plane, ends):
    """Return the paths of a machine."""
    problem, model = moment.problem, moment.model
    low, high = (middle_end(end, end) for end in ends)
    if high - low < ROUNDED:  # too narrow to be seen
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
    return {**paths, "slacks": slacks, "reach": reach(model, problem.X, (low, high))}
