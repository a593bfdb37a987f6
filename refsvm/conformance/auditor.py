"""Auditor: asks a subject case after case, in which order, and what is given up.

records    of a case: what is not asked, or what judging.py finds of the answers
every      of many cases, the easiest of each kind first

With an executor many cases are asked and judged at once, elsewhere, by auditors that are kept
there with the process that they ask. What is given up is decided here, in the order of one alone.
"""

from __future__ import annotations

import os
import pickle
from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from ..estimators.executor_tasks import no_answer, require_executor, require_future
from ..kernels.standard import Gaussian
from ..numerics.quoting import quote
from ..numerics.validation import yes_or_no
from ..proofs.definiteness import require_definite
from ..svm.training_problem import TrainingProblem, require_training_problem
from .asking.lateness import PROBLEMS, LateAnswers, Traits, asking_order, traits_of
from .asking.workers import NotAsked, asker_for
from .cases import Case
from .cases.drawn import SEED
from .cases.machines import case_of_problem, queries_of
from .checks import Finding
from .checks.repeats import questions_told_once
from .judging import Judge
from .naming import WrongRecord
from .naming.prediction import AskAfresh
from .policies.questions import Policy
from .protocol import as_doubles
from .protocol.forms import form_named, form_of_problem
from .protocol.plain_values import one_line, sentence_of
from .protocol.records import NOT_ASKED, UNASKED, Record, was_asked
from .subjects import GivenAnswer, Subject, as_subject, has_decisions
from .subjects.estimator_adapter import Estimator
from .subjects.named_subjects import form_of_subject
from .truth import on_fractions
from .what_is_asked import cases_for, policies_for

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

MOST_PROBES = 50  # rows between the examples of a given problem, to be decided, too
TOL = 1e-6  # for a subject that takes a tolerance
DEADLINE: float = 4  # seconds
ALONE_TIMES = 8  # that a case is asked alone: chance would look like memory
AHEAD = 2  # cases that each worker of an executor is given before the first is answered


class Auditor:
    """An audit case by case: names() says which there are, records(name) asks one of them."""

    def __init__(
        self,
        subject: Any,
        problem: TrainingProblem | None = None,
        isolate: bool = True,
        deadline: float = DEADLINE,
        tol: float = TOL,
        expected: Mapping[str, str] | None = None,
        form: str | None = None,
        seed: int = SEED,
    ) -> None:
        if problem is not None:
            require_training_problem(problem)
        self.subject = as_subject(subject, problem)
        told = form_named(form)
        machine = form_of_problem(problem) if problem is not None else None
        if form is not None and problem is not None and told is not machine:
            raise ValueError(f"form is {quote(form)}; the problem is of another machine")
        self.form = machine if problem is not None else form_of_subject(self.subject, form)
        self.asker = asker_for(self.subject, yes_or_no(isolate, "isolate"), deadline)
        self.judge = Judge(self.subject, self.asker, tol, self.form)
        self.expected = dict(expected or {})
        self.late, self.late_transformed = LateAnswers(), LateAnswers()
        self.policies: dict[str, Policy] = {}
        if problem is None:
            self.cases = cases_for(self.subject, self.form, seed)
            if isinstance(self.subject, Estimator):
                self.policies = policies_for(self.subject, self.form)
        else:
            case = _given_case(problem, self.subject)
            self.cases = {"given": lambda: case}

    def names(self, patterns: Sequence[str] | None = None) -> list[str]:
        """Return the names of the cases that a pattern fits, in their order; None: of all."""
        every = [*self.cases, *self.policies]
        if patterns is None:
            return every
        return [name for name in every if any(fnmatchcase(name, p) for p in patterns)]

    def every(self, names: Sequence[str]) -> Generator[list[Record], None, None]:
        """Yield the records of each of these cases, as they are asked."""
        for name in self.asking_order(names):
            yield self.records(name)

    def asking_order(self, names: Sequence[str]) -> list[str]:
        """Return the names in the order in which they are asked."""
        return asking_order(names, [self.traits(name) for name in names])

    def traits(self, name: str) -> Traits:
        """Return what decides how long a case may take."""
        return Traits("policy") if name in self.policies else traits_of(self.cases[name]())

    def records(self, name: str) -> list[Record]:
        """Return the records of a case, or why it is given up."""
        traits = self.traits(name)
        reason, without = self.reasons(traits)
        if reason is not None:
            return [unasked(name, "G8", reason)]
        records = self.judged(name, relations=without is None)
        late = _late_checks(records, name in self.policies)
        self.late.note(traits, bool(late - {"G5"}))
        if traits.sort in PROBLEMS and without is None:
            self.late_transformed.note(traits, "G5" in late)
        elif traits.sort in PROBLEMS:
            records.append(unasked(name, "G5", str(without)))
        return sorted(records, key=lambda record: record.check)

    def reasons(self, traits: Traits) -> tuple[str | None, str | None]:
        """Return why a case is not asked, and why it is not asked transformed; None: it is."""
        every = self.late, self.late_transformed
        first, second = (late.reason_to_give_up(traits) for late in every)
        return first, second

    def judged(self, name: str, relations: bool = True) -> list[Record]:
        """Ask a case, transformed, too, if its relations are wanted; return its records."""
        rows: list[Any] = []
        try:
            if name in self.policies:
                found = self.judge.judge_policy(self.policies[name])
            else:
                found, rows = self.judge.judge(self.cases[name](), relations=relations)
        except NotAsked as reason:
            return [unasked(name, "G8", str(reason))]
        excused = [(check, self.excused(name, check, finding)) for check, finding in found]
        return [
            record(name, check, finding, rows) for check, finding in questions_told_once(excused)
        ]

    def excused(self, name: str, check: str, finding: Finding) -> Finding:
        """Return the Finding; a failure that was expected is acceptable."""
        keys = (f"{name}/{finding.question}", f"{name}/{check}", name)
        excuse = next((self.expected[key] for key in keys if key in self.expected), None)
        if finding.result != "fail" or excuse is None:
            return finding
        return finding._replace(result="acceptable", reason=f"expected: {excuse}", question=None)

    @property
    def ask_afresh(self) -> AskAfresh | None:
        """What asks a fresh problem; None of a subject that holds one answer."""
        if isinstance(self.subject, GivenAnswer):
            return None
        return self.judge.ask_afresh

    def is_right_alone(self, name: str) -> bool:
        """Return whether a case is answered rightly, several times, with no other before it."""
        self.close()
        case = self.cases[name]()
        try:
            every = [self.judge.judge(case, relations=False)[0] for _ in range(ALONE_TIMES)]
        except NotAsked:
            return False
        return not any(finding.result == "fail" for found in every for _, finding in found)

    def close(self) -> None:
        """End the process, if there is one."""
        self.asker.close()


def _late_checks(records: Sequence[Record], is_policy: bool) -> set[str]:
    """Return the checks that got no answer in time; none of a policy that got others."""
    late = {record.check for record in records if record.flag == "Hang"}
    answered = [record for record in records if record.flag != "Hang" and was_asked(record)]
    return set() if is_policy and answered else late


def record(name: str, check: str, finding: Finding, rows: list[Any]) -> Record:
    """Return the Record of a Finding."""
    worst = None if finding.worst is None else rows[finding.worst]
    reason = finding.reason
    if finding.question is not None and not reason.startswith(UNASKED):
        reason = f"{finding.question}: {reason}" if reason else finding.question
    result = NOT_ASKED if finding.reason.startswith(NOT_ASKED) else finding.result
    found = Record(name, check, result, finding.gap, worst, finding.flag, one_line(reason))
    if finding.result == "fail" and finding.seen is not None:
        return WrongRecord.of(found, finding.seen)
    return found


def unasked(name: str, check: str, reason: str) -> Record:
    """Return the Record of what was given up."""
    return Record(name, check, NOT_ASKED, None, None, None, f"{NOT_ASKED}: {reason}")


def _given_case(problem: TrainingProblem, subject: Subject) -> Case:
    """Return the case of a given problem."""
    problem, _ = as_doubles(problem, [])
    if not isinstance(problem.kernel, Gaussian):
        require_definite(on_fractions(problem, [])[0])
    between = [] if has_decisions(subject) else queries_of(problem)[:MOST_PROBES]
    return case_of_problem(("given", "", (), "valid"), problem, between)


class Settings(NamedTuple):
    """What is audited and how: it travels with each case that is asked elsewhere."""

    token: str  # of the audit
    subject: Any
    problem: Any
    isolate: bool
    deadline: float
    tol: float
    expected: Mapping[str, str] | None
    form: str | None
    seed: int


class ParallelAuditor(Auditor):
    """An Auditor whose cases are asked and judged by an executor.

    Cases are begun before it is known what the earlier ones show to be given up. What they found
    counts if nothing speaks against it when all of these are known.
    """

    def __init__(self, executor: Executor, subject: Any, *given: Any) -> None:
        require_executor(executor)
        super().__init__(subject, *given)
        self.executor, self.settings = executor, Settings(uuid4().hex, subject, *given)
        self.begun: dict[tuple[str, bool], Future[list[Record]]] = {}

    def every(self, names: Sequence[str]) -> Generator[list[Record], None, None]:
        order = self.asking_order(names)
        workers = int(getattr(self.executor, "_max_workers", None) or os.cpu_count() or 1)
        try:
            for k, name in enumerate(order):
                for later in order[k : k + AHEAD * workers]:
                    reason, without = self.reasons(self.traits(later))
                    if reason is None:
                        self.begin(later, without is None)
                yield self.records(name)
        finally:
            for future in self.begun.values():
                future.cancel()

    def begin(self, name: str, relations: bool) -> Future[list[Record]]:
        """Give a case to the executor, unless it has been; return what comes of it."""
        asked = name, relations
        if asked not in self.begun:
            future = self.executor.submit(_judged_there, self.settings, *asked)
            self.begun[asked] = require_future(future)
        return self.begun[asked]

    def judged(self, name: str, relations: bool = True) -> list[Record]:
        """Let the executor ask a case; return its records."""
        try:
            found = self.begin(name, relations).result()
            if not isinstance(found, list) or not all(isinstance(v, Record) for v in found):
                raise no_answer(found)
            return found
        except Exception as error:
            self.require_pickle(error)
            raise

    def require_pickle(self, error: Exception) -> None:
        """Raise a ValueError if what went wrong is that the subject cannot be pickled."""
        try:
            pickle.dumps(self.settings)
        except Exception as why:
            raise ValueError(
                f"subject is {self.subject.name}, of which another process cannot be told:"
                f" {sentence_of(why)[:100]}; without an executor it is asked in a fork"
            ) from error

    def close(self) -> None:
        """End what asks in this process."""
        super().close()
        _close_kept()


KEPT: dict[str, list[Auditor]] = defaultdict(list)  # by the token of the audit
GUARD = Lock()  # of what is kept


def _judged_there(settings: Settings, name: str, relations: bool) -> list[Record]:
    """Ask a case, wherever this runs, of an auditor that no other thread has.

    It is kept for the next case: until one of another audit comes, or this process ends.
    """
    token, *given = settings
    with GUARD:
        auditor = KEPT[token].pop() if KEPT[token] else None
        others = [each for other in {*KEPT} - {token} for each in KEPT.pop(other)]
    for other in others:
        other.close()
    auditor = auditor or Auditor(*given)
    try:
        records = auditor.judged(name, relations)
    except BaseException:
        auditor.close()
        raise
    with GUARD:
        KEPT[token].append(auditor)
        _close_at_the_end()
    return records


def _close_kept() -> None:
    """Close every auditor that is kept."""
    with GUARD:
        kept = [auditor for every in KEPT.values() for auditor in every]
        KEPT.clear()
    for auditor in kept:
        auditor.close()


@cache
def _close_at_the_end() -> None:
    """Let the end of this process close them; one of multiprocessing skips atexit."""
    from multiprocessing.util import Finalize

    Finalize(None, _close_kept, exitpriority=1)
