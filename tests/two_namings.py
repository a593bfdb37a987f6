"""Both namings over the planted bugs: how many each names rightly first, and its CPU.

    python tests/two_namings.py                  every tenth bug, of C-SVC and of the machines
    python tests/two_namings.py 1                every one
    python tests/two_namings.py 10 3             every tenth, from the third on
    python tests/two_namings.py 10 0 machines    svm, codes (with faults of their own), machines
    python tests/two_namings.py 10 0 svm kernel  those of a stage, or whose name has the word

The catalogue's naming is put in the place of today's for a while: the rest of the audit is the
same, so a difference is one of the naming.
"""

import sys
import time
from collections import Counter
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import planted  # noqa: E402
from planted import PLANTED, SVM, changed, is_meant, work_of  # noqa: E402
from planted_bugs.changes import unchanged  # noqa: E402
from planted_bugs.machines import MACHINE_BUGS  # noqa: E402

import refsvm_fast  # noqa: E402
from refsvm.conformance import audit as audits  # noqa: E402
from refsvm.conformance import diagnosis, judging, machine_guesses, machine_judging  # noqa: E402
from refsvm.conformance.audit import Auditor, records_of  # noqa: E402
from refsvm.conformance.cases import names_of  # noqa: E402
from refsvm.conformance.cases.flags import BUGS  # noqa: E402
from refsvm.conformance.causes import cause_of  # noqa: E402
from refsvm.conformance.explanations import Diagnosis, Explanation  # noqa: E402
from refsvm.conformance.naming import DiagnosedRecord, explained  # noqa: E402
from refsvm.conformance.protocol import says_unfinished  # noqa: E402
from refsvm.conformance.truth import shape_of  # noqa: E402
from refsvm.conformance.wrong import bugs, pipeline  # noqa: E402
from refsvm.conformance.wrong.naming import Seen, Theory, names_of_run  # noqa: E402

RIGHT = {}  # {case: Seen} of the code without a bug, which a bug's replay does not ask again
KNOWN = {"today": {}, "catalogue": {}}  # what planted.py knows of codes without a bug
WRONG = []  # every wrong answer, and the relation that it breaks: a replay tells them again
LARGE = 12_000  # multiplications of a Gram matrix: larger cases are not asked


class Run:
    """What one audit has seen, for the catalogue."""

    def __init__(self, known=None):
        self.known = known or {}
        self.right, self.seconds = [], 0.0

    def diagnose(self, e, relation=None):
        """Keep a wrong answer; what it is named is decided at the end."""
        if says_unfinished(e.answer):
            return diagnosis.with_relation(diagnosis._unfinished(e), relation)
        WRONG.append(e)
        last = Explanation("Wrong", "", 0.01, "Wrong")
        fits = (last,) if relation is None else (relation, last)
        return Diagnosis(fits, frozenset([str(len(WRONG) - 1)]))

    def settle(self, records, cases=None):
        """The records with the flags of the catalogue."""
        start = time.process_time()
        hints = {}
        for r in records:
            if isinstance(r, DiagnosedRecord) and r.diagnosis.missed:
                (i,) = map(int, r.diagnosis.missed)
                fits = [x for x in r.diagnosis.fits if x.flag != "Wrong"]
                hints[i] = tuple(Theory(x.flag, x.why, x.weight) for x in fits)
        order = sorted(hints)
        seen = [Seen(WRONG[i], True, hints[i]) for i in order]
        failed = {r.case for r in records if r.result == "fail"}
        right = {e.request.id: Seen(e, False) for e in self.right if e.request.id not in failed}
        asked = {r.case for r in records} - failed
        known = {case: s for case, s in self.known.items() if case in asked}
        right = {**known, **right}
        names = names_of_run([*seen, *right.values()])
        chosen = {order[i]: name.theory for name in names for i in name.answers}
        found = []
        for r in records:
            if not isinstance(r, DiagnosedRecord):
                found.append(r)
            elif not r.diagnosis.missed:
                found.append(explained(r.plain, r.diagnosis.fits[0]))
            else:
                (i,) = map(int, r.diagnosis.missed)
                theory = chosen.get(i, Theory("Wrong", "", 0.01))
                found.append(explained(r.plain, Explanation(theory.flag, theory.words)))
        self.names, self.seconds = names, time.process_time() - start
        return found


@contextmanager
def by_the_catalogue(run):
    """The catalogue's naming in the place of today's."""
    add_flags, evidence = judging.add_flags, judging.Judge.evidence

    def flagged(findings, e, case, diagnose=None):
        return add_flags(findings, e, case, run.diagnose)

    def kept(self, *given):
        e = evidence(self, *given)
        if e.decisions is not None and shape_of(e).is_right:
            run.right.append(e)
        return e

    places = [
        (judging, "add_flags", flagged),
        (machine_judging, "add_flags", flagged),
        (judging, "diagnose", run.diagnose),
        (machine_judging, "diagnose_machine", run.diagnose),
        (judging.Judge, "evidence", kept),
        (audits, "settle", run.settle),
    ]
    before = [(place, name, getattr(place, name)) for place, name, _ in places]
    try:
        for place, name, value in places:
            setattr(place, name, value)
        yield
    finally:
        for place, name, value in before:
            setattr(place, name, value)


def causes_in(records):
    """The flags of the causes of failures, the first one first."""
    cause = cause_of(records)
    return [] if cause is None else [cause.flag, *(c.flag for c in cause.others)]


@cache
def usual_cases():
    """All cases but large ones."""
    large = {name for name in names_of("sizes") if work_of(name) >= LARGE}
    every = Auditor(unchanged(SVM), isolate=False).names()
    return tuple(name for name in every if name not in large)


def ask_svm(change, who):
    """The causes, and the CPU of the whole audit."""
    planted.KNOWN = KNOWN[who]
    witness = planted.CASES.get(change.name)
    names = [*usual_cases(), *([] if witness is None else [witness])]
    if change.code not in KNOWN[who]:
        run = Run()
        with by_the_catalogue(run) if who == "catalogue" else nullcontext():
            planted.failures(unchanged(change.code), names, change.code, is_unchanged=True)
        RIGHT.setdefault(change.code, {}).update({e.request.id: Seen(e, False) for e in run.right})
    start, run = time.process_time(), Run(RIGHT[change.code])
    with by_the_catalogue(run) if who == "catalogue" else nullcontext():
        records = planted.failures(changed(change), names, change.code)
    return causes_in(records), time.process_time() - start, run


def ask_machine(change, who):
    """The same of a small machine: all its cases."""
    auditor = Auditor(changed(change), isolate=False)
    start, run = time.process_time(), Run()
    with by_the_catalogue(run) if who == "catalogue" else nullcontext():
        records = records_of(auditor, list(auditor.cases))
    return causes_in(records), time.process_time() - start, run


def compare(changes, ask):
    """Ask both of each bug; print what differs, and return how often each is right first."""
    right, seconds, naming_time = Counter(), Counter(), 0.0
    named = [c for c in changes if c.flags]
    for change in changes:
        said = {}
        for who in ("today", "catalogue"):
            said[who], took, run = ask(change, who)
            seconds[who] += took
            naming_time += run.seconds
            first = said[who][:1] if change.code == SVM or ask is ask_machine else said[who]
            right[who] += bool(change.flags and set(first) & set(change.flags))
            said[who, "right"] = bool(set(first) & set(change.flags)) or not change.flags
        if not said["today", "right"] or not said["catalogue", "right"]:
            marks = "".join("-+"[said[who, "right"]] for who in ("today", "catalogue"))
            print(f"{marks} {change.stage}: {change.name}: {' '.join(change.flags)};"
                  f" today {said['today'][:3]}, catalogue {said['catalogue'][:3]}", flush=True)
    return len(named), right, seconds, naming_time


def main(words):
    BUGS.update(bugs.NEW)
    machine_guesses.smo = pipeline.smo = refsvm_fast.smo  # the same bits, sooner
    every, first = int(words[0]) if words else 10, int(words[1]) if len(words) > 1 else 0
    kind, words = (words[2] if len(words) > 2 else None), words[3:]
    kinds = {
        "svm": ([c for c in PLANTED if c.code == SVM], ask_svm),
        "codes": ([c for c in PLANTED if c.code != SVM], ask_svm),
        "machines": (MACHINE_BUGS, ask_machine),
    }
    for name, (changes, ask) in kinds.items():
        some = [c for c in changes if is_meant(c, words)][first::every]
        if not some or kind not in (None, name):
            continue
        n, right, seconds, alone = compare(some, ask)
        print(f"{name}: {len(some)} bugs, {n} with a name:", *(
            f"{who} {right[who]} first in {seconds[who]:.1f} s;" for who in right),
            f"of these the catalogue's names {alone:.1f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
