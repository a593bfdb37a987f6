"""Runs of the arithmetic that everything is made of: exp, tanh, powers, the generator, kernels.

They stand at the places where implementations differ: ties of the rounding, subnormal numbers,
the last number that does not overflow, both zeros, 0^0, a draw that is rejected, 2^64.
"""

from fractions import Fraction as Q

from ..kernels.standard import Gaussian, Linear, MonomialSum, Polynomial, Sigmoid
from ..kernels.strings import Spectrum
from .vectors.function_runs import Run

INF = float("inf")
LN2 = float.fromhex("0x1.62e42fefa39efp-1")
EXPONENTS = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    0.41,
    LN2,
    -LN2,
    LN2 / 2,
    -LN2 / 2,
    1.5 * LN2,
    10.0,
    -10.0,
    -36.0,
    88.7,
    -103.9,
    700.0,
    -700.0,
    -708.0,
    -708.5,
    -720.25,
    -740.0,
    -744.9,
    -745.0,
    709.0,
    709.7,
    2.0**-53,
    -(2.0**-53),
    2.0**-54,
    2.0**-1074,
    -(2.0**-1074),
    1e-300,
    1e300,
    -1e300,
    float.fromhex("0x1.62e42fefa39efp+9"),
    float.fromhex("0x1.62e42fefa39f0p+9"),
    float.fromhex("-0x1.74910d52d3051p+9"),
    float.fromhex("-0x1.74910d52d3052p+9"),
    709.782712893384,
    710.0,
    711.0,
    -746.0,
    -747.0,
    INF,
    -INF,
    float("nan"),
]
ANGLES = [
    0.0,
    -0.0,
    0.125,
    -0.125,
    0.17,
    0.5,
    -0.5,
    1.0,
    -1.0,
    3.0,
    10.0,
    18.0,
    19.0,
    20.0,
    21.9,
    22.0,
    22.1,
    -30.0,
    1000.0,
    2.0**-28,
    2.0**-600,
    2.0**-1074,
    -(2.0**-1074),
    LN2 / 4,
    LN2 / 4 + 2.0**-54,
    INF,
    -INF,
    float("nan"),
]
POWERS = [
    (0, 0),
    (0, 1),
    (0, 5),
    (1, 100),
    (-1, 7),
    (2, 10),
    (-2, 3),
    ("3/2", 3),
    ("-1/2", 4),
    (3, 40),
    ("5/4", 13),
    ("1/8", 2),
    (2, 1023),
    ("1/2", 1074),
    ("4503599627370497/4503599627370496", 7),
]
SEEDS = ("0", "1", "1234567", "18446744073709551615", "6457827717110365317")


def of_doubles(function, values):
    """A run for each value."""
    for k, x in enumerate(values, 1):
        yield Run(f"{function} {k}", function, f"{function}({x!r})", {"x": x})


def draws():
    """Draws, and the orders that are made of them."""
    for seed in SEEDS:
        yield Run(f"words from {seed}", "words", "SplitMix64", {"seed": seed, "count": 8})
        yield Run(
            f"units from {seed}",
            "units",
            "the highest 53 bits times 2^-53",
            {"seed": seed, "count": 8},
        )
    for n in ("1", "2", "3", "5", "6", "8", "9", "1000", "4294967297", "18446744073709551616"):
        yield Run(
            f"draws below {n}",
            "below",
            "from the highest bits, others rejected",
            {"n": n, "seed": "7", "count": 12},
        )
    for n in (1, 2, 3, 6, 17):
        yield Run(
            f"shuffle of {n}",
            "shuffle",
            "Fisher and Yates, from the last place",
            {"n": n, "seed": "7"},
        )
    yield Run("passes", "passes", "0 to n - 1, over and over", {"n": 3, "times": 2})
    yield Run("no passes", "passes", "none at all", {"n": 3, "times": 0})
    yield Run(
        "shuffled passes",
        "shuffled_passes",
        "one generator for all passes",
        {"n": 5, "times": 3, "seed": "7"},
    )
    yield Run("uniform", "uniform", "with replacement", {"n": 6, "steps": 20, "seed": "7"})
    for n, k in ((7, 3), (6, 6), (10, 2)):
        yield Run(
            f"folds {n} {k}",
            "folds",
            "parts of a shuffle, each in order",
            {"n": n, "k": k, "seed": "7"},
        )


ARITHMETIC = [
    *of_doubles("exp", EXPONENTS),
    *of_doubles("tanh", ANGLES),
    *(
        Run(f"power {k}", "power", f"({b})^{n}", {"b": Q(b), "n": n})
        for k, (b, n) in enumerate(POWERS, 1)
    ),
    *draws(),
]

KERNELS = [
    Linear(),
    Polynomial(0),
    Polynomial(1),
    Polynomial(2),
    Polynomial(3, Q(1, 2), -1),
    Polynomial(2, 1, 1),
    Polynomial(7, Q(1, 4), Q(3, 8)),
    MonomialSum(0),
    MonomialSum(1),
    MonomialSum(2),
    MonomialSum(5),
    Gaussian(0.5),
    Gaussian(1.0),
    Gaussian(0.1),
    Gaussian(2.0**-40),
    Sigmoid(1.0, 0.0),
    Sigmoid(0.25, -1.0),
    Sigmoid(-0.5, 0.5),
    Linear() + Polynomial(2),
    Linear() * Polynomial(2, 1, 1),
    3 * Linear(),
    Linear() + Gaussian(0.5),
    0.25 * Sigmoid(1.0, 0.0) + Linear(),
]
PAIRS = [
    ((0, 0), (0, 0)),
    ((1, 2), (3, 4)),
    ((1, -2), (3, "1/4")),
    ((-1, 1), (-1, 1)),
    (("1/8", 3), (-5, "7/2")),
    ((2**20, 1), (2**20, 2)),
    ((0, 5), (3, 0)),
    ((Q(0.1), Q(0.2)), (Q(0.3), Q(0.7))),
]
WORDS = [
    ("banana", "ananas"),
    ("aaaa", "aaa"),
    ("a", "a"),
    ("", "abc"),
    ("abab", "baba"),
    ("the same", "the same"),
    ("abc", "xyz"),
]


def kernel_values():
    """Every kernel on every pair; strings on pairs of words."""
    for k, kernel in enumerate(KERNELS, 1):
        for place, (x, z) in enumerate(PAIRS, 1):
            given = {"kernel": kernel, "x": list(map(Q, x)), "z": list(map(Q, z))}
            yield Run(f"kernel {k} on pair {place}", "kernel", repr(kernel), given, ("Kernel",))
    for length in (1, 2, 3):
        for place, (x, z) in enumerate(WORDS, 1):
            given = {"kernel": Spectrum(length), "x": x, "z": z}
            yield Run(
                f"substrings of {length} in pair {place}",
                "kernel",
                "pairs of equal substrings",
                given,
                ("Kernel", "Strings"),
            )


KERNEL_VALUES = list(kernel_values())
