"""The chapters in a browser: their blocks run, and their exercises are judged on the page."""

import json
import shutil
from functools import partial
from html import escape
from http.server import ThreadingHTTPServer
from threading import Thread

import pytest

from docs import play, run
from docs.notebooks import FENCE, chapters
from tests.profiles import one_in
from tests.test_play_static import Files, engine, run_in_node  # noqa: F401
from tests.webdriver import browser

pytestmark = pytest.mark.slow("a block that differs in WebAssembly, a page that does not run it")
BUTTON = """const place = document.querySelectorAll('.run-bar')[arguments[0]];
    const found = [...place.querySelectorAll('button')].find((b) => b.textContent === arguments[1]
        && !b.hidden);"""
PRESS = BUTTON + "document.querySelector('.run-spoken').textContent = ''; found.click()"
SPOKEN = "return document.querySelector('.run-spoken').textContent"
TOLD = "return [...document.querySelectorAll('.run-bar > span')].map((e) => e.textContent)"
OUTPUT = """return [...document.querySelectorAll('.run-output')].filter((e) => !e.hidden)
    .map((e) => e.textContent)"""
ROWS = "return [...document.querySelectorAll('tr')].map((e) => e.textContent)"
TYPE = """const field = document.querySelectorAll('textarea')[arguments[0]];
    field.value = field.value.replace(arguments[1], arguments[2]);
    field.dispatchEvent(new Event('input'))"""


def page_of(chapter):
    """A page as Sphinx makes it of a chapter, as far as the scripts look at it."""
    parts = FENCE.split(run.for_running(chapter.read_text("utf-8"), with_play=True))
    shown = [f'<div class="highlight-pycon "><pre>{escape(each)}</pre></div>' if k % 2
             else "".join(f"<p>{text}</p>" for text in each.split("\n\n"))
             for k, each in enumerate(parts)]
    return f"<!doctype html><meta charset=utf-8><article>{''.join(shown)}</article>"


@pytest.fixture(scope="module")
def site(engine, tmp_path_factory):  # noqa: F811
    """The address of a site that has the chapters alone, and Python."""
    folder = tmp_path_factory.mktemp("site")
    play.make(folder / "play", engine)
    run.make(folder / "play")
    shutil.copytree(play.ROOT / "docs" / "static", folder / "_static")
    (folder / "spec" / "course").mkdir(parents=True)
    for chapter in chapters():
        page = folder / "spec" / "course" / f"{chapter.name[:2]}.html"
        page.write_text(page_of(chapter), encoding="utf-8")
    files = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(folder)))
    Thread(target=files.serve_forever, daemon=True).start()
    with files:
        yield f"http://127.0.0.1:{files.server_port}"
        files.shutdown()


def pressed(page, bar, button):
    """Press a button, and wait for what is said."""
    page.run(PRESS, bar, button)
    return page.until(SPOKEN, seconds=60)


def loaded(page):
    return page.run("return performance.getEntriesByType('resource').map((e) => e.name)")


@pytest.fixture
def page(site):
    with browser() as found:
        found.go(f"{site}/spec/course/09.html")
        yield found


def test_blocks_run_in_order_and_a_change_is_seen(page, site):
    assert not any("pyodide" in name or ".zip" in name for name in loaded(page))
    count = len(FENCE.findall(chapters()[8].read_text("utf-8")))
    assert pressed(page, 2, "Run") == "block 3: as printed"
    assert page.run(TOLD) == ["as printed"] * 3 + [""] * (count - 3)
    assert pressed(page, 0, "Run all") == f"block {count}: as printed"
    assert page.run(TOLD) == ["as printed"] * count and page.run(OUTPUT) == []
    assert {name.split("/")[2] for name in loaded(page)} == {site.split("/")[2]}

    page.run(PRESS, 1, "Edit")
    page.press("Control Enter")  # unchanged: the code without its prompts
    assert page.until(SPOKEN) == "block 2: as printed"
    page.run(TYPE, 0, "range(6)", "range(5)")
    assert page.run(TOLD)[1] == ""  # what was said is of the code before
    page.run(TYPE, 0, "print", "1 if [] else print")
    assert pressed(page, 1, "Run") == "block 2: not as printed: − the page, + here"
    assert page.run(OUTPUT) == ["− 0 2/5 2/5 0 0 0\n+ 0 2/5 2/5 0 0\n"]
    page.run(TYPE, 0, "range(5)", "range(-1 // 0)")
    assert page.run(OUTPUT) == [] and page.run(TOLD)[1] == ""
    assert pressed(page, 2, "Run") == "block 3: as printed"  # the change has run before it
    assert page.run(OUTPUT) == ["− 0 2/5 2/5 0 0 0\n+ ZeroDivisionError: division by zero\n"]
    page.run(PRESS, 1, "Reset")
    assert page.run(OUTPUT) == [] and page.run(TOLD)[1] == ""
    assert pressed(page, 1, "Run") == "block 2: as printed"
    assert [words for words in page.said() if "favicon" not in words] == []


def test_a_loop_without_end_is_stopped(page):
    page.run(PRESS, 1, "Edit")
    page.run(TYPE, 0, "print", "while True: pass\nprint")
    page.run(PRESS, 1, "Run")
    page.until("return document.querySelector('.run-bar > span').textContent === 'as printed'",
               seconds=60)
    assert "stopped" in pressed(page, 1, "Stop")
    page.run(PRESS, 1, "Reset")
    assert pressed(page, 1, "Run") == "block 2: as printed"
    assert page.run(TOLD)[0] == "as printed"


def test_an_exercise_is_written_on_the_page_and_kept(page, site):
    page.go(f"{site}/spec/course/09.html#exercise-segment")
    field = "return document.querySelector('textarea')?.value"
    assert page.until(field).startswith("def segment(alpha_i, alpha_j, y_i, y_j, C):\n")
    last = "return document.querySelectorAll('.run-bar').length - 1"
    bar = page.run(last)
    assert pressed(page, bar, "Check") == "segment: segment: its body is still missing"
    page.run(TYPE, 0, "raise NotImplementedError", "return 0, C")
    assert pressed(page, bar, "Check") == "segment: segment is wrong for"
    assert page.run(ROWS) == [
        "alpha_i0", "alpha_j1", "y_i1", "y_j1", "C3", "expected(0, 1)", "yours(0, 3)"
    ]
    page.run(TYPE, 0, "return 0, C", """if y_i == y_j: return (
        max(0, alpha_i + alpha_j - C), min(C, alpha_i + alpha_j))
    return max(0, alpha_j - alpha_i), min(C, C + alpha_j - alpha_i)""")
    assert page.run(ROWS) == [] and page.run(TOLD)[-1] == ""  # they were of the code before
    assert "segment is right for all" in pressed(page, bar, "Check")
    page.run(PRESS, bar, "Check")
    page.run(TYPE, 0, "min(C, C", "min(0, C")
    assert page.until(SPOKEN) == "segment: changed meanwhile; press Check again"
    page.run(TYPE, 0, "min(0, C", "min(C, C")
    page.go(f"{site}/spec/course/09.html#exercise-segment")
    assert "max(0, alpha_j - alpha_i)" in page.until(field)
    page.run(PRESS, bar, "Reset")
    assert page.run(field).endswith("raise NotImplementedError\n")


def test_an_exercise_opens_where_the_browser_keeps_nothing(page, site):
    denied = "Object.defineProperty(window, 'localStorage', { get() { throw new Error() } })"
    script = page.devtools("Page.addScriptToEvaluateOnNewDocument", source=denied)
    try:
        page.go(f"{site}/spec/course/09.html#exercise-segment")
        field = "return document.querySelector('textarea')?.value"
        assert page.until(field).startswith("def segment")
        page.run(TYPE, 0, "raise NotImplementedError", "return 0, C")
        assert page.run(field).endswith("return 0, C\n")
    finally:
        page.devtools("Page.removeScriptToEvaluateOnNewDocument", **script)


def test_every_block_of_the_course_prints_in_webassembly_what_its_page_says(
    engine, tmp_path  # noqa: F811
):
    play.zip_modules(tmp_path / "refsvm.zip", play.WITHOUT)
    run.make(tmp_path)
    chosen = chapters() if one_in(2, [0], 1) else chapters()[:-1]  # the last takes half a minute
    blocks = {path.stem: FENCE.findall(path.read_text("utf-8")) for path in chosen}
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "blocks").write_text(json.dumps(blocks), encoding="utf-8")
    out = run_in_node(engine, tmp_path, """
import json
from docs.run_blocks import run
chapters, found = json.load(open("/out/blocks")), []
for name, blocks in chapters.items():
    names = {"__name__": "__main__"}
    found += [[name, block, told] for block in blocks
              for told in [run(block, None, names)] if not told["same"]]
json.dump(found, open("/out/found", "w"))
""")
    assert json.loads((out / "found").read_text()) == []
