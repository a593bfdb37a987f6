"""NamedTuple, as typing's: records with named fields. Its classes are made in a third of the time.

An import of the machines makes some forty of them. typing's NamedTuple compiles each annotation,
which is a text here, and then exchanges the base of a class that is there already: 0.4 ms a class.
Type checkers are shown typing's own.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _Maker(type):
        """Makes a subclass of tuple of a class that is written as a subclass of NamedTuple."""

        def __new__(cls, name, bases, body):
            fields = body.pop("__annotations__")
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body.pop("__module__"))
            made.__annotations__ = made.__new__.__annotations__ = fields
            for key, value in body.items():
                setattr(made, key, value)
            return made

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})
