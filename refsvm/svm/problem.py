"""The support vector machine problem, in the one normal form that everything here speaks.

    primal    minimise   1/2 |w|^2 + sum C_i xi_i          over w, b and xi >= 0
              such that  y_i (<w, phi(x_i)> + b) >= 1 - xi_i

    dual      maximise   sum alpha_i - 1/2 sum_ij beta_i beta_j K_ij
              such that  0 <= alpha_i <= C_i               and, with an offset, sum beta_i = 0

Throughout this module
    y          labels, +1 or -1               alpha   multipliers, one an example
    K_ij       kernel of x_i and x_j          beta    alpha_i y_i; then w = sum beta_i phi(x_i)
    C_i        price of slack, may be inf     s_i     <w, phi(x_i)>, the score without offset
    xi_i       slack, max(0, 1 - y_i f_i)     f_i     s_i + b, the decision value

Two variants. bias=False: b is 0 and the equation sum beta_i = 0 is gone. slack="squared": the
price is C_i / 2 xi_i^2; the dual then has no upper bound and K_ii + 1 / C_i on its diagonal, and
xi_i = alpha_i / C_i. C = math.inf is the hard margin, under either price.

A linear problem with an offset does not change its dual when every row is moved by the same
vector, so it is solved on columns shifted by their lower median, where that rounds nothing: years
and timestamps then cost no precision, and a sparse column, whose median is 0, stays sparse.
Fractions have nothing to lose and are not moved: their shift is zero. The problems that several
classes make share the medians of all rows. Other conventions for C (averages, lambda) are
converted by conventions.py.
"""

from copy import copy
from fractions import Fraction
from math import inf

from ..kernels.base import as_kernel, checked_row_function
from ..kernels.gram_matrices import rows_for
from ..kernels.standard import Linear, Precomputed
from ..numerics.exact_sums import nearest_offset, nearest_weights
from ..numerics.linalg import dot
from ..numerics.validation import (
    check_length,
    labels,
    number_kind,
    one_of,
    penalties,
    sequence,
    to_number,
    vector,
    yes_or_no,
)


class Problem:
    """A training problem, checked and converted; it never changes afterwards.

    X, y      n rows (numbers, or strings for a kernel that takes strings) and n labels +1 / -1
    kernel    a Kernel or any function k(x, z); with Precomputed(), X is the Gram matrix
    C         a positive number, one for each example, or math.inf
    bias      whether there is an offset b
    slack     "hinge" or "squared"

    Attributes of the same names hold what was understood: C one number an example, all numbers of
    one `kind`; `n`; `shift`, the column medians of a linear problem with offset, else None.
    ValueError or TypeError for bad input, with the sentences of validation.py. O(n d).

    >>> problem = Problem([[0], [2]], [-1, 1], C=Fraction(1, 2))
    >>> problem.dual([Fraction(1, 2), Fraction(1, 2)])
    Fraction(1, 2)
    >>> problem.gap([Fraction(1, 2), Fraction(1, 2)], -1)
    Fraction(0, 1)
    """

    def __init__(self, X, y, kernel=Linear(), C=1, bias=True, slack="hinge"):
        kernel = as_kernel(kernel)
        kind = number_kind(X, C, kernel.parameters())
        kernel = kernel.to(kind)
        rows = self.convert_rows(X, kernel, kind)
        y = labels(y, len(rows))
        C = penalties(kind, C, len(rows))
        bias, slack = yes_or_no(bias, "bias"), one_of(slack, ("hinge", "squared"), "slack")
        self.set_validated(kind, rows, y, kernel, C, bias, slack)

    @classmethod
    def from_validated(cls, *checked, shift=None):
        """The problem that set_validated() makes of what was checked and converted before."""
        problem = cls.__new__(cls)
        problem.set_validated(*checked, shift=shift)
        return problem

    def convert_rows(self, X, kernel, kind):
        """The rows of X, converted; refused if they are no training set for the kernel."""
        return training_rows(X, kernel, kind)

    def set_validated(self, kind, rows, y, kernel, C, bias=True, slack="hinge", shift=None):
        """Be the problem of these; every number is of this kind, y and C are lists."""
        self.kind, self.kernel = kind, kernel
        self.X, self.n, self.y, self.C = rows, len(rows), y, C
        self.bias, self.slack = bias, slack
        self.linear = type(kernel) is Linear
        self.compute_shifted_rows(shift)

    def compute_shifted_rows(self, shift=None):
        """Work out what follows from X: the shift, unless it is known, and the rows to compute
        with."""
        if shift is None and self.linear and self.bias:
            shift = shift_of(self.X, self.kind)
        self.shift = shift
        self.rows = shifted(self.X, shift) if shift else self.X

    def __repr__(self):
        return (
            f"<Problem of {self.n} examples, {self.kernel!r}, {self.slack} slack,"
            f" {'with' if self.bias else 'without'} offset>"
        )

    def to(self, kind):
        """The same problem in numbers of this kind."""
        if kind is self.kind:
            return self
        other = copy(self)
        other.kind, other.kernel = kind, self.kernel.to(kind)
        if not isinstance(self.X[0], str):
            other.X = [list(map(kind, x)) for x in self.X]
        other.C = [c if c == inf else kind(c) for c in self.C]
        other.compute_shifted_rows()
        return other

    def kernel_rows(self):
        """The function that takes a row of self.rows to its kernel values with all examples."""
        points = self.kernel.reference_points(self.rows)
        return checked_row_function(self.kernel, points, self.kind, self.n)

    def upper_bounds(self):
        """The largest value of each alpha: C_i, or inf under squared slack."""
        return self.C if self.slack == "hinge" else [inf] * self.n

    def ridge(self):
        """What squared slack adds to the diagonal of K: 1 / C_i; zeros under hinge.

        ValueError if one of them is beyond the doubles: of C below 5.6e-309.
        """
        zero = self.kind(0)
        if self.slack == "hinge":
            return [zero] * self.n
        found = [zero if c == inf else 1 / c for c in self.C]
        if inf in found:
            i = found.index(inf)
            raise ValueError(
                f"C[{i}] is {self.C[i]}; under squared slack floats need a C whose 1 / C is finite"
            )
        return found

    def beta(self, alpha, name="alpha"):
        """alpha_i y_i, as numbers of the problem's kind."""
        alpha = sequence(alpha, name)
        check_length(alpha, self.n, name)
        return [a * s for a, s in zip(vector(alpha, name, self.kind), self.y)]

    def weights(self, alpha):
        """w = sum (alpha_i y_i) x_i, each number rounded once; linear kernel only. O(n d)."""
        if not self.linear:
            raise TypeError(f"w is a list of numbers for Linear() only, not for {self.kernel!r}")
        problem, _ = self.in_common_type(alpha, 0)
        return nearest_weights(problem.beta(alpha), problem.X)

    def scores_and_norm2(self, beta):
        """(the scores s_i of the shifted rows, |w|^2) for any beta. O(n n d), linear O(n d).

        The linear kernel goes by way of w; the others sum over beta_j != 0 in index order.
        """
        if self.linear:
            w = nearest_weights(beta, self.X)
            return [dot(w, x) for x in self.rows], dot(w, w)
        row, scores = self.kernel_rows(), [self.kind(0)] * self.n
        for b, x in zip(beta, self.rows):
            if b != 0:
                scores = [s + b * k for s, k in zip(scores, row(x))]
        return scores, dot(beta, scores)

    def shifted_offset(self, b, alpha):
        """The offset that belongs to the shifted rows, from the caller's b."""
        return self.translated_offset(b, alpha, +1)

    def unshifted_offset(self, b, alpha):
        """The caller's offset, from the b that belongs to the shifted rows.

        It uses the very w that a Model holds, so that w.x + b is right for w as rounded.
        """
        return self.translated_offset(b, alpha, -1)

    def translated_offset(self, b, alpha, sign):
        """b + sign <w, shift>, rounded once; b itself if nothing is shifted."""
        if self.shift is None or not any(self.shift):
            return b
        return nearest_offset(b, self.weights(alpha), self.shift, sign)

    def slacks(self, alpha, b):
        """max(0, 1 - y_i f_i) for every example."""
        return [max(1 - m, self.kind(0)) for m in self.margins(alpha, b)]

    def margins(self, alpha, b):
        """The functional margin y_i f_i of every example."""
        problem, b = self.in_common_type(alpha, b)
        here = problem.shifted_offset(b, alpha)
        scores, _ = problem.scores_and_norm2(problem.beta(alpha))
        return [y * (s + here) for y, s in zip(problem.y, scores)]

    def primal(self, alpha, b):
        """The primal objective at w = sum beta_i phi(x_i) and b: never below the optimum.

        A margin below 1 where C_i is inf breaks a constraint; then (w, b) is first multiplied
        by the least factor that mends it, and the value is inf if no factor does.
        """
        problem, b = self.in_common_type(alpha, b)
        image = problem.scores_and_norm2(problem.beta(alpha))
        return problem.primal_value(*image, problem.shifted_offset(b, alpha))

    def primal_value(self, scores, w_norm2, b):
        """The primal objective from the scores and offset of the shifted rows, and |w|^2."""
        margins = [y * (s + b) for y, s in zip(self.y, scores)]
        factor = self.rescaling_factor(margins)
        if factor is None:
            return inf
        value = factor * factor * w_norm2 / 2
        for margin, c in zip(margins, self.C):
            slack = 1 - factor * margin
            if slack > 0 and c != inf:
                value += c * slack if self.slack == "hinge" else c * (slack * slack) / 2
        return value

    def rescaling_factor(self, margins):
        """The least factor >= 1 that lifts to 1 each margin with C_i inf; None if none does."""
        factor = self.kind(1)
        for margin, c in zip(margins, self.C):
            if c == inf and factor * margin < 1:
                if margin <= 0:
                    return None
                factor = 1 / margin
        return factor

    def dual(self, alpha):
        """The dual objective at alpha: never above the optimum, if alpha is feasible."""
        problem, _ = self.in_common_type(alpha, 0)
        beta = problem.beta(alpha)
        return problem.dual_value(beta, problem.scores_and_norm2(beta)[1])

    def dual_value(self, beta, w_norm2):
        """sum alpha_i - 1/2 |w|^2, less 1/2 sum alpha_i^2 / C_i under squared slack."""
        total = self.kind(0)
        for y, b, ridge in zip(self.y, beta, self.ridge()):
            total += y * b - ridge * b * b / 2
        return total - w_norm2 / 2

    def gap(self, alpha, b):
        """primal - dual: how far either can be from the optimum, if alpha is feasible.

        As computed: rounding may leave it a little below zero on floats.
        """
        problem, b = self.in_common_type(alpha, b)
        beta = problem.beta(alpha)
        scores, w_norm2 = problem.scores_and_norm2(beta)
        primal = problem.primal_value(scores, w_norm2, problem.shifted_offset(b, alpha))
        return gap_between(primal, problem.dual_value(beta, w_norm2))

    def in_common_type(self, alpha, b):
        """This problem and b in one kind: Fraction if the problem, alpha or b has one."""
        kind = Fraction if self.kind is Fraction else number_kind(alpha, b)
        b = to_number(kind, b, "b")
        if b != 0 and not self.bias:
            raise ValueError(f"b is {b}; a problem without offset has b = 0")
        return self.to(kind), b


def require_problem(problem):
    """The problem, refused unless it is one."""
    if not isinstance(problem, Problem):
        raise TypeError(f"problem is {problem!r}; a Problem is needed")
    return problem


def training_rows(X, kernel, kind):
    """The rows of X: strings kept as they are, or numbers of this kind."""
    rows = rows_for(X, "X", kind, kernel)
    if isinstance(kernel, Precomputed):
        refuse_unless_gram(rows)
    return rows


def refuse_unless_gram(K):
    """ValueError unless K is square and symmetric, to the last bit."""
    for i, row in enumerate(K):
        if len(row) != len(K):
            raise ValueError(
                f"X[{i}] has length {len(row)}; a precomputed Gram matrix of {len(K)} rows"
                " is square"
            )
        for j in range(i):
            if row[j] != K[j][i]:
                raise ValueError(
                    f"X[{i}][{j}] is {row[j]} and X[{j}][{i}] is {K[j][i]};"
                    " a precomputed Gram matrix is symmetric"
                )


def shift_of(X, kind):
    """What each column is shifted by: its lower median; zero for Fractions, which need no shift.

    Zero, too, where a difference from the median would be rounded: the shifted problem must be
    the same problem. Then the column's numbers are not all far from zero, or not all close.
    """
    if kind is Fraction:
        return [kind(0)] * len(X[0])
    medians = [sorted(column)[(len(X) - 1) // 2] for column in zip(*X)]
    exact = [all(differs_exactly(v, c) for v in column) for c, column in zip(medians, zip(*X))]
    return [c if same else kind(0) for c, same in zip(medians, exact)]


def differs_exactly(v, c):
    """Whether the double v - c is the difference itself: it leads back to both."""
    d = v - c
    return d + c == v and v - d == c


def shifted(X, shift):
    """The rows of X, each minus the shift."""
    return [[v - c for v, c in zip(x, shift)] for x in X]


def gap_between(primal, dual):
    """primal - dual; inf where primal is: a float, and a Fraction dual may be beyond those.

    >>> from fractions import Fraction
    >>> gap_between(3.0, 1.0), gap_between(inf, Fraction(10) ** 400)
    (2.0, inf)
    """
    return primal if primal == inf else primal - dual
