"""The digests by which machines are compared are the same for both packages here."""

import digests
import pytest
from equality import compiled
from profiles import slow_cases

import refsvm
import refsvm_fast


@compiled
@pytest.mark.parametrize("part", [
    digests.of_large_numbers,
    *slow_cases("other bits of an answer", digests.of_problems, digests.of_estimators),
])
def test_both_packages_have_the_same_digests(part):
    """Elementary functions are one code, and the vectors have tests of their own."""
    theirs, ours = dict(part(refsvm)), dict(part(refsvm_fast))
    assert ours == theirs
    assert len(theirs) > 20
