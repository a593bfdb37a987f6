"""The thread-safety check: two fits at once must not share what they should not.

While one thread fits and decides, another fits the same examples with the classes exchanged, so
that what one leaves behind misleads the other. A program whose threads can be counted is run with
two of them, too. What comes back is compared with the answer of a fit that was alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Barrier, Thread
from typing import Any

from ..protocol import Request
from ..protocol.answer_reader import Fields
from ..protocol.plain_values import sentence_of

ROUNDS = 8  # fits of each thread
SWITCH_INTERVAL = 1e-5  # seconds between changes of thread: within a fit, not after it
THREADS = ("threads", "n_jobs", "n_threads", "num_threads", "nthread")


def answer_with_threads(train: Callable[[Request], Fields], request: Request) -> Fields:
    """Return train(request); its `threaded` holds what threads decide, if they are asked for."""
    answer = train(request._replace(threads=None))
    if request.threads is None or answer.get("decisions") is None:
        return answer
    plain = request._replace(extras=False)
    alone = plain._replace(threads=None)
    try:
        with _frequent_switches():
            answers = _run_at_once(lambda: train(alone), lambda: train(_exchange_labels(alone)))
        answers.append(train(plain))
    except (Exception, SystemExit) as error:
        return {**answer, "threaded": sentence_of(error)}
    return {**answer, "threaded": [each.get("decisions") for each in answers]}


def _exchange_labels(request: Request) -> Request:
    """Return the Request with the label of the other class in the place of each."""
    low, high = sorted(set(request.y))
    return request._replace(y=[low if label == high else high for label in request.y])


@contextmanager
def _frequent_switches() -> Iterator[None]:
    """Let threads take turns within a fit, which is short."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def _run_at_once(work: Callable[[], Any], other: Callable[[], Any]) -> list[Any]:
    """Return what `work` returns, each of ROUNDS times, while another thread runs `other`.

    The first exception of either is raised here.
    """
    results: list[Any] = []
    errors: list[BaseException] = []
    start = Barrier(2)

    def run(act: Callable[[], Any], keep: Callable[[Any], None]) -> None:
        start.wait()
        try:
            for _ in range(ROUNDS):
                keep(act())
        except BaseException as error:  # also one that would end a thread in silence
            errors.append(error)

    threads = [
        Thread(target=run, args=[work, results.append]),
        Thread(target=run, args=[other, lambda answer: None]),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results
