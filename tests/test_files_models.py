"""Facts about LIBSVM's model files: those it writes are read, those written here it reads."""

import gzip
import os
import pickle
import random
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import peer

import refsvm
import refsvm_fast
from refsvm.estimators.svc import SVC
from refsvm.files.models import read_model, same_width, write_model
from refsvm.kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from refsvm.svm.calibration import Calibration
from refsvm.svm.one_vs_one import OneAgainstOne

doubles = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(
    [0.0, -0.0, 5e-324, 1e308, -1.7976931348623157e308, 0.1]
)
positives = st.floats(min_value=0, exclude_min=True, allow_infinity=False)
kernels = st.one_of(
    st.just(Linear()),
    st.builds(Polynomial, st.integers(0, 9), doubles, doubles),
    st.builds(Gaussian, positives),
    st.builds(Sigmoid, doubles, doubles),
    st.just(Precomputed()),
)


@st.composite
def voters(draw):
    kernel = draw(kernels)
    labels = st.integers(1 - 2**31, 2**31 - 1)
    classes = draw(st.lists(labels, min_size=2, max_size=4, unique=True))
    k = len(classes)
    counts = [draw(st.integers(0, 2)) for _ in classes]
    V, d = sum(counts), draw(st.integers(1, 3))
    if isinstance(kernel, Precomputed):
        vectors = draw(st.lists(st.integers(0, 99), min_size=V, max_size=V))
    else:
        vectors = [[draw(doubles) for _ in range(d)] for _ in range(V)]
    coefs = [[draw(doubles) for _ in range(V)] for _ in range(k - 1)]
    offsets = [draw(doubles) for _ in combinations(classes, 2)]
    return OneAgainstOne(classes, kernel, vectors, counts, coefs, offsets)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


def exact(value):
    """A nested list with its doubles as exact text, -0.0 as 0.0, and everything else as it is."""
    if isinstance(value, (list, tuple)):
        return [exact(item) for item in value]
    return (value + 0.0).hex() if isinstance(value, float) else value


def read_text(folder, content, *arguments):
    path = folder / "some.model"
    path.write_text(content)
    return read_model(path, *arguments)


def refusal(act, *arguments):
    with pytest.raises(ValueError) as refused:
        act(*arguments)
    return str(refused.value)


OTHER = "LIBSVM's are read, which refsvm train and svm-train write of the same data"
SOME = """svm_type c_svc
kernel_type polynomial
degree 2
gamma 0.5
coef0 1
nr_class 3
total_sv 4
rho 0.5 -1 0
label 1 -1 7
nr_sv 1 1 2
SV
1 0.25 1:1 3:-2 
-1 1 
0.5 -1 2:4 
-0.75 0 1:0.125 
"""
AS_MODEL = OneAgainstOne(
    [1, -1, 7],
    Polynomial(2, 0.5, 1.0),
    [[1.0, 0, -2.0], [0.0, 0, 0], [0, 4.0, 0], [0.125, 0, 0]],
    [1, 1, 2],
    [[1.0, -1.0, 0.5, -0.75], [0.25, 1.0, -1.0, 0.0]],
    [-0.5, 1.0, 0.0],
)


def test_a_model_is_read_and_written_as_it_stands_here(folder):
    assert read_text(folder, SOME) == AS_MODEL
    write_model(folder / "written.model", AS_MODEL)
    assert (folder / "written.model").read_text() == SOME


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="pipes have no names here")
def test_a_model_may_come_through_a_pipe(folder):
    model = SVC(C=1, gamma=1).fit([[0], [1]], [1, 2]).model_
    write_model(folder / "file", model)
    pipe, end = os.pipe()
    os.write(end, (folder / "file").read_bytes())
    os.close(end)
    assert read_model(f"/dev/fd/{pipe}") == model
    os.close(pipe)


def test_reading_gives_ints_for_labels_and_counts_and_degree(folder):
    got = read_text(folder, SOME)
    assert {type(n) for n in got.classes + got.counts + [got.kernel.degree]} == {int}
    assert {type(b) for b in got.offsets + got.coefs[0] + got.vectors[0]} == {float}


@given(voters())
def test_what_is_written_is_read_back_to_the_same_doubles(folder, model):
    path = folder / "round.model"
    before = repr(model)
    write_model(path, model)
    assert repr(model) == before
    width = None if isinstance(model.kernel, Precomputed) else len((model.vectors or [[0]])[0])
    got = read_model(path, width)
    assert exact(got._replace(kernel=None)) == exact(model._replace(kernel=None))
    assert type(got.kernel) is type(model.kernel)
    assert exact(list(vars(got.kernel).values())) == exact(list(vars(model.kernel).values()))
    again = folder / "again.model"
    write_model(again, got)
    assert again.read_text() == path.read_text()


def test_an_offset_of_zero_is_written_without_a_sign_and_read_without_one(folder):
    for b in (0.0, -0.0):
        write_model(folder / "zero.model", AS_MODEL._replace(offsets=[b, b, b]))
        assert "\nrho 0 0 0\n" in (folder / "zero.model").read_text()
        assert [str(b) for b in read_model(folder / "zero.model").offsets] == ["0.0"] * 3


def test_labels_keep_their_order(folder):
    model = OneAgainstOne([-1, 1], Linear(), [[1], [2]], [1, 1], [[1, -1]], [0])
    write_model(folder / "order.model", model)
    assert "\nlabel -1 1\n" in (folder / "order.model").read_text()
    assert read_model(folder / "order.model").classes == [-1, 1]


def test_whole_floats_and_exact_fractions_are_written_as_what_they_are(folder):
    half = Fraction(1, 2)
    model = OneAgainstOne([1.0, -1], Linear(), [[half], [2]], [1, 1], [[half, -1]], [half])
    write_model(folder / "exact.model", model)
    assert (folder / "exact.model").read_text().endswith(
        "rho -0.5\nlabel 1 -1\nnr_sv 1 1\nSV\n0.5 1:0.5 \n-1 1:2 \n"
    )


def test_line_ends_blank_lines_and_gzip_do_not_matter(folder):
    assert read_text(folder, SOME.replace("\n", "\r\n")) == AS_MODEL
    assert read_text(folder, SOME.replace(" \n", "\n").replace("\n", "\n\n")) == AS_MODEL
    (folder / "packed").write_bytes(gzip.compress(SOME.encode()))
    assert read_model(folder / "packed") == AS_MODEL


def test_lines_about_probabilities_are_read_and_written(folder):
    lines = "probA -1 -2 3\nprobB 0.5 2 0\nnr_sv"
    model = read_text(folder, SOME.replace("nr_sv", lines))
    assert model == AS_MODEL._replace(calibrations=[(-1, 0.5), (-2, 2), (3, 0)])
    assert {type(pair) for pair in model.calibrations} == {Calibration}
    write_model(folder / "again.model", model)
    assert lines in (folder / "again.model").read_text()
    assert read_model(folder / "again.model") == model
    density = SOME.replace("nr_sv", "prob_density_marks 1 2\nnr_sv")  # of one class only
    assert read_text(folder, density) == AS_MODEL


@pytest.mark.parametrize("lines, sentence", [
    ("probA 1 2 3", " has no header line probB; a model with these headers needs it"),
    ("probB 1 2 3", " has no header line probA; a model with these headers needs it"),
    ("probA 1 2\nprobB 1 2 3", " has 2 values of probA; there must be 3"),
    ("probA 1 2 3\nprobB 1 2 nan", ", line 11: probB is 'nan'; it must be a finite number"),
])
def test_lines_about_probabilities_must_be_whole(folder, lines, sentence):
    told = refusal(read_text, folder, SOME.replace("nr_sv", lines + "\nnr_sv"))
    assert told == f"{folder / 'some.model'}{sentence}"


def test_features_widens_the_vectors(folder):
    assert read_text(folder, SOME, 5).vectors[0] == [1.0, 0.0, -2.0, 0.0, 0.0]
    assert refusal(read_text, folder, SOME, 2) == (
        f"{folder / 'some.model'}, line 12: in '3:-2' the index is above 2,"
        " the number of features asked for"
    )
    with pytest.raises(ValueError, match="^features is 0; it must be at least 1$"):
        read_text(folder, SOME, 0)


def test_vectors_of_zeros_only_have_one_feature(folder):
    model = OneAgainstOne([1, 2], Gaussian(1.0), [[0.0], [0.0]], [1, 1], [[1.0, -1.0]], [0.5])
    write_model(folder / "zeros.model", model)
    assert read_model(folder / "zeros.model") == model


def test_same_width_changes_no_decision_and_nothing_of_the_caller():
    model, rows = AS_MODEL, [[1, 2], [3, 4]]
    for kernel in (Linear(), Polynomial(3, 0.5, 1), Gaussian(0.5), Sigmoid(0.25, 1)):
        model = AS_MODEL._replace(kernel=kernel)
        wide, X = same_width(model, rows)
        assert X == [[1.0, 2.0, 0.0], [3.0, 4.0, 0.0]]
        wider, longer = same_width(model, [[1, 2, 0, 0, 0], [3, 4, 0, 0, 0]])
        assert wide.vectors == model.vectors and len(wider.vectors[0]) == 5
        assert wider.decisions(longer) == wide.decisions(X)
    assert rows == [[1, 2], [3, 4]] and len(model.vectors[0]) == 3
    given = OneAgainstOne([1, 2], Precomputed(), [0, 4], [1, 1], [[1.0, -1.0]], [0.0])
    assert same_width(given, rows) == (given, rows)


def test_same_width_keeps_fractions():
    model = OneAgainstOne([1, 2], Linear(), [[Fraction(1, 3)]], [1, 0], [[1]], [0])
    wide, X = same_width(model, [[Fraction(1, 7), 2]])
    assert wide.vectors == [[Fraction(1, 3), 0]]
    assert {type(value) for value in wide.vectors[0] + X[0]} == {Fraction}
    assert wide.decisions(X) == [[Fraction(1, 21)]]


@pytest.mark.parametrize(
    "old, new, sentence",
    [
        ("c_svc", "svdd", ", line 1: svm_type is 'svdd'; the known ones are 'c_svc', 'nu_svc',"
         " 'one_class', 'epsilon_svr', 'nu_svr'"),
        ("polynomial", "spline", ", line 2: kernel_type is 'spline'; the known ones are 'linear',"
         " 'polynomial', 'rbf', 'sigmoid', 'precomputed'"),
        ("degree 2", "degree 2.5", ", line 3: degree is '2.5'; it must be a whole number from 0 to"
         " 2147483647"),
        ("gamma 0.5", "gamma inf", ", line 4: gamma is 'inf'; it must be a finite number"),
        ("gamma 0.5", "gamma", " has 0 values of gamma; there must be 1"),
        ("gamma 0.5\n", "", " has no header line gamma; a model with these headers needs it"),
        ("polynomial\ndegree 2\ngamma 0.5", "rbf\ngamma -1", ": gamma is -1.0; it must be"
         " positive"),
        ("coef0 1", "gamma 1", ", line 5: 'gamma' stands in the header twice"),
        ("svm_type c_svc", "solver_type L2R_L2LOSS_SVC_DUAL",
         f", line 1: this is a model of LIBLINEAR; {OTHER}"),
        ("svm_type c_svc", "SVM-light Version V6.02",
         f", line 1: this is a model of SVMlight; {OTHER}"),
        ("coef0 1", "nu 1", ", line 5: 'nu' is no header of a LIBSVM model; the known ones are"
         " svm_type, kernel_type, degree, gamma, coef0, nr_class, total_sv, rho, label, nr_sv,"
         " probA, probB, prob_density_marks, SV"),
        ("nr_class 3", "nr_class 1", ", line 6: nr_class is '1'; it must be a whole number from 2"
         " to 2147483647"),
        ("total_sv 4", "total_sv 5", " has 4 lines after SV, total_sv is 5 and nr_sv adds up to 4;"
         " these must be equal"),
        ("nr_sv 1 1 2", "nr_sv 1 1 3", " has 4 lines after SV, total_sv is 4 and nr_sv adds up to"
         " 5; these must be equal"),
        ("-0.75 0 1:0.125 \n", "", " has 3 lines after SV, total_sv is 4 and nr_sv adds up to 4;"
         " these must be equal"),
        ("rho 0.5 -1 0", "rho 0.5", " has 1 values of rho; there must be 3"),
        ("rho 0.5 -1 0", "rho 0.5 -1 nan", ", line 8: rho is 'nan'; it must be a finite number"),
        ("label 1 -1 7", "label 1 -1", " has 2 values of label; there must be 3"),
        ("label 1 -1 7", "label 1 -1 1", " has a label twice; every class must have its own"),
        ("label 1 -1 7", "label 1 -1 0.5", ", line 9: label is '0.5'; a LIBSVM model has labels"
         " that are ints of 32 bits"),
        ("label 1 -1 7", "label 1 -1 2147483648", ", line 9: label is '2147483648'; a LIBSVM model"
         " has labels that are ints of 32 bits"),
        ("nr_sv 1 1 2\n", "", " has no header line nr_sv; a model with these headers needs it"),
        ("SV\n", "sv\n", ", line 11: 'sv' is no header of a LIBSVM model; the known ones are"
         " svm_type, kernel_type, degree, gamma, coef0, nr_class, total_sv, rho, label, nr_sv,"
         " probA, probB, prob_density_marks, SV"),
        (SOME[SOME.index("SV\n"):], "", " has no line SV; it is not a whole LIBSVM model"),
        ("-1 1 \n", "-1 \n", ", line 13: there are 1 coefficients; 2 are needed"),
        ("-1 1 \n", "-1 1:5 \n", ", line 13: a coefficient is '1:5'; it must be a finite number"),
        ("2:4", "2:x", ", line 14: in '2:x' the value is 'x'; it must be a finite number"),
        ("1:1 3:-2", "3:1 1:-2", ", line 12: in '1:-2' the index comes after 3; indices must"
         " ascend"),
        ("2:4", "-1:4", ", line 14: in '-1:4' the index is '-1'; it must be a whole number from 1"
         " to 2147483647"),
        ("polynomial", "precomputed", ", line 12: the vector is '1:1 3:-2'; with a precomputed"
         " kernel it must be 0:serial"),
    ],
)  # fmt: skip
def test_what_is_no_model_is_refused_by_its_place_and_rule(folder, old, new, sentence):
    assert SOME.count(old) == 1
    assert refusal(read_text, folder, SOME.replace(old, new)) == (
        f"{folder / 'some.model'}{sentence}"
    )


def test_a_serial_number_counts_from_one(folder):
    model = OneAgainstOne([1, 2], Precomputed(), [0, 4], [1, 1], [[1.0, -1.0]], [0.5])
    write_model(folder / "kernel.model", model)
    written = (folder / "kernel.model").read_text()
    assert written.endswith("SV\n1 0:1 \n-1 0:5 \n")
    assert read_model(folder / "kernel.model") == model
    assert refusal(read_text, folder, written.replace("0:5", "0:0")) == (
        f"{folder / 'some.model'}, line 10: the serial number is '0'; it must be a whole number"
        " from 1 to 2147483647"
    )
    assert refusal(read_text, folder, written.replace("0:5", "0:5 0:6")) == (
        f"{folder / 'some.model'}, line 10: the vector is '0:5 0:6'; with a precomputed kernel it"
        " must be 0:serial"
    )


class Doubled(Linear):
    """A kernel of the caller's that is a Linear and computes something else."""

    def value(self, x, z):
        return 2 * Linear.value(self, x, z)


def own(x, z):
    """A kernel of the caller's."""
    return x[0] * z[0]


@pytest.mark.parametrize(
    "kernel, name",
    [
        (Linear() + Gaussian(2), "(Linear() + Gaussian(gamma=2.0))"),
        (Linear() * Linear(), "Linear() * Linear()"),
        (2 * Linear(), "2.0 * Linear()"),
        (Doubled(), "Doubled()"),
        (own, "own"),
    ],
)
def test_a_kernel_that_libsvm_lacks_is_refused_by_name(tmp_path, kernel, name):
    assert refusal(write_model, tmp_path / "new", AS_MODEL._replace(kernel=kernel)) == (
        f"kernel is {name}; a LIBSVM model can only have one of Linear, Polynomial, Gaussian,"
        " Sigmoid, Precomputed"
    )
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "change, kind, sentence",
    [
        ({"classes": [1, -1, 0.5]}, ValueError, "classes[2] is 0.5; a LIBSVM model has labels that"
         " are ints of 32 bits, or texts"),
        ({"classes": [1, 2**31, 3]}, ValueError, "classes[1] is 2147483648; a LIBSVM model has"
         " labels that are ints of 32 bits, or texts"),
        ({"classes": ["a", b"b", "c"]}, TypeError, "classes[1] is b'b'; a LIBSVM model has labels"
         " that are ints of 32 bits, or texts"),
        ({"offsets": [0, 0, Fraction(1, 3)]}, ValueError, "offsets[2] is -1/3, which no double"
         " equals; a file holds doubles, so use float() first"),
        ({"coefs": [[1, 2, 3, 4], [1, 2, float("nan"), 4]]}, ValueError, "coefs[1][2] is nan; it"
         " must be a finite number"),
        ({"vectors": [[0], [1], [Fraction(1, 3)], [2]]}, ValueError, "vectors[2][0] is 1/3, which"
         " no double equals; a file holds doubles, so use float() first"),
        ({"vectors": [[0.0], [1.0], [2.0, float("nan")], [3.0]]}, ValueError,
         "vectors[2][1] is nan; it must be a finite number"),
        ({"kernel": Linear.__call__}, ValueError, "kernel is __call__; a LIBSVM model can only"
         " have one of Linear, Polynomial, Gaussian, Sigmoid, Precomputed"),
        ({"kernel": Polynomial(2, Fraction(1, 3))}, ValueError, "gamma is 1/3, which no double"
         " equals; a file holds doubles, so use float() first"),
    ],
)  # fmt: skip
def test_what_no_model_file_holds_is_refused_and_no_file_appears(
    tmp_path, change, kind, sentence
):
    with pytest.raises(kind) as refused:
        write_model(tmp_path / "new", AS_MODEL._replace(**change))
    assert str(refused.value) == sentence
    assert os.listdir(tmp_path) == []


def test_only_a_voting_model_is_written(tmp_path):
    with pytest.raises(TypeError, match="or an estimator that is fitted$"):
        write_model(tmp_path / "new", SVC())


def test_a_fitted_svc_is_written_as_its_model(tmp_path):
    svc = SVC().fit([[0], [1]], [1, 2])
    write_model(tmp_path / "svc", svc)
    assert read_model(tmp_path / "svc") == svc.model_


# LIBSVM itself


def training_set(k, n=40, d=5):
    """n rows of d features of more than 8 digits, some of them zero, in k classes that overlap."""
    draw = random.Random(k)
    labels = [[3, -1], [2, 7, -4, 0]][k == 4]
    y = [labels[i % k] for i in range(n)]
    X = [[draw.gauss(i % k, 1.5) if draw.random() < 0.8 else 0.0 for _ in range(d)]
         for i in range(n)]  # fmt: skip
    return X, y


OPTIONS = {
    "linear": "-t 0",
    "polynomial": "-t 1 -d 3 -g 0.3 -r 0.7",
    "rbf": "-t 2 -g 0.21",
    "sigmoid": "-t 3 -g 0.013 -r -0.3",
    "precomputed": "-t 4",
}


def libsvm_rows(X, y, name):
    """(rows as LIBSVM wants them, rows as refsvm wants them): features, or kernel values."""
    if name != "precomputed":
        return [dict(enumerate(row, 1)) for row in X], X
    values = [[sum(a * b for a, b in zip(x, z)) for z in X] for x in X]
    return [dict(enumerate([i + 1] + row)) for i, row in enumerate(values)], values


def sizes(model, values):
    """|b| + sum of |coefficient * kernel value| for each pair, from the kernel values of a row."""
    of_vector = [c for c, count in enumerate(model.counts) for _ in range(count)]
    found = []
    for b, (p, q) in zip(model.offsets, combinations(range(len(model.classes)), 2)):
        found.append(abs(b))
        for v, c in enumerate(of_vector):
            if c in (p, q):
                found[-1] += abs(model.coefs[q - 1 if c == p else p][v] * values[v])
    return found


def assert_same_decisions(model, rows, decisions, labels):
    """The pair decisions agree to 1e-12 of the size of what is summed; the labels are equal."""
    values_of = model.kernel.row_function(model.vectors, float)
    for x, theirs, ours in zip(rows, decisions, model.decisions(rows)):
        limits = [1e-12 * size for size in sizes(model, values_of(x))]
        assert len(theirs) == len(ours) == len(limits)
        assert all(abs(t - o) <= limit for t, o, limit in zip(theirs, ours, limits))
    assert model.predictions(rows) == [int(label) for label in labels]


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("probabilities", [0, 1])
def test_libsvm_and_refsvm_decide_alike_by_each_others_files(tmp_path, name, k, probabilities):
    libsvm = peer("libsvm.svmutil")
    X, y = training_set(k)
    theirs, rows = libsvm_rows(X, y, name)
    trained = libsvm.svm_train(y, theirs, f"{OPTIONS[name]} -c 2 -b {probabilities} -q")
    libsvm.svm_save_model(str(tmp_path / "theirs"), trained)
    model = read_model(tmp_path / "theirs", len(rows[0]) if name != "precomputed" else None)
    write_model(tmp_path / "ours", model)
    for path in ("theirs", "ours"):
        loaded = libsvm.svm_load_model(str(tmp_path / path))
        labels, _, decisions = libsvm.svm_predict(y, theirs, loaded, "-q")
        assert_same_decisions(model, rows, decisions, labels)


def words(path):
    """The words of a file, line by line, numbers and items as numbers."""
    lines = []
    for line in path.read_text().splitlines():
        key, *rest = line.split()
        lines.append([key if key[0].isalpha() else float(key)])
        for word in rest:
            lines[-1] += [part if part[0].isalpha() else float(part) for part in word.split(":")]
    return lines


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("k", [2, 4])
def test_a_model_of_libsvm_is_written_again_line_by_line(tmp_path, name, k):
    libsvm = peer("libsvm.svmutil")
    X, y = training_set(k)
    theirs, _ = libsvm_rows(X, y, name)
    trained = libsvm.svm_train(y, theirs, f"{OPTIONS[name]} -q")
    libsvm.svm_save_model(str(tmp_path / "theirs"), trained)
    write_model(tmp_path / "ours", read_model(tmp_path / "theirs"))
    assert words(tmp_path / "ours") == words(tmp_path / "theirs")


@pytest.mark.parametrize("number", range(5))
def test_the_type_of_a_model_of_libsvm_stays(tmp_path, number):
    libsvm = peer("libsvm.svmutil")
    X, y = training_set(2)
    theirs, _ = libsvm_rows(X, y, "linear")
    trained = libsvm.svm_train(y, theirs, f"-s {number} -t 2 -q")
    libsvm.svm_save_model(str(tmp_path / "theirs"), trained)
    model = read_model(tmp_path / "theirs")
    write_model(tmp_path / "ours", model._replace(vectors=list(model.vectors)))
    assert words(tmp_path / "ours") == words(tmp_path / "theirs")
    again = libsvm.svm_load_model(str(tmp_path / "ours"))
    assert again.get_svm_type() == number
    found, expected = (libsvm.svm_predict(y, theirs, m, "-q")[0] for m in (again, trained))
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("package", [refsvm, refsvm_fast])
@pytest.mark.parametrize("svm_type", ["nu_svc", "nu_svr"])
def test_what_nu_trained_says_its_type_wherever_the_model_goes(folder, package, svm_type):
    X, path = [[0.0], [1.0], [3.0], [4.0]], folder / "nu.model"
    machine = (package.NuSVC if svm_type == "nu_svc" else package.NuSVR)(kernel="linear")
    machine.fit(X, [1, 1, 2, 2])
    for model in (machine, machine.model_, pickle.loads(pickle.dumps(machine.model_))):
        write_model(path, model)
        assert path.read_text().startswith(f"svm_type {svm_type}\n")
        read = package.read_model(path)
        assert read.svm_type == read.to(float).svm_type == svm_type
        assert read == machine.model_
    solution = package.smo(package.NuRegressionProblem(X, [0.0, 1.0, 2.0, 4.0]))
    assert solution.model().svm_type == "nu_svr"


def test_libsvm_reads_every_line_of_a_model_with_a_vector_of_zeros(tmp_path):
    libsvm = peer("libsvm.svmutil")
    write_model(tmp_path / "ours", AS_MODEL)
    loaded = libsvm.svm_load_model(str(tmp_path / "ours"))
    assert loaded.get_labels() == AS_MODEL.classes
    assert loaded.get_SV() == [{1: 1.0, 3: -2.0}, {}, {2: 4.0}, {1: 0.125}]
    assert loaded.get_sv_coef() == list(zip(*AS_MODEL.coefs))
    assert [0 - loaded.rho[i] for i in range(3)] == AS_MODEL.offsets
