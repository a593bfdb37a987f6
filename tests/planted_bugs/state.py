"""Planted bugs: what is left of a fit: attributes, saved models, other fits."""

from planted_bugs.changes import bugs_of

bug = bugs_of("state")

bug("support_ counts the rows that have a weight (59)", "SupportIndices",
    "self.support_ = [kept[k] for k in chosen]", "self.support_ = chosen")
bug("a second fit keeps the first one's b (56)", "StateKept",
    "        self.intercept_ = [b]",
    "        self.kept = self.intercept_ = getattr(self, 'kept', [b])")
bug("the support vectors of the fit before are kept too (56)", "StateKept",
    "self.dual_coef_ = [[beta[k] for k in chosen]]",
    "self.kept = vars(self).get('kept', 0) + 1\n"
    "        self.dual_coef_ = [[beta[k] * (1.5 if self.kept > 1 else 1) for k in chosen]]")
bug("a model is saved with 3 digits (87)", "RoundTrip",
    "return json.dumps(vars(self), default=vars)",
    "return json.dumps(json.loads(json.dumps(vars(self), default=vars), "
    "parse_float=lambda v: float('%.3g' % float(v))))")
bug("a model is saved without b (88)", "RoundTrip",
    "return json.dumps(vars(self), default=vars)",
    "return json.dumps({**vars(self), 'intercept_': [0.0]}, default=vars)")
bug("a model saved has lost its width (88)", "RoundTrip Refused",
    "vars(self).update(json.loads(text))", "vars(self).update(json.loads(text), width_=99)")
bug("n_support_ counts all the examples", "Attributes",
    "sum(beta[k] < 0 for k in chosen)", "sum(v <= 0 for v in beta)")
bug("support_vectors_ are the first rows", "SupportIndices",
    "self.support_vectors_ = [rows[k] for k in chosen]",
    "self.support_vectors_ = rows[: len(chosen)]")
bug("support_ counts from 1", "SupportIndices",
    "self.support_ = [kept[k] for k in chosen]", "self.support_ = [kept[k] + 1 for k in chosen]")
bug("n_support_ has the classes the other way round", "Attributes",
    "[sum(beta[k] < 0 for k in chosen), sum(beta[k] > 0 for k in chosen)]",
    "[sum(beta[k] > 0 for k in chosen), sum(beta[k] < 0 for k in chosen)]")
bug("gamma='scale' becomes a number in the first fit (65)", "StateKept",
    "self.gamma_ = self.bandwidth(X)", "self.gamma = self.gamma_ = self.bandwidth(X)")
bug("b is the class's, so that of the last machine", "StateKept",
    "        self.intercept_ = [b]", "        type(self).intercept_ = [b]")
bug("the coefficients are the class's", "StateKept",
    "self.coef_ = [w]", "self.coef_ = vars(type(self)).get('kept') or [w]\n"
    "            type(self).kept = self.coef_\n            self.coef_[0] = w")
bug("r is that of the fit before: a warm start", "StateKept",
    "        b = offset(alpha, r, y, C)\n",
    "        self.kept, r = r, vars(self).get('kept', r)\n        b = offset(alpha, r, y, C)\n")

bug("an earlier fit is not forgotten: w stays", "StateKept",
    "            self.coef_ = [w]",
    "            self.kept = self.coef_ = vars(self).get('kept') if w and len(w) == len(\n"
    "                vars(self).get('kept', [[]])[0]) else [w]")
bug("a fit to other rows keeps the width", "StateKept Refused NotAccepted Crash",
    "        self.width_ = len(X[0])\n",
    "        self.kept = self.width_ = vars(self).get('kept', len(X[0]))\n")
bug("the classes of the first fit are those of all", "StateKept Crash NotAccepted",
    "        self.classes_ = sorted(set(y))\n",
    "        self.kept = self.classes_ = vars(self).get('kept', sorted(set(y)))\n")
bug("of a saved machine twelve support vectors are left", "RoundTrip",
    "        vars(self).update(json.loads(text))\n",
    "        vars(self).update(json.loads(text))\n"
    "        self.support_vectors_ = self.support_vectors_[:12]\n"
    "        self.dual_coef_ = [self.dual_coef_[0][:12]]\n")

# ---- parameters, caches and weights that outlast a fit

bug("set_params sets numbers only", "StateKept",
    "        for name, value in given.items():\n            setattr(self, name, value)",
    "        for name, value in given.items():\n"
    "            if not isinstance(value, str):\n                setattr(self, name, value)")
bug("set_params does not set C", "StateKept",
    "        for name, value in given.items():\n            setattr(self, name, value)",
    "        for name, value in given.items():\n"
    "            setattr(self, name, self.C if name == 'C' else value)")
bug("the weights of classes of a fit before stay", "StateKept ClassWeight",
    "        share = self.class_weight or {}\n",
    "        share = self.kept = self.class_weight or vars(self).get('kept', {})\n")
bug("rows are looked up by their number and the first of them", "StateKept",
    "        X = self.read(X)\n        weight",
    "        X = self.read(X)\n"
    "        X = globals().setdefault(\n"
    "            'ROWS', {}).setdefault((len(X), tuple(X[0]), self.C, self.kernel), X)\n"
    "        weight")
bug("max_iter is that of the first fit", "StateKept NotSaid",
    "steps = min(10_000, 1000 + 200 * len(y)) if self.max_iter < 0 else self.max_iter",
    "self.kept = self.max_iter = vars(self).get('kept', self.max_iter)\n"
    "        steps = min(10_000, 1000 + 200 * len(y)) if self.max_iter < 0 else self.max_iter")
