"""Tables on the command line: what is read, matched, written and refused."""

import os

import pytest

from refsvm.estimators.svc import SVC
from refsvm.files.models import read_model, write_model
from refsvm.files.table_columns import TableColumns
from refsvm.tables.data import read_data, write_data
from tests.seven_points import LABELS, POINTS, done, go_to, run

NAMES = ["no" if y < 0 else "so, yes" for y in LABELS]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test runs in a folder of its own, with the seven points as a table."""
    go_to(tmp_path, monkeypatch)
    write_data("points.csv", POINTS, NAMES, columns=TableColumns(["x", "y z"], 2, "kind", 1))
    write_data("bare.tsv", POINTS, LABELS)
    lines = [f"{i},{y},{x},a" for i, (x, y) in enumerate(POINTS)]
    (tmp_path / "new.csv").write_text("\n".join(["id,y z,x,note", *lines]))
    (tmp_path / "ends.csv").write_text("x,end\n1,12.0\n2,Inf\n4,13\n")
    return tmp_path


def test_every_command_reads_a_table_and_keeps_its_labels(capsys, folder):
    at_label = ("--label", "kind")
    out = done(capsys, "train", "points.csv", *at_label, "--as-is", "-o", "model",
               "--kernel", "linear")
    assert out.splitlines()[:2] == ["7 rows, 2 features", "label kind: no (3), so, yes (4)"]
    write_model("expected", SVC(kernel="linear").fit(POINTS, NAMES).model_,
                TableColumns(["x", "y z"], 2, "kind"))
    assert (folder / "model").read_bytes() == (folder / "expected").read_bytes()
    assert "7 of 7" in done(capsys, "predict", "points.csv", "model", "-o", "labels")
    assert (folder / "labels").read_text().splitlines() == NAMES
    done(capsys, "predict", "new.csv", "model", "-o", "new")
    assert (folder / "new").read_text().splitlines() == NAMES
    assert done(capsys, "check", "points.csv", "model").endswith("every pair passes\n")
    assert "classes no (y = -1) and so, yes" in done(
        capsys, "exact", "points.csv", *at_label, "--kernel", "linear")
    done(capsys, "trace", "points.csv", *at_label, "--as-is", "--kernel", "linear", "-o", "t.svg")
    done(capsys, "plot", "points.csv", "model", "-o", "p.svg")
    done(capsys, "plot", "points.csv", *at_label, "--features", "y z", "1", "-o", "q.svg")
    for name in ("t.svg", "p.svg", "q.svg"):
        assert {">x<", ">y z<"} <= {f">{w}<" for w in (folder / name).read_text().replace(
            "<", ">").split(">")}, name
    done(capsys, "export", "model", "-o", "m.c")
    assert '"so, yes"' in (folder / "m.c").read_text()


def test_the_same_data_as_text_and_as_table_give_the_same_model(capsys, folder):
    done(capsys, "train", "points", "-o", "a")
    done(capsys, "train", "bare.tsv", "--as-is", "-o", "b")
    last = '# refsvm {"features":2,"label":3}\n'
    assert (folder / "b").read_text() == (folder / "a").read_text() + last
    assert "7 of 7" in done(capsys, "predict", "bare.tsv", "a")
    assert "7 of 7" in done(capsys, "predict", "points", "b")


def test_a_table_without_labels_is_never_read_as_if_it_had_some(capsys, folder):
    write_data("unlabelled.csv", POINTS, [], columns=TableColumns(None, 2))
    done(capsys, "train", "points", "-o", "model")
    for model in ("model", "bare"):
        done(capsys, "train", "bare.tsv", "-o", "bare")
        done(capsys, "predict", "unlabelled.csv", model, "-o", f"{model}.labels")
        assert (folder / f"{model}.labels").read_text().split() == list(map(str, LABELS))
    assert "has no column of labels" in run(capsys, "check", "unlabelled.csv", "model")[2]


def test_scale_writes_the_table_it_read_with_other_numbers(capsys, folder):
    done(capsys, "scale", "points.csv", "--label", "kind", "-o", "scaled.csv", "--save", "r")
    before, after = (read_data(name, label="kind") for name in ("points.csv", "scaled.csv"))
    assert after.columns == before.columns and after.y == before.y
    assert [min(column) for column in zip(*after.X)] == [-1, -1]
    done(capsys, "scale", "new.csv", "-o", "new.tsv", "--restore", "r")
    new = read_data("new.tsv", columns=after.columns)
    assert new == (after.X, []) and (folder / "new.tsv").read_text().startswith("x\ty z\n")
    out = done(capsys, "scale", "points.csv", "--restore", "r")
    assert out == (folder / "scaled.csv").read_text()
    assert done(capsys, "scale", "points", "-o", "-").startswith("-1 1:-1 2:-1\n")


def test_weights_are_of_labels_as_the_table_has_them(capsys):
    weights = "so, yes"
    done(capsys, "train", "points.csv", "--label", "1", "--as-is", "-o", "model", "--class-weight",
         f'"{weights}:3",no:2')
    svc = SVC(gamma="auto", class_weight={"so, yes": 3, "no": 2}).fit(POINTS, NAMES)
    assert read_model("model") == svc.model_


@pytest.mark.parametrize("line, sentence", [
    ("train points.csv --as-is", "line 2: column 1 ('kind') is 'no', which is no number here; if"
     " it is the label, say --label 'kind'; else make columns of 0 and 1 of such texts, or leave"
     " it out by --drop 'kind'"),
    ("train points.csv --label kin", "there is no column 'kin'; the nearest is 'kind' of"),
    ("train new.csv --label y", "there is no column 'y'; there are 'id', 'y z', 'x', 'note'"),
    ("train new.csv --drop note", "the label of row 6 is 1.25, which is no class; to predict"
     " numbers say --type epsilon_svr, and if another column than column 3, 'x', holds the labels,"
     " say --label"),
    ("train ends.csv --type nu_svr", "the value of row 2 is 'Inf', which is no number; if"),
    ("train points --label 1", "--label is '1', but points is read as LIBSVM's text; if it is a"
     " table, say --format csv"),
    ("train bare", "line 1: in '0' there is no colon; an item is index:value; if this is a table,"
     " say --format csv"),
    ("train points.csv --drop x,", "argument --drop: the name of the column is empty"),
    ("train points.csv --as-is --no-header --label 1", "column 2 is 'x', which is no number here;"
     " make"),
    ("predict new.csv other", "there is no column 'kind'; there are 'id', 'y z', 'x', 'note'; the"
     " model was trained on it"),
    ("plot points.csv --label kind --features x w -o p.svg", "--features is w; it must be from 1"
     " to"
     " 2, or the name of a feature"),
])
def test_refusals_name_the_column_and_the_options(capsys, folder, line, sentence):
    os.link("bare.tsv", "bare")
    write_model("other", SVC().fit([[0], [1]], [0, 1]), TableColumns(["kind"], 1, "x", 2))
    before = sorted(os.listdir(folder))
    status, _, err = run(capsys, *line.split())
    assert status == 2 and sentence in err and err.count("\n") == 1 and len(err) < 300
    assert sorted(os.listdir(folder)) == before


def test_rows_in_other_units_than_the_vectors_are_named(capsys, folder):
    rows = [[k, 5 * (k % 3), "no" if k < 9 else "yes"] for k in range(18)]
    text = "\n".join(["size,age,ill", *(",".join(map(str, row)) for row in rows)])
    (folder / "t.csv").write_text(text)

    def told(line):
        return "hint: size is from " in done(capsys, *line.split())

    told("scale t.csv -o s.csv --save ranges")
    told("train s.csv --as-is -o m")
    assert told("predict t.csv m") and not told("predict s.csv m")
    told("scale t.csv -o again.csv --restore ranges")
    assert not told("predict again.csv m")
    told("train t.csv --as-is -o raw")
    assert not told("predict t.csv raw")
    told("train t.csv -o prepared")
    assert not told("predict t.csv prepared")
    lines = [f"{size},{1000 * age + 9000},{ill}" for size, age, ill in rows]
    (folder / "days.csv").write_text("\n".join(["size,age,ill", *lines]))
    out = done(capsys, "predict", "days.csv", "prepared")
    assert "prepared alike: is the unit another?" in out and "--restore" not in out
