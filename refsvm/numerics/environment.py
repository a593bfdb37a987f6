"""The environment variables of refsvm, read alike by all: refsvm_fast, commands, setup.py, tests.

setup.py runs this file by itself, before there is a refsvm to import.
"""

from __future__ import annotations

import os

YES, NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
MAX_SHOWN = 40  # letters of a value in a message


def env_text(variable: str) -> str | None:
    """Return what a variable says, without blanks around it; None where that is nothing.

    >>> env_text("SET_NOWHERE")
    """
    return os.environ.get(variable, "").strip() or None


def env_flag(variable: str) -> bool:
    """Tell whether a variable says yes; one that is unset or empty says no.

    Raises
    ------
    ValueError
        for what is neither yes nor no
    """
    told = env_text(variable)
    if told is None or told.lower() in NO:
        return False
    if told.lower() in YES:
        return True
    raise ValueError(
        f"the environment variable {variable} is {told[:MAX_SHOWN]!a}; it must be {', '.join(YES)}"
        f" for yes, or {', '.join(NO)} or nothing for no"
    )
