"""Seven points in files, in a folder of its own for each test of a command, and command lines."""

import re

from refsvm.commands import main
from refsvm.tables.data import write_data

POINTS = [[0, 0], [1, 0], [0, 1], [3, 3], [4, 3], [1.25, 1.25], [2, 0.5]]
LABELS = [-1, -1, -1, 1, 1, 1, 1]


def go_to(folder, monkeypatch, labels=LABELS):
    """Make the folder the current one, with `points` of two classes in it and `three` of three."""
    monkeypatch.chdir(folder)
    write_data("points", POINTS, labels)
    write_data("three", POINTS, [0, 0, 1, 2, 2, 1, 1])
    return folder


def without_engine(err):
    """What stderr holds besides the line on which library computes."""
    return re.sub("^refsvm: (compiled|plain Python).*\n", "", err, flags=re.M)


def run(capsys, *argv):
    """(exit status, stdout, stderr) of a command line."""
    status = main(list(argv))
    told = capsys.readouterr()
    return status, told.out, without_engine(told.err)


def done(capsys, *argv):
    """stdout of a command line that succeeds and says no more on stderr."""
    status, out, err = run(capsys, *argv)
    assert (status, err) == (0, "")
    return out
