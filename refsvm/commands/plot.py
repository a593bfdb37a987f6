"""plot DATA [MODEL] -o PICTURE.svg: draw a machine with two features."""

import os

from ..files.models import same_width
from ..files.outputs import writing
from ..kernels.standard import Precomputed
from ..plotting.drawing import draw
from ..plotting.scenes import scene_of
from .arguments import Refusal, data_file, machine_options, model_file, picture_file
from .console import plural, progress, say, say_written
from .engine import announce, library
from .training import accept, machine, read_for, train

EXAMPLE = """\
  python3 -m refsvm plot wdbc.scaled --features 22 23 --C 10 -o wdbc.svg
  python3 -m refsvm plot two_features.libsvm two_features.model -o two_features.svg"""


def arguments(parser):
    data_file(parser)
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
        nargs=2,
        type=int,
        metavar="INDEX",
        help="two features of a file with more, counted from 1; without a MODEL only",
    )
    parser.add_argument("--title", help="written above (default: the name of the file)")
    machine_options(parser)


def run(given):
    if given.kernel == "precomputed":
        raise Refusal("a file of kernel values has no features; --kernel must be another")
    X, y = read_for(None, given.data)
    shown = given.features or [1, 2]
    if given.model:
        model, X = same_width(model_of(given), X)
    else:
        model, X = None, columns(X, given.features)
    if len(X[0]) != 2:
        raise ValueError(
            f"{given.data} has {plural(len(X[0]), 'feature')}; a picture shows two, see --features"
        )
    accepted = accept(machine(given), X, y) if model is None else None
    announce(given)
    if accepted:
        model, _ = train(accepted)
    scene = scene_of(model, C=None if given.model else given.C)
    title = given.title or os.path.basename(given.data)
    with progress("drawing"):
        text = draw(scene, X, y, title, [f"feature {k}" for k in shown])
    with writing(given.output) as out:
        out.write(text)
    say(scene.about)
    say_written(given.output)
    return 0


def model_of(given):
    """Read the model of the file MODEL."""
    if given.features:
        raise Refusal("--features is for training; the model of a file has its own features")
    model = library(given).read_model(given.model)
    if isinstance(model.kernel, Precomputed):
        raise ValueError(f"{given.model} has kernel values and no features; it cannot be drawn")
    return model


def columns(X, features):
    """Return two columns of X, counted from 1; all of X if none are named."""
    if not features:
        return X
    for k in features:
        if not 1 <= k <= len(X[0]):
            raise ValueError(f"--features is {k}; it must be from 1 to {len(X[0])}")
    return [[x[k - 1] for k in features] for x in X]
