"""Planted bugs: which problem is solved: penalties, weights, formulation."""

from planted_bugs.changes import bugs_of

bug = bugs_of("problem")

RIDGED = """K = [[v + (1 / c if i == j else 0.0) for j, v in enumerate(row)]
             for i, (row, c) in enumerate(zip(K, C))]
        C = [math.inf] * len(C)
        alpha, r, self.n_iter_"""
TIED = """alpha, r, self.n_iter_, done = smo(K, y, C, self.tol, steps)
        b = offset(alpha, r, y, C)"""
UNTIED = """from refsvm import Precomputed, Problem, smo as untied
        ones = [[v + {} for v in row] for row in K]
        alpha = untied(Problem(ones, y, Precomputed(), C, bias=False), tol=1e-9).alpha
        self.n_iter_, done = 1, True
        b = {} * sum(a * s for a, s in zip(alpha, y))"""

bug("the mean of the slacks, not the sum", "PriceScaled",
    "alpha, r, self.n_iter_", "C = [c / len(C) for c in C]\n        alpha, r, self.n_iter_")
bug("C counts half", "PriceScaled",
    "C = [self.C * share", "C = [self.C / 2 * share")
bug("C counts twice: no half before the norm", "PriceScaled",
    "C = [self.C * share", "C = [self.C * 2 * share")
bug("C is taken for lambda: its reciprocal", "WeightsScaled PriceScaled",
    "C = [self.C * share", "C = [1 / self.C * share")
bug("squared slack by mistake, C / 2 xi^2 (92)", "SquaredLoss",
    "alpha, r, self.n_iter_", RIDGED)
bug("squared slack by mistake, C xi^2 (92)", "SquaredLoss",
    "alpha, r, self.n_iter_", RIDGED.replace("1 / c", "1 / (2 * c)"))
bug("b is regularised with w (92)", "RegularisedOffset",
    TIED, UNTIED.format(1, 1))
bug("there is no offset, and no equation (14)", "NoOffset",
    TIED, UNTIED.format(0, 0))
bug("the margin is 2: y is subtracted twice (6)", "Margin PriceScaled",
    "return [s - score", "return [2 * s - score")
bug("the hinge begins at 0: a perceptron", "NothingLearnt Margin",
    "return [s - score", "return [0 * s - score")
bug("the hard margin, whatever C is", "PriceIgnored",
    "C = [self.C * share.get(label, 1.0) * v for", "C = [2.0**30 * (v > 0) for")
bug("the labels are left out of the dual (50)", "DualWithoutLabels",
    "beta = [a * s for a, s in zip(alpha, y)]\n    return", "beta = alpha\n    return")
bug("sample weights are ignored (61)", "WeightsIgnored",
    "weight = [1.0] * len(X) if sample_weight is None else [float(v) for v in sample_weight]",
    "weight = [1.0] * len(X)")
bug("the first example's penalty is that of all (13)", "WeightsIgnored",
    "C = [self.C * share.get(label, 1.0) * v for label, v in zip(y, weight)]",
    "C = [self.C * share.get(label, 1.0) * weight[0] for label, v in zip(y, weight)]")
bug("the weights of the classes are exchanged (23)", "WeightsSwapped",
    "alpha, r, self.n_iter_",
    "top = {s: max(c for c, t in zip(C, y) if t == s) for s in y}\n"
    "        C = [c / top[s] * top[-s] for c, s in zip(C, y)]\n        alpha, r, self.n_iter_")
bug("one class has the largest weight, whatever it was given", "WeightsIgnored",
    "alpha, r, self.n_iter_",
    "C = [max(C) if s > 0 else c for c, s in zip(C, y)]\n        alpha, r, self.n_iter_")
bug("the weights are given to the examples in the other order", "WeightsSwapped",
    "for label, v in zip(y, weight)]\n        kept", "for label, v in zip(y, weight[::-1])]\n"
    "        kept")
bug("weights multiply the rows, not C", "WeightsOnRows",
    "C = [self.C * share.get(label, 1.0) * v for label, v in zip(y, weight)]",
    "X = [[w * v for v in x] for w, x in zip(weight, X)]\n"
    "        C = [self.C * share.get(label, 1.0) for label in y]")
bug("weights are normalised to a mean of 1", "WeightsScaled",
    "        self.classes_ = sorted",
    "        weight = [w * len(weight) / sum(weight) for w in weight]\n"
    "        self.classes_ = sorted")
bug("an example of weight 0 counts fully", "ZeroWeight WeightsIgnored",
    "C = [self.C * share.get(label, 1.0) * v for",
    "C = [self.C * share.get(label, 1.0) * (v or 1) for")
bug("C below 0 counts as positive", "RejectPenalty",
    "if not 0 < self.C < math.inf:", "self.C = abs(self.C)\n        if not 0 < self.C < math.inf:")
bug("rows of negative weight are dropped (58)", "RejectWeight",
    "if not all(math.isfinite(v) and v >= 0 for v in weight):", "if False:")
bug("an unknown kernel is taken for the Gaussian (71)", "RejectUnknown",
    "if self.kernel not in (", "if not self.kernel in (self.kernel, ")
bug("weights are filled up with ones", "RejectShape",
    "        self.refuse(X, y, weight)",
    "        weight = [*weight, *[1.0] * len(X)][: len(X)]\n        self.refuse(X, y, weight)")
bug("C counts n times", "PriceScaled",
    "C = [self.C * share", "C = [self.C * len(X) * share")
bug("C is for one class, the other has 1", "PriceIgnored",
    "C = [self.C * share", "C = [(self.C if label == self.classes_[-1] else 1.0) * share")
bug("one class has no upper bound", "PriceIgnored",
    "C = [self.C * share", "C = [(self.C if label == self.classes_[-1] else 2.0 ** 40) * share")
bug("weights are rounded up", "WeightsScaled WeightsIgnored",
    "[float(v) for v in sample_weight]", "[float(math.ceil(v)) for v in sample_weight]")
bug("weights are 1 at most", "WeightsScaled WeightsIgnored",
    "[float(v) for v in sample_weight]", "[min(float(v), 1.0) for v in sample_weight]")
bug("the roots of the weights", "WeightsScaled",
    "[float(v) for v in sample_weight]", "[math.sqrt(v) for v in sample_weight]")
bug("sample_weight is doubled where it stands", "InputChanged",
    "        self.refuse(X, y, weight)",
    "        self.refuse(X, y, weight)\n"
    "        for i, v in enumerate(weight if sample_weight is not None else []):\n"
    "            sample_weight[i] = 2 * v")
bug("weights are whole numbers", "WeightsScaled WeightsIgnored",
    "[float(v) for v in sample_weight]",
    "[float(math.floor(v)) if 1 <= v < 1e300 else float(v) for v in sample_weight]")
bug("a row of weight 0 keeps its column of a Gram matrix", "ZeroWeight",
    "K = [[x[j] for j in kept] for x in rows]", "K = [x[: len(kept)] for x in rows]")
