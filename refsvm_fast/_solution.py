"""The oracle's Solution, whose model() is compiled too."""

import refsvm


class Solution(refsvm.Solution):
    __doc__ = refsvm.Solution.__doc__
