"""The search for C and gamma that chooses its points: where it goes, and what it takes."""

import random
from itertools import product

import pytest

from refsvm.estimators import refined_search as at


def searched(value_of, error=0.0):
    """What a search of a function of points finds, and the stages: (points, more) of each."""
    stages = []

    def ask(points, more):
        stages.append((points, more))
        return [at.Score(value_of(*point), error) for point in points]

    return at.refined_search(ask), stages


def test_nine_points_come_first_and_eight_neighbours_last():
    found, stages = searched(lambda i, j: -(i - 1) ** 2 - (j + 1) ** 2)
    nine, eight = [set(points) for points, _ in stages]
    assert nine == set(product((-1, 1, 3), (-3, -1, 1)))
    assert eight == set(product((0, 1, 2), (-2, -1, 0))) - {at.USUAL_POINT}
    assert found.best == found.taken == at.USUAL_POINT and [more for _, more in stages] == [29, 0]


def test_while_the_best_is_at_an_end_the_next_values_are_added_there():
    found, stages = searched(lambda i, j: i - abs(j - 1))
    assert stages[1][0] == [(-1, 3), (1, 3), (3, 3), (5, -3), (5, -1), (5, 1), (5, 3)]
    assert stages[2][0] == [(7, -3), (7, -1), (7, 1), (7, 3)]
    assert set(stages[3][0]) == {(6, 0), (6, 1), (6, 2), (7, 0), (7, 2)}  # C = 4^7 is the last
    assert found.best == (7, 1) and len(stages) == 4


def test_the_least_values_are_reached_too():
    found, stages = searched(lambda i, j: -i - j)
    assert found.best == (-3, -5) and set(stages[-1][0]) == {(-3, -4), (-2, -5), (-2, -4)}


def test_a_best_point_that_stays_is_not_widened_around_again():
    found, stages = searched(lambda i, j: -(i - 3) ** 2 - (j + 1) ** 2)
    assert [len(points) for points, _ in stages] == [9, 3, 8] and found.best == (3, -1)


@pytest.mark.parametrize("seed", range(60))
def test_any_scores_are_searched_within_limits_and_counts(seed):
    draw = random.Random(seed)
    steep = [draw.choice((-1, 0, 1)) for _ in "ij"]
    noise = draw.choice((0, 1, 4, 10))
    value = {}

    def value_of(i, j):
        assert (i, j) not in value, "asked twice"
        value[i, j] = steep[0] * i + steep[1] * j + draw.randint(0, noise)
        return value[i, j]

    found, stages = searched(value_of, error=draw.choice((0, 1, 3)))
    assert at.MIN_POINTS <= len(value) <= at.MAX_POINTS and set(found.scores) == set(value)
    for (points, more), later in zip(stages, range(1, len(stages) + 1)):
        assert points and sum(len(others) for others, _ in stages[later:]) <= more
    assert all(low <= k <= high for point in value for k, (low, high) in zip(point, at.EXPONENTS))
    assert value[found.best] == max(value.values())
    far = {(i, j): (i - 1) ** 2 + (j + 1) ** 2 for i, j in value}
    good = [at for at in value if value[at] >= max(value.values()) - found.scores[at].error]
    assert found.taken in good and far[found.taken] == min(map(far.get, good))
    near = [at for at in good if far[at] == far[found.taken]]
    assert value[found.taken] == max(map(value.get, near))


def test_of_equal_points_the_nearest_is_best_then_the_least_C_then_the_least_gamma():
    assert searched(lambda i, j: 0)[0].best == at.USUAL_POINT
    ring = {(1, -3), (1, 1), (-1, -1), (3, -1)}  # two steps away, all of them
    assert searched(lambda i, j: (i, j) in ring)[0].best == (-1, -1)
    assert searched(lambda i, j: (i, j) in ring - {(-1, -1)})[0].best == (1, -3)


def test_of_points_equally_near_within_an_error_the_better_is_taken():
    values = {(3, 1): 9, (3, -1): 8, (-1, -1): 7}
    found, _ = searched(lambda i, j: values.get((i, j), 0), error=2)
    assert (found.best, found.taken) == ((3, 1), (3, -1))


def test_where_no_machine_is_found_the_usual_point_is_taken():
    found, _ = searched(lambda i, j: float("-inf"))
    assert found.taken == at.USUAL_POINT
