"""One case of the audit: what is asked, and every check of the answer.

case       a problem whose optimum is known       request   what the subject is asked
finding    what one check found                   evidence  the truth and the answer
"""

from __future__ import annotations

from typing import Any, Optional

from .asking.workers import Asker, NotAsked
from .cases import Case
from .cases.flags import BUGS
from .checks import (
    PASS,
    Finding,
    check_arithmetic,
    claims,
    failure,
    wrong_decision,
)
from .checks.answer_checks import (
    check_delivery,
    check_limit,
    check_one_step,
    check_refusal,
    check_rejection,
    check_without_machine,
)
from .checks.case_requests import (
    invalid_request,
    reordered_case,
    weighted_examples,
    with_examples_first,
    with_weightless_example,
)
from .checks.relations import Transformed
from .checks.rounding import allow_rounded_multipliers, allow_rounding, is_beyond_doubles
from .naming import OF_OPTIMUM
from .naming.answers import Seen, Theory
from .policies.questions import Ask, FindingList, Policy
from .protocol import Answer, NumericProblem, Request, as_doubles, request_for, says_unfinished
from .protocol.forms import Form
from .protocol.refusals import WEIGHTS, has_no_machine, refused_thing, with_place
from .subjects import Subject, has_decisions, stated_tol
from .subjects.estimator_adapter import Estimator
from .truth import (
    Evidence,
    NoOptimum,
    Truth,
    evidence_of,
    rows_that_fix_w,
    shape_of,
    share_of_allowed,
    truth_of,
)
from .what_is_asked import ANSWER_CHECKS, has_relations, relations_of
from .wrong.solver import is_flat_pair
from .wrong.tasks import Task, problem_of

FLAT_PAIR, AT_FLAT_PAIR = "FlatPairSkipped", "at a pair without curvature"
MAX_EXPLAINED = 48  # of a transformed problem that is solved to explain a wrong answer
ENDS = ("NuAtLimit", "Degenerate", "SumTooLarge")  # flags of cases where nu or C ends
MUCH_WORSE = 10  # times as far off as the answer to the original problem
MANY_STEPS = 10**6  # enough for a small problem
CONTRADICTIONS = ("BatchDependence", "StateKept", "Threads")
Findings = dict[str, Optional[Finding]]  # of each check; None: nothing to judge


class Judge:
    """Asks a subject about cases, one after the other, and judges its answers."""

    def __init__(
        self, subject: Subject, asker: Asker, tol: float, form: Form | None = None
    ) -> None:
        self.subject, self.asker, self.tol, self.form = subject, asker, tol, form

    def judge(self, case: Case, relations: bool = True) -> tuple[FindingList, list[Any]]:
        """Return what each check of a case found, and the rows that it was asked about.

        `relations` says whether it is asked transformed, too.
        """
        if case.problem is None:
            return self.judge_rejection(case), []
        problem, rows = as_doubles(case.problem, [query.x for query in case.queries])
        if problem.linear and not has_decisions(self.subject):
            rows += [row for row in rows_that_fix_w(problem) if row not in rows]
        findings = self.judge_answer(case, problem, rows, relations)
        return present(findings), rows

    def judge_policy(self, policy: Policy) -> FindingList:
        """Return what a policy found."""
        return policy(Ask(self.ask, self.form))

    def judge_rejection(self, case: Case) -> FindingList:
        """Return what was found of an answer to invalid input."""
        found = check_rejection(case, self.ask(invalid_request(case, self.tol, self.form)))
        return present(dict([found]))

    def judge_answer(
        self,
        case: Case,
        problem: NumericProblem,
        rows: list[Any],
        relations: bool,
    ) -> Findings:
        """Ask, and return what each check found."""
        request = self.request(case, problem, rows)
        answer = self.ask(request)
        refusal = check_refusal(case, answer)
        if refusal is not None:
            return {"G8" if refusal.flag == "Crash" else "G7": refusal}
        undelivered = check_delivery(answer)
        if undelivered is not None and has_no_machine(case) and says_unfinished(answer):
            undelivered = Finding("pass", "it says that there is no machine")
        if undelivered is not None:
            return {"G8": _at_an_end(case, undelivered)}
        is_claim = claims.AIM in case.flags
        try:
            truth = truth_of(problem, rows, case)
        except NoOptimum as why:
            return {"G8": check_without_machine(case, answer, str(why))}
        truth = truth if is_claim else allow_rounding(truth)
        kept = weighted_examples(case) if len(request.y) > problem.n else None
        evidence = self.evidence(truth, request, answer, kept, is_claim)
        if is_claim:
            return {"G8": claims.check_claim(evidence)}
        every = {check: judge(evidence) for check, judge in ANSWER_CHECKS.items()}
        findings = {**_blame_the_batch(every), "G8": PASS}
        is_wrong = _has_failure(findings, *OF_OPTIMUM)
        if is_wrong and "MaxIter" in case.flags:
            return {"G8": check_one_step(answer)}
        if is_wrong or _has_failure(findings, "G4"):
            findings = _with_answers(findings, evidence)
        if is_wrong:
            return _unless_stopped(findings, answer)
        if relations and has_relations(self.subject, self.form, case):
            findings["G5"] = self.check_invariance(case, problem, rows, evidence)
        return findings

    # ---- asking

    def request(self, case: Case, problem: NumericProblem, rows: list[Any]) -> Request:
        """Return the Request of a case; an estimator is given the examples of weight 0, too."""
        is_estimator = isinstance(self.subject, Estimator)
        extras = is_estimator and "SlowSMO" not in case.flags
        request = request_for(case.name, problem, rows, self.tol, extras)
        if "MaxIter" in case.flags:
            request = request._replace(max_iter=1, extras=False)
        if claims.AIM in case.flags:
            request = request._replace(tol=claims.CLAIM_TOL, extras=False)
        if "Repeatable" in case.flags:
            request = request._replace(threads=2, extras=2 if request.extras else False)
        if is_estimator and len(case.given["y"]) > problem.n:
            X = [list(map(float, x)) for x in case.given["X"]]
            C = list(map(float, case.given["C"]))
            request = request._replace(X=X, y=case.given["y"], C=C)
        return request

    def ask(self, request: Request) -> Answer:
        """Return the Answer; predictions of regression are its decisions."""
        answer = self.asker.ask(request)
        is_of_values = self.form is not None and self.form.answers == "values"
        if is_of_values and answer.decisions is None:
            return answer._replace(decisions=answer.predictions, predictions=None)
        return answer

    def evidence(
        self, truth: Truth, request: Request, answer: Answer, kept: Any, is_claim: bool = False
    ) -> Evidence:
        """Return the Evidence; of a claim no rounding is allowed."""
        tol = stated_tol(self.subject, request.tol or self.tol)
        evidence = evidence_of(truth, request, answer, tol, kept)
        return evidence if is_claim else allow_rounded_multipliers(evidence)

    def ask_afresh(self, task: Task, more_steps: bool = False) -> Answer | None:
        """Return the Answer to a fresh problem; None if it is refused, or there is no process."""
        problem = problem_of(task.but(bounds=[c or 1.0 for c in task.bounds]))  # weights of 0
        request = request_for("fresh", problem, task.rows, self.tol)
        request = request._replace(C=task.bounds, brief=True)
        finer = request._replace(tol=self.tol / 1000)
        try:
            if not more_steps:
                return self.ask(request)
            answer = self.ask(finer._replace(max_iter=MANY_STEPS))
            return answer if answer.unsupported is None else self.ask(finer)
        except NotAsked:
            return None

    # ---- check G5: metamorphic relations

    def check_invariance(
        self, case: Case, problem: NumericProblem, rows: list[Any], first: Evidence
    ) -> Finding:
        """Check G5: return the failure of the first relation that the answers do not keep.

        first: of the answer to the case, which may hold decisions with the classes exchanged, too.
        """
        known = first.answer
        stopped: Finding | None = None
        for other in relations_of(self.subject, case, problem, rows):
            request = self.transformed_request(case, other)
            if other.sign < 0 and known.exchanged is not None:
                answer = Answer(known.exchanged, status=known.status, warnings=known.warnings)
            else:
                answer = self.ask(request._replace(brief=True))
            if answer.unsupported is None:
                finding = self.check_relation(case, other, request, answer, first)
                if finding is not None and finding.result == "fail":
                    return finding._replace(reason=f"{other.name}: {finding.reason}")
                stopped = stopped or finding
        return stopped or PASS

    def transformed_request(self, case: Case, other: Transformed) -> Request:
        """Return the Request of a transformed problem."""
        name = f"{case.name}, {other.name}"
        request = request_for(name, other.problem, other.rows, self.tol)
        return with_weightless_example(request) if other.weightless else request

    def check_relation(
        self, case: Case, other: Transformed, request: Request, answer: Answer, first: Evidence
    ) -> Finding | None:
        """Return a failure if the answer is not that of the original problem, else None.

        One that says that it stopped before is none, and no failure. A relation is broken
        where the answer to the original is much nearer.
        """
        undelivered = check_delivery(answer)
        if undelivered is not None:
            return undelivered
        if answer.refused is not None:
            may_be = other.weightless and refused_thing(answer.refused, [WEIGHTS]) is not None
            return None if may_be else failure(with_place(answer.refused, answer), other.flag)
        if answer.decisions is None:
            return None
        found = evidence_of(first.truth, request, self.transformed_back(other, answer), None)
        shape = shape_of(found)
        if shape.is_right:
            return None
        evidence = self.transformed_evidence(case, other, request, answer)
        if evidence is not None and _keeps_tolerance(evidence):
            return None
        stopped = check_limit(answer)
        if stopped is not None:
            return stopped

        def told(value: Any) -> Any:
            there = found.as_told(value) * other.sign + other.added
            return there * self.unit_of(answer)

        k, reason = wrong_decision(found, shape, told)
        near = 0 if first.decisions is None else share_of_allowed(first)
        if MUCH_WORSE * near > share_of_allowed(found):  # it is not exact, either
            return failure(reason, worst=k)._replace(seen=_seen_of(evidence))
        seen = _seen_of(evidence, relation=Theory(other.flag, ""))
        return failure(reason, other.flag, worst=k)._replace(seen=seen)

    def transformed_back(self, other: Transformed, answer: Answer) -> Answer:
        """Return the decisions that belong to the original problem, and nothing else."""
        unit = self.unit_of(answer)
        decisions = [float((f / unit - other.added) / other.sign) for f in answer.decisions]
        return answer._replace(decisions=decisions, alpha=None, beta=None, w=None, rho=None)

    def unit_of(self, answer: Answer) -> Any:
        """Return what decisions are divided by: of nu-classification rho, where it is stated."""
        is_divided = self.form is not None and self.form.answers == "classes"
        return (answer.rho or 1) if is_divided else 1

    def transformed_evidence(
        self, case: Case, other: Transformed, request: Request, answer: Answer
    ) -> Evidence | None:
        """Return the Evidence about a transformed problem.

        None if to solve it takes too long, or if it has no machine.
        """
        known = None if other.order is None else reordered_case(case, other.order)
        if known is not None and other.order is not None:
            request, answer = with_examples_first(request, answer, other.order)
        elif other.problem.n > MAX_EXPLAINED:
            return None
        try:
            truth = truth_of(other.problem, request.rows, known)
        except NoOptimum:
            return None
        kept = list(range(other.problem.n)) if other.weightless else None
        return self.evidence(truth, request, answer, kept)


def present(findings: Findings) -> FindingList:
    """Return the findings that are there."""
    return [(check, finding) for check, finding in findings.items() if finding is not None]


def _has_failure(findings: Findings, *checks: str) -> bool:
    """Return whether one of these checks failed."""
    return any(_fails(findings.get(check)) for check in checks)


def _fails(finding: Finding | None) -> bool:
    """Return whether there is a failure."""
    return finding is not None and finding.result == "fail"


def _keeps_tolerance(evidence: Evidence) -> bool:
    """Return whether an answer is right to its own tolerance, and decides as its model does."""
    if not evidence.truth.measure.keeps_tolerance(evidence):
        return False
    found = check_arithmetic(evidence)
    return found is None or found.result != "fail"


def _at_an_end(case: Case, finding: Finding) -> Finding:
    """Return the Finding; a NaN where nu ends has a flag of its own."""
    end = next((flag for flag in case.flags if flag in ENDS), None)
    return finding._replace(flag=end) if end and finding.flag == "NotFinite" else finding


def _blame_the_batch(findings: Findings) -> Findings:
    """Return the findings: decisions that depend on the batch are not the model's for that."""
    arithmetic, consistency = findings["G4"], findings["G6"]
    flag = None if consistency is None else consistency.flag
    if arithmetic is None or arithmetic.result != "fail" or flag != "BatchDependence":
        return findings
    return {**findings, "G4": arithmetic._replace(flag=flag)}


def _unless_stopped(findings: Findings, answer: Answer) -> Findings:
    """Return the findings; that of a limit in the place of what more steps would have mended.

    More steps may not help where a pair without curvature is left, which is said, too.
    """
    limit = check_limit(answer)
    mended = [f for check, f in findings.items() if check in OF_OPTIMUM and _fails(f)]
    if limit is None or not mended:
        return findings
    if any(f and f.seen and f.seen.is_of(FLAT_PAIR) for f in mended):
        limit = limit._replace(reason=f"{limit.reason}, {AT_FLAT_PAIR}", flag=FLAT_PAIR)
    left = {c: f for c, f in findings.items() if _fails(f) and c not in OF_OPTIMUM}
    return {**left, "G8": limit}


def _with_answers(findings: Findings, evidence: Evidence) -> Findings:
    """Return the findings, the failures with the wrong answer that is to be named."""
    if says_unfinished(evidence.answer) and is_beyond_doubles(evidence.truth):
        reason = "no double can hold the answer, and it says so"
        excused = Finding("acceptable", reason, "NotConverged")
        return {check: excused if _fails(f) else f for check, f in findings.items()}
    seen = _seen_of(evidence, _contradiction(findings.get("G6")))
    return {
        check: f._replace(seen=seen) if f is not None and _needs_name(check, f) else f
        for check, f in findings.items()
    }


def _needs_name(check: str, finding: Finding) -> bool:
    """Return whether a finding is a failure whose own flag, if it has one, says too little."""
    return finding.result == "fail" and (finding.flag is None or check in ("G2", "G4"))


def _seen_of(
    evidence: Evidence | None, contradiction: Theory | None = None, relation: Theory | None = None
) -> Seen:
    """Return a wrong answer; of one that says that it is none nothing but this is known."""
    if evidence is not None and says_unfinished(evidence.answer):
        flag = FLAT_PAIR if is_flat_pair(evidence) else "NotConverged"
        return Seen(None, Theory(flag, "and it says so"))
    return Seen(evidence, contradiction, relation)


def _contradiction(consistency: Finding | None) -> Theory | None:
    """Return a bug of which the answers to one problem contradict each other."""
    flag = None if consistency is None else consistency.flag
    return Theory(flag, BUGS[flag]) if flag in CONTRADICTIONS else None
