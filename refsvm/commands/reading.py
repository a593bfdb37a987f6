"""What a command reads: data, which are LIBSVM's text or a table, and models.

given      the options; those of DATA say of a table where its labels are, and so on
columns    of the table that a model was trained on: by them another table is read
classes    of a model: labels of the data are written as the model writes them
"""

from collections import Counter

from ..files.matching import vectors_as_rows
from ..files.models import read_model_file, same_width
from ..files.table_columns import TableColumns
from ..kernels.standard import Precomputed
from ..numerics.linalg import total
from ..numerics.numerals import is_short_number
from ..numerics.quoting import quote, shell_words, visible
from ..svm.one_class_problem import OneClassModel
from ..svm.regression_problem import RegressionModel
from ..tables.column_kinds import is_missing
from ..tables.data import format_of, read_data, training_matrix
from ..tables.layout import choice_of, is_number
from ..tables.preparation import CURE_OF_STRANGE, INCURABLE
from ..tables.prepared_data import PreparedData, apply, learn, read_cells
from ..tables.written_numbers import Manner, manner_of, read_as
from .arguments import STDIN, Refusal, columns_to_type
from .console import cut, number, plural, progress, say
from .costs import watch_columns
from .engine import library

NAMES_LETTERS = 80
MANY_TOLD = 5  # columns in a line of their own
TELL = {"classes": "tell classes", "values": "predict values", "outliers": "tell outliers"}


def read_for(
    given,
    kernel=None,
    columns=None,
    classes=(),
    answers="classes",
    with_model=False,
    first=None,
    every=False,
):
    """Read DATA, which holds kernel values if the kernel is "precomputed".

    first: 0 if the model has features from index 0 on; LIBSVM's text may have such, too.
    every: a row of a table whose label is missing is to be predicted, and has the label None.
    Other commands leave it out.
    with_model: then they are values with the vectors of a model, and need be no Gram matrix.
    answers: of the machine (machine_options.py). One that tells outliers has no labels: then every
    column of a table is a feature, unless --label names one that is not. None: read as it is.
    """
    choice = choice_of(given.label, given.header, given.drop, columns, answers != "outliers")
    form = given.format or format_of(given.data)
    with progress(f"reading {given.data}"):
        if form != "libsvm" and kernel != "precomputed" and _is_prepared(given, columns):
            data = _prepared(given, form, choice, every or answers == "outliers")
        else:
            data = read_data(
                given.data,
                precomputed=kernel == "precomputed",
                format=form,
                label=given.label,
                header=given.header,
                drop=given.drop,
                columns=columns,
                labelled=choice.labelled,
                first=first,
            )
    if data.first == 0:
        say("indices are counted from 0, as LIBSVM reads them: item 0 is a feature, too")
    if kernel == "precomputed" and not with_model:
        data = training_matrix(data)
    if answers != "classes":
        return _with_values(data, answers)
    if not classes:
        _refuse_real_labels(data)
    known = {str(label): label for label in classes or set(data.y)}
    if form == "libsvm" and any(isinstance(label, str) for label in classes):
        known = {str(k): label for k, label in enumerate(classes, 1)}  # as the model's header
    _weigh_known_labels(given, known)
    labels = [label if label is None else known.get(str(label), label) for label in data.y]
    return _replaced(data, data.X, labels)


def _is_prepared(given, columns):
    """Tell whether a table is prepared: as its model says, or in training unless --as-is."""
    if columns is not None:
        if columns.prepared is None and getattr(given, "unknown", "refuse") == "gap":
            raise Refusal("--unknown gap is for models that prepare tables, and this one has none")
        return columns.prepared is not None
    return not getattr(given, "as_is", True)


def _prepared(given, form, choice, every):
    """Return the data of a table, prepared as its model says, or as its own rows say."""
    cells = read_cells(given.data, form, choice)
    if choice.columns is not None:
        data = _applied(given, cells, choice.columns)
    else:
        data = learn(cells, given.keep, given.texts, watch_columns(given, len(cells.numbers)))
    lacking = data.y.count(None)
    if lacking and not every:
        say(f"{plural(lacking, 'row')} without a label: left out")
        kept = [i for i, label in enumerate(data.y) if label is not None]
        data = data.part(kept, learnt=choice.columns is None)
    if choice.columns is not None:
        _tell_unknown(data)
    return data


def _applied(given, cells, columns):
    """Return the data of cells as a model prepares them; refuse what it cannot read."""
    watch = watch_columns(given, len(cells.numbers))
    try:
        data, strange = apply(cells, columns, given.unknown, watch)
    except ValueError as error:
        takes_gaps = str(error).endswith(CURE_OF_STRANGE)
        cure = "--unknown gap" if takes_gaps else ""
        told = f", or let them count as gaps by {cure}" if cure else ""
        raise Refusal(f"{given.data}: {error}{told}", cure, how="") from None
    if strange:
        lost = [x.count(None) - total(map(is_missing, was)) for x, was in zip(data.cells, cells.X)]
        told = f"{plural(len(lost) - lost.count(0), 'row')} with a text in a column of numbers,"
        say(cut_words(f"{told} which counts as a gap: {_counted(strange)}"))
    return data


def _replaced(data, X, y):
    """Return the data with other rows and labels, and all else as it was."""
    other = type(data)(X, y)
    vars(other).update(vars(data))
    return other


def read_with_model(given, every=False):
    """Read MODEL and then DATA for it; return (model, data), equally wide; every: see read_for.

    given.type becomes the svm_type of the file.
    """
    model, columns, given.type, first = read_model_file(given.model)
    answers = answers_of(model)
    precomputed = isinstance(model.kernel, Precomputed)
    if columns is None and model.vectors and not precomputed:
        columns = TableColumns(None, len(model.vectors[0]))
    classes = model.classes if answers == "classes" else ()
    kernel = "precomputed" if precomputed else None
    data = read_for(given, kernel, columns, classes, answers, True, None if first else 0, every)
    if data.first < first:  # no vector has a number at index 0, and so the file did not show it
        model = read_model_file(given.model, first=0).model
    if answers == "classes":
        svm_type, model = model.svm_type, library(given).OneAgainstOne(*model)
        model.svm_type = svm_type
    if model.vectors and not (precomputed or isinstance(data, PreparedData)):
        _tell_unknown_columns(len(model.vectors[0]), len(data.X[0]))
    model, X = same_width(model, data.X)
    return model, _replaced(data, X, data.y)


def read_trained(given):
    """Read MODEL and the DATA that it was trained on; of kernel values those of its rows."""
    model, data = read_with_model(given)
    if data.serials:
        data = training_matrix(data)
        model = vectors_as_rows(model, data.serials)
    return model, data


def answers_of(model):
    """Return what the model of a file answers, as in machine_options.py."""
    if isinstance(model, RegressionModel):
        return "values"
    return "outliers" if isinstance(model, OneClassModel) else "classes"


def _tell_unknown(data):
    """Print how many cells of the data have no value that a preparation knows, and which are
    numbers that are written in another way than plain decimals."""
    _, gaps, _, written = data.found
    for name, (cell, v) in list(written.items())[:MANY_TOLD]:
        say(cut_words(f"  {name} read as numbers: {cell} is {v:.15g}"))
    if len(written) > MANY_TOLD:
        say(cut_words(f"  and so {', '.join(list(written)[MANY_TOLD:])}"))
    if gaps:
        read = [k for k, learnt in enumerate(data.preparation.columns) if learnt is not None]
        rows = [row for row in data.cells if any(row[k] is None for k in read)]
        count, within = total(gaps.values()), plural(len(rows), "row")
        say(cut_words(f"  {plural(count, 'gap')} in {within} count as 0: {_counted(gaps)}"))
    tell_unknown_texts(data)


def tell_unknown_texts(data):
    """Print how many texts of the data a preparation has not seen."""
    if isinstance(data, PreparedData) and data.found.unknown:
        count = plural(total(data.found.unknown.values()), "text")
        told = f"  {count} not seen in training count as 0: {_counted(data.found.unknown)}"
        say(cut_words(told))


def _counted(columns):
    """Return columns with their counts, the largest first, in words."""
    listed = sorted(columns.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{name} ({count})" for name, count in listed)


def _tell_unknown_columns(known, width):
    """Print how many columns of the data the support vectors do not have, if there are any."""
    if width > known:
        others = "column" if width == known + 1 else f"columns {known + 1} to"
        say(
            f"the model has {plural(known, 'column')}, the data have {width}: every support vector"
            f" counts as 0 in {others} {width}"
        )


def _with_values(data, answers):
    """Return the data with the numbers that a column of values writes, however it does.

    Refuse a column of a table as values to predict in which texts stand.
    """
    if answers != "values" or not any(isinstance(v, str) for v in data.y):
        return data
    texts = [i for i, v in enumerate(data.y) if isinstance(v, str) and not is_number(v)]
    manner = manner_of(str(v) for v in data.y if v is not None)
    if isinstance(manner, Manner):
        values = [None if v is None else read_as(str(v), manner) for v in data.y]
        if texts:
            told = f"{data.y[texts[0]]} as {values[texts[0]]:.15g}"
            say(cut_words(f"values read as numbers, as {told}"))
        return _replaced(data, data.X, values)
    raise Refusal(
        f"the value of row {texts[0] + 1} is {quote(data.y[texts[0]])}, which is no number",
        "--label",
        say=f"if another column than {_place_of(data.columns)} holds the values, say",
    )


def _place_of(columns):
    """Return which column holds the labels, in a sentence."""
    return f"column {columns.place}" + (f", '{columns.label}'," if columns.label else "")


def _refuse_real_labels(data):
    """Refuse a column of a table as labels in which other numbers than whole ones stand."""
    if data.columns is None:
        return
    for i, label in enumerate(data.y):
        if isinstance(label, float) and label % 1:
            raise Refusal(
                f"the label of row {i + 1} is {number(label)}, which is no class",
                "--type epsilon_svr",
                how="to predict numbers say --type epsilon_svr, and if another column than"
                f" {_place_of(data.columns)} holds the labels, say --label",
            )


def _weigh_known_labels(given, known):
    """Let the options' weights be of labels as the data have them."""
    weights = getattr(given, "class_weight", None)
    if isinstance(weights, dict):
        given.class_weight = {known.get(str(k), k): weight for k, weight in weights.items()}


def describe(data, answers="classes", usual=""):
    """Print how many rows and features there are; of a table, which labels or values.

    usual: the parameters that no option says, of a table that is prepared.
    """
    if isinstance(data, PreparedData):
        say(f"{plural(len(data.X), 'row')}, {plural(len(data.cells[0]), 'column')}, prepared:")
        for line in data.preparation.sentences():
            say(f"  {cut_words(line)}")
        _tell_unknown(data)
        if usual:
            say(f"  {usual}, as nothing else is said")
    else:
        say(f"{plural(len(data.X), 'row')}, {plural(len(data.X[0]), 'feature')}")
    if answers == "values":
        name = _called(data.columns, "value") if data.columns is not None else "values"
        say(cut_words(f"{name}: from {number(min(data.y))} to {number(max(data.y))}"))
    elif answers == "outliers" and data.columns is not None and data.y:
        say(cut_words(f"{_called(data.columns)}: not looked at"))
    elif data.columns is not None and data.y:
        say(cut_words(f"{_called(data.columns)}: {counts_of(data.y)}"))


def pair_heading(classes, p, q, n):
    """Return what stands above a report of two classes, which have n examples together."""
    return f"classes {classes[p]} (y = -1) and {classes[q]} (y = +1): {plural(n, 'example')}"


def _called(columns, noun="label"):
    """Return what the column of labels, or of values, is called."""
    return f"{noun} {columns.label}" if columns.label else f"{noun} in column {columns.place}"


def counts_of(labels):
    """Return how often each label occurs, in words.

    >>> counts_of(["no", "yes", "no"])
    'no (2), yes (1)'
    """
    counts = Counter(labels)
    return ", ".join(f"{label} ({counts[label]})" for label in sorted(counts))


def cut_words(line):
    """Return a line cut to the width of a terminal.

    >>> cut_words("a" * 99)[-5:]
    'aa ..'
    """
    line = visible(line)
    shorter = cut(line, NAMES_LETTERS)
    return line if shorter == line else cut(line, NAMES_LETTERS - 3) + " .."


def _names_of(data):
    """Return the names of the features, if they have some."""
    if isinstance(data, PreparedData):
        return data.preparation.names
    return data.columns and data.columns.names


def feature_names(data, places):
    """Return what the features at some places are called."""
    names = _names_of(data)
    return [names[k] if names else f"feature {k + data.first}" for k in places]


def feature_places(features, data):
    """Return the places of the two features that are named, or numbered; else 0 and 1."""
    if not features:
        return [0, 1]
    names = _names_of(data) or []
    places, least, most = [], data.first, len(data.X[0]) - 1 + data.first
    for feature in features:
        if feature in names:
            places.append(names.index(feature))
        elif is_short_number(feature) and least <= int(feature) <= most:
            places.append(int(feature) - least)
        else:
            _refuse_column_as_feature(feature, data, names)
            raise Refusal(
                f"--features is {feature}; it must be from {least} to {most}"
                + (", or the name of a feature" if names else "")
            )
    return places


def _refuse_column_as_feature(feature, data, names):
    """Refuse a column of a table that is prepared, and is no feature itself."""
    preparation = data.preparation if isinstance(data, PreparedData) else None
    if preparation and feature in preparation.left_out:
        why = preparation.left_out[feature]
        keep = "" if why in INCURABLE else columns_to_type("--keep", [feature])
        sentence = f"--features is {feature}, which is left out: {why}"
        raise Refusal(sentence, keep, say="to keep it, say")
    if preparation and feature in preparation.given:
        values = [name for name in names if name.startswith(f"{feature}=")]
        raise Refusal(
            f"--features is {feature}, a column of texts; take one of them, as"
            f" {shell_words(values[:1])}"
        )


def other_columns(given, answers):
    """Return the numbers of the columns of a table beside those that --features names.

    They need not hold what can be read. [] where a feature is not named by a column, or by one and
    a value of it, for then its number counts all; and of standard input, which may be read once.
    """
    form = given.format or format_of(given.data)
    if form == "libsvm" or not given.features or given.data == STDIN:
        return []
    choice = choice_of(given.label, given.header, given.drop, None, answers != "outliers")
    data = read_cells(given.data, form, choice)
    names = data.columns.names or []
    of_each = [[n for n in names if f == n or f.startswith(f"{n}=")] for f in given.features]
    chosen = {name for found in of_each for name in found}
    if not all(of_each):
        return []
    return [number for name, number in zip(names, data.numbers) if name not in chosen]


def features_chosen(features, data):
    """Return the rows with the named features alone; as they are if none are named."""
    if not features:
        return data.X
    places = feature_places(features, data)
    return [[x[k] for k in places] for x in data.X]
