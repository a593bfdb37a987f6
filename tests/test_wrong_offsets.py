"""The offsets that known bugs find."""

from fractions import Fraction

from refsvm import Problem
from refsvm.conformance.wrong_offsets import OffsetSources, offsets_of_own_terms


def test_an_offset_of_the_own_terms_leaves_out_all_other_examples():
    problem = Problem([[1], [2], [4]], [-1, 1, 1], C=1).to(Fraction)
    beta = [-1, Fraction(1, 2), Fraction(1, 2)]  # the first is at C; K_ii are 1, 4 and 16
    at = OffsetSources(problem, (-5, -5), [2, 4, 8], beta)
    free, every = [offset.low for offset in offsets_of_own_terms(at)]
    assert free == Fraction((1 - 2) + (1 - 8), 2)
    assert every == Fraction((-1 + 1) + (1 - 2) + (1 - 8), 3)
