"""The programs that are compared, each as a function that fits: (X, y, kernel, C) -> Fit.

    gaussian    exp(-|x - z|^2 / d)        cubic    (x.z / d)^3        linear    x.z

X is an array of doubles, n rows of d; y holds -1 and +1. What a program needs before the clock
starts (another form of the rows) is said in its docstring. All stop at tol = 1e-3, which means
the same to all of them: m - M <= tol. Rows of the kernel are kept in 200 MB, everyone's default.
"""

import time
from typing import Any, NamedTuple

import numpy

TOL = 1e-3


class Fit(NamedTuple):
    """An answer, and what it took: seconds on the wall and of all cores together."""

    alpha: Any
    iterations: Any  # None where the program does not tell
    wall: float
    cpu: float


def timed(work, *arguments):
    """What work(*arguments) returns, its wall time and its CPU time."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work(*arguments)
    return result, time.perf_counter() - wall, time.process_time() - cpu


def refsvm(X, y, kernel, C, threads=1):
    """Ours, the building of the Problem included."""
    import refsvm_fast as ours

    d = X.shape[1]
    forms = {
        "gaussian": lambda: ours.Gaussian(1 / d),
        "cubic": lambda: ours.Polynomial(3, 1 / d),
        "linear": ours.Linear,
    }

    def fit():
        problem = ours.Problem(X, y, forms[kernel](), C)
        return ours.smo(problem, TOL, threads=threads)

    solution, *times = timed(fit)
    return Fit(numpy.array(solution.alpha), solution.iterations, *times)


def refsvm_2(X, y, kernel, C):
    """Ours, on two threads."""
    return refsvm(X, y, kernel, C, threads=2)


def machine(SVC, kernel, C):
    """A machine with scikit-learn's interface that is about to solve our problem."""
    return SVC(
        kernel={"gaussian": "rbf", "cubic": "poly", "linear": "linear"}[kernel],
        degree=3, coef0=0, gamma="auto", C=C, tol=TOL, cache_size=200,
    )


def fit_of(trained, n, times):
    """The Fit that a trained machine with scikit-learn's interface holds."""
    alpha, beta = numpy.zeros(n), trained.dual_coef_
    alpha[trained.support_] = abs(beta if isinstance(beta, numpy.ndarray) else beta.toarray())[0]
    steps = getattr(trained, "n_iter_", None)
    return Fit(alpha, None if steps is None else int(numpy.max(steps)), *times)


def sklearn_dense(X, y, kernel, C):
    """scikit-learn's SVC, which is LIBSVM for rows of doubles."""
    from sklearn.svm import SVC

    trained, *times = timed(machine(SVC, kernel, C).fit, X, y)
    return fit_of(trained, len(y), times)


def sklearn_sparse(X, y, kernel, C):
    """scikit-learn's SVC on sparse rows, made before the clock starts."""
    from scipy.sparse import csr_matrix
    from sklearn.svm import SVC

    trained, *times = timed(machine(SVC, kernel, C).fit, csr_matrix(X), y)
    return fit_of(trained, len(y), times)


def libsvm(X, y, kernel, C):
    """svm_train of LIBSVM's own package; its copy of the data is made before the clock starts."""
    from libsvm.svmutil import svm_parameter, svm_problem, svm_train
    from scipy.sparse import csr_matrix

    number = {"linear": 0, "cubic": 1, "gaussian": 2}[kernel]
    words = f"-s 0 -t {number} -d 3 -r 0 -g {1 / X.shape[1]!r} -c {C} -e {TOL} -m 200 -q"
    problem = svm_problem(y.astype(float), csr_matrix(X))
    model, *times = timed(svm_train, problem, svm_parameter(words))
    alpha = numpy.zeros(len(y))
    alpha[numpy.array(model.get_sv_indices()) - 1] = [abs(c) for c, in model.get_sv_coef()]
    return Fit(alpha, None, *times)


def onedal(X, y, kernel, C, threads=1):
    """The SVC of scikit-learn-intelex, which is oneDAL."""
    import daal4py
    from sklearnex.svm import SVC

    daal4py.daalinit(nthreads=threads)
    trained, *times = timed(machine(SVC, kernel, C).fit, X, y)
    return fit_of(trained, len(y), times)


def onedal_2(X, y, kernel, C):
    """The SVC of scikit-learn-intelex, on two threads."""
    return onedal(X, y, kernel, C, threads=2)


TRAINERS = {
    "refsvm": refsvm,
    "refsvm-2": refsvm_2,
    "sklearn-dense": sklearn_dense,
    "sklearn-sparse": sklearn_sparse,
    "libsvm": libsvm,
    "onedal": onedal,
    "onedal-2": onedal_2,
}
PACKAGE = {"libsvm": "libsvm-official", "onedal": "scikit-learn-intelex",
           "onedal-2": "scikit-learn-intelex"}
