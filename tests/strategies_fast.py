"""Inputs that look for a difference between refsvm and refsvm_fast, for hypothesis to draw.

Fast code goes wrong where sizes pass a boundary (8 lanes, blocks of 256 examples), where numbers
lose bits (subnormal, huge, -0.0), where a caller's object is not quite a list of lists of floats,
and where an argument is refused. So the sizes, the numbers, the sorts of objects and the wrong
arguments are drawn from lists of such places. The numbers themselves come from a seed: hypothesis
draws thousands of single numbers too slowly.

    sizes, widths    n and d                     tables     rows of floats
    dress            the same rows as another sort of object
    kernels          every kernel, sums of them, functions of a caller's
    given_problems   the arguments of a Problem  problems   Problems
    solver_options   the other arguments of smo
    nonsense         what is no good anywhere
"""

import ctypes
import threading
from array import array
from collections import deque
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import inf, nan
from random import Random
from struct import pack, unpack
from unittest.mock import patch

from hypothesis import assume, settings
from hypothesis import strategies as st

from refsvm import (
    Gaussian,
    Kernel,
    Linear,
    MonomialSum,
    Polynomial,
    Precomputed,
    Problem,
    Sigmoid,
    Spectrum,
)
from refsvm.kernels.feature_maps import MapKernel
from refsvm_fast import COMPILED
from refsvm_fast._compressed import Compressed

try:
    import numpy
except ImportError:
    numpy = None
try:
    from scipy import sparse
except ImportError:
    sparse = None

STEPS = 300  # steps a solver may take when the draw set no bound: more say little, and cost

seeds = st.integers(0, 2**32 - 1)


# ---- sizes

USUAL_DRAWS = 100  # of a property
EDGES = [7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65]
BLOCKS = [255, 256, 257, 263, 264, 265, 511, 512, 513, 530]


@st.composite
def sizes(draw, most=None):
    """How many examples: few, around a multiple of 8, and now and then more than one block.

    Where there are many times as many draws as usual, that holds for as many of them as usually;
    the others are of few examples, which cost little.
    """
    times = settings.default.max_examples // USUAL_DRAWS
    if times > 1 and draw(st.integers(1, times)) < times:
        return draw(st.integers(2, 12 if most is None else min(12, most)))
    if most is None and draw(st.integers(0, 39)) == 39:
        return draw(st.sampled_from(BLOCKS))
    n = draw(st.one_of(st.integers(2, 12), st.integers(2, 40), st.sampled_from(EDGES)))
    return n if most is None else min(n, most)


widths = st.one_of(
    st.integers(1, 4), st.integers(1, 20), st.sampled_from([7, 8, 9, 15, 16, 17, 24, 25])
)


# ---- numbers


def any_double(random):
    """A finite double, every pattern of bits as likely as any other."""
    while True:
        value = unpack("<d", pack("<Q", random.getrandbits(64)))[0]
        if -inf < value < inf:
            return value


def now_and_then(share, value):
    """A flavour that is 0 but for a share of the numbers."""
    return lambda random: value(random) if random.random() < share else 0.0


def grid(random):
    return random.randint(-8, 8) / 4


def normal(random):
    return random.gauss(0, 1)


GENTLE = {
    "grid": grid,
    "normal": normal,
    "unit": lambda random: random.random(),
    "binary": lambda random: float(random.randint(0, 1)),
    "signs": lambda random: random.choice([-1.0, 1.0]),
    "sparse": now_and_then(0.3, normal),
    "sparser": now_and_then(0.1, grid),
    "sparsest": now_and_then(0.03, lambda random: 1.0),
    "zeros of both signs": lambda random: random.choice([0.0, -0.0, -0.0, 1.0, -1.0, 0.5]),
    "constant": lambda random: 0.75,
    "zero": lambda random: 0.0,
    "minus zero": lambda random: -0.0,
    "years": lambda random: float(2000 + random.randint(0, 25)),
    "moments": lambda random: 1.6e9 + random.randint(0, 10**6) / 8,
    "tenths": lambda random: random.randint(-30, 30) / 10,
}
WILD = {
    "far": lambda random: 2.0**50 + random.randint(-4, 4) / 4,
    "uneven": lambda random: random.gauss(0, 1) * 10.0 ** random.randint(-8, 8),
    "small": lambda random: random.gauss(0, 1) * 1e-5,
    "tiny": lambda random: random.gauss(0, 1) * 1e-160,
    "least": lambda random: random.randint(-5, 5) * 5e-324,
    "subnormal": lambda random: random.gauss(0, 1) * 2.0**-1030,
    "large": lambda random: random.gauss(0, 1) * 1e50,
    "larger": lambda random: random.gauss(0, 1) * 1e76,
    "huge": lambda random: random.gauss(0, 1) * 1e153,
    "largest": lambda random: random.choice([-1.0, 1.0]) * 1.7976931348623157e308,
    "largest, here and there": now_and_then(
        0.3, lambda random: random.choice([-1.0, 1.0]) * 1.7976931348623157e308
    ),
    "a huge one": now_and_then(0.1, lambda random: 1e300),
    "any bits": any_double,
    "mixed": lambda random: random.choice([0.0, -0.0, 1e-320, 1e-20, 1.0, -1.0, 3.5, 1e20, 1e80]),
}
FLAVOURS = {**GENTLE, **WILD}
flavours = st.one_of(
    st.sampled_from(sorted(GENTLE)), st.sampled_from(sorted(GENTLE)), st.sampled_from(sorted(WILD))
)


@st.composite
def tables(draw, n, d):
    """n rows of d floats: all of one flavour, or a flavour for each column; some rows twice."""
    random = Random(draw(seeds))
    if draw(st.integers(0, 2)):
        columns = [FLAVOURS[draw(flavours)]] * d
    else:
        columns = [FLAVOURS[name] for name in draw(st.lists(flavours, min_size=d, max_size=d))]
    X = [[flavour(random) for flavour in columns] for _ in range(n)]
    if draw(st.integers(0, 3)) == 0:
        for _ in range(n // 3):
            X[random.randrange(n)] = list(X[random.randrange(n)])
    return X


@st.composite
def gentle_tables(draw, n, d):
    """n rows of d floats of usual sizes."""
    random = Random(draw(seeds))
    flavour = GENTLE[draw(st.sampled_from(sorted(GENTLE)))]
    return [[flavour(random) for _ in range(d)] for _ in range(n)]


@st.composite
def marked_tables(draw, n):
    """n rows whose features, or the first of them, take two values, as far apart in each; now and
    then a number spoils it."""
    random = Random(draw(seeds))
    d = draw(st.sampled_from([1, 2, 7, 8, 9, 20, 63, 64, 65, 130]))
    a = draw(st.sampled_from([0.0, 0.0, 0.0, -0.0, -1.0, 0.1, 1e155]))
    b = draw(st.sampled_from([1.0, 1.0, 0.18257, -1 / 3, 3.0, 1e-160, 1e-200, 1e155, a]))
    share = draw(st.sampled_from([0.02, 0.1, 0.5, 0.95]))
    turned = [random.random() < draw(st.sampled_from([0, 0, 0.5])) for _ in range(d)]
    X = [[a + b - v if turn else v for v, turn in zip(row, turned)] for row in (
        [b if random.random() < share else a for _ in range(d)] for _ in range(n))]
    if draw(st.integers(0, 2)) == 0:
        for row in X:
            row += [random.gauss(0, 1) for _ in range(2)]
    if draw(st.integers(0, 3)) == 0:
        X[random.randrange(n)][random.randrange(d)] = draw(st.sampled_from([-a, -b, 0.77, 2 * b]))
    return X


@st.composite
def movable_tables(draw, n):
    """n rows of features with a usual value, which most have, or hardly any: what is stored by
    feature changes its place when medians are taken off. There may be -0.0 among the zeros of
    features that are not moved, or anywhere: what was given cannot be told from what is stored."""
    random = Random(draw(seeds))
    usual = draw(st.lists(st.sampled_from([3.0, -1.0, 2000.0, 0.0]), min_size=1, max_size=12))
    share = [draw(st.sampled_from([0.01, 0.1, 0.1, 0.2, 1])) for _ in usual]
    where = draw(st.sampled_from([{}, {0.0}, {0.0, 3.0}]))

    def other(c):
        number = random.choice([c + random.randint(-9, 9) / 4, c + 0.25, c - 1])
        return random.choice([-0.0, number]) if c in where else number

    return [
        [other(c) if random.random() < part else c for c, part in zip(usual, share)]
        for _ in range(n)
    ]


# ---- sorts of objects


class Framed:
    """A table that only says so by method, as a sparse matrix or a data frame does."""

    def __init__(self, rows, method):
        self.rows = rows
        setattr(self, method, lambda: self.rows)


class Sequence:
    """A row that has a length and items, and nothing else of a list."""

    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, k):
        return self.values[k]


class Listed(list):
    """A list with a class of its own."""


class Doubled(list):
    """A list that gives other items to who goes through it than it holds."""

    def __iter__(self):
        return (v if v is None else 2 * v for v in super().__iter__())


class Number(float):
    """A float with a class of its own."""


class Other(float):
    """A float that says, when asked, that it is another."""

    def __float__(self):
        return 2 * float.__add__(self, 0.0) + 1


def typed(code):
    """Rows as arrays of this type, where every number fits."""

    def rows(X):
        return [array(code, row if code in "fd" else map(int, row)) for row in X]

    return rows


def plane(X, code="d", before=0):
    """A memoryview of two dimensions; so many bytes of its memory are before it."""
    flat = array(code, [v if code in "fd" else int(v) for row in X for v in row])
    return memoryview(bytes(before) + flat.tobytes())[before:].cast(code, (len(X), len(X[0])))


def of_bools(X):
    """A memoryview of bools, of which those that are true are not all 1."""
    flat = bytes(int(abs(v)) % 256 for row in X for v in row)
    return memoryview(flat).cast("?", (len(X), len(X[0])))


def some_as(kind, share=5):
    """Every so many-th number as another kind of number, if it is the same number there."""

    def rows(X):
        return [
            [kind(v) if (i + k) % share == 0 and kind(v) == v else v for k, v in enumerate(row)]
            for i, row in enumerate(X)
        ]

    return rows


def whole(X):
    """Ints where the numbers are whole."""
    return [[int(v) if v == int(v) else v for v in row] for row in X]


PLAIN = {
    "lists": lambda X: X,
    "tuples": lambda X: [tuple(row) for row in X],
    "a tuple of lists": tuple,
    "lists with a class": lambda X: Listed(map(Listed, X)),
    "arrays": typed("d"),
    "a tuple of arrays": lambda X: tuple(typed("d")(X)),
    "arrays of float32": typed("f"),
    "arrays of ints": typed("q"),
    "arrays of bytes": typed("b"),
    "memoryviews": lambda X: [memoryview(array("d", row)) for row in X],
    "every other of a memoryview": lambda X: [
        memoryview(array("d", [v for v in row for _ in (0, 1)]))[::2] for row in X
    ],
    "a memoryview": plane,
    "a memoryview of float32": lambda X: plane(X, "f"),
    "a memoryview of unsigned": lambda X: plane(X, "Q"),
    "a memoryview of bools": of_bools,
    "a memoryview that is not aligned": lambda X: plane(X, "d", 1),
    "whole": whole,
    "some bools": some_as(bool, 2),
    "some ints": some_as(int, 3),
    "floats with a class": some_as(Number, 1),
    "lists that say otherwise": lambda X: [Doubled(row) for row in X],
    "floats that say otherwise": some_as(Other, 3),
    "numbers of C": lambda X: (ctypes.c_double * len(X[0]) * len(X))(*map(tuple, X)),
    "bytearrays": lambda X: [bytearray(map(int, row)) for row in X],
    "decimals": some_as(Decimal, 4),
    "some strings": lambda X: [["1" if v == 1 else v for v in row] for row in X],
    "objects with items": lambda X: list(map(Sequence, X)),
    "one object with items": Sequence,
    "deques": lambda X: deque(map(deque, X)),
    "a frame": lambda X: Framed(X, "to_numpy"),
    "a sparse matrix": lambda X: Framed(X, "toarray"),
    "rows that are frames": lambda X: [Framed(row, "tolist") for row in X],
    "ranges": lambda X: [range(i, i + len(row)) for i, row in enumerate(X)],
    "rows of the same list": lambda X: [X[0] if i % 3 == 0 else row for i, row in enumerate(X)],
}


def in_numpy(change):
    """A dress that begins with a NumPy array."""
    return lambda X: change(numpy.array(X, dtype=float))


def frozen(A):
    A.setflags(write=False)
    return A


def narrower(A, kind):
    with numpy.errstate(all="ignore"):
        return A.astype(kind)


def shifted_by_a_byte(A):
    """The same array, not aligned."""
    room = numpy.zeros(A.nbytes + 1, dtype=numpy.uint8)
    other = room[1:].view(numpy.float64).reshape(A.shape)
    other[...] = A
    return other


def partly_masked(A):
    """An array of which one number is not there: its list says None."""
    return numpy.ma.masked_array(A, mask=numpy.arange(A.size).reshape(A.shape) == A.size // 2)


def with_method(name, change):
    """The array as one of a class called as NumPy's own, whose method of this name, which comes
    first, says otherwise."""

    def method(self):
        with numpy.errstate(all="ignore"):
            return change(numpy.asarray(self))

    def view(A):
        return A.view(type("ndarray", (numpy.ndarray,), {name: method}))

    return view


def spoilt(number, kind):
    """A function that makes an array sparse, with another number in the midst."""

    def with_number(A):
        X = sparse.csr_matrix(narrower(A, kind))
        X.data[X.nnz // 2:X.nnz // 2 + 1] = number
        return X

    return with_number


def in_halves(kind):
    """A function that makes an array sparse, two numbers in every place, the last place first."""

    def doubled(A):
        A = narrower(A, kind)
        n, d = A.shape
        with numpy.errstate(all="ignore"):  # numbers that are not finite have no such part
            halves = numpy.concatenate([A, A - A // 3], axis=1)[:, ::-1].reshape(-1)
        places = numpy.tile(numpy.arange(d), 2)[::-1]
        starts = numpy.arange(n + 1) * 2 * d
        return sparse.csr_matrix((halves, numpy.tile(places, n), starts), shape=(n, d))

    return doubled


def in_few_places(kind, number=None):
    """A function that makes an array sparse and takes little of it: numbers of some places, in
    disorder, and of some places twice; of one place another number."""

    def thinned(A):
        A, random = narrower(A, kind), Random(A.size)
        n, d = A.shape
        share = random.choice([1, 1 + d // 4])  # of a row, so many numbers
        places = [random.randrange(d) for _ in range(n * share)]
        values = A[[e // share for e in range(n * share)], places]
        if number is not None:
            values[random.randrange(n * share)] = number
        return sparse.csr_matrix((values, places, numpy.arange(n + 1) * share), shape=(n, d))

    return thinned


SPARSE = {
    "by rows": lambda A: sparse.csr_matrix(A),
    "an array": lambda A: sparse.csr_array(A),
    "by columns": lambda A: sparse.csc_matrix(A),
    "places": lambda A: sparse.coo_matrix(A),
    "by diagonals": lambda A: sparse.dia_matrix(A),
    "float32": lambda A: sparse.csr_matrix(narrower(A, "f4")),
    "int64": lambda A: sparse.csr_matrix(narrower(A, "i8")),
    "int8": lambda A: sparse.csr_matrix(narrower(A, "i1")),
    "bools": lambda A: sparse.csr_matrix(A != 0),
    "complex": lambda A: sparse.csr_matrix(A.astype(complex)),
    "nothing left out": lambda A: sparse.csr_matrix(
        (A.reshape(-1), numpy.tile(numpy.arange(A.shape[1]), len(A)),
         numpy.arange(len(A) + 1) * A.shape[1]), shape=A.shape),
    "twice": in_halves("f8"),
    "twice, float32": in_halves("f4"),
    "twice, int8": in_halves("i1"),
    "twice, by columns": lambda A: sparse.csc_matrix(in_halves("f8")(A.T).T),
    "a class of its own": lambda A: type("csr_matrix", (sparse.csr_matrix,), {
        "toarray": lambda X: -sparse.csr_matrix.toarray(X)})(A),  # -: which never overflows
    "in few places": in_few_places("f8"),
    "in few places, float32": in_few_places("f4"),
    "in few places, int8": in_few_places("i1"),
    "in few places, by columns": lambda A: sparse.csc_array(in_few_places("f8")(A)),
    "in few places, nan": in_few_places("f8", nan),
    "in few places, large int64": in_few_places("i8", 2**53 + 1),
    "nan": spoilt(nan, "f8"),
    "large int64": spoilt(2**53 + 1, "i8"),
}
ARRAYS = {
    "C order": lambda A: A,
    "Fortran order": numpy and numpy.asfortranarray,
    "float32": lambda A: narrower(A, "f4"),
    "float16": lambda A: narrower(A, "f2"),
    "long doubles": lambda A: A.astype(numpy.longdouble),
    "int64": lambda A: narrower(A, "i8"),
    "int32": lambda A: narrower(A, "i4"),
    "int16": lambda A: narrower(A, "i2"),
    "int8": lambda A: narrower(A, "i1"),
    "uint64": lambda A: narrower(A, "u8"),
    "uint32": lambda A: narrower(A, "u4"),
    "uint16": lambda A: narrower(A, "u2"),
    "uint8": lambda A: narrower(A, "u1"),
    "large int64": lambda A: narrower(A, "i8") + (2**53 - 1),
    "bools": lambda A: A.astype(bool),
    "the other end first": lambda A: A.astype(A.dtype.newbyteorder()),
    "objects": lambda A: A.astype(object),
    "every other row": lambda A: numpy.repeat(A, 2, axis=0)[::2],
    "every other column": lambda A: numpy.repeat(A, 2, axis=1)[:, ::2],
    "backwards": lambda A: A[::-1, ::-1],
    "broadcast": lambda A: numpy.broadcast_to(A[0], A.shape),
    "read-only": frozen,
    "not aligned": shifted_by_a_byte,
    "transposed": lambda A: A.T.copy().T,
    "a list of arrays": list,
    "a memoryview of an array": memoryview,
    "NumPy's scalars": lambda A: [list(row) for row in A],
    "a matrix": lambda A: A.view(numpy.matrix),
    "masked": lambda A: numpy.ma.masked_array(A),
    "partly masked": partly_masked,
    "a tolist that says otherwise": with_method("tolist", lambda A: (2 * A).tolist()),
    "a to_numpy that says otherwise": with_method("to_numpy", lambda A: 2 * A),
    "a toarray that says otherwise": with_method("toarray", lambda A: -A),
    "rows whose tolist says otherwise": lambda A: list(
        with_method("tolist", lambda row: (2 * row).tolist())(A)
    ),
    "records": lambda A: [numpy.rec.array([tuple(row)])[0] for row in A],
    "complex": lambda A: A.astype(complex),
}
if sparse:
    ARRAYS.update((f"sparse, {name}", compress) for name, compress in SPARSE.items())
DRESSES = dict(PLAIN)
if numpy:
    DRESSES.update((name, in_numpy(change)) for name, change in ARRAYS.items())
USUAL = "tuples", "arrays", "a memoryview", "whole", "C order", "Fortran order", "float32"
OFTEN = [name for name in USUAL if name in DRESSES]
dresses = st.one_of(st.just("lists"), st.sampled_from(OFTEN), st.sampled_from(sorted(DRESSES)))


def dress(X, name):
    """The rows as another sort of object; as they are where they do not fit into it."""
    try:
        return DRESSES[name](X) if len(X) else X
    except (OverflowError, ValueError, TypeError, RuntimeError):  # the last one is ctypes'
        return X


ROW_DRESSES = {
    "list": list,
    "tuple": tuple,
    "array": lambda x: array("d", x),
    "memoryview": lambda x: memoryview(array("d", x)),
    "floats and ints": lambda x: whole([x])[0],
    "items": Sequence,
}
if numpy:
    ROW_DRESSES["NumPy"] = lambda x: numpy.array(x)
    ROW_DRESSES["NumPy's float32"] = lambda x: narrower(numpy.array(x), "f4")
    ROW_DRESSES["every other of NumPy"] = lambda x: numpy.repeat(numpy.array(x), 2)[::2]
    ROW_DRESSES["masked"] = lambda x: numpy.ma.array(x, mask=[k == 1 for k in range(len(x))])
row_dresses = st.sampled_from(sorted(ROW_DRESSES))


def as_row(values, name):
    """A list of numbers as another sort of object; as it is where they do not fit into it."""
    try:
        return ROW_DRESSES[name](values)
    except (OverflowError, ValueError, TypeError):
        return values


@st.composite
def lists_as(draw, values):
    """A list of numbers as itself, or as another sort of object."""
    return as_row(values, draw(st.one_of(st.just("list"), row_dresses)))


# Parts with which three_rows() is no Compressed any more; "width" is the first place beyond it.
BROKEN = [
    ("starts", [0, 1, 4, 3]), ("starts", [0, 1, 2, 5]), ("starts", [0, 3, 2, 4]),
    ("starts", [-1, 1, 2, 4]), ("starts", [0, 1, 2, 4, 4]), ("starts", [0, 1, 4]),
    ("places", [0, "width", 0, 1]), ("places", [0, -1, 0, 1]), ("places", [0, 1, 0]),
    ("values", [1, 1, 1]), ("values", [1.0, 2.0, inf, 1.0]), ("values", "1234"),
    ("values", memoryview(b"1234").cast("B", [2, 2])), ("places", None), ("starts", b"1234"),
    ("starts", array("d", [0, 1, 2, 4])), ("starts", array("Q", [0, 1, 2, 4])),
    ("places", array("d", [0, 1, 0, 1])), ("places", array("f", [0, 1, 0, 1.5])),
]


def three_rows(width):
    """A Compressed of four numbers."""
    X = Compressed.__new__(Compressed)
    # Before each part there is something, so that nothing tells of a read in front of it.
    parts = array("i", [0, 0, 1, 2, 4]), array("q", [0, 0, 1, 0, 1]), array("d", [0, 1, 2, 3, 4])
    X.n, X.d, (X.starts, X.places, X.values) = 3, width, (memoryview(part)[1:] for part in parts)
    return X


def with_part(X, name, part):
    """The Compressed X with another part."""
    if type(part) is list:
        code = "d" if name == "values" else "q"
        part = array(code, [X.d if v == "width" else v for v in part])
    setattr(X, name, part)
    return X


# ---- kernels

gammas = st.sampled_from(
    [2.0**k for k in range(-10, 7)]
    + [0.1, 0.3, 1, 3, 1e-3, 0.0625, 1e-9, 1e-300, 5e-324, 1e9, 1e300]
)
usual_gammas = st.sampled_from([0.01, 0.1, 0.25, 0.5, 0.7, 1, 1.0, 2, 3.5])
coefs0 = st.sampled_from([0, 0.0, -0.0, 1, 1.0, -1, 0.3, -2.5, 10, 1e-8, 1e5, -1e150])


def by_hand(x, z):
    total = 0
    for a, b in zip(x, z):
        total += a * b
    return total


def nearness(x, z):
    return 1 / (1 + abs(x[0] - z[0]))


def asymmetric(x, z):
    return x[0] - 2 * z[-1]


def whole_numbers(x, z):
    return int(by_hand(x, z) > 0) + (x == z)


def truths(x, z):
    return x[0] == z[0]


def fractions(x, z):
    return Fraction(1, 3) if x[0] < z[0] else Fraction(2, 3)


def signed_zero(x, z):
    return -0.0 if x[0] > z[0] else 0.0


def none_at_all(x, z):
    return None


def none_for_some(x, z):
    return None if x[0] > 1 and z[0] < 0 else 1.0


def nan_for_some(x, z):
    return nan if x[0] > 1 and z[0] < 0 else x[0] * z[0]


def inf_for_some(x, z):
    return -inf if x[0] > z[0] + 2 else x[0] * z[0]


def beyond_doubles(x, z):
    return 10**400 if x[0] > z[0] + 2 else 3


def words(x, z):
    return "1.0"


def refusing(x, z):
    if x[0] > 1 and z[0] < 0:
        raise LookupError("this kernel refuses some rows")
    return x[0] * z[0]


def of_numpy(x, z):
    return numpy.dot(x, z)


def an_array(x, z):
    return numpy.array([1.0])


FUNCTIONS = [
    by_hand, nearness, asymmetric, whole_numbers, truths, fractions, signed_zero, none_at_all,
    none_for_some, nan_for_some, inf_for_some, beyond_doubles, words, refusing, partial(by_hand),
]
if numpy:
    FUNCTIONS += [of_numpy, an_array]


class Nearness(Kernel):
    """A Kernel of a caller's."""

    def __call__(self, x, z):
        return nearness(x, z)


class TwiceLinear(Linear):
    """A class made from one of ours, with values of its own."""

    def value(self, x, z):
        return 2 * super().value(x, z)

    def row_function(self, points, kind):
        values = super().row_function(points, kind)
        return lambda x: [2 * v for v in values(x)]


class SameGaussian(Gaussian):
    """A class made from one of ours, with nothing of its own."""


class Unlike(Gaussian):
    """Its rows and its single values say different things; the solvers see the rows."""

    bounded = False

    def row_function(self, points, kind):
        return lambda x: [kind(k) for k, _ in enumerate(points)]


class LateKernel(Polynomial):
    """One whose parameters were changed after it was made."""

    def __init__(self, degree, gamma):
        super().__init__(2)
        self.degree, self.gamma = degree, gamma


def changed(kernel, **attributes):
    """The kernel, with attributes set by hand afterwards."""
    for name, value in attributes.items():
        setattr(kernel, name, value)
    return kernel


OWN = [
    Nearness(), TwiceLinear(), SameGaussian(0.5), Unlike(1), MapKernel(lambda x: [1, x[0], 3]),
    2 * Nearness(), Nearness() + Linear(), Linear() * Nearness(), Linear() + by_hand,
    whole_numbers + Polynomial(2, coef0=1), Kernel(),
]


@st.composite
def odd_kernels(draw):
    """Kernels whose attributes are not what their classes make them; made anew for each draw."""
    return draw(st.sampled_from([
        lambda: changed(Gaussian(1), gamma=2),
        lambda: changed(Gaussian(1), gamma=-1.0),
        lambda: changed(Gaussian(1), gamma=0.0),
        lambda: changed(Gaussian(1), gamma=inf),
        lambda: changed(Gaussian(1), gamma="1"),
        lambda: changed(Polynomial(2), degree=3, coef0=True),
        lambda: changed(Polynomial(2), degree=2.0),
        lambda: changed(Polynomial(2), gamma=nan),
        lambda: changed(Sigmoid(1, 0), coef0=None),
        lambda: changed(Gaussian(1), bounded=False),
        lambda: changed(Linear(), bounded=True),
        lambda: changed(Linear(), note="mine"),
        lambda: changed(2 * Linear(), factor=-1.0),
        lambda: changed(Gaussian(1), value=by_hand),
        lambda: LateKernel(3, 0.5),
    ]))()


@st.composite
def plain_kernels(draw, usual=False):
    """One of the kernels that are a formula."""
    gamma = usual_gammas if usual else st.one_of(usual_gammas, usual_gammas, gammas)
    coef0 = st.sampled_from([0, 1, 0.5]) if usual else coefs0
    which = draw(st.integers(0, 9))
    if which <= 2:
        return Linear()
    if which <= 5:
        return Gaussian(draw(gamma))
    if which <= 7:
        return Polynomial(draw(st.integers(0, 5)), draw(gamma), draw(coef0))
    if which == 8:
        return MonomialSum(draw(st.integers(0, 4)))
    return Sigmoid(draw(gamma), draw(coef0))


def composed(parts):
    """Sums, products and multiples."""
    factors = st.sampled_from([0, 1, 0.5, 2, 3.7, -0.0, 1e-300, 1e300])
    return st.one_of(
        st.tuples(parts, parts).map(lambda p: p[0] + p[1]),
        st.tuples(parts, parts).map(lambda p: p[0] * p[1]),
        st.tuples(factors, parts).map(lambda p: p[0] * p[1]),
    )


composites = st.recursive(plain_kernels(), composed, max_leaves=4)
kernels = st.one_of(
    plain_kernels(), plain_kernels(), plain_kernels(), composites,
    st.sampled_from(FUNCTIONS + OWN), odd_kernels(),
)


def common_letters(x, z):
    return len(set(x) & set(z))


string_kernels = st.one_of(
    st.integers(1, 4).map(Spectrum),
    st.sampled_from([
        common_letters, 0.5 * Spectrum(2), Spectrum(1) + Spectrum(3), Spectrum(2) * Spectrum(1),
        Spectrum(1) + common_letters,
    ]),
)
alphabets = st.sampled_from(["ab", "ACGT", "aäß漢", "\ud800a", "a\0b"])


@st.composite
def words_of(draw, n):
    """n strings, some empty, some equal."""
    letters = draw(alphabets)
    random = Random(draw(seeds))
    return ["".join(random.choices(letters, k=random.randint(0, 12))) for _ in range(n)]


# ---- labels and penalties


@st.composite
def labellings(draw, X):
    """Labels, both there: at random, by turns, by the first number, one against the rest."""
    n, random = len(X), Random(draw(seeds))
    way = draw(st.integers(0, 4))
    if way == 0:
        y = [random.choice([1, -1]) for _ in range(n)]
    elif way == 1:
        y = [1 if i % 2 else -1 for i in range(n)]
    elif way == 2 and not isinstance(X[0], str):
        middle = sorted(row[0] for row in X)[n // 2]
        y = [1 if row[0] >= middle else -1 for row in X]
    elif way == 3 and not isinstance(X[0], str):
        y = [1 if row[0] + row[-1] / 2 > 0 else -1 for row in X]
    else:
        lone = random.randrange(n)
        y = [1 if i == lone else -1 for i in range(n)]
    if len(set(y)) < 2:
        y[0] = -y[0]
    return y


penalties = st.one_of(
    st.sampled_from([1, 1.0, 0.1, 10, 100.0, 0.5, 2, 1000]),
    st.sampled_from([1e-3, 1e6, 1e-300, 1e300, 1e12, inf, inf, 5e-324, 1 / 3]),
)


@st.composite
def penalties_for(draw, n):
    """C: one number for all, or one for each."""
    if draw(st.integers(0, 2)):
        return draw(penalties)
    few = draw(st.lists(penalties, min_size=1, max_size=4))
    random = Random(draw(seeds))
    return draw(lists_as([random.choice(few) for _ in range(n)]))


# ---- problems


def gram_of(X):
    """A symmetric matrix of X's inner products, as floats."""
    return [[float(by_hand(x, z)) for z in X] for x in X]


@st.composite
def given_problems(draw, most=None, sorts=True):
    """The arguments of Problem, good ones nearly always; `sorts`: X as any sort of object."""
    n = draw(sizes(most))
    which = draw(st.integers(0, 19))
    if which == 19:
        X, kernel = draw(words_of(min(n, 20))), draw(string_kernels)
        n = len(X)
    elif which >= 17:
        X = draw(gentle_tables(min(n, 64), draw(st.integers(1, 5))))
        X, kernel = gram_of(X), Precomputed()
        n = len(X)
    elif which >= 8:
        X, kernel = draw(gentle_tables(n, draw(widths))), draw(plain_kernels(usual=True))
    else:
        X, kernel = draw(tables(n, draw(widths))), draw(kernels)
    y = draw(labellings(X))
    if numpy and draw(st.integers(0, 4)) == 0:
        y = numpy.array(y, dtype=draw(st.sampled_from(["i1", "i4", "f4", "f8", ">i2"])))
    return {
        "X": dress(X, draw(dresses)) if sorts and which < 19 else X,
        "y": draw(lists_as(y)) if isinstance(y, list) else y,
        "kernel": kernel,
        "C": draw(penalties_for(n)),
        "bias": draw(st.sampled_from([True, True, False])),
        "slack": draw(st.sampled_from(["hinge", "hinge", "squared"])),
    }


@st.composite
def problems(draw, most=None):
    """Problems whose arguments were good."""
    return possible(draw(given_problems(most)))


def possible(given):
    """The Problem of these arguments, or another draw."""
    try:
        return Problem(**given)
    except (ValueError, TypeError):
        assume(False)


class Enough(Exception):
    """Raised by an on_step that has seen enough."""


def tried(function, *args, **kw):
    """What a call returns or raises."""
    try:
        return function(*args, **kw)
    except Exception as error:
        return error


def watch(steps, step):
    """An on_step that lets the solver take so many steps."""
    if step.iteration >= steps:
        raise Enough(f"after {steps}")


@st.composite
def starts(draw, problem):
    """Multipliers within their bounds: at either end, and between."""
    random = Random(draw(seeds))
    tops = [1.0 if c == inf else c for c in problem.upper_bounds()]
    alpha = [c * random.choice([0, 0, 0, 1, 0.5, random.random()]) for c in tops]
    return draw(lists_as(alpha))


tolerances = st.sampled_from([1e-3, 1e-3, 1e-3, 0, 1e-6, 1e-1, 1e-12, 0.5, 1e300, 5e-324])
steps_allowed = st.sampled_from([0, 1, 2, 3, 5, 10, 40, 100, 200])
cache_sizes = st.sampled_from([200, 200, 1, 0.01, 1e-3, 1e-6, 5e-324])
threads = st.sampled_from([1, 2, 3])


@st.composite
def solver_options(draw, problem):
    """Arguments of smo besides the problem; none takes more than a few hundred steps."""
    options = {
        "tol": draw(tolerances),
        "cache_mb": draw(cache_sizes),
        "threads": draw(threads),
        "on_step": partial(watch, draw(st.sampled_from([STEPS, STEPS, STEPS, 1, 3]))),
    }
    if draw(st.booleans()):
        options["max_iter"] = draw(steps_allowed)
        if draw(st.booleans()):
            del options["on_step"]
    if draw(st.integers(0, 3)) == 0:
        options["start"] = draw(starts(problem))
    return options


# ---- clouds


def cloud(n, d, seed=0):
    """n rows of d numbers, of which a third are zero, and labels."""
    random = Random(n * 1000 + d + seed)
    y = [random.choice([1, -1]) for _ in range(n)]
    y[:2] = [1, -1]
    X = [[0.0 if random.random() < 0.3 else random.gauss(0.3 * s, 1) for _ in range(d)] for s in y]
    return X, y


# ---- what is no good


def a_generator():
    yield 1


NONSENSE = [
    None, "", "x", "1", b"1", [], (), {}, set(), [[]], [None], [nan], [inf], [1, [2]],
    [[1], [2, 3]],
    nan, inf, -inf, -1, 0, -0.0, 1.5, 2, 2**53 + 1, 10**400, -(10**400), True, False, 1j,
    object(), float, int, max, a_generator, Fraction(1, 3), Fraction(-1, 2), Decimal("0.1"),
    Decimal("nan"), [1, -1, 0], ["a", "b"], [Fraction(1, 2)], {"a": 1}, array("d"),
    array("d", [1]),
    array("b", [1, 2]), memoryview(b"abc"), bytearray(b"ab"), range(3), range(0), 5e-324, 1e308,
]
if numpy:
    NONSENSE += [
        numpy.float64(nan), numpy.float32(0.5), numpy.int8(3), numpy.array(2.0), numpy.array([]),
        numpy.array([[nan]]), numpy.zeros((2, 0)), numpy.zeros((0, 2)), numpy.zeros((2, 2, 2)),
        numpy.array(["a", "b"]), numpy.bool_(True), numpy.array([1, None]), numpy.float64(2),
        numpy.datetime64("2020"),
    ]
nonsense = st.sampled_from(NONSENSE)


@st.composite
def spoiled(draw, values):
    """A list, or list of lists, in which something is wrong: one item, or the length."""
    if not isinstance(values, list) or not values:
        return draw(nonsense)
    values, k = list(values), draw(st.integers(0, len(values) - 1))
    way = draw(st.integers(0, 5))
    if way == 0:
        del values[k]
    elif way == 1:
        values.append(values[k])
    elif way == 2 and isinstance(values[k], list):
        values[k] = draw(spoiled(values[k]))
    else:
        values[k] = draw(nonsense)
    return values


@st.composite
def spoiled_arguments(draw, arguments):
    """The arguments by name, one of them no good (or so it seems)."""
    arguments = dict(arguments)
    name = draw(st.sampled_from(sorted(arguments)))
    value = arguments[name]
    arguments[name] = draw(spoiled(value) if isinstance(value, list) else nonsense)
    return arguments


# ---- several classes


@st.composite
def class_labels(draw, n):
    """Labels of one sort, of two classes and more, now and then of one."""
    sort = draw(st.sampled_from([
        [0, 1], [1, -1], [-1, 1], ["no", "yes"], [0.5, 1.5, -2.0], [True, False], [3, 1, 2],
        ["b", "a", "c", "d"], [10, 9, 8, 7, 6], [(1, 2), (0, 5)], [Fraction(1, 2), 1], [1, 2.0],
        [-0.0, 1], ["", "a"], [b"a", b"b"], [1], ["a", 1], [None, 1], [2**70, -(2**70)],
    ]))
    random = Random(draw(seeds))
    y = [random.choice(sort) for _ in range(n)]
    if draw(st.integers(0, 9)):
        y[:len(sort)] = sort[:n]
    if numpy and draw(st.integers(0, 3)) == 0:
        try:
            return numpy.array(y)
        except ValueError:
            return y
    return y


# ---- threads


@contextmanager
def threads_begun(least=None):
    """A list of the threads that begin meanwhile.

    least: from so many cycles on work is shared; or else where that is worth it. With it some must
    have begun in the end, so that a test of what threads share is none of what they do not.
    """
    begun, start = [], threading.Thread.start

    def begin(thread):
        begun.append(thread)
        start(thread)

    with ExitStack() as patches:
        patches.enter_context(patch("threading.Thread.start", begin))
        if least is not None and COMPILED:
            patches.enter_context(patch("refsvm_fast._inputs.WORTH_SHARING", least))
        yield begun
    assert begun or least is None or not COMPILED


all_shared = partial(threads_begun, 0)


# ---- what is asked of a model made by hand


def decided_by_hand(package, coef, vectors, kernel, rows, threads):
    return package.Model(0.5, coef, vectors, kernel, None).decisions(rows, threads=threads)


def decided_each_way(package, rows, *fields):
    model = package.Model(*fields)
    return [tried(method, rows) for method in (model.decisions, model.predictions)] + [
        tried(method, rows[0]) for method in (model.decision, model.predict)]
