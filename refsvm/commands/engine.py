"""What a command computes with: refsvm_fast where it is compiled, else refsvm; and processes.

The answers have the same bits. Nothing else in commands/ looks for refsvm_fast, and this does so
when a command runs, not when it is imported.

    library      the package whose names a command uses
    processes    share the work, as --jobs asks. They are started afresh (spawn), end with the
                 command however it ends, and print nothing
"""

import os
import signal
import warnings
from contextlib import contextmanager
from importlib import import_module

import refsvm

from ..numerics.environment import env_flag
from ..numerics.quoting import shell_words
from ..numerics.validation import whole_number
from .arguments import Refusal
from .console import complain, progress

PURE = "plain Python"


def pure_option(parser):
    """Add the option --pure."""
    parser.add_argument(
        "--pure",
        action="store_true",
        help="plain Python, also where refsvm_fast is compiled",
    )


def library(given):
    """Return the package to compute with: refsvm_fast if compiled, unless --pure is given."""
    fast = None if given.pure else compiled_package()
    return fast if fast is not None and fast.COMPILED else refsvm


def announce(given):
    """Say in one line on stderr which library computes, before long work begins."""
    complain(PURE + ", as --pure asks" if given.pure else running())


def running():
    """Return in words what computes, unless --pure is given, and how it would be compiled."""
    fast = compiled_package()
    if fast is None:
        return f"{PURE}, as refsvm_fast is not installed"
    if fast.COMPILED:
        older = f", from older sources; {_cure(fast)}" if is_outdated(fast) else ""
        return f"compiled ({fast.ISA}){older}"
    if env_flag("REFSVM_PURE_PYTHON"):
        return f"{PURE}, as REFSVM_PURE_PYTHON asks"
    if fast.UNLIKE:
        return f"{PURE}, as refsvm_fast was compiled to round otherwise than this Python"
    return f"{PURE}, much slower than refsvm_fast compiled; {_cure(fast)}"


def _cure(fast):
    """Return in words how refsvm_fast gets compiled where it lies now."""
    checkout = _checkout_of(fast)
    if checkout:
        line = shell_words(["python3", "-m", "pip", "install", "-e", checkout])
        return f"to compile it: {line}"
    return "to compile it, install refsvm anew where there is a C compiler"


def _checkout_of(fast):
    """Return the folder of the checkout that refsvm_fast lies in; None if it is installed."""
    checkout = os.path.dirname(os.path.dirname(os.path.abspath(fast.__file__)))
    return checkout if os.path.exists(os.path.join(checkout, "setup.py")) else None


def is_outdated(fast):
    """Tell whether, in a checkout, sources have changed since the last compilation."""
    if not _checkout_of(fast):
        return False
    folder = os.path.dirname(os.path.abspath(fast.__file__))
    paths = [*os.scandir(folder), *os.scandir(os.path.join(folder, "simd"))]
    sources, compiled = (
        [path.stat().st_mtime for path in paths if path.name.endswith(kinds)]
        for kinds in ((".pyx", ".pxd", ".pxi", ".c", ".h"), (".so", ".pyd"))
    )
    return max(sources) > max(compiled)


def compiled_package():
    """Return the package refsvm_fast, compiled or not; None if it is not installed."""
    try:
        return import_module("refsvm_fast")
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "refsvm_fast":
            return None
        raise ValueError(f"refsvm_fast cannot be imported: {error}") from error


# Rows between two signs of progress; fewer where these have more than so many decisions.
BATCH, MOST_DECISIONS = 500, 10**7


def decide(given, model, X):
    """Return the decisions of all rows, computed by the library in use with the same bits."""
    return [decision for part in decided(given, model, X) for decision in part]


def decided(given, model, X):
    """Return a generator of the same, of some rows at a time: many classes need much memory."""
    from ..svm.model import Model
    from ..svm.one_vs_one import OneAgainstOne

    if isinstance(model, Model):
        model = library(given).Model(*model)
    of_row = len(model.offsets) if isinstance(model, OneAgainstOne) else 1
    return in_parts(model.decisions, X, min(BATCH, MOST_DECISIONS // of_row + 1))


def in_parts(answer, X, batch=BATCH):
    """Generate what a machine answers to some rows at a time, and show how far it has come."""
    for start in range(0, len(X), batch):
        with progress(f"row {start + 1} of {len(X)}"):
            part = answer(X[start : start + batch])
        yield part


def signs(decisions):
    """Return +1 for each row inside, and -1 for each outside.

    >>> signs([0.5, 0.0, -1.0])
    [1, 1, -1]
    """
    return [1 if f >= 0 else -1 for f in decisions]


def jobs_option(parser):
    """Add the option --jobs."""
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="processes that share the work; the result is the same (default: 1)",
    )


@contextmanager
def processes(jobs, tasks):
    """Give an executor of at most `jobs` processes, and at most `tasks`; None for one."""
    jobs = min(whole_number(jobs, "jobs", 1), tasks)
    if jobs == 1:
        yield None
        return
    import threading
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children, get_context

    others = active_children()
    executor = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin)
    if not hasattr(executor, "_adjust_process_count"):  # PyPy 7.3.11 calls what it lacks
        executor._safe_to_dynamically_spawn_children = False  # all begin with the first task
    try:
        yield executor
    except BaseException as error:  # Ctrl-C does not wait for the fits that have begun
        # The executor's thread answers tasks that are cancelled already, which it cannot.
        threading.excepthook = lambda _: None
        for process in active_children():
            if process not in others:
                process.terminate()
        if isinstance(error.__cause__, BrokenProcessPool):
            raise Refusal(
                "a process was ended from outside, as a system does that has too little memory;"
                " try again with fewer --jobs"
            ) from error
        raise
    finally:
        executor.shutdown()


def _begin():
    """Prepare a process: its parent hears Ctrl-C, tells what there is to tell, and ends it."""
    from threading import Thread  # which takes long to import

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent():
    """Wait for the end of the parent, which may be killed, and end."""
    from multiprocessing import parent_process

    parent_process().join()
    os._exit(1)
