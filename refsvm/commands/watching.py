"""What a terminal shows of long work: how far a solver is, for how long, and a guess of the rest.

    violation   what the solver brings down to tol: m - M, the largest breach of the optimality
                conditions, as computed
    least       the smallest violation so far, which does not jump up and down as the last one does
    guess       of the time left: that least goes on falling, per second, by the factor by which it
                fell in the last quarter of the time. At first it hardly falls, and there is no
                guess; later it is right within a factor of two or so

A solver tells of a step by calling the Watch; a thread writes the line. So work that tells nothing
shows how long it has taken, too.
"""

from bisect import bisect_right
from contextlib import contextmanager
from math import inf, log

LINE_SECONDS = 0.25  # seconds between two lines
RECENT = 0.25  # the share of the time by which the guess goes
UNTIMED_SECONDS = 1.0  # seconds after which the time is shown


class Watch:
    """The steps of a solver, as a line for the terminal. It is an on_step for the solver.

    sampled: a compiled solver need not tell every step, but some ten a second.
    """

    sampled = True

    def __init__(self, what, tol, clock):
        self.what, self.tol, self.clock = what, tol, clock
        self.begun, self.step, self.least = clock(), None, inf
        self.times, self.leasts = [0.0], [inf]  # when a line was made, and least then

    def __call__(self, step):
        self.step, self.least = step, min(self.least, step.violation)

    def line(self):
        """Return what to show now."""
        elapsed, step, least = self.clock() - self.begun, self.step, self.least
        self.times.append(elapsed)
        self.leasts.append(least)
        words = []
        if step is not None:
            words += [
                f"step {step.iteration}",
                f"violation computed as {float(step.violation):.2g}",
            ]
        if elapsed >= UNTIMED_SECONDS:
            words.append(duration(elapsed))
            left = self.time_left(elapsed, least)
            words += [] if left is None else [f"about {duration(left)} left"]
        return f"{self.what}: {', '.join(words)}" if words else self.what

    def time_left(self, elapsed, least):
        """Return the guess in seconds; None without one."""
        then = bisect_right(self.times, (1 - RECENT) * elapsed) - 1
        before, since = self.leasts[then], elapsed - self.times[then]
        if not self.tol or not 0 < least < before < inf:
            return None
        return max(0.0, log(least / self.tol)) / log(before / least) * since


def duration(seconds):
    """Return a time in words, rounded as a guess is.

    >>> [duration(s) for s in (0.4, 89, 91, 5300, 5500, 1e6)]
    ['0 s', '89 s', '2 min', '88 min', '2 h', '278 h']
    """
    for unit, size in (("s", 1), ("min", 60)):
        if seconds < 90 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds / 3600:.0f} h"


class FitsWatch:
    """Counts the fits of a search, and how they ended; write: what shows a line, or None."""

    def __init__(self, write, clock):
        self.write, self.clock, self.start = write, clock, clock()
        self.done, self.fits, self.more, self.statuses = 0, 0, 0, []

    def on_stage(self, fits, more):
        """Note that a stage has `fits` fits, and that at most `more` follow it."""
        self.fits, self.more = self.done + fits + more, more
        self._tell()

    def on_answer(self, number, trial):
        """Hear of a fit that is done."""
        self.done += 1
        self.statuses.extend([trial.statuses] if trial.statuses else [])
        self._tell()

    def _tell(self):
        if self.write:
            elapsed = self.clock() - self.start
            self.write(_fits_in_words(self.done, self.fits, elapsed, self.more > 0))


def _fits_in_words(done, fits, elapsed, may_be_fewer=False):
    """Return in words how many fits are done, since when, and how long the others may take.

    >>> _fits_in_words(10, 30, 100.0)
    '10 of 30 fits, 2 min, about 3 min left'
    >>> _fits_in_words(10, 190, 2.0, may_be_fewer=True)
    '10 of at most 190 fits, 2 s, at most 36 s left'
    """
    few, about = ("at most ", "at most") if may_be_fewer else ("", "about")
    left = f", {about} {duration(elapsed / done * (fits - done))} left" if done else ""
    return f"{done} of {few}{fits} fit{'s' * (fits != 1)}, {duration(elapsed)}{left}"


@contextmanager
def written_now_and_then(watch, write):
    """Let a thread write the line of a Watch while work goes on."""
    from threading import Event, Thread  # which take long to import, and serve a terminal only

    over = Event()

    def keep_writing():
        while not over.wait(LINE_SECONDS):
            write(watch.line())

    thread = Thread(target=keep_writing, daemon=True)
    write(watch.what)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
