"""What some tests compare with and not every machine has: other programs, and larger data."""

import importlib
import os
from pathlib import Path

import pytest

from refsvm.numerics.environment import env_flag, env_text

# LIBSVM's threads wait by spinning; on a busy machine that turns milliseconds into seconds.
os.environ.setdefault("OMP_NUM_THREADS", "1")


def peer(name):
    """The module `name` of another program; without it the test is skipped.

    With REFSVM_REQUIRE_PEERS=1, as in continuous integration, a missing one is an error.
    """
    if env_flag("REFSVM_REQUIRE_PEERS"):
        return importlib.import_module(name)
    return pytest.importorskip(name)


class Peer:
    """A module of another program, as peer() gives it, from when a test first asks it something.

    So a file of tests can be read where the module is missing, and is not kept waiting by it.
    """

    def __init__(self, name):
        self.name = name

    def __getattr__(self, word):
        if word.startswith("_") or word == "pytest_mock_example_attribute_that_shouldnt_exist":
            raise AttributeError(word)  # pytest looks at all that is in a file
        return getattr(peer(self.name), word)


def data_folder():
    """The folder of LIBSVM data files that REFSVM_DATA names; without it the test is skipped."""
    folder = env_text("REFSVM_DATA")
    if not folder:
        pytest.skip("set REFSVM_DATA to the folder of LIBSVM data files")
    return Path(folder)
