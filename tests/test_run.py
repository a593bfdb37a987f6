"""A block on a page of the course runs as doctest runs it, and exercises are judged as ever."""

import doctest
import json
import re
import sys
from pathlib import Path

import pytest
from references import SPEC

from docs import run_blocks
from docs.notebooks import FENCE, chapters
from docs.play import ROOT, WITHOUT
from docs.run import blocks_lost, for_running, make, needed
from docs.run_blocks import MOST, SHOWN, reply, run
from refsvm.exercises.catalogue import ALL_EXERCISES, EXERCISES
from refsvm.exercises.student_file import judge_file

LENGTHS = {path.name: len(FENCE.findall(path.read_text("utf-8"))) for path in chapters()}
TRACEBACK = """>>> 1 / 0
Traceback (most recent call last):
  ...
ZeroDivisionError: {}
>>> 2
2
"""


@pytest.mark.parametrize("name", [name for name in LENGTHS if name[:2] in ("01", "03", "12")])
def test_the_blocks_of_a_chapter_print_what_their_page_says(name):
    names = {}
    for block in FENCE.findall((SPEC / "course" / name).read_text("utf-8")):
        code = "".join(line[4:] for line in block.splitlines(True) if line[:3] in (">>>", "..."))
        assert run(block, None, names)["same"]
        assert run(block, code, names)["same"], code


def test_what_is_not_as_printed_is_a_difference():
    printed = ">>> for k in range(3):\n...     print(k)\n0\n1\n2\n>>> 5\n5\n"
    assert run(printed, None, {}) == {"same": True, "lines": [(" ", c) for c in "0125"]}
    found = run(printed, "for k in range(3):\n    print(2 * k)\n\n5", {})
    assert found == {"same": False, "lines": [
        (" ", "0"), ("-", "1"), (" ", "2"), ("+", "4"), (" ", "5")]}
    added = run(printed, "'new'\nfor k in range(3):\n    print(k)\n5\n", {})
    assert added["lines"] == [("+", "'new'"), *((" ", c) for c in "0125")]
    assert run(printed, "5", {}) == {"same": True, "lines": [(" ", "5")]}


def test_the_flags_of_doctest_hold():
    printed = ">>> print('a   b', 3.25)  # doctest: +ELLIPSIS, +NORMALIZE_WHITESPACE\na b 3...\n"
    assert run(printed, None, {})["same"]
    assert not run(printed.replace("+ELLIPSIS", "-ELLIPSIS"), None, {})["same"]


def test_an_exception_is_its_last_line_and_ends_the_block_unless_the_page_has_it():
    assert run(TRACEBACK.format("division by zero"), None, {}) == {
        "same": True, "lines": [(" ", "ZeroDivisionError: division by zero"), (" ", "2")]}
    other = run(TRACEBACK.format("another"), None, {})
    assert other["lines"][-1] == ("+", "ZeroDivisionError: division by zero")
    assert not other["same"] and other["lines"][0] == ("-", "ZeroDivisionError: another")
    names = {}
    assert run(">>> 2\n2\n", "print(1)\nraise SystemExit(3)\nk = 1", names)["lines"][-1] == (
        "+", "SystemExit: 3")
    assert "k" not in names
    [(sign, sentence)] = run(">>> 2\n2\n", "2\n(2", names)["lines"]
    assert sign == "+" and sentence.startswith("SyntaxError: ") and "(line 2)" in sentence


def test_a_line_of_python_ends_where_python_ends_it():
    code = ["a = 'x\u2028y'\n", "b = 1\x0c\n", "c = 2\n"]
    assert run_blocks.statements("".join(code)) == code


def test_no_block_prints_more_than_a_page_can_show():
    loop = run("", f"while True: print('x' * {MOST // 100})", {})
    assert loop["lines"][-1] == ("+", f"RuntimeError: more than {MOST:,} letters are printed")
    lines = run("", f"for k in range({SHOWN} + 5): print(k)", {})["lines"]
    assert len(lines) == SHOWN + 1 and lines[-1] == ("+", "... and 5 lines more")


def test_its_own_examples_hold():
    found = doctest.testmod(run_blocks)
    assert found.attempted >= 2 and not found.failed


def test_blocks_share_their_names():
    assert json.loads(reply(json.dumps({"printed": ">>> kept = 7\n", "source": None})))["same"]
    asked = json.dumps({"printed": ">>> kept\n8\n", "source": None})
    assert json.loads(reply(asked)) == {"same": False, "lines": [["-", "8"], ["+", "7"]]}


@pytest.mark.parametrize("source", [
    "def hinge(m): return max(0, 1 - m)", "def hinge(m): return -m", "def hinge(m): print(1 - m)",
    "def hinge(m): return 1 / 0", "def hinges(m): return 0", "def hinge(m) return 0",
])
def test_an_exercise_is_judged_as_the_command_judges_it(tmp_path, monkeypatch, source):
    monkeypatch.chdir(tmp_path)
    Path("hinge.py").write_text(source)
    before = list(sys.path)
    found = json.loads(reply(json.dumps({"exercise": "hinge", "source": source})))
    assert sys.path == before
    try:
        told = judge_file(EXERCISES["hinge"], "hinge.py")
    except ValueError as error:
        assert found == {"right": False, "sentence": str(error), "shown": []}
    else:
        assert found == {"right": told.right, "sentence": told.sentence,
                         "shown": [list(pair) for pair in told.shown]}


# ---- what the build adds

def test_every_exercise_has_its_place():
    placed = []
    for path in chapters():
        text = path.read_text("utf-8")
        shown = for_running(text, with_play=True)
        assert "_static/run.js" in shown and "_static/run.js" not in for_running(text)
        number = int(path.name[:2])
        exercises = text.partition("\n## Exercises\n")[2]
        count = len(re.findall(r"^\*\*\d+\.\*\*", exercises, re.MULTILINE))
        places = re.findall(r' id="exercise-([\w.]+)"', shown)
        assert [p for p in places if "." in p] == [f"{number}.{k + 1}" for k in range(count)]
        placed += [p for p in places if "." not in p]
        assert re.sub(r"</?(?:a|code)\b[^>]*>|`", "", for_running(text)) == re.sub("`", "", text)
    assert sorted(placed) == sorted(each.name for each in ALL_EXERCISES)
    assert for_running("# Cheat sheet\n") == "# Cheat sheet\n"


def test_the_site_has_what_the_pages_ask_for(tmp_path):
    make(tmp_path)
    tasks = json.loads((tmp_path / "exercises.json").read_text("utf-8"))
    for each in ALL_EXERCISES:
        assert each.file_text("refsvm").endswith(f'"""\n\n\n{tasks[each.name]["text"]}')
    assert set(tasks) == set(EXERCISES)
    inside = {path.relative_to(ROOT).as_posix() for path in needed()}
    rest = {path for path in (ROOT / "refsvm").rglob("*.py")
            if path.relative_to(ROOT).parts[1] not in WITHOUT}
    every = {path.relative_to(ROOT).as_posix() for path in (ROOT / "refsvm").rglob("*.py")}
    both = inside | {path.relative_to(ROOT).as_posix() for path in rest}
    assert every < both and "spec/vectors/core.json" in both and "docs/run_blocks.py" in both
    assert (tmp_path / "course.zip").stat().st_size < 1_200_000


def test_a_session_that_the_site_does_not_show_as_one_is_told(tmp_path):
    folder = tmp_path / "spec" / "course"
    folder.mkdir(parents=True)
    for name, count in LENGTHS.items():
        text = '<div class="highlight-pycon notranslate">' * (count - (name[:2] == "04"))
        (folder / name).with_suffix(".html").write_text(text)
    assert blocks_lost(tmp_path) == ["04-hinge-and-slack.html shows 9 sessions of 10"]
