"""Planted bugs: labels and the weights of classes."""

from planted_bugs.changes import bugs_of

bug = bugs_of("labels")

bug("class_weight is ignored (63)", "ClassWeight",
    "share = self.class_weight or {}", "share = {}")
bug("class_weight is given to the other class (23)", "ClassWeight",
    "share.get(label, 1.0)", "share.get(self.classes_[label == self.classes_[0]], 1.0)")
bug("'balanced' does not look at sample weights (62)", "ClassWeight",
    "for label, w in zip(y, weight) if label == k)", "for label in y if label == k for w in [1])")
bug("the first class seen is the first (21)", "LabelOrder",
    "self.classes_ = sorted(set(y))", "self.classes_ = list(dict.fromkeys(y))")
bug("the decisions have the other sign (20)", "SignFlipped",
    "signs = [1 if label == second else -1 for label in y]",
    "signs = [-1 if label == second else 1 for label in y]")
bug("predict says -1 and +1, whatever the labels are (25)", "NotAccepted",
    "return [second if f >= 0 else first for", "return [1 if f >= 0 else -1 for")
bug("predict is turned round (22)", "PredictSign Attributes",
    "return [second if f >= 0 else first for", "return [first if f >= 0 else second for")
bug("of one class alone, the last example is taken for the other", "RejectOneClass",
    "        self.refuse(X, y, weight)",
    "        y = y if len(set(y)) > 1 else [*y[:-1], -y[-1]]\n        self.refuse(X, y, weight)")
bug("class_weight counts for the first class only", "ClassWeight",
    "share.get(label, 1.0)", "(share.get(label, 1.0) if label == self.classes_[0] else 1.0)")
bug("'balanced' without the number of classes", "ClassWeight",
    "sum(weight) / (len(classes) * of[k])", "sum(weight) / of[k]")
bug("a label is positive if it is above 0", "NotAccepted",
    "1 if label == second else -1 for label in y", "1 if float(label) > 0 else -1 for label in y")
bug("predict wants a margin of 1", "PredictSign",
    "return [second if f >= 0 else first", "return [second if f >= 1 else first")
bug("labels are sorted as words", "LabelOrder",
    "self.classes_ = sorted(set(y))", "self.classes_ = sorted(set(y), key=str)")
bug("labels are sorted by their size", "LabelOrder",
    "self.classes_ = sorted(set(y))",
    "self.classes_ = sorted(set(y), key=lambda v: v if isinstance(v, str) else str(abs(v)))")
bug("labels are made doubles", "NotAccepted",
    "        self.refuse(X, y, weight)",
    "        y = [v if isinstance(v, str) else float(v) for v in y]\n"
    "        self.refuse(X, y, weight)")
bug("class_weight by its order, not by its labels", "ClassWeight",
    "share = self.class_weight or {}",
    "share = self.class_weight or {}\n"
    "        if isinstance(share, dict):\n"
    "            share = dict(zip(self.classes_, share.values()))")
bug("class_weight takes the place of sample_weight", "ClassWeight",
    "self.C * share.get(label, 1.0) * v for", "self.C * share.get(label, v) for")

bug("labels are cut to whole numbers", "NotAccepted RejectOneClass",
    "        self.refuse(X, y, weight)",
    "        y = [int(v) if isinstance(v, float) and v == v else v for v in y]\n"
    "        self.refuse(X, y, weight)")
bug("words are cut to their first letter", "NotAccepted RejectOneClass",
    "        self.refuse(X, y, weight)",
    "        y = [v[:1] if isinstance(v, str) else v for v in y]\n"
    "        self.refuse(X, y, weight)")
bug("False and True are made 0 and 1", "NotAccepted",
    "        self.refuse(X, y, weight)",
    "        y = [int(v) if isinstance(v, bool) else v for v in y]\n"
    "        self.refuse(X, y, weight)")
bug("labels are kept in eight bits", "NotAccepted",
    "        self.refuse(X, y, weight)",
    "        y = [(v + 128) % 256 - 128 if type(v) is int else v for v in y]\n"
    "        self.refuse(X, y, weight)")
bug("of labels 0 and 1 the 0 is not a sign", "NotAccepted NothingLearnt",
    "signs = [1 if label == second else -1 for label in y]\n        self",
    "signs = [1 if label == second else -1 for label in y]\n"
    "        signs = [0 if label == 0 else s for s, label in zip(signs, y)]\n        self")
