"""Kernel values by serial numbers: rows in any order, or a part of all, as LIBSVM has them."""

import random

import pytest

from refsvm import SVC, Gaussian, Precomputed, gram, read_data, read_model
from refsvm.commands import main
from refsvm.tables.data import training_matrix


def write_rows(path, K, y, serials):
    path.write_text("".join(
        f"{y[s - 1]} 0:{s} " + " ".join(f"{k}:{v!r}" for k, v in enumerate(K[s - 1], 1)) + "\n"
        for s in serials))


@pytest.fixture
def files(tmp_path):
    """A Gram matrix of 24 points, its labels, and a file of 15 of its rows in no order."""
    draw = random.Random(3)
    X = [[draw.gauss(0, 1), draw.gauss(0, 1)] for _ in range(24)]
    y = [1 if a + b > draw.gauss(0, 0.7) else -1 for a, b in X]
    serials = draw.sample(range(1, 25), 15)
    K = gram(Gaussian(0.5), X)
    write_rows(tmp_path / "some", K, y, serials)
    write_rows(tmp_path / "all", K, y, range(1, 25))
    return tmp_path, K, y, serials


def test_a_matrix_is_that_of_its_rows_alone(files):
    folder, K, y, serials = files
    data = read_data(folder / "some", precomputed=True)
    assert data.X == [K[s - 1] for s in serials] and data.serials == serials
    found = training_matrix(data)
    assert found.X == [[K[s - 1][t - 1] for t in serials] for s in serials]
    assert training_matrix(read_data(folder / "all", precomputed=True)).X == K


def test_a_model_of_some_rows_in_no_order_names_them_by_serial_number(files, capsys):
    folder, K, y, serials = files
    some, model = str(folder / "some"), str(folder / "m")
    assert main(["train", some, "--kernel", "precomputed", "--C", "2", "-o", model]) == 0
    own = SVC(kernel="precomputed", C=2).fit(
        [[K[s - 1][t - 1] for t in serials] for s in serials], [y[s - 1] for s in serials])
    written = read_model(model)
    assert [v + 1 for v in written.vectors] == [serials[i] for i in own.model_.vectors]
    assert written.coefs == own.model_.coefs
    assert main(["check", some, model, "--C", "2"]) == 0
    assert "every pair passes" in capsys.readouterr().out
    told = own.predict([[row[t - 1] for t in serials] for row in K])
    assert main(["predict", str(folder / "all"), model, "-o", str(folder / "p")]) == 0
    assert list(map(int, (folder / "p").read_text().split())) == list(told)


def test_two_rows_the_other_way_round_are_separated(tmp_path, capsys):
    (tmp_path / "two").write_text("2 0:2 1:0 2:1\n1 0:1 1:1 2:0\n")
    assert main(["train", str(tmp_path / "two"), "--kernel", "precomputed"]) == 0
    out = capsys.readouterr().out
    assert "optimal" in out and "100.00 % (2 of 2 rows)" in out
    assert main(["exact", str(tmp_path / "two"), "--kernel", "precomputed"]) == 0


@pytest.mark.parametrize("rows, told", [
    ("1 0:3 1:1 2:0\n2 0:1 1:1 2:0\n", "row 1 has the serial number 3; the rows have values of"
                                       " the examples 1 to 2, and one of these it must be"),
    ("1 0:0 1:1 2:0\n2 0:1 1:1 2:0\n", "row 1 has the serial number 0; the rows"),
    ("1 0:1.5 1:1 2:0\n2 0:1 1:1 2:0\n", "row 1 has the serial number 1.5; the rows"),
])
def test_a_serial_number_that_is_no_place_is_refused_in_training(tmp_path, capsys, rows, told):
    (tmp_path / "k").write_text(rows)
    assert main(["train", str(tmp_path / "k"), "--kernel", "precomputed"]) == 2
    assert told in capsys.readouterr().err


def test_serial_numbers_of_rows_to_predict_say_nothing(files, capsys):
    folder, K, y, serials = files
    main(["train", str(folder / "all"), "--kernel", "precomputed", "-o", str(folder / "m")])
    text = (folder / "some").read_text()
    for name, change in ("a", lambda s: 0), ("b", lambda s: 99):
        lines = [line.split() for line in text.splitlines()]
        (folder / name).write_text("".join(
            " ".join([label, f"0:{change(s)}", *items]) + "\n" for label, s, *items in lines))
        assert main(["predict", str(folder / name), str(folder / "m")]) == 0
    first, second = capsys.readouterr().out.split("written")[-1].split("accuracy")[1:]
    assert first == second


def test_a_vector_without_a_row_is_refused_by_check(files, capsys):
    folder, K, y, serials = files
    main(["train", str(folder / "all"), "--kernel", "precomputed", "-o", str(folder / "m")])
    assert main(["check", str(folder / "some"), str(folder / "m")]) == 2
    assert "; no row of the data is left that has it" in capsys.readouterr().err


def test_rows_that_stand_twice_are_two_examples(tmp_path, capsys):
    (tmp_path / "k").write_text("1 0:1 1:1 2:0\n2 0:2 1:0 2:1\n1 0:1 1:1 2:0\n")
    model = str(tmp_path / "m")
    assert main(["train", str(tmp_path / "k"), "--kernel", "precomputed", "-o", model]) == 0
    assert main(["check", str(tmp_path / "k"), model]) == 0


def test_rows_in_order_are_as_before():
    K = [[2.0, 1.0], [1.0, 2.0]]
    assert SVC(kernel=Precomputed()).fit(K, [-1, 1]).predict(K) == [-1, 1]
