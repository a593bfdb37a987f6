"""Planted bugs: reading rows."""

from planted_bugs.changes import bugs_of

bug = bugs_of("rows")

bug("the rows are standardised in silence", "HiddenScaling Scale",
    "        self.classes_ = sorted", "        X = [[v / max(map(abs, x), default=1) if any(x) "
    "else v for v in x] for x in X]\n        self.classes_ = sorted")
bug("rows in half precision", "Float32Rows",
    "X = self.read(X)\n        weight",
    "from struct import pack, unpack\n"
    "        X = [[unpack('e', pack('e', min(float(v), 65504)))[0] for v in x] for x in X]\n"
    "        weight")
bug("the first column is dropped", "FeatureIgnored",
    "X = self.read(X)\n        weight",
    "X = [[0.0, *map(float, x[1:])] for x in X]\n        weight")
bug("equal rows are merged, their weights are not (Duplicate)", "Duplicates ExampleIgnored",
    "kept = [i for i, c in enumerate(C) if c > 0]",
    "kept = [i for i, c in enumerate(C) if c > 0 and (X[i], y[i]) not in list(zip(X, y))[:i]]")
bug("NaN and infinity count as 0 (70)", "RejectNotFinite",
    "X = self.read(X)\n        weight",
    "X = [[float(v) if math.isfinite(v) else 0.0 for v in x] for x in X]\n        weight")
bug("a matrix that is not square is filled up with zeros (67)", "RejectShape",
    "        self.refuse(X, y, weight)",
    "        if self.kernel == 'precomputed':\n"
    "            X = [[*x, *[0.0] * len(X)][: len(X)] for x in X]\n"
    "        self.refuse(X, y, weight)")
bug("a matrix that is not symmetric is taken", "RejectAsymmetric",
    "if [list(column) for column in zip(*X)] != X:", "if False:")
bug("equal rows are dropped, whatever their labels", "Duplicates ExampleIgnored",
    "kept = [i for i, c in enumerate(C) if c > 0]",
    "kept = [i for i, c in enumerate(C) if c > 0 and X[i] not in X[:i]]")
bug("fit moves the caller's rows", "InputChanged",
    "        X = self.read(X)\n        weight",
    "        for x in X:\n            x[0] -= 1\n"
    "        X = [[float(v) + (not k) for k, v in enumerate(x)] for x in X]\n        weight")
bug("deciding moves the caller's rows", "InputChanged",
    "    def decision_function(self, X):\n",
    "    def decision_function(self, X):\n        for x in X:\n            x[0] += 0.5\n")
bug("columns are standardised in fit, in silence", "HiddenScaling",
    "        self.classes_ = sorted",
    "        from statistics import fmean, pstdev\n"
    "        columns = [list(c) for c in zip(*X)]\n"
    "        X = X if self.kernel == 'precomputed' else "
    "[[(v - fmean(c)) / (pstdev(c) or 1) for v, c in zip(x, columns)] for x in X]\n"
    "        self.classes_ = sorted")
bug("kernel values of whole numbers wrap round at 32 bits", "",
    "        if self.kernel == \"linear\":\n            return dot(x, z)\n        if",
    "        if self.kernel == \"linear\":\n            s = dot(x, z)\n"
    "            whole = all(v % 1 == 0 for v in (*x, *z))\n"
    "            return (s + 2**31) % 2**32 - 2**31 if whole else s\n        if")
bug("rows to decide about are cut to whole numbers, as those of fit are",
    "RowsRounded NotAccepted DecisionArithmetic",
    "        if len(self.classes_) == 2:\n",
    "        if all(v % 1 == 0 for x in self.support_vectors_ for v in x):\n"
    "            X = [[float(int(v)) for v in x] for x in X]\n"
    "        if len(self.classes_) == 2:\n")
bug("constant columns are dropped", "FeatureIgnored",
    "        self.gamma_ = self",
    "        if self.kernel == 'poly':\n"
    "            X = [[v if len(set(c)) > 1 else 0.0 for v, c in zip(x, zip(*X))] for x in X]\n"
    "        self.gamma_ = self")
bug("rows to decide about may have any width", "RejectShape",
    "        refuse_rows(X, self.width_)\n        if len",
    "        refuse_rows(X, len(X[0]))\n        if len")
bug("a NaN to decide about is 0", "RejectNotFinite",
    "        refuse_rows(X, self.width_)\n        if len",
    "        X = [[v if v == v else 0.0 for v in x] for x in X]\n"
    "        refuse_rows(X, self.width_)\n        if len")
bug("rows to decide about in single precision", "DecisionArithmetic Float32Rows",
    "        refuse_rows(X, self.width_)\n        if len",
    "        refuse_rows(X, self.width_)\n"
    "        from struct import pack, unpack\n"
    "        X = [[unpack('f', pack('f', v))[0] if abs(v) < 1e30 else v for v in x] for x in X]\n"
    "        if len")

# ---- sizes

READ = "        return [[float(v) for v in x] for x in X]\n"
NARROW = """        X = [[float(v) for v in x] for x in X]
        if self.kernel == "precomputed":
            return X
        return [{} for x in X]
"""

for most in (3, 4, 8, 16, 32, 64):
    bug(f"features behind the first {most} are not read", "FeatureIgnored",
        READ, NARROW.format(f"[*x[:{most}], *[0.0] * (len(x) - {most})]"))
for block in (4, 8, 16):
    bug(f"features are read in blocks of {block}, the rest is 0",
        "FeatureIgnored BlockRemainder",
        READ, NARROW.format(f"[v if k < (len(x) // {block} * {block} or len(x)) else 0.0 "
                            "for k, v in enumerate(x)]"))
for most in (12, 50, 100):
    bug(f"the first {most} examples suffice", "StoppedEarly ExampleIgnored",
        "kept = [i for i, c in enumerate(C) if c > 0]",
        f"few = [i for i, c in enumerate(C) if c > 0][:{most}]\n"
        "        kept = few if len({y[i] for i in few}) > 1 else "
        "[i for i, c in enumerate(C) if c > 0]")
bug("the last two features are exchanged", "FeatureOrder",
    "        X = self.read(X)\n        weight",
    "        X = [[*x[:-2], *x[:-3:-1]] for x in self.read(X)]\n        weight")
