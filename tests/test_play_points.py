"""refsvm play with a table: its points in a link, or one sentence that says what is wrong."""

import os

import pytest

from refsvm.commands import main
from refsvm.play.answers import answer

PUPILS = """\
name,height,weight,team
ann,1.6,52.5,red
bo,1.72,61,red
cy,1.81,80,blue
"""


@pytest.fixture
def link(tmp_path, monkeypatch, capsys):
    """A function: what `refsvm play points.csv --link` prints for a table, or refuses."""
    monkeypatch.chdir(tmp_path)

    def link(text, *words, name="points.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        status = main(["play", name, "--link", *words])
        out, err = capsys.readouterr()
        assert (status, not out) == ((0, False) if not err else (2, True))
        return out or err

    return link


def test_the_points_of_a_table_are_in_the_link_as_they_are(link):
    assert link("1,2,yes\n3,0.5,no\n-3,1e-2,no\n") == "#1;k=lin;C=1;p=+1,2;-3,1/2;--3,0.01\n"
    assert link(PUPILS, "--drop", "name") == "#1;k=lin;C=1;p=+8/5,105/2;+43/25,61;-1.81,80\n"
    assert link("1\t2\t-1\n3\t4\t1\n", name="a.tsv") == "#1;k=lin;C=1;p=-1,2;+3,4\n"
    assert link("+1 1:2 2:3\n-1 2:1\n", name="a.txt") == "#1;k=lin;C=1;p=+2,3;-0,1\n"
    assert link("good;1;2\nbad;3;4\n", "--label", "1") == "#1;k=lin;C=1;p=+1,2;-3,4\n"


def test_the_link_of_a_table_opens(link):
    told = answer({"state": link(PUPILS, "--drop", "name").strip()})
    assert told["status"] == "optimal"
    assert len(told["rows"]) == 3


def test_rows_of_one_class_are_points_for_the_machines_without_classes(link):
    assert link("1,2,a\n3,4,a\n") == "#1;k=lin;C=1;p=+1,2;+3,4\n"


def test_coordinates_are_rounded_to_six_decimals_and_large_ones_keep_them(link):
    assert link(f"{1 / 3},999.1234567,a\n-0.0000001,2,b\n") == (
        "#1;k=lin;C=1;p=-0.333333,999.123457;+0,2\n"
    )


@pytest.mark.parametrize("text, part", [
    ("1,2,3,a\n4,5,6,b\n", "points.csv has 3 numbers in a row; a point has two and a class"),
    ("1,a\n2,b\n", "points.csv has 1 number in a row"),
    ("".join(f"{k},1,{k % 2}\n" for k in range(61)), "61 rows; play takes 60 points"),
    ("1,2,a\n1,3,b\n1,4,c\n", "points.csv has 3 classes, 'a', 'b' and so on; play takes two"),
    ("1,2,a\n1,1001,b\n", "row 2 has 1001; coordinates of play are at most 1000, so take"),
    ("1000.0000001,2,a\n1,1,b\n", "row 1 has 1000.0000001; coordinates of play are at most 1000"),
    ("x,2,a\ny,1,b\n", "points.csv, line 1"),
    ("", "points.csv"),
])
def test_a_table_that_has_no_points_is_refused_in_one_sentence(link, text, part):
    said = link(text)
    assert part in said
    assert said.count("\n") == 1


def test_a_link_is_printed_in_its_one_form_and_without_points_there_is_none(capsys):
    assert main(["play", "http://x/#1;C=0.5;p=+1,2;-3,1", "--link"]) == 0
    assert capsys.readouterr().out == "#1;k=lin;C=1/2;p=+1,2;-3,1\n"
    assert main(["play", "--link"]) == 2
    assert "--link needs POINTS" in capsys.readouterr().err
    assert main(["play", "not_there.csv", "--link"]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_a_pipe_is_a_table_not_a_link(capsys):
    read, write = os.pipe()
    os.write(write, b"1,2,a\n3,4,b\n")
    os.close(write)
    try:
        assert main(["play", f"/dev/fd/{read}", "--link"]) == 2
    finally:
        os.close(read)
    assert "if this is a table, say --format csv" in capsys.readouterr().err
