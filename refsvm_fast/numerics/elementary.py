"""refsvm.numerics.elementary, compiled: the same bits of exp, tanh and power."""

from refsvm.numerics.elementary import *  # noqa: F401, F403

from .._basics import exp, exps, power, tanh  # noqa: F401
