"""The server of the page: on this machine only, for one page, without a file system.

What it defends against is other web sites that are open in the same browser: they may send
requests here, but cannot read the page, so they do not know the token that every question needs.
It does not defend against other users of this machine, who can fetch the page as the browser does.

    1  bound to 127.0.0.1, so nothing from outside arrives
    2  one Host, that of this server: a name that was made to point here (rebinding) is refused
    3  an Origin is this server's, and Sec-Fetch-Site says same-origin or none
    4  a question is JSON by its type, and has the token; no other origin may send such a header
    5  one Content-Length, of digits, and small, before anything is read; no Transfer-Encoding;
       a connection serves one request
    6  a deadline for reading, so many clients at most, one question solved at a time
    7  pages are a dict of texts: no path is ever looked up in a file system
    8  numbers are small, and read by a full match (states.py)
    9  headers that forbid to run, to frame, to keep or to send on anything from elsewhere
    10 a refusal is JSON in one sentence; nothing of a request is logged or repeated
    11 elsewhere than on Windows, where it means that another may share it, the port is reused
    12 the host's name is never looked up
    13 Ctrl-C ends it
"""

import io
import json
import os
import re
import socketserver
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from secrets import compare_digest, token_urlsafe
from threading import BoundedSemaphore, Lock

from .answers import reply
from .page import files, index, policy_of

ADDRESS = "127.0.0.1"
MAX_BODY_BYTES = 64 * 1024  # bytes of a question
CLIENTS = 16  # at once
READING, WRITING, WAITING = 10.0, 10.0, 20.0  # seconds
LENGTH = re.compile(r"[0-9]{1,6}", re.ASCII)
TOKEN_HEADER = "X-Refsvm"
HEADERS = {
    "Content-Security-Policy": policy_of(),
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Connection": "close",
}


class Refused(Exception):
    """A request that is not answered: a status and a sentence."""

    def __init__(self, status, sentence):
        super().__init__(sentence)
        self.status = status


class ReadBefore(io.RawIOBase):
    """What a socket sends, up to a deadline for all of it."""

    def __init__(self, connection, seconds):
        self.connection, self.end = connection, time.monotonic() + seconds

    def readable(self):
        return True

    def readinto(self, buffer):
        left = self.end - time.monotonic()
        if left <= 0:
            raise TimeoutError("the request took too long")
        self.connection.settimeout(left)
        return self.connection.recv_into(buffer)


class PlayServer(socketserver.ThreadingMixIn, HTTPServer):
    """The page and its answers, at ADDRESS and a port; 0 takes a free one."""

    daemon_threads = True
    allow_reuse_address = os.name != "nt"
    request_queue_size = 2 * CLIENTS

    def __init__(self, port=0, state=None):
        self.token = token_urlsafe(24)
        self.pages = {"/": ("text/html; charset=utf-8", index(state, self.token)), **files()}
        self.clients, self.solving = BoundedSemaphore(CLIENTS), Lock()
        super().__init__((ADDRESS, port), Handler)

    def server_bind(self):
        """Bind, without the look-up of the host's name that HTTPServer makes."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = ADDRESS, self.server_address[1]

    @property
    def hosts(self):
        """What a request may call this server."""
        return {f"{name}:{self.server_port}" for name in (ADDRESS, "localhost")}

    @property
    def url(self):
        """Where the page is."""
        return f"http://{ADDRESS}:{self.server_port}/"

    def process_request(self, request, client_address):
        """Serve a client in a thread of its own, or close the door if there are too many."""
        if not self.clients.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # no thread can be started; after Ctrl-C the thread itself lets go
            self.clients.release()
            raise

    def process_request_thread(self, request, client_address):
        """Serve a client, and let the next one in."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.clients.release()

    def handle_error(self, request, client_address):
        """Say nothing: a client that breaks off is no news."""


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"

    def setup(self):
        """Read with a deadline."""
        super().setup()
        self.rfile = io.BufferedReader(ReadBefore(self.connection, READING))

    def handle(self):
        """Serve one request, and only one."""
        try:
            self.close_connection = True
            self.handle_one_request()
        except TimeoutError:
            self.close_connection = True

    def do_GET(self):
        """Send the page or one of its files."""
        self.served(self._find_page)

    def do_POST(self):
        """Answer a question."""
        self.served(self._find_answer)

    def served(self, find):
        """Check the request, and send what find() returns, or the refusal."""
        try:
            self._require_own_page()
            kind, body = find()
            self.send(200, kind, body)
        except Refused as refusal:
            self.refuse(refusal.status, str(refusal))

    def _require_own_page(self):
        """Refuse a request that does not come from the page, or does not say what it is."""
        if self.request_version not in ("HTTP/1.0", "HTTP/1.1"):
            raise Refused(505, "HTTP/1.1 is spoken here")
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or hosts[0] not in self.server.hosts:
            raise Refused(421, "this server has another name")
        origins = self.headers.get_all("Origin", [])
        if origins and origins != [f"http://{hosts[0]}"]:
            raise Refused(403, "the request comes from another site")
        sites = self.headers.get_all("Sec-Fetch-Site", [])
        if any(site not in ("same-origin", "none") for site in sites):
            raise Refused(403, "the request comes from another site")
        if self.headers.get_all("Transfer-Encoding"):
            raise Refused(501, "a question is sent whole, with its length")

    def _find_page(self):
        """Return the content type and the text of a requested path."""
        if self.path not in self.server.pages:
            raise Refused(404, "there is no such page")
        return self.server.pages[self.path]

    def _find_answer(self):
        """Return the answer to the question that is sent."""
        if self.path != "/answer":
            raise Refused(404, "there is no such page")
        if self.headers.get_all("Content-Type", []) != ["application/json"]:
            raise Refused(415, "a question is application/json")
        tokens = self.headers.get_all(TOKEN_HEADER, [])
        sent = tokens[0].encode("utf-8", "replace") if len(tokens) == 1 else b""
        if not compare_digest(sent, self.server.token.encode()):
            raise Refused(403, "the token is not that of the page; load the page anew")
        text = self.body()
        if not self.server.solving.acquire(timeout=WAITING):
            raise Refused(503, "another question takes its time")
        try:
            return "application/json", reply(text).encode()
        finally:
            self.server.solving.release()

    def body(self):
        """Return the text of the question."""
        lengths = self.headers.get_all("Content-Length", [])
        if len(lengths) != 1 or not LENGTH.fullmatch(lengths[0]):
            raise Refused(411, "a question needs one Content-Length")
        if int(lengths[0]) > MAX_BODY_BYTES:
            raise Refused(413, f"a question has at most {MAX_BODY_BYTES} bytes")
        data = self.rfile.read(int(lengths[0]))
        if len(data) < int(lengths[0]):
            raise Refused(400, "the question is shorter than its Content-Length")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise Refused(400, "the question is no UTF-8") from None

    def send(self, status, kind, body):
        """Send an answer."""
        self.connection.settimeout(WRITING)
        self.send_response_only(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, status, sentence):
        """Send a refusal as JSON."""
        self.close_connection = True
        self.send(status, "application/json", json.dumps({"error": sentence}).encode())

    def send_error(self, code, message=None, explain=None):
        """Refuse what http.server itself refuses, in words that are not the client's."""
        self.refuse(int(code), "this request is not understood")

    def handle_expect_100(self):
        """Ask for nothing before the headers are checked."""
        self.send_error(417)
        return False

    def log_message(self, *words):
        """Write nothing: what a request says could steer a terminal."""


def open_in_browser(address):
    """Open the address in a browser with a window; one for terminals would take this terminal."""
    import webbrowser  # which takes long

    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    if not is_for_terminals(browser):
        browser.open(address)


def is_for_terminals(browser):
    """Tell whether a browser of the module webbrowser runs in the terminal that calls it."""
    return type(browser).__name__ == "GenericBrowser"
