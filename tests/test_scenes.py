"""Scenes of the course: each number of a sentence is that of refsvm, and each comparison holds."""

import re
from fractions import Fraction as F

import pytest

from docs.moving import MOVING, shown
from docs.pictures.multipliers import SIX
from docs.scenes import NAMED, answer_at, steps_of
from refsvm import kkt
from refsvm.theory.smo_step import offset_after, pair_step

CHAPTERS = {name: told for name, told in shown().items() if told.steps}
NUMBER = r"−?(?:\d+(?:/\d+)?|∞)"
TOKEN = re.compile(rf"{NAMED.pattern}|(y f|C Σξ|\w[\w²‖]*) = ({NUMBER})|\((−?[^()]*\d)\)|\d")


def exact(text):
    """The number in a text of play: the last one, as in 1/‖w‖² = 8."""
    return text.split(" = ")[-1]


def meant(told, name, points):
    """What a name of a sentence means in an answer: one text, or one for each point named last."""
    column = {"ξ": "slack ξ"}.get(name, name)
    if column in told["columns"]:
        place = told["columns"].index(column)
        return {told["rows"][k - 1]["cells"][place]["text"] for k in points}
    bars = told["bars"] or {"primal": {"parts": []}}
    known = {key: exact(text) for key, text in told["facts"]}
    known |= {part["name"]: part["text"] for part in bars["primal"]["parts"]}
    known |= {key: bar["text"] for key, bar in bars.items() if bar and "text" in bar}
    known["C"] = told["state"]["C"].replace("inf", "∞")
    return {known[name]}


def answers(name):
    """The sentences of a scene, each with the answer to its state."""
    state, steps = CHAPTERS[name]
    return [(step.sentence, answer_at(state, step, 1.6)) for step in steps]


@pytest.mark.parametrize("name", CHAPTERS)
def test_each_number_of_a_sentence_is_that_of_its_picture(name):
    for sentence, told in answers(name):
        points, checked = [], 0
        for match in TOKEN.finditer(sentence):
            named, key, value, place = match.groups()
            if named:
                points = [int(k) for k in re.findall(r"\d+", named)]
            elif place:
                at = {",".join(told["state"]["points"][k - 1][1:]) for k in points}
                assert at == {place.replace("−", "-").replace(", ", ",")}, sentence
            else:
                assert key, (sentence, match[0])  # a number without a name
                assert meant(told, key, points) == {value}, (sentence, key)
                checked += 1
        assert all(k <= len(told["rows"]) for k in points)
        assert checked, sentence


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_scene_has_four_to_six_steps_and_begins_with_the_numbers_of_its_chapter(name):
    state, steps = CHAPTERS[name]
    assert 4 <= len(steps) <= 6
    assert not any(key.isdigit() or key == "C" for key in steps[0].changes)
    assert len({str(step.changes) + str(step.points()) for step in steps}) == len(steps)
    assert set(MOVING[name].handles) <= set(range(1, state.partition("p=")[2].count(";") + 2))


def fact(told, name):
    return dict(told["facts"])[name]


def squared_margin(told):
    return F(exact(fact(told, "margin²")))


def test_the_street_is_widest_stays_widens_narrows_and_swings():
    line, best, stays, wider, narrower, swung = (told for _, told in answers("street"))
    assert squared_margin(line) < squared_margin(best) == squared_margin(stays)
    assert fact(best, "w") == fact(stays, "w") and stays["rows"][1]["support"] is False
    assert [k for k, row in enumerate(best["rows"], 1) if row["support"]] == [1, 4]
    assert squared_margin(swung) < squared_margin(narrower) < squared_margin(best)
    assert squared_margin(best) < squared_margin(wider)
    assert all(F(row["cells"][2]["text"]) >= 1 for row in line["rows"])  # the street is free
    assert line["value"] is None and line["bars"] is None


def cells(told, column):
    """The numbers of a column."""
    place = told["columns"].index(column)
    return [F(row["cells"][place]["text"].replace("−", "-")) for row in told["rows"]]


def test_a_larger_C_leaves_less_slack_and_a_narrower_street():
    told = [each for _, each in answers("slack")]
    first, others = told[0], told[3:]
    assert [k for k, slack in enumerate(cells(first, "slack ξ"), 1) if slack] == [4, 5, 11]
    by_C = [others[0], first, *others[1:]]
    assert [each["state"]["C"] for each in by_C] == ["1/16", "1/2", "3", "inf"]
    slacks = [sum(cells(each, "slack ξ")) for each in by_C]
    assert slacks == sorted(slacks, reverse=True) and len(set(slacks)) == 4 and slacks[-1] == 0
    widths = [squared_margin(each) for each in by_C]
    assert widths == sorted(widths, reverse=True) and len(set(widths)) == 4
    assert [k for k, slack in enumerate(cells(by_C[2], "slack ξ"), 1) if slack] == [5]
    assert 0 < cells(first, "slack ξ")[3] < 1 < cells(first, "slack ξ")[4]


def test_alpha_is_0_beyond_C_within_and_the_street_moves_only_with_what_holds_it():
    told = [each for _, each in answers("alpha")]
    assert [fact(each, "w") for each in told[:5]] == ["(1/2, 0)"] * 5  # it stays
    assert [each["offset"]["low"]["text"] for each in told[:5]] == ["0"] * 5
    for each in told:
        assert each["state"]["C"] == "1"
        for alpha, margin in zip(cells(each, "α"), cells(each, "y f")):
            assert alpha == 1 if margin < 1 else alpha == 0 if margin > 1 else 0 <= alpha <= 1
    assert [k for k, a in enumerate(cells(told[5], "α"), 1) if a] == [2, 3]


def test_each_step_of_smo_is_the_pair_step_of_its_two_points_and_ends_at_the_optimum():
    told = [each for _, each in answers("pair")]
    alpha = [cells(each, "α") for each in told]
    pairs = [(3, 2), (5, 2), (3, 1), (5, 2)]  # counted from 0, as in the chapter
    for before, after, each, pair in zip(alpha, alpha[1:], told[1:], pairs):
        assert pair_step(SIX, before, *pair) == after != before
        assert cells(each, "y f") == SIX.margins(after, offset_after(SIX, after, *pair))
        assert {k for k, (a, b) in enumerate(zip(before, after)) if a != b} == set(pair)
        assert set(pair) <= set(each["marked"])
    duals = [F(each["bars"]["dual"]["text"]) for each in told]
    assert duals == sorted(duals) and len(set(duals)) == 6
    assert max(kkt(SIX, alpha[5]).m - kkt(SIX, alpha[5]).M, 0) == 0
    assert [k for k, a in enumerate(alpha[5], 1) if a] == [2, 4, 6]


def test_a_list_is_read_with_its_changes_and_without_them():
    steps = list(steps_of("1. Points 1, 2 and\n   4 stay. <!-- w=1/2,0 1=2,3 -->\n2. So.\n"))
    assert steps[0].sentence == "Points 1, 2 and 4 stay."
    assert steps[0].changes == {"w": "1/2,0", "1": "2,3"} and steps[0].points() == [1, 2, 4]
    assert steps[1] == ("So.", {})
    assert steps[0].unbroken() == steps[0].sentence
