"""Support vector machines that install from PyPI, each as a function that audit() understands.

Where a library has scikit-learn's interface the audit takes its class as it is; the others are
here. A function takes a refsvm Problem, trains, and returns a function of one row, or a Trained.
tol, where it is an argument, is handed on as the library's own. What a library does not offer is
Unsupported, which is no failure.

Each imports its library when it is called, for no environment holds them all.
"""

from math import fsum

from refsvm import Gaussian, Linear, Polynomial, Precomputed, Sigmoid, gram, smo
from refsvm.conformance.subjects import Unsupported

KERNELS = Linear, Polynomial, Gaussian, Sigmoid, Precomputed


def only(problem, *kernels, penalties="one"):
    """Unsupported unless the problem has an offset, hinge slack, one of the kernels and penalties.

    penalties: "one" C for all, one a "class", or one for "each" example.
    """
    if type(problem.kernel) not in kernels:
        raise Unsupported(f"no kernel {problem.kernel!r}")
    if not problem.bias:
        raise Unsupported("always an offset")
    if problem.slack != "hinge":
        raise Unsupported("no squared slack")
    if float("inf") in problem.C:
        raise Unsupported("C must be finite")
    if penalties == "one" and len(set(problem.C)) > 1:
        raise Unsupported("one C for all examples")
    if penalties == "class" and len(set(zip(problem.y, problem.C))) > 2:
        raise Unsupported("one C for each class")


def kernel_options(kernel):
    """(LIBSVM's number of the kernel, degree, gamma, coef0)."""
    if isinstance(kernel, Polynomial):
        return 1, kernel.degree, kernel.gamma, kernel.coef0
    if isinstance(kernel, Gaussian):
        return 2, 3, kernel.gamma, 0.0
    if isinstance(kernel, Sigmoid):
        return 3, 3, kernel.gamma, kernel.coef0
    return (4 if isinstance(kernel, Precomputed) else 0), 3, 1.0, 0.0


def libsvm(problem, tol=1e-3):
    """libsvm-official: the bindings of LIBSVM's authors."""
    from libsvm.svmutil import svm_parameter, svm_predict, svm_problem, svm_train

    only(problem, Linear, Polynomial, Gaussian, Sigmoid, Precomputed, penalties="class")
    given = isinstance(problem.kernel, Precomputed)
    number, degree, gamma, coef0 = kernel_options(problem.kernel)
    penalty = dict(zip(problem.y, problem.C))
    options = (
        f"-q -s 0 -t {number} -d {degree} -g {gamma!r} -r {coef0!r} -c 1"
        f" -w1 {penalty[1]!r} -w-1 {penalty[-1]!r} -e {tol!r}"
    )
    rows = [[i + 1, *x] if given else x for i, x in enumerate(problem.X)]
    nodes = [numbered(x, given) for x in rows]
    model = svm_train(svm_problem(problem.y, nodes, isKernel=given), svm_parameter(options))

    def decide(x):
        node = numbered([1, *x] if given else x, given)
        _, _, values = svm_predict([0], [node], model, "-q")
        return values[0][0] * model.get_labels()[0]

    return decide


def numbered(x, given):
    """A row as LIBSVM's dict: features count from 1, the number of a kernel's row is at 0."""
    return {i + (not given): v for i, v in enumerate(x)}


def liblinear(problem, tol=1e-3):
    """liblinear-official, -s 3: hinge loss, the offset regularised with w."""
    from liblinear.liblinearutil import predict, train

    if not problem.linear or problem.slack != "hinge":
        raise Unsupported("the linear kernel and hinge slack only")
    if len(set(zip(problem.y, problem.C))) > 2 or float("inf") in problem.C:
        raise Unsupported("one finite C for each class")
    penalty = dict(zip(problem.y, problem.C))
    model = train(problem.y, [numbered(x, False) for x in problem.X], (
        f"-q -s 3 -c 1 -w1 {penalty[1]!r} -w-1 {penalty[-1]!r} -e {tol!r}"
        f" -B {1 if problem.bias else -1}"
    ))

    def decide(x):
        _, _, values = predict([0], [numbered(x, False)], model, "-q")
        return values[0][0] * model.get_labels()[0]

    return decide


def c_svc_by_nu(problem, tol=1e-3):
    """scikit-learn's NuSVC, told the nu that belongs to C: the mean of alpha_i / C."""
    from sklearn.svm import NuSVC

    only(problem, *KERNELS)
    number, degree, gamma, coef0 = kernel_options(problem.kernel)
    kernel = ["linear", "poly", "rbf", "sigmoid", "precomputed"][number]
    solution = smo(problem, 1e-12)
    shares = [a / c for a, c in zip(solution.alpha, problem.C)]
    nu, most = sum(shares) / problem.n, 2 * min(map(problem.y.count, (-1, 1))) / problem.n
    if nu > most * (1 - 1e-9) or not any(1e-9 < share < 1 - 1e-9 for share in shares):
        raise Unsupported("the same nu for many C, as a whole class is at C, or none is free")
    machine = NuSVC(nu=nu, kernel=kernel, degree=degree, gamma=gamma, coef0=coef0, tol=tol)
    machine.fit(problem.X, problem.y)
    return lambda x: float(machine.decision_function([x])[0])


def opencv(problem, tol=1e-3):
    """OpenCV's ml.SVM, at most 200 000 iterations."""
    import cv2
    import numpy

    only(problem, Linear, Polynomial, Gaussian, Sigmoid, penalties="class")
    kernel, kernels = problem.kernel, cv2.ml
    machine = cv2.ml.SVM_create()
    machine.setType(cv2.ml.SVM_C_SVC)
    machine.setKernel({Linear: kernels.SVM_LINEAR, Polynomial: kernels.SVM_POLY,
                       Gaussian: kernels.SVM_RBF, Sigmoid: kernels.SVM_SIGMOID}[type(kernel)])
    _, degree, gamma, coef0 = kernel_options(kernel)
    machine.setDegree(degree)
    machine.setGamma(gamma)
    machine.setCoef0(coef0)
    penalty = dict(zip(problem.y, problem.C))
    machine.setC(1.0)
    machine.setClassWeights(numpy.array([penalty[-1], penalty[1]]))
    machine.setTermCriteria((cv2.TERM_CRITERIA_MAX_ITER | cv2.TERM_CRITERIA_EPS, 200_000, tol))
    X = numpy.array(problem.X, numpy.float32)
    try:
        machine.train(X, cv2.ml.ROW_SAMPLE, numpy.array(problem.y, numpy.int32))
    except cv2.error as error:
        raise ValueError(str(error)) from None

    def decide(x):
        row = numpy.array([x], numpy.float32)
        _, raw = machine.predict(row, flags=cv2.ml.STAT_MODEL_RAW_OUTPUT)
        return -float(raw[0][0])

    return decide


def snapml(problem, tol=1e-3):
    """snapml's SupportVectorMachine: the offset is regularised with w."""
    import numpy
    from snapml import SupportVectorMachine

    only(problem, Linear)
    machine = SupportVectorMachine(
        regularizer=1 / problem.C[0], fit_intercept=True, max_iter=100_000, tol=tol, n_jobs=1,
        random_state=0,
    )
    machine.fit(numpy.array(problem.X), numpy.array(problem.y))
    return lambda x: float(numpy.ravel(machine.decision_function(numpy.array([x])))[0])


def mlpack(problem, tol=1e-3):
    """mlpack's linear_svm: the offset is regularised with w.

    It keeps weights for each class; what decides is their difference, whose squared length is
    twice the sum of theirs. So its lambda is 2 / (n C).
    """
    import numpy
    from mlpack import linear_svm

    if not problem.linear or problem.slack != "hinge":
        raise Unsupported("the linear kernel and hinge slack only")
    if len(set(problem.C)) > 1 or float("inf") in problem.C:
        raise Unsupported("one finite C for all examples")
    model = linear_svm(
        training=numpy.array(problem.X), labels=numpy.array([int(s > 0) for s in problem.y]),
        lambda_=2 / (problem.n * problem.C[0]), no_intercept=not problem.bias, tolerance=tol,
        max_iterations=100_000, num_classes=2, seed=1,
    )["output_model"]

    def decide(x):
        scores = linear_svm(input_model=model, test=numpy.array([x]))["probabilities"]
        return float(scores[0][1] - scores[0][0])

    return decide


def svmlite_qp(problem):
    """svmlite's SVCLite, solver="QP"."""
    return with_svmlite(problem, "QP")


def svmlite_smo(problem, tol=1e-3):
    """svmlite's SVCLite, solver="SMO"."""
    return with_svmlite(problem, "SMO", tol=tol)


def with_svmlite(problem, solver, **options):
    import numpy
    from svmlite import SVCLite

    only(problem, Linear, Polynomial, Gaussian)
    kernel = problem.kernel
    names = {Linear: ("linear", {}), Gaussian: ("rbf", vars(kernel))}
    if isinstance(kernel, Polynomial):
        if kernel.gamma != 1:
            raise Unsupported("the polynomial kernel has no gamma")
        names[Polynomial] = "polynomial", {"degree": kernel.degree, "coef0": kernel.coef0}
    name, parameters = names[type(kernel)]
    numpy.random.seed(0)
    machine = SVCLite(C=problem.C[0], solver=solver, kernel=name, **parameters)
    machine.fit(numpy.array(problem.X), numpy.array(problem.y, float), **options)
    return lambda x: float(machine._decision_function(numpy.array([x]))[0])


def tinysvm(problem, tol=1e-3):
    """tinysvm's TinySVC, without its scaling."""
    import numpy
    from tinysvm import TinySVC

    only(problem, Linear, Gaussian)
    kernel = ("linear", 0.5) if problem.linear else ("rbf", problem.kernel.gamma)
    numpy.random.seed(0)
    machine = TinySVC(C=problem.C[0], kernel=kernel[0], gamma=kernel[1], tol=tol, max_iter=1000)
    machine.fit(problem.X, problem.y)
    return lambda x: float(machine._predict_raw([x])[0])


# ---- solvers of quadratic programs, given the dual


class Trained:
    """Multipliers and an offset; the audit works out exactly what they decide."""

    def __init__(self, alpha, b):
        self.alpha, self.b = alpha, b


def kernel_rows(problem, X, Z=None):
    """The kernel values of each row of X with those of Z, or with all examples."""
    if isinstance(problem.kernel, Precomputed):
        return X
    return gram(problem.kernel, X, Z or problem.X)


def f_of(beta, row, b):
    """sum beta_i k_i + b."""
    return sum(v * k for v, k in zip(beta, row) if v) + b


def with_qp(problem, solver, **options):
    """The dual by one of qpsolvers' solvers, with the care that such solvers need.

    Rows of the linear kernel are counted from the first one, and the unknowns are alpha_i / unit_i
    so that neither they nor the program are large or small. b is the multiplier of the equation.
    """
    import numpy
    from qpsolvers import Problem as Program
    from qpsolvers import solve_problem
    from qpsolvers.exceptions import QPError

    only(problem, *KERNELS, penalties="each")
    X, y, C = problem.X, numpy.array(problem.y), numpy.array(problem.C)
    origin = X[0] if problem.linear else None
    rows = [[v - o for v, o in zip(x, origin)] for x in X] if problem.linear else X
    K = numpy.array(kernel_rows(problem, rows, rows))
    size = numpy.diag(K).mean()
    unit = numpy.minimum(C, 1 / size) if size > 0 else C
    weight, most = unit * y, unit.max()
    program = Program(
        K * numpy.outer(weight, weight) / most, -unit / most, A=(weight / most)[None, :],
        b=numpy.zeros(1), lb=numpy.zeros(problem.n), ub=C / unit,
    )
    try:
        solution = solve_problem(program, solver, **options)
    except QPError as error:
        raise ValueError(str(error)) from None
    if not solution.found:
        raise ValueError(f"{solver} found no solution")
    alpha = balanced(numpy.clip(solution.x * unit, 0, C).tolist(), problem.y, problem.C)
    b = float(solution.y[0])
    if problem.linear:
        b -= float((alpha * y) @ rows_times(rows, origin))
    return Trained(alpha, b)


def balanced(alpha, y, C):
    """What rounding has left of sum alpha_i y_i, taken from the smallest alpha that has the room.

    Far from the origin it counts: it is multiplied by the inner products, which are large there.
    The smallest has the finest digits: what is left of 10^21 need not be a change of it.
    """
    off = fsum(a * s for a, s in zip(alpha, y))
    rooms = [a if s * off > 0 else c - a for a, s, c in zip(alpha, y, C)]
    wide = [i for i, room in enumerate(rooms) if room >= abs(off)]
    k = min(wide or [rooms.index(max(rooms))], key=lambda i: alpha[i])
    alpha[k] = min(max(alpha[k] - y[k] * off, 0.0), C[k])
    return alpha


def rows_times(rows, z):
    """<x, z> of each row."""
    return [sum(p * q for p, q in zip(x, z)) for x in rows]


def cvxopt(problem):
    """cvxopt's coneqp, tolerances 1e-10."""
    return with_qp(problem, "cvxopt", abstol=1e-10, reltol=1e-10, feastol=1e-10)


def quadprog(problem):
    """quadprog: dual active sets, for strictly convex programs."""
    try:
        return with_qp(problem, "quadprog")
    except ValueError as error:
        if "not positive definite" in str(error):
            raise Unsupported("strictly convex programs only") from None
        raise


def osqp(problem):
    """OSQP, tolerances 1e-9, polished."""
    return with_qp(problem, "osqp", eps_abs=1e-9, eps_rel=1e-9, max_iter=200_000, polishing=True)


def clarabel(problem):
    """Clarabel, tolerances 1e-12."""
    return with_qp(problem, "clarabel", tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12)


def daqp(problem):
    """DAQP: dual active sets, with a proximal term where the program is not strictly convex."""
    return with_qp(problem, "daqp", eps_prox=1e-6)


def piqp(problem):
    """PIQP, tolerances 1e-11."""
    return with_qp(problem, "piqp", eps_abs=1e-11, eps_rel=1e-11)


def proxqp(problem):
    """ProxQP, tolerances 1e-10."""
    return with_qp(problem, "proxqp", eps_abs=1e-10, eps_rel=0.0)
