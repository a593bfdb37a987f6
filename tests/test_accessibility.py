"""What axe-core finds on pages of the site, small and large, light and dark: nothing that bars.

The site is the one that `python3 -m docs` made. axe-core comes from npm, one release, and stays
below build/; it is under the MPL-2.0 and no part of the project.
"""

from functools import partial
from http.server import ThreadingHTTPServer
from threading import Thread

import pytest
from profiles import one_in

from docs import npm
from docs.__main__ import ROOT, SITE
from tests.test_play_static import Files
from tests.webdriver import browser

pytestmark = pytest.mark.slow("a page that a keyboard or a screen reader does not reach")
RELEASE = "4.14.1"
SHA512 = "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ=="
PAGES = ["index.html", "spec/course/04-hinge-and-slack.html", "play/index.html", "names/SVC.html",
         "spec/course/09-smo-on-paper.html", "play/slack.html", "play/pair.html", "slides.html",
         "spec/course/teaching.html", "sheet-a4.html"]
SIZES = [(390, 844), (1280, 800)]
WIDTHS = [320, 360, 820, 1311, 1366, 1400, 1920, 2560]  # of windows, in pixels
MADE_OF = ["docs/*.py", "docs/slides/*.*", "docs/static/*", "refsvm/play/assets/*",
           "spec/**/*.md", "spec/course/*.html"]
READY = """return document.readyState === 'complete'
    && (!document.getElementById('value') || document.getElementById('value').textContent)"""
BARS = """return axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations
    .filter((each) => each.impact === 'serious' || each.impact === 'critical')
    .map((each) => [each.id, each.nodes.map((node) => node.target.join(' '))]))"""


@pytest.fixture(scope="module")
def axe():
    """The program that looks at a page."""
    folder = npm.fetch("axe-core", RELEASE, SHA512, ["axe.min.js"])
    return (folder or pytest.skip("npm is not installed, or cannot fetch axe-core")).joinpath(
        "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def site():
    """The address of the site, if there is one that is not older than what it is made of."""
    index = SITE / "index.html"
    if not (SITE / PAGES[2]).exists():
        pytest.skip("there is no site with the page of play: python3 -m docs")
    newest = max(path.stat().st_mtime for glob in MADE_OF for path in ROOT.glob(glob))
    if newest > index.stat().st_mtime:
        pytest.skip("the site is older than what it is made of: python3 -m docs")
    files = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(SITE)))
    Thread(target=files.serve_forever, daemon=True).start()
    with files:
        yield f"http://127.0.0.1:{files.server_port}"
        files.shutdown()


@pytest.fixture(scope="module")
def window():
    with browser() as found:
        yield found


@pytest.mark.parametrize("page", one_in(2, PAGES))
def test_nothing_on_a_page_bars_a_reader(page, axe, site, window):
    for width, height in SIZES:
        for dark in (False, True):
            window.size(width, height, mobile=width < 500)
            window.dark(dark)
            window.go(f"{site}/{page}")
            window.until(READY)
            window.run("document.getElementById('more')?.click()")  # play shows all its panels
            window.run(axe)
            assert window.run(BARS) == [], (width, "dark" if dark else "light")
            assert window.run("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("page", one_in(2, PAGES, 1))
def test_no_page_is_wider_than_its_window(page, site, window):
    wide = []
    for width in WIDTHS:
        window.size(width, 900, mobile=width < 500)
        window.go(f"{site}/{page}")
        window.until(READY)
        found = window.run("return document.documentElement.scrollWidth")
        wide += [(width, found)] if found > width else []
    assert wide == []


def test_what_bars_a_reader_is_found(axe, window):
    window.go("data:text/html,<html lang=en><title>a</title><main><h1>a</h1><img src=a.png>")
    window.run(axe)
    assert window.run(BARS) == [["image-alt", ["img"]]]
