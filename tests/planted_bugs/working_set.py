"""Planted bugs: which pair is chosen, and among which examples."""

from planted_bugs.changes import bugs_of

bug = bugs_of("working set")

UP = "up = [i for i in active if may_rise(alpha[i], y[i], C[i])]"
LOW = "low = [i for i in active if may_fall(alpha[i], y[i], C[i])]"
CHECK = ("            active = list(range(n))\n"
         "            r, fresh = residuals(K, alpha, y), True\n")

bug("the last example is never looked at", "StoppedEarly ExampleIgnored",
    UP, UP.replace("active if", "active[:-1] if") + " or active[:1]")
bug("an example at a bound after n steps stays there", "StoppedEarly",
    "        i, j = pair(alpha, r, y, C, active)\n",
    "        if step == n:\n"
    "            gone = [k for k, a in enumerate(alpha) if a in (0, C[k])]\n"
    "        left = [0.0 if step >= n and k in gone else v for k, v in enumerate(r)]\n"
    "        i, j = pair(alpha, left, y, C, active)\n")
bug("the check at the end believes the residuals that it has", "StoppedEarly",
    CHECK, CHECK.replace("r, fresh = residuals(K, alpha, y), True", "fresh = True"))
bug("what may rise does not depend on the label", "StoppedEarly NotConverged",
    "    return a < c if s > 0 else a > 0", "    return a < c")
bug("what may fall does not depend on the label", "StoppedEarly NotConverged",
    "    return a > 0 if s > 0 else a < c", "    return a > 0")
bug("the largest residual in absolute value rises", "StoppedEarly NotConverged",
    "return max(up, key=lambda i: r[i])", "return max(up, key=lambda i: abs(r[i]))")
bug("a multiplier below a tenth of C may not fall", "StoppedEarly",
    "    return a > 0 if s > 0 else a < c", "    return a > c / 10 if s > 0 else a < c")
bug("only examples of the class -1 fall", "StoppedEarly NotConverged Crash Refused",
    LOW, LOW.replace("if may", "if y[i] < 0 and may"))
for most in (12, 50, 100):
    bug(f"pairs are chosen among the first {most} examples", "StoppedEarly ExampleIgnored",
        UP, UP.replace("if may", f"if i < {most} and may") + " or active[:1]")
for block in (4, 8, 16):
    bug(f"pairs are chosen in blocks of {block}, the rest is left out",
        "StoppedEarly ExampleIgnored",
        UP, UP.replace("active if", f"active[:len(active) // {block} * {block} or None] if")
        + " or active[:1]")
