"""The last exercise: an SVM in sixty lines, which the audit proves right.

What it returns is judged by the exact decision function of its multipliers and offset, on small
problems whose optimum is known exactly. Left out of the audit's first cases are those that need
more than the algorithm of the notes: a million steps, a hard margin, what is said of the end.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..conformance.subjects.named_subjects import time_limit
from ..kernels.gram_matrices import gram
from ..numerics.types import Matrix, Vector
from ..proofs.rational_kernels import exact
from ..svm.model import model_from_beta
from ..svm.problem import Problem
from .checking import answer_text
from .exercise import MISSING, Assessment, Exercise, text_of

if TYPE_CHECKING:
    from ..conformance.cases import Case

LINES = 60
SECONDS = 10.0  # for each problem
BEYOND = {"C08", "C10", "E7", "E8"}


def svm(K: Matrix, y: list[int], C: Vector) -> tuple[Vector, float]:
    """Return the optimal multipliers, as a list, and an optimal offset b: an SVM of your own.

    K[i][j] is the kernel of the examples i and j, y[i] the label, C[i] the most that alpha_i may
    be. Numbers are floats here. Maximise Σ αᵢ - ½ Σᵢⱼ αᵢ αⱼ yᵢ yⱼ Kᵢⱼ such that 0 <= αᵢ <= Cᵢ and
    Σ αᵢ yᵢ = 0, until no pair violates the conditions by more than 1e-8 or so. Import nothing but
    the standard library, and keep the file below sixty lines of code.
    """
    raise NotImplementedError


def own_cases() -> list[Case]:
    """Return the problems to ask, those that are short to write first."""
    from ..conformance.cases import cases  # which takes long to import

    asked = [case for case in cases("core") if case.name not in BEYOND]
    return sorted(asked, key=lambda case: len(str(case.given)))


def check_svm(function: Callable[..., Any], source: str) -> Assessment:
    """Audit a student's svm, case after case until one fails, and count the lines of its file."""
    from ..conformance.audit import audit  # which takes long to import

    foreign = foreign_imports(source)
    if foreign:
        return Assessment(False, f"svm imports {foreign[0]}; the standard library must be enough")
    every = own_cases()
    for case in every:
        asked = StudentSvm(function)
        records = audit(asked, isolate=False, names=[case.name])
        failures = [record for record in records if record.result == "fail"]
        if asked.is_missing:
            return Assessment(False, f"svm: {MISSING}")
        if failures:
            return refuted(asked, case, failures[0].reason)
    count = lines_of_code(source)
    if count > LINES:
        sentence = f"svm is right, but the file has {count} lines of code; {LINES} are enough"
        return Assessment(False, sentence)
    return Assessment(
        True,
        f"svm is right: the audit proves the optimum of {len(every)} problems, in {count} lines of"
        " code",
    )


class StudentSvm:
    """A student's svm as the audit asks it: a function of a Problem; it keeps what was last."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.is_missing = False
        self.shown: list[tuple[str, str]] = []

    def __call__(self, problem: Problem) -> Callable[[Any], float]:
        K, y, C = gram(problem.kernel, problem.X), list(problem.y), problem.upper_bounds()
        self.shown = [("K", text_of(K)), ("y", text_of(y)), ("C", text_of(C))]
        try:
            with time_limit(SECONDS):
                answer = self.function(K, y, C)
        except NotImplementedError:
            self.is_missing = True
            raise
        self.shown.append(("yours", answer_text(answer)))
        alpha, b = answer
        return decision(exact(problem), [Fraction(a) for a in alpha], Fraction(b))


def decision(problem: Problem, alpha: list[Fraction], b: Fraction) -> Callable[[Any], float]:
    """Return f, the double nearest to the exact sum of alpha_i y_i k(x_i, x), plus b."""
    beta = problem.beta(alpha)
    model = model_from_beta(problem.kernel, problem.X, beta, b)
    return lambda x: float(model.decision(x))


def refuted(asked: StudentSvm, case: Case, reason: str) -> Assessment:
    """Return what is shown of a problem whose answer is wrong."""
    assert case.optimum is not None
    optimum = text_of(case.optimum.alpha)
    ends = dict.fromkeys(map(str, (case.optimum.b_low, case.optimum.b_high)))
    unique = "" if case.optimum.alpha_unique else " (or another alpha with the same f)"
    return Assessment(
        False,
        f"svm is wrong for a problem of {len(case.given['y'])} examples ({case.comment})",
        [
            *asked.shown,
            ("optimal", f"alpha {optimum}{unique}, b {' to '.join(ends)}"),
            ("found", reason),
        ],
    )


def foreign_imports(source: str) -> list[str]:
    """Return what a program imports from outside the standard library (refsvm, before 3.10).

    >>> foreign_imports("import math, refsvm.svm\\nfrom refsvm_fast import smo")
    ['refsvm', 'refsvm_fast']
    """
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append(node.module or ".")
    tops = [name.partition(".")[0] for name in found]
    known = getattr(sys, "stdlib_module_names", None)
    return [top for top in tops if (top not in known if known else top.startswith("refsvm"))]


def lines_of_code(source: str) -> int:
    """Count the lines of a program that are neither empty, nor comment, nor docstring.

    >>> lines_of_code('def f():\\n    \"\"\"Text.\"\"\"\\n\\n    # why\\n    return 1\\n')
    2
    """
    tree = ast.parse(source)
    documented = (ast.Module, ast.FunctionDef, ast.ClassDef)
    texts: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            text = node.body[0]
            texts.update(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    lines = enumerate(source.splitlines(), 1)
    return len([k for k, line in lines if line.strip()[:1] not in ("", "#") and k not in texts])


OWN_SVM = Exercise(
    svm,
    "Is yours right?",
    draw=lambda bits, size: (),
    answer=svm,
    check=check_svm,
)
