"""What an installer and an index of packages learn about refsvm."""

import json
import os
import re
import subprocess
import sys
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import pytest

import refsvm
from docs.__main__ import TOOLS as DOCS
from tests.__main__ import BUILDERS, PEERS, TOOLS
from tests.lint import LINTERS

ROOT = Path(__file__).resolve().parent.parent
GITHUB = ROOT / ".github"
WORKFLOWS = {path.name: path.read_text(encoding="utf-8")
             for path in sorted(GITHUB.glob("workflows/*.yml"))}
PINS = {path.name: path.read_text(encoding="utf-8")
        for path in sorted(GITHUB.glob("requirements/*.txt"))}
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
HOME = {"GITHUB_SERVER_URL": "https://git.example", "GITHUB_REPOSITORY": "us/refsvm"}
LINK = re.compile(r"\]\(([^)]*)\)")


def value(key):
    """What a line of pyproject.toml gives a key: tomllib is not in Python 3.9."""
    return re.search(rf"^{re.escape(key)} = (.*)$", PROJECT, re.MULTILINE)[1]


def described(folder, **variables):
    """The metadata that setup.py writes, in an environment that has the variables."""
    pytest.importorskip("setuptools")
    kept = {name: text for name, text in os.environ.items() if not name.startswith("GITHUB_")}
    command = [sys.executable, "setup.py", "-q", "egg_info", "-e", str(folder)]
    subprocess.run(command, cwd=ROOT, env={**kept, **variables}, check=True, capture_output=True)
    return (folder / "refsvm.egg-info" / "PKG-INFO").read_text(encoding="utf-8")


@pytest.mark.slow("a link that leads nowhere from the page of a package index")
def test_no_home_is_invented_and_no_link_left_without_one(tmp_path):
    text = described(tmp_path)
    assert "Project-URL" not in text and "\n![" not in text
    assert [target for target in LINK.findall(text) if not target.startswith("http")] == []
    assert "Author: The refsvm authors\n" in text and "# refsvm\n" in text


@pytest.mark.slow("a link that leads nowhere from the page of a package index")
def test_where_the_home_is_known_links_lead_to_the_files_of_the_commit(tmp_path):
    text = described(tmp_path, **HOME, GITHUB_SHA="0123abc")
    files = "https://git.example/us/refsvm/blob/0123abc/"
    assert "Project-URL: Source, https://git.example/us/refsvm\n" in text
    inside = [target for target in LINK.findall(text) if target.startswith(files)]
    assert inside
    for target in inside + re.findall(r"Project-URL: \w+, (\S+\.md)", text):
        assert (ROOT / target[len(files):].partition("#")[0]).exists(), target


def test_extras_are_what_the_commands_of_the_tests_install():
    assert eval(value("test")) == TOOLS + BUILDERS
    assert eval(value("peers")) == PEERS
    assert eval(value("lint")) == LINTERS
    assert eval(value("docs")) == DOCS


def test_entry_points_are_there():
    scripts = re.findall(r'^refsvm = "([\w.]+):?(\w*)"$', PROJECT, re.MULTILINE)
    assert len(scripts) == 2
    for module, function in scripts:
        assert not function or callable(getattr(import_module(module), function))


def test_the_plugin_of_pytest_loads_nothing_of_refsvm():
    code = "import pytest_refsvm, sys; print([m for m in sys.modules if m.startswith('refsvm')])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def test_the_citation_names_this_version():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r'^version: "?([\w.]+)"?$', text, re.MULTILINE)[1] == refsvm.__version__


def test_programs_that_workflows_and_wheels_call_are_there():
    texts = [PROJECT, *(path.read_text() for path in (ROOT / ".github" / "workflows").iterdir())]
    called = {name for text in texts for name in re.findall(r"\btests/[\w/]+\.py", text)}
    called |= {f"{name}/__main__.py"
               for text in texts for name in re.findall(r"python -m (docs|tests)", text)}
    assert len(called) > 4
    assert [name for name in called if not (ROOT / name).exists()] == []


# ---- what runs where a release is made


def jobs_of(name):
    """The text of each job of a workflow."""
    _, *parts = re.split(r"^  ([\w-]+):$", WORKFLOWS[name].partition("\njobs:\n")[2],
                         flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2]))


@pytest.mark.parametrize("name", WORKFLOWS)
def test_actions_are_named_by_their_commit_and_the_version_is_beside_it(name):
    lines = [line for line in WORKFLOWS[name].splitlines() if "uses:" in line]
    assert lines
    pinned = re.compile(r" +(- )?uses: [\w/-]+@[0-9a-f]{40} # v\d+(\.\d+){2}")
    assert [line for line in lines if not pinned.fullmatch(line)] == []
    versions = {}
    for action, commit, version in re.findall(r"uses: (\S+)@(\w+) # (\S+)", "".join(
            WORKFLOWS.values())):
        assert versions.setdefault(action, (commit, version)) == (commit, version)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_may_read_and_jobs_that_write_need_a_tag_and_an_environment(name):
    head, jobs = WORKFLOWS[name].partition("\njobs:\n")[0], jobs_of(name)
    assert "permissions:\n  contents: read\n" in head and "write" not in head
    assert len(jobs) > 1
    for job in jobs.values():
        if "write" in job:
            assert "if: github.event_name == 'push' && github.ref_type == 'tag'\n" in job
            assert "\n    environment: " in job
            assert "checkout" not in job and "pip " not in job


def test_only_what_publishes_can_prove_where_it_comes_from():
    jobs = jobs_of("release.yml")
    trusted = {name for name, job in jobs.items() if "id-token: write" in job}
    assert trusted == {"publish", "publish-pages"}
    assert "attestations: true" in jobs["publish"]
    assert "secrets." not in "".join(WORKFLOWS.values())


def test_what_builds_a_release_is_pinned_by_hashes():
    for text in PINS.values():
        found = re.findall(
            r"^([^\s#][^\n]*?)( \\\n(?: +--hash=sha256:[0-9a-f]{64}.*\n?)+)?$", text, re.MULTILINE)
        assert found
        assert [line for line, hashes in found if "==" not in line or not hashes] == []
    named = {(name, need) for name, text in PINS.items()
             for need in re.findall(r"^#   (.*)$", text, re.MULTILINE)}
    assert {need for name, need in named if name == "build.txt"} == set(BUILDERS)
    texts = [PROJECT, *WORKFLOWS.values()]
    installs = [line for text in texts for line in re.findall(r"pip install [^\n]*", text)]
    assert installs and all("--require-hashes" in line for line in installs)
    assert "pipx" not in "".join(texts)
    called = {name for text in texts for name in re.findall(r"requirements/(\w+\.txt)", text)}
    assert called == set(PINS)


def test_the_bill_of_a_release_names_each_file_and_what_builds_them(tmp_path):
    (tmp_path / "refsvm.whl").write_bytes(b"")
    command = [sys.executable, GITHUB / "bill_of_materials.py", tmp_path]
    done = subprocess.run(command, env={**os.environ, "SOURCE_DATE_EPOCH": "0"},
                          capture_output=True, text=True)
    bill = json.loads(done.stdout)
    assert bill["metadata"]["component"]["version"] == refsvm.__version__
    assert bill["metadata"]["timestamp"] == "1970-01-01T00:00:00Z"
    file, *builders = bill["components"]
    assert file["name"] == "refsvm.whl" and file["hashes"][0]["content"] == sha256(b"").hexdigest()
    assert {part["name"] for part in builders} == {"cython", "setuptools"}
    assert {part["scope"] for part in builders} == {"excluded"}
