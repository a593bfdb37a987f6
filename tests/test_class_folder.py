"""A folder of a class's files is marked by one command: a row for each file."""

import os

import pytest

from refsvm.exercises import student_file as sf
from tests.seven_points import run

HINGE = "def hinge(m): return max(0, 1 - m)\n"
FILES = {
    "ada.py": HINGE + "def predict(w, b, x): return 1\n",
    "bo/hinge.py": "hinge = lambda m: 1 - m\n",
    "cy.py": "def hinge(m):\n    raise NotImplementedError\n",
    "di.py": "import os\ndef hinge(m): os._exit(0)\n",
    "ed.py": "def hinge(m) return 0\n",
    "fu.py": "import os, sys\ndef hinge(m): return 0\nsys.exit(3)\n",
    "gil.py": "def Hinge(m): return max(0, 1 - m)\n",
    "hu.py": HINGE,
    ".old/hinge.py": HINGE,
    "notes.txt": HINGE,
}
MARKED = """\
file         predict    hinge
ada.py       wrong      right
bo/hinge.py  -          wrong
cy.py        -          missing
di.py        -          no answer
ed.py        unread     unread
fu.py        -          unread
gil.py       -          -
hu.py        -          right
"""


def folder_of(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.mark.slow("a mark in another row or column")
def test_a_row_for_each_file_and_a_column_for_each_exercise(tmp_path, monkeypatch, capsys):
    folder_of(tmp_path / "class", FILES)
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, "exercise", "class")
    assert (status, err) == (1, "") and out.startswith(MARKED)
    assert out.count("\n") == MARKED.count("\n") + 1


def test_the_status_is_0_if_every_function_is_right(tmp_path, monkeypatch, capsys):
    folder_of(tmp_path / "hinge", {"ada.py": HINGE, "helper.py": "x = 1\n"})
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "exercise", "./hinge")[0] == 0
    assert "def hinge(m):" in run(capsys, "exercise", "hinge")[1]  # the exercise has the name


def test_a_loop_has_no_answer_and_the_next_file_is_marked(tmp_path, monkeypatch, capsys):
    folder_of(tmp_path, {"a.py": "def hinge(m):\n    while True: pass\n", "b.py": HINGE})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sf, "TRIALS", 0.2)
    status, out, _ = run(capsys, "exercise", ".")
    assert status == 1 and out.splitlines()[1:3] == ["a.py  no answer", "b.py  right"]


@pytest.mark.parametrize("words, sentence", [
    (["exercise", "empty"], "no Python file of empty has a function of an exercise"),
    (["exercise", "torn"], "a function of an exercise; 1 file cannot be read as Python"),
    (["exercise", "empty", "-o", "x.py"], "-o is given with a folder"),
    (["exercise", "empty", "x.py"], "'empty' is no exercise"),
])
def test_a_folder_without_exercises_is_refused(tmp_path, monkeypatch, capsys, words, sentence):
    folder_of(tmp_path, {
        "empty/x.py": "x = 1\n", "x.py": HINGE, "torn/x.py": "def hinge(m) 1\n"
    })
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "") and sentence in err


def test_what_a_file_has_is_read_without_running_it(tmp_path):
    path = tmp_path / "x.py"
    path.write_text("1 / 0\nsegment = hinge = None\nif x:\n    def predict(w, b, x): pass\n")
    assert sf.python_files(str(tmp_path)) == [path]
    assert sf.handed_in(path).names == ["hinge", "segment"]
    path.write_text("hinge: object = abs\na, (gap, *b) = x\nclass dual: pass\nfrom y import svm\n")
    assert sf.handed_in(path).names == ["hinge", "dual", "gap"]
    for text in (b"\xff\xfe", b"x\0", b"x = " + b"(" * 300 + b")" * 300):
        path.write_bytes(text)
        assert sf.handed_in(path) is None


def test_what_is_no_file_is_not_waited_for(tmp_path, monkeypatch, capsys):
    folder_of(tmp_path, {"ada.py": HINGE, "dir.py/x.txt": ""})
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "gone.py").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    status, out, _ = run(capsys, "exercise", ".")
    assert status == 1 and out.splitlines()[1:4] == [
        "ada.py   right", "gone.py  unread", "pipe.py  unread"
    ]


def test_a_folder_that_goes_away_meanwhile_has_no_files(tmp_path, monkeypatch):
    folder_of(tmp_path, {"a/x.py": HINGE, "b/x.py": HINGE})
    scan = os.scandir

    def vanishing(path):
        if os.path.basename(path) == "a":
            raise FileNotFoundError(path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", vanishing)
    assert sf.python_files(str(tmp_path)) == [tmp_path / "b" / "x.py"]
