"""Bugs planted into kernel Pegasos, which has no offset and is far from its end."""

from planted_bugs.changes import PEGASOS, bugs_in

bug = bugs_in(PEGASOS)

DECIDE = "        return s / scale\n"

bug("problem", "lambda is C", "", "lam = 1 / (n * problem.C[0])", "lam = problem.C[0]")
bug("problem", "lambda does not know n", "",
    "lam = 1 / (n * problem.C[0])", "lam = 1 / problem.C[0]")
bug("step", "the labels are left out of the counts", "",
    "zip(counts, y, K[i])", "zip(counts, [1] * n, K[i])")
bug("step", "a perceptron: the margin is 0", "", "if y[i] * s < lam * t:", "if y[i] * s <= 0:")
bug("stop", "one round", "", "ROUNDS = 30", "ROUNDS = 1")
bug("working set", "the last example is never drawn", "",
    "i = draws.randrange(n)", "i = draws.randrange(n - 1)")
bug("decision", "decisions have the other sign", "SignFlipped LabelOrder",
    DECIDE, DECIDE.replace("return s", "return -s"))
bug("decision", "decisions are not divided", "", DECIDE, DECIDE.replace("s / scale", "s"))
bug("decision", "decisions are 0", "NothingLearnt", DECIDE, DECIDE.replace("s / scale", "0.0 * s"))
bug("kernel", "the kernel is linear, whatever was asked", "",
    "value = problem.X, problem.y, problem.kernel", "value = problem.X, problem.y, Linear()")
