"""What an installer and an index of packages learn about refsvm."""

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import refsvm
from docs.__main__ import TOOLS as DOCS
from tests.__main__ import BUILDERS, PEERS, TOOLS
from tests.lint import LINTERS

ROOT = Path(__file__).resolve().parent.parent
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
