"""play [LINK]: a page on which points are dragged, and the exact optimum moves along."""

from threading import Thread

from ..play.server import PlayServer, open_in_browser
from ..play.states import parse_state, state_text
from .arguments import Refusal
from .console import say

EXAMPLE = """\
  python3 -m refsvm play
  python3 -m refsvm play '#1;k=lin;C=1;p=+1,2;+2,3;+3,3;-2,1;-3,2;-4,5/2'"""
LARGEST_PORT = 65535


def arguments(parser):
    parser.add_argument(
        "link", nargs="?", metavar="LINK", help="a link of the page, or what follows its #"
    )
    parser.add_argument(
        "--port", type=int, default=0, metavar="N", help="of this machine (default: a free one)"
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address, and open no browser"
    )


def run(given):
    if not 0 <= given.port <= LARGEST_PORT:
        raise Refusal(f"--port is {given.port}; it must be from 0 to {LARGEST_PORT}")
    state = given.link and state_text(parse_state(given.link))
    try:
        server = PlayServer(given.port, state)
    except OSError as error:
        told = f"--port is {given.port}, which cannot be had: {error.strerror}"
        raise Refusal(f"{told}; without --port a free one is taken") from error
    address = server.url + (f"#{state}" if state else "")
    say(f"the page is at {address}", "Ctrl-C ends it", at_once=True)
    if not given.no_browser:
        Thread(target=open_in_browser, args=(address,), daemon=True).start()
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say()
    return 0
