"""Reports of the audit: what comes first, nothing cut, lines to paste that run, what is new."""

import io
import json
import math
import os
import re
import shlex
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws, one_in

import refsvm
from refsvm.commands import main
from refsvm.commands.audit import Progress, fitted, report_lines
from refsvm.conformance.audit import Auditor, audit
from refsvm.conformance.cases import FILES
from refsvm.conformance.cases.flags import BUGS, FLAGS
from refsvm.conformance.protocol.records import Record
from refsvm.conformance.report import AuditReport, Facts, html
from refsvm.conformance.report.causes import OF_FLAGS, effect_of
from refsvm.conformance.report.contents import Heading, Table, blocks, changes_since
from refsvm.conformance.report.coverage import groups_of
from refsvm.conformance.report.examples import smallest_examples
from refsvm.conformance.report.formats import read_stored, table_html, to_json
from refsvm.conformance.report.paste import LinesToPaste
from refsvm.conformance.subjects import Unsupported
from refsvm.conformance.what_is_asked import GROUPS

ROOT = Path(__file__).parent.parent
PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"decisions": [0.25] * len(asked["rows"])}), flush=True)
"""


def a_tenth_too_large(problem):
    model = refsvm.smo(problem, 1e-9).model()
    return lambda x: 1.1 * model.decision(x)


def no_offset(problem):
    """A function of a problem that forgets b."""
    return {"alpha": refsvm.smo(problem, 1e-9).alpha, "b": 0.0}


class Bent(refsvm.SVC):
    """Large decisions are halved."""

    def decision_function(self, X):
        return [f if abs(f) <= 1 else f / 2 for f in super().decision_function(X)]


def report_of(subject, *names, **more):
    records = audit(subject, isolate=False, names=names)
    auditor = Auditor(subject, isolate=False)
    failures = [record for record in records if record.result == "fail"]
    word = f"test_audit_reports:{getattr(subject, '__name__', '')}"
    return AuditReport("it, 1.0", records, Facts(), smallest_examples(auditor, failures),
                  LinesToPaste(subject, word), **more)


def headings(found, level=2):
    return [block.text for block in found if isinstance(block, Heading) and block.level == level]


# ---- what comes first


def test_the_head_says_what_was_asked_found_and_why_it_matters_before_any_table_of_failures():
    found = blocks(report_of(no_offset, "C02", "C04", "C09"))
    assert headings(found)[:3] == [
        "Why it matters", "The smallest cases that fail", "What was asked",
    ]
    lines = report_lines(found, 80)
    assert lines[0] == "Audit of it, 1.0" and lines.index("Why it matters") <= 11
    assert " ".join(" ".join(lines[1:lines.index("Why it matters")]).split()) == (
        "Wrong: b is 0, or left out (OffsetMissing): 2 of 2 failing cases. "
        "The smallest, 'C02': b is 0; the optimal offsets lie from -2.25 to -0.375; b is 0 or b is"
        " 0 where no multiplier is free. "
        "X = (10) (11); y = -1 +1; C = 0.125; kernel = linear. "
        "3 problems whose right answer is known exactly. All were asked. "
        "13 checks of 3 cases: 9 passed, 0 acceptable, 4 failed.")


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_an_answer_that_is_no_number_stands_beside_the_right_one(value):
    def subject(problem):
        return {"decisions": lambda x: value}

    (example,) = report_of(subject, "C02").examples
    assert example.numbers[:2] == [
        ["answer", f"decisions holds {value}", "finite numbers"],
        ["f(10)", "-", "from -1 to 7/8"],
    ]


def test_what_is_right_about_the_worst_row_is_of_that_row():
    def subject(problem):
        decision = refsvm.smo(problem, 1e-9).model().decision
        return {"decisions": lambda x: decision(x) + 40 * (x[0] > 5)}

    (example,) = report_of(subject, "gamma on the power").examples
    ((_, right),) = [row[1:] for row in example.numbers if row[0] == "f(6)"]
    assert right == "from 169/2 to 339/4" and "from 84.5 to 84.75" in example.failures[0].reason


def test_the_smallest_cases_have_the_numbers_of_the_subject_beside_the_right_ones():
    first, second = report_of(no_offset, "C25", "C02", "C12").examples[:2]
    assert first.case == "C02"
    assert dict(first.given) == {"X": "(10) (11)", "y": "-1 +1", "C": "0.125", "kernel": "linear"}
    assert ["f(10)", "1.25", "from -1 to 7/8"] in first.numbers
    assert ["b", "0", "from -9/4 to -3/8"] in first.numbers
    assert len({len(row) for row in first.numbers + second.numbers}) == 1


def test_a_right_program_has_a_short_report():
    lines = report_lines(blocks(report_of(refsvm.smo, "C0?", "E*")))
    assert "  Nothing fails." in lines and len(lines) < 50 and "FAIL" not in "".join(lines)


def test_what_is_not_on_offer_is_counted_and_named():
    def linear(problem):
        if type(problem.kernel) is not refsvm.Linear:
            raise Unsupported("another kernel")
        return refsvm.smo(problem, 1e-9)

    text = " ".join(report_lines(blocks(report_of(linear, "C0?")), 99))
    assert "9 problems whose right answer is known exactly. 8 were asked." in text
    assert "1 was not on offer: another kernel (C09)." in " ".join(text.split())


def test_too_little_is_said_where_next_to_nothing_was_asked():
    records = [Record(f"C0{k}", "G7", "acceptable", None, None, None, "not on offer: C")
               for k in range(1, 9)]
    text = "\n".join(report_lines(blocks(AuditReport("it", records))))
    assert "Too little was answered to say anything." in text and "Nothing fails" not in text


def test_every_group_and_every_bug_is_explained():
    assert {*FILES, "policies", "given"} <= set(GROUPS)
    assert set(OF_FLAGS) <= {*BUGS, *FLAGS}
    for flag in BUGS:
        assert effect_of(flag).endswith(".")
    names = ["C01", "E1", "F2", "degree seven", "a NaN", "labels"]
    records = [Record(name, "G1", "pass", None, None, None, "") for name in names]
    assert all(group.purpose.endswith((".", "..")) for group in groups_of(records))


# ---- the terminal


def many_failures(count):
    reason = "f is 0.294118, without it -1; it is the optimum with the offset regularised"
    flags = list(BUGS)
    return [Record(f"case {k}", "G1", "fail", None, [1.0], flags[k % 20], f"{reason} {k}")
            for k in range(count)]


@pytest.mark.parametrize("width", [40, 80, 200])
def test_three_hundred_failures_fill_a_screen_or_two_and_nothing_is_cut(width):
    lines = report_lines(blocks(AuditReport("it", many_failures(300)), brief=True), width)
    assert max(map(len, lines)) <= max(width, 40)
    assert width < 80 or len(lines) < 110
    words = " ".join(" ".join(lines).split())
    assert ".. and 292 more, which -o REPORT has" in words
    told = ["optimum", "with", "the", "offset", "regularised"]
    assert width < 80 or all(word in words for word in told)


def test_no_table_is_empty():
    class Signs(refsvm.SVC):
        def predict(self, X):
            return [1 if f >= 0 else -1 for f in self.decision_function(X)]

    for brief in (False, True):
        found = blocks(report_of(Signs, "labels", "C01"), brief)
        assert all(block.rows for block in found if isinstance(block, Table))
        assert any(isinstance(block, list) for block in found)


def test_columns_are_made_narrower_from_the_widest():
    assert fitted([3, 4], 80) == [3, 4]
    assert fitted([10, 90, 20], 80) == [10, 46, 20]
    assert min(fitted([50, 50, 50], 10)) == 6


def test_a_table_is_whole():
    table = Table("it", ["a", "b"], [["x | y"], ["1", "2"]])
    page = table_html(table)
    assert page.count("<td>") == 2 and page.count('scope="row"') == 2


# ---- lines to paste


@draws(1/4)
@given(st.text("a[]*?!-", max_size=6), st.text("a[]*?!-", max_size=6))
def test_a_line_audits_one_case(name, other):
    record = Record(name, "G6", "fail", None, None, "Wrong", "")
    pattern = shlex.split(LinesToPaste(no_offset, "it:it")(record))[-1]
    assert fnmatchcase(other, pattern) == (name == other)


def pasted(line, folder=ROOT / "tests", **variables):
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": path, **variables}, check=False)


def line_for(subject, name, check):
    report = report_of(subject, name)
    return next(report.line_of(r) for r in report.failures if r.check == check)


@pytest.mark.slow("a pasted line that shows nothing")
def test_a_pasted_line_shows_the_failure_of_an_estimator_again():
    report = report_of(Bent, "C01")
    record = report.failures[0]
    line = report.line_of(record)
    assert line.startswith('python3 -c "import test_audit_reports') and "refsvm audit" not in line
    done = pasted(line)
    assert done.returncode == 0, done.stderr
    wrong, right = re.search("f is (.*); of the multipliers and b as stated it is (.*)",
                             record.reason).groups()
    assert float(wrong) == float(right) / 2 and f" {float(wrong)!r}]" in done.stdout


@pytest.mark.slow("a line for a function, a program or one case that does not run")
def test_pasted_lines_of_functions_and_programs_and_of_one_case(tmp_path):
    done = pasted(line_for(no_offset, "C02", "G3"))
    assert done.returncode == 0 and "'b': 0.0" in done.stdout, done.stderr
    (tmp_path / "it.py").write_text(PROGRAM, encoding="utf-8")
    program = f"{sys.executable} {tmp_path / 'it.py'}"
    records = audit(program, names=["C02"])
    record = next(r for r in records if r.result == "fail")
    done = pasted(LinesToPaste(program, program)(record))
    assert json.loads(done.stdout) == {"decisions": [0.25] * 2}, done.stderr
    unlike = record._replace(check="G9", flag="RoundTrip")
    done = pasted(LinesToPaste(program, program)(unlike))
    assert done.returncode == 1 and "Why it matters" in done.stdout, done.stderr


# ---- what is new


def records_of(**flags):
    return [Record(case, "G1", "fail" if flag else "pass", None, [float("inf")], flag or None, "")
            for case, flag in flags.items()]


def test_a_report_as_json_holds_the_records(tmp_path):
    records = audit(no_offset, isolate=False, names=["C02", "C25"]) + records_of(C01="Hang")
    records[0] = records[0]._replace(gap=math.inf)
    path = tmp_path / "earlier.json"
    path.write_text(to_json("it", Facts(date="today")._asdict(), records), encoding="utf-8")
    assert read_stored(path) == ("it", "today", records)


def test_a_report_as_json_holds_the_verdict():
    records = records_of(a="OffsetSign", b="OffsetSign", c="Hang", d=None)
    document = json.loads(to_json("it", {}, records))
    assert [(c["flag"], c["explained"], c["failing"]) for c in document["verdict"]] == [
        ("OffsetSign", 2, 3), ("Hang", 1, 3)]
    assert json.loads(to_json("it", {}, records_of(d=None)))["verdict"] == []


@pytest.mark.parametrize("text", ["", "[1]", '{"format": "refsvm audit 1"}', "[" * 100000,
                                  '{"format": "refsvm audit 1", "records": [{"case": 1}]}'])
def test_what_is_no_earlier_report_is_refused(text, tmp_path, capsys):
    path = tmp_path / "earlier.json"
    path.write_text(text, encoding="utf-8")
    assert main(["audit", "refsvm:SVC", "--baseline", str(path)]) == 2
    assert "is no earlier report; it must be a file that audit wrote" in capsys.readouterr().err


def test_failures_are_new_mended_the_same_or_not_asked_against_an_earlier_report(tmp_path):
    path = tmp_path / "earlier.json"
    before = records_of(C01="", C02="Offset", C03="Offset", C04="Offset", C05="Offset")
    of_another_version = to_json("it", {}, before).replace('"Offset"', '"NoLongerKnown"')
    path.write_text(of_another_version, encoding="utf-8")
    now = records_of(C01="Hang", C02="", C03="Wrong")
    now.append(Record("C04", "G8", "acceptable", None, None, None, "not asked: late"))
    changes = changes_since(read_stored(path), now)
    assert [r.case for r in changes.new] == ["C01"]
    assert [r.case for r in changes.mended] == ["C02"]
    assert changes.same == 1 and [r.case for r in changes.unasked] == ["C04"]
    report = AuditReport("it", now, changes=changes)
    assert "1 mended" in html(report)
    text = " ".join(" ".join(report_lines(blocks(report))).split())
    assert "1 new, 1 mended, 1 the same, 1 not asked this time" in text
    assert "C03" not in text.partition("What was asked")[2]


def test_questions_of_a_policy_are_told_apart(tmp_path):
    def labels(*words):
        return [Record("labels", "G7", "fail", None, None, "NotAccepted", f"{word}: refused")
                for word in words]

    path = tmp_path / "earlier.json"
    path.write_text(to_json("it", {}, labels("0 and 1", "1 and 2")), encoding="utf-8")
    changes = changes_since(read_stored(path), labels("1 and 2", "3 and -7"))
    assert [r.reason for r in changes.new] == ["3 and -7: refused"]
    assert [r.reason for r in changes.mended] == ["0 and 1: refused"]


def test_a_case_that_travels_as_its_gram_matrix_is_told():
    words = ["audit", "test_audit_reports:a_tenth_too_large", "--in-process", "--case"]
    assert main([*words, "linear + polynomial, 7 features*"]) == 1


def test_the_exit_status_is_that_of_what_is_new(tmp_path, capsys):
    earlier, page = str(tmp_path / "earlier.json"), str(tmp_path / "report.html")
    words = ["audit", "test_audit_reports:no_offset", "--in-process", "--case", "C0[24]"]
    assert main([*words, "-o", earlier, "-o", page]) == 1
    assert main([*words, "--baseline", earlier]) == 0
    assert "Nothing new fails" in capsys.readouterr().out
    assert "OffsetMissing" in Path(page).read_text(encoding="utf-8")


# ---- pytest


@pytest.mark.slow("a verdict that is not told, or records that stay with the workers")
@pytest.mark.parametrize("workers", one_in(2, ["2", "0"]))
def test_a_session_of_pytest_ends_with_the_verdict(workers, tmp_path):
    if workers != "0":
        pytest.importorskip("xdist")
    words = [sys.executable, "-m", "pytest", "-p", "pytest_refsvm", "-q", "-p", "no:cacheprovider",
             "--svm-audit", "test_audit_reports:no_offset", "-k", "C02", ".",
             "--junit-xml", "junit.xml"]
    words += [] if workers == "0" else ["-p", "xdist.plugin", "-n", workers]
    done = pasted(shlex.join(words), tmp_path, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    text = " ".join(done.stdout.split())
    assert "audit of test_audit_reports:no_offset" in text, done.stdout + done.stderr
    assert re.search(r"Wrong: .* \(Offset\w*\): \d+ of \d+ failing ", text)
    assert "problems whose right answer is known exactly. All were asked." in text
    assert 'python3 -c "import refsvm; import test_audit_reports; ' in done.stdout
    assert done.returncode == 1
    junit = (tmp_path / "junit.xml").read_text(encoding="utf-8")
    assert 'svm-audit.test_audit_reports:no_offset" name="C02"' in junit


# ---- progress


def test_progress_counts_cases_and_failures_and_guesses_the_time_left():
    lines, clock = [], iter(range(0, 100, 2))
    progress = Progress(10, lines.append, lambda: next(clock))
    for k in range(3):
        progress(records_of(C01="Hang" if k == 1 else ""))
    assert lines[0] == "1 of 10 cases, 0 failures"
    assert lines[2] == "3 of 10 cases, 1 failure, about 14 s left"


def test_a_page_needs_no_script_and_its_tables_have_heads(unnamed):
    page = html(report_of(no_offset, "C02"))
    assert "<script" not in page and page.count("<table") == page.count("<caption>")
    assert page.count('scope="col"') > 3 and 'lang="en"' in page
    assert io.StringIO(page).readline() == "<!DOCTYPE html>\n"
