"""The command check of machines with offsets: nu, regression, one class."""

from copy import copy
from fractions import Fraction as F
from pathlib import Path

import pytest
from formulation_cases import CASES
from formulations import Ball
from machine_problems import problem_of

import refsvm
from refsvm import Gaussian, Linear, certify, kkt, solve_exactly
from refsvm.commands.optimality import judged, measure, verdict_rows
from refsvm.estimators.nu_svc import NuSVC
from refsvm.estimators.outliers import OneClassSVM
from refsvm.estimators.svc import SVC
from refsvm.estimators.svr import SVR, NuSVR
from refsvm.files.matching import net_multipliers
from refsvm.files.models import write_model
from refsvm.files.table_columns import TableColumns
from refsvm.kernels.standard import Precomputed
from refsvm.svm.judgement import promised_gap
from refsvm.svm.regression_problem import NuRegressionProblem, RegressionModel
from refsvm.tables.data import read_data, write_data
from tests.peers import peer
from tests.seven_points import LABELS, POINTS, done, go_to, run

SHIPPED = Path(refsvm.__file__).parent / "data" / "wdbc.libsvm"
VALUES = [0.5, 1, 1.5, 6, 7, 2.5, 2]
THREE = [0, 0, 1, 2, 2, 1, 1]
SURE = {"tol": 1e-9, "gamma": 0.25}
MACHINES = {
    "nu_svc": (NuSVC(0.4, **SURE), LABELS, ["--nu", "0.4"]),
    "three classes": (NuSVC(0.4, class_weight={1: 2}, **SURE), THREE,
                      ["--nu", "0.4", "--class-weight", "1:2"]),
    "epsilon_svr": (SVR(C=2, epsilon=0.5, **SURE), VALUES, ["--C", "2", "--epsilon", "0.5"]),
    "linear": (SVR("linear", C=0.25, epsilon=0.75, tol=1e-9), VALUES, ["--epsilon", "0.75"]),
    "nu_svr": (NuSVR(0.5, 3, **SURE), VALUES, ["--C", "3", "--nu", "0.5"]),
    "one_class": (OneClassSVM(nu=0.4, **SURE), [1] * 7, ["--nu", "0.4"]),
}
NAMES = pytest.mark.parametrize("name", MACHINES)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test runs in a folder of its own."""
    return go_to(tmp_path, monkeypatch)


def trained(name, X=POINTS):
    """The options of a machine, whose data and model are written."""
    machine, y, options = MACHINES[name]
    machine = type(machine)(**machine.get_params()).fit(X, y)
    write_data("data", X, y)
    write_model("model", machine)
    return machine, options


def write_changed(machine, **changes):
    """Write a model that is right but for these numbers, of the type of the machine."""
    other = copy(machine)
    other.model_ = machine.model_._replace(**changes)
    write_model("model", other)


@NAMES
def test_a_right_model_passes_with_its_options_and_compiled_as_in_python(capsys, name):
    _, options = trained(name)
    out = done(capsys, "check", "data", "model", "--tol", "1e-6", *options)
    assert "FAIL" not in out and out.endswith(" passes\n")
    assert done(capsys, "check", "data", "model", "--tol", "1e-6", "--pure", *options) == out


@pytest.mark.parametrize("name, own", [
    ("nu_svc", ["nu"]), ("three classes", ["nu"]), ("epsilon_svr", ["C", "epsilon"]),
    ("linear", ["C", "epsilon"]), ("nu_svr", ["C", "nu"]), ("one_class", ["nu"]),
])
def test_what_options_do_not_say_is_taken_from_the_model(capsys, name, own):
    machine, options = trained(name)
    options = options[options.index("--class-weight"):] if "--class-weight" in options else []
    out = done(capsys, "check", "data", "model", "--tol", "1e-6", *options)
    for word in own:
        told = [float(line.split()[2].strip(",")) for line in out.splitlines()
                if line.startswith(f"{word} = ")]
        # With no vector at the bound a smaller nu of nu-SVC is right, too.
        assert any(v == pytest.approx(getattr(machine, word)) for v in told) or name == "nu_svc"


@NAMES
def test_each_mistake_fails_what_it_breaks(capsys, name):
    machine, options = trained(name)
    model, y = machine.model_, MACHINES[name][1]
    many = hasattr(model, "coefs")
    b = model.offsets[-1] if many else model.b
    coefs = model.coefs if many else [model.coef]

    def judged(coefs=coefs, b=b):
        if many:
            write_changed(machine, coefs=coefs, offsets=[*model.offsets[:-1], b])
        else:
            write_changed(machine, coef=coefs[0], b=b)
        status, out, err = run(capsys, "check", "data", "model", "--tol", "1e-6", *options)
        assert (status, err) == (1, "") and out.endswith("the model FAILS the check\n")
        return [line.strip() for line in out.splitlines() if line.startswith("  FAIL")]

    assert y and any(line.split("  ")[1].strip() in ("b", "-rho", "b - rho", "b + epsilon")
                     or "b" in line for line in judged(b=b + 0.5))
    assert any("sum of" in line for line in judged([[1.25 * coefs[0][0], *coefs[0][1:]],
                                                    *coefs[1:]]))
    turned = judged([[-c for c in row] for row in coefs])
    assert turned


@NAMES
def test_fractions_decide_what_doubles_may_not(capsys, name):
    _, options = trained(name)
    out = done(capsys, "check", "data", "model", "--tol", "1e-6", "--exact", *options)
    assert "undecided" not in out and out.endswith(" passes\n")
    status, out, _ = run(capsys, "check", "data", "model", "--tol", "1e-60", "--exact", *options)
    assert status == 1 and "undecided" not in out and "FAIL" in out


def test_options_are_taken_as_they_were_said_to_libsvm(capsys):
    write_data("data", POINTS, LABELS)
    weights = {1: 3.0, -1: 0.5}
    write_model("model", SVC(C=2, gamma=0.5, class_weight=weights).fit(POINTS, LABELS))
    own = done(capsys, "check", "data", "model", "--C", "2", "--class-weight=1:3,-1:0.5")
    assert own == done(capsys, "check", "data", "model", "-c", "2", "-w1", "3", "-w-1", "0.5")
    assert own == done(capsys, "check", "-e", "1e-3", "-w-1", ".5", "data", "-c", "2", "model",
                       "-w1", "3")
    assert run(capsys, "check", "data", "model", "-c", "2", "-w1", "2")[0] == 1
    write_model("model", SVR(C=2, gamma=0.5, epsilon=0.25).fit(POINTS, VALUES))
    write_data("data", POINTS, VALUES)
    assert done(capsys, "check", "data", "model", "-c", "2", "-p", "0.25").endswith(" passes\n")


def test_of_an_indefinite_kernel_matrix_a_sentence_says_that_nothing_is_certified(capsys):
    write_data("data", POINTS, LABELS)
    with pytest.warns(UserWarning, match="'indefinite'"):
        machine = SVC(kernel="sigmoid", gamma=0.5, coef0=-1).fit(POINTS, LABELS)
    write_model("model", machine)
    status, out, err = run(capsys, "check", "data", "model", "--exact")
    assert status == 1 and "of the primal as computed, if K is positive semidefinite" in out
    assert out.endswith("nothing can be certified: the kernel matrix K is not positive"
                        " semidefinite\n\nundecided\n")
    write_model("model", SVC().fit(POINTS, LABELS))
    assert "of the primal as computed: proved" in done(capsys, "check", "data", "model", "--exact")


def test_of_regression_one_that_is_beyond_C_fails(capsys):
    trained("epsilon_svr")
    status, out, _ = run(capsys, "check", "data", "model", "--C", "1.5", "--epsilon", "0.5")
    assert status == 1 and "FAIL |alpha| at most C" in " ".join(out.split())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_measured_is_exact_on_fractions(case):
    if isinstance(case.machine, Ball) or case.degenerate:
        return
    problem = problem_of(case.X, Linear(), case.machine)
    best = solve_exactly(problem)
    offsets = tuple(value for value, _, _ in best.offsets)
    found = measure(problem, best.alpha, offsets)
    assert found.primal == found.dual == best.objective
    assert judged(found, 0, 0)[0].verdict == "pass"
    assert all(example.violation() == 0 for example in found.examples)
    model = problem.model_of(best) if hasattr(best, "b") else None
    scores, _ = problem.scores_and_norm2(problem.beta(best.alpha))
    f = [example.value for example in found.examples]
    assert [a - b for a, b in zip(f, f[1:])] == [a - b for a, b in zip(scores, scores[1:])]
    assert model is None or f == model.decisions(case.X)
    alpha = [a * F(3, 4) for a in best.alpha]
    other = measure(problem, alpha, offsets)
    assert other.primal - other.dual == problem.gap(alpha, *offsets)
    assert max(example.violation() for example in other.examples) == max(
        max(row.below, row.above, row.short, row.long)
        for row in kkt(problem, alpha, offsets).rows)
    gap = judged(other, 0, 0)[0].promise("gap")
    assert (gap.verdict == "pass") is (gap.high <= 0)
    assert gap.low == gap.high == max(0, certify(problem, alpha, *offsets).gap)
    if gap.verdict == "FAIL":
        room = promised_gap(problem, clipped(problem, alpha), 0, other.unit)
        for share, verdict in ((1, "pass"), (1 - F(1, 10**9), "FAIL")):
            tol = share * gap.low / room
            assert judged(other, tol, 0)[0].promise("gap").verdict == verdict


def clipped(problem, alpha):
    """The variables of multipliers, within their bounds."""
    form, variables = problem.dual_form(), problem.variables_of(alpha)
    return [min(max(x, a), b) for x, a, b in zip(variables, form.lower, form.upper)]


def test_equal_rows_take_multipliers_in_the_order_of_their_values():
    X, y = [[1.0], [1.0], [2.0], [1.0]], [3.0, 9.0, 1.0, 5.0]
    model = RegressionModel(0.0, [2.0, -1.0, -1.0], [[1.0], [1.0], [2.0]], Gaussian(1.0), None)
    assert net_multipliers(model, X, y) == [-1.0, 2.0, -1.0, 0.0]
    model = model._replace(coef=[-2.0, -1.0, 3.0])
    assert net_multipliers(model, X, y) == [-2.0, 0.0, 3.0, -1.0]
    with pytest.raises(ValueError, match="no row is left that equals support vector 2"):
        net_multipliers(model, [[1.0], [3.0], [2.0]], [])
    of_kernel = RegressionModel(0.0, [2.0, -2.0], [3, 1], Precomputed(), None)
    assert net_multipliers(of_kernel, [[1.0] * 4] * 4, y) == [0.0, -2.0, 0.0, 2.0]


def test_a_tube_that_is_closed_passes_for_any_nu_that_leaves_it_closed(capsys):
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 4.0, 3.0]
    write_data("data", X, y)
    write_model("model", NuSVR(1, 1, "linear", tol=1e-9).fit(X, y))
    for options in ([], ["--nu", "1"]):
        out = done(capsys, "check", "data", "model", "--tol", "1e-6", *options)
        assert out.endswith("the model passes\n")
    best = solve_exactly(NuRegressionProblem([[F(v) for v in x] for x in X], y, Linear(), 1, 1))
    assert best.offsets.epsilon.value == 0


def test_kernel_values_are_checked(capsys):
    gram = [[float(x[0] * z[0] + x[1] * z[1]) for z in POINTS] for x in POINTS]
    write_data("kernel", gram, VALUES, precomputed=True)
    for kind in ("epsilon_svr", "nu_svr", "one_class"):
        done(capsys, "train", "kernel", "--type", kind, "--kernel", "precomputed", "-o", "model")
        assert done(capsys, "check", "kernel", "model").endswith("the model passes\n")


def test_the_worst_rows_of_the_data_are_named(capsys):
    machine, options = trained("epsilon_svr")
    write_changed(machine, b=machine.model_.b + 2)
    _, out, _ = run(capsys, "check", "data", "model", *options)
    head, worst = out.partition("worst examples:\n")[2].splitlines()[:2]
    f = [v + 2 for v in machine.predict(POINTS)]
    assert head.split() == ["row", "y", "alpha", "f", "breaks", "a", "condition", "by"]
    row, y, _, value, _ = worst.split()
    assert float(y) == VALUES[int(row) - 1]
    assert float(value) == pytest.approx(f[int(row) - 1], rel=1e-5)


@pytest.mark.parametrize("line, sentence", [
    ("--epsilon=-1", "--epsilon is -1.0; it must not be negative"),
    ("--C 0", "--C is 0.0; it must be positive"),
    ("--nu 0.5", "a model of type epsilon_svr has no --nu; it has --C, --epsilon"),
    ("--class-weight balanced", "a model of type epsilon_svr has no --class-weight; it has"),
    ("--tol 0", "--tol is 0.0; it must be positive"),
])
def test_what_is_no_option_of_the_type_is_refused(capsys, line, sentence):
    trained("epsilon_svr")
    status, out, err = run(capsys, "check", "data", "model", *line.split())
    assert (status, out) == (2, "") and sentence in err and err.count("\n") == 1


def test_a_model_without_vectors_needs_to_be_told_its_parameters(capsys):
    write_data("data", POINTS, VALUES)
    write_model("model", SVR(epsilon=9, gamma=1).fit(POINTS, VALUES))
    for words, cure in (([], "say what C was by --C"), (["--C", "1"], "what it was by --epsilon")):
        status, _, err = run(capsys, "check", "data", "model", *words)
        assert status == 2 and cure in err
    done(capsys, "check", "data", "model", "--C", "1", "--epsilon", "9")
    assert run(capsys, "check", "data", "model", "--C", "1", "--epsilon", "1")[0] == 1
    write_data("rows.csv", POINTS, [], columns=TableColumns(["x", "z"], 2))
    write_model("model", SVR().fit(POINTS, VALUES), TableColumns(["x", "z"], 2, "value", 3))
    assert "has no column of values" in run(capsys, "check", "rows.csv", "model")[2]


@pytest.mark.parametrize("options, own", [
    ("-s 1 -n 0.2", "--nu 0.2"), ("-s 2 -n 0.1", "--nu 0.1"), ("-s 2 -n 0.1 -t 0", ""),
    ("-s 3 -p 0.05 -c 2", "--epsilon 0.05 --C 2"), ("-s 4 -n 0.3 -c 2", "--C 2 --nu 0.3"),
    ("-s 1 -n 0.2 -t 0", ""), ("-s 3 -t 1 -r 1", ""), ("-s 4 -t 1 -r 1", ""),
])
def test_models_of_libsvm_pass(capsys, options, own):
    svmutil = peer("libsvm.svmutil")
    done(capsys, "scale", str(SHIPPED), "-o", "scaled")
    X, y = (part[:200] for part in read_data("scaled"))
    if options[3] in "34":
        y = [row[0] for row in X]
        X = [row[1:] for row in X]
    write_data("data", X, y)
    svmutil.svm_save_model("model", svmutil.svm_train(y, X, options + " -e 1e-5 -q"))
    for words in ([], own.split()):
        assert done(capsys, "check", "data", "model", *words).endswith(" passes\n")
    assert run(capsys, "check", "data", "model", "--tol", "1e-12")[0] == 1


@pytest.mark.parametrize("alpha, b", [
    ([0, 0, 0], F(1, 4)), ([0, -1, 1], 3), ([0, -1, 1], F(1, 4)),
    ([F(-1, 2), 0, F(1, 2)], F(1, 4)),
])
def test_what_a_multiplier_that_may_grow_or_shrink_breaks_is_told_apart(alpha, b):
    X, y, epsilon = [[F(0)], [F(1)], [F(2)]], [0, 1, 4], F(1, 4)
    problem = refsvm.RegressionProblem(X, y, Linear(), 1, epsilon)
    found = measure(problem, alpha, (b,))
    w = sum(a * x[0] for a, x in zip(alpha, X))
    for example, a, x, v in zip(found.examples, alpha, X, y):
        e = v - (w * x[0] + b)
        assert example.value == v - e and example.outside == 0
        upper, lower = max(0, e - epsilon), max(0, -epsilon - e)  # where the parts may grow
        assert example.short == max(upper if a < 1 else 0, lower if a > -1 else 0)
        inside = max(0, epsilon - e) if a > 0 else max(0, e + epsilon) if a < 0 else 0
        assert example.long == inside
    told = verdict_rows(found, judged(found, 0, 0)[0], 0)[-1][-1]
    assert ("no offset" in told) is any(m > M for _, m, M in found.levels)
