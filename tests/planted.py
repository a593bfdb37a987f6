"""Bugs planted in planted_svm.py, one change of text each; and changes that are no bugs.

    python tests/planted.py             the bugs that their case does not show, and one that does
    python tests/planted.py --write     the same; these cases are written into this file
    python tests/planted.py --search    every bug, and how many of all the cases show it: is slow

To add a bug is two lines: what is wrong, with the flag that the audit must give it; then the text
that is there once, and the text instead. `--write` adds the case of the audit that shows it, so
that the tests ask this one alone. Many of the bugs were met in programs in use; the numbers in
brackets are of the corpus that they were collected in.

FREEDOM lists changes that make another program and no wrong one: the audit must let them pass.
"""

import argparse
import ast
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from refsvm.conformance.audit import Auditor, audit  # noqa: E402

SOURCE = (Path(__file__).parent / "planted_svm.py").read_text(encoding="utf-8")
# Kernel values up to 10^21: SMO on doubles says that it has not finished, which is the truth.
EXPECTED = {"degree seven": "doubles do not suffice"}


class Change(NamedTuple):
    """What is changed in the small SVM; `flags`: any of these names the bug rightly.

    case: of the audit (or a pattern), in which the bug shows; None until one has been looked for.
    Of a change that is no bug, one in which its answers are others than without.
    """

    name: str
    flags: tuple
    old: str
    new: str
    case: str = None


def changed(change):
    """The class Machine with the change; AssertionError unless the text is there once."""
    assert SOURCE.count(change.old) == 1, f"{change.name}: {SOURCE.count(change.old)} places"
    module = sys.modules["planted_change"] = ModuleType("planted_change")  # pickle looks there
    exec(compile(SOURCE.replace(change.old, change.new), change.name, "exec"), vars(module))
    return module.Machine


def failures(subject, names=None):
    """The records of failure: of all the cases, or of those with these names."""
    records = audit(subject, isolate=False, expected=EXPECTED, names=names)
    return [record for record in records if record.result == "fail"]


def flags_in(change, case):
    """The flags that the audit gives to the machine with this change, in this case alone."""
    return {record.flag for record in failures(changed(change), [case])}


PLANTED, FREEDOM = [], []


def bug(name, flags, old, new, case=None):
    PLANTED.append(Change(name, tuple(flags.split()), old, new, case))


def free(name, old, new, case):
    FREEDOM.append(Change(name, (), old, new, case))


# ---- the offset

bug("b has the wrong sign where none is free (1)", "OffsetSign",
    "return (low + high) / 2", "return -(low + high) / 2", case="C01")
bug("b is 0 where none is free (7)", "OffsetMissing OffsetScaled OffsetEnds",
    "return (low + high) / 2", "return 0.0", case="C01")
bug("b is the sum of the ends, not the middle", "OffsetMissing OffsetScaled OffsetEnds",
    "return (low + high) / 2", "return low + high", case="C01")
bug("the two sets are exchanged in the middle (18)", "OffsetMissing OffsetScaled OffsetEnds",
    "low = max(v for v, a, s, c in zip(r, alpha, y, C) if (a < c if s > 0 else a > 0))",
    "low = max(v for v, a, s, c in zip(r, alpha, y, C) if (a > 0 if s > 0 else a < c))",
    case="C04")
bug("b is the mean over all support vectors (3)", "OffsetAveraged OffsetBounded",
    "if 0 < a < c]", "if a > 0]", case="C14")
bug("b is the mean over those at C too, not over all", "OffsetAveraged OffsetBounded",
    "if 0 < a < c]\n    if free", "if 0 < a <= c]\n    if free", case="C14")
bug("b is the mean over all examples", "OffsetAveraged OffsetBounded",
    "if 0 < a < c]", "]", case="C10")
bug("b is the mean of y - sign(s), not of y - s (2)", "OffsetSignOfF",
    "free = [v for v, a, c in zip(r, alpha, C)",
    "free = [s - math.copysign(1, s - v) for v, a, c, s in zip(r, alpha, C, y)", case="C11")
bug("b by the hard margin's formula, over all examples", "OffsetHardMargin",
    "free = [v for v, a, c in zip(r, alpha, C) if 0 < a < c]",
    "free = [min(v for v, s in zip(r, y) if s < 0), max(v for v, s in zip(r, y) if s > 0)]",
    case="identity matrix, C = 1/8")
bug("b is always 0 (14)", "OffsetMissing",
    "b = offset(alpha, r, y, C)", "b = 0.0 * offset(alpha, r, y, C)", case="C01")
bug("b has the wrong sign everywhere", "OffsetSign",
    "b = offset(alpha, r, y, C)", "b = -offset(alpha, r, y, C)", case="C01")
bug("b is counted twice where a kernel decides", "OffsetScaled DecisionArithmetic",
    "return dot(beta, [self.value(z, x) for z in self.support_vectors_]) + b",
    "return dot(beta, [self.value(z, x) for z in self.support_vectors_]) + 2 * b", case="C10")
bug("b is not added where a kernel decides (16)", "OffsetMissing DecisionArithmetic",
    "return dot(beta, [self.value(z, x) for z in self.support_vectors_]) + b",
    "return dot(beta, [self.value(z, x) for z in self.support_vectors_])", case="C10")
bug("b belongs to the moved rows still", "OffsetOrigin Translation",
    "b = b - dot(w, self.origin_)", "pass", case="C11")
bug("b is moved the wrong way", "OffsetOrigin Translation",
    "b = b - dot(w, self.origin_)", "b = b + dot(w, self.origin_)", case="C01")
bug("b is multiplied by C (11)", "OffsetScaled",
    "b = offset(alpha, r, y, C)", "b = self.C * max(C) * offset(alpha, r, y, C)", case="C14")

# ---- another problem

bug("the mean of the slacks, not the sum", "PriceScaled",
    "alpha, r, self.n_iter_", "C = [c / len(C) for c in C]\n        alpha, r, self.n_iter_",
    case="C01")
bug("C counts half", "PriceScaled",
    "C = [self.C * share", "C = [self.C / 2 * share", case="C02")
bug("C counts twice: no half before the norm", "PriceScaled",
    "C = [self.C * share", "C = [self.C * 2 * share", case="C02")
bug("C is taken for lambda: its reciprocal", "WeightsScaled PriceScaled",
    "C = [self.C * share", "C = [1 / self.C * share", case="C02")
RIDGED = """K = [[v + (1 / c if i == j else 0.0) for j, v in enumerate(row)]
             for i, (row, c) in enumerate(zip(K, C))]
        C = [math.inf] * len(C)
        alpha, r, self.n_iter_"""
bug("squared slack by mistake, C / 2 xi^2 (92)", "SquaredLoss",
    "alpha, r, self.n_iter_", RIDGED, case="C01")
bug("squared slack by mistake, C xi^2 (92)", "SquaredLoss",
    "alpha, r, self.n_iter_", RIDGED.replace("1 / c", "1 / (2 * c)"), case="C02")
UNTIED = """from refsvm import Precomputed, Problem, smo as untied
        ones = [[v + {} for v in row] for row in K]
        alpha = untied(Problem(ones, y, Precomputed(), C, bias=False), tol=1e-9).alpha
        self.n_iter_, done = 1, True
        b = {} * sum(a * s for a, s in zip(alpha, y))"""
TIED = """alpha, r, self.n_iter_, done = smo(K, y, C, self.tol, steps)
        b = offset(alpha, r, y, C)"""
bug("b is regularised with w (92)", "RegularisedOffset",
    TIED, UNTIED.format(1, 1), case="C14")
bug("there is no offset, and no equation (14)", "NoOffset",
    TIED, UNTIED.format(0, 0), case="C11")
bug("the margin is 2: y is subtracted twice (6)", "Margin PriceScaled",
    "return [s - dot(row, beta)", "return [2 * s - dot(row, beta)", case="C01")
bug("the hinge begins at 0: a perceptron", "NothingLearnt Margin",
    "return [s - dot(row, beta)", "return [0 * s - dot(row, beta)", case="C01")
bug("the hard margin, whatever C is", "PriceIgnored",
    "C = [self.C * share.get(label, 1.0) * v for", "C = [2.0**30 * (v > 0) for", case="C12")
bug("the rows are standardised in silence", "HiddenScaling Scale",
    "        self.classes_ = sorted", "        X = [[v / max(map(abs, x), default=1) if any(x) "
    "else v for v in x] for x in X]\n        self.classes_ = sorted", case="C01")
bug("the labels are left out of the dual (50)", "DualWithoutLabels",
    "beta = [a * s for a, s in zip(alpha, y)]\n    return", "beta = alpha\n    return", case="C01")

# ---- kernels

bug("coef0 is dropped", "KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return power(self.gamma_ * dot(x, z), self.degree)", case="C09")
bug("coef0 is subtracted", "KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return power(self.gamma_ * dot(x, z) - self.coef0, self.degree)", case="C09")
bug("gamma is dropped from the polynomial", "KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return power(dot(x, z) + self.coef0, self.degree)", case="gamma on the power")
bug("gamma multiplies coef0 too", "KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return power(self.gamma_ * (dot(x, z) + self.coef0), self.degree)", case="kernel 9")
bug("the degree is one less", "KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree - 1)",
    case="coef0 is no offset")
bug("the degree is always 3", "KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return power(self.gamma_ * dot(x, z) + self.coef0, 3)", case="C09")
bug("0^0 = 0", "ZeroToTheZero ConstantKernel",
    "result = 1.0\n", "result = 1.0 if base else 0.0\n", case="zero to the zero")
bug("a constant kernel is an error (69)", "Crash",
    "result = 1.0\n", "result = 1.0 if degree else 1 / 0\n", case="C10")
bug("gamma is taken for sigma: exp(-d / (2 sigma^2))", "KernelParameters",
    "return math.exp(-self.gamma_ * distance)",
    "return math.exp(-distance / (2 * self.gamma_ ** 2))", case="E2-5")
bug("gamma as 1 / sigma^2: half of it is missing", "KernelParameters",
    "return math.exp(-self.gamma_ * distance)", "return math.exp(-self.gamma_ * distance / 2)",
    case="E2-5")
bug("gamma is dropped from the Gaussian", "KernelParameters",
    "return math.exp(-self.gamma_ * distance)", "return math.exp(-distance)", case="E2-5")
bug("the distance is not squared", "KernelFormula",
    "return math.exp(-self.gamma_ * distance)",
    "return math.exp(-self.gamma_ * math.sqrt(distance))", case="E2-5")
bug("the distance is the sum of absolute values", "KernelFormula",
    "(p - q) * (p - q) for p, q in zip(x, z))", "abs(p - q) for p, q in zip(x, z))", case="E2-5")
bug("xx + zz - 2 xz (75)", "Cancellation",
    "distance = sum((p - q) * (p - q) for p, q in zip(x, z))",
    "distance = dot(x, x) + dot(z, z) - 2 * dot(x, z)", case="E5-100000000")
bug("-tanh (24)", "KernelSign",
    "return math.tanh(", "return -math.tanh(", case="sign of the sigmoid")
bug("the columns of a row of kernel values are the first few (4)", "DecisionArithmetic",
    "return dot(beta, [x[i] for i in self.support_]) + b",
    "return dot(beta, x[: len(beta)]) + b", case="C23")
bug("kernel values in single precision (31, 42)", "Float32Rows",
    "moved = self.moved(rows)", "self.origin_, moved = [0.0] * len(X[0]), rows\n"
    "            from struct import pack, unpack\n"
    "            self.value = lambda x, z: unpack('f', pack('f', dot(x, z)))[0] "
    "if self.kernel == 'linear' else type(self).value(self, x, z)", case="C17")
bug("rows in half precision", "Float32Rows",
    "X = [[float(v) for v in x] for x in X]\n        weight",
    "from struct import pack, unpack\n"
    "        X = [[unpack('e', pack('e', min(float(v), 65504)))[0] for v in x] for x in X]\n"
    "        weight", case="a quarter and three quarters of a year")

# ---- the solver

bug("a pair without curvature is skipped (49)", "FlatPairSkipped",
    "    if eta <= 0:\n        return room", "    if eta <= 0:\n        return 0.0", case="C03")
bug("a pair without curvature ends it all", "FlatPairSkipped",
    "        t = travel(K, alpha, r, y, C, i, j)\n",
    "        t = travel(K, alpha, r, y, C, i, j)\n"
    "        if K[i][i] + K[j][j] - 2 * K[i][j] <= 0:\n"
    "            return alpha, r, step, True\n", case="C20")
bug("stops when a step is short (49)", "AbsoluteThreshold",
    "        t = travel(K, alpha, r, y, C, i, j)\n",
    "        t = travel(K, alpha, r, y, C, i, j)\n"
    "        if t < 1e-5:\n            return alpha, r, step, True\n", case="C16")
bug("multipliers below 1e-5 are dropped (51)", "AbsoluteThreshold",
    "if v != 0]\n        self.support_ ", "if abs(v) > 1e-5]\n        self.support_ ", case="C16")
bug("curvature below 1e-3 counts as none", "AbsoluteThreshold FlatPairSkipped",
    "    if eta <= 0:\n        return room", "    if eta <= 1e-3:\n        return 0.0", case="C03")
bug("the ends of the segment are exchanged, for the one that rises", "NotConverged StoppedEarly",
    "rise = C[i] - alpha[i] if y[i] > 0 else alpha[i]",
    "rise = alpha[i] if y[i] > 0 else C[i] - alpha[i]", case="C01")
bug("the ends of the segment are exchanged, for the one that falls", "NotConverged StoppedEarly",
    "fall = alpha[j] if y[j] > 0 else C[j] - alpha[j]",
    "fall = C[j] - alpha[j] if y[j] > 0 else alpha[j]", case="C01")
bug("only the first of a pair is clipped (46)", "AlphaOutside AlphaUnbalanced",
    "room = min(rise, fall)", "room = rise", case="C14")
bug("clipped each for itself: the multipliers do not balance (46)", "AlphaOutside AlphaUnbalanced",
    "return min(best, room)", "return best", case="C14")
bug("alpha never falls", "AlphaOutside AlphaUnbalanced",
    "        advance(alpha, y, C, j, -t)\n", "        pass\n", case="C09")
bug("the errors are not updated after a step (48)", "StoppedEarly",
    "        r = [v - t * (p - q) for v, p, q in zip(r, K[i], K[j])]\n        fresh",
    "        if step:\n            return alpha, r, step, True\n        fresh", case="C05")
bug("stops after two quiet passes, whatever the gap (36, 47)", "StoppedEarly",
    "        if r[i] - r[j] <= tol:\n", "        if r[i] - r[j] <= tol or step >= n:\n"
    "            return alpha, r, step, True\n        if r[i] - r[j] <= tol:\n", case="C08")
bug("a cap on the steps, and no word about it (41, 45)", "StoppedEarly",
    "        if r[i] - r[j] <= tol:\n",
    "        if r[i] - r[j] <= tol or step == 12:\n            return alpha, r, step, True\n"
    "        if r[i] - r[j] <= tol:\n", case="C08")
bug("a tolerance of 1/2, whatever was asked for", "StoppedEarly",
    "smo(K, y, C, self.tol, steps)", "smo(K, y, C, 0.5, steps)", case="C11")
bug("max_iter reached counts as done (36)", "NotSaid",
    "return alpha, r, max_iter, False", "return alpha, r, max_iter, True", case="E7")
bug("the last example is never looked at", "StoppedEarly ExampleIgnored",
    "up = [i for i, (a, s, c) in enumerate(zip(alpha, y, C)) if (a < c if s > 0 else a > 0)]",
    "up = [i for i, (a, s, c) in enumerate(zip(alpha, y, C[:-1])) if (a < c if s > 0 else a > 0)]"
    " or [0]", case="C08")
bug("the first column is dropped", "FeatureIgnored",
    "X = [[float(v) for v in x] for x in X]\n        weight",
    "X = [[0.0, *map(float, x[1:])] for x in X]\n        weight", case="C06")
bug("equal rows are merged, their weights are not (Duplicate)", "Duplicates",
    "kept = [i for i, c in enumerate(C) if c > 0]",
    "kept = [i for i, c in enumerate(C) if c > 0 and (X[i], y[i]) not in list(zip(X, y))[:i]]",
    case="C23")

# ---- weights and labels

bug("sample weights are ignored (61)", "WeightsIgnored",
    "weight = [1.0] * len(X) if sample_weight is None else [float(v) for v in sample_weight]",
    "weight = [1.0] * len(X)", case="C14")
bug("the first example's penalty is that of all (13)", "WeightsIgnored",
    "C = [self.C * share.get(label, 1.0) * v for label, v in zip(y, weight)]",
    "C = [self.C * share.get(label, 1.0) * weight[0] for label, v in zip(y, weight)]", case="C14")
bug("the weights of the classes are exchanged (23)", "WeightsSwapped",
    "alpha, r, self.n_iter_",
    "top = {s: max(c for c, t in zip(C, y) if t == s) for s in y}\n"
    "        C = [c / top[s] * top[-s] for c, s in zip(C, y)]\n        alpha, r, self.n_iter_",
    case="C14")
bug("the weights are given to the examples in the other order", "WeightsSwapped",
    "for label, v in zip(y, weight)]\n        kept", "for label, v in zip(y, weight[::-1])]\n"
    "        kept", case="C14")
bug("weights multiply the rows, not C", "WeightsOnRows",
    "C = [self.C * share.get(label, 1.0) * v for label, v in zip(y, weight)]",
    "X = [[w * v for v in x] for w, x in zip(weight, X)]\n"
    "        C = [self.C * share.get(label, 1.0) for label in y]", case="weights 3113")
bug("weights are normalised to a mean of 1", "WeightsScaled",
    "        self.classes_ = sorted",
    "        weight = [w * len(weight) / sum(weight) for w in weight]\n"
    "        self.classes_ = sorted", case="C24")
bug("an example of weight 0 counts fully", "ZeroWeight",
    "C = [self.C * share.get(label, 1.0) * v for",
    "C = [self.C * share.get(label, 1.0) * (v or 1) for", case="C01")
bug("support_ counts the rows that have a weight (59)", "SupportIndices",
    "self.support_ = [kept[k] for k in chosen]", "self.support_ = chosen", case="E3")
bug("class_weight is ignored (63)", "ClassWeight",
    "share = self.class_weight or {}", "share = {}", case="class weights")
bug("class_weight is given to the other class (23)", "ClassWeight",
    "share.get(label, 1.0)", "share.get(first if label == second else second, 1.0)",
    case="class weights")
bug("'balanced' does not look at sample weights (62)", "ClassWeight",
    "for label, w in zip(y, weight) if label == k)", "for label in y if label == k for w in [1])",
    case="class weights")
bug("the first class seen is the first (21)", "LabelOrder",
    "self.classes_ = sorted(set(y))", "self.classes_ = list(dict.fromkeys(y))", case="C01")
bug("the decisions have the other sign (20)", "SignFlipped",
    "signs = [1 if label == second else -1 for label in y]",
    "signs = [-1 if label == second else 1 for label in y]", case="C01")
bug("predict says -1 and +1, whatever the labels are (25)", "NotAccepted",
    "return [second if f >= 0 else first for", "return [1 if f >= 0 else -1 for", case="labels")
bug("predict is turned round (22)", "PredictSign Attributes",
    "return [second if f >= 0 else first for", "return [first if f >= 0 else second for",
    case="C01")

# ---- what is left after fit

bug("decisions are divided by the largest of the batch (80)", "BatchDependence",
    "return [self.decide(x) for x in X]",
    "found = [self.decide(x) for x in X]\n"
    "        return [f / max(max(map(abs, found)), 1) for f in found]", case="C01")
bug("a second fit keeps the first one's b (56)", "StateKept",
    "        self.intercept_ = [b]", "        self.intercept_ = getattr(self, 'intercept_', [b])",
    case="C02")
bug("the support vectors of the fit before are kept too (56)", "StateKept",
    "self.dual_coef_ = [[beta[k] for k in chosen]]",
    "self.dual_coef_ = [[beta[k] * (1.5 if hasattr(self, 'coef_') else 1) for k in chosen]]",
    case="C01")
bug("a model is saved with 3 digits (87)", "RoundTrip",
    "return json.dumps(vars(self))",
    "return json.dumps(json.loads(json.dumps(vars(self)), "
    "parse_float=lambda v: float('%.3g' % float(v))))", case="C02")
bug("a model is saved without b (88)", "RoundTrip",
    "return json.dumps(vars(self))", "return json.dumps({**vars(self), 'intercept_': [0.0]})",
    case="C02")
bug("a model saved has lost its width (88)", "RoundTrip Refused",
    "vars(self).update(json.loads(text))", "vars(self).update(json.loads(text), width_=99)",
    case="C01")
bug("coef_ is shifted by one (90)", "DecisionArithmetic",
    "self.coef_ = [w]", "self.coef_ = [[*w[1:], 0.0]]", case="C01")
bug("dual_coef_ has no signs (74)", "DecisionArithmetic AlphaOutside SignFlipped",
    "self.dual_coef_ = [[beta[k] for k in chosen]]",
    "self.dual_coef_ = [[abs(beta[k]) for k in chosen]]", case="C01")
bug("n_support_ counts everybody", "Attributes",
    "sum(beta[k] < 0 for k in chosen)", "sum(v <= 0 for v in beta)", case="C04")
bug("support_vectors_ are the first rows", "SupportIndices",
    "self.support_vectors_ = [rows[k] for k in chosen]",
    "self.support_vectors_ = rows[: len(chosen)]", case="C05")

# ---- what must be refused, and what must not happen

bug("NaN and infinity count as 0 (70)", "RejectNotFinite",
    "X = [[float(v) for v in x] for x in X]\n        weight",
    "X = [[float(v) if math.isfinite(v) else 0.0 for v in x] for x in X]\n        weight",
    case="a matrix that holds NaN")
bug("of one class alone, the last example is taken for the other", "RejectOneClass",
    "        self.refuse(X, y, weight)",
    "        y = y if len(set(y)) > 1 else [*y[:-1], -y[-1]]\n        self.refuse(X, y, weight)",
    case="only minus")
bug("C below 0 counts as positive", "RejectPenalty",
    "if not 0 < self.C < math.inf:", "self.C = abs(self.C)\n        if not 0 < self.C < math.inf:",
    case="C is negative")
bug("rows of negative weight are dropped (58)", "RejectWeight",
    "if not all(math.isfinite(v) and v >= 0 for v in weight):", "if False:",
    case="a weight that is NaN")
bug("a matrix that is not square is filled up with zeros (67)", "RejectShape",
    "        self.refuse(X, y, weight)",
    "        if self.kernel == 'precomputed':\n"
    "            X = [[*x, *[0.0] * len(X)][: len(X)] for x in X]\n"
    "        self.refuse(X, y, weight)", case="a matrix that is not square")
bug("a matrix that is not symmetric is taken", "RejectAsymmetric",
    "if [list(column) for column in zip(*X)] != X:", "if False:",
    case="a matrix that is not symmetric")
bug("an unknown kernel is taken for the Gaussian (71)", "RejectUnknown",
    "if self.kernel not in (", "if not self.kernel in (self.kernel, ", case="an unknown kernel")
bug("weights are filled up with ones", "RejectShape",
    "        self.refuse(X, y, weight)",
    "        weight = [*weight, *[1.0] * len(X)][: len(X)]\n        self.refuse(X, y, weight)",
    case="too few weights")
bug("some decisions are not finite (70, 84)", "NotFinite Refused",
    "best = (r[i] - r[j]) / eta\n",
    "best = (r[i] - r[j]) / eta if eta > 1e-3 else math.nan\n", case="C19")
bug("the machine crashes where none is free (8)", "Crash Refused",
    "    low = max(v for", "    sum(free) / len(free)\n    low = max(v for", case="C01")

# ---- more of every sort, which no corpus has

bug("support_ counts from 1", "SupportIndices",
    "self.support_ = [kept[k] for k in chosen]", "self.support_ = [kept[k] + 1 for k in chosen]",
    case="C01")
bug("n_support_ has the classes the other way round", "Attributes",
    "[sum(beta[k] < 0 for k in chosen), sum(beta[k] > 0 for k in chosen)]",
    "[sum(beta[k] > 0 for k in chosen), sum(beta[k] < 0 for k in chosen)]", case="C11")
bug("class_weight counts for the first class only", "ClassWeight",
    "share.get(label, 1.0)", "(share.get(label, 1.0) if label == first else 1.0)",
    case="class weights")
bug("'balanced' without the number of classes", "ClassWeight",
    "sum(weight) / (2 * of[k])", "sum(weight) / of[k]", case="class weights")
bug("a label is positive if it is above 0", "NotAccepted",
    "1 if label == second else -1 for label in y", "1 if float(label) > 0 else -1 for label in y",
    case="labels")
bug("predict wants a margin of 1", "PredictSign",
    "return [second if f >= 0 else first", "return [second if f >= 1 else first", case="C02")
bug("b from the examples at C only", "OffsetBounded OffsetAveraged",
    "if 0 < a < c]", "if a == c]", case="E1-20")
bug("gamma='scale' of the rows asked about", "GammaScale BatchDependence",
    "        refuse_rows(X, self.width_)\n",
    "        refuse_rows(X, self.width_)\n"
    "        self.gamma_ = scale_of(X) if self.gamma == 'scale' else self.gamma\n",
    case="gamma scale")
bug("gamma='scale' is 1 / features", "GammaScale",
    "return 1 / (len(X[0]) * variance) if variance > 0 else 1.0", "return 1 / len(X[0])",
    case="gamma scale")
bug("gamma='scale' by the deviation (65)", "GammaScale",
    "return 1 / (len(X[0]) * variance) if", "return 1 / (len(X[0]) * variance ** 0.5) if",
    case="gamma scale")
bug("gamma='scale' without the number of features", "GammaScale",
    "return 1 / (len(X[0]) * variance) if", "return 1 / variance if", case="gamma scale")
bug("equal rows are dropped, whatever their labels", "Duplicates ExampleIgnored",
    "kept = [i for i, c in enumerate(C) if c > 0]",
    "kept = [i for i, c in enumerate(C) if c > 0 and X[i] not in X[:i]]", case="C23")
bug("fit moves the caller's rows", "InputChanged",
    "        X = [[float(v) for v in x] for x in X]\n        weight",
    "        for x in X:\n            x[0] -= 1\n"
    "        X = [[float(v) + (not k) for k, v in enumerate(x)] for x in X]\n        weight",
    case="C01")
bug("deciding moves the caller's rows", "InputChanged",
    "    def decision_function(self, X):\n",
    "    def decision_function(self, X):\n        for x in X:\n            x[0] += 0.5\n",
    case="C01")
bug("C counts n times", "PriceScaled",
    "C = [self.C * share", "C = [self.C * len(X) * share", case="C02")
bug("C is for one class, the other has 1", "PriceIgnored",
    "C = [self.C * share", "C = [(self.C if label == second else 1.0) * share", case="C08")
bug("one class has no upper bound", "PriceIgnored",
    "C = [self.C * share", "C = [(self.C if label == second else 2.0 ** 40) * share", case="C04")
bug("who is at a bound after n steps stays there", "StoppedEarly",
    "        i, j = pair(alpha, r, y, C)\n",
    "        if step == n:\n"
    "            gone = [k for k, a in enumerate(alpha) if a in (0, C[k])]\n"
    "        left = [0.0 if step >= n and k in gone else v for k, v in enumerate(r)]\n"
    "        i, j = pair(alpha, left, y, C)\n", case="C11")
bug("multipliers below a hundredth of C are 0", "AbsoluteThreshold StoppedEarly AlphaUnbalanced",
    "        self.fit_status_",
    "        alpha = [0.0 if a < 1e-2 * c else a for a, c in zip(alpha, C)]\n"
    "        self.fit_status_", case="E1-12")
bug("a thousand times the tolerance", "ToleranceBroken",
    "smo(K, y, C, self.tol, steps)", "smo(K, y, C, self.tol * 1000, steps)", case="tolerance")
bug("the tolerance is measured in C", "ToleranceBroken",
    "smo(K, y, C, self.tol, steps)", "smo(K, y, C, self.tol * max(1, max(C)), steps)",
    case="tolerance")
bug("multipliers in single precision", "ToleranceBroken",
    "        self.fit_status_",
    "        from struct import pack, unpack\n"
    "        alpha = [unpack('f', pack('f', min(a, 1e38)))[0] for a in alpha]\n"
    "        self.fit_status_", case="tolerance")
bug("decisions without the first support vector", "DecisionArithmetic",
    "return dot(beta, [self.value(z, x) for z in self.support_vectors_]) + b",
    "return dot(beta[1:], [self.value(z, x) for z in self.support_vectors_[1:]]) + b", case="C09")
bug("intercept_ is taken for rho", "DecisionArithmetic OffsetSign",
    "            return dot(self.coef_[0], x) + b", "            return dot(self.coef_[0], x) - b",
    case="C01")
bug("coef0 is added to the power", "KernelFormula KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return power(self.gamma_ * dot(x, z), self.degree) + self.coef0", case="C09")
bug("gamma multiplies the power", "KernelFormula KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return self.gamma_ * power(dot(x, z) + self.coef0, self.degree)", case="gamma left out")
bug("degree 1 is linear, without gamma", "KernelParameters",
    '        if self.kernel == "poly":\n',
    '        if self.kernel == "poly" and self.degree == 1:\n'
    "            return dot(x, z) + self.coef0\n"
    '        if self.kernel == "poly":\n', case="kernel parameters")
bug("the sigmoid without coef0", "KernelParameters",
    "return math.tanh(self.gamma_ * dot(x, z) + self.coef0)",
    "return math.tanh(self.gamma_ * dot(x, z))", case="kernel parameters")
bug("the sigmoid without gamma", "KernelParameters",
    "return math.tanh(self.gamma_ * dot(x, z) + self.coef0)",
    "return math.tanh(dot(x, z) + self.coef0)", case="kernel parameters")
bug("the distance is divided by the number of features", "KernelParameters",
    "return math.exp(-self.gamma_ * distance)",
    "return math.exp(-self.gamma_ * distance / len(x))", case="E2-5")
bug("columns are standardised in fit, in silence", "HiddenScaling",
    "        self.classes_ = sorted",
    "        from statistics import fmean, pstdev\n"
    "        columns = [list(c) for c in zip(*X)]\n"
    "        X = X if self.kernel == 'precomputed' else "
    "[[(v - fmean(c)) / (pstdev(c) or 1) for v, c in zip(x, columns)] for x in X]\n"
    "        self.classes_ = sorted", case="C01")
bug("weights are rounded up", "WeightsScaled WeightsIgnored",
    "[float(v) for v in sample_weight]", "[float(math.ceil(v)) for v in sample_weight]",
    case="C14")
bug("weights are 1 at most", "WeightsScaled WeightsIgnored",
    "[float(v) for v in sample_weight]", "[min(float(v), 1.0) for v in sample_weight]",
    case="weights 1211")
bug("the roots of the weights", "WeightsScaled",
    "[float(v) for v in sample_weight]", "[math.sqrt(v) for v in sample_weight]", case="C24")
bug("the kernel matrix of an earlier fit is kept", "StateKept",
    "            K = [[self.value(x, z) for z in moved] for x in moved]",
    "            self.K_ = K = vars(self).get('K_') or "
    "[[self.value(x, z) for z in moved] for x in moved]\n"
    "            K = [row[:len(y)] for row in K][:len(y)]", case="E8")
bug("decisions are probabilities", "DecisionArithmetic",
    "return [self.decide(x) for x in X]",
    "return [1 / (1 + math.exp(-max(-700, min(700, self.decide(x))))) for x in X]", case="C01")
bug("decisions are labels", "DecisionArithmetic",
    "return [self.decide(x) for x in X]", "return [math.copysign(1, self.decide(x)) for x in X]",
    case="C01")
bug("decisions are distances from the border", "DecisionArithmetic",
    "            return dot(self.coef_[0], x) + b",
    "            w = self.coef_[0]\n"
    "            return (dot(w, x) + b) / (math.sqrt(dot(w, w)) or 1)", case="C01")
bug("half of each multiplier at C", "AlphaOutside StoppedEarly AlphaUnbalanced",
    "        self.fit_status_",
    "        alpha = [a / 2 if a == c else a for a, c in zip(alpha, C)]\n        self.fit_status_",
    case="C14")

# ---- more that no corpus has: state, inputs, sizes

GRAM = "            K = [[self.value(x, z) for z in moved] for x in moved]"
KEEPING = """            K = globals().setdefault("CACHE", {}).setdefault(
                %s, [[self.value(x, z) for z in moved] for x in moved])"""

bug("kernel values of whole numbers wrap round at 32 bits", "NotAccepted",
    "        if self.kernel == \"linear\":\n            return dot(x, z)\n        if",
    "        if self.kernel == \"linear\":\n            s = dot(x, z)\n"
    "            whole = all(v % 1 == 0 for v in (*x, *z))\n"
    "            return (s + 2**31) % 2**32 - 2**31 if whole else s\n        if", case="integers")
bug("rows to decide about are cut to whole numbers, as those of fit are", "NotAccepted",
    "        refuse_rows(X, self.width_)\n",
    "        refuse_rows(X, self.width_)\n"
    "        if all(v % 1 == 0 for x in self.support_vectors_ for v in x):\n"
    "            X = [[float(int(v)) for v in x] for x in X]\n", case="integers")
bug("the Gram matrix is kept for all problems of as many examples", "StateKept",
    GRAM, KEEPING % "len(moved)", case="C07")
bug("gamma='scale' becomes a number in the first fit (65)", "StateKept",
    'self.gamma_ = scale_of(X) if self.gamma == "scale" else self.gamma',
    'self.gamma = self.gamma_ = scale_of(X) if self.gamma == "scale" else self.gamma',
    case="gamma scale")
bug("b is the class's, so that of the last machine", "StateKept",
    "        self.intercept_ = [b]", "        type(self).intercept_ = [b]", case="C02")
bug("the coefficients are the class's", "StateKept",
    "self.coef_ = [w]", "self.coef_ = vars(type(self)).get('kept') or [w]\n"
    "            type(self).kept = self.coef_\n            self.coef_[0] = w", case="C01")
bug("r is that of the fit before: a warm start", "StateKept",
    "        b = offset(alpha, r, y, C)\n",
    "        self.r_, r = r, vars(self).get('r_', r)\n        b = offset(alpha, r, y, C)\n",
    case="C01")
bug("labels are sorted as words", "LabelOrder",
    "self.classes_ = sorted(set(y))", "self.classes_ = sorted(set(y), key=str)", case="labels")
bug("labels are sorted by their size", "LabelOrder",
    "self.classes_ = sorted(set(y))",
    "self.classes_ = sorted(set(y), key=lambda v: v if isinstance(v, str) else str(abs(v)))",
    case="C06")
bug("labels are made doubles", "NotAccepted",
    "        self.refuse(X, y, weight)",
    "        y = [v if isinstance(v, str) else float(v) for v in y]\n"
    "        self.refuse(X, y, weight)", case="labels")
bug("class_weight by its order, not by its labels", "ClassWeight",
    "share = self.class_weight or {}",
    "share = self.class_weight or {}\n"
    "        if isinstance(share, dict):\n"
    "            share = dict(zip(self.classes_, share.values()))", case="class weights")
bug("class_weight takes the place of sample_weight", "ClassWeight",
    "self.C * share.get(label, 1.0) * v for", "self.C * share.get(label, v) for",
    case="class weights")
bug("blocks of 1000 rows, and no rest", "BatchDependence",
    "return [self.decide(x) for x in X]",
    "most = len(X) // 1000 * 1000 or len(X)\n"
    "        return [self.decide(x) if k < most else 0.0 for k, x in enumerate(X)]",
    case="many rows")
bug("decisions are sorted", "DecisionArithmetic BatchDependence",
    "return [self.decide(x) for x in X]", "return sorted(self.decide(x) for x in X)", case="C01")
bug("a cache of 64 rows, the others are these again", "StoppedEarly ManyExamples",
    GRAM, GRAM + "\n            K = [K[i % 64] for i in range(len(K))]", case="many examples")
bug("the first hundred examples suffice", "StoppedEarly ExampleIgnored",
    "kept = [i for i, c in enumerate(C) if c > 0]",
    "kept = [i for i, c in enumerate(C) if c > 0][:100]", case="many examples")
bug("constant columns are dropped", "FeatureIgnored",
    "        self.gamma_ = scale",
    "        if self.kernel == 'poly':\n"
    "            X = [[v if len(set(c)) > 1 else 0.0 for v, c in zip(x, zip(*X))] for x in X]\n"
    "        self.gamma_ = scale", case="constant column, a kernel")
bug("what overflows is 0", "KernelFormula",
    "        return math.exp(-self.gamma_ * distance)",
    "        distance = distance if distance < math.inf else 0.0\n"
    "        return math.exp(-self.gamma_ * distance)", case="Gaussian, rows at 2^600")
bug("sample_weight is doubled where it stands", "InputChanged",
    "        self.refuse(X, y, weight)",
    "        self.refuse(X, y, weight)\n"
    "        for i, v in enumerate(weight if sample_weight is not None else []):\n"
    "            sample_weight[i] = 2 * v", case="C14")
bug("weights are whole numbers", "WeightsScaled WeightsIgnored",
    "[float(v) for v in sample_weight]",
    "[float(math.floor(v)) if 1 <= v < 1e300 else float(v) for v in sample_weight]",
    case="weights that are no whole numbers")
bug("rows to decide about may have any width", "RejectShape",
    "        refuse_rows(X, self.width_)\n        return",
    "        refuse_rows(X, len(X[0]))\n        return", case="rows to decide")
bug("a NaN to decide about is 0", "RejectNotFinite",
    "        refuse_rows(X, self.width_)\n        return",
    "        X = [[v if v == v else 0.0 for v in x] for x in X]\n"
    "        refuse_rows(X, self.width_)\n        return", case="rows to decide")
bug("a row of weight 0 keeps its column of a Gram matrix", "ZeroWeight",
    "K = [[x[j] for j in kept] for x in rows]", "K = [x[: len(kept)] for x in rows]",
    case="weight 0 in a Gram matrix")
bug("gamma='auto' is 1 / examples", "GammaScale",
    'scale_of(X) if self.gamma == "scale" else self.gamma',
    'scale_of(X) if self.gamma == "scale" else '
    '1 / len(X) if self.gamma == "auto" else self.gamma', case="gamma scale")
bug("gamma='scale' of the first feature", "GammaScale",
    "values = [v for x in X for v in x]", "values = [x[0] for x in X]", case="gamma scale")
bug("powers by logarithms: no sign", "KernelFormula KernelParameters",
    "    result = 1.0\n    for _ in range(degree):\n        result *= base\n    return result",
    "    return math.exp(degree * math.log(abs(base))) if base else float(not degree)",
    case="kernel parameters")
bug("rows to decide about in single precision", "DecisionArithmetic",
    "        refuse_rows(X, self.width_)\n        return",
    "        refuse_rows(X, self.width_)\n"
    "        from struct import pack, unpack\n"
    "        X = [[unpack('f', pack('f', v))[0] if abs(v) < 1e30 else v for v in x] for x in X]\n"
    "        return", case="E5-10000000")
bug("300 steps, and no word about it", "StoppedEarly ToleranceBroken",
    "        i, j = pair(alpha, r, y, C)\n",
    "        i, j = pair(alpha, r, y, C)\n"
    "        if step > 300:\n            return alpha, r, step, True\n", case="tolerance")

# ---- no bugs: what programs are free to do

free("the pair rule of the second order: j gives the largest gain",
     "        i, j = pair(alpha, r, y, C)\n",
     "        i, j = pair(alpha, r, y, C)\n"
     "        low = [k for k in range(n) if r[k] < r[i] and (alpha[k] > 0 if y[k] > 0 else"
     " alpha[k] < C[k])]\n"
     "        gain = lambda k: (r[i] - r[k]) ** 2 / max(K[i][i] + K[k][k] - 2 * K[i][k], 1e-12)\n"
     "        j = max(low, key=gain) if r[i] - r[j] > tol else j\n", case="E1-01")
free("the last of equals, not the first",
     "return max(up, key=lambda i: r[i]), min(low, key=lambda i: r[i])",
     "return max(up[::-1], key=lambda i: r[i]), min(low[::-1], key=lambda i: r[i])", case="C06")
free("b at the lower end of its interval",
     "return (low + high) / 2", "return low", case="C02")
free("b at the upper end of its interval",
     "return (low + high) / 2", "return high", case="C12")
free("b a third of the way",
     "return (low + high) / 2", "return (2 * low + high) / 3", case="C13")
free("b from one free example, not from the mean",
     "return sum(free) / len(free)", "return free[0]", case="C25")
free("b is the middle, free examples or not",
     "    if free:\n        return sum(free) / len(free)\n", "", case="E1-01")
free("who is almost at a bound is not free",
     "if 0 < a < c]", "if 1e-6 * c < a < c * (1 - 1e-6)]", case="Gaussian on six, narrow")
free("other multipliers: half a step, so that others do the rest",
     "return min(best, room)", "return min(best / 2 if best > 1e-9 else best, room)", case="C23")
free("other multipliers: the examples are taken from the end",
     "kept = [i for i, c in enumerate(C) if c > 0]",
     "kept = [i for i, c in enumerate(C) if c > 0][::-1]", case="C05")
free("a tolerance a hundred times tighter",
     "smo(K, y, C, self.tol, steps)", "smo(K, y, C, self.tol / 100, steps)", case="E1-12")
free("the Gram matrix from products of another order",
     "K = [[self.value(x, z) for z in moved] for x in moved]",
     "K = [[self.value(x[::-1], z[::-1]) for z in moved] for x in moved]", case="tolerance")
free("moved by the last row, not by the first",
     "self.origin_ = rows[0] if", "self.origin_ = rows[-1] if", case="C20")
free("a decision of exactly 0 goes to the first class",
     "second if f >= 0 else first", "second if f > 0 else first", case="C03")
free("support vectors are listed from the last to the first",
     "chosen = [k for k, v in enumerate(beta) if v != 0]",
     "chosen = [k for k, v in enumerate(beta) if v != 0][::-1]", case="C18")
free("rows are shuffled in fit, and what is left is in the order given",
     "kept = [i for i, c in enumerate(C) if c > 0]",
     "kept = sorted((i for i, c in enumerate(C) if c > 0), key=lambda i: (i * 7919) % 101)",
     case="C09")
free("multipliers by another way: the active set",
     "alpha, r, self.n_iter_, done = smo(K, y, C, self.tol, steps)",
     "from refsvm import Precomputed, Problem, active_set\n"
     "        alpha = active_set(Problem(K, y, Precomputed(), C), tol=1e-12).alpha\n"
     "        r, self.n_iter_ = residuals(K, alpha, y), 1\n"
     "        done = self.max_iter < 0", case="E2-1")
free("multipliers a little inside their bounds, as interior points leave them",
     "        b = offset(alpha, r, y, C)\n",
     "        b = offset(alpha, r, y, C)\n        tiny = 1e-14 * max(alpha)\n"
     "        alpha = balance([min(max(a, tiny), c - tiny) for a, c in zip(alpha, C)], y, C)\n",
     case="C14")

# ---- looking for the cases that show the bugs


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="write new cases into this file")
    parser.add_argument("--search", action="store_true", help="ask every case of every bug")
    given = parser.parse_args(words)
    stale = {}
    for change in PLANTED:
        if given.search:
            print(f"{change.name}: {len(shown(change))} cases show it", flush=True)
        case = first_shown(change)
        if case is None or case != change.case:
            stale[change.name] = case
            print(f"{change.name}: not shown by {change.case!r}, but by {case!r}", flush=True)
    if given.write:
        write(stale)
    return 1 if stale else 0


def shown(change, names=None):
    """The cases, of these names or of all, in which the audit finds the bug and names it.

    Each case is asked of a new machine, so that none depends on another.
    """
    names = names or Auditor(changed(change), isolate=False).names()
    return [case for case in names if flags_in(change, case) & set(change.flags)]


def first_shown(change):
    """The case that shows the bug: the one known, or else the first of all; None if none does."""
    names = Auditor(changed(change), isolate=False).names()
    known = [change.case] if change.case is not None else []
    return next((case for case in known + names if shown(change, [case])), None)


def write(cases, path=Path(__file__)):
    """Put {name of a bug: case} into the calls of bug() in this file, or in another."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    calls = [node for node in ast.walk(ast.parse("".join(lines))) if isinstance(node, ast.Call)]
    calls = [node for node in calls if getattr(node.func, "id", None) == "bug"]
    for call in sorted(calls, key=lambda call: call.lineno, reverse=True):
        case = cases.get(ast.literal_eval(call.args[0]))
        if case is not None:
            before = lines[call.args[-1].end_lineno - 1][:call.args[-1].end_col_offset]
            after = f'case="{case}"{lines[call.end_lineno - 1][call.end_col_offset - 1:]}'
            between = ", " if len(before) + len(after) <= 98 else ",\n    "
            lines[call.args[-1].end_lineno - 1:call.end_lineno] = [before + between + after]
    path.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
