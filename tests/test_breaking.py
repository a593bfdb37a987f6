"""Mistakes are put in place in this process, counted by statement, and left out for a reason."""

import breaking
import pytest
from forked import bare, put_in_place
from profiles import one_in

from refsvm import Problem
from refsvm.theory import losses


@pytest.mark.parametrize("most, fewest", [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3), (11, 8)])
def test_how_many_mistakes_must_be_noticed(most, fewest):
    assert [breaking.enough(count, most) for count in range(most + 1)] == [
        count >= fewest for count in range(most + 1)
    ]


@pytest.mark.parametrize("name, function, answer", [
    ("refsvm.theory.losses.hinge", losses.hinge, lambda: losses.hinge(0.25)),
    ("refsvm.svm.problem.Problem.slacks", bare(vars(Problem)["slacks"]),
     lambda: Problem([[0], [1]], [-1, 1]).slacks([0, 0], 3)),
])
def test_a_function_has_each_mistake_in_its_turn(name, function, answer):
    before, kept = answer(), (function.__code__, function.__defaults__)
    for mutant in breaking.fine_mutants(name):
        put_in_place(mutant)
        try:
            assert answer() != before, mutant
        except TypeError:
            pass
        finally:
            function.__code__, function.__defaults__ = kept
    assert answer() == before


def test_what_is_listed_as_the_same_is_a_mutant_and_has_a_reason():
    for name, changes in one_in(4, [*breaking.equivalent().items()]):
        path, function = breaking.place_of(name)
        known = {mutant.change for mutant in breaking.mutants(path, [function])}
        assert set(changes) <= known, name
        assert all(reason.endswith(".") for reason in changes.values())
