"""Scores: balanced accuracy, F1 and absolute errors, of folds and of all rows, by name."""

from fractions import Fraction as Q

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

from refsvm import SVC, SVR, NuSVC, cross_validate, grid
from refsvm.estimators.scores import SCORINGS

NAMED = {scoring.name: scoring for scoring in SCORINGS}
PAIR = st.tuples(st.sampled_from("abc"), st.sampled_from("abcd"))
LABELS = st.lists(PAIR, min_size=1, max_size=30)
RARE = [[i % 7, i // 7] for i in range(40)], ["no"] * 36 + ["yes"] * 4


def exact(name, pairs):
    """The score of (label, prediction) pairs by its definition, as a fraction."""
    labels = {label for label, _ in pairs}
    right = {c: sum(pair == (c, c) for pair in pairs) for c in "abcd"}
    there = {c: sum(label == c for label, _ in pairs) for c in "abcd"}
    said = {c: sum(other == c for _, other in pairs) for c in "abcd"}
    if name == "accuracy":
        return Q(sum(right.values()), len(pairs))
    if name == "balanced_accuracy":
        return sum(Q(right[c], there[c]) for c in labels) / len(labels)
    of = [c for c in "abcd" if there[c] + said[c]]
    return sum(Q(2 * right[c], there[c] + said[c]) for c in of) / len(of)


@pytest.mark.parametrize("name", ["accuracy", "balanced_accuracy", "f1_macro"])
@draws(1)
@given(pairs=LABELS, cut=st.integers(0, 30))
def test_a_score_is_that_of_its_definition_however_the_rows_are_parted(name, pairs, cut):
    scoring = NAMED[name]
    y = [label for label, _ in pairs]
    parts = [part for part in (pairs[:cut], pairs[cut:]) if part]
    found = scoring.score(y, [scoring.tally(*zip(*part)) for part in parts])
    assert found == pytest.approx(float(exact(name, pairs)), abs=1e-15)


def test_scores_agree_with_those_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    y, f = list("aabbbccc"), list("abbbcccd")
    for name, other in (
        ("balanced_accuracy", metrics.recall_score(y, f, labels=list("abc"), average="macro")),
        ("f1_macro", metrics.f1_score(y, f, average="macro")),
    ):
        assert NAMED[name].score(y, [NAMED[name].tally(y, f)]) == pytest.approx(other)


def test_always_the_commonest_class_is_no_better_than_guessing_by_balanced_accuracy():
    X, y = RARE
    plain = cross_validate(SVC(C=1e-3), X, y, folds=4)
    fair = cross_validate(SVC(C=1e-3), X, y, folds=4, score="balanced_accuracy")
    assert set(plain.predictions) == {"no"} and plain.predictions == fair.predictions
    assert (plain.score, fair.score) == (0.9, 0.5) and fair.scores == [0.5] * 4


def test_a_grid_chooses_by_the_score_that_is_asked_for():
    X, y = RARE
    points = {"C": [1e-3, 100.0], "class_weight": [None, "balanced"]}
    found = grid(SVC(), points, X, y, folds=4, score="f1_macro")
    assert found.score == max(point.score for point in found.table)
    for point in found.table:
        alone = cross_validate(SVC(**point.parameters), X, y, folds=4, score="f1_macro")
        assert (alone.score, alone.scores) == (point.score, point.scores)


def test_of_an_absolute_error_less_is_better():
    X = [[i / 4] for i in range(24)]
    y = [(i % 5) + i / 2 for i in range(24)]
    found = grid(SVR(), {"C": [0.01, 10.0]}, X, y, folds=3, score="mean_absolute_error")
    assert found.score == min(point.score for point in found.table)
    one = cross_validate(SVR(**found.best), X, y, folds=3, score="mean_absolute_error")
    assert one.score == pytest.approx(sum(abs(v - f) for v, f in zip(y, one.predictions)) / 24)
    assert one.mean_squared_error == cross_validate(
        SVR(**found.best), X, y, folds=3).mean_squared_error


def test_where_there_is_no_machine_nothing_is_predicted():
    X, y = RARE
    for score, worst in ("accuracy", 0.0), ("balanced_accuracy", 0.0), ("f1_macro", 0.0):
        found = grid(NuSVC(), {"nu": [0.9, 0.1]}, X, y, folds=4, score=score)
        assert found.table[0].score == worst and found.best == {"nu": 0.1}


@pytest.mark.parametrize("machine, score, known", [
    (SVC(), "r2", "'accuracy', 'balanced_accuracy', 'f1_macro'"),
    (SVR(), "accuracy", "'r2', 'mean_absolute_error'"),
    (SVC(), "precision", "'accuracy', 'balanced_accuracy', 'f1_macro'"),
])
def test_a_score_that_is_not_known_is_refused_with_those_that_are(machine, score, known):
    y = [1, -1] * 3 if isinstance(machine, SVC) else [1.0, 2.0] * 3
    for call in (lambda: cross_validate(machine, [[i] for i in range(6)], y, 2, score=score),
                 lambda: grid(machine, {"C": [1]}, [[i] for i in range(6)], y, 2, score=score)):
        with pytest.raises(ValueError) as error:
            call()
        assert str(error.value).startswith(f"score is {score!r}") and known in str(error.value)


def test_the_error_of_a_score_is_how_far_chance_may_move_it():
    y, f = list("aaaabb"), list("aaabbb")
    tallies = {name: [NAMED[name].tally(y, f)] for name in ("accuracy", "balanced_accuracy")}
    assert NAMED["accuracy"].error(y, tallies["accuracy"]) == pytest.approx((5 / 6 / 6 / 6) ** 0.5)
    exact = Q(3, 4) * Q(1, 4) / 4 / 4  # of "a", a half of the mean; of "b" it is 0
    for name in ("balanced_accuracy", "f1_macro"):
        error = NAMED[name].error(y, tallies["balanced_accuracy"])
        assert error == pytest.approx(float(exact) ** 0.5)
    assert NAMED["r2"].error([1, 3], [0]) == 0.01
    assert NAMED["mean_absolute_error"].error([1, 3], [0]) == 0.01


def test_without_a_machine_nothing_is_right_and_the_error_is_0():
    for scoring in SCORINGS:
        if scoring.of == "classes":
            assert scoring.score("aab", [scoring.nothing]) == 0
            assert scoring.error("aab", [scoring.nothing]) == 0
