"""Tables with texts, dates and gaps: one command trains, the model keeps what was learnt."""

import csv
import json
import re
from pathlib import Path

import pytest

import refsvm
from refsvm import SVC, SVR, Preparation, calibrate, grid, read_data, read_model
from refsvm.commands import main
from refsvm.estimators.cross_validation import cross_validate
from refsvm.estimators.folds import PreparedMachine, all_but, stratified_part
from refsvm.files.models import read_model_and_columns
from tests.seven_points import done, go_to, run

PENGUINS = str(Path(refsvm.__file__).parent / "data" / "penguins.csv")
with open(PENGUINS, encoding="utf-8") as _text:
    (_, *NAMES), *_TABLE = csv.reader(_text)
SPECIES, CELLS = [row[0] for row in _TABLE], [row[1:] for row in _TABLE]
TRAIN = ["train", PENGUINS, "--label", "species", "--C", "4", "--gamma", "0.1"]
MACHINE = SVC(C=4, gamma=0.1)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    return go_to(tmp_path, monkeypatch)


def test_one_command_trains_and_the_model_prepares_rows_to_predict(capsys, folder):
    out = done(capsys, *TRAIN, "-o", "m")
    assert out.startswith(
        "344 rows, 7 columns, prepared:\n  5 numbers to mean 0, deviation 1\n"
        "  2 texts to 5 columns of 0 and 1: island (3), sex (2)\n  19 gaps in 11 rows count as 0: "
    )
    preparation = Preparation.fit(CELLS, NAMES)
    X = preparation.rows(CELLS)
    model, columns = read_model_and_columns("m")
    assert model == SVC(C=4, gamma=0.1).fit(X, SPECIES).model_
    assert columns.prepared == preparation.document() and columns.names == NAMES
    assert columns.features == len(X[0]) == 10
    done(capsys, "predict", PENGUINS, "m", "-o", "p.csv")
    predicted = (folder / "p.csv").read_text().split()[1:]
    assert predicted == model.predictions(X)
    assert "every pair passes" in done(capsys, "check", PENGUINS, "m", "--C", "4")


def test_columns_may_stand_in_another_order_with_gaps_and_unknown_texts(capsys, folder):
    done(capsys, *TRAIN, "-o", "m")
    order = [6, 0, 3, 1, 2, 5, 4]
    rows = [[row[k] for k in order] for row in CELLS[:20]]
    rows[0][1], rows[1][1], rows[2][0] = "Nowhere", "", "NA"
    lines = [",".join(NAMES[k] for k in order), *map(",".join, rows)]
    (folder / "new.csv").write_text("\n".join(lines))
    out = done(capsys, "predict", "new.csv", "m", "-o", "p.csv")
    assert "  1 text not seen in training count as 0: island (1)\n" in out
    assert "  11 gaps in 7 rows count as 0: sex (5), island (1), " in out
    back = [[row[order.index(k)] for k in range(7)] for row in rows]
    X = Preparation.fit(CELLS, NAMES).rows(back)
    assert (folder / "p.csv").read_text().split()[1:] == read_model("m").predictions(X)


@pytest.mark.slow("a fold whose preparation saw its rows")
def test_folds_learn_of_the_rows_to_train_on_alone(capsys, folder):
    out = done(capsys, *TRAIN, "-v", "4")
    machine = PreparedMachine(MACHINE, Preparation.fit(CELLS, NAMES))
    found = cross_validate(machine, CELLS, SPECIES, folds=4)
    right = round(found.score * 344)
    assert f"{100 * right / 344:.2f} %  {right} of 344 rows" in out
    for fold in found.folds:
        kept = all_but(fold, 344)
        preparation = Preparation.fit(CELLS, NAMES).refitted([CELLS[i] for i in kept])
        svc = SVC(C=4, gamma=0.1).fit(preparation.rows([CELLS[i] for i in kept]),
                                      [SPECIES[i] for i in kept])
        assert svc.predict(preparation.rows([CELLS[i] for i in fold])) == [
            found.predictions[i] for i in fold]


@pytest.mark.slow("sigmoids fitted to rows that were prepared with")
def test_sigmoids_are_fitted_to_decisions_about_rows_that_no_preparation_saw(capsys, folder):
    done(capsys, *TRAIN, "-o", "m", "--probabilities")
    first, last = (read_model("m").calibrations[k] for k in (0, -1))
    svc = SVC(C=4, gamma=0.1, decision_function_shape="ovo")
    machine = PreparedMachine(svc, Preparation.fit(CELLS, NAMES))
    decisions = cross_validate(machine, CELLS, SPECIES).decisions
    classes = sorted(set(SPECIES))
    for found, place, p, q in ((first, 0, 0, 1), (last, 2, 1, 2)):
        rows = [i for i, label in enumerate(SPECIES) if label in (classes[p], classes[q])]
        signs = [1 if SPECIES[i] == classes[p] else -1 for i in rows]
        assert found == calibrate([decisions[i][place] for i in rows], signs)


def test_the_rows_of_a_test_say_nothing_of_the_preparation(capsys, folder):
    done(capsys, *TRAIN, "--test-size", "0.25", "-o", "m")
    kept = all_but(stratified_part(SPECIES, 0.25, 1), 344)
    preparation = Preparation.fit(CELLS, NAMES).refitted([CELLS[i] for i in kept])
    model, columns = read_model_and_columns("m")
    assert columns.prepared == preparation.document()
    rows = preparation.rows([CELLS[i] for i in kept])
    assert model == SVC(C=4, gamma=0.1).fit(rows, [SPECIES[i] for i in kept]).model_


def test_a_search_prepares_in_each_fold(capsys, folder):
    done(capsys, "grid", PENGUINS, "--label", "species", "--C", "1,4", "--gamma", "0.1",
         "-v", "3", "--table", "table.csv")
    machine = PreparedMachine(SVC(), Preparation.fit(CELLS, NAMES))
    found = grid(machine, {"C": [1.0, 4.0], "gamma": [0.1]}, CELLS, SPECIES, folds=3)
    rows = list(csv.reader((folder / "table.csv").open()))[1:]
    assert [float(row[3]) for row in rows] == [point.score for point in found.table]


def test_values_are_predicted_of_a_table_and_columns_are_kept_or_read_as_texts(capsys, folder):
    lines = ["id,when,code,rent"] + [
        f"{k},2024-01-{k % 28 + 1:02},{k % 3},{100 + 20 * (k % 3) + k}" for k in range(40)]
    (folder / "rent.csv").write_text("\n".join(lines))
    options = "--C", "50", "--gamma", "auto", "--epsilon", "0.1"
    words = "train", "rent.csv", "--type", "epsilon_svr", *options, "-o", "m"
    out = done(capsys, *words)
    assert "1 date to mean 0" in out and "left out: id (it counts the rows)" in out
    out = done(capsys, *words, "--keep", "id", "--texts", "code")
    assert "left out" not in out and "1 text to 3 columns of 0 and 1: code (3)" in out
    cells = [line.split(",")[:3] for line in lines[1:]]
    preparation = Preparation.fit(cells, ["id", "when", "code"], keep=["id"], texts=["code"])
    y = [float(line.split(",")[3]) for line in lines[1:]]
    svr = SVR(C=50, gamma="auto").fit(preparation.rows(cells), y)
    assert read_model("m") == svr.model_


def test_one_class_and_explanations_take_tables(capsys, folder):
    words = "train", PENGUINS, "--type", "one_class", "--nu", "0.1", "--label", "species"
    assert "344 rows, 7 columns, prepared:\n" in done(capsys, *words)
    done(capsys, *TRAIN, "-o", "m")
    out = done(capsys, "explain", PENGUINS, "m", "--repeats", "2")
    assert [name for name in NAMES if f"  {name} " in out] == NAMES and "island=" not in out


def test_what_a_preparation_cannot_read_is_refused_with_every_column(capsys, folder):
    done(capsys, *TRAIN, "-o", "m")
    text = Path(PENGUINS).read_text().replace(",39.1,18.7,", ",long,deep,")
    (folder / "bad.csv").write_text(text)
    assert main(["predict", "bad.csv", "m"]) == 2
    told = capsys.readouterr().err
    assert "'bill_length_mm', a column of numbers, has 1 other cell, as 'long'" in told
    assert told.startswith("refsvm: bad.csv: ")
    assert "'bill_depth_mm', a column of numbers, has 1 other cell, as 'deep' in row 1" in told
    assert told.endswith("; mend them, or leave them empty, or let them count as gaps by --unknown"
                         " gap\n")
    assert main([*TRAIN, "--as-is"]) == 2
    assert "which is no number here" in capsys.readouterr().err


def test_a_table_of_numbers_is_prepared_too_unless_it_is_to_be_taken_as_it_is(capsys, folder):
    cells = [[k * k % 11 * 1000, k * 3 % 7 / 100] for k in range(24)]
    y = [int(a / 1000 + 100 * b > 6) for a, b in cells]
    lines = [f"{a},{b},{label}" for (a, b), label in zip(cells, y)]
    (folder / "t.csv").write_text("\n".join(["a,b,y", *lines]))
    out = done(capsys, "train", "t.csv", "-o", "m")
    assert "24 rows, 2 columns, prepared:\n  2 numbers to mean 0, deviation 1\n  C = 4" in out
    X = Preparation.fit(cells).rows(cells)
    svc = SVC(C=4, gamma="scale/4").fit(X, y)
    assert read_model("m") == svc.model_
    right = sum(label == other for label, other in zip(y, svc.predict(X)))
    told = done(capsys, "predict", "t.csv", "m", "-o", "p")
    for report in out, told:
        assert f"accuracy {100 * right / 24:.2f} % ({right} of 24 rows)" in report
    assert (folder / "p").read_text().split() == list(map(str, svc.predict(X)))
    assert "every pair passes" in done(capsys, "check", "t.csv", "m", "--C", "4")
    assert f", accuracy {right / 24:.4f}; " in done(capsys, "explain", "t.csv", "m")
    done(capsys, "train", "t.csv", "--as-is", "-o", "n")
    assert read_model("n") == SVC(gamma="auto").fit(cells, y).model_
    assert "prepared" not in (folder / "n").read_text()


def test_every_command_that_learns_has_the_same_defaults_of_a_table(capsys, folder):
    rows = [[9, 2], [4, 8], [5, 3], [8, 9], [1, 7], [2, 1]]
    y = [0, 1, 0, 1, 1, 0]
    lines = [f"{a},{b},{label}" for (a, b), label in zip(rows, y)]
    (folder / "t.csv").write_text("\n".join(["a,b,y", *lines]))
    svc = SVC(C=4, gamma="scale/4").fit(Preparation.fit(rows).rows(rows), y)
    kernel = repr(svc.model_.kernel)
    assert kernel in done(capsys, "exact", "t.csv")
    assert f"{kernel}, C = 4," in done(capsys, "plot", "t.csv", "-o", "p.svg").replace(
        "gamma=0.125", f"gamma={svc.model_.kernel.gamma!r}")
    X, signs = Preparation.fit(rows).rows(rows), [2 * label - 1 for label in y]
    steps = refsvm.trace(refsvm.Problem(X, signs, svc.model_.kernel, 4)).text()
    assert done(capsys, "trace", "t.csv").startswith(steps + "\n")


def test_a_column_that_counts_the_rows_is_kept_if_asked_for(capsys, folder):
    (folder / "t.csv").write_text("\n".join(["month,sales", *(f"{k},{k % 2}" for k in range(20))]))
    assert main(["train", "t.csv"]) == 2
    told = "no column is left to learn from: month (it counts the rows); to keep one, say --keep\n"
    assert capsys.readouterr().err.endswith(told)
    assert "1 number to mean 0" in done(capsys, "train", "t.csv", "--keep", "month")


@pytest.mark.parametrize("prepared", [
    [], [None], [1, None], [{"values": []}, None], [{"values": ["a", "a"]}, None],
    [{"mean": 1.0}, None], [{"mean": 1.0, "deviation": -1.0}, None],
    [{"mean": float("nan"), "deviation": 1.0}, None], [{"mean": "1", "deviation": 1}, None],
    [{"mean": 1, "deviation": 1, "days": False}, None],
    [{"mean": 1, "deviation": 1, "x": 1}, None],
    [{"mean": 1, "deviation": 1, "decimal": ".,"}, None],
    [{"mean": 1, "deviation": 1, "unit": 5}, None],
    [{"mean": 1, "deviation": 1, "days": True, "unit": "kg"}, None],
])
def test_a_model_with_what_is_no_preparation_is_refused(folder, prepared):
    text = ("svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\n"
            "nr_sv 1 1\nSV\n0.5 1:1 \n-0.5 1:-1 \n# refsvm ")
    kept = {"features": ["a", "b"], "label": "y", "prepared": prepared}
    Path("m").write_text(text + json.dumps(kept))
    with pytest.raises(ValueError, match='"prepared" is .* for each column null is needed'):
        read_model("m")


def test_scale_writes_the_rows_of_a_table_as_a_model_prepares_them(capsys, folder):
    done(capsys, *TRAIN, "-o", "m")
    X = Preparation.fit(CELLS, NAMES).rows(CELLS)
    done(capsys, "scale", PENGUINS, "--restore", "m", "-o", "p.libsvm")
    data = read_data("p.libsvm", features=10)
    kinds = ["Adelie", "Chinstrap", "Gentoo"]
    assert data.X == X and data.y == [kinds.index(label) + 1 for label in SPECIES]
    told = done(capsys, "predict", "p.libsvm", "m")
    assert told.startswith("accuracy") and done(capsys, "predict", PENGUINS, "m").endswith(told)
    assert "every pair passes" in done(capsys, "check", "p.libsvm", "m", "--C", "4")
    done(capsys, "scale", PENGUINS, "--restore", "m", "-o", "p.csv")
    table = read_data("p.csv", label="species")
    assert (table.X, table.y) == (X, SPECIES)
    assert table.columns.names == Preparation.fit(CELLS, NAMES).names
    done(capsys, "train", "p.csv", "--label", "species", "--as-is", "-o", "plain")
    assert main(["scale", PENGUINS, "--restore", "plain"]) == 2
    assert "plain is a model that prepares no rows" in capsys.readouterr().err


def test_scale_restores_rows_without_a_label_to_be_predicted(capsys, folder):
    done(capsys, *TRAIN, "-o", "m")
    rows = [[*cells, label] for cells, label in zip(CELLS[:4], ("Adelie", "", "NA", "Adelie"))]
    rows[0][0] = "Nowhere"
    (folder / "new.csv").write_text("\n".join(map(",".join, [[*NAMES, "species"], *rows])))
    out = done(capsys, "scale", "new.csv", "--restore", "m", "-o", "new.libsvm")
    assert out.endswith(
        "  1 text not seen in training count as 0: island (1)\n"
        "2 rows without a label: written with 0, for LIBSVM needs one\n"
    )
    assert read_data("new.libsvm").y == [1, 0, 0, 1]
    done(capsys, "scale", "new.csv", "--restore", "m", "--drop", "species", "-o", "new.libsvm")
    assert read_data("new.libsvm").y == [0] * 4
    done(capsys, "scale", "new.csv", "--restore", "m", "-o", "scaled.csv")
    lines = (folder / "scaled.csv").read_text().splitlines()
    assert [line.rpartition(",")[2] for line in lines] == ["species", "Adelie", "", "", "Adelie"]


def test_scale_refuses_labels_for_which_a_model_has_no_number(capsys, folder):
    lines = [f"{k * k % 7},{k % 3},{k}" for k in range(12)]
    (folder / "t.csv").write_text("\n".join(["a,b,y", *lines]))
    (folder / "new.csv").write_text("a,b,y\n1,2,dear\n")
    for kind in ("epsilon_svr", "one_class"):
        done(capsys, "train", "t.csv", "--label", "y", "--type", kind, "-o", "m")
        assert main(["scale", "new.csv", "--restore", "m", "-o", "new.libsvm"]) == 2
        told = "the label of row 1 is 'dear', for which the model has no number"
        assert told in capsys.readouterr().err


def test_a_picture_names_a_column_of_texts_by_a_value(capsys, folder):
    words = "plot", PENGUINS, "--label", "species", "-o", "p.svg", "--features", "body_mass_g"
    assert main([*words, "island"]) == 2
    told = "--features is island, a column of texts; take one of them, as island=Biscoe\n"
    assert capsys.readouterr().err == f"refsvm: {told}"
    (folder / "t.csv").write_text("a,b,y\n1,0,p\n1,3,q\n1,5,p\n")
    assert main(["plot", "t.csv", "-o", "p.svg", "--features", "a", "b"]) == 2
    assert "--features is a, which is left out: one value\n" in capsys.readouterr().err


def test_what_is_usual_for_a_table_is_said_and_used(capsys, folder):
    out = done(capsys, "train", PENGUINS, "--label", "species", "-o", "m")
    assert "  C = 4, gamma = scale/4, as nothing else is said\n" in out
    X = Preparation.fit(CELLS, NAMES).rows(CELLS)
    usual = SVC(C=4, gamma="scale/4").fit(X, SPECIES)
    assert read_model("m") == usual.model_
    assert usual.model_.kernel.gamma == SVC(gamma="scale").fit(X, SPECIES).model_.kernel.gamma / 4
    assert "as nothing else" not in done(capsys, *TRAIN)
    assert "  gamma = scale/4, as" in done(capsys, *TRAIN[:-2])


def test_penalty_and_tube_of_a_regression_are_in_units_of_the_values(capsys, folder):
    found = {}
    for unit in 1, 1024:
        lines = ["size,kind,rent"] + [
            f"{k % 9},{'ab'[k % 2]},{unit * (k % 9 * 20 + k % 5)}" for k in range(60)]
        (folder / "rent.csv").write_text("\n".join(lines))
        out = done(capsys, "train", "rent.csv", "--type", "epsilon_svr", "-o", "m", "-v", "4")
        assert re.search(r"^  C = [0-9.e+]+, epsilon = [0-9.e+]+, gamma = scale/4, as", out, re.M)
        found[unit] = read_model("m")
        assert re.search(r"^  all +0\.9", out, re.M)
    assert [unit * c for unit, c in zip([1024] * 60, found[1].coef)] == found[1024].coef


def test_a_picture_of_a_table_has_the_units_of_the_table(capsys, folder):
    rows, y = [[84, 4968], [116, 4968], [84, 5032], [116, 5032]], [0, 0, 1, 1]
    lines = [f"{a},{b},{label}" for (a, b), label in zip(rows, y)]
    (folder / "t.csv").write_text("\n".join(["a,b,y", *lines]))
    done(capsys, "plot", "t.csv", "--kernel", "linear", "-o", "p.svg")
    # Prepared they are (+-1, +-1), without any rounding: f = (b - 5000) / 32 is of both the best.
    svc = SVC(kernel="linear").fit(rows, y)
    drawn = refsvm.plot(svc, rows, y, title="t.csv", names=["a", "b"])
    assert (folder / "p.svg").read_text() == drawn
    done(capsys, "trace", "t.csv", "--kernel", "linear", "-o", "t.svg")
    assert ">a, prepared<" in (folder / "t.svg").read_text()


@pytest.mark.slow("a row without a label that is trained on, or counted")
def test_rows_without_a_label_are_left_out_of_training_and_predicted(capsys, folder):
    rows = _TABLE  # whose last column but one is the sex, which 11 lack
    lines = [",".join([str(k), *row]) for k, row in enumerate(rows)]
    (folder / "t.csv").write_text("\n".join([",species," + ",".join(NAMES), *lines]))
    label = "--label", "sex"
    known = [i for i, row in enumerate(rows) if row[6] != "NA"]
    out = done(capsys, "train", "t.csv", *label, "-o", "m")
    assert out.startswith("11 rows without a label: left out\n333 rows, 8 columns, prepared:\n")
    assert "  left out: column 1 (it counts the rows)\n" in out
    cells = [row[:6] + row[7:] for row in rows]
    names = ["species", *NAMES[:5], *NAMES[6:]]
    preparation = Preparation.fit(cells, names).refitted([cells[i] for i in known])
    X = preparation.rows(cells)
    svc = SVC(C=4, gamma="scale/4").fit([X[i] for i in known], [rows[i][6] for i in known])
    assert read_model("m") == svc.model_
    told = done(capsys, "predict", "t.csv", "m", "-o", "p.csv")
    assert "  8 gaps in 2 rows count as 0: " in told
    assert "\n11 rows without a label: predicted, and not counted\naccuracy" in told
    assert f" of {len(known)} rows)" in told
    assert (folder / "p.csv").read_text().split()[1:] == svc.predict(X)
    assert "every pair passes" in done(capsys, "check", "t.csv", "m", "--C", "4")
    values = "--label", "bill_length_mm", "--type", "epsilon_svr"
    assert done(capsys, "train", "t.csv", *values, "-o", "m").startswith("2 rows without a label")
    assert "2 rows without a label: predicted" in done(capsys, "predict", "t.csv", "m")
    assert main(["train", "t.csv", *label, "--as-is"]) == 2


@pytest.mark.parametrize("features", [["a", "b"], ["b", "sex=m"], ["sex=m", "sex=f"]])
def test_a_picture_needs_no_more_than_the_columns_it_shows(capsys, folder, features):
    lines = [f"{3 * k},{k * k % 5},{k} %,{'mf'[k % 3 == 0]},{k > 5}" for k in range(11)]
    (folder / "t.csv").write_text("\n".join(["a,b,share,sex,label", *lines]))
    assert run(capsys, "plot", "t.csv", "-o", "p.svg")[0] == 2  # 'share' cannot be read
    done(capsys, "plot", "t.csv", "--features", *features, "-o", "p.svg")
    assert f">{features[0]}<" in (folder / "p.svg").read_text()


WRITTEN = [("\u22122,5", "5.10 kg", "(3)"), ("1,5", "7 kg", "4"), ("1.000,5", "0.5 kg", "2.0-"),
           ("3", "1e1 kg", "+8")]


def test_numbers_that_are_written_otherwise_decide_as_plain_ones(capsys, folder):
    plain = [(-2.5, 5.1, -3), (1.5, 7, 4), (1000.5, 0.5, -2), (3, 10, 8)]
    told, decisions = [], []
    for name, rows in (("w.csv", WRITTEN), ("p.csv", plain)):
        lines = [";".join([f"r{k}", *map(str, row), "ab"[k % 2]]) for k, row in enumerate(rows)]
        Path(name).write_text("\n".join([";u;v;w;y", *lines]), encoding="utf-8")
        told.append(done(capsys, "train", name, "-o", "m"))
        done(capsys, "predict", name, "m", "--decisions", "-o", "d.csv")
        decisions.append(Path("d.csv").read_text())
    assert decisions[0] == decisions[1]
    assert "  u read as numbers: 1,5 is 1.5\n  v read as numbers: 0.5 kg is 0.5\n" in told[0]
    assert "left out: column 1 (a text for each row)" in told[0] and "read as" not in told[1]
    Path("n.csv").write_text("u;v;w\n7;5;0\n")
    assert main(["predict", "n.csv", "m"]) == 0
    done(capsys, "train", "w.csv", "-o", "m")
    assert main(["predict", "n.csv", "m"]) == 2
    assert "'v', a column of numbers in 'kg', has 1 other cell, as '5'" in capsys.readouterr().err


def test_values_to_predict_may_be_written_otherwise(capsys, folder):
    rows = [f"{k};{k * k % 7},{k % 10} %" for k in range(20)]
    Path("v.csv").write_text("\n".join(["x;y", *rows]))
    told = done(capsys, "train", "v.csv", "--type", "epsilon_svr", "--keep", "x")
    assert "values read as numbers, as 0,0 % as 0\n" in told and "value y: from 0 to 4.9" in told
    Path("v.csv").write_text("\n".join(["x;y", *rows, "3;5.5 kg"]))
    assert main(["train", "v.csv", "--type", "epsilon_svr"]) == 2
    assert "the value of row 1 is '0,0 %', which is no number" in capsys.readouterr().err


def test_every_column_that_is_read_is_told_and_refusals_have_a_cure_that_works(capsys, folder):
    rows = [";".join([*(f"{k + j},5" for j in range(7)), "ab"[k % 2]]) for k in range(9)]
    Path("c.csv").write_text("\n".join(["a;b;c;d;e;f;g;y", *rows]))
    told = done(capsys, "train", "c.csv")
    assert told.count("read as numbers") == 5 and "  and so f, g\n" in told
    Path("c.csv").write_text("a;b;y\n1,500;1;p\n2,500;3;q\n1,500;2;p\n2,500;1;q\n")
    assert main(["train", "c.csv"]) == 2
    told = capsys.readouterr().err
    assert "'a' ('1,500' is 1500 or 1.5); mend them, read as texts by --texts, or leave" in told
    assert "1 text to 2 columns" in done(capsys, "train", "c.csv", "--texts", "a")
    assert "left out" not in done(capsys, "train", "c.csv", "--drop", "a")


def engines(folder):
    """A table of engines, a model of it, and new rows: three rotary, one in words, one a gap."""
    rows = [f"{4 + k % 3},{k * k % 7},{'ab'[k % 2]}" for k in range(30)]
    Path("old.csv").write_text("\n".join(["cyl,w,y", *rows]))
    new = [f"{4 if k % 3 else 'rotary'},{'much' if k == 3 else k - 4 or ''},a" for k in range(9)]
    Path("new.csv").write_text("\n".join(["cyl,w,y", *new, "4,4,"]))
    gaps = [line.replace("rotary", "").replace("much", "") for line in new]
    Path("gaps.csv").write_text("\n".join(["cyl,w,y", *gaps, "4,4,"]))


def test_a_text_among_numbers_is_refused_or_counts_as_a_gap(capsys, folder):
    engines(folder)
    done(capsys, "train", "old.csv", "-o", "m")
    for command in (["predict", "new.csv", "m"], ["scale", "new.csv", "--restore", "m"],
                    ["explain", "new.csv", "m"]):
        assert main(command) == 2
        told = capsys.readouterr().err
        assert "has 3 other cells, as 'rotary' in row 1; 'w'" in told
        assert told.endswith("or leave them empty, or let them count as gaps by --unknown gap\n")
        assert run(capsys, *command, "--unknown", "gap")[0] == 0
    out = {}
    for name in ("new", "gaps"):
        out[name] = done(capsys, "predict", f"{name}.csv", "m", "--unknown", "gap", "-o", "p.csv",
                         "--decisions")
        out[name, "file"] = Path("p.csv").read_text()
    assert out["new", "file"] == out["gaps", "file"]
    line = "3 rows with a text in a column of numbers, which counts as a gap: cyl (3), w (1)\n"
    assert out["new"].replace(line, "", 1) == out["gaps"] != out["new"]
    done(capsys, "train", "old.csv", "-o", "m", "--as-is")
    assert main(["predict", "new.csv", "m", "--unknown", "gap"]) == 2
    assert "--unknown gap is for models that prepare tables" in capsys.readouterr().err


def test_rows_whose_text_no_row_to_train_on_has_are_told(capsys, folder):
    rows = [f"{'odd' if k in (3, 20) else 'even'},{k * k % 11},{k % 2}" for k in range(24)]
    Path("f.csv").write_text("\n".join(["t,x,y", *rows]))
    unseen = "with a text that no row to train on has: it counts as a gap\n"
    told = [done(capsys, "train", "f.csv", "-v", "4", "--seed", str(seed)) for seed in range(9)]
    assert {"2 rows " + unseen in text for text in told} == {True, False}
    assert f"2 rows {unseen}" in done(capsys, "grid", "f.csv", "-v", "4", "--C", "1", "--gamma",
                                      "1", "--seed", str(["2 rows " in t for t in told].index(1)))
    told = [done(capsys, "train", "f.csv", "--test-size", ".5", "--seed", str(seed))
            for seed in range(9)]
    assert any("  2 texts not seen in training count as 0: t (2)\n" in text for text in told)
