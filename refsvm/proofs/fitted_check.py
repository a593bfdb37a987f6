"""check: is a fitted model the optimum of its own problem, as its tol promises?

    pass        what the solver promised holds, in exact arithmetic
    FAIL        it does not hold: this is proved, too
    undecided   doubles cannot tell; exact=True can

Each pair of classes, or each class against the rest, or the one machine, is judged by itself
(svm/judgement.py), from what the estimator has (estimators/fitted_answers.py). Every program's
multipliers are rounded: what is off by less than rounding explains is no mistake.

What fractions judge, by a certificate, is always decided where kernel values are fractions. Where
they are enclosed, a score is off by the error of the certificate's side, 2^-128 of the
multipliers' size, and that is allowed for. Where the kernel matrix is not positive semidefinite,
as with most sigmoids, there is no optimum to measure an answer by, whatever conditions hold: then
nothing is decided, and a sentence says why.

A LinearSVC of others keeps no multipliers. It is measured by alpha = C xi, or by those of refsvm's
solver: w is above the optimum by at most P(w) - D(alpha), and by at least that less their own
gap. LIBLINEAR promises of the primal, which Newton's method solves, that |g| is at most tol
times the share of the smaller class of the |g| at w = 0; and P(w) - P* is at most |g|^2 / 2. Of
refsvm's the gap is promised to be at most tol times the primal.

Source: Fan et al., LIBLINEAR, JMLR 9 (2008), and its documentation of -e.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..estimators.fitted_answers import FittedAnswer, FittedMachine, fitted_answers
from ..estimators.linear_machines import part_for_gap, solves_primal
from ..numerics.display import notebook_html, text_above, text_below
from ..numerics.exact_sums import nearest_weights
from ..numerics.linalg import squared_norm
from ..numerics.quoting import shorten
from ..numerics.rounding_bounds import MIN_DOUBLE, U, above, rounded_down, rounded_up
from ..numerics.types import Labels, Number, RowsLike, Vector, VectorLike
from ..svm.dual_form import gap_between
from ..svm.exact_answers import is_small
from ..svm.judgement import (
    FAIL,
    OTHER_FIT,
    PASS,
    SEVERITY,
    SINGLE_EPS,
    UNDECIDED,
    Judgement,
    cure_of,
    judge,
    judged_promise,
    judgement_of,
    promised_gap,
    unit_of,
)
from ..svm.machine_in_doubles import MachineInDoubles, machine_at, machine_of_w
from ..svm.own_weights import multipliers_of_w, part_of_primal
from ..svm.training_problem import TrainingProblem
from .certificate import Certificate, certify, certify_weights

WORST = 5  # rows that are told
UNDECIDED_BY_W = "nothing is proved of it: fit again with a smaller tol"
SHARPER = 2.0**-6  # of tol, for the solver that a w is measured by


class WorstRow(NamedTuple):
    """A row that breaks its conditions, and by how much at most."""

    row: int
    alpha: float
    broken: float


class CheckedMachine(NamedTuple):
    """What was found of one machine.

    Attributes
    ----------
    name : str
        such as "the classes 0 and 1"
    verdict : "pass", "FAIL" or "undecided in doubles"
    low, high : numbers
        between what the gap lies, that of its multipliers made feasible
    allowed : number
        how large a gap tol allows
    broken : number
        by how much the conditions of optimality are broken, at most
    cure : str
        what to change where it FAILs; "" where it passes
    worst : list of WorstRow
        the rows that break their conditions most
    """

    name: str
    verdict: str
    low: float
    high: float
    allowed: float
    broken: float
    cure: str
    worst: list[WorstRow]


class CheckFields(NamedTuple):
    """The fields of a Check, in order."""

    verdict: str
    tol: Number
    machines: list[CheckedMachine]


class Check(CheckFields):
    """Whether a fitted model is the optimum of its own problem, as its tol promises.

    Attributes
    ----------
    verdict : "pass", "FAIL" or "undecided in doubles"
        the worst of its machines
    tol : number
        that of the estimator
    machines : list of CheckedMachine
        one for each pair of classes, for each class against the rest, or one
    passed : bool
    """

    _repr_html_ = notebook_html

    @property
    def passed(self) -> bool:
        """Whether all machines pass."""
        return self.verdict == PASS

    def __repr__(self) -> str:
        worst = max(self.machines, key=lambda m: (SEVERITY.index(m.verdict), _excess(m)))
        return "\n".join([*_head(self, worst), *_table(worst)])


def _excess(machine: CheckedMachine) -> float:
    """How much of what is allowed the gap may take."""
    return machine.high / machine.allowed if 0 < machine.allowed < inf else machine.high


def _head(check: Check, worst: CheckedMachine) -> list[str]:
    """The lines on the verdict, and on the machine that is worst."""
    count = len(check.machines)
    passed = len([m for m in check.machines if m.verdict == PASS])
    of_all = f": {passed} of {count} machines pass" if count > 1 else ""
    name = f"{shorten(worst.name, 60)}, the worst: " if count > 1 else ""
    lines = [
        f"{check.verdict}{of_all}, by tol = {float(check.tol):.6g}",
        f"{name}gap {_between(worst.low, worst.high)}; allowed {text_below(worst.allowed, 4)}",
        f"conditions broken by {text_above(worst.broken, 4)} at most",
    ]
    return [*lines, worst.cure] if worst.cure else lines


def _between(low: Number, high: Number) -> str:
    """Two ends, rounded outwards, or one where they are told alike.

    >>> _between(0.0, 0.5), _between(2.0, 2.0)
    ('from 0 to 0.5', '2')
    """
    low, high = text_below(low, 4), text_above(high, 4)
    return high if low == high else f"from {low} to {high}"


def _table(machine: CheckedMachine) -> list[str]:
    """The worst rows, in columns."""
    if not machine.worst:
        return []
    told = [(str(row), f"{alpha:.6g}", text_above(v, 4)) for row, alpha, v in machine.worst]
    rows = [("row", "alpha", "broken by"), *told]
    return ["  ".join(f"{word:>12}" for word in row) for row in rows]


def check(
    estimator: Any,
    X: RowsLike,
    y: Labels | None = None,
    sample_weight: Any = None,
    *,
    exact: bool = False,
) -> Check:
    """Check whether a fitted estimator is the optimum of its own problem, as its tol promises.

    Parameters
    ----------
    estimator
        a fitted SVC, NuSVC, SVR, NuSVR, OneClassSVM, SVDD or LinearSVC, of refsvm, refsvm.sklearn
        or scikit-learn; a LinearSVR of refsvm or refsvm.sklearn; a model of LIBSVM's Python; or
        what has their attributes
    X, y, sample_weight
        what it was fitted to
    exact : bool
        whether to certify by fractions, which takes longer; for rows by the thousand

    Returns
    -------
    Check
        pass and FAIL are proved in exact arithmetic; "undecided in doubles" means that exact=True
        is needed, or says why that is of no use: of a kernel matrix that is not positive
        semidefinite there is no optimum to be certified

    Raises
    ------
    ValueError, TypeError
        if it is not fitted, if its kernel has no name here, if X is not what it was fitted to

    Notes
    -----
    O(n V d) for V support vectors, about as long as predicting the rows: every score is needed
    once, and of few features a kernel value takes a microsecond in plain Python. So 5000 rows with
    2500 vectors take 12 s, and 50,000 with 10,000 eight minutes; refsvm_fast.check, which says the
    same, a fiftieth of that. exact=True: 2.5 s for 2000 rows with 700 vectors of a Gaussian.

    Examples
    --------
    >>> from refsvm.estimators.svc import SVC
    >>> X, y = [[0], [1], [3], [4]], [1, 1, 2, 2]
    >>> machine = SVC(kernel="linear", C=4).fit(X, y)
    >>> check(machine, X, y).passed
    True
    >>> check(machine.set_params(C=0.25), X, y).verdict
    'FAIL'
    """
    return check_by(None, estimator, X, y, sample_weight, exact=exact)


def check_by(
    library: Any, estimator: Any, X: RowsLike, y: Any, sample_weight: Any, *, exact: bool
) -> Check:
    """Return the Check, computed by a library that has the names of refsvm; None: refsvm."""
    machine, answers = fitted_answers(estimator, X, y, sample_weight, library)
    tol = machine.plain.tol
    found = [_checked(machine, answer, tol, exact) for answer in answers]
    verdict = max((one.verdict for one in found), key=SEVERITY.index)
    return Check(verdict, tol, found)


def _checked(
    machine: FittedMachine, answer: FittedAnswer, tol: Number, exact: bool
) -> CheckedMachine:
    """Return what is found of one machine."""
    if answer.w is not None and (answer.alpha is None or _is_by_primal(machine, answer)):
        alpha, judgement, cures = _judged_by_w(machine, answer, tol)
    else:
        alpha, judgement, cures = _judged(machine, answer, tol, exact)
    gap = judgement.promise("gap")
    by_size = sorted(range(len(alpha)), key=lambda i: -judgement.broken[i])[:WORST]
    worst = [
        WorstRow(answer.serials[i], float(alpha[i]), rounded_up(judgement.broken[i]))
        for i in by_size
        if judgement.broken[i] > 0
    ]
    return CheckedMachine(
        answer.name,
        judgement.verdict,
        rounded_down(gap.low),
        rounded_up(gap.high),
        rounded_down(gap.allowed),
        rounded_up(max(judgement.broken)),
        "" if judgement.verdict == PASS else cures,
        worst if judgement.verdict != PASS else [],
    )


def _judged(
    machine: FittedMachine, answer: FittedAnswer, tol: Number, exact: bool
) -> tuple[Vector, Judgement, str]:
    """Return (multipliers, their Judgement, the cure), of an answer that has multipliers."""
    problem, alpha, offsets = answer.problem, answer.alpha, answer.offsets
    found, w_norm2 = _in_doubles(machine, answer)
    within = tol * unit_of(found, w_norm2) if machine.is_own else tol
    if answer.w is None:
        given = problem, alpha, offsets, within
        judgement, why_not = judge_answer(found, *given, exact=exact)
    else:
        judgement, why_not = judge(found, within), ""
    if judgement.verdict != UNDECIDED or not why_not:
        why_not = cure_of(found, judgement, within, answer.serials, machine.is_own)
    return alpha, judgement, why_not


def _in_doubles(machine: FittedMachine, answer: FittedAnswer) -> tuple[MachineInDoubles, Number]:
    """Return (the machine of an answer that has multipliers, |w|^2)."""
    problem = answer.problem
    if answer.w is None:
        point = problem.at(answer.alpha, answer.offsets)
        return machine_at(point, answer.alpha, answer.offsets), point.w_norm2
    problem = problem.to(float)
    beta = problem.variables_of(list(map(float, answer.alpha)))
    return machine_of_w(problem, beta, *_weights(machine, answer)), 0


def _judged_by_w(
    machine: FittedMachine, answer: FittedAnswer, tol: Number
) -> tuple[Any, Judgement, str]:
    """Return the same of a w: by multipliers that are made of it, or solved for."""
    problem, kept = answer.problem.to(float), _weights(machine, answer)
    w, _, others = kept
    by_primal, alpha, allowed, at_most = _is_by_primal(machine, answer), None, None, None
    if by_primal:
        alpha = answer.alpha and list(map(float, answer.alpha))
        allowed, at_most = part_of_primal(problem, w, part_for_gap(problem, tol), others)
    if problem.slack == "squared":  # alpha = C xi: then P(w) - D(alpha) is |g|^2 / 2
        alpha = alpha or multipliers_of_w(problem, w)
        if not by_primal and problem.sides == 1:
            allowed = _promised_by_gradient(problem, tol)
    found, low = alpha and machine_of_w(problem, problem.variables_of(alpha), *kept), 0.0
    if not found or allowed is None or found.most() > allowed:
        solved = machine.plain._solve(problem, tol * SHARPER)[0]
        alpha = solved.alpha
        found = machine_of_w(problem, problem.variables_of(alpha), *kept)
        most = (
            solved.gap if solved.keeps_w else machine_at(problem.at(alpha, ()), alpha, ()).most()
        )
        low = max(found.least() - most, 0.0)
    if not by_primal:
        within = tol * unit_of(found, 0) if machine.is_own else tol
        allowed = max(allowed or 0, promised_gap(problem, found.beta, 0, within))
    gap = judged_promise("gap", low, found.most(), allowed, at_most)
    cure = OTHER_FIT if gap.verdict == FAIL else UNDECIDED_BY_W
    return alpha, Judgement(gap.verdict, [gap], judge(found, tol).broken), cure


def _is_by_primal(machine: FittedMachine, answer: FittedAnswer) -> bool:
    """Return whether refsvm trained the machine by the primal, for whose gap its tol is."""
    return machine.is_own and solves_primal(answer.problem, machine.fitted.dual)


def _weights(machine: FittedMachine, answer: FittedAnswer) -> tuple[Any, Any, Any]:
    """Return w in the columns of the points, how far from it the machine's may be, and the others.

    The weight of the constant is the offset divided by that, and rounded.
    """
    problem = answer.problem
    w = list(map(float, problem.in_columns_of_points(answer.w)))
    rounded = machine.plain._constant(float) not in (None, 1)
    others = list(map(float, problem.weights_of_other_columns(answer.w)))
    return w, above(U * abs(w[-1]), 2) + MIN_DOUBLE if rounded else 0, others


def _promised_by_gradient(problem: Any, tol: Number) -> Any:
    """Return |g|^2 / 2 for the largest gradient at which LIBLINEAR's Newton stops."""
    coefs = [c * y for c, y in zip(problem.C, problem.y)]
    at_zero = squared_norm(nearest_weights(coefs, problem.points))
    few = max(min(problem.y.count(1), problem.y.count(-1)), 1)
    share = tol * few / problem.n
    return share * share * at_zero / 2


def judge_answer(
    machine: MachineInDoubles,
    problem: TrainingProblem,
    alpha: VectorLike,
    offsets: VectorLike,
    within: Number,
    rounding: float = SINGLE_EPS,
    exact: bool = False,
) -> tuple[Judgement, str]:
    """Return the Judgement of an answer, and ""; or why fractions decide nothing.

    In doubles; by its certificate on Fractions, where it is asked for, and where doubles leave a
    doubt of a small problem. Without a certificate it does not pass, but what FAILs by conditions
    that are broken does so with any kernel.

    machine: that of the answer, in doubles
    """
    rough = judge(machine, within, rounding)
    in_doubt = rough.verdict == UNDECIDED and is_small(machine.problem, machine.beta)
    if not (exact or in_doubt or problem.kind is not float):
        return rough, ""
    try:
        found = _certificate(problem, alpha, offsets)
    except ValueError as error:
        verdict = max(rough.verdict, UNDECIDED, key=SEVERITY.index)
        cause, _, _ = str(error).partition(": v'Kv")  # the witness may be long
        return rough._replace(verdict=verdict), f"nothing can be certified: {cause}"
    return exact_judgement(found, alpha, within, rounding), ""


def _certificate(problem: TrainingProblem, alpha: VectorLike, offsets: VectorLike) -> Certificate:
    """Return the Certificate of the machine that is judged in doubles, too.

    A linear machine keeps a w that is rounded.
    """
    if problem.kind is float and problem.linear:
        return certify_weights(problem, alpha, problem.weights(alpha), offsets)
    return certify(problem, alpha, *offsets)


def exact_judgement(
    found: Certificate, alpha: VectorLike, within: Number, rounding: float = SINGLE_EPS
) -> Judgement:
    """Return the Judgement of the answer that was certified.

    alpha: the multipliers as given; within, rounding: as of judge
    """
    problem, form, off = found.problem, found.known.form, found.side.error()
    beta = problem.variables_of(problem.multipliers(alpha))
    scores = form.per_variable(found.side.weights.scores)
    ridge = form.per_variable(problem.ridge())
    parts = zip(form.target, scores, form.lam_per_variable(found.side.lam), ridge, beta)
    excess = [(e - off, e + off) for e in (t - (s + v) - c * x for t, s, v, c, x in parts)]
    low: Any = gap_between(found.gap, 2 * problem.scale * off * found.side.weights.size)
    gap: Any = max(low, Fraction(0)), found.gap
    return judgement_of(problem, form, beta, excess, gap, Fraction(within), Fraction(rounding))
