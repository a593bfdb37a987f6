"""Estimators for the audit to ask in another process, which reads this file and no test."""

import os
import sys
import time

import refsvm
from refsvm.conformance.asking import workers


def with_short_starts(change=setattr):
    """Let no process that hangs from the beginning be waited for long."""
    change(workers, "LONGEST_START", 4.0)  # seconds, which even a busy machine does not need


class FromDecisions:
    """The decisions of a solver, and nothing else: a black box."""

    def __init__(self, C=1.0):
        self.C = C

    def fit(self, X, y):
        self.model = refsvm.smo(refsvm.Problem(X, y, C=self.C), 1e-9).model()
        return self

    def decision_function(self, X):
        return self.model.decisions(X)


class Hangs(FromDecisions):
    def fit(self, X, y):
        while y[0] == -1 and len(X) == 2:
            time.sleep(1)
        return super().fit(X, y)


class Exits(FromDecisions):
    def fit(self, X, y):
        if len(X) == 2:
            print("out of memory", file=sys.stderr)
            os._exit(3)
        return super().fit(X, y)


class Prints(FromDecisions):
    def fit(self, X, y):
        print("optimization finished, #iter = 1")
        os.write(1, b"nu = 0.5\n")
        return super().fit(X, y)


class LearningRate(FromDecisions):
    """Its constructor has other names."""

    def __init__(self, learning_rate=0.001, lambda_param=0.01):
        super().__init__(lambda_param)


class Slow(FromDecisions):
    """It needs a tenth of a second for each two examples, and on C07 it hangs."""

    def fit(self, X, y):
        time.sleep(99 if len(X) == 3 else 0.05 * len(X))
        return super().fit(X, y)


class HangsOnTwo(FromDecisions):
    """Draws another example until there is one, which is never."""

    def fit(self, X, y):
        while len(X) == 2:
            time.sleep(1)
        return super().fit(X, y)
