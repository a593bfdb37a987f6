"""What every model has that decides by one number: +1 where it is 0 or above, else -1."""

from __future__ import annotations

from ..numerics.types import Number, Row, Rows, Vector
from ..numerics.validation import sequence, whole_number


class SingleDecision:
    """The base of Model and BallModel, which say how rows are decided about."""

    __slots__ = ()

    def decide(self, X: Rows, names: list[str]) -> Vector:
        """Return f of the rows of X; names say which row an error is about."""
        raise NotImplementedError

    def decision(self, x: Row) -> Number:
        """Return f(x) of one row. O(d) for a linear model, O(vectors d) for the others."""
        return self.decide([x], ["x"])[0]

    def decisions(self, X: Rows, *, threads: int = 1) -> Vector:
        """Return f of each row of X; `threads` changes no bit, and here no speed."""
        whole_number(threads, "threads", 1)
        X = sequence(X, "X")
        return self.decide(X, [f"X[{i}]" for i in range(len(X))])

    def predict(self, x: Row) -> int:
        """Return +1 if f(x) >= 0, else -1."""
        return 1 if self.decision(x) >= 0 else -1

    def predictions(self, X: Rows, *, threads: int = 1) -> list[int]:
        """Return +1 if f(x) >= 0, else -1, for each row x of X."""
        return [1 if f >= 0 else -1 for f in self.decisions(X, threads=threads)]
