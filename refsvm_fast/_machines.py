"""The oracle's estimators of the other machines, which train compiled."""

import refsvm

from ._public import public
from ._smo import smo


@public
class NuSVC(refsvm.NuSVC):
    __doc__ = refsvm.NuSVC.__doc__
    _solve = staticmethod(smo)


@public
class SVR(refsvm.SVR):
    __doc__ = refsvm.SVR.__doc__
    _solve = staticmethod(smo)


@public
class NuSVR(refsvm.NuSVR):
    __doc__ = refsvm.NuSVR.__doc__
    _solve = staticmethod(smo)


@public
class OneClassSVM(refsvm.OneClassSVM):
    __doc__ = refsvm.OneClassSVM.__doc__
    _solve = staticmethod(smo)


@public
class SVDD(refsvm.SVDD):
    __doc__ = refsvm.SVDD.__doc__
    _solve = staticmethod(smo)
