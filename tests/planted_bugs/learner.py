"""Bugs planted into descent with a fixed rate, which is far from its end."""

from planted_bugs.changes import LEARNER, bugs_in

bug = bugs_in(LEARNER)

DECIDE = "        return inner(self.w, x) - self.b"

bug("problem", "lambda is its default", "", "lambda_param=1 / (2 * problem.n * problem.C[0])", "")
bug("problem", "lambda is C", "",
    "lambda_param=1 / (2 * problem.n * problem.C[0])", "lambda_param=problem.C[0]")
bug("step", "w is pushed the wrong way", "",
    "(2 * self.lam * v - s * p)", "(2 * self.lam * v + s * p)")
bug("stop", "one round", "", "n_iters=100", "n_iters=1")
bug("decision", "decisions have the other sign", "SignFlipped LabelOrder",
    DECIDE, DECIDE.replace("inner(self.w, x) - self.b", "self.b - inner(self.w, x)"))
bug("decision", "decisions are labels", "",
    DECIDE, DECIDE.replace("return inner(self.w, x) - self.b",
    "return 1 if inner(self.w, x) >= self.b else -1"))
