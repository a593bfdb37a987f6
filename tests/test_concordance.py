"""The concordance is what statements.json says, and leads to files that are there."""

import re

from references import SPEC

from docs.concordance import all_pages, link_to_function, statements, without_markup
from docs.notation import in_letters

PAGES = all_pages()


def test_the_pages_are_those_that_the_command_writes():
    there = {file: (SPEC / file).read_text(encoding="utf-8") for file in PAGES}
    assert there == PAGES, "python3 -m docs.concordance writes them"
    assert {f"concordance/{path.name}" for path in (SPEC / "concordance").iterdir()} == set(PAGES)


def test_there_is_a_row_for_each_statement_and_its_links_lead_to_files():
    for note, entries in statements().items():
        text = PAGES[f"concordance/{note}.md"]
        rows = re.findall(r"^\| (\d+) \| (.*?) \| \[", text, re.MULTILINE)
        said = [without_markup(in_letters(entry["statement"])) for entry in entries]
        assert rows == [(str(e["line"]), text) for e, text in zip(entries, said)]
        for target in set(re.findall(r"\]\(([^)#]+)", text)):
            assert (SPEC / "concordance" / target).is_file(), target


def test_a_function_leads_to_the_source_of_its_module():
    assert link_to_function("refsvm.svm.problem.Problem.dual") == (
        "[`Problem.dual`](../../refsvm/svm/problem.py#Problem.dual)"
    )


def test_formulas_are_written_as_in_the_course():
    for code, course in {
        "1/2 |w|^2 + (C/n) sum xi_i": "½‖w‖² + (C/n) Σ ξᵢ",
        "y_i (w.x_i + b) >= 1 - xi_i": "yᵢ (⟨w, xᵢ⟩ + b) ≥ 1 − ξᵢ",
        "sum_j beta_j K_ij, w_{t+1}": "Σⱼ βⱼ Kᵢⱼ, wₜ₊₁",
        "|x_1| + 2|x_2|, |x|^2, x'z": "|x₁| + 2|x₂|, ‖x‖², ⟨x, z⟩",
        'the sum of alpha, "alpha_i" and `xi_i`': 'the sum of α, "alpha_i" and `xi_i`',
        "one-against-one, E-nyu-02, 0 - 9": "one-against-one, E-nyu-02, 0 − 9",
    }.items():
        assert in_letters(code) == course
