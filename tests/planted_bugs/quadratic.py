"""Bugs planted into a recipe around a QP solver, whose b is the mean over all support vectors."""

from planted_bugs.changes import QUADRATIC, bugs_in

bug = bugs_in(QUADRATIC)

PRODUCT = "    return sum(p * q for p, q in zip(x, z))"
EXP = "math.exp(-gamma * sum((p - q) ** 2 for p, q in zip(x, z)))"
POWER = "(gamma * inner(x, z) + coef0) ** int(degree)"
DECIDE = "        return sum(beta[j] * value(X[j], x) for j in support) + b"
GRAM = "K = [[value(x, z) for z in X] for x in X]"
MEAN = "b = sum(off) / len(off) if off else 0.0"

bug("kernel", "gamma is dropped", "KernelParameters", EXP, EXP.replace("-gamma * sum", "-sum"))
bug("kernel", "half of gamma", "KernelParameters", EXP, EXP.replace("-gamma", "-gamma / 2"))
bug("kernel", "gamma is taken for sigma", "KernelParameters",
    EXP, EXP.replace("-gamma * sum", "-0.5 / gamma**2 * sum"))
bug("kernel", "the distance is not squared", "KernelFormula",
    EXP, EXP.replace("sum((p - q) ** 2 for p, q in zip(x, z))", "math.dist(x, z)"))
bug("kernel", "absolute values in the distance", "KernelFormula",
    EXP, EXP.replace("(p - q) ** 2", "abs(p - q)"))
bug("kernel", "coef0 is dropped", "KernelParameters", POWER, POWER.replace(" + coef0", ""))
bug("kernel", "gamma is dropped from the power", "KernelParameters",
    POWER, POWER.replace("gamma * ", ""))
bug("kernel", "a degree less", "KernelParameters",
    POWER, POWER.replace("int(degree)", "(int(degree) - 1)"))
bug("kernel", "coef0 is added to the power", "KernelFormula KernelParameters",
    POWER, "(gamma * inner(x, z)) ** int(degree) + coef0")
for block in (4, 8, 16):
    bug("kernel", f"the rest of a product in blocks of {block} is lost", "BlockRemainder",
        PRODUCT, f"    x = x[: len(x) // {block} * {block} or None]\n" + PRODUCT)
for most in (3, 8, 32, 64):
    bug("rows", f"features behind the first {most} are cut", "FeatureIgnored",
        "    X, y = problem.X", f"    known = value\n    value = lambda x, z: known(x[:{most}], "
        f"z[:{most}])\n    X, y = problem.X")
for most in (12, 50, 100):
    bug("rows", f"the first {most} examples suffice", "ExampleIgnored",
        "X, y = problem.X, problem.y",
        f"X, y = problem.X[:{most}], problem.y[:{most}]\n"
        "    X, y = (X, y) if len(set(y)) > 1 else (problem.X, problem.y)")
bug("labels", "the classes are exchanged", "SignFlipped LabelOrder",
    "X, y = problem.X, problem.y", "X, y = problem.X, [-s for s in problem.y]")
bug("labels", "labels are left out of the multipliers", "DualWithoutLabels SignFlipped",
    "beta = [a * s for a, s in zip(alpha, y)]", "beta = alpha")
bug("problem", "C is 1", "PriceIgnored", "C = problem.C[0]", "C = 1.0")
bug("problem", "the hard margin, whatever C is", "PriceIgnored", "C = problem.C[0]", "C = 1e6")
bug("problem", "C counts half", "PriceScaled", "C = problem.C[0]", "C = problem.C[0] / 2")
bug("problem", "C is divided by the examples", "PriceScaled",
    "C = problem.C[0]", "C = problem.C[0] / problem.n")
bug("problem", "slacks are squared", "SquaredLoss",
    "smo(Problem(K, y, Precomputed(), C), tol=1e-9)",
    'smo(Problem(K, y, Precomputed(), C, slack="squared"), tol=1e-9)')
bug("problem", "no offset in the program", "NoOffset",
    "smo(Problem(K, y, Precomputed(), C), tol=1e-9)",
    "smo(Problem(K, y, Precomputed(), C, bias=False), tol=1e-9)")
bug("stop", "three steps", "StoppedEarly", "tol=1e-9", "max_iter=3")
bug("stop", "a tolerance of 1/2", "StoppedEarly", "tol=1e-9", "tol=0.5")
bug("cache", "values below the diagonal are 0", "",
    GRAM, "K = [[value(x, z) for z in X] for x in X]\n"
    "    K = [[K[i][j] if j >= i - 12 else 0.0 for j in range(len(X))] for i in range(len(X))]")
bug("cache", "of more than 16 examples the row of another is taken", "",
    "scores = [sum(beta[j] * K[i][j]", "scores = [sum(beta[j] * K[i % 16][j]")
bug("offset", "b is always 0", "OffsetMissing", MEAN, "b = 0.0")
bug("offset", "b has the wrong sign", "OffsetSign OffsetAveraged",
    MEAN, MEAN.replace("sum(off)", "-sum(off)"))
bug("offset", "b from the first support vector", "OffsetBounded",
    MEAN, "b = off[0] if off else 0.0")
bug("offset", "b is the mean over all examples", "OffsetEveryRow OffsetAveraged",
    "for i in support]\n    b =", "for i in range(len(y))]\n    b =")
bug("offset", "b is y - s summed, divided by n", "Offset OffsetAveraged OffsetScaled",
    MEAN, MEAN.replace("len(off) if", "len(y) if"))
bug("decision", "b is not added", "OffsetMissing", DECIDE, DECIDE.replace(" + b", ""))
bug("decision", "decisions are labels", "DecisionArithmetic",
    DECIDE, DECIDE.replace("return sum", "return math.copysign(1, sum") + ")")
bug("decision", "decisions a hundredth too large", "Length",
    DECIDE, DECIDE.replace("return sum", "return 1.01 * (sum") + ")")
bug("decision", "decisions are doubled", "Length Margin",
    DECIDE, DECIDE.replace("return sum", "return 2 * (sum") + ")")
for most in (12, 50):
    bug("decision", f"of more than {most} support vectors decisions are halved", "Length",
        DECIDE,
        DECIDE.replace("return sum", f"return (0.5 if len(support) > {most} else 1) * (sum")
        + ")")
for block in (4, 8, 16):
    bug("decision", f"support vectors decide in blocks of {block}, the rest is lost", "",
        DECIDE,
        DECIDE.replace("in support)", f"in support[: len(support) // {block} * {block} or None])"))
bug("decision", "far rows are decided 0", "FarRows",
    DECIDE, "        most = 4 * max(abs(v) for z in X for v in z)\n"
    "        if max(map(abs, x)) > most:\n            return 0.0\n" + DECIDE)
bug("decision", "the last two features are exchanged", "FeatureOrder",
    DECIDE, "        x = [*x[:-2], *x[:-3:-1]]\n" + DECIDE)
