"""The C functions that compute kernel values: of a kernel, and those that every kernel shares.

A kernel of one formula is one expression. In a sum, product or multiple each part has a line of
its own, so that no expression gets deeper than a compiler likes.

    s, r         the inner product of x and the row, their squared distance
    k1, k2 ..    the values of the parts of a sum, product or multiple, each on its own line
    $gamma ..    the parameters of the kernel, which are floats; degree is an int
    $name        the prefix of the public names; others: the constants of elementary.py
    rows         the table, in full; or, where most of it is zero, first, places and values

The shared functions do what their namesakes in refsvm do, operation by operation:

    dot, squared_distance     linalg.py, with a row of the table that the C file holds
    power, exponential, hyperbolic_tangent
                              power, exp and tanh of elementary.py
    sum_of_powers             standard.py

A sum begins at 0.0 in C and at the int 0 here: a first term -0.0 makes it +0.0 in both. The
exponential is cut down to what kernels ask of it, a number that is at most 44: tanh asks for twice
22 at most, a Gaussian for nothing above 0.

Source: kernels/standard.py and kernels/base.py, whose operations these are;
spec/standard/arithmetic.md and spec/standard/export.md.
"""

from __future__ import annotations

from string import Template
from typing import Any

from ..kernels.base import Kernel, Multiple, Product, Sum
from ..kernels.extreme_gamma import MAX_GAMMA, MIN_GAMMA, is_extreme
from ..kernels.standard import Gaussian, Linear, MonomialSum, Polynomial, Sigmoid
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
from ..numerics.quoting import quote
from .constants import literal

LARGEST_DEGREE = 2**32 - 1  # of an unsigned long, on every machine

# For each kernel of a formula: its C, and the shared functions that it takes.
C_FORMULAS: dict[Any, tuple[str, list[str]]] = {
    Linear: ("s", ["dot"]),
    Polynomial: ("power($gamma * s + $coef0, $degree)", ["dot", "power"]),
    MonomialSum: ("sum_of_powers(s, $degree)", ["dot", "sum_of_powers"]),
    Gaussian: ("exponential(-$gamma * r)", ["squared_distance", "exponential"]),
    Sigmoid: ("hyperbolic_tangent($gamma * s + $coef0)", ["dot", "hyperbolic_tangent"]),
}
VARIABLES = {"dot": "s", "squared_distance": "r"}
OF_ROW = {"dot": "dot(x, row)", "squared_distance": "squared_distance(x, row)"}
OF_ITSELF = {"dot": "squared_norm(x)", "squared_distance": "0.0"}


def refuse_unless_formula(kernel: Kernel) -> None:
    """ValueError for a kernel without a formula, or with a number C could not hold (S14.5)."""
    for part in parts_of(kernel):
        if type(part) not in C_FORMULAS:
            known = ", ".join(make.__name__ for make in C_FORMULAS)
            raise ValueError(
                f"kernel is {quote(kernel)}; C can be written for {known}, and for their sums,"
                " products and multiples"
            )
        if is_extreme(getattr(part, "gamma", 1)):
            raise ValueError(
                f"gamma is {quote(part.gamma)}; C is written for one from {MIN_GAMMA:.0e} to"
                f" {MAX_GAMMA:.0e}, so scale the data by a power of two"
            )
        if getattr(part, "degree", 0) > LARGEST_DEGREE:
            raise ValueError(
                f"degree is {quote(part.degree)}; a C program that any machine can run has"
                " none above"
                f" {LARGEST_DEGREE}"
            )


def parts_of(kernel: Any) -> list[Any]:
    """Return the kernels that a sum, product or multiple is made of, from left to right.

    >>> parts_of(2 * Linear() + Gaussian(1) * Linear())
    [Linear(), Gaussian(gamma=1.0), Linear()]
    """
    if type(kernel) in (Sum, Product):
        return parts_of(kernel.left) + parts_of(kernel.right)
    if type(kernel) is Multiple:
        return parts_of(kernel.kernel)
    return [kernel]


def functions_of(kernel: Kernel) -> set[str]:
    """Return the names of the C functions that a kernel takes.

    >>> sorted(functions_of(Gaussian(1) + Linear()))
    ['dot', 'exponential', 'squared_distance']
    """
    return {word for part in parts_of(kernel) for word in C_FORMULAS[type(part)][1]}


def kernel_function(kernel: Kernel) -> str:
    """Return the C function `kernel` of x and a row of the table (S14.2); parameters are floats.

    >>> print(kernel_function(Gaussian(0.5) + Linear()), end="")
    static double kernel(const double *x, size_t row)
    {
        const double s = dot(x, row);
        const double r = squared_distance(x, row);
        const double k1 = exponential(-0x1p-1 * r);
        const double k2 = s;
        return k1 + k2;
    }
    """
    return _function_text("kernel(const double *x, size_t row)", kernel, OF_ROW)


def own_kernel_function(kernel: Kernel) -> str:
    """Return the C function `own_kernel`, k(x, x); what it must call is squared_norm (S14.2).

    >>> print(own_kernel_function(Linear() * Linear()), end="")
    static double own_kernel(const double *x)
    {
        const double s = squared_norm(x);
        const double k1 = s;
        const double k2 = s;
        return k1 * k2;
    }
    """
    constant = "" if "dot" in functions_of(kernel) else "    (void)x;\n"
    return _function_text("own_kernel(const double *x)", kernel, OF_ITSELF, constant)


def _function_text(head: str, kernel: Kernel, variables: dict[str, str], first: str = "") -> str:
    """Return a C function that computes the variables, then the parts, then the kernel."""
    found = functions_of(kernel)
    lines = [
        f"const double {variable} = {variables[function]};"
        for function, variable in VARIABLES.items()
        if function in found
    ]
    parts: list[str] = []
    value = _expression_of(kernel, parts)
    inside = "".join(f"    {line}\n" for line in [*lines, *parts, f"return {value};"])
    return f"static double {head}\n{{\n{first}{inside}}}\n"


def _expression_of(kernel: Any, lines: list[str]) -> str:
    """Return a C expression for a kernel; its parts, if it has any, become lines before it."""
    if type(kernel) in (Sum, Product):
        left, right = _name_value(kernel.left, lines), _name_value(kernel.right, lines)
        return f"{left} {'+' if type(kernel) is Sum else '*'} {right}"
    if type(kernel) is Multiple:
        return f"{literal(float(kernel.factor))} * {_name_value(kernel.kernel, lines)}"
    given = {
        name: str(value) if name == "degree" else literal(value)
        for name, value in vars(kernel).items()
    }
    return Template(C_FORMULAS[type(kernel)][0]).substitute(given)


def _name_value(kernel: Kernel, lines: list[str]) -> str:
    """Return the name in C of a part's value, after a line that computes it."""
    value = _expression_of(kernel, lines)
    name = f"k{len(lines) + 1}"
    lines.append(f"const double {name} = {value};")
    return name


# ---- what every kernel shares

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
    if (-62.0 <= k && k <= 0.0) /* as nearly always: 2^k without a loop */
        return p * ((double)(1LL << (62 + (int)k)) * 0x1p-62);
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
