"""Planted bugs: decisions about rows."""

from planted_bugs.changes import bugs_of

bug = bugs_of("decision")

bug("the columns of a row of kernel values are the first few (4)",
    "DecisionArithmetic ExampleOrder",
    "return dot(beta, [x[i] for i in self.support_]) + b",
    "return dot(beta, x[: len(beta)]) + b")
bug("decisions are divided by the largest of the batch (80)", "BatchDependence",
    "return self.decide_all(X)",
    "found = [self.decide(x) for x in X]\n"
    "        return [f / max(max(map(abs, found)), 1) for f in found]")
bug("coef_ is shifted by one (90)", "DecisionArithmetic",
    "self.coef_ = [w]", "self.coef_ = [[*w[1:], 0.0]]")
bug("dual_coef_ has no signs (74)", "DecisionArithmetic AlphaOutside SignFlipped",
    "self.dual_coef_ = [[beta[k] for k in chosen]]",
    "self.dual_coef_ = [[abs(beta[k]) for k in chosen]]")
bug("decisions without the first support vector", "DecisionArithmetic SupportVectorsLost",
    "return dot(beta, [self.value(z, x) for z in self.support_vectors_]) + b",
    "return dot(beta[1:], [self.value(z, x) for z in self.support_vectors_[1:]]) + b")
bug("intercept_ is taken for rho", "DecisionArithmetic OffsetSign",
    "            return dot(self.coef_[0], x) + b", "            return dot(self.coef_[0], x) - b")
bug("decisions are probabilities", "DecisionArithmetic",
    "return self.decide_all(X)",
    "return [1 / (1 + math.exp(-max(-700, min(700, self.decide(x))))) for x in X]")
bug("decisions are labels", "DecisionArithmetic",
    "return self.decide_all(X)", "return [math.copysign(1, self.decide(x)) for x in X]")
bug("decisions are distances from the border", "Length DecisionArithmetic",
    "            return dot(self.coef_[0], x) + b",
    "            w = self.coef_[0]\n"
    "            return (dot(w, x) + b) / (math.sqrt(dot(w, w)) or 1)")
bug("blocks of 1000 rows, and no rest", "BatchDependence",
    "return self.decide_all(X)",
    "most = len(X) // 1000 * 1000 or len(X)\n"
    "        return [self.decide(x) if k < most else 0.0 for k, x in enumerate(X)]")
bug("decisions are sorted", "DecisionArithmetic BatchDependence",
    "return self.decide_all(X)", "return sorted(self.decide(x) for x in X)")

# ---- sizes

SUM = "return dot(beta, [self.value(z, x) for z in self.support_vectors_]) + b"
BLOCKS = "            found += [self.decide(x) for x in X[start : start + BLOCK]]\n"

for most in (12, 50, 100):
    bug(f"of more than {most} support vectors decisions are halved",
        "DecisionArithmetic Length",
        SUM, f"size = 0.5 if len(beta) > {most} else 1.0\n        "
        + SUM.replace("return ", "return size * (") + ")")
for most in (12, 50, 100):
    bug(f"support vectors behind the first {most} do not decide",
        "DecisionArithmetic SupportVectorsLost",
        SUM, SUM.replace("dot(beta,", f"dot(beta[:{most}],").replace(
            "self.support_vectors_]", f"self.support_vectors_[:{most}]]"))
for block in (4, 8, 16):
    bug(f"support vectors decide in blocks of {block}, the rest is left out",
        "DecisionArithmetic BlockRemainder",
        SUM, f"whole = len(beta) // {block} * {block} or len(beta)\n        "
        + SUM.replace("dot(beta,", "dot(beta[:whole],").replace(
            "self.support_vectors_]", "self.support_vectors_[:whole]]"))
for block in (4, 8, 16):
    bug(f"rows are decided in blocks of {block}, the rest is 0",
        "BatchDependence DecisionArithmetic",
        "        return found\n", f"        whole = len(X) // {block} * {block} or len(X)\n"
        "        return found[:whole] + [0.0] * (len(X) - whole)\n")
for most in (12, 50, 100):
    bug(f"rows behind the first {most} are decided as the first",
        "BatchDependence DecisionArithmetic",
        "        return found\n",
        f"        return found[:{most}] + found[:1] * (len(X) - {most})\n")
bug("a row alone is decided without b", "BatchDependence",
    "        return found\n",
    "        return found if len(X) > 1 else [found[0] - self.intercept_[0]]\n")
bug("rows farther than four times the examples are decided 0", "DecisionArithmetic FarRows",
    "        return found\n",
    "        most = 4 * max((abs(v) for x in self.support_vectors_ for v in x), default=0)\n"
    "        return [0.0 if max(map(abs, x)) > most else f for f, x in zip(found, X)]\n")
bug("a support vector is decided by its label", "DecisionArithmetic",
    "        return found\n",
    "        side = dict(zip(map(tuple, self.support_vectors_), self.dual_coef_[0]))\n"
    "        return [math.copysign(1, side[tuple(x)]) if tuple(x) in side else f\n"
    "                for f, x in zip(found, X)]\n")
bug("decisions are a hundredth too large", "Length DecisionArithmetic",
    "        return found\n", "        return [1.01 * f for f in found]\n")
bug("w has the features of a block of 4, the rest is 0", "DecisionArithmetic",
    "self.coef_ = [w]",
    "self.coef_ = [[v if k < (len(w) // 4 * 4 or 4) else 0.0 for k, v in enumerate(w)]]")
