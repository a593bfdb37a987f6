"""Bugs planted into small codes, one change of text each; and changes that are no bugs.

    python tests/planted.py                every bug: does the whole audit see it, and name it?
    python tests/planted.py votes cs229    of these stages, codes, or names that hold these words
    python tests/planted.py --machines     the same of the machines beside C-SVC
    python tests/planted.py --free         every change that is no bug: does anything fail of it?
    python tests/planted.py --write        cases that show the bugs are looked for and written down
    python tests/planted.py --stages       writes the table of section 22.9 of the spec

The codes are in planted_codes/: a right SVM, and some as people write them, with faults of their
own. The bugs are in planted_bugs/, by the stage of an SVM that they are in. To add a bug is two
lines: what is wrong, with the flags that name it rightly; then the text that is there once, and
the text instead. `--write` adds to planted_bugs/cases.json a case that shows it, so that the quick
tests ask this one alone. Many of the bugs were met in programs in use; the numbers in brackets are
of the corpus that they were collected in.

What a bug leaves as it was is not computed, and not judged, again: remembered.py and replays.py in
planted_bugs/. Of the dearest cases, which take more than half of the time, one in three is asked,
and the one that shows the bug.

A bug is seen if something fails that does not fail without it; one that is only asked less is not
seen. It is named if the verdict over the whole audit, or what the verdict says of the rest, is
one of its flags.
"""

import argparse
import json
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from planted_bugs.changes import FREEDOM, PLANTED, SVM, changed, unchanged  # noqa: E402
from planted_bugs.machines import MACHINE_BUGS  # noqa: E402
from planted_bugs.replays import ReplayingJudge  # noqa: E402

import refsvm_fast  # noqa: E402
from refsvm.conformance import naming  # noqa: E402
from refsvm.conformance.audit import Auditor, records_of  # noqa: E402
from refsvm.conformance.cases import case_named, names_of  # noqa: E402
from refsvm.conformance.checks.claims import AIM  # noqa: E402
from refsvm.conformance.report.causes import FACTS, cause_of  # noqa: E402
from refsvm.conformance.wrong import pipeline  # noqa: E402

# What known bugs would answer has the same bits, and is there sooner.
pipeline.smo = refsvm_fast.smo

FOLDER = Path(__file__).parent / "planted_bugs"
FILES = ["rows", "problem", "kernel", "cache", "working_set", "step", "stop", "offset", "decision"]
FILES += ["votes", "labels", "state", "freedom"]
FILES += ["cs229", "quadratic", "column", "pegasos", "learner", "pairs"]  # bugs in other codes
for name in FILES:
    import_module(f"planted_bugs.{name}")

RIGHT_CODES = SVM.files, ("machines",)  # which fail nothing without a bug
STAGES = list(dict.fromkeys(change.stage for change in PLANTED))
# {name: a case that shows it}
CASES = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))
# Kernel values up to 10^21: SMO on doubles says that it has not finished, which is the truth.
EXPECTED = {"degree seven": "doubles do not suffice"}
SPEC = Path(__file__).resolve().parent.parent / "spec" / "standard" / "audit.md"
HEADER = "| stage          | bugs | in codes with faults of their own | shown by, among others |\n"
DEAR = 80_000  # multiplications that a Gram matrix of a dear case takes, or more
MOST_TRIED = 30  # failing cases, of which one is to show the bug alone


class Verdict(NamedTuple):
    """What the whole audit says of a bug.

    cases    in which something fails that does not fail without the bug
    causes   the flags of the causes, the first one first
    witness  a case that shows the bug alone
    """

    cases: list
    causes: list
    witness: str


def flags_said(subject, case):
    """The flags of the failures of a case asked alone, and of what cannot be told from them."""
    said, names_of_run = set(), naming.names_of_run

    def kept(*given):
        names = names_of_run(*given)
        said.update(t.flag for name in names for t in name.also)
        return names

    with patch.object(naming, "names_of_run", kept):
        return said | {r.flag for r in failures(subject, [case])}


KNOWN = {}  # {code: {case: what is known of it without a bug}}


def failures(subject, names=None, code=None, is_unchanged=False):
    """The records of failure: of all the cases, or of those with these names.

    A code is told if what is known of it is to be used, or with `is_unchanged`, to be found.
    """
    auditor = Auditor(subject, isolate=False, expected=EXPECTED)
    if code is not None and auditor.form is None:
        auditor.judge = ReplayingJudge(auditor.subject, auditor.asker, auditor.judge.tol)
        auditor.judge.known = KNOWN.setdefault(code, {})
        auditor.judge.is_unchanged = is_unchanged
    records = records_of(auditor, auditor.names(names))
    return [r._replace(result="fail") for r in records if is_shown_by(r)]


def is_shown_by(record):
    """Whether a bug shows: something fails, or it meets a limit that the right code does not."""
    limits = "NotConverged", "FlatPairSkipped"
    return record.result == "fail" or (record.flag in limits and "its limit" in record.reason)


@cache
def usual_cases(code=SVM):
    """All cases but two of three dear ones; of a machine those problems where doubles suffice."""
    auditor = Auditor(unchanged(code), isolate=False)
    if auditor.form is not None:
        return tuple(name for name, read in auditor.cases.items() if AIM not in read().flags)
    left_out = set(dear_cases()) - set(dear_cases()[::3])
    return tuple(name for name in auditor.names() if name not in left_out)


@cache
def dear_cases():
    """The cases of sizes whose Gram matrix takes long to compute in plain Python."""
    return [name for name in names_of("sizes") if work_of(name) >= DEAR]


def work_of(name):
    """How many multiplications the Gram matrix of a case of sizes takes."""
    problem = case_named("sizes", name).problem
    return problem.n**2 * (len(problem.X[0]) if problem.kernel.has_rows else 1)


def known_failures(code, names):
    """{(case, check): flag} of a code without a bug."""
    return flags_of(code, tuple(names))


@cache
def flags_of(code, names):
    found = failures(unchanged(code), names, code, is_unchanged=True)
    return {(r.case, r.check): r.flag for r in found}


def is_shown(change, case):
    """Whether the case alone shows the bug: something is told that is not told without it.

    Of a small case of the right SVM it is a name of the bug, or that there is none.
    """
    if change.code == SVM and change.flags and case not in names_of("sizes"):
        return bool(flags_said(changed(change), case) & {*change.flags, *FACTS, "StoppedEarly"})
    told, known = (
        {(r.check, r.flag, r.reason) for r in failures(subject, [case])}
        for subject in (changed(change), unchanged(change.code))
    )
    return told != known


def flags_in(change, case):
    """The flags that the audit gives to what the bug adds or changes, in this case alone."""
    known = known_failures(change.code, [case]) if change.code != SVM else {}
    found = failures(changed(change), [case])
    return {r.flag for r in found if known.get((r.case, r.check), r.result) != r.flag}


def verdict_on(change, search=False, names=None):
    """What the audit says of a bug: of the usual cases, or those with these names, and its own."""
    names, witness = names or usual_cases(change.code), CASES.get(change.name)
    own = [witness] if witness is not None else []
    known = known_failures(change.code, names) | known_failures(change.code, own)
    records = failures(changed(change), [*names, *own], change.code)
    new = [r for r in records if known.get((r.case, r.check), r.result) != r.flag]
    cause = cause_of(records)
    causes = [cause.flag, *(other.flag for other in cause.others)] if cause else []
    by_name = sorted(new, key=lambda r: r.flag not in change.flags)
    cases = list(dict.fromkeys(r.case for r in by_name))
    if search and not (witness and is_shown(change, witness)):
        witness = next((case for case in cases[:MOST_TRIED] if is_shown(change, case)), None)
    return Verdict(cases, causes, witness)


def is_right(change, verdict):
    """Whether the verdict has the right name: first, or behind the faults of the code itself."""
    said = verdict.causes[:1] if change.code.files in RIGHT_CODES else verdict.causes
    return bool(set(said) & set(change.flags))


# ---- the command


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("words", nargs="*", help="stages, codes, or parts of names; none: all")
    parser.add_argument("--write", action="store_true", help="look for cases, and write them down")
    parser.add_argument("--stages", action="store_true", help="write the table of the spec")
    parser.add_argument("--free", action="store_true", help="ask the changes that are no bugs")
    parser.add_argument("--machines", action="store_true", help="those of the other machines")
    parser.add_argument("--names", nargs="+", metavar="PATTERN", help="ask these cases only")
    parser.add_argument("--every", type=int, default=1, help="one in so many bugs")
    parser.add_argument("--from", type=int, default=0, dest="first", help="beginning with which")
    parser.add_argument("--processes", type=int, help="default: one a processor")
    given = parser.parse_args(words)
    if given.stages:
        write_stages()
        return 0
    every = FREEDOM if given.free else MACHINE_BUGS if given.machines else PLANTED
    changes = [c for c in every if is_meant(c, given.words)][given.first :: given.every]
    if given.free:
        return int(any([*ask_free(changes, given.names, given.processes)]))
    verdicts = ask(changes, given.write, given.names, given.processes)
    if given.write:
        write_cases(verdicts)
    print(*table_of(verdicts), sep="\n")
    return 0 if all(verdict.cases for verdict in verdicts.values()) else 1


def is_meant(change, words):
    known = (change.stage, change.code.files[-1])
    return not words or any(word in known or word in change.name for word in words)


def ask(changes, search, names, processes):
    """{change: its verdict}; what is missed or has another name is printed at once."""
    verdicts = {}
    for code in {change.code for change in changes}:
        known_failures(code, names or usual_cases(code))  # before there are processes that need it
    with ProcessPoolExecutor(processes) as pool:
        found = pool.map(partial(verdict_on, search=search, names=names), changes)
        for change, verdict in zip(changes, found):
            verdicts[change] = verdict
            if not verdict.cases:
                print(f"{change.stage}: missed: {change.name}", flush=True)
            elif change.flags and not is_right(change, verdict):
                said = ", ".join(verdict.causes[:4])
                print(f"{change.stage}: {change.name}: {said} ({len(verdict.cases)} cases),"
                      f" not {' or '.join(change.flags)}", flush=True)
    return verdicts


def ask_free(changes, names, processes):
    """What fails of each change that is no bug; it is printed at once."""
    known_failures(SVM, names or usual_cases())
    with ProcessPoolExecutor(processes) as pool:
        for change, wrong in zip(changes, pool.map(partial(accused, names=names), changes)):
            print(f"{len(wrong)} failures: {change.name}", *wrong[:5], sep="\n    ", flush=True)
            yield wrong


def accused(change, names=None):
    """The failures of a change that is no bug, as sentences."""
    return [f"{r.case} {r.check}: {r.reason}" for r in failures(changed(change), names, SVM)]


def table_of(verdicts):
    """The lines of a table: of each stage how many bugs are seen, and how many rightly named."""
    yield f"{'stage':<14}{'bugs':>6}{'seen':>6}{'named':>7}{'of':>5}"
    for stage in [*dict.fromkeys(change.stage for change in verdicts), "all"]:
        some = {c: v for c, v in verdicts.items() if stage in (c.stage, "all")}
        if some:
            seen = sum(bool(v.cases) for v in some.values())
            with_name = [c for c in some if c.flags]
            right = sum(is_right(c, some[c]) for c in with_name)
            yield f"{stage:<14}{len(some):>6}{seen:>6}{right:>7}{len(with_name):>5}"


def write_cases(verdicts):
    """Write the cases that show the bugs."""
    names = {change.name for change in PLANTED + FREEDOM}
    known = {name: case for name, case in CASES.items() if name in names}
    known.update({c.name: v.witness for c, v in verdicts.items() if v.witness})
    text = json.dumps(dict(sorted(known.items())), indent=0)
    (FOLDER / "cases.json").write_text(text + "\n", encoding="utf-8")


def stage_table():
    """The table of the spec: of each stage how many bugs are planted, and cases that show them."""
    lines = [HEADER, "|---|---|---|---|\n"]
    for stage in STAGES:
        some = [change for change in PLANTED if change.stage == stage]
        others = sum(change.code != SVM for change in some)
        cases = Counter(CASES[change.name] for change in some if change.name in CASES)
        shown = "; ".join(case for case, _ in cases.most_common(4))
        lines.append(f"| {stage:<14} | {len(some):>4} | {others:>3} | {shown} |\n")
    return "".join(lines)


def write_stages():
    """Write the table into the spec, in the place of the one that is there."""
    before, _, after = SPEC.read_text(encoding="utf-8").partition(HEADER)
    rest = after[after.index("\n\n") + 1:]
    SPEC.write_text(before + stage_table() + rest, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
