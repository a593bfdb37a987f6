"""grid DATA [--C ..] [--gamma ..]: cross-validate at every point of a grid, and name the best.

Classes are scored by the accuracy, or the balanced one where a class is rare, values by R^2.
"""

import csv
import shlex
import time
from collections.abc import Callable
from typing import NamedTuple
from warnings import catch_warnings, simplefilter

from ..estimators.grid_search import checked_search, run_search
from ..estimators.scores import scoring_named
from ..files.outputs import writing
from ..numerics.linalg import total
from ..tables.prepared_data import PreparedData
from .arguments import PROGRAM, Refusal, data_file, preparation_options, target
from .console import number, percent, plural, say, say_written, show, status_line, table
from .cross_validating import of_cells
from .engine import announce, library, pure_option
from .grid_values import value_options
from .hints import hint_at_numbers, hint_to_drop, hint_to_scale
from .machine_options import seed_option, solver_options, tol_given, type_of
from .processes import jobs_option, processes
from .reading import TELL, describe, read_for
from .reports import guessing, is_rare

EXAMPLE = """\
  python3 -m refsvm grid wdbc.scaled
  python3 -m refsvm grid wdbc.scaled --kernel linear,rbf --C 1,10,100 --gamma 0.01,0.1 --jobs 4
  python3 -m refsvm grid iris.csv --label species --drop id -o table.csv
  python3 -m refsvm grid houses.csv --label rent --type epsilon_svr --epsilon 5,20"""
USED = {"poly": ("gamma", "degree", "coef0"), "rbf": ("gamma",), "sigmoid": ("gamma", "coef0")}
OWN = (
    *("kernel", "C", "nu", "epsilon", "gamma", "degree", "coef0"),
    *("folds", "seed", "jobs", "output", "score"),
)
LISTS = ("C", "nu", "epsilon")  # options of the types of machines that are lists here


def arguments(parser):
    data_file(parser)
    preparation_options(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="TABLE",
        type=target,
        help="write the table to this file, as CSV, with the score of each fold; - is standard"
        " output",
    )
    parser.add_argument(
        "-v", "--folds", type=int, default=5, metavar="FOLDS", help="of each point (default: 5)"
    )
    parser.add_argument(
        "--score",
        choices=tuple(SCORES),
        help="what points are compared by (default: accuracy, or balanced_accuracy where a class"
        " has less than a tenth of the rows; r2 of values)",
    )
    seed_option(parser)
    jobs_option(parser)
    value_options(parser)
    solver_options(parser)
    pure_option(parser)


def run(given):
    if "precomputed" in given.kernel and set(given.kernel) != {"precomputed"}:
        raise ValueError("kernel is precomputed, for a file of kernel values; it must stand alone")
    kind = type_of(given)
    if kind.answers == "outliers":
        raise Refusal(
            f"grid needs labels or values to compare predictions with; {given.type}, one of the"
            f" types that {TELL[kind.answers]}, has none"
        )
    X, y = data = read_for(given, given.kernel[0], answers=kind.answers)
    score = _score_for(given, kind.answers, y)
    machine, rows = of_cells(_estimator(given), data, X)
    ready = checked_search(machine, _grids(given), rows, y, given.folds, given.seed, score)
    fits = len(ready.points) * len(ready.split.folds)
    with processes(given.jobs, fits) as executor:
        announce(given)
        describe(data, kind.answers)
        if given.kernel[0] != "precomputed" and not isinstance(data, PreparedData):
            if kind.answers == "classes":
                hint_at_numbers(data)
            hint_to_drop(data)
            hint_to_scale(given, data)
        say(f"{plural(len(ready.points), 'point')}, {plural(fits, 'fit')}\n")
        found, statuses = _fitted(ready, executor, fits)
    score = SCORES[score]
    _show_table(found, score)
    if statuses:
        ended = ", ".join(sorted(set().union(*statuses)))
        say(f"of the fits {len(statuses)} ended with status {ended}; the others are optimal\n")
    _show_best(found, score, ready.split.y, given.words)
    if given.output:
        _write_table(given.output, found, score.name)
        say_written(given.output)
    return 0


def _estimator(given):
    """Return the estimator whose other parameters are searched."""
    kind = type_of(given)
    weights = {"class_weight": given.class_weight} if "class_weight" in kind.options else {}
    return getattr(library(given), kind.estimator)(
        **tol_given(given), cache_size=given.cache_mb, max_iter=given.max_iter, **weights
    )


def _grids(given):
    """Return a grid for each kernel, of the parameters that it and the type of machine use."""
    own = [name for name in LISTS if name in type_of(given).options]
    return [
        {
            "kernel": [name],
            **{key: getattr(given, key) for key in (*own, *USED.get(name, ()))},
        }
        for name in given.kernel
    ]


def _fitted(ready, executor, fits, clock=time.monotonic):
    """Return the Grid of a Search, and how fits ended that are not optimal; show progress."""
    done, statuses, start = [], [], clock()
    with status_line() as write, catch_warnings():
        simplefilter("ignore")

        def on_answer(number, trial):
            done.append(number)
            statuses.extend([trial.statuses] if trial.statuses else [])
            if write:
                write(_progress_of(len(done), fits, clock() - start))

        if write:
            write(_progress_of(0, fits, 0))
        return run_search(ready, executor, on_answer), statuses


def _progress_of(done, fits, elapsed):
    """Return in words how many fits are done, since when, and how long the others may take.

    >>> _progress_of(10, 30, 100.0)
    '10 of 30 fits, 1 min 40 s, about 3 min 20 s left'
    """
    left = f", about {_duration(elapsed / done * (fits - done))} left" if done else ""
    return f"{done} of {plural(fits, 'fit')}, {_duration(elapsed)}{left}"


def _duration(seconds):
    """Return a time in words.

    >>> _duration(9.6), _duration(75), _duration(7300)
    ('10 s', '1 min 15 s', '2 h 1 min')
    """
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def _show_table(found, score):
    """Print a line for each point; the best one is marked."""
    names = _columns(found)
    head = [*names, score.name, "lowest", "highest", ""]
    lines = [
        [_cell(point.parameters.get(name, "-")) for name in names]
        + [score.cell(value) for value in (point.score, min(point.scores), max(point.scores))]
        + ["best" if point.score == found.score else ""]
        for point in found.table
    ]
    say(f"{score.of} not trained on; the lowest and the highest of the folds:\n")
    show(table([head, *lines], "r" * len(head)))


def _show_best(found, score, y, words):
    """Print the best point, and the line that trains with it."""
    ties = len([point for point in found.table if point.score == found.score])
    more = f", the first of {ties} points that have it" if ties > 1 else ""
    say(f"best: {score.best(found.score, y)}{more}")
    for line in _at_an_end(found):
        say(line)
    say("chosen by these rows, so expect a little less on others. To train:\n")
    show([_train_line(words, found.best)])


class _Score(NamedTuple):
    """What points are compared by, and how it is printed."""

    name: str
    of: str  # what it is the score of
    cell: Callable
    best: Callable  # from the score and the y of all rows


def _accuracy_of(share, y):
    """Return an accuracy in words.

    >>> _accuracy_of(0.75, [1, 1, -1, -1])
    '75.00 % (3 of 4 rows; always -1: 50.00 %)'
    """
    n, right = len(y), round(share * len(y))
    return f"{percent(right, n)} ({right} of {plural(n, 'row')}; {guessing(y)})"


def _balanced_of(share, y):
    """Return a balanced accuracy in words.

    >>> _balanced_of(0.75, [1, 1, -1, -1])
    'balanced accuracy 75.00 % (always one class: 50.00 %)'
    """
    guessed = percent(1, len(set(y)))
    return f"balanced accuracy {percent(share, 1)} (always one class: {guessed})"


def _fit_of(r2, y):
    """Return R^2 in words, and the mean squared error that it stands for.

    >>> _fit_of(0.75, [1.0, 3.0])
    'R^2 0.7500, mean squared error 0.25 (2 rows; always the mean: 1)'
    """
    mean = total(y) / len(y)
    spread = total((v - mean) * (v - mean) for v in y) / len(y)
    rows = f"{plural(len(y), 'row')}; always the mean: {number(spread)}"
    error = f", mean squared error {number((1 - r2) * spread)}" if spread else ""
    return f"R^2 {r2:.4f}{error} ({rows})"


def _error_of(error, y):
    """Return a mean absolute error in words.

    >>> _error_of(0.5, [1.0, 3.0])
    'mean absolute error 0.5 (2 rows; always the mean: 1)'
    """
    mean = total(y) / len(y)
    guessed = number(total(abs(v - mean) for v in y) / len(y))
    rows = plural(len(y), "row")
    return f"mean absolute error {number(error)} ({rows}; always the mean: {guessed})"


def _share(share):
    """Return a share as a cell of the table."""
    return percent(share, 1)


def _four_digits(value):
    """Return a number from 0 to 1 as a cell of the table."""
    return f"{value:.4f}"


SCORES = {
    "accuracy": _Score("accuracy", "accuracy on rows", _share, _accuracy_of),
    "balanced_accuracy": _Score("balanced", "balanced accuracy on rows", _share, _balanced_of),
    "f1_macro": _Score(
        "F1", "mean F1 on rows", _four_digits, lambda score, y: f"mean F1 {score:.4f}"
    ),
    "r2": _Score("R^2", "R^2 of predictions of rows", _four_digits, _fit_of),
    "mean_absolute_error": _Score(
        "error", "mean absolute error of predictions of rows", number, _error_of
    ),
}


def _score_for(given, answers, y):
    """Return the name of the score; balanced where a class is so rare that accuracy hides it."""
    if given.score is not None:
        return scoring_named(given.score, answers).name
    if answers == "values":
        return "r2"
    return "balanced_accuracy" if is_rare(y) else "accuracy"


def _at_an_end(found):
    """Return sentences on parameters that are the least or the largest tried in all best points.

    >>> from refsvm.estimators.grid_search import Grid, GridPoint
    >>> points = [GridPoint({"C": C, "gamma": 1.0}, C, [C]) for C in (1.0, 10.0, 100.0)]
    >>> _at_an_end(Grid(points[2].parameters, 100.0, points))
    ['C = 100 is the largest that was tried; the best may lie beyond it']
    """
    lines, best = [], [point.parameters for point in found.table if point.score == found.score]
    for name in found.best:
        values = [point.parameters.get(name) for point in found.table]
        tried = sorted({value for value in values if isinstance(value, float)})
        for end, value in zip(("least", "largest"), (tried[:1], tried[-1:])):
            if len(tried) > 2 and all(of_best.get(name) in value for of_best in best):
                lines.append(
                    f"{name} = {_cell(*value)} is the {end} that was tried; the best may lie"
                    " beyond it"
                )
    return lines


def _columns(found):
    """Return the names of the parameters in the points; the kernel's only if there are several."""
    names = dict.fromkeys(name for point in found.table for name in point.parameters)
    if len({point.parameters["kernel"] for point in found.table}) == 1:
        del names["kernel"]
    return list(names)


def _cell(value):
    """Return a value of a parameter as an option has it.

    >>> _cell(10.0), _cell(0.001), _cell("auto")
    ('10', '0.001', 'auto')
    """
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _train_line(words, best):
    """Return the command that trains with these parameters: the options of this one, but for the
    grid's, stay."""
    chosen = [word for name, value in best.items() for word in (f"--{name}", _cell(value))]
    return shlex.join(
        [
            *PROGRAM.split(),
            "train",
            *_without(words, [f"--{name}" for name in OWN]),
            *chosen,
            "-o",
            "MODEL",
        ]
    )


def _without(words, options):
    """Return the words of a command without these options, each of which has a value.

    >>> _without(["heart", "--C", "1,10", "-v5", "--gamma=1", "--tol", "0.1"], ["--C", "--gamma"])
    ['heart', '--tol', '0.1']
    """
    kept, is_value = [], False
    for word in words:
        name, equals, _ = word.partition("=")
        if is_value:
            is_value = False
        elif name in options:
            is_value = not equals
        elif word[:2] in ("-v", "-o"):
            is_value = len(word) == 2
        else:
            kept.append(word)
    return kept


def _write_table(path, found, name):
    """Write the table as CSV; name: of the score."""
    names = dict.fromkeys(key for point in found.table for key in point.parameters)
    folds = range(1, len(found.table[0].scores) + 1)
    with writing(path) as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([*names, name, *(f"fold {j}" for j in folds)])
        for point in found.table:
            values = [point.parameters.get(key, "") for key in names]
            out.writerow([*map(_cell, values), point.score, *point.scores])
