"""Files: LIBSVM's data, models and scaling ranges, read and written.

    text.py      what the three share: plain or gzipped text, refusals by line, decimals
    outputs.py   writing, try_outputs                  whole files only, tried before the work
    table_columns.py  TableColumns                 the columns of a table, and how they are kept
    libsvm_data.py  read_libsvm                    label index:value index:value ..
    models.py    read_model, write_model           what svm-train writes; model_text.py
    matching.py  match_rows                        which rows a model's vectors are
    scaling.py   Scaling, read_scaling, write_scaling  what svm-scale -s writes

Beside tables/ this is the only part of refsvm that opens files, but for the command line.
"""

from __future__ import annotations

import os
from typing import TextIO

STDOUT = "/dev/stdout"  # the name of standard output as a file, on any system


def write_whole(stream: TextIO, text: str) -> None:
    """Write a text to a stream at once: all of it, or an OSError.

    Python promises this of streams that are buffered and wait. One that is not buffered drops what
    a full disk, a slow reader or a pipe that does not wait left over, and says nothing.
    """
    stream.flush()
    try:
        number = stream.fileno()
    except (AttributeError, OSError):  # a text in memory
        number = -1
    if number < 0 or os.name == "nt":  # Windows has lines and consoles of its own
        stream.write(text)
        stream.flush()
        return
    left = memoryview(text.encode(stream.encoding or "utf-8", stream.errors or "strict"))
    while left:
        try:
            left = left[os.write(number, left) :]
        except BlockingIOError:
            from select import select  # rarely needed

            select([], [number], [])


def no_name_of_file(name: str | bytes) -> str | None:
    """Return why no file can have this name; None if one can.

    >>> no_name_of_file("a\\0b"), no_name_of_file("ab")
    ('no name of a file holds a NUL', None)
    """
    try:
        return "no name of a file holds a NUL" if b"\0" in os.fsencode(name) else None
    except UnicodeEncodeError:
        return "it holds half a letter, which no name of a file can"
