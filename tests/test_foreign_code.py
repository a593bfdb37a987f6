"""What a caller's code says and does while it is asked: a length that lies, a kernel that changes
its rows, or is not symmetric. Both packages answer alike, and nothing of theirs is changed."""

from contextlib import suppress
from fractions import Fraction

import pytest
from equality import agree
from test_scipy_matrices import ENTRIES, matrix

import refsvm
import refsvm_fast
from refsvm.kernels.base import FunctionKernel
from refsvm.kernels.feature_maps import MapKernel

X, Y = [[0.0], [1.0], [2.0], [-3.0]], [-1, 1, 1, -1]
PACKAGES = [refsvm, refsvm_fast]


class Lying:
    """A sequence that says it has as many numbers as no memory holds."""

    def __init__(self, values):
        self.values = values

    def __len__(self):
        return 2**60

    def __getitem__(self, i):
        return self.values[i]


class LyingList(list):
    def __len__(self):
        return 2**60


class LyingHint(Lying):
    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return self

    def __next__(self):
        raise StopIteration

    def __length_hint__(self):
        return 2**60


USES = {
    "SVC": lambda lib, x, y: lib.SVC().fit(x, y).decision_function([[0.5]]),
    "LinearSVC": lambda lib, x, y: lib.LinearSVC().fit(x, y).decision_function([[0.5]]),
    "SVR": lambda lib, x, y: lib.SVR().fit(x, y).predict([[0.5]]),
    "OneClassSVM": lambda lib, x, y: lib.OneClassSVM().fit(x).decision_function([[0.5]]),
    "weights": lambda lib, x, y: lib.SVC().fit(x, Y, sample_weight=y).decision_function(x),
    "own kernel": lambda lib, x, y: lib.SVC(kernel=lambda a, b: a[0] * b[0]).fit(x, y).predict(x),
    "predict": lambda lib, x, y: lib.SVC().fit(X, Y).predict(x),
    "gram": lambda lib, x, y: lib.gram(lib.Gaussian(1), x),
    "smo": lambda lib, x, y: lib.smo(lib.Problem(x, Y), start=y).alpha,
    "C": lambda lib, x, y: lib.Problem(x, Y, C=y).C,
    "pegasos": lambda lib, x, y: lib.pegasos(x, y, 1, [0, 1, 2]),
    "perceptron": lambda lib, x, y: lib.perceptron(x, y, [0, 1, 2]),
    "lms": lambda lib, x, y: lib.lms(x, y, 0.125, 3),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("sort", [Lying, LyingList, LyingHint])
def test_a_length_that_lies_asks_for_no_memory(sort, use):
    y = [1.0] * 4 if use in (USES["weights"], USES["C"]) else Y
    lying = [([sort(X[0]), *X[1:]], y), ([*X[:3], sort(X[3])], y), (sort(X), y), (X, sort(y))]
    for given in lying:
        with suppress(TypeError, ValueError):  # but no MemoryError
            use(refsvm, *given)
        agree(use, *given)


@pytest.mark.parametrize("part, value", [
    ("data", None), ("data", "x" * 16), ("indices", None), ("indptr", None), ("_shape", None),
    ("_shape", (8, -1)), ("_shape", (8, 2**70)), ("data", []),
])
@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_a_part_of_a_sparse_matrix_that_is_gone_or_lies_is_told(layout, part, value):
    broken = matrix(layout)
    if hasattr(broken, part):
        setattr(broken, part, value)
        for name in ("SVC", "LinearSVC", "perceptron", "gram"):
            with pytest.raises((TypeError, ValueError)) as told:
                ENTRIES[name](refsvm, broken)
            assert "sparse matrix has" in str(told.value) or "a sequence is" in str(told.value)
            agree(ENTRIES[name], broken)


# A kernel of the caller's


def emptied(*rows):
    for row in rows:
        row.clear()


def counted_up(*rows):
    for row in rows:
        row[0] += 1


def changing(change):
    """A linear kernel that changes its rows."""

    def kernel(x, z):
        value = x[0] * z[0] + 1
        change(x, z)
        return value

    return kernel


KERNEL_USES = {
    "SVC": lambda lib, k: lib.SVC(kernel=k).fit(X, Y).decision_function(X),
    "a sum": lambda lib, k: lib.SVC(kernel=lib.Linear() + k).fit(X, Y).decision_function(X),
    "pairs": lambda lib, k: lib.SVC(kernel=k).fit(X, [1, 2, 3, 1]).decision_function(X),
    "SVR": lambda lib, k: lib.SVR(kernel=k).fit(X, [0, 1, 2, 3]).predict(X),
    "OneClassSVM": lambda lib, k: lib.OneClassSVM(kernel=k).fit(X).decision_function(X),
    "SVDD": lambda lib, k: lib.SVDD(kernel=k).fit(X).decision_function(X),
    "NuSVC": lambda lib, k: lib.NuSVC(kernel=k).fit(X, Y).decision_function(X),
    "exact": lambda lib, k: lib.solve_exactly(lib.Problem(X, Y, k)).alpha,
    "gap": lambda lib, k: lib.gap_bounds(lib.Problem(X, Y, k), [0.0] * 4, 0.0),
    "pegasos": lambda lib, k: lib.kernel_pegasos(k, X, Y, 1, [0, 1, 2]),
    "perceptron": lambda lib, k: lib.kernel_perceptron(k, X, Y, [0, 1, 2]),
}


@pytest.mark.parametrize("use", KERNEL_USES.values(), ids=KERNEL_USES)
@pytest.mark.parametrize("change", [emptied, counted_up])
def test_what_a_kernel_does_to_its_rows_changes_nothing(change, use):
    agree(use, changing(change))
    still = changing(lambda *rows: None)
    for lib in PACKAGES:
        assert use(lib, changing(change)) == use(lib, still)


def test_what_a_feature_map_does_to_its_row_changes_nothing():
    images = MapKernel(lambda x: [x.pop()])
    for lib in PACKAGES:
        assert lib.gram(images, X) == lib.gram(lib.Linear(), X)


def leaning(x, z):
    return x[0] * z[0] + x[0] + 4


@pytest.mark.parametrize("use", KERNEL_USES.values(), ids=KERNEL_USES)
def test_a_kernel_that_is_seen_not_to_be_symmetric_is_refused(use):
    for kernel in (leaning, refsvm.Linear() + leaning, 2 * FunctionKernel(leaning)):
        with pytest.raises(ValueError, match="a kernel is symmetric, so take "):
            use(refsvm, kernel)
        agree(use, kernel)


@pytest.mark.parametrize("unit", [2.0**-500, 1.0, 2.0**500])
def test_rounding_may_part_the_values_of_doubles_in_any_unit(unit):
    """By half of their digits; no more, and on fractions by nothing."""
    def parted(by):
        return lambda x, z: unit * (x[0] * z[0] + 1) * (1 + by * (x[0] > z[0]))

    def fit(lib, kernel):
        return lib.smo(lib.Problem(X, Y, kernel)).alpha

    agree(fit, parted(2.0**-27))
    with pytest.raises(ValueError, match="examples 0 and 1"):
        fit(refsvm, parted(2.0**-24))
    with pytest.raises(ValueError, match="examples 0 and 1"):
        refsvm.smo(refsvm.Problem([[Fraction(v) for v in x] for x in X], Y, parted(2.0**-50)))
