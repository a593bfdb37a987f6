"""play [POINTS]: a page on which points are dragged, and the exact optimum moves along."""

import os
from decimal import Decimal
from threading import Thread

from ..numerics.quoting import quote
from ..play.server import PlayServer, open_in_browser
from ..play.states import MAX_N, MAX_XY, VERSION, parse_state, state_text
from ..tables.data import format_of, read_data
from .arguments import Refusal, source, table_options
from .console import plural, say

EXAMPLE = """\
  python3 -m refsvm play
  python3 -m refsvm play '#1;k=lin;C=1;p=+1,2;+2,3;+3,3;-2,1;-3,2;-4,5/2'
  python3 -m refsvm play class.csv --link"""
LARGEST_PORT = 65535
DECIMAL_PLACES = 6  # after the point, of a coordinate


def arguments(parser):
    parser.add_argument(
        "points",
        nargs="?",
        metavar="POINTS",
        type=source,
        help="a link of the page, or what follows its #; or a table (.csv, .tsv): a row is a"
        " point, two numbers, rounded to six decimals, and one of two classes",
    )
    parser.add_argument(
        "--link",
        action="store_true",
        help="print what follows the address of a page in a link to it, and open nothing",
    )
    parser.add_argument(
        "--port", type=int, default=0, metavar="N", help="of this machine (default: a free one)"
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address, and open no browser"
    )
    table_options(parser)


def run(given):
    if not 0 <= given.port <= LARGEST_PORT:
        raise Refusal(f"--port is {given.port}; it must be from 0 to {LARGEST_PORT}")
    if given.link and not given.points:
        raise Refusal("--link needs POINTS: a table, or a link")
    state = given.points and state_text(parse_state(_text_of(given)))
    if given.link:
        say(f"#{state}")
        return 0
    try:
        server = PlayServer(given.port, state)
    except OSError as error:
        told = f"--port is {given.port}, which cannot be had: {error.strerror}"
        free = "without --port a free one is taken"
        raise Refusal(told, leave_out="--port", how=free) from error
    address = server.url + (f"#{state}" if state else "")
    say(f"the page is at {address}", "Ctrl-C ends it")
    if not given.no_browser:
        Thread(target=open_in_browser, args=(address,), daemon=True).start()
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say()
    return 0


def _text_of(given):
    """Return the state that is given, or the one that has the points of a table."""
    is_table = given.format or format_of(given.points) != "libsvm"
    return _state_of_table(given) if is_table or os.path.exists(given.points) else given.points


def _state_of_table(given):
    """Return a state with the points of a table; the class that is sorted last is +."""
    data = read_data(
        given.points,
        format=given.format,
        label=given.label,
        header=given.header,
        drop=given.drop,
    )
    if len(data.X[0]) != 2:
        raise ValueError(
            f"{given.points} has {plural(len(data.X[0]), 'number')} in a row; a point has two and"
            " a class: --drop leaves columns out"
        )
    if len(data.X) > MAX_N["lin"]:
        raise ValueError(
            f"{given.points} has {len(data.X)} rows; play takes {MAX_N['lin']} points"
        )
    classes = sorted(set(data.y))
    if len(classes) > 2:
        raise ValueError(
            f"{given.points} has {len(classes)} classes, {quote(str(classes[0]))},"
            f" {quote(str(classes[1]))} and so on; play takes two"
        )
    signs = {label: "-+"[label == classes[-1]] for label in classes}
    words = [
        signs[label] + ",".join(_coordinate(value, i) for value in x)
        for i, (x, label) in enumerate(zip(data.X, data.y), 1)
    ]
    return ";".join([VERSION, f"p={words[0]}", *words[1:]])


def _coordinate(value, row):
    """Return a coordinate as a state has it, to six decimals."""
    if abs(value) > MAX_XY:
        shown = repr(value).removesuffix(".0")
        raise ValueError(
            f"row {row} has {shown}; coordinates of play are at most {MAX_XY}, so take another"
            " unit"
        )
    return f"{Decimal(repr(value)):.{DECIMAL_PLACES}f}".rstrip("0").rstrip(".")
