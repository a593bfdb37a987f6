"""One case of a machine beside C-SVC: judged as any other, and what these have of their own."""

from __future__ import annotations

from typing import Any

from .asking.workers import Asker
from .cases import Case
from .cases.machines import EXACT, machine_names
from .checks import Finding, check_arithmetic
from .checks.machine_checks import check_answers, check_offsets, check_without_machine
from .checks.machine_relations import machine_relations, reordered
from .checks.metamorphic import Transformed
from .judging import ANSWER_CHECKS, Explain, Findings, Judge
from .protocol import Answer, NumericProblem, Request
from .protocol.forms import Form
from .subjects import GivenAnswer, ModelFile, Subject, stated_tol
from .subjects.estimator_adapter import Estimator
from .truth import Evidence, NoOptimum, Truth, evidence_of, truth_of

LARGE = "ManyExamples"  # the flag of cases that are asked in another order only
ENDS = {"NuAtLimit": "NuAtLimit", "Degenerate": "Degenerate", "SumTooLarge": "SumTooLarge"}


class MachineJudge(Judge):
    """Asks a subject about cases of one machine, and judges its answers."""

    checks = {**ANSWER_CHECKS, "G3": check_offsets, "G6": check_answers}

    def __init__(self, form: Form, subject: Subject, asker: Asker, tol: float) -> None:
        super().__init__(subject, asker, tol)
        self.machine, self.form = form, form.name

    def ask(self, request: Request) -> Answer:
        """Return the Answer; predictions of regression are its decisions."""
        answer = super().ask(request)
        if self.machine.answers == "values" and answer.decisions is None:
            return answer._replace(decisions=answer.predictions, predictions=None)
        return answer

    def judge_answer(
        self, case: Case, problem: Any, rows: list[Any], explain: Explain, relations: bool
    ) -> Findings:
        """Ask, and return what each check found; a NaN where nu ends has a flag of its own."""
        findings = super().judge_answer(case, problem, rows, explain, relations)
        found = findings.get("G8")
        end = next((ENDS[flag] for flag in case.flags if flag in ENDS), None)
        if found is not None and found.flag == "NotFinite" and end is not None:
            findings["G8"] = found._replace(flag=end)
        return findings

    def without_optimum(self, case: Case, answer: Answer, why: str) -> Finding:
        """Return what is found of an answer where there is no machine."""
        return check_without_machine(case, answer, why)

    # ---- relations

    def has_relations(self, case: Case) -> bool:
        """Return whether the case is asked transformed, too: the exact ones, and large ones."""
        if isinstance(self.subject, (GivenAnswer, ModelFile)):
            return False
        _, group = machine_names().get(case.name, (None, EXACT))
        return group == EXACT or LARGE in case.flags

    def relations(self, case: Case, problem: NumericProblem, rows: list[Any]) -> list[Transformed]:
        """Return the problem transformed: many examples in another order only."""
        if LARGE in case.flags:
            return [reordered(problem, rows, range(problem.n - 1, -1, -1))]
        return list(machine_relations(problem, rows, isinstance(self.subject, Estimator)))

    def transformed_back(self, other: Transformed, answer: Answer) -> Answer:
        """Return the decisions of the original problem; those of classes are divided by rho."""
        rho = answer.rho
        if self.machine.answers == "classes" and rho:
            answer = answer._replace(decisions=[f / rho for f in answer.decisions], rho=None)
        return super().transformed_back(other, answer)._replace(rho=None)

    def keeps_tolerance(
        self, other: Transformed, request: Request, answer: Answer, truth: Truth
    ) -> bool:
        """Return whether an answer to a transformed problem is right to its own tolerance."""
        evidence = self.transformed_evidence(None, other, request, answer)
        if evidence is None or not evidence.truth.measure.keeps_tolerance(evidence):
            return False
        found = check_arithmetic(evidence)
        return found is None or found.result != "fail"

    def transformed_evidence(
        self, case: Case | None, other: Transformed, request: Request, answer: Answer
    ) -> Evidence | None:
        """Return the Evidence about a transformed problem; None if that has no machine."""
        try:
            truth = truth_of(other.problem, other.rows)
        except NoOptimum:
            return None
        kept = list(range(other.problem.n)) if other.weightless else None
        return evidence_of(truth, request, answer, stated_tol(self.subject, self.tol), kept)
