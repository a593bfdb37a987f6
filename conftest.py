"""Where scikit-learn is missing, what needs it is not read."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("sklearn") else ["refsvm/sklearn", "tests/sklearn_own_tests.py"]
