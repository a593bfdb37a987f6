"""Case: a problem whose optimum is known; what every subject is asked, and judged by."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...numerics.display import displayed
from ...numerics.types import Number
from ...proofs.verification import Optimum
from ...svm.problem import Problem

Document = dict[str, Any]  # an object of JSON


@displayed
class Query(NamedTuple):
    """A row to decide.

    Parameters
    ----------
    x : the row
    s : its score, without the offset
    f_low, f_high : between these its decision value lies, at every optimum
    label : +1, -1, or None
        None where 0 lies from f_low to f_high: then either label is right

    Examples
    --------
    >>> from refsvm.conformance.cases import cases
    >>> query = cases()[0].queries[0]
    >>> query.f_low <= query.f_high
    True
    """

    x: Any
    s: Number | None
    f_low: Number | None
    f_high: Number | None
    label: int | None


@displayed
class Case(NamedTuple):
    """A problem, what it is for, and the truth about it.

    Parameters
    ----------
    name, comment : str
    flags : names of bugs
        those it is aimed at, then those it can show: keys of flags.FLAGS
    result : str
        "valid", "reject" (there is no right answer) or "acceptable" (a program may refuse, but if
        it answers, then rightly)
    given : dict
        the arguments as they are given to a program: X, y, C, kernel, bias, slack. Those of the
        problem, but that C is 0 for an example that does not count; to be rejected, whatever it
        is, and then the kernel is a document
    problem : Problem or None
        what is to be solved, without the examples of weight 0: on Fractions, or on floats if its
        kernel has no exact values; None where there is no right answer
    optimum : Optimum or None
        of the problem; its farkas says why there is none, if there is none. A case of the file
        "sizes" states its numbers as doubles, the objective as an interval, and no alpha
    queries : list of Query
    scores : s of each example
    """

    name: str
    comment: str
    flags: tuple[str, ...]
    result: str
    given: Document
    problem: Problem | None
    optimum: Optimum | None
    queries: list[Query]
    scores: list[Any]
