"""Each rule of the standard can be broken as written down, and a vector notices one in 20."""

import ast

import breaking_rules
import pytest
from profiles import one_in

RULES = {str(rule): rule for rule in breaking_rules.rules()}
NOTICED = breaking_rules.listed("noticed")
PLACES = {question.id: place for place, question in enumerate(breaking_rules.asked())}


def test_each_rule_is_noticed_or_listed_with_a_reason():
    assert len(RULES) == len(breaking_rules.rules())
    others = {**breaking_rules.listed("equivalent"), **breaking_rules.listed("unseen")}
    assert {*RULES} == {*NOTICED, *others} and not {*NOTICED} & {*others}
    assert all(reason.endswith(".") for reason in others.values())


def test_every_broken_rule_has_another_source():
    """Each patch stands once in the function it names: what moves there moves its rule along."""
    for rule in RULES.values():
        mutant = breaking_rules.mutant_of(rule)
        compile(mutant.source, str(mutant.path), "exec", flags=ast.PyCF_ONLY_AST)


@pytest.mark.parametrize("name", one_in(20, [*NOTICED]))
def test_the_vector_that_notices_a_broken_rule_is_right_without_it(name):
    place = PLACES[NOTICED[name]]
    assert breaking_rules.is_right(place)
    assert breaking_rules.noticed_by(RULES[name], [place]) == place
