"""Index 0 in LIBSVM's text: a feature like the others, as LIBSVM reads it."""

import random

import pytest

from refsvm import SVC, read_data, read_model, write_model
from tests.seven_points import done, go_to, run

random.seed(5)
Y = [random.choice([-1, 1]) for _ in range(30)]
X = [[random.choice([0.0, 1.0]), random.gauss(y, 1), random.gauss(0, 1)] for y in Y]
WITHOUT = [[0.0, *x[1:]] for x in X]
TOLD = "indices are counted from 0, as LIBSVM reads them: item 0 is a feature, too\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    folder = go_to(tmp_path, monkeypatch)
    for name, rows in (("rows", X), ("without", WITHOUT)):
        for first in (0, 1):
            lines = [f"{y} " + " ".join(f"{k + first}:{v!r}" for k, v in enumerate(x) if v)
                     for x, y in zip(rows, Y)]
            (folder / f"{name}{first}").write_text("\n".join(lines))
    return folder


def decided(capsys, data, model, *options):
    """Whether index 0 is told first, and what is written."""
    out = done(capsys, "predict", data, model, *options, "-o", "p")
    with open("p", encoding="utf-8") as text:
        return out.startswith(TOLD), text.read()


@pytest.mark.parametrize("trained", ["rows", "without"])
@pytest.mark.parametrize("data", ["rows", "without"])
def test_a_model_decides_as_one_of_rows_counted_from_1(capsys, trained, data):
    done(capsys, "train", f"{trained}1", "--gamma", "0.5", "-o", "m1")
    out = done(capsys, "train", f"{trained}0", "--gamma", "0.5", "-o", "m0")
    assert out.count(TOLD) == (trained == "rows")
    (told, found), (silent, same) = (decided(capsys, f"{data}{k}", f"m{k}", "--decisions")
                                      for k in (0, 1))
    assert found == same and not silent and told == ("rows" in (trained, data))


def test_weights_of_values_have_a_place_for_index_0(capsys):
    options = "--type", "epsilon_svr", "--kernel", "linear"
    done(capsys, "train", "without0", *options, "-o", "m0")
    done(capsys, "train", "without1", *options, "-o", "m1")
    (_, found), (_, same) = (decided(capsys, f"rows{k}", f"m{k}") for k in (0, 1))
    assert found == same


def test_a_model_says_by_its_items_that_it_counts_from_0(capsys):
    done(capsys, "train", "rows0", "-o", "m")
    data = read_data("rows0", first=None)
    assert (data.X, data.first) == (X, 0)
    svc = SVC(gamma=1 / 2).fit(data.X, data.y)  # LIBSVM's gamma: 1 by the largest index
    assert read_model("m") == svc.model_
    write_model("m2", svc, first=data.first)
    with open("m", encoding="utf-8") as one, open("m2", encoding="utf-8") as other:
        assert one.read() == other.read()
    assert "every pair passes" in done(capsys, "check", "rows0", "m")
    assert "feature 0 " in done(capsys, "explain", "rows0", "m")
    done(capsys, "plot", "rows0", "--features", "0", "2", "-o", "p.svg")


def test_rows_are_counted_from_1_unless_it_is_said():
    assert read_data("without0", first=0).X == WITHOUT
    assert read_data("without0", first=None).X == [x[1:] for x in WITHOUT]
    assert read_data("rows0", features=4, first=0).X == [[*x, 0.0] for x in X]
    with pytest.raises(ValueError, match="rows0 has 3 columns, from index 0; 2 are asked for"):
        read_data("rows0", features=2, first=0)
    with pytest.raises(ValueError, match="first is 2; it must be at most 1"):
        read_data("rows0", first=2)


def test_kernel_values_without_their_option_and_ranges_are_refused(capsys, folder):
    (folder / "K").write_text("1 0:3 1:1 2:0 3:0\n-1 0:1 1:0 2:1 3:1\n")
    assert "K has a serial number as the item 0 of each row, as rows of kernel values have," \
        " which are told by --kernel precomputed or by the model" in run(capsys, "train", "K")[2]
    assert "add 1 to every index in all files" in run(capsys, "scale", "rows0")[2]
