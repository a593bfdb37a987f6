"""Subjects by their names: what module:Name or file.py:Name is, and which machine a subject is.

A file is imported by its name, as a module of its folder, so that another process can import it,
too. Where that name means another module already, it gets one of its own, and is asked in a fork.
Any other word is a command line.

Which machine it is, beside C-SVC, is shown by its name, its parents' names, its constructor:

    an answer, a file    its problem says
    an estimator         the first of its own and its parents' names that is one of a machine, as
                         SVR; or else what its constructor takes: nu, epsilon, C, and what it says
                         of itself
    a function           its own name, such as nu_svr or one_class; a command line says nothing
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isclass
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

from ...files import no_name_of_file
from ...numerics.quoting import quote
from ..protocol.forms import CLASSIFIERS, FORMS, Form, form_named
from ..protocol.plain_values import RAISED, one_line, sentence_of, text_of
from . import ProblemFunction, Subject
from .estimator_adapter import Estimator

LONGEST_IMPORT = 120.0  # seconds
PYTHON_NAME = re.compile(r"\w+(\.\w+)*:\w+(\.\w+)*")
BY_NAME = {name: form for form in FORMS.values() for name in form.estimators}
FILE_NAME = re.compile(r"(.*\.py):(\w+(?:\.\w+)*)")


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError after so many seconds, where there are signals, in the main thread."""

    def stop(*given: Any) -> None:
        raise TimeoutError(f"it takes longer than {seconds:g} s")

    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def import_subject(word: str) -> Any:
    """Return what module:Name or file.py:Name stands for; another word is a command line.

    >>> import_subject("math:inf"), import_subject("./train")
    (inf, './train')
    """
    in_file = FILE_NAME.fullmatch(word)
    if in_file is None and not PYTHON_NAME.fullmatch(word):
        return word
    why = no_name_of_file(word)
    if why:
        raise ValueError(f"subject is {quote(word)}; {why}")
    module, _, name = word.rpartition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        with _time_limit(LONGEST_IMPORT):
            value = import_module(module) if in_file is None else _import_file(Path(module))
            for part in name.split("."):
                value = getattr(value, part)
    except RAISED as error:  # whatever a module does when it is imported
        known = isinstance(error, (ImportError, AttributeError, TimeoutError))
        words = text_of(error) if known else sentence_of(error)
        raise ValueError(f"{word} cannot be imported: {one_line(words)}") from None
    return value


def _import_file(path: Path) -> Any:
    """Return the module that a file is; ImportError if there is no such file."""
    path, folder = path.resolve(), str(path.resolve().parent)
    if not path.is_file():
        raise ImportError(f"there is no file {path.name} in {folder}")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    known = sys.modules.get(path.stem)
    if path.stem.isidentifier() and (known is None or _is_of_file(known, path)):
        module = import_module(path.stem)
        if _is_of_file(module, path):
            return module
    spec = spec_from_file_location(f"file {path}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _is_of_file(module: Any, path: Path) -> bool:
    """Return whether a module was read from this file."""
    return Path(getattr(module, "__file__", None) or ".").resolve() == path


# ---- which machine it is


def form_of_subject(subject: Subject, told: str | None = None) -> Form | None:
    """Return the Form of a machine, as it is told or as the subject shows it; None of C-SVC.

    >>> from refsvm.estimators.svr import SVR
    >>> form_of_subject(Estimator(SVR)).name
    'epsilon_svr'
    """
    if told is not None:
        return form_named(told)
    if isinstance(subject, ProblemFunction):
        return form_by_name(subject.name.rpartition(":")[2].rpartition(".")[2])
    if not isinstance(subject, Estimator):
        return None
    cls = subject.subject if isclass(subject.subject) else type(subject.subject)
    for parent in cls.__mro__[:-1]:
        name = simplified(parent.__name__)
        if name in BY_NAME or name in CLASSIFIERS:
            return BY_NAME.get(name)
    return _form_by_constructor(cls, subject.accepted)


def form_by_name(name: str) -> Form | None:
    """Return the Form that a name means; None if it means none."""
    return FORMS.get(name) or BY_NAME.get(simplified(name))


def simplified(name: str) -> str:
    """Return a name in small letters, without what divides words.

    >>> simplified("One_ClassSVM")
    'oneclasssvm'
    """
    return name.lower().replace("_", "")


def _form_by_constructor(cls: type, accepted: set[str]) -> Form | None:
    """Return the Form whose parameters a constructor takes; None if they are those of C-SVC."""
    kind = kind_of(cls)
    if kind == "regressor" and "nu" in accepted:
        return FORMS["nu_svr"]
    if kind == "regressor" and "epsilon" in accepted:
        return FORMS["epsilon_svr"]
    if kind == "outlier_detector" and "nu" in accepted:
        return FORMS["one_class"]
    if kind == "classifier" and "nu" in accepted and "C" not in accepted:
        return FORMS["nu_svc"]
    return None


def kind_of(cls: type) -> Any:
    """Return what an estimator says it is, in scikit-learn's words; None if it does not."""
    with suppress(*RAISED):
        return getattr(cls, "_estimator_type", None) or cls().__sklearn_tags__().estimator_type
    return None
