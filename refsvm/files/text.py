"""Text files: plain or gzipped, refused by line; numbers as decimals.

What the readers and writers of this folder share; outputs.py has how a file is written. All of
LIBSVM's files are lines of words parted by blanks, and most words are numbers or items
`index:value` with the zeros left out.

    path      of the file, as the caller gave it: every refusal begins with it
    number    of a line, counted from 1
    token     a word of a line
    item      a token index:value; indices count from 1 and ascend within a line
    name      how a sentence calls the thing a token stands for

Reading a number takes the double nearest to the decimals; writing takes the shortest decimals
that read back to the same double. So a double survives the way through a file unchanged.

What a file may ask for has limits: MAX_LINE, MAX_TOKEN, and for a gzipped one how much
it unpacks to. Blank lines cost next to nothing.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from fractions import Fraction
from math import isfinite, nan
from operator import lt
from typing import IO, Any, TextIO, Union, cast

from ..numerics.cures import Cure, in_floats, retold, with_cure
from ..numerics.quoting import quote, shorten
from ..numerics.sparse_rows import row_items, rows_from
from ..numerics.types import VectorLike
from ..numerics.validation import to_number, whole_number
from . import no_name_of_file

PathLike = Union[str, "os.PathLike[str]"]  # bytes are taken, too
Items = tuple[list[int], list[float]]  # the indices of a line, counted from 1, and the values
GZIP_BEGINS = b"\x1f\x8b"
UTF_16_BEGINS = b"\xff\xfe", b"\xfe\xff"
WORKBOOK_BEGINS = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"  # of .xlsx and .ods, and of .xls
MAX_INDEX = 2**31 - 1  # LIBSVM keeps an index in an int

DECIMAL = r"[+-]?[0-9.]{1,40}(?:[eE][+-]?[0-9]{1,4})?"
PLAIN = re.compile(rf"\s*{DECIMAL}(?:\s+{DECIMAL})*(?:\s+[0-9]{{1,10}}:{DECIMAL})*\s*", re.ASCII)

MAX_LINE = 2**26  # characters: some five million items
MAX_TOKEN = 1000  # characters; those of a double that are read back need 24
MAX_PATH = 120  # characters of it that a message shows
READ_LETTERS = 2**20  # characters, or bytes, read at once
UNPACKED_AT_LEAST = 2**24  # bytes that any gzipped file may unpack to, and
UNPACKED_TIMES = 100  # how many times its own size, if that is more: text seldom exceeds 10


@contextmanager
def reading(path: PathLike, longest: int | None = None) -> Iterator[Iterator[tuple[int, str]]]:
    """Open a text, and give the number and the words of each line that is not blank.

    Gzipped text is known by how it begins, and so is UTF-16, which is refused.

    Carriage returns before line ends and a byte order mark are dropped. Bytes that are not
    UTF-8 become a character that no number contains, so that they are refused by line, unless
    they stand in a comment.

    longest: the most characters of a line; MAX_LINE if not given
    """
    with naming(path), open(checked_path(path), "rb") as file:
        start = file.peek(4)[:4]
        begins = start[:2]
        if start in WORKBOOK_BEGINS:
            raise ValueError(
                f"{brief(path)} is a workbook of a spreadsheet, or another packed file; open it"
                " there, and save the sheet as CSV in UTF-8"
            )
        if begins in UTF_16_BEGINS or b"\0" in begins:  # it need not have a mark
            raise ValueError(f"{brief(path)} begins as a text in UTF-16; save it as UTF-8")
        packed = begins == GZIP_BEGINS
        # It is unpacked twice: by then a file may hold other bytes, and a pipe none.
        raw: IO[bytes] = io.BytesIO(file.read()) if packed else file
        opened = _unpacking(path, raw) if packed else nullcontext(raw)
        with opened as binary:
            if packed:
                _refuse_much(path, binary, raw)
            with io.TextIOWrapper(binary, "utf-8-sig", "replace") as text:
                yield _numbered_lines(path, text, MAX_LINE if longest is None else longest)


@contextmanager
def _unpacking(path: PathLike, raw: IO[bytes]) -> Iterator[IO[bytes]]:
    """Open the bytes that a gzip file unpacks to."""
    import gzip  # which takes long to import
    import zlib

    try:
        yield cast("IO[bytes]", gzip.GzipFile(fileobj=raw))
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise ValueError(
            f"{brief(path)} begins as a gzip file, but cannot be unpacked to its end"
        ) from None


def _refuse_much(path: PathLike, binary: IO[bytes], raw: IO[bytes]) -> None:
    """Unpack the file once without keeping it, and refuse one that unpacks beyond the limit."""
    unpacked = 0
    while block := binary.read(READ_LETTERS):
        unpacked += len(block)
        if unpacked > max(UNPACKED_AT_LEAST, UNPACKED_TIMES * raw.tell()):
            raise ValueError(
                f"{brief(path)} unpacks to more than {UNPACKED_TIMES} times its size; unpack"
                " it to a file if it is meant so"
            )
    binary.seek(0)


def _numbered_lines(path: PathLike, text: TextIO, longest: int) -> Iterator[tuple[int, str]]:
    """Yield (number, line) for each line that is not blank; refuse a line beyond the limit."""
    number = 1
    begun: list[str] = []  # the parts of a line whose end is not read yet
    while block := text.read(READ_LETTERS):
        if block.isspace() and not begun:
            number += block.count("\n")
            continue
        first, *others = block.split("\n")
        begun.append(first)
        if sum(map(len, begun)) > longest:  # exact
            raise ValueError(
                f"{brief(path)}, line {number}: the line is longer than {longest} characters"
            )
        if others:
            lines = ["".join(begun), *others[:-1]]
            yield from ((i, line) for i, line in enumerate(lines, number) if line)
            number, begun = number + len(lines), others[-1:]
    yield number, "".join(begun)


def brief(path: PathLike) -> str:
    """The path as a message shows it."""
    try:
        return shorten(str(path), MAX_PATH)
    except Exception:  # of an object of the caller's
        return quote(path)


def checked_path(path: Any) -> Any:
    """Return the path, refused if it is none: open() takes a number for a file that is open."""
    try:
        name = os.fspath(path)
        name = str.__str__(name) if isinstance(name, str) else name
    except Exception:
        raise TypeError(f"path is {quote(path)}; the name of a file is needed") from None
    why = no_name_of_file(name)
    if why:
        raise ValueError(f"path is {quote(path)}; {why}")
    return name


@contextmanager
def naming(path: PathLike, part: str | None = None) -> Iterator[None]:
    """Let an error that names no file, or the part, name the file that the caller asked for."""
    try:
        yield
    except OSError as error:
        if error.filename not in (None, part):
            raise
        raise OSError(error.errno, error.strerror, path) from None


@contextmanager
def in_line(path: PathLike, number: int) -> Iterator[None]:
    """Put the file and the line before the sentence of a ValueError raised inside."""
    try:
        yield
    except ValueError as error:
        raise of_line(path, number, error) from None


def of_line(path: PathLike, number: int, error: ValueError) -> Exception:
    """Return an error with the file and the line before its sentence."""
    return retold(error, f"{brief(path)}, line {number}: {error}")


def decimals(value: object, name: str) -> str:
    """Return the shortest decimals that read back to the same double; -0.0 is written as 0.

    A Fraction is taken if a double equals it.

    >>> decimals(0.1, "C"), decimals(-2.0, "C"), decimals(-0.0, "C"), decimals(1e300, "C")
    ('0.1', '-2', '0', '1e+300')
    >>> decimals(Fraction(1, 3), "X[0][1]")
    Traceback (most recent call last):
      ...
    ValueError: X[0][1] is 1/3, which no double equals; a file holds doubles, so use float() first
    """
    if type(value) is float and isfinite(value):
        return shortest(value)
    number = to_number(float, value, name)
    return shortest(_equal_double(number, name) if isinstance(number, Fraction) else number)


def shortest(number: float) -> str:
    """Return the shortest decimals of a finite number."""
    if number == 0:
        return "0"
    text = repr(number)
    return text[:-2] if text.endswith(".0") else text


def _equal_double(fraction: Fraction, name: str) -> float:
    """Return the double that equals a Fraction, or a refusal."""
    with suppress(OverflowError):
        double = float(fraction)
        if Fraction(double) == fraction:
            return double
    sentence = f"{name} is {quote(fraction)}, which no double equals; a file holds doubles, so"
    raise with_cure(ValueError, sentence, Cure("use float() first", name, in_floats))


def finite(token: str, name: str) -> float:
    """Return the finite number that a token writes in decimals.

    >>> finite("-1.5e3", "gamma")
    -1500.0
    >>> finite("nan", "gamma")
    Traceback (most recent call last):
      ...
    ValueError: gamma is 'nan'; it must be a finite number
    """
    if len(token) > MAX_TOKEN:
        raise ValueError(f"{name} is {quote(token)}; a number has at most {MAX_TOKEN} characters")
    try:
        number = float(token)
    except ValueError:
        number = nan
    # Python alone reads 1_000 and the digits of other scripts.
    if not isfinite(number) or "_" in token or not token.isascii():
        raise ValueError(f"{name} is {quote(token)}; it must be a finite number")
    return number


def whole(token: str, name: str, least: int = 0) -> int:
    """Return the whole number, `least` or more, that a token writes in digits.

    >>> whole("7", "degree")
    7
    >>> whole("1.5", "degree")
    Traceback (most recent call last):
      ...
    ValueError: degree is '1.5'; it must be a whole number from 0 to 2147483647
    """
    digits = token.isdigit() and token.isascii() and len(token) <= 10
    if not digits or not least <= int(token) <= MAX_INDEX:
        raise ValueError(
            f"{name} is {quote(token)}; it must be a whole number from {least} to {MAX_INDEX}"
        )
    return int(token)


def plain_line(
    line: str, count: int, largest: int, first: int = 1
) -> tuple[list[float], Items] | None:
    """Return the numbers that a line begins with and its items; None unless it is plain and right.

    Most lines are, and what can be asked of a whole line takes a quarter of the time of tokens. Of
    any other line items() and finite() tell what is wrong with it, or read it.

    >>> plain_line("-1 1:0.5 3:-2", 1, 9), plain_line("-1 3:0.5 1:-2", 1, 9)
    (([-1.0], ([1, 3], [0.5, -2.0])), None)
    """
    if not PLAIN.fullmatch(line):
        return None
    words = line.replace(":", " ").split()
    try:
        # Behind the first numbers stand index and value in turns.
        numbers = list(map(float, words[:count] + words[count + 1 :: 2]))
        indices = list(map(int, words[count::2]))
    except ValueError:  # as of 1.2.3
        return None
    begins, values = numbers[:count], numbers[count:]
    ascends = all(map(lt, [first - 1, *indices], [*indices, largest + 1]))
    # By the colons: with count 1 the line 1 2 3 would be read as the item 2:3 behind a 1.
    whole_line = len(begins) == count and len(values) == len(indices) == line.count(":")
    return (begins, (indices, values)) if ascends and whole_line and all_finite(numbers) else None


def all_finite(numbers: list[float]) -> bool:
    """Return whether all numbers are finite, none being NaN.

    >>> all_finite([1.0, -2.0]), all_finite([1.0, nan])
    (True, False)
    """
    return all(map(isfinite, numbers))


def items(tokens: list[str], features: int | None = None, first: int = 1) -> Items:
    """Return the indices, counted from `first`, and the values of a line's items, as two lists.

    No index may be larger than `features`, if that is given.

    >>> items(["1:0.5", "3:-2"])
    ([1, 3], [0.5, -2.0])
    >>> items(["3:1", "2:1"])
    Traceback (most recent call last):
      ...
    ValueError: in '2:1' the index comes after 3; indices must ascend
    """
    indices: list[int] = []
    values: list[float] = []
    last, largest = first - 1, MAX_INDEX if features is None else features
    for token in tokens:
        try:
            last, value = item(token, last, largest)
        except ValueError as error:
            raise ValueError(f"in {quote(token)} {error}") from None
        indices.append(last)
        values.append(value)
    return indices, values


def item(token: str, last: int, largest: int) -> tuple[int, float]:
    """Return the index and the value of an item that comes after the index `last`."""
    word, colon, value = token.partition(":")
    if not colon:
        raise ValueError("there is no colon; an item is index:value")
    if word == "qid":
        raise ValueError(
            "there is a query of a ranking, which refsvm does not learn; leave the item out"
            " where each row is to count by itself"
        )
    index = whole(word, "the index", min(last + 1, 1))
    if index <= last:
        raise ValueError(f"the index comes after {last}; indices must ascend")
    if index > largest:
        raise ValueError(f"the index is above {largest}, the number of features asked for")
    return index, finite(value, "the value")


def rows_of_items(found: list[Items], width: int, first: int = 1) -> list[Any]:
    """Return rows of `width` numbers from the items of lines, counted from `first`; see rows_from.

    >>> rows_of_items([([1, 3], [0.5, -2.0])], 4)
    [[0.5, 0.0, -2.0, 0.0]]
    """
    counted_from_0 = [([index - first for index in indices], values) for indices, values in found]
    return rows_from(counted_from_0, width)


def whole_width(features: object) -> int:
    """Return the number of features asked for, which a length can be."""
    width = whole_number(features, "features", 1)
    if width > sys.maxsize:
        raise ValueError(f"features is {width}; it must be at most {sys.maxsize}")
    return width


def item_words(row: VectorLike, name: str, first: int = 1) -> list[str]:
    """Return the items of a row, counted from `first`, as words: zeros are left out.

    >>> item_words([0.5, 0, -2], "x")
    ['1:0.5', '3:-2']
    """
    found = list(row_items(row))
    if found and found[-1][0] >= MAX_INDEX:
        column = found[-1][0] + 1
        raise ValueError(
            f"{name} has a number in column {column}; a file has columns from 1 to {MAX_INDEX}"
        )
    values = [value for _, value in found]
    if set(map(type, values)) <= {float} and all_finite(values):  # no name for a refusal is made
        return [f"{k + first}:{shortest(value)}" for k, value in found]
    return [f"{k + first}:{decimals(value, f'{name}[{k}]')}" for k, value in found]
