"""The functions of an exported machine that are the same in every one, as C.

Each does what its namesake in refsvm does, operation by operation:

    dot, squared_distance     linalg.py, with a row of the table that the C file holds
    power, exponential, hyperbolic_tangent
                              power, exp and tanh of elementary.py
    sum_of_powers             standard.py

A sum begins at 0.0 in C and at the int 0 here: a first term -0.0 makes it +0.0 in both. The
exponential is cut down to what kernels ask of it, a number that is at most 44: tanh asks for twice
22 at most, a Gaussian for nothing above 0.

    $name    is replaced: by the prefix of the public names, or by a constant of elementary.py
    rows     the table, in full; or, where most of it is zero, first, places and values

Source: spec/standard/arithmetic.md and spec/standard/export.md.
"""

from __future__ import annotations

from string import Template

from ..numerics.elementary import (
    INV_LN2,
    LN2_HIGH,
    LN2_LOW,
    P1,
    P2,
    P3,
    P4,
    P5,
    ROUNDER,
    TANH_SMALL,
)
from .constants import literal

DENSE_DOT = """\
/* the inner product of x and a row of the table, from the first feature to the last */
static double dot(const double *x, size_t row)
{
    double total = 0.0;
    for (size_t k = 0; k < ${name}_features; k++)
        total += x[k] * rows[row][k];
    return total;
}
"""

SPARSE_DOT = """\
/* the inner product of x and a row of the table, from the first feature to the last */
static double dot(const double *x, size_t row)
{
    double total = 0.0;
    for (size_t n = first[row]; n < first[row + 1]; n++)
        total += x[places[n]] * values[n];
    return total;
}
"""

DENSE_DISTANCE = """\
/* the squared distance of x and a row of the table, from the first feature to the last */
static double squared_distance(const double *x, size_t row)
{
    double total = 0.0;
    for (size_t k = 0; k < ${name}_features; k++)
        total += (x[k] - rows[row][k]) * (x[k] - rows[row][k]);
    return total;
}
"""

SPARSE_DISTANCE = """\
/* the squared distance of x and a row of the table, from the first feature to the last */
static double squared_distance(const double *x, size_t row)
{
    double total = 0.0;
    size_t k = 0;
    for (size_t n = first[row]; n < first[row + 1]; n++, k++) {
        for (; k < places[n]; k++)
            total += x[k] * x[k];
        total += (x[k] - values[n]) * (x[k] - values[n]);
    }
    for (; k < ${name}_features; k++)
        total += x[k] * x[k];
    return total;
}
"""

SQUARED_NORM = """\
/* the inner product of x with itself, from the first feature to the last */
static double squared_norm(const double *x)
{
    double total = 0.0;
    for (size_t k = 0; k < ${name}_features; k++)
        total += x[k] * x[k];
    return total;
}
"""

POWER = """\
/* b^n by repeated squaring, from the lowest bit of n */
static double power(double b, unsigned long n)
{
    double r = 1.0;
    for (; n != 0; n /= 2) {
        if (n % 2 == 1)
            r *= b;
        b *= b;
    }
    return r;
}
"""

SUM_OF_POWERS = """\
/* 1 + s + s^2 + ... + s^degree */
static double sum_of_powers(double s, unsigned long degree)
{
    double total = 1.0;
    for (; degree != 0; degree--)
        total = 1.0 + s * total;
    return total;
}
"""

EXPONENTIAL = """\
/* e^x for x <= 44, as 2^k e^r with r = a - b; the powers of two are exact */
static double exponential(double x)
{
    if (x < -746.0)
        return 0.0;
    const double k = x * $INV_LN2 + $ROUNDER - $ROUNDER;
    const double a = x - k * $LN2_HIGH;
    const double b = k * $LN2_LOW;
    const double r = a - b;
    const double z = r * r;
    const double c = r - z * ($P1
        + z * ($P2
        + z * ($P3
        + z * ($P4 + z * $P5))));
    const double s = 1.0 + a;
    const double p = s + ((1.0 - s) + a - (b - r * c / (2.0 - c)));
    if (k < -1000.0)
        return p * power(0.5, (unsigned long)(-k - 1000.0)) * 0x1p-1000;
    return p * (k < 0.0 ? power(0.5, (unsigned long)-k) : power(2.0, (unsigned long)k));
}
"""

HYPERBOLIC_TANGENT = """\
/* tanh x; with r = 2x, r / (2 + z P(z)) near 0 and (e - 1) / (e + 1) beyond */
static double hyperbolic_tangent(double x)
{
    if (x < 0.0)
        return -hyperbolic_tangent(-x);
    if (x > 22.0)
        return 1.0;
    const double r = x + x;
    if (r > $TANH_SMALL) {
        const double e = exponential(r);
        return (e - 1.0) / (e + 1.0);
    }
    const double z = r * r;
    return r / (2.0 + z * ($P1
        + z * ($P2
        + z * ($P3
        + z * ($P4 + z * $P5)))));
}
"""

CONSTANTS = {
    "INV_LN2": INV_LN2,
    "ROUNDER": ROUNDER,
    "LN2_HIGH": LN2_HIGH,
    "LN2_LOW": LN2_LOW,
    "P1": P1,
    "P2": P2,
    "P3": P3,
    "P4": P4,
    "P5": P5,
    "TANH_SMALL": TANH_SMALL,
}
IN_C = {name: literal(value) for name, value in CONSTANTS.items()}

OVER_ROWS = {  # in full, sparse
    "dot": (DENSE_DOT, SPARSE_DOT),
    "squared_distance": (DENSE_DISTANCE, SPARSE_DISTANCE),
}
OF_NUMBERS = {  # with what each calls; in an order in which they may stand
    "squared_norm": (SQUARED_NORM, []),
    "power": (POWER, []),
    "sum_of_powers": (SUM_OF_POWERS, []),
    "exponential": (EXPONENTIAL, ["power"]),
    "hyperbolic_tangent": (HYPERBOLIC_TANGENT, ["exponential", "power"]),
}


def functions(wanted: set[str], is_sparse: bool) -> list[str]:
    """Return the C functions of these names, and those that they call: a list of texts."""
    called = [word for of_numbers in wanted for word in OF_NUMBERS.get(of_numbers, ("", []))[1]]
    texts = [both[is_sparse] for word, both in OVER_ROWS.items() if word in wanted]
    texts += [text for word, (text, _) in OF_NUMBERS.items() if word in {*wanted, *called}]
    return [Template(text).safe_substitute(IN_C) for text in texts]
