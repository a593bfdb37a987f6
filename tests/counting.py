"""Fractions that count what is done with them: for statements about cost."""

from fractions import Fraction
from unittest.mock import patch


class Counted(Fraction):
    """A Fraction; every product with one is counted, and results are Counted again."""

    products = 0

    def __mul__(self, other):
        Counted.products += 1
        return Counted(Fraction.__mul__(self, other))

    def __add__(self, other):
        return Counted(Fraction.__add__(self, other))

    def __sub__(self, other):
        return Counted(Fraction.__sub__(self, other))

    __rmul__, __radd__ = __mul__, __add__


def products_of(call, *rows):
    """How many products a call makes with the numbers of these rows."""
    before = Counted.products
    with patch("refsvm.numerics.validation.Fraction", Counted):  # what numbers are converted to
        call(*([Counted(a) for a in row] for row in rows))
    return Counted.products - before
