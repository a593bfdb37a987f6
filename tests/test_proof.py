"""The proof in spec/proof is of the documents that refsvm writes, and three checkers agree.

Coq is not needed: its definitions and the reader are held against the documents by their names.
Where build/proof is built (bash .ci/nightly proof), the program that is proved is asked, too.
"""

import random
import re
from pathlib import Path

import forging
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_checker import REFUSED

from refsvm import Linear, Problem, solve_exactly
from refsvm.proofs.canonical_json import FORMS, canonical, document_of
from refsvm.proofs.checker import OFFSET_NAMES, PROBLEM_FIELDS
from refsvm.proofs.coq_theorem import FORMS_OF_COQ, OFFSETS_OF_COQ, coq_theorem

PROOF = Path(__file__).parent.parent / "spec" / "proof"
STATEMENT, READER = ((PROOF / name).read_text("utf-8") for name in ("Statement.v", "reader.ml"))
LINE, Y = [[0], [1], [3], [2]], [-1, 1, 1, -1]
COMMON = {"X", "form", "kernel"}
UNPROVED = "regression_without_offset"  # which the proof says nothing of (S16.12)
NAMES = [name for name in PROBLEM_FIELDS if name != UNPROVED]


def form_of_coq(name):
    """What Statement.v calls the form of a document."""
    return (name or "classification").title().replace("_", "")


def parts_of_coq(form):
    """The names of the arguments of a constructor of `form`, in order."""
    arguments = re.search(rf"^\| {form}((?: \([^)]*\)+)+)", STATEMENT, re.M)[1]
    groups = re.findall(r"\(((?:[^()]|\([^)]*\))*)\)", arguments)
    return [name for group in groups for name in group.split(" :")[0].split()]


@pytest.mark.parametrize("name", NAMES, ids=str)
def test_the_definitions_have_the_parts_of_the_documents(name):
    parts = parts_of_coq(form_of_coq(name))
    keys = ["squared" if key == "slack" else key for key in FORMS_OF_COQ[form_of_coq(name)]]
    assert parts == keys
    assert set(FORMS_OF_COQ[form_of_coq(name)]) == PROBLEM_FIELDS[name].keys() - COMMON


@pytest.mark.parametrize("name", NAMES, ids=str)
def test_the_reader_wants_the_keys_in_the_order_of_the_text(name):
    body = re.search(rf"^let {name or 'classification'} s =\n((?:  .*\n)+)", READER, re.M)[1]
    read = re.findall(r'after "(\w+)"|(\brows|\bform|\bkernel|\bweights) (?:"\w+" )?s\b', body)
    keys = [key or word.replace("rows", "X") for key, word in read]
    assert keys == sorted(PROBLEM_FIELDS[name]) and f'form "{name}"' in body or name is None
    assert keys == sorted(keys)


def test_the_offsets_are_those_of_the_certificates():
    fields = re.search(r"Record offsets := \{(.*?)\}", STATEMENT)[1]
    assert tuple(re.findall(r"(\w+) : Q", fields)) == OFFSETS_OF_COQ
    assert {name for names in OFFSET_NAMES.values() for name in names} == {*OFFSETS_OF_COQ}
    flags = re.search(r"let has_b.*?let zero", READER, re.S)[0]
    for name in NAMES:
        offsets = OFFSET_NAMES[name]
        told = re.search(rf"{form_of_coq(name)} _(?: \| \w+ _)? -> \((.*?)\)", flags)
        told = told or re.search(rf"\| {form_of_coq(name)} _ -> \((.*?)\)", flags)
        order = ("b", "epsilon", "rho", "radius2")
        assert [k for k, yes in zip(order, told[1].split(", ")) if yes == "true"] == sorted(
            offsets, key=order.index)


def test_every_form_of_a_document_is_there():
    constructors = re.findall(r"^\| (\w+)", STATEMENT[: STATEMENT.index("Record offsets")], re.M)
    assert constructors == [form_of_coq(name) for name in (None, *FORMS) if name != UNPROVED]
    assert {*FORMS_OF_COQ} == {*constructors}


@given(st.integers(0, 10**6))
def test_the_checkers_agree_on_drawn_certificates_and_forgeries(seed):
    r = random.Random(seed)
    pairs = [forging.named(*forging.drawn_certificate(r)[1:])]
    asked = {"checker.py": forging.by_python}
    assert forging.disagreements(pairs, asked) == ([], [True])
    forged = forging.forgeries(r, 5)
    _, proved = forging.disagreements(forged, asked)
    assert all(forging.true(*pair) for pair, yes in zip(forged, proved) if yes)


@pytest.mark.slow("a checker that believes what the others refuse")
def test_all_checkers_of_this_machine_agree():
    assert forging.main(["--certificates", "100", "--forgeries", "400"]) == 0


def test_each_checker_refuses_what_one_check_alone_refuses():
    texts = [pair for _, _, pair in REFUSED if "\n" not in "".join(pair)]
    for name, ask in forging.checkers().items():
        assert ask(texts) == [False] * len(texts), name


def test_a_theorem_is_written_of_hard_margins():
    pair = Problem([[-1], [1]], [-1, 1], C=float("inf"))
    text = coq_theorem(pair, solve_exactly(pair))
    assert "no_separating_machine_has_a_lower_primal" in text and "1#2 <= (1#2) * dot w w." in text
    soft = Problem(LINE, Y, Linear(), C=1)
    assert "separating" not in coq_theorem(soft, solve_exactly(soft))
    assert "Theorem proved" in coq_theorem(soft, solve_exactly(soft))


def test_a_theorem_holds_the_numbers_of_the_document():
    soft = Problem([[0.5], [1], [3], [2]], Y, C=0.75)
    text = coq_theorem(soft, solve_exactly(soft))
    assert "Qmake a 2)) [\n  [0x1];\n  [0x2];\n  [0x6];\n  [0x4]]%Z" in text
    assert text.count("Some (3#4)") == 4 and '"3/4"' in canonical(document_of(soft))
