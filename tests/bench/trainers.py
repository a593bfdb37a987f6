"""The programs that are compared, each as a function that fits: (X, y, kernel, C) -> Timed Answer.

    gaussian    exp(-|x - z|^2 / d)        cubic    (x.z / d)^3        linear    x.z
    flat        linear without offset: the problem that linear programs of their own solve

X is an array of doubles, n rows of d; y holds -1 and +1. What a program needs before the clock
starts (another form of the rows) is said in its docstring. All stop at tol = 1e-3, which means
the same to all of them: m - M <= tol. Rows of the kernel are kept in 200 MB, everyone's default.
"""

from typing import Any, NamedTuple

import numpy
from clock import Timed, timed

TOL = 1e-3
MOST = 10**7  # iterations, so that none ends early


class Answer(NamedTuple):
    """What a program found; the linear programs tell no multipliers, but the weights w."""

    alpha: Any
    iterations: Any  # None where the program does not tell
    w: Any = None


def refsvm(X, y, kernel, C, threads=1):
    """Ours, the building of the Problem included."""
    import refsvm_fast as ours

    d = X.shape[1]
    form = {
        "gaussian": ours.Gaussian(1 / d), "cubic": ours.Polynomial(3, 1 / d),
        "linear": ours.Linear(), "flat": ours.Linear(),
    }[kernel]
    solve = ours.coordinate_ascent if kernel == "flat" else ours.smo
    solution, *times = timed(
        lambda: solve(ours.Problem(X, y, form, C, bias=kernel != "flat"), TOL, threads=threads)
    )
    return Timed(Answer(numpy.array(solution.alpha), solution.iterations), *times)


def refsvm_2(X, y, kernel, C):
    """Ours, on two threads."""
    return refsvm(X, y, kernel, C, threads=2)


def sklearn_dense(X, y, kernel, C):
    """scikit-learn's SVC, which is LIBSVM for rows of doubles."""
    from sklearn.svm import SVC

    return trained(machine(SVC, kernel, C), X, y)


def sklearn_sparse(X, y, kernel, C):
    """scikit-learn's SVC on sparse rows, made before the clock starts."""
    from scipy.sparse import csr_matrix
    from sklearn.svm import SVC

    return trained(machine(SVC, kernel, C), csr_matrix(X), y)


def onedal(X, y, kernel, C, threads=1):
    """The SVC of scikit-learn-intelex, which is oneDAL."""
    import daal4py
    from sklearnex.svm import SVC

    daal4py.daalinit(nthreads=threads)
    return trained(machine(SVC, kernel, C), X, y)


def onedal_2(X, y, kernel, C):
    """The SVC of scikit-learn-intelex, on two threads."""
    return onedal(X, y, kernel, C, threads=2)


def machine(SVC, kernel, C):
    """A machine with scikit-learn's interface that is about to solve our problem."""
    return SVC(**named(kernel), C=C, tol=TOL, cache_size=200)


def named(kernel):
    """A kernel as scikit-learn's parameters."""
    name = {"gaussian": "rbf", "cubic": "poly", "linear": "linear"}[kernel]
    return {"kernel": name, "degree": 3, "coef0": 0, "gamma": "auto"}


def trained(svc, X, y):
    """Fit a machine with scikit-learn's interface."""
    _, *times = timed(lambda: svc.fit(X, y))
    alpha, beta = numpy.zeros(len(y)), svc.dual_coef_
    alpha[svc.support_] = abs(beta if isinstance(beta, numpy.ndarray) else beta.toarray())[0]
    steps = getattr(svc, "n_iter_", None)
    return Timed(Answer(alpha, None if steps is None else int(numpy.max(steps))), *times)


def libsvm(X, y, kernel, C):
    """svm_train of LIBSVM's own package; its copy of the data is made before the clock starts."""
    from libsvm.svmutil import svm_parameter, svm_problem, svm_train
    from scipy.sparse import csr_matrix

    number = {"linear": 0, "cubic": 1, "gaussian": 2}[kernel]
    words = f"-s 0 -t {number} -d 3 -r 0 -g {1 / X.shape[1]!r} -c {C} -e {TOL} -m 200 -q"
    problem = svm_problem(y.astype(float), csr_matrix(X))
    model, *times = timed(lambda: svm_train(problem, svm_parameter(words)))
    alpha = numpy.zeros(len(y))
    alpha[numpy.array(model.get_sv_indices()) - 1] = [abs(c) for c, in model.get_sv_coef()]
    return Timed(Answer(alpha, None), *times)


def liblinear_dense(X, y, kernel, C):
    """scikit-learn's LinearSVC, which is LIBLINEAR, from an array of doubles."""
    from sklearn.svm import LinearSVC

    svc = LinearSVC(
        loss="hinge", C=C, tol=TOL, fit_intercept=False, max_iter=MOST, random_state=0
    )
    _, *times = timed(lambda: svc.fit(X, y))
    return Timed(Answer(None, int(svc.n_iter_), svc.coef_[0]), *times)


def liblinear_sparse(X, y, kernel, C):
    """scikit-learn's LinearSVC on sparse rows, made before the clock starts."""
    from scipy.sparse import csr_matrix

    return liblinear_dense(csr_matrix(X), y, kernel, C)


def refsvm_linear(X, y, kind, C, tol):
    """Our linear solvers with hinge loss, for the kinds of problems that linear.py names."""
    import refsvm_fast as ours
    from refsvm_fast.numerics.picks import shuffled_passes

    def flat():
        problem = ours.Problem(X, y, C=C, bias=False)
        return ours.dual_coordinate_descent(problem, shuffled_passes(len(y), MOST, 0), tol)

    def constant():
        svc = ours.LinearSVC(loss="hinge", C=C, tol=tol, max_iter=MOST)
        return svc.fit(X, y).solutions_[0]

    solve = {
        "offset": lambda: ours.smo(ours.Problem(X, y, C=C), tol), "flat": flat,
        "constant": constant,
    }[kind]
    solution, *times = timed(solve)
    return Timed(Answer(numpy.array(solution.alpha), solution.iterations), *times)


def refsvm_smo(X, y, kind, C, tol):
    """smo on the problem of the kind, which needs few steps to come close to the optimum."""
    from linear import lengthened

    import refsvm_fast as ours

    rows = lengthened(X) if kind == "constant" else X
    problem = ours.Problem(rows, y, C=C, bias=kind == "offset")
    solution, *times = timed(lambda: ours.smo(problem, tol))
    return Timed(Answer(numpy.array(solution.alpha), solution.iterations), *times)


def liblinear(X, y, kind, C, tol):
    """LinearSVC likewise: the weight of the constant feature stands behind the others."""
    from sklearn.svm import LinearSVC

    constant = kind == "constant"
    svc = LinearSVC(
        loss="hinge", C=C, tol=tol, fit_intercept=constant, max_iter=MOST, random_state=0
    )
    _, *times = timed(lambda: svc.fit(X, y))
    w = numpy.append(svc.coef_[0], svc.intercept_) if constant else svc.coef_[0]
    return Timed(Answer(None, int(svc.n_iter_), w), *times)


TRAINERS = {
    "refsvm": refsvm,
    "refsvm-2": refsvm_2,
    "sklearn-dense": sklearn_dense,
    "sklearn-sparse": sklearn_sparse,
    "libsvm": libsvm,
    "onedal": onedal,
    "onedal-2": onedal_2,
    "liblinear-dense": liblinear_dense,
    "liblinear-sparse": liblinear_sparse,
}
LINEAR = {  # the part "linear" alone
    "refsvm-linear": refsvm_linear, "refsvm-smo": refsvm_smo, "liblinear": liblinear,
}
PACKAGE = {
    "libsvm": "libsvm-official",
    "onedal": "scikit-learn-intelex",
    "onedal-2": "scikit-learn-intelex",
}


def can(program, kernel):
    """Whether the program solves problems with this kernel."""
    if kernel == "flat":
        return program in ("refsvm", "liblinear-dense", "liblinear-sparse")
    return not program.startswith("liblinear")
