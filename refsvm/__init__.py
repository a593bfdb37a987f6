"""The support vector machine in plain Python: to be read, run on exact numbers, and trusted.

    >>> import refsvm
    >>> problem = refsvm.Problem([[0], [1], [3], [4]], [-1, -1, 1, 1], C=10)
    >>> solution = refsvm.smo(problem)
    >>> solution.alpha, solution.b, solution.gap
    ([0.0, 0.5, 0.5, 0.0], -2.0, 0.0)
    >>> solution.model().predictions([[0.5], [2.5]])
    [-1, 1]

Where to read, from the ground up (each file imports only from files named before it):

    numbers    door                                every number converted, bad ones refused
               linalg factorisations eigenvalues polytopes cones
                                                   vectors and matrices as lists
               elementary picks columns nearest    exp; what comes next; sums
    geometry   hyperplane margins losses slack     a plane and a point; what a decision costs
               kernel_algebra kernels strings gram_matrices definiteness
                                                   inner products in feature space
               features weighted_features function_space
                                                   that space itself
    theory     convex_functions subgradients       slopes where there is no derivative
               constrained duality multipliers quadratic_duality
                                                   any program, and its dual
               problem conventions conditions      primal, dual, gap; what C means; KKT
               objectives mean_hinge regret        what others minimise; what small steps cost
               svm_lagrangian svm_program          how the dual comes about
               model voting                        what training leaves
               support offsets representer two_multipliers
                                                   who matters; b; w made of rows; SMO's formulas
    solvers/   program line separation answers descent face loop smo
                                                   the solver of record
               projections coordinate_ascent projected_gradient posted
               lifting principal principal_exact pivoting active_set quadratic margin_program
                                                   three more of the same dual; any program
               line_search rates subgradient_descent pegasos widest
                                                   of the primal; the hard margin
    online/    perceptron lms                      one example at a time
    files/     text data models matching scaling   LIBSVM's files
    c99/       constants functions formulas machines programs exporting
                                                   a trained machine as one C file
    proofs/    canonical                           a problem as JSON, and its hash
               intervals exponentials enclosures   numbers no fraction is, held between two
               exactly answer fixed_point semidefinite whole_rows verification interior
               proposals search best_offsets nearby polishing exponential_sums ties measuring
               definite_kernels enclosed
               uniqueness optimum
                                                   the optimum itself, and why it is the optimum
               known images repair offset_ends statements certificate
                                                   how far any answer is from it
               checker                             believes a certificate, or not
    conformance/  flags entries core lectures bugs families gaussians rejects
                                                   problems, and the bugs they are aimed at
               notation cases solving telling runs arithmetic algorithms vectors
                                                   with their optima, for any language
               messages beside forms asked_estimators subjects lanes workers evidence gaps checks
               relations kinds wrong_offsets other_problems diagnosis endings asking inputs
               policies patience audit
               fingerprint report plugin           any program held against those optima
               strategies                          more problems than anyone can write down
    in use     training_sets pairwise estimators   SVC, as scikit-learn spells it
               contours svg drawing animation tracing commands/
                                                   pictures and the command line

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
from .kernels import Gaussian, Linear, MonomialSum, Polynomial, Precomputed, Sigmoid
from .model import Model, Solution
from .problem import Problem
from .solvers.smo import Step, smo
from .strings import Spectrum
from .voting import OneAgainstOne

__version__ = "0.1.0"
__all__ = [
    "Certificate",
    "Converted",
    "Data",
    "Gaussian",
    "KKT",
    "Kernel",
    "Linear",
    "Mercer",
    "Model",
    "MonomialSum",
    "OneAgainstOne",
    "Optimum",
    "Polynomial",
    "Precomputed",
    "Problem",
    "SVC",
    "Scaling",
    "Sigmoid",
    "Solution",
    "Spectrum",
    "Step",
    "active_set",
    "audit",
    "certify",
    "certify_linear",
    "coordinate_ascent",
    "export",
    "fingerprint",
    "from_average_slack",
    "from_halved_squares",
    "from_mean_hinge",
    "from_mean_hinge_halved",
    "from_squares",
    "from_sum_hinge_halved",
    "from_sum_of_slacks",
    "gram",
    "kernel_lms",
    "kernel_pegasos",
    "kernel_perceptron",
    "kkt",
    "lms",
    "mercer",
    "pegasos",
    "perceptron",
    "projected_gradient",
    "read_data",
    "read_model",
    "read_scaling",
    "smo",
    "solve_exactly",
    "stochastic_kernel_lms",
    "stochastic_lms",
    "subgradient_descent",
    "trace",
    "write_data",
    "write_model",
    "write_scaling",
]

# These are imported when first asked for: whoever trains with smo does not wait for the other
# learners, and whoever only computes not for gzip and tempfile.
WHEN_ASKED = {
    "active_set": "solvers.active_set",
    "coordinate_ascent": "solvers.coordinate_ascent",
    "projected_gradient": "solvers.projected_gradient",
    "subgradient_descent": "solvers.subgradient_descent",
    "pegasos": "solvers.pegasos",
    "kernel_pegasos": "solvers.pegasos",
    "perceptron": "online.perceptron",
    "kernel_perceptron": "online.perceptron",
    "lms": "online.lms",
    "stochastic_lms": "online.lms",
    "kernel_lms": "online.lms",
    "stochastic_kernel_lms": "online.lms",
    "trace": "tracing",
    "SVC": "estimators",
    "Data": "files.data",
    "read_data": "files.data",
    "write_data": "files.data",
    "read_model": "files.models",
    "write_model": "files.models",
    "Scaling": "files.scaling",
    "read_scaling": "files.scaling",
    "write_scaling": "files.scaling",
    "export": "c99.exporting",
    "Certificate": "proofs.certificate",
    "certify": "proofs.certificate",
    "certify_linear": "proofs.certificate",
    "solve_exactly": "proofs.optimum",
    "Optimum": "proofs.optimum",
    "audit": "conformance.audit",
    "fingerprint": "conformance.fingerprint",
}


def __getattr__(name):
    if name not in WHEN_ASKED:
        raise AttributeError(f"module 'refsvm' has no attribute {name!r}")
    globals()[name] = getattr(import_module(f".{WHEN_ASKED[name]}", __name__), name)
    return globals()[name]


def __dir__():
    return sorted({*globals(), *__all__})
