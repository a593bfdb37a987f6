"""refsvm.solvers.decomposition, compiled."""

from refsvm.solvers.decomposition import *  # noqa: F403

from .._public import public
from .._solvers import decomposition

public(decomposition, __name__)  # a pickle finds it here
