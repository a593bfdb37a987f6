"""scale DATA [-o OUT]: bring every feature to the same range, as svm-scale does."""

from ..files.data import read_data, write_data
from ..files.scaling import Scaling, read_scaling, write_scaling
from .arguments import Refusal, data_file, source, target

EXAMPLE = """\
  python3 -m refsvm scale refsvm/data/wdbc.libsvm -o wdbc.scaled --save wdbc.ranges
  python3 -m refsvm scale new.libsvm -o new.scaled --restore wdbc.ranges"""


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
    X, y = read_data(given.data)
    if given.restore:
        scaling = read_scaling(given.restore)
    else:
        lower = -1.0 if given.lower is None else given.lower
        scaling = Scaling.fit(X, lower, 1.0 if given.upper is None else given.upper)
    write_data(given.output, scaling.apply(X), y)
    if given.save:
        write_scaling(given.save, scaling)
    return 0
