"""The support vector machine as a quadratic program: what is true of all of them, said of it.

The unknowns are written one after the other in a single list z: first w, then b (with an offset),
then a slack xi_i for every example whose C_i is finite. The constraints, in this order:

    1 - y_i (w.x_i + b) - xi_i <= 0     one for each example; its multiplier is alpha_i
    -xi_i <= 0                          one for each slack; its multiplier is lam_i

All of them are affine and the objective is convex, so one feasible point is enough for strong
duality, and for multipliers at the optimum. There always is one if there is slack to buy; of a
hard margin any separating hyperplane makes one, by scaling it up.

    z       the unknowns in one list              soft    the examples with a slack: C_i is finite

Source: NYU slides, "Strong Duality by Slater's Constraint Qualification"; CS229 lecture notes,
section 7; Cesa-Bianchi, "Support Vector Machines", after Lemma 2.
"""

from math import inf

from ..numerics.linalg import dot, scale
from .qp_duality import quadratic_program
from .svm_dual import met


def svm_program(problem):
    """The problem as a QuadraticProgram in z = (w, b, xi): d + 1 + n unknowns, 2n constraints.

    Without offset there is no b, and no slack where C_i is inf. Linear kernel only. O(n (d + n)).

    >>> from refsvm.svm.problem import Problem
    >>> qp = svm_program(Problem([[0], [2]], [-1, 1], C=3))
    >>> qp.q, qp.G[0], qp.h[0]              # the first constraint: 0 w + b - xi_0 <= -1
    ([0.0, 0.0, 3.0, 3.0], [0.0, 1.0, -1.0, 0.0], -1.0)
    """
    problem, (w, _, _), _, _ = met(problem)
    kind, soft = problem.kind, slack_of(problem)
    first = len(w) + (1 if problem.bias else 0)  # where the slacks begin
    size = first + len(soft)
    P = [[kind(0)] * size for _ in range(size)]
    q = [kind(0)] * size
    for j in range(len(w)):
        P[j][j] = kind(1)
    for k, i in enumerate(soft):
        if problem.slack == "hinge":
            q[first + k] = problem.C[i]
        else:
            P[first + k][first + k] = problem.C[i]
    G = [margin_row(problem, i, soft) for i in range(problem.n)]
    G += [[kind(-1 if j == first + k else 0) for j in range(size)] for k in range(len(soft))]
    return quadratic_program(P, q, G, [kind(-1)] * problem.n + [kind(0)] * len(soft))


def slack_of(problem):
    """The examples that have a slack."""
    return [i for i, C in enumerate(problem.C) if C != inf]


def margin_row(problem, i, soft):
    """The row of 1 - y_i (w.x_i + b) - xi_i <= 0."""
    y, kind = problem.y[i], problem.kind
    offset = [kind(-y)] if problem.bias else []
    return scale(-y, problem.X[i]) + offset + [kind(-1 if j == i else 0) for j in soft]


def unknowns(problem, w, b, xi=None):
    """z: w, b and the slacks in the order of svm_program; without xi the least slacks that do.

    >>> from refsvm.svm.problem import Problem
    >>> unknowns(Problem([[0], [2]], [-1, 1], C=3), [1], -1.5)
    [1.0, -1.5, 0.0, 0.5]
    """
    xi = least_slacks(problem, w, b) if xi is None else xi
    problem, (w, b, xi), _, _ = met(problem, w, b, xi)
    return w + ([b] if problem.bias else []) + [xi[i] for i in slack_of(problem)]


def least_slacks(problem, w, b):
    """max(0, 1 - y_i (w.x_i + b)) where there is slack, 0 where there is none."""
    problem, (w, b, _), _, _ = met(problem, w, b)
    zero = problem.kind(0)
    return [
        zero if C == inf else max(zero, 1 - y * (dot(w, x) + b))
        for C, y, x in zip(problem.C, problem.y, problem.X)
    ]


def multipliers(problem, alpha, lam=None):
    """alpha and the prices of the slacks in the order of svm_program.

    Without lam those that an optimal alpha must have: C_i - alpha_i, or 0 under squared slack.

    >>> from refsvm.svm.problem import Problem
    >>> multipliers(Problem([[0], [2]], [-1, 1], C=3), [0.5, 0.5])
    [0.5, 0.5, 2.5, 2.5]
    """
    lam = prices_of_slack(problem, alpha) if lam is None else lam
    problem, _, alpha, lam = met(problem, alpha=alpha, lam=lam)
    return alpha + [lam[i] for i in slack_of(problem)]


def prices_of_slack(problem, alpha):
    """lam = C - alpha where there is slack, else 0; under squared slack 0 everywhere."""
    problem, _, alpha, _ = met(problem, alpha=alpha)
    zero = problem.kind(0)
    hinge = problem.slack == "hinge"
    return [C - a if hinge and C != inf else zero for C, a in zip(problem.C, alpha)]


def strictly_inside(problem, w=None, b=0):
    """A z that keeps every constraint with room to spare: proof that there is no duality gap.

    With slack for everybody w = 0, b = 0, xi = 2 will do. Otherwise a separating (w, b) is needed;
    it is scaled up until its least margin there is 2. ValueError if w and b separate nothing.

    >>> from refsvm.svm.problem import Problem
    >>> strictly_inside(Problem([[0], [2]], [-1, 1], C=3))
    [0.0, 0.0, 2.0, 2.0]
    >>> strictly_inside(Problem([[0], [2]], [-1, 1], C=inf), [0.5], -0.5)
    [2.0, -2.0]
    """
    problem, (w, b, _), _, _ = met(problem, w, b)
    margins = {
        i: problem.y[i] * (dot(w, problem.X[i]) + b) for i, C in enumerate(problem.C) if C == inf
    }
    for i, margin in margins.items():
        if not margin > 0:
            raise ValueError(f"the margin of example {i} is {margin}; (w, b) must separate it")
    factor = 2 / min(margins.values()) if margins else problem.kind(1)
    w, b = scale(factor, w), factor * b
    xi = [0 if i in margins else s + 1 for i, s in enumerate(least_slacks(problem, w, b))]
    return unknowns(problem, w, b, xi)
