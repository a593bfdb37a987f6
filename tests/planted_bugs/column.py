"""Bugs planted into coordinate ascent, which regularises the offset."""

from planted_bugs.changes import COLUMN, bugs_in

bug = bugs_in(COLUMN)

READ = "    X = [[*x, 1.0] for x in problem.X]\n"
NEW = "new = alpha[i] - gradient / squares[i]"
CLIP = "new = min(C[i], max(0.0, new))"
UPDATE = "w = [v + change * y[i] * p for v, p in zip(w, x)]"
DECIDE = "        return product(w, x) + b"

for most in (3, 16, 64):
    bug("rows", f"features behind the first {most} are cut", "FeatureIgnored",
        READ, READ.replace("*x,", f"*x[:{most}],"))
for block in (4, 8):
    bug("rows", f"features are read in blocks of {block}, the rest is lost",
        "BlockRemainder FeatureIgnored",
        READ, READ.replace("*x,", f"*[v if k < (len(x) // {block} * {block} or len(x)) else 0.0 "
                           "for k, v in enumerate(x)],"))
bug("rows", "columns are centred", "RegularisedOffset Offset HiddenScaling Translation",
    READ, "    means = [sum(c) / len(c) for c in zip(*problem.X)]\n"
    "    X = [[*(v - m for v, m in zip(x, means)), 1.0] for x in problem.X]\n")
bug("working set", "the first 12 examples alone are visited", "ExampleIgnored StoppedEarly",
    "        for i, x in enumerate(X):\n", "        for i, x in enumerate(X[:12]):\n")
bug("working set", "the last example is not visited", "ExampleIgnored StoppedEarly",
    "        for i, x in enumerate(X):\n", "        for i, x in enumerate(X[:-1]):\n")
bug("problem", "C is 1", "PriceIgnored",
    "y, C = problem.y, problem.C", "y, C = problem.y, [1.0] * problem.n")
bug("problem", "C counts half", "PriceScaled",
    "y, C = problem.y, problem.C", "y, C = problem.y, [c / 2 for c in problem.C]")
bug("problem", "C counts n times", "PriceScaled",
    "y, C = problem.y, problem.C", "y, C = problem.y, [c * problem.n for c in problem.C]")
bug("problem", "there is no upper bound", "PriceIgnored", CLIP, "new = max(0.0, new)")
bug("problem", "slacks are squared", "SquaredLoss RegularisedOffset",
    "gradient = y[i] * product(w, x) - 1\n            " + NEW + "\n            " + CLIP,
    "gradient = y[i] * product(w, x) - 1 + alpha[i] / C[i]\n"
    "            new = max(0.0, alpha[i] - gradient / (squares[i] + 1 / C[i]))")
bug("problem", "the first example's penalty is that of all", "WeightsIgnored",
    CLIP, CLIP.replace("C[i]", "C[0]"))
bug("step", "a multiplier may fall below 0", "", CLIP, "new = min(C[i], new)")
bug("step", "half a step at a bound", "", CLIP, CLIP.replace("min(C[i], ", "min(C[i] / 2, "))
for block in (4, 8, 16):
    bug("step", f"w is updated in blocks of {block}, the rest stays",
        "BlockRemainder FeatureIgnored",
        UPDATE, UPDATE + f"\n            whole = len(w) // {block} * {block} or len(w)\n"
        "            w[whole:-1] = [0.0] * max(0, len(w) - 1 - whole)")
bug("stop", "one round", "StoppedEarly", "EPOCHS = 2000", "EPOCHS = 1")
bug("stop", "stops when a change is below 1/10", "StoppedEarly AbsoluteThreshold",
    "if largest < 1e-7:", "if largest < 0.1:")
bug("offset", "the column holds twos", "RegularisedOffset Offset", "[*x, 1.0]", "[*x, 2.0]")
bug("offset", "b is 0", "OffsetMissing", "    b = w.pop()\n", "    b = 0.0 * w.pop()\n")
bug("offset", "b has the wrong sign", "OffsetSign", "    b = w.pop()\n", "    b = -w.pop()\n")
bug("offset", "there is no column", "NoOffset", "[*x, 1.0]", "[*x, 0.0]")
bug("decision", "the margin is 2", "Margin Length",
    "gradient = y[i] * product(w, x) - 1", "gradient = y[i] * product(w, x) - 2")
bug("decision", "decisions have the other sign", "SignFlipped LabelOrder",
    DECIDE, DECIDE.replace("return product(w, x) + b", "return -product(w, x) - b"))
bug("decision", "decisions are distances", "DecisionArithmetic",
    DECIDE, DECIDE.replace("return product(w, x) + b",
                           "return (product(w, x) + b) / (product(w, w) ** 0.5 or 1)"))
bug("decision", "decisions a hundredth too large", "Length",
    DECIDE, DECIDE.replace("return product(w, x) + b", "return 1.01 * (product(w, x) + b)"))
bug("decision", "far rows are decided 0", "FarRows",
    DECIDE, "        if max(map(abs, x)) > 4 * max(abs(v) for z in X for v in z):\n"
    "            return 0.0\n" + DECIDE)
bug("labels", "labels 0 and 1 inside", "ZeroOneLabels",
    "y, C = problem.y, problem.C", "y, C = [max(s, 0) for s in problem.y], problem.C")
