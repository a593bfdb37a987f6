"""What makes much of little is counted before the work: told, refused, or done with --large."""

import pytest

from refsvm.commands import costs, main


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
