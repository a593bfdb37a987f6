"""explain DATA MODEL: how much each feature matters to a machine."""

from ..estimators.scores import SCORINGS, importances, scoring_named
from ..files.outputs import writing
from ..kernels.standard import Precomputed
from ..numerics.validation import whole_number
from ..tables.prepared_data import PreparedData
from .arguments import Refusal, data_file, model_file, picture_file
from .console import plural, progress, say, say_written, show, table
from .costs import watch_weights
from .engine import announce, decide, pure_option
from .machine_options import seed_option
from .reading import TELL, answers_of, feature_names, read_with_model
from .reports import score_for

EXAMPLE = """\
  python3 -m refsvm explain new.csv iris.model
  python3 -m refsvm explain new.csv iris.model --score balanced_accuracy -o iris.svg"""


def arguments(parser):
    data_file(parser)
    model_file(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="PICTURE.svg",
        type=picture_file,
        help="draw a bar for each feature; - is standard output",
    )
    parser.add_argument(
        "--score",
        choices=tuple(scoring.name for scoring in SCORINGS),
        help="what is compared (default: accuracy, or balanced_accuracy where a class has less"
        " than a tenth of the rows; of values r2)",
    )
    parser.add_argument(
        "--repeats", type=int, default=10, help="shuffles of each column (default: 10)"
    )
    seed_option(parser)
    pure_option(parser)


def run(given):
    model, data = read_with_model(given)
    answers = answers_of(model)
    scoring = _scoring_for(given, answers, model, data)
    repeats = whole_number(given.repeats, "repeats", 2)
    watch_weights(given, model)
    announce(given)
    names, rows, made = _columns_of(data)

    def predict(some):
        X = made(some)
        return decide(given, model, X) if answers == "values" else model.predictions(X)

    with progress("shuffling"):
        score, found = importances(predict, rows, data.y, scoring, repeats, given.seed)
    order = sorted(_taken_in(data, found), key=lambda j: (-found[j].drop, j))
    fall = "grows" if scoring.sign < 0 else "falls"
    called, rows = _called(scoring), plural(len(data.X), "row")
    say(f"{rows}, {called} {score:.4f}; how much it {fall} when the numbers of a feature are")
    say(f"shuffled, in the mean of {repeats} times (seed {given.seed}):", "")
    lines = [[names[j], f"{found[j].drop:.4f}", f"+- {found[j].error:.4f}"] for j in order]
    show(table([["feature", fall, ""], *lines], "lrl"))
    say("It says what the machine owes to a feature on rows that it was not trained on: give such")
    say("rows. Features that say the same share what they are worth.")
    if given.output:
        title = f"how much the {called} {fall} when a feature is shuffled"
        _write_picture(given, [names[j] for j in order], [found[j] for j in order], title)
    return 0


def _columns_of(data):
    """Return the column names, the rows to shuffle, and what turns such rows into features.

    Of a prepared table its own columns are shuffled, not those that a text has become.
    """
    if not isinstance(data, PreparedData):
        return feature_names(data, range(len(data.X[0]))), data.X, list
    preparation = data.preparation
    return preparation.given, data.cells, preparation.rows


def _taken_in(data, found):
    """Return the places of the columns that the model does not leave out."""
    if not isinstance(data, PreparedData):
        return range(len(found))
    return [j for j, column in enumerate(data.preparation.columns) if column is not None]


def _scoring_for(given, answers, model, data):
    """Return the Scoring; refuse what has no features, or no labels to compare with."""
    if isinstance(model.kernel, Precomputed):
        raise Refusal(f"{given.model} has kernel values and no features that could be shuffled")
    if answers == "outliers":
        raise Refusal(
            f"explain needs labels or values to compare predictions with; models that"
            f" {TELL[answers]}, such as {given.model}, have none"
        )
    if not data.y:
        raise Refusal(f"{given.data} has no column of labels, see --label; a score needs them")
    return scoring_named(score_for(given, answers, data.y), answers)


def _called(scoring):
    """Return what a score is called in a sentence."""
    return {"r2": "R^2", "f1_macro": "mean F1"}.get(scoring.name, scoring.name.replace("_", " "))


def _write_picture(given, names, found, title):
    """Write the bars."""
    from ..plotting.svg import bars  # which nothing else waits for

    drops, errors = [column.drop for column in found], [column.error for column in found]
    below = "the line at the end of a bar: a standard error to either side"
    with writing(given.output) as out:
        out.write(bars(names, drops, errors, title, below))
    say_written(given.output)
