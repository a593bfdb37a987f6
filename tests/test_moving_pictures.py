"""The pictures of the course that move: what they show before Python has started, and after."""

import json
import shutil
import subprocess

import pytest

from docs import moving
from docs.moving import MOVING, answers_of, with_moving
from docs.play import ROOT, write_port
from refsvm.play.answers import answer
from refsvm.play.page import OF_SMALL, WITHOUT_SERVER, read_script
from refsvm.play.presets import PRESETS
from refsvm.play.states import parse_state

CHAPTERS = [1, 3, 4, 6, 7, 8, 9, 11, 14, 15, 16]
PLANE = [-5, 5, -4, 4]
ASK = """\
import { quickAnswer } from "./quick.js";
const { asked, plane } = JSON.parse(process.argv[2]);
console.log(JSON.stringify(asked.map((state) => quickAnswer(state, plane))));
"""


@pytest.fixture(scope="module")
def shown():
    return {name: told.state for name, told in moving.shown().items()}


def test_each_chapter_that_needs_one_has_a_picture_that_moves(shown):
    assert set(shown) == set(MOVING)
    names = [f"spec/course/{path.name}" for path in sorted(ROOT.glob("spec/course/[01]*.md"))]
    found = [int(name[12:14]) for name in names
             if 'class="moving"' in with_moving((ROOT / name).read_text("utf-8"), name)]
    assert found == CHAPTERS


@pytest.mark.parametrize("name", MOVING)
def test_what_a_picture_names_is_in_its_answer(shown, name):
    picture, told = MOVING[name], next(iter(answers_of(shown[name]).values()))
    assert all(1 <= k <= len(told["rows"]) for k in picture.handles)
    facts = [*told["facts"], *told.get("watch", {"facts": []})["facts"]]
    known = {key for key, _ in facts} | set(told["columns"]) | {"bars", told["offset"]["name"]}
    known |= {part["name"] for part in told["bars"]["primal"]["parts"]}
    assert set(picture.numbers) <= known
    assert picture.beside in {"", *told["columns"]}
    assert "program" not in told


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """A function: what the page shows of states before Python has answered."""
    node = shutil.which("node") or pytest.skip("node is not installed")
    folder = tmp_path_factory.mktemp("quick")
    for name in (*WITHOUT_SERVER, *OF_SMALL):
        (folder / name).write_text(read_script(name), encoding="utf-8")
    write_port(folder / "port")
    (folder / "ask.js").write_text(ASK, encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}')

    def ask(texts):
        asked = [answer({"state": text})["state"] for text in texts]
        done = subprocess.run([node, "ask.js", json.dumps({"asked": asked, "plane": PLANE})],
                              cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask


@pytest.mark.slow("a first picture that is not of the optimum")
def test_the_picture_before_python_is_that_of_the_optimum(shown, quick):
    texts = [text for text in [*shown.values(), *(preset.state for preset in PRESETS)]
             if not parse_state(text).watched]
    for text, found in zip(texts, quick(texts)):
        told = answer({"state": text, "plane": PLANE})
        drawing = told.get("drawing", {})
        if told["status"] == "infeasible":
            assert found["text"] == "no hard margin" and found["drawing"] == {}
            continue
        exact = told["value"]["near"]
        assert float(found["text"].removeprefix("≈ ")) == pytest.approx(exact, rel=1e-4), text
        assert found["gap"] < 1e-6
        if "k=lin" in told["link"]:
            assert numbers(found["drawing"]["border"]) == near(numbers(drawing["border"])), text
            for mine, its in zip(found["drawing"]["slacks"], drawing["slacks"]):
                assert numbers(mine) == near(numbers(its)), text
        else:
            assert found["drawing"]["border"].count("L") > 9


def test_a_proof_is_of_numbers_that_are_doubles_as_they_stand(quick):
    """A third is rounded: the gap of the doubles next to it is not that of the state."""
    parts = {"1;p=+1,2;-3,1": True, "1;p=+1,2;-5/8,2.25": True, "1;C=inf;p=+1,2;-3,1": True,
             "1;p=+1/3,2;-3,1": False, "1;p=+0.1,2;-3,1": False, "1;C=4/87;p=+1,2;-3,1": False,
             "1;k=rbf,1/3;p=+1,2;-3,1": False}  # fmt: skip
    assert {text: found["isExact"] for text, found in zip(parts, quick(parts))} == parts


def test_no_picture_stands_where_a_step_is_watched_or_a_class_is_missing(quick):
    assert quick(["1;t=smo,1;p=+1,2;-3,1", "1;p=+1,2;+3,1"]) == [None, None]


def numbers(path):
    """The numbers of the two ends of a line."""
    ends = sorted([float(v) for v in word.split()] for word in path[1:].split("L") if word)
    return [v for end in [*ends[:1], *ends[-1:]] for v in end]


def near(values):
    return pytest.approx(values, abs=1e-4)
