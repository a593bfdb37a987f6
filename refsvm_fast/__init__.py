"""refsvm, compiled: the same names, the same bits, faster.

    import refsvm_fast as refsvm

COMPILED says whether the compiled modules are there; without them every name is refsvm's own.
"""

import os

import refsvm
from refsvm import __all__, __version__

COMPILED = False
if os.environ.get("REFSVM_PURE_PYTHON", "0") == "0":
    try:
        from . import _table  # noqa: F401
    except ImportError:
        pass
    else:
        COMPILED = True


def __getattr__(name):
    return getattr(refsvm, name)
