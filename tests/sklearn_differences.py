"""What a script meets that imports its machines from refsvm.sklearn: each difference, by a key.

    python3 -m tests --all --python tests/sklearn_differences.py       prints the keys

The classes of sklearn.svm and those here are compared by their names, parameters and defaults, by
what they have after fit, and by the values of a parameter that fit takes: those that scikit-learn
says are allowed, and the ends of each range. spec/use/scikit-learn.md has a line for each key.
"""

import inspect
import math
import warnings

import numpy as np
import sklearn.svm
from sklearn.utils import _param_validation as rules

import refsvm.sklearn

X = np.array([[0.0, 1.0], [1.0, 0.5], [3.0, 1.5], [4.0, 2.5], [1.5, 3.0], [2.5, 0.0]])
CLASSES, VALUES = np.array([0, 0, 1, 1, 0, 1]), np.array([0.0, 0.5, 2.0, 2.5, 1.0, 1.5])
GRAM = X @ X.T + np.eye(len(X))


def fitted(cls, **given):
    """The estimator after fit, or the refusal."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            machine = cls(**given)
            if cls.__name__.endswith("SVR"):
                y = VALUES
            else:
                y = None if cls.__name__ == "OneClassSVM" else CLASSES
            return machine.fit(GRAM if given.get("kernel") == "precomputed" else X + 0.5, y)
    except (ValueError, TypeError) as refusal:
        return refusal


def public(machine):
    """What a fitted machine has, and what its class has that cannot be asked for."""
    return {name for name in dir(machine) if not name.startswith("_")}


def values_of(name, cls):
    """The values that scikit-learn says a parameter may have."""
    for rule in cls._parameter_constraints.get(name, []):
        if isinstance(rule, rules.Interval):
            kind = int if rule.type is rules.Integral else float
            yield from (kind(end) for end in (rule.left, rule.right) if end is not None)
            yield math.inf if rule.right is None and kind is float else 1
        elif isinstance(rule, rules.Options):
            yield from sorted(rule.options, key=str)
        elif rule == "boolean":
            yield from (True, False)
        elif rule is None:
            yield None


def differences():
    """The keys of what is there and not here, or other: "LinearSVR", "SVC.predict_proba",
    "SVC(C=inf)" of a value that is refused here only, "SVR(tol: 0.001)" of a default."""
    here, there = set(refsvm.sklearn.__all__), set(sklearn.svm.__all__)
    yield from sorted(there - here)
    for name in sorted(here & there - {"l1_min_c"}):
        yield from of_class(name, getattr(refsvm.sklearn, name), getattr(sklearn.svm, name))


def of_class(name, here, there):
    of_here, of_there = (inspect.signature(cls).parameters for cls in (here, there))
    for key, parameter in of_there.items():
        if key not in of_here:
            yield f"{name}({key})"
        elif of_here[key].default != parameter.default:
            yield f"{name}({key}: {parameter.default})"
    usual = {"kernel": "linear"} if "kernel" in of_there and name != "OneClassSVM" else {}
    missing = public(fitted(there, **usual)) - public(fitted(here, **usual))
    yield from (f"{name}.{key}" for key in sorted(missing))
    for key in of_there:
        for value in dict.fromkeys(values_of(key, there)):
            refused = [isinstance(fitted(cls, **{key: value}), Exception) for cls in (here, there)]
            if refused == [True, False]:
                yield f"{name}({key}={value!r})"


if __name__ == "__main__":
    print(*differences(), sep="\n")
