"""The modules of refsvm under this package's name: `from refsvm_fast.theory.margins import ..`.

Where this package is compiled and has a module of its own (numerics.picks, say), that one is
found; any other is the oracle's very module, not a second copy of it.
"""

import os
import sys
from importlib import import_module

ORACLE_PREFIX = "refsvm."
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")


def is_own(spec):
    """Whether a module lies in this package. A folder of the oracle is found by its name here,
    too, and the files in it belong to the oracle."""
    return spec is not None and (spec.origin or "").startswith(HERE)


class OracleModules:
    """Finds package.x as refsvm.x, and loads it by importing that."""

    def __init__(self, package, compiled):
        self.package, self.compiled = package + ".", compiled

    def find_spec(self, name, path=None, target=None):
        tail = name[len(self.package) :]
        if not name.startswith(self.package) or tail.startswith("_"):
            return None
        from importlib.machinery import PathFinder  # few ask for such a module
        from importlib.util import find_spec, spec_from_loader

        if self.compiled and is_own(PathFinder.find_spec(name, path)):
            return None
        if find_spec(ORACLE_PREFIX + tail) is None:
            return None
        return spec_from_loader(name, self)

    def create_module(self, spec):
        return None  # an empty one, for exec_module to replace

    def exec_module(self, module):
        name = module.__name__
        sys.modules[name] = import_module(ORACLE_PREFIX + name[len(self.package) :])
