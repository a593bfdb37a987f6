"""Two fits at once: is anything shared between them that should not be?

While one thread fits and decides, another fits the same examples with the classes exchanged, so
that what one leaves behind misleads the other. A program whose threads can be counted is asked
with two of them, too. What comes back is held against the answer of a fit that was alone.
"""

import sys
from contextlib import contextmanager
from threading import Barrier, Thread

ROUNDS = 8  # fits of each thread
OFTEN = 1e-5  # seconds between changes of thread: within a fit, not after it
THREADS = ("threads", "n_jobs", "n_threads", "num_threads", "nthread")


def with_threads(trained, request):
    """trained(request), and if the request asks for threads, what they decide in `beside`."""
    answer = trained(request._replace(threads=None))
    if request.threads is None or answer.decisions is None:
        return answer
    plain = request._replace(extras=False)
    alone = plain._replace(threads=None)
    try:
        with changing_often():
            answers = at_once(lambda: trained(alone), lambda: trained(exchanged(alone)))
        answers.append(trained(plain))
    except Exception as error:
        return answer._replace(beside=sentence(error))
    return answer._replace(beside=[each.decisions for each in answers])


def sentence(error):
    """An exception in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def exchanged(request):
    """The Request with the label of the other class in the place of each."""
    low, high = sorted(set(request.y))
    return request._replace(y=[low if label == high else high for label in request.y])


@contextmanager
def changing_often():
    """Let threads take turns within a fit, which is short."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(OFTEN)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def at_once(work, other):
    """What `work` returns, each of ROUNDS times, while another thread does the other.

    The first exception of either is raised here.
    """
    found, errors, start = [], [], Barrier(2)

    def rounds(act, keep):
        start.wait()
        try:
            for _ in range(ROUNDS):
                keep(act())
        except Exception as error:
            errors.append(error)

    threads = [
        Thread(target=rounds, args=[work, found.append]),
        Thread(target=rounds, args=[other, lambda answer: None]),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return found
