"""Five machines as their definitions have them, on Fractions; nothing of refsvm is used.

Each has its primal in slacks, every slack the least that its constraint allows, and says which
Program of exact_programs.py is its dual: what the variables of that stand for, and which offsets
the multipliers of its groups give. A weight w_i says how often example i counts; W is their sum.

    s_i = <w, phi_i>,   w = sum beta_i phi_i

    machine        minimises                                       such that, with slacks >= 0
    NuSVC          |w|^2 / 2 - nu W rho + sum w_i xi_i             y_i (s_i + b) >= rho - xi_i
    Regression     |w|^2 / 2 + C sum w_i (xi_i + xi*_i)            y_i - s_i - b <= epsilon + xi_i
                                                                   s_i + b - y_i <= epsilon + xi*_i
    NuRegression   the same + C nu W epsilon                       the same, and epsilon >= 0
    OneClass       |w|^2 / 2 - nu W rho + sum w_i xi_i             s_i >= rho - xi_i
    Ball           radius2 + C sum w_i xi_i                        |phi_i - w|^2 <= radius2 + xi_i

The scale is LIBSVM's: slacks are summed, not averaged. rho >= 0 and radius2 >= 0 need not be
demanded, nor need epsilon >= 0: below 0 one constraint of each example is broken, so the objective
changes with epsilon at a rate of at most C W (nu - 1) <= 0, and 0 is as good (the ball likewise).
"""

from dataclasses import dataclass
from fractions import Fraction as Q
from itertools import product
from math import inf
from typing import Any, NamedTuple

from exact_programs import (
    Program,
    corners,
    exact_sum,
    inner,
    objective,
    optimum,
    times,
)


class Answer(NamedTuple):
    value: Any  # of primal and dual
    variables: list  # of the Program
    alpha: list  # net: one number an example
    beta: list
    scores: list  # s_i, the same for every optimum
    multipliers: list  # an interval a group
    offsets: dict  # an interval an offset, by name; not independent of each other


@dataclass(frozen=True)
class Machine:
    K: list

    SHARES = {}  # offset: its coefficient on the multiplier of each group
    AT_LEAST = {}  # offset: a bound that the primal may put upon it

    @property
    def n(self):
        return len(self.K)

    @property
    def W(self):
        return exact_sum(self.weights)

    @property
    def everyone(self):
        return list(range(self.n))

    def solve(self):
        """The Answer, or None where no multipliers fulfil the constraints."""
        program = self.program()
        found = optimum(program)
        return found and self.answer(found.b, found.multipliers)

    def answer(self, variables, intervals):
        beta = self.beta(variables)
        offsets = {}
        for name, shares in self.SHARES.items():
            ends = [self.offset(beta, shares, lams) for lams in ends_of(intervals, shares)]
            offsets[name] = tuple(max(v, self.AT_LEAST.get(name, -inf)) for v in ends)
        return Answer(self.dual(variables), variables, self.alpha(variables), beta,
                      times(self.K, beta), intervals, offsets)

    def offset(self, beta, shares, lams):
        return sum(c * lam for c, lam in zip(shares, lams) if c) + self.shift(beta)

    def offsets_at(self, beta, lams):
        """The offsets, by name, that one multiplier a group stands for."""
        return {name: self.offset(beta, c, lams) for name, c in self.SHARES.items()}

    def is_unique(self):
        """Whether one alpha is optimal only. The variables of regression may differ when it is."""
        return len({tuple(self.alpha(b)) for b in corners(self.program())}) == 1

    def shift(self, beta):
        return 0

    def beta(self, variables):
        return variables

    def alpha(self, variables):
        return self.beta(variables)

    def dual(self, variables):
        return -objective(self.program(), variables)

    def norm2(self, beta):
        return inner(beta, times(self.K, beta))


def ends_of(intervals, shares):
    """The multipliers that make an offset least, and those that make it greatest."""
    rising = [(low, high) if c >= 0 else (high, low) for (low, high), c in zip(intervals, shares)]
    return list(zip(*rising))


@dataclass(frozen=True)
class NuSVC(Machine):
    y: list
    nu: Any
    weights: list

    SHARES = {"b": (Q(1, 2), Q(1, 2)), "rho": (Q(-1, 2), Q(1, 2))}

    def program(self):
        half = self.nu * self.W / 2
        return Program(
            self.K, [Q(0)] * self.n,
            [Q(0) if y > 0 else -w for y, w in zip(self.y, self.weights)],
            [w if y > 0 else Q(0) for y, w in zip(self.y, self.weights)],
            [[i for i in self.everyone if self.y[i] == s] for s in (1, -1)], [half, -half],
        )

    def alpha(self, variables):
        return [b * y for b, y in zip(variables, self.y)]

    def primal(self, beta, b, rho):
        s = times(self.K, beta)
        slack = [max(0, rho - y * (v + b)) for y, v in zip(self.y, s)]
        return self.norm2(beta) / 2 - self.nu * self.W * rho + inner(self.weights, slack)


class OfTargets(Machine):
    """Regression of either kind: variable i is a_i, and variable n + i is -a*_i."""

    def beta(self, variables):
        return [a + b for a, b in zip(variables[: self.n], variables[self.n :])]

    def both(self, t, groups, sums):
        twice = [row + row for row in self.K]
        top = [self.C * w for w in self.weights]
        zeros = [Q(0)] * self.n
        return Program(twice + twice, t, zeros + [-c for c in top], top + zeros, groups, sums)

    def loss(self, beta, b, epsilon):
        error = [y - s - b for y, s in zip(self.y, times(self.K, beta))]
        slack = [max(0, e - epsilon) + max(0, -e - epsilon) for e in error]
        return self.norm2(beta) / 2 + self.C * inner(self.weights, slack)


@dataclass(frozen=True)
class Regression(OfTargets):
    y: list
    C: Any
    epsilon: Any
    weights: list

    SHARES = {"b": (1,)}

    def program(self):
        t = [y - self.epsilon for y in self.y] + [y + self.epsilon for y in self.y]
        return self.both(t, [list(range(2 * self.n))], [Q(0)])

    def primal(self, beta, b):
        return self.loss(beta, b, self.epsilon)


@dataclass(frozen=True)
class NuRegression(OfTargets):
    y: list
    C: Any
    nu: Any
    weights: list

    SHARES = {"b": (Q(1, 2), Q(1, 2)), "epsilon": (Q(1, 2), Q(-1, 2))}
    AT_LEAST = {"epsilon": 0}

    def program(self):
        half = self.C * self.nu * self.W / 2
        groups = [self.everyone, [self.n + i for i in self.everyone]]
        return self.both(self.y + self.y, groups, [half, -half])

    def primal(self, beta, b, epsilon):
        return self.loss(beta, b, epsilon) + self.C * self.nu * self.W * epsilon


@dataclass(frozen=True)
class OneClass(Machine):
    nu: Any
    weights: list

    SHARES = {"rho": (-1,)}

    def program(self):
        zeros = [Q(0)] * self.n
        return Program(self.K, zeros, zeros, self.weights, [self.everyone], [self.nu * self.W])

    def primal(self, beta, rho):
        slack = [max(0, rho - s) for s in times(self.K, beta)]
        return self.norm2(beta) / 2 - self.nu * self.W * rho + inner(self.weights, slack)


@dataclass(frozen=True)
class Ball(Machine):
    C: Any
    weights: list

    SHARES = {"radius2": (2,)}
    AT_LEAST = {"radius2": 0}

    def program(self):
        half = [self.K[i][i] / 2 for i in self.everyone]
        top = [self.C * w for w in self.weights]
        return Program(self.K, half, [Q(0)] * self.n, top, [self.everyone], [Q(1)])

    def shift(self, beta):
        return self.norm2(beta)

    def dual(self, variables):
        return 2 * super().dual(variables)

    def primal(self, beta, radius2):
        s, norm2 = times(self.K, beta), self.norm2(beta)
        distance2 = [self.K[i][i] - 2 * s[i] + norm2 for i in self.everyone]
        slack = [max(0, d - radius2) for d in distance2]
        return radius2 + self.C * inner(self.weights, slack)


def corners_of(intervals):
    """The corners of the rectangle of multipliers whose ends are finite."""
    return list(product(*([v for v in ends if abs(v) != inf] for ends in intervals)))
