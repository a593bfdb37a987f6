"""refsvm.numerics.records.NamedTuple makes the classes that typing's makes."""

from __future__ import annotations

import copy
import inspect
import pickle
import typing

import pytest

from refsvm.numerics import records


class Quick(records.NamedTuple):
    """A record."""

    x: float
    y: list[int]
    note: str = "none"

    def double(self):
        return 2 * self.x

    @property
    def first(self):
        return self.y[0]


class Usual(typing.NamedTuple):
    """A record."""

    x: float
    y: list[int]
    note: str = "none"

    def double(self):
        return 2 * self.x

    @property
    def first(self):
        return self.y[0]


@pytest.mark.parametrize("what", [
    lambda cls: cls.__mro__[1:],
    lambda cls: (cls._fields, cls._field_defaults, cls.__doc__, cls.__module__, cls.__slots__),
    lambda cls: getattr(cls, "__match_args__", None),
    lambda cls: set(dir(cls)) - {"__orig_bases__"},
    lambda cls: typing.get_type_hints(cls),
    lambda cls: list(inspect.signature(cls).parameters),
    lambda cls: [v.default for v in inspect.signature(cls).parameters.values()],
    lambda cls: repr(cls(1, [2])).partition("(")[2],
    lambda cls: cls(1, [2]) == (1, [2], "none") == tuple(cls(1, y=[2], note="none")),
    lambda cls: (cls(1, [2]).double(), cls(1, [2]).first, cls(1, [2]).y),
    lambda cls: cls(1, [2])._replace(x=5)._asdict(),
    lambda cls: tuple(cls._make([1, 2, 3])),
    lambda cls: [type(again(cls(1, [2]))) is cls and again(cls(1, [2])) == cls(1, [2])
                 for again in (copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v)))],
    lambda cls: issubclass(type("Heir", (cls,), {}), cls),
])
def test_what_a_class_says_and_does(what):
    assert what(Quick) == what(Usual)


@pytest.mark.parametrize("arguments", [(), (1,), (1, 2, 3, 4)])
def test_wrong_arguments_are_refused_in_the_same_words(arguments):
    with pytest.raises(TypeError) as usual:
        Usual(*arguments)
    with pytest.raises(TypeError) as quick:
        Quick(*arguments)
    assert str(quick.value).partition("(")[2] == str(usual.value).partition("(")[2]
