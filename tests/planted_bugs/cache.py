"""Planted bugs: rows of the Gram matrix, and which of them are kept."""

from planted_bugs.changes import bugs_of

bug = bugs_of("cache")

GRAM = "            K = KernelRows(self.value, moved)"
KEEPING = """            K = globals().setdefault("CACHE", {}).setdefault(
                %s, KernelRows(self.value, moved))"""
COLUMNS = "            row += [self.value(x, z) for z in self.examples[start : start + BLOCK]]\n"

bug("the kernel matrix of an earlier fit is kept", "StateKept",
    GRAM, "            self.kept = K = vars(self).get('kept') or "
    "[[self.value(x, z) for z in moved] for x in moved]\n"
    "            K = [row[:len(y)] for row in K][:len(y)]")
bug("the Gram matrix is kept for all problems of as many examples", "StateKept",
    GRAM, KEEPING % "len(moved)")
for most in (16, 32, 64):
    bug(f"of more than {most} examples the row of another is taken", "StoppedEarly ManyExamples",
        "        row = self.kept.pop(i, None)\n",
        f"        i %= {most}\n        row = self.kept.pop(i, None)\n")
for block in (4, 8, 16):
    bug(f"columns in blocks of {block}, the rest is 0", "StoppedEarly BlockRemainder",
        COLUMNS + "        return row",
        COLUMNS + f"        whole = len(row) // {block} * {block} or len(row)\n"
        "        return row[:whole] + [0.0] * (len(row) - whole)")
bug("columns in blocks of 16, the last one is the first again", "StoppedEarly BlockRemainder",
    "z in self.examples[start : start + BLOCK]]\n        return row",
    "z in self.examples[start : start + BLOCK]]\n"
    "        rest = len(row) % BLOCK if len(row) > BLOCK else 0\n"
    "        return row[: len(row) - rest] + row[:rest]")
bug("the row that makes room is taken for the new one", "StoppedEarly",
    "                del self.kept[oldest]\n", "                row = self.kept.pop(oldest)\n")
bug("rows in single precision", "Float32Rows",
    "            moved = self.moved(rows)\n            K = KernelRows(self.value, moved)",
    "            from struct import pack, unpack\n"
    "            if self.kernel == 'linear':\n"
    "                self.origin_ = [0.0] * len(X[0])\n"
    "            K = KernelRows(\n"
    "                lambda x, z: unpack('f', pack('f', self.value(x, z)))[0], rows)")
bug("of more than fifty examples rows in half precision", "Float32Rows StoppedEarly",
    COLUMNS + "        return row",
    COLUMNS + "        from struct import pack, unpack\n"
    "        if len(row) > 50 and max(map(abs, row)) < 65504:\n"
    "            row = [unpack('e', pack('e', v))[0] for v in row]\n        return row")
bug("a value is taken from the other row, and there from its diagonal", "StoppedEarly",
    COLUMNS + "        return row",
    COLUMNS + "        return [self.kept[j][j] if j in self.kept else v "
    "for j, v in enumerate(row)]")
for most in (50, 100):
    bug(f"rows behind the first {most} are left out of sums", "StoppedEarly",
        "    for j, v in enumerate(beta):\n        if v",
        f"    for j, v in enumerate(beta[:{most}]):\n        if v")
