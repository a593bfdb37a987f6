"""No value given to a public function brings more than one sentence, whatever its methods do.

Every call in an example of the documentation is made again with a hostile value in the place of
an argument, or of a number inside an argument. So the calls are found, not listed: a new function
comes with an example, and is tried from then on.
"""

import ast
import doctest
import io
import pkgutil
from collections import UserString
from contextlib import redirect_stdout, suppress
from copy import copy
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from inspect import Parameter, signature
from math import inf, nan
from random import Random

import pytest
from equality import find
from test_spec import NAMES

import refsvm
import refsvm_fast
from refsvm.numerics.quoting import MAX_QUOTE, quote

LONGEST = 300
# They take numbers as they are: what they add and multiply is the caller's.
UNCHECKED = ("refsvm.numerics", "refsvm.conformance")
CHECKED_ELSEWHERE = "refsvm.sklearn"  # by scikit-learn, in its words
# A function of the caller's own works on the numbers given; nothing but a comparison is made.
OWN = {"climb", "clip", "expectation"}
PUBLIC = [
    value for value in (find(refsvm, name) for name in sorted({*refsvm.__all__, *NAMES}))
    if not getattr(value, "__module__", UNCHECKED[0]).startswith(UNCHECKED)
]


# ---- the values


def raising(error, base=object, names=()):
    """An object of a class whose methods raise."""

    def method(self, *_):
        raise type(error)(*error.args)

    made = type("Hostile", (base,), {name: method for name in names})
    return made(1) if base in (float, Fraction) else made()


ASKED = ("__float__", "__index__", "__bool__", "__eq__", "__len__", "__iter__")
REST = ("__hash__", "__lt__", "__repr__", "__str__", "__getitem__", "__abs__", "__add__")


def nested(depth):
    value = [1.0]
    for _ in range(depth):
        value = [value]
    return value


ENDLESS = [1.0]
ENDLESS.append(ENDLESS)
HOSTILE = {
    **{name: raising(KeyError("no"), names=(name,)) for name in ASKED},
    "all methods": raising(ArithmeticError("no" * 1000), names=ASKED + REST),
    "a float": raising(RuntimeError("no"), float, ASKED + REST),
    "a Fraction": raising(RecursionError("no"), Fraction, ASKED + REST),
    "a word": raising(LookupError("no"), str, ASKED + REST),
    "a list": raising(ZeroDivisionError("no"), list, ASKED + REST),
    "sNaN": Decimal("sNaN"), "huge Decimal": Decimal("1e5000"), "nan": nan, "inf": inf,
    "digits": 10**5000, "huge": Fraction(10**400), "tiny": Fraction(1, 10**400),
    "depth": nested(5000), "itself": ENDLESS, "letters": "a" * 2000, "words": UserString("ab"),
    "None": None, "object": object(), "class": float, "dict": {1: 2}, "set": {1}, "bytes": b"12",
    "complex": 1j, "empty": [], "surrogate": "\ud800", "1": 1, "-1": -1, "0.5": 0.5,
}  # fmt: skip


# ---- the calls


def documented_calls(share=1):
    """(name, function, arguments) of the calls of public functions in the documentation, or in
    a share of its docstrings."""
    random = Random(1)
    for found in pkgutil.walk_packages(refsvm.__path__, "refsvm."):
        if not found.name.endswith("__main__") and not found.name.startswith(CHECKED_ELSEWHERE):
            module = import_module(found.name)
            for test in doctest.DocTestFinder(exclude_empty=True).find(module):
                if random.random() < share:
                    yield from calls_of(test)


def calls_of(test):
    """The calls in one docstring, whose lines are run one after the other."""
    names = dict(test.globs)
    for example in test.examples:
        tree = ast.parse(example.source)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                with suppress(Exception):
                    yield call_of(node, names)
        with suppress(Exception), redirect_stdout(io.StringIO()):
            exec(compile(tree, "<example>", "exec"), names)


def call_of(node, names):
    """The function and the arguments of a call; an exception unless the function is public."""

    def value(part):
        return eval(compile(ast.Expression(part), "<part>", "eval"), names)

    function = value(node.func)
    name = ast.unparse(node.func).split(".")[-1]
    owner = type(getattr(function, "__self__", None))
    if function not in PUBLIC and owner not in PUBLIC or name in OWN:
        raise LookupError(name)
    keywords = {keyword.arg: value(keyword.value) for keyword in node.keywords}
    return name, function, signature(function).bind(*map(value, node.args), **keywords)


def spoiled(bound, value):
    """The arguments with the value in the place of each, and of the last number in each."""
    named = {n for n, p in bound.signature.parameters.items() if p.kind is not p.VAR_KEYWORD}
    kind = {n: p.kind for n, p in bound.signature.parameters.items()}
    for name, given in ((n, v) for n, v in bound.arguments.items() if n in named):
        whole = None if kind[name] is Parameter.VAR_POSITIONAL else value  # no caller gives it
        for replacement in (whole, inside(given, value, 0), inside(given, value, 1)):
            if replacement is not None or value is None and whole is value:
                changed = copy(bound)
                changed.arguments = {**bound.arguments, name: replacement}
                yield changed


def inside(given, value, depth):
    """The list or tuple given with the value for its last item, or for that item's last."""
    if type(given) not in (list, tuple) or not given:
        return None
    last = value if depth == 0 else inside(given[-1], value, depth - 1)
    return None if last is None else [*given[:-1], last]


def refusal_of(function, bound):
    """The type and sentence of what a call raises; None if it raises nothing."""
    try:
        function(*bound.args, **bound.kwargs)
    except Exception as error:
        return type(error), str(error)
    return None


# A number of so many digits is one to count up to, or to compute with for hours.
SLOW = {"digits", "huge", "tiny"}


def answers_shortly(refusal):
    return refusal is None or (
        issubclass(refusal[0], OSError)  # of a file that is not there
        or issubclass(refusal[0], (ValueError, TypeError)) and len(refusal[1]) <= LONGEST
    )


def try_all(calls, share, seed):
    random = Random(seed)
    for name, function, bound in calls:
        for what in [what for what in HOSTILE if what not in SLOW and random.random() < share]:
            for changed in spoiled(bound, HOSTILE[what]):
                refusal = refusal_of(function, changed)
                assert answers_shortly(refusal), (name, what, refusal)


def test_a_call_with_a_hostile_value_ends_in_a_short_sentence(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try_all(documented_calls(share=0.1), 0.2, seed=1)


@pytest.mark.slow("one value that one function takes ill")
def test_any_call_with_any_hostile_value_ends_in_a_short_sentence(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    calls = list(documented_calls())
    assert len(calls) > 500 and len({id(function) for _, function, _ in calls}) > 200
    try_all(calls, 1, seed=1)


X, Y = [[0.0], [1.0], [3.0], [4.0]], [-1, -1, 1, 1]
TRAIN = {
    "X": lambda package, v: package.Problem(v, Y),
    "a number": lambda package, v: package.Problem([[0.0], [1.0], [3.0], [v]], Y),
    "y": lambda package, v: package.Problem(X, v),
    "a label": lambda package, v: package.Problem(X, [-1, -1, 1, v]),
    "C": lambda package, v: package.Problem(X, Y, C=v),
    "a C": lambda package, v: package.Problem(X, Y, C=[1, 1, 1, v]),
    "bias": lambda package, v: package.Problem(X, Y, bias=v),
    "slack": lambda package, v: package.Problem(X, Y, slack=v),
    "tol": lambda package, v: package.smo(package.Problem(X, Y), tol=v),
    "max_iter": lambda package, v: package.smo(package.Problem(X, Y), max_iter=v),
    "start": lambda package, v: package.smo(package.Problem(X, Y), start=v),
    "row": lambda package, v: package.smo(package.Problem(X, Y)).model().decision(v),
    "rows": lambda package, v: package.smo(package.Problem(X, Y)).model().decisions(v),
    "gram": lambda package, v: package.gram(package.Linear(), v),
    "kernel value": lambda package, v: package.gram(lambda x, z: v, X),
    "fit": lambda package, v: package.SVC().fit(v, Y),
    "predict": lambda package, v: package.SVC(gamma=1).fit(X, Y).predict(v),
    "pegasos": lambda package, v: package.pegasos(v, Y, 1, [0]),
    "lam": lambda package, v: package.pegasos(X, Y, v, [0]),
    "picks": lambda package, v: package.pegasos(X, Y, 1, v),
    "a pick": lambda package, v: package.pegasos(X, Y, 1, [0, v]),
    "rate": lambda package, v: package.lms(X, Y, v, 1),
}  # fmt: skip


@pytest.mark.parametrize("what", HOSTILE)
def test_both_packages_refuse_it_alike(what):
    for place, use in TRAIN.items():
        found = []
        for package in (refsvm, refsvm_fast):
            try:
                use(package, HOSTILE[what])
                found.append(None)
            except Exception as error:
                found.append((type(error), str(error)))
        assert answers_shortly(found[0]) and found[0] == found[1], place


@pytest.mark.parametrize("what", HOSTILE)
def test_a_value_is_quoted_in_few_characters(what):
    assert 0 < len(quote(HOSTILE[what])) <= MAX_QUOTE
    assert len(quote([HOSTILE[what]] * 100)) <= MAX_QUOTE
    assert "\n" not in quote(HOSTILE[what])
