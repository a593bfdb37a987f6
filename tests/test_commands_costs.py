"""What makes much of little is counted before the work: told, refused, or done with --large."""

import pytest

from refsvm.commands import costs, engine, main


def rows_of_one_number(path, n):
    path.write_text("".join(f"{1 - 2 * (i % 2)} {7 * i + 1}:{i + 1}\n" for i in range(n)))
    return str(path)


def pairs_of_rows(path, classes):
    path.write_text("".join(f"{i % classes} 1:{i} 2:{i % 7}\n" for i in range(2 * classes)))
    return str(path)


@pytest.fixture(autouse=True)
def usual(monkeypatch):
    monkeypatch.setattr(costs, "USUAL_NUMBERS", 400)
    monkeypatch.setattr(costs, "USUAL_MACHINES", 400)


def test_scale_counts_zeros_that_become_numbers(tmp_path, capsys):
    out = tmp_path / "out"
    words = ["scale", rows_of_one_number(tmp_path / "few", 30), "-o", str(out)]
    assert main(words) == 0  # 900 numbers of 30
    assert "refsvm: 900 numbers of 30; zeros stay zeros" in capsys.readouterr().err
    words[1] = rows_of_one_number(tmp_path / "many", 110)
    out.unlink()
    assert main(words) == 2 and not out.exists()
    assert "12100 numbers of 110; zeros stay zeros where the range begins at the least value, as" \
        " by --lower 0, or say --large" in capsys.readouterr().err
    assert main([*words, "--lower", "0"]) == 0 and capsys.readouterr().err == ""
    assert len(out.read_text().split()) == 220
    assert main([*words, "--large"]) == 0 and len(out.read_text().split()) > 12000


@pytest.mark.parametrize("command", ["train", "grid", "exact"])
def test_a_machine_for_each_pair_of_many_classes_is_counted(tmp_path, capsys, command):
    words = [command, pairs_of_rows(tmp_path / "many", 402)]
    assert main(words) == 2
    assert "402 classes have 80601 pairs, and there are 804 rows; if the labels are values, say" \
        " --type epsilon_svr, or say --large" in capsys.readouterr().err


def test_few_classes_are_no_matter(tmp_path, capsys):
    assert main(["train", pairs_of_rows(tmp_path / "few", 8)]) == 0
    assert "pairs, and there are" not in capsys.readouterr().err


def table_of_texts(path, n):
    path.write_text("".join(["a,b,y\n", *(f"t{i},{i % 7},{'no' if i % 3 else 'yes'}\n"
                                          for i in range(n))]))
    return str(path)


def test_columns_of_texts_are_counted(tmp_path, capsys):
    path = table_of_texts(tmp_path / "few.csv", 60)
    words = ["train", path, "--texts", "a", "-o", str(tmp_path / "model")]
    assert main(words) == 0
    assert "refsvm: 3660 numbers of 120; a column of many texts" in capsys.readouterr().err
    words[1] = table_of_texts(tmp_path / "many.csv", 220)
    assert main(words) == 2
    assert "48620 numbers of 440; a column of many texts tells little, so leave it out by" \
        " --drop, or say --large" in capsys.readouterr().err
    assert main([*words, "--large"]) == 0
    prepared = ["scale", path, "--restore", str(tmp_path / "model"), "-o", str(tmp_path / "out")]
    assert main(prepared) == 2  # 60 rows of 221 columns
    assert "13260 numbers of 120; a column" in capsys.readouterr().err


def linear_model(path, classes, width):
    """A model of many classes, each with one vector that has `width` numbers in common."""
    pairs = classes * (classes - 1) // 2
    row = " ".join(f"{k + 1}:1" for k in range(width))
    lines = ["svm_type c_svc", "kernel_type linear", f"nr_class {classes}", f"total_sv {classes}",
             "rho " + "0 " * pairs, "label " + " ".join(map(str, range(classes))),
             "nr_sv " + "1 " * classes, "SV"]
    path.write_text("\n".join(lines + ["1 " * (classes - 1) + row] * classes) + "\n")
    return str(path)


def test_weights_of_pairs_are_counted(tmp_path, capsys):
    few, many = linear_model(tmp_path / "few", 31, 600), linear_model(tmp_path / "many", 300, 1200)
    assert main(["export", few, "-o", str(tmp_path / "few.c")]) == 0
    assert "refsvm: 279000 numbers of 19995; train with a Gaussian" in capsys.readouterr().err
    rows = tmp_path / "rows"
    rows.write_text("0 1:1\n")
    for words in (["export", many], ["predict", str(rows), many]):
        assert main(words) == 2
        assert "53820000 numbers of 494550; train with a Gaussian kernel, which needs no" \
            " weights, or say --large" in capsys.readouterr().err


@pytest.mark.parametrize("command, told", [
    ("check", "300 classes have 44850 pairs, and there are 300 rows; each is judged by some lines,"
     " so check a model of fewer classes, or say --large"),
    ("explain", "53820000 numbers of 494550; train with a Gaussian kernel"),
])
def test_what_judges_every_pair_counts_them(tmp_path, capsys, command, told):
    model, rows = linear_model(tmp_path / "model", 300, 1200), tmp_path / "rows"
    rows.write_text("".join(f"{k} 1:1\n" for k in range(300)))
    assert main([command, str(rows), model]) == 2
    assert told in capsys.readouterr().err


def test_many_classes_are_predicted_in_parts(tmp_path, capsys, monkeypatch):
    model, rows = linear_model(tmp_path / "model", 40, 1), tmp_path / "rows"
    rows.write_text("0 1:1\n" * 9)
    words, asked = ["predict", str(rows), model, "--decisions", "-o", str(tmp_path / "out")], []
    in_parts = engine.in_parts
    monkeypatch.setattr(engine, "in_parts", lambda answer, X, batch: in_parts(
        lambda part: asked.append(len(part)) or answer(part), X, batch))
    whole = main(words) or (tmp_path / "out").read_text()
    monkeypatch.setattr(engine, "MOST_DECISIONS", 3 * 780)
    assert main(words) == 0 and (tmp_path / "out").read_text() == whole
    assert asked == [9, 4, 4, 1]


def test_decisions_of_pairs_are_counted(tmp_path, capsys):
    model, rows = linear_model(tmp_path / "model", 40, 1), tmp_path / "rows"
    rows.write_text("0 1:1\n" * 200)
    words = ["predict", str(rows), model, "--decisions", "-o", str(tmp_path / "out")]
    assert main(words) == 2
    assert "156000 numbers of 980; --probabilities writes one number for each class, or say" \
        " --large" in capsys.readouterr().err
    assert main(["predict", str(rows), model]) == 0
    assert main([*words, "--large"]) == 0
    assert len((tmp_path / "out").read_text().split("\n")[1].split()) == 781


# Growth: twice as much read is at most so many times as much written


def size_of(path, words):
    assert main([*words, "-o", str(path)]) in (0, 1, 2)
    return path.stat().st_size


@pytest.mark.parametrize("command, most", [("scale", 4.5), ("train", 2.5), ("predict", 2.5)])
def test_what_is_written_grows_as_the_table_says(tmp_path, command, most):
    sizes = []
    for n in (20, 40):
        words = [command, rows_of_one_number(tmp_path / f"{n}", n)]
        if command == "predict":
            main(["train", words[1], "-o", str(tmp_path / "model")])
            words.append(str(tmp_path / "model"))
        sizes.append(size_of(tmp_path / f"out{n}", words))
    assert sizes[1] < most * sizes[0]


def test_export_of_far_columns_grows_as_the_model(tmp_path):
    sizes = []
    for n in (100, 200):
        model = tmp_path / f"{n}"
        head = (f"svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv {n}\nrho 0\n"
                f"label 1 -1\nnr_sv {n // 2} {n // 2}\nSV\n")
        model.write_text(head + "".join(
            f"{1 if i < n // 2 else -1} {99991 * i + 1}:1\n" for i in range(n)))
        sizes.append(size_of(tmp_path / f"{n}.c", ["export", str(model)]))
    assert sizes[1] - sizes[0] < 40 * 100


def test_questions_are_as_many_as_are_asked_for(capsys):
    sizes = []
    for count in ("10", "20"):
        assert main(["draw", "smo", "--count", count]) == 0
        sizes.append(len(capsys.readouterr().out))
    assert sizes[1] < 3 * sizes[0]


def test_a_report_does_not_grow_with_what_a_subject_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loud.py").write_text(
        "def short(problem):\n    raise ValueError('x')\n"
        "def long(problem):\n    raise ValueError('x' * 10**6)\n")
    sizes = [size_of(tmp_path / f"{name}.json", ["audit", f"loud.py:{name}", "--case", "C0?"])
             for name in ("short", "long")]
    assert sizes[1] < 3 * sizes[0] + 10_000
