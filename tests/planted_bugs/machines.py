"""Bugs planted into the small machines of regression, nu and outliers.

The first of each stage are alive in programs that people use: a tolerance in no units of the data,
nothing done for a tiny nu, a box of 1 whatever C is, an infinity at nu's limit, a radius from the
mean of k(x, x), a row on the boundary that is an outlier.
"""

from planted_bugs.changes import Change, Code

SVR, NU_SVR, ONE_CLASS, BALL, NU_SVC = (
    Code(("machines",), name) for name in ("SVR", "NuSVR", "OneClassSVM", "SVDD", "NuSVC")
)

FIT_SVR = "        t = [v - self.epsilon for v in self.y] + [v + self.epsilon for v in self.y]\n"
TOP = "        n, top = self.n, [self.C * w for w in self.weights]\n"
UNIT = "tol * unit(offsets(x, r, lower, upper, groups), x)"
STEP = "step = min(step, upper[i] - x[i], x[j] - lower[j])"
FREE = "            found.append(sum(free) / len(free))\n"
MIDDLE = "            found.append((low + high) / 2)\n"
KEEP = "        self.beta, self.b = beta, b\n"
GAUSS = "math.exp(-self.width() * sum((p - q) * (p - q) for p, q in zip(x, z)))"


MACHINE_BUGS = []  # beside PLANTED, whose cases are those of C-SVC


def bugs(stage, code, prefix):
    """The function that plants a bug into this machine."""

    def bug(name, flags, old, new):
        change = Change(code, stage, f"{prefix}: {name}", tuple(flags.split()), old, new)
        MACHINE_BUGS.append(change)

    return bug


# ---- regression

bug = bugs("regression", SVR, "SVR")
SPREAD_SVR = ("        x, (b,) = solve(self.K, t, lower, upper, [range(2 * n)], [0.0],\n"
              "                        lambda lam, x: spread, self.tol)\n")
bug("the tolerance is an absolute number", "AbsoluteTolerance",
    SPREAD_SVR, SPREAD_SVR.replace("x: spread, self.tol", "x: 1.0, self.tol"))
bug("C is 1 whatever is asked", "PriceIgnored",
    "        spread = (max(self.y) - min(self.y)) / 2\n" + FIT_SVR,
    "        spread = (max(self.y) - min(self.y)) / 2\n        top = self.weights\n" + FIT_SVR)
bug("no row outside the tube is refused", "Refused Crash",
    "        return self.keep([x[i] + x[n + i] for i in range(n)], b)\n\n    def predict",
    "        if not any(x):\n            raise ValueError('there are no support vectors')\n"
    "        return self.keep([x[i] + x[n + i] for i in range(n)], b)\n\n    def predict")
bug("epsilon is 0.1 whatever is asked", "EpsilonIgnored",
    FIT_SVR, FIT_SVR.replace("self.epsilon", "0.1"))
bug("epsilon is left out", "EpsilonIgnored", FIT_SVR, FIT_SVR.replace("self.epsilon", "0.0"))
bug("the tube is twice as wide", "EpsilonScaled",
    FIT_SVR, FIT_SVR.replace("self.epsilon", "2 * self.epsilon"))
bug("the tube is on one side only", "",
    FIT_SVR, FIT_SVR.replace("[v + self.epsilon", "[v"))
bug("b forgets the tube", "OffsetWithoutEpsilon Offset OffsetBounded",
    "        return self.keep([x[i] + x[n + i] for i in range(n)], b)\n\n    def predict",
    "        free = [i for i in range(n) if 0 < abs(x[i] + x[n + i]) < top[i]]\n"
    "        beta = [x[i] + x[n + i] for i in range(n)]\n"
    "        rest = [self.y[i] - sum(p * q for p, q in zip(beta, self.K[i])) for i in free]\n"
    "        b = sum(rest) / len(rest) if rest else b\n"
    "        return self.keep(beta, b)\n\n    def predict")
bug("b is the mean of y", "OffsetMeanOfY",
    "        return self.keep([x[i] + x[n + i] for i in range(n)], b)\n\n    def predict",
    "        b = sum(self.y) / n\n"
    "        return self.keep([x[i] + x[n + i] for i in range(n)], b)\n\n    def predict")
bug("negative parts are lost", "AlphaSum SupportVectorsLost",
    "        return self.keep([x[i] + x[n + i] for i in range(n)], b)\n\n    def predict",
    "        return self.keep(x[:n], b)\n\n    def predict")
bug("b is left out when it predicts", "OffsetMissing DecisionArithmetic",
    "return [s + self.b for s in self.scores(X)]\n\n\nclass NuSVR",
    "return self.scores(X)\n\n\nclass NuSVR")
bug("y is cut to whole numbers", "TargetsRounded",
    FIT_SVR, "        self.y = [float(int(v)) for v in self.y]\n" + FIT_SVR)
bug("weights are not used", "WeightsIgnored ZeroWeight",
    "        spread = (max(self.y) - min(self.y)) / 2\n" + FIT_SVR,
    "        spread = (max(self.y) - min(self.y)) / 2\n        top = [self.C] * n\n" + FIT_SVR)
bug("C is divided by n", "PriceScaled",
    "        spread = (max(self.y) - min(self.y)) / 2\n" + FIT_SVR,
    "        spread = (max(self.y) - min(self.y)) / 2\n        top = [c / n for c in top]\n"
    + FIT_SVR)
bug("the spread of y is its deviation in C and epsilon", "TargetsScaled",
    FIT_SVR, "        unit = (sum((v - sum(self.y) / n) ** 2 for v in self.y) / n) ** 0.5 or 1.0\n"
    "        top = [unit * c for c in top]\n"
    + FIT_SVR.replace("self.epsilon", "unit * self.epsilon"))
bug("gamma is 1", "KernelParameters", GAUSS, GAUSS.replace("self.width() * ", ""))
bug("coef0 is left out", "KernelParameters", " * product + self.coef0)", " * product)")
bug("it stops after four steps", "Wrong", "range(MOST)", "range(4)")
bug("b is averaged over all that may move", "OffsetAveraged OffsetBounded OffsetEveryRow Offset",
    "free = [r[k] for k in group if lower[k] < x[k] < upper[k]]",
    "free = [r[k] for k in group if x[k] != 0]")
bug("without a free variable b is one end less a little", "Offset OffsetMissing OffsetEnds",
    MIDDLE, MIDDLE.replace("(low + high) / 2", "low - abs(high - low) / 2"))

bug = bugs("regression", NU_SVR, "NuSVR")
HALF = "        half = self.nu * sum(top) / 2\n        lower, upper = [0.0] * n + ["
bug("the box is 1 whatever C is", "BoxIgnored PriceIgnored AlphaOutside AlphaSum",
    HALF, "        half = min(self.nu * sum(top) / 2, n / 2)\n        top = list(self.weights)\n"
    "        lower, upper = [0.0] * n + [")
bug("C is that of the paper, n times this one", "PriceScaled",
    HALF, "        top = [c / n for c in top]\n" + HALF)
bug("nu is 1/2", "NuIgnored", HALF, HALF.replace("self.nu", "0.5"))
bug("each side has the sum of both", "NuScaled AlphaSum",
    HALF, HALF.replace("sum(top) / 2", "sum(top) * min(1.0, 1 / (2 * self.nu))"))
bug("b is that of one side", "OffsetOneSide",
    "        b = (lam[0] + lam[1]) / 2\n        self.epsilon_",
    "        b = lam[0]\n        self.epsilon_")
bug("epsilon is twice too wide", "EpsilonWrong",
    "max(0.0, (lam[0] - lam[1]) / 2)", "max(0.0, lam[0] - lam[1])")
bug("the tolerance is an absolute number", "AbsoluteTolerance",
    "[half, -half], lambda lam, x: spread, self.tol)",
    "[half, -half], lambda lam, x: 1.0, self.tol)")

# ---- outliers

bug = bugs("outliers", ONE_CLASS, "one class")
SHARE = "        share = self.nu * sum(top)\n"
KEPT = "        return self.keep(x, lam[0])\n"
ONE_UNIT = "                       lambda lam, x: max(-lam[0], 0.0), self.tol)\n        w2"
bug("the tolerance is an absolute number", "AbsoluteTolerance StoppedEarly",
    ONE_UNIT, ONE_UNIT.replace("max(-lam[0], 0.0), self.tol", "1.0, 1e-3"))
bug("a row on the boundary is an outlier", "BoundarySign",
    "        return [1 if f >= 0 else -1 for f in self.decision_function(X)]\n\n\nclass SVDD",
    "        return [1 if f > 0 else -1 for f in self.decision_function(X)]\n\n\nclass SVDD")
bug("nu n is cut to a whole number", "RemainderRounded NuScaled AlphaSum",
    SHARE, "        share = float(max(1, int(self.nu * sum(top))))\n")
bug("nu is 1/2", "NuIgnored", SHARE, SHARE.replace("self.nu", "0.5"))
bug("there is no upper bound", "BoxIgnored AlphaOutside",
    SHARE, SHARE + "        top = [share] * n\n")
bug("rho is infinite where nu is 1", "NuAtLimit",
    "            found.append(low if math.isfinite(low) else high)\n",
    "            found.append(-math.inf)\n")
bug("rho is the mean of all scores", "OffsetEveryRow",
    KEPT, "        rho = sum(sum(p * q for p, q in zip(x, k)) for k in self.K) / n\n"
    "        return self.keep(x, -rho)\n")
bug("rho is that of the support vectors", "OffsetAveraged OffsetBounded",
    KEPT, "        inside = [sum(p * q for p, q in zip(x, k)) for k, c in zip(self.K, x) if c]\n"
    "        return self.keep(x, -sum(inside) / len(inside))\n")
bug("rho is left out", "OffsetMissing",
    KEPT, "        return self.keep(x, 0.0)\n")
bug("rho has the wrong sign", "OffsetSign", KEPT, KEPT.replace("lam[0]", "-lam[0]"))
bug("a start that is not balanced", "AlphaSum NuScaled StoppedEarly",
    "            rest -= x[k]\n", "            rest -= x[k] * 1.25\n")

bug = bugs("outliers", BALL, "ball")
RADIUS = "max(0.0, 2 * lam[0] + self.centre2)"
BALL_SUM = "[range(n)], [1.0], squared_radius, self.tol)"
bug("the radius takes the mean of k(x, x)", "RadiusOfMean Offset",
    RADIUS, "sum(self.K[i][i] for i in range(n)) / n - 2 * next(sum(p * q for p, q in zip(x, k))"
    " for k, c in zip(self.K, x) if c) + self.centre2")
bug("the radius is not squared", "Offset OffsetScaled RadiusNotSquared",
    RADIUS, f"({RADIUS}) ** 0.5")
bug("decisions are R - d", "RadiusNotSquared",
    "found.append(self.radius2_ - distance2)",
    "found.append(self.radius2_ ** 0.5 - max(distance2, 0.0) ** 0.5)")
bug("decisions grow outwards", "SignFlipped DecisionArithmetic",
    "found.append(self.radius2_ - distance2)", "found.append(distance2 - self.radius2_)")
bug("C is infinite", "PriceIgnored AlphaOutside",
    "        t = [self.K[i][i] / 2 for i in range(n)]\n",
    "        top = [1.0] * n\n        t = [self.K[i][i] / 2 for i in range(n)]\n")
bug("|c|^2 is forgotten", "", "distance2 = self.kernel_value(x, x) - 2 * s + self.centre2",
    "distance2 = self.kernel_value(x, x) - 2 * s")
bug("the dual has no k(x, x)", "", "        t = [self.K[i][i] / 2 for i in range(n)]\n",
    "        t = [0.0 for i in range(n)]\n")
bug("a penalty that is too small is taken", "SumTooLarge",
    "        if sum(top) < 1 - 1e-12:\n", "        if sum(top) < 0:\n")
bug("the tolerance is an absolute number", "AbsoluteTolerance",
    BALL_SUM, BALL_SUM.replace("squared_radius, self.tol", "lambda lam, x: 1.0, self.tol"))

# ---- nu

bug = bugs("nu", NU_SVC, "NuSVC")
NU_HALF = "        half = self.nu * sum(top) / 2\n        if half"
NU_KEPT = "        return self.keep([c / rho for c in x], b / rho)\n"
NU_UNIT = "lambda lam, x: max((lam[1] - lam[0]) / 2, 0.0), self.tol)"
bug("the tolerance is an absolute number", "AbsoluteTolerance",
    NU_UNIT, "lambda lam, x: 1.0, self.tol)")
bug("nothing is divided by rho", "RhoNotDivided", NU_KEPT, "        return self.keep(x, b)\n")
bug("b is not divided by rho", "Offset OffsetScaled OffsetBounded",
    NU_KEPT, "        return self.keep([c / rho for c in x], b)\n")
bug("nu is 1/2", "NuIgnored", NU_HALF, NU_HALF.replace("self.nu", "0.5"))
bug("nu n is rounded", "RemainderRounded NuScaled",
    NU_HALF, NU_HALF.replace("self.nu * sum(top) / 2", "max(1.0, round(self.nu * sum(top))) / 2"))
bug("rho is infinite where nu is at its limit", "NuAtLimit",
    "            found.append(low if math.isfinite(low) else high)\n",
    "            found.append(math.nan)\n")
bug("b is left out", "OffsetMissing", NU_KEPT, NU_KEPT.replace("b / rho", "0.0"))
bug("b has the wrong sign", "OffsetSign", NU_KEPT, NU_KEPT.replace("b / rho", "-b / rho"))
bug("b is that of one class", "OffsetOneSide",
    "        b, rho = (lam[0] + lam[1]) / 2, (lam[1] - lam[0]) / 2\n        w2",
    "        b, rho = lam[0], (lam[1] - lam[0]) / 2\n        w2")
bug("weights are not used", "WeightsIgnored ZeroWeight",
    "        n, top = self.n, self.weights\n", "        n, top = self.n, [1.0] * self.n\n")
bug("one variable too few is free", "ExampleIgnored Wrong",
    "        upper = [top[i] if i in plus else 0.0 for i in range(n)]\n",
    "        upper = [top[i] if i in plus and i < n - 1 or i == plus[0] else 0.0"
    " for i in range(n)]\n")
