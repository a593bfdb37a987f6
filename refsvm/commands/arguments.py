"""How options are written: what several commands share, and refusals in one sentence."""

import argparse
import os
from math import inf

PROGRAM = "python3 -m refsvm"


class Refusal(ValueError):
    """Bad usage."""


class Parser(argparse.ArgumentParser):
    """argparse, whose refusals are exceptions of one sentence."""

    def __init__(self, name, does, example):
        super().__init__(
            prog=f"{PROGRAM} {name}",
            description=does[0].upper() + does[1:] + ".",
            epilog=f"example:\n{example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message):
        raise Refusal(f"{message}; see {self.prog} --help")

    def given(self, argv):
        """Parse the words into attributes; None if help was asked for."""
        try:
            return self.parse_args(argv)
        except SystemExit:  # argparse leaves so after --help
            return None


def data_file(parser):
    """Add the argument DATA."""
    parser.add_argument(
        "data",
        metavar="DATA",
        type=source,
        help="a LIBSVM data file (label index:value ..), plain or gzipped; - is standard input",
    )


def source(name):
    """Return the path of a file to read."""
    return "/dev/stdin" if name == "-" else name


def refuse_unless_file_can_be(path):
    """Refuse, before the work, a file to write that is a folder or would be in none."""
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path) or not os.path.isdir(folder):
        what = "it is a folder" if os.path.isdir(path) else f"there is no folder {folder}"
        raise ValueError(f"{path} cannot be written; {what}")


def model_file(parser, **options):
    """Add the argument MODEL."""
    parser.add_argument(
        "model", metavar="MODEL", help="a LIBSVM model file, type c_svc", **options
    )


def machine_options(parser):
    """Add the options of the machine and of the solver; their names are those of SVC."""
    problem_options(parser)
    solver_options(parser)


def problem_options(parser):
    """Add the options of the machine."""
    group = parser.add_argument_group("the machine")
    group.add_argument(
        "--kernel",
        default="rbf",
        choices=("linear", "poly", "rbf", "sigmoid", "precomputed"),
        help="linear x.z, poly (gamma x.z + coef0)^degree, rbf exp(-gamma |x - z|^2), sigmoid"
        " tanh(gamma x.z + coef0), or the file holds kernel values (default: rbf)",
    )
    penalty_options(group, 1.0, "price of slack, above 0, or inf (default: 1)")
    group.add_argument(
        "--gamma",
        type=gamma,
        default="auto",
        help="above 0; auto is 1/features, scale is 1/(features * variance) (default: auto)",
    )
    group.add_argument("--degree", type=int, default=3, help="of poly (default: 3)")
    group.add_argument("--coef0", type=float, default=0.0, help="of poly, sigmoid (default: 0)")


def penalty_options(parser, default, explained):
    """C and the weights of the classes."""
    parser.add_argument("--C", type=float, default=default, metavar="C", help=explained)
    parser.add_argument(
        "--class-weight",
        type=class_weight,
        metavar="LABEL:WEIGHT,..",
        help="multiply C for the rows with a label, as in --class-weight=-1:2,1:0.5, or balanced:"
        " by rows / (classes * rows with the label)",
    )


def solver_options(parser):
    """When the solver stops, and what it may use."""
    group = parser.add_argument_group("the solver")
    tol_option(group)
    group.add_argument(
        "--max-iter",
        type=int,
        default=-1,
        metavar="N",
        help="steps at most for a pair of classes (default: max(100 000, 100 rows))",
    )
    group.add_argument(
        "--cache-mb",
        type=float,
        default=200.0,
        metavar="MB",
        help="memory for kernel values (default: 200)",
    )


def tol_option(parser):
    """Add the option --tol."""
    parser.add_argument(
        "--tol",
        type=float,
        default=1e-3,
        help="how far the conditions of optimality may be off (default: 0.001)",
    )


def seed_option(parser):
    """Add the option --seed, where the generator starts that shuffles the rows."""
    parser.add_argument(
        "--seed", type=int, default=1, help="of the shuffle, 0 or more (default: 1)"
    )


def gamma(text):
    """Return gamma as a number, or as one of the words that SVC knows."""
    return text if text in ("auto", "scale") else float(text)


def class_weight(text):
    """'balanced', or {label: weight} from label:weight,label:weight.

    >>> class_weight("-1:2,1:0.5")
    {-1: 2.0, 1: 0.5}
    """
    if text == "balanced":
        return text
    weights = {}
    for part in text.split(","):
        label, _, weight = part.partition(":")
        try:
            label, weight = float(label), float(weight)
        except ValueError:
            raise argparse.ArgumentTypeError(
                f"{part!r} is not LABEL:WEIGHT, two numbers"
            ) from None
        whole = -inf < label < inf and label == int(label)
        weights[int(label) if whole else label] = weight
    return weights
