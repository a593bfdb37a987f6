"""python3 -m refsvm: see commands/."""

import os
import sys

from .commands import main


def open_closed_streams():
    """Open to nowhere what is closed of the three standard streams, before a file takes its
    number, and what is meant for stderr goes into that file."""
    number = os.open(os.devnull, os.O_RDWR)
    while number <= 2:
        number = os.dup(number)
    os.close(number)


if __name__ == "__main__":
    open_closed_streams()
    sys.exit(main())
