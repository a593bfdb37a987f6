"""Break the rules of the standard one by one: does a vector notice?

    python3 -m tests --python tests/breaking_rules.py             every rule
    python3 -m tests --python tests/breaking_rules.py S3.5 S4     those of these sections
    python3 -m tests --python tests/breaking_rules.py --write     writes tests/rules/noticed.json

tests/rules/ has for each rule a small patch of refsvm that breaks it. Each is put in place in a
fork, which answers what the vectors ask (in doubles: what another implementation sees) until an
answer is another one, an error, or does not come. What no vector notices is printed, and the exit
status is 1. What breaks a rule and cannot be seen stands in tests/rules/equivalent.json, with the
proof; what might be seen, and was not yet, in unseen.json, with what was tried. noticed.json has
for each other rule the first vector that notices it: the quick tests ask that one.

A file of rules has blocks:

    S3.5.2 the last of equal partners                what is broken, after section and point
    solvers/pair_ascent.py PairAscent.partner        where
    -                 if gain > best:                lines that stand there once,
    +                 if gain >= best:               and what stands there instead
"""

import ast
import json
import os
import resource
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from refsvm.conformance.bits.conforming import questions  # noqa: E402
from refsvm.conformance.bits.digests import digests_of  # noqa: E402
from refsvm.conformance.bits.functions import answer_to, functions_of  # noqa: E402
from refsvm.conformance.cases.number_json import hexadecimal  # noqa: E402
from tests.forked import put_in_place  # noqa: E402
from tests.mutants import ROOT, Mutant  # noqa: E402

FOLDER = ROOT / "tests" / "rules"
SECONDS = 30  # of work, after which a fork counts as one that does not end
MEMORY = 4 << 30


class Rule(NamedTuple):
    """A rule of the standard, and how it is broken: in a function, old lines become new ones."""

    section: str  # with the point
    what: str
    file: str
    function: str
    patches: tuple  # of (old, new)

    def __str__(self):
        return f"{self.section} {self.what}"


@cache
def rules():
    """Every Rule, in the order of the files."""
    return [rule_of(block) for path in sorted(FOLDER.glob("*.txt"))
            for block in path.read_text(encoding="utf-8").strip().split("\n\n")]


def rule_of(block):
    """The Rule of a block of a file."""
    head, where, *lines = block.split("\n")
    patches, sign = [], "+"
    for line in lines:
        if line[0] == "-" and sign == "+":
            patches.append(([], []))
        sign = line[0]
        patches[-1]["-+".index(sign)].append(line[2:])
    joined = tuple(tuple("\n".join(part) for part in patch) for patch in patches)
    return Rule(*head.split(" ", 1), *where.split(" "), joined)


def mutant_of(rule):
    """The Mutant whose module has the rule broken."""
    path = ROOT / "refsvm" / rule.file
    source = path.read_text(encoding="utf-8")
    begin, end = extent(source, rule.function)
    lines = source.split("\n")
    body = "\n".join(["", *lines[begin:end], ""])
    for old, new in rule.patches:
        if body.count(f"\n{old}\n") != 1:
            raise ValueError(f"{rule}: {old!r} does not stand once in {rule.function}")
        body = body.replace(f"\n{old}\n", f"\n{new}\n")
    text = "\n".join(lines[:begin]) + body + "\n".join(lines[end:])
    return Mutant(path, rule.function, begin, rule.what, text)


def extent(source, function):
    """The first line of a function in a source, counted from 0, and the line after its last."""
    node = ast.parse(source)
    for name in function.split("."):
        node = next(child for child in node.body if getattr(child, "name", None) == name)
    return node.lineno - 1, node.end_lineno


@cache
def asked():
    """All that the vectors ask of functions for their bits: BitQuestions, digests at the end."""
    return [question for question in questions() if question.type in functions_of()]


def is_right(place):
    """Whether refsvm answers a vector with every bit as it is stated."""
    question = asked()[place]
    answer = hexadecimal(answer_to(question.type, question.given))
    return (digests_of(answer) if question.by_digest else answer) == question.right


def noticed_by(rule, places=None):
    """The place of the first vector whose answer changes where the rule is broken; None if none.

    places: of these alone
    """
    mutant, places = mutant_of(rule), places or range(len(asked()))
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(reading)
        try:
            first_change(mutant, places, writing)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading) as told:
        words = told.read().split()
    _, status = os.waitpid(pid, 0)
    if words and words[-1] == "none":
        return None
    return int(words[-1]) if words else -1  # what cannot even be put in place


def first_change(mutant, places, writing):
    """Tell each place before it is asked; after the last, that none changed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS,) * 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY,) * 2)
    put_in_place(mutant)
    for place in places:
        os.write(writing, b"%d " % place)
        if not is_right(place):
            return
    os.write(writing, b"none")


def listed(name):
    """What one of the lists says of rules: equivalent, unseen or noticed."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def main():
    sections = tuple(word for word in sys.argv[1:] if word != "--write")
    chosen = [rule for rule in rules() if not sections or rule.section.startswith(sections)]
    known, noticed, wrong = {**listed("equivalent"), **listed("unseen")}, {}, 0
    for rule in chosen:
        place = noticed_by(rule)
        if place is not None:
            noticed[str(rule)] = asked()[place].id if place >= 0 else ""
        if (place is None) != (str(rule) in known):
            wrong += 1
            print(f"{'silent' if place is None else 'noticed, though listed'}: {rule}", flush=True)
    if "--write" in sys.argv:
        text = json.dumps(noticed, indent=1, ensure_ascii=False) + "\n"
        (FOLDER / "noticed.json").write_text(text, encoding="utf-8")
    print(f"{len(noticed)} of {len(chosen)} broken rules are noticed by a vector")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
