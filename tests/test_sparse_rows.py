"""Sparse rows answer as the lists that they read as, at the cost of the numbers that are there."""

import tracemalloc
import warnings
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import refsvm
from refsvm import SVC, Gaussian, Linear, Polynomial, Problem, Sigmoid, export, gram
from refsvm.commands import main
from refsvm.files.models import read_model, same_width, write_model
from refsvm.files.scaling import Scaling, read_scaling, write_scaling
from refsvm.numerics.sparse_rows import KeptColumns, SparseRow, add_repeatedly, aligned, laid_out
from refsvm.proofs.certificate import certify
from refsvm.proofs.optimum import solve_exactly
from refsvm.tables.data import read_data, write_data
from tests.equality import PACKAGES, agree, find
from tests.profiles import draws

WIDTH = 90  # at least so wide that rows of a few numbers are no lists
FAR = 10**12
FULL = {k: 0.5 - k % 3 for k in range(2, WIDTH)}  # nearly everywhere a number
NUMBERS = st.sampled_from([1.0, -2.0, 0.1, 1e9, 2.0**-30]) | st.floats(-5, 5)


def sparse(numbers, width=WIDTH):
    """The sparse row with these numbers, by place."""
    kept = KeptColumns(sorted(numbers), width)
    return SparseRow(kept, [numbers[k] for k in kept.places])


def rows(n, least=0):
    """Sparse rows, of which some have a number in the first and in the last column. Where the last
    has one nearly everywhere, the others are sparse even without the columns that are empty."""
    places = st.sampled_from([0, 1, WIDTH - 1]) | st.integers(0, WIDTH - 1)
    row = st.dictionaries(places, NUMBERS, min_size=least, max_size=4)
    full = st.sampled_from([{}, FULL])
    return st.tuples(st.lists(row, min_size=n, max_size=n), full).map(
        lambda drawn: [*map(sparse, drawn[0][:-1]), sparse({**drawn[1], **drawn[0][-1]})]
    )


def by_place(x, z):
    """A kernel of the caller's own, to which every column matters."""
    return sum(k * a * b for k, (a, b) in enumerate(zip(x, z)))  # exact


def bits(value):
    """Numbers as text that tells any two apart, but for the sign of zero."""
    if isinstance(value, (list, tuple, SparseRow)):
        return [bits(v) for v in value]
    return (value + 0.0).hex() if isinstance(value, float) else value


def alike(use, *groups):
    """use() has the same bits for sparse rows as for lists, in either package."""
    for package in PACKAGES.values():
        assert bits(use(package, *groups)) == bits(use(package, *map(laid_out, groups)))


@given(rows(2))
@draws(0.3)
def test_a_sparse_row_reads_as_its_list(pair):
    x, z = pair
    full = list(x)
    assert len(full) == len(x) == WIDTH and x == full and full == x
    assert x == sparse(dict(x.items()))
    assert [x[k] for k in range(-WIDTH, WIDTH)] == full + full and x[3:50:7] == full[3:50:7]
    assert (x == z) == (full == list(z)) and x + z == x + list(z) == full + z == full + list(z)
    for k in (WIDTH, -WIDTH - 1):
        with pytest.raises(IndexError):
            x[k]


@given(st.floats(-1e9, 1e9), st.floats(-1e3, 1e3), st.integers(-60, 3), st.integers(0, 400))
@example(-6.668267995026164, 10420298.721762419, 0, 329)
@example(1.0, 2.0**-53, 0, 9)
@example(1.0, -1.5 * 2.0**-53, 0, 300)
@draws(1)
def test_many_additions_at_once_round_as_one_after_the_other(total, term, power, times):
    term, one_by_one = term * 2.0**power, total
    for _ in range(times):
        one_by_one += term
    assert add_repeatedly(total, term, times) == one_by_one
    exact = Fraction(total), Fraction(term)
    assert add_repeatedly(*exact, 3) == exact[0] + 3 * exact[1]


@given(rows(6), rows(3), st.sampled_from(["linear", "poly", "rbf", "sigmoid", by_place]),
       st.sampled_from([2, 3]))
@draws(0.5)
def test_an_svc_has_the_bits_that_lists_give(X, Q, kernel, k):
    def use(package, X, Q):
        svc = package.SVC(C=2.0, kernel=kernel, max_iter=40)
        try:
            svc.fit(X, [i % k for i in range(6)])
        except ValueError as error:
            return str(error)
        found = [svc.support_, svc.dual_coef_, svc.intercept_, svc.support_vectors_]
        found += [svc.shape_fit_, svc.decision_function(Q), svc.model_.decisions(Q)]
        return [*found, svc.coef_ if kernel == "linear" else None, svc.predict(Q)]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a training that max_iter ends
        alike(use, X, Q)


@given(rows(5), rows(2), st.sampled_from([Linear(), Gaussian(0.3), Polynomial(2, coef0=1),
                                          Sigmoid(0.1, 0) + 2 * Linear()]))
@example([*map(sparse, [{0: 1.0, 1: 2.5e-286}, {}, {}, {}, FULL])], [sparse({})] * 2, Linear())
@example([*map(sparse, [{0: 1.0}, {1: 0.0}, {}, {}, {}])], [sparse({})] * 2, Linear())
@draws(0.5)
def test_problems_models_and_grams_have_the_bits_that_lists_give(X, Q, kernel):
    y = [1, -1, 1, -1, 1]

    def use(package, X, Q):
        problem = package.Problem(X, y, kernel, C=3)
        solution = package.smo(problem, max_iter=50)
        model = solution.model()
        return [solution.alpha, solution.b, solution.gap, package.kkt(problem, solution.alpha).m,
                problem.X, problem.shift or [], model.w or [], model.vectors, model.decisions(Q),
                model.decision(Q[0]), package.gram(kernel, X, Q)]

    alike(use, X, Q)
    agree(lambda package, X: package.Problem(X, y, kernel), X)


@given(rows(4, least=1), rows(1))
@draws(0.2)
def test_proofs_are_those_of_the_lists(X, Q):
    for kernel in (Linear(), Gaussian(0.5)):
        one, other = (Problem(some, [1, -1, 1, -1], kernel) for some in (X, laid_out(X)))
        if kernel == Linear():  # by certificates the enclosed values are seen to be the same
            assert solve_exactly(one) == solve_exactly(other)
        proofs = [certify(problem, [0.5] * 4, 0) for problem in (one, other)]
        assert proofs[0][:4] == proofs[1][:4]  # primal, dual, gap, shares
        assert proofs[0].bound(Q[0]) == proofs[1].bound(list(Q[0]))


LEARNERS = {
    "pegasos": lambda package, X: package.pegasos(X, [1, -1, 1, -1], 0.5, [0, 1, 3, 2, 0, 1]),
    "perceptron": lambda package, X: package.perceptron(X, [1, -1, 1, -1], [0, 1, 2, 3] * 2),
    "lms": lambda package, X: package.lms(X, [1.0, 2.0, -1.0, 0.5], 1e-25, 3),
    "stochastic_lms": lambda package, X: find(package, "online.lms.stochastic_lms")(
        X, [1, 2, 3, 4], 1e-25, [3, 1, 0]),
}


@pytest.mark.parametrize("learner", LEARNERS)
@given(X=rows(4, least=1))
@draws(0.5)
def test_learners_of_one_example_at_a_time_take_sparse_rows_for_lists(learner, X):
    alike(LEARNERS[learner], X)


@given(rows(4), rows(2))
@draws(0.3)
def test_scaling_matching_and_export_take_sparse_rows_for_lists(X, Q):
    scaling, other = Scaling.fit(X), Scaling.fit(laid_out(X))
    assert bits(scaling) == bits(other)
    assert bits(scaling.apply(Q)) == bits(other.apply(laid_out(Q)))
    model, full = (SVC(gamma=1.0).fit(some, [0, 1, 0, 1]).model_ for some in (X, laid_out(X)))
    assert export(model) == export(full)
    assert bits(same_width(full, [sparse({}, 300)])[0].vectors) == [
        bits([*row, *[0.0] * (300 - WIDTH)]) for row in full.vectors
    ]


def test_a_column_that_no_reader_takes_is_not_written(tmp_path):
    path = tmp_path / "w"
    refusal = r"X\[1\] has a number in column 2147483648; a file has columns from 1 to 2147483647"
    with pytest.raises(ValueError, match=refusal):
        write_data(path, [sparse({0: 1.0}, FAR), sparse({2**31 - 1: 2.0}, FAR)], [1, -1])
    assert not path.exists()


def test_what_reads_as_wide_rows_takes_no_memory_for_them(tmp_path):
    path = partial(str.format, str(tmp_path / "{}"))
    X = [sparse({0: 1.0, 2**31 - 2: 2.0}, FAR), sparse({5: -1.0}, FAR), sparse({}, FAR)]
    y = [1, -1, -1]
    with open(path("w"), "w") as file:
        file.write("1 1:1 2147483647:1\n-1 1:-1\n")
    with open(path("ranges"), "w") as file:
        file.write("x\n-1 1\n3 0 5\n2147483647 1 2\n")
    tracemalloc.start()
    found = read_data(path("w"), features=FAR)
    assert found.X[0][2**31 - 2] == 1.0 and len(found.X[1]) == FAR
    scaling = read_scaling(path("ranges"), FAR)
    assert scaling.row(found.X[1])[2**31 - 2] == -3.0 and len(scaling.apply(found.X)[0]) == FAR
    write_scaling(path("again"), scaling)
    for package in PACKAGES.values():
        for kernel in ("linear", "rbf", "poly"):
            svc = package.SVC(kernel=kernel).fit(X, y)
            assert svc.predict(X) == y and len(svc.support_vectors_[0]) == FAR
            write_model(path("model"), svc.model_)
            assert len(read_model(path("model"), FAR).vectors[0]) == FAR
            model, wider = same_width(read_model(path("model")), X)
            assert len(model.vectors[0]) == len(wider[0]) == FAR
        for learner in LEARNERS.values():
            assert len(learner(package, [*X, X[0]])[0]) == FAR
        assert package.pegasos(X, y, 1, [0, 1, 2]).model().predictions(X)[:2] == [1, -1]
    assert len(solve_exactly(Problem(X, y)).w) == FAR
    write_data(path("w2"), found.X, y[:2])
    assert tracemalloc.get_traced_memory()[1] < 4e6
    tracemalloc.stop()


@pytest.mark.parametrize("words", [
    "train w -o m", "train w --kernel linear -o m", "predict w m -o out", "check w m --C 1",
    "exact w --kernel linear --certificate c", "exact w", "scale w -o s --save r",
    "scale w --restore r -o s", "export m -o m.c",
])
def test_commands_take_the_largest_index(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w").write_text("1 1:1 2147483647:1\n-1 1:-1\n")
    (tmp_path / "r").write_text("x\n-1 1\n2147483647 0 1\n")
    assert main(["train", "w", "-o", "m"]) == 0
    tracemalloc.start()
    assert main(words.split()) == 0
    assert tracemalloc.get_traced_memory()[1] < 8e6
    tracemalloc.stop()


@pytest.mark.slow("wide rows that a kernel, or a model, lays out")
def test_what_wide_rows_take_follows_their_numbers():
    X = [sparse({3 * i: 1.0, 3 * i + 2: 0.5}, 2**20) for i in range(800)]
    y = [1, -1] * 400
    for kernel in (Linear(), Gaussian(0.5), Polynomial(2) + Linear()):
        tracemalloc.start()
        problem = Problem(X, y, kernel)
        assert all(type(row) is SparseRow for row in problem.rows)
        table = problem.kernel_rows()
        assert table(problem.rows[1])[:2] == gram(kernel, X[1:2], X[:2])[0]
        assert len(refsvm.smo(problem, max_iter=1).model().decisions(X[:9])) == 9
        assert tracemalloc.get_traced_memory()[1] < 8e6  # laid out: 800 rows of 1600 numbers
        tracemalloc.stop()


def test_a_width_that_no_length_can_be_is_refused(tmp_path):
    (tmp_path / "w").write_text("1 1:1\n")
    with pytest.raises(ValueError, match="features is 1000000000000000000000; it must be at most"):
        read_data(tmp_path / "w", features=10**21)


def test_aligned_rows_share_their_columns():
    X = aligned([sparse({3: 1.0}), sparse({7: 2.0})])
    assert X[0].kept is X[1].kept and X[0].kept.places == [3, 7]
    assert Problem(X, [1, -1]).points == [[1.0, 0.0], [0.0, 2.0]]
    assert gram(Linear(), X) == [[1.0, 0.0], [0.0, 4.0]] == gram(refsvm.Linear(), laid_out(X))
