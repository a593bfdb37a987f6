"""Lines to type, typed: whatever the names of files and columns are, each does what it says."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from refsvm.commands import main
from refsvm.commands.arguments import PROGRAM, columns_to_type
from refsvm.numerics.quoting import shell_words, visible
from tests.seven_points import go_to

SHELLS = [shell for shell in ("sh", "bash", "dash") if shutil.which(shell)]
NAMES = [
    "d.csv", "-dash.csv", "--", "-o", "--C=1", "my data.csv", "it's.csv", 'say "hi".csv',
    "a\nb.csv",
    "$HOME.csv", "$(x).csv", "`x`.csv", "a;b.csv", "a&b|c.csv", "a\tb.csv", "\x1b[31m.csv",
    "-a b.csv",
    "*.csv", "~", "#x", "!x", "\\.csv", "a\\tb.csv", "-\x07", "%s\x07%%.csv", "caf\u00e9.csv",
    "\u202e.csv", "a'\x01", "end\n", "\n", "\x01end\n\n", "=x", "{a,b}", "a,b.csv", "\udcff.csv",
    ".x",
    "a=b.csv",
]  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test runs in a folder of its own."""
    return go_to(tmp_path, monkeypatch)


def typed(shell, line):
    """The words of a line, as a shell gives them to a program."""
    said = subprocess.check_output([shell, "-c", f"printf '%s\\0' {line}"])
    return said.decode(errors="surrogateescape").split("\0")[:-1]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_word_is_typed_as_it_is(shell):
    words = [*NAMES, "", "a b", *map(chr, range(1, 128)), *(f"x{chr(k)}7" for k in range(1, 161))]
    assert typed(shell, shell_words(words)) == words
    for word in NAMES:
        assert visible(shell_words([word])) == shell_words([word])


def runs(capsys, line):
    """Run a line that a command printed, by a shell's splitting; its output."""
    words = typed("sh", line)
    assert words[: len(PROGRAM.split())] == PROGRAM.split()
    status = main(words[len(PROGRAM.split()) :])
    told = capsys.readouterr()
    assert status == 0, (line, told.err)
    return told.out


def lines_in(out):
    """The lines to type in a report."""
    return [line.strip() for line in out.splitlines() if line.startswith(f"  {PROGRAM} ")]


@pytest.mark.parametrize("command, name", [
    pytest.param(command, name, marks=[pytest.mark.slow("")] * (command == "grid" and k > 4))
    for command in ("train", "grid") for k, name in enumerate(NAMES)][::2])
def test_the_lines_that_scale_and_train_do(capsys, command, name):
    form = [] if name.endswith(".csv") else ["--format", "csv"]
    rows = "".join(f"{k % 7},{k * 1e6},{'ny'[k % 2]}\n" for k in range(12))
    Path(name).write_text("a,b,y\n" + rows)
    Path("libsvm").mkdir()
    text = Path("libsvm", name)
    text.write_text("".join(f"{k % 2} 1:{k % 7} 2:{k * 1e6}\n" for k in range(12)))
    # The options before the name, and -- between them.
    given = {"train": ["--kernel", "linear", "-v2"], "grid": ["--C=1,2", "--gamma=1", "-v", "2"]}
    assert main([command, *given[command], *form, "--as-is", "--", name]) == 0
    out = capsys.readouterr().out
    for line in lines_in(out):
        assert line.endswith("MODEL")
        assert "written: MODEL" in runs(capsys, line)
    assert len(lines_in(out)) == (command == "grid")
    assert main([command, *given[command], "--format", "libsvm", "--", str(text)]) == 0
    scale, again, *train = lines_in(capsys.readouterr().out)
    before = {*Path().iterdir()}
    runs(capsys, scale)
    assert len({*Path().iterdir()} - before) == 2
    assert "hint" not in runs(capsys, again)
    for line in train:
        runs(capsys, line)


@pytest.mark.parametrize("column", [
    "id", "row id", "-id", "--id", "it's id", 'the "id"', "a,id", '"id', "$HOME id", "$(id) id",
    ";id", "3 id", "'id'", "a\\id", "\u202eid", "caf\u00e9 id", "a=id", "\x01id",
])  # fmt: skip
def test_the_hint_to_leave_a_column_out_does(capsys, column):
    quoted = '"' + column.replace('"', '""') + '"'
    rows = "".join(f"{k},{k % 5},{'ny'[k % 2]}\n" for k in range(12))
    Path("d.csv").write_text(f"{quoted},b,y\n{rows}")
    assert main(["train", "d.csv", "--as-is"]) == 0
    drop = re.search(r"say (--drop.*)", capsys.readouterr().out)[1]
    assert main(["train", "d.csv", "--as-is", *typed("sh", drop)]) == 0
    assert "12 rows, 1 feature\n" in capsys.readouterr().out
    # What is refused names the column by what may be typed, too.
    Path("d.csv").write_text(f"{quoted},b,y\nx,1,n\n1,2,y\n")
    assert main(["train", "d.csv", "--as-is"]) == 2
    drop = re.search(r"leave it out by (--drop .*)", capsys.readouterr().err)[1].partition("; ")[0]
    assert main(["train", "d.csv", "--as-is", *typed("sh", drop)]) == 0
    assert columns_to_type("--keep", ["id"]) == "--keep id"


@pytest.mark.parametrize("words, cure", [
    (["train", "-dash.csv"], "write (./-dash.csv)"),
    (["train", "d.csv", "--label", "-y;"], "write '(--label=-y;)'"),
    (["predict", "-dash.csv", "m"], "write (./-dash.csv)"),
])
def test_a_name_that_begins_with_a_dash_is_told_how_to_write(capsys, words, cure):
    Path("-dash.csv").write_text("a,y\n1,n\n2,y\n")
    assert main(words) == 2
    assert re.search(cure.replace("(", "").replace(")", ""), capsys.readouterr().err)
