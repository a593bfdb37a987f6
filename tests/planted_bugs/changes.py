"""What a planted bug is: one change of text in one of the small codes in planted_codes/."""

import re
import sys
from functools import cache
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from planted_bugs.remembered import remember

CODES = Path(__file__).resolve().parent.parent / "planted_codes"
AMONG_THEM = re.compile(r"^from planted_codes\.\w+ import (\([^)]*\)|.*)\n", re.MULTILINE)


class Code(NamedTuple):
    """A small code: its files are read one after the other, as if they were one.

    subject is the name of what is audited in it.
    """

    files: tuple
    subject: str


class Change(NamedTuple):
    """One change of text in a code; any of the flags names the bug rightly, none: it has no name.

    stage: where in an SVM it is; None: it is no bug, but what programs are free to do.
    """

    code: Code
    stage: str
    name: str
    flags: tuple
    old: str
    new: str


SVM = Code(("kernels", "solver", "svm"), "Machine")
PAIRS = Code(("pairs",), "PairsOfClasses")
CS229, QUADRATIC, COLUMN, PEGASOS, LEARNER = (
    Code((name,), "train") for name in ("cs229", "quadratic", "column", "pegasos", "learner")
)
PLANTED, FREEDOM = [], []
NUMBERS = count()


def bugs_of(stage, code=SVM):
    """The function that plants a bug into this stage of a code."""

    def bug(name, flags, old, new):
        there = "" if code == SVM else f"{code.files[0]}: "
        PLANTED.append(Change(code, stage, there + name, tuple(flags.split()), old, new))

    return bug


def bugs_in(code):
    """The function that plants a bug into a stage of a code."""
    return lambda stage, *bug: bugs_of(stage, code)(*bug)


def free(name, old, new):
    FREEDOM.append(Change(SVM, None, name, (), old, new))


@cache
def source_of(code):
    """The text of a code."""
    texts = [(CODES / f"{name}.py").read_text(encoding="utf-8") for name in code.files]
    return "".join(AMONG_THEM.sub("", text) for text in texts)


def subject_of(code, name, old="", new="", stage=None):
    """What is audited of a code, with one text in the place of another, which is there once."""
    text = source_of(code)
    if old:
        assert text.count(old) == 1, f"{name}: {text.count(old)} places"
        text = text.replace(old, new)
    module = ModuleType(f"planted_change_{next(NUMBERS)}")
    sys.modules[module.__name__] = module  # pickle looks there
    exec(compile(text, name, "exec"), vars(module))
    if code == SVM and stage not in ("cache", "state") and "globals()" not in new:
        remember(module, text, source_of(code))
    return getattr(module, code.subject)


def changed(change):
    """The subject with the change; AssertionError unless its text is there once."""
    return subject_of(change.code, change.name, change.old, change.new, change.stage)


@cache
def unchanged(code):
    """The subject without any change."""
    return subject_of(code, code.files[-1])
