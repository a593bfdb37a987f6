"""Bugs planted into small codes, one change of text each; and changes that are no bugs.

    python tests/planted.py                every bug: does the whole audit see it, and name it?
    python tests/planted.py votes cs229    of these stages, codes, or names that hold these words
    python tests/planted.py --write        cases that show the bugs are looked for and written down

The codes are in planted_codes/: a right SVM, and some as people write them, with faults of their
own. The bugs are in planted_bugs/, by the stage of an SVM that they are in. To add a bug is two
lines: what is wrong, with the flags that name it rightly; then the text that is there once, and
the text instead. `--write` adds to planted_bugs/cases.json a case that shows it, so that the quick
tests ask this one alone. Many of the bugs were met in programs in use; the numbers in brackets are
of the corpus that they were collected in.

A bug is seen if something fails that does not fail without it; one that is only asked less is not
seen. It is named if the verdict over the whole audit, or what the verdict says of the rest, is
one of its flags.
"""

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from planted_bugs.changes import FREEDOM, PLANTED, SVM, changed, unchanged  # noqa: E402

from refsvm.conformance.audit import audit  # noqa: E402
from refsvm.conformance.causes import cause_of  # noqa: E402

FOLDER = Path(__file__).parent / "planted_bugs"
FILES = ["rows", "problem", "kernel", "cache", "working_set", "step", "stop", "offset", "decision"]
FILES += ["votes", "labels", "state", "freedom"]
for name in FILES:
    import_module(f"planted_bugs.{name}")

STAGES = list(dict.fromkeys(change.stage for change in PLANTED))
# {name: a case that shows it}
CASES = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))
# Kernel values up to 10^21: SMO on doubles says that it has not finished, which is the truth.
EXPECTED = {"degree seven": "doubles do not suffice"}
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


def failures(subject, names=None):
    """The records of failure: of all the cases, or of those with these names."""
    records = audit(subject, isolate=False, expected=EXPECTED, names=names)
    return [record for record in records if record.result == "fail"]


@cache
def known_failures(code, case=None):
    """{(case, check): flag} of a code without a bug."""
    found = failures(unchanged(code), None if case is None else [case])
    return {(record.case, record.check): record.flag for record in found}


def new_failures(change, case=None):
    """The records of failure that the bug adds or changes: in all cases, or in one alone."""
    known = known_failures(change.code, case) if change.code != SVM else {}
    found = failures(changed(change), None if case is None else [case])
    return [r for r in found if known.get((r.case, r.check), r.result) != r.flag]


def flags_in(change, case):
    """The flags that the audit gives, in this case alone, to what the bug adds."""
    return {record.flag for record in new_failures(change, case)}


def is_shown(change, case):
    """Whether the case alone shows the bug, and names it if that has to be."""
    found = flags_in(change, case)
    return bool(found & set(change.flags) if change.code == SVM and change.flags else found)


def verdict_on(change, search=False):
    """What the whole audit says of a bug."""
    records = failures(changed(change))
    known = known_failures(change.code) if change.code != SVM else {}
    new = [r for r in records if known.get((r.case, r.check), r.result) != r.flag]
    cause = cause_of(records)
    causes = [cause.flag, *(other.flag for other in cause.others)] if cause else []
    by_name = sorted(new, key=lambda r: r.flag not in change.flags)
    cases = list(dict.fromkeys(r.case for r in by_name))
    witness = CASES.get(change.name)
    if search and not (witness and is_shown(change, witness)):
        witness = next((case for case in cases[:MOST_TRIED] if is_shown(change, case)), None)
    return Verdict(cases, causes, witness)


def is_right(change, verdict):
    """Whether the verdict has the right name: first, or behind the faults of the code itself."""
    said = verdict.causes[:1] if change.code == SVM else verdict.causes
    return bool(set(said) & set(change.flags))


# ---- the command


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("words", nargs="*", help="stages, codes, or parts of names; none: all")
    parser.add_argument("--write", action="store_true", help="look for cases, and write them down")
    parser.add_argument("--every", type=int, default=1, help="one in so many bugs")
    parser.add_argument("--processes", type=int, help="default: one a processor")
    given = parser.parse_args(words)
    changes = [change for change in PLANTED if is_meant(change, given.words)][:: given.every]
    verdicts = ask(changes, given.write, given.processes)
    if given.write:
        write_cases(verdicts)
    print(*table_of(verdicts), sep="\n")
    return 0 if all(verdict.cases for verdict in verdicts.values()) else 1


def is_meant(change, words):
    known = (change.stage, change.code.files[-1])
    return not words or any(word in known or word in change.name for word in words)


def ask(changes, search, processes):
    """{change: its verdict}; what is missed or has another name is printed at once."""
    verdicts = {}
    with ProcessPoolExecutor(processes) as pool:
        found = pool.map(verdict_on, changes, [search] * len(changes))
        for change, verdict in zip(changes, found):
            verdicts[change] = verdict
            if not verdict.cases:
                print(f"{change.stage}: missed: {change.name}", flush=True)
            elif change.flags and not is_right(change, verdict):
                said = ", ".join(verdict.causes[:4])
                print(f"{change.stage}: {change.name}: {said} ({len(verdict.cases)} cases),"
                      f" not {' or '.join(change.flags)}", flush=True)
    return verdicts


def table_of(verdicts):
    """The lines of a table: of each stage how many bugs are seen, and how many rightly named."""
    yield f"{'stage':<14}{'bugs':>6}{'seen':>6}{'named':>7}{'of':>5}"
    for stage in [*STAGES, "all"]:
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


if __name__ == "__main__":
    sys.exit(main())
