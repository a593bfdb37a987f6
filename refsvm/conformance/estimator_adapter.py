"""Estimators with scikit-learn's interface, asked as any other subject: a Request, then an Answer.

An estimator is told what the problem says by scikit-learn's names, as far as its constructor has
them: C, kernel, degree, gamma, coef0, tol, and loss, fit_intercept, alpha for those who have these
instead. What it lacks it cannot be asked; that is said, and is no failure.

    X, y, C     rows, labels, prices of slack, one an example       beta    alpha_i y_i

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface.
"""

import copy
import pickle
import sys
import warnings
from functools import cached_property
from inspect import Parameter, isclass, signature
from math import inf

from ..numerics.validation import as_lists
from .array_forms import in_form
from .protocol import Answer
from .thread_safety import THREADS, sentence, with_threads

REFUSALS = (ValueError, TypeError, NotImplementedError)
ALONE = 3  # rows, at least, that are asked about alone, too
NAMES = {"polynomial": "poly", "gaussian": "rbf"}  # where scikit-learn's name is another


class Unsupported(Exception):
    """A sort of problem that the subject does not offer."""


def answered(work):
    """The Answer of some work, exceptions included."""
    try:
        return work()
    except Unsupported as reason:
        return Answer(unsupported=str(reason))
    except REFUSALS as error:
        return Answer(refused=sentence(error))
    except Exception as error:
        return Answer(crashed=sentence(error))


class Estimator:
    """A class, made anew for each problem, or an instance, of which copies are made.

    A class is given tol; an instance keeps its own.
    """

    def __init__(self, subject):
        self.subject = subject
        self.name = name_of(subject if isclass(subject) else type(subject))

    @cached_property
    def accepted(self):
        """The names of the constructor's parameters: read once, for it takes its time."""
        return parameters_of(self.subject)

    @cached_property
    def takes_weights(self):
        """Whether fit can be told what each example weighs."""
        return accepts(parameters_of(self.subject.fit), "sample_weight")

    def answer(self, request):
        """Fit and decide."""
        return answered(lambda: with_threads(self.trained, request))

    def trained(self, request):
        model, weights = self.made(request), {}
        if self.needs_weights(request):
            price = price_of(request)
            shares = request.C if price == 1 else [0.0 if c == 0 else 1.0 for c in request.C]
            weights["sample_weight"] = like_the_caller(shares)
        X, y, rows = given_to(request)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(X, y, **weights)
        answer = described(model, request, rows)
        if request.extras:

            def make():
                return self.made(request)

            exchanged, again, after = fitted_twice(make, model, request, X, y, weights, rows)
            given = [("X", X, request.X), ("y", y, request.y), ("rows", rows, request.rows)]
            given += [(name, there, shares) for name, there in weights.items()]
            changed = [name for name, there, here in given if listed(there) != here]
            answer = answer._replace(
                exchanged=exchanged,
                again=again,
                after=after,
                changed=changed and changed[0] or None,
            )
        return answer._replace(
            warnings=[str(w.message) for w in caught if not is_about_names(w.category)]
        )

    def made(self, request):
        """An estimator with the parameters that the request asks for."""
        accepted = self.accepted
        self.needs_weights(request)
        wanted = parameters_for(request, accepted)
        if isclass(self.subject):
            if request.tol is not None:
                wanted["tol"] = request.tol
            wanted["random_state"] = 0
            return self.subject(**{k: v for k, v in wanted.items() if accepts(accepted, k)})
        if hasattr(self.subject, "get_params"):
            return type(self.subject)(**{**self.subject.get_params(deep=False), **wanted})
        model = copy.deepcopy(self.subject)
        vars(model).update(wanted)
        return model

    def needs_weights(self, request):
        """Whether prices of slack differ, which fit must be told; Unsupported if it cannot be."""
        if len(set(request.C)) == 1 and len(request.C) == len(request.X):
            return False
        if not self.takes_weights:
            raise Unsupported("fit takes no sample_weight")
        return True


def is_about_names(category):
    """Whether a warning speaks of a name that will change, not of what was computed."""
    return issubclass(category, (DeprecationWarning, FutureWarning, PendingDeprecationWarning))


def name_of(thing):
    """module:Name, as the command line wants it."""
    return f"{thing.__module__}:{getattr(thing, '__qualname__', type(thing).__qualname__)}"


def parameters_of(callable_or_instance):
    """The names of the parameters; None among them if any name is taken."""
    if hasattr(callable_or_instance, "get_params") and not isclass(callable_or_instance):
        return set(callable_or_instance.get_params(deep=False))
    if not callable(callable_or_instance):
        return set(vars(callable_or_instance))
    parameters = signature(callable_or_instance).parameters.values()
    return {None if p.kind is Parameter.VAR_KEYWORD else p.name for p in parameters}


def accepts(accepted, name):
    return name in accepted or None in accepted


def price_of(request):
    """C: the price of all the examples that weigh anything, or 1 if they differ."""
    if len(set(request.C)) == 1:
        return request.C[0]
    prices = {c for c in request.C if c != 0}
    return prices.pop() if len(prices) == 1 and min(request.C) == 0 else 1.0


def parameters_for(request, accepted):
    """The constructor's arguments that a Request asks for, of those that are accepted."""
    wanted = {}
    kernel = dict(request.kernel)
    name = kernel.pop("name")
    if accepts(accepted, "kernel"):
        wanted.update(kernel=NAMES.get(name, name), **kernel)
    elif name != "linear":
        raise Unsupported("the constructor has no kernel")
    price = price_of(request)
    if accepts(accepted, "C"):
        wanted["C"] = price
    elif accepts(accepted, "alpha"):  # the weight of 1/2 |w|^2 against a mean loss
        wanted["alpha"] = 0.0 if price == inf else 1 / (len(request.X) * price)
    else:
        raise Unsupported("the constructor has no C")
    if request.class_weight is not None:
        told = request.class_weight
        wanted["class_weight"] = told if isinstance(told, str) else dict(map(tuple, told))
    if request.max_iter is not None:
        wanted["max_iter"] = request.max_iter
    if request.pairs:
        wanted["decision_function_shape"] = "ovo"
    wanted.update(threads_for(request, accepted))
    if request.bias is False:
        wanted["fit_intercept"] = False
    if request.slack is not None and ("loss" in accepted or request.slack != "hinge"):
        wanted["loss"] = "squared_hinge" if request.slack == "squared" else request.slack
    for word in sorted(set(wanted) - accepted):
        if None not in accepted:
            raise Unsupported(f"the constructor has no {word}")
    return wanted


def threads_for(request, accepted):
    """The setting of the program's own threads, if it has one and the request asks for it."""
    names = [name for name in THREADS if request.threads is not None and name in accepted]
    return dict.fromkeys(names[:1], request.threads)


def like_the_caller(values):
    """The values, copied: an array if NumPy is loaded, which who uses it expects; else lists."""
    numpy = sys.modules.get("numpy")
    return listed(values) if numpy is None else numpy.array(values)


def given_to(request):
    """(X, y, rows) as fit and decision_function are given them."""
    if request.form is None:
        return tuple(map(like_the_caller, (request.X, request.y, request.rows)))
    try:
        X, rows = in_form(request.X, request.form), in_form(request.rows, request.form)
    except LookupError as missing:
        raise Unsupported(f"{missing} is not loaded") from None
    y = like_the_caller(request.y)
    return X, y.astype(X.dtype) if X.dtype.kind in "iu" else y, rows


def described(model, request, rows):
    """The Answer of a fitted estimator."""
    decisions = decided(model, rows)
    predicts = hasattr(model, "predict") and not (request.brief and decisions)
    answer = Answer(
        decisions=decisions,
        predictions=listed(model.predict(rows)) if predicts else None,
        status=status_of(model),
        attributes=attributes_of(model),
    )
    answer = answer._replace(**parts_of(answer.attributes, request))
    if len(set(request.y)) > 2 and hasattr(model, "decision_function"):
        answer = answer._replace(scores=listed(model.decision_function(rows)))
    if not request.extras or answer.decisions is None:
        return answer
    some = range(0, len(rows), max(1, len(rows) // ALONE))
    return answer._replace(
        single=[(k, decided(model, rows[k : k + 1])[0]) for k in some],
        reloaded=decided_after_loading(model, rows),
    )


def fitted_twice(make, first, request, X, y, weights, rows):
    """The decisions of a model, fitted with the classes exchanged, and then as asked; and before
    that fit those of the first model.

    If extras is 2 then as asked of another model, which was fitted on other rows before.
    """
    model = make()
    classes = sorted(set(request.y))[::-1]
    exchanged = like_the_caller([classes[k] for k in places(request.y)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, exchanged, **weights)
        before = decided(model, rows)
        if request.extras == 2:
            model = make()
            model.fit(like_the_caller([[v * v + 1 for v in x] for x in request.X]), y, **weights)
        after = decided(first, rows)
        model.fit(X, y, **weights)
        return before, decided(model, rows), after


def places(y):
    """The place of each label among the sorted ones."""
    order = sorted(set(y))
    return [order.index(label) for label in y]


def decided(model, rows):
    """The decisions about rows, a flat list of floats; None of more than two classes."""
    if not hasattr(model, "decision_function") or len(getattr(model, "classes_", ())) > 2:
        return None
    return flat(model.decision_function(rows))


def flat(values):
    """Floats from a list of numbers or of lists of one number; what is no number is left."""
    values = [v[0] if isinstance(v, list) and len(v) == 1 else v for v in listed(values)]
    return [v if isinstance(v, (list, str)) else float(v) for v in values]


def listed(values):
    """Nested lists of plain numbers or labels."""
    values = as_lists(values)
    if isinstance(values, (list, tuple)):
        return [listed(value) for value in values]
    return values


def decided_after_loading(model, rows):
    """The decisions of the model after pickling; None for a class that cannot be pickled."""
    try:
        text = pickle.dumps(model)
    except Exception:
        return None
    return decided(pickle.loads(text), rows)


def status_of(model):
    """ "optimal" or "not optimal" where the estimator says so."""
    said = getattr(model, "fit_status_", None)
    return None if said is None else "optimal" if said == 0 else "not optimal"


def attributes_of(model):
    """scikit-learn's attributes of a fitted machine, without the underscore, as plain lists."""
    found = {}
    for name in (
        "support",
        "support_vectors",
        "n_support",
        "dual_coef",
        "intercept",
        "coef",
        "classes",
    ):
        value = getattr(model, name + "_", None)
        if value is not None:
            found[name] = listed(value)
    return found


def parts_of(attributes, request):
    """b, beta and w, as far as the attributes tell."""
    parts = {}
    intercept, coef = attributes.get("intercept"), attributes.get("coef")
    if intercept is not None:
        parts["b"] = intercept[0] if isinstance(intercept, list) else intercept
    if coef and request.kernel["name"] == "linear":
        parts["w"] = coef[0] if isinstance(coef[0], list) else coef
    beta = beta_of(attributes, request)
    if beta is not None:
        parts["beta"] = beta
    return parts


def beta_of(attributes, request):
    """beta of each example; None unless support says rightly which rows dual_coef belongs to."""
    support, coefs = attributes.get("support"), attributes.get("dual_coef")
    if support is None or not coefs or not right_rows(attributes, request):
        return None
    beta = [0.0] * len(request.X)
    for i, coef in zip(support, coefs[0]):
        beta[i] = coef
    return beta


def right_rows(attributes, request):
    """Whether the rows that support names are support_vectors; yes if those are not said, or are
    no rows of this width."""
    support, vectors = attributes.get("support"), attributes.get("support_vectors")
    if not all(0 <= i < len(request.X) for i in support or ()):
        return False
    if not vectors or request.kernel["name"] == "precomputed" or other_width(attributes, request):
        return True
    return [request.X[i] for i in support] == vectors


def other_width(attributes, request):
    """A sentence about support vectors of another width than the rows; None if they have it."""
    width, vectors = len(request.X[0]), attributes.get("support_vectors")
    if not vectors or request.kernel["name"] == "precomputed" or len(vectors[0]) == width:
        return None
    return f"support_vectors_ have {len(vectors[0])} features; the rows have {width}"
