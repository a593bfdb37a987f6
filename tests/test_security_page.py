"""SECURITY.md has a row for each command, and says of it what its code does."""

import re
from pathlib import Path

from refsvm.commands import COMMANDS

ROOT = Path(__file__).parent.parent
ROW = re.compile(r"^\| ((?:`\w+`(?:, )?)+) \| (.*?) \| (.*?) \| (.*) \|$", re.M)
STARTING = {"grid", "audit", "conform", "exercise", "play"}


def rows():
    """{command: what its row says that it listens to, starts and reads}."""
    found = {}
    for names, *told in ROW.findall((ROOT / "SECURITY.md").read_text("utf-8")):
        for name in re.findall(r"\w+", names):
            assert name not in found, name
            found[name] = told
    return found


def test_each_command_has_a_row():
    assert set(rows()) == set(COMMANDS)


def test_the_rows_say_what_listens_and_what_starts_programs():
    told = rows()
    assert {name for name, row in told.items() if row[0] != "no"} == {"play"}
    assert {name for name, row in told.items() if row[1] != "nothing"} == STARTING


def test_no_other_command_names_what_listens_or_starts():
    """The modules of commands that import what starts processes or a server."""
    words = re.compile(r"import webbrowser|webbrowser\.|play\.server|import subprocess|asking\b"
                       r"|from \.processes import|student_file|conforming|executor=")
    found = {path.stem for path in (ROOT / "refsvm" / "commands").glob("*.py")
             if words.search(path.read_text("utf-8")) and path.stem in COMMANDS}
    assert found <= STARTING
