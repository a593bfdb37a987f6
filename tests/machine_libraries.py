"""Machines of regression, nu and outliers in libraries, as functions that audit() understands.

Which machine is asked is told by --type; see libraries.py for C-SVC. A function takes a problem of
refsvm, trains, and returns a function of one row.
"""

from libraries import kernel_options, numbered

from refsvm import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from refsvm.conformance.protocol.forms import bounds_of, labels_of
from refsvm.conformance.subjects import Unsupported

LIBSVM_TYPES = {"NuProblem": 1, "OneClassProblem": 2, "RegressionProblem": 3,
                "NuRegressionProblem": 4}


def one_bound(problem):
    """The bound of all multipliers; Unsupported if they have several."""
    bounds = set(bounds_of(problem))
    if len(bounds) > 1 or not hasattr(problem, "C") and bounds != {1.0}:
        raise Unsupported("one weight for all rows")
    return bounds.pop()


def libsvm(problem, tol=1e-3):
    """libsvm-official: the bindings of LIBSVM's authors, -s 1 to 4."""
    from libsvm.svmutil import svm_parameter, svm_predict, svm_problem, svm_train

    kind, C = LIBSVM_TYPES[type(problem).__name__], one_bound(problem)
    given = isinstance(problem.kernel, Precomputed)
    number, degree, gamma, coef0 = kernel_options(problem.kernel)
    options = f"-q -s {kind} -t {number} -d {degree} -g {gamma!r} -r {coef0!r} -e {tol!r}"
    nu, epsilon = getattr(problem, "nu", 0.5), getattr(problem, "epsilon", 0.1)
    options += f" -c {C!r} -n {nu!r} -p {epsilon!r}"
    nodes = [numbered([i + 1, *x] if given else x, given) for i, x in enumerate(problem.X)]
    model = svm_train(svm_problem(labels_of(problem), nodes, isKernel=given),
                      svm_parameter(options))
    if model is None:
        raise ValueError("svm_train returns no model")

    def decide(x):
        node = numbered([1, *x] if given else x, given)
        labels, _, values = svm_predict([0], [node], model, "-q")
        return values[0][0] * model.get_labels()[0] if kind == 1 else values[0][0]

    return decide


def opencv(problem, tol=1e-3):
    """OpenCV's ml.SVM, NU_SVC, ONE_CLASS, EPS_SVR, NU_SVR, at most 200 000 iterations."""
    import cv2
    import numpy

    if not isinstance(problem.kernel, (Linear, Polynomial, Gaussian, Sigmoid)):
        raise Unsupported(f"no kernel {problem.kernel!r}")
    machine = cv2.ml.SVM_create()
    kind = LIBSVM_TYPES[type(problem).__name__]
    machine.setType([None, cv2.ml.SVM_NU_SVC, cv2.ml.SVM_ONE_CLASS, cv2.ml.SVM_EPS_SVR,
                     cv2.ml.SVM_NU_SVR][kind])
    machine.setKernel({Linear: cv2.ml.SVM_LINEAR, Polynomial: cv2.ml.SVM_POLY,
                       Gaussian: cv2.ml.SVM_RBF, Sigmoid: cv2.ml.SVM_SIGMOID}[
                           type(problem.kernel)])
    _, degree, gamma, coef0 = kernel_options(problem.kernel)
    machine.setDegree(degree)
    machine.setGamma(gamma)
    machine.setCoef0(coef0)
    machine.setC(one_bound(problem))
    machine.setNu(getattr(problem, "nu", 0.5))
    machine.setP(getattr(problem, "epsilon", 0.1))
    machine.setTermCriteria((cv2.TERM_CRITERIA_MAX_ITER | cv2.TERM_CRITERIA_EPS, 200_000, tol))
    X = numpy.array(problem.X, numpy.float32)
    y = numpy.array(labels_of(problem), numpy.int32 if kind < 3 else numpy.float32)
    try:
        machine.train(X, cv2.ml.ROW_SAMPLE, y)
    except cv2.error as error:
        raise ValueError(str(error)) from None

    def decide(x):
        row = numpy.array([x], numpy.float32)
        flag = 0 if kind > 2 else cv2.ml.STAT_MODEL_RAW_OUTPUT
        value = float(machine.predict(row, flags=flag)[1][0][0])
        return -value if kind == 1 else value

    return decide
