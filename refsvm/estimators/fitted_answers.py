"""What a fitted estimator, of whatever program, answers: multipliers and offsets of its problems.

An estimator is known by what it has, and nothing of another program is imported:

    refsvm, scikit-learn and theirs   get_params(), support_, dual_coef_, intercept_; LinearSVC:
                                      coef_, intercept_
    LIBSVM's Python                   an svm_model: param, rho, get_sv_indices(), get_sv_coef()

Which machine it is follows from the names of its parameters. The problem is the one that an
estimator of refsvm with these parameters would train on; where it was fitted with gamma "scale",
on the rows of fit, which are not asked of others: the rows given must be those.

    coef      alpha_i with a sign, + for the class p of a pair (p, q): LIBSVM's order of classes is
              its own, and of two classes the estimators have the other sign
    rho       of nu-SVC: coefficients and offset are divided by it. It follows from nu, as the
              multipliers add up to nu times the sum of the weights
    epsilon   of nu-SVR: no attribute of others; the best for the multipliers and b

The tol of LIBSVM, and of what is made of it, is that of the dual's residuals. refsvm's is in units
of the machine (svm/judgement.py).

Source: Pedregosa et al., Scikit-learn (2011); Chang and Lin, LIBSVM, section 7.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ..kernels.base import Kernel
from ..kernels.gram_matrices import rows_for
from ..kernels.standard import Precomputed
from ..numerics.conversion import as_lists
from ..numerics.linalg import total
from ..numerics.quoting import quote
from ..numerics.sparse_rows import row_items
from ..numerics.types import VectorLike
from ..numerics.validation import check_length
from ..svm.constant_feature import with_constant
from ..svm.dual_form import middle
from ..svm.judgement import extremes_but_for_rounding
from ..svm.one_vs_one import pairs
from .estimator import defaults, not_fitted
from .linear_machines import machine_names
from .linear_svc import LinearSVC
from .linear_svr import LinearSVR
from .nu_svc import NuSVC
from .outliers import SVDD, OneClassSVM
from .pairwise_training import pair_names
from .svc import SVC
from .svr import SVR, NuSVR
from .training_data import TrainingSet

LINEAR = (LinearSVC, LinearSVR)
LIBSVM_ESTIMATORS = (SVC, NuSVC, OneClassSVM, SVR, NuSVR)  # by svm_type
LIBSVM_KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")  # by kernel_type


class FittedAnswer(NamedTuple):
    """What one machine of an estimator answers.

    name        what it is called in a sentence
    serials     of the rows that are its examples
    alpha       None of a LinearSVC of others, which keeps no multipliers
    w           of a LinearSVC or LinearSVR, with the weight of the constant behind; else None
    """

    name: str
    serials: list[int]
    problem: Any
    alpha: Any
    offsets: tuple[Any, ...]
    w: Any = None


class FittedMachine(NamedTuple):
    """What an estimator has, whatever program it is of, in lists and plain numbers.

    plain      an estimator of refsvm with its parameters
    fitted     the estimator itself
    is_own     whether refsvm trained it
    classes    None where there are none
    support    the rows that are support vectors, and these: {column: number}, or strings
    coefs, intercepts   + for the class p of a pair (p, q)
    """

    plain: Any
    fitted: Any
    is_own: bool
    classes: Any
    support: list[int]
    vectors: list[Any]
    coefs: list[list[float]]
    intercepts: list[float]


def fitted_answers(
    estimator: object, X: object, y: object, sample_weight: object, library: object = None
) -> tuple[FittedMachine, list[FittedAnswer]]:
    """Return what an estimator has, and what each of its machines answers; see check.

    library: what has the classes of the problems, under the names of refsvm; None: refsvm

    Raises
    ------
    ValueError, TypeError
        for what is not fitted, or no such estimator, or was fitted to other rows
    """
    machine = _machine_of(estimator, library, sample_weight)
    data = machine.plain._training_set(X, y, sample_weight)
    if isinstance(machine.plain, LinearSVC):
        _require_classes(machine, data)
        problems, names = machine.plain._problems(data), machine_names(machine.classes)
        W, solutions = _rows_of(machine.fitted.coef_), getattr(machine.fitted, "solutions_", None)
        return machine, list(_linear_answers(machine, data, names, problems, W, solutions))
    if isinstance(machine.plain, LinearSVR):
        w, solution = as_lists(machine.fitted.coef_), getattr(machine.fitted, "solution_", None)
        found = ["the model"], [machine.plain._problem(data)], [w], solution and [solution]
        return machine, list(_linear_answers(machine, data, *found))
    machine = _with_rows(machine, data)
    if machine.classes is None:
        return machine, [_single_answer(machine, data)]
    _require_classes(machine, data)
    return machine, list(_pair_answers(machine, data))


# What an estimator has


def _machine_of(estimator: Any, library: Any, sample_weight: Any) -> FittedMachine:
    """Return the FittedMachine of an estimator."""
    if hasattr(estimator, "get_sv_indices") and hasattr(estimator, "param"):
        return _machine_of_libsvm(estimator, library, sample_weight is not None)
    if isinstance(estimator, type) or not callable(getattr(estimator, "get_params", None)):
        raise TypeError(
            f"estimator is {quote(estimator)}; a fitted SVC, NuSVC, SVR, NuSVR, OneClassSVM, SVDD,"
            " LinearSVC or LinearSVR is needed, or a model of LIBSVM"
        )
    cls = _class_for(estimator)
    if not hasattr(estimator, "coef_" if cls in LINEAR else "dual_coef_"):
        raise not_fitted(estimator)
    is_own = type(estimator).__module__.partition(".")[0] in ("refsvm", "refsvm_fast")
    if cls is LinearSVR and not is_own:
        raise TypeError(
            f"estimator is {quote(estimator)}; a LinearSVR is checked if refsvm trained it: what"
            " tol promises of others is no bound of the gap"
        )
    classes = as_lists(estimator.classes_) if hasattr(estimator, "classes_") else None
    coefs, vectors, support = [], [], []
    if cls not in LINEAR:
        coefs, support = _lists_of(estimator.dual_coef_), _lists_of(estimator.support_)
        vectors = _items_of(_rows_of(getattr(estimator, "support_vectors_", [])))
    intercepts = [] if cls is SVDD else _lists_of(estimator.intercept_)
    if classes is not None and len(classes) == 2 and cls not in LINEAR:
        coefs, intercepts = [[-c for c in coefs[0]]], [-intercepts[0]]
    plain = _plain(cls, estimator, library)
    return FittedMachine(plain, estimator, is_own, classes, support, vectors, coefs, intercepts)


def _lists_of(array: object) -> Any:
    """Return an array, sparse or not, as lists of Python's numbers."""
    return as_lists(array.toarray() if hasattr(array, "toarray") else array)


def _rows_of(matrix: object) -> Any:
    """Return the rows of a matrix; of a sparse one as sparse rows."""
    return rows_for(matrix, "rows", float) if hasattr(matrix, "toarray") else as_lists(matrix)


def _items_of(rows: Iterable[VectorLike]) -> list[Any]:
    """Return rows as {column: number}, without zeros; strings as they are."""
    return [row if isinstance(row, str) else dict(row_items(row)) for row in rows]


def _class_for(estimator: Any) -> Any:
    """Return the class of refsvm whose parameters an estimator has."""
    given = estimator.get_params()
    classifies = hasattr(estimator, "classes_") or "class_weight" in given
    if "intercept_scaling" in given and "loss" in given:
        return LinearSVR if "epsilon" in given else LinearSVC
    if "kernel" not in given or not {"C", "nu"} & set(given):
        raise TypeError(f"estimator is {quote(estimator)}; its parameters are of no machine here")
    if "epsilon" in given:
        return SVR
    if "nu" in given:
        return NuSVC if classifies else NuSVR if "C" in given else OneClassSVM
    return SVC if classifies else SVDD


def _plain(cls: Any, estimator: Any, library: Any) -> Any:
    """Return an estimator of refsvm with the parameters of another, and the kernel of its fit."""
    given = estimator.get_params()
    known = {name: given[name] for name in defaults(cls) if name in given}
    make = type(estimator) if isinstance(estimator, cls) else getattr(library, cls.__name__, cls)
    if cls in LINEAR:  # whatever solved it, the dual has the same problem
        return make(**{**known, "dual": "auto", "random_state": None})
    if isinstance(estimator, cls):
        return make(**{**known, "kernel": estimator._kept_model().kernel})
    kernel = known["kernel"]
    if isinstance(getattr(estimator, "_kernel", None), Kernel):  # of refsvm.sklearn
        return make(**{**known, "kernel": estimator._kernel})
    if not isinstance(kernel, str):
        raise TypeError(
            f"kernel is {quote(kernel)}, a function of matrices; fit with kernel='precomputed' and"
            " its Gram matrix, and check that"
        )
    if kernel in ("poly", "rbf", "sigmoid") and hasattr(estimator, "_gamma"):
        known["gamma"] = float(estimator._gamma)
    if cls is SVC and hasattr(estimator, "class_weight_"):  # "balanced" counts absent rows, too
        labels, weights = as_lists(estimator.classes_), _lists_of(estimator.class_weight_)
        known["class_weight"] = dict(zip(labels, weights))
    if cls is NuSVC:
        known["class_weight"] = None  # a parameter of scikit-learn's, which LIBSVM does not read
    return make(**known)


def _machine_of_libsvm(model: Any, library: object, is_weighted: bool) -> FittedMachine:
    """Return the FittedMachine of a model of LIBSVM's Python.

    is_weighted: whether the caller says what the weight of each row is
    """
    param = model.param
    cls, word = LIBSVM_ESTIMATORS[param.svm_type], LIBSVM_KERNELS[param.kernel_type]
    given = {"kernel": word, "degree": param.degree, "gamma": param.gamma, "coef0": param.coef0}
    given.update(tol=param.eps, C=param.C, nu=param.nu, epsilon=param.p)
    known: dict[str, Any] = {name: given[name] for name in defaults(cls) if name in given}
    if word == "linear":
        known["gamma"] = 1.0
    classes = list(model.get_labels()) if cls in (SVC, NuSVC) else None
    if cls is SVC and param.nr_weight and not is_weighted:  # which LIBSVM frees after training
        raise ValueError(
            "sample_weight is None, and the model was trained with weights of classes (-wi), which"
            " a model of LIBSVM does not keep; give each row that of its class, or say them to"
            " the command: refsvm check DATA MODEL -w1 5"
        )
    support = [i - 1 for i in model.get_sv_indices()]
    vectors = [{c - 1: v for c, v in row.items() if c > 0 and v != 0} for row in model.get_SV()]
    coefs = [list(row) for row in zip(*model.get_sv_coef())]
    intercepts = [-model.rho[i] for i in range(len(pairs(len(classes))) if classes else 1)]
    plain = getattr(library, cls.__name__, cls)(**known)
    return FittedMachine(plain, model, False, classes, support, vectors, coefs, intercepts)


# That the rows are those of fit


def _require_classes(machine: FittedMachine, data: TrainingSet) -> None:
    """Raise ValueError if the labels are not those that the machine knows."""
    known, given = machine.classes, list(data.classes)
    if len(known) != len(given) or any(label not in known for label in given):
        raise ValueError(f"y has the labels {quote(given)}; those of fit were {quote(known)}")


def _with_rows(machine: FittedMachine, data: TrainingSet) -> FittedMachine:
    """Return the machine with support as rows of X; ValueError if they are not its vectors.

    scikit-learn counts support_ among the rows whose weight is not 0.
    """
    n, support = len(data.rows), machine.support
    for row in machine.coefs:
        check_length(row, len(support), "a row of dual_coef_")
    if not machine.is_own and max(support, default=0) < len(data.present):
        support = [data.present[i] for i in support]
    for i in support:
        if not 0 <= i < n:
            raise ValueError(f"X has {n} rows; support_ has row {i}: give the rows of fit")
    is_gram = isinstance(data.kernel, Precomputed)
    for v, (i, vector) in enumerate(zip(support, [] if is_gram else machine.vectors)):
        if _items_of([data.rows[i]])[0] != vector:
            raise ValueError(
                f"support vector {v} is not row {i} of X, which support_ says it is; give the rows"
                " of fit, in their order, scaled as they were there"
            )
    return machine._replace(support=support)


# What each machine answers


def _pair_answers(machine: FittedMachine, data: TrainingSet) -> Iterable[FittedAnswer]:
    """Yield the answer of each pair of classes."""
    place = {label: c for c, label in enumerate(data.classes)}
    class_of = {i: c for c, rows in enumerate(data.members) for i in rows}
    own_place = {place[label]: c for c, label in enumerate(machine.classes)}
    rho_of_pairs = getattr(machine.fitted, "rho_", None)
    names = pair_names(machine.classes)
    for k, (p, q) in enumerate(pairs(len(machine.classes))):
        first, second = place[machine.classes[p]], place[machine.classes[q]]
        rows, problem = machine.plain._pair_problem(data, *sorted((first, second)))
        of_row = dict.fromkeys(rows, 0.0)
        for v, i in enumerate(machine.support):
            c = own_place[class_of[i]] if i in class_of else None
            if c == p:
                of_row[i] = machine.coefs[q - 1][v]
            elif c == q:
                of_row[i] = 0 - machine.coefs[p][v]
        alpha = [of_row[i] for i in rows]
        b = machine.intercepts[k] if first > second else 0 - machine.intercepts[k]
        offsets: tuple[Any, ...] = (b,)
        if isinstance(machine.plain, NuSVC):
            rho = rho_of_pairs[k] if rho_of_pairs is not None else _rho_of(problem, alpha)
            alpha, offsets = [a * rho for a in alpha], (b * rho, rho)
        yield FittedAnswer(names[k], rows, problem, alpha, offsets)


def _rho_of(problem: Any, shares: list[float]) -> Any:
    """Return rho by which multipliers were divided: they add up to nu times all weights."""
    size = total(map(abs, shares))
    if size == 0:
        raise ValueError("dual_coef_ has no number but zeros for a pair of classes")
    return problem.nu * total(problem.example_weights) / size


def _single_answer(machine: FittedMachine, data: TrainingSet) -> FittedAnswer:
    """Return the answer of a machine of regression, of one class, or of a ball."""
    problem, fitted = machine.plain._problem(data), machine.fitted
    of_row = dict(zip(machine.support, machine.coefs[0] if machine.coefs else []))
    alpha = [of_row.get(i, 0.0) for i in data.present]
    offsets: tuple[Any, ...]
    if isinstance(machine.plain, SVDD):
        offsets = (fitted.radius2_,)
    elif isinstance(machine.plain, OneClassSVM):
        offsets = (0 - machine.intercepts[0],)
    elif isinstance(machine.plain, NuSVR):
        b = machine.intercepts[0]
        known = hasattr(fitted, "epsilon_")
        offsets = (b, fitted.epsilon_ if known else _best_epsilon(problem, alpha, b))
    else:
        offsets = (machine.intercepts[0],)
    return FittedAnswer("the model", list(data.present), problem, alpha, offsets)


def _best_epsilon(problem: Any, alpha: list[float], b: float) -> Any:
    """Return the half width of the tube for which these multipliers and b are least wrong."""
    point = problem.at(alpha, (b, 0.0))
    r = point.residuals()
    (m, M), (m_low, M_low) = extremes_but_for_rounding(point.form, point.beta, r)
    offset = point.lam[0]  # b, of the rows that were computed with
    low, high = max(m - offset, offset - M_low), min(M - offset, offset - m_low)
    return max(middle(low, high), 0.0)


def _linear_answers(
    machine: FittedMachine, data: TrainingSet, names: Any, problems: Any, W: Any, solutions: Any
) -> Iterable[FittedAnswer]:
    """Yield the answer of each machine of a LinearSVC, or of a LinearSVR.

    solutions: None where they are not kept
    """
    constant = machine.plain._constant(data.kind)
    for c, (name, problem, w) in enumerate(zip(names, problems, W)):
        if constant is not None:
            (w,) = with_constant([w], machine.intercepts[c] / constant)
        alpha = solutions[c].alpha if solutions is not None else None
        yield FittedAnswer(name, list(data.present), problem, alpha, (), w)
