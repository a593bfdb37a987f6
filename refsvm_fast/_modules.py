"""The modules of refsvm under this package's name: `from refsvm_fast.theory.margins import ..`.

Where this package is compiled and has a module of its own (numerics.picks, say), that one is
found; any other is the oracle's very module, not a second copy of it.
"""

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, spec_from_loader

ORACLE = "refsvm."


class OracleModules:
    """Finds package.x as refsvm.x, and loads it by importing that."""

    def __init__(self, package, compiled):
        self.package, self.compiled = package + ".", compiled

    def find_spec(self, name, path=None, target=None):
        tail = name[len(self.package) :]
        if not name.startswith(self.package) or tail.startswith("_"):
            return None
        own = self.compiled and PathFinder.find_spec(name, path) is not None
        if own or find_spec(ORACLE + tail) is None:
            return None
        return spec_from_loader(name, self)

    def create_module(self, spec):
        return None  # an empty one, for exec_module to replace

    def exec_module(self, module):
        name = module.__name__
        sys.modules[name] = import_module(ORACLE + name[len(self.package) :])
