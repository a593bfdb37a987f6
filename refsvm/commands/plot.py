"""plot DATA [MODEL] -o PICTURE.svg: draw a machine with two features."""

import os

from ..files.outputs import writing
from ..kernels.standard import Precomputed
from ..plotting.drawing import draw
from ..plotting.scenes import scene_of
from .arguments import Refusal, data_file, model_file, picture_file
from .console import plural, progress, say, say_written
from .engine import announce
from .machine_options import machine_options
from .reading import feature_names, feature_places, features_chosen, read_for, read_with_model
from .training import accept, machine, train

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
        type=str,
        metavar="FEATURE",
        help="two features of a file with more: numbers from 1, or names of a table; without a"
        " MODEL only",
    )
    parser.add_argument("--title", help="written above (default: the name of the file)")
    machine_options(parser)


def run(given):
    if given.kernel == "precomputed":
        raise Refusal("a file of kernel values has no features; --kernel must be another")
    model, data = read_to_draw(given)
    X, y = features_chosen(given.features, data), data.y
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
    names = feature_names(data, feature_places(given.features, data))
    with progress("drawing"):
        text = draw(scene, X, y, title, names)
    with writing(given.output) as out:
        out.write(text)
    say(scene.about)
    say_written(given.output)
    return 0


def read_to_draw(given):
    """Read the files MODEL and DATA; return (model, data), with None where no model is named."""
    if not given.model:
        return None, read_for(given)
    if given.features:
        raise Refusal("--features is for training; the model of a file has its own features")
    model, data = read_with_model(given)
    if isinstance(model.kernel, Precomputed):
        raise ValueError(f"{given.model} has kernel values and no features; it cannot be drawn")
    return model, data
