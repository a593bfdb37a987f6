"""Measure the site as a stranger meets it:  python3 -m docs.measure  (after python3 -m docs)

For the page of play, and for each chapter with a picture that moves: how many bytes come when it
is opened, and how many at the first touch before Python does; how long it takes from opening with
an empty cache until the picture has followed a dragged point, or a step; and until its numbers
are exact, also while two other programs compute. It needs Chromium and its driver.
"""

import os
import sys
import time
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import Process
from pathlib import Path
from threading import Thread

from docs.moving import MOVING, PICTURE
from tests.webdriver import browser

ROOT = Path(__file__).resolve().parent.parent
OF_PYTHON = ("/pyodide/", ".zip", ".bin")  # in the addresses of what Python is made of
IN = """const frame = document.querySelector('iframe[title^="A picture"]');
    const d = frame ? frame.contentDocument : document;
    const still = (e) => !d.body.matches('.computing') || d.body.matches('.near'); """
READY = IN + "return d?.querySelectorAll('#points .shape').length > 0"
SHOWN = IN + "frame?.scrollIntoView({ block: 'center', behavior: 'instant' })"
CHOSEN = (
    IN
    + """const b = d.querySelector('#points .selected .shape').getBoundingClientRect();
    const f = frame?.getBoundingClientRect() ?? { x: 0, y: 0 };
    return [f.x + b.x + b.width / 2, f.y + b.y + b.height / 2]"""
)
NEXT = (
    IN
    + """const b = d.getElementById('next'); if (b?.hidden !== false) return false;
    if (!b.textContent.endsWith('step')) return false;  // a scene, whose points are dragged
    b.click(); return true"""
)
STEPPED = IN + "return d.getElementById('note').textContent.startsWith('Step 1 ') && still()"
MOVED = (
    IN
    + """return still() && d.querySelector('#points .selected').getAttribute('transform')
    !== arguments[0]"""
)
PLACE = IN + "return d.querySelector('#points .selected').getAttribute('transform')"
EXACT = IN + "return !d.body.matches('.computing')"


class Counting(SimpleHTTPRequestHandler):
    """A server of files that counts the bytes which it sends, without those of Python."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript",
                      ".js": "text/javascript", ".wasm": "application/wasm"}  # fmt: skip

    def copyfile(self, source, outputfile):
        """Send a file."""
        data = source.read()
        if not any(part in self.path for part in OF_PYTHON):
            self.server.sent += len(data)
        outputfile.write(data)

    def log_message(self, *words):
        """Say nothing."""

    def handle(self):
        """Answer; who goes on to another page waits for nothing."""
        with suppress(ConnectionError):
            super().handle()


@contextmanager
def serving(folder):
    """A server of the files in a folder; its address, and how many bytes it has sent."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Counting, directory=str(folder)))
    server.sent, server.url = 0, f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def busy(programs):
    """So many other programs that compute all the time."""
    running = [Process(target=spin, daemon=True) for _ in range(programs)]
    for each in running:
        each.start()
    try:
        yield
    finally:
        for each in running:
            each.kill()


def spin():
    """Compute until the end."""
    while True:
        pass


def opened_bytes(page, server, path):
    """The bytes of opening a page, without Python's, until nothing more comes."""
    page.go("about:blank")
    page.pointer("mouse", (1, 1))  # not over the picture
    page.devtools("Network.clearBrowserCache")
    until_silent(server)
    server.sent = 0
    page.go(f"{server.url}/{path}")
    page.run(SHOWN)
    page.until(READY)
    until_silent(server)
    return server.sent


def until_silent(server):
    """Wait until nothing more is sent."""
    before = -1
    while before != server.sent:
        before = server.sent
        time.sleep(1)


def seconds_until_it_moves(page, server, path):
    """How long it takes from opening a page until its picture has moved, and until it is exact."""
    page.devtools("Network.clearBrowserCache")
    page.go("about:blank")
    begun = time.monotonic()
    page.send("POST", "/url", {"url": f"{server.url}/{path}"})
    page.run(SHOWN)
    page.until(READY)
    stepped = page.run(NEXT)
    if stepped:
        page.until(STEPPED)
    else:
        place, (x, y) = page.run(PLACE), page.run(CHOSEN)
        page.pointer("mouse", (x, y), "down", (x - 9, y + 9), (x - 60, y + 30), "up")
        page.until(MOVED, place)
    moved = time.monotonic() - begun
    page.until(EXACT, seconds=60)
    return moved, time.monotonic() - begun


def paths():
    """The pages that are measured: play, and the chapters in order."""
    chapters = sorted((ROOT / "spec" / "course").glob("*.md"))
    moving = [
        f"spec/course/{path.stem}.html"
        for path in chapters
        if any(m[1] in MOVING for m in PICTURE.finditer(path.read_text("utf-8")))
    ]
    return ["play/index.html", *moving]


def main():
    site = ROOT / "build" / "site"
    if not (site / "play").exists():
        return "there is no site with play: python3 -m docs makes it"
    print("seconds, without and with two programs more; the load was", *os.getloadavg())
    print(f"{'page':36}{'kB':>6}{'at a touch':>12}{'moves':>12}{'exact':>14}")
    with serving(site) as server, browser() as page:
        page.size(1280, 900)
        for path in paths():
            size = opened_bytes(page, server, path)
            times = [seconds_until_it_moves(page, server, path)]
            more = (server.sent - 2 * size) / 1000
            with busy(2):
                times.append(seconds_until_it_moves(page, server, path))
            moved, exact = ("{:7.2f}{:6.2f}".format(*each) for each in zip(*times))
            print(f"{path:36}{size / 1000:6.0f}{more:12.0f}{moved}{exact}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
