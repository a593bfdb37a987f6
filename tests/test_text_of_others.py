"""Text of others is shown, never obeyed: hostile names in reports, pages, pictures, tables, C."""

import csv
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.dom.minidom import parseString

import pytest

from refsvm import SVC, OneClassSVM, export, plot
from refsvm.commands import main
from refsvm.commands.audit import report_lines
from refsvm.commands.console import progress
from refsvm.conformance.bits.conforming import Result, junit, questions
from refsvm.conformance.protocol.records import Record
from refsvm.conformance.report import AuditReport, Facts, html
from refsvm.conformance.report.causes import BUGS
from refsvm.conformance.report.contents import blocks
from refsvm.files.models import write_model
from refsvm.files.outputs import writing
from refsvm.numerics.quoting import visible
from tests.seven_points import LABELS, POINTS, go_to

STEERING = [  # what a screen obeys, or does not show
    *"\x01\a\b\t\n\v\f\r\x1b\x1c\x1d\x1e\x1f\x7f\x80\x85\x90\x9b\x9d\x9f\xad\u034f\u061c\u115f\u180e",
    *"\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2066",
    *"\u2067\u2068\u2069\u206a\u206f\u3164\ufeff\ufff9\uffa0\ue000\U000e0001\U000e0041\U000e0100",
]
WORDS = [  # what another language obeys
    "\x1b]0;PWN\x07\x1b[31m", "\r\x1b[2KFORGED", "x\nFORGED", "<script>FORGED()</script>",
    "<img src=x onerror=FORGED()>", "]]>", "&lt;", "a*/FORGED", "/*", "??/", "%s%n", "|x|`y`",
    "[a](javascript:FORGED)", "```", "'; FORGED; '", '"; FORGED; "', "$(FORGED)", "`FORGED`", "--",
    "-x", "=1+1", "a,b", "{name}", "${name}", "\\x1b", "\\",
]  # fmt: skip
HOSTILE = [*(f"a{sign}b" for sign in STEERING), *WORDS]
SETS = [HOSTILE[k : k + 6] for k in range(0, len(HOSTILE), 6)]
QUICK = 9  # the set whose names are of all kinds
WORKING = [
    "train {data} -v 2 -o m --gamma 1", "train {data} --test-size 0.4",
    "train {data} --as-is -v 2",
    "grid {data} --C 1,2 --gamma 1 -v 2 --table t.csv", "predict {data} m",
    "predict {data} m --decisions -o d.csv", "predict {data} m -o labels.csv", "check {data} m",
    "exact {data} --kernel linear --as-is", "explain {data} m -o bars.svg",
    "plot {data} --gamma 1 -o p.svg", "export m -o m.c", "trace {data} --gamma 1 -o t.svg",
    "scale {data} -o s.csv", "scale {data} --restore m -o rows", "play --link {data}",
    "train {data} -o {data}.model",
]  # fmt: skip
REFUSED = [
    "predict {data} {data}", "audit {data}", "exercise {data}", "{data}", "plot {data} -o {data}",
    "train {data} --label {data}", "train {data} --kernel {data}", "train {data} {data}",
    "audit refsvm:SVC --case {data}", "audit refsvm:SVC --baseline {data}", "export {data} -o x",
    "scale {data} --restore {data} -o x", "train ./{data}/{data}",
]  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test runs in a folder of its own."""
    return go_to(tmp_path, monkeypatch)


def assert_shown(text):
    """Nothing in the text is obeyed, or hidden; and no name has begun a line."""
    for line in text.split("\n"):
        assert visible(line) == line
        assert not line.startswith("FORGED")


def table_of(names):
    """The name of a table all of whose names are hostile."""
    file, label, no, yes, *features = names
    rows = [(*features, label)]
    rows += [(k * k % 7, k % 3, *(str(k % 5),) * (len(features) - 2), (no, yes)[k % 2])
             for k in range(12)]
    name = file.replace("/", "_").replace("\0", "") + ".csv"
    with open(name, "w", newline="") as out:
        csv.writer(out, quoting=csv.QUOTE_ALL).writerows(rows)
    return f"./{name}" if name[0] == "-" else name


@pytest.mark.parametrize("names", [
    pytest.param(names, id=f"{k}", marks=[pytest.mark.slow("a second each")] * (k != QUICK))
    for k, names in enumerate(SETS)])
def test_no_name_steers_what_reads_the_report(capsys, names):
    names = [*dict.fromkeys(" ".join(name.split()) for name in [*names, *WORDS])][:6]
    data = table_of(names)
    for line in [*WORKING, *REFUSED]:
        status = main([word.replace("{data}", data) for word in line.split()])
        told = capsys.readouterr()
        assert status in ((0, 1) if line in WORKING else (2,)), (line, told.err)
        assert_shown(told.out)
        assert_shown(told.err)
    with open("labels.csv", newline="", encoding="utf-8") as lines:
        assert {row[0] for row in csv.reader(lines)} <= {"label", *names[2:4]}  # as they were
    for picture in Path().glob("*.svg"):
        assert_shown(picture.read_text())
        parseString(picture.read_text())
    source = Path("m.c").read_text()
    assert_shown(source)
    assert source.isascii() and source.count("/*") == source.count("*/") and "??/" not in source


def test_no_page_and_no_picture_takes_a_name_for_its_own_language():
    name, flag = "\0".join(HOSTILE), next(iter(BUGS))
    records = [Record(name, "G3", "fail", None, None, flag, name), Record(name, "G4", "acceptable",
               None, None, None, name)]
    report = AuditReport(name, records, Facts(formulation=name), [], lambda record: name)
    fitted = SVC().fit([[0], [1]], [name, name + "b"])
    shown = [SVC(kernel=name), fitted, OneClassSVM(kernel=name)]
    pages = [html(report), *(thing._repr_html_() for thing in shown)]
    for page in pages:
        assert_shown(page)
        assert not re.search("<(script|img)", page)
    assert_shown("\n".join(report_lines(blocks(report))))
    results = [Result(questions()[0], "fail", name)]
    parseString(junit(name, results))
    assert_shown(junit(name, results))
    y = [name if label > 0 else "b" for label in LABELS]
    assert_shown(plot(SVC().fit(POINTS, y), POINTS, y, title=name, names=[name, name]))


def test_progress_on_a_terminal_shows_a_name(monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    with progress("reading " + "".join(STEERING), stream=terminal):
        pass
    assert_shown(terminal.getvalue().replace("\r", ""))


# ---- data, which must give a name back


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
@pytest.mark.parametrize("given", ["/dev/stdout", "terminal"])
def test_data_are_as_they_are_in_a_file_and_shown_on_a_terminal(monkeypatch, given):
    ours, theirs = os.openpty()
    with open(theirs, "w", closefd=False, encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        with writing(os.ttyname(theirs) if given == "terminal" else given) as out:
            out.write("a\tb\x1b]0;PWN\x07\n")
            out.writelines(["\u202e\n"])
    assert os.read(ours, 100).replace(b"\r", b"").split() == [
        b"a", b"b\\x1b]0;PWN\\x07", b"\\u202e"]
    with writing("file") as out:
        out.write("a\x1b]0;PWN\x07\n")
    assert Path("file").read_text() == "a\x1b]0;PWN\x07\n"
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("label", ["x\ny", "x\ry"])
def test_a_list_of_labels_has_a_line_for_each_row(capsys, label):
    write_model("m", SVC(kernel="linear").fit(POINTS, [label if y > 0 else "n" for y in LABELS]))
    Path("d").write_text("".join(f"0 1:{a} 2:{b}\n" for a, b in POINTS))
    assert main(["predict", "d", "m", "-o", "labels"]) == 2
    assert "labels.csv" in capsys.readouterr().err and not Path("labels").exists()
    assert main(["predict", "d", "m", "-o", "labels.csv"]) == 0
    with open("labels.csv", newline="") as lines:
        assert {row[0] for row in csv.reader(lines)} == {"label", label, "n"}


@pytest.mark.parametrize("half", ["\ud800", "\udc80"])
def test_half_a_letter_is_refused_in_words(capsys, half):
    svc = SVC(kernel="linear").fit(POINTS, [half if y > 0 else half + "b" for y in LABELS])
    with pytest.raises(ValueError, match=r"'\\ud.*for which UTF-8 has no bytes; rename it"):
        export(svc)
    write_model("m", svc)
    Path("d").write_text("".join(f"0 1:{a} 2:{b}\n" for a, b in POINTS))
    for out in "labels", "labels.csv", "-":
        assert main(["predict", "d", "m", "-o", out]) == 2
        err = capsys.readouterr().err
        assert "codec" not in err and "\\ud" in err, out
    assert not Path("labels").exists()


ADAPTER = """
class SVM:
    def __init__(self, C=1.0, kernel="linear"): self.C, self.kernel = C, kernel
    def fit(self, X, y): raise ValueError({text!r})
    def decision_function(self, X): return [0.0] * len(X)
"""


@pytest.mark.slow("two programs")
def test_no_subject_steers_pytest_or_its_junit_file(tmp_path):
    name = "a\u202e\x1b[31m.py"
    Path(name).write_text(ADAPTER.format(text="".join(HOSTILE)))
    command = [sys.executable, "-m", "pytest", "-p", "pytest_refsvm", "--svm-audit", f"{name}:SVM",
               "-k", "C01 or C05", "--junit-xml", "junit.xml", "-p", "no:cacheprovider", "."]
    path = os.pathsep.join([str(Path(__file__).parent.parent), *sys.path])
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path,
                          "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, capture_output=True, text=True)
    assert done.returncode == 1 and "svm-audit" in done.stdout
    assert_shown(done.stdout)
    assert_shown(done.stderr)
    assert_shown(Path("junit.xml").read_text())
    parseString(Path("junit.xml").read_text())
