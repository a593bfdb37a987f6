"""What the problems that fail have in common."""

import pytest

from refsvm.conformance.asking.lateness import Traits
from refsvm.conformance.audit import Record
from refsvm.conformance.report import coverage

SIZES = {f"{n} {d}": (n, d) for n in (20, 65, 101, 130) for d in (1, 5, 17)}

MIXED = [(20, 1), (65, 5), (101, 17), (130, 1)]


@pytest.fixture(autouse=True)
def cases_of_these_sizes(monkeypatch):
    monkeypatch.setattr(coverage, "find_case", SIZES.get)
    monkeypatch.setattr(coverage, "traits_of", lambda size: Traits("soft margin", "", *size))


def sentence(fails):
    results = {name: "fail" if fails(*size) else "pass" for name, size in SIZES.items()}
    records = [Record(name, "G1", r, None, None, None, "") for name, r in results.items()]
    return coverage.failing_sentence(records)


@pytest.mark.parametrize("fails, words", [
    (lambda n, d: d == 5, "The 4 problems that fail all have 5 features; no other does."),
    (lambda n, d: n > 100,
     "The 6 problems that fail all have at least 101 examples; no other does."),
    (lambda n, d: n > 100 and n + d != 102,
     "The 5 problems that fail all have at least 101 examples; so does one that passes."),
])
def test_what_they_share_is_said(fails, words):
    assert sentence(fails) == words


@pytest.mark.parametrize("fails", [
    lambda n, d: True, lambda n, d: (n, d) in MIXED, lambda n, d: n == 20, lambda n, d: False,
])
def test_nothing_is_said_of_few_or_of_what_as_many_others_have(fails):
    assert sentence(fails) is None
