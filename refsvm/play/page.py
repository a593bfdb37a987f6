"""The page as texts: its HTML with style, presets and the first answer in it, and its scripts.

The first answer stands in the HTML, so it is drawn before any question is asked.
"""

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files as resources

from .answers import answer
from .presets import PRESETS
from .states import parse_state

SCRIPT = "text/javascript; charset=utf-8"
SCRIPT_NAMES = (
    "main.js",
    "play.js",
    "bars.js",
    "boxes.js",
    "engine.js",
    "state.js",
    "plane.js",
    "panels.js",
    "pointing.js",
    "running.js",
    "saving.js",
    "trial.js",
)
OF_SMALL = ("play.js", "bars.js", "engine.js", "state.js", "plane.js", "pointing.js")
WITHOUT_SERVER = ("worker.js", "quick.js", "areas.js", "small.js")
PLANE_WIDTHS = 1.2  # half the width of a plane, in widths of what the points take


def index(state=None, token="", engine="server", scripts=()):
    """Return the page, in bytes, with the optimum of a state, or of the first preset, in it.

    With the engine "worker" nothing answers until Python has started in the browser: then its
    policy is in the page, which a server would send, and scripts are those of quick.js, which
    draws until then.
    """
    worker = engine == "worker"
    data = {
        "first": seen_whole(PRESETS[0].state if state is None else state),
        "presets": [[p.name, p.state, p.question] for p in PRESETS],
        "answers": {},
        "token": token,
        "engine": engine,
        "scripts": scripts,
    }
    parts = {
        "policy": _meta_of_policy() if worker else "",
        "style": read_script("play.css"),
        "preload": _preloaded(SCRIPT_NAMES[1:]),
        "options": _preset_options(),
        "data": _in_script(data),
    }
    return filled("index.html", parts)


def small(sentence, handles, numbers, answers, scripts=(), beside="", steps=()):
    """Return a small picture for a page of text, in bytes; Python is to run in the browser.

    sentence    what it opens on         handles    places of the points that may be moved
    numbers     names of what is shown, "bars" among them: facts, columns, parts of the value
    answers     {state: answer}, of which the first is seen at the beginning
    beside      the name of the column that is written beside points, where it is not 0
    steps       of a scene: [sentence, answer], from the first to the last
    """
    of_page = {
        "handles": handles,
        "numbers": [name for name in numbers if name != "bars"],
        "hasBars": "bars" in numbers,
        "beside": beside,
        "steps": steps,
    }
    first = next(iter(answers.values())) if answers else steps[0][1]
    data = {"first": first, "presets": [], "answers": answers, "engine": "worker"}
    data["scripts"] = scripts
    parts = {
        "policy": _meta_of_policy(),
        "style": read_script("play.css"),
        "title": escape(sentence),
        "sentence": escape(sentence),
        "preload": _preloaded(OF_SMALL),
        "data": _in_script({**data, "small": of_page}),
    }
    return filled("small.html", parts)


def answers_to_presets():
    """Return the answers to all presets as JSON, which are wanted before Python is there."""
    return json.dumps({p.state: seen_whole(p.state) for p in PRESETS}, ensure_ascii=False)


def filled(name, parts):
    """Return the page with these parts filled in, as bytes."""
    text = read_script(name)
    for part, value in parts.items():  # the data last, as nothing in them is to be replaced
        text = text.replace("{{" + part + "}}", value)
    return text.encode()


def _preloaded(names):
    """Return the links by which scripts are fetched before another asks for them."""
    return "\n".join(f'<link rel="modulepreload" href="{name}">' for name in names)


def _meta_of_policy():
    """Return the policy of a page that no server sends."""
    return f'<meta http-equiv="Content-Security-Policy" content="{policy_of(worker=True)}">'


def policy_of(worker=False):
    """Return what the page may load and run, for the header of a server or the page itself.

    The style stands in the page, so that nothing is waited for before it is painted; the policy
    has its digest.
    """
    style = b64encode(sha256(read_script("play.css").encode()).digest()).decode()
    rules = {
        "default-src": "'none'",
        "script-src": "'self' 'wasm-unsafe-eval'" if worker else "'self'",
        "connect-src": "'self'",
        "style-src": f"'sha256-{style}'",
        "img-src": "'self' data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        **({"worker-src": "'self'"} if worker else {"frame-ancestors": "'none'"}),
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def seen_whole(state, room=PLANE_WIDTHS):
    """Return the answer to a state, drawn on a plane in which all points lie well inside."""
    return answer({"state": state, "plane": plane_around(state, room)})


def plane_around(state, room):
    """Return [left, right, bottom, top] of a plane in which all points of a state lie."""
    points = parse_state(state).points
    ends = [(min(v, default=0), max(v, default=0)) for v in zip(*(p[1:] for p in points))]
    (left, right), (bottom, top) = ends or [(0, 0), (0, 0)]
    half = room * max(4.0, float(right - left), float(top - bottom))
    u, v = float(left + right) / 2, float(bottom + top) / 2
    return [u - half, u + half, v - half, v + half]


def _preset_options():
    """Return the presets as the options of a list."""
    return "".join(f'<option value="{k}">{escape(p.name)}' for k, p in enumerate(PRESETS))


def _in_script(data):
    """Return data as JSON that may stand in a script element."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def files():
    """Return {path: (type, bytes)} of the scripts that the page loads."""
    return {f"/{name}": (SCRIPT, read_script(name).encode()) for name in SCRIPT_NAMES}


def read_script(name):
    """Return the text of a file of the page."""
    return (resources(__package__) / "assets" / name).read_text("utf-8")
