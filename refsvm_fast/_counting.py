"""A kernel whose strings are counted by compiled code: what the oracle is given in its place."""

from refsvm import Spectrum as Plain

from ._basics import word_rows


class Spectrum(Plain):
    """refsvm.Spectrum, named like it in every sentence."""

    def row_function(self, points, kind):
        counted = word_rows(Plain(self.length), points) if kind is float else None
        if counted is None:
            return super().row_function(points, kind)

        def row(x):
            return counted(x) if type(x) is str else Plain.row_function(self, points, kind)(x)

        return row


def counting(kernel):
    """The kernel, or the one above if it is refsvm.Spectrum, with a length as it was made."""
    if type(kernel) is not Plain or type(kernel.length) is not int or kernel.length < 1:
        return kernel
    return Spectrum(kernel.length)
