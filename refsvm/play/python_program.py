"""A state as a Python program that prints the same numbers and draws the same machine."""

from math import inf

PROGRAM_TEMPLATE = '''\
"""{title}

The same as  refsvm play '{link}'
"""

from fractions import Fraction as F

import refsvm

X = {X}
{y}problem = refsvm.{problem}
{solve}'''
EXACT_LINES = """\
best = refsvm.solve_exactly(problem)  # {numbers}, proved
print(best)
"""
PICTURE = """\
solution = refsvm.smo(problem)
with open("play.svg", "w", encoding="utf-8") as file:
    file.write(refsvm.plot(solution.model(), X, {labels}))
"""
TITLES = {
    "svc": "Two classes: the optimum of a support vector machine.",
    "svr": "Regression: the optimum of a support vector machine.",
    "one": "One class: the optimum of a support vector machine.",
}


def program_of(state, link):
    """Return the text of the program."""
    write = _float_text if state.kernel.name == "rbf" else _fraction_text
    rows, labels = {
        "svc": (("x", "y"), "label"),
        "svr": (("x",), "y"),
        "one": (("x", "y"), None),
    }[state.machine]
    X = [f"[{', '.join(write(getattr(p, name)) for name in rows)}]" for p in state.points]
    y = [getattr(p, labels) if labels else None for p in state.points]
    written = [str(v) if labels == "label" else write(v) for v in y] if labels else []
    numbers = "between fractions" if state.kernel.name == "rbf" else "as fractions"
    solve = EXACT_LINES.format(numbers=numbers)
    if state.C != inf or state.machine == "one":
        solve += PICTURE.format(labels="y" if labels else "[1] * len(X)")
    return PROGRAM_TEMPLATE.format(
        title=TITLES[state.machine],
        link="#" + link,
        X="[" + ", ".join(X) + "]",
        y=f"y = [{', '.join(written)}]\n" if labels else "",
        problem=_problem_text(state, write),
        solve=solve,
    )


def _problem_text(state, write):
    """Return how the problem is made."""
    kernel = _kernel_in_python(state.kernel, write)
    C = 'float("inf")' if state.C == inf else write(state.C)
    if state.machine == "svr":
        return f"RegressionProblem(X, y, {kernel}, C={C}, epsilon={write(state.epsilon)})"
    if state.machine == "one":
        return f"OneClassProblem(X, {kernel}, nu={write(state.nu)})"
    bias = "" if state.bias else ", bias=False"
    slack = ', slack="squared"' if state.squared else ""
    return f"Problem(X, y, {kernel}, C={C}{bias}{slack})"


def _kernel_in_python(kernel, write):
    """Return how the kernel is made."""
    if kernel.name == "lin":
        return "refsvm.Linear()"
    if kernel.name == "rbf":
        return f"refsvm.Gaussian({write(kernel.numbers[0])})"
    degree, gamma, coef0 = kernel.numbers
    return f"refsvm.Polynomial({degree}, gamma={write(gamma)}, coef0={write(coef0)})"


def _fraction_text(value):
    """Return a fraction as Python writes it.

    >>> from fractions import Fraction
    >>> _fraction_text(Fraction(-2)), _fraction_text(Fraction(5, 2))
    ('F(-2)', 'F(5, 2)')
    """
    p, q = value.as_integer_ratio()
    return f"F({p})" if q == 1 else f"F({p}, {q})"


def _float_text(value):
    """Return the double nearest to a fraction."""
    return repr(float(value))
