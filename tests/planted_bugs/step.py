"""Planted bugs: the step of a pair."""

from planted_bugs.changes import bugs_of

bug = bugs_of("step")

bug("a pair without curvature is skipped (49)", "FlatPairSkipped",
    "    if eta <= 0:\n        return room", "    if eta <= 0:\n        return 0.0")
bug("curvature below 1e-3 counts as none", "AbsoluteThreshold FlatPairSkipped",
    "    if eta <= 0:\n        return room", "    if eta <= 1e-3:\n        return 0.0")
bug("the ends of the segment are exchanged, for the one that rises", "NotConverged StoppedEarly",
    "rise = C[i] - alpha[i] if y[i] > 0 else alpha[i]",
    "rise = alpha[i] if y[i] > 0 else C[i] - alpha[i]")
bug("the ends of the segment are exchanged, for the one that falls", "NotConverged StoppedEarly",
    "fall = alpha[j] if y[j] > 0 else C[j] - alpha[j]",
    "fall = C[j] - alpha[j] if y[j] > 0 else alpha[j]")
bug("only the first of a pair is clipped (46)", "AlphaOutside AlphaUnbalanced",
    "room = min(rise, fall)", "room = rise")
bug("clipped each for itself: the multipliers do not balance (46)", "AlphaOutside AlphaUnbalanced",
    "return min(best, room)", "return best")
bug("alpha never falls", "AlphaOutside AlphaUnbalanced",
    "        advance(alpha, y, C, j, -t)\n", "        pass\n")
bug("the errors are not updated after a step (48)", "StoppedEarly",
    "        update(r, active, t, K[i], K[j])\n        fresh",
    "        if step:\n            return alpha, r, step, True\n        fresh")
bug("some decisions are not finite (70, 84)", "NotFinite Refused",
    "best = (r[i] - r[j]) / eta\n",
    "best = (r[i] - r[j]) / eta if eta > 1e-3 else math.nan\n")
bug("half of each multiplier at C", "AlphaOutside StoppedEarly AlphaUnbalanced",
    "        self.fit_status_",
    "        alpha = [a / 2 if a == c else a for a, c in zip(alpha, C)]\n        self.fit_status_")

# ---- sizes

ADD = "    for k in places:\n"

for block in (4, 8, 16):
    bug(f"rows are added in blocks of {block}, the rest is left out",
        "StoppedEarly BlockRemainder",
        ADD, f"    for k in places[: len(places) // {block} * {block} or None]:\n")
for most in (12, 50, 100):
    bug(f"rows are added to the first {most} residuals", "StoppedEarly",
        ADD, f"    for k in places[:{most}]:\n")
bug("of more than fifty examples a step is half as far", "StoppedEarly AlphaUnbalanced",
    "        advance(alpha, y, C, j, -t)\n",
    "        advance(alpha, y, C, j, -t / 2 if n > 50 else -t)\n")
bug("the curvature is taken for a third of what it is", "StoppedEarly NotConverged",
    "eta = K[i][i] + K[j][j] - 2 * K[i][j]", "eta = (K[i][i] + K[j][j] - 2 * K[i][j]) / 3")
bug("a step ends a little before its bound", "StoppedEarly NotConverged AbsoluteThreshold",
    "room = min(rise, fall)", "room = 0.99 * min(rise, fall)")
