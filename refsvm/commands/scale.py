"""scale DATA [-o OUT]: bring every feature to the same range, as svm-scale does."""

from ..files.models import is_model, read_model_file
from ..files.scaling import Scaling, read_scaling_and_columns, write_scaling
from ..files.table_columns import TableColumns
from ..numerics.quoting import quote
from ..numerics.sparse_rows import row_items
from ..tables.data import format_of, write_data
from .arguments import Refusal, data_file, source, target, unknown_option
from .console import plural, say
from .costs import watch_numbers
from .reading import answers_of, read_for

EXAMPLE = """\
  python3 -m refsvm scale refsvm/data/wdbc.libsvm -o wdbc.scaled --save wdbc.ranges
  python3 -m refsvm scale new.libsvm -o new.scaled --restore wdbc.ranges
  python3 -m refsvm scale iris.csv --label species -o iris.scaled.csv --save iris.ranges
  python3 -m refsvm scale new.csv --restore penguins.model -o rows.libsvm    (for svm-predict)"""


def arguments(parser):
    data_file(parser)
    unknown_option(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        type=target,
        default="-",
        help="the file to write (default: -, which is standard output)",
    )
    parser.add_argument("--lower", type=float, help="smallest value wanted (default: -1)")
    parser.add_argument("--upper", type=float, help="largest value wanted (default: 1)")
    ranges = parser.add_mutually_exclusive_group()
    ranges.add_argument(
        "--save", metavar="RANGE", type=target, help="write the ranges found to this file"
    )
    ranges.add_argument(
        "--restore",
        metavar="RANGE",
        type=source,
        help="use the ranges in this file, for rows to predict; or what a model has kept of the"
        " table that it was trained on",
    )


def run(given):
    if given.restore and (given.lower is not None or given.upper is not None):
        raise Refusal("--restore takes the range from its file", leave_out="--lower --upper")
    if given.restore and is_model(given.restore):
        return _write_prepared(given)
    scaling, columns = read_scaling_and_columns(given.restore) if given.restore else (None, None)
    data = read_for(given, columns=columns, answers=None)
    if data.first == 0:
        raise Refusal(
            f"{given.data} has items of index 0; scale counts from 1, so add 1 to every index in"
            " all files of these data"
        )
    if scaling is None:
        lower = -1.0 if given.lower is None else given.lower
        scaling = Scaling.fit(data.X, lower, 1.0 if given.upper is None else given.upper)
    _watch_zeros(given, scaling, data.X)
    scaled = scaling.apply(data.X)
    write_data(
        given.output, scaled, data.y, format=_format_to_write(given, data), columns=data.columns
    )
    if given.save:
        write_scaling(given.save, scaling, data.columns)
    return 0


def _watch_zeros(given, scaling, X):
    """Tell, or refuse, how many zeros of sparse rows become numbers."""
    places = [k for x in X for k, _ in row_items(x)]
    moved = set(scaling.columns_of_zeros_moved())
    more = len(X) * len(moved) - len([k for k in places if k in moved])
    cure = "zeros stay zeros where the range begins at the least value, as by --lower 0"
    watch_numbers(given, len(places) + more, len(places), cure)


def _write_prepared(given):
    """Write the rows of a table as a model prepares them, for a program that does not.

    All names but .csv and .tsv mean LIBSVM's text here. In it labels that are texts are numbers
    from 1, as in the header of the model. Rows without a label are there to be predicted.
    """
    model, columns, *_ = read_model_file(given.restore)
    if columns is None or columns.prepared is None:
        raise Refusal(
            f"{given.restore} is a model that prepares no rows; --restore takes a file of ranges,"
            " or a model that was trained on a table, and not --as-is"
        )
    data = read_for(given, columns=columns, answers=None, every=True)
    form, y = format_of(given.output), data.y
    if form == "libsvm":
        y = _numbers_of(y or [None] * len(data.X), model)
    d, names = len(data.X[0]), data.preparation.names
    written = TableColumns(names, d, columns.label, d + 1 if y else None)
    write_data(given.output, data.X, y, format=form, columns=written)
    return 0


def _numbers_of(y, model):
    """Return labels as LIBSVM's text has them: numbers, and 0 where a label is missing."""
    lacking = y.count(None)
    if lacking:
        say(f"{plural(lacking, 'row')} without a label: written with 0, for LIBSVM needs one")
    classes = model.classes if answers_of(model) == "classes" else ()
    if any(isinstance(label, str) for label in classes):
        numbers = {str(label): k for k, label in enumerate(classes, 1)}
    else:
        numbers = {str(label): label for label in y if not isinstance(label, str)}
    unknown = [i for i, label in enumerate(y) if label is not None and str(label) not in numbers]
    if unknown:
        raise Refusal(
            f"the label of row {unknown[0] + 1} is {quote(y[unknown[0]])}, for which the model has"
            " no number",
            "--drop",
            say="if labels are not known, leave their column out by",
        )
    return [0 if label is None else numbers[str(label)] for label in y]


def _format_to_write(given, data):
    """Return the format of the output by its name, otherwise that of the data."""
    told = format_of(given.output)
    if told != "libsvm" or data.columns is None:
        return told
    return given.format or format_of(given.data)
