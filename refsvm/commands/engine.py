"""Which library a command computes with: refsvm_fast where it is compiled, else refsvm.

The answers have the same bits. Nothing else in commands/ looks for refsvm_fast, and this does so
when a command runs, not when it is imported.

    library     the package whose names a command uses
"""

import os
from importlib import import_module

import refsvm

from ..numerics.environment import env_flag
from ..numerics.quoting import shell_words
from .console import complain

PURE = "plain Python"


def pure_option(parser):
    """Add the option --pure."""
    parser.add_argument(
        "--pure",
        action="store_true",
        help="plain Python, also where refsvm_fast is compiled",
    )


def library(given):
    """Return the package to compute with: refsvm_fast if compiled, unless --pure is given."""
    fast = None if given.pure else compiled_package()
    return fast if fast is not None and fast.COMPILED else refsvm


def announce(given):
    """Say in one line on stderr which library computes, before long work begins."""
    complain(PURE + ", as --pure asks" if given.pure else running())


def running():
    """Return in words what computes, unless --pure is given, and how it would be compiled."""
    fast = compiled_package()
    if fast is None:
        return f"{PURE}, as refsvm_fast is not installed"
    if fast.COMPILED:
        older = f", from older sources; {_cure(fast)}" if is_outdated(fast) else ""
        return f"compiled ({fast.ISA}){older}"
    if env_flag("REFSVM_PURE_PYTHON"):
        return f"{PURE}, as REFSVM_PURE_PYTHON asks"
    if fast.UNLIKE:
        return f"{PURE}, as refsvm_fast was compiled to round otherwise than this Python"
    return f"{PURE}, much slower than refsvm_fast compiled; {_cure(fast)}"


def _cure(fast):
    """Return in words how refsvm_fast gets compiled where it lies now."""
    checkout = _checkout_of(fast)
    if checkout:
        line = shell_words(["python3", "-m", "pip", "install", "-e", checkout])
        return f"to compile it: {line}"
    return "to compile it, install refsvm anew where there is a C compiler"


def _checkout_of(fast):
    """Return the folder of the checkout that refsvm_fast lies in; None if it is installed."""
    checkout = os.path.dirname(os.path.dirname(os.path.abspath(fast.__file__)))
    return checkout if os.path.exists(os.path.join(checkout, "setup.py")) else None


def is_outdated(fast):
    """Tell whether, in a checkout, sources have changed since the last compilation."""
    if not _checkout_of(fast):
        return False
    folder = os.path.dirname(os.path.abspath(fast.__file__))
    paths = [*os.scandir(folder), *os.scandir(os.path.join(folder, "simd"))]
    sources, compiled = (
        [path.stat().st_mtime for path in paths if path.name.endswith(kinds)]
        for kinds in ((".pyx", ".pxd", ".pxi", ".c", ".h"), (".so", ".pyd"))
    )
    return max(sources) > max(compiled)


def compiled_package():
    """Return the package refsvm_fast, compiled or not; None if it is not installed."""
    try:
        return import_module("refsvm_fast")
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "refsvm_fast":
            return None
        raise ValueError(f"refsvm_fast cannot be imported: {error}") from error
