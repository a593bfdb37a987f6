"""The scoreboard's chapter: its lines print what it says, where the library is installed."""

import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

import pytest
from profiles import one_in
from scoreboard import (
    ADAPTERS,
    CHAPTER,
    ENTRIES,
    JARS,
    MACHINES,
    is_found_on_paper,
    line,
    printed,
    reproductions,
    run,
)

LOCAL = [e for e in ENTRIES if not e.package]


def installed(package):
    """The version of a package that is here; None if there is none."""
    asked = next(e.version for e in ENTRIES if e.package == package)
    if asked:
        done = subprocess.run(asked, shell=True, capture_output=True, text=True)
        return done.stdout.strip() or None
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def known_version(package):
    """The version that the chapter's table names for a package."""
    rows = [row.split("|")[1].split() for row in CHAPTER.read_text("utf-8").splitlines()
            if row.startswith("| ")]
    return next((row[1] for row in rows if row[:1] == [package] and len(row) > 1), None)


def test_the_chapter_has_reproductions_of_libraries_that_are_in_the_table():
    found = reproductions()
    assert len(found) >= 9
    assert {r.package for r in found} <= {e.package for e in ENTRIES}
    assert all(r.printed.strip() for r in found)


@pytest.mark.slow("a finding that is not true any more")
@pytest.mark.parametrize("r", one_in(6, reproductions()), ids=lambda r: r.package)
def test_a_reproduction_prints_what_the_chapter_says(r, monkeypatch):
    monkeypatch.setenv("CLASSPATH", os.pathsep.join(JARS))
    here = installed(r.package)
    if here is None or here != known_version(r.package):
        pytest.skip(f"{r.package} is not installed in the version of the table")
    assert printed(r, sys.executable) == r.printed


def test_every_subject_written_here_is_there():
    code = []
    for e in [*ENTRIES, *MACHINES]:
        if e.version:
            continue
        module, name = e.subject.split(":")
        if module in ("libraries", "machine_libraries", "teaching", "refsvm"):
            code.append(f"import {module}; assert callable({module}.{name})")
        else:
            there = find_spec(module.split(".")[0]) or (ADAPTERS / f"{module}.py").exists()
            assert not there or e.package.startswith(("scikit-learn", "dlib"))
    assert run(sys.executable, "-c", "\n".join(code)) == ""


def test_what_a_python_refuses_is_told():
    with pytest.raises(subprocess.CalledProcessError):
        run(sys.executable, "-c", "raise SystemExit(3)")


def test_a_line_counts_cases_and_names_causes():
    causes = [("OffsetSign", 1), ("Attributes", 1)]
    assert line(LOCAL[0], "", "|w|", 3, ["C02", "E1"], causes) == (
        "|  | simplified SMO | 3 | 2 | C02 | OffsetSign 1, Attributes 1 | \\|w\\| |"
    )
    many = line(LOCAL[0], "", "this", 3, ["C02"], [("Wrong", k) for k in range(10)])
    assert "Wrong 7, 2 more |" in many
    machine = line(MACHINES[0], "1", None, 3, ["N5", "N equal rows"], [])
    assert machine == "| scikit-learn 1 | NuSVC | 3 | 2 | N5 |  |"
    found = [n for n in ("C07", "C7", "CC07", "V10", "S1", "S1 scaled") if is_found_on_paper(n)]
    assert found == ["C07", "V10", "S1"]


TAUGHT = {
    "simplified_smo": {"C04", "C08", "C10", "C13", "C16"},
    "platt_smo": {"C04", "C08", "C10", "C13", "C16"},
    "qp_with_threshold": {"C04", "C10", "C13", "C16", "C20"},
}


@pytest.mark.slow("a line of the scoreboard that is not true any more")
@pytest.mark.parametrize("name", TAUGHT)
def test_the_audit_finds_what_is_known_of_learners_as_they_are_taught(name):
    import teaching

    from refsvm.conformance.audit import audit

    records = audit(getattr(teaching, name), isolate=False, names=["C??"])
    assert {record.case for record in records if record.result == "fail"} >= TAUGHT[name]
