"""export MODEL [-o OUT.c]: a model as one C file that needs no library."""

from ..c99.exporting import c_text
from ..files.models import read_model_file
from ..files.outputs import writing
from .arguments import large_option, model_file, target
from .console import say_written
from .costs import watch_weights

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
    large_option(parser)


def run(given):
    model, columns, *_ = read_model_file(given.model, given.features)
    watch_weights(given, model)
    features = given.features or (columns.features if columns else None)
    text = c_text(model, given.name, features, columns)
    with writing(given.output) as out:
        out.write(text)
    say_written(given.output)
    return 0
