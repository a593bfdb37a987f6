"""The names that people give to the parts of an SVM, and the text of an adapter."""

from __future__ import annotations

ROLES = {
    "rows": ("X", "x", "data", "features", "x_train", "samples", "points", "examples"),
    "labels": ("y", "Y", "labels", "target", "targets", "y_train", "t"),
    "C": (
        "C",
        "c",
        "cost",
        "penalty",
        "box",
        "slack_penalty",
        "regularization",
        "reg",
        "reg_c",
        "regularisation",
        "regularization_strength",
        "reg_strength",
    ),
    "lambda": (
        "lambda",
        "lam",
        "lmbda",
        "lambd",
        "lambda_param",
        "lambda_p",
        "alpha",
        "l2",
        "reg_lambda",
        "weight_decay",
        "reg_param",
        "lambda_reg",
        "regularization_param",
    ),
    "nu": ("nu",),
    "kernel": (
        "kernel",
        "K",
        "kernel_type",
        "kernel_name",
        "kernel_func",
        "kernel_fn",
        "ker",
        "kernel_function",
    ),
    "gamma": ("gamma", "rbf_gamma"),
    "sigma": ("sigma", "bandwidth", "width", "rbf_sigma", "sig"),
    "degree": ("degree", "d", "deg", "power", "p", "poly_degree"),
    "coef0": ("coef0", "coef", "r", "c0", "constant"),
    "tol": ("tol", "eps", "tolerance", "epsilon", "toler"),
    "seed": ("seed", "random_state", "random_seed"),
    "steps": (
        "n_iters",
        "n_iter",
        "max_iter",
        "max_iters",
        "epochs",
        "n_epochs",
        "iterations",
        "num_iterations",
        "max_iterations",
        "max_passes",
        "num_epochs",
        "maxiter",
        "steps",
    ),
    "rate": ("learning_rate", "lr", "eta", "rate", "step_size", "eta0"),
}
CONVERSIONS = {  # the values of the parameters that every problem has
    "rows": "X",
    "labels": "y",
    "C": "problem.C[0]",
    "lambda": "1 / (problem.n * problem.C[0])",
    "nu": "nu_of(problem)",
    "tol": "1e-6",
    "seed": "0",
}
WIDTHS = ("epsilon", "eps", "tube", "width")  # of a tube, half of it
USUAL = {"C": 1, "epsilon": 0.1, "nu": 0.5}  # where a constructor has no parameter for it
IF_NEEDED = {"rate": "0.001", "steps": "1000"}  # else it keeps what it takes by itself
KERNEL_PARAMETERS = {
    "gamma": 'getattr(problem.kernel, "gamma", 1.0)',
    "sigma": '(2 * getattr(problem.kernel, "gamma", 0.5)) ** -0.5',
    "degree": 'getattr(problem.kernel, "degree", 3)',
    "coef0": 'getattr(problem.kernel, "coef0", 0.0)',
}
NAMED_KERNELS = {
    "Linear": ("linear", "lin"),
    "Polynomial": ("poly", "polynomial"),
    "Gaussian": ("rbf", "gaussian", "gauss"),
}
FITTING = ("fit", "train", "learn", "fit_model", "optimize", "solve", "run")
DECIDING = (
    "decision_function",
    "decision",
    "decisions",
    "project",
    "decide",
    "f",
    "margin",
    "net_input",
    "score_samples",
    "evaluate",
    "score",
)

TEMPLATE = '''"""{name} for the audit. Save this as adapter.py, then run

    refsvm audit adapter.py:solve{type}

It was read from names: check that each line means what {name} does.
spec/standard/auditing-your-own.md has examples, and says what other codes call C and gamma.
"""

{imports}
from refsvm.conformance.subjects import Unsupported
{helpers}

def solve(problem):
    """Return what {name} decides about a row, after it has learnt a refsvm.{problem}."""
{body}
'''
VALUES_OF_ARRAYS = '''

def values_of(kernel):
    """Return a function of two rows, or of two arrays of rows, whichever it is given."""

    def values(A, B, *more, **named):
        A, B = np.asarray(A, float), np.asarray(B, float)
        rows, others = np.atleast_2d(A).tolist(), np.atleast_2d(B).tolist()
        K = np.array([[kernel(x, z) for z in others] for x in rows])
        return K.reshape(A.shape[:-1] + B.shape[:-1])[()]

    return values
'''
VALUES_OF_LISTS = '''

def values_of(kernel):
    """Return a function of two rows, or of two lists of rows, whichever it is given."""

    def values(A, B, *more, **named):
        if hasattr(A[0], "__len__"):
            return [values(x, B) for x in A]
        if hasattr(B[0], "__len__"):
            return [kernel(A, z) for z in B]
        return kernel(A, B)

    return values
'''
NU_OF = '''

def nu_of(problem):
    """Return the nu that has the decisions of C, divided by rho: the mean of alpha / C."""
    return sum(smo(problem, 1e-9).alpha) / (problem.n * problem.C[0])
'''
