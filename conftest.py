"""Where scikit-learn is missing, what needs it is not read."""

from glob import glob
from importlib.util import find_spec

collect_ignore = [] if find_spec("sklearn") else ["refsvm/sklearn", *glob("tests/sklearn_*.py")]
