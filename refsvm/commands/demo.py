"""demo: the main job on a real data set, explained to a visitor, in some seconds."""

from importlib.resources import as_file, files
from pathlib import Path

from ..estimators.folds import stratified_folds
from ..files import STDOUT
from ..files.outputs import writing
from ..files.scaling import Scaling
from ..numerics.display import text_above, text_below
from ..plotting.drawing import draw_machine
from ..plotting.trained_machines import trained_machine_of
from ..tables.data import read_data
from .arguments import picture_file
from .console import percent, progress, say, show, table
from .engine import announce, library, pure_option
from .optimality import condition_rows, measure
from .training import accept, train

EXAMPLE = """\
  python3 -m refsvm demo"""
DATA = "wdbc.libsvm"
SPLIT_SEED, SPLIT_PARTS = 1, 4
C, LOW_TOL = 10.0, 1e-6
MEANING = {0: "malignant", 1: "benign"}
DRAWN_TWO = {21: "worst texture", 22: "worst perimeter"}  # columns counted from 0


def arguments(parser):
    parser.add_argument(
        "-o",
        "--output",
        metavar="PICTURE.svg",
        type=picture_file,
        default="refsvm-demo.svg",
        help="the picture to write (default: refsvm-demo.svg, in the current folder)",
    )
    pure_option(parser)


def run(given):
    with as_file(files("refsvm") / "data" / DATA) as path:  # refsvm may lie in a zip file
        X, y = read_data(path)
    test, *rest = stratified_folds(y, SPLIT_PARTS, SPLIT_SEED)
    training = sorted(i for part in rest for i in part)
    scaling = Scaling.fit([X[i] for i in training])
    X = scaling.apply(X)
    computed_by = library(given)
    announce(given)
    _introduce(X, y, training, test)
    _train_on_all_features(computed_by, X, y, training, test)
    two = [[x[k] for k in DRAWN_TWO] for x in X]
    _draw_two_features(computed_by, two, y, training, test, given.output)
    return 0


def _introduce(X, y, training, test):
    """Print what the data are."""
    say(
        "Breast Cancer Wisconsin (Diagnostic): is a sample of tissue malignant or benign?",
        "W. Wolberg, O. Mangasarian, N. Street, W. Street (1993), UCI repository, CC BY 4.0",
        "",
    )
    show(
        table(
            [
                ["samples", str(len(y)), f"{y.count(0)} malignant, {y.count(1)} benign"],
                [
                    "features",
                    str(len(X[0])),
                    "measurements of cell nuclei, each scaled to -1 .. 1",
                ],
                ["to train on", str(len(training)), "drawn at random, the classes in proportion"],
                [
                    "held out",
                    str(len(test)),
                    "not looked at in training, nor in finding the scale",
                ],
            ],
            "lrl",
        )
    )


def _train_on_all_features(computed_by, X, y, training, test):
    """Train with the Gaussian kernel; print how good the answer is."""
    svc = computed_by.SVC(C=C, kernel="rbf", gamma="auto", tol=LOW_TOL)
    accepted = accept(svc, [X[i] for i in training], [y[i] for i in training])
    model, (pair,) = train(accepted)
    _, problem = svc._pair_problem(accepted.data, 0, 1)
    alpha = pair.solution.alpha
    found, solution = measure(problem, alpha, (pair.solution.b,)), pair.solution
    share = 101 * solution.gap / solution.objective  # percent, and room for rounding
    right, at_C = _hits(model, X, y, test), len([a for a in alpha if a == C])
    say(f"An SVM with kernel exp(-gamma |x - z|^2), gamma = 1/{len(X[0])}, C = {C:g}", "")
    show(
        table(
            [
                [
                    "accuracy",
                    percent(right, len(test)),
                    f"{right} of the {len(test)} samples held out",
                ],
                [
                    "support vectors",
                    str(len(model.vectors)),
                    f"the decision rests on them alone; {at_C} are at C",
                ],
                [
                    "steps",
                    str(pair.solution.iterations),
                    "of the solver, moving two multipliers each",
                ],
                [
                    "dual",
                    text_below(solution.objective, 10),
                    "what the multipliers reach: the optimum is at least this",
                ],
                [
                    "gap",
                    text_above(solution.gap, 2),
                    "the answer is no further from the optimum, with rounding:"
                    f" {text_above(share, 1)} %",
                ],
            ],
            "lrl",
        )
    )
    say(f"What Karush, Kuhn and Tucker ask of an optimum, margins to within tol = {LOW_TOL:g}", "")
    show(table(condition_rows(found, LOW_TOL), "lrrrr"))


def _draw_two_features(computed_by, X, y, training, test, path):
    """Train on two features and write the picture."""
    rows, labels = [X[i] for i in training], [y[i] for i in training]
    model, _ = train(accept(computed_by.SVC(C=C, kernel="rbf", gamma=0.5), rows, labels))
    title = "Breast cancer, two of thirty features"
    names = [f"{name} (scaled)" for name in DRAWN_TWO.values()]
    with progress("drawing"):
        text = draw_machine(trained_machine_of(model, C), rows, labels, title, names, MEANING)
    with writing(path) as out:
        out.write(text)
    right = _hits(model, X, y, test)
    shown = path if path == STDOUT else Path(path).resolve()
    say(
        f"With {' and '.join(DRAWN_TWO.values())} alone: {percent(right, len(test))} of those held"
        " out.",
        f"How that machine divides the plane is drawn in {shown}",
    )


def _hits(model, X, y, rows):
    """Return how many of these rows are predicted rightly."""
    predicted = model.predictions([X[i] for i in rows])
    return len([i for i, label in zip(rows, predicted) if label == y[i]])
