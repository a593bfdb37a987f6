"""The support vector machine in plain Python: to be read, run on exact numbers, and trusted.

    >>> import refsvm
    >>> problem = refsvm.Problem([[0], [1], [3], [4]], [-1, -1, 1, 1], C=10)
    >>> solution = refsvm.smo(problem)
    >>> solution.alpha, solution.b, solution.gap
    ([0.0, 0.5, 0.5, 0.0], -2.0, 0.0)
    >>> solution.model().predictions([[0.5], [2.5]])
    [-1, 1]

Where to read, from the ground up (each file imports only from files named before it):

    door                                               every number converted, bad ones refused
    linalg  factorisations  eigenvalues                vectors and matrices as lists
    elementary  picks  columns  nearest                exp; what comes next; sums
    kernel_algebra  kernels  gram_matrices  definiteness   inner products in feature space
    problem  conventions  conditions                   primal, dual, gap; what C means; KKT
    model  voting                                      what training leaves
    solvers/ program  line  descent  face              what is solved; one step; all at once
             separation  smo                           no hard margin; the solver
    files/   text  data  models  scaling               LIBSVM's files
    training_sets  pairwise  estimators                SVC, as scikit-learn spells it
    contours  svg  drawing  commands/                  the picture and the command line

Nothing but the standard library is imported. The letters: X rows, y labels +1 and -1, alpha the
multipliers, b the offset, C the price of slack, K the Gram matrix, w the weights.
"""

from importlib import import_module

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
from .kernel_algebra import Kernel
from .kernels import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from .model import Model, Solution
from .problem import Problem
from .solvers.smo import Step, smo
from .voting import OneAgainstOne

__version__ = "0.1.0"
__all__ = [
    "SVC",
    "Converted",
    "Data",
    "Gaussian",
    "KKT",
    "Kernel",
    "Linear",
    "Mercer",
    "Model",
    "OneAgainstOne",
    "Polynomial",
    "Precomputed",
    "Problem",
    "Scaling",
    "Sigmoid",
    "Solution",
    "Step",
    "from_average_slack",
    "from_halved_squares",
    "from_mean_hinge",
    "from_mean_hinge_halved",
    "from_squares",
    "from_sum_hinge_halved",
    "from_sum_of_slacks",
    "gram",
    "kkt",
    "mercer",
    "read_data",
    "read_model",
    "read_scaling",
    "smo",
    "write_data",
    "write_model",
    "write_scaling",
]

# Files and estimators are imported when first asked for: whoever only computes does not wait for
# gzip and tempfile.
WHEN_ASKED = {
    "SVC": "estimators",
    "Data": "files.data",
    "read_data": "files.data",
    "write_data": "files.data",
    "read_model": "files.models",
    "write_model": "files.models",
    "Scaling": "files.scaling",
    "read_scaling": "files.scaling",
    "write_scaling": "files.scaling",
}


def __getattr__(name):
    if name not in WHEN_ASKED:
        raise AttributeError(f"module 'refsvm' has no attribute {name!r}")
    globals()[name] = getattr(import_module(f".{WHEN_ASKED[name]}", __name__), name)
    return globals()[name]


def __dir__():
    return sorted({*globals(), *__all__})
