"""Types of machines, and the options of a machine and its solver; in grid each a list of values.

Options are named as those of SVC, types as in LIBSVM's model files. Of a type

answers    "classes", "values" (numbers that are predicted), or "outliers" (which rows are not
           like the others: +1 inside, -1 outside)
options    of the machine that this type has beside those of the kernel, as parameters

A linear type has weights and no kernel, and an offset that is penalised.
"""

import argparse
from math import inf
from typing import NamedTuple

from ..estimators.kernel_estimator import divisor_of_scale
from ..files.table_columns import LINEAR_TYPES
from ..kernels.standard import WORDS, parameters_of
from ..numerics.exact_sums import mean_and_deviation
from ..numerics.quoting import quote
from ..tables.prepared_data import PreparedData
from .arguments import Refusal, fields_of
from .console import number
from .engine import pure_option

ONLY_C_SVC = ("c_svc",)


class _MachineType(NamedTuple):
    """What --type stands for."""

    estimator: str
    answers: str
    options: tuple


TYPES = {
    "c_svc": _MachineType("SVC", "classes", ("C", "class_weight")),
    "nu_svc": _MachineType("NuSVC", "classes", ("nu", "class_weight")),
    "epsilon_svr": _MachineType("SVR", "values", ("C", "epsilon")),
    "nu_svr": _MachineType("NuSVR", "values", ("C", "nu")),
    "one_class": _MachineType("OneClassSVM", "outliers", ("nu",)),
    "svdd": _MachineType("SVDD", "outliers", ("C",)),
    "linear_svc": _MachineType("LinearSVC", "classes", ("C", "loss", "class_weight")),
    "linear_svr": _MachineType("LinearSVR", "values", ("C", "loss", "epsilon")),
}
OPTIONS = ("C", "nu", "epsilon", "loss", "class_weight")
OPTIONS_OF_KERNELS = ("kernel", "gamma", "degree", "coef0", "cache_mb")
CALLED_ELSEWHERE = {  # kernels and types of machines, in small letters and with _ for -
    **dict.fromkeys(("gaussian", "radial", "radial_basis", "rbfdot"), "rbf"),
    **dict.fromkeys(("polynomial", "polydot"), "poly"),
    **dict.fromkeys(("tanh", "tanhdot", "neural"), "sigmoid"),
    **dict.fromkeys(("vanilladot",), "linear"),
    **dict.fromkeys(
        ("svc", "svm", "csvc", "c_svm", "c_classification", "classification"), "c_svc"
    ),
    **dict.fromkeys(("nusvc", "nu_svm", "nu_classification"), "nu_svc"),
    **dict.fromkeys(("svr", "eps_svr", "epssvr", "eps_regression", "regression"), "epsilon_svr"),
    **dict.fromkeys(("nusvr", "nu_regression"), "nu_svr"),
    **dict.fromkeys(("linearsvc", "liblinear"), "linear_svc"),
    "linearsvr": "linear_svr",
    **dict.fromkeys(("oneclass", "oneclasssvm", "one_class_svm", "ocsvm", "one_svc"), "one_class"),
}


def type_of(given):
    """Return the _MachineType that --type names; refuse an option that this type does not have."""
    found, is_linear = TYPES[given.type], given.type in LINEAR_TYPES
    beside = "" if is_linear else "beside the kernel's "
    refuse_other_options(given, found.options, f"--type {given.type}", beside)
    if is_linear:
        _refuse_kernel(given)
    if given.type == "svdd" and given.kernel == "precomputed":
        raise Refusal(
            "--type svdd cannot have --kernel precomputed, as a row of kernel values lacks"
            " k(x, x)",
            "--type one_class",
            "--C",
            how="--type one_class can, without --C",
        )
    return found


def _refuse_kernel(given):
    """Refuse what is of kernels, and set the only kernel of a linear type."""
    for name in OPTIONS_OF_KERNELS:
        option = "--" + name.replace("_", "-")
        value = getattr(given, name, None)
        if _is_written(given, option) and value not in ("linear", ["linear"]):
            raise Refusal(
                f"{option} is of kernels; --type {given.type} has weights for x itself",
                leave_out=option,
            )
    given.kernel = ["linear"] if isinstance(given.kernel, list) else "linear"


def refuse_linear(given):
    """Refuse a linear type where a command is about multipliers."""
    if given.type in LINEAR_TYPES:
        usual = LINEAR_TYPES[given.type]
        cure = f"--type {usual} --kernel linear"
        raise Refusal(
            f"{given.command} has no --type {given.type}",
            cure,
            "--type --loss",
            how=f"say {cure}, whose offset is not penalised",
        )


def refuse_other_options(given, known, subject, beside=""):
    """Refuse an option of another type of machine than that of the subject."""
    for name in OPTIONS:
        option = "--" + name.replace("_", "-")
        if name not in known and _is_written(given, option):
            own = ", ".join("--" + other.replace("_", "-") for other in known)
            raise Refusal(f"{subject} has no {option}; {beside}it has {own}")


def _called_here(word):
    """Return the name of a kernel or a type of machine, which may be that of another program.

    >>> [_called_here(word) for word in ("gaussian", "RBF", "nu-svc", "SVR", "cosine")]
    ['rbf', 'rbf', 'nu_svc', 'epsilon_svr', 'cosine']
    """
    plain = word.strip().lower().replace("-", "_")
    return CALLED_ELSEWHERE.get(plain, plain)


def _is_written(given, option):
    """Tell whether an option stands in the command line."""
    return option in [word.partition("=")[0] for word in given.words]


def machine_options(parser, types=ONLY_C_SVC):
    """Add the options of the machine and of the solver; their names are those of SVC.

    types: those of TYPES that a command knows.
    """
    problem_options(parser, types)
    solver_options(parser)
    pure_option(parser)


def problem_options(parser, types=ONLY_C_SVC):
    """Add the options of the machine."""
    parser.set_defaults(type="c_svc")
    group = parser.add_argument_group("the machine")
    if len(types) > 1:
        _type_options(group, types)
    group.add_argument(
        "--kernel",
        default="rbf",
        type=_called_here,
        choices=tuple(WORDS),
        metavar="KERNEL",
        help=", ".join(f"{word} {kernel.formula}".strip() for word, kernel in WORDS.items())
        + ": DATA has kernel values (default: rbf)",
    )
    penalty_options(
        group,
        1.0,
        "penalty of slack, or inf (default: 1, of a table with rbf 4; times the standard"
        " deviation of its values)",
    )
    group.add_argument(
        "--gamma",
        type=gamma,
        default="auto",
        help="a number; auto: 1/features; scale: 1/(features * variance); scale/4 (default: auto;"
        " of a table scale/4)",
    )
    group.add_argument(
        "--degree", type=int, default=3, help=f"of {_having('degree')} (default: 3)"
    )
    of_coef0 = f"of {_having('coef0')} (default: 0)"
    group.add_argument("--coef0", type=float, default=0.0, help=of_coef0)


def _having(parameter):
    """Return the words of the kernels with a parameter."""
    return ", ".join(word for word in WORDS if parameter in parameters_of(WORDS[word]))


def _type_options(parser, types):
    """Add the option --type, and what other machines than C-SVC have."""
    parser.add_argument(
        "--type",
        type=_called_here,
        choices=tuple(types),
        default="c_svc",
        metavar="TYPE",
        help="c_svc, nu_svc, linear_svc: classes; epsilon_svr, nu_svr, linear_svr: values;"
        " one_class, svdd: outliers (default: c_svc)",
    )
    loss_option(parser)
    parser.add_argument(
        "--nu",
        type=float,
        default=0.5,
        help="share of rows on the wrong side (default: 0.5)",
    )
    parser.add_argument(
        "--epsilon",
        type=float,
        default=0.1,
        help="half width of the tube (default: 0.1, in the unit of C)",
    )


def loss_option(parser):
    """Add the option --loss, of the linear types."""
    parser.add_argument(
        "--loss",
        metavar="LOSS",
        help="of linear_svc hinge or squared_hinge (default), of linear_svr epsilon_insensitive,"
        " or squared_ before it",
    )


def penalty_options(parser, default, explained):
    """C and the weights of the classes."""
    parser.add_argument("--C", type=float, default=default, metavar="C", help=explained)
    _class_weight_option(parser)


def _class_weight_option(parser):
    """Add the option --class-weight."""
    parser.add_argument(
        "--class-weight",
        type=_class_weight,
        metavar="L:W",
        help="C times W for label L, as -1:2,1:0.5; or balanced",
    )


def solver_options(parser):
    """When the solver stops, and what it may use."""
    group = parser.add_argument_group("the solver")
    group.add_argument(
        "--tol",
        type=float,
        help="how far off (default: 0.001; values 1e-5; linear 1e-4)",
    )
    group.add_argument(
        "--max-iter",
        type=int,
        default=-1,
        metavar="N",
        help="steps at most (default: no limit; of linear types 1000)",
    )
    group.add_argument(
        "--cache-mb",
        type=float,
        default=200.0,
        metavar="MB",
        help="memory for kernel values (default: 200)",
    )


def solver_parameters(given):
    """Return the parameters of an estimator that say how it is trained, from the options."""
    tol = {} if given.tol is None else {"tol": given.tol}  # else it has its own
    if given.type not in LINEAR_TYPES:
        return {**tol, "cache_size": given.cache_mb, "max_iter": given.max_iter}
    return {**tol, **({"max_iter": given.max_iter} if _is_written(given, "--max-iter") else {})}


def tol_option(parser):
    """Add the option --tol."""
    parser.add_argument(
        "--tol",
        type=float,
        help="how far the conditions of optimality may be off (default: 0.001; of linear types"
        " 1e-4)",
    )


def set_defaults_of_tables(given, data):
    """Set the defaults of a prepared table that no option gives; return them in words.

    With a Gaussian kernel gamma is "scale/4" and C is 4, of values 4 times their standard
    deviation. With another kernel C is once this deviation; epsilon is a tenth of it. Other data,
    and other types of machines, keep their defaults.
    """
    if data.first == 0 and given.gamma == "auto" and len(data.X[0]) > 1:
        given.gamma = 1 / (len(data.X[0]) - 1)  # LIBSVM's gamma is 1 by the largest index
    if not isinstance(data, PreparedData) or given.type in ("nu_svc", "one_class", "svdd"):
        return ""
    is_gaussian, unit = given.kernel == "rbf", unit_of(given, data)
    of_C = 1.0 if _squares(given) else unit
    usual = {"C": (4 if is_gaussian else 1) * of_C, "epsilon": unit / 10, "gamma": "scale/4"}
    known = (*TYPES[given.type].options, *(["gamma"] if is_gaussian else []))
    told = []
    for name, value in usual.items():
        if name in known and not _is_written(given, f"--{name}"):
            setattr(given, name, value)
            told.append(f"{name} = {value if name == 'gamma' else number(value)}")
    return ", ".join(told)


def unit_of(given, data):
    """Return the unit of C and epsilon: of values their standard deviation, of classes 1."""
    if TYPES[given.type].answers != "values":
        return 1.0
    return mean_and_deviation(list(map(float, data.y)))[1] or 1.0


def _squares(given):
    """Tell whether slacks are squared, so that C has no unit."""
    return (getattr(given, "loss", None) or "").startswith("squared")


def seed_option(parser):
    """Add the option --seed, where the generator starts that shuffles the rows."""
    parser.add_argument(
        "--seed", type=int, default=1, help="of the shuffle, 0 or more (default: 1)"
    )


def gamma(text):
    """Return gamma as a number, or as one of the words that SVC knows."""
    if text == "auto" or divisor_of_scale(text) is not None:
        return text
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{quote(text)} is neither auto, scale, scale/4 and the like nor a number"
        ) from None


def _class_weight(text):
    """'balanced', or {label: weight} from label:weight,label:weight.

    >>> _class_weight("-1:2,1:0.5"), _class_weight("no:2,yes:1")
    ({-1: 2.0, 1: 0.5}, {'no': 2.0, 'yes': 1.0})
    """
    if text == "balanced":
        return text
    weights = {}
    for part in fields_of(text):
        label, colon, weight = part.rpartition(":")
        try:
            label, weight = _label_of(label), float(weight)
        except ValueError:
            colon = ""
        if not colon or not label:
            raise argparse.ArgumentTypeError(
                f"{quote(part)} is not LABEL:WEIGHT, a label and a number"
            )
        if label in weights:
            raise argparse.ArgumentTypeError(f"{label} has two weights; it can have one")
        weights[label] = weight
    return weights


def _label_of(word):
    """Return a label as data have it: a whole number, or else a text."""
    try:
        number = float(word)
    except ValueError:
        return word.strip()
    return int(number) if -inf < number < inf and number == int(number) else word


def value_options(parser):
    """Add the options of the machine, each a list of values to try."""
    decimals = _listed(_number_reader(float, "number"))
    group = parser.add_argument_group(
        "values to try, with commas between them (without --C and --gamma a table is searched)"
    )
    group.add_argument(
        "--type",
        type=_called_here,
        choices=tuple(TYPES),
        default="c_svc",
        metavar="TYPE",
        help="one of c_svc, nu_svc, linear_svc: classes; epsilon_svr, nu_svr, linear_svr: values"
        " (default: c_svc)",
    )
    loss_option(group)
    group.add_argument(
        "--kernel",
        type=_listed(_kernel),
        default=["rbf"],
        metavar="KERNEL,..",
        help=f"of {', '.join(WORDS)}; the last means that the file holds kernel values, and"
        " stands alone (default: rbf)",
    )
    group.add_argument(
        "--C",
        type=decimals,
        metavar="C,..",
        help="penalty of slack (default: 0.1,1,10,100; of a table 0.25,4,64, of values in it times"
        " their standard deviation)",
    )
    group.add_argument(
        "--nu",
        type=decimals,
        default=[0.1, 0.25, 0.5],
        metavar="NU,..",
        help="of nu_svc, nu_svr (default: 0.1,0.25,0.5)",
    )
    group.add_argument(
        "--epsilon",
        type=decimals,
        metavar="EPSILON,..",
        help="of epsilon_svr, linear_svr (default: 0.1; of a table 0.1 standard deviations of the"
        " values)",
    )
    group.add_argument(
        "--gamma",
        type=_listed(gamma),
        metavar="GAMMA,..",
        help="of poly, rbf, sigmoid: numbers, auto, scale, or scale/64 and the like (default:"
        " 0.001,0.01,0.1,1; of a table scale/64,scale/4,scale/0.25)",
    )
    group.add_argument(
        "--degree",
        type=_listed(_number_reader(int, "whole number")),
        default=[3],
        metavar="N,..",
        help="of poly (default: 3)",
    )
    group.add_argument(
        "--coef0",
        type=decimals,
        default=[0.0],
        metavar="COEF0,..",
        help="of poly, sigmoid (default: 0)",
    )
    _class_weight_option(group)


def chooses_itself(given, data):
    """Tell whether a search chooses its points itself: of a table, if no option lists them."""
    return (
        isinstance(data, PreparedData)
        and given.type in ("c_svc", "epsilon_svr")
        and given.kernel == ["rbf"]
        and given.C is given.gamma is None
        and len(given.epsilon or [None]) == 1
    )


def set_default_values(given, data):
    """Set the values to try that no option lists; of a prepared table in units of its own."""
    if isinstance(data, PreparedData):
        unit, gamma = unit_of(given, data), ["scale/64", "scale/4", "scale/0.25"]
        of_C = 1.0 if _squares(given) else unit
        usual = {"C": [of_C / 4, 4 * of_C, 64 * of_C], "epsilon": [unit / 10], "gamma": gamma}
    else:
        usual = {"C": [0.1, 1.0, 10.0, 100.0], "epsilon": [0.1], "gamma": [0.001, 0.01, 0.1, 1.0]}
    for name, values in usual.items():
        if getattr(given, name) is None:
            setattr(given, name, values)


def _listed(value_of):
    """Return what reads values with commas between them."""
    return lambda text: [value_of(part.strip()) for part in text.split(",")]


def _kernel(word):
    """Return the name of a kernel."""
    if _called_here(word) not in WORDS:
        known = ", ".join(WORDS)
        raise argparse.ArgumentTypeError(f"{quote(word)} is no kernel; the known ones are {known}")
    return _called_here(word)


def _number_reader(kind, noun):
    """Return what reads a number of this kind.

    >>> _number_reader(int, "whole number")("12")
    12
    """

    def number_of(word):
        try:
            return kind(word)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{quote(word)} is no {noun}") from None

    return number_of
