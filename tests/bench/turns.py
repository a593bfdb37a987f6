"""Fits in processes of their own, so that one that takes too long can be ended.

A Worker is one program; it starts when first asked, and again after it was ended. Programs take
turns, so that an hour in which the machine is busy is busy for all of them.
"""

import multiprocessing
from math import inf

from trainers import TRAINERS

CONTEXT = multiprocessing.get_context("spawn")  # a fresh interpreter: nothing is inherited


def serve(pipe, program):
    """The life of a worker: fits as asked through the pipe, after a small one to warm up."""
    from sets import training

    fit, name, data = TRAINERS[program], None, None
    while True:
        asked, kernel, C = pipe.recv()
        if asked != name:
            name, data = asked, training(asked)
            warm_up(fit, *data, kernel, C)
        pipe.send("ready")
        pipe.send(fit(*data, kernel, C))


def warm_up(fit, X, y, kernel, C):
    """One fit of a few rows of both labels, so that libraries are loaded."""
    few = [i for label in (-1, 1) for i in (y == label).nonzero()[0][:20]]
    fit(X[few], y[few], kernel, C)


class Worker:
    """One program in its own process."""

    def __init__(self, program):
        self.program, self.process, self.pipe = program, None, None

    def fit(self, task, patience):
        """The Fit of a task (set, kernel, C); None if it failed or took over `patience` s."""
        if self.process is None:
            self.start()
        try:
            self.pipe.send(task)
            self.pipe.recv()  # ready: the data are read
            if self.pipe.poll(patience):
                return self.pipe.recv()
        except EOFError:  # what went wrong was printed over there
            pass
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


def in_turns(workers, task, fits, patience):
    """{program: its Fits of one task}: at most `fits` each, until `patience` seconds are used.

    An empty list: the program was ended, or failed.
    """
    found = {worker.program: [] for worker in workers}
    left = {worker.program: patience for worker in workers}
    for _ in range(fits):
        for worker in workers:
            name = worker.program
            if left[name] <= 0:
                continue
            fit = worker.fit(task, patience)
            left[name] -= fit.wall if fit else inf
            found[name] += [fit] if fit else []
    return found
