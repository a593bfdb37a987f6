"""The ports of spec/ports, written from the standard's text alone, say what refsvm says."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
    assert "150 right, 0 wrong" in report


# The bounds of S30.6, S30.7 and S31.4 differ in last digits where a sentence had another reading:
# of 1199 answers seven. Steps, alpha, b, status and residuals have every bit.
BOUNDS = {"S30.6", "S30.7", "S31.4"}


@pytest.mark.slow("a sentence of the standard with another reading than refsvm, by any vector")
def test_the_port_has_the_bits_of_all_vectors_but_of_some_bounds():
    _, report = conform("--all")
    wrong = re.findall(r" is right \((S[\d.]+)\)$", report, re.MULTILINE)
    assert f" right, {len(wrong)} wrong" in report, report
    assert set(wrong) <= BOUNDS, report
    assert len(wrong) <= 7, report
