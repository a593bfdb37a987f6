"""What the page of play shows in a browser: where its points are, and whether it has its proof."""

VALUE = "return document.getElementById('value').textContent"
SETTLED = f"{VALUE} === arguments[1] && location.hash.slice(1) === arguments[0]"
LATE = 5  # seconds that a slow answer takes
COMPUTING = """const all = (selector) => [...document.querySelectorAll(selector)];
    const shown = (e) => e.checkVisibility({ visibilityProperty: true });
    return {
      word: all('.computing-note').filter(shown).map((e) => e.textContent),
      proof: all('#verdict').some(shown),
      grey: all('.answer').filter(shown).filter((e) => !e.matches('.near #plane *'))
        .map((e) => Number(getComputedStyle(e).opacity)),
      told: all('#chosen-told, #points .point')
        .map((e) => e.textContent + (e.getAttribute('aria-label') ?? '')),
      saves: all('#save-svg, #save-python').filter((e) => !e.disabled).length };"""

REFUSAL = """const e = document.querySelector(arguments[0]);
    return e.value === arguments[1] && e.getAttribute('aria-invalid') === 'true'
      && document.getElementById(e.getAttribute('aria-describedby')).textContent"""
ACCEPTED = """const e = document.querySelector(arguments[0]);
    return e.value === arguments[1] && !e.hasAttribute('aria-invalid')"""
ERROR = "const e = document.getElementById('error'); return !e.hidden && e.textContent"


def place(page, index):
    """Where a point is, in pixels of the window."""
    return page.run("""const shape = document.querySelectorAll('#points .shape')[arguments[0]];
        const b = shape.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]""",
        index)


def unit(page):
    """Pixels a unit: from point 1 at 1, 2 to point 2 at 2, 3."""
    return place(page, 1)[0] - place(page, 0)[0]


def put(page, selector, value):
    """Choose, or type, a value."""
    page.run("""const e = document.querySelector(arguments[0]); e.value = arguments[1];
        e.dispatchEvent(new Event('change', { bubbles: true }))""", selector, value)


def shows_no_proof(page):
    """Check that what an answer says is grey, and computing stands where the proof was."""
    found = page.until(f"const found = (() => {{ {COMPUTING} }})();"
                       " return found.grey.every((v) => v < 0.5) && found")
    assert set(found["word"]) == {"computing"} and not found["proof"] and found["saves"] == 0
    assert len(found["grey"]) > 7 and all("computing" in words for words in found["told"])


def shows_its_proof(page):
    """Check the same of an answer that belongs to the picture."""
    found = page.until(f"const found = (() => {{ {COMPUTING} }})();"
                       " return found.grey.every((v) => v === 1) && found")
    assert found["word"] == [] and found["proof"] and found["saves"] == 2
    assert not any("computing" in words for words in found["told"])
