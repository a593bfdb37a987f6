"""The ports of spec/ports, written from the standard's text alone, say what refsvm says."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from refsvm.conformance.bits.drawing import DRAWS, drawn
from refsvm.conformance.bits.judging import PASS, compared

ROOT = Path(__file__).parent.parent
JAVASCRIPT = "node spec/ports/javascript/answer.mjs"

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not on this machine")


def conform(*options):
    """Ask the port, and say what the report says at its end."""
    command = [sys.executable, "-m", "refsvm", "conform", JAVASCRIPT, *options]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout


def test_the_port_has_the_bits_of_arithmetic():
    status, report = conform("--section", "S1")
    assert status == 0, report
    assert " right, 0 wrong, 0 not offered" in report, report


@pytest.mark.slow("a sentence of the standard with another reading than refsvm, by any vector")
def test_the_port_has_the_bits_of_all_vectors():
    _, report = conform("--all")
    assert " right, 0 wrong, 0 not offered" in report, report


@pytest.mark.slow("another reading that no vector shows, by a problem that is drawn")
@pytest.mark.parametrize("kind", DRAWS)
def test_the_port_has_the_bits_of_drawn_problems(kind):
    questions = "".join(json.dumps(question) + "\n" for question in drawn(kind, 7, 60))
    run = subprocess.run(
        JAVASCRIPT.split(), cwd=ROOT, input=questions, capture_output=True, text=True, check=True
    )
    answers = compared(enumerate(run.stdout.splitlines(), 1), "refsvm_fast")
    results = [answer for answer in answers if answer.result != PASS]
    assert results == [] and run.stdout.count("\n") == 60
