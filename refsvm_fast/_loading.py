"""Whether the compiled modules are there and to be used, and which inner loops run.

table    the compiled module of the inner loops
"""

import os
from importlib.machinery import EXTENSION_SUFFIXES
from warnings import warn

from refsvm.numerics import roundings
from refsvm.numerics.environment import env_flag, env_text
from refsvm.numerics.quoting import quote


def load():
    """Load the compiled modules: (COMPILED, UNLIKE, ISA), as the package has them."""
    pure, required = map(env_flag, ("REFSVM_PURE_PYTHON", "REFSVM_REQUIRE_EXTENSIONS"))
    before = roundings.answers()
    table = None if pure else _loaded(required)
    if roundings.answers() != before:  # linked with what sets modes of the processor
        roundings.warn_if_not_as_promised()
    unlike = table is not None and not _rounds_alike(table, required)
    compiled = table is not None and not unlike
    return compiled, unlike, _chosen_isa(table) if compiled else None


def _loaded(required):
    """Load the compiled modules; the one of the inner loops, or None without them.

    All are loaded here: whether one that is there is of this version, only loading it shows.
    """
    try:
        from . import _kernel_rows, _online, _smo, _solution, _table  # noqa: F401
        from ._table import product_and_sum  # noqa: F401
    except Exception as error:  # one built from other sources says so by errors of several kinds
        what = f"the compiled modules of refsvm_fast do not load: {error}"
        if required:
            raise ImportError(what) from error
        if _is_there("_table"):  # as if another interpreter of this process has loaded them
            warn(f"{what}; plain Python is used", RuntimeWarning, stacklevel=4)
        return None
    return _table


def _is_there(name):
    """Whether there is a compiled module of this name, which may not load."""
    beside = os.path.join(os.path.dirname(__file__), name)
    return any(os.path.exists(beside + suffix) for suffix in EXTENSION_SUFFIXES)


def _rounds_alike(table, required):
    """Whether the compiled modules round as this Python does; else refuse or warn."""
    if roundings.answers(table.product_and_sum) == roundings.answers():
        return True
    what = "the compiled modules of refsvm_fast round otherwise than this Python"
    if required:
        raise ImportError(what)
    if not roundings.difference():  # of which refsvm has told, and this follows
        warn(f"{what}, so they are not used; compile them anew", RuntimeWarning, stacklevel=4)
    return False


def _chosen_isa(table):
    """Choose the inner loops; return their name."""
    asked = env_text("REFSVM_ISA")
    isa = table.choose(asked)
    if isa is None:
        raise ValueError(
            f"the environment variable REFSVM_ISA is {quote(asked)}; this build and processor have"
            f" {', '.join(filter(table.choose, ('baseline', 'avx2', 'avx512')))}"
        )
    return isa
