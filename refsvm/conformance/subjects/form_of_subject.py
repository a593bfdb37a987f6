"""Which machine a subject is, beside C-SVC: by its name, its parents' names, its constructor.

an answer, a file    its problem says
an estimator         the first of its own and its parents' names that is one of a machine, as
                     SVR; or else what its constructor takes: nu, epsilon, C, and what it says
                     of itself
a function           its own name, such as nu_svr or one_class; a command line says nothing
"""

from __future__ import annotations

from contextlib import suppress
from inspect import isclass
from typing import Any

from ..protocol.forms import CLASSIFIERS, FORMS, Form, form_named
from . import ProblemFunction, Subject
from .estimator_adapter import Estimator

BY_NAME = {name: form for form in FORMS.values() for name in form.estimators}


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
    with suppress(Exception):
        return getattr(cls, "_estimator_type", None) or cls().__sklearn_tags__().estimator_type
    return None
