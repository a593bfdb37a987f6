"""Fits in processes of their own, so that one that takes too long can be ended.

Too long is a matter of CPU time: on the wall a fit may take long because the machine is busy.
"""

import multiprocessing
import resource
import time

from trainers import LINEAR, TRAINERS

CONTEXT = multiprocessing.get_context("spawn")  # a fresh interpreter: nothing is inherited


def serve(pipe, program):
    """The life of a worker: fits as asked through the pipe, after a small one to warm up."""
    from sets import training

    fit, name, data = {**TRAINERS, **LINEAR}[program], None, None
    while True:
        asked, *given, patience = pipe.recv()
        if asked != name:
            name, data = asked, training(asked)
            warm_up(fit, *data, *given)
        end_after(patience)
        pipe.send(fit(*data, *given))


def end_after(seconds):
    """Let the system end this process when it has worked for so many seconds more."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 1, most))


def warm_up(fit, X, y, *given):
    """One fit of a few rows of both labels, so that libraries are loaded."""
    few = [i for label in (-1, 1) for i in (y == label).nonzero()[0][:20]]
    fit(X[few], y[few], *given)


class Worker:
    """One program in its own process, which begins when first asked, and anew after an end."""

    def __init__(self, program):
        self.program, self.process, self.pipe = program, None, None

    def fit(self, task, patience):
        """The Timed Answer of a task: a set, and what its trainer is given beside the rows.

        None if the program failed, or was ended after `patience` seconds of CPU time.
        """
        if self.process is None:
            self.start()
        try:
            self.pipe.send((*task, patience))
            return self.pipe.recv()
        except EOFError:  # if it failed, it was printed over there why
            self.stop()
            return None

    def start(self):
        """Begin a process, with a pipe to it."""
        self.pipe, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=serve, args=(theirs, self.program))
        self.process.start()
        theirs.close()

    def stop(self):
        """End the process, if there is one."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None
