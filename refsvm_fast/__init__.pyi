"""The types of refsvm, all of them: what is compiled answers as its namesake there does."""

from refsvm import *  # noqa: F403
from refsvm import __version__ as __version__

COMPILED: bool
COMPILED_NAMES: dict[str, str]
ISA: str | None
UNLIKE: bool
