"""What preparations are learnt from, and what they are to prepare: tables of fields, as in a file.

A field is a text, or None for one that is not there. They are chosen for what programs do unlike
each other: sums that cancel, deviations beyond the doubles when squared, what counts as a gap or a
number, days before 1970, the order of texts beyond the first 65536 characters, and what is left
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .function_runs import Run

Fields = Sequence[Any]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _run(
    name: str, comment: str, columns: dict[str, Fields], new: Sequence[Fields], **more: Any
) -> Run:
    """Return the run of a table, given by its columns, which prepares its own rows and new ones.

    more    keep, drop, texts; `part`, the rows that a fold is trained on
    """
    rows = list(map(list, zip(*columns.values())))
    given = {"names": list(columns), "rows": rows, "new": list(map(list, new)), **more}
    return Run(name, "refitted" if "part" in more else "preparation", comment, given)


def _refused(name: str, comment: str, names: Fields, rows: Sequence[Fields]) -> Run:
    """Return the run of a table that must be refused."""
    return Run(name, "refusal", comment, {"names": list(names), "rows": list(map(list, rows))})


def _runs_of_numbers() -> Iterator[Run]:
    """Yield columns of numbers, each called x, and prepared in a few rows beside the mean."""
    for name, comment, fields in (
        ("three numbers", "the mean and deviation of whole numbers", ["1", "2", "4"]),
        ("tenths", "sums of what no double is", ["0.1", "0.2", "0.3", "0.7"]),
        ("numbers that cancel", "a sum from left to right is 0", ["1e16", "1", "-1e16"]),
        ("a sum halfway", "a sum that is rounded, then divided, is rounded twice",
         ["9007199254740993", "9007199254740995", "9007199254740996"]),
        ("large numbers", "their squares are no doubles", ["4e307", "-4e307", "1e307"]),
        ("near one another", "the square of the mean hides the deviation",
         ["100000000.1", "100000000.2", "100000000.4"]),
        ("spellings", "all of them numbers", ["+5", ".5", "5.", "1E3", "-0", "007"]),
        ("numbers with gaps", "each field but two is a gap",
         ["3", "", "?", "NA", "n/a", "#N/A", "NaN", "null", None, " na ", "8"]),
    ):  # fmt: skip
        yield _run(name, comment, {"x": fields}, [["2.5"], [None]])
    fields = ["5e-324", "0", "1.5e-323"]
    yield _run("subnormal numbers", "their squares are 0", {"x": fields}, [["1e-323"], [None]])
    words = ["1_000", "0x10", "inf", "nil"]
    yield _run("no numbers", "not finite decimals, and so texts", {"x": words * 2}, [["16"]])


def _runs_of_days() -> Iterator[Run]:
    """Yield columns of dates, and of what looks like them."""
    days = ["1969-12-31", "1970-01-01", "2000-02-29", "1900/03/01", None, "0001-01-01"]
    yield _run("dates", "days from 1970-01-01, in both spellings", {"day": days}, [["2024-02-29"]])
    for name, last in (("1900 had no such day", "1900-02-29"), ("two signs", "2000-01/02")):
        fields = ["2000-01-01", last] * 2
        yield _run(f"no dates: {name}", "a column of texts", {"day": fields}, [["2000-01-01"]])


def _runs_of_texts() -> Iterator[Run]:
    """Yield columns of texts."""
    yield _run(
        "texts and gaps", "values by code point; blanks at the ends, and between, are one",
        {"sex": ["male", "female", None, " male ", "Male", "of  both"]},
        [["other"], [None], ["of both"], ["?"]])  # fmt: skip
    signs = ["Z", "a", "\u00e9", "e\u0301", "\uff21", "\U0001d538", "B"]
    yield _run("code points", "U+FF21 stands before U+1D538: not so in UTF-16",
               {"sign": signs * 2}, [["e\u0301"]])  # fmt: skip
    numbers = ["2.50", "2.5", "02", "low", "low", "2.5"]
    yield _run("numbers among texts", "each as it is written", {"x": numbers * 2}, [["2.50"]])
    fifty = [first + second for first in LETTERS[:5] for second in LETTERS[:10]]
    size = [str(k * k) for k in range(52)]
    for count, comment in ((50, "as many as become columns"), (51, "one too many: left out")):
        fields = ["aa", *fifty, "more"][: count + 1]
        yield _run(f"{count} texts", comment, {"text": fields, "size": size[: count + 1]},
                   [["ba", None]])  # fmt: skip


def _runs_of_columns() -> Iterator[Run]:
    """Yield tables of which columns are left out, kept, dropped, or read as texts."""
    table: dict[str, Fields] = {
        "row": list(map(str, range(7, 17))),
        "Patient_ID": [str(k * k * 3) for k in range(10)],
        "code": [first + "0" for first in LETTERS[:10]],
        "same": ["1"] * 9 + [None],
        "gaps": [None, "NA", "?", "", "nan"] * 2,
        "race": ["1", "2", "3", "2", "1"] * 2,
        "weight": ["61.5", None, "70", "84.25", "59"] * 2,
    }
    new = [["20", "5", "z0", "2", "3", "4", "60"]]
    yield _run("what says nothing", "left out: five columns", table, new)
    yield _run("kept", "columns that tell rows apart", table, new, keep=["row", "Patient_ID"])
    yield _run("dropped and as texts", "by name, or by number from 1", table, new,
               drop=["weight"], texts=["race", 1])  # fmt: skip
    yield _run("a few rows", "nine rows are too few to be said to count them",
               {"row": list("123456789"), "id": list("192837465")}, [["0", "0"]])  # fmt: skip
    table = {"species": ["A", "B", "A", "C"], "mass": ["3750", None, "3800", "3250"],
             "day": ["2007-11-11", "2007-11-12", "2007-11-11", None]}  # fmt: skip
    new = [["B", "3800", None], ["D", None, "2007-11-13"]]
    yield _run("a fold", "the kinds of all rows, the numbers of two; a column is constant there",
               table, new, part=[0, 2])  # fmt: skip
    yield _run("a fold of gaps", "no mass is known", table, new, part=[1])


def _runs_of_other_numbers() -> Iterator[Run]:
    """Yield columns of numbers that are no plain decimals, each called x."""
    for name, comment, fields, new in (
        ("minus signs", "by each sign, before, behind and around",
         ["\u22125.5", "\u20131", "\uff0d2", "(3)", "4.0-", "-6", "+7", "- 8"],
         ["(9)", "9-", "\uff0b9"]),
        ("digits of others", "of full width, of Arabic and of Persian",
         ["\uff11\uff12\uff0e\uff15", "\u0663\u066b\u0664", "\u06f7"], ["\uff10"]),
        ("exponents", "those of Fortran", ["5.10D+00", "1d-3", "2.5d1", "3E2"], ["1d+0"]),
        ("decimal commas", "points part thousands", ["1.234,5", "0,500", "12.000", "7"],
         ["1.000", "1,000"]),
        ("commas of thousands", "two, or a point, tell it",
         ["1,234,567", "1,000", "999", "1,234.5"], ["2,000", "12,34,567", "5.5"]),
        ("points of thousands", "more than one", ["1.234.567", "1.000", "999"], ["2.000", "0,5"]),
        ("blanks and apostrophes", "between threes", ["1 234 567", "1'234.5", "1\u2019000"],
         ["1\u00a0234"]),
        ("a unit", "with a blank or without", ["5.10 kg", "12kg", "(3.5 kg)"], ["7 kg", "7kg"]),
        ("per cent", "a unit", [f"{k * 7 / 10}%" for k in range(20)], ["16 %"]),
        ("money", "before or behind, and signs", ["$5", "-$7", "$-1,000.5", "3 $"], ["($2)"]),
        ("a unit of two words", "kg/m2 and no 5 e3", ["5 kg/m2", "7 kg/m2"], ["8 kg/m2"]),
    ):  # fmt: skip
        yield _run(name, comment, {"x": fields}, [[field] for field in [*new, None]])
    for name, comment, fields in (
        ("ordinals", "several units: texts", ["1st", "2nd", "3rd", "1st"] * 3),
        ("marks between digits", "no numbers", ["1.2.2020", "10:30", "1/2", "01 234"] * 3),
        ("few limits", "as those who were asked wrote them", ["0", "1", "2", "3+"] * 3),
        ("codes", "D without a sign or a point", ["12D4", "7D1", "0x10"] * 3),
        ("four units", "codes", ["9", "41B", "41C", "51D", "61E", "41B", "61E", "51D"]),
    ):
        yield _run(name, comment, {"x": fields}, [["1st"], ["5"]])
    for name, comment, called in (
        ("names of the rows", "in a first column without a name", ["85", "86", "88"]),
        ("odd names of rows", "which none must read", ["a1", "7", "<8"]),
    ):
        yield _run(name, comment, {"": called, "x": ["1,5", "2", "4"]}, [["85", "3,5"]])
    yield _run("a fold of commas", "the marks are those of all rows",
               {"x": ["1,5 kg", "2 kg", "3 kg"]}, [["1,5 kg"]], part=[1, 2])  # fmt: skip


def _refused_runs() -> Iterator[Run]:
    """Yield tables that must be refused."""
    twenty = [str(k * 7) for k in range(20)]
    below = [["<5" if k % 4 == 0 else twenty[k]] for k in range(20)]
    yield _refused("below a limit", "most are numbers, and <5 tells none", ["x"], below)
    for name, comment, fields in (
        ("one comma", "1500 or 1.5", ["1,500", "12"]),
        ("two decimal marks", "1,5 and 2.5", ["1,5", "2.5"]),
        ("brackets around all", "standard errors are written so", ["(0.5)", "(1.5)"]),
        ("school marks", "a minus behind whole numbers", ["2-", "1", "2"]),
        ("two units", "many numbers", ["5 kg", "300 g", "7 kg"]),
        ("three units", "no codes", ["9", "41B", "41C", "51D", "61D", "41D", "61B", "51B"]),
        ("eleven numbers and a word", "none is a code", [*map(str, range(11)), "much"] * 2),
        ("a name of no row", "two are alike", ["1.5", "1.5", "2.5"]),
    ):
        called = "" if name == "a name of no row" else "x"
        yield _refused(name, comment, [called], [[field] for field in fields])
    yield _refused("beyond 2^1022", "a difference may be no double", ["x"], [["1e308"], ["1"]])
    yield _refused("two of one name", "which is meant is not known", ["a", "a"],
                   [["1", "2"], ["2", "3"]])  # fmt: skip
    yield _refused("a name of a value", "a=b is what the first becomes", ["a", "a=b"],
                   [["b", "1"], ["c", "2"]])  # fmt: skip
    yield _refused("nothing is left", "no column tells rows apart", ["a"], [["1"], ["1"]])


TABLE_RUNS = [
    *_runs_of_numbers(), *_runs_of_days(), *_runs_of_texts(), *_runs_of_columns(),
    *_runs_of_other_numbers(), *_refused_runs(),
]  # fmt: skip
