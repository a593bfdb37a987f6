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

STDOUT = "/dev/stdout"  # the name of standard output as a file, on any system


def no_name_of_file(name: str | bytes) -> str | None:
    """Return why no file can have this name; None if one can.

    >>> no_name_of_file("a\\0b"), no_name_of_file("ab")
    ('no name of a file holds a NUL', None)
    """
    try:
        return "no name of a file holds a NUL" if b"\0" in os.fsencode(name) else None
    except UnicodeEncodeError:
        return "it holds half a letter, which no name of a file can"
