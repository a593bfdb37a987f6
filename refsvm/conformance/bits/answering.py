"""Answer questions with refsvm's own functions: python3 -m refsvm.conformance.bits.answering

A line of JSON for each question, and one for each answer (spec/standard/vectors.md). With the name
of a package that has the names of refsvm, or its folder, its functions answer: refsvm_fast.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator

from ...files import write_whole
from .functions import ORACLE, answer_to, functions_of


def answers(lines: Iterable[str], package: str = ORACLE) -> Iterator[str]:
    """Yield the line that answers each line.

    >>> print(*answers(['{"id": "2", "type": "power", "given": {"b": "0x3p-1", "n": 2}}']))
    {"id": "2", "value": "0x1.2000000000000p+1"}
    >>> print(*answers(['{"id": "4", "type": "sinh", "given": {}}']))
    {"id": "4", "unsupported": "sinh"}
    """
    for line in lines:
        asked = json.loads(line)
        kind = asked["type"]
        if kind == "offers":
            answer = {"offers": list(functions_of(package))}
        elif kind not in functions_of(package):
            answer = {"unsupported": kind}
        else:
            answer = answer_to(kind, asked["given"], package)
        yield json.dumps({"id": asked["id"], **answer})


if __name__ == "__main__":
    for answered in answers(sys.stdin, *map(os.path.basename, sys.argv[1:])):
        write_whole(sys.stdout, answered + "\n")
