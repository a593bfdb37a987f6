"""What the page for teachers says of chapters, exercises, slides and links is so."""

import re

import pytest
from references import SPEC
from test_course import TEXTS, minutes

from docs.pages import PLAY
from docs.run import for_running
from docs.slides.__main__ import SLIDES
from refsvm.commands import main
from refsvm.exercises.catalogue import EXERCISES
from refsvm.play.answers import answer
from refsvm.play.states import FIELD_READERS, MAX_N, parse_state

PAGE = (SPEC / "course" / "teaching.md").read_text(encoding="utf-8")
NUMBERED = {int(file[7:9]): text for file, text in TEXTS.items()}
CHAPTER = re.compile(r"\[[cC]hapter (\d+)\]")
SECTION = re.compile(r"\[(?:[cC]hapter )?(\d+)(?:\.\d+)?\](?!:)")


def rows(first):
    """The cells of the table whose head begins with a word."""
    table = re.search(rf"^\| {first} .*\n\|[-:| ]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)[1]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]


def chapters(cell):
    return [int(number) for number in CHAPTER.findall(cell)]


WEEKS, NEEDS = rows("week"), rows("chapter")
NEEDED = {chapters(first)[0]: chapters(needs) for first, needs, _ in NEEDS}


def test_the_weeks_have_every_chapter_in_order_and_their_minutes():
    assert [int(row[0]) for row in WEEKS] == list(range(1, 15))
    assert [number for row in WEEKS for number in chapters(row[1])] == list(NUMBERED)
    for _, cell, _, told, _ in WEEKS:
        assert int(told) == round(sum(minutes(NUMBERED[number]) for number in chapters(cell)))


def test_every_slide_stands_in_a_week():
    linked = re.findall(r"\[(\w+)\]\(slides\.html#(\w+)\)", "".join(row[4] for row in WEEKS))
    assert {name for name, _ in linked} == set(SLIDES)
    assert [pair for pair in linked if len(set(pair)) > 1] == []


def all_needed(number):
    """The chapters that one needs, also by way of others."""
    return {number}.union(*map(all_needed, NEEDED[number]))


@pytest.mark.parametrize("number", NUMBERED)
def test_what_a_chapter_refers_back_to_is_among_what_it_needs(number):
    assert all(other < number for other in NEEDED[number])
    text = re.sub(r"^```.*?^```", "", NUMBERED[number], flags=re.MULTILINE | re.DOTALL)
    named = {int(other) for other in SECTION.findall(text)}
    assert {other for other in named if other <= number} <= all_needed(number)


def test_pegasos_and_the_other_ways_alone_are_needed_by_no_later_chapter():
    last = max(NEEDED)
    needed = {other for others in NEEDED.values() for other in others}
    titles = [NUMBERED[k].splitlines()[0] for k in sorted(set(NEEDED) - needed - {last})]
    assert titles == ["# 11. Pegasos", "# 12. Other ways, other traps"]


def test_every_exercise_is_linked_in_the_row_of_its_chapter():
    listed = []
    for first, _, cell in NEEDS:
        title = re.match(r"# \d+\. (.+)", NUMBERED[chapters(first)[0]])[1]
        for name, file in re.findall(r"\[(\w+)\]\(([\w-]+\.md)#exercises\)", cell):
            assert EXERCISES[name].chapter == title
            assert TEXTS[f"course/{file}"] == NUMBERED[chapters(first)[0]]
            listed.append(name)
    assert listed == list(EXERCISES)


def test_on_the_site_an_exercise_is_linked_at_its_place():
    places = re.findall(r"\[(\w+)\]\(place:([\w-]+)\.html#exercise-(\w+)\)", for_running(PAGE))
    assert [name for name, _, _ in places] == list(EXERCISES)
    for name, file, place in places:
        shown = for_running(TEXTS[f"course/{file}.md"])
        assert place == name and f'id="exercise-{name}"' in shown


def commands(head):
    """The commands of the block that begins with this line, and what each prints."""
    block = re.search(rf"```text\n({re.escape(head)}\n.*?\n)```", PAGE, re.DOTALL)[1]
    return re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)


def test_the_command_prints_the_link_that_stands_there(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (_, table), (line, link) = commands("$ cat class.csv")
    (tmp_path / "class.csv").write_text(table)
    assert main(line.split()[1:]) == 0
    assert capsys.readouterr().out == link
    assert answer({"state": link.strip()})["status"] == "optimal"
    assert PLAY.findall(PAGE)[-1] == ("refsvm play", link.strip())


def test_the_folder_of_a_class_is_marked_as_it_stands_there(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (_, wrong), *lines = commands("$ cat class/bo.py")
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "bo.py").write_text(wrong)
    (tmp_path / "class" / "ann.py").write_text(wrong.replace("-m", "1 - m"))
    for line, printed in lines:
        assert main(line.split()[1:]) == 1
        assert capsys.readouterr().out == printed


def test_each_part_of_a_link_is_told_and_can_be_opened():
    parts = [re.findall(r"`([^`]+)`", row[0]) for row in rows("part")]
    *others, points = [part for several in parts for part in several]
    assert [part[0] for part in others[1:]] == list(FIELD_READERS)
    assert parse_state(";".join([*others, points])).points
    limits = re.search(r"(\d+) points\n\(with `poly` (\d+), with `rbf` (\d+),", PAGE).groups()
    assert [int(most) for most in limits] == [MAX_N["lin"], MAX_N["poly"], MAX_N["rbf"]]
