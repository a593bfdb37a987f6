"""Exercises: right functions pass, wrong ones fail with a small example."""

import re
import sys
from fractions import Fraction as F
from pathlib import Path

import pytest

from refsvm.exercises import own_svm, student_file, student_process
from refsvm.exercises.calls import calling
from refsvm.exercises.catalogue import ALL_EXERCISES, EXERCISES
from refsvm.exercises.checking import assess, equal
from refsvm.exercises.exercise import Assessment, Exercise, text_of
from refsvm.exercises.own_svm import check_svm, lines_of_code
from tests.seven_points import done, run
from tests.student_files import solutions
from tests.wrong_answers import WRONG

DRAWN = [name for name, exercise in EXERCISES.items() if exercise.check is None]
ROOT = Path(__file__).parent.parent
STUDENT = Path(__file__).parent / "student_files" / "own_svm.py"
QUESTIONS = "cs229-105 cs229-48 cs229-52 cs229-82 nyu-15 nyu-23 nyu-24 nyu-28"


OF_EXERCISE = Exercise.trials
TRIALS = {}


@pytest.fixture(autouse=True)
def drawn_once(monkeypatch):
    """The arguments of an exercise are the same each time; some take long to draw."""

    def trials(self):
        if self.name not in TRIALS:
            TRIALS[self.name] = OF_EXERCISE(self)
        return TRIALS[self.name]

    monkeypatch.setattr(Exercise, "trials", trials)


def test_there_are_enough_and_the_questions_of_the_notes_are_among_them():
    assert len(EXERCISES) == len(ALL_EXERCISES) >= 30
    assert sorted(e.note for e in ALL_EXERCISES if e.note) == QUESTIONS.split()
    assert set(WRONG) == set(DRAWN)


def test_the_chapter_of_an_exercise_names_it_and_no_other_does():
    titles = {}
    for path in sorted((ROOT / "spec" / "course").glob("[0-9]*.md")):
        text = path.read_text("utf-8")
        part = text.partition("\n## Exercises\n")[2]
        if part:
            title = re.match(r"# \d+\. (.+)", text)[1]
            titles[title] = set(re.findall(r"`(\w+)`", part)) & set(EXERCISES)
    assert len(titles) >= 8
    for title, named in titles.items():
        assert named == {e.name for e in ALL_EXERCISES if e.chapter == title}, title


@pytest.mark.parametrize("name", DRAWN)
def test_the_right_function_passes(name):
    exercise = EXERCISES[name]
    verdict = assess(exercise, calling(exercise.answer))
    assert verdict.right, verdict
    assert len(exercise.trials()) >= 15


@pytest.mark.parametrize("name", DRAWN)
def test_a_function_written_by_other_code_passes(name):
    assert assess(EXERCISES[name], calling(getattr(solutions, name))).right


@pytest.mark.parametrize("name", DRAWN)
def test_wrong_functions_fail_with_a_small_example(name):
    for k, wrong in enumerate(WRONG[name]):
        verdict = assess(EXERCISES[name], calling(wrong))
        assert not verdict.right, k
        given = dict(verdict.shown)
        assert set(EXERCISES[name].parameters) < set(given)
        assert sum(len(given[p]) for p in EXERCISES[name].parameters) < 90, (k, given)
        assert "expected" in given or "one right answer" in given


@pytest.mark.parametrize("name", EXERCISES)
def test_a_task_is_a_function_that_is_missing(name):
    exercise = EXERCISES[name]
    text = exercise.file_text("refsvm")
    names = {}
    exec(compile(text, name, "exec"), names)
    assert assess(exercise, calling(names[name])).sentence == f"{name}: its body is still missing"
    assert max(map(len, text.splitlines())) < 100 and exercise.summary().endswith((".", "?"))


def test_the_shortest_failure_is_shown_and_every_student_gets_the_same():
    for exercise in map(EXERCISES.get, DRAWN[::5]):
        trials = [text_of(arguments) for arguments in OF_EXERCISE(exercise)]
        assert trials == sorted(set(trials), key=lambda text: (len(text), text))
        assert trials == [text_of(arguments) for arguments in OF_EXERCISE(exercise)]


def test_answers_are_compared_as_numbers_and_slips_get_a_hint():
    assert equal([F(1, 3)], (F(1, 3),)) and not equal(F(1, 3), 1 / 3)
    hinge = EXERCISES["hinge"]
    close = assess(hinge, calling(lambda m: float(max(0, 1 - m))))
    assert dict(close.shown)["note"].startswith("it is close, but a float")
    assert dict(assess(hinge, calling(lambda m: None)).shown)["note"] == "it returns nothing"
    told = assess(hinge, calling(lambda m: None, printed=lambda: True))
    assert dict(told.shown)["note"] == "it prints its answer; return it"
    form = assess(EXERCISES["two_points"], calling(lambda w, b: ([1], 2, 3)))
    assert dict(form.shown)["note"] == "it does not have the form that the task asks for"
    no_list = assess(EXERCISES["weights"], calling(lambda alpha, X, y: map(abs, alpha)))
    assert dict(no_list.shown)["note"] == "it is of type map, where a list is asked for"
    inside = []
    inside.append(inside)
    told = assess(EXERCISES["weights"], calling(lambda alpha, X, y: inside))
    assert dict(told.shown)["yours"] == "a list that is too large to be shown"


def test_what_a_function_does_beside_answering_is_told():
    def spoils(w, b):
        w[0] = w[0] + 1
        return w, b

    pair = EXERCISES["another_pair"]
    assert "changes its argument w" in assess(pair, calling(spoils)).sentence
    assert assess(pair, calling(lambda w, b: 1 / 0)).sentence == (
        "another_pair raises ZeroDivisionError: division by zero"
    )
    left = assess(pair, calling(lambda w, b: exit()))
    assert left.sentence == "another_pair raises SystemExit: None"
    assert "another_pair raises TypeError: " in assess(pair, calling(lambda w: w)).sentence


# ---- the last one

def svm_with(slip=("", "")):
    """The student's svm, with one text in the place of another, and the text of its file."""
    source = STUDENT.read_text("utf-8")
    assert slip[0] in source
    names = {}
    exec(compile(source.replace(*slip) if slip[0] else source, "student", "exec"), names)
    return calling(names["svm"]), source


def with_few_cases(monkeypatch):
    few = own_svm.own_cases()[:12]
    monkeypatch.setattr(own_svm, "own_cases", lambda: few)


@pytest.mark.slow("that every problem of the last exercise can be solved in a few lines")
def test_an_svm_of_some_lines_is_proved_right():
    verdict = check_svm(*svm_with())
    assert verdict.right and len(own_svm.own_cases()) > 30
    assert verdict.sentence.startswith("svm is right: the audit proves the optimum of 31 problems")


def test_an_svm_in_more_than_sixty_lines_is_right_and_too_long(monkeypatch):
    with_few_cases(monkeypatch)
    svm, source = svm_with()
    assert check_svm(svm, source) == Assessment(
        True, "svm is right: the audit proves the optimum of 12 problems, in 22 lines of code")
    told = check_svm(svm, source + "\n".join(["x = 1"] * 40))
    assert not told.right and "62 lines of code; 60 are enough" in told.sentence


@pytest.mark.parametrize("slip", [
    ("min(best, room_i, room_j)", "best"),  # no clipping
    ("-(E[i] + E[j]) / 2", "-E[0]"),  # the offset
    ("-(E[i] + E[j]) / 2", "(E[i] + E[j]) / 2"),
    ("return alpha, ", "return "),
    ("n = range(len(y))", "n = range(len(y) - 1)"),
])
def test_an_svm_that_is_wrong_is_told_its_smallest_problem(monkeypatch, slip):
    with_few_cases(monkeypatch)
    verdict = check_svm(*svm_with(slip))
    assert not verdict.right
    assert [name for name, _ in verdict.shown][:3] == ["K", "y", "C"]
    assert verdict.shown[-1][0] == "found" and len(dict(verdict.shown)["K"]) < 100


def test_an_svm_that_imports_another_is_refused():
    for line in ("import refsvm", "from refsvm_fast.x import smo", "import math, refsvm.svm as s"):
        told = check_svm(calling(lambda K, y, C: ([], 0)), line)
        assert not told.right and told.sentence.startswith("svm imports refsvm")


def test_lines_of_code_are_counted_without_texts():
    documented = '"""Text."""\n\nimport math  # a\n# b\n\ndef f():\n    """More\n    text."""\n'
    assert lines_of_code(documented + '    return """\nx"""\n') == 4


# ---- the command

def test_the_command_lists_prints_writes_and_checks(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    listed = done(capsys, "exercise")
    assert all(f"\n  {name} " in f"\n{listed}" for name in EXERCISES)
    task = done(capsys, "exercise", "hinge")
    assert "def hinge(m):" in task and "raise NotImplementedError" in task
    assert done(capsys, "exercise", "hinge", "-o", "mine.py") == "written: mine.py\n"
    assert Path("mine.py").read_text("utf-8") == task
    assert run(capsys, "exercise", "hinge", "mine.py") == (
        1, "hinge: its body is still missing\n", "")
    Path("mine.py").write_text(task.replace("raise NotImplementedError", "return max(0, 1 - m)"))
    status, out, err = run(capsys, "exercise", "hinge", "mine.py")
    assert (status, err) == (0, "") and out.startswith("hinge is right for all ")


FILES = [
    ("def hinge(m): return -m", "hinge is wrong for"),
    ("def hinge(m): print(1 - m)", "hinge is wrong for"),
    ("def hinge(m):\n  hinge(m)", "hinge raises RecursionError"),
    ("def hinge(m): return input()", "hinge raises "),
    ("def hinges(m): return 0", "f.py has no function hinge; it has hinges"),
    ("x = 1", "f.py has no function hinge"),
    ("def hinge(m) return 0", "f.py, line 1: "),
    ("1 / 0", "f.py raises ZeroDivisionError: division by zero when it is read"),
    ("import sys\nsys.exit(0)", "f.py raises SystemExit: 0 when it is read"),
    (b"\xff\xfe", "f.py is no Python: byte 1 is no UTF-8"),
    ("def hinge(m): return 0\0", "f.py is no Python: it holds the character NUL"),
    ("x = " + "(" * 300 + ")" * 300, "f.py, line 1: too many nested parentheses"),
    ("hinge = " + "-" * 100_000 + "1", "f.py is no Python: "),
    ("x = 1\n" * 200_000, "f.py has more than 1 MB"),
]


@pytest.mark.parametrize("text, sentence", FILES)
def test_a_file_of_any_kind_gets_one_sentence(tmp_path, monkeypatch, text, sentence):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("f.py").write_bytes(text if isinstance(text, bytes) else text.encode())
    try:
        source = student_file.source_of("f.py")
        function = student_process.function_of("hinge", "f.py", source)
        told = assess(EXERCISES["hinge"], calling(function)).sentence
    except ValueError as error:
        told = str(error)
    assert told.startswith(sentence) and len(told) < 300 and "\n" not in told


def test_a_file_is_asked_in_a_process_that_it_may_end(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("f.py").write_text("import os\ndef hinge(m): os._exit(0)")
    assert run(capsys, "exercise", "hinge", "f.py") == (
        2, "hinge ends the process in which it is asked\n  m  0\n\n", "")
    Path("f.py").write_text("def hinge(m): print(1 - m)")
    status, out, err = run(capsys, "exercise", "hinge", "f.py")
    assert (status, err) == (1, "") and out == (
        "hinge is wrong for\n  m         0\n  expected  1\n  yours     None\n"
        "  note      it prints its answer; return it\n\n")
    Path("f.py").write_text("1 / 0")
    status, out, err = run(capsys, "exercise", "hinge", "f.py")
    assert (status, out) == (2, "") and "f.py raises ZeroDivisionError" in err
    Path("copy.py").write_text("""from dataclasses import dataclass
from helper import one
@dataclass
class Pair: m: "int"
def hinge(m): return max(0, one - Pair(m).m)""")
    Path("helper.py").write_text("one = 1")
    status, out, err = run(capsys, "exercise", "hinge", "copy.py")
    assert (status, err) == (0, "") and out.startswith("hinge is right for all ")
    status, out, err = run(capsys, "exercise", "hinge", "none.py")
    assert (status, out) == (2, "") and "none.py: there is no such file" in err


@pytest.mark.parametrize("words, sentence", [
    (["hing"], "'hing' is no exercise; the nearest is hinge; python3 -m refsvm exercise lists"),
    (["-o", "x.py"], "-o is given without NAME"),
    (["hinge", "f.py", "-o", "x.py"], "-o is given with FILE"),
    (["hinge", "-"], "FILE is standard input"),
])
def test_bad_usage_is_refused(tmp_path, monkeypatch, capsys, words, sentence):
    monkeypatch.chdir(tmp_path)
    Path("f.py").write_text("")
    status, out, err = run(capsys, "exercise", *words)
    assert (status, out) == (2, "") and sentence in err


def test_work_is_never_written_over(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("work")
    status, _, err = run(capsys, "exercise", "hinge", "-o", "mine.py")
    assert status == 2 and "mine.py exists and may hold your work" in err
    assert Path("mine.py").read_text() == "work"


def test_an_exercise_is_named_after_its_function():
    assert all(isinstance(e, Exercise) and e.name.isidentifier() for e in ALL_EXERCISES)
