"""A process that does not round as promised says so, once, with the cure."""

import ctypes.util
import platform
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from equality import compiled
from test_export import compiles

from refsvm.numerics import roundings

ROOT = Path(__file__).parent.parent
UNTOLD = "answers may differ from the promised bits, as this process "


def to_precision(value, digits, least=-1074):
    """A Fraction to nearest, of so many binary digits, and a multiple of 2^least."""
    if not value:
        return value
    exponent = len(bin(abs(value.numerator))) - len(bin(value.denominator))
    exponent += abs(value) >= Fraction(2) ** exponent  # |value| is below 2^exponent
    unit = Fraction(2) ** max(exponent - digits, least)
    return round(value / unit) * unit


def twice(digits, least):
    """Sums and products that are rounded in a register first, and then when they are stored."""

    def answer(a, b, c):
        product = to_precision(Fraction(a) * Fraction(b), digits, least)
        return float(to_precision(product + Fraction(c), digits, least))

    return answer


def flushed(a, b, c):
    product = a * b
    return product + c if abs(product) >= 2.0**-1022 else c


def fused(a, b, c):
    return float(Fraction(a) * Fraction(b) + Fraction(c))


@pytest.mark.parametrize("answer, cause", [
    (twice(53, -1074), ""), (twice(64, -16445), roundings.TWICE),
    (twice(53, -16445), roundings.TWICE),  # as an x87 that was told to keep 53 digits
    (flushed, roundings.FLUSHED), (fused, "rounds a * b + c once"),
    (roundings.product_and_sum, ""),
], ids=["once", "x87", "x87, 53 digits", "flushed", "fused", "here"])
def test_each_way_to_round_otherwise_is_named(answer, cause):
    assert roundings.difference(answer) == (cause and UNTOLD + cause)


def said(code, *words):
    """What a Python prints and warns of; every warning, wherever it is from."""
    done = subprocess.run([sys.executable, "-W", "always", *words, "-c", code], cwd=ROOT,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), [line for line in done.stderr.splitlines() if "Warning: " in line]


MODE = "import ctypes; ctypes.CDLL({!r}).fesetround({}); "
UPWARD = 0x800


@pytest.mark.skipif(
    platform.machine() != "x86_64" or sys.platform != "linux", reason="C has another number for it"
)
def test_a_process_that_does_not_round_to_nearest_is_told_once():
    set_mode = MODE.format(ctypes.util.find_library("m"), UPWARD)
    out, warned = said(set_mode + "import refsvm, refsvm_fast; print(refsvm_fast.COMPILED)")
    assert len(warned) == 1 and warned[0].endswith(f"RuntimeWarning: {UNTOLD}{roundings.DIRECTED}")
    assert warned[0].startswith("<string>:1: ")
    code = "from refsvm.commands import main; main(['--version'])"
    assert said(set_mode + code)[0].splitlines()[2] == UNTOLD + roundings.DIRECTED
    assert UNTOLD not in said(code)[0]


@compiles
def test_a_library_that_sets_small_numbers_to_zero_is_told_once(tmp_path):
    source, library = tmp_path / "fast.c", tmp_path / "fast.so"
    source.write_text("int nothing;\n")
    words = ["-shared", "-fPIC", "-ffast-math", "-o", library, source]
    subprocess.run(["cc", *words], check=True)
    load = f"import ctypes; ctypes.CDLL({str(library)!r}); "
    if said(load + "print(2.0**-1022 * float('0.5') == 0)")[0] != "True":
        pytest.skip("this compiler links nothing that sets the mode")
    _, warned = said(load + "import refsvm, refsvm_fast")
    assert len(warned) == 1 and warned[0].endswith(UNTOLD + roundings.FLUSHED)


OTHERWISE = """
from refsvm.numerics import roundings
as_python = roundings.answers
python = roundings.product_and_sum
roundings.answers = lambda by=python: as_python(by) if by is python else ["other"]
import refsvm_fast
print(refsvm_fast.COMPILED, refsvm_fast.UNLIKE, refsvm_fast.ISA, refsvm_fast.smo.__module__)
"""


@compiled
def test_compiled_modules_that_round_otherwise_are_not_used(monkeypatch):
    monkeypatch.delenv("REFSVM_REQUIRE_EXTENSIONS", raising=False)
    out, warned = said(OTHERWISE)
    assert out == "False True None refsvm.solvers.smo"
    assert len(warned) == 1 and warned[0].endswith("so they are not used; compile them anew")
    # where it is the Python that does not round as promised, that has been told
    out, warned = said("import refsvm.numerics.roundings as r; "
                       "r.difference.__defaults__ = (lambda *_: 0.0,)" + OTHERWISE)
    assert out.split()[:2] == ["False", "True"] and warned == []
    monkeypatch.setenv("REFSVM_REQUIRE_EXTENSIONS", "1")
    code = "try:\n    import refsvm_fast\nexcept ImportError as error:\n    print(error)"
    out, _ = said(OTHERWISE.replace("import refsvm_fast\n", code + "\n    raise SystemExit\n"))
    assert out == "the compiled modules of refsvm_fast round otherwise than this Python"
