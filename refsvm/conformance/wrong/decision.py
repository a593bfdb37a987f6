"""Bugs of the decision: the model is right, what is said of a row is not.

Each change takes a trained machine and its decisions f, and returns what the program says instead;
None where it says nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import copysign, sqrt
from typing import Any, Optional

from ...kernels.base import as_kernel
from ...kernels.standard import Linear, Precomputed
from ...numerics.elementary import exp, tanh
from ...numerics.linalg import dot, squared_distance, total
from ..protocol.forms import C_SVC
from .pipeline import AfterTraining
from .rows import BLOCKS, HOW, counted, mean
from .tasks import BugTable

TABLE = BugTable("decide")
Floats = list[float]
Said = Optional[Floats]
OfDecisions = Callable[[AfterTraining, Floats], Said]
MAX_EXP = 700.0  # exp of more is beyond doubles


def _each(of_f: Callable[[float], float]) -> OfDecisions:
    """Return the change of each decision by itself."""
    return lambda m, f: [of_f(v) for v in f]


def _times(factor: Callable[[AfterTraining], float]) -> OfDecisions:
    """Return the change to another length."""

    def said(m: AfterTraining, f: Floats) -> Said:
        k = factor(m)
        return None if k in (0, 1) else [k * v for v in f]

    return said


def _origin(m: AfterTraining) -> float:
    return 0.0


def _mean_row(m: AfterTraining) -> float:
    """Return the score of the mean of the examples, of the linear kernel."""
    return mean(m.at) if type(m.task.kernel) is Linear else 0.0


def _rho(m: AfterTraining) -> float:
    return m.widths()[0] if m.task.form == "nu_svc" else 0.0


def _stretched(
    factor: Callable[[AfterTraining], float], origin: Callable[[AfterTraining], float] = _origin
) -> OfDecisions:
    """Return the change of w to another length, and not of b, of rows counted from some origin."""

    def said(m: AfterTraining, f: Floats) -> Said:
        k = factor(m)
        if k in (0, 1) or m.task.form == "svdd":
            return None
        return [v + (k - 1) * (s - origin(m)) / m.widths()[0] for v, s in zip(f, m.scores)]

    return said


def _norm(m: AfterTraining) -> float:
    return sqrt(max(m.w_norm2, 0.0))


def _one_C(m: AfterTraining) -> float:
    return m.task.bounds[0] if len(set(m.task.bounds)) == 1 and m.task.has_C else 0.0


TABLE.add(
    "SignFlipped",
    "Each class is called the other.",
    "scikit-learn/scikit-learn#4262 treder/MVPA-Light#54",
    {"every decision has the wrong sign": _each(lambda v: -v)},
)
TABLE.add(
    "LabelOrder",
    "Sorting the table by another column exchanges the classes.",
    "Xtra-Computing/thundersvm#134 Xtra-Computing/thundersvm#143",
    {
        "the class of the first row is +1": lambda m, f: (
            [v * m.task.y[0] for v in f] if m.task.is_labelled else None
        ),
        "the class of the last row is +1": lambda m, f: (
            [v * m.task.y[-1] for v in f] if m.task.is_labelled else None
        ),
    },
)
TABLE.add(
    "Length",
    "Labels are right; thresholds, probabilities and comparisons between classes are not.",
    "programs that return distances; conventions for |w|",
    {
        "decisions are distances, f / |w|": _times(lambda m: 1 / _norm(m) if _norm(m) else 0.0),
        "decisions are divided by |w|^2": _times(lambda m: 1 / m.w_norm2 if m.w_norm2 else 0.0),
        "decisions are halved": _times(lambda m: 0.5),
        "decisions are doubled": _times(lambda m: 2.0),
        "decisions are divided by n": _times(lambda m: 1 / m.task.n),
        "decisions are multiplied by n": _times(lambda m: float(m.task.n)),
        "decisions are divided by C": _times(lambda m: 1 / _one_C(m) if _one_C(m) else 0.0),
        "decisions are multiplied by C": _times(_one_C),
        "decisions are a hundredth too large": _times(lambda m: 1.01),
        "w has length 1, b is that of the longer one": _stretched(
            lambda m: 1 / _norm(m) if _norm(m) else 0.0
        ),
        "w is halved, b is not": _stretched(lambda m: 0.5),
        "w is doubled, b is not": _stretched(lambda m: 2.0),
        **{
            f"decisions are halved for more than {k} support vectors": lambda m, f, k=k: (
                [v / 2 for v in f] if len(_vectors(m)) > k else None
            )
            for k in (12, 50, 100)
        },
    },
)
TABLE.add(
    "RhoNotDivided",
    "Thresholds of one program mean nothing in the next.",
    "nu-machines that return what their solver has",
    {
        "decisions are not divided by rho": _times(_rho),
        "w is not divided by rho, b is": _stretched(_rho),
        "w is not divided by rho, b of centred rows is": _stretched(_rho, _mean_row),
    },
)


# ---- decisions that are something else


TABLE.add(
    "DecisionArithmetic",
    "What is called a decision is a label or a probability: ROC curves have one point.",
    "microsoft/onnxruntime#9429 onnx/sklearn-onnx#302",
    {
        "decisions are labels": _each(lambda v: 1.0 if v > 0 else -1.0),
        "decisions are labels 0 and 1": _each(lambda v: float(v > 0)),
        "decisions are probabilities": _each(
            lambda v: 1 / (1 + exp(-max(-MAX_EXP, min(MAX_EXP, v))))
        ),
        "decisions are squashed by tanh": _each(tanh),
        "decisions are without their signs": _each(abs),
        "decisions are cut at -1 and 1": _each(lambda v: max(-1.0, min(1.0, v))),
        "decisions are the slack, 1 - f": _each(lambda v: 1 - v),
        "values are cut to the range of y": lambda m, f: (
            [min(max(v, min(m.task.y)), max(m.task.y)) for v in f]
            if m.task.form.endswith("svr")
            else None
        ),
    },
)
TABLE.add(
    "DecisionsRounded",
    "Rows near the border are called 0, and rank alike.",
    "programs that print their answers with few digits",
    {
        "decisions are whole numbers": _each(lambda v: float(round(v))),
        "decisions are cut to whole numbers": _each(lambda v: float(int(v))),
        "decisions have one digit behind the point": _each(lambda v: round(v, 1)),
        "decisions have two digits behind the point": _each(lambda v: round(v, 2)),
        "decisions have three digits in all": _each(lambda v: float(f"{v:.3g}")),
        "decisions have two digits in all": _each(lambda v: float(f"{v:.2g}")),
    },
)
TABLE.add(
    "NothingLearnt",
    "The same is said of every row.",
    "eriklindernoren/ML-From-Scratch#41; labels 0 and 1 inside",
    {
        **{f"every decision is {v:g}": lambda m, f, v=v: [v] * len(f) for v in (0.0, 1.0, -1.0)},
        "every decision is b": lambda m, f: [f[0] - m.scores[0]] * len(f),
    },
)


# ---- some support vectors, or some rows


def _vectors(m: AfterTraining) -> list[int]:
    return [i for i, c in enumerate(m.beta) if c != 0]


def _with_beta(of_beta: Callable[[AfterTraining], Sequence[float] | None]) -> OfDecisions:
    """Return the decisions that other coefficients make, with the same b."""

    def said(m: AfterTraining, f: Floats) -> Said:
        beta = of_beta(m)
        if beta is None or list(beta) == m.beta:
            return None
        width = 1.0 if m.task.form != "nu_svc" else m.widths()[0]
        ball = 2.0 if m.task.form == "svdd" else 1.0
        kernel = m.task.kernel if m.task.there is None else m.task.there
        changes = [(i, c - d) for i, (c, d) in enumerate(zip(beta, m.beta)) if c != d]
        if isinstance(kernel, Precomputed):
            moved = [float(total([c * row[i] for i, c in changes])) for row in m.task.rows]
        else:
            values = as_kernel(kernel).row_function([m.task.X[i] for i, _ in changes], float)
            moved = [dot([c for _, c in changes], values(row)) for row in m.task.rows]
        return [v + ball * by / width for v, by in zip(f, moved)]

    return said


def _deciding(keeps: Callable[[AfterTraining, int], bool]) -> OfDecisions:
    """Return the decisions of those examples that are kept."""
    return _with_beta(lambda m: [c if keeps(m, i) else 0.0 for i, c in enumerate(m.beta)])


def _blocks(block: int, how: str, all_examples: bool) -> Callable[[AfterTraining], Floats | None]:
    """Return the coefficients with what is left after whole blocks counted wrongly."""

    def beta(m: AfterTraining) -> Floats | None:
        some = list(range(m.task.n)) if all_examples else _vectors(m)
        if how == "the rest is left out":
            counts: Any = [int(k < len(some) - len(some) % block) for k in range(len(some))]
            counts = counts if len(some) > block else None
        else:
            counts = counted(block, how)(len(some))
        if counts is None:
            return None
        times = dict(zip(some, counts))
        return [times.get(i, 0) * c for i, c in enumerate(m.beta)]

    return beta


def _among_first(k: int) -> Callable[[AfterTraining, int], bool]:
    return lambda m, i: i in _vectors(m)[:k]


TABLE.add(
    "SupportVectorsLost",
    "Some rows of the training data have no say when it decides.",
    "scikit-learn/scikit-learn#19654; support vectors told by a threshold",
    {
        "the first support vector does not decide": _deciding(lambda m, i: i != _vectors(m)[0]),
        "the last support vector does not decide": _deciding(lambda m, i: i != _vectors(m)[-1]),
        "support vectors at their bound do not decide": _deciding(
            lambda m, i: abs(m.beta[i]) < m.task.bounds[i]
        ),
        "only support vectors at their bound decide": _deciding(
            lambda m, i: abs(m.beta[i]) >= m.task.bounds[i]
        ),
        "negative coefficients do not decide": _deciding(lambda m, i: m.beta[i] > 0),
        **{
            f"support vectors behind the first {k} do not decide": _deciding(_among_first(k))
            for k in (12, 50, 100)
        },
    },
)
TABLE.add(
    "VectorsDropped",
    "Many rows of little weight move the border together, and have no say.",
    "codes that keep support vectors by a share of the largest coefficient",
    {
        "coefficients below 1/100 of the largest do not decide": _deciding(
            lambda m, i: abs(m.beta[i]) > max(map(abs, m.beta)) / 100
        ),
    },
)
TABLE.add(
    "DecisionArithmetic",
    "The sum over the support vectors is another one than that of the model.",
    "dgomes/onnx, scikit-learn/scikit-learn#8276: dual_coef_ without signs, or shifted",
    {
        "coefficients have no signs": _with_beta(
            lambda m: [abs(c) for c in m.beta] if m.task.form == C_SVC else None
        ),
        "coefficients are labels: alpha is 1": _with_beta(
            lambda m: [copysign(1.0, c) if c else 0.0 for c in m.beta]
        ),
        "coefficients are those of the example before": _with_beta(
            lambda m: [*m.beta[1:], m.beta[0]]
        ),
        "labels 0 and 1 when it decides": _with_beta(
            lambda m: [max(c, 0.0) for c in m.beta] if m.task.form == C_SVC else None
        ),
    },
)
TABLE.add(
    "BlockRemainder",
    "Right for 16 support vectors, wrong for 17: what is left over after whole blocks.",
    "loops that are unrolled or vectorised by hand",
    {
        f"{words} in blocks of {b}: {how}": _with_beta(_blocks(b, how, words == "examples"))
        for words in ("support vectors", "examples")
        for b in BLOCKS
        for how in ("the rest is left out", *HOW)
    },
)


def _linear_weights(of_w: Callable[[Floats], Floats]) -> OfDecisions:
    """Return the decisions with another w, of the linear kernel."""

    def said(m: AfterTraining, f: Floats) -> Said:
        if not isinstance(m.task.kernel, Linear) or m.task.form == "svdd":
            return None
        d = len(m.task.X[0])
        w = [float(total([c * x[j] for c, x in zip(m.beta, m.task.X)])) for j in range(d)]
        moved = [v - u for v, u in zip(of_w(w), w)]
        return [v + dot(moved, row) / m.widths()[0] for v, row in zip(f, m.task.rows)]

    return said


def _whole_blocks(b: int) -> Callable[[Floats], Floats]:
    return lambda w: [v if k < (len(w) // b * b or b) else 0.0 for k, v in enumerate(w)]


TABLE.add(
    "DecisionArithmetic",
    "w is kept in the wrong places: features are weighed as their neighbours are.",
    "mlpack/mlpack#2419: off by one row",
    {
        "w is shifted by one": _linear_weights(lambda w: [*w[1:], 0.0]),
        "w is shifted by one, the other way": _linear_weights(lambda w: [0.0, *w[:-1]]),
        **{
            f"w has the features of whole blocks of {b}": _linear_weights(_whole_blocks(b))
            for b in BLOCKS
        },
    },
)


def _far(of: Callable[[AfterTraining], Sequence[int]]) -> OfDecisions:
    """Return decisions of 0 where a row is farther out than four times some examples."""

    def said(m: AfterTraining, f: Floats) -> Said:
        if not m.task.has_features:
            return None
        size = 4 * max((abs(v) for i in of(m) for v in m.task.X[i]), default=0.0)
        return [0.0 if max(map(abs, x)) > size else v for x, v in zip(m.task.rows, f)]

    return said


def _unseen(m: AfterTraining, f: Floats) -> Said:
    """Return b where a row is farther from all examples than these are from each other."""
    if not m.task.has_features or m.task.form == "svdd":
        return None
    X = m.task.X
    wide = max(squared_distance(x, z) for x in X for z in X[:1])
    off = [min(squared_distance(row, x) for x in X) > 4 * wide for row in m.task.rows]
    return [v - s if far else v for v, s, far in zip(f, m.scores, off)]


TABLE.add(
    "FarRows",
    "Rows unlike the training data are all called the same.",
    "tables of kernel values that end somewhere",
    {"rows farther out than four times the support vectors are 0": _far(_vectors),
     "rows farther out than four times the examples are 0": _far(lambda m: range(m.task.n)),
     "rows far from all examples are b": _unseen},
)  # fmt: skip
TABLE.add(
    "BatchDependence",
    "A row is decided otherwise beside other rows: a service that decides one by one differs.",
    "scikit-learn-intelex and codes that decide in blocks",
    {
        "decisions are divided by the largest of the batch": lambda m, f: [
            v / max(1.0, *map(abs, f)) for v in f
        ],
        "decisions are sorted": lambda m, f: sorted(f),
        **{
            f"rows to decide about after the last whole block of {b} are 0": lambda m, f, b=b: [
                v if k < len(f) - len(f) % b else 0.0 for k, v in enumerate(f)
            ]
            for b in BLOCKS
        },
        **{
            f"rows behind the first {k} are decided as the first": lambda m, f, k=k: (
                f[:k] + f[:1] * (len(f) - k)
            )
            for k in (12, 50, 100)
        },
    },
)
