"""refsvm, compiled: the same names, the same bits, faster.

    >>> import refsvm_fast as refsvm
    >>> solution = refsvm.smo(refsvm.Problem([[0], [1], [3], [4]], [-1, -1, 1, 1]))
    >>> solution.alpha, solution.b
    ([0.0, 0.5, 0.5, 0.0], -2.0)

Every public name of refsvm is here. Those in `COMPILED_NAMES` are compiled: each returns what its
namesake returns, to the last bit, and refuses what that refuses, in the same words, for it hands
over to it whatever is not plain (Fractions, bad arguments). The others are refsvm's own.

COMPILED    whether the compiled modules are there. Where one could not be built or does not load,
            or where the environment says REFSVM_PURE_PYTHON=1, everything is refsvm's own. With
            REFSVM_REQUIRE_EXTENSIONS=1 an ImportError says what is missing instead
ISA         which inner loops run: "baseline", "avx2" or "avx512"; the best that the processor has,
            or what the environment asks for with REFSVM_ISA. None if not COMPILED
UNLIKE      whether they are there, but round otherwise than this Python, and so are not used

Where to read, from the ground up (each file takes only from files named before it; in brackets are
the .pxi files that a .pyx file is made of):

    loops      simd loops                          the inner loops, in C, for each processor
    names      _public                             under which pickles find what is compiled
    data       _compressed _table (input_arrays narrowing row_numbers
               class_members listed_rows)
                                                   the training set in memory, packed
               _sparse                             columns that occur in no row are left out
               _inputs                             rows as they are given, some at a time
    kernels    _kernel_rows (binary_features passes shared_rows)
                                                   rows of the kernel matrix, and a cache of them
               _solution (sparse_rows questions variance decisions
               coupling ending)                    a Solution; Gram matrices; decisions;
                                                   probabilities
    models     _models                             the oracle's classes, and gram,
               _packed_rows _problem _grouped_problems
                                                   on packed rows
               _files                              models from files
    solvers    _smo (variables coordinate_ascent
               face_system round_members small_program decomposition
               many_pairs)                         steps of SMO, coordinate ascent, decomposition
               _solvers                            the same, with the oracle's arguments
               _online (picks kernel_online dual_coordinate_descent newton
               proximal_point)
                                                   Pegasos, perceptron, their draws;
                                                   LIBLINEAR's algorithm; Newton's method
               _online_learners                    the same, with the oracle's arguments
    classes    _estimators                         SVC
               _linear_svc                         LinearSVC, LinearSVR
               _grouped_estimators                 NuSVC, SVR, NuSVR, OneClassSVM, SVDD
               _check                              check
    modules    _module_finder                      modules under the oracle's names
               _loading                            whether the compiled ones are used

Under their names there numerics/picks.py and solvers/decomposition.py are compiled, too.
"""

import sys
from importlib import import_module

import refsvm
from refsvm import __all__, __version__  # noqa: F401

from ._loading import load
from ._module_finder import OracleModules

# Where each compiled name is found.
COMPILED_NAMES = {
    "LinearSVC": "_linear_svc",
    "LinearSVR": "_linear_svc",
    "Model": "_models",
    "OneAgainstOne": "_models",
    "Problem": "_problem",
    "NuProblem": "_grouped_problems",
    "RegressionProblem": "_grouped_problems",
    "NuRegressionProblem": "_grouped_problems",
    "OneClassProblem": "_grouped_problems",
    "BallProblem": "_grouped_problems",
    "NuSVC": "_grouped_estimators",
    "SVR": "_grouped_estimators",
    "NuSVR": "_grouped_estimators",
    "OneClassSVM": "_grouped_estimators",
    "SVDD": "_grouped_estimators",
    "SVC": "_estimators",
    "check": "_check",
    "gram": "_models",
    "read_model": "_files",
    "kernel_pegasos": "_online_learners",
    "kernel_perceptron": "_online_learners",
    "pegasos": "_online_learners",
    "perceptron": "_online_learners",
    "smo": "_solvers",
    "coordinate_ascent": "_solvers",
    "dual_coordinate_descent": "_online_learners",
    "newton": "_online_learners",
    "proximal_point": "_online_learners",
}

# What compiled code returns besides, where it is, and where refsvm has what is called so: no
# public names, but names that pickles hold.
ANSWERS = {
    "BallModel": ("_grouped_problems", "svm.ball_problem"),
    "KernelLMS": ("online.lms", "online.lms"),
    "KernelPegasos": ("_online_learners", "online.pegasos"),
    "KernelPerceptron": ("_online_learners", "online.perceptron"),
    "OneClassModel": ("_grouped_problems", "svm.one_class_problem"),
    "Pegasos": ("_online_learners", "online.pegasos"),
    "Perceptron": ("_online_learners", "online.perceptron"),
    "RegressionModel": ("_grouped_problems", "svm.regression_problem"),
    "RegressionWithoutOffset": ("_grouped_problems", "svm.regression_without_offset"),
}


COMPILED, UNLIKE, ISA = load()
sys.meta_path.insert(0, OracleModules(__name__, COMPILED))
del load, OracleModules


def __getattr__(name):
    if COMPILED and name in COMPILED_NAMES:
        value = getattr(import_module(f".{COMPILED_NAMES[name]}", __name__), name)
    elif name in ANSWERS:
        here, theirs = ANSWERS[name]
        value = getattr(import_module(f".{here if COMPILED else theirs}", __name__), name)
    else:
        try:
            value = getattr(refsvm, name)
        except AttributeError:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    if isinstance(value, type(sys)):
        value = import_module(f".{name}", __name__)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__})
