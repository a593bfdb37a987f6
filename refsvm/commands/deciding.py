"""Decisions about the rows of a file, some at a time."""

from ..svm.model import Model
from .console import progress
from .engine import library

BATCH = 500  # rows between two signs of progress


def decide(given, model, X):
    """Return the decisions of all rows; the library in use computes them, with the same bits."""
    if isinstance(model, Model):
        model = library(given).Model(*model)
    found = []
    for start in range(0, len(X), BATCH):
        with progress(f"row {start + 1} of {len(X)}"):
            found += model.decisions(X[start : start + BATCH])
    return found


def signs(decisions):
    """Return +1 for each row inside, and -1 for each outside.

    >>> signs([0.5, 0.0, -1.0])
    [1, 1, -1]
    """
    return [1 if f >= 0 else -1 for f in decisions]
