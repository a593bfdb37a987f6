"""Slack: what an example is forgiven.

A hard margin asks every example for a margin of at least 1. Where the data cannot give it, each
example gets a slack xi >= 0: asked for is m >= 1 - xi only, and slack has a price. At a price
nobody takes more than needed, and the least that will do is the hinge of the margin. So the two
ways to a support vector machine, a wide gap with forgiveness, and few mistakes as the hinge counts
them, are one problem.

    m     margin y f(x) of an example, functional        xi    its slack, in the same units

    xi = 0         the margin is 1 or more               0 < xi < 1   on the right side, but close
    xi = 1         on the hyperplane itself              xi > 1       on the wrong side

All functions are exact on Fractions; what is no finite number is a TypeError or ValueError.

Source: the slides of CDS New York University, "SVM" (2023), "Slack Variables" and "SVM as a
Constrained Optimization Problem"; Nicolo Cesa-Bianchi, "Support Vector Machines" (2023); 50.007
Machine Learning, "Support Vector Machines (II)" (2022), (8) and (9).
"""

from ..numerics.validation import number_kind, to_number, vector
from .losses import hinge, number


def smallest_slack(m):
    """The smallest slack that a margin m allows: 1 - m if m < 1, else 0. It is the hinge.

    Source: Cesa-Bianchi, optimal slack; 50.007, (8).

    >>> smallest_slack(-2), smallest_slack(1), smallest_slack(5)
    (3.0, 0.0, 0.0)
    """
    m = number(m, "m")
    return 1 - m if m < 1 else type(m)(0)


def covers_hinge(xi, m):
    """Whether xi >= max(0, 1 - m): the constraint on slack written as one inequality.

    >>> covers_hinge(2, -1), covers_hinge(1, -1), covers_hinge(-1, 5)
    (True, False, False)
    """
    xi, m = of_one_kind(xi, m)
    return xi >= hinge(m)


def keeps_constraints(xi, m):
    """Whether xi >= 1 - m and xi >= 0: the same as two inequalities, as a solver wants them.

    Each is linear in what is sought (w, b and xi), which max(0, 1 - m) is not. The first is more
    often written m >= 1 - xi. Source: NYU, "SVM as a Constrained Optimization Problem"; 50.007,
    (9).

    >>> keeps_constraints(2, -1), keeps_constraints(1, -1), keeps_constraints(-1, 5)
    (True, False, False)
    """
    xi, m = of_one_kind(xi, m)
    return xi >= 1 - m and xi >= 0


def margin_errors(margins):
    """The indices of the margins below 1, in order; exactly 1 is no margin error. O(n).

    Source: NYU, "Hinge Loss".

    >>> margin_errors([2, 1, 0.5, -1])
    [2, 3]
    """
    return [i for i, m in enumerate(vector(margins, "margins")) if m < 1]


def of_one_kind(xi, m):
    """xi and m, both floats or both Fractions."""
    kind = number_kind(xi, m)
    return to_number(kind, xi, "xi"), to_number(kind, m, "m")
