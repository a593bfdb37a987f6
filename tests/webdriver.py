"""A browser that is told what to do: Chromium by its driver, over the protocol of the W3C.

The driver speaks JSON over HTTP, so nothing has to be installed besides the two programs. Where
they are missing, browser() skips the test that asks for it.

Source: W3C, WebDriver, https://www.w3.org/TR/webdriver2/ (sections 8 to 15, actions).
"""

import json
import re
import shutil
import subprocess
import time
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-proxy-server"]
KEYS = {"Tab": "\ue004", "Left": "\ue012", "Up": "\ue013", "Right": "\ue014", "Down": "\ue015",
        "Shift": "\ue008", "Control": "\ue009", "Delete": "\ue017",
        "Enter": "\ue007", "Escape": "\ue00c", "Space": " "}
DIRECT = build_opener(ProxyHandler({}))  # to this machine, whatever proxy there is


class Browser:
    """A window, as its driver knows it."""

    def __init__(self, address, program):
        self.base = address
        options = {"binary": program, "args": FLAGS}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL"}}
        made = self.send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.base += f"/session/{made['sessionId']}"

    def send(self, method, path, body=None):
        """The value that the driver answers with."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = Request(self.base + path, data, headers, method=method)
        try:
            with DIRECT.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from None

    def close(self):
        self.send("DELETE", "")

    def go(self, url):
        """Load a page anew, also where it differs in what follows the # only."""
        self.send("POST", "/url", {"url": "about:blank"})
        self.send("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """What a script returns; a promise is waited for."""
        return self.send("POST", "/execute/sync", {"script": script, "args": [*arguments]})

    def until(self, script, *arguments, seconds=20):
        """Wait until a script returns something, which is returned."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.run(script, *arguments)
            if found:
                return found
            time.sleep(0.02)
        raise AssertionError(f"never: {script}")

    def devtools(self, command, **parameters):
        return self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width, height, mobile=False):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=1, mobile=mobile)

    def dark(self, on=True):
        scheme = {"name": "prefers-color-scheme", "value": "dark" if on else "light"}
        self.devtools("Emulation.setEmulatedMedia", features=[scheme])

    def said(self):
        """What the console says since the last time: messages, and errors that nothing caught."""
        return [entry["message"] for entry in self.send("POST", "/se/log", {"type": "browser"})]

    def pointer(self, kind, *steps):
        """Move, press and release a pointer: (x, y), "down", "up"."""
        doing = []
        for step in steps:
            if isinstance(step, str):
                doing.append({"type": f"pointer{step.capitalize()}", "button": 0})
            else:
                x, y = map(round, step)
                doing.append({"type": "pointerMove", "x": x, "y": y, "duration": 20})
        source = {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}}
        self.send("POST", "/actions", {"actions": [{**source, "actions": doing}]})

    def press(self, *words):
        """Press keys: "a", "Left", or "Shift Left" for two at once."""
        doing = []
        for word in words:
            keys = [KEYS.get(name, name) for name in word.split()]
            doing += [{"type": "keyDown", "value": key} for key in keys]
            doing += [{"type": "keyUp", "value": key} for key in reversed(keys)]
        source = {"type": "key", "id": "keys"}
        self.send("POST", "/actions", {"actions": [{**source, "actions": doing}]})


@contextmanager
def browser():
    """A Browser, ended afterwards with its driver; skips where there is none."""
    driver = shutil.which("chromedriver") or pytest.skip("chromedriver is not installed")
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip(f"none of {', '.join(BROWSERS)} is installed")
    with subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, text=True) as process:
        try:
            line = next(line for line in process.stdout if "started successfully" in line)
            port = re.search(r"port (\d+)", line)[1]
            found = Browser(f"http://127.0.0.1:{port}", program)
            try:
                yield found
            finally:
                found.close()
        finally:
            process.terminate()


def printed(page, target):
    """What a browser prints of a file of HTML on paper, as bytes of PDF; target takes them."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("no browser")
    command = [program, "--headless=new", "--no-sandbox", "--disable-gpu"]
    command += [f"--print-to-pdf={target}", "--no-pdf-header-footer", page.as_uri()]
    subprocess.run(command, check=True, timeout=120, capture_output=True)
    return target.read_bytes()
