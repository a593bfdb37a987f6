"""The server of play, attacked point by point (the list at its head)."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from refsvm.play import server
from refsvm.play.server import HEADERS, MAX_BODY_BYTES, PlayServer, is_for_terminals

ROOT = Path(__file__).parent.parent
QUESTION = json.dumps({"state": "1;k=lin;C=1;p=+1,2;-3,1", "number": 3}).encode()


@pytest.fixture(scope="module")
def play():
    """A server that runs."""
    with PlayServer() as running:
        Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield running
        running.shutdown()


def raw(play, data, wait=5.0):
    """All that is sent back for these bytes."""
    with socket.create_connection(play.server_address, timeout=wait) as link:
        link.sendall(data)
        parts = []
        while part := received(link):
            parts.append(part)
    return b"".join(parts)


def received(link):
    """The next part of what is sent, b"" at the end, however that comes."""
    try:
        return link.recv(65536)
    except ConnectionResetError:
        return b""


def request(play, method="GET", path="/", headers=(), body=b"", drop=(), version="HTTP/1.1"):
    """(status, headers, body) of a request as the page would send it, with changes."""
    sent = {"Host": f"127.0.0.1:{play.server_port}"}
    if method == "POST":
        sent |= {"Content-Type": "application/json", "X-Refsvm": play.token,
                 "Content-Length": str(len(body)), "Sec-Fetch-Site": "same-origin",
                 "Origin": f"http://127.0.0.1:{play.server_port}"}
    lines = [(k, v) for k, v in sent.items() if k not in drop and k not in dict(headers)]
    lines += [*headers]
    text = f"{method} {path} {version}\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines) + "\r\n"
    answer = raw(play, text.encode("latin-1") + body)
    head, _, content = answer.partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    return int(first.split()[1]), dict(line.split(": ", 1) for line in rest), content


def post(play, body=QUESTION, path="/answer", **changes):
    return request(play, "POST", path, body=body, **changes)


def test_the_page_and_its_files_come_with_headers_that_forbid_all_else(play):
    for path in play.pages:
        status, headers, body = request(play, path=path)
        assert status == 200 and body == play.pages[path][1]
        assert {k: headers[k] for k in HEADERS} == HEADERS
        assert "Server" not in headers and "Access-Control-Allow-Origin" not in headers
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy and "http" not in policy and "default-src 'none'" in policy
    assert play.token in request(play)[2].decode()


def test_a_question_is_answered_with_its_number(play):
    status, headers, body = post(play)
    told = json.loads(body)
    assert (status, told["number"], told["value"]["text"]) == (200, 3, "2/5")
    assert headers["Content-Type"] == "application/json"
    assert int(headers["Content-Length"]) == len(body)
    assert post(play, headers=[("Host", f"localhost:{play.server_port}"),
                               ("Origin", f"http://localhost:{play.server_port}")])[0] == 200
    assert "letters" in json.loads(post(play, b'{"state": "%s"}' % (b"1" * 9000))[2])["error"]


def test_it_listens_on_this_machine_only(play):
    assert play.server_address[0] == "127.0.0.1" and play.url.startswith("http://127.0.0.1:")


@pytest.mark.parametrize("host", [
    "evil.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:{}", "2130706433:{}",
    "0x7f000001:{}", "[::1]:{}", "LOCALHOST.:{}", ""])
def test_another_host_is_refused(play, host):
    wrong = [("Host", host.format(play.server_port))]
    assert request(play, headers=wrong)[0] == 421 and post(play, headers=wrong)[0] == 421


def test_no_host_and_two_hosts_are_refused(play):
    right = f"127.0.0.1:{play.server_port}"
    assert request(play, drop=["Host"])[0] == 421
    assert request(play, headers=[("Host", right), ("Host", "evil.example")])[0] == 421


@pytest.mark.parametrize("headers", [
    [("Origin", "http://evil.example")], [("Origin", "null")],
    [("Origin", "https://127.0.0.1:{}")],
    [("Origin", "http://127.0.0.1:{}.evil.example")], [("Origin", "http://localhost:{}")],
    [("Origin", "http://127.0.0.1:{}"), ("Origin", "http://evil.example")],
    [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")],
    [("X-Refsvm", "t0")], [("X-Refsvm", "")], [("X-Refsvm", "\u00e9")],
])
def test_a_question_of_another_site_is_refused(play, headers):
    sent = [(name, value.format(play.server_port)) for name, value in headers]
    assert post(play, headers=sent)[0] == 403


def test_the_token_and_the_type_are_needed(play):
    assert post(play, drop=["X-Refsvm"])[0] == 403
    assert post(play, headers=[("X-Refsvm", play.token), ("X-Refsvm", play.token)])[0] == 403
    assert post(play, drop=["Content-Type"])[0] == 415
    for kind in ("text/plain", "multipart/form-data", "application/json, text/plain"):
        assert post(play, headers=[("Content-Type", kind)])[0] == 415
    status, headers, _ = request(play, "OPTIONS", "/answer", headers=[
        ("Origin", "http://evil.example"), ("Access-Control-Request-Method", "POST")])
    assert status == 501 and not [name for name in headers if name.startswith("Access-Control")]


@pytest.mark.parametrize("length, status", [
    ("-1", 411), ("9x", 411), ("+9", 411), ("0x9", 411), ("\u00b2", 411), (" ", 411), ("1_0", 411),
    (str(MAX_BODY_BYTES + 1), 413), ("99999999999999999999", 411),
])
def test_a_length_that_is_none_or_too_large_is_refused_before_reading(play, length, status):
    begun = time.monotonic()
    assert post(play, headers=[("Content-Length", length)])[0] == status
    assert time.monotonic() - begun < 2


def test_other_ways_to_send_a_body_are_refused(play):
    assert post(play, drop=["Content-Length"])[0] == 411
    assert post(play, headers=[("Content-Length", "9"), ("Content-Length", "9")])[0] == 411
    assert post(play, headers=[("Transfer-Encoding", "chunked")])[0] == 501
    assert post(play, headers=[("Expect", "100-continue")])[0] == 417
    assert post(play, b"\xff\xfe")[0] == 400


def test_a_connection_serves_one_request(play):
    line = f"GET /main.js HTTP/1.1\r\nHost: 127.0.0.1:{play.server_port}\r\n"
    line += "Connection: keep-alive\r\n"
    smuggled = line + "Content-Length: 60\r\n\r\n" + line + "\r\n"
    assert raw(play, smuggled.encode()).count(b"HTTP/1.1 200") == 1


def test_who_sends_slowly_is_cut_off_and_holds_nobody_up(play, monkeypatch):
    monkeypatch.setattr(server, "READING", 0.4)
    begun = time.monotonic()
    with socket.create_connection(play.server_address, timeout=5) as link:
        head = b"POST /answer HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX: " % play.server_port
        for k in range(40):
            try:
                link.sendall(head[k : k + 1])
                time.sleep(0.05)
            except OSError:
                break
            if k == 3:
                assert post(play)[0] == 200
        assert received(link) == b""
    assert time.monotonic() - begun < 4


def test_there_are_so_many_clients_and_no_more(play):
    address = play.server_address
    idle = [socket.create_connection(address, timeout=5) for _ in range(server.CLIENTS)]
    try:
        time.sleep(0.2)
        with socket.create_connection(address, timeout=5) as late:
            assert received(late) == b""
    finally:
        for link in idle:
            link.close()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            assert post(play)[0] == 200
            return
        except (IndexError, OSError):
            time.sleep(0.05)
    raise AssertionError("the door stays closed")


@pytest.mark.parametrize("path", [
    "/../pyproject.toml", "/%2e%2e/etc/passwd", "//etc/passwd", "/page/", "/.", "/index.html",
    "/main.js?x", "http://evil.example/", "/server.py", "/\\"])
def test_only_the_files_of_the_page_are_found(play, path):
    assert request(play, path=path)[0] == 404 and post(play, path=path)[0] == 404


@pytest.mark.parametrize("data", [
    b"GET /\r\n\r\n", b"GET / HTTP/0.9\r\n\r\n", b"GET / HTTP/2.0\r\n\r\n",
    b"\x16\x03\x01\x02\x00\r\n\r\n",
    b"BREW / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1 HTTP/1.1\r\n\r\n", b"\r\n\r\n",
    b"A" * 70000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"".join(b"H%d: x\r\n" % k for k in range(200)) + b"\r\n",
    b"GET /<script>\x1b[31m HTTP/1.1\r\nHost: x\r\n\r\n",
])
def test_what_is_no_request_gets_no_token_no_echo_and_no_traceback(play, data, capfd):
    answer = raw(play, data)
    assert play.token.encode() not in answer and b" 200 " not in answer.partition(b"\r\n")[0]
    assert b"<script" not in answer and b"\x1b" not in answer and b"BREW" not in answer
    out, err = capfd.readouterr()
    assert out == err == ""


@pytest.mark.parametrize("body", [b"", b"nonsense", b"[" * 60000, b"null",
                                  b'{"state": "1;p=+1e999,1"}',
                                  b'{"state": "1;C=-10000000;p=+1,2"}', b'{"state": {"$": 1}}'])
def test_a_bad_question_is_a_sentence(play, body):
    status, _, answer = post(play, body)
    assert status == 200 and 0 < len(json.loads(answer)["error"]) < 300


def test_questions_are_solved_one_at_a_time(play, monkeypatch):
    under_way, most = [], []

    def slow(text):
        under_way.append(text)
        most.append(len(under_way))
        time.sleep(0.05)
        under_way.pop()
        return "{}"

    monkeypatch.setattr(server, "reply", slow)
    askers = [Thread(target=post, args=(play,)) for _ in range(5)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert most == [1] * 5


def test_a_token_is_of_one_server():
    with PlayServer() as one, PlayServer() as other:
        assert one.token != other.token and len(one.token) >= 32


def test_no_name_is_looked_up(monkeypatch):
    monkeypatch.setattr(socket, "getfqdn", lambda *_: pytest.fail("a name is looked up"))
    PlayServer().server_close()


@contextmanager
def started(*words):
    """The command, running by itself; Ctrl-C reaches it wherever the tests run."""
    command = [sys.executable, "-m", "refsvm", "play", "--no-browser", *words]
    heeding = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.default_int_handler)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          cwd=ROOT, **heeding) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.skipif(os.name == "nt", reason="there Ctrl-C reaches the tests, too")
def test_the_command_prints_the_address_at_once_and_ends_with_ctrl_c():
    with started("http://x/#1;C=1/2;p=+1,2;-3,1") as process:
        address = r"the page is at http://127\.0\.0\.1:(\d+)/#1;k=lin;C=1/2;p=\+1,2;-3,1\n"
        found = re.fullmatch(address, process.stdout.readline())
        with socket.create_connection(("127.0.0.1", int(found[1])), timeout=5) as link:
            link.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{found[1]}\r\n\r\n".encode())
            assert link.recv(12) == b"HTTP/1.1 200"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert (process.returncode, err) == (0, "")


@pytest.mark.parametrize("words, part", [
    (["#1;C=0;p="], "C is '0'"), (["--port", "70000"], "--port is 70000"),
    (["--port", "-1"], "--port is -1"),
])
def test_what_the_command_refuses(words, part, capsys):
    from refsvm.commands import main

    assert main(["play", "--no-browser", *words]) == 2
    assert part in capsys.readouterr().err


def test_a_port_that_is_taken_is_refused(play, capsys):
    from refsvm.commands import main

    assert main(["play", "--no-browser", "--port", str(play.server_port)]) == 2
    assert "cannot be had" in capsys.readouterr().err


def test_a_browser_for_terminals_is_not_opened():
    import webbrowser

    assert is_for_terminals(webbrowser.GenericBrowser("lynx"))
    assert not is_for_terminals(webbrowser.BackgroundBrowser("firefox"))
