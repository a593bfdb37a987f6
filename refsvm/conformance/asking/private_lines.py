"""The lines of a process that is asked, which are then not those of the code it runs."""

from __future__ import annotations

import os
from typing import IO

from .process_groups import keep_orphans


def private_lines() -> tuple[IO[str], IO[str]]:
    """Return standard input and output, which lead nowhere for all that follows.

    What that starts stays below this process, by which it is found when this one is ended.
    """
    keep_orphans()
    lines = os.fdopen(os.dup(0), encoding="utf-8")
    writer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for number, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY)):
        nowhere = os.open(os.devnull, mode)
        os.dup2(nowhere, number)
        os.close(nowhere)
    return lines, writer
