"""grid DATA [--C ..] [--gamma ..]: cross-validate at every point of a grid, and name the best."""

import csv
import shlex
import time
from argparse import ArgumentTypeError
from warnings import catch_warnings, simplefilter

from ..estimators.grid_search import search, searched
from ..estimators.kernel_choice import KERNELS
from ..files.outputs import writing
from ..numerics.quoting import quote
from .arguments import PROGRAM, data_file, target
from .console import percent, plural, say, say_written, show, status_line, table
from .engine import announce, library, pure_option
from .hints import hint_to_drop, hint_to_scale
from .machine_options import class_weight_option, gamma, seed_option, solver_options
from .processes import jobs_option, processes
from .reading import describe, read_for

EXAMPLE = """\
  python3 -m refsvm grid wdbc.scaled
  python3 -m refsvm grid wdbc.scaled --kernel linear,rbf --C 1,10,100 --gamma 0.01,0.1 --jobs 4
  python3 -m refsvm grid iris.csv --label species --drop id -o table.csv"""
USED = {"poly": ("gamma", "degree", "coef0"), "rbf": ("gamma",), "sigmoid": ("gamma", "coef0")}
OWN = ("kernel", "C", "gamma", "degree", "coef0", "folds", "seed", "jobs", "output")


def arguments(parser):
    data_file(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="TABLE",
        type=target,
        help="write the table to this file, as CSV, with the accuracy on each fold; - is standard"
        " output",
    )
    parser.add_argument(
        "-v", "--folds", type=int, default=5, metavar="FOLDS", help="of each point (default: 5)"
    )
    seed_option(parser)
    jobs_option(parser)
    grid_options(parser)
    solver_options(parser)
    pure_option(parser)


def grid_options(parser):
    """Add the options of the machine, each a list of values to try."""
    group = parser.add_argument_group("the grid: values to try, with commas between them")
    group.add_argument(
        "--kernel",
        type=listed(kernel),
        default=["rbf"],
        metavar="KERNEL,..",
        help=f"of {', '.join(KERNELS)}; the last means that the file holds kernel values, and"
        " stands alone (default: rbf)",
    )
    group.add_argument(
        "--C",
        type=listed(decimal),
        default=[0.1, 1.0, 10.0, 100.0],
        metavar="C,..",
        help="penalty of slack (default: 0.1,1,10,100)",
    )
    group.add_argument(
        "--gamma",
        type=listed(gamma),
        default=[0.001, 0.01, 0.1, 1.0],
        metavar="GAMMA,..",
        help="of poly, rbf, sigmoid: numbers, auto or scale (default: 0.001,0.01,0.1,1)",
    )
    group.add_argument(
        "--degree", type=listed(whole), default=[3], metavar="N,..", help="of poly (default: 3)"
    )
    group.add_argument(
        "--coef0",
        type=listed(decimal),
        default=[0.0],
        metavar="COEF0,..",
        help="of poly, sigmoid (default: 0)",
    )
    class_weight_option(group)


def listed(value_of):
    """Return what reads values with commas between them."""
    return lambda text: [value_of(part.strip()) for part in text.split(",")]


def kernel(word):
    """Return the name of a kernel."""
    if word not in KERNELS:
        known = ", ".join(KERNELS)
        raise ArgumentTypeError(f"{quote(word)} is no kernel; the known ones are {known}")
    return word


def decimal(word):
    """Return a number."""
    try:
        return float(word)
    except ValueError:
        raise ArgumentTypeError(f"{quote(word)} is no number") from None


def whole(word):
    """Return a whole number."""
    try:
        return int(word)
    except ValueError:
        raise ArgumentTypeError(f"{quote(word)} is no whole number") from None


def run(given):
    if "precomputed" in given.kernel and set(given.kernel) != {"precomputed"}:
        raise ValueError("kernel is precomputed, for a file of kernel values; it must stand alone")
    X, y = data = read_for(given, given.kernel[0])
    svc = library(given).SVC(
        tol=given.tol,
        cache_size=given.cache_mb,
        max_iter=given.max_iter,
        class_weight=given.class_weight,
    )
    ready = search(svc, grids(given), X, y, given.folds, given.seed)
    fits = len(ready.points) * len(ready.split.folds)
    with processes(given.jobs, fits) as executor:
        announce(given)
        describe(data)
        if given.kernel[0] != "precomputed":
            hint_to_drop(data)
            hint_to_scale(given, data)
        say(f"{plural(len(ready.points), 'point')}, {plural(fits, 'fit')}\n")
        found, statuses = fitted(ready, executor, fits)
    show_table(found)
    if statuses:
        ended = ", ".join(sorted(set().union(*statuses)))
        say(f"of the fits {len(statuses)} ended with status {ended}; the others are optimal\n")
    show_best(found, len(y), given.words)
    if given.output:
        write_table(given.output, found)
        say_written(given.output)
    return 0


def grids(given):
    """Return a grid for each kernel, of the parameters that it uses."""
    return [
        {
            "kernel": [name],
            "C": given.C,
            **{key: getattr(given, key) for key in USED.get(name, ())},
        }
        for name in given.kernel
    ]


def fitted(ready, executor, fits, clock=time.monotonic):
    """Return the Grid of a Search, and how fits ended that are not optimal; show progress."""
    done, statuses, start = [], [], clock()
    with status_line() as write, catch_warnings():
        simplefilter("ignore")

        def on_answer(number, trial):
            done.append(number)
            statuses.extend([trial.statuses] if trial.statuses else [])
            if write:
                write(progress_of(len(done), fits, clock() - start))

        if write:
            write(progress_of(0, fits, 0))
        return searched(ready, executor, on_answer), statuses


def progress_of(done, fits, elapsed):
    """Return in words how many fits are done, since when, and how long the others may take.

    >>> progress_of(10, 30, 100.0)
    '10 of 30 fits, 1 min 40 s, about 3 min 20 s left'
    """
    left = f", about {duration(elapsed / done * (fits - done))} left" if done else ""
    return f"{done} of {plural(fits, 'fit')}, {duration(elapsed)}{left}"


def duration(seconds):
    """Return a time in words.

    >>> duration(9.6), duration(75), duration(7300)
    ('10 s', '1 min 15 s', '2 h 1 min')
    """
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def show_table(found):
    """Print a line for each point; the best one is marked."""
    names = columns(found)
    head = [*names, "accuracy", "lowest", "highest", ""]
    lines = [
        [cell(point.parameters.get(name, "-")) for name in names]
        + [percent(share, 1) for share in (point.score, min(point.scores), max(point.scores))]
        + ["best" if point.score == found.score else ""]
        for point in found.table
    ]
    say("accuracy on rows not trained on; the lowest and the highest of the folds:\n")
    show(table([head, *lines], "r" * len(head)))


def show_best(found, n, words):
    """Print the best point, and the line that trains with it."""
    ties = len([point for point in found.table if point.score == found.score])
    more = f", the first of {ties} points that have it" if ties > 1 else ""
    right = round(found.score * n)
    say(f"best: {percent(right, n)} ({right} of {plural(n, 'row')}){more}")
    say("chosen by these rows, so expect a little less on others. To train:\n")
    show([train_line(words, found.best)])


def columns(found):
    """Return the names of the parameters in the points; the kernel's only if there are several."""
    names = dict.fromkeys(name for point in found.table for name in point.parameters)
    if len({point.parameters["kernel"] for point in found.table}) == 1:
        del names["kernel"]
    return list(names)


def cell(value):
    """Return a value of a parameter as an option has it.

    >>> cell(10.0), cell(0.001), cell("auto")
    ('10', '0.001', 'auto')
    """
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def train_line(words, best):
    """Return the command that trains with these parameters: the options of this one, but for the
    grid's, stay."""
    chosen = [word for name, value in best.items() for word in (f"--{name}", cell(value))]
    return shlex.join(
        [
            *PROGRAM.split(),
            "train",
            *without(words, [f"--{name}" for name in OWN]),
            *chosen,
            "-o",
            "MODEL",
        ]
    )


def without(words, options):
    """Return the words of a command without these options, each of which has a value.

    >>> without(["heart", "--C", "1,10", "-v5", "--gamma=1", "--tol", "0.1"], ["--C", "--gamma"])
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


def write_table(path, found):
    """Write the table as CSV."""
    names = dict.fromkeys(name for point in found.table for name in point.parameters)
    folds = range(1, len(found.table[0].scores) + 1)
    with writing(path) as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([*names, "accuracy", *(f"fold {j}" for j in folds)])
        for point in found.table:
            values = [point.parameters.get(name, "") for name in names]
            out.writerow([*map(cell, values), point.score, *point.scores])
