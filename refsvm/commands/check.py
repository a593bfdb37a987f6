"""check DATA MODEL: how far a LIBSVM model is from the optimum of the data it was trained on."""

from math import inf
from types import SimpleNamespace

from ..estimators.training_data import TrainingSet, penalties_of_rows, weights_of_classes
from ..files.matching import digits_of, match_rows, multipliers
from ..kernels.standard import Precomputed
from ..numerics.validation import positive
from ..svm.one_vs_one import pairs
from .arguments import Refusal, data_file, model_file
from .console import number, plural, progress, ratio, say, show, table
from .engine import announce, library, pure_option
from .machine_options import penalty_options, tol_option
from .machine_types import TYPES, refuse_other_options
from .model_problems import answer_of_single, answers_by_nu
from .optimality import condition_rows, measure, snap, verdicts, worst_rows
from .optimality_with_offsets import (
    condition_rows_with_offsets,
    measure_with_offsets,
    verdicts_with_offsets,
    worst_examples,
)
from .reading import answers_of, read_with_model

EXAMPLE = """\
  svm-train -c 10 wdbc.scaled wdbc.model            (or any program that writes such a file)
  python3 -m refsvm check wdbc.scaled wdbc.model --C 10

The exit status is 0 if alpha, gap and offset pass for every pair of classes, otherwise 1. A model
of regression or of one class is checked likewise, see --epsilon and --nu."""
# A solver's own steps round too, in the last digits of a double; so no more digits are asked of
# sum alpha_i y_i, and no more than the second number where alpha is compared with C.
DIGITS_OF_SUM, DIGITS_OF_BOUND = 10, 15


def arguments(parser):
    data_file(parser)
    model_file(parser)
    penalty_options(
        parser,
        None,
        "the penalty C of training, which the file does not say (default: its largest"
        " |coefficient|, which is right if one vector is at the bound)",
    )
    parser.add_argument(
        "--epsilon",
        type=float,
        help="of epsilon_svr (default: |y - f| of the vectors between their bounds)",
    )
    parser.add_argument(
        "--nu",
        type=float,
        help="of nu_svc, nu_svr, one_class (default: by what the multipliers add up to)",
    )
    tol_option(parser)
    pure_option(parser)


def run(given):
    tol = positive(float, given.tol, "tol")
    model, data = read_with_model(given)
    known = TYPES[given.type].options
    refuse_other_options(given, known, f"a model of type {given.type}")
    answers = answers_of(model)
    if not data.y and answers != "outliers":
        noun = "values" if answers == "values" else "labels"
        raise Refusal(f"{given.data} has no column of {noun}, see --label; a check needs them")
    check = _check_pairs if given.type == "c_svc" else _check_with_offsets
    passed = check(given, model, data, tol)
    unknown = [name for name in known if getattr(given, name) is None]
    if not passed and unknown:
        say(f"if training had another {' or '.join(map(_option_of, unknown))}, say so")
    whole = "every pair passes" if answers == "classes" else "the model passes"
    say(whole if passed else "the model FAILS the check")
    return 0 if passed else 1


def _option_of(name):
    """Return the option of a parameter.

    >>> _option_of("class_weight")
    '--class-weight'
    """
    return "--" + name.replace("_", "-")


def _check_pairs(given, model, read, tol):
    """Check a C-SVC, pair by pair; return whether all pass."""
    X, y = read
    with progress("matching the support vectors"):
        matched = match_rows(model, X, y)
    data = training_data(given, model, X, y)
    announce(given)
    describe(given, model, data)
    passed, computed_by = True, library(given)
    svc = computed_by.SVC()
    for pair, (p, q) in enumerate(pairs(len(model.classes))):
        rows, problem = svc._pair_problem(data, p, q)
        alpha = multipliers(model, matched, p, q, rows, problem)
        with progress(f"measuring {model.classes[p]} against {model.classes[q]}"):
            found = _measure_pair(computed_by, model, problem, alpha, -model.offsets[pair])
        _show_heading(model.classes, p, q, alpha, problem)
        passed = _show_pair(found, rows, tol, roundings(model)[0]) and passed
    return passed


def _check_with_offsets(given, model, data, tol):
    """Check a machine of nu, regression or one class; return whether all its parts pass."""
    of_sum, of_bound = roundings(model)
    with progress("matching the support vectors"):
        if given.type == "nu_svc":
            weighed = SimpleNamespace(C=1.0, class_weight=given.class_weight)
            answers = answers_by_nu(given, model, training_data(weighed, model, *data), of_bound)
        else:
            answers = [answer_of_single(given, model, data, of_bound)]
    announce(given)
    _say_what_was_read(model, data.X)
    passed = True
    for answer in answers:
        with progress("measuring"):
            found = measure_with_offsets(library(given), *answer[2:5])
        show([line for line in [answer.heading, *answer.taken] if line], indent=0)
        passed = show_machine(found, answer, tol, of_sum) and passed
    return passed


def training_data(given, model, X, y):
    """Return the training set, with the classes in the order of the model."""
    members = [[i for i, of_row in enumerate(y) if of_row == label] for label in model.classes]
    counts = list(map(len, members))
    weights = weights_of_classes(given.class_weight, model.classes, counts, float)
    C = _largest_share(model, weights) if given.C is None else given.C
    ones = [1.0] * len(y)
    C = penalties_of_rows(positive(float, C, "C", infinite=True), weights, members, ones)
    return TrainingSet(
        X,
        float,
        weights=ones,
        present=list(range(len(y))),
        kernel=model.kernel,
        classes=model.classes,
        members=members,
        class_weights=weights,
        C=C,
    )


def _largest_share(model, weights):
    """Return the largest |coefficient|, each divided by the weight of its class."""
    of_vector = [w for w, count in zip(weights, model.counts) for _ in range(count)]
    shares = [abs(coef) / w for coefs in model.coefs for coef, w in zip(coefs, of_vector)]
    if not max(shares, default=0) > 0:
        raise ValueError("the model has no coefficient but zeros; say what C was by --C")
    return max(shares)


def roundings(model):
    """Return how far rounding in the file may move a sum of coefficients, and each of them."""
    digits = digits_of(model.coefs if hasattr(model, "coefs") else [model.coef])
    return [float(f"5e-{min(digits, most)}") for most in (DIGITS_OF_SUM, DIGITS_OF_BOUND)]


def _measure_pair(computed_by, model, problem, alpha, rho):
    """Measure the answer of a pair; rho of the file is the b of y = +1 for the later class."""
    return measure(computed_by, problem, snap(alpha, problem.C, roundings(model)[1]), rho)


def describe(given, model, data):
    """Print what was read of a C-SVC."""
    _say_what_was_read(model, data.rows)
    if given.C is None:
        C = _largest_share(model, data.class_weights)
        say(
            f"C = {number(C, 10)}, taken from the largest |coefficient|; if training had more,"
            " say --C"
        )
    else:
        say(f"C = {number(given.C, 10)}")
    say()


def _say_what_was_read(model, X):
    """Print how many rows and support vectors there are."""
    precomputed = isinstance(model.kernel, Precomputed)
    digits = "" if precomputed else f" (features to {digits_of(model.vectors)} digits)"
    say(f"{plural(len(X), 'row')}, {model.kernel!r}")
    say(f"{plural(len(model.vectors), 'support vector')}, each found among the rows{digits}")


def _show_heading(classes, p, q, alpha, problem):
    """Print which pair of classes follows."""
    vectors = len([a for a in alpha if a != 0])
    at_C = len([1 for a, c in zip(alpha, problem.C) if a == c < inf])
    say(
        f"classes {classes[p]} (y = -1) and {classes[q]} (y = +1): {problem.n} examples,"
        f" {plural(vectors, 'support vector')}, {at_C} of them at C\n"
    )


def _show_pair(found, rows, tol, rounding):
    """Print what was measured of a pair; return whether it passes."""
    show(table(condition_rows(found, tol), "lrrrr"))
    offsets = [
        [
            "rho in the file",
            number(found.b, 10),
            "the offset b of f, where f > 0 means y = +1",
        ],
        ["rho from, to", number(found.report.b_low, 10), number(found.report.b_high, 10)],
    ]
    show(table([*values_reached(found), *offsets], "lrl"))
    _show_worst(worst_rows(found, rows))
    return _show_verdicts(verdicts(found, tol, rounding))


def show_machine(found, answer, tol, rounding):
    """Print what was measured of a machine with offsets; return whether it passes."""
    y = getattr(answer.problem, "y", [])
    show(table(condition_rows_with_offsets(found, tol), "lrrrr"))
    unit = ["unit of tol", number(found.unit, 10), found.words.unit]
    show(table([*values_reached(found), unit], "lrl"))
    _show_worst(worst_examples(found, answer.serials, y))
    return _show_verdicts(verdicts_with_offsets(found, tol, rounding))


def values_reached(found):
    """Return rows of a table: primal, dual and gap."""
    gap = found.primal - found.dual
    return [
        ["primal", number(found.primal, 12), "the optimum is not above"],
        ["dual", number(found.dual, 12), "the optimum is not below, if alpha passes"],
        ["gap", number(gap, 3), f"{ratio(gap, abs(found.primal))} of the primal"],
    ]


def _show_worst(rows):
    """Print the examples that break a condition most, if there are any."""
    if rows[1:]:
        say("  worst examples:")
        show(table(rows, "r" * len(rows[0])))


def _show_verdicts(judged):
    """Print the verdicts; return whether all are passes."""
    show(table([["pass" if v.passed else "FAIL", *v[1:]] for v in judged], "llrl"))
    return all(v.passed for v in judged)
