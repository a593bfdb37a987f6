"""trace DATA [-o PICTURE.svg]: watch a solver step by step."""

import os
from typing import Any, NamedTuple

from ..estimators.estimator import solver_limits
from ..files.outputs import writing
from ..plotting.marks_and_legend import class_name
from ..plotting.tracing import column_meanings, trace
from ..tables.prepared_data import PreparedData
from .arguments import Refusal, data_file, picture_file, preparation_options
from .console import plural, progress, say, say_written, show, table
from .engine import announce, library
from .machine_options import (
    TYPES,
    machine_options,
    refuse_linear,
    set_defaults_of_tables,
    type_of,
)
from .reading import feature_names, feature_places, features_chosen, read_for
from .training import machine

EXAMPLE = """\
  python3 -m refsvm trace two_features.libsvm --kernel linear
  python3 -m refsvm trace wdbc.scaled --features 22 23 --steps 30 -o wdbc-trace.svg
  python3 -m refsvm trace houses.csv --label rent --type epsilon_svr --epsilon 10"""
SOLVERS = ("smo", "projected-gradient", "active-set")
MAX_TRACED_STEPS = 100


def arguments(parser):
    data_file(parser)
    preparation_options(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="PICTURE.svg",
        type=picture_file,
        help="a file to write: the steps as a picture that moves, of two features",
    )
    parser.add_argument(
        "--features",
        nargs=2,
        type=str,
        metavar="FEATURE",
        help="two features of a file with more: numbers from 1, or names of a table",
    )
    parser.add_argument("--title", help="written above (default: the name of the file)")
    parser.add_argument(
        "--solver",
        default="smo",
        choices=SOLVERS,
        help="which solver is watched (default: smo)",
    )
    parser.add_argument(
        "--steps",
        type=int,
        default=MAX_TRACED_STEPS,
        metavar="N",
        help=f"how many steps are watched, at most (default: {MAX_TRACED_STEPS})",
    )
    machine_options(parser, TYPES)


def run(given):
    if given.steps < 0:
        raise Refusal(f"--steps is {given.steps}; it must not be negative")
    if given.kernel == "precomputed" and (given.output or given.features):
        raise Refusal("a file of kernel values has no features; --kernel must be another")
    refuse_linear(given)
    _refuse_other_types(given)
    answers = type_of(given).answers
    read = read_for(given, given.kernel, answers=answers)
    set_defaults_of_tables(given, read)
    X = features_chosen(given.features, read)
    if given.output and len(X[0]) != 2:
        raise ValueError(
            f"{given.data} has {plural(len(X[0]), 'feature')}; a picture shows two, see --features"
        )
    estimator = machine(given)
    most, cache_mb = solver_limits(estimator)
    watched = _problem_watched(given, estimator, answers, X, read.y)
    solver = getattr(library(given), given.solver.replace("-", "_"))
    most = given.steps if most is None else min(most, given.steps)
    announce(given)
    with progress("watching"):
        traced = trace(
            watched.problem, solver, tol=estimator.tol, max_iter=most, cache_mb=cache_mb
        )
    say(*traced.text().split("\n"), "")
    show(table([[f"{name}:", meaning] for name, meaning in column_meanings(traced)], "rl"))
    if given.output:
        names = feature_names(read, feature_places(given.features, read))
        if isinstance(read, PreparedData):
            names = [f"{name}, prepared" for name in names]
        _draw(given, traced, watched.classes, names)
    return 0


def _refuse_other_types(given):
    """Refuse what is for C-SVC alone: another solver than smo, and a picture."""
    for option, others in (("--solver", given.solver != "smo"), ("-o", given.output)):
        if given.type != "c_svc" and others:
            rest = "smo solves" if option == "--solver" else "the table is of"
            sentence = f"{option} is for --type c_svc, not {given.type}"
            raise Refusal(sentence, leave_out=option, how=f"{rest} every type")


class _Watched(NamedTuple):
    """A problem whose solver is watched, and the classes that it tells apart, if any."""

    problem: Any
    classes: list


def _problem_watched(given, estimator, answers, X, y):
    """Return the Watched of the machine that train would train."""
    if answers != "classes":
        y = y if answers == "values" else None
        return _Watched(estimator._problem(estimator._accept(X, y, None)), [])
    data = estimator._accept(X, y, None)
    if len(data.classes) != 2:
        raise ValueError(
            f"{given.data} has {len(data.classes)} classes; what is watched is one machine, for"
            " two"
        )
    return _Watched(estimator._pair_problem(data, 0, 1)[1], data.classes)


def _draw(given, traced, classes, names):
    """Write the picture."""
    about = f"{os.path.basename(given.data)}: {given.solver}"
    with progress("drawing"):
        text = traced.svg(
            title=given.title or about,
            names=names,
            called={y: class_name(label) for y, label in zip((-1, 1), classes)},
        )
    with writing(given.output) as out:
        out.write(text)
    say_written(given.output)
