"""The page of play in a browser: mouse, touch, keys, two sizes, dark; a silent console."""

import json
import time
from threading import Thread
from xml.etree import ElementTree

import pytest

from refsvm.play import server as server_of_play
from refsvm.play.answers import answer, reply
from refsvm.play.presets import PRESETS
from refsvm.play.server import PlayServer
from tests.play_shown import (
    ACCEPTED,
    COMPUTING,
    ERROR,
    LATE,
    REFUSAL,
    SETTLED,
    VALUE,
    place,
    put,
    shows_its_proof,
    shows_no_proof,
    unit,
)
from tests.webdriver import browser

pytestmark = pytest.mark.slow("what only a browser shows: pointers, keys, layout")

SIX = "1;k=lin;C=1;p=+1,2;+2,3;+3,3;-2,1;-3,2;-4,5/2"
WIDE, NARROW = (1280, 800), (390, 844)


@pytest.fixture(scope="module")
def window():
    """A window, and a server for it."""
    with browser() as found, PlayServer() as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        found.server = server
        yield found
        server.shutdown()


@pytest.fixture
def page(window):
    """The page with six points; nothing may have been said on the console at the end."""
    window.size(*WIDE)
    window.dark(False)
    show(window, SIX)
    window.said()
    yield window
    assert window.said() == []


def show(page, state):
    """Load a state, and wait for its answer."""
    page.go(f"{page.server.url}#{state}")
    settled(page, state)


def settled(page, state):
    """Wait until the page shows this state, and the numbers that Python has for it."""
    expected = answer({"state": state})
    text = expected.get("value", {"text": "no hard margin"})["text"]
    page.until(SETTLED, expected["link"], text)
    return expected


def click(page, selector):
    page.run("document.querySelector(arguments[0]).click()", selector)


def texts(page, selector):
    return page.run("""return [...document.querySelectorAll(arguments[0])]
        .map((e) => e.textContent)""", selector)


def test_the_first_picture_has_the_numbers_of_the_optimum_and_fits_the_window(page):
    expected = settled(page, SIX)
    cells = [texts(page, f"#rows tr:nth-child({k}) td:nth-of-type(-n+4)") for k in range(1, 7)]
    assert cells == [[cell["text"] for cell in row["cells"]] for row in expected["rows"]]
    assert texts(page, "#facts dd")[0] == "(−6/7, 8/7)"
    root = "document.documentElement"
    assert page.run(f"return [{root}.scrollWidth, {root}.scrollHeight]") == [*WIDE]
    widths = page.run("""return ['primal', 'dual'].map((id) => document.getElementById(id))
        .map((bar) => [...bar.children].reduce((sum, e) => sum + e.offsetWidth, 0))""")
    assert widths[0] == pytest.approx(widths[1], abs=1)


def test_a_finger_drags_a_point_and_does_not_scroll_the_page(page):
    page.size(*NARROW, mobile=True)
    (x, y), size = place(page, 2), unit(page)
    page.pointer("touch", (x, y), "down", (x + 9, y + 9), (x + 0.5 * size, y + size), "up")
    settled(page, SIX.replace("+3,3", "+7/2,2"))
    assert page.run("return scrollY") == 0


def test_a_point_is_dragged_in_eighths_and_the_numbers_move_along(page):
    (x, y), size, kind = place(page, 2), unit(page), "mouse"
    middle = (x + 0.26 * size, y + 0.51 * size)
    page.pointer(kind, (x, y), "down", (x + 9, y + 9), middle)
    moved = answer({"state": SIX.replace("+3,3", "+13/4,5/2")})["value"]["text"]
    page.until(f"{VALUE} === arguments[0]", moved)  # before it is let go
    page.pointer(kind, (x + 0.5 * size, y + size), "up")
    settled(page, SIX.replace("+3,3", "+7/2,2"))
    click(page, "#undo")
    settled(page, SIX)
    assert page.run("return document.getElementById('undo').disabled")


@pytest.fixture
def late(page, monkeypatch):
    """A function: from now on answers take so long; it returns when each was given."""
    def late(seconds):
        ends = []

        def late_reply(text):
            time.sleep(seconds)
            ends.append(time.monotonic())
            return reply(text)

        monkeypatch.setattr(server_of_play, "reply", late_reply)
        return ends

    return late


def test_no_proof_is_shown_beside_a_picture_that_it_is_not_of(page, late):
    shows_its_proof(page)
    given = late(LATE)
    (x, y), size = place(page, 2), unit(page)
    page.pointer("mouse", (x, y), "down", (x + 9, y + 9), (x + 0.26 * size, y + 0.51 * size))
    shows_no_proof(page)  # while the point is held
    page.pointer("mouse", (x + 0.5 * size, y + size), "up")
    shows_no_proof(page)  # dropped
    while not given:
        time.sleep(0.05)
    time.sleep(0.3)
    shows_no_proof(page)  # answered, but of where the point was held
    settled(page, SIX.replace("+3,3", "+7/2,2"))
    shows_its_proof(page)
    assert len(given) == 2


def test_what_is_taken_back_has_its_proof_again(page, late):
    late(1)
    click(page, "#relabel")
    shows_no_proof(page)
    click(page, "#undo")
    shows_its_proof(page)  # the answer is of this picture still


def test_what_a_refused_number_had_overtaken_is_asked_again(page, late):
    late(0.5)
    click(page, "#relabel")
    for number in ("1/3", "one"):  # the second is sent in the place of the first
        put(page, "#chosen-x", number)
    assert "it must be a number" in page.until(REFUSAL, "#chosen-x", "one")
    settled(page, SIX.replace("+1,2", "-1/3,2"))
    page.run("document.getElementById('chosen-x').focus()")
    page.press("Escape")  # what was refused is not typed any more
    assert page.run(ACCEPTED, "#chosen-x", "1/3")
    shows_its_proof(page)


def test_a_link_or_preset_that_is_not_answered_yet_has_no_proof(page, late):
    late(1)
    put(page, "#preset", "3")
    shows_no_proof(page)
    settled(page, PRESETS[3].state)
    shows_its_proof(page)


def test_a_double_click_adds_and_relabels(page):
    (x, y), size = place(page, 0), unit(page)
    free = (x, y - size)
    page.pointer("mouse", free, "down", "up", "down", "up")
    settled(page, SIX + ";+1,3")
    page.pointer("mouse", place(page, 6), "down", "up", "down", "up")
    settled(page, SIX + ";-1,3")
    page.pointer("mouse", free, "down", "up")
    click(page, "#remove")
    settled(page, SIX)


def test_keys_are_for_the_chosen_point_before_anything_is_pressed(page):
    assert page.run("return document.activeElement === document.body")
    page.press("2", "Right")
    settled(page, SIX.replace("+2,3", "+17/8,3"))
    page.press("Control z")
    settled(page, SIX)


def test_keys_are_enough(page):
    for _ in range(9):
        page.press("Tab")
        if page.run("return document.activeElement.closest('#points') !== null"):
            break
    page.press("Right", "Up")
    settled(page, SIX.replace("+1,2", "+9/8,17/8"))
    page.press("Shift Left", "Shift Down", "]", "2", "[", "[", "Left", "Down")
    settled(page, SIX.replace("+1,2", "+0,1"))
    page.press("4", "Space")
    settled(page, SIX.replace("+1,2", "+0,1").replace("-2,1", "+2,1"))
    focused = page.run("return document.activeElement.getAttribute('aria-label')")
    assert focused.startswith("point 4 at 2, 1; class plus 1;") and "margin" in focused
    page.press("Delete", "n")
    assert len(texts(page, "#points .point")) == 6
    page.press("Control z", "Control z", "Control z")
    settled(page, SIX.replace("+1,2", "+0,1"))
    spoken = page.until("return document.getElementById('spoken').textContent")
    assert spoken.startswith("Optimum ") and "Point " in spoken


def test_it_opens_on_one_sentence_and_one_handle(page):
    page.go(page.server.url)
    seen = """return [...document.querySelectorAll('button, select, input, p')]
        .filter((e) => e.checkVisibility() && !e.closest('.hidden')).map((e) => e.id)"""
    assert page.run(seen) == ["", "more", ""]
    assert texts(page, "#points .selected .digit") == ["3"]
    (x, y), size = place(page, 2), unit(page)
    page.pointer("touch", (x, y), "down", (x + 9, y + 9), (x + 0.5 * size, y + size), "up")
    settled(page, SIX.replace("+3,3", "+7/2,2"))
    click(page, "#more")
    assert len(page.run(seen)) > 20


def test_every_control_has_a_name_and_can_be_reached(page):
    nameless = page.run("""return [...document.querySelectorAll('button, input, select')]
        .filter((e) => e.offsetParent && !e.textContent.trim() && !e.getAttribute('aria-label')
          && !(e.labels ?? []).length).map((e) => e.outerHTML)""")
    assert nameless == []
    assert page.run("return document.querySelectorAll('#points [tabindex=\"0\"]').length") == 1


def test_numbers_are_typed_and_what_is_refused_is_taken_back(page):
    put(page, "#chosen-x", "1/3")
    settled(page, SIX.replace("+1,2", "+1/3,2"))
    put(page, "#chosen-x", "one")
    assert "it must be a number" in page.until(REFUSAL, "#chosen-x", "one")
    settled(page, SIX.replace("+1,2", "+1/3,2"))
    put(page, "[data-field=C] .number", "abc")
    assert page.until(REFUSAL, "[data-field=C] .number", "abc").startswith("C is 'abc'")
    assert page.run(ACCEPTED, "#chosen-x", "1/3")
    found = page.until(f"const found = (() => {{ {COMPUTING} }})();"
                       " return found.grey.every((v) => v < 0.5) && found")
    assert set(found["word"]) == {"before the refused number"} and found["saves"] == 0
    assert not found["proof"]
    put(page, "[data-field=C] .number", "∞")
    settled(page, SIX.replace("+1,2", "+1/3,2").replace("C=1", "C=inf"))
    shows_its_proof(page)


def test_machines_kernels_and_steps(page):
    put(page, "#algorithm", "smo")
    settled(page, SIX.replace("p=", "t=smo,0;p="))
    for step in (1, 2, 3, 4):
        click(page, "#on")
        settled(page, SIX.replace("p=", f"t=smo,{step};p="))
    assert texts(page, "#step-told") == ["4 of 4"] and texts(page, "#verdict") == ["primal = dual"]
    assert page.run("return document.querySelectorAll('#points .paired').length") == 2
    runs = "return document.getElementById('run').textContent"
    told = "return document.getElementById('step-told').textContent === arguments[0]"
    put(page, "#speed", "2000")
    page.press("r")
    page.until(told, "0 of 4")  # it begins anew
    assert page.run(runs) == "Pause"
    page.press("r")
    settled(page, SIX.replace("p=", "t=smo,0;p="))
    put(page, "#speed", "100")
    click(page, "#run")
    settled(page, SIX.replace("p=", "t=smo,4;p="))
    assert page.run(runs) == "Run"
    click(page, "#undo")  # all of the run
    settled(page, SIX.replace("p=", "t=smo,0;p="))
    less = {"name": "prefers-reduced-motion", "value": "reduce"}
    page.devtools("Emulation.setEmulatedMedia", features=[less])
    put(page, "#speed", "2000")
    begun = time.monotonic()
    click(page, "#run")
    settled(page, SIX.replace("p=", "t=smo,4;p="))
    assert time.monotonic() - begun < 2
    put(page, "#algorithm", "perceptron")
    settled(page, SIX.replace("p=", "t=perceptron,0;p="))
    assert texts(page, "#verdict")[0] == "" and "none" in texts(page, "#verdict-note")[0]
    put(page, "#algorithm", "")
    for kernel in ("poly,2,1,1", "rbf"):
        put(page, "#kernel", kernel)
        settled(page, SIX.replace("lin", kernel.replace("rbf", "rbf,1/2")))
    for machine in ("svr", "one"):
        put(page, "#machine", machine)
        settled(page, SIX.replace("lin", "rbf,1/2").replace("1;", f"1;m={machine};", 1))


def test_presets_show_their_question(page):
    for k, preset in enumerate(PRESETS[:5]):
        put(page, "#preset", str(k))
        settled(page, preset.state)
        assert texts(page, "#question, #reply") == [preset.question, ""]
    told = "return document.getElementById('question').textContent === arguments[0]"
    click(page, "#remove")
    page.until(told, "")  # it asks for all of its points
    click(page, "#undo")
    page.until(told, preset.question)
    put(page, "#preset", "0")
    settled(page, PRESETS[0].state)
    page.run("document.querySelectorAll('#points .point')[1].focus()")
    page.press("Up")
    page.until(told.replace("question", "reply"), PRESETS[0].reply.text)


def test_a_link_that_is_none_says_so_and_leaves_the_page_at_work(window):
    window.go(f"{window.server.url}#1;k=lin;C=0;p=+1,2")
    told = window.until(ERROR)
    assert "C is '0'" in told
    assert window.run(VALUE) == "92/49" and window.said() == []


def test_what_the_server_refuses_is_shown(page):
    page.server.token, kept = "another", page.server.token
    try:
        click(page, "#relabel")
        assert "load the page anew" in page.until(ERROR)
    finally:
        page.server.token = kept
    page.said()  # the browser tells of the status 403


def test_a_state_of_many_decimals_stays_as_it_is(page):
    state = "1;k=rbf,0.123457;C=0.0000011;p=+1.234567,999.95;-3.4,-999.999999"
    show(page, state)
    assert page.run("return document.getElementById('chosen-x').value") == "1.234567"
    assert not page.run(ERROR)


def test_keys_leave_alone_what_a_finger_holds(page):
    (x, y), size = place(page, 2), unit(page)
    page.pointer("mouse", (x, y), "down", (x + 9, y + 9), (x + 0.5 * size, y))
    page.press("Delete", "Left", "Control z", "n")
    page.pointer("mouse", (x + 0.5 * size, y + size), "up")
    settled(page, SIX.replace("+3,3", "+7/2,2"))
    page.press("Delete")
    settled(page, SIX.replace(";+3,3", ""))


def test_a_new_point_has_a_place_at_the_edge_of_what_is_allowed(page):
    edge = "1;k=lin;C=1;p=+1000,0;+1000,1;+1000,1/2"
    linked = "return location.hash.slice(1) === arguments[0]"
    page.go(f"{page.server.url}#{edge}")
    page.until("return document.querySelectorAll('#points .point').length === 3")
    page.until(linked, edge)
    click(page, "#add")
    page.until(linked, f"{edge};+3999/4,1/2")


@pytest.mark.parametrize("state, night", [
    (SIX, False), (SIX.replace("C=1", "C=1/1048576"), False), (PRESETS[13].state, True),
    (PRESETS[15].state, True), (PRESETS[18].state, False)])
def test_on_a_telephone_nothing_is_wider_than_the_window(page, state, night):
    page.size(*NARROW, mobile=True)
    page.dark(night)
    show(page, state)
    wider = page.run("""return [...document.querySelectorAll('header *, main *')].filter((e) =>
        !e.closest('svg, .scroll, pre, .hidden')
        && e.getBoundingClientRect().right > innerWidth + 1)
        .map((e) => e.outerHTML.slice(0, 90))""")
    assert wider == [] and page.run("return document.documentElement.scrollWidth") == NARROW[0]
    ends = page.run("""return [...document.querySelectorAll('#offset, #offset text')]
        .map((e) => e.getBoundingClientRect()).map((b) => [b.left, b.right, b.top])""")
    (left, right, _), *texts_of_ends = ends
    assert all(left - 1 <= a and b <= right + 1 for a, b, _ in texts_of_ends)
    assert all(b < c or top != below for (_, b, top), (c, _, below)
               in zip(texts_of_ends, texts_of_ends[1:]))
    small = page.run("""return [...document.querySelectorAll('button, select')].filter((e) =>
        e.offsetParent && e.getBoundingClientRect().height < 43).map((e) => e.id)""")
    assert small == []
    paper = page.run("return getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(20, 24, 28)") is night


def test_the_picture_is_saved_whole_and_the_program_is_that_of_python(page):
    saved = page.run("""return import('./saving.js').then(({ pictureOf }) =>
        pictureOf(document.getElementById('plane'), 'x'))""")
    root = ElementTree.fromstring(saved)
    assert len(list(root.iter("{http://www.w3.org/2000/svg}circle"))) >= 6
    assert " class=" not in saved and " style=" not in saved and "http" not in saved.replace(
        "http://www.w3.org/2000/svg", "")
    assert texts(page, "#program") == [answer({"state": SIX})["program"]]


def test_answers_that_come_late_are_dropped(page):
    """Three questions at once: the first and the last are asked, and the last is shown."""
    numbers = page.run("""return import('./engine.js').then(({ Engine }) => new Promise((done) => {
        const asked = [], told = [];
        const engine = new Engine({ engine: 'server', token: '' }, (a, ms, isLatest) => {
          told.push([a.number, isLatest]);
          if (engine.idle) done([asked, told]);
        }, done);
        engine.send = (text) => new Promise((go) => {
          asked.push(JSON.parse(text).number);
          setTimeout(() => go(text), 20);
        });
        engine.ask({}); engine.ask({}); engine.ask({});
        setTimeout(() => done([asked, told]), 300);
    }))""")
    assert json.loads(json.dumps(numbers)) == [[1, 3], [[1, False], [3, True]]]
