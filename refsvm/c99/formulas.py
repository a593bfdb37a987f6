"""A kernel as a C function, and the refusal of kernels that are not made of formulas.

A kernel of one formula is one expression. In a sum, product or multiple each part has a line of
its own, so that no expression gets deeper than a compiler likes. Throughout this module

    s, r         the inner product of x and the row, their squared distance
    k1, k2 ..    the values of the parts of a sum, product or multiple, each on its own line
    $gamma ..    the parameters of the kernel, which are floats; degree is an int

Source: kernels/standard.py and kernels/base.py, whose operations these are.
"""

from __future__ import annotations

from string import Template
from typing import Any

from ..kernels.base import Kernel, Multiple, Product, Sum
from ..kernels.extreme_gamma import LEAST, MOST, is_extreme
from ..kernels.standard import Gaussian, Linear, MonomialSum, Polynomial, Sigmoid
from ..numerics.quoting import quote
from .constants import literal

LARGEST_DEGREE = 2**32 - 1  # of an unsigned long, on every machine

# For each kernel of a formula: its C, and the functions of functions.py that it takes.
FORMULAS: dict[Any, tuple[str, list[str]]] = {
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
    """ValueError for a kernel that is not written in formulas, or has no number C could hold."""
    for part in parts_of(kernel):
        if type(part) not in FORMULAS:
            known = ", ".join(make.__name__ for make in FORMULAS)
            raise ValueError(
                f"kernel is {quote(kernel)}; C can be written for {known}, and for their sums,"
                " products and multiples"
            )
        if is_extreme(getattr(part, "gamma", 1)):
            raise ValueError(
                f"gamma is {quote(part.gamma)}; C is written for one from {LEAST:.0e} to"
                f" {MOST:.0e}, so scale the data by a power of two"
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
    return {word for part in parts_of(kernel) for word in FORMULAS[type(part)][1]}


def kernel_function(kernel: Kernel) -> str:
    """Return the C function `kernel` of x and a row of the table; the parameters must be floats.

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
    """Return the C function `own_kernel`, k(x, x); what it must call is squared_norm.

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
    value = value_of(kernel, parts)
    inside = "".join(f"    {line}\n" for line in [*lines, *parts, f"return {value};"])
    return f"static double {head}\n{{\n{first}{inside}}}\n"


def value_of(kernel: Any, lines: list[str]) -> str:
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
    return Template(FORMULAS[type(kernel)][0]).substitute(given)


def _name_value(kernel: Kernel, lines: list[str]) -> str:
    """Return the name in C of a part's value, after a line that computes it."""
    value = value_of(kernel, lines)
    name = f"k{len(lines) + 1}"
    lines.append(f"const double {name} = {value};")
    return name
