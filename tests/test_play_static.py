"""The page of play without a server: Python runs in the browser, and has the same numbers."""

import json
import shutil
import subprocess
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from docs.play import ROOT, WITHOUT, fetch, make, zip_modules
from refsvm.play.answers import answer
from refsvm.play.presets import PRESETS
from tests.play_shown import LATE, SETTLED, place, shows_its_proof, shows_no_proof, unit
from tests.profiles import one_in
from tests.webdriver import browser

pytestmark = pytest.mark.slow("an engine that does not start, or has other bits")


@pytest.fixture(scope="module")
def engine():
    """The folder of Pyodide's files."""
    return fetch() or pytest.skip("npm is not installed, or cannot fetch Pyodide")


LINE = "return document.querySelector('#lines .border').getAttribute('d')"
NEAR = """return document.body.matches('.near.computing')
    && getComputedStyle(document.getElementById('lines')).opacity === '1'
    && document.querySelector('#lines .border').getAttribute('d') !== arguments[0]"""


class Files(SimpleHTTPRequestHandler):
    """A server of files, as a site has, far away: Python waits for what it is to run."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript",
                      ".js": "text/javascript", ".wasm": "application/wasm"}

    def do_GET(self):
        """Send a file."""
        if self.path.endswith("refsvm.zip"):
            time.sleep(LATE)
        super().do_GET()

    def log_message(self, *words):
        """Say nothing."""


def test_the_page_answers_without_a_server(engine, tmp_path):
    make(tmp_path, engine)
    files = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(tmp_path)))
    Thread(target=files.serve_forever, daemon=True).start()
    with files, browser() as page:
        page.size(1280, 800)
        page.go(f"http://127.0.0.1:{files.server_port}/index.html")
        assert page.run("return document.getElementById('value').textContent") == "92/49"
        assert page.run("return document.querySelectorAll('#lines path').length") == 3
        page.run("document.getElementById('more').click()")
        page.until("return document.getElementById('facts').checkVisibility()")
        (x, y), size, opened = place(page, 2), unit(page), page.run(LINE)
        page.pointer("mouse", (x, y), "down", (x + 9, y + 9), (x + size / 8, y + size))
        shows_no_proof(page)  # Python has not started
        page.until(NEAR, opened)
        page.pointer("mouse", (x + size / 2, y + size), "up")
        shows_no_proof(page)
        moved = answer({"state": PRESETS[0].state.replace("+3,3", "+7/2,2")})
        page.until(SETTLED, moved["link"], moved["value"]["text"], seconds=60)
        shows_its_proof(page)
        (x, y), size = place(page, 2), unit(page)
        page.pointer("mouse", (x, y), "down", (x + 9, y + 9), (x + size / 4, y - size), "up")
        moved = answer({"state": PRESETS[0].state.replace("+3,3", "+15/4,3")})
        page.until(SETTLED, moved["link"], moved["value"]["text"])
        loaded = page.run("return performance.getEntriesByType('resource').map((e) => e.name)")
        assert {name.split("/")[2] for name in loaded} == {f"127.0.0.1:{files.server_port}"}
        assert page.said() == []
        files.shutdown()


SCRIPT = """\
import { readFileSync } from "node:fs";
import { loadPyodide } from "ENGINE/pyodide.mjs";
const python = await loadPyodide({ indexURL: "ENGINE/" });
for (const archive of ARCHIVES) python.unpackArchive(readFileSync(archive).buffer, "zip");
python.FS.mkdir("/out");
python.FS.mount(python.FS.filesystems.NODEFS, { root: "OUT" }, "/out");
try {
  python.runPython(`PROGRAM`);
} catch (error) {  // node would print the line of Pyodide that it comes from, a megabyte
  console.error(String(error).slice(-1500));
  process.exitCode = 1;
}
"""


def run_in_node(engine, folder, program):
    """Run a program in Pyodide, with the archives in a folder, under node.

    It may write into /out, which is the folder of this name in that folder.
    """
    node = shutil.which("node") or pytest.skip("node is not installed")
    (folder / "out").mkdir(exist_ok=True)
    archives = json.dumps([path.name for path in folder.glob("*.zip")])
    words = {"ENGINE": str(engine), "ARCHIVES": archives, "OUT": str(folder / "out"),
             "PROGRAM": program}
    script = SCRIPT
    for name, value in words.items():
        script = script.replace(name, value)
    (folder / "run.mjs").write_text(script, encoding="utf-8")
    done = subprocess.run([node, "run.mjs"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return folder / "out"


def every_kind():
    """States of every machine and kernel, with and without a step that is watched."""
    points = "p=+1,2;+2,3;-3,1;-2,1"
    machines = ["m=svc", "m=svc;o=0;s=2", "m=svc;C=inf", "m=svr", "m=one", "m=svc;t=smo,2",
                "m=svr;t=smo,2", "m=one;t=smo,2", "m=svc;t=perceptron,5", "m=svc;t=pegasos,5"]
    kernels = ["lin", "poly,2,1,1", "poly,3,1,1", "rbf,1/2"]
    return [f"1;{machine};k={kernel};{points}" for machine in machines for kernel in kernels]


def test_the_modules_of_the_page_give_the_same_answers_in_webassembly(engine, tmp_path):
    zip_modules(tmp_path / "refsvm.zip", WITHOUT)
    states = [*(preset.state for preset in PRESETS), *every_kind()]
    out = run_in_node(engine, tmp_path, f"""
import json
from refsvm.play.answers import answer
with open("/out/answers", "w") as file:
    json.dump([answer({{"state": state}}) for state in {states}], file)
""")
    expected = [answer({"state": state}) for state in states]
    assert json.loads((out / "answers").read_text()) == json.loads(json.dumps(expected))


@pytest.mark.skipif(not one_in(2, [0], 1), reason="only at night: the vectors take long to make")
def test_python_in_webassembly_makes_the_vectors_byte_for_byte(engine, tmp_path):
    zip_modules(tmp_path / "refsvm.zip")
    out = run_in_node(engine, tmp_path, """
from spec.vectors.makers import export
export("/out")
""")
    made = {path.name: path.read_bytes() for path in out.iterdir()}
    kept = {path.name: path.read_bytes() for path in (ROOT / "spec/vectors").glob("*.json")}
    assert set(made) <= set(kept) and len(made) > 9
    assert [name for name in made if made[name] != kept[name]] == []
