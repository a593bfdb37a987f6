"""plot DATA [MODEL] -o PICTURE.svg: draw a machine with two features, or regression with one."""

import os

from ..estimators.linear_machines import LinearTraining
from ..files.outputs import writing
from ..kernels.standard import Precomputed
from ..plotting.drawing import draw_machine
from ..plotting.trained_machines import features_shown, trained_machine_of
from ..tables.prepared_data import PreparedData
from .arguments import Refusal, data_file, model_file, picture_file, preparation_options
from .console import plural, progress, say, say_written
from .engine import announce
from .machine_options import TYPES, machine_options, set_defaults_of_tables, type_of
from .reading import (
    answers_of,
    feature_names,
    feature_places,
    features_chosen,
    other_columns,
    read_for,
    read_with_model,
)
from .training import accept, machine, train

EXAMPLE = """\
  python3 -m refsvm plot wdbc.scaled --features 22 23 --C 10 -o wdbc.svg
  python3 -m refsvm plot two_features.libsvm two_features.model -o two_features.svg"""


def arguments(parser):
    data_file(parser)
    preparation_options(parser)
    model_file(parser, nargs="?")
    parser.add_argument(
        "-o",
        "--output",
        metavar="PICTURE.svg",
        type=picture_file,
        required=True,
        help="the file to write; - is standard output",
    )
    parser.add_argument(
        "--features",
        nargs="+",
        type=str,
        metavar="FEATURE",
        help="two features of a file with more, of a regression one: numbers from 1, or names of a"
        " table; without a MODEL only",
    )
    parser.add_argument("--title", help="written above (default: the name of the file)")
    machine_options(parser, TYPES)


def run(given):
    if given.kernel == "precomputed":
        raise Refusal("a file of kernel values has no features; --kernel must be another")
    type_of(given)  # which refuses the options of other types
    model, data = _read_to_draw(given)
    answers = answers_of(model) if model else type_of(given).answers
    features = 1 if answers == "values" else 2
    chosen = given.features or range(len(data.X[0]))
    if len(chosen) != features:
        subject = "--features names" if given.features else f"{given.data} has"
        cure = "" if given.features or model else ", see --features"
        raise ValueError(
            f"{subject} {plural(len(chosen), 'feature')};"
            f" {features_shown(features).removesuffix(' features')}{cure}"
        )
    X = features_chosen(given.features, data)
    y = None if answers == "outliers" else data.y
    fit = None if model else _to_fit(machine(given), answers, X, y)
    announce(given)
    trained = trained_machine_of(fit() if fit else model)
    title = given.title or os.path.basename(given.data)
    places = feature_places(given.features, data)[:features]
    names = feature_names(data, places)
    if isinstance(data, PreparedData):
        trained, X = _in_units_of_table(trained, X, [data.preparation.units[k] for k in places])
    if answers == "values":
        names.append("value")
    with progress("drawing"):
        text = draw_machine(trained, X, y, title, names)
    with writing(given.output) as out:
        out.write(text)
    say(trained.about)
    say_written(given.output)
    return 0


def _in_units_of_table(trained, X, units):
    """Return a machine of prepared rows as one of table rows, and these rows."""

    def original(rows):
        return [[v * s + m for v, (m, s) in zip(row, units)] for row in rows]

    def decisions(rows):
        return trained.decisions([[(v - m) / s for v, (m, s) in zip(row, units)] for row in rows])

    made = trained._replace(vectors=original(trained.vectors), decisions=decisions)
    return made, original(X)


def _to_fit(estimator, answers, X, y):
    """Check the input; return a function that trains and returns the estimator."""
    if answers == "classes" and not isinstance(estimator, LinearTraining):
        accepted = accept(estimator, X, y)

        def fit():
            estimator.model_, _ = train(accepted)
            return estimator

        return fit
    estimator._accept(X, y, None)

    def fit_one():
        with progress("training"):
            return estimator.fit(X, y)

    return fit_one


def _read_to_draw(given):
    """Read the files MODEL and DATA; return (model, data), with None where no model is named."""
    if not given.model:
        given.drop = [*given.drop, *other_columns(given, type_of(given).answers)]
        data = read_for(given, answers=type_of(given).answers)
        set_defaults_of_tables(given, data)
        return None, data
    if given.features:
        raise Refusal("--features is for training; the model of a file has its own features")
    model, data = read_with_model(given)
    if isinstance(model.kernel, Precomputed):
        raise ValueError(f"{given.model} has kernel values and no features; it cannot be drawn")
    return model, data
