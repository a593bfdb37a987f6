"""The page with the map of C and gamma on iris says what both programs do."""

import re
from pathlib import Path

import pytest

from tests.peers import peer

pytestmark = pytest.mark.slow("a number of the map, or a word of its page, that is no longer so")
PAGE = (Path(__file__).parents[1] / "spec/use/iris-map.md").read_text(encoding="utf-8")
LINES = {float(row.split()[0]): row for row in re.findall(r"^1e[-+].*", PAGE, re.M)}


@pytest.mark.parametrize("C", [1e-2, 1e6, 1e9])
def test_the_lines_of_the_map_are_those_of_the_programs(C):
    peer("sklearn")
    from sklearn_gallery import WIDTHS, cell, folds, line

    parts = folds()
    assert line(C, [cell(C, gamma, parts) for gamma in WIDTHS]) == LINES[C]
    assert len(LINES) == len(WIDTHS) == 13


def test_what_the_page_sums_up_is_in_its_map():
    signs = [sign for row in LINES.values() for sign in re.findall(r"\d([-+]\d+)\b", row[5:])]
    off = [abs(int(sign)) for sign in signs]
    assert f"{len(off)} of 169 cells differ, by up to {max(off)} of 150 rows" in PAGE
