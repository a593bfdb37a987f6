"""The page as texts: its HTML with the presets and the first answer in it, its style, its scripts.

The first answer stands in the HTML, so it is drawn before any question is asked.
"""

import json
from html import escape
from importlib.resources import files as resources

from .answers import answer
from .presets import PRESETS

TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
NAMES = (
    "play.css",
    "main.js",
    "engine.js",
    "state.js",
    "plane.js",
    "panels.js",
    "pointing.js",
    "saving.js",
)
ROOM = 0.9  # how much of the plane the points take


def index(state=None, token="", engine="server"):
    """Return the page, in bytes, with the optimum of a state, or of the first preset, in it."""
    first = answer({"state": PRESETS[0].state if state is None else state})
    data = {
        "first": first,
        "presets": [[p.name, p.state, p.question] for p in PRESETS],
        "token": token,
        "engine": engine,
    }
    text = read("index.html")
    for name, value in (("options", options()), ("data", in_script(data))):
        text = text.replace("{{" + name + "}}", value)
    return text.encode()


def options():
    """Return the presets as the options of a list."""
    return "".join(f'<option value="{k}">{escape(p.name)}' for k, p in enumerate(PRESETS))


def in_script(data):
    """Return data as JSON that may stand in a script element."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def files():
    """Return {path: (type, bytes)} of what the page loads."""
    return {f"/{name}": (TYPES[name[name.rindex(".") :]], read(name).encode()) for name in NAMES}


def read(name):
    """Return the text of a file of the page."""
    return (resources(__package__) / "assets" / name).read_text("utf-8")
