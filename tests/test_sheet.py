"""The cheat sheet says what the course and refsvm say, and is one page of paper."""

import re
from fractions import Fraction as F
from math import comb, prod

import pytest
from references import SPEC
from test_pictures import luminance
from webdriver import printed

import refsvm
from docs.sheet import SHEET, SOURCE, STYLE, sheet
from refsvm.kernels import feature_maps
from refsvm.kernels.standard import MonomialSum
from refsvm.kernels.strings import count_words
from refsvm.numerics.factorisations import rank
from refsvm.svm import conventions
from refsvm.svm.support_vectors import Place, is_possible

TEXT = SOURCE.read_text(encoding="utf-8")
CHAPTERS = [path.read_text(encoding="utf-8") for path in (SPEC / "course").glob("[0-9]*.md")]


def flat(text):
    return " ".join(text.split())


def rows(heading, text=TEXT):
    """The rows of the last table below a heading, as lists of cells."""
    part = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    table = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table[2:]]


def value(formula, **names):
    """The number that a formula of a kernel stands for."""
    code = formula.replace("C(", "comb(").replace("−", "-").replace("ᵏ", " ** k")
    return eval(code, {"comb": comb, **names})


def test_the_page_for_paper_is_what_the_code_makes_of_the_sheet():
    assert SHEET.read_text(encoding="utf-8") == sheet(), "python3 -m docs.sheet"


def test_the_page_for_paper_loads_nothing_and_leaves_no_sign_of_markdown():
    text = SHEET.read_text(encoding="utf-8")
    assert not re.search(r"https?:|<script|<link|url\(|@import", text)
    assert not re.search(r"[`\[\]]|\*\*|\|", text.split("</style>")[1])


def test_words_stand_out_from_the_paper_in_light_in_dark_and_in_print():
    shades = re.findall(r":root \{(.*?)\}", STYLE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(shades) == 3
    for shade in shades:
        colours = {name: "#" + ("".join(c + c for c in code) if len(code) == 3 else code)
                   for name, code in re.findall(r"--(\w+): #(\w+)", shade)}
        for ink in ("ink", "soft", "key"):
            for ground in ("paper", "box"):
                low, high = sorted(luminance(colours[name]) for name in (ink, ground))
                assert (high + 0.05) / (low + 0.05) >= 4.5


@pytest.mark.parametrize("display", re.findall(r"^    (.+)$", TEXT, re.MULTILINE))
def test_a_formula_of_the_sheet_is_one_of_the_course(display):
    for part in re.split(r" +where +", display):
        assert any(flat(part) in flat(text) for text in CHAPTERS), part


def test_a_formula_in_a_sentence_is_one_of_the_course():
    """But for comparisons of one symbol with 0 or 1."""
    whole = flat(" ".join(CHAPTERS)).replace("*", "")
    prose = flat(re.sub(r"^(?:#|    |\||\[[^\]]+\]: ).*$", "", TEXT, flags=re.MULTILINE))
    words = r"\b(?!max|exp|tanh)[A-Za-z]{2,}\b|`[^`]*`|\[[^\]]*\]|[;:.](?=\s)|, (?=\[|[a-z]{2,})"
    pieces = [piece.strip(" ,.;") for piece in re.split(words, prose.replace("*", ""))]
    formulas = [piece for piece in pieces if re.search(r" [=+−/≤≥<>] ", piece)]
    assert len(formulas) > 12
    own = [each for each in formulas if each not in whole]
    assert [each for each in own if not re.fullmatch(r"\S+ [<>≥] [01]", each)] == []


def test_the_conditions_are_those_of_the_course():
    whole = flat(" ".join(CHAPTERS))
    for cell, _ in rows("Karush, Kuhn, Tucker")[:4]:
        for formula in cell.split(" and "):
            assert formula in whole, formula
    problem = refsvm.Problem([[F(0)], [1], [3], [F(7, 2)]], [-1, 1, 1, -1], C=F(2))
    found = refsvm.smo(problem, tol=0)
    margins, xi = (read(found.alpha, found.b) for read in (problem.margins, problem.slacks))
    assert any(x > 0 for x in xi)
    for a, m, x in zip(found.alpha, margins, xi):
        assert a * (1 - m - x) == 0 and (2 - a) * x == 0


def test_what_alpha_says_of_the_margin():
    """Exactly the places that a row of the table allows are possible."""
    names = {"0": "none", "between": "free", "Cᵢ": "full"}
    table = {names[cells[0]]: cells[1] for cells in rows("α and the margin")}
    sides = {"beyond": 2, "on": 1, "inside": F(1, 2)}
    for share, rule in table.items():
        for side, margin in sides.items():
            allowed = {"≥ 1": margin >= 1, "= 1": margin == 1, "≤ 1": margin <= 1}[rule]
            assert is_possible(Place(share, side, "right")) == allowed, (share, side)


def test_each_penalty_is_that_of_the_functions_that_convert():
    lam, C, n = F(3, 7), F(5, 11), 13
    meant = {"": 1, "½": F(1, 2), "λ": lam, "λ/2": lam / 2, "C": C, "C/2": C / 2, "2 C": 2 * C,
             "C/n": C / n, "(C/n)": C / n, "(1/n)": F(1, n), "1/λ": 1 / lam,
             "1/(λ n)": 1 / (lam * n), "1/(2 λ n)": 1 / (2 * lam * n)}
    made = [conventions.from_sum_of_slacks(C), conventions.from_average_slack(C, n),
            conventions.from_mean_hinge(lam, n), conventions.from_mean_hinge_halved(lam, n),
            conventions.from_sum_hinge_halved(lam), conventions.from_halved_squares(C),
            conventions.from_squares(C)]
    assert len(rows("What others call C")) == len(made)
    for (objective, cell, _), converted in zip(rows("What others call C"), made):
        penalty, _, squared = cell.partition(", ")
        assert meant[penalty] == converted.C
        length, slack = objective.split(" + ")
        ratio = meant[re.sub(r" ?Σ ξᵢ²?", "", slack)] / meant[re.sub(r" ?‖w‖²", "", length)] / 2
        assert ratio == (converted.C / 2 if squared else converted.C), objective
        assert bool(squared) == ("ξᵢ²" in objective)


def test_each_rule_of_the_offset_is_right_where_the_standard_says():
    standard = (SPEC / "standard" / "offsets.md").read_text(encoding="utf-8")
    said = {cells[0].strip("`"): cells[1:] for cells in rows("S8.7 Which is right when", standard)}
    for rule, *cells in rows("The offset"):
        name = re.search(r"\(`(\w+)`\)", rule)[1]
        assert [cell.replace("Cᵢ", "C_i") for cell in cells] == said[name]


def test_the_kernels_have_these_values_and_as_many_features():
    x, z, d, k = [F(2), F(-1, 3)], [F(1, 2), F(4)], 2, 3
    s = refsvm.Linear()(x, z)
    points = [[F(a), F(b)] for a in range(5) for b in range(5)]
    table = {cells[0].strip("`"): cells[1:] for cells in rows("Kernels")}
    kernels = {"Linear()": refsvm.Linear(), "Polynomial(k)": refsvm.Polynomial(k),
               "Polynomial(k, coef0=c)": refsvm.Polynomial(k, coef0=F(5))}
    for name, kernel in kernels.items():
        formula, features = table[name]
        assert kernel(x, z) == value(formula, s=s, c=5, k=k)
        count = value(features, d=d, k=k)
        assert rank(refsvm.gram(kernel, points)) == count
    assert table["MonomialSum(k)"] == ["1 + s + ... + sᵏ", "1 + d + ... + dᵏ"]
    assert MonomialSum(k)(x, z) == 1 + s + s**2 + s**3
    assert feature_maps.count_ordered(d, k) == 1 + d + d**2 + d**3
    assert feature_maps.count_distinct(d, k) == comb(d + k, k)
    assert count_words(26, k) == prod([26] * k)


def test_the_states_of_a_solver_are_all_explained():
    explained = set(re.findall(r'status "(\w+)"', TEXT))
    assert explained == {"infeasible", "indefinite", "max_iter", "precision"}


@pytest.mark.slow("a sheet that does not fit on one page of paper")
def test_the_sheet_is_one_page(tmp_path):
    assert len(re.findall(rb"/Type\s*/Page\b", printed(SHEET, tmp_path / "sheet.pdf"))) == 1
