"""Cross-validation of a command: of classes the accuracy, of values R^2 and the squared error."""

from functools import partialmethod
from warnings import catch_warnings, simplefilter

from ..estimators.folds import PreparedMachine
from ..estimators.linear_machines import LinearTraining
from ..numerics.linalg import total
from ..tables.prepared_data import PreparedData
from .console import number, percent, plural, progress, say, show, table
from .reports import cautions, guessing, mean_squares, report

FOLDS = 5  # of which probabilities are made


def split_for_folds(folds, machine, X, y, seed):
    """Return the Split into folds; None without folds, and then its module is not loaded."""
    if folds is None:
        return None
    from ..estimators.cross_validation import split_data

    return split_data(machine, X, y, folds, seed)


def _trials(machine, split):
    """Return the Trial of each fold of a Split, with progress shown."""
    from ..estimators.cross_validation import trials_of

    k, done = len(split.folds), []
    tol = getattr(machine, "machine", machine).tol  # of what is behind a preparation

    def watch(*names):
        pair = f", {names[0]} against {names[1]}" if names else ""
        return progress(f"fold {len(done) + 1} of {k}{pair}", tol)

    def on_answer(place, trial):
        done.append(place)

    machine = watched(machine, watch)
    with catch_warnings():
        simplefilter("ignore")  # a Trial tells how its training ended
        return trials_of(machine, [{}], split, with_answers=True, on_answer=on_answer)[0]


def watched(machine, watch):
    """Return a copy of an estimator whose training is watched."""
    if isinstance(machine, PreparedMachine):
        return PreparedMachine(watched(machine.machine, watch), machine.preparation)
    return _watched_class(type(machine), watch)(**machine.get_params())


def of_cells(machine, data, X):
    """Return what folds are trained with: the machine and the rows; of a table its cells."""
    if not isinstance(data, PreparedData):
        return machine, X
    return PreparedMachine(machine, data.preparation), data.cells


def prepared_by(data, kept):
    """Return the data; of a table prepared by the rows that are kept to train on."""
    return data.with_rows_of(kept) if isinstance(data, PreparedData) else data


def _watched_class(kind, watch):
    """Return a class of estimators whose training is watched."""
    if hasattr(kind, "_trained"):  # one against one
        return type(
            kind.__name__, (kind,), {"_trained": partialmethod(kind._trained, watch=watch)}
        )

    def solve(self, problem, *words, **options):
        with watch() as on_step:
            if issubclass(kind, LinearTraining):
                return kind._solve(self, problem, *words)
            return kind._solve(self, problem, *words, on_step=on_step, **options)

    return type(kind.__name__, (kind,), {"_solve": solve})


def show_folds(machine, split, seed):
    """Cross-validate, and print how well rows are predicted by machines that did not see them."""
    tell_unseen(machine, split)
    tell = _tell_values if split.scoring.of == "values" else _tell_classes
    tell(split, _trials(machine, split), seed)


def tell_unseen(machine, split):
    """Print in how many rows a text stands that the machine of their fold has not seen."""
    if not isinstance(machine, PreparedMachine):
        return
    rows = machine.preparation.unseen_rows(split.X, split.folds)
    if rows:
        say(f"{plural(rows, 'row')} with a text that no row to train on has: it counts as a gap")


def _tell_classes(split, found, seed):
    """Print the accuracy of each fold, and which classes are confused."""
    lines = []
    for j, (held_out, trial) in enumerate(zip(split.folds, found), 1):
        shares = percent(trial.tally, len(held_out)), f"{trial.tally} of {len(held_out)} rows"
        lines.append([f"fold {j}", *shares, _ended(trial)])
    right, n = sum(trial.tally for trial in found), len(split.y)  # exact
    lines.append(["all", percent(right, n), f"{right} of {n} rows", ""])
    say(f"accuracy on rows not trained on (seed {seed}):", "")
    show(table(lines, "lrrl"))
    say(guessing(split.y))
    _tell_confused(split, found)


def show_confused(machine, split):
    """Cross-validate, and print which classes are confused alone."""
    _tell_confused(split, _trials(machine, split))


def _tell_confused(split, found):
    """Print what an accuracy hides, and which classes are confused."""
    predicted = _in_order(split, found)
    for line in cautions(split.y, predicted, unseen=True):
        say(line)
    say()
    report(sorted(set(split.y)), split.y, predicted)


def _tell_values(split, found, seed):
    """Print R^2 and the mean squared error of each fold."""
    from ..estimators.cross_validation import fold_scores, whole_score

    lines = [["", "R^2", "mean squared error", "rows", ""]]
    for j, (held_out, trial, r2) in enumerate(
        zip(split.folds, found, fold_scores(split, found)), 1
    ):
        n = len(held_out)
        lines.append([f"fold {j}", f"{r2:.4f}", number(trial.tally / n), str(n), _ended(trial)])
    n, missed = len(split.y), total(trial.tally for trial in found)
    lines.append(["all", f"{whole_score(split, found):.4f}", number(missed / n), str(n), ""])
    say(f"predictions of rows not trained on (seed {seed}):", "")
    show(table(lines, "lrrrl"))
    say(f"always the mean: mean squared error {number(mean_squares(split.y))}")
    if whole_score(split, found) <= 0:
        say("no better than always the mean")
    say()


def _ended(trial):
    """Return in words how the training ended, if not optimal."""
    return f"status {', '.join(trial.statuses)}" if trial.statuses else ""


def _in_order(split, found):
    """Return the predictions in the order of the rows."""
    predicted = [None] * len(split.y)
    for held_out, trial in zip(split.folds, found):
        for i, answer in zip(held_out, trial.predictions):
            predicted[i] = answer
    return predicted


def laplace_scale_of(machine, split):
    """Return the scale of what machines miss that did not see the rows."""
    from ..svm.residual_scale import laplace_scale

    predicted = _in_order(split, _trials(machine, split))
    return laplace_scale([v - f for v, f in zip(split.y, predicted)])
