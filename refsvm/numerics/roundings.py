"""Whether this process rounds as promised: to nearest, once, and to subnormal numbers, too.

Python leaves its sums and products to the processor, and to the modes that any library of the
process may have set: one that was linked with -ffast-math sets subnormal numbers to zero for all.
So a few are tried when refsvm is imported, and once more when refsvm_fast has been loaded.

    answer    computes a * b + c of three doubles, in two roundings
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # every import of refsvm would wait for it
    from collections.abc import Callable

    Answer = Callable[[float, float, float], float]

FLUSHED = (
    "sets numbers below 2.3e-308 to zero, as a library makes it that was linked with -ffast-math;"
    " keep that library out of the process"
)
DIRECTED = "does not round to nearest; set the mode back, in C by fesetround(FE_TONEAREST)"
TWICE = (
    "rounds twice, in registers of 80 bits (x87); take a Python for x86-64, or one compiled with"
    " -msse2 -mfpmath=sse"
)

# a, b, c, what a * b + c must be, and why it would not. Below 2^-1022 they are compared as text:
# where such numbers count as zero, they also equal it.
ROUNDING_PROBES = [
    (2.0**-1022, 0.5, 0.0, "0x0.8000000000000p-1022", FLUSHED),
    (1.0, 1.0, 2.0**-53, "0x1.0000000000000p+0", DIRECTED),
    (1.0, 1.0, 3 * 2.0**-53, "0x1.0000000000002p+0", DIRECTED),
    (1e16, 1.0, 2.9999, "0x1.1c37937e08001p+53", TWICE),
    (3 * (1 - 2.0**-33) * 2.0**-500, (1 + 2.0**-33) * 2.0**-575, 0.0,
     "0x0.0000000000001p-1022", TWICE),
    (1 + 2.0**-30, 1 - 2.0**-30, -1.0, "0x0.0p+0", "rounds a * b + c once"),
]  # fmt: skip


def product_and_sum(a: float, b: float, c: float) -> float:
    """Return a * b + c as Python computes it."""
    return a * b + c


def answers(answer: Answer = product_and_sum) -> list[str]:
    """Return what is answered here where roundings can differ."""
    return [answer(a, b, c).hex() for a, b, c, _, _ in ROUNDING_PROBES]


def difference(answer: Answer = product_and_sum) -> str:
    """Return in a sentence why answers may have other bits than promised, and the cure; else "".

    >>> difference()
    ''
    >>> print(difference(lambda a, b, c: 0.0)[:67])
    answers may differ from the promised bits, as this process sets num
    """
    for found, (_, _, _, right, cause) in zip(answers(answer), ROUNDING_PROBES):
        if found != right:
            return f"answers may differ from the promised bits, as this process {cause}"
    return ""


def warn_if_not_as_promised() -> None:
    """Warn the importer of refsvm where answers may not be the promised ones."""
    sentence = difference()
    if sentence:
        from warnings import warn

        warn(sentence, RuntimeWarning, stacklevel=3)
