"""check DATA MODEL: how far a LIBSVM model is from the optimum of the data it was trained on."""

from ..files.matching import digits_of
from ..kernels.standard import Precomputed
from ..numerics.validation import positive
from ..svm.judgement import FAIL, PASS, SEVERITY, UNDECIDED, UNTOLD
from .arguments import Refusal, data_file, model_file
from .console import plural, progress, say, show, table
from .engine import announce, pure_option
from .machine_options import TYPES, penalty_options, refuse_other_options, tol_option
from .model_problems import answers_in
from .optimality import condition_rows, judged, measure, value_rows, verdict_rows, worst_rows
from .reading import answers_of, read_trained

EXAMPLE = """\
  svm-train -c 10 wdbc.scaled wdbc.model            (or any program that writes such a file)
  python3 -m refsvm check wdbc.scaled wdbc.model --C 10

A model does not say what -c, -p, -n and -wi were: say them as they were said to svm-train, or as
--C, --epsilon, --nu and --class-weight, so that check DATA MODEL -c 10 -w1 5 is right, too. The
exit status is 0 if alpha, gap and offset pass for every pair of classes, otherwise 1. A model
of regression or of one class is checked likewise, see --epsilon and --nu."""
# A solver's own steps round too, in the last digits of a double; so no more digits are asked of
# sum alpha_i y_i, and no more than the second number where alpha is compared with C.
DIGITS_OF_SUM, DIGITS_OF_BOUND = 10, 15


def arguments(parser):
    parser.takes_libsvm = True
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
    parser.add_argument(
        "--exact",
        action="store_true",
        help="certify by fractions, where doubles cannot tell; for rows by the thousand",
    )
    pure_option(parser)


def run(given):
    tol = positive(float, given.tol, "tol")
    model, data = read_trained(given)
    known = TYPES[given.type].options
    refuse_other_options(given, known, f"a model of type {given.type}")
    answers = answers_of(model)
    if not data.y and answers != "outliers":
        noun = "values" if answers == "values" else "labels"
        raise Refusal(f"{given.data} has no column of {noun}, see --label; a check needs them")
    verdict = _check_all(given, model, data, tol)
    unknown = [name for name in known if getattr(given, name) is None]
    if verdict == FAIL and unknown:
        say(f"if training had another {' or '.join(map(_option_of, unknown))}, say so")
    whole = "every pair passes" if answers == "classes" else "the model passes"
    untold = "undecided" if given.exact else UNTOLD
    say({PASS: whole, FAIL: "the model FAILS the check", UNDECIDED: untold}[verdict])
    return 0 if verdict == PASS else 1


def _option_of(name):
    """Return the option of a parameter.

    >>> _option_of("class_weight")
    '--class-weight'
    """
    return "--" + name.replace("_", "-")


def _check_all(given, model, data, tol):
    """Check each pair of classes, or the one machine; return the worst verdict."""
    of_sum, of_bound = _roundings(model)
    told, answers = answers_in(given, model, data, of_bound)
    announce(given)
    precomputed = isinstance(model.kernel, Precomputed)
    digits = "" if precomputed else f" (features to {digits_of(model.vectors)} digits)"
    say(f"{plural(len(data.X), 'row')}, {model.kernel!r}")
    say(f"{plural(len(model.vectors), 'support vector')}, each found among the rows{digits}")
    if told:
        show(told, indent=0)
    verdicts = [_check_one(answer, tol, of_sum, given.exact) for answer in answers]
    return max(verdicts, key=SEVERITY.index)


def _roundings(model):
    """Return how far rounding in the file may move a sum of coefficients, and each of them."""
    digits = digits_of(model.coefs if hasattr(model, "coefs") else [model.coef])
    return [float(f"5e-{min(digits, most)}") for most in (DIGITS_OF_SUM, DIGITS_OF_BOUND)]


def _check_one(answer, tol, rounding, exact):
    """Print what is measured of an answer; return the verdict."""
    with progress(f"measuring {answer.subject}"):
        found = measure(answer.problem, answer.alpha, answer.offsets)
        judgement, why_not = judged(found, tol, rounding, exact)
    show([line for line in (answer.heading, *answer.taken) if line], indent=0)
    show(table(condition_rows(found, tol), "lrrrr"))
    show(table(value_rows(found), "lrl"))
    worst = worst_rows(found, answer.serials)
    if worst[1:]:
        say("  worst examples:")
        show(table(worst, "r" * len(worst[0])))
    show(table(verdict_rows(found, judgement, tol), "llrl"))
    if why_not:
        show([why_not], indent=0)
    return judgement.verdict
