"""play [LINK]: a page on which points are dragged, and the exact optimum moves along.

states        the state of the page as a text, in a link and in a question
answers       the answer to a question: what the server calls, and a browser without a server
machines      what two classes, regression and one class have in common
classification, regression, one_class      what holds at each point, in words
algorithms    SMO, the perceptron and Pegasos, step by step
curves        what is drawn, as paths          numbers     fractions and decimals as shown
scripts       a state as a Python program      presets     what the page begins with
page          the HTML, style and scripts      server      which serves them, on this machine
"""

from threading import Thread

from ..arguments import Refusal
from ..console import say
from .states import parse_state, state_text

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
    from .server import PlayServer  # a browser without a server has no sockets

    try:
        server = PlayServer(given.port, state)
    except OSError as error:
        told = f"--port is {given.port}, which cannot be had: {error.strerror}"
        raise Refusal(f"{told}; without --port a free one is taken") from error
    address = server.url + (f"#{state}" if state else "")
    say(f"the page is at {address}\nCtrl-C ends it", at_once=True)
    if not given.no_browser:
        Thread(target=show, args=(address,), daemon=True).start()
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say()
    return 0


def show(address):
    """Open the address in a browser with a window; one for terminals would take this terminal."""
    import webbrowser  # which a browser without a server does not need, and takes long to import

    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    if not is_for_terminals(browser):
        browser.open(address)


def is_for_terminals(browser):
    """Tell whether a browser of the module webbrowser runs in the terminal that calls it."""
    return type(browser).__name__ == "GenericBrowser"
