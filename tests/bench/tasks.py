"""What a task of a grid costs beside an empty one, and how much faster two processes are.

    python tests/bench/tasks.py

The data are 1797 rows of 64 numbers, the estimator does nothing, the processes are started and
warm. A task is compared with executor.submit(int) in the same run, by the wall and by the CPU
time of all processes; medians of nine runs. Then come ten tasks of a second, asleep: what
is lost of twice the speed is lost by handing out the tasks, however busy the machine is.
"""

import os
import random
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median

import refsvm

TASKS, FOLDS, RUNS = 250, 5, 9


class Idle:
    """A classifier that takes a number of seconds and learns nothing."""

    def __init__(self, seconds=0, serial=0):
        self.seconds, self.serial = seconds, serial

    def get_params(self, deep=True):
        return {"seconds": self.seconds, "serial": self.serial}

    def set_params(self, **parameters):
        vars(self).update(parameters)
        return self

    def fit(self, X, y):
        time.sleep(self.seconds)
        self.label = y[0]

    def predict(self, X):
        return [self.label] * len(X)


def empty_tasks(executor):
    """Let the executor do nothing, as often as there are tasks."""
    for future in [executor.submit(int, 1) for _ in range(TASKS)]:
        future.result()


def searched(executor, data, seconds=0, tasks=TASKS):
    """Search a grid of so many tasks that take so many seconds each."""
    values = {"serial": list(range(tasks // FOLDS))}
    return refsvm.grid(Idle(seconds), values, *data, folds=FOLDS, executor=executor)


def times(executor, work):
    """(wall, CPU) of some work, in milliseconds a task; the CPU time is that of all processes."""
    before = [time.perf_counter(), cpu(executor)]
    work()
    after = [time.perf_counter(), cpu(executor)]
    return [1e3 * (b - a) / TASKS for a, b in zip(before, after)]


def cpu(executor):
    """CPU seconds so far of this process and the two of the executor."""
    times_there = {}
    while len(times_there) < 2:
        asked = [executor.submit(clock) for _ in range(8)]
        times_there.update(future.result() for future in asked)
    return time.process_time() + sum(times_there.values())


def clock():
    """Return which process this is, and its CPU seconds so far."""

    time.sleep(0.005)  # so that the other process is asked, too
    return os.getpid(), time.process_time()


def main():
    draw = random.Random(1)
    X = [[draw.random() for _ in range(64)] for _ in range(1797)]
    data = X, [i % 10 for i in range(1797)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        searched(executor, data)
        rows = []
        for _ in range(RUNS):
            empty = times(executor, lambda: empty_tasks(executor))
            full = times(executor, lambda: searched(executor, data))
            rows.append([*empty, *full])
        wall, processor, wall_of_grid, processor_of_grid = map(median, zip(*rows))
        print(
            f"ms a task   submit(int) {wall:.2f}   grid {wall_of_grid:.2f}   more"
            f" {median(row[2] - row[0] for row in rows):.2f}"
        )
        print(
            f"of CPU      submit(int) {processor:.2f}   grid {processor_of_grid:.2f}   more"
            f" {median(row[3] - row[1] for row in rows):.2f}"
        )
        seconds = []
        for workers in (None, executor):
            start = time.perf_counter()
            searched(workers, data, 1, 10)
            seconds.append(time.perf_counter() - start)
        print(
            f"ten tasks of a second: {seconds[0]:.2f} s alone, {seconds[1]:.2f} s with two"
            f" processes, {seconds[0] / seconds[1]:.2f} times as fast"
        )


if __name__ == "__main__":
    main()
