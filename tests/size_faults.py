"""Machines with one fault of size, and whether a case sees it: what the cases of sizes are for.

    stage             fault                                                      must be seen by
    reading rows      a feature is lost, or all from one on                  cases with features
    kernel            features after the last whole block of 4, 8 or 16      cases with features
                      are lost, or the last block counts twice; two are
                      exchanged
    rows and cache    kernel values after a block of 4 to 64, or from        cases with one offset,
                      number 12, 16, 20, 32, 50, 64, 100, 128 on, are lost    soft
    working set       such examples are lost, or those of the first block    cases of distinct rows
    step, stop        200 steps are all, or 500                              cases of many steps
    offset            none is free to be averaged                            cases all at C
    decision          support vectors after the last whole block are lost,   cases of distinct rows
                      or the last; a row is decided as 0, or by half         cases with one offset

A fault in the reading of rows, or in the kernel, is put into training and decisions alike, and
into decisions alone. A case sees a fault if some decision is off by more than twice what is
allowed, whatever the offset, or the offset is: what a right machine's tolerance does to its
decisions is a thousandth of that.
"""

from functools import cached_property, partial
from math import inf

from refsvm.kernels.standard import Precomputed
from refsvm.svm.problem import Problem

try:
    import refsvm_fast as package
except ImportError:
    import refsvm as package

MARGIN = 2  # times what is allowed
FEATURE_BLOCKS = (4, 8, 16)
EXAMPLE_BLOCKS = (4, 8, 16, 32, 64)
MOST_STEPS = (200, 500)
THRESHOLDS = (12, 16, 20, 32, 50, 64, 100, 128)


class Machine:
    """The right machine of a case, and the wrong ones made of it, in doubles."""

    def __init__(self, case):
        self.case = case
        self.problem = case.problem if case.problem.kind is float else case.problem.to(float)
        self.rows = [*self.problem.X, *(query.x for query in case.queries)]
        if not isinstance(self.rows[0], str):
            self.rows = [list(map(float, x)) for x in self.rows]
        self.scores = [float(middle(s)) for s in (*case.scores, *(q.s for q in case.queries))]
        self.low, self.high = (float(middle(b)) for b in (case.optimum.b_low, case.optimum.b_high))
        b = (self.low + self.high) / 2
        size = max(1, *(abs(s + b) for s in self.scores[: self.problem.n]))
        self.allowed = [max(size, abs(s + b)) / 1000 for s in self.scores]

    def sees(self, decisions):
        """Whether these decisions are off by more than MARGIN times what is allowed."""
        off = [f - s for f, s in zip(decisions, self.scores)]
        low = max(o - MARGIN * a for o, a in zip(off, self.allowed))
        high = min(o + MARGIN * a for o, a in zip(off, self.allowed))
        return low > high or low > self.high or high < self.low

    @cached_property
    def K(self):
        """The kernel values of each row with the examples."""
        kernel = self.problem.kernel
        return self.rows if not kernel.has_rows else self.gram(self.rows, self.problem.X)

    def gram(self, rows, X):
        """The kernel values of rows with rows."""
        return package.gram(self.problem.kernel, rows, X)

    @cached_property
    def solution(self):
        """The multipliers, times the labels, and b."""
        return self.solved(self.K[: self.problem.n])

    def solved(self, K, kept=None):
        """beta and b for a kernel matrix of these examples."""
        p = self.problem
        kept = range(p.n) if kept is None else kept
        y, C = [p.y[i] for i in kept], [p.C[i] for i in kept]
        if len(set(y)) == 1:
            return [0.0] * len(y), float(y[0])
        found = package.smo(Problem(K, y, Precomputed(), C, p.bias, p.slack), tol=1e-7)
        return [a * label for a, label in zip(found.alpha, y)], found.b

    # ---- faults

    def with_features(self, change, in_training):
        """Decisions where each row is changed, in training or not."""
        rows = [change(x) for x in self.rows]
        K = self.gram(rows, rows[: self.problem.n])
        return decisions(K, *(self.solved(K[: self.problem.n]) if in_training else self.solution))

    def with_queries(self, change):
        """Decisions where the rows to decide are changed, and the support vectors are not."""
        return decisions(self.gram(list(map(change, self.rows)), self.problem.X), *self.solution)

    def with_examples(self, kept):
        """Decisions of the machine that knows these examples only."""
        K = [[row[i] for i in kept] for row in self.K]
        return decisions(K, *self.solved([K[i] for i in kept], kept))

    def with_values(self, count):
        """Decisions of multipliers found where kernel values beyond the first so many are 0."""
        K = [
            [v if i == j or max(i, j) < count else 0.0 for j, v in enumerate(row)]
            for i, row in enumerate(self.K[: self.problem.n])
        ]
        return decisions(self.K, *self.solved(K))

    def with_support(self, count):
        """Decisions of the first so many support vectors."""
        beta, b = self.solution
        support = [i for i, c in enumerate(beta) if c != 0][:count]
        K = [[row[i] for i in support] for row in self.K]
        return decisions(K, [beta[i] for i in support], b)


def middle(value):
    """The middle of an interval, or the number."""
    return (value.low + value.high) / 2 if hasattr(value, "low") else value


def decisions(K, beta, b):
    """f of each row of kernel values."""
    return [sum(map(float.__mul__, beta, row)) + b for row in K]


def feature_faults(d):
    """(name, what becomes of a row) of each fault in reading d features."""
    for j in range(d):
        yield f"feature {j} lost", lambda x, j=j: [*x[:j], 0.0, *x[j + 1 :]]
        if j > 0:
            yield f"features from {j} on lost", lambda x, j=j: [*x[:j], *[0.0] * (d - j)]
    for size in FEATURE_BLOCKS:
        if size <= d:
            yield f"the last {size} twice", lambda x, size=size: [*x, *x[-size:]]
        if d % size:
            yield f"after blocks of {size} twice", lambda x, size=size: [*x, *x[d - d % size :]]


def unseen_features(machine):
    """The names of faults in reading features that the machine's case does not see."""
    d = len(machine.rows[0])
    for name, change in feature_faults(d):
        for in_training in (True, False):
            if not machine.sees(machine.with_features(change, in_training)):
                yield name + (" in training too" if in_training else " in decisions")
    for j in range(d - 1):
        if not machine.sees(machine.with_queries(partial(exchanged, j))):
            yield f"features {j} and {j + 1} exchanged"


def exchanged(j, x):
    """The row with feature j and the next exchanged."""
    return [*x[:j], x[j + 1], x[j], *x[j + 2 :]]


def counts_kept(n):
    """How many of n examples a fault may keep."""
    blocks = {n - n % size for size in EXAMPLE_BLOCKS if n % size} - {0}
    return sorted(blocks | {n - 1} | {count for count in THRESHOLDS if count < n})


def unseen_examples(machine):
    """The names of faults in the handling of examples that the machine's case does not see."""
    n, m = machine.problem.n, sum(c != 0 for c in machine.solution[0])
    for count in counts_kept(n):
        if not machine.sees(machine.with_examples(range(count))):
            yield f"examples from {count} on lost"
    for size in EXAMPLE_BLOCKS:
        if size < n and not machine.sees(machine.with_examples(range(size, n))):
            yield f"the first {size} examples lost"
    for count in sorted({m - 1, *(m - m % size for size in EXAMPLE_BLOCKS if m % size)}):
        if not machine.sees(machine.with_support(count)):
            yield f"support vectors from {count} on lost"


def unseen_values(machine):
    """The names of faults in the rows of kernel values that the machine's case does not see."""
    for count in counts_kept(machine.problem.n):
        if not machine.sees(machine.with_values(count)):
            yield f"kernel values from {count} on lost"


def unseen_rows(machine):
    """The rows whose decision may be halved, or 0, and it is not seen."""
    for k, (s, allowed) in enumerate(zip(machine.scores, machine.allowed)):
        is_zero = not machine.problem.bias and max(map(abs, machine.K[k])) < 1e-9
        if not is_zero and abs(s + machine.low) <= 2 * MARGIN * allowed:
            yield f"row {k}"


def unseen_steps(machine):
    """The numbers of plain pair steps after which the answer is right already."""
    p = machine.problem
    for count in MOST_STEPS:
        beta = pair_steps(machine.K[: p.n], p.y, p.C, count)
        scores = decisions(machine.K, beta, 0.0)
        if not machine.sees([s + (machine.low + machine.high) / 2 for s in scores]):
            yield f"{count} steps"


def pair_steps(K, y, C, most):
    """beta after so many steps along the pair that violates the conditions most."""
    beta, r = [0.0] * len(y), list(map(float, y))
    low = [-c if label < 0 else 0.0 for c, label in zip(C, y)]
    high = [c if label > 0 else 0.0 for c, label in zip(C, y)]
    for _ in range(most):
        i = max((k for k, c in enumerate(beta) if c < high[k]), key=r.__getitem__)
        j = min((k for k, c in enumerate(beta) if c > low[k]), key=r.__getitem__)
        if r[i] - r[j] < 1e-3:
            break
        curvature = K[i][i] + K[j][j] - 2 * K[i][j]
        unclipped = (r[i] - r[j]) / curvature if curvature > 0 else inf
        step = min(unclipped, high[i] - beta[i], beta[j] - low[j])
        beta[i] = high[i] if step == high[i] - beta[i] else beta[i] + step
        beta[j] = low[j] if step == beta[j] - low[j] else beta[j] - step
        r = [v - step * (p - q) for v, p, q in zip(r, K[i], K[j])]
    return beta


def is_accused(machine):
    """Whether the answer of plain pair steps that stop at 1e-3, as many do, is called wrong."""
    p = machine.problem
    beta = pair_steps(machine.K[: p.n], p.y, p.C, 100_000)
    scores = decisions(machine.K, beta, 0.0)
    off = [f + (machine.low + machine.high) / 2 - s for f, s in zip(scores, machine.scores)]
    shift = (machine.low + machine.high) / 2
    return any(abs(o - shift) > a for o, a in zip(off, machine.allowed))


def unseen(machine):
    """The names of faults that the case must show, and does not.

    Those of many steps show that they take them. The rows are repeated where no more can have a
    Sigmoid kernel; then no single example matters. Where all multipliers are at C they are so for
    many kernels, and the offset is free.
    """
    if "SlowSMO" in machine.case.flags:
        yield from unseen_steps(machine)
        return
    rows, unique = machine.problem.X, machine.high - machine.low < 1e-9
    if machine.problem.kernel.has_rows and not isinstance(rows[0], str):
        yield from unseen_features(machine)
    if len({tuple(x) for x in rows}) == len(rows):
        yield from unseen_examples(machine)
    if unique and max(machine.problem.C) < inf:
        yield from unseen_values(machine)
    if unique:
        yield from unseen_rows(machine)
