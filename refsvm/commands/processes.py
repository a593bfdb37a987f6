"""Processes that share the work of a command, as --jobs asks.

They are started afresh (spawn), end with the command however it ends, and say nothing.
"""

import os
import signal
import warnings
from contextlib import contextmanager
from threading import Thread

from ..numerics.validation import whole_number
from .arguments import Refusal


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
    """Give an executor of so many processes, no more than there are tasks; None for one."""
    jobs = min(whole_number(jobs, "jobs", 1), tasks)
    if jobs == 1:
        yield None
        return
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
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent():
    """Wait for the end of the parent, which may be killed, and end."""
    from multiprocessing import parent_process

    parent_process().join()
    os._exit(1)
