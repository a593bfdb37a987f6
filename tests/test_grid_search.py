"""Grid search: every combination, the same folds for all, and the first of the best."""

import pytest
from peers import peer
from test_cross_validation import REFUSED, Constant, X, Y

import refsvm_fast
from refsvm.estimators.cross_validation import cross_validate
from refsvm.estimators.grid_search import grid
from refsvm.estimators.svc import SVC
from refsvm.kernels.standard import WORDS


def test_each_point_is_what_cross_validate_finds_in_the_order_given():
    parameters = {"kernel": ("poly", "rbf"), "C": [10, 0.5], "gamma": [0.1]}
    found = grid(SVC(), parameters, X, Y, folds=4, seed=2)
    pairs = [("poly", 10), ("poly", 0.5), ("rbf", 10), ("rbf", 0.5)]
    points = [{"kernel": kernel, "C": C, "gamma": 0.1} for kernel, C in pairs]
    assert [point.parameters for point in found.table] == points
    for point in found.table:
        expected = cross_validate(SVC(**point.parameters), X, Y, folds=4, seed=2)
        assert (point.score, point.scores) == (expected.score, expected.scores)
    scores = [point.score for point in found.table]
    assert len(set(scores)) > 1 and found.score == max(scores)
    assert found.best == points[scores.index(max(scores))]
    assert found == grid(refsvm_fast.SVC(), parameters, X, Y, folds=4, seed=2)


def test_of_equal_points_the_first_is_the_best():
    for C in ([3, 1, 2], [2, 1, 3]):
        found = grid(Constant(), {"shift": [7, 0, 7], "other": C}, X, Y)
        assert found.best == {"shift": 0, "other": C[0]} and found.score == 2 / 3


def test_several_grids_are_taken_one_after_the_other():
    found = grid(SVC(), [{"kernel": ["linear"], "C": [1, 2]}, {"gamma": [1]}], X, Y, folds=2)
    assert [point.parameters for point in found.table] == [
        {"kernel": "linear", "C": 1}, {"kernel": "linear", "C": 2}, {"gamma": 1}]


def test_parameters_of_a_pipeline_are_searched():
    pipeline, scalers = peer("sklearn.pipeline"), peer("sklearn.preprocessing")
    scaled = pipeline.make_pipeline(scalers.StandardScaler(), SVC())
    found = grid(scaled, {"svc__C": [1, 10], "svc__gamma": [0.1]}, X, Y, folds=3)
    for point in found.table:
        scaled.set_params(**point.parameters)
        assert cross_validate(scaled, X, Y, folds=3).scores == point.scores
    with pytest.raises(ValueError, match="^parameters has the key 'C'; the nearest are 'svc__C'$"):
        grid(scaled, {"C": [1]}, X, Y)


def test_values_of_an_array_are_numbers_of_python():
    found = grid(SVC(), {"C": pytest.importorskip("numpy").logspace(-1, 1, 3)}, X, Y, folds=2)
    assert [repr(point.parameters["C"]) for point in found.table] == ["0.1", "1.0", "10.0"]


BAD = [
    ({}, ValueError, "parameters is empty; it must name at least one parameter"),
    ([], ValueError, "parameters is empty; it must hold at least one dict of lists of values"),
    ([3], TypeError, "parameters[0] is 3; a dict of lists of values is needed"),
    (None, TypeError, "parameters is None; a dict of lists of values is needed, such as"
     " {'C': [1, 10]}"),
    ({"C": []}, ValueError, "parameters['C'] is empty; it must hold at least one value"),
    ({"C": 1}, TypeError, "parameters['C'] is 1; a list of values is needed, such as [1]"),
    ({"kernel": "rbf"}, TypeError, "parameters['kernel'] is 'rbf'; a list of values is needed,"
     " such as ['rbf']"),
    ([{"C": [1]}, {"C": {1}}], TypeError, "parameters[1]['C'] is {1}; a list of values is needed"),
    ({"C": [1, -2]}, ValueError, "C is -2; it must be positive"),
    ({"gamma": ["scale", 0]}, ValueError, "gamma is 0; it must be positive"),
    ({"tol": [1e-3, -1]}, ValueError, "tol is -1.0; it must not be negative"),
    ({"kernel": ["rbf", "gauss"]}, ValueError,
     f"kernel is 'gauss'; the known ones are {', '.join(map(repr, WORDS))}"),
    ({"C": (C for C in (1, 2))}, TypeError, "parameters['C'] is <generator object <genexpr>>; a"
     " list of values is needed"),
]


@pytest.mark.parametrize("parameters, error, sentence", BAD)
def test_bad_grids_are_refused_before_the_work(parameters, error, sentence, monkeypatch):
    monkeypatch.setattr(SVC, "fit", lambda *given: pytest.fail("work began"))
    with pytest.raises(error) as refused:
        grid(SVC(), parameters, X, Y)
    assert str(refused.value).replace("test_grid_search.", "") == sentence


def test_a_name_that_is_no_parameter_is_refused_with_those_that_are():
    with pytest.raises(ValueError, match="^parameters has the key 'c'; the known ones are 'C', "):
        grid(SVC(), {"c": [1]}, X, Y)


@pytest.mark.parametrize("changed, error, sentence", REFUSED)
def test_what_cross_validate_refuses_grid_refuses(changed, error, sentence):
    given = {"estimator": SVC(), "parameters": {"degree": [3]}, "X": X, "y": Y, **changed}
    with pytest.raises(error) as refused:
        grid(**given)
    assert str(refused.value) == sentence
