"""play: what the page is told is what solve_exactly proves, and a state has one text."""

import json
import re
from base64 import b64encode
from fractions import Fraction as F
from hashlib import sha256
from math import inf

import pytest
from hypothesis import given, strategies

import refsvm
from refsvm.conformance.cases import case_named
from refsvm.numerics.picks import below, splitmix64
from refsvm.play.answers import answer, reply
from refsvm.play.curves import decision_grid, grid
from refsvm.play.page import files, index, policy_of
from refsvm.play.presets import PRESETS
from refsvm.play.shown_machine import kernel_of_state, moment_at
from refsvm.play.states import parse_state, state_text
from refsvm.proofs.optimum import solve_exactly
from refsvm.solvers.dual_ascent import DualAscent
from refsvm.svm.problem import Problem
from tests.profiles import draws, slow_cases

SIX = "p=+1,2;+2,3;+3,3;-2,1;-3,2;-4,5/2"
XOR = "p=+1,1;--1,1;+-1,-1;-1,-1"


def ask(state, **more):
    """The answer to a state, whose texts are JSON."""
    return json.loads(json.dumps(answer({"state": state, **more})))


EIGHTHS = strategies.integers(-24, 24).map(lambda k: F(k, 8))
POINTS = strategies.lists(
    strategies.tuples(strategies.sampled_from((-1, 1)), EIGHTHS, EIGHTHS), min_size=2, max_size=7
).filter(lambda points: len({label for label, _, _ in points}) == 2)
KERNELS = strategies.sampled_from(["lin", "poly,2,1,1", "poly,3,1/2,1"])
PENALTIES = strategies.sampled_from(["1/4", "1", "8", "inf"])


def text(points, **parts):
    """The text of a state."""
    written = ";".join(f"{'+' if y > 0 else '-'}{u},{v}" for y, u, v in points)
    return ";".join(["1", *(f"{key}={value}" for key, value in parts.items()), f"p={written}"])


def number(shown):
    """The Fraction that a shown number is, if it is shown whole."""
    whole = shown.get("full", shown["text"]).replace("−", "-")
    return inf if whole == "∞" else F(whole)


def far_points(n, seed):
    """Points with denominators of 89 and of a million, labels by chance."""
    bits = splitmix64(seed)
    return ";".join(f"{'+-'[below(2, bits)]}{below(19999, bits) - 9999}/89,"
                    f"{below(999, bits)}.{100001 + 2 * below(449999, bits)}" for _ in range(n))


@pytest.mark.slow("a state that is allowed and takes longer than a second")
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("kernel, n", [
    ("lin", 32), ("poly,1,61/89,97/9973", 32), ("poly,2,61/89,97/9973", 32),
    ("poly,3,61/89,97/9973", 24)])
@pytest.mark.parametrize("more", ["o=0;t=pegasos,9999", "t=pegasos,9999", "s=2;t=smo,99"])
def test_the_work_of_the_states_that_cost_most_is_bounded(monkeypatch, kernel, n, more, seed):
    work = []
    plain = DualAscent.compute_residuals

    def counted(self, *given):
        work.append(len(self.beta) ** 2)
        return plain(self, *given)

    monkeypatch.setattr(DualAscent, "compute_residuals", counted)
    state = f"1;k={kernel};C=999999.9999999;{more};p={far_points(n, seed)}"
    assert "error" not in ask(state)
    assert sum(work) < 15_000_000  # 30 million took a second and a half


def test_many_points_far_away_need_a_smaller_penalty():
    state = f"1;k=lin;C=99999;p={far_points(33, 1)}"
    told = json.loads(reply(json.dumps({"state": state})))["error"]
    assert told == ("state has 33 points; this kernel allows 32, as C is large for points so far "
                    "from 0")
    assert ask(state.replace("99999", "99"))["most"] == 60


@draws(1/2)
@given(POINTS, KERNELS, PENALTIES, strategies.booleans(), strategies.booleans())
def test_the_answer_is_the_exact_optimum(points, kernel, C, bias, squared):
    state = text(points, k=kernel, C=C, s=1 + squared, o=int(bias))
    told = ask(state)
    problem = Problem([[u, v] for _, u, v in points], [y for y, _, _ in points],
                      kernel_of_state(parse_state(state)), C=inf if C == "inf" else F(C),
                      bias=bias, slack="squared" if squared else "hinge")
    best = solve_exactly(problem)
    assert told["status"] == ("infeasible" if best.status == "infeasible" else "optimal")
    if best.status == "infeasible":
        weights = [number(row["cells"][1]) for row in told["rows"]]
        beta = [q * y for q, y in zip(weights, problem.y)]
        assert min(weights) >= 0 and any(weights) and (not bias or sum(beta) == 0)
        assert problem.scores_and_norm2(beta)[1] == 0
        return
    bars = told["bars"]
    values = told["value"], bars["primal"], bars["dual"]
    assert {number(value) for value in values} == {best.objective}
    parts = [number(part) for part in bars["primal"]["parts"]]
    assert parts == [best.w_norm2 / 2, best.objective - best.w_norm2 / 2]
    assert [number(told["offset"][end]) for end in ("low", "high")] == [best.b_low, best.b_high]
    b = (best.b_low + best.b_high) / 2
    margins = problem.margins(best.alpha, b)
    for row, alpha, margin, letter in zip(told["rows"], best.alpha, margins, best.status):
        assert [number(cell) for cell in row["cells"][1:]] == [alpha, margin, max(0, 1 - margin)]
        assert row["letter"] == letter and row["holds"] is True and row["support"] == (alpha != 0)
    assert (told["other"] is None) is best.alpha_unique


@draws(1 / 2)
@given(POINTS, KERNELS, strategies.sampled_from(["svr", "one"]))
def test_regression_and_one_class_are_their_exact_optimum(points, kernel, machine):
    told = ask(text(points, m=machine, k=kernel))
    kernel = kernel_of_state(parse_state(f"1;k={kernel};p="))
    if machine == "svr":
        problem = refsvm.RegressionProblem([[u] for _, u, _ in points], [v for _, _, v in points],
                                           kernel, F(1), F(1, 4))
    else:
        problem = refsvm.OneClassProblem([[u, v] for _, u, v in points], kernel, F(1, 2))
    best = solve_exactly(problem)
    assert number(told["value"]) == best.objective
    alphas = [number(row["cells"][told["bar"]]) for row in told["rows"]]
    assert alphas == best.alpha and all(row["holds"] for row in told["rows"])


@pytest.mark.parametrize("state", [f"1;k=rbf,1/2;{SIX}", f"1;k=rbf,2;C=inf;{XOR}",
                                   f"1;m=one;k=rbf,1/2;n=1/4;{SIX}", f"1;m=svr;k=rbf,1;{SIX}"])
def test_the_gaussian_has_its_optimum_between_two_numbers(state):
    told = ask(state)
    assert "≤" in told["verdict"] and float(told["verdict"].split("≤")[1]) < 1e-9
    assert all(row["holds"] for row in told["rows"])


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_preset_is_written_shortly_and_is_the_case_that_it_names(preset):
    state = parse_state(preset.state)
    assert state_text(state) == preset.state and preset.question.endswith(("?", "."))
    assert ask(preset.state)["status"] in ("optimal", "infeasible")
    if preset.case:
        given_problem = case_named("lectures", preset.case).problem
        rows = [[*row, F(0)][:2] for row in given_problem.X]
        assert sorted((p.label, p.x, p.y) for p in state.points) == sorted(
            (y, *row) for y, row in zip(given_problem.y, rows))
        assert {state.C} == set(given_problem.C) and state.bias == given_problem.bias
        assert state.squared == (given_problem.slack == "squared")
        assert kernel_of_state(state).parameters() == given_problem.kernel.parameters()


@pytest.mark.parametrize("state, part", [
    ("", "begins with ''"), ("2;p=", "begins with '2'"), (7, "must be a text"),
    ("1;k=sigmoid;p=", "it must be lin"), ("1;k=poly,4,1,1;p=", "it must be lin"),
    ("1;k=rbf,0;p=", "from 1/1024"), ("1;k=rbf,99;p=", "from 1/1024"),
    ("1;k=rbf,1/2000;p=", "1/1024"),
    ("1;C=0;p=", "2^-20"), ("1;C=-1;p=", "a number such as"), ("1;C=nan;p=", "a number such as"),
    ("1;C=1e3;p=", "a number such as"), ("1;C=1/0;p=", "a number such as"),
    ("1;C=9999999;p=", "2^20"), ("1;C=1;C=2;p=", "twice"), ("1;z=1;p=", "known ones"),
    ("1;n=0;p=", "above 0"), ("1;n=3/2;p=", "above 0"), ("1;e=x;p=", "0 to 99"),
    ("1;t=newton,1;p=", "smo,3"), ("1;t=smo,-1;p=", "smo,3"), ("1;s=3;p=", "1 or 2"),
    ("1;p=1,2", "like +1,2"), ("1;p=+1", "like +1,2"), ("1;p=+1,2,3", "like +1,2"),
    ("1;p=+1e9,2", "six decimals"), ("1;p=+\u0661,2", "six decimals"),
    ("1;p=+1/0,2", "six decimals"),
    ("1;p=+1.1234567,2", "six decimals"), ("1;p=+1001,2", "at most 1000"), ("1;p=+1\n,2", "six"),
    ("1;p=+nan,2", "six decimals"), ("1;p=+True,2", "six decimals"),
    ("1;p=" + "+1,2;" * 9999, "letters"),
    ("1;p=" + ";".join(["+1,2"] * 61), "allows 60"),
    ("1;k=poly,3,1,1;p=" + ";".join(["+1,2"] * 31), "allows 30"),
    ("1;k=rbf,1;p=" + ";".join(["+1,2"] * 31), "30"),
])
def test_what_a_state_may_not_say_is_refused_in_a_sentence(state, part):
    with pytest.raises(ValueError) as refusal:
        parse_state(state)
    told = str(refusal.value)
    assert part in told and len(told) < 300 and "\n" not in told


@given(POINTS, KERNELS, PENALTIES, strategies.sampled_from(["svc", "svr", "one"]),
       strategies.sampled_from([None, "smo,3", "pegasos,0"]))
def test_the_text_of_a_state_says_all_of_it(points, kernel, C, machine, watched):
    parts = {"m": machine, "k": kernel, "C": C, **({"t": watched} if watched else {})}
    state = parse_state(text(points, **parts))
    assert parse_state(state_text(state)) == state
    assert parse_state(f"http://localhost:1/#{state_text(state)}".replace("+", "%2B")) == state


@given(strategies.integers(-(10**9), 10**9), strategies.integers(10, 10**9),
       strategies.integers(977, 10**6))
def test_whatever_number_is_read_is_written_so_that_it_is_read_again(x, C, share):
    x, C, share = f"{x / 10**6:.6f}", f"{C / 10**7:.7f}", f"{share / 10**6:.6f}"
    parts = {"C": C, "k": f"poly,2,{share},{share}", "e": share, "n": share}
    told = answer({"state": text([(1, x, x)], **parts)})
    again = answer({"state": told["link"]})
    assert again == told and F(told["state"]["points"][0][1]) == F(x)
    assert F(told["state"]["C"]) == F(C)


TRIED = {  # what a reader does, by the place of the preset
    0: ("+2,3", "+2,4"), 1: ("smo,0", "smo,1"), 3: (";+2,3", ""),
    5: (";+1,-1;--1,1;--1,-1", ";--1,1"), 7: ("+10,8", "+10,9"), 8: ("C=1/4", "C=1/2"),
    11: ("C=3/4", "C=inf"), 13: ("+-1,-1", "+2,0"), 15: ("rbf,1/2", "rbf,8"),
    16: ("perceptron,0", "perceptron,99"), 17: ("pegasos,0", "pegasos,30"), 18: ("e=1/2", "e=2")}


def test_what_a_preset_asks_for_is_answered_when_it_is_done():
    def tried(place, state):
        return answer({"state": state, "tried": place})["tried"]

    asking = [place for place, preset in enumerate(PRESETS) if preset.reply]
    assert asking == sorted(TRIED)
    for place in asking:
        preset = PRESETS[place]
        assert tried(place, preset.state) == {"stands": True, "reply": ""}
        done = preset.state.replace(*TRIED[place])
        assert tried(place, done) == {"stands": True, "reply": preset.reply.text}, place
        gone = preset.state.partition("p=")[0] + "p=+1,2"
        assert tried(place, gone) == {"stands": False, "reply": ""}
    assert not tried(0, PRESETS[18].state)["stands"]
    supports = PRESETS[0].state.replace("+2,3;+3,3", "+2,4;+3,4")  # point 3, too
    assert tried(0, supports) == {"stands": True, "reply": ""}


@pytest.mark.parametrize("points, told", [
    ("", "no point"), ("+1,2", "the only point is of class +1: add one of class −1"),
    ("-1,2;-3,4", "all 2 points are of class −1: add one of class +1")])
def test_too_few_points_are_named(points, told):
    assert told in ask(f"1;p={points}")["told"]


@pytest.mark.parametrize("question, part", [
    ("", "Expecting value"), ("[1]", "an object"), ("{}", "state is None"), ("[" * 99999, "deep"),
    ('{"state": "1;p=", "shell": 1}', "'shell'"),
    ('{"state": "1;p=", "tried": true}', "tried"), ('{"state": "1;p=", "tried": 99}', "tried"),
    ('{"state": "1;p=", "plane": [0, 1, 0]}', "plane"),
    ('{"state": "1;p=", "plane": [0, 1, 0, NaN]}', "plane"),
    ('{"state": "1;p=", "plane": [1, 0, 0, 1]}', "plane"),
    ('{"state": "1;p=", "plane": [0, 1, 0, 1e9]}', "plane"),
    ('{"state": "1;p=", "plane": [false, true, 0, 1]}', "plane"),
])
def test_a_bad_question_is_answered_with_a_sentence(question, part):
    assert part in json.loads(reply(question))["error"]


def test_the_number_of_a_question_comes_back():
    assert json.loads(reply('{"state": "1;p=+1,2;-2,1", "number": 7}'))["number"] == 7
    assert json.loads(reply('{"state": "no", "number": 8}'))["number"] == 8


@pytest.mark.parametrize("state", ["1;p=", "1;p=+1,2", "1;m=svr;p=", "1;m=one;p=",
                                   "1;m=svr;C=inf;p=+1,2",
                                   f"1;C=inf;t=pegasos,0;{SIX}", f"1;m=svr;t=perceptron,0;{SIX}"])
def test_what_cannot_be_solved_yet_says_what_is_missing(state):
    told = ask(state)
    assert told["status"] == "incomplete" and told["told"] and "value" not in told


@pytest.mark.parametrize("kernel", ["lin", "poly,2,1,1", "poly,3,1/2,2", "rbf,1/2"])
def test_a_curve_is_drawn_where_the_model_decides(kernel):
    state = parse_state(f"1;k={kernel};{SIX}")
    kind = float if kernel.startswith("rbf") else F
    X, y = [[kind(p.x), kind(p.y)] for p in state.points], [p.label for p in state.points]
    problem = Problem(X, y, kernel_of_state(state))
    model = moment_at(problem, [kind(k % 3) for k in range(6)], kind(1)).model
    xs, ys = grid((-1.0, 4.0, 0.0, 3.0), model)
    expected = model.to(float).decisions([[x, y] for y in ys for x in xs])
    found = [value for row in decision_grid(model, xs, ys) for value in row]
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


def corners(path):
    """The corners of a path."""
    pairs = path.replace("z", "").replace("M", "L").split("L")
    return [tuple(map(float, pair.split())) for pair in pairs if pair]


def test_lines_slacks_and_band_are_where_the_optimum_has_them():
    drawing = ask(f"1;k=lin;{SIX}", plane=[0, 5, 0, 4])["drawing"]
    lines = {0: drawing["border"], **{int(s): d for s, d in drawing["margins"].items()}}
    for level, path in lines.items():
        assert [(-6 * x + 8 * y - 3) / 7 for x, y in corners(path)] == pytest.approx(
            [level] * len(corners(path)), abs=1e-5)
    assert drawing["slacks"][2] == "M3 3L2.76 3.32" and drawing["band"] == ""
    wide = ask("1;k=lin;C=1/10;p=+1,0;--1,0;+2,0", plane=[-6, 3, -1, 1])["drawing"]
    assert {x for x, _ in corners(wide["band"])} == {-4.0, -3.0}
    none = ask(f"1;k=lin;C=inf;{XOR}")
    assert none["drawing"]["place"] == [0, 0]
    assert "1/2 · point 1 + 1/2 · point 3 = (0, 0)" in none["told"]


def test_steps_of_smo_are_those_of_trace():
    traced = refsvm.trace(Problem([[p.x, p.y] for p in parse_state(f"1;{SIX}").points],
                                  [1, 1, 1, -1, -1, -1], C=F(1)), tol=F(1, 1000))
    for t in range(6):
        told = ask(f"1;t=smo,{t};{SIX}")
        t = min(t, 4)
        assert (told["watch"]["step"], told["watch"]["steps"]) == (t, 4)
        solution = traced.rows[t - 1].solution if t else traced.start
        assert [number(row["cells"][1]) for row in told["rows"]] == solution.alpha
        assert number(told["bars"]["dual"]) == solution.objective
        assert number(told["bars"]["gap"]) == solution.gap
        if t:
            step = traced.rows[t - 1].step
            assert told["watch"]["marked"] == sorted({step.i, step.j})
            assert dict(told["watch"]["facts"])["unclipped"] == str(step.unclipped)


def test_the_perceptron_is_watched_until_it_has_converged():
    state = "1;C=inf;t=perceptron,{};p=+2,1;+3,2;+1,2;--1,-2;--2,-1;--3,-3"
    last = ask(state.format(999))
    X, y = [[2, 1], [3, 2], [1, 2], [-1, -2], [-2, -1], [-3, -3]], [1, 1, 1, -1, -1, -1]
    picks = [k % 6 for k in range(last["watch"]["steps"])]
    assert refsvm.perceptron(X, y, picks).converged
    assert not refsvm.perceptron(X, y, picks[:-1]).converged
    assert [number(r["cells"][1]) for r in last["rows"]] == refsvm.perceptron(X, y, picks).counts
    assert all(row["holds"] for row in last["rows"])


def test_pegasos_is_valued_beside_the_optimum_without_offset():
    told = ask(f"1;o=0;t=pegasos,12;{SIX}")
    points = parse_state(f"1;{SIX}").points
    X, y = [[float(p.x), float(p.y)] for p in points], [p.label for p in points]
    w = refsvm.pegasos(X, y, 1 / 6, [k % 6 for k in range(12)]).w
    hinge = [max(0.0, 1 - label * (w[0] * u + w[1] * v)) for (u, v), label in zip(X, y)]
    value = (w[0] ** 2 + w[1] ** 2) / 2 + sum(hinge)
    assert told["bars"]["primal"]["near"] == pytest.approx(value)
    assert told["bars"]["dual"]["text"] == "2" and told["bars"]["gap"]["near"] > 0


@pytest.mark.parametrize("state", [
    f"1;s=2;o=0;{SIX}", f"1;m=svr;{SIX}", f"1;C=inf;{XOR}",
    *slow_cases("how another kernel is made", f"1;k=poly,2,1,1;{SIX}",
                f"1;m=one;k=poly,2,1,1;{SIX}",
                f"1;k=rbf,1/2;{SIX}", f"1;m=one;k=rbf,1/2;{SIX}")])
def test_the_program_shows_the_same(state, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    told, names = ask(state), {}
    exec(told["program"], names)
    assert capsys.readouterr().out
    if "C=inf" not in state:
        assert (tmp_path / "play.svg").read_text(encoding="utf-8").startswith("<svg")
    if "best" in names and told["status"] == "optimal" and "rbf" not in state:
        assert number(told["value"]) == names["best"].objective


def test_the_page_holds_the_first_answer_and_its_files_load_each_other():
    page = index("1;p=+1,2;-3,1", "a-token").decode()
    assert "a-token" in page and '"link": "1;k=lin;C=1;p=+1,2;-3,1"' in page and "{{" not in page
    loaded = files()
    for path, (kind, body) in loaded.items():
        source = body.decode()
        assert "innerHTML" not in source and "eval(" not in source
        assert set(re.findall(r"https?://[^\s\"`;)]*", source)) <= {"http://www.w3.org/2000/svg"}
        assert {f"/{name}" for name in re.findall(r'from "\./(.*)"', source)} <= set(loaded)
        assert (kind.startswith("text/javascript")) is path.endswith(".js")
    style = page.partition("<style>")[2].partition("</style>")[0].encode()
    assert b64encode(sha256(style).digest()).decode() in policy_of() and b".card" in style
    assert "</script" not in page.partition('id="data">')[2].partition("</script>")[0]


@pytest.mark.parametrize("part, name", [
    ("n=2", "nu is '2'"), ("e=-1", "epsilon is '-1'"), ("C=0", "C is '0'"),
    ("k=x", "kernel is 'x'")])
def test_what_is_refused_is_called_by_its_name(part, name):
    with pytest.raises(ValueError, match=f"^{name}; it must be"):
        parse_state(f"1;{part};p=+1,2;-3,1")
