"""The problem, its optimality conditions, the offset, and the model that training leaves."""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _FormerModule(ModuleType):
    """A module that is gone, but that pickles name: its classes are looked up where they are."""

    def __init__(self, name: str, now: str) -> None:
        super().__init__(name)
        self.now = now

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what Python asks of every module
            raise AttributeError(name)
        return getattr(import_module(self.now), name)


# Pickles of 0.2 name these modules; each model stands in the file of its machine now.
for _machine in ("ball", "one_class", "regression"):
    _former = f"{__name__}.{_machine}_model"
    sys.modules[_former] = _FormerModule(_former, f"{__name__}.{_machine}_problem")
