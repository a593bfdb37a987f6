"""Questions are drawn without end, the same in every version, and answers held against them."""

import hashlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from profiles import one_in

from refsvm.commands import main
from refsvm.conformance.bits.answering import answers
from refsvm.conformance.bits.drawing import DRAWS, drawn, question_of
from refsvm.conformance.bits.functions import answer_to
from refsvm.conformance.bits.sections import ALGORITHMS
from tests.seven_points import without_engine

ROOT = Path(__file__).parent.parent
MACHINES = {"nu", "regression", "nu_regression", "one_class", "ball"}


def test_every_algorithm_has_questions():
    assert {kind.partition(":")[0] for kind in DRAWS} == set(ALGORITHMS)


def test_a_seed_draws_the_same_questions_for_ever():
    text = "".join(json.dumps(q) for kind in DRAWS for q in drawn(kind, 7, 12))
    assert hashlib.sha256(text.encode()).hexdigest()[:32] == "c880b67ec04af09f8db110c58921c1b5"


def test_a_question_is_drawn_without_those_before_it():
    first, *_, last = drawn("smo", 2**64 - 1, 5)
    assert question_of(last["id"]) == last != first
    assert next(drawn("smo", 2**64 - 1, 1, first=5)) == last


def given_of(kind, count):
    return [question["given"] for question in drawn(kind, 3, count)]


def test_problems_are_drawn_wide():
    problems = [given["problem"] for given in given_of("smo", 400)]
    assert {problem.get("form") for problem in problems} == {None, *MACHINES}
    kernels = {problem["kernel"]["name"] for problem in problems}
    assert len(kernels) == 10 and "spectrum" in kernels
    assert {len(problem["X"]) for problem in problems} >= {*range(2, 20)}
    text = json.dumps(problems)
    assert '"inf"' in text and "p-1022" in text and "p+500" in text and '"squared"' in text
    limits = [given.get("max_iter") for given in given_of("decomposition", 100)]
    assert {None, 0, 1, 200} <= set(limits)


def test_every_ending_is_drawn():
    found = Counter(answer_to("smo", given)["status"] for given in given_of("smo", 90))
    assert set(found) == {
        "optimal", "max_iter", "precision", "indefinite", "infeasible", "degenerate"
    }


@pytest.mark.slow("a bit of the compiled half that a drawn problem shows")
@pytest.mark.parametrize("kind", DRAWS)
def test_compiled_answers_have_the_same_bits(kind):
    for question in one_in(3, [*drawn(kind, 11, 25)]):
        given = question["given"]
        answer = answer_to(question["type"], given)
        assert answer_to(question["type"], given, "refsvm_fast") == answer, question["id"]


# ---- compare

def told(capsys, path, *words):
    """(exit status, what compare says, its complaint) of a file of answers."""
    status = main(["compare", str(path), *words])
    said = capsys.readouterr()
    return status, said.out, without_engine(said.err)


@pytest.fixture
def stream(tmp_path):
    """Writes the answers to eight questions, changed."""

    def written(kind="power", change=lambda answered: answered):
        lines = map(json.dumps, drawn(kind, 7, 8))
        answered = change([json.loads(line) for line in answers(lines)])
        path = tmp_path / "answers"
        path.write_text("".join(json.dumps(answer) + "\n" for answer in answered), "ascii")
        return path

    return written


@pytest.mark.parametrize("kind", ["smo", "tanh", "newton", "refitted"])
def test_own_answers_are_right(capsys, stream, kind):
    assert told(capsys, stream(kind)) == (0, "8 right, 0 wrong, 0 not offered\n", "")


def test_the_first_that_differs_is_told_and_its_question(capsys, stream):
    def change(answered):
        changed = next(a for a in answered if len(a["steps"]) > 1)
        changed["steps"][1]["objective"] = "0x1.9p+77"
        answered[-1]["alpha"][0] = "-0x0.0p+0"
        return answered

    path = stream("smo:svc", change)
    status, said, _ = told(capsys, path)
    first, cure, counts = said.splitlines()
    assert status == 1 and counts == "6 right, 2 wrong, 0 not offered"
    assert "/8: steps[1].objective is '0x1.9p+77'; " in first and first.endswith("(S3.4)")
    problem, _, asked = cure.partition(": ")
    assert asked.startswith("python3 -m refsvm draw smo:svc --seed 7 --first ")
    given = question_of(first.partition(": ")[0])["given"]["problem"]
    assert problem == f"  svc, {len(given['X'])} examples, {given['kernel']['name']}"
    assert len(told(capsys, path, "--all")[1].splitlines()) == 5


@pytest.mark.parametrize("change, told_first", [
    (lambda answered: answered[:6], "power 7 7/8: it has no answer, nor have the next 1\n"
     "  the question: python3 -m refsvm draw power --seed 7 --first 7\n"),
    (lambda answered: answered[:3] + answered[4:], "power 7 4/8: it has no answer\n"),
    (lambda answered: [{**a, "refused": "it is too large"} for a in answered],
     "power 7 1/8: refused: it is too large\n"),
])
def test_answers_that_are_missing_or_refuse_are_wrong(capsys, stream, change, told_first):
    status, said, _ = told(capsys, stream(change=change))
    assert status == 1 and said.startswith(told_first)


@pytest.mark.parametrize("change, sentence", [
    (lambda answered: answered[::-1], "line 2: power 7 7/8 does not come after power 7 8/8"),
    (lambda answered: [{"value": 1}], "line 1: id is None, which no drawn question has"),
    (lambda answered: [{"id": "sinh 7 1/1"}], "'sinh 7 1/1', which no drawn question has"),
    (lambda answered: [], "holds no answer"),
    (lambda answered: ["power"], "an object of JSON is needed"),
    (lambda answered: [{"id": a["id"], "unsupported": "no"} for a in answered],
     "8 of 8 questions of types on offer are called unsupported"),
])
def test_what_cannot_be_compared_is_refused(capsys, stream, change, sentence):
    status, _, complaint = told(capsys, stream(change=change))
    assert status == 2 and sentence in complaint


def test_a_line_that_no_answer_is_as_long_as_is_refused(capsys, stream, monkeypatch):
    monkeypatch.setattr("refsvm.commands.compare.LONGEST_ANSWER", 20)
    status, _, complaint = told(capsys, stream())
    assert status == 2 and "line 1: the line is longer than 20 characters" in complaint


def test_what_refsvm_refuses_is_to_be_refused(capsys, stream):
    refused = next(q["id"] for q in drawn("newton", 7, 300) if "refused" in answer_to(
        "newton", q["given"]))
    name = refused.partition("/")[0]
    number = name.split()[-1]
    for more, right in (({"refused": "why not"}, 0), ({"value": 1}, 1)):
        answer = {"id": f"{name}/{number}", **more}
        path = stream(change=lambda _, answer=answer: [answer])
        assert told(capsys, path)[0] == right


def test_bad_usage_is_refused(capsys):
    for line, sentence in (("sinh", "'sinh' is no algorithm; see "),
                           ("smo:classification", "the nearest is smo:svc"),
                           ("exp --seed -1", "seed"),
                           ("exp --count 0", "count"), ("exp --first 0", "first")):
        assert main(["draw", *line.split()]) == 2
        assert sentence in capsys.readouterr().err


@pytest.mark.slow("a pipe that waits, or a line that is lost in it")
def test_three_programs_in_a_pipe():
    refsvm = f"{sys.executable} -m refsvm"
    line = (f"{refsvm} draw smo --seed 5 --count 60 | {refsvm}.conformance.bits.answering"
            f" | {refsvm} compare - --pure")
    done = subprocess.run(["sh", "-c", line], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "60 right, 0 wrong, 0 not offered\n")
