"""The pages of the pictures that move, in a browser: before Python has started, and after."""

import time

import pytest
from profiles import one_in

from docs.measure import Counting, opened_bytes, seconds_until_it_moves, serving
from docs.moving import MOVING, shown
from docs.play import fetch, make
from docs.scenes import answer_at
from refsvm.play.answers import answer
from tests.play_shown import place
from tests.webdriver import browser

pytestmark = pytest.mark.slow("what only a browser shows: pointers, keys, what is loaded")

LATE = 3  # seconds
LIGHT = 100_000  # bytes of a page in a frame; with the chapter around it less than 300,000
LOADED = "return performance.getEntriesByType('resource').map((e) => e.name)"
NOTE = "return document.getElementById('note').textContent"
STATE = "return document.getElementById('open').hash.slice(1)"
STILL = "return !document.body.matches('.computing') && document.getElementById('open').hash"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    engine = fetch() or pytest.skip("npm is not installed, or cannot fetch Pyodide")
    folder = tmp_path_factory.mktemp("site")
    make(folder / "play", engine)
    with serving(folder) as server:
        yield server


@pytest.fixture(scope="module")
def window():
    with browser() as found:
        yield found


@pytest.fixture
def page(window):
    """A window of the size that a frame has; nothing may have been said at the end."""
    window.size(840, 494)
    window.devtools("Network.clearBrowserCache")
    window.said()
    yield window
    assert [words for words in window.said() if "favicon" not in words] == []


@pytest.fixture
def late(monkeypatch):
    """Python comes late, as from far away."""
    get = Counting.do_GET

    def get_late(self):
        time.sleep(LATE if self.path.endswith(".bin") else 0)
        get(self)

    monkeypatch.setattr(Counting, "do_GET", get_late)


@pytest.mark.parametrize("name", one_in(3, [*MOVING]))
def test_a_picture_moves_at_once_and_python_comes_when_it_is_touched(page, site, late, name):
    path = f"play/{name}.html"
    assert opened_bytes(page, site, path) < LIGHT
    assert not any("pyodide" in each or "port/" in each for each in page.run(LOADED))
    moved, exact = seconds_until_it_moves(page, site, path)
    told = answer({"state": page.run(STATE)})
    note = page.run(NOTE)
    if not told.get("watch"):
        assert moved < exact - LATE / 2
    if told["status"] == "infeasible":
        assert note == told["told"]
    elif not told.get("watch"):
        assert note == f"Exact: primal = dual = {told['value']['text']}."
    else:
        assert note.startswith("Step 1 of ")
    assert {each.split("/")[2] for each in page.run(LOADED)} == {site.url.split("/")[2]}


def opened(page, site, name):
    page.go(f"{site.url}/play/{name}.html")
    page.until("return document.querySelectorAll('#points .shape').length > 0")


def test_a_finger_moves_a_handle_up_and_down_and_nothing_else(page, site):
    opened(page, site, "slack")
    first = page.run(STATE)
    (x, y) = place(page, 0)  # no handle
    page.pointer("touch", (x, y), "down", (x, y - 9), (x, y - 40), "up")
    assert page.run(STATE) == first
    (x, y) = place(page, 4)
    page.pointer("touch", (x, y), "down", (x, y - 9), (x, y - 60), "up")
    moved = page.run(STATE)
    assert moved != first and moved.count(";") == first.count(";")
    page.until(STILL, seconds=60)
    page.run("document.getElementById('back').click()")
    page.until(f"{STILL} === arguments[0]", f"#{first}")
    assert page.run(NOTE).endswith("= 2113/1156.")


def test_keys_reach_the_handles_and_move_them(page, site):
    opened(page, site, "street")
    page.press("Tab")
    label = "return document.activeElement.getAttribute('aria-label')"
    assert page.run(label).startswith("point 1 ")
    page.press("Tab")
    assert page.run(label).startswith("point 2 ")
    page.press("Left", "Shift Down", "Delete", "n", "Space")
    assert page.run(STATE) == "1;k=lin;C=inf;p=+2,2;+23/8,2;+2,3;--2,-2;--3,-2"
    page.press("4", "Right", "3")  # which is no handle
    assert page.run(STATE).endswith("--15/8,-2;--3,-2")
    page.until(STILL, seconds=60)
    assert page.run("return document.querySelector('.beside').textContent").startswith("α = ")


def test_steps_are_taken_before_python_has_started(page, site):
    opened(page, site, "pegasos")
    for step in (1, 2, 3):
        page.run("document.getElementById('next').click()")
        page.until(f"{NOTE}.startsWith(arguments[0])", f"Step {step} of 140")


@pytest.mark.parametrize("name", [name for name, told in shown().items() if told.steps])
def test_a_scene_goes_on_by_keys_tells_each_step_and_goes_back(page, site, late, name):
    state, steps = shown()[name]
    opened(page, site, name)
    where = "return document.getElementById('sentence').textContent"
    height = "return document.getElementById('plane').getBoundingClientRect().height"
    assert page.run("return document.getElementById('back').ariaDisabled") == "true"
    assert page.run("return document.getElementById('sentence').ariaLive") == "polite"
    high = page.run(height)
    page.run("document.getElementById('next').focus()")
    for k, step in enumerate(steps):
        assert page.run(where) == step.unbroken()
        page.until(STILL)
        link = answer_at(state, step, 1.6)["link"]
        page.until("return document.getElementById('open').hash === arguments[0]", f"#{link}")
        assert page.run("return document.getElementById('place').textContent") == (
            f"{k + 1} of {len(steps)}")
        assert page.run(height) == high
        page.press("Enter")
    assert page.run(where) == steps[0].unbroken()
    page.press("Enter")
    page.run("document.getElementById('back').click()")
    assert page.run(where) == steps[0].unbroken()
    assert not any("pyodide" in each for each in page.run(LOADED))  # nor is Python wanted


def test_points_jump_to_the_next_step_where_less_motion_is_wanted(page, site):
    moved = "return document.querySelector('#points .point').getAttribute('transform')"
    for reduced in (True, False):
        page.devtools("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced else "no-preference"}])
        opened(page, site, "street")
        page.run("document.body.dispatchEvent(new PointerEvent('pointerenter'))")
        page.until(LOADED + ".filter((each) => each.endsWith('smo.mjs')).length")
        seen = page.run("""const next = document.getElementById('next'), seen = new Set();
            for (let k = 0; k < 3; k += 1) next.click();
            return new Promise((done) => { const begun = performance.now(); (function look(now) {
                seen.add(document.querySelector('#points .point').getAttribute('transform'));
                if (now - begun < 1000) requestAnimationFrame(look); else done([...seen]);
            })(begun); })""")
        assert (len(seen) <= 2) == reduced, (seen, page.run(moved))
