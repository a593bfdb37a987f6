"""Calls of public names with arguments that are no good: refused in a sentence, and no crash.

    python3 -m tests --python tests/hostile_calls.py [--count 50000] [--seed 1]

Each call is of a public name of refsvm_fast, or a method of what one gave, with drawn arguments:
some that suit, and some that are empty, nested, infinite, of another kind or length, or code that
raises. ValueError, TypeError, OSError and what that code raises are answers; every other exception
is told.
"""

import argparse
import contextlib
import io
import random
import sys
import warnings
from fractions import Fraction
from math import inf, nan
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import refsvm_fast  # noqa: E402

METHODS = [
    *("primal", "dual", "gap", "slacks", "margins", "weights", "model", "decision", "decisions"),
    *("predictions", "fit", "predict", "decision_function", "score", "set_params"),
    *("bound", "honours", "document", "text", "predict_proba"),
]
NOT_CALLED = {"audit", "check", "cross_validate", "grid"}  # which take seconds


class MadeToFailError(Exception):
    """What code of the caller's raises here."""


class Failing:
    """Every question to it fails."""

    def __fail(self, *given):
        raise MadeToFailError

    __len__ = __getitem__ = __iter__ = __float__ = __index__ = __call__ = __array__ = __fail


def emptied(x, z):
    value = float(len(x))
    x.clear()
    return value


def pool():
    X = [[1.0, 2.0], [0.5, -1.0], [3.0, 0.0], [-2.0, 1.5]]
    y = [1, -1, 1, -1]
    return [
        X, X, X, y, y, y, [1.0] * 4, 1.0, 0.5, 1, 2, [0, 1, 2, 3], "ab", ["ab", "b", "", "c"],
        refsvm_fast.Linear(), refsvm_fast.Gaussian(0.5), refsvm_fast.Problem(X, y),
        refsvm_fast.Problem(X, y, refsvm_fast.Gaussian(1.0)), refsvm_fast.OneClassProblem(X),
        None, 0, -1, 10**30, -(2**63), nan, inf, -inf, 5e-324, 1e308, Fraction(1, 3), True, b"x",
        [], [[]], [[], [1.0]], [[nan]], [[1.0, None]], [["x"]], {}, {1: 2}, set(), (), "", 1j,
        "x" * 50, [[1e308] * 2] * 4, [10**400], Failing(), [Failing()] * 4, [[Failing()] * 2] * 4,
        emptied, lambda *given: None, lambda *given: [], lambda x, z: 1.0, iter(X), range(4),
        object(), int, memoryview(bytes(32)).cast("d"), bytearray(16), slice(None), type,
    ]


def callables():
    found = [getattr(refsvm_fast, name) for name in sorted(set(refsvm_fast.__all__) - NOT_CALLED)]
    return [value for value in found if callable(value)]


def drawn_call(draw, functions, kept):
    """A function and arguments; now and then a method of something that a call gave."""
    function = draw.choice(functions)
    if kept and draw.random() < 0.4:
        owner = draw.choice(kept)
        member = getattr(owner, draw.choice(METHODS), None)
        function = member if callable(member) else function
    given = [draw.choice(pool()) for _ in range(draw.choice((0, 1, 2, 2, 2, 3, 3, 4)))]
    names = ("C", "tol", "max_iter", "on_step", "threads", "cache_mb", "kernel", "nu", "start")
    more = range(draw.choice((0, 0, 0, 1, 2)))
    options = {draw.choice(names): draw.choice(pool()) for _ in more}
    return function, given, {"max_iter": 200, **options} if "max_iter" in options else options


def is_own(error):
    """Whether code of the caller's raised it, or what that code raised is told by another."""
    while error is not None:
        if isinstance(error, (MadeToFailError, ValueError, TypeError, OSError)):
            return True
        error = error.__cause__ or error.__context__
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    draw, functions, kept, bare = random.Random(given.seed), callables(), [], {}
    warnings.simplefilter("ignore")
    for number in range(given.count):
        function, arguments, options = drawn_call(draw, functions, kept)
        name = getattr(function, "__qualname__", str(function))
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                answer = function(*arguments, **options)
        except NotImplementedError:  # of a class that is there to be made into others
            continue
        except Exception as error:
            if not is_own(error):
                bare.setdefault(f"{name}: {type(error).__name__}: {error}"[:150], number)
            continue
        if type(answer).__module__.startswith("refsvm"):
            kept = [*kept[-20:], answer]
    for words, number in bare.items():
        print(f"call {number} of seed {given.seed}: {words}")
    print(f"{given.count} calls, {len(bare)} bare errors")
    return 1 if bare else 0


if __name__ == "__main__":
    sys.exit(main())
