"""Part "memory": the most that a fit takes beside what was there, and what it may take.

The kernel is Gaussian(1 / d), C = 1. With 1 MB for kernel rows a fit is ended after 300 steps.
"""

from fit_memory import allowed, taken
from records import keep, kept, table

KEYS = ("rows", "features", "form", "cache")
SHAPES = [(4000, 20), (12_000, 20), (30_000, 20)]
FORMS = ("by row", "by column", "float32", "sparse")
STEPS = {200: None, 1: 300}  # MB for kernel rows: the steps that are taken


def measure(options):
    """Fit every shape in every form."""
    for n, d in SHAPES:
        for form in FORMS:
            for cache, steps in STEPS.items():
                found = {"taken": taken(form, n, d, cache, steps), "allowed": allowed(n, d, cache)}
                keep("memory", **dict(zip(KEYS, (n, d, form, cache))), **found)


def tables(options):
    """A line for each fit that was measured."""
    rows = [
        [*map(str, key), *(f"{record[name] / 2**20:.1f}" for name in ("taken", "allowed"))]
        for key, record in kept("memory", *KEYS).items()
    ]
    head = "rows | features | form | MB for kernel rows | MB taken | MB allowed"
    return table(head, rows) if rows else ""
