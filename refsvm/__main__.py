"""python3 -m refsvm: see commands/. As one file: python3 -m zipapp .. -m refsvm.__main__:start."""

import os
import sys


def start():
    """Run the command line of this process, and leave with its exit status."""
    try:
        _open_closed_streams()
        clean_up_when_ended()
        from .commands import main

        status = main()
    except KeyboardInterrupt:  # while modules are imported
        status = 130
    sys.exit(status)


def _open_closed_streams():
    """Open to nowhere what is closed of the three standard streams, before a file takes its
    number, and what is meant for stderr goes into that file."""
    number = os.open(os.devnull, os.O_RDWR)
    while number <= 2:
        number = os.dup(number)
    os.close(number)


def clean_up_when_ended():
    """Let signals that end a process do it by an exception, which removes files half written."""
    import signal  # where a Ctrl-C that comes meanwhile is caught

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) is signal.SIG_DFL:  # nohup ignores SIGHUP
            signal.signal(number, lambda number, frame: sys.exit(128 + number))


if __name__ == "__main__":
    start()
