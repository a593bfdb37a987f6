"""export MODEL [-o OUT.c]: a model as one C file that needs no library."""

from ..c99.exporting import export
from ..files.models import read_model
from .arguments import model_file, target
from .console import say_written

EXAMPLE = """\
  python3 -m refsvm export wdbc.model -o wdbc.c
  cc -std=c99 -ffp-contract=off -c wdbc.c"""


def arguments(parser):
    model_file(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT.c",
        type=target,
        default="-",
        help="the file to write (default: -, which is standard output)",
    )
    parser.add_argument(
        "--name", default="svm", help="what the names of the C functions begin with (default: svm)"
    )
    parser.add_argument(
        "--features",
        type=int,
        metavar="N",
        help="how many features a row has (default: the largest index in the model)",
    )


def run(given):
    export(read_model(given.model, given.features), given.output, given.name)
    say_written(given.output)
    return 0
