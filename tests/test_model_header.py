"""Model files of regression, one class and nu-classification, both ways with LIBSVM."""

import pytest
from peers import Peer

from refsvm import (
    SVDD,
    SVR,
    Gaussian,
    Linear,
    NuSVC,
    NuSVR,
    OneClassSVM,
    Precomputed,
    gram,
    read_model,
    write_model,
)
from refsvm.files.models import same_width
from refsvm.svm.calibration import Calibration
from refsvm.svm.one_class_problem import OneClassModel
from refsvm.svm.one_vs_one import OneAgainstOne
from refsvm.svm.regression_problem import RegressionModel

svmutil = Peer("libsvm.svmutil")

X = [[0.0, 1.0], [1.0, 0.5], [2.0, 2.0], [3.0, -1.0], [4.0, 4.0], [5.0, 2.5], [6.5, 0.0]]
VALUES, LABELS = [0.0, 1.0, 4.0, 3.0, 7.0, 5.5, 6.0], [0, 0, 0, 1, 0, 1, 1]

# The class of the model, the machine, and what svm-train calls it.
FITTED = {
    "epsilon_svr": (RegressionModel, lambda **k: SVR(epsilon=0.3, **k).fit(X, VALUES),
                    "-s 3 -p 0.3"),
    "nu_svr": (RegressionModel, lambda **k: NuSVR(nu=0.4, **k).fit(X, VALUES), "-s 4 -n 0.4"),
    "one_class": (OneClassModel, lambda **k: OneClassSVM(nu=0.4, **k).fit(X), "-s 2 -n 0.4"),
    "nu_svc": (OneAgainstOne, lambda **k: NuSVC(nu=0.5, **k).fit(X, LABELS), "-s 1 -n 0.5"),
}  # fmt: skip


@pytest.mark.parametrize("word", FITTED)
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.5)], ids=["linear", "rbf"])
def test_a_model_reads_back_as_it_was(tmp_path, word, kernel):
    cls, fit, _ = FITTED[word]
    machine = fit(kernel=kernel)
    write_model(tmp_path / "model", machine)
    assert (tmp_path / "model").read_text().splitlines()[0] == f"svm_type {word}"
    again = read_model(tmp_path / "model")
    assert type(again) is cls and again == machine.model_
    assert again.decisions(X) == machine.model_.decisions(X)


@pytest.mark.parametrize("word", FITTED)
def test_libsvm_reads_ours_and_we_read_its(tmp_path, word):
    _, fit, options = FITTED[word]
    machine, path = fit(gamma=0.5, tol=1e-6), str(tmp_path / "model")
    write_model(path, machine)
    y = VALUES if "svr" in word else LABELS
    _, _, theirs = svmutil.svm_predict([], X, svmutil.svm_load_model(path), "-q")
    mine = machine.model_.decisions(X)
    mine = [row[0] for row in mine] if word == "nu_svc" else mine
    assert [row[0] for row in theirs] == pytest.approx(mine, abs=1e-6)
    trained = svmutil.svm_train(y, X, f"{options} -g 0.5 -e 1e-6 -q")
    svmutil.svm_save_model(path, trained)
    found = read_model(path).decisions(X)
    found = [row[0] for row in found] if word == "nu_svc" else found
    _, _, theirs = svmutil.svm_predict([], X, trained, "-q")
    assert [row[0] for row in theirs] == pytest.approx(found, abs=1e-5)


def test_the_scale_of_a_regression_is_kept(tmp_path):
    path = tmp_path / "model"
    model = FITTED["epsilon_svr"][1]().model_
    assert model.scale is None
    model.scale = 0.25
    write_model(path, model)
    assert "probA 0.25" in path.read_text().splitlines() and read_model(path).scale == 0.25
    lines = path.read_text().replace("probA 0.25", "probA 0.25 3")
    path.write_text(lines)
    with pytest.raises(ValueError, match="has 2 values of probA; there must be 1"):
        read_model(path)


def test_no_support_vector_is_a_model(tmp_path):
    for kernel in ("linear", "rbf"):
        flat = SVR(kernel=kernel, epsilon=5).fit([[0], [1], [2]], [0, 1, 4])
        write_model(tmp_path / "model", flat)
        model, rows = same_width(read_model(tmp_path / "model"), [[7.0], [8.0]])
        assert model.predictions(rows) == [2.0, 2.0]
    (tmp_path / "model").write_text("svm_type epsilon_svr\nkernel_type linear\nnr_class 2\n"
                                    "total_sv 1\nrho -2\nSV\n")
    with pytest.raises(ValueError, match="has 0 lines after SV and total_sv is 1"):
        read_model(tmp_path / "model")


def test_models_and_rows_get_one_width(tmp_path):
    rows = [x + [0.0] for x in X]
    for kernel in (Linear(), Gaussian(0.5)):
        machine = SVR(kernel=kernel).fit(rows, VALUES)
        write_model(tmp_path / "model", machine)
        model = read_model(tmp_path / "model")
        assert len(model.vectors[0]) == 2
        wider, long = same_width(model, rows)
        assert wider.decisions(long) == machine.predict(rows)


def test_gram_matrices_keep_serial_numbers(tmp_path):
    K = gram(Gaussian(0.5), X)
    machine = OneClassSVM(kernel="precomputed").fit(K)
    write_model(tmp_path / "model", machine)
    again = read_model(tmp_path / "model")
    assert again == machine.model_ and isinstance(again.kernel, Precomputed)


def test_a_ball_is_no_model_of_libsvm(tmp_path):
    with pytest.raises(TypeError, match="model is a BallModel; a OneAgainstOne is needed"):
        write_model(tmp_path / "model", SVDD().fit(X))
    assert not (tmp_path / "model").exists()


HEADER = """svm_type c_svc
kernel_type rbf
gamma 0.5

nr_class 2
total_sv 2
rho -0.25
label 3 -4
probA -1.5
probB 0.75
prob_density_marks 1 2 3
nr_sv 1 1
SV
1 1:2
-1 2:1
"""


def test_every_line_of_a_header_is_read(tmp_path):
    path = tmp_path / "model"
    path.write_text(HEADER)
    model = read_model(path)
    assert model == OneAgainstOne([3, -4], Gaussian(0.5), [[2.0, 0.0], [0.0, 1.0]], [1, 1],
                                  [[1.0, -1.0]], [0.25], [Calibration(-1.5, 0.75)])
    path.write_text(HEADER.replace("probA -1.5\n", "").replace("probB 0.75\n", ""))
    assert read_model(path).calibrations is None


@pytest.mark.parametrize("old, new, sentence", [
    ("gamma 0.5\n", "", "has no header line gamma; a model with these headers needs it"),
    ("probA -1.5\n", "", "has no header line probA"), ("probB 0.75\n", "", "has no header line"),
    ("rho -0.25", "rho -0.25 1", "has 2 values of rho; there must be 1"),
    ("nr_sv 1 1", "nr_sv 2", "has 1 values of nr_sv; there must be 2"),
    ("label 3 -4", "label 3 3", "has a label twice"),
    ("label 3 -4", "label 3 4294967296", "ints of 32 bits"),
    ("label 3 -4", "label 3 x", "label is 'x'"),
    ("rho -0.25", "rho inf", "rho is 'inf'"), ("nr_class 2", "nr_class 1", "nr_class is"),
    ("rho -0.25\n", "rho -0.25\nrho 1\n", "'rho' stands in the header twice"),
    ("rho -0.25\n", "rho -0.25\nrhos 1\n", "'rhos' is no header of a LIBSVM model; the known"),
    ("svm_type c_svc", "svm_type svdd", "'svdd'"), ("\nSV\n", "\n", "no header"),
])
def test_a_header_that_is_wrong_is_refused_with_the_place(tmp_path, old, new, sentence):
    assert old in HEADER
    (tmp_path / "model").write_text(HEADER.replace(old, new))
    with pytest.raises(ValueError, match=sentence) as refused:
        read_model(tmp_path / "model")
    assert "model" in str(refused.value) and len(str(refused.value)) < 300 + len(str(tmp_path))
