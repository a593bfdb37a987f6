"""What late answers have in common, in words: so that a hang can be found by its cases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .auditor import DEADLINE
from .cases import case_named, shipped
from .coverage import coverage_of
from .lateness import PROBLEMS, Traits, traits_of
from .records import Record
from .shared_traits import shared

LATE = re.compile("too late|in time")  # in the reason why a case was given up
MOST_SORTS = 3


def late_sentence(records: Sequence[Record], deadline: float) -> str | None:
    """Return how many answers came late, what their cases share, and what was given up.

    None if no answer came late.
    """
    late = dict.fromkeys(record.case for record in records if record.flag == "Hang")
    if not late:
        return None
    not_asked = coverage_of(records).not_asked.items()
    given_up = [name for why, names in not_asked if LATE.search(why) for name in names]
    asked = {r.case for r in records} - set(given_up) - set(late)
    known = shipped()
    of_late, of_others = (
        [traits_of(case_named(known[name], name)) for name in names if name in known]
        for names in (late, asked)  # policies are no cases of a file
    )
    shared = "; ".join(_shared_in_words(of_late, of_others))
    default = ", the default of --deadline" if deadline == DEADLINE else ""
    count = "1 case" if len(late) == 1 else f"{len(late)} cases"
    left = f" For these, {len(given_up)} more were not asked." if given_up else ""
    about = f": {shared}" if shared and len(late) > 1 else ""
    after = f"after {deadline:g} s{default}, or ten times what others of the size took"
    return f"Late ({after}): {count}{about}.{left}"


def _shared_in_words(late: list[Traits], others: list[Traits]) -> Iterable[str]:
    """Yield what all late cases have and few others; or that of each sort of them.

    Questions to estimators and invalid inputs hold several problems, or none.
    """
    problems = [t for t in late if t.sort in PROBLEMS]
    every = "all" if len(problems) in (0, len(late)) else "all problems among them"
    if problems:
        late, others = problems, [t for t in others if t.sort in PROBLEMS]
    found = shared(late, others)[0] if late else []
    if found or not late:
        yield from [f"{every} {' and '.join(found)}"] if found else []
        return
    sorts = sorted({t.sort for t in late}, key=lambda sort: -_count_of(late, sort))
    for sort in sorts[:MOST_SORTS] if len(sorts) > 1 else []:
        here = [t for t in late if t.sort == sort]
        words, _ = shared(here, others)
        if words:
            yield f"{len(here)} {' and '.join(words)}"


def _count_of(traits: list[Traits], sort: str) -> int:
    """Return how many are of a sort."""
    return len([t for t in traits if t.sort == sort])
