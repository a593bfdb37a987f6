"""The oracle's files, read into the classes of this package."""

import refsvm

from ._models import OneAgainstOne
from ._public import namesake


@namesake(refsvm.read_model)
def read_model(path, features=None):
    model = refsvm.read_model(path, features)
    return OneAgainstOne(*model) if type(model) is refsvm.OneAgainstOne else model
