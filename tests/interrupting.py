"""An interruption from the keyboard, as a test sends it to itself."""

import gc
import signal
import threading
from contextlib import contextmanager

import pytest

possible = pytest.mark.skipif(
    not hasattr(signal, "pthread_kill"), reason="no signals to threads here"
)


@contextmanager
def interrupted_after(seconds):
    """Interrupts the main thread, even if this is a job in the background: shells have those
    ignore interruptions from the start.

    No garbage is collected meanwhile: hypothesis listens to that, and Python drops an interruption
    that falls into what is called then, with a warning.
    """
    gc.disable()
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    given = threading.get_ident(), signal.SIGINT
    timer = threading.Timer(seconds, signal.pthread_kill, given)
    timer.start()
    try:
        yield
    finally:
        timer.join()
        signal.signal(signal.SIGINT, handler)
        gc.enable()
