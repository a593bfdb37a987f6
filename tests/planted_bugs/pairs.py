"""Bugs planted into a class of one against one, whose b is the mean over all support vectors."""

from planted_bugs.changes import PAIRS, bugs_in

bug = bugs_in(PAIRS)

VOTE = "            count[pair[self.decide(pair, x) > 0]] += 1\n"
VOTERS = "        for pair in self.machines_:\n"
SIGNS = "signs = [1 if y[i] == second else -1 for i in some]"
MACHINE = "self.machines_[first, second] = self.solve(some, signs)"
SORTED = "sorted(set(y))"
LABELS = "        if len(X) != len(y) or"
KEPT = "        self.K_ = {}\n"
KEY = "key = min(i, j), max(i, j)"
MULTIPLIERS = "alpha = smo(Problem(K, signs, Precomputed(), self.C), tol=1e-9).alpha"
ROWS = "    return [[float(v) for v in x] for x in X]"
PRODUCT = "    return sum(p * q for p, q in zip(x, z))"
DISTANCE = "sum((p - q) ** 2 for p, q in zip(x, z))"
SUM = "for v, i in zip(beta, support)) + b"
TWO = "return [self.decide(tuple(self.classes_), x) for x in read(X)]"

bug("votes", "a vote goes to the class that loses", "Votes", VOTE, VOTE.replace("> 0", "<= 0"))
bug("votes", "the first pair alone votes", "Votes",
    VOTERS, VOTERS.replace("self.machines_", "list(self.machines_)[:1]"))
bug("votes", "the first six pairs vote", "NotAccepted Votes",
    VOTERS, VOTERS.replace("self.machines_", "list(self.machines_)[:6]"))
bug("votes", "the last pair does not vote", "Votes",
    VOTERS, VOTERS.replace("self.machines_", "list(self.machines_)[:-1] or self.machines_"))
bug("votes", "the offset of the first pair is that of all", "NotAccepted Votes",
    MACHINE, MACHINE + "\n            b = next(iter(self.machines_.values()))[2]\n"
    "            self.machines_[first, second] = *self.machines_[first, second][:2], b")
bug("votes", "predict gives the number of the class", "NotAccepted Votes",
    "self.classes_[votes.index(max(votes))]", "votes.index(max(votes))")
bug("votes", "votes for the third class and those after it are not counted", "Votes",
    "votes.index(max(votes))", "votes.index(max(votes[:2]))")

bug("labels", "the signs of a pair are exchanged", "SignFlipped LabelOrder",
    SIGNS, SIGNS.replace("== second", "== first"))
bug("labels", "labels are sorted as words", "LabelOrder",
    SORTED, "sorted(set(y), key=str)")
bug("labels", "the first class seen is the first", "LabelOrder SignFlipped",
    SORTED, "list(dict.fromkeys(y))")
bug("labels", "labels are kept in eight bits", "NotAccepted",
    LABELS, "        y = [(v + 128) % 256 - 128 if type(v) is int else v for v in y]\n" + LABELS)
bug("labels", "words are cut to their first letter", "NotAccepted RejectOneClass",
    LABELS, "        y = [v[:1] if isinstance(v, str) else v for v in y]\n" + LABELS)
bug("labels", "a label is positive if it is above 0", "NotAccepted",
    SIGNS, SIGNS.replace("y[i] == second", "float(y[i]) > 0"))

bug("cache", "kernel values outlast a fit", "StateKept",
    KEPT, "        self.K_ = vars(self).get('K_', {})\n")
bug("cache", "kernel values are those of all machines", "StateKept",
    KEPT, "        self.K_ = globals().setdefault('VALUES', {})\n")
bug("cache", "kernel values are kept in 64 places, whose owner is not looked at", "",
    KEY, "key = (31 * i + j) % 64")
for most in (16, 64):
    bug("cache", f"of more than {most} examples the row of another is taken", "",
        KEY, f"key = i % {most}, j % {most}")
bug("cache", "kernel values in single precision", "Float32Rows",
    "self.K_[key] = self.value(self.X_[i], self.X_[j])",
    "value = self.value(self.X_[i], self.X_[j])\n"
    "            from struct import pack, unpack\n"
    "            self.K_[key] = unpack('f', pack('f', value))[0] if abs(value) < 1e38 else value")

bug("state", "the machines of an earlier fit stay", "StateKept Crash",
    "sorted(set(y)), {}\n", "sorted(set(y)), vars(self).get('machines_', {})\n")
bug("state", "the classes of an earlier fit stay", "StateKept",
    SORTED, "sorted(set(y) | set(vars(self).get('classes_', ())))")
bug("state", "multipliers of a fit of as many examples are taken again: a warm start", "StateKept",
    MULTIPLIERS, "found = " + MULTIPLIERS.partition(" = ")[2] + "\n"
    "        alpha = self.kept = found if len(vars(self).get('kept', ())) != len(found) "
    "else self.kept")
bug("state", "a warm start is near its end after three steps", "StateKept StoppedEarly",
    MULTIPLIERS, "most, start = (3, self.kept) if len(vars(self).get('kept', ())) == len(K) "
    "else (None, None)\n        start = start and [min(a, self.C) for a in start]\n        "
    + MULTIPLIERS.replace("tol=1e-9", "tol=1e-9, max_iter=most, start=start") + "\n"
    "        self.kept = alpha")

bug("rows", "rows in single precision", "Float32Rows",
    ROWS, "    from struct import pack, unpack\n"
    "    return [[unpack('f', pack('f', v))[0] if abs(v) < 1e38 else v for v in map(float, x)]\n"
    "            for x in X]")
for block in (4, 8, 16):
    bug("kernel", f"the rest of a product in blocks of {block} is lost",
        "BlockRemainder FeatureIgnored",
        PRODUCT, f"    x = x[: len(x) // {block} * {block} or None]\n" + PRODUCT)
bug("kernel", "a distance of 32 features at most", "FeatureIgnored",
    DISTANCE, DISTANCE.replace("(x, z)", "(x[:32], z[:32])"))
for block in (4, 8, 16):
    bug("decision", f"support vectors decide in blocks of {block}, the rest is lost", "",
        SUM, SUM.replace("(beta, support)",
                         f"(beta[: len(beta) // {block} * {block} or None], support)"))
for block in (4, 16):
    bug("decision", f"rows are decided in blocks of {block}, the rest is 0", "BatchDependence",
        TWO, TWO.replace("return [", "found = [") + "\n"
        f"            whole = len(found) // {block} * {block} or len(found)\n"
        "            return found[:whole] + [0.0] * (len(found) - whole)")
