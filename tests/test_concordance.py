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
        assert rows == [(str(e["line"]), without_markup(in_letters(e["statement"]))) for e in entries]
        for target in set(re.findall(r"\]\(([^)#]+)", text)):
            assert (SPEC / "concordance" / target).is_file(), target


def test_a_function_leads_to_the_source_of_its_module():
    assert link_to_function("refsvm.svm.problem.Problem.dual") == (
        "[`Problem.dual`](../../refsvm/svm/problem.py#Problem.dual)"
    )
