"""What README.md shows is what its commands do."""

import re

import pytest
from readme import README, ROOT, as_printed, pictures


@pytest.mark.slow("output in README.md that its commands no longer print")
def test_commands_print_what_stands_there_and_make_its_picture(tmp_path):
    texts = as_printed(tmp_path), README.read_text(encoding="utf-8")
    printed, shown = (re.sub(r"sklearn \d[\w.]*", "sklearn", text) for text in texts)
    assert printed == shown, "python3 tests/readme.py writes it anew"
    for path in pictures(tmp_path):
        assert path.read_bytes() == (ROOT / "docs" / path.name).read_bytes()
    assert {path.name for path in pictures(tmp_path)} == set(re.findall(r"\(docs/(.*?)\)", shown))
