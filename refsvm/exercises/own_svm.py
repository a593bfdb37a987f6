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

from ..kernels.gram_matrices import gram
from ..proofs.rational_kernels import exact
from ..svm.model import model_from_beta
from ..svm.problem import Problem
from .calls import Answering, NoAnswer
from .checking import FORM, answer_text
from .exercise import MISSING_BODY, Assessment, Exercise, text_of

if TYPE_CHECKING:
    from ..conformance.cases import Case

LINES = 60
BEYOND = {"C08", "C10", "E7", "E8"}


def own_cases() -> list[Case]:
    """Return the problems to ask, those that are short to write first."""
    from ..conformance.cases import cases  # which takes long to import

    asked = [case for case in cases("core") if case.name not in BEYOND]
    return sorted(asked, key=lambda case: len(str(case.given)))


def check_svm(answering: Answering, source: str) -> Assessment:
    """Audit a student's svm, case after case until one fails, and count the lines of its file."""
    from ..conformance.auditor import Auditor  # which takes long to import

    foreign = foreign_imports(source)
    if foreign:
        return Assessment(False, f"svm imports {foreign[0]}; the standard library must be enough")
    every = own_cases()
    for case in every:
        asked = StudentSvm(answering)
        records = Auditor(asked, isolate=False).records(case.name)
        if asked.fault is not None:
            return asked.fault
        failures = [record for record in records if record.result == "fail"]
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
    """A student's svm as the audit asks it: a function of a Problem; it keeps what was last.

    fault    what is said where it gave no multipliers and offset
    """

    def __init__(self, answering: Answering) -> None:
        self.answering = answering
        self.fault: Assessment | None = None
        self.shown: list[tuple[str, str]] = []

    def __call__(self, problem: Problem) -> Callable[[Any], float]:
        K, y, C = gram(problem.kernel, problem.X), list(problem.y), problem.upper_bounds()
        self.shown = [("K", text_of(K)), ("y", text_of(y)), ("C", text_of(C))]
        try:
            called = self.answering(K, y, C)
        except NoAnswer as error:
            self.fault = Assessment(False, f"svm {error}", self.shown, answered=False)
            raise
        if called.missing:
            self.fault = Assessment(False, f"svm: {MISSING_BODY}")
            raise NotImplementedError
        if called.raised:
            raise self.wrong(f"it raises {called.raised}")
        self.shown.append(("yours", answer_text(called.value)))
        try:
            alpha, b = called.value
            multipliers, offset = [finite_fraction(a) for a in alpha], finite_fraction(b)
        except (TypeError, ValueError):
            raise self.wrong(FORM) from None
        return decision(exact(problem), multipliers, offset)

    def wrong(self, found: str) -> ValueError:
        """Keep a finding instead of multipliers, and return the error that ends this case."""
        self.fault = Assessment(
            False, "svm is wrong for this problem", [*self.shown, ("found", found)]
        )
        return ValueError(found)


def finite_fraction(value: Any) -> Fraction:
    """Return the fraction that a number is; ValueError for a text, a list, or what is not finite.

    >>> finite_fraction(0.5)
    Fraction(1, 2)
    """
    if type(value) not in (int, float, Fraction) or value - value != 0:
        raise ValueError
    return Fraction(value)


def decision(problem: Problem, alpha: list[Fraction], b: Fraction) -> Callable[[Any], float]:
    """Return f, the double nearest to the exact sum of alpha_i y_i k(x_i, x), plus b."""
    beta = problem.beta(alpha)
    model = model_from_beta(problem.kernel, problem.X, beta, b)
    return lambda x: float(model.decision(x))


def refuted(asked: StudentSvm, case: Case, reason: str) -> Assessment:
    """Return the Assessment of a wrong answer, with the optimum."""
    shown, best = [*asked.shown], case.optimum
    if best is not None:
        ends = dict.fromkeys(map(str, (best.b_low, best.b_high)))
        unique = "" if best.alpha_unique else " (or another alpha with the same f)"
        told = f"alpha {text_of(best.alpha)}{unique}, b {' to '.join(ends)}"
        shown.append(("optimal", told))
    sentence = f"svm is wrong for a problem of {len(case.given['y'])} examples ({case.comment})"
    return Assessment(False, sentence, [*shown, ("found", reason)])


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
    "svm(K, y, C)",
    """Return the optimal multipliers, as a list, and an optimal offset b: an SVM of your own.

        K[i][j] is the kernel of the examples i and j, y[i] the label, C[i] the most that alpha_i
        may be. Numbers are floats here. Maximise Σ αᵢ - ½ Σᵢⱼ αᵢ αⱼ yᵢ yⱼ Kᵢⱼ such that 0 <= αᵢ <=
        Cᵢ and Σ αᵢ yᵢ = 0, until no pair violates the conditions by more than 1e-8 or so. Import
        nothing but the standard library, and keep the file below sixty lines of code.
        """,
    "Is yours right?",
    draw=lambda bits, size: (),
    answer=lambda K, y, C: None,  # the audit's cases have theirs
    check=check_svm,
    seconds=10.0,  # for each problem
)
