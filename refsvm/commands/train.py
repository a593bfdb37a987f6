"""train DATA [-o MODEL] [-v FOLDS]: train a machine, say how good it is, write it."""

from functools import partial
from typing import Any, NamedTuple

from ..estimators.folds import all_but, part_of_groups, select_rows, stratified_part
from ..estimators.labels import plain_labels
from ..files.model_text import int_label
from ..files.models import write_model
from ..numerics.display import text_above, text_below
from ..tables.prepared_data import PreparedData
from .arguments import Refusal, data_file, preparation_options, target
from .console import number, plural, progress, ratio, say, say_written, show, table
from .cross_validating import (
    FOLDS,
    laplace_scale_of,
    of_cells,
    prepared_by,
    show_folds,
    split_for_folds,
)
from .deciding import decide, signs
from .engine import announce
from .hints import hint_at_bounds, hint_at_identity, hint_at_numbers, hint_to_drop, hint_to_scale
from .machine_options import (
    TYPES,
    machine_options,
    seed_option,
    set_defaults_of_tables,
    type_of,
)
from .reading import TELL, describe, read_for
from .reports import accuracy, cautions, errors_of_scale, fit_of_values, outside, report, short
from .training import MEANINGS, OFFSETS, accept, machine, train, training_hits

EXAMPLE = """\
  python3 -m refsvm train wdbc.scaled -o wdbc.model --C 10
  python3 -m refsvm train wdbc.scaled -v 5 --kernel linear --C 0.1
  python3 -m refsvm train iris.csv --label species --drop id --test-size 0.25 -o iris.model
  python3 -m refsvm train houses.csv --label rent --type epsilon_svr --epsilon 10 -o rent.model"""

STATUS = {
    "optimal": "the conditions of optimality hold to within tol",
    "max_iter": "the last step allowed was taken",
    "infeasible": "no machine separates the classes, as C = inf asks",
    "indefinite": "the kernel is not that of an inner product on these rows",
    "degenerate": "w is 0, and there is no machine",
    "precision": "doubles cannot show that the conditions hold to within tol",
}
PAIR_FACTS = ("status", "steps", "vectors", "at C", "dual", "gap/primal")
MOST_PAIRS = 15  # shown of more


def arguments(parser):
    data_file(parser)
    preparation_options(parser)
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
    parser.add_argument(
        "--test-size",
        type=float,
        metavar="SHARE",
        help="train on the other rows only, and predict this share of them, of every class the"
        " same: --test-size 0.25",
    )
    parser.add_argument(
        "--probabilities",
        action="store_true",
        help="write sigmoids, too, of which predict --probabilities makes probabilities, or of"
        " values the scale of what is missed: fitted to answers of cross-validation, 5 folds",
    )
    seed_option(parser)
    machine_options(parser, TYPES)


def run(given):
    _refuse_options(given)
    answers = type_of(given).answers
    data = read_for(given, given.kernel, answers=answers)
    if given.probabilities and len(data.X) < FOLDS:
        raise Refusal(
            f"--probabilities deals the rows into {FOLDS} folds; {given.data} has"
            f" {plural(len(data.X), 'row')}, so give at least {FOLDS}"
        )
    usual = set_defaults_of_tables(given, data)
    train_one = _train_classifier if answers == "classes" else _train_single
    trained, data = train_one(given, data, usual)
    if given.output:
        if data.serials:
            model = trained.model_
            serials = [int(data.serials[row]) - 1 for row in model.vectors]
            trained.model_ = model._replace(vectors=serials)
        write_model(given.output, trained, data.columns)
        say_written(given.output)
    return 0


def _train_single(given, data, usual):
    """Train one machine on all rows; return it, and the data as they were prepared for it."""
    answers = type_of(given).answers
    found = _ready(given, machine(given), answers, data)
    split, of_scale = (
        split_for_folds(folds, *of_cells(found.machine, data, found.X), found.y, given.seed)
        for folds in (given.folds, FOLDS if given.probabilities else None)
    )
    announce(given)
    describe(data, answers, usual)
    _hint(given, data)
    asked, _ = of_cells(found.machine, data, found.X)
    scale = of_scale and laplace_scale_of(asked, of_scale)
    if split:
        show_folds(asked, split, given.seed)
    if not split or given.output:
        _train_one(given, found, answers)
    if of_scale:
        found.machine.model_.scale = scale
        say(errors_of_scale(scale))
        say(f"(by cross-validation, {FOLDS} folds, seed {given.seed})")
    return found.machine, found.data


class _Ready(NamedTuple):
    """An estimator, the rows to train it on and those to test it with, all checked."""

    machine: Any
    problem: Any
    X: list
    y: list
    tested: list
    X_tested: list
    y_tested: list
    data: Any  # prepared by the rows to train on


def _ready(given, machine, answers, data):
    """Check all that fit checks before the work; return a _Ready."""
    y, n = data.y if answers == "values" else [], len(data.X)
    tested = []
    if given.test_size is not None:
        tested = part_of_groups([list(range(n))], given.test_size, given.seed)
    kept = all_but(tested, n)
    data = prepared_by(data, kept)
    columns = kept if given.kernel == "precomputed" else None
    X, X_tested = (select_rows(data.X, rows, columns) for rows in (kept, tested))
    y, y_tested = ([y[i] for i in rows] if y else [] for rows in (kept, tested))
    problem = machine._problem(machine._accept(X, y or None, None))
    return _Ready(machine, problem, X, y, tested, X_tested, y_tested, data)


def _train_one(given, ready, answers):
    """Train a machine on the rows, and print what became of it."""
    machine = ready.machine
    if ready.tested:
        n, m = len(ready.X), len(ready.tested)
        say(f"{plural(n, 'row')} to train on, {m} to test with (seed {given.seed})")
    with progress("training", machine.tol) as on_step:
        machine._solve = partial(machine._solve, on_step=on_step)
        machine._train(ready.X, ready.y or None, None)
    say(f"{machine.model_.kernel!r}, {plural(len(machine.support_), 'support vector')}\n")
    facts = _facts_of_one(machine.solution_, ready.problem)
    show(table(facts, "lrl"))
    _tell_limit(machine.solution_)
    hint_at_identity(machine.model_.kernel, ready.X)
    if answers == "values":
        hint_at_bounds(int({name: value for name, value, _ in facts}["at bound"]), ready.y)
    parts = [("training", ready.X, ready.y), ("test", ready.X_tested, ready.y_tested)]
    for part, X, y in parts[: 2 if ready.tested else 1]:
        f = decide(given, machine.model_, X)
        say(f"{part} {fit_of_values(y, f) if answers == 'values' else outside(signs(f))}")
    if answers == "values" and not ready.tested:
        say("(of rows that it has seen; for others see -v 5 or --test-size 0.25)")
    say()


def _train_classifier(given, data, usual):
    """Train one machine for each pair of classes; return the estimator, and the data for it."""
    X, y = data
    svc = machine(given)
    plain_labels(y, len(y))  # refuses what each fold would, with the number of the row
    if given.output:
        _refuse_large_labels(y)
    accepted = accept(svc, X, y)
    asked, rows = of_cells(svc, data, X)
    split = split_for_folds(given.folds, asked, rows, y, given.seed)
    tested = [] if given.test_size is None else stratified_part(y, given.test_size, given.seed)
    announce(given)
    describe(data, usual=usual)
    _hint(given, data)
    calibrations = _calibrations_asked_for(given, svc, data)
    if split:
        show_folds(asked, split, given.seed)
    if tested:
        data = prepared_by(data, all_but(tested, len(y)))
        model = _train_and_test(svc, data, tested, given.seed)
    elif not split or given.output:
        model = _train_on_all(accepted, data)
    if given.output:
        svc.model_ = model._replace(calibrations=calibrations)
    return svc, data


def _hint(given, data):
    """Print hints at columns to leave out, or to scale."""
    if given.kernel != "precomputed":
        if type_of(given).answers == "classes":
            hint_at_numbers(data)
        if isinstance(data, PreparedData):  # in which nothing is left to drop or to scale
            return
        hint_to_drop(data)
        if data.columns is None or data.y:  # the command scale keeps a column of labels
            hint_to_scale(given, data)


def _calibrations_asked_for(given, svc, data):
    """Return the Calibration of each pair if --probabilities is given, and else None."""
    if not given.probabilities:
        return None
    from ..estimators.pair_calibration import calibrate_pairs

    with progress("fitting sigmoids"):
        found = calibrate_pairs(svc, data.X, data.y, FOLDS, given.seed)
    say(f"probabilities from decisions of cross-validation, {FOLDS} folds (seed {given.seed})")
    return found


def _refuse_options_of_type(given):
    """Refuse options that are not for the answers of this type."""
    answers = type_of(given).answers
    for option, value in (("-v", given.folds), ("--probabilities", given.probabilities or None)):
        if answers == "outliers" and value is not None:
            raise Refusal(
                f"{option} needs labels or values to compare predictions with; {given.type}, one"
                f" of the types that {TELL[answers]}, has none"
            )
    if given.type == "svdd" and given.output:
        raise Refusal(
            "LIBSVM's model files have no type svdd; leave out -o, or take --type one_class, which"
            " with --kernel rbf is the same machine: --nu is then 1 / (C rows)"
        )


def _refuse_options(given):
    """Refuse options that cannot be used together."""
    _refuse_options_of_type(given)
    if given.probabilities and (given.test_size is not None or not given.output):
        raise Refusal(
            "--probabilities is for a model of all rows, to be written; give -o, and leave out"
            " --test-size"
        )
    if given.test_size is None:
        return
    if given.folds is not None:
        raise Refusal("-v and --test-size both choose the rows to predict; leave one out")
    if given.kernel == "precomputed" and given.output:
        raise Refusal(
            "a model of kernel values counts the rows of its file, and --test-size leaves some of"
            " them out; leave out -o or --test-size"
        )


def _train_on_all(accepted, data):
    """Train on all rows, and print what became of it; return the model."""
    model, trained = train(accepted)
    _show_machine(model, trained, accepted.data)
    hint_at_identity(model.kernel, data.X)
    right = training_hits(model, trained, accepted, data.X, data.y)
    say(f"training {accuracy(right, data.y)}")
    say("(of rows that it has seen; for others see -v 5 or --test-size 0.25)\n")
    return model


def _train_and_test(svc, data, tested, seed):
    """Train on all rows but some, and print how rightly these are predicted; return the model."""
    kept = all_but(tested, len(data.y))
    columns = kept if svc.kernel == "precomputed" else None
    X, y = select_rows(data.X, kept, columns), [data.y[i] for i in kept]
    accepted = accept(svc, X, y)
    say(f"{plural(len(kept), 'row')} to train on, {len(tested)} to test with (seed {seed})")
    model, trained = train(accepted)
    _show_machine(model, trained, accepted.data)
    say(f"training {accuracy(training_hits(model, trained, accepted, X, y), y)}")
    y = [data.y[i] for i in tested]
    with progress("predicting"):
        predicted = model.predictions(select_rows(data.X, tested, columns))
    right = len([1 for label, other in zip(y, predicted) if label == other])
    say(f"test {accuracy(right, y)}")
    for line in cautions(y, predicted, unseen=True):
        say(line)
    say()
    report(model.classes, y, predicted)
    return model


def _refuse_large_labels(y):
    """Refuse before the work the labels that write_model would refuse after it."""
    first = {}
    for i, label in enumerate(y):
        first.setdefault(label, i)
    for label, i in first.items():
        if not isinstance(label, str):
            int_label(label, f"y[{i}]")


def _show_machine(model, trained, data):
    """Print what was trained."""
    say(f"{model.kernel!r}, {plural(len(model.vectors), 'support vector')}\n")
    _show_pairs(model.classes, trained, data.C)


def _show_pairs(classes, trained, C):
    """Print what the solver returned for each pair: one in full, several as a table."""
    if len(trained) == 1:
        show(table(_facts_of_pair(trained[0], C), "lrl"))
        _tell_limit(trained[0].solution)
        return
    shown = sorted(trained, key=_least_certain)[:MOST_PAIRS]
    rows, limited = [["classes", *PAIR_FACTS]], []
    for pair in [pair for pair in trained if pair in shown]:
        values = {name: value for name, value, _ in _facts_of_pair(pair, C)}
        names = ", ".join(short(str(classes[place]), 12) for place in (pair.p, pair.q))
        rows.append([names, *(values[name] for name in PAIR_FACTS)])
        limited += [(pair.solution, names)] if pair.solution.limit else []
    show(table(rows, "ll" + "r" * (len(PAIR_FACTS) - 1)))
    if len(shown) < len(trained):
        say(f"and {len(trained) - len(shown)} more pairs, whose gaps are smaller in proportion\n")
    for solution, names in limited[:1]:
        _tell_limit(solution, f"{names}: ")


def _tell_limit(solution, whose=""):
    """Print why doubles cannot show more, and what helps, where the status is "precision"."""
    if solution.limit:
        why, _, helps = solution.limit.partition(": ")
        helps = helps.replace("; ", ";\n")
        say(f"precision: {whose}{why}:\n{helps}\n")


def _least_certain(pair):
    """Return a key by which the pairs come first that are furthest from the optimum."""
    solution = pair.solution
    primal = solution.objective + solution.gap
    return solution.status == "optimal", -abs(solution.gap) / (abs(primal) or 1)


def _facts_of_pair(pair, C):
    """Return (name, value, meaning) of what the solver returned for a pair, for tables."""
    at_C = len([1 for a, i in zip(pair.solution.alpha, pair.rows) if a == C[i]])
    return _facts(pair.solution, "alpha > 0", ("at C", at_C))


def _facts_of_one(found, problem):
    """Return (name, value, meaning) of what the solver returned for one machine, for a table."""
    form, bound = problem.dual_form(), 0
    for x, low, high in zip(problem.variables_of(found.alpha), form.lower, form.upper):
        bound += x != 0 and x in (low, high)
    return _facts(found, "alpha not 0", ("at bound", bound))


def _facts(found, vectors, full):
    """Return facts of a Solution, in which so many multipliers are as large as they may be."""
    primal, (called, count) = found.objective + found.gap, full
    close = found.status == "optimal"
    return [
        ("status", found.status, STATUS[found.status]),
        ("steps", str(found.iterations), "of the solver"),
        ("vectors", str(len([a for a in found.alpha if a != 0])), f"support vectors, {vectors}"),
        (called, str(count), "of them with all they may have"),
        ("dual", text_below(found.objective, 9), "the optimum is not below, rounding included"),
        ("primal", number(primal, 9), "dual and gap: what margin and slacks cost, about"),
        (
            "gap",
            text_above(found.gap, 3),
            "how far from the optimum it is at most, rounding included",
        ),
        ("gap/primal", ratio(found.gap, abs(primal)), "about the same in proportion"),
        *(
            (
                OFFSETS.get(name, name),
                number(value, 8),
                MEANINGS[name] + (f", {_from_to(ends)} within tol" if close else ""),
            )
            for name, (value, *ends) in zip(found.offsets._fields, found.offsets)
        ),
    ]


def _from_to(ends):
    """Return between what an offset may lie, in words."""
    return f"from about {number(min(ends))} to {number(max(ends))}"
