"""What it means that refsvm_fast answers as refsvm does: everything that can be seen is the same.

    outcome(function, *args)   all that a call lets one see, as an Outcome
    same("smo", problem)       refsvm's smo and refsvm_fast's, called alike: the outcomes are equal
    agree(use, *args)          the same for any use(package, *args) of a package
    same_fit(X, y, C=2)        the same for SVC(C=2).fit(X, y)
    compiled                   marks a test of compiled code, skipped where there is none
    Fresh(make)                an argument that each call gets its own of: what is used up by use
    @equality_test("smo")      says which public names a hypothesis test holds equal

Seen are: the value, the type of everything in it, every bit of every number (but one NaN), the
exception and its sentence, warnings and where they point, what on_step was told, and whether the
arguments were left as they were. Not seen: whether a class is the oracle's or a subclass of the
same name, and attributes that begin with an underscore.

A tree is how a value is written down to be compared: a word for a single value, a Node for what
has parts.
"""

import inspect
import re
import warnings
from array import array
from fractions import Fraction
from functools import partial
from importlib import import_module
from itertools import islice
from math import isnan
from struct import iter_unpack, pack
from typing import Any, NamedTuple

import pytest

import refsvm
import refsvm_fast
from refsvm.svm.training_problem import TrainingProblem

PACKAGES = {"refsvm": refsvm, "refsvm_fast": refsvm_fast}
ITEMS = 5000  # how much of an iterator is looked at
SHOWN = 6  # differences in a message

compiled = pytest.mark.skipif(not refsvm_fast.COMPILED, reason="nothing is compiled here")
COVERED = {}  # public name: the names of the tests that hold it equal


def equality_test(*names):
    """Marks a hypothesis test: these public names answer in refsvm_fast as in refsvm."""

    def marked(test):
        if not getattr(test, "is_hypothesis_test", False):
            raise TypeError(f"{test.__name__} is no hypothesis test; it must be one")
        for name in names:
            find(refsvm, name)
            COVERED.setdefault(name, []).append(test.__name__)
        return test

    return marked


class Fresh(NamedTuple):
    """An argument to be made anew for each call: an iterator, a function that keeps count."""

    make: Any


class Node(NamedTuple):
    """A value that has parts: what it is, and (key, tree) of each part."""

    kind: str
    parts: Any  # a tuple of them, or Doubles


class Doubles:
    """The parts of a list of floats, kept as their bits: most of what is compared are such lists.

    Looked through, they are parts like all others. NaN has many bits and is not among them.
    """

    def __init__(self, values):
        self.bits = pack(f"={len(values)}d", *values)

    def __eq__(self, other):
        return type(other) is Doubles and self.bits == other.bits

    def __len__(self):
        return len(self.bits) // 8

    def __iter__(self):
        for i, (value,) in enumerate(iter_unpack("=d", self.bits)):
            yield f"[{i}]", tree(value)


class Outcome(NamedTuple):
    """What a call showed, as trees."""

    value: Any
    error: Any
    told: Any  # on_step, call by call
    warned: Any
    arguments: Any  # after the call, where they are not as they were before


# ---- values as trees


def tree(value, seen=()):
    """A value written down so that two are equal if they cannot be told apart."""
    if type(value) is list and set(map(type, value)) == {float} and not any(map(isnan, value)):
        return Node("list", Doubles(value))
    kind = kind_of(value)
    if value is None or isinstance(value, (bool, str, bytes, range, complex, type)):
        return f"{kind} {value!r}"
    if isinstance(value, Fraction):  # in hexadecimal: of decimals Python writes 4300 digits only
        return f"{kind} {value.numerator:#x}/{value.denominator:#x}"
    if isinstance(value, float):
        return f"{kind} {'nan' if value != value else float(value).hex()}"
    if isinstance(value, int):
        return f"{kind} {int(value):#x}"
    if id(value) in seen:
        return f"{kind}, again"
    return Node(kind, tuple(parts_of(value, (*seen, id(value)))))


def kind_of(value):
    """The type's name; with the oracle's class if it is one of these, or comes from one."""
    known = type(value)
    for base in known.__mro__:
        if base.__module__.split(".")[0] == "refsvm":
            return f"{known.__name__} ({base.__module__}.{base.__qualname__})"
    if hasattr(value, "__next__"):
        return "iterator"
    if callable(value) and not isinstance(value, type):
        return f"callable {getattr(value, '__qualname__', known.__qualname__)}"
    return known.__qualname__ if known.__module__ == "builtins" else (
        f"{known.__module__}.{known.__qualname__}"
    )


def parts_of(value, seen):
    """(key, tree) of every part of a value."""
    if hasattr(value, "_fields"):
        for name in value._fields:
            yield f".{name}", tree(getattr(value, name), seen)
        yield " repr", spelled(value)
        yield from attributes(value, seen)
        if hasattr(value, "model"):
            yield ".model()", tried(value.model, seen)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield f"[{key!r}]", tree(item, seen)
    elif isinstance(value, (list, tuple)) or type(value).__name__ == "deque":
        yield from numbered(value, seen)
    elif isinstance(value, (set, frozenset)):
        yield from numbered(sorted(value, key=repr), seen)
    elif isinstance(value, array):
        yield "typecode", value.typecode
        yield from numbered(value, seen)
    elif isinstance(value, memoryview):
        yield "layout", str((value.format, value.shape, value.strides, value.readonly))
        yield from numbered(value.tolist(), seen)
    elif hasattr(value, "dtype") and hasattr(value, "tolist"):
        yield "layout", str((value.dtype, value.shape, getattr(value, "strides", None)))
        yield "flags", str(getattr(value, "flags", None))
        yield "values", tree(value.tolist(), seen) if value.shape else repr(value)
    elif hasattr(value, "__next__"):
        yield from numbered(items_of(value), seen)
    elif isinstance(value, BaseException):
        yield "sentence", without_addresses(str(value))
        yield "args", tree(value.args, seen)
    elif type(value).__module__.startswith("refsvm"):
        yield " repr", spelled(value)
        yield from attributes(value, seen)


OURS = {"given", "packed", "table"}  # what a compiled Problem has besides: the packed rows


def attributes(value, seen):
    """The public ones among the attributes that an instance has of its own, and its properties.

    Fields of a tuple, which are properties in some Pythons, are seen already.
    """
    cls = type(value)
    names = {name for name in dir(cls) if isinstance(getattr(cls, name, None), property)}
    names.update(getattr(value, "__dict__", {}), set(dir(value)) - set(dir(cls)))
    for name in sorted(names - OURS.union(getattr(cls, "_fields", ()))):
        if not name.startswith("_"):
            yield f".{name}", tried(partial(getattr, value, name), seen)


def numbered(values, seen):
    return ((f"[{i}]", tree(item, seen)) for i, item in enumerate(values))


def tried(function, seen):
    """The tree of what a call without arguments returns or raises."""
    try:
        value = function()
    except Exception as error:
        value = error
    return tree(value, seen)


def items_of(iterator):
    """The items of an iterator, the first few thousand, and the exception that ends them."""
    found = []
    try:
        for item in iterator:
            found.append(item)
            if len(found) == ITEMS:
                break
    except Exception as error:
        found.append(error)
    return found


def spelled(value):
    """Its repr; or the refusal, as Python writes no more than 4300 decimals of a number."""
    try:
        return without_addresses(repr(value))
    except ValueError as error:
        return str(error)


def without_addresses(text):
    return re.sub(r"0x[0-9a-f]{6,}", "0x...", text)


# ---- calls


def outcome(function, *args, **kw):
    """Everything that a call of the function shows: an Outcome.

    An on_step that can be called is called, and what it was told is kept.
    """
    args = [a.make() if isinstance(a, Fresh) else a for a in args]
    kw = {name: a.make() if isinstance(a, Fresh) else a for name, a in kw.items()}
    told, given = [], [*args, *kw.values()]
    before = [argument(a) for a in given]
    if callable(kw.get("on_step")):
        kw["on_step"] = partial(listen, told, kw["on_step"])
    value = error = None
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            value = function(*args, **kw)
        except BaseException as caught:
            error = caught
        value = tree(value)
    error = None if error is None else tree(error)
    after = [argument(a) for a in given]
    return Outcome(
        value,
        error,
        Node("told", tuple((f" step {k + 1}", step) for k, step in enumerate(told))),
        [f"{w.category.__name__} {w.filename}: {w.message}" for w in warned],
        Node("arguments", tuple((f" {k}", a) for k, (a, b) in enumerate(zip(after, before))
                                if a != b or still_held(given[k]))),
    )


def listen(told, on_step, step):
    told.append(tree(step))
    return on_step(step)


def argument(value):
    """The tree of an argument; not of an iterator, which is used up by being looked at."""
    return "iterator" if hasattr(value, "__next__") else tree(value)


def still_held(value):
    """Whether something still holds the memory of an array, which then cannot grow."""
    if isinstance(value, (list, tuple)):
        return any(map(still_held, value))
    if isinstance(value, array) and len(value):
        try:
            value.append(value[0])
        except BufferError:
            return True
        value.pop()
    return False


def find(package, name):
    """What a dotted name such as picks.below or Model.decision stands for in a package."""
    value = package
    for part in name.split("."):
        if not hasattr(value, part) and inspect.ismodule(value):
            import_module(f"{value.__name__}.{part}")
        value = getattr(value, part)
    return value


def same(name, *args, **kw):
    """Call refsvm's function of this name, and refsvm_fast's; AssertionError if one can tell."""
    agree(lambda package, *a, **k: find(package, name)(*a, **k), *args, **kw)


def same_fit(X, y, weight=None, **parameters):
    """Fit an SVC with these parameters in either package; AssertionError if one can tell."""
    agree(lambda package: package.SVC(**parameters).fit(X, y, weight))


def agree(use, *args, **kw):
    """Call use(package, *args, **kw) with either package; AssertionError if one can tell.

    A problem of refsvm's among the arguments is given to refsvm_fast as it is, and once more as a
    problem of its own.
    """
    oracle, fast = PACKAGES.values()
    ours = outcome(partial(use, oracle), *args, **kw)
    compare(ours, outcome(partial(use, fast), *args, **kw))
    if any(isinstance(a, TrainingProblem) for a in [*args, *kw.values()]):
        args, kw = map(own_problem, args), {name: own_problem(a) for name, a in kw.items()}
        compare(ours, outcome(partial(use, fast), *args, **kw))


def own_problem(value):
    """refsvm_fast's problem for one of refsvm's; others as they are."""
    if type(value).__module__.split(".")[0] != "refsvm" or not isinstance(value, TrainingProblem):
        return value
    ours = getattr(refsvm_fast, type(value).__name__)
    return ours(*(getattr(value, name) for name in value.made_of if name != "kind"))


def compare(ours, theirs):
    differing = differences(ours, theirs)
    assert not differing, "\n".join(["refsvm | refsvm_fast", *differing])


def differences(ours, theirs):
    """Where two Outcomes differ, in words: at most a few places."""
    found = []
    for name, one, other in zip(Outcome._fields, ours, theirs):
        if one != other:
            found += compared(name, one, other)
    changed = [f"an argument was changed:{key}" for key, _ in theirs.arguments.parts]
    return found[:SHOWN] + changed


def compared(path, one, other):
    """The places below path at which two trees differ."""
    if one == other:
        return []
    if not isinstance(one, Node) or not isinstance(other, Node) or one.kind != other.kind:
        return [f"{path}: {short(one)} | {short(other)}"]
    found = []
    for (key, a), (name, b) in zip(one.parts, other.parts):
        found += compared(path + key, a, b) if key == name else [f"{path}: {key} | {name}"]
        if len(found) >= SHOWN:
            return found
    if len(one.parts) != len(other.parts):
        found.append(f"{path}: {len(one.parts)} parts | {len(other.parts)} parts")
    return found


def short(node):
    """A tree in a line; a float in decimals too."""
    if isinstance(node, Node):
        inside = ", ".join(key + " " + short(part) for key, part in islice(node.parts, 4))
        return f"{node.kind} of {len(node.parts)} ({inside})"[:300]
    word = str(node)
    if word.startswith("float ") and "x" in word:
        return f"{word} ({float.fromhex(word[6:])!r})"
    return word[:300]
