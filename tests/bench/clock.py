"""Times: on the wall and of all cores, the best of several, everyone in turn.

The wall says how long a person waits, the CPU time what was worked for it by all threads. The
second hardly notices that the machine is busy with something else.
"""

import time
from math import exp, inf, log
from typing import Any, NamedTuple

ENOUGH = 0.1  # seconds: on some machines the clock of CPU time goes in leaps of milliseconds


class Timed(NamedTuple):
    """What some work returned, and its seconds."""

    result: Any
    wall: float
    cpu: float


def timed(work):
    """Timed(work(), ...). What takes less than ENOUGH is repeated, and the mean counts."""
    wall, cpu, times = time.perf_counter(), time.process_time(), 0
    while not times or time.perf_counter() - wall < ENOUGH:
        result, times = work(), times + 1
    return Timed(
        result, (time.perf_counter() - wall) / times, (time.process_time() - cpu) / times
    )


def in_turns(contestants, rounds, patience):
    """{name: its runs}: each contestant's turn comes `rounds` times, while it has time left.

    contestants   {name: a function that returns a Timed, or None if it gave up}
    patience      CPU seconds in all that each may use; one who gives up is not asked again
    """
    runs = {name: [] for name in contestants}
    left = dict.fromkeys(contestants, patience)
    for _ in range(rounds):
        for name, run in contestants.items():
            if left[name] > 0:
                done = run()
                left[name] -= inf if done is None else done.cpu
                runs[name] += [] if done is None else [done]
    return runs


def best(runs):
    """The least times of several runs, for a record; nothing if there was none."""
    if not runs:
        return {"runs": 0}
    return {
        "runs": len(runs), "wall": min(r.wall for r in runs), "cpu": min(r.cpu for r in runs),
    }


def mean(numbers):
    """The geometric mean."""
    total = 0.0
    for v in numbers:
        total += log(v)
    return exp(total / len(numbers))
