"""What is written of numbers and of cases reads back as it was."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

from refsvm.conformance.cases import case_from_json
from refsvm.conformance.cases.number_json import doubles, hexadecimal, numbers
from refsvm.conformance.strategies import problems
from refsvm.proofs.canonical_json import canonical
from refsvm.proofs.certificate_json import problem_document
from refsvm.proofs.checker import check
from refsvm.svm.problem import Problem
from spec.vectors.makers import case_json, read_cases, solved_case, text_of, write
from spec.vectors.makers.json_text import rational

words = st.text("ab \\\"é\n", max_size=30)
leaves = st.one_of(words, st.integers(), st.booleans(), st.none())
trees = st.recursive(
    leaves, lambda part: st.lists(part, max_size=9) | st.dictionaries(words, part, max_size=5)
)


@given(trees)
def test_the_text_is_json_for_the_tree(tree):
    text = text_of(tree)
    assert json.loads(text) == tree and text.isascii()


@given(st.lists(st.fractions()))
def test_fractions_read_back_as_they_were(values):
    assert numbers(rational(values)) == values


@given(st.lists(st.floats()))
def test_doubles_read_back_with_the_same_bits(values):
    back = numbers(hexadecimal(values))
    assert [v.hex() for v in back] == [v.hex() for v in values]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_doubles_as_fractions_read_back_as_the_same_numbers(values):
    assert numbers(rational(values)) == values
    assert numbers(doubles(rational(values))) == values


@draws(2/5)
@given(problems(most=5))
def test_any_problem_is_told_read_and_proved(problem):
    test = case_json(solved_case(problem, "drawn", ["Random"], "by hypothesis"))
    assert case_json(case_from_json(json.loads(text_of(test)))) == test
    check(canonical(problem_document(problem)), canonical(test["certificate"]))


def test_a_failure_is_added_once(tmp_path):
    path = tmp_path / "found.json"
    write(Problem([[0], [1]], [-1, 1]), path, name="first")
    write(Problem([[Fraction(0)], [Fraction(1)]], [-1, 1]), path, name="the same again")
    found = write(Problem([[0], [1]], [1, -1]), path, flags=("LabelOrder",))
    assert [case.name for case in found] == ["first", found[1].name]
    assert found[1].name.startswith("found ") and found[1].flags[0] == "LabelOrder"
    assert [case_json(case) for case in read_cases(path)] == list(map(case_json, found))


def test_what_no_double_holds_has_no_doubles():
    problem = Problem([[Fraction(1, 3)], [Fraction(1)]], [-1, 1])
    third = solved_case(problem, "third", ["Random"], "")
    assert "NotDyadic" in third.flags and case_json(third)["doubles"] is None


def test_a_flag_without_an_explanation_is_refused(tmp_path):
    with pytest.raises(ValueError, match="flags is 'Typo'; the known ones are"):
        write(Problem([[0], [1]], [-1, 1]), tmp_path / "found.json", flags=("Typo",))
    assert not list(tmp_path.iterdir())
