"""The oracle's estimators of the other machines, which train and predict compiled."""

import refsvm

from ._estimators import gather
from ._models import Model
from ._public import is_own, public
from ._smo import smo


class Deciding:
    """Lets a model of the oracle's decide compiled."""

    _solve = staticmethod(smo)

    def _kept_model(self):
        model = super()._kept_model()
        plain = isinstance(model, refsvm.Model) and is_own(type(model))
        return Model(*model) if plain else model


@public
class NuSVC(refsvm.NuSVC):
    __doc__ = refsvm.NuSVC.__doc__
    _solve = staticmethod(smo)
    _gather = staticmethod(gather)


@public
class SVR(Deciding, refsvm.SVR):
    __doc__ = refsvm.SVR.__doc__


@public
class NuSVR(Deciding, refsvm.NuSVR):
    __doc__ = refsvm.NuSVR.__doc__


@public
class OneClassSVM(Deciding, refsvm.OneClassSVM):
    __doc__ = refsvm.OneClassSVM.__doc__


@public
class SVDD(refsvm.SVDD):
    __doc__ = refsvm.SVDD.__doc__
    _solve = staticmethod(smo)
