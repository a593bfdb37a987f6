"""What goes on, on stderr, while it goes on, if stderr is a terminal; erased at the end."""

import sys
import time
from contextlib import contextmanager

EVERY = 0.1  # seconds between two lines


@contextmanager
def progress(what, stream=None, clock=time.monotonic):
    """A line on the terminal that says `what`; gives an on_step for smo, or None.

    Without a terminal there is no on_step, so that the solver need not tell of its steps.
    """
    stream = sys.stderr if stream is None else stream
    if not stream.isatty():
        yield None
        return
    shown = due = 0

    def write(line):
        nonlocal shown, due
        stream.write("\r" + line.ljust(shown))
        stream.flush()
        shown, due = len(line), clock() + EVERY

    def on_step(step):
        if clock() >= due:
            write(
                f"{what}: step {step.iteration}, violation {step.violation:.2g},"
                f" objective {step.objective:.6g}"
            )

    write(what)
    try:
        yield on_step
    finally:
        stream.write("\r" + " " * shown + "\r")
        stream.flush()
