"""Planted bugs: several classes, one against one."""

from planted_bugs.changes import bugs_of

bug = bugs_of("votes")

PAIR = "            pair.solve(X, signs, [C[i] for i in some], some)"

bug("a vote goes to the class that loses", "Votes NotAccepted",
    "count[p if f > 0 else q] += 1", "count[q if f > 0 else p] += 1")
bug("the class with the fewest votes wins", "Votes NotAccepted",
    "return count.index(max(count))", "return count.index(min(count))")
bug("the first pair alone decides", "Votes NotAccepted",
    "    return count.index(max(count))", "    return 0 if scores[0] > 0 else 1")
bug("decisions count, not votes", "Votes",
    "count[p if f > 0 else q] += 1", "count[p if f > 0 else q] += abs(f)")
bug("a vote needs a margin of 1", "Votes NotAccepted",
    "count[p if f > 0 else q] += 1", "count[p if f > 1 else q] += 1")
bug("the signs of a pair are exchanged", "Votes NotAccepted",
    "            signs = [1 if y[i] == second else -1 for i in some]",
    "            signs = [1 if y[i] == first else -1 for i in some]")
bug("each pair is fitted to the examples of all classes", "Votes",
    "            some = [i for i in kept if y[i] in (first, second)]", "            some = kept")
bug("the pairs are counted in another order", "Votes NotAccepted",
    "    for f, (p, q) in zip(scores, combinations(range(classes), 2)):\n        count",
    "    for f, (p, q) in zip(scores, sorted(combinations(range(classes), 2), key=sum)):\n"
    "        count")
bug("the first three pairs vote", "Votes NotAccepted",
    "    for f, (p, q) in zip(scores, combinations(range(classes), 2)):\n        count",
    "    for f, (p, q) in zip(scores[:3], combinations(range(classes), 2)):\n        count")
bug("votes are kept in three bits", "Votes NotAccepted",
    "count[p if f > 0 else q] += 1", "count[p if f > 0 else q] += 1\n"
    "        count = [v % 8 for v in count]")
bug("the offset of the first pair is that of all", "Votes",
    PAIR, PAIR + "\n            pair.intercept_ = (self.pairs_ or [pair])[0].intercept_")
bug("the first weights are those of each pair", "Votes WeightsSwapped",
    PAIR, PAIR.replace("C[i] for i in some", "C[i] for i in kept[: len(some)]"))
bug("predict gives the number of the class", "NotAccepted Votes",
    "return [self.classes_[winner(row, len(self.classes_))] for",
    "return [winner(row, len(self.classes_)) for")
bug("the shares of the classes have the other sign", "Votes PredictSign Attributes",
    "        margins[p] += f\n        margins[q] -= f",
    "        margins[p] -= f\n        margins[q] += f")
bug("the pairs of an earlier fit are kept", "StateKept Votes NotAccepted Crash",
    "        self.pairs_ = []\n", "        self.pairs_ = vars(type(self)).get('kept', [])\n"
    "        type(self).kept = self.pairs_\n")
