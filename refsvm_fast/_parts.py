"""Work on many rows, one part after the other, or in several threads."""

PART = 256  # rows for one thread at a time


def in_parts(work, n, threads):
    """The lists work(0), work(PART), work(2 PART) .. below n as one; None if one of them is."""
    begins = range(0, n, PART)
    if threads > 1 and n > PART:
        from concurrent.futures import ThreadPoolExecutor  # which takes long to import

        with ThreadPoolExecutor(min(threads, len(begins))) as pool:
            return joined(pool.map(work, begins))
    return joined(map(work, begins))


def joined(parts):
    """All lists as one; None as soon as one of them is."""
    answers = []
    for part in parts:
        if part is None:
            return None
        answers += part
    return answers
