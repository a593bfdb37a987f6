"""What an exercise is, and the file that a student begins with.

    head         the function to write, as in "hinge(m)"
    task         what it is to return; a text, as Python without docstrings needs it, too
    arguments    what it is called with: numbers are Fractions, labels the ints +1 and -1
    answer       the right function; where several answers are right, one of them
    judge        tells what is wrong with an answer, or None; where several answers are right
    check        judges whoever answers and the file as a whole, in the place of all that

Every student is asked with the same arguments, in the same order.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from ..numerics.picks import splitmix64
from .calls import Answering

Arguments = tuple[Any, ...]
DRAWN_SIZES, DRAWS_OF_SIZE = range(1, 7), 12  # of the numbers drawn; how often each
TRIAL_SEED = 1
EXACT_NOTE = "Numbers are Fractions and labels are +1 and -1: with + - * / every answer is exact."
MISSING_BODY = "its body is still missing"


class Assessment(NamedTuple):
    """What is said of a student's function."""

    right: bool
    sentence: str
    shown: list[tuple[str, str]] = []  # (name, value): the smallest failure
    answered: bool = True  # no: its process was late, ended, or wrote something else


class Exercise(NamedTuple):
    """A function to write, and what is known of its right values."""

    head: str
    task: str
    chapter: str
    draw: Callable[[Iterator[int], int], Arguments]  # by bits and the size of the numbers
    answer: Callable[..., Any]
    judge: Callable[..., str | None] | None = None  # of the arguments, and what was answered
    cases: tuple[Arguments, ...] = ()  # arguments that are always tried
    note: str = ""  # the statement of the notes whose question it is
    check: Callable[[Answering, str], Assessment] | None = None  # in the place of trials
    seconds: float = 2.0  # for each answer

    @property
    def name(self) -> str:
        """Return the name of the function to write."""
        return self.head.partition("(")[0]

    @property
    def parameters(self) -> list[str]:
        """Return the names of its arguments, in order."""
        return self.head.rstrip(")").partition("(")[2].split(", ")

    def trials(self) -> list[Arguments]:
        """Return the arguments to try, the shortest first: cases, and draws by one generator."""
        bits = splitmix64(TRIAL_SEED)
        drawn = [self.draw(bits, size) for size in DRAWN_SIZES for _ in range(DRAWS_OF_SIZE)]
        unique = {text_of(arguments): arguments for arguments in [*self.cases, *drawn]}
        return [unique[text] for text in sorted(unique, key=lambda text: (len(text), text))]

    def summary(self) -> str:
        """Return the first sentence of the task."""
        return self.task.partition("\n")[0]

    def file_text(self, program: str) -> str:
        """Return the file that a student begins with.

        program : the command line that runs refsvm, as the student calls it
        """
        head = [f'"""Exercise {self.name}, for the chapter "{self.chapter}".\n']
        if self.note:
            head.append(f"It is a question of the lecture notes ({self.note}).\n")
        head.append(f"Write the body, then run:  {program} exercise {self.name} FILE\n")
        if not self.check:
            head.append(EXACT_NOTE)
        return "\n".join(head) + '"""\n\n\n' + self.function_text()

    def function_text(self) -> str:
        """Return the function without its body: its task, and what raises NotImplementedError."""
        lines = inspect.cleandoc(self.task).splitlines()
        task = "\n".join(f"    {line}".rstrip() for line in lines).strip()
        end = "\n    " if "\n" in task else ""
        return f'def {self.head}:\n    """{task}{end}"""\n    raise NotImplementedError\n'


def text_of(value: object) -> str:
    """Return a value as a student would write it, fractions as 3/8.

    >>> text_of(([Fraction(3, 8), Fraction(2)], -1, True, None))
    '([3/8, 2], -1, True, None)'
    """
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(text_of, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    return repr(value)
