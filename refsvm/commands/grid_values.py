"""The options of grid: of the kernel and of the machine, each a list of values to try."""

from argparse import ArgumentTypeError

from ..estimators.kernel_estimator import KERNELS
from ..numerics.quoting import quote
from .machine_options import TYPES, class_weight_option, gamma


def value_options(parser):
    """Add the options of the machine, each a list of values to try."""
    group = parser.add_argument_group("the grid: values to try, with commas between them")
    group.add_argument(
        "--type",
        choices=tuple(TYPES),
        default="c_svc",
        help="c_svc and nu_svc tell classes, epsilon_svr and nu_svr predict values; one of them"
        " (default: c_svc)",
    )
    group.add_argument(
        "--kernel",
        type=_listed(_kernel),
        default=["rbf"],
        metavar="KERNEL,..",
        help=f"of {', '.join(KERNELS)}; the last means that the file holds kernel values, and"
        " stands alone (default: rbf)",
    )
    group.add_argument(
        "--C",
        type=_listed(_decimal),
        default=[0.1, 1.0, 10.0, 100.0],
        metavar="C,..",
        help="penalty of slack (default: 0.1,1,10,100)",
    )
    group.add_argument(
        "--nu",
        type=_listed(_decimal),
        default=[0.1, 0.25, 0.5],
        metavar="NU,..",
        help="of nu_svc, nu_svr (default: 0.1,0.25,0.5)",
    )
    group.add_argument(
        "--epsilon",
        type=_listed(_decimal),
        default=[0.1],
        metavar="EPSILON,..",
        help="of epsilon_svr, in units of the values (default: 0.1)",
    )
    group.add_argument(
        "--gamma",
        type=_listed(gamma),
        default=[0.001, 0.01, 0.1, 1.0],
        metavar="GAMMA,..",
        help="of poly, rbf, sigmoid: numbers, auto or scale (default: 0.001,0.01,0.1,1)",
    )
    group.add_argument(
        "--degree", type=_listed(_whole), default=[3], metavar="N,..", help="of poly (default: 3)"
    )
    group.add_argument(
        "--coef0",
        type=_listed(_decimal),
        default=[0.0],
        metavar="COEF0,..",
        help="of poly, sigmoid (default: 0)",
    )
    class_weight_option(group)


def _listed(value_of):
    """Return what reads values with commas between them."""
    return lambda text: [value_of(part.strip()) for part in text.split(",")]


def _kernel(word):
    """Return the name of a kernel."""
    if word not in KERNELS:
        known = ", ".join(KERNELS)
        raise ArgumentTypeError(f"{quote(word)} is no kernel; the known ones are {known}")
    return word


def _decimal(word):
    """Return a number."""
    try:
        return float(word)
    except ValueError:
        raise ArgumentTypeError(f"{quote(word)} is no number") from None


def _whole(word):
    """Return a whole number."""
    try:
        return int(word)
    except ValueError:
        raise ArgumentTypeError(f"{quote(word)} is no whole number") from None
