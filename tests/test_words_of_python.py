"""Python's own words never reach the user alone: the file stands beside them, and the cure."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import refsvm
from refsvm.commands import main
from tests.seven_points import go_to

ROOT = Path(__file__).parent.parent
OF_PYTHON = [
    "codec", "embedded null", "ordinal", "surrogates", "Errno", "Error:", "Exceeds", "literal",
    "Traceback",
]  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test runs in a folder of its own, with a table and its model."""
    go_to(tmp_path, monkeypatch)
    labels = ["caf\u00e9", "no"]
    lines = [f"{k % 7},{k * k % 5},{labels[k % 2]}\n" for k in range(12)]
    Path("c.csv").write_text("a,b,y\n" + "".join(lines), encoding="utf-8")
    assert main(["train", "c.csv", "-o", "m"]) == 0


@pytest.mark.parametrize("name", ["a\0b", "\0", "\ud800", "a\udfff"])
@pytest.mark.parametrize("line", [
    "train {}", "train c.csv -o {}", "predict c.csv {}", "export m -o {}", "audit {}:X",
    "audit {}.py:X", "audit refsvm:SVC --baseline {}", "exercise hinge {}",
    "scale c.csv --save {}",
    "conform {}",
    "exact c.csv --certificate {}", "grid c.csv --table {}", "plot c.csv -o {}", "train c.csv/{}",
])  # fmt: skip
def test_a_name_that_no_file_can_have_is_named(capsys, name, line):
    capsys.readouterr()
    assert main([word.replace("{}", name) for word in line.split()]) == 2
    told = capsys.readouterr().err
    assert not [words for words in OF_PYTHON if words in told]
    assert name.encode("unicode_escape").decode().replace("\\x00", "\\x00") in told
    assert told.count("\n") == 1


def test_the_functions_refuse_it_too():
    for name in "a\0b", b"\0", "\ud800":
        for call in (refsvm.read_data, refsvm.read_model):
            with pytest.raises(ValueError, match="path is .*; (no name|it holds half)"):
                call(name)
        with pytest.raises(ValueError, match="path is .*; (no name|it holds half)"):
            refsvm.write_data(name, [[1.0]], [1])


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs /proc")
@pytest.mark.parametrize("words, told", [
    (["train", "/proc/self/mem"], "/proc/self/mem: it cannot be read or written (input/output"),
    (["train", "c.csv", "-o", "/proc/x"], "the folder /proc takes no new file"),
    (["train", "."], ".: it is a folder; name a file in it"),
    (["train", "loop"], "loop: its links lead in a circle"),
    (["train", "x" * 300], "the name is too long"),
    (["train", "c.csv/x"], "c.csv/x: what stands before the last / is a file"),
])
def test_what_a_system_refuses_is_told_with_the_file(capsys, words, told):
    Path("loop").symlink_to("loop")
    assert main(words) == 2
    assert told in capsys.readouterr().err


def test_labels_that_standard_output_has_no_signs_for_are_refused_before_it_is_written():
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "POSIX", "PYTHONUTF8": "0",
                   "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    command = [sys.executable, "-m", "refsvm", "predict", "c.csv", "m", "-o", "-"]
    done = subprocess.run(command, env=environment, capture_output=True)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.splitlines()[-1] == (
        b"refsvm: standard output is in ascii, which has no '\\xe9'; set PYTHONIOENCODING=utf-8,"
        b" or name a file by -o")
    environment["PYTHONIOENCODING"] = "utf-8"
    done = subprocess.run(command, env=environment, capture_output=True)
    assert done.returncode == 0 and done.stdout.count("caf\u00e9\n".encode()) > 0


def test_numbers_too_large_for_gamma_are_told_in_their_own_size():
    for d in (1, 3):
        with pytest.raises(ValueError, match=r"around 2e\+308 in size"):
            refsvm.SVC().fit([[1.797e308] * d, [-1.797e308] * d], [1, -1])


def test_the_ends_of_a_ranges_file_are_not_called_options(capsys):
    Path("r").write_text("x\n1 -1\n1 0 4\n")
    assert main(["scale", "c.csv", "--restore", "r"]) == 2
    told = "refsvm: r, line 2: the range goes from 1.0 to -1.0; it must rise\n"
    assert capsys.readouterr().err == told


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_table_in_utf_16_is_named_so_with_a_mark_and_without(capsys, encoding):
    Path("u.csv").write_text("a,y\n1,no\n2,yes\n", encoding=encoding)
    assert main(["train", "u.csv"]) == 2
    told = "refsvm: u.csv begins as a text in UTF-16; save it as UTF-8\n"
    assert capsys.readouterr().err == told


LONG, WIDE = "9" * 5000, '"' + "x" * 200_000


@pytest.mark.parametrize("line, told", [
    ("train c.csv --label {}", "there is no column"),
    ("train c.csv --drop {}", "there is no column"),
    ("trace c.csv --features {} 1", "it must be from 1 to 2"),
    ("train c.csv -s {}", "here it is --type c_svc, nu_svc"),
    ("train c.csv -t {}", "here it is --kernel linear, poly"),
])
@pytest.mark.parametrize("word", ["\u00b2", LONG, "000000001" + LONG])
def test_signs_that_are_digits_to_python_alone_are_no_numbers(capsys, line, told, word):
    assert main([part.replace("{}", word) for part in line.split()]) == 2
    said = capsys.readouterr().err
    assert not [words for words in OF_PYTHON if words in said]
    assert told in said or LONG[:200] in said  # which leaves no place


@pytest.mark.parametrize("words, told", [
    (["train", "c.csv", "--drop", WIDE], "cannot be read as a list of names"),
    (["train", "c.csv", "--class-weight", WIDE + '":2'], "cannot be read as a list of names"),
    (["train", "c.csv", "--drop", 'a\rb,"c"'], "there is no column 'a b'"),
    *(([command, line], told) for command in ("audit", "conform") for line, told in (
        ("", "a command line has a word at least"), (" ", "a command line has a word at least"),
        ("sh a\0b", "no program can be given the word 'a\\x00b'"),
        ("sh \ud800", "no program can be given the word '\\ud800'"))),
])
def test_words_that_are_no_list_and_no_command_line_are_refused(capsys, words, told):
    assert main(words) == 2
    said = capsys.readouterr().err
    assert told in said
    assert not [words for words in OF_PYTHON if words in said]


@pytest.mark.skipif(os.name != "posix", reason="a folder that is in use can be removed")
@pytest.mark.parametrize("line", [
    "train c.csv", "exercise hinge {}", "conform sh", "plot x -o {}.svg"])
def test_a_current_folder_that_is_gone_is_named(capsys, tmp_path, monkeypatch, line):
    capsys.readouterr()
    (tmp_path / "f.py").write_text("def hinge(m): return max(0, 1 - m)")
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main([word.replace("{}", str(tmp_path / "f.py")) for word in line.split()]) == 2
    assert "the current folder is no longer there; change to another" in capsys.readouterr().err


@pytest.mark.parametrize("columns", [LONG, "\u0663", "\u00b2", "-1", "0"])
def test_a_width_that_is_none_is_not_taken(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    assert main(["train", "--help"]) == 0
