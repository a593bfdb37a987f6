"""The checks G1 to G4, G6, G8 and G9: what is asked of one answer to one case.

    G1  optimality    the objective at the answer, against the optimum; the shape of the decisions
    G2  multipliers   within their bounds, balanced, each example's condition kept
    G3  offset        within the interval of optimal offsets
    G4  arithmetic    the decisions are those of the model that is stated
    G6  consistency   attributes and predictions agree with each other
    G8  termination   an answer in time, finite, and honest about itself
    G9  round trip    a saved and loaded model decides as before

(G5 is in metamorphic.py, G7 in estimator_checks.py.) Never graded, because optima differ in them:
alpha, the set of support vectors and its order, b inside its interval, the number of steps.

An answer passes by the first of three rules that it keeps:

    exact          it is the optimum
    audited        its tolerance is kept: the gap is at most tol sum max(C_i - alpha_i, alpha_i)
    engineering    every decision is right to a thousandth of the decisions' size

Whoever states a tolerance and keeps the third rule only is "acceptable", not "pass".

    v_i      1 - y_i f_i, what example i lacks of the margin
    share_i  C_i max(0, v_i) - alpha_i v_i, its share of the gap: never negative

Source: Keerthi et al., Neural Computation 13 (2001), pages 637-649, for the conditions.
"""

from fractions import Fraction
from math import inf, isfinite
from typing import Any, NamedTuple

from ..numerics.linalg import dot, total
from .estimator_adapter import other_width, right_rows
from .truth import gap_of, kernel_values, middle, shape_of, worked_out

FEASIBLE = Fraction(1, 2**20)  # of C_i, of the sum of alpha: rounding, in single precision too
ROUNDING = Fraction(1, 2**50)  # of a sum of doubles in any order: of its absolute terms, each


class Finding(NamedTuple):
    """What a check found. worst is a row asked about, or None."""

    result: str  # "pass", "fail" or "acceptable"
    reason: str = ""
    flag: Any = None  # a failure's own kind of bug; None: what diagnosis.py makes of the errors
    gap: Any = None
    worst: Any = None


PASS = Finding("pass")


def failed(reason, flag=None, **more):
    return Finding("fail", reason, flag, **more)


def optimality(e):
    """G1."""
    if e.decisions is None:
        return labels_only(e)
    (excess, promised), shape = gap_of(e), shape_of(e)
    if excess == 0:
        return Finding("pass", "exact", gap=excess)
    if excess is not None and promised is not None and excess <= promised:
        return Finding("pass", "the stated tolerance is kept", gap=excess)
    if not shape.bent and not shape.outside:
        if promised is None:
            return Finding("pass", "every decision is right to a thousandth", gap=excess)
        reason = f"the gap exceeds {short(promised)}, which tol = {short(e.tol)} promises"
        return Finding("acceptable", reason, gap=excess)
    if not shape.bent:
        return Finding("pass", "only the offset is wrong, see G3", gap=excess)
    return failed(bent(e, shape), gap=excess, worst=shape.worst)


def bent(e, shape):
    """A sentence about decisions that differ by more than a shift."""
    k = shape.worst
    off = e.decisions[k] - e.truth.scores[k] - shape.shift
    return f"f is {short(e.decisions[k])}, which is off by {short(off)} whatever the offset"


def labels_only(e):
    """G1 of a subject that only predicts: a label is wrong where the truth leaves one only."""
    if e.answer.predictions is None:
        return failed("neither decisions, nor what they could be worked out from", "NoAnswer")
    low, high = e.truth.optimum.b_low, e.truth.optimum.b_high
    for k, (s, label) in enumerate(zip(e.truth.scores, e.answer.predictions)):
        right = 1 if s + low > 0 else -1 if s + high < 0 else None
        if right is not None and label != right:
            return failed(f"predicts {label} where f has the sign of {right}", worst=k)
    return Finding("pass", "every label that is determined is right")


def multipliers(e):
    """G2."""
    if e.beta is None or e.b is None:
        return None
    broken = infeasibility(e)
    return failed(broken[1], broken[0]) if broken else conditions(e)


def infeasibility(e):
    """(flag, sentence) about multipliers that are none; None if they are feasible."""
    problem, total = e.truth.problem, Fraction(0)
    alpha = [c * y for c, y in zip(e.beta, problem.y)]
    largest = max(map(abs, alpha))
    if max(alpha) <= 0 < largest:
        return "SignFlipped", "no alpha is positive: each beta has the opposite sign"
    for i, (a, most) in enumerate(zip(alpha, problem.upper_bounds())):
        if max(-a, a - most) > FEASIBLE * (largest if most == inf else most):
            return "AlphaOutside", f"alpha[{i}] is {short(a)}; it lies from 0 to {short(most)}"
        total += e.beta[i]
    if problem.bias and abs(total) > FEASIBLE * largest:
        return "AlphaUnbalanced", f"sum alpha_i y_i is {short(total)}; it must be 0"
    return None


def conditions(e):
    """Whether every example keeps its condition, to the stated tolerance or to a thousandth."""
    alpha = [c * y for c, y in zip(e.beta, e.truth.problem.y)]
    on_examples = e.truth._replace(rows=e.truth.problem.X)
    allowed = [max(min(e.truth.allowed), r) for r in roundings(on_examples, e.beta, None, e.b)]
    found = residuals(e, alpha)
    worst = found.index(max(found))
    if found[worst] <= (0 if e.tol is None else Fraction(e.tol)):
        return Finding("pass", "", worst=worst)
    if all(r <= a for r, a in zip(found, allowed)):
        result = "pass" if e.tol is None else "acceptable"
        return Finding(result, f"a margin is off by {short(found[worst])}", worst=worst)
    return failed(
        f"the margin of example {worst} is off by {short(found[worst])} for its alpha of"
        f" {short(alpha[worst])}",
        worst=worst,
    )


def residuals(e, alpha):
    """How far each example's margin is off, given its alpha: share_i over what alpha may move.

    It is |v| where alpha is inside its bounds, and goes to 0 with alpha or C - alpha where v has
    the sign that goes with this bound: so it does not matter whether 1e-20 counts as 0.
    """
    problem, found = e.truth.problem, []
    decisions = worked_out(e.truth, e.beta, e.b, None)
    for a, y, f, most, ridge in zip(
        alpha, problem.y, decisions, problem.upper_bounds(), problem.ridge()
    ):
        v = 1 - y * f - ridge * a
        if most == inf:
            found.append(max(v, Fraction(0)) if a <= 0 else abs(v))
        else:
            found.append((most * max(v, Fraction(0)) - a * v) / max(most - a, a))
    return found


def offset(e):
    """G3."""
    if e.decisions is None:
        return None
    shape, best = shape_of(e), e.truth.optimum
    if shape.outside == 0 or shape.bent:
        return PASS if not shape.bent else None
    return failed(
        f"b is {short(shape.shift)}; the optimal offsets lie from {short(best.b_low)} to"
        f" {short(best.b_high)}",
        worst=shape.worst,
    )


def arithmetic(e):
    """G4."""
    if e.stated is None:
        return None
    judged = False
    for beta, w, name in ((e.beta, None, "the multipliers"), (None, e.w, "w")):
        modelled = worked_out(e.truth, beta, e.b, w)
        if modelled is None:
            continue
        judged = True
        rounded = roundings(e.truth, e.beta, e.w, e.b)
        allowed = [max(a, r) for a, r in zip(e.truth.allowed, rounded)]
        for k, (f, model, most) in enumerate(zip(e.stated, modelled, allowed)):
            if abs(f - model) > most:
                return failed(
                    f"f is {short(f)}; of {name} and b as stated it is {short(model)}",
                    "DecisionArithmetic",
                    worst=k,
                )
    return PASS if judged else None


def roundings(truth, beta, w, b):
    """What rounding may do to each decision, when it is summed in doubles in any order."""
    problem, rows = truth.problem, truth.rows
    if beta is None:
        sizes = [dot([abs(c) for c in w], [abs(v) for v in x]) for x in rows]
    elif problem.linear:
        w = [total(abs(c * v) for c, v in zip(beta, column)) for column in zip(*problem.X)]
        sizes = [dot(w, [abs(v) for v in x]) for x in rows]
    else:
        absolute = [abs(c) for c in beta]
        sizes = [dot(absolute, [abs(v) for v in kernel_values(problem, x)]) for x in rows]
    return [ROUNDING * (len(rows[0]) + problem.n) * (s + abs(b)) for s in sizes]


def beyond_doubles(truth):
    """Whether rounding alone may spoil the decisions of the optimum itself."""
    best = truth.optimum
    most = roundings(truth, truth.problem.beta(best.alpha), None, middle(best))
    return any(r > a for r, a in zip(most, truth.allowed))


def consistency(e):
    """G6."""
    answer = e.answer
    attributes = answer.attributes or {}
    if not right_rows(attributes, e.request):
        return failed("X[support_] is not support_vectors_", "SupportIndices")
    if answer.changed:
        return failed(f"{answer.changed} is another afterwards", "InputChanged")
    reason = other_width(attributes, e.request) or inconsistent(attributes, e.request.y)
    if reason:
        return failed(reason, "Attributes")
    if e.stated is None:
        return None
    k = contradicted(e)
    if k is not None:
        said = f"predict says {answer.predictions[k]}, decision_function {short(e.stated[k])}"
        return failed(said, "PredictSign", worst=k)
    if isinstance(answer.beside, str):
        return failed(f"with threads: {answer.beside}", "Threads")
    for name, values, flag in (
        ("alone", answer.single, "BatchDependence"),
        ("after a second fit", numbered(answer.again), "StateKept"),
        ("after another model's fit", numbered(answer.after), "StateKept"),
        *[("fitted with threads", numbered(one), "Threads") for one in answer.beside or []],
    ):
        found = differing(e, values or [])
        if found is not None:
            k, value = found
            return failed(f"f is {short(e.stated[k])}, {name} it is {value:g}", flag, worst=k)
    return PASS


def numbered(values):
    """[(number, value), ..] of the values."""
    return values and list(enumerate(values))


def differing(e, values):
    """The first (row, decision) whose decision is another one; None if there is none."""
    for k, value in values:
        if not isfinite(value) or abs(e.stated[k] - Fraction(value)) > e.truth.allowed[k]:
            return k, value
    return None


def contradicted(e):
    """The first row of which predict says another class than the decision; None if there is none.

    A decision near 0 may be rounded to either side.
    """
    for k, (f, label) in enumerate(zip(e.stated, e.answer.predictions or [])):
        if abs(f) > FEASIBLE and (f > 0) != (label == 1):
            return k
    return None


def inconsistent(attributes, y):
    """A sentence about attributes that contradict each other; None if none do."""
    support, vectors = attributes.get("support"), attributes.get("support_vectors")
    if support is not None and vectors and len(vectors) != len(support):
        return f"support_ has {len(support)} rows, support_vectors_ has {len(vectors)}"
    counts = attributes.get("n_support")
    whole = None if counts is None else sum(counts)  # exact
    if support is not None and whole not in (None, len(support)):
        return f"n_support_ adds up to {whole}; support_ has {len(support)} rows"
    classes = attributes.get("classes")
    if support is not None and counts is not None and classes:
        right = [[y[i] for i in support].count(label) for label in classes]
        if counts != right:
            return f"n_support_ is {counts}; of the classes {classes} there are {right}"
    return None


def round_trip(e):
    """G9."""
    if e.answer.reloaded is None or e.stated is None:
        return None
    for k, (f, value) in enumerate(zip(e.stated, e.answer.reloaded)):
        if f != value:
            return failed(
                f"f is {short(f)}, after saving and loading it is {value:g}", "RoundTrip", worst=k
            )
    return PASS


def short(value):
    """A number in a sentence."""
    return f"{float(value):.6g}"


OF_AN_ANSWER = {
    "G1": optimality,
    "G2": multipliers,
    "G3": offset,
    "G4": arithmetic,
    "G6": consistency,
    "G9": round_trip,
}
