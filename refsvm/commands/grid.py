"""grid DATA [-o MODEL]: cross-validate at many points, name the best, and train with one of them.

Of a table C and gamma are searched as refined_search.py says; where their values are given, and of
other data, every combination is tried. Classes are scored by the accuracy, or the balanced one
where a class is rare, values by R^2.
"""

import csv
import time
from argparse import Namespace
from textwrap import wrap
from warnings import catch_warnings, simplefilter

from ..estimators.grid_search import RefinedGrid, checked_search, run_refined, run_search
from ..estimators.kernel_estimator import divisor_of_scale
from ..estimators.refined_search import MAX_POINTS, MIN_POINTS
from ..files.outputs import writing
from ..files.table_columns import LINEAR_TYPES
from ..kernels.standard import WORDS, parameters_of
from .arguments import (
    Refusal,
    data_file,
    line_to_type,
    name_of_option,
    preparation_options,
    target,
)
from .console import TERMINAL_LETTERS, number, plural, say, say_written, show, status_line, table
from .costs import watch_machines
from .cross_validating import of_cells, show_confused, tell_unseen
from .engine import announce, jobs_option, library, processes, pure_option
from .hints import show_hints
from .machine_options import (
    chooses_itself,
    seed_option,
    set_default_values,
    solver_options,
    solver_parameters,
    type_of,
    unit_of,
    value_options,
)
from .reading import TELL, describe, read_for
from .reports import SCORES, as_good_as_guessing, is_rare, score_for
from .training import (
    accept,
    machine,
    ready_to_train,
    refuse_large_labels,
    train_on_all,
    train_one,
    write_trained,
)
from .watching import FitsWatch

EXAMPLE = """\
  python3 -m refsvm grid iris.csv --label species --drop id -o iris.model
  python3 -m refsvm grid houses.csv --label rent --type epsilon_svr -o rent.model --jobs 4
  python3 -m refsvm grid wdbc.scaled --kernel linear,rbf --C 1,10,100 --gamma 0.01,0.1
  python3 -m refsvm grid houses.csv --label rent --type epsilon_svr --epsilon 5,20 --table rent"""
PARAMETERS = ("kernel", "C", "nu", "epsilon", "gamma", "degree", "coef0")  # lists here
OWN = (*PARAMETERS, "folds", "seed", "jobs", "output", "table", "score")
LISTED_PARAMETERS = ("C", "nu", "epsilon")  # options of the types of machines that are lists here


def arguments(parser):
    data_file(parser)
    preparation_options(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="MODEL",
        type=target,
        help="train on all rows with the parameters that are taken, and write the machine to this"
        " file; - is standard output",
    )
    parser.add_argument(
        "--table",
        metavar="FILE",
        type=target,
        help="write all points to this file, as CSV, with the score of each fold",
    )
    parser.add_argument(
        "--best",
        action="store_true",
        help="take the best point, also where one that is as good within a standard error is"
        " nearer to C = 4, gamma = scale/4",
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
    answers = _answers_of(given)
    data = read_for(given, given.kernel[0], answers=answers)
    if given.output and answers == "classes":
        refuse_large_labels(data.y)
    if answers == "classes":
        watch_machines(given, len(set(data.y)), len(data.y))
    unit = unit_of(given, data) if chooses_itself(given, data) else None
    set_default_values(given, data)
    score = score_for(given, answers, data.y)
    asked, rows = of_cells(_estimator(given), data, data.X)
    ready = checked_search(asked, _grids(given), rows, data.y, given.folds, given.seed, score)
    found = _searched(given, data, ready, unit)
    taken = found.grid.best if given.best else found.taken.parameters
    _show_table(found, taken, SCORES[score])
    if given.table:
        _write_table(given.table, found.grid, SCORES[score].name)
        say_written(given.table)
    _show_best(found, score, ready.split.y, given.best)
    if given.type == "c_svc" and is_rare(data.y):
        say("", "With what is taken, of rows not trained on:", "")
        show_confused(ready.machine.set_params(**taken), ready.split)
    said = "chosen by these rows, so expect a little less on others."
    if given.output:
        say(f"{said} Trained on all of them:", "")
        _train_and_write(given, data, taken)
    else:
        say(f"{said} To train:", "")
        show([_train_line(given, taken)])
    return 0


def _answers_of(given):
    """Return what the type of machine answers; refuse what is no search."""
    if "precomputed" in given.kernel and set(given.kernel) != {"precomputed"}:
        raise ValueError("kernel is precomputed, for a file of kernel values; it must stand alone")
    answers = type_of(given).answers
    if answers == "outliers":
        raise Refusal(
            f"grid needs labels or values to compare predictions with; {given.type}, one of the"
            f" types that {TELL[answers]}, has none"
        )
    return answers


def _searched(given, data, ready, unit):
    """Describe the data, search, and return the RefinedGrid; unit: as in _fitted."""
    folds, answers = len(ready.split.folds), type_of(given).answers
    points = len(ready.points) if unit is None else MAX_POINTS
    with processes(given.jobs, points * folds) as executor:
        announce(given)
        describe(data, answers)
        show_hints(given, data, answers, given.kernel[0])
        tell_unseen(ready.machine, ready.split)
        say(f"{_points_in_words(unit is not None, points, folds)}", "")
        found, statuses = _fitted(ready, executor, unit)
    if statuses:
        ended = ", ".join(sorted(set().union(*statuses)))
        say(f"of the fits {len(statuses)} ended with status {ended}; the others are optimal", "")
    return found


def _points_in_words(is_own, points, folds):
    """Return how many points are tried, and how many fits that takes.

    >>> _points_in_words(False, 6, 5), _points_in_words(True, 38, 5)
    ('6 points, 30 fits', '17 to 38 points, 85 to 190 fits')
    """
    if is_own:
        return f"{MIN_POINTS} to {points} points, {MIN_POINTS * folds} to {points * folds} fits"
    return f"{plural(points, 'point')}, {plural(points * folds, 'fit')}"


def _train_and_write(given, data, parameters):
    """Train on all rows with the parameters that are taken, and write the model."""
    first = {name: values[0] for name, values in vars(given).items() if name in PARAMETERS}
    chosen = Namespace(**{**vars(given), **first, **parameters, "test_size": None})
    answers, estimator = type_of(given).answers, machine(chosen)
    if answers == "classes" and given.type not in LINEAR_TYPES:
        model = train_on_all(accept(estimator, *data), data)
    else:
        train_one(chosen, ready_to_train(chosen, estimator, answers, data), answers)
        model = estimator.model_
    say()
    write_trained(given.output, model, data)


def _estimator(given):
    """Return the estimator whose other parameters are searched."""
    kind = type_of(given)
    names = [name for name in ("class_weight", "loss") if name in kind.options]
    own = {name: getattr(given, name) for name in names if getattr(given, name) is not None}
    return getattr(library(given), kind.estimator)(**solver_parameters(given), **own)


def _grids(given):
    """Return a grid for each kernel, of the parameters that it and the type of machine use."""
    own = [name for name in LISTED_PARAMETERS if name in type_of(given).options]
    if given.type in LINEAR_TYPES:
        return [{name: getattr(given, name) for name in own}]
    grids = []
    for word in given.kernel:
        used = [name for name in PARAMETERS if name in (*own, *parameters_of(WORDS[word]))]
        grids.append({"kernel": [word], **{name: getattr(given, name) for name in used}})
    return grids


def _fitted(ready, executor, unit, clock=time.monotonic):
    """Return the RefinedGrid of a Search, and how fits ended that are not optimal; show progress.

    unit: of C, if the search chooses its points itself; None: all points are tried.
    """
    with status_line() as write, catch_warnings():
        simplefilter("ignore")
        watch = FitsWatch(write, clock)
        if unit is not None:
            found = run_refined(ready, unit, executor, watch.on_answer, watch.on_stage)
            return found, watch.statuses
        watch.on_stage(len(ready.points) * len(ready.split.folds), 0)
        grid = run_search(ready, executor, watch.on_answer)
        best = next(point for point in grid.table if point.parameters == grid.best)
        return RefinedGrid(grid, best, 0.0, None), watch.statuses


def _show_table(found, taken, score):
    """Print a line for each point; the best ones are marked, and the one that is taken."""
    names = _columns(found.grid)
    head = [*names, score.name, "lowest", "highest", ""]
    lines = [
        [_shown(point.parameters.get(name, "-")) for name in names]
        + [score.cell(value) for value in (point.score, min(point.scores), max(point.scores))]
        + [_mark(point, found, taken)]
        for point in found.grid.table
    ]
    say(f"{score.of} not trained on; the lowest and the highest of the folds:", "")
    show(table([head, *lines], "r" * (len(head) - 1) + "l"))


def _mark(point, found, taken):
    """Return what a point is called in the table."""
    is_best = point.score == found.grid.score
    is_taken = found.usual and point.parameters == taken
    return ", ".join(["best"] * is_best + ["taken"] * bool(is_taken))


def _show_best(found, name, y, takes_best):
    """Print the best point, and which is taken if a search chose its points itself."""
    score = SCORES[name]
    best, ties = found.grid.best, [p for p in found.grid.table if p.score == found.grid.score]
    if found.usual:
        more = f" at {_named(best)}"
    else:
        more = f", the first of {len(ties)} points that have it" if len(ties) > 1 else ""
    _say_wrapped(f"best: {score.best(found.grid.score, y)}{more}")
    if found.usual:
        _show_taken(found, score, takes_best)
    score_taken = found.grid.score if takes_best else found.taken.score
    for line in [*as_good_as_guessing(name, score_taken, found.error, y), *_at_an_end(found.grid)]:
        say(line)


def _show_taken(found, score, takes_best):
    """Print which point is taken, and why."""
    taken, usual = found.taken.parameters, found.usual
    within = score.within.format(score.cell(found.error))
    if takes_best:
        told = "the best, as --best asks"
    elif taken == found.grid.best == usual:
        told = "the best, which is what is usual"
    elif taken == found.grid.best:
        told = (
            f"the best; none as good within {within} is nearer to {_named(usual)}, which is usual"
        )
    else:
        near = "what is usual" if taken == usual else f"nearer to {_named(usual)}, which is usual"
        told = (
            f"{score.cell(found.taken.score)} at {_named(taken)}, as good within {within} and"
            f" {near}; --best takes the best"
        )
    _say_wrapped(f"taken: {told}")


def _say_wrapped(text):
    """Print a text as lines of a terminal; numbers stay beside what they are of."""
    kept = text.replace(" = ", "\xa0=\xa0").replace(" %", "\xa0%")
    for line in wrap(kept, TERMINAL_LETTERS):
        say(line.replace("\xa0", " "))


def _named(parameters):
    """Return C and gamma in words.

    >>> _named({"kernel": "rbf", "C": 4.0, "gamma": "scale/4"})
    'C = 4, gamma = scale/4'
    """
    return ", ".join(f"{name} = {_shown(parameters[name])}" for name in ("C", "gamma"))


def _at_an_end(found):
    """Return sentences on parameters that are the least or the largest tried in all best points.

    >>> from refsvm.estimators.grid_search import Grid, GridPoint
    >>> points = [GridPoint({"C": C, "gamma": 1.0}, C, [C]) for C in (1.0, 10.0, 100.0)]
    >>> _at_an_end(Grid(points[2].parameters, 100.0, points))
    ['C = 100 is the largest that was tried; the best may lie beyond it']
    """
    lines, best = [], [point.parameters for point in found.table if point.score == found.score]
    for name in found.best:
        values = {point.parameters.get(name) for point in found.table}
        tried = _in_order(values)
        for end, value in zip(("least", "largest"), (tried[:1], tried[-1:])):
            if len(tried) > 2 and all(of_best.get(name) in value for of_best in best):
                lines.append(
                    f"{name} = {_cell(*value)} is the {end} that was tried; the best may lie"
                    " beyond it"
                )
    return lines


def _in_order(values):
    """Return the numbers among some values in their order, or else the words of a scale.

    >>> _in_order({10.0, "auto", 1.0}), _in_order({"scale", "scale/4", "auto"})
    ([1.0, 10.0], ['scale/4', 'scale'])
    """
    numbers = sorted(value for value in values if isinstance(value, float))
    words = [value for value in values if isinstance(value, str) and divisor_of_scale(value)]
    return numbers or sorted(words, key=lambda word: -float(divisor_of_scale(word)))


def _columns(found):
    """Return the names of the parameters in the points; the kernel's only if there are several."""
    names = dict.fromkeys(name for point in found.table for name in point.parameters)
    if len({point.parameters.get("kernel") for point in found.table}) == 1:
        names.pop("kernel", None)
    return list(names)


def _cell(value):
    """Return a value of a parameter as an option has it.

    >>> _cell(10.0), _cell(0.001), _cell("auto")
    ('10', '0.001', 'auto')
    """
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _shown(value):
    """Return a value of a parameter as it is shown."""
    return number(value) if isinstance(value, float) else str(value)


def _train_line(given, best):
    """Return the command that trains with these parameters: the options of this one, but for the
    grid's, stay."""
    own = {"--best", "-v", "-o", *(f"--{name}" for name in OWN)}
    kept = [option for option in given.options if name_of_option(option) not in own]
    chosen = [[f"--{name}", _cell(value)] for name, value in best.items()]
    return line_to_type("train", [given.data], [*kept, *chosen, ["-o", "MODEL"]])


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
