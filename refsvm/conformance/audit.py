"""audit: is this SVM right? Every case asked, every answer held against the exact optimum.

    subject    what is audited          case     a problem whose optimum is known
    record     one check of one case    flag     the kind of bug that a failure shows

A case that fails is looked at again by diagnosis.py, which knows what the answers of known bugs
would be, exactly, and so gives the failure its name.
"""

from contextlib import closing
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from ..kernels.standard import Gaussian
from ..numerics.validation import yes_or_no
from ..proofs.definiteness import require_definite
from ..svm.problem import require_problem
from .answer_checks import cut_short, dead, infeasible, refusal, rejected, unfinished
from .cases import FILES, Case, Query, case_named, names_of
from .cases.entries import probes
from .checks import OF_AN_ANSWER, Finding, beyond_doubles, failed
from .diagnosis import UNEXPLAINED, diagnosis
from .estimator_checks import policies
from .metamorphic import dresses
from .protocol import Answer, Request, asked, posed
from .scheduling import Patience, in_lanes, sort_of
from .subjects import Estimator, Fixed, Function, ModelFile, as_subject, knows_tol
from .truth import evidence_of, middle, on_fractions, points_of, shape_of, truth_of
from .workers import asker

MOST_PROBES = 50  # rows between the examples of a given problem, to be decided, too
TOL = 1e-6  # what a subject is told that can be told
CHECKS = ("G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "G9")


class Record(NamedTuple):
    """What one check found in one case.

    case, check   names: "C02", "G3"
    result        "pass", "fail", or "acceptable": not what was asked for, but no mistake either
    gap           the primal value at the answer less the optimum, a Fraction; None if unknown
    worst_x       the row where the answer is worst, or None
    flag          of a failure, the kind of bug: a key of kinds.BUGS or of flags.FLAGS
    reason        a sentence
    """

    case: str
    check: str
    result: str
    gap: Any
    worst_x: Any
    flag: Any
    reason: str


def audit(
    subject,
    problem=None,
    *,
    isolate=True,
    deadline=4,
    tol=TOL,
    names=None,
    expected=None,
    on_case=None,
):
    """Ask the subject every case, or one problem only, and return a list of Record.

    subject    an estimator class or instance with scikit-learn's constructor and fit; a function
               problem -> decision function (or Solution, or Model); (w, b) or (beta, b) or the
               pathlib.Path of a LIBSVM model file, with its problem; a command line
    isolate    ask it in a process of its own, started again after a hang or an exit
    deadline   seconds for each answer, where there is such a process
    tol        told to a subject that has such a parameter; an instance keeps its own
    names      patterns of the names of the cases to ask, as "C*"; None: all
    expected   {"case" or "case/check": reason}: failures that are known become "acceptable"
    on_case    called with each case's list of records as soon as they are there

    A problem on Fractions is asked, and judged, on the nearest doubles. TypeError or ValueError
    for a subject or a problem that is none, and for a kernel matrix that is not positive
    semidefinite. A wrong answer is no error.

    >>> from refsvm.solvers.smo import smo
    >>> records = audit(smo, isolate=False, names=["C02"])
    >>> [(record.check, record.result) for record in records][:3]
    [('G1', 'pass'), ('G2', 'pass'), ('G3', 'pass')]
    """
    auditor = Auditor(subject, problem, isolate, deadline, tol, expected)
    found = []
    with closing(auditor), closing(auditor.every(auditor.names(names))) as every:
        for records in every:
            found += records
            if on_case is not None:
                on_case(records)
    return found


def is_wrong(subject, problem):
    """Whether audit(subject, problem, isolate=False) has a failure. Nobody asks which bug it is,
    and to find that out takes many times as long."""

    def explain(found, evidence, case):
        return named(found, evidence, case) if beyond_doubles(evidence.truth) else found

    auditor = Auditor(subject, problem, isolate=False)
    answers = [auditor.judged(read(), explain)[0] for read in auditor.cases.values()]
    return any(f is not None and f.result == "fail" for found in answers for _, f in found)


class Auditor:
    """An audit case by case: names() says which there are, records(name) asks one of them."""

    def __init__(self, subject, problem=None, isolate=True, deadline=4, tol=TOL, expected=None):
        if problem is not None:
            problem = require_problem(problem)
        self.subject = as_subject(subject, problem)
        self.asker = asker(self.subject, yes_or_no(isolate, "isolate"), deadline)
        self.tol, self.expected = tol, dict(expected or {})
        self.patience = Patience(self.asker.turn)
        self.asked = {}  # {number of examples: some of the Requests with so many}
        self.cases = self.shipped() if problem is None else {"given": given(problem, self.subject)}
        self.families = names_of("families") if problem is None else ()
        self.policies = policies() if problem is None and self.is_estimator() else {}

    def shipped(self):
        """{name: what reads the case}; a function is given a Problem, so no input that is none."""
        files = [f for f in FILES if f != "rejects" or not isinstance(self.subject, Function)]
        return {name: partial(case_named, file, name) for file in files for name in names_of(file)}

    def is_estimator(self):
        return isinstance(self.subject, Estimator)

    def names(self, patterns=None):
        """The names of the cases, in their order; those that a pattern fits, if there are any."""
        every = [*self.cases, *self.policies]
        if patterns is None:
            return every
        return [name for name in every if any(fnmatchcase(name, p) for p in patterns)]

    def every(self, names):
        """The lists of Record of these cases, one after the other."""
        if self.asker.lanes == 1:
            yield from map(self.records, names)
        else:
            yield from in_lanes(self.records, names, self.asker.turn, self.asker.lanes)

    def records(self, name):
        """The list of Record of a case."""
        if name in self.policies:
            found, rows = self.policies[name](self.asker.ask), []
        else:
            found, rows = self.judged(self.cases[name]())
        records = [self.record(name, check, f, rows) for check, f in found if f is not None]
        return sorted(records, key=lambda record: CHECKS.index(record.check))

    def close(self):
        """End the process, if there is one."""
        self.asker.close()

    def record(self, name, check, finding, rows):
        """The Record of a Finding, excused if it was expected."""
        worst = None if finding.worst is None else rows[finding.worst]
        reason = self.expected.get(f"{name}/{check}", self.expected.get(name))
        if finding.result == "fail" and reason is not None:
            finding = finding._replace(result="acceptable", reason=f"expected: {reason}")
        return Record(name, check, *finding[:1], finding.gap, worst, finding.flag, finding.reason)

    def judged(self, case, explain=None):
        """([(check, Finding or None)], rows) of a case. A wrong answer is explained by `named`, or
        by another that takes what it takes."""
        if case.problem is None:
            return [self.rejection(case)], []
        problem, rows = posed(case.problem, [query.x for query in case.queries])
        if problem.linear and not decided_already(self.subject):
            rows += [point for point in points_of(problem) if point not in rows]
        sort = sort_of(case, problem)
        if self.patience.is_over(sort):
            many = self.patience.late[sort]
            reason = f"not asked: {many} others of this sort ({sort}) came too late"
            return [("G8", Finding("acceptable", reason))], rows
        self.patience.begin(sort)
        found = self.answered(case, problem, rows, explain or named)
        self.patience.end(sort, any(f is not None and f.flag == "Hang" for f in found.values()))
        return list(found.items()), rows

    def answered(self, case, problem, rows, explain):
        """{check: Finding or None} of a case that is asked."""
        request = self.request(case, problem, rows)
        answer = self.ask(request)
        ended = refusal(case, answer) or dead(answer, len(request.y), len(rows))
        if ended is not None:
            return dict([ended])
        truth = truth_of(problem, rows, case)
        if truth is None:
            return {"G8": infeasible(answer)}
        kept = kept_of(case) if len(request.y) > problem.n else None
        evidence = self.evidence(truth, request, answer, kept)
        found = {check: judge(evidence) for check, judge in OF_AN_ANSWER.items()}
        found["G8"] = Finding("pass")
        wrong = failing(found, "G1", "G2", "G3")
        if wrong and "MaxIter" in case.flags:
            return {"G8": cut_short(answer)}
        if wrong:
            return explain(found, evidence, case)
        if self.may_be_dressed(case):
            found["G5"] = self.invariance(case, problem, rows, truth, answer.exchanged)
        return found

    def ask(self, request):
        """The Answer. The first problem of so many examples is remembered, and the one before."""
        alike = self.asked.setdefault(len(request.y), [])
        alike.append(request)
        del alike[1:-2]
        return self.asker.ask(request)

    def evidence(self, truth, request, answer, kept):
        """The Evidence, with what was asked before."""
        found = evidence_of(truth, request, answer, self.known_tol(), kept)
        return found._replace(earlier=self.asked[len(request.y)][:-1])

    def rejection(self, case):
        """G7 of input that is no problem."""
        given = case.given
        n = len(given["y"])
        C = given["C"] if isinstance(given["C"], list) else [given["C"]] * n
        kernel = given["kernel"]
        request = Request(
            case.name,
            plain(given["X"]),
            plain(given["y"]),
            plain(C),
            {key: plain(value) for key, value in kernel.items()},
            [[0.0] * (n if kernel["name"] == "precomputed" else 1)],
            given["bias"],
            given["slack"],
            self.tol,
        )
        return rejected(case, self.asker.ask(request))

    def request(self, case, problem, rows):
        """The Request; an estimator is given the examples of weight 0, too."""
        extras = self.is_estimator() and "SlowSMO" not in case.flags
        request = asked(case.name, problem, rows, self.tol, extras)
        if "MaxIter" in case.flags:
            request = request._replace(max_iter=1, extras=False)
        if "Repeatable" in case.flags:
            request = request._replace(threads=2, extras=2 if request.extras else False)
        if self.is_estimator() and len(case.given["y"]) > problem.n:
            X = [list(map(float, x)) for x in case.given["X"]]
            C = list(map(float, case.given["C"]))
            request = request._replace(X=X, y=case.given["y"], C=C)
        return request

    def known_tol(self):
        """The tolerance that the subject was told, or has; None if it has none."""
        return knows_tol(self.subject, self.tol)

    def may_be_dressed(self, case):
        """Whether it is asked in other dress, too: not the families, which are dresses already."""
        return (
            not isinstance(self.subject, (Fixed, ModelFile))
            and case.name not in self.families
            and "SlowSMO" not in case.flags
            and "ZeroWeight" not in case.flags
        )

    def invariance(self, case, problem, rows, truth, exchanged):
        """G5: a Finding about the first dress in which the answer is another one.

        exchanged: the decisions with the classes exchanged, if they are known already.
        """
        for dress in dresses(problem, rows, self.is_estimator()):
            request = asked(f"{case.name}, {dress.name}", dress.problem, dress.rows, self.tol)
            if dress.weightless:
                request = weightless(request)
            if dress.sign < 0 and exchanged is not None:
                answer = Answer(decisions=exchanged)
            else:
                answer = self.ask(request._replace(brief=True))
            if answer.unsupported is None:
                finding = self.in_dress(case, dress, request, answer, truth)
                if finding is not None:
                    return finding._replace(reason=f"{dress.name}: {finding.reason}")
        return Finding("pass")

    def in_dress(self, case, dress, request, answer, truth):
        """A Finding if the answer is not that of the truth, else None."""
        ended = unfinished(answer, len(request.y), len(request.rows))
        if ended is None and answer.refused is not None:
            ended = failed(answer.refused, dress.flag)
        if ended is not None or answer.decisions is None:
            return ended
        turned = answer._replace(
            decisions=[dress.sign * f for f in answer.decisions], alpha=None, beta=None, w=None
        )
        shape = shape_of(evidence_of(truth, request, turned, None))
        if not shape.bent and not shape.outside:
            return None
        k = shape.worst
        f, right = answer.decisions[k], short_f(truth, k)
        finding = failed(f"f is {f:.6g}, without it {right}", worst=k)
        return self.explained(case, dress, request, answer, finding)

    def explained(self, case, dress, request, answer, finding):
        """The Finding, with the flag of a bug that explains it, or else that of the dress."""
        there = truth_of(dress.problem, dress.rows)
        kept = list(range(dress.problem.n)) if dress.weightless else None
        evidence = self.evidence(there, request, answer, kept)
        flag, why = diagnosis(evidence, case)
        if flag in UNEXPLAINED or dress.flag == "ZeroWeight":
            return finding._replace(flag=dress.flag)
        return finding._replace(flag=flag, reason=f"{finding.reason}; {why}")


def weightless(request):
    """The Request with an example of weight 0 more: the first, in the other class."""
    return request._replace(
        X=[*request.X, request.X[0]], y=[*request.y, -request.y[0]], C=[*request.C, 0.0]
    )


def short_f(truth, k):
    return f"{float(truth.scores[k] + middle(truth.optimum)):.6g}"


def expectations(words):
    """{"case" or "case/check": reason} of words "case: reason".

    >>> expectations(["C17/G1: kernel values are single"])
    {'C17/G1': 'kernel values are single'}
    """
    known = {}
    for word in words:
        key, _, reason = map(str.strip, word.partition(":"))
        if not key or not reason:
            raise ValueError(f"{word!r} expects nothing; CASE[/CHECK]: REASON is needed")
        known[key] = reason
    return known


def plain(value):
    """The value with floats for its Fractions."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    return float(value) if isinstance(value, Fraction) else value


def decided_already(subject):
    """Whether it is an answer that holds decisions, which are those about the examples."""
    return isinstance(subject, Fixed) and subject.said.decisions is not None


def given(problem, subject):
    """What returns the case of a given problem."""
    problem, _ = posed(problem, [])
    if not isinstance(problem.kernel, Gaussian):
        require_definite(on_fractions(problem, [])[0])
    told = {"C": problem.C, "y": problem.y, "X": problem.X}
    between = [] if decided_already(subject) else probes(problem)[:MOST_PROBES]
    asked = [Query(x, *[None] * 4) for x in between]
    return lambda: Case("given", "", (), "valid", told, problem, None, asked)


def kept_of(case):
    """The indices of the examples whose weight is not 0."""
    return [i for i, c in enumerate(case.given["C"]) if c != 0]


def failing(found, *checks):
    return any(found.get(check) and found[check].result == "fail" for check in checks)


def named(found, evidence, case):
    """The findings, the failures with the flag of what explains the wrong answer."""
    flag, why = diagnosis(evidence, case)
    if flag == "NotConverged" and beyond_doubles(evidence.truth):
        excuse = Finding("acceptable", "no double can hold the answer, and it says so", flag)
        return {check: excuse if failing(found, check) else f for check, f in found.items()}
    return {
        check: f._replace(flag=f.flag or flag, reason=f"{f.reason}; {why}" if why else f.reason)
        if failing(found, check)
        else f
        for check, f in found.items()
    }
