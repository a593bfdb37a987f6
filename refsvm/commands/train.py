"""train DATA [-o MODEL] [-v FOLDS]: train a machine, say how good it is, write it."""

from ..estimators.folds import all_but, select_rows, stratified_part
from ..estimators.labels import plain_labels
from ..files.table_columns import LINEAR_TYPES
from .arguments import Refusal, data_file, preparation_options, target
from .console import plural, progress, say
from .costs import watch_machines
from .cross_validating import (
    FOLDS,
    laplace_scale_of,
    of_cells,
    prepared_by,
    show_folds,
    split_for_folds,
)
from .engine import announce
from .hints import show_hints
from .machine_options import (
    TYPES,
    machine_options,
    seed_option,
    set_defaults_of_tables,
    type_of,
)
from .reading import TELL, describe, read_for, tell_unknown_texts
from .reports import errors_of_scale
from .training import (
    accept,
    machine,
    ready_to_train,
    refuse_large_labels,
    show_machine,
    show_training_accuracy,
    tell_classes,
    train,
    train_on_all,
    train_one,
    write_trained,
)

EXAMPLE = """\
  python3 -m refsvm train iris.csv --label species -v 5 -o iris.model
  python3 -m refsvm train houses.csv --label rent --type epsilon_svr
  python3 -m refsvm train wdbc.scaled --kernel linear --C 0.1"""

SEEN_NOTE = "(of rows that it has seen; for others see -v 5 or --test-size 0.25)"


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
        help="cross-validate; train on all rows only if -o is given",
    )
    parser.add_argument(
        "--test-size",
        type=float,
        metavar="SHARE",
        help="predict this share of the rows, train on the others",
    )
    parser.add_argument(
        "--probabilities",
        action="store_true",
        help="write what predict --probabilities needs, from 5 folds",
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
    is_single = answers != "classes" or given.type in LINEAR_TYPES
    model, data = (_train_single if is_single else _train_classifier)(given, data, usual)
    if given.output:
        write_trained(given.output, model, data)
    return 0


def _train_single(given, data, usual):
    """Train one machine, or a linear one for each class; return the model, if it is to be written,
    and the data as they were prepared for it."""
    answers = type_of(given).answers
    if answers == "classes" and given.output:
        watch_machines(given, len(set(data.y)), len(data.y))
        refuse_large_labels(data.y)
    found = ready_to_train(given, machine(given), answers, data)
    split, of_scale = (
        split_for_folds(folds, *of_cells(found.machine, data, found.X), found.y, given.seed)
        for folds in (given.folds, FOLDS if given.probabilities else None)
    )
    announce(given)
    describe(data, answers, usual)
    show_hints(given, data, answers, given.kernel)
    asked, _ = of_cells(found.machine, data, found.X)
    scale = of_scale and laplace_scale_of(asked, of_scale)
    if split:
        show_folds(asked, split, given.seed)
    if not split or given.output:
        train_one(given, found, answers)
        say(*([] if found.tested or answers == "outliers" else [SEEN_NOTE]), "")
    model = found.machine.model_ if given.output else None
    if of_scale:
        model.scale = scale
        say(errors_of_scale(scale))
        say(f"(by cross-validation, {FOLDS} folds, seed {given.seed})")
    return model, found.data


def _train_classifier(given, data, usual):
    """Train one machine for each pair of classes; return the model, and the data for it."""
    (X, y), model = data, None
    svc = machine(given)
    labels = plain_labels(y, len(y))  # refuses what each fold would, with the number of the row
    watch_machines(given, len(set(labels)), len(y))
    if given.output:
        refuse_large_labels(y)
    accepted = accept(svc, X, y)
    asked, rows = of_cells(svc, data, X)
    split = split_for_folds(given.folds, asked, rows, y, given.seed)
    tested = [] if given.test_size is None else stratified_part(y, given.test_size, given.seed)
    announce(given)
    describe(data, usual=usual)
    show_hints(given, data, "classes", given.kernel)
    calibrations = _calibrations_asked_for(given, svc, data)
    if split:
        show_folds(asked, split, given.seed)
    if tested:
        data = prepared_by(data, all_but(tested, len(y)))
        model = _train_and_test(svc, data, tested, given.seed)
    elif not split or given.output:
        model = train_on_all(accepted, data)
        say(SEEN_NOTE, "")
    return model and model._replace(calibrations=calibrations), data


def _calibrations_asked_for(given, svc, data):
    """Return the Calibration of each pair if --probabilities is given, and else None."""
    if not given.probabilities:
        return None
    from ..estimators.pair_calibration import calibrate_pairs

    with progress("fitting sigmoids"):
        found = calibrate_pairs(*of_cells(svc, data, data.X), data.y, FOLDS, given.seed)
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
    if given.type == "linear_svc" and given.probabilities:
        raise Refusal(
            "--probabilities are of pairs of classes, and --type linear_svc has a machine for each"
            " class",
            "--type c_svc --kernel linear",
            "--type --loss",
        )
    if given.type == "svdd" and given.output:
        raise Refusal(
            "LIBSVM's model files have no type svdd",
            leave_out="-o",
            how="leave out -o, or take --type one_class, which with --kernel rbf is the same"
            " machine: --nu is then 1 / (C rows)",
        )


def _refuse_options(given):
    """Refuse options that cannot be used together."""
    _refuse_options_of_type(given)
    if given.probabilities and (given.test_size is not None or not given.output):
        raise Refusal(
            "--probabilities is for a model of all rows, to be written",
            "" if given.output else "-o",
            "--test-size",
            how="give -o, and leave out --test-size",
        )
    if given.test_size is None:
        return
    if given.folds is not None:
        sentence = "-v and --test-size both choose the rows to predict"
        raise Refusal(sentence, leave_out="--test-size", how="leave one out")
    if given.kernel == "precomputed" and given.output:
        raise Refusal(
            "a model of kernel values counts the rows of its file, and --test-size leaves some of"
            " them out",
            leave_out="--test-size",
            how="leave out -o or --test-size",
        )


def _train_and_test(svc, data, tested, seed):
    """Train on all rows but some, and print how rightly these are predicted; return the model."""
    kept = all_but(tested, len(data.y))
    columns = kept if svc.kernel == "precomputed" else None
    X, y = select_rows(data.X, kept, columns), [data.y[i] for i in kept]
    accepted = accept(svc, X, y)
    say(f"{plural(len(kept), 'row')} to train on, {len(tested)} to test with (seed {seed})")
    tell_unknown_texts(data)
    model, trained = train(accepted)
    show_machine(model, trained, accepted.data)
    show_training_accuracy(model, trained, accepted, X, y)
    with progress("predicting"):
        predicted = model.predictions(select_rows(data.X, tested, columns))
    tell_classes("test", model.classes, [data.y[i] for i in tested], predicted)
    return model
