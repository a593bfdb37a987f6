"""trace DATA [-o PICTURE.svg]: watch a solver step by step."""

import os

from ..estimators.svc import solver_settings
from ..files.outputs import writing
from ..plotting.scenes import class_name
from ..plotting.step_words import meanings
from ..plotting.tracing import heads, trace
from .arguments import Refusal, data_file, picture_file
from .console import plural, progress, say, say_written, show, table
from .engine import announce, library
from .machine_options import machine_options
from .reading import feature_names, feature_places, features_chosen, read_for
from .training import machine

EXAMPLE = """\
  python3 -m refsvm trace two_features.libsvm --kernel linear
  python3 -m refsvm trace wdbc.scaled --features 22 23 --steps 30 -o wdbc-trace.svg"""
SOLVERS = ("smo", "projected-gradient", "active-set")
STEPS = 100


def arguments(parser):
    data_file(parser)
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
        default=STEPS,
        metavar="N",
        help=f"how many steps are watched, at most (default: {STEPS})",
    )
    machine_options(parser)


def run(given):
    if given.steps < 0:
        raise Refusal(f"--steps is {given.steps}; it must not be negative")
    if given.kernel == "precomputed" and (given.output or given.features):
        raise Refusal("a file of kernel values has no features; --kernel must be another")
    read = read_for(given, given.kernel)
    X, y = features_chosen(given.features, read), read.y
    if given.output and len(X[0]) != 2:
        raise ValueError(
            f"{given.data} has {plural(len(X[0]), 'feature')}; a picture shows two, see --features"
        )
    svc = machine(given)
    most, cache_mb = solver_settings(svc)
    data = svc._training_set(svc, X, y, None)
    if len(data.classes) != 2:
        raise ValueError(
            f"{given.data} has {len(data.classes)} classes; what is watched is one machine, for"
            " two"
        )
    _, problem = svc._pair_problem(data, 0, 1)
    solver = getattr(library(given), given.solver.replace("-", "_"))
    most = given.steps if most is None else min(most, given.steps)
    announce(given)
    with progress("watching"):
        traced = trace(problem, solver, tol=given.tol, max_iter=most, cache_mb=cache_mb)
    say(traced.text() + "\n")
    show(table([[f"{name}:", meaning] for name, meaning in meanings(heads(traced))], "rl"))
    if given.output:
        draw(
            given, traced, data.classes, feature_names(read, feature_places(given.features, read))
        )
    return 0


def draw(given, traced, classes, names):
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
