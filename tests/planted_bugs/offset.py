"""Planted bugs: b."""

from planted_bugs.changes import bugs_of

bug = bugs_of("offset")

bug("b has the wrong sign where none is free (1)", "OffsetSign",
    "return (low + high) / 2", "return -(low + high) / 2")
bug("b is 0 where none is free (7)", "OffsetMissing OffsetScaled OffsetEnds",
    "return (low + high) / 2", "return 0.0")
bug("b is the sum of the ends, not the middle", "OffsetMissing OffsetScaled OffsetEnds",
    "return (low + high) / 2", "return low + high")
bug("the two sets are exchanged in the middle (18)", "OffsetMissing OffsetScaled OffsetEnds",
    "low = max(v for v, a, s, c in zip(r, alpha, y, C) if may_rise(a, s, c))",
    "low = max(v for v, a, s, c in zip(r, alpha, y, C) if may_fall(a, s, c))")
bug("b is the mean over all support vectors (3)", "OffsetAveraged OffsetBounded",
    "if 0 < a < c]", "if a > 0]")
bug("b is the mean over those at C too, not over all", "OffsetAveraged OffsetBounded",
    "if 0 < a < c]\n    if free", "if 0 < a <= c]\n    if free")
bug("b is the mean over all examples", "OffsetEveryRow OffsetAveraged OffsetBounded",
    "if 0 < a < c]", "]")
bug("b is the mean of y - sign(s), not of y - s (2)", "OffsetSignOfF",
    "free = [v for v, a, c in zip(r, alpha, C)",
    "free = [s - math.copysign(1, s - v) for v, a, c, s in zip(r, alpha, C, y)")
bug("b by the hard margin's formula, over all examples", "OffsetHardMargin",
    "free = [v for v, a, c in zip(r, alpha, C) if 0 < a < c]",
    "free = [min(v for v, s in zip(r, y) if s < 0), max(v for v, s in zip(r, y) if s > 0)]")
bug("b is always 0 (14)", "OffsetMissing",
    "b = offset(alpha, r, y, C)", "b = 0.0 * offset(alpha, r, y, C)")
bug("b has the wrong sign everywhere", "OffsetSign",
    "b = offset(alpha, r, y, C)", "b = -offset(alpha, r, y, C)")
bug("b is counted twice where a kernel decides", "OffsetScaled DecisionArithmetic",
    "return dot(beta, [self.value(z, x) for z in self.support_vectors_]) + b",
    "return dot(beta, [self.value(z, x) for z in self.support_vectors_]) + 2 * b")
bug("b is not added where a kernel decides (16)", "OffsetMissing DecisionArithmetic",
    "return dot(beta, [self.value(z, x) for z in self.support_vectors_]) + b",
    "return dot(beta, [self.value(z, x) for z in self.support_vectors_])")
bug("b belongs to the moved rows still", "OffsetOrigin Translation",
    "b = b - dot(w, self.origin_)", "pass")
bug("b is moved the wrong way", "OffsetOrigin Translation",
    "b = b - dot(w, self.origin_)", "b = b + dot(w, self.origin_)")
bug("b is multiplied by C (11)", "OffsetScaled",
    "b = offset(alpha, r, y, C)", "b = self.C * max(C) * offset(alpha, r, y, C)")
bug("the machine crashes where none is free (8)", "Crash Refused",
    "    low = max(v for", "    sum(free) / len(free)\n    low = max(v for")
bug("b from the examples at C only", "OffsetBounded OffsetAveraged",
    "if 0 < a < c]", "if a == c]")

FREE = "    free = [v for v, a, c in zip(r, alpha, C) if 0 < a < c]\n    if free:\n"

bug("b from the first support vector", "OffsetBounded",
    FREE, "    free = [v for v, a in zip(r, alpha) if a > 0][:1]\n    if free:\n")
bug("b from the last support vector", "OffsetBounded",
    FREE, "    free = [v for v, a in zip(r, alpha) if a > 0][-1:]\n    if free:\n")
bug("b from the support vector with the largest multiplier", "OffsetBounded",
    FREE, "    free = [max(zip(alpha, r))[1]]\n    if free:\n")
bug("b is the median of all support vectors", "",
    FREE, "    free = sorted(v for v, a in zip(r, alpha) if a > 0)\n"
    "    free = [free[len(free) // 2]]\n    if free:\n")
bug("b is found before the last check, of doubles cut to a tenth", "Offset",
    "b = offset(alpha, r, y, C)", "b = math.floor(10 * offset(alpha, r, y, C)) / 10")
bug("b is off by 0.3371", "Offset",
    "b = offset(alpha, r, y, C)", "b = offset(alpha, r, y, C) + 0.3371")
for most in (12, 50, 100):
    bug(f"of more than {most} examples b is 0", "OffsetMissing",
        "b = offset(alpha, r, y, C)",
        f"b = offset(alpha, r, y, C) if len(y) <= {most} else 0.0")
bug("the mean of eight free examples is divided by all", "OffsetScaled Offset",
    "return sum(free) / len(free)", "return sum(free[:8]) / len(free)")
