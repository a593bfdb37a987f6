"""The types of machines, named as in LIBSVM's model files: what each answers, and its options.

answers    "classes", "values" (numbers that are predicted), or "outliers" (which rows are not
           like the others: +1 inside, -1 outside)
options    of the machine that this type has beside those of the kernel, as parameters
"""

from typing import NamedTuple

from .arguments import Refusal


class MachineType(NamedTuple):
    """What --type stands for."""

    estimator: str
    answers: str
    options: tuple


TYPES = {
    "c_svc": MachineType("SVC", "classes", ("C", "class_weight")),
    "nu_svc": MachineType("NuSVC", "classes", ("nu", "class_weight")),
    "epsilon_svr": MachineType("SVR", "values", ("C", "epsilon")),
    "nu_svr": MachineType("NuSVR", "values", ("C", "nu")),
    "one_class": MachineType("OneClassSVM", "outliers", ("nu",)),
    "svdd": MachineType("SVDD", "outliers", ("C",)),
}
OPTIONS = ("C", "nu", "epsilon", "class_weight")


def type_of(given):
    """Return the MachineType that --type names; refuse an option that this type does not have."""
    found = TYPES[given.type]
    refuse_other_options(given, found.options, f"--type {given.type}", "beside the kernel's ")
    if given.type == "svdd" and given.kernel == "precomputed":
        raise Refusal(
            "--type svdd cannot have --kernel precomputed, as a row of kernel values lacks"
            " k(x, x); --type one_class can"
        )
    return found


def refuse_other_options(given, known, subject, beside=""):
    """Refuse an option of another type of machine than that of the subject."""
    for name in OPTIONS:
        option = "--" + name.replace("_", "-")
        if name not in known and _is_written(given, option):
            own = ", ".join("--" + other.replace("_", "-") for other in known)
            raise Refusal(f"{subject} has no {option}; {beside}it has {own}")


def _is_written(given, option):
    """Tell whether an option stands in the command line."""
    return option in [word.partition("=")[0] for word in given.words]
