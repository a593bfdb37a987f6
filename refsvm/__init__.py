"""The support vector machine in plain Python: to be read, run on exact numbers, and trusted.

    >>> import refsvm
    >>> problem = refsvm.Problem([[0], [1], [3], [4]], [-1, -1, 1, 1], C=10)
    >>> solution = refsvm.smo(problem)
    >>> solution.alpha, solution.b, solution.gap
    ([0.0, 0.5, 0.5, 0.0], -2.0, 0.0)
    >>> solution.model().predictions([[0.5], [2.5]])
    [-1, 1]

Where to read, from the ground up (each file imports only from files above it):

    door              every number converted, every bad one refused
    linalg, factorisations, eigenvalues, elementary, picks, columns        numbers
    kernels, gram_matrices, definiteness                                   geometry
    problem, conventions, conditions                                       the problem, KKT
    solvers/          smo: what is solved (program), one step (descent), all at once (face)
    model, voting     what training leaves: two classes, several classes
    files/            LIBSVM's data and model files, scaling
    estimators        SVC, as scikit-learn spells it
    drawing, commands the picture and the command line

Nothing but the standard library is imported. The letters: X rows, y labels +1 and -1, alpha the
multipliers, b the offset, C the price of slack, K the Gram matrix, w the weights.
"""

from .conditions import KKT, kkt
from .conventions import (
    Converted,
    from_average_slack,
    from_halved_squares,
    from_mean_hinge,
    from_mean_hinge_halved,
    from_squares,
    from_sum_hinge_halved,
    from_sum_of_slacks,
)
from .definiteness import Mercer, mercer
from .gram_matrices import gram
from .kernels import Gaussian, Kernel, Linear, Polynomial, Precomputed, Sigmoid
from .model import Model, Solution
from .problem import Problem
from .solvers.smo import Step, smo

__version__ = "0.1.0"
