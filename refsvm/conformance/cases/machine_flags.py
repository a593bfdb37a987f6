"""What the cases of the machines beside C-SVC are aimed at; the other flags are in flags.py."""

from __future__ import annotations

from .flags import flag

# fmt: off
MACHINE_FLAGS = {
    "Units": flag("scale",
        "Data in other units: with an absolute tolerance nothing is learnt from small numbers."),
    "AllInTube": flag("degeneracy",
        "All values lie in the tube: there is no support vector, and an interval of offsets.",
        "scikit-learn/scikit-learn#14893 NVIDIA/cuml#4097"),
    "Tube": flag("formulation",
        "Tubes of many widths, none at all among them."),
    "Nu": flag("formulation",
        "nu from one end of what is possible to the other."),
    "NuTiny": flag("scale",
        "nu so small that a tolerance is more than all multipliers together: nothing is done."),
    "NuAtLimit": flag("degeneracy",
        "nu, or C of the ball, at its limit: every multiplier of a class is at its bound, and one"
        " offset has no end. Some programs divide by infinity."),
    "BoxIgnored": flag("formulation",
        "The bound of the multipliers is C: a program that takes 1 has another slope."),
    "Remainder": flag("formulation",
        "nu n is no whole number: the last multiplier is a fraction of its bound."),
    "Degenerate": flag("honesty",
        "w and rho are 0: there is no machine, and a program must say so.",
        "scikit-learn/scikit-learn#13075"),
    "SumTooLarge": flag("honesty",
        "No multipliers have the sums that are asked for: a program must say so."),
    "Origin": flag("formulation",
        "Data at another place: for one class with the linear kernel that is another problem."),
    "HardBall": flag("scale",
        "C so large that the ball holds all rows."),
    "OneSmallClass": flag("weights",
        "Classes of different sizes: each has the sum nu n / 2."),
}
# fmt: on
