"""A program is asked for the bits of the vectors, and is told by section which differ."""

import json
import re
import sys

import pytest
from profiles import slow_cases

from refsvm.commands import main
from refsvm.conformance.bits import conforming
from refsvm.conformance.bits.answering import answers
from refsvm.conformance.bits.conforming import questions
from refsvm.conformance.bits.digests import digests_of
from refsvm.conformance.bits.judging import first_difference
from refsvm.conformance.bits.sections import ALGORITHMS, section_of

POWERS = """
import json, sys
def power(b, n):
    r = 1.0
    while n:
        r, n, b = (r * b if n % 2 else r), n // 2, b * b
    return r
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "offers":
        answer = {"offers": ["power", "votes"]}
    elif asked["type"] == "power":
        b, n = float.fromhex(asked["given"]["b"]), asked["given"]["n"]
        answer = {"value": power(b, n).hex()}
    else:
        answer = {"unsupported": "no " + asked["type"]}
    answer["id"] = asked["id"]
    FAULT
    print(json.dumps(answer), flush=True)
"""
OWN = f"{sys.executable} -m refsvm.conformance.bits.answering"


@pytest.fixture
def program(tmp_path):
    """Makes a command line of a program that knows powers, with a fault."""

    def made(fault=""):
        path = tmp_path / "powers.py"
        path.write_text(POWERS.replace("FAULT", fault), encoding="utf-8")
        return f"{sys.executable} {path}"

    return made


def told(capsys, *words):
    """(exit status, what a command line says, the complaint)."""
    status = main(["conform", *words])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_every_type_that_is_asked_has_an_algorithm_and_the_other_way_round():
    assert {question.type for question in questions()} == set(ALGORITHMS)


def test_questions_are_chosen_by_section_and_by_type():
    every = questions()
    of_chapter = [q for q in every if q.section == "S1" or q.section.startswith("S1.")]
    assert questions(["S1"]) == of_chapter and len(of_chapter) > 100
    assert questions(["S1.4"], ["power"]) == [q for q in every if q.type == "power"]
    assert questions(["S1.4", "S2"], ["exp"]) == []
    found = {q.section for q in questions(["S3"], ["smo"])}
    assert found == {"S3.3", "S3.4", "S3.5", "S3.6", "S3.7", "S3.9"}
    assert {q.section for q in questions(["S3.5"])} == {"S3.5"}
    assert {q.section for q in questions(["S34.2"])} == {"S34"}  # a question of the chapter


def test_own_answers_are_right():
    every = questions()[::12]
    lines = [json.dumps({"id": q.id, "type": q.type, "given": q.given}) for q in every]
    for question, line in zip(every, answers(lines)):
        answer = json.loads(line)
        if question.by_digest:
            answer = digests_of(answer)
        assert first_difference(question.right, answer) is None, question.id


@pytest.mark.parametrize("package, section", [
    ("", "S1.5"), *slow_cases("a question that refsvm's own program does not answer", ("", "S"),
                              ("refsvm_fast", "S")),
])
def test_its_own_program_passes(capsys, package, section):
    sections = [section] if section != "S" else []
    words = [word for one in sections for word in ("--section", one)]
    status, said, _ = told(capsys, f"{OWN} {package}", *words)
    count = len(questions(sections))
    assert status == 0 and f"{count} right, 0 wrong, 0 not offered" in said


def test_a_program_is_asked_what_it_offers(capsys, program):
    status, said, _ = told(capsys, program(), "--section", "S1")
    assert status == 0
    assert re.search(r"^S1.3 +exp +47$", said, re.MULTILINE)
    assert re.search(r"^S1.4 +power +43$", said, re.MULTILINE)


def test_most_of_what_is_offered_must_be_answered(capsys, program):
    status, said, complaint = told(capsys, program(), "--type", "votes")
    assert status == 2 and "0 wrong, 5 not offered" in said
    assert "5 of 5 questions of types on offer are called unsupported" in complaint
    status, _, complaint = told(capsys, program(), "--type", "exp")
    assert status == 2 and "offers nothing of what was to be asked" in complaint


@pytest.mark.parametrize("fault, sentence", [
    ("answer['value'] = 0.5 .hex()", r"1: value is '0x1.0*p-1'; '0x1.0*p\+0' is right \(S1.4\)"),
    ("answer.pop('value', 0)", r"power 1: value is missing"),
    ("answer['id'] = 'it'", r"does not say what it offers: its id is 'it'; 'offers' was asked"),
    ("answer = 7", "does not say what it offers: the program wrote 7; an object"),
    ("if answer['id'] == 'power 1': sys.exit('no more')", "it died: .*no more"),
    ("if answer['id'] == 'power 1': answer['id'] = 1", "no answer: its id is 1; 'power"),
])
def test_faults_are_told(capsys, program, fault, sentence):
    status, said, complaint = told(capsys, program(fault), "--type", "power")
    assert status == (2 if "offers" in sentence else 1)
    assert re.search(sentence, said + complaint)


def test_of_a_type_that_hangs_little_is_asked(program, monkeypatch):
    monkeypatch.setattr(conforming, "MOST_LATE", 1)
    hanging = program("import time; 'power' in answer['id'] and time.sleep(60)")
    found = conforming.conform(hanging, questions(types=["power"]), 0.2)
    assert found[0].reason.startswith("it is late") and len(found) == 43
    assert {result.reason[:9] for result in found[1:]} == {"not asked"}


def test_junit_has_a_suite_for_each_section(capsys, program, tmp_path):
    path = tmp_path / "report.xml"
    fault = "if answer.get('value') == '0x1.0000000000000p+0': answer['value'] = '<&\"'"
    status, _, _ = told(capsys, program(fault), "--section", "S1", "-o", str(path))
    xml = path.read_text(encoding="utf-8")
    assert status == 1
    assert '<testsuite name="S1.3" tests="47" failures="0" skipped="47">' in xml
    assert '<testcase classname="power" name="power 1"><failure message=' in xml
    assert "&lt;&amp;" in xml


def test_bad_usage_is_refused(capsys):
    for words, sentence in (
        (["./none", "--type", "exp"], "there is no such program"),
        (["cat", "--section", "S99"], "no question is of 'S99'"),
        (["cat", "--type", "sinh"], "sinh"),
        (["cat", "-o", "report.html"], "a report ends in .xml"),
        (["cat", "--deadline", "0"], "deadline"),
    ):
        status, _, complaint = told(capsys, *words)
        assert status == 2 and sentence in complaint


def test_a_difference_names_the_first_place_and_its_section():
    steps = [{"i": 0, "violation": "0x1.0p+0"}]
    right = {"steps": steps, "alpha": ["0x0.0p+0", "nan"], "ok": True}
    for change, place in (
        ({"steps": []}, "the length of steps"),
        ({"steps": [{"i": 0, "violation": "0x1.1p+0"}], "alpha": []}, "steps[0].violation"),
        ({"alpha": ["-0x0.0p+0", "nan"]}, "alpha[0]"),
        ({"alpha": [0, "nan"]}, "alpha[0]"),
        ({"alpha": ["0x0p+0", "inf"]}, "alpha[1]"),
        ({"ok": 1}, "ok"),
    ):
        assert first_difference(right, {**right, **change}).place == place
    assert first_difference(right, {**right, "alpha": ["0x0p+0", "nan"], "b": 1}) is None
    assert section_of("smo", "steps[0].violation") == "S3.4"
