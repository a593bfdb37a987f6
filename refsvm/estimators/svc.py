"""SVC: support vector classification under the names that scikit-learn made common.

    labels of any sort     numbers, strings, booleans: whatever can be sorted
    several classes        one against one: an SVM for each pair, and votes (one_vs_one.py)
    kernels by name        "linear", "poly", "rbf", "sigmoid", "precomputed", or a function
    weights                C is multiplied by the weight of the example's class and by its own

Nothing here computes anything new: fit turns labels into pairs, solves each pair (solvers/smo.py)
and gathers the answers. It needs neither NumPy nor scikit-learn, takes arrays, data frames and
sparse matrices all the same, and works in scikit-learn's pipelines and searches.

    k        number of classes                n, d     rows and columns of X
    p, q     the places of two classes in classes_, p < q; training uses y = +1 for q
    V        number of support vectors        kind     float or Fraction, see validation.py

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface;
Chang and Lin, LIBSVM: A Library for Support Vector Machines, for the meaning of every number.
"""

import sys
from fractions import Fraction
from inspect import signature
from warnings import warn

from ..kernels.gram_matrices import refuse_other_sort, rows_for
from ..kernels.standard import Linear, Precomputed
from ..numerics.linalg import total
from ..numerics.validation import number_kind, one_of, positive, whole_number, yes_or_no
from ..svm.one_vs_one import first_largest, pair_terms, pair_weights, pairs, scores_of
from .pairwise_training import gathered, train_pairs
from .training_data import plain_labels, takes_gram, training_set, weights

SHAPES = ("ovr", "ovo")


def told(model):
    """The fitted attributes that are the model's own: itself, and its rows once more."""
    rows = [] if isinstance(model.kernel, Precomputed) else model.vectors
    vectors = [row if isinstance(row, str) else list(row) for row in rows]
    return {"support_vectors_": vectors, "model_": model}


class SVC:
    """A support vector classifier for two or more classes.

    C                        price of slack, positive or math.inf
    kernel                   one of the names above, a Kernel, or any function k(x, z) of two ROWS
                             (scikit-learn's functions take two matrices)
    degree, gamma, coef0     of the kernels called by name, which use them as kernels.py says;
                             gamma "scale" is 1 / (d * variance of X), "auto" is 1 / d
    tol                      how far the conditions of optimality may be off
    cache_size               memory for kernel rows, in MB
    class_weight             None, "balanced" (n / (k * rows of the class)), or {label: weight}
    max_iter                 steps for each pair of classes; -1: the solver's own bound
    decision_function_shape  "ovr" a score for each class, "ovo" a number for each pair
    break_ties               predict the class of the best score, not the first with most votes

    A number the kernel does not use is not looked at. After fit:

    classes_            the labels, sorted
    support_            the rows that are support vectors, by class, then in the order given
    n_support_          how many of them belong to each class
    support_vectors_    those rows themselves; [] if precomputed
    dual_coef_          (k-1) x V: alpha with a sign; binary: alpha_i y_i, y = +1 for classes_[1]
    intercept_, coef_   b and w for each pair; coef_ with a linear kernel only
    class_weight_       the weight used for each class
    n_features_in_      d, and shape_fit_ is (n, d); rows that are strings have only (n,)
    n_iter_             steps for each pair
    fit_status_         0 if every pair ended optimal, else 1
    solutions_          what the solver said of each pair (0,1) (0,2) .. (1,2) ..: status, gap, ..
    model_              the whole classifier, as a OneAgainstOne

    With two classes dual_coef_, intercept_, coef_ and decision_function speak for classes_[1];
    with more, those of a pair (p, q) speak for p. scikit-learn does so too.

    >>> SVC(kernel="linear").fit([[0], [1], [3], [4]], ["no", "no", "yes", "yes"]).predict([[2.5]])
    ['yes']
    """

    _estimator_type = "classifier"  # asked for by scikit-learn before 1.6

    # What fit is made of; a compiled twin has others.
    _training_set = staticmethod(training_set)
    _train_pairs = staticmethod(train_pairs)
    _gathered = staticmethod(gathered)
    _told = staticmethod(told)

    def __init__(
        self,
        C=1.0,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        tol=1e-3,
        cache_size=200,
        class_weight=None,
        max_iter=-1,
        decision_function_shape="ovr",
        break_ties=False,
    ):
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties

    def get_params(self, deep=True):
        """The parameters by name, as they were given; `deep` is accepted for scikit-learn."""
        return {name: getattr(self, name) for name in sorted(defaults(self))}

    def set_params(self, **params):
        """Set parameters by name and return self; an unknown name is a ValueError."""
        for name in params:
            one_of(name, sorted(defaults(self)), "the parameter")
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self):
        given = self.get_params()
        changed = [n for n, usual in defaults(self).items() if repr(given[n]) != repr(usual)]
        inside = ", ".join(f"{name}={given[name]!r}" for name in sorted(changed))
        return f"{type(self).__name__}({inside})"

    def fit(self, X, y, sample_weight=None):
        """Train on n rows and n labels, and return self.

        A row of weight 0 is as if absent. A pair of classes that does not end optimal is warned
        of. ValueError or TypeError for bad input; then nothing of an earlier fit is lost.
        O(k n d) for each step of the solver at most.
        """
        steps, cache_mb = settings(self)
        data = self._training_set(self, X, y, sample_weight)
        trained = self._train_pairs(data, self.tol, steps, cache_mb)
        support, model = self._gathered(data, trained)
        attributes = {**described(data, trained, support, model), **self._told(model)}
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        vars(self).update(attributes)
        warn_unless_optimal(self)
        return self

    def predict(self, X):
        """The list of labels of the rows of X."""
        model, rows = fitted(self, X)
        if not yes_or_no(self.break_ties, "break_ties"):
            return model.predictions(rows)
        if self.decision_function_shape == "ovo":
            raise ValueError(
                "break_ties is True and decision_function_shape is 'ovo'; only 'ovr' has a score"
                " for each class that could break ties"
            )
        if len(model.classes) == 2:
            return model.predictions(rows)
        return [model.classes[first_largest(scores)] for scores in self.decision_function(rows)]

    def decision_function(self, X):
        """How the rows of X are decided; no row's answer depends on the other rows.

        Two classes: a list of numbers, predicted is classes_[1] where they are >= 0. More: a list
        of rows, k scores (votes, and confidence below a vote) for "ovr", k(k-1)/2 numbers for
        "ovo", positive for the first class of the pair.
        """
        model, rows = fitted(self, X)
        shape = one_of(self.decision_function_shape, SHAPES, "decision_function_shape")
        decisions, k = model.decisions(rows), len(model.classes)
        if k == 2:
            return [-f for (f,) in decisions]
        return decisions if shape == "ovo" else [scores_of(row, k) for row in decisions]

    def score(self, X, y, sample_weight=None):
        """The share of rows whose label is predicted, each counted by its weight."""
        predicted = self.predict(X)
        y = plain_labels(y, len(predicted))
        kind = number_kind(sample_weight)
        row_weights = weights(kind, sample_weight, len(y))
        whole = total(row_weights)
        if whole == 0:
            raise ValueError("sample_weight is 0 for every row; one must be positive")
        return total(v for v, a, b in zip(row_weights, predicted, y) if a == b) / whole

    @property
    def coef_(self):
        """w for each pair of classes, a list of lists; AttributeError unless linear."""
        model = getattr(self, "model_", None)
        if model is None or type(model.kernel) is not Linear:
            raise AttributeError("coef_ is there after fit, and with a linear kernel only")
        return weights_by_pair(model, self.n_features_in_)

    def __sklearn_tags__(self):
        """What scikit-learn from 1.6 asks of an estimator; it is loaded when it asks."""
        tags = sys.modules["sklearn.utils"]
        return tags.Tags(
            estimator_type="classifier",
            target_tags=tags.TargetTags(required=True),
            classifier_tags=tags.ClassifierTags(),
            input_tags=tags.InputTags(sparse=True, **self._more_tags()),
        )

    def _more_tags(self):
        """What scikit-learn before 1.6 asks: X of a precomputed kernel is cut on both sides."""
        return {"pairwise": takes_gram(self.kernel)}


class Classes(list):
    """A list of labels with the one method that scikit-learn's scorers expect of an array."""

    def tolist(self):
        return list(self)


def defaults(svc):
    """Each parameter's name and default, in the order of the signature."""
    return {p.name: p.default for p in signature(type(svc)).parameters.values()}


def settings(svc):
    """(steps, cache_mb) for the solver, after a look at what is needed only later."""
    one_of(svc.decision_function_shape, SHAPES, "decision_function_shape")
    yes_or_no(svc.break_ties, "break_ties")
    steps = whole_number(svc.max_iter, "max_iter", -1)
    cache_mb = positive(number_kind(svc.cache_size), svc.cache_size, "cache_size")
    return None if steps == -1 else steps, cache_mb


def fitted(svc, X):
    """The classifier that fit left, and the rows of X, checked against those given to fit."""
    model = getattr(svc, "model_", None)
    if model is None:
        raise ValueError(f"{svc!r} is not fitted; call fit(X, y) first")
    kind = Fraction if number_kind(X) is Fraction else type(model.offsets[0])
    rows = rows_for(X, "X", kind)
    width = getattr(svc, "n_features_in_", None)
    for i, row in enumerate(rows):
        refuse_other_sort(row, model.vectors, f"X[{i}]")
        if width is not None and len(row) != width:
            raise ValueError(
                f"X[{i}] has length {len(row)}; the rows given to fit had length {width}"
            )
    return model, rows


def described(data, trained, support, model):
    """The fitted attributes by name, but for the model's own; every list is new, so changing one
    changes no other."""
    # With two classes they speak for the later one.
    turned = (lambda numbers: [-v for v in numbers]) if len(model.classes) == 2 else list
    first, n = data.rows[0], len(data.rows)
    attributes = {
        "classes_": Classes(model.classes),
        "class_weight_": data.class_weights,
        "support_": support,
        "n_support_": list(model.counts),
        "dual_coef_": [turned(coefs) for coefs in model.coefs],
        "intercept_": turned(model.offsets),
        "n_iter_": [pair.solution.iterations for pair in trained],
        "fit_status_": 0 if all(pair.solution.status == "optimal" for pair in trained) else 1,
        "shape_fit_": (n,) if isinstance(first, str) else (n, len(first)),
        "solutions_": [pair.solution for pair in trained],
    }
    if not isinstance(first, str):
        attributes["n_features_in_"] = len(first)
    return attributes


def weights_by_pair(model, d, weights=pair_weights):
    """coef_ of a linear model of d features; weights: what finds those of a pair's terms."""
    k = len(model.classes)
    none = [0] * d  # when no step was allowed there is no vector
    W = [weights(model, pair_terms(model, p, q)) or none for p, q in pairs(k)]
    return [[-value for value in w] for w in W] if k == 2 else list(map(list, W))


def warn_unless_optimal(svc):
    """Warn, in one sentence, of the pairs of classes whose training did not end optimal."""
    by_pair = zip(pairs(len(svc.classes_)), svc.solutions_)
    others = [(pair, solution) for pair, solution in by_pair if solution.status != "optimal"]
    if others:
        (p, q), solution = others[0]
        more = f" (and {len(others) - 1} more pairs, see solutions_)" if others[1:] else ""
        warn(
            f"training the classes {svc.classes_[p]!r} and {svc.classes_[q]!r} ended with status"
            f" {solution.status!r} and gap {float(solution.gap):.3g}{more}",
            stacklevel=3,
        )
