"""train DATA [-o MODEL] [-v FOLDS]: train a machine, say how good it is, write it."""

from ..estimators.cross_validation import split_data
from ..estimators.labels import plain_labels
from ..files.model_lines import int_label
from ..files.models import write_model
from .arguments import data_file, machine_options, seed_option, target
from .console import percent, plural, say, say_written, show, table
from .engine import announce
from .reading import describe, read_for
from .training import accept, facts, machine, train, trials

EXAMPLE = """\
  python3 -m refsvm train wdbc.scaled -o wdbc.model --C 10
  python3 -m refsvm train wdbc.scaled -v 5 --kernel linear --C 0.1
  python3 -m refsvm train iris.csv --label species --drop id -o iris.model"""


def arguments(parser):
    data_file(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="MODEL",
        type=target,
        help="write the machine to this file; - is standard output",
    )
    parser.add_argument(
        "-v",
        "--folds",
        type=int,
        metavar="FOLDS",
        help="cross-validate: train on all parts of the rows but one, predict that one, and so on"
        " (trains on all rows only if -o is given, too)",
    )
    seed_option(parser)
    machine_options(parser)


def run(given):
    X, y = data = read_for(given, given.kernel)
    svc = machine(given)
    plain_labels(y, len(y))  # refuses what each fold would, with the number of the row
    if given.output:
        refuse_large_labels(y)
    accepted = accept(svc, X, y)
    split = None if given.folds is None else split_data(svc, X, y, given.folds, given.seed)
    announce(given)
    describe(data)
    if split:
        cross_validate(svc, split, given.seed)
    if not split or given.output:
        model, trained = train(accepted)
        say(f"{model.kernel!r}, {plural(len(model.vectors), 'support vector')}\n")
        show_pairs(model.classes, trained, accepted.data.C)
        if given.output:
            write_model(given.output, model, data.columns)
            say_written(given.output)
    return 0


def refuse_large_labels(y):
    """Refuse before the work the labels that write_model would refuse after it."""
    for i, label in enumerate(y):
        if not isinstance(label, str):
            int_label(label, f"y[{i}]")


def show_pairs(classes, trained, C):
    """Print what the solver returned for each pair: one in full, several as a table."""
    if len(trained) == 1:
        show(table(facts(trained[0], C), "lrl"))
        return
    head = ["classes"] + [name for name, _, _ in facts(trained[0], C)]
    rows = [
        [f"{classes[pair.p]}, {classes[pair.q]}"] + [value for _, value, _ in facts(pair, C)]
        for pair in trained
    ]
    show(table([head] + rows, "ll" + "r" * 9))


def cross_validate(svc, split, seed):
    """Print how many rows are predicted rightly by machines that did not see them."""
    right, lines = 0, []
    for number, (held_out, trial) in enumerate(zip(split.folds, trials(svc, split)), 1):
        right += trial.right
        lines.append(
            [
                f"fold {number}",
                percent(trial.right, len(held_out)),
                f"{trial.right} of {len(held_out)} rows",
                f"status {', '.join(trial.statuses)}" if trial.statuses else "",
            ]
        )
    lines.append(["all", percent(right, len(split.y)), f"{right} of {len(split.y)} rows", ""])
    say(f"accuracy on rows not trained on (seed {seed}):\n")
    show(table(lines, "lrrl"))
