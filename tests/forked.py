"""Tests that are collected once, and tried on one mutant after another, each in a fork.

Starting pytest anew for each mutant takes longer than most tests. Here one process imports the
tests and refsvm; a fork of it puts the mutant's code in the place of the function's own, runs the
tests, and says with its exit status which of them failed first. The system ends a fork that works
far longer than the tests do with nothing broken, and that counts as a failure.
"""

import gc
import importlib
import inspect
import os
import resource
import sys
import types
from typing import NamedTuple

from _pytest.runner import runtestprotocol

from tests.mutants import ROOT

MEMORY = 4 << 30  # bytes of addresses that a fork may have
BROKEN = 255  # the exit status of a mutant that cannot even be imported


class Trial(NamedTuple):
    """What a fork does: these tests, on a mutant if there is one, in so many seconds of work."""

    key: object
    mutant: object
    tests: tuple
    seconds: float


class Verdict(NamedTuple):
    """What came of it: the test that failed, whether the fork was ended, its seconds of work."""

    failed: str
    ended: bool
    seconds: float


class Forks:
    """A plugin for pytest that calls `play(self)` instead of running the tests collected."""

    def __init__(self, play, jobs):
        self.play, self.jobs = play, jobs
        self.items, self.running = {}, {}
        self.read = set()  # modules of tests, in a fork

    def pytest_runtestloop(self, session):
        for item in session.items:
            self.items.setdefault(item.nodeid.split("[")[0], []).append(item)
        gc.freeze()  # what is there before a fork stays shared
        self.play(self)
        return True

    def verdicts(self, trials):
        """Yield (Trial, Verdict) for each trial, as they end."""
        for trial in trials:
            if len(self.running) >= self.jobs:
                yield self.ended()
            pid = os.fork()
            if not pid:
                self.child(trial)
            self.running[pid] = trial
        while self.running:
            yield self.ended()

    def ended(self):
        """Wait for one fork."""
        pid, status, usage = os.wait4(-1, 0)
        trial = self.running.pop(pid)
        code = os.waitstatus_to_exitcode(status)
        failed = trial.tests[code - 1] if 0 < code <= len(trial.tests) else ""
        return trial, Verdict(failed, bool(code and not failed), usage.ru_utime + usage.ru_stime)

    def child(self, trial):
        """Break the function, run the tests, and leave with the number of the first that fails."""
        status = BROKEN
        sys.modules["hypothesis.extra._patching"] = None  # suggests examples, and takes seconds
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_CPU, (int(trial.seconds) + 1,) * 2)
            if trial.mutant is not None:
                put_in_place(trial.mutant)
            status = next((k for k, test in enumerate(trial.tests, 1) if self.fails(test)), 0)
        finally:
            os._exit(status)

    def fails(self, test):
        """Whether one of the items of a test fails."""
        self.read_again(self.items[test])
        return any(report.failed for item in self.items[test]
                   for report in runtestprotocol(item, log=False))

    def read_again(self, items):
        """Import the file of a test once more: what it makes on being imported is broken, too."""
        module = items[0].module
        if module not in self.read:
            self.read.add(importlib.reload(module))
        for item in items:
            item.obj = getattr(module, item.originalname)


def put_in_place(mutant):
    """Give a function, wherever it was imported, the code that it has in the mutant."""
    name = ".".join(mutant.path.relative_to(ROOT).with_suffix("").parts)
    module, changed = importlib.import_module(name), types.ModuleType(name)
    changed.__package__ = module.__package__
    exec(compile(mutant.source, str(mutant.path), "exec"), vars(changed))
    old, new = module, changed
    for part in mutant.function.split("."):
        if inspect.isfunction(new):  # what is defined in a function belongs to its code
            break
        old, new = bare(vars(old)[part]), bare(vars(new)[part])
    old.__code__, old.__defaults__ = new.__code__, new.__defaults__
    old.__kwdefaults__ = new.__kwdefaults__


def bare(value):
    """The function in a method, a property or what decorates it."""
    if isinstance(value, property):
        value = value.fget
    return inspect.unwrap(getattr(value, "__func__", value))
