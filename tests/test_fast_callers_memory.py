"""Rows in the caller's memory, which the caller's own code changes while it is asked."""

from array import array

import pytest
from equality import agree


def rows_in_memory():
    """8 rows of 3 numbers as the caller's memory shows them, and what changes them all."""
    numbers = array("d", [(k * 7 % 11 - 5) / 3 for k in range(24)])
    view = memoryview(numbers).cast("B").cast("d", [8, 3])

    def spoil():
        numbers[:] = array("d", [7.25] * 24)

    return view, spoil


class Spoiling:
    """A label, or a number, that changes the rows when it is asked for its value."""

    def __init__(self, value, spoil):
        self.value, self.spoil = value, spoil

    def __float__(self):
        self.spoil()
        return float(self.value)

    def __index__(self):
        self.spoil()
        return self.value


def spoiled_by_picks(spoil):
    for t in range(20):
        if t == 3:
            spoil()
        yield t * 5 % 8


LABELS = [1, -1] * 4


@pytest.mark.parametrize("call", [
    lambda p, X, spoil: p.pegasos(X, LABELS, 0.1, spoiled_by_picks(spoil)),
    lambda p, X, spoil: p.perceptron(X, LABELS, spoiled_by_picks(spoil)),
    lambda p, X, spoil: p.kernel_perceptron(p.Gaussian(1.0), X, LABELS, spoiled_by_picks(spoil)),
    lambda p, X, spoil: p.kernel_pegasos(p.Linear(), X, LABELS, 0.1, spoiled_by_picks(spoil)),
    lambda p, X, spoil: p.pegasos(X, LABELS, 0.1, [0, Spoiling(3, spoil), 5, 2]),
    lambda p, X, spoil: p.pegasos(X, LABELS, Spoiling(0.5, spoil), [0, 3, 5, 2]),
    lambda p, X, spoil: p.pegasos(X, [Spoiling(v, spoil) for v in LABELS], 0.1, [0, 3, 5, 2]),
    lambda p, X, spoil: p.smo(p.Problem(X, LABELS), on_step=lambda step: spoil()),
])
def test_rows_are_those_that_were_given_whatever_the_callers_code_does(call):
    """Each package gets memory of its own: what it computes is the same."""
    agree(lambda package: call(package, *rows_in_memory()))
