"""What train, check and exact print of each machine, letter by letter.

test_commands_transcripts.txt has the command lines, each after a $, and below it what is printed.
python3 -m tests.test_commands_transcripts  writes it anew.
"""

import os
import re
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from refsvm.commands import main
from refsvm.tables.data import write_data
from tests.seven_points import LABELS, POINTS

FILE = Path(__file__).with_suffix(".txt")
PARTS = re.findall(r"^## (.*)\n((?:(?!## ).*\n)*)", FILE.read_text(encoding="utf-8"), re.MULTILINE)


def printed(part):
    """A part of the file as its commands print it now, in the current folder."""
    write_data("two", POINTS, LABELS)
    write_data("three", POINTS, [0, 0, 1, 2, 2, 1, 1])
    write_data("values", POINTS, [0.5, 1, 1.5, 6, 7, 2.5, 2])
    text = ""
    for line in re.findall(r"^\$ (.*)", part, re.MULTILINE):
        with redirect_stdout(StringIO()) as out:
            main(line.split())
        text += f"$ {line}\n{out.getvalue().rstrip()}\n\n"
    return text


@pytest.mark.parametrize("machine, part", PARTS, ids=[machine for machine, _ in PARTS])
def test_commands_print_what_stands_there(machine, part, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert printed(part) == part


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        text = "".join(f"## {machine}\n{printed(part)}" for machine, part in PARTS)
    FILE.write_text(text, encoding="utf-8")
