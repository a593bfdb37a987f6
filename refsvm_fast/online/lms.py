"""refsvm.online.lms, compiled."""

from refsvm.online.lms import *  # noqa: F403

from .._online_learners import kernel_lms, lms, stochastic_kernel_lms, stochastic_lms  # noqa: F401
from .._public import public

for function in (stochastic_lms, stochastic_kernel_lms):
    public(function, __name__)  # a pickle finds them here
