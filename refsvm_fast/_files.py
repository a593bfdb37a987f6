"""The oracle's files, read into the classes of this package."""

import refsvm

from ._models import OneAgainstOne
from ._public import namesake


@namesake(refsvm.read_model)
def read_model(path, features=None):
    model = refsvm.read_model(path, features)
    if type(model) is not refsvm.OneAgainstOne:
        return model
    found = OneAgainstOne(*model)
    if model.svm_type is not None:
        found.svm_type = model.svm_type
    return found
