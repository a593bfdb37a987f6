"""The lines of a process that is asked, which are then not those of the code it runs."""

from __future__ import annotations

import faulthandler
import os
import signal
import time
from threading import Thread
from typing import IO

from .process_groups import keep_orphans

HOUR = 3600.0


def _end_with(parent: int) -> None:
    """End this process group when its parent has ended; it may be in a loop that never ends.

    A loop of compiled code may keep every thread of Python from running: it ends after an hour.
    """
    while os.getppid() == parent:
        faulthandler.dump_traceback_later(HOUR, exit=True)  # put off as long as Python runs
        time.sleep(1)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def private_lines() -> tuple[IO[str], IO[str]]:
    """Return standard input and output, which lead nowhere for all that follows.

    What that starts stays below this process, by which it is found when this one is ended. It
    leads a process group, which ends soon after the process that asks.
    """
    keep_orphans()
    Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    lines = os.fdopen(os.dup(0), encoding="utf-8")
    writer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for number, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY)):
        nowhere = os.open(os.devnull, mode)
        os.dup2(nowhere, number)
        os.close(nowhere)
    return lines, writer
