"""What the oracle's learners return, whose model() is compiled too."""

from refsvm.online import lms as regressions
from refsvm.online import pegasos as machines
from refsvm.online import perceptron as perceptrons

from ._model import Model


class Pegasos(machines.Pegasos):
    __doc__ = machines.Pegasos.__doc__
    __slots__ = ()

    def model(self, average=True):
        return Model(*super().model(average))


class KernelPegasos(machines.KernelPegasos):
    __doc__ = machines.KernelPegasos.__doc__

    def model(self, average=True):
        return Model(*super().model(average))


class Perceptron(perceptrons.Perceptron):
    __doc__ = perceptrons.Perceptron.__doc__
    __slots__ = ()

    def model(self):
        return Model(*super().model())


class KernelPerceptron(perceptrons.KernelPerceptron):
    __doc__ = perceptrons.KernelPerceptron.__doc__

    def model(self):
        return Model(*super().model())


class KernelLMS(regressions.KernelLMS):
    __doc__ = regressions.KernelLMS.__doc__

    def model(self):
        return Model(*super().model())
