"""What train and predict say of accuracy, of classes, and of data that are better scaled first."""

import re
import shlex
from operator import eq

import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import peer

from refsvm.commands import console, hints, main, reports, training
from refsvm.estimators.folds import stratified_part
from refsvm.estimators.nu_svc import NuSVC
from refsvm.estimators.svc import SVC
from refsvm.files.models import read_model, write_model
from refsvm.files.table_columns import TableColumns
from refsvm.tables.data import write_data
from tests.seven_points import LABELS, POINTS, go_to, without_engine

CLASSES = ["a", "b", "c"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test runs in a folder of its own."""
    return go_to(tmp_path, monkeypatch)


def done(capsys, line):
    """stdout of a command line that succeeds."""
    status = main(shlex.split(line))
    told = capsys.readouterr()
    assert (status, without_engine(told.err)) == (0, "")
    return told.out


# ---- reports

@given(st.lists(st.tuples(st.sampled_from([*CLASSES, "?"]), st.sampled_from(CLASSES)), min_size=1))
def test_figures_are_shares_of_the_confusion_matrix(rows):
    y, predicted = zip(*rows)
    counts = reports.confusion(CLASSES, y, predicted)
    assert [[rows.count((p, q)) for q in CLASSES] for p in CLASSES] == counts
    for p, line in zip(CLASSES, reports.figures(CLASSES, counts)[1:]):
        right, there = rows.count((p, p)), y.count(p)
        found = len([1 for label, other in rows if other == p and label != "?"])
        shares = [reports.share(right, found), reports.share(right, there)]
        assert line == [p, str(there), str(found), *shares, reports.share(2 * right, there +
         found)]


def test_figures_are_those_of_scikit_learn():
    metrics = peer("sklearn.metrics")
    y, predicted = "aaabbbbccccc", "aabbbbcccaab"
    counts = reports.confusion(CLASSES, y, predicted)
    assert counts == metrics.confusion_matrix(list(y), list(predicted)).tolist()
    theirs = zip(*metrics.precision_recall_fscore_support(list(y), list(predicted)))
    for line, (precision, recall, f1, rows) in zip(reports.figures(CLASSES, counts)[1:], theirs):
        assert line[3:] == [f"{share:.3f}" for share in (precision, recall, f1)]
        assert line[1] == str(rows)


@pytest.mark.parametrize("classes, shows", [
    (["no", "yes"], "by what they are predicted to be"), (list("ABCDEFGH"), "predicted to be"),
    ([f"a long text of class {k} that says more" for k in range(9)], "a = a long text of class"),
    ([f"a long text of class {k} that says more" for k in range(26)], "which classes are"
     " confused"),
    (["\u6a21\u578b" * 20, *"bcdefgh"], "a = \u6a21\u578b"),
])
def test_a_report_is_no_wider_than_a_terminal(capsys, classes, shows):
    y = [label for label in classes for _ in range(120)]
    reports.report(classes, y, y[7:] + y[:7])
    out = capsys.readouterr().out
    assert shows in out and max(map(console.cells, out.splitlines())) <= 80
    assert out.count("\n") <= len(classes) + 5 + max(len(classes), reports.MAX_CONFUSED_PAIRS) + 5


def test_predict_reports_what_it_can_and_counts_labels_where_there_are_none(capsys, folder):
    write_model("model", SVC(kernel="linear").fit(POINTS, LABELS))
    write_data("other", POINTS, [-1, -1, 1, 1, 1, 1, 5])
    out = done(capsys, "predict other model")
    assert out.startswith(
        "accuracy 71.43 % (5 of 7 rows); always 1: 57.14 %\n"
        "not among the labels of the model (-1, 1): 1 row of label 5\n\n"
        "  class  rows  predicted  precision  recall     F1\n"
    )
    assert re.search(r"^    -1 +2 +0\n    1 +1 +3$", out, re.M)
    write_data("bare.csv", POINTS, [], columns=TableColumns(None, 2))
    assert done(capsys, "predict bare.csv model") == "7 rows: -1 (3), 1 (4)\n"


def test_predict_writes_a_table_where_its_name_says_so(capsys, folder):
    svc = SVC(kernel="linear").fit(POINTS, ["no", "so so"] * 3 + ["no"])
    write_model("model", svc)
    done(capsys, "predict points model --decisions -o out.csv")
    done(capsys, "predict points model --decisions -o out")
    lines, words = ((folder / name).read_text().splitlines() for name in ("out.csv", "out"))
    assert (lines[0], words[0]) == ('label,"no,so so"', 'label "no,so so"')
    written = [line.split(",")[0] for line in lines[1:]]
    assert written == svc.predict(POINTS) == [shlex.split(line)[0] for line in words[1:]]
    done(capsys, "predict points model -o out.csv")
    assert (folder / "out.csv").read_text().splitlines() == ["label", *svc.predict(POINTS)]


# ---- training and test accuracy

@pytest.mark.parametrize("options", [{}, {"kernel": "linear", "C": 0.01}, {"max_iter": 2},
 {"tol": 3}])
def test_training_accuracy_counts_every_row_though_few_are_asked_about(options):
    X = [[(7 * k * k) % 31 / 31, (5 * k) % 17 / 17] for k in range(60)]
    y = [(k * k // 7 + (x[0] > 0.5)) % 3 for k, x in enumerate(X)]
    accepted = training.accept(SVC(**options), X, y)
    model, trained = training.train(accepted)
    predicted = training.training_predictions(model, trained, accepted, X, y)
    assert predicted == model.predictions(X) != y


def test_training_accuracy_is_that_of_the_model_where_its_sums_lose_the_answer():
    # smo proves "optimal" by exact sums; the model adds kernel values of 1e12 in doubles.
    X, y = [[0.0], [320.0], [16.0], [-512.0], [0.0]], [1, 0, 0, 1, 0]
    svc = SVC(C=1e9, kernel="poly", degree=2, gamma=2.0**-10, coef0=1e6)
    accepted = training.accept(svc, X, y)
    model, trained = training.train(accepted)
    assert [pair.solution.status for pair in trained] == ["optimal"]
    predicted = training.training_predictions(model, trained, accepted, X, y)
    assert predicted == model.predictions(X) and list(map(eq, predicted, y)).count(True) == 2


@pytest.mark.parametrize("kind", [SVC, NuSVC])
def test_most_rows_need_not_be_asked_about(kind):
    X = [[(7 * k * k) % 31 / 31, (5 * k) % 17 / 17] for k in range(60)]
    y = [int(a + b > 1) for a, b in X]
    svc = kind(kernel="linear", **({"C": 100} if kind is SVC else {"nu": 0.2}))
    accepted = training.accept(svc, X, y)
    model, trained = training.train(accepted)
    asked = training.doubtful_rows(model.kernel, trained, accepted.data.C, X)
    assert 0 < len(asked) < 20


@given(st.lists(st.integers(0, 3), min_size=4, max_size=40), st.floats(0.05, 0.95),
 st.integers(0, 9))
def test_a_test_part_has_its_share_of_every_class(y, share, seed):
    y = [*y, 0, 1]
    try:
        part = stratified_part(y, share, seed)
    except ValueError as refused:
        assert "leaves none" in str(refused)
        part = []
    assert part == sorted(set(part)) and len(part) <= share * len(y)
    for label in set(y):
        there, taken = y.count(label), [y[i] for i in part].count(label)
        assert taken < there and abs(taken - share * there) <= 1 + (there == 1)


def test_the_test_rows_are_not_trained_on(capsys, folder):
    X, y = POINTS * 4, LABELS * 4
    write_data("more", X, y)
    out = done(capsys, "train more --test-size 0.25 --seed 3 --kernel linear -o model")
    part = stratified_part(y, 0.25, 3)
    kept = [i for i in range(28) if i not in part]
    svc = SVC(kernel="linear").fit([X[i] for i in kept], [y[i] for i in kept])
    assert read_model("model") == svc.model_
    right = [svc.predict([X[i]])[0] == y[i] for i in part].count(True)
    assert "21 rows to train on, 7 to test with (seed 3)\n" in out
    assert f"test accuracy {100 * right / 7:.2f} % ({right} of 7 rows); always " in out


@pytest.mark.parametrize("line, sentence", [
    ("train points --test-size 0", "--test-size is 0.0; it must be above 0 and below 1"),
    ("train points --test-size nan", "--test-size is nan; it must be above 0 and below 1"),
    ("train points --test-size 0.1", "--test-size is 0.1; of 7 rows that leaves none"),
    ("train points --test-size 0.5 -v 2", "-v and --test-size both choose the rows to predict"),
    ("train points --test-size 0.5 --kernel precomputed -o m", "leave out -o or --test-size"),
])
def test_a_test_part_that_cannot_be_is_refused(capsys, line, sentence):
    assert main(line.split()) == 2
    assert sentence in capsys.readouterr().err


def test_many_pairs_of_classes_are_told_of_in_short(capsys):
    write_data("many", [[k, k * k % 7] for k in range(24)], [k // 2 for k in range(24)])
    out = done(capsys, "train many")
    assert "and 51 more pairs, whose gaps are smaller in proportion" in out
    assert out.count("optimal") == 15
    assert max(map(len, out.splitlines())) <= 80


# ---- hints

def test_columns_of_other_scales_give_a_hint_whose_lines_work(capsys, folder):
    X = [[1000 * x, y] for x, y in POINTS * 3]
    y = [1 if x[1] < 1 else -1 for x in X]
    write_data("far.txt", X, y)
    out = done(capsys, "train far.txt --format libsvm -v 3 --C 9")
    assert "hint: feature 1 has a range of 4000, feature 2 one of 3;\n" in out
    scale, train = re.findall("^  python3 -m refsvm (.*)$", out, re.M)
    assert scale == "scale far.txt --format libsvm -o far.scaled.txt --save far.ranges"
    assert train == "train far.scaled.txt -v 3 --C 9"
    done(capsys, scale)
    better = done(capsys, train)
    assert "hint:" not in better and re.search("all +100.00 % +21 of 21 rows", better)


def test_columns_of_other_scales_are_no_matter_but_in_a_table_as_it_is(capsys, folder):
    X = [[1000 * x, y] for x, y in POINTS * 3]
    y = ["low" if x[1] < 1 else "high" for x in X]
    write_data("far.csv", X, y, columns=TableColumns(["far, too", "near"], 2, "kind", 1))
    out = done(capsys, "train far.csv --label kind --as-is -v 3")
    assert "hint: far, too has a range of 4000, near one of 3;\n" in out
    assert "Without --as-is each column has deviation 1\n" in out
    assert "hint:" not in done(capsys, "train far.csv --label kind -v 3")


@pytest.mark.slow("a real data set of which nothing is learnt until it is scaled")
def test_the_shipped_data_are_scaled_by_the_hint(capsys):
    shipped = hints.__file__.replace("commands/hints.py", "data/wdbc.libsvm")
    out = done(capsys, f"train {shipped} -v 5")
    assert "all     62.74 %" in out
    scale, train = re.findall("^  python3 -m refsvm (.*)$", out, re.M)
    done(capsys, scale)
    assert re.search("all +9[67]", done(capsys, train))


def test_a_column_that_numbers_the_rows_gives_a_hint(capsys):
    X = [[k + 3, (7 * k) % 5, k * 10 % 97] for k in range(14)]
    columns = TableColumns(["row, no", "x", "PassengerId"], 3, "y", 4)
    write_data("n.csv", X, LABELS * 2, columns=columns)
    assert "left out: row, no (it counts the rows), PassengerId (a number for each" in done(
        capsys, "train n.csv")
    out = done(capsys, "train n.csv --as-is")
    told = "hint: row, no tells all rows apart; if it is no feature, say --drop "
    assert f"{told}'\"row, no\"'\n" in out
    assert "hint: PassengerId tells all rows apart" in out and "hint: x" not in out
    assert "hint" not in done(capsys, "train n.csv --as-is --drop '\"row, no\",PassengerId'")


def test_no_hint_is_given_without_need(capsys):
    assert "hint" not in done(capsys, "train points")
    write_data("constant", [[*x, 1e9] for x in POINTS], LABELS)
    assert "hint" not in done(capsys, "train constant")
    write_data("sparse", [[1, *[0] * 99], [0] * 100, [0] * 99 + [5000]], [1, 2, 1])
    assert "hint: feature 100 has a range of 5000, feature 1 one of 1;\n" in done(capsys, "train"
     " sparse")


# ---- beside every figure what guessing is worth


RARE = [*(f"{k % 7}.5,no" for k in range(190)), *(f"{k}.25,yes" for k in range(10))]


def test_a_model_that_always_says_the_same_is_named_so(capsys, folder):
    (folder / "rare.csv").write_text("\n".join(["x,kind", *RARE]))
    for command, figure in (
        ("train rare.csv --C 0.01 --test-size 0.5", "test accuracy 95.00 % (95 of 100 rows)"),
        ("train rare.csv --C 0.01 -v 2", "  all     95.00 %  190 of 200 rows"),
    ):
        out = done(capsys, command)
        assert figure in out and "always no: 95.00 %" in out
        assert "no better than always no, within a standard error\n" in out
        assert "balanced accuracy 50.00 % (always one class: 50.00 %), the mean over" in out
        assert "never predicted: yes\n" in out


def test_a_good_model_has_the_share_of_guessing_alone(capsys, folder):
    write_data("points", POINTS * 3, [-1, 1, 1, 1, 1, -1, 1] * 3)
    out = done(capsys, "train points -v 3 --C 100 --gamma 9")
    assert "always 1: 71.43 %\n" in out and "no better" not in out and "never" not in out


def test_values_have_the_error_of_the_mean_beside_them(capsys, folder):
    rows = "\n".join(f"{k},{2 * k + k % 3}" for k in range(20))
    (folder / "rent.csv").write_text(f"x,rent\n{rows}")
    words = "--type epsilon_svr --test-size 0.5 --keep x --kernel linear"
    out = done(capsys, f"train rent.csv {words}")
    assert out.count("; always the mean: ") == 2


def test_the_error_of_the_mean_stands_beside_that_of_folds(capsys, folder):
    for y, is_named in (([k // 2 for k in range(12)], False), ([*map(int, "0510")] * 3, True)):
        write_data("values", [[k] for k in range(12)], y)
        out = done(capsys, "train values --type epsilon_svr -v 3 --kernel linear")
        mean = sum(y) / 12
        guessed = f"{sum((v - mean) ** 2 for v in y) / 12:.6g}"
        assert f"\nalways the mean: mean squared error {guessed}\n" in out
        assert ("\nno better than always the mean\n" in out) == is_named


def test_a_rare_class_is_seen_in_what_training_explain_and_hints_say(capsys, folder):
    rows = "\n".join(f"{k},{row}" for k, row in enumerate(RARE))
    (folder / "rare.csv").write_text(f"id,x,kind\n{rows}")
    out = done(capsys, "train rare.csv --C 0.01 -o m")
    hint = "hint: yes has 5.00 % of the rows; to miss fewer of them, at the\nprice of more false"
    assert hint in out and out.index(hint) < out.index("support vectors")
    told = out[out.index("training accuracy"):]
    assert "\nbalanced accuracy 50.00 % (" in told and "\nnever predicted: yes\n" in told
    weighed = done(capsys, "train rare.csv --C 0.01 --class-weight balanced")
    assert "hint: yes" not in weighed and "never predicted" not in weighed
    out = done(capsys, "explain rare.csv m --repeats 2")
    assert "200 rows, balanced accuracy 0.5000; " in out and "\n  x  " in out
    assert "id" not in out.split()  # which the model leaves out
    assert ", accuracy 0.9500; " in done(capsys, "explain rare.csv m --score accuracy")
    (folder / "even.csv").write_text("x,kind\n" + "\n".join(f"{k % 7},{k % 2}" for k in range(20)))
    assert "hint" not in done(capsys, "train even.csv")
    write_data("dozen", [[k % 12, k % 5] for k in range(60)], [k % 12 for k in range(60)])
    assert "class-weight" not in done(capsys, "train dozen")  # all have an equal share


def test_labels_that_are_numbers_of_many_values_are_named_before_training(capsys, folder):
    (folder / "price.csv").write_text("x,price\n" + "\n".join(f"{k},{k * k}" for k in range(24)))
    told = "hint: the label is a number of 24 values in 24 rows, each a class here; to\npredict"
    out = done(capsys, "train price.csv --kernel linear --keep x")
    assert told in out and out.index(told) < out.index("support vectors")
    (folder / "few.csv").write_text("x,kind\n" + "\n".join(f"{k},{k % 3}" for k in range(24)))
    assert "hint: the label" not in done(capsys, "train few.csv --kernel linear --keep x")


def test_a_kernel_matrix_that_is_nearly_the_identity_is_named(capsys, folder):
    far = [[100 * x, 70 * z] for x, z in POINTS]
    write_data("far", far, LABELS)
    told = "hint: the kernel matrix is nearly the identity"
    out = done(capsys, "train far")
    assert told in out and told not in done(capsys, "train points")
    gamma = out.split("or say --gamma ")[1].split()[0]
    assert told not in done(capsys, f"train far --gamma {gamma}")
    assert told not in done(capsys, "train far --kernel linear")


def test_a_regression_whose_rows_are_all_at_C_names_the_units_of_the_values(capsys, folder):
    X = [[x + k / 9, z] for k in range(4) for x, z in POINTS]
    write_data("values", X, [1e5 * (x + z) for x, z in X])
    out = done(capsys, "train values --type epsilon_svr")
    assert "of the rows are at C; C and epsilon are in the units of the values" in out
    cure = out.split("try ")[1].split("\n")[0]
    assert "at C; C and epsilon" not in done(capsys, f"train values --type epsilon_svr {cure}")
