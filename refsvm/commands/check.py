"""check DATA MODEL: how far a LIBSVM model is from the optimum of the data it was trained on.

A file does not say what C, epsilon and nu were. Unless an option does, they are taken from the
model itself, as those that it could be right for:

    C          the largest |coefficient|, which it is if one vector is at the bound
    epsilon    between the |y - f| of those at C and of those that are no vectors
    nu         what the multipliers add up to, in proportion to all that they could

A classifier by nu is written in units of its margin: its coefficients are alpha_i / rho, and b is
divided by rho, too. Here both are multiplied by rho, which is 1 over the largest |coefficient|, or
follows from nu.
"""

from fractions import Fraction
from math import copysign, inf
from typing import Any, NamedTuple

from ..estimators.pairwise_training import pair_data
from ..estimators.training_data import TrainingSet, penalties_of_rows, weights_of_classes
from ..files.matching import digits_of, match_rows, net_multipliers, pair_multipliers
from ..files.table_columns import LINEAR_TYPES
from ..kernels.standard import Precomputed
from ..numerics.linalg import total
from ..numerics.validation import positive
from ..svm.dual_form import exact_total
from ..svm.judgement import FAIL, PASS, SEVERITY, UNDECIDED, UNTOLD
from ..svm.one_vs_one import pair_terms, pair_weights, pairs
from .arguments import Refusal, data_file, model_file
from .console import number, plural, progress, say, show, table
from .costs import watch_machines
from .engine import announce, decide, library, pure_option
from .machine_options import (
    TYPES,
    loss_option,
    penalty_options,
    refuse_other_options,
    solver_parameters,
    tol_option,
)
from .optimality import condition_rows, judged, measure, value_rows, verdict_rows, worst_rows
from .reading import answers_of, pair_heading, read_trained

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
        help="of epsilon_svr, linear_svr (default: |y - f| of the vectors between their bounds,"
        " which a linear model has not)",
    )
    parser.add_argument(
        "--nu",
        type=float,
        help="of nu_svc, nu_svr, one_class (default: by what the multipliers add up to)",
    )
    loss_option(parser)
    tol_option(parser)
    parser.add_argument(
        "--exact",
        action="store_true",
        help="certify by fractions, where doubles cannot tell; for rows by the thousand",
    )
    pure_option(parser)


def run(given):
    tol = positive(float, 1e-3 if given.tol is None else given.tol, "tol")
    model, data = read_trained(given)
    known = TYPES[given.type].options
    refuse_other_options(given, known, f"a model of type {given.type}")
    answers = answers_of(model)
    if not data.y and answers != "outliers":
        noun = "values" if answers == "values" else "labels"
        raise Refusal(f"{given.data} has no column of {noun}, see --label; a check needs them")
    if given.type in LINEAR_TYPES:
        return _check_weights(given, model, data)
    if answers == "classes":
        cure = "each is judged by some lines, so check a model of fewer classes"
        watch_machines(given, len(model.classes), len(data.X), cure)
    verdict = _check_all(given, model, data, tol)
    unknown = [name for name in known if getattr(given, name) is None]
    if verdict == FAIL and unknown:
        say(f"if training had another {' or '.join(map(_option_of, unknown))}, say so")
    whole = "every pair passes" if answers == "classes" else "the model passes"
    untold = "undecided" if given.exact else UNTOLD
    say({PASS: whole, FAIL: "the model FAILS the check", UNDECIDED: untold}[verdict])
    return 0 if verdict == PASS else 1


def _check_weights(given, model, data):
    """Check a linear machine, of which the file has weights alone; return the exit status."""
    is_svc = given.type == "linear_svc"
    if is_svc and len(model.classes) > 2:
        raise Refusal(
            f"{given.model} keeps what parts each two of its {len(model.classes)} classes, and not"
            " the offset of each; refsvm.check(machine, X, y) checks it in Python"
        )
    for option, value in (("--C", given.C), ("--epsilon", 0 if is_svc else given.epsilon)):
        if value is None:
            what = f"say what {option[2:]} was by"
            raise Refusal("weights do not tell the options of training", option, say=what)
    kind, package = TYPES[given.type], library(given)
    options = {name: getattr(given, name) for name in kind.options}
    chosen = {name: value for name, value in options.items() if value is not None}
    machine = getattr(package, kind.estimator)(**chosen, **solver_parameters(given))
    if is_svc:
        machine.classes_ = model.classes
        machine.coef_ = [[0 - v for v in pair_weights(model, pair_terms(model, 0, 1))]]
        machine.intercept_ = [0 - model.offsets[0]]
    else:
        machine.coef_, machine.intercept_ = model.w, [model.b]
    announce(given)
    with progress("measuring the weights"):
        found = package.check(machine, data.X, data.y, exact=given.exact)
    say(f"{plural(len(data.X), 'row')}, {machine!r}", *repr(found).split("\n"))
    return 0 if found.passed else 1


def _option_of(name):
    """Return the option of a parameter.

    >>> _option_of("class_weight")
    '--class-weight'
    """
    return "--" + name.replace("_", "-")


def _check_all(given, model, data, tol):
    """Check each pair of classes, or the one machine; return the worst verdict."""
    of_sum, of_bound = _roundings(model)
    told, answers = _answers_in(given, model, data, of_bound)
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
    """Return the relative rounding of a sum of coefficients, and of a coefficient, in the file."""
    digits = digits_of(model.coefs if hasattr(model, "coefs") else [model.coef])
    return [float(f"5e-{min(digits, most)}") for most in (DIGITS_OF_SUM, DIGITS_OF_BOUND)]


def _check_one(answer, tol, rounding, exact):
    """Print the measurements of an answer; return the verdict."""
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


class _ModelAnswer(NamedTuple):
    """A problem with multipliers and offsets for it, and how its parameters were found."""

    subject: str
    heading: str
    serials: Any  # of the rows of the data that are its examples
    problem: Any
    alpha: list
    offsets: tuple
    taken: list  # sentences


def _answers_in(given, model, data, rounding):
    """Return (sentences on all answers, the _ModelAnswer of each pair or of the one machine).

    rounding: by how much a multiplier may differ from the bound it is at, in proportion
    """
    with progress("matching the support vectors"):
        if given.type not in ("c_svc", "nu_svc"):
            return [], [_answer_of_single(given, model, data, rounding)]
        matched = match_rows(model, *data)
    training = _training_set(given, model, *data)
    if given.type == "nu_svc":
        return [], _answers_by_nu(given, model, matched, training, rounding)
    told = f"C = {number(given.C, 10)}" if given.C is not None else None
    told = told or _told_of_C(_largest_share(model, training.class_weights))
    return [told], _answers_by_C(given, model, matched, training, rounding)


def _training_set(given, model, X, y):
    """Return the training set, with the classes in the order of the model; by nu C is a weight."""
    members = [[i for i, of_row in enumerate(y) if of_row == label] for label in model.classes]
    counts = list(map(len, members))
    weights = weights_of_classes(given.class_weight, model.classes, counts, float)
    C = 1.0 if given.type == "nu_svc" else given.C
    C = positive(float, _largest_share(model, weights) if C is None else C, "C", infinite=True)
    ones = [1.0] * len(y)
    return TrainingSet(
        X,
        float,
        weights=ones,
        present=list(range(len(y))),
        kernel=model.kernel,
        classes=model.classes,
        members=members,
        class_weights=weights,
        C=penalties_of_rows(C, weights, members, ones),
    )


def _largest_share(model, weights):
    """Return the largest |coefficient|, each divided by the weight of its class."""
    of_vector = [w for w, count in zip(weights, model.counts) for _ in range(count)]
    shares = [abs(coef) / w for coefs in model.coefs for coef, w in zip(coefs, of_vector)]
    return _above_zero(max(shares, default=0), "--C")


def _above_zero(largest, option):
    """Return the largest coefficient; refuse a model in which it is 0."""
    if not largest > 0:
        what = f"say what {option[2:]} was by"
        raise Refusal("the model has no coefficient but zeros", option, say=what)
    return largest


def snap(alpha, C, rounding):
    """Return alpha with each multiplier whose size is its C but for rounding moved onto C."""
    return [
        copysign(c, a) if c < inf and abs(abs(a) - c) <= rounding * c else a
        for a, c in zip(alpha, C)
    ]


def _answers_by_C(given, model, matched, data, rounding):
    """Yield the _ModelAnswer of each pair of classes of a C-SVC."""
    svc, classes = library(given).SVC(), model.classes
    for pair, (p, q) in enumerate(pairs(len(classes))):
        rows, problem = svc._pair_problem(data, p, q)
        alpha = pair_multipliers(model, matched, p, q, rows, problem)
        vectors = plural(len([a for a in alpha if a != 0]), "support vector")
        at_C = len([1 for a, c in zip(alpha, problem.C) if a == c])
        yield _ModelAnswer(
            f"{classes[p]} against {classes[q]}",
            f"{pair_heading(classes, p, q, len(rows))}, {vectors}, {at_C} of them at C",
            rows,
            problem,
            snap(alpha, problem.C, rounding),
            (-model.offsets[pair],),  # of a file rho, whose f speaks for the earlier class
            [],
        )


def _answers_by_nu(given, model, matched, data, rounding):
    """Yield the _ModelAnswer of each pair of classes by nu; C of the data are weights."""
    make, classes = library(given).NuProblem, model.classes
    for pair, (p, q) in enumerate(pairs(len(classes))):
        rows, X, y, weights = pair_data(data, p, q)
        shares = pair_multipliers(model, matched, p, q, rows, make(X, y, model.kernel, 1, weights))
        largest = max([abs(a) / w for a, w in zip(shares, weights)])
        rho = 1 / _above_zero(largest, f" for the classes {classes[p]} and {classes[q]}")
        if given.nu is not None:
            rho = given.nu * total(weights) / total(map(abs, shares))
        alpha = snap([a * rho for a in shares], weights, rounding)
        nu, taken = _nu_of(given, alpha, weights, rounding)
        yield _ModelAnswer(
            f"{classes[p]} against {classes[q]}",
            pair_heading(classes, p, q, len(rows)),
            rows,
            make(X, y, model.kernel, nu, weights),
            alpha,
            (-model.offsets[pair] * rho, rho),
            taken,
        )


def _answer_of_single(given, model, data, rounding):
    """Return the _ModelAnswer of a machine of regression or of one class."""
    make, values = library(given), data.y if given.type != "one_class" else []
    alpha = net_multipliers(model, data.X, values)
    if given.type == "one_class":
        alpha = snap(alpha, [1.0] * len(alpha), rounding)
        nu, taken = _nu_of(given, alpha, [1.0] * len(alpha), rounding)
        problem, offsets = make.OneClassProblem(data.X, model.kernel, nu), (0 - model.b,)
        return _ModelAnswer("the model", "", range(problem.n), problem, alpha, offsets, taken)
    C, taken = _penalty_of(given, alpha)
    alpha = snap(alpha, [C] * len(alpha), rounding)
    if given.type == "nu_svr":
        nu, more = _nu_of(given, alpha, [C] * len(alpha), rounding)
        problem = make.NuRegressionProblem(data.X, values, model.kernel, C, nu)
        offsets = (model.b, _half_width(given, model, alpha, C, data) or 0.0)
    else:
        epsilon, more = _epsilon_of(given, model, alpha, C, data)
        problem = make.RegressionProblem(data.X, values, model.kernel, C, epsilon)
        offsets = (model.b,)
    return _ModelAnswer("the model", "", range(problem.n), problem, alpha, offsets, taken + more)


def _told_of_C(C):
    """Return the sentence on a C that no option says."""
    return (
        f"C = {number(C, 10)}, taken from the largest |coefficient|; if training had more, say --C"
    )


def _penalty_of(given, alpha):
    """Return C, and a sentence on it unless it is given."""
    if given.C is not None:
        return positive(float, given.C, "C"), []
    C = _above_zero(max(map(abs, alpha), default=0), "--C")
    return C, [_told_of_C(C)]


def _nu_of(given, alpha, limits, rounding):
    """Return nu, and a sentence on it unless it is given.

    A nu that differs from what the multipliers add up to by their rounding alone is that.
    """
    share = float(min(Fraction(1), exact_total(map(abs, alpha)) / exact_total(limits)))
    if given.nu is not None:
        return share if abs(share - given.nu) <= rounding * share else given.nu, []
    _above_zero(share, "--nu")
    return share, [f"nu = {number(share, 10)}, by the sum of |alpha|; if it was another, say --nu"]


def _half_width(given, model, alpha, C, data):
    """Return the half width of the tube that these multipliers are least wrong for.

    No |y - f| of a row with |alpha| < C is to be above it, and none of a vector below. None where
    all rows are at C, or none is a vector: then many are right.
    """
    misses = [abs(v - f) for v, f in zip(data.y, decide(given, model, data.X))]
    low = max((miss for miss, a in zip(misses, alpha) if abs(a) < C), default=None)
    high = min((miss for miss, a in zip(misses, alpha) if a != 0), default=None)
    return None if low is None or high is None else (low + high) / 2


def _epsilon_of(given, model, alpha, C, data):
    """Return epsilon, and a sentence on it unless it is given."""
    if given.epsilon is not None:
        return given.epsilon, []
    epsilon = _half_width(given, model, alpha, C, data)
    if epsilon is None:
        what = "say what it was by"
        raise Refusal("epsilon does not follow from the model", "--epsilon", say=what)
    return epsilon, [
        f"epsilon = {number(epsilon, 10)}, by |y - f| of vectors and others; if it was another,"
        " say --epsilon"
    ]
