"""Which cases of a test are taken."""

from itertools import combinations, product

from profiles import each_pair

LISTS = [range(6), "ab", [True, False], [0.0, 0.9]]


def test_every_two_values_meet_in_few_combinations():
    chosen = each_pair(*LISTS)
    for p, q in combinations(range(4), 2):
        assert {(one[p], one[q]) for one in chosen} == set(product(LISTS[p], LISTS[q]))
    assert 12 <= len(chosen) <= 16 or set(chosen) == set(product(*LISTS))  # at night
