"""Tables: comma-, semicolon-, tab- or blank-separated values; a row is an example, a column its
label.

    age,size,ill         names, if no field but the label's is a number
    31,1.75,no           an example: x = [31, 1.75], label "no"
    58,1.62,yes          quotes as in the module csv, which reads them

    fields     what a line holds, without blanks at its ends
    places     of columns, counted from 0; a sentence counts them from 1, as a caller does
    missing    "", "NA", "?" and the like, which are no number and no label

Every column but one is a feature, and must hold numbers: what is to be done with texts, or where a
value is missing, is for the owner of the data to say. Labels are ints if all of them are whole
numbers, else floats if all are numbers, else texts as they stand. "01" is a text: a code.

Source: RFC 4180, Common Format and MIME Type for Comma-Separated Values (2005).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import isfinite
from typing import Any, NoReturn

from ..files.table_columns import TableColumns
from ..files.text import PathLike, brief, decimals, in_line, of_line, reading, shortest
from ..numerics.cures import adding, with_cure
from ..numerics.quoting import quote
from ..numerics.types import VectorLike
from .column_kinds import is_missing
from .layout import (
    DELIMITERS,
    NOWHERE,
    Choice,
    Layout,
    is_number,
    layout_of,
    refuse_doubtful_names,
)
from .written_numbers import numbers_meant, written

Record = tuple[int, list[str]]  # the number of a line, and its fields
CALLED = {",": "commas", ";": "semicolons", "\t": "tabs"}
INEXACT_FROM = 2**53  # from here on a double cannot tell a label from the next
BETWEEN_BLANKS = re.compile(r'(?:"(?:[^"]|"")*"|[^\s"])+')


def read_table(
    path: PathLike, form: str, choice: Choice, as_cells: bool = False
) -> tuple[list[Any], list[Any], Layout]:
    """Return X, the labels, and what is read; no labels, and no place of them, if it has none.

    form: "csv" or "tsv". as_cells: a row is the list of its fields, whatever stands in them and
    however its columns are called; a label that is missing is None, unless all are. See
    data.read_data, which this serves.
    """
    X: list[Any] = []
    tokens: list[str] = []
    numbers: list[int] = []  # of the lines
    with reading(path) as lines:
        found = _records(path, lines, DELIMITERS[form])
        number, fields = first = next(found, (0, [""]))
        if not number:
            raise ValueError(f"{brief(path)} holds no example; it is empty")
        with in_line(path, number):
            layout = layout_of(fields, choice)
            if not as_cells:
                refuse_doubtful_names(layout)
            doubt = "; if these are names, say header=True" if choice.header is None else ""
        read = _cells_of_line if as_cells else _features_of_line
        for number, fields in found if layout.names else chain([first], found):
            try:  # in_line would take a sixth of the time
                if len(fields) != layout.width:
                    _refuse_width(fields, layout)
                X.append(read(fields, layout, doubt if number == first[0] else ""))
            except ValueError as error:
                raise of_line(path, number, error) from None
            numbers.append(number)
            if layout.label is not None:
                tokens.append(fields[layout.label])
    if not X:
        raise ValueError(f"{brief(path)} holds no example, only the names of its columns")
    if choice.columns and all(map(is_missing, tokens)):
        return X, [], layout._replace(label=None)
    known = [token for token in tokens if not is_missing(token)]
    if layout.label is not None and not (as_cells and known):
        _refuse_missing(path, tokens, numbers, layout.name_in_sentence(layout.label))
    labels = iter(_table_labels(path, known))
    return X, [None if is_missing(token) else next(labels) for token in tokens], layout


def _refuse_missing(path: PathLike, tokens: list[str], numbers: list[int], column: str) -> None:
    """Refuse a table that lacks a label in one of its lines."""
    lacking = [number for number, token in zip(numbers, tokens) if is_missing(token)]
    if lacking:
        more = f" and in {len(lacking) - 1} more lines" if lacking[1:] else ""
        raise ValueError(
            f"{brief(path)}, line {lacking[0]}: the label is missing in {column}{more}; write one,"
            " or leave the row out"
        )


def _records(
    path: PathLike, lines: Iterator[tuple[int, str]], delimiters: str
) -> Iterator[Record]:
    """Yield the number of the line and the fields of each record in which something stands."""
    begun: list[int] = []  # the lines of the record that is being read
    first = next((line for line in lines if line[1].strip()), None)
    named = first and re.fullmatch("sep=([,;\t])", first[1].strip("\n "))
    if named:  # a line for spreadsheets
        first, delimiters = next(lines, None), named[1]
    if first is None:
        return

    second = next(lines, (0, ""))
    with in_line(path, first[0]):
        delimiter = _delimiter_of(first[1], second[1], delimiters)
    by_blanks = delimiter == " "
    if by_blanks:
        first = first[0], _without_mark(first[1], second[1])

    def fed() -> Iterator[str]:
        for number, line in chain([first, second], lines):
            begun.append(number)
            yield ("\t".join(BETWEEN_BLANKS.findall(line)) if by_blanks else line) + "\n"

    delimiter = "\t" if by_blanks else delimiter
    reader = csv.reader(fed(), delimiter=delimiter, skipinitialspace=True, strict=True)
    found = _parsed(path, reader, begun)
    yield from _with_all_names(found) if delimiter == "\t" else found


def _parsed(path: PathLike, reader: Iterator[list[str]], begun: list[int]) -> Iterator[Record]:
    """Yield the records that the module csv reads."""
    while True:
        begun.clear()
        try:
            fields = next(reader, None)
        except csv.Error as error:
            raise ValueError(f"{brief(path)}, line {begun[0]}: {_quoting_fault(error)}") from None
        if fields is None:
            return
        record = "".join(fields)
        if record.split() != [record]:  # most have no blank that each field is to be rid of
            fields = [" ".join(field.split()) for field in fields]
        if any(fields):
            yield begun[0], fields


def _with_all_names(records: Iterator[Record]) -> Iterator[Record]:
    """Yield the records; names that lack that of the first column, as R's do, with one of "".

    Commas may stand in texts, too, so fields that they part must be as many in all lines.
    """
    first, second = (next(records, None) for _ in range(2))
    if first and second and len(second[1]) == len(first[1]) + 1 and second[1][-1]:
        first = first[0], ["", *first[1]]
    yield from [record for record in (first, second) if record]
    yield from records


def _delimiter_of(line: str, second: str, delimiters: str) -> str:
    """Return the delimiter that occurs in the first line; a blank where two lines have no other.

    Beside another a comma between digits may be a decimal one, and one before a blank a text's.

    >>> lines = "a,b", "a;b", "1,5;2,5;a", '"a;b",c', "weight, kg;size, m", "a b", "body mass"
    >>> [_delimiter_of(line, "1 2" if line == "a b" else "1", ",;") for line in lines]
    [',', ';', ';', ',', ';', ' ', ',']
    """
    bare = re.sub('"[^"]*("|$)', "", line)
    there = [sign for sign in delimiters if sign in bare]
    if there[1:] and not re.search(r"(?<![0-9]),(?! )|,(?![0-9 ])", bare):
        there = [sign for sign in there if sign != ","]
    if there[1:]:
        signs = " and ".join(CALLED[sign] for sign in there)
        raise ValueError(
            f"there are {signs}; one sign must part all fields, so put texts into double quotes"
            + (", or say format='tsv'" if "\t" in there else "")
        )
    if not there and all(BETWEEN_BLANKS.findall(text)[1:] for text in (line, second)):
        return " "
    return there[0] if there else delimiters[0]


def _without_mark(line: str, second: str) -> str:
    """Return names without the sign of a comment before them, as numpy.savetxt writes them."""
    mark, *names = BETWEEN_BLANKS.findall(line)
    is_mark = mark == "#" and len(names) == len(BETWEEN_BLANKS.findall(second))
    return line.replace("#", " ", 1) if is_mark else line


def _quoting_fault(error: csv.Error) -> str:
    """Return what the module csv refuses, in words."""
    text = str(error)
    if "end of data" in text:
        return "a double quote is opened here, and none closes it"
    if "expected after" in text:
        return "a text goes on after its closing quote; a quote inside a text is written twice"
    if "field larger" in text:
        return "a field has more than 131072 characters; is a double quote left open?"
    return f"this is no table; {text}"


def _refuse_width(fields: list[str], layout: Layout) -> NoReturn:
    """Refuse a line that has not as many fields as the first."""
    are, s = ("is", "") if len(fields) == 1 else ("are", "s")
    raise ValueError(
        f"there {are} {len(fields)} field{s}; the first line has {layout.width}, and all lines"
        " must have as many"
    )


def _cells_of_line(fields: list[str], layout: Layout, doubt: str = "") -> tuple[str, ...]:
    """Return the fields of the features as they stand; nothing where a model needs none."""
    return tuple([fields[k] if k != NOWHERE else "" for k in layout.features])


def _features_of_line(fields: list[str], layout: Layout, doubt: str = "") -> list[float]:
    """Return the features of a line as numbers; a refusal of one ends with a doubt."""
    tokens = [fields[k] for k in layout.features]
    try:
        numbers = list(map(float, tokens))
        text = "".join(tokens)
        if text.isascii() and "_" not in text and all(map(isfinite, numbers)):
            return numbers
    except ValueError:
        pass
    return [_number_in(fields[k], layout, k, doubt) for k in layout.features]


def _number_in(token: str, layout: Layout, k: int, doubt: str) -> float:
    """Return the number in column k, or refuse what stands there instead."""
    if is_number(token):
        return float(token)
    found = f"{layout.name_in_sentence(k)} is {quote(token, 30)}"
    if is_missing(token):
        found += ", a missing value; fill it in, or leave out the row"
        if layout.of_model:
            raise ValueError(found + doubt)
        words = f"or the column by drop=[{layout.name_for_caller(k)}]{doubt}"
        raise with_cure(ValueError, f"{found},", adding(words, "drop", k + 1))
    words, sentence = _cure_of(token, layout, k) + doubt, f"{found}, which is no number here;"
    if "drop=[" in words:
        raise with_cure(ValueError, sentence, adding(words, "drop", k + 1))
    raise ValueError(f"{sentence} {words}")


def _cure_of(token: str, layout: Layout, k: int) -> str:
    """Return what can be done about a text among the features."""
    numbers = numbers_meant(token)
    if numbers:
        return f"write it as {' or '.join(map(shortest, numbers))}"
    if re.fullmatch(r"[+-]?(inf|infinity|[0-9.]+e[+-]?[0-9]+)", token.lower()):
        return "it must be a finite number"
    if token.lower() in ("true", "false"):
        return "write 1 for true and 0 for false"
    if written(token):
        return "write a number for what lies beyond a limit, the same in every row"
    if layout.of_model:
        return "the model was trained on numbers there"
    name = layout.name_for_caller(k)
    is_label = "" if layout.label_given else f"if it is the label, say label={name}; else "
    return f"{is_label}make columns of 0 and 1 of such texts, or leave it out by drop=[{name}]"


def _table_labels(path: PathLike, tokens: list[str]) -> list[Any]:
    """Return the labels as ints or floats if all are numbers, otherwise as texts.

    >>> _table_labels("t.csv", ["1", "2.0"]), _table_labels("t.csv", ["01", "2"])
    ([1, 2], ['01', '2'])
    """
    for token in set(tokens):
        if "\ufffd" in token:
            raise ValueError(
                f"{brief(path)}: the label {quote(token)} is not in UTF-8; save the table so"
            )
    if not all(is_number(t) and not re.match("[+-]?0[0-9]", t) for t in set(tokens)):
        return tokens
    numbers = list(map(float, tokens))
    if not all(number.is_integer() for number in numbers):
        return numbers
    if max(map(abs, numbers), default=0) >= INEXACT_FROM:
        return tokens
    return list(map(int, numbers))


def table_lines(
    X: Iterable[VectorLike], y: Sequence[Any], columns: TableColumns
) -> Iterator[list[str]]:
    """Yield the fields of each line of a table: the names, if it has some, and the examples."""
    header = columns.header()
    if header:
        yield header
    for i, row in enumerate(X):
        fields = [decimals(value, f"X[{i}][{k}]") for k, value in enumerate(row)]
        yield columns.with_label(fields, _label_field(y[i], i)) if y else fields


def _label_field(label: object, i: int) -> str:
    """Return a label as a field, which is empty if it is missing."""
    if label is None:
        return ""
    return label if isinstance(label, str) else decimals(label, f"y[{i}]")
