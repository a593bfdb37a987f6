"""scale DATA [-o OUT]: bring every feature to the same range, as svm-scale does."""

from ..files.scaling import Scaling, read_scaling_and_columns, write_scaling
from ..tables.data import format_of, write_data
from .arguments import Refusal, data_file, source, target
from .reading import read_for

EXAMPLE = """\
  python3 -m refsvm scale refsvm/data/wdbc.libsvm -o wdbc.scaled --save wdbc.ranges
  python3 -m refsvm scale new.libsvm -o new.scaled --restore wdbc.ranges
  python3 -m refsvm scale iris.csv --label species -o iris.scaled.csv --save iris.ranges"""


def arguments(parser):
    data_file(parser)
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
        help="use the ranges in this file: for rows to predict",
    )


def run(given):
    if given.restore and (given.lower is not None or given.upper is not None):
        raise Refusal("--restore takes the range from its file; leave out --lower and --upper")
    scaling, columns = read_scaling_and_columns(given.restore) if given.restore else (None, None)
    data = read_for(given, columns=columns, answers=None)
    if scaling is None:
        lower = -1.0 if given.lower is None else given.lower
        scaling = Scaling.fit(data.X, lower, 1.0 if given.upper is None else given.upper)
    scaled = scaling.apply(data.X)
    write_data(
        given.output, scaled, data.y, format=_format_to_write(given, data), columns=data.columns
    )
    if given.save:
        write_scaling(given.save, scaling, data.columns)
    return 0


def _format_to_write(given, data):
    """Return the format that the name of the output tells, or else that of the data."""
    told = format_of(given.output)
    if told != "libsvm" or data.columns is None:
        return told
    return given.format or format_of(given.data)
