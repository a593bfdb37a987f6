"""Code that runs on the pages of the course: what the build adds to them, and beside them.

A chapter gets a script (docs/static/run.js), which finds its sessions and its exercises; an
exercise gets a place that a link can name, as #exercise-9.1, and each function that is to be
written, as #exercise-segment. Python comes when a button is first pressed: the engine and the
modules of play, and a second archive with what the course needs besides.
"""

import json
import re
from pathlib import Path

from docs.notebooks import FENCE, chapters
from docs.play import ROOT, WITHOUT, zip_files
from refsvm.conformance.cases import FILES, machines
from refsvm.exercises.catalogue import EXERCISES
from refsvm.exercises.exercise import EXACT_NOTE

BEGIN = "\n## Exercises\n"
NUMBERED = re.compile(r"^\*\*(\d+)\.\*\*", re.MULTILINE)
NAMED = re.compile(r"`(\w+)`")
LINKED = re.compile(r"\[(\w+)\]\(([\w-]+)\.md#exercises\)")  # on another page of the course
SCRIPT = """
<link rel="stylesheet" href="../../_static/run.css">
<script type="module" src="../../_static/run.js"></script>
"""


def for_running(text, with_play=False):
    """Return the text of a chapter with its exercises marked, and its script.

    In other pages a link with the name of an exercise leads to its place.

    with_play : Python is on the site; without it nothing runs, and the places alone are there
    """
    chapter = re.match(r"# (\d+)\. ", text)
    if not chapter:
        return LINKED.sub(r"[\1](place:\2.html#exercise-\1)", text)
    before, begin, after = text.partition(BEGIN)
    place = rf'<a class="exercise" id="exercise-{chapter[1]}.\1" href="#exercise-{chapter[1]}.\1">'
    after = marked(NUMBERED.sub(rf"{place}**\1.**</a>", after))
    return before + begin + after + (SCRIPT if with_play else "")


def marked(text):
    """Return the text of exercises, with the place of each function where it is first named."""
    seen = set()

    def mark(match):
        name = match[1]
        if name not in EXERCISES or name in seen:
            return match[0]
        seen.add(name)
        place = f'id="exercise-{name}" href="#exercise-{name}" data-exercise="{name}"'
        return f'<a class="exercise" {place}><code class="docutils literal">{name}</code></a>'

    return NAMED.sub(mark, text)


def blocks_lost(site: Path) -> "list[str]":
    """Return a line for each chapter of the site in which the script misses a session."""
    lost = []
    for path in chapters():
        written = len(FENCE.findall(path.read_text("utf-8")))
        page = (site / "spec" / "course" / path.name).with_suffix(".html")
        told = page.read_text("utf-8").count('<div class="highlight-pycon ')
        if told != written:
            lost.append(f"{page.name} shows {told} sessions of {written}")
    return lost


def make(site: Path) -> None:
    """Write what the scripts of chapters ask for beside the page of play."""
    zip_files(site / "course.zip", needed())
    tasks = {
        each.name: {"text": each.function_text(), "note": "" if each.check else EXACT_NOTE}
        for each in EXERCISES.values()
    }
    text = json.dumps(tasks, ensure_ascii=False)
    (site / "exercises.json").write_text(text, encoding="utf-8")


def needed() -> "list[Path]":
    """Return what the course needs and play does not: modules, tables, the cases of the audit."""
    modules = [path for name in WITHOUT for path in (ROOT / "refsvm" / name).rglob("*.py")]
    cases = [ROOT / "spec" / "vectors" / f"{name}.json" for name in (*FILES, machines.FILE)]
    tables = (ROOT / "refsvm" / "data").glob("*.csv")
    return [*modules, *tables, *cases, ROOT / "docs" / "run_blocks.py"]
