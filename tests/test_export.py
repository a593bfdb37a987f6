"""An exported machine, compiled: the same bits, and #error where there cannot be the same."""

import ctypes
import itertools
import math
import os
import platform
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from profiles import draws, one_in, slow_cases
from refusing import refusals, type_error

import refsvm
import refsvm_fast
from refsvm import (
    SVC,
    SVDD,
    SVR,
    Gaussian,
    Kernel,
    Linear,
    Model,
    MonomialSum,
    NuSVC,
    NuSVR,
    OneAgainstOne,
    OneClassSVM,
    Polynomial,
    Precomputed,
    Preparation,
    Problem,
    Sigmoid,
    Spectrum,
    export,
    smo,
    write_model,
)
from refsvm.c99 import constants
from refsvm.c99.exporting import c_text
from refsvm.commands import main
from refsvm.files.table_columns import TableColumns
from refsvm.svm.ball_problem import BallModel
from refsvm.svm.one_class_problem import OneClassModel
from refsvm.svm.regression_problem import RegressionModel
from refsvm.tables.column_kinds import days_of, number_of, plain_cell, text_of

COMPILERS = sorted({os.path.realpath(found) for found in map(shutil.which, ("cc", "gcc", "clang"))
                    if found})
LEVELS = [["-O0"], ["-O3"], ["-Os"]]
if platform.machine().lower() in ("x86_64", "amd64"):
    LEVELS.append(["-O3", "-march=native"])  # with fused multiply-add where the processor has it
STRICT = ["-std=c99", "-ffp-contract=off", "-pedantic", "-Wall", "-Wextra", "-Wshadow", "-Werror"]
SHARED = ["-shared", "-fPIC"]
compiles = pytest.mark.skipif(
    not COMPILERS or sys.platform == "win32", reason="there is no C compiler here"
)
serial = itertools.count()

TINY = 5e-324
LARGEST = sys.float_info.max
finite = st.floats(allow_nan=False, allow_infinity=False)
doubles = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-4, 4),
    st.sampled_from([0.0, -0.0, TINY, -TINY, 2.0**-1022, 1e-160, 1e154, -1e200, LARGEST]),
    finite,
)
nonzero = doubles.filter(lambda value: value != 0)
positives = st.one_of(st.floats(0.001, 10), nonzero.map(abs))
formulas = st.one_of(
    st.builds(Linear),
    st.builds(Polynomial, st.integers(0, 9) | st.just(2**32 - 1), doubles, doubles),
    st.builds(MonomialSum, st.integers(0, 4)),
    st.builds(Gaussian, positives),
    st.builds(Sigmoid, doubles, doubles),
)
kernels = formulas | st.recursive(
    formulas,
    lambda part: st.one_of(
        st.builds(lambda a, b: a + b, part, part),
        st.builds(lambda a, b: a * b, part, part),
        st.builds(lambda c, k: c * k, doubles.map(abs), part),
    ),
    max_leaves=4,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("export")


# ---- machines to export, and rows to decide

@st.composite
def vectors_of(draw, n, d):
    """n rows of d numbers; sometimes most of them are zero, sometimes all small whole ones."""
    entry = draw(st.sampled_from([doubles, st.integers(0, 9).map(float), st.floats(width=32,
                 allow_nan=False, allow_infinity=False)]))
    if draw(st.booleans()):
        entry = st.one_of(*[st.sampled_from([0.0, 0.0, -0.0])] * 3, entry)
    return [[draw(entry) for _ in range(d)] for _ in range(n)]


@st.composite
def models(draw):
    d, n = draw(st.integers(1, 9)), draw(st.integers(1, 5))
    b, vectors = draw(doubles), draw(vectors_of(n, d))
    make = draw(st.sampled_from([Model, RegressionModel, OneClassModel]))
    if draw(st.booleans()):
        return make(b, [], [], Linear(), vectors[0])
    return make(b, [draw(nonzero) for _ in vectors], vectors, draw(kernels), None)


@st.composite
def balls(draw):
    """The numbers need not be those of a ball that exists."""
    d, n = draw(st.integers(1, 9)), draw(st.integers(1, 5))
    radius2, w_norm2, vectors = draw(doubles), draw(doubles), draw(vectors_of(n, d))
    if draw(st.booleans()):
        return BallModel(radius2, [], [], Linear(), vectors[0], w_norm2)
    coef = [draw(nonzero) for _ in vectors]
    return BallModel(radius2, coef, vectors, draw(kernels), None, w_norm2)


@st.composite
def voters(draw, kernels=kernels):
    k, d = draw(st.integers(2, 4)), draw(st.integers(1, 9))
    counts = [draw(st.integers(0, 3)) for _ in range(k)]
    V = sum(counts)
    if V == 0:
        counts[0] = V = 1
    coefs = [[draw(doubles) for _ in range(V)] for _ in range(k - 1)]
    offsets = [draw(doubles) for _ in range(k * (k - 1) // 2)]
    vectors = draw(vectors_of(V, d))
    classes = draw(st.permutations(range(k)))
    return OneAgainstOne(list(classes), draw(kernels), vectors, counts, coefs, offsets)


def width(model):
    known = getattr(model, "w", None)
    return len(model.vectors[0]) if known is None else len(known)


def rows_for(model):
    """Some rows: drawn ones, and the vectors themselves."""
    row = st.lists(doubles, min_size=width(model), max_size=width(model))
    return st.lists(row | st.sampled_from(model.vectors or [[0.0] * width(model)]), min_size=8,
                    max_size=20)


# ---- what refsvm says and what C says

def compiled(folder, text, options=("-O1",), compiler=None):
    """The C text as a library that is loaded."""
    source = folder / f"machine{next(serial)}.c"
    source.write_text(text, encoding="ascii")
    library = source.with_suffix(".so")
    done = compile_c(source, [*SHARED, *options, "-o", str(library)], compiler)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(library))


def compile_c(source, options, compiler=None, strict=STRICT):
    command = [compiler or COMPILERS[0], *strict, *options, str(source)]
    return subprocess.run(command, capture_output=True, text=True)


def in_c(library, model, rows, name="svm"):
    """[(the decision values as hexadecimal text, what is predicted)] of the C functions."""
    pairs = len(getattr(model, "offsets", [0]))
    predict = getattr(library, f"{name}_predict")
    if isinstance(model, RegressionModel):
        predict.restype = ctypes.c_double
    decide = getattr(library, f"{name}_decision" if pairs == 1 else f"{name}_decisions")
    if pairs == 1:
        decide.restype = ctypes.c_double
    found = []
    for row in rows:
        x = (ctypes.c_double * len(row))(*row)
        values = (ctypes.c_double * pairs)(*[7.0] * pairs)
        if pairs == 1:
            values[0] = decide(x)
        else:
            decide(x, values)
        found.append(([value.hex() for value in values], as_text(predict(x))))
        assert list(map(float.hex, x)) == list(map(float.hex, row))
    return found


def as_text(predicted):
    """A predicted value as hexadecimal text; a class as it is."""
    return predicted.hex() if isinstance(predicted, float) else predicted


def in_python(model, rows):
    """The same of refsvm; a row that it refuses has NaN, and 0, -1, or NaN."""
    found, votes = [], isinstance(model, OneAgainstOne)
    refused = -1 if votes else "nan" if isinstance(model, RegressionModel) else 0
    for row in rows:
        try:
            if votes:
                values = [value.hex() for value in model.pair_decisions(row)]
                found.append((values, model.classes.index(model.predict(row))))
            else:
                found.append(([model.decision(row).hex()], as_text(model.predict(row))))
        except ValueError:
            found.append((["nan"] * (len(model.offsets) if votes else 1), refused))
    return found


def exported(model, **options):
    """The C text, or None where weights, or gammas, are beyond what it is written for."""
    try:
        return export(model, **options)
    except ValueError as error:
        assert "beyond any double" in str(error) or "C is written for one" in str(error)


def check(folder, model, rows, options=("-O1",), compiler=None):
    before = repr(model)
    text = exported(model)
    assert repr(model) == before
    if text is not None:
        library = compiled(folder, text, options, compiler)
        assert in_c(library, model, rows) == in_python(model, rows)
    return text


@compiles
@pytest.mark.parametrize("machines", [models(), balls(), voters(), voters(st.just(Linear()))],
                         ids=["one function", "ball", "several classes", "linear, several"])
@draws(1/6)
@given(st.data())
def test_a_machine_has_the_same_bits_in_c(folder, machines, data):
    model = data.draw(machines)
    check(folder, model, data.draw(rows_for(model)), data.draw(st.sampled_from(LEVELS)))


VECTORS = [[0.5, 0.0, -1.25, 3.0], [0.0, 0.0, 0.1, 0.0], [0.0, -0.0, 0.0, 0.0]]
ROWS = [
    [a, b, 0.3, c]
    for a in (0.0, -0.0, 0.7, 1e200) for b in (1.0, -30.1, TINY) for c in (-0.1, 1e155, -LARGEST)
]
EVERY_KERNEL = [
    Linear(), Polynomial(3, 0.1, -0.0), Polynomial(0), MonomialSum(5), Gaussian(0.3),
    Sigmoid(0.7, -0.2), 0.5 * Gaussian(3.0) + Polynomial(2) * Sigmoid(0.1, 0.2) + 0 * Linear(),
]
EVERY_MACHINE = [
    *[Model(0.125, [1.5, -0.1, -1.4], VECTORS, kernel, None) for kernel in EVERY_KERNEL],
    *[OneAgainstOne([3, 1, 2], kernel, VECTORS, [1, 0, 2],
                    [[0.1, -1.0, 0.0], [0.3, -2.5, 1e-300]], [0.5, -0.0, -1.0])
      for kernel in EVERY_KERNEL],
    OneAgainstOne([-1, 1], Gaussian(0.3), VECTORS, [1, 2], [[0.1, -1.0, 0.9]], [-0.0]),
    Model(-0.0, [], [], Linear(), [0.1, -0.0, 0.0, 1e10]),
    RegressionModel(0.125, [1.5, -0.1, -1.4], VECTORS, EVERY_KERNEL[6], None),
    OneClassModel(-0.125, [0.5, 0.1, 0.4], VECTORS, Gaussian(0.3), None),
    *[BallModel(0.7, [0.5, 0.1, 0.4], VECTORS, kernel, None, 0.3) for kernel in EVERY_KERNEL],
    BallModel(0.7, [], [], Linear(), [0.1, -0.0, 0.0, 1e10], 0.3),
]
SOME_MACHINES = [EVERY_MACHINE[k] for k in (3, 6, 7, 13, 14, 15, 16, 17, 22, 24, 25)]


@compiles
@pytest.mark.parametrize("level", [
    LEVELS[2], *slow_cases("what an optimiser changes", LEVELS[0], LEVELS[1], *LEVELS[3:])
], ids=" ".join)
@pytest.mark.parametrize("compiler", COMPILERS, ids=os.path.basename)
def test_every_compiler_here_gives_the_same_bits_without_a_warning(folder, compiler, level):
    for model in SOME_MACHINES:
        check(folder, model, ROWS, level, compiler)


@pytest.mark.slow("a machine that only training makes")
@compiles
def test_a_trained_machine_has_the_same_bits_in_c(folder):
    X = [[k * 0.37 % 1, k * 0.71 % 1.3, float(k % 4 == 0)] for k in range(60)]
    y = [1 if a * b + c > 0.4 else -1 for a, b, c in X]
    for kernel in EVERY_KERNEL[:5]:
        model = smo(Problem(X, y, kernel, C=3), max_iter=300).model()
        check(folder, model, X)
    words = [("low", "high", "none?")[k % 3] for k in range(60)]
    for svc in (SVC(C=10).fit(X, words), NuSVC(nu=0.1).fit(X, words)):
        check(folder, svc.model_, X)
    values = [a * b + c for a, b, c in X]
    for kernel in ("linear", "rbf"):
        for machine in (SVR(kernel, epsilon=0.05).fit(X, values), OneClassSVM(kernel).fit(X),
                        NuSVR(kernel=kernel).fit(X, values), SVDD(0.1, kernel).fit(X)):
            assert check(folder, machine.model_, X) == export(machine)


# ---- exp and tanh, over all that a kernel can ask of them

def exponents():
    """Squares from 0 to beyond the end of exp, and close to where it changes its way."""
    near = [690, 708.4, 743, 744, 744.44, 745.13, 745.2, 746]
    steps = [t + k * 0.0037 for t in near for k in range(-150, 150)]
    return [math.sqrt(t) for t in [k * 0.11 for k in range(6900)] + steps] + [1e150, 1e200, TINY]


@compiles
@compiles
def test_a_regression_without_support_vectors_is_a_constant_in_c(folder, monkeypatch, capsys):
    rows = [[1.0, 2.0], [-0.0, 1e300], [math.nan, 0.0], [0.0, math.inf]]
    for machine in (SVR(epsilon=9), SVR("poly", C=2, epsilon=9), SVR("linear", epsilon=9)):
        machine = machine.fit([[1, 2], [2, 3], [4, 1]], [1, 2, 3.5])
        assert machine.support_ == []
        library = compiled(folder, export(machine))
        assert in_c(library, machine.model_, rows) == in_python(machine.model_, rows)
    for b in (-0.0, 0.1, -LARGEST):  # x is not looked at: nothing tells how long it is
        model = RegressionModel(b, [], [], Gaussian(1.0), None)
        assert in_c(compiled(folder, export(model)), model, rows[:2]) == in_python(model, rows[:2])
    monkeypatch.chdir(folder)
    write_model("flat", model, TableColumns(None, 2))
    for words, known in (([], 2), (["--features", "3"], 3)):
        assert main(["export", "flat", *words]) == 0
        text = capsys.readouterr().out
        assert f"svm_features = {known}," in text
        assert in_c(compiled(folder, text), model, [[1.0] * known]) == in_python(model, rows[:1])


@pytest.mark.slow("an exponent at which C differs")
@compiles
def test_exp_in_c_is_exp(folder):
    model = Model(0.0, [1.0], [[0.0]], Gaussian(1.0), None)
    check(folder, model, [[x] for x in exponents()])


@compiles
@pytest.mark.parametrize("step", [0.031, *slow_cases("an argument between these", 0.0031)])
def test_tanh_in_c_is_tanh(folder, step):
    model = Model(0.0, [1.0], [[1.0]], Sigmoid(1.0, 0.0), None)
    sizes = [k * step for k in range(int(25 / step))] + [math.log(2) / 4, TINY, 1e-200, 1e300]
    check(folder, model, [[s * x] for s in (1, -1) for x in sizes])


# ---- rows that are refused

@compiles
@pytest.mark.parametrize("model", one_in(6, EVERY_MACHINE))
def test_a_row_that_is_not_finite_is_nan_in_c(folder, model):
    rows = [[0.0, 1.0, bad, 2.0] for bad in (math.nan, math.inf, -math.inf)]
    assert in_python(model, rows) == in_python(model, rows[:1]) * 3
    assert in_python(model, rows)[0][1] in (0, -1, "nan")
    check(folder, model, ROWS + rows)


@compiles
def test_a_kernel_value_that_is_not_finite_is_nan_in_c(folder):
    model = Model(0.0, [1.0, 1.0], [[1.0], [1e200]], Polynomial(2), None)
    assert in_python(model, [[1.0], [1e-200]]) == [(["nan"], 0), ([(1.0).hex()], 1)]
    check(folder, model, [[1.0], [1e-200]])


@compiles
def test_a_sum_of_weights_that_overflows_is_no_refusal(folder):
    """inf - inf is NaN, and not >= 0, in Python as in C."""
    model = Model(0.0, [], [], Linear(), [1e308, 1e308])
    assert in_python(model, [[10.0, -10.0], [10.0, 1.0]]) == [(["nan"], -1), (["inf"], 1)]
    check(folder, model, [[10.0, -10.0], [10.0, 1.0]])


# ---- the file

@pytest.mark.slow("a function of a library in the C")
@compiles
def test_no_library_is_needed(folder):
    for model in SOME_MACHINES:
        text = export(model)
        assert [line for line in text.splitlines() if line.startswith("#include")] == [
            "#include <float.h>", "#include <stddef.h>"
        ]
        if sys.platform == "linux":
            compiled(folder, text, ["-O1", "-nodefaultlibs", "-Wl,-z,defs"])


@compiles
def test_two_machines_fit_into_one_program(folder):
    one, other = EVERY_MACHINE[4], EVERY_MACHINE[11]
    second = folder / "second.c"
    second.write_text(export(other, name="second"))
    library = compiled(folder, export(one, name="First_1"), [str(second)])
    assert in_c(library, one, ROWS, "First_1") == in_python(one, ROWS)
    assert in_c(library, other, ROWS, "second") == in_python(other, ROWS)


@compiles
def test_labels_stand_in_c_in_their_order(folder):
    machine = EVERY_MACHINE[11]
    for classes in ([7, -(2**31) + 1, 2.0], ["a\\n", 'sa"y??/ $@`', "Grün"], [0.5, 2**31, None]):
        library = compiled(folder, export(machine._replace(classes=classes)))
        if classes[0] == 7:
            found = list((ctypes.c_long * 3).in_dll(library, "svm_labels"))
        else:
            words = (ctypes.c_char_p * 3).in_dll(library, "svm_labels")
            found = [word.decode() for word in words]
            classes = list(map(str, classes))
        assert found == classes


@compiles
def test_the_head_says_how_to_call_it(folder):
    """A program that has nothing but what the first comment says."""
    source, machine = folder / "main.c", folder / "say.c"
    export(EVERY_MACHINE[0], machine, "say")
    source.write_text(
        "#include <stdio.h>\n"
        "double say_decision(const double *x);\nint say_predict(const double *x);\n"
        "int main(void)\n{\n    const double x[] = {1, 2, 3, 4};\n"
        '    printf("%a %d\\n", say_decision(x), say_predict(x));\n    return 0;\n}\n'
    )
    done = compile_c(source, [str(machine), "-o", str(folder / "say")])
    assert done.returncode == 0, done.stderr
    value, sign = subprocess.check_output([str(folder / "say")], text=True).split()
    assert float.fromhex(value).hex() == EVERY_MACHINE[0].decision([1, 2, 3, 4]).hex()
    assert int(sign) == EVERY_MACHINE[0].predict([1, 2, 3, 4])


BREAKING = [
    (["-ffast-math"], "options such as -ffast-math change the bits"),
    (["-ffinite-math-only"], "-ffinite-math-only leaves out"),
    (["-U__DBL_MANT_DIG__", "-D__DBL_MANT_DIG__=24"], "not the binary32 and binary64"),
    (["-U__FLT_EVAL_METHOD__", "-D__FLT_EVAL_METHOD__=2"], "FLT_EVAL_METHOD"),
]
BREAKING_GCC = [
    (["-fsingle-precision-constant"], "literals_must_be_doubles"),
    (["-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"], "change the bits"),
    (["-funsafe-math-optimizations"], "options such as -ffast-math change the bits"),
    (["-freciprocal-math"], "options such as -ffast-math change the bits"),
    (["-fno-signed-zeros"], "options such as -ffast-math change the bits"),
]
MASTERED = [  # asked for, and taken back by the file; clang tells a file nothing of these
    ["-O3", "-funsafe-math-optimizations"], ["-O3", "-freciprocal-math"], ["-fapprox-func"],
    ["-O3", "-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"],
    ["-fno-honor-nans"], ["-fno-honor-infinities"], ["-fdenormal-fp-math=positive-zero"],
]
FUSED = [["-O3", *LEVELS[-1][1:], standard, "-ffp-contract=fast"]
         for standard in ("-std=c99", "-std=gnu17")]
CLANG = [path for path in COMPILERS if "clang" in os.path.basename(path)]


@compiles
@pytest.mark.parametrize("compiler", COMPILERS, ids=os.path.basename)
def test_a_compiler_that_would_change_the_bits_is_stopped(folder, compiler):
    source = folder / "stopped.c"
    export(EVERY_MACHINE[4], source)
    gcc = "clang" not in os.path.basename(compiler)
    for options, sentence in BREAKING + (BREAKING_GCC if gcc and sys.platform == "linux" else []):
        done = compile_c(source, ["-fsyntax-only", *options], compiler, ["-std=c99", "-w"])
        assert done.returncode != 0 and sentence in done.stderr, options


@compiles
@pytest.mark.parametrize("options, compiler", [
    *itertools.product(FUSED[:1], COMPILERS),
    *slow_cases("an option that clang is told to forget", *itertools.product(MASTERED, CLANG),
                *itertools.product(FUSED[1:], COMPILERS)),
])
def test_options_that_are_taken_back_change_no_bit(folder, options, compiler):
    if compiler in CLANG and platform.machine() != "x86_64":
        pytest.skip("clang takes them back on x86-64, other processors need a newer one")
    for model in (EVERY_MACHINE[3], EVERY_MACHINE[4], EVERY_MACHINE[14]):
        check(folder, model, ROWS, options, compiler)


TCC = shutil.which("tcc")
LINE = ["-std=c99", "-ffp-contract=off"]  # as the head of the file says


@compiles
@pytest.mark.skipif(not TCC, reason="tcc is not here")
def test_a_small_compiler_gives_the_same_bits_by_the_same_line(folder):
    for model in SOME_MACHINES:
        source = folder / f"small{next(serial)}.c"
        library = source.with_suffix(".so")
        source.write_text(export(model), encoding="ascii")
        done = compile_c(source, ["-shared", "-o", str(library)], TCC, LINE)
        assert (done.returncode, done.stderr) == (0, "")
        assert in_c(ctypes.CDLL(str(library)), model, ROWS) == in_python(model, ROWS)


OTHERS = [found for found in map(shutil.which, [
    "s390x-linux-gnu-gcc", "aarch64-linux-gnu-gcc", "riscv64-linux-gnu-gcc",
    "arm-linux-gnueabihf-gcc"]) if found]


@pytest.mark.skipif(not OTHERS, reason="there is no compiler for another processor")
def test_compilers_for_other_processors_take_the_same_line(folder):
    """s390x-linux-gnu-gcc widens floats with -std=c99, which changes nothing here."""
    source = folder / "other.c"
    export(EVERY_MACHINE[6], source)
    assert "cc " + " ".join(LINE) in source.read_text()
    for compiler in OTHERS:
        strict = [*LINE, "-pedantic", "-Wall", "-Wextra", "-Werror"]
        done = compile_c(source, ["-O2", "-S", "-o", "-"], compiler, strict)
        assert done.returncode == 0, done.stderr
        done = compile_c(source, ["-O2", "-S", "-o", "-"], compiler, ["-std=gnu17"])
        assert done.returncode == 0, done.stderr
        assert not re.search(r"\t(v?fn?m(add|sub|la|ls)|m[as]db)", done.stdout), compiler


def test_the_text_is_plain_ascii_in_lines_of_at_most_99_letters():
    wide = Model(0.5, [], [], Linear(), [1 / (k + 3) for k in range(300)])
    for model in [*EVERY_MACHINE, wide]:
        text = export(model)
        assert text.isascii() and text.endswith("}\n") and "\n\n\n" not in text and "$" not in text
        assert max(map(len, text.splitlines())) <= 99


# ---- the tables

def declared(model):
    """What each table of the C text is: {name: type}."""
    tables = [line.split() for line in export(model).splitlines()
              if line.startswith("static const") and "[" in line]
    return {line[-3 if line[-1] == "{" else line.index("=") - 1].split("[")[0]:
            " ".join(line[2:line.index("=") - 1]) for line in tables}


@pytest.mark.parametrize("values, kind", [
    ([0.0, -127.0], "signed char"), ([255.0, 0.0], "unsigned char"), ([-1.0, 255.0], "short"),
    ([-128.0], "short"), ([-1.0, 128.0], "short"), ([256.0], "short"),
    ([32768.0], "unsigned short"),
    ([-1.0, 65535.0], "float"), ([65536.0], "float"), ([0.5], "float"), ([1e-45], "double"),
    ([2.0**-149], "float"), ([2.0**24 + 1], "double"), ([1e39], "double"), ([2.0**-150], "double"),
])
def test_a_table_gets_the_smallest_type_that_loses_nothing(values, kind):
    assert constants.smallest_type(values)[0] == kind
    assert declared(Model(0.1, [], [], Linear(), values))["rows"] == kind


def test_zeros_are_left_out_where_that_is_smaller():
    half = [[0.1 * (k % 9 != 0) for k in range(20)], [0.2] * 20]
    most = [[0.1 * (k % 9 == 0) for k in range(300)], [0.0] * 300]
    full = declared(Model(0.0, [1.0, -1.0], half, Gaussian(1.0), None))
    few = declared(Model(0.0, [1.0, -1.0], most, Gaussian(1.0), None))
    assert full == {"rows": "double", "offsets": "signed char", "coefs": "signed char"}
    assert few == {"first": "unsigned char", "places": "unsigned short", "values": "double",
                   "offsets": "signed char", "coefs": "signed char"}


@pytest.mark.parametrize("d, smaller", [(256, True), (257, False)])
def test_the_places_are_counted_with_the_bytes_they_take(d, smaller):
    rows = [[1.0] * 100 + [0.0] * (d - 100)]
    assert constants.smaller_without_zeros(rows) is smaller  # 202 bytes for 256, 302 for 257


def test_a_line_takes_what_fits_into_99_letters():
    assert [len(line) for line in constants.lines(["12345678"] * 20).split("\n")] == [93, 93, 22]


@compiles
@pytest.mark.parametrize("d", [256, *slow_cases("a last place", 255, 257)])
def test_a_wide_sparse_machine_has_the_same_bits_in_c(folder, d):
    vectors = [[0.0] * d for _ in range(3)]
    vectors[0][0], vectors[0][d - 1], vectors[1][d - 1], vectors[1][d // 2] = 1.5, 0.1, -7.0, 1e-9
    rows = [vectors[0], [0.125] * d, vectors[2], [k % 7 / 3 for k in range(d)]]
    for kernel in (Linear(), Gaussian(0.01)):
        model = Model(0.3, [1.0, -0.4, 0.2], vectors, kernel, None)
        assert "places" in check(folder, model, rows)
    check(folder, Model(0.3, [1.0], vectors[2:], Gaussian(0.5), None), rows)


@compiles
def test_the_exponential_is_the_same_whatever_power_of_two_it_has(folder):
    powers = [k + part for k in range(1078) for part in (0, 0.49, 0.5, 0.51)]
    rows = [[math.sqrt(k * math.log(2))] for k in powers]
    check(folder, Model(0.0, [1.0], [[0.0]], Gaussian(1), None), rows)


@compiles
def test_a_place_beyond_65535_is_found_in_c(folder):
    w = [0.0] * 70000
    w[3], w[65535], w[65536], w[69999] = 0.1, -7.0, 0.3, 1e-9
    model = Model(0.3, [], [], Linear(), w)
    text = check(folder, model, [w, [k % 7 / 3 for k in range(70000)]])
    # Of a type that has as many bytes as are told, on every machine.
    assert "uint_least32_t places[4]" in text and "The tables take 58 bytes;" in text


def test_the_size_told_is_that_of_the_tables():
    text = export(Model(0.1, [0.5, -0.3], [[1.0, 2.0, 3.0], [300.0, 2.0, 0.0]], Gaussian(1), None))
    assert "The tables take 36 bytes;" in text  # 6 shorts, 2 doubles, 1 double


@given(finite)
def test_a_constant_reads_back_as_the_same_double(value):
    assert float.fromhex(constants.literal(value)).hex() == value.hex()


# ---- refusals

class Mine(Kernel):
    def __call__(self, x, z):
        return 1.0


class Wider(Gaussian):
    """A subclass of a formula may compute anything."""


KNOWN = ("C can be written for Linear, Polynomial, MonomialSum, Gaussian, Sigmoid, and for their"
         " sums, products and multiples")


@pytest.mark.parametrize("kernel, shown", [
    (Spectrum(2), "Spectrum(length=2)"), (Mine(), "Mine()"), (Precomputed(), "Precomputed()"),
    (Wider(1.0), "Wider(gamma=1.0)"), (Linear() + Mine(), "(Linear() + Mine())"),
    (2 * Mine(), "2.0 * Mine()"), (max, "max"), (Linear() * Spectrum(1), "Linear() * Spectrum"),
])
def test_a_kernel_without_a_formula_is_refused(kernel, shown):
    two = Model(0.0, [1.0], [[1.0]], kernel, None)
    many = OneAgainstOne([1, 2], kernel, [[1.0]], [1, 0], [[1.0]], [0.0])
    for model in (many, two) if isinstance(kernel, Kernel) else (many,):
        with pytest.raises(ValueError) as refused:
            export(model)
        assert str(refused.value).startswith(f"kernel is {shown}")
        assert str(refused.value).endswith(KNOWN)


def test_of_a_fitted_svc_the_model_is_exported():
    for package in (refsvm, refsvm_fast):
        svc = package.SVC().fit([[0], [1], [2]], ["a", "b", "c"])
        assert export(svc) == export(svc.model_)


TWO = EVERY_MACHINE[4]
MANY = EVERY_MACHINE[11]
BALL = EVERY_MACHINE[22]
NEEDED = "a Model, a OneAgainstOne or a BallModel is needed, or an estimator that is fitted"
FRACTIONS = ("model holds Fractions, and C has none; export model.to(float), which decides by"
             " rounded numbers")


test_what_is_of_another_sort_is_refused = refusals(
    type_error(FRACTIONS, export, TWO._replace(b=Fraction(1, 2))),
    type_error(FRACTIONS, export, TWO._replace(coef=[Fraction(1)] * 3)),
    type_error(FRACTIONS, export, TWO._replace(kernel=Polynomial(2, Fraction(1)))),
    type_error(FRACTIONS, export, MANY._replace(offsets=[Fraction(1)] * 3)),
    type_error(FRACTIONS, export, MANY._replace(vectors=[[Fraction(1)] * 4] * 3)),
    type_error(FRACTIONS, export, smo(Problem([[0], [1]], [-1, 1], C=Fraction(1))).model()),
    type_error(f"model is a int; {NEEDED}", export, 3),
    type_error(f"model is a SVC; {NEEDED}", export, SVC()),
    type_error(f"model is a SVR; {NEEDED}", export, SVR()),
    type_error(FRACTIONS, export, BALL._replace(radius2=Fraction(1))),
    type_error("w_norm2 is '1'; a number is needed", export, BALL._replace(w_norm2="1")),
    type_error("b is '1'; a number is needed", export, TWO._replace(b="1")),
)


@pytest.mark.parametrize("model, sentence", [
    (TWO._replace(kernel=Polynomial(2**32)), "degree is 4294967296; a C program that any machine"
     " can run has none above 4294967295"),
    (TWO._replace(kernel=Gaussian(1e-200)), "gamma is 1e-200; C is written for one from 3e-151 to"
     " 3e+150, so scale the data by a power of two"),
    (TWO._replace(vectors=[], coef=[]), "model has no support vector; one is needed, and C has no"
     " empty tables"),
    (MANY._replace(kernel=Linear(), vectors=[]), "model has no support vector; one is needed, and"
     " C has no empty tables"),
    (TWO._replace(coef=[1.0]), "coef has length 1; it must be 3"),
    (BALL._replace(coef=[1.0]), "coef has length 1; it must be 3"),
    (BALL._replace(radius2=math.inf), "radius2 is inf; it must be a finite number"),
    (TWO._replace(b=math.inf), "b is inf; it must be a finite number"),
    (TWO._replace(vectors=[[1.0], [1.0, 2.0], [3.0]]), "vectors[1] has length 2; every row must"
     " have the length of vectors[0], which is 1"),
    (MANY._replace(classes=[1]), "classes has length 1; there must be at least 2"),
    (MANY._replace(counts=[3]), "counts has length 1; it must be 3"),
    (MANY._replace(counts=[1, 1, 2]), "counts adds up to 4; there are 3 vectors"),
    (MANY._replace(counts=[1, -1, 3]), "counts[1] is -1; it must be at least 0"),
    (MANY._replace(coefs=[[1.0] * 3]), "coefs has length 1; it must be 2"),
    (MANY._replace(coefs=[[1.0] * 2] * 2), "coefs[0] has length 2; it must be 3"),
    (MANY._replace(offsets=[0.0]), "offsets has length 1; it must be 3"),
])
def test_a_model_that_does_not_fit_together_is_refused(model, sentence):
    with pytest.raises(ValueError) as refused:
        export(model)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("name", ["", "1svm", "_svm", "s-v", "s v", "sü", "svm\n", "a;b"])
def test_a_name_that_c_cannot_use_is_refused(name):
    rule = "it must be letters of ASCII, digits and _, a letter first"
    with pytest.raises(ValueError) as refused:
        export(TWO, name=name)
    assert str(refused.value) == f"name is {name!r}; {rule}"
    with pytest.raises(TypeError) as refused:
        export(TWO, name=None)
    assert str(refused.value) == f"name is None; {rule}"


# ---- writing

def test_the_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "machine.c"
    text = export(TWO, path)
    assert path.read_text(encoding="ascii") == text == export(TWO)
    with pytest.raises(ValueError):
        export(TWO._replace(coef=[1.0]), path)
    with pytest.raises(ValueError):
        export(TWO, path, "no name")
    assert path.read_text(encoding="ascii") == text and os.listdir(tmp_path) == ["machine.c"]


def test_the_command_writes_what_export_writes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    model = MANY._replace(kernel=Gaussian(0.5))
    write_model("some.model", model)
    model = refsvm.read_model("some.model")
    assert main(["export", "some.model"]) == 0
    assert capsys.readouterr() == (export(model), "")
    assert main(["export", "some.model", "-o", "some.c", "--name", "some"]) == 0
    assert capsys.readouterr() == ("written: some.c\n", "")
    assert (tmp_path / "some.c").read_text() == export(model, name="some")
    assert main(["export", "some.model", "--features", "9", "-o", "-"]) == 0
    assert capsys.readouterr().out == export(refsvm.read_model("some.model", 9))
    for argv, sentence in [
        (["some.model", "-o", "none/some.c"], "none/some.c cannot be written; there is no folder"),
        (["some.model", "--name", "1"], "--name is '1'; it must be letters of ASCII"),
        (["some.model", "--features", "2"], "some.model, line "),
        (["some.model", "--features", "0"], "--features is 0; it must be at least 1"),
    ]:
        assert main(["export", *argv]) == 2
        assert capsys.readouterr().err.startswith(f"refsvm: {sentence}")
    write_model("gram.model", OneAgainstOne([1, 2], Precomputed(), [0], [1, 0], [[1.0]], [0.0]))
    assert main(["export", "gram.model"]) == 2
    assert capsys.readouterr().err.startswith("refsvm: kernel is Precomputed(); C can be written")


# ---- rows of a table

CELL = st.one_of(
    st.none(), st.integers(-3, 3), st.floats(-1e3, 1e3),
    st.sampled_from(["a", "b\u00e4", "*/ say \"no\"?", "2024-02-29", "1969-12-31", "1.5"]),
)
TABLES = st.integers(1, 4).flatmap(lambda d: st.tuples(
    st.lists(st.lists(CELL, min_size=d, max_size=d), min_size=2, max_size=9),
    st.lists(st.lists(CELL, min_size=d, max_size=d), min_size=1, max_size=5)))


def raw_of(library, preparation, row):
    """A row of cells as the numbers that svm_prepare takes, and that no column refuses."""
    raw = []
    for k, (cell, learnt) in enumerate(zip(row, preparation.document())):
        cell = plain_cell(cell, "")
        if cell is None or learnt is None:
            raw.append(math.nan)
        elif "values" in learnt:
            raw.append(library.svm_code(k, text_of(cell).encode()))
        else:
            raw.append((days_of if "days" in learnt else number_of)(cell))
    return raw


@compiles
@draws(0.5)
@given(TABLES)
@example(([[k / 7] for k in range(9)], [[k / 3] for k in range(40)]))  # a quotient is no product
@example(([["a", 1.0], ["*/ say \"no\"?", 2.0]], [["a", None], [None, 0.1]]))
def test_rows_of_a_table_are_prepared_with_the_same_bits(folder, tables):
    learnt, asked = tables
    try:
        preparation = Preparation.fit(learnt)
        prepared = preparation.rows(asked)
    except ValueError:
        return
    d = len(preparation.names)
    columns = TableColumns(None, len(learnt[0]), None, None, preparation.document())
    model = Model(0.5, [1.0], [[1.0] * d], Gaussian(0.5), None)
    text = c_text(model, "svm", d, columns)
    library = compiled(folder, text)
    for row, expected in zip(asked, prepared):
        raw = raw_of(library, preparation, row)
        x = (ctypes.c_double * d)(*[7.0] * d)
        library.svm_prepare((ctypes.c_double * len(raw))(*raw), x)
        assert list(map(float.hex, x)) == list(map(float.hex, expected))
    assert "svm_prepare, at the end of this file, makes of a row of the table.\n" in text
    has_texts = any(entry and "values" in entry for entry in preparation.document())
    assert hasattr(library, "svm_code") == has_texts


@compiles
def test_the_program_of_the_course_says_what_the_model_says(folder):
    page = (Path(__file__).parent.parent / "spec" / "course" / "17-in-practice.md").read_text()
    (program,) = re.findall(r"^```c\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    table = Path(refsvm.__file__).parent / "data" / "penguins.csv"
    model = folder / "penguins.model"
    assert main(["train", str(table), "--label", "species", "-o", str(model)]) == 0
    assert main(["export", str(model), "-o", str(folder / "penguins.c")]) == 0
    (folder / "device.c").write_text(program, encoding="ascii")
    done = compile_c(folder / "device.c", ["-o", str(folder / "device"), "-lm"])
    assert done.returncode == 0, done.stderr
    out = subprocess.run([folder / "device"], capture_output=True, text=True).stdout
    head = "island,bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g,sex,year"
    (folder / "new.csv").write_text(f"{head}\nDream,,17.9,192,3500,?,2007\n")
    assert main(["predict", str(folder / "new.csv"), str(model), "-o", str(folder / "said")]) == 0
    assert f"It prints {out.strip()}, as" in page and (folder / "said").read_text() == out
