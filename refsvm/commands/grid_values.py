"""The options of grid: of the kernel and of the machine, each a list of values to try."""

from argparse import ArgumentTypeError

from ..kernels.standard import WORDS
from ..numerics.quoting import quote
from ..tables.prepared_data import PreparedData
from .machine_options import TYPES, class_weight_option, gamma, unit_of


def value_options(parser):
    """Add the options of the machine, each a list of values to try."""
    group = parser.add_argument_group(
        "values to try, with commas between them (without --C and --gamma a table is searched)"
    )
    group.add_argument(
        "--type",
        choices=tuple(TYPES),
        default="c_svc",
        metavar="TYPE",
        help="one of c_svc, nu_svc: classes; epsilon_svr, nu_svr: values (default: c_svc)",
    )
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
        type=_listed(_decimal),
        metavar="C,..",
        help="penalty of slack (default: 0.1,1,10,100; of a table 0.25,4,64, of values in it times"
        " their standard deviation)",
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
        metavar="EPSILON,..",
        help="of epsilon_svr (default: 0.1; of a table 0.1 standard deviations of the values)",
    )
    group.add_argument(
        "--gamma",
        type=_listed(gamma),
        metavar="GAMMA,..",
        help="of poly, rbf, sigmoid: numbers, auto, scale, or scale/64 and the like (default:"
        " 0.001,0.01,0.1,1; of a table scale/64,scale/4,scale/0.25)",
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
        unit = unit_of(given, data)
        gamma = ["scale/64", "scale/4", "scale/0.25"]
        usual = {"C": [unit / 4, 4 * unit, 64 * unit], "epsilon": [unit / 10], "gamma": gamma}
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
    if word not in WORDS:
        known = ", ".join(WORDS)
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
