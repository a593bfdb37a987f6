"""The problems of the other machines: refsvm_fast solves them as refsvm does, to the last bit."""

import copy
import pickle
from fractions import Fraction
from functools import partial
from math import inf, nan
from random import Random

import formulation_draws
import pytest
import strategies_fast as draws
from equality import agree, compiled, equality_test, find, same, tree
from hypothesis import assume, given
from hypothesis import strategies as st
from profiles import draws as share_of_draws
from profiles import one_in, slow_cases
from strategies_fast import cloud, watch

import refsvm
import refsvm_fast
from refsvm import Gaussian, Linear, Polynomial, Precomputed

NAMES = [
    "NuProblem", "RegressionProblem", "NuRegressionProblem", "OneClassProblem", "BallProblem"
]
DECOMPOSITION = "solvers.decomposition.decomposition"
nus = st.sampled_from([0.5, 0.5, 0.1, 0.3, 0.9, 1, 1e-3, 1e-9, 5e-324])
tubes = st.sampled_from([0, 0.1, 0.1, 0.5, 3, 1e-9, 1e12])
scales = st.sampled_from([1, 1, 1, 1e-6, 2.0**-300, 2.0**300, 1e290, 5e-324])
amounts = [1, 1, 2, 0.5, 3, 1e-3, 1e6, 1 / 3]


@st.composite
def arguments(draw, name, most=None):
    """The arguments of a problem of this name, good ones nearly always."""
    found = draw(draws.given_problems(most))
    n = len(found["y"])
    random = Random(draw(draws.seeds))
    given = {"X": found["X"], "kernel": found["kernel"]}
    if name == "NuProblem":
        given["y"] = found["y"]
    if "Regression" in name:
        given["y"] = draw(values(found["y"], random))
        given["C"] = draw(draws.penalties)
    if name == "RegressionProblem":
        given["epsilon"] = draw(tubes)
    elif name != "BallProblem":
        given["nu"] = draw(nus)
    if name == "BallProblem":
        given["C"] = draw(st.one_of(draws.penalties, st.sampled_from([1 / n, 2 / n, 10 / n])))
    if draw(st.integers(0, 2)) == 0:
        given["weights"] = draw(draws.lists_as([random.choice(amounts) for _ in range(n)]))
    return given


@st.composite
def values(draw, labels, random):
    """Numbers to be predicted: labels, few numbers, or any, in some unit."""
    unit = draw(scales)
    if draw(st.integers(0, 3)) == 0:
        return [unit * float(label) for label in labels]
    if draw(st.booleans()):
        return [unit * random.randint(-3, 3) / 2 for _ in labels]
    return [unit * random.gauss(0, 1) for _ in labels]


@st.composite
def problems(draw, most=None):
    name = draw(st.sampled_from(NAMES))
    try:
        return getattr(refsvm, name)(**draw(arguments(name, most)))
    except (ValueError, TypeError, OverflowError):
        assume(False)


@st.composite
def options(draw, problem):
    """Arguments of smo besides the problem."""
    found = {
        "tol": draw(draws.tolerances),
        "cache_mb": draw(draws.cache_sizes),
        "threads": draw(draws.threads),
        "on_step": partial(watch, draw(st.sampled_from([60, 60, 60, 1, 3]))),
    }
    if draw(st.booleans()):
        found["max_iter"] = draw(draws.steps_allowed)
        if draw(st.booleans()):
            del found["on_step"]
    if draw(st.integers(0, 3)) == 0:
        found["start"] = draw(starts(problem))
    return found


@st.composite
def starts(draw, problem):
    """Multipliers within their bounds; now and then one is beyond."""
    random = Random(draw(draws.seeds))
    try:
        form = problem.dual_form()
    except ValueError:  # of the ball: a norm that is not finite
        return [0.0] * problem.n
    shares = [0, 0, 0, 1, 0.5, random.random(), draw(st.sampled_from([0, 0, 0, 1.5]))]
    top = [v * random.choice(shares) for v in form.upper if v < inf] or [0.0] * len(form.upper)
    fall = [v * random.choice(shares) for v in form.lower]
    variables = [u if u else v for u, v in zip(top, fall)]
    return problem.multipliers_of(variables) if len(top) == len(form.lower) else [0.0] * problem.n


@equality_test("smo", *NAMES)
@given(st.data())
@share_of_draws(1/2)
def test_smo_takes_the_same_steps_to_the_same_answer(data):
    problem = data.draw(problems())
    same("smo", problem, **data.draw(options(problem)))


@equality_test("smo")
@given(st.data())
@share_of_draws(1/2)
def test_few_points_go_to_the_very_end(data):
    given = data.draw(formulation_draws.anything())
    problem = problem_of(given, float)
    start = data.draw(st.one_of(st.none(), starts(problem)))
    tol = data.draw(st.sampled_from([0, 1e-3, 1e-9]))
    same("smo", problem, tol=tol, start=start, on_step=partial(watch, 400))


@equality_test("smo")
@share_of_draws(1 / 4)
@given(st.data())
def test_fractions_are_solved_as_the_oracle_solves_them(data):
    problem = problem_of(data.draw(formulation_draws.anything(most=3)), Fraction)
    same("smo", problem, tol=data.draw(st.sampled_from([0, 1e-3])), max_iter=9)
    same(DECOMPOSITION, problem, members=2, max_iter=4)


def problem_of(given, kind):
    """The problem of a machine in tests/formulations.py."""
    machine = given.machine
    name = {
        "NuSVC": "NuProblem", "Regression": "RegressionProblem", "OneClass": "OneClassProblem",
        "NuRegression": "NuRegressionProblem", "Ball": "BallProblem",
    }[type(machine).__name__]
    X = given.X
    X = X if isinstance(X[0], str) else [list(map(kind, row)) for row in X]
    names = ("y", "C", "epsilon", "nu", "weights")
    found = {key: getattr(machine, key) for key in names if hasattr(machine, key)}
    for key, value in found.items():
        if isinstance(value, list):
            found[key] = value if key == "y" and name == "NuProblem" else list(map(kind, value))
        else:
            found[key] = kind(value)
    try:
        return getattr(refsvm, name)(X, kernel=given.kernel, **found)
    except (ValueError, OverflowError):  # doubles have no such nu
        assume(False)


def cloud_problem(package, name, X, y, kernel, **given):
    """A problem of a cloud of points: those of regression predict a sum of the first numbers."""
    if "Regression" in name:
        given["y"] = [row[0] + label / 2 for row, label in zip(X, y)]
    elif name in ("Problem", "NuProblem"):
        given["y"] = y
    return getattr(package, name)(X, kernel=kernel, **given)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "n", [7, 9, 20, *slow_cases("the end of a block or of a lane",
                            *one_in(3, [16, 8, 17, 256, 255, 257, 300]))]
)
def test_no_number_of_examples_is_a_boundary(name, n):
    X, y = cloud(n, 3)
    for kernel in (Gaussian(0.5), Linear()):
        problem = cloud_problem(refsvm, name, X, y, kernel)
        same("smo", problem, max_iter=25, cache_mb=1e-3, threads=2)


@pytest.mark.parametrize(
    "first", [1, 17, *slow_cases("the end of a lane",
                                 *one_in(3, [8, 2, 7, 15, 9, 16, 39, 24, 33]))]
)
def test_no_size_of_a_class_is_a_boundary(first):
    X, _ = cloud(40, 3)
    y = [1] * first + [-1] * (40 - first)
    Random(first).shuffle(y)
    K = draws.gram_of(X)
    for rows, kernel in ((X, Gaussian(0.5)), (K, Precomputed()), (X, draws.by_hand)):
        for nu in (1e-3, 2 * min(first, 40 - first) / 40):
            same("smo", refsvm.NuProblem(rows, y, kernel, nu), 1e-9, on_step=partial(watch, 40))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("tol", [1e-3, 1e-9])
def test_it_goes_to_the_end(name, tol):
    X, y = cloud(25, 4)
    for kernel in (Gaussian(0.1), Polynomial(2, coef0=1)):
        same("smo", cloud_problem(refsvm, name, X, y, kernel), tol, max_iter=300)


def test_a_face_that_the_usual_budget_does_not_finish_is_solved_alike():
    random = Random(0)
    X = [[random.random(), random.random()] for _ in range(50)]
    y = [random.choice([1, -1]) for _ in X]
    problem = refsvm.Problem(X, y, Gaussian(8), C=1e6)  # its matrix is nearly singular
    same("smo", problem)
    assert refsvm_fast.smo(problem).iterations < 200  # with the usual budget 295


@pytest.mark.parametrize("name", NAMES)
def test_sparse_rows_are_solved_alike(name):
    random = Random(3)
    rows = [{random.randrange(1, 400): random.gauss(1, 1) for _ in range(6)} for _ in range(25)]
    X = [[row.get(k, 0.0) for k in range(1, 401)] for row in rows]
    y = [random.choice([1, -1]) for _ in X]
    y[:2] = [1, -1]
    for kernel in (Gaussian(0.1), Linear()):
        same("smo", cloud_problem(refsvm, name, X, y, kernel), 1e-6, max_iter=40)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bad", [nan, inf, 1e200])
def test_values_that_are_no_numbers_are_refused_alike(name, bad):
    X, y = cloud(20, 2)
    for i, j in ((3, 3), (5, 17), (17, 0)):
        K = draws.gram_of(X)
        K[i][j] = K[j][i] = bad
        given = {"nu": 0.9} if "Nu" in name or "One" in name else {}
        make = partial(cloud_problem, name=name, X=X, y=y, kernel=partial(looked_up, X, K))
        agree(lambda p, make=make, given=given: p.smo(make(p, **given)))
        for members in (2, 5, 16) if bad == inf else ():
            agree(lambda p, make=make, members=members: find(p, DECOMPOSITION)(
                make(p), members=members))


def looked_up(X, K, x, z):
    return K[X.index(list(x))][X.index(list(z))]


@equality_test(*NAMES)
@given(st.data())
@share_of_draws(1/2)
def test_problems_are_read_copied_and_refused_alike(data):
    name = data.draw(st.sampled_from(NAMES))
    given = data.draw(arguments(name, most=12))
    if data.draw(st.booleans()):
        given = data.draw(draws.spoiled_arguments(given))
    alpha = [data.draw(st.sampled_from([0, 0.5, 1, 0.1])) for _ in range(12)]
    agree(lambda package: used(getattr(package, name)(**given), alpha))


def used(problem, alpha):
    """What a problem, its copies and its pickle say."""
    alpha = alpha[: problem.n]
    again = pickle.loads(pickle.dumps(problem))
    values = [
        tree(draws.tried(getattr(p, what), alpha))
        for p in (problem, copy.copy(problem), copy.deepcopy(problem), again)
        for what in ("primal", "dual", "gap", "weights", "scores_and_norm2")
    ]
    return values, problem.X, problem.shift, draws.tried(problem.to, Fraction), tree(problem)


ESTIMATORS = ["NuSVC", "SVR", "NuSVR", "OneClassSVM", "SVDD"]


@equality_test(*ESTIMATORS)
@share_of_draws(1 / 2)
@given(st.data())
def test_estimators_learn_and_predict_alike(data):
    name = data.draw(st.sampled_from(ESTIMATORS))
    random = Random(data.draw(draws.seeds))
    n, d = data.draw(st.integers(2, 24)), data.draw(st.integers(1, 3))
    X, y = cloud(n, d, random.randrange(1000))
    if "SVR" in name:
        y = [row[0] + random.choice([0, 1, 0.25]) for row in X]
    elif name == "NuSVC":
        y[-1:] = data.draw(st.sampled_from([["b"], [1], [1.5]]))
    Z, _ = cloud(5, d, 1)
    parameters = {
        "kernel": data.draw(st.sampled_from(["rbf", "linear", "poly", "precomputed"])),
        "max_iter": data.draw(st.sampled_from([-1, 20])),
    }
    if "Nu" in name or name == "OneClassSVM":
        parameters["nu"] = data.draw(nus)
    weight = [data.draw(st.sampled_from([1, 1, 1, 2, 0])) for _ in X]
    weight = data.draw(st.sampled_from([None, weight]))
    if parameters["kernel"] == "precomputed":
        X, Z = draws.gram_of(X), draws.gram_of(X)[:3]
    X, Z = (draws.dress(rows, data.draw(draws.dresses)) for rows in (X, Z))
    agree(lambda package: learnt(getattr(package, name)(**parameters), X, y, weight, Z))


def learnt(machine, X, y, weight, Z):
    """The estimator after fit, what it and its model say of rows, and its pickle."""
    machine.fit(X, y, sample_weight=weight)
    said = [
        draws.tried(ask, rows) for rows in (X, Z)
        for ask in (machine.predict, getattr(machine, "decision_function", machine.predict))
    ]
    said += [draws.tried(getattr, machine, "coef_"), draws.tried(machine.model_.decisions, Z)]
    return machine, said, tree(pickle.loads(pickle.dumps(machine)))


@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimators_of_wide_sparse_rows_agree(name):
    random = Random(3)
    rows = [{random.randrange(400): random.gauss(1, 1) for _ in range(6)} for _ in range(20)]
    X = [[row.get(k, 0.0) for k in range(400)] for row in rows]
    y = [row[5] + i % 3 if "SVR" in name else i % 3 for i, row in enumerate(X)]
    sparse = "sparse, an array" if "sparse, an array" in draws.DRESSES else "lists"
    for kernel in ("rbf", "linear"):
        agree(lambda p, kernel=kernel: learnt(
            getattr(p, name)(kernel=kernel), draws.dress(X, sparse), y, None, X[:3]
        ))


@compiled
@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimators_keep_arrays_packed(name):
    X, y = cloud(40, 3)
    machine = getattr(refsvm_fast, name)(kernel="rbf").fit(draws.dress(X, "arrays"), y)
    machine.predict(X)
    assert "_packed_" in vars(machine) and "model_" not in vars(machine)
    assert len(machine.support_vectors_) == len(machine.support_)
    assert "_packed_" not in vars(machine) and machine.model_.machine() is not None


@compiled
@pytest.mark.parametrize("name", NAMES)
def test_rows_stay_packed(name):
    X, y = cloud(40, 2)
    problem = cloud_problem(refsvm_fast, name, X, y, Linear())
    solution = refsvm_fast.smo(problem)
    assert problem.packed is not None and solution.problem is problem
    if solution.status != "degenerate":  # which is judged row by row
        assert problem._listed is problem._listed_rows is None


@compiled
def test_a_class_made_from_a_problem_is_the_oracles_to_compute_with():
    class Mine(refsvm_fast.OneClassProblem):
        def ridge(self):
            return [1.0] * self.n

    X, _ = cloud(20, 2)
    assert tree(refsvm_fast.smo(Mine(X)).alpha) == tree(refsvm.smo(Mine(X)).alpha)
    assert Mine(X).packed is None
