"""Planted bugs: when the solver stops."""

from planted_bugs.changes import bugs_of

bug = bugs_of("stop")

bug("a pair without curvature ends it all", "FlatPairSkipped",
    "        t = travel(K, alpha, r, y, C, i, j)\n",
    "        t = travel(K, alpha, r, y, C, i, j)\n"
    "        if K[i][i] + K[j][j] - 2 * K[i][j] <= 0:\n"
    "            return alpha, r, step, True\n")
bug("stops when a step is short (49)", "AbsoluteThreshold StoppedEarly",
    "        t = travel(K, alpha, r, y, C, i, j)\n",
    "        t = travel(K, alpha, r, y, C, i, j)\n"
    "        if t < 1e-5:\n            return alpha, r, step, True\n")
bug("multipliers below 1e-5 are dropped (51)", "AbsoluteThreshold VectorsDropped",
    "if v != 0]\n        self.support_ ", "if abs(v) > 1e-5]\n        self.support_ ")
bug("stops after two quiet passes, whatever the gap (36, 47)", "StoppedEarly",
    "        if r[i] - r[j] <= tol:\n", "        if r[i] - r[j] <= tol or step >= n:\n"
    "            return alpha, r, step, True\n        if r[i] - r[j] <= tol:\n")
bug("a cap on the steps, and no word about it (41, 45)", "StoppedEarly",
    "        if r[i] - r[j] <= tol:\n",
    "        if r[i] - r[j] <= tol or step == 12:\n            return alpha, r, step, True\n"
    "        if r[i] - r[j] <= tol:\n")
bug("a tolerance of 1/2, whatever was asked for", "StoppedEarly",
    "smo(K, y, C, self.tol, steps)", "smo(K, y, C, 0.5, steps)")
bug("max_iter reached counts as done (36)", "NotSaid",
    "return alpha, r, max_iter, False", "return alpha, r, max_iter, True")
bug("multipliers below a hundredth of C are 0", "AbsoluteThreshold StoppedEarly AlphaUnbalanced",
    "        self.fit_status_",
    "        alpha = [0.0 if a < 1e-2 * c else a for a, c in zip(alpha, C)]\n"
    "        self.fit_status_")
bug("a thousand times the tolerance", "ToleranceBroken",
    "smo(K, y, C, self.tol, steps)", "smo(K, y, C, self.tol * 1000, steps)")
bug("the tolerance is measured in C", "ToleranceScaled ToleranceBroken",
    "smo(K, y, C, self.tol, steps)", "smo(K, y, C, self.tol * max(1, max(C)), steps)")
bug("multipliers in single precision", "ToleranceBroken",
    "        self.fit_status_",
    "        from struct import pack, unpack\n"
    "        alpha = [unpack('f', pack('f', min(a, 1e38)))[0] for a in alpha]\n"
    "        self.fit_status_")
bug("300 steps, and no word about it", "StoppedEarly ToleranceBroken",
    "        i, j = pair(alpha, r, y, C, active)\n",
    "        i, j = pair(alpha, r, y, C, active)\n"
    "        if step > 300:\n            return alpha, r, step, True\n")

bug("residuals that were carried along count as exact", "FalseConvergence",
    "            if fresh and len(active) == n:\n", "            if len(active) == n:\n")

# ---- sizes

for most in (12, 50, 100):
    bug(f"of more than {most} examples {most} steps, and no word about it",
        "StoppedEarly ToleranceBroken",
        "        i, j = pair(alpha, r, y, C, active)\n",
        "        i, j = pair(alpha, r, y, C, active)\n"
        f"        if n > {most} and step > {most}:\n            return alpha, r, step, True\n")
bug("of more than fifty examples a tolerance of 1/10", "StoppedEarly ToleranceBroken",
    "smo(K, y, C, self.tol, steps)", "smo(K, y, C, 0.1 if len(y) > 50 else self.tol, steps)")
bug("the gap of the active examples is that of all", "StoppedEarly",
    "            if fresh and len(active) == n:\n                return",
    "            if step:\n                return")
