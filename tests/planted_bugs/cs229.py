"""Bugs planted into a simplified SMO, which stops early by itself."""

from planted_bugs.changes import CS229, bugs_in

bug = bugs_in(CS229)

DECIDE = ("        return [sum(c * self.kernel(z, x) for c, z in zip(beta, self.X)) + self.b"
          " for x in rows]")
PRODUCT = "    return sum(p * q for p, q in zip(x, z))"
EXP = "    return math.exp(-gamma * sum((p - q) ** 2 for p, q in zip(x, z)))"
POWER = "    return (gamma * linear(x, z) + coef0) ** degree"
ERRORS = "        self.errors = [e + rise * p + fall * q + shift\n"
FIT = "SimplifiedSMO(problem.C[0], kernel).fit(problem.X, problem.y)"

bug("kernel", "gamma is dropped", "KernelParameters", EXP, EXP.replace("-gamma * sum", "-sum"))
bug("kernel", "half of gamma", "KernelParameters", EXP, EXP.replace("-gamma", "-gamma / 2"))
bug("kernel", "the distance is not squared", "KernelFormula",
    EXP, EXP.replace("sum((p - q) ** 2 for p, q in zip(x, z))", "math.dist(x, z)"))
bug("kernel", "coef0 is dropped", "KernelParameters", POWER, POWER.replace(" + coef0", ""))
bug("kernel", "a degree less", "KernelParameters", POWER, POWER.replace("degree", "(degree - 1)"))
for block in (4, 8, 16):
    bug("kernel", f"the rest of a product in blocks of {block} is lost", "BlockRemainder",
        PRODUCT, f"    x = x[: len(x) // {block} * {block} or None]\n" + PRODUCT)
for most in (3, 16):
    bug("rows", f"features behind the first {most} are cut", "FeatureIgnored",
        FIT, FIT.replace("kernel)", f"lambda x, z: kernel(x[:{most}], z[:{most}]))"))
bug("labels", "labels 0 and 1 inside", "ZeroOneLabels",
    FIT, FIT.replace("problem.y)", "[max(s, 0) for s in problem.y])"))
bug("labels", "the classes are exchanged", "SignFlipped LabelOrder",
    FIT, FIT.replace("problem.y)", "[-s for s in problem.y])"))
bug("problem", "C is 1", "PriceIgnored", FIT, FIT.replace("problem.C[0]", "1.0"))
bug("problem", "C counts half", "PriceScaled",
    FIT, FIT.replace("problem.C[0]", "problem.C[0] / 2"))
bug("problem", "C counts n times", "PriceScaled",
    FIT, FIT.replace("problem.C[0]", "problem.C[0] * problem.n"))
bug("step", "eta has the wrong sign", "NothingLearnt StoppedEarly",
    "eta = 2 * K[i][j] - K[i][i] - K[j][j]", "eta = K[i][i] + K[j][j] - 2 * K[i][j]")
bug("step", "the ends of the other labels", "AlphaOutside", "if self.y[i] != self.y[j]:",
    "if self.y[i] == self.y[j]:")
bug("step", "the upper end is C", "AlphaOutside",
    "return max(0.0, a + c - self.C), min(self.C, a + c)",
    "return max(0.0, a + c - self.C), self.C")
bug("step", "the first multiplier stays", "AlphaUnbalanced",
    "        alpha[i] += y[i] * rise\n", "")
bug("step", "errors without the first multiplier", "StoppedEarly",
    ERRORS, ERRORS.replace("rise * p + ", ""))
bug("step", "errors of the first 12 examples", "StoppedEarly",
    "for e, p, q in zip(self.errors, K[i], K[j])]\n",
    "for e, p, q in zip(self.errors, K[i], K[j])][:12] + self.errors[12:]\n")
bug("stop", "two rounds at most", "StoppedEarly", "ROUNDS = 60", "ROUNDS = 2")
bug("stop", "a short step is one below 1/100", "AbsoluteThreshold StoppedEarly",
    "if abs(new - alpha[j]) < 1e-5:", "if abs(new - alpha[j]) < 1e-2:")
bug("working set", "the second is the next one", "StoppedEarly",
    "j = (i + 1 + draws.randrange(n - 1)) % n", "j = (i + 1) % n")
bug("working set", "a multiplier at 0 never rises", "NothingLearnt StoppedEarly",
    "(lack < -self.tol and self.alpha[i] < self.C)",
    "(lack < -self.tol and 0 < self.alpha[i] < self.C)")
bug("offset", "b is 0", "OffsetMissing",
    "        return 1\n", "        self.b = 0.0\n        return 1\n")
bug("decision", "b is not added", "OffsetMissing DecisionArithmetic",
    DECIDE, DECIDE.replace(" + self.b", ""))
bug("decision", "b is subtracted", "OffsetSign DecisionArithmetic",
    DECIDE, DECIDE.replace("+ self.b", "- self.b"))
bug("decision", "decisions are labels", "DecisionArithmetic",
    DECIDE, DECIDE.replace("[sum", "[math.copysign(1, sum").replace("self.b for", "self.b) for"))
bug("decision", "of more than 12 examples decisions are halved", "Length DecisionArithmetic",
    DECIDE, DECIDE.replace("return [sum(", "half = 0.5 if len(beta) > 12 else 1.0\n"
                           "        return [half * sum(").replace(
                               "self.b for", "half * self.b for"))
bug("decision", "the last support vector does not decide", "DecisionArithmetic SupportVectorsLost",
    DECIDE, DECIDE.replace("zip(beta, self", "zip(beta[:-1], self"))
