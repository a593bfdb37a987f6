"""A theorem about one data set, as a file that Coq checks: no machine is better than this one.

The file holds the problem and a certificate as terms of spec/proof/Statement.v, and lets Coq run
the checker that spec/proof/Checker.v proves right. Nothing of refsvm is trusted then: Coq reads
the numbers, and its kernel believes the theorem, or does not.

An optimum has multipliers of thousands of digits, which Coq would multiply for minutes. Those of
the file are the doubles next to them, repaired as certify repairs any (S16.1); so the bound is
below the optimum's value by a few units in the last place of a double.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm
from typing import Any

from ..numerics.display import text_above, text_below
from ..numerics.numerals import parse_number
from ..numerics.types import Number
from ..numerics.validation import instance_of
from ..svm.training_problem import TrainingProblem
from .certificate import certify
from .certificate_json import optimum_document, problem_document
from .plain_json import Document
from .verification import Optimum

# The arguments of each form of Statement.v, as the keys of a document.
FORMS_OF_COQ = {
    "Classification": ("y", "C", "bias", "slack"),
    "Nu": ("y", "weights", "nu"),
    "Regression": ("y", "weights", "C", "epsilon"),
    "NuRegression": ("y", "weights", "C", "nu"),
    "OneClass": ("weights", "nu"),
    "Ball": ("weights", "C"),
}
OFFSETS_OF_COQ = ("b", "rho", "epsilon", "radius2")
VALUES_OF_COQ = {"inf": "Infinite", "-inf": "Minus_infinite"}


def coq_theorem(problem: TrainingProblem, optimum: Optimum) -> str:
    """Write the file of a problem and its Optimum (S16.12). O(n n d), linear O(n d).

    Raises
    ------
    TypeError
        unless the optimum is an Optimum, and kernel values are fractions

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> from refsvm.proofs.optimum import solve_exactly
    >>> pair = Problem([[-1], [1]], [-1, 1], C=float("inf"))
    >>> print(coq_theorem(pair, solve_exactly(pair)).splitlines()[-2])
      1#2 <= (1#2) * dot w w.
    """
    optimum = instance_of(Optimum, optimum, "optimum")
    document, certificate = problem_document(problem), _short_certificate(problem, optimum)
    return "\n".join([
        _heading(document, certificate),
        "Require Import QArith List Statement Checker Plain.",
        "Import ListNotations.",
        "",
        f"Definition rows : list (list Q) := {_rows_term(document['X'])}.",
        f"Definition answers : list Q := {_numbers(document.get('y', []))}.",
        f"Definition the_problem : problem :=\n  {_problem_term(document)}.",
        f"Definition the_certificate : certificate :=\n  {_certificate_term(certificate)}.",
        "",
        *_theorems(document, certificate),
    ])  # fmt: skip


def _short_certificate(problem: TrainingProblem, optimum: Optimum) -> Document:
    """The certificate of multipliers of few digits; the optimum's own if it has no multipliers."""
    if optimum.status == "infeasible":
        return optimum_document(problem, optimum)
    exact = optimum_document(problem, optimum)
    offsets = [float(Fraction(exact[name])) for name in problem.offsets_class._fields]
    return certify(problem, list(map(float, optimum.alpha or [])), *offsets).document()


def _heading(document: Document, certificate: Document) -> str:
    """The statement in words."""
    dual, primal = certificate["dual"], certificate["primal"]
    lines = [
        f"A machine of {len(document['X'])} examples (form: {document.get('form', 'C-SVC')})."
    ]
    if dual not in VALUES_OF_COQ:
        lines.append(f"No machine has a primal below {text_below(Fraction(dual), 15)}.")
    if primal not in VALUES_OF_COQ:
        lines.append(f"One has at most {text_above(Fraction(primal), 15)}.")
    lines.append("Check it with  coqc -R build/proof RefsvmProof FILE.v")
    return "(** " + "\n    ".join(lines) + " *)"


def _theorems(document: Document, certificate: Document) -> list[str]:
    """The theorem of all that is stated, and that of hard margins in plain words."""
    found = [
        "Lemma accepted : check the_problem the_certificate = true.",
        "Proof. vm_cast_no_check (eq_refl true). Qed.",
        "Theorem proved : has_points the_problem /\\ states the_problem the_certificate.",
        "Proof. exact (checked the_problem the_certificate accepted). Qed.",
        "Print Assumptions proved.",
        "",
    ]
    hard = {"bias": True, "slack": "hinge", "C": ["inf"] * len(document["X"])}
    linear = document["kernel"] == {"name": "linear"}
    if linear and hard.items() <= document.items() and certificate["dual"] != "inf":
        found += [
            "Theorem no_separating_machine_has_a_lower_primal : forall w offset,",
            "  separates rows answers w offset ->",
            f"  {_number(certificate['dual'])} <= (1#2) * dot w w.",
            "Proof. exact (Plain.no_separating_machine_has_a_lower_primal the_problem"
            " the_certificate _ _ accepted eq_refl eq_refl eq_refl). Qed.",
            "",
        ]
    return found


def _problem_term(document: Document) -> str:
    """The record of a problem."""
    name = document.get("form", "classification")
    form = name.title().replace("_", "")
    if form not in FORMS_OF_COQ:
        raise ValueError(f"the problem is one of {name}, which the checker in Coq does not know")
    values = " ".join(_value(form, key, document[key]) for key in FORMS_OF_COQ[form])
    kernel = _kernel_term(**document["kernel"])
    return f"{{| X := rows; kernel_of := {kernel}; form_of := {form} {values} |}}"


def _kernel_term(name: str, degree: int = 1, gamma: str = "1", coef0: str = "0") -> str:
    """The kernel of a document."""
    if name != "polynomial":
        return name.title()
    return f"Polynomial {degree} ({_number(gamma)}) ({_number(coef0)})"


def _value(form: str, key: str, value: Any) -> str:
    """A part of a document as a term; only the penalties of these two forms may be infinite."""
    if key == "y":
        return "answers"
    number = _limit if key == "C" and form in ("Classification", "Ball") else _number
    if isinstance(value, list):
        return _list(map(number, value))
    if key in ("bias", "slack"):
        return "true" if value in (True, "squared") else "false"
    return f"({number(value)})"


def _certificate_term(certificate: Document) -> str:
    """The record of a certificate."""
    alpha = _list(_whole(int(a)) for a in certificate["alpha"])
    offsets = "; ".join(f"{k} := {_number(certificate.get(k, '0'))}" for k in OFFSETS_OF_COQ)
    dual, primal = (_bound(certificate[key]) for key in ("dual", "primal"))
    return (
        f"{{| alpha := map (fun a => Qmake a {certificate['denominator']}) {alpha}%Z;\n"
        f"     given := {{| {offsets} |}};\n"
        f"     told_dual := {dual};\n     told_primal := {primal} |}}"
    )


def _bound(value: str) -> str:
    """A value that may be infinite."""
    return VALUES_OF_COQ.get(value) or f"Number ({_number(value)})"


def _limit(value: str) -> str:
    """A penalty of one example."""
    return "None" if value == "inf" else f"Some ({_number(value)})"


def _number(value: str) -> str:
    """A fraction as a rational number of Coq.

    >>> _number("-1/2"), _number("3")
    ('(-1)#2', '3#1')
    """
    p, q = parse_number(value, "a number").as_integer_ratio()
    return f"{_whole(p)}#{q}"


def _whole(value: int) -> str:
    """A whole number, in brackets where it has a sign."""
    return f"({value})" if value < 0 else str(value)


def _numbers(values: Iterable[Number]) -> str:
    """A list of rational numbers."""
    return _list(_number(str(value)) for value in values)


def _list(parts: Iterable[str]) -> str:
    """A list of Coq."""
    return "[" + "; ".join(parts) + "]"


def _rows_term(X: list[list[str]]) -> str:
    """Rows as whole numbers over one denominator: Coq takes a millisecond to read one."""
    rows = [[parse_number(v, "a number") for v in x] for x in X]
    q = lcm(*(v.denominator for x in rows for v in x))
    lines = ";\n  ".join(_list(_hexadecimal(int(v * q)) for v in x) for x in rows)
    return f"map (map (fun a => Qmake a {q})) [\n  {lines}]%Z"


def _hexadecimal(value: int) -> str:
    """A whole number in the digits that Coq reads fastest."""
    return f"(-{-value:#x})" if value < 0 else f"{value:#x}"
