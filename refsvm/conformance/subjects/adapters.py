"""An adapter for a class of somebody's own: a function of a Problem, filled in from its signature.

    role    what a parameter is, by its name: the penalty, lambda, a kernel, gamma, the rows ..

The text runs as it stands, and says Unsupported of what the constructor has no word for. It is a
beginning: names are only names, and its comments say what to check. Each way to call the decision
is tried on four points, and the first that works is printed.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import redirect_stdout, suppress
from inspect import Parameter, getsource, isclass, signature
from keyword import iskeyword
from typing import Any, NamedTuple

from ..protocol.forms import Form
from . import adapter_words as words
from . import as_subject
from .adapter_words import Lines
from .named_subjects import form_of_subject, import_subject

LONGEST_CALL = 70  # letters of arguments on one line


class OwnCode(NamedTuple):
    """What is known of a class or a function before it is called."""

    word: str  # as it was named
    target: Any
    source: str  # its own text, "" if it has none
    roles: dict[str, str]  # {role: the constructor's parameter}
    needed: list[str]  # parameters of no known role that have no default
    uses_numpy: bool
    form: Form | None = None  # which machine it is; None: C-SVC

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.word.rpartition(":")[2]

    @property
    def needs_nu_of(self) -> bool:
        """Whether nu is to be found from C."""
        return "nu" in self.roles and self.form is None

    @property
    def has_kernel(self) -> bool:
        """Whether a kernel can be chosen."""
        return "kernel" in self.roles


def adapter_for(word: str, form: str | None = None) -> str:
    """Return the text of an adapter for module:Name or file.py:Name, a class or a function.

    form: the machine, by its name; None: as the subject shows it (form_of_subject.py).

    Raises
    ------
    ValueError
        for a word that names neither

    Examples
    --------
    >>> text = adapter_for("refsvm:SVC")
    >>> [line.strip() for line in text.splitlines() if "C[0]," in line or ".fit" in line]
    ['C=problem.C[0],', 'machine.fit(X=X, y=y)']
    """
    with redirect_stdout(sys.stderr):  # whatever the file prints
        target = import_subject(word)
        if isinstance(target, str) or not callable(target):
            raise ValueError(f"{word} is no class and no function; --adapter needs module:Name")
        known = form_of_subject(as_subject(target), form)
        machine = _of_form(machine_of(word, target), known)
        ways = words.ways_to_decide(target, machine.source, machine.uses_numpy, known)
        texts = [_text_with(machine, decide) for decide in ways]
        for is_strict in (True, False):
            for text in texts:
                if words.works(text, is_strict, known):
                    return text
    warning = "# On four points this did not run: mend what it does before you audit it.\n"
    return warning + texts[0]


def machine_of(word: str, target: Any) -> OwnCode:
    """Return what the signature and the text of a class say."""
    source = ""
    with suppress(OSError, TypeError):
        source = getsource(target)
    roles, needed = _roles_of(target)
    module = sys.modules.get(getattr(target, "__module__", None) or "")
    known = vars(module).values() if module else ()
    numpy = any(getattr(value, "__name__", None) == "numpy" for value in known)
    return OwnCode(word, target, source, roles, needed, numpy or not source)


def _of_form(machine: OwnCode, form: Form | None) -> OwnCode:
    """Return what is known, with the machine that it is: epsilon is a tolerance, or a width."""
    roles = dict(machine.roles)
    if form is not None and form.parameter == "epsilon":
        names = {p.name.strip("_").lower(): p.name for p in parameters(machine.target)}
        width = next((names[name] for name in words.WIDTHS if name in names), None)
        if width is not None:
            more = {"tol": names["tol"]} if "tol" in names else {}
            roles = {**{r: n for r, n in roles.items() if n != width}, **more, "epsilon": width}
    needed = [name for name in machine.needed if name not in roles.values()]
    return machine._replace(form=form, roles=roles, needed=needed)


def _roles_of(target: Any) -> tuple[dict[str, str], list[str]]:
    """Return {role: parameter}, and the parameters of no role that must be given."""
    roles: dict[str, str] = {}
    needed = []
    for parameter in parameters(target):
        role = _role_of(parameter)
        if role is not None and role not in roles:
            roles[role] = parameter.name
        elif parameter.default is Parameter.empty:
            needed.append(parameter.name)
    if {"C", "c"} <= {parameter.name for parameter in parameters(target)}:
        roles.update(C="C", coef0="c")  # the constant of a polynomial
    return roles, needed


def parameters(target: Any) -> list[Parameter]:
    """Return the parameters, without *args and **kwargs; none of what has no signature."""
    several = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    with suppress(ValueError, TypeError):
        return [p for p in signature(target).parameters.values() if p.kind not in several]
    return []


def _role_of(parameter: Parameter) -> str | None:
    """Return the role that a parameter's name stands for, if it stands for one."""
    name = parameter.name.strip("_")
    for role, names in words.ROLES.items():
        if name in names or (len(name) > 1 and name.lower() in names):
            weight = parameter.default
            if role == "C" and isinstance(weight, float) and 0 < weight < 0.5:
                return "lambda" if name.lower().startswith("reg") else role
            return role
    return None


# ---- the parts of the text


def _text_with(machine: OwnCode, decide: Lines) -> str:
    """Return the adapter whose last lines decide."""
    before, given = arguments_of(machine)
    arguments = [f"{name}={value}" for name, value in given.items()]
    called = ", ".join(arguments)
    if len(called) > LONGEST_CALL:
        called = "".join(f"\n        {argument}," for argument in arguments) + "\n    "
    body = [
        *refusals(machine),
        *_data_lines(machine),
        *before,
        f"machine = {machine.name}({called})",
        *fitting(machine),
        *decide,
    ]
    helpers = [words.VALUES_OF_ARRAYS if machine.uses_numpy else words.VALUES_OF_LISTS]
    helpers = (helpers if _takes_function(machine) else []) + [words.NU_OF] * machine.needs_nu_of
    return words.TEMPLATE.format(
        word=machine.word,
        name=machine.name,
        type="" if machine.form is None else f" --type {machine.form.name}",
        problem="Problem" if machine.form is None else machine.form.problem.__name__,
        imports=_import_lines(machine),
        helpers="".join(helpers),
        body="\n".join(f"    {line}" for line in body),
    )


def _import_lines(machine: OwnCode) -> str:
    """Return the lines that import what is adapted, and what it needs."""
    place, _, name = machine.word.rpartition(":")
    lines = ["import numpy as np"] if machine.uses_numpy else []
    if place.endswith(".py"):
        folder, file = os.path.split(os.path.abspath(place))
        if folder != os.getcwd():
            lines += ["import sys", "", f"sys.path.insert(0, {folder!r})"]
        place = file[: -len(".py")]
    needed = [] if _takes_function(machine) else ["Linear"]
    if machine.has_kernel and not _takes_function(machine):
        needed = sorted({"Linear", *_named_kernels(machine)})
    needed += ["smo"] * machine.needs_nu_of
    lines += _lines_that_import(place, name.partition(".")[0])
    return "\n".join(lines + ([f"from refsvm import {', '.join(needed)}"] if needed else []))


def _lines_that_import(module: str, name: str) -> Lines:
    """Return the lines that import a name; a module may be called what no statement can say.

    >>> _lines_that_import("my-svm", "Mine")
    ['from importlib import import_module', '', "Mine = import_module('my-svm').Mine"]
    """
    parts = module.split(".")
    if module.isascii() and all(p.isidentifier() and not iskeyword(p) for p in parts):
        return [f"from {module} import {name}"]
    imported = f"{name} = import_module({module!r}).{name}"
    return ["from importlib import import_module", "", imported]


def _takes_function(machine: OwnCode) -> bool:
    """Return whether its kernel is a function: the default is one, or no name is in its text."""
    if not machine.has_kernel:
        return False
    name = machine.roles["kernel"]
    default = next(p.default for p in parameters(machine.target) if p.name == name)
    if default is Parameter.empty or default is None:
        return bool(machine.source) and not _named_kernels(machine)
    return callable(default)


def _named_kernels(machine: OwnCode) -> dict[str, str]:
    """Return {class of a kernel: the name that the text has for it}."""
    found = {}
    for kernel, names in words.NAMED_KERNELS.items():
        in_text = [n for n in names if re.search(rf"['\"]{n}['\"]", machine.source)]
        if in_text or not machine.source:
            found[kernel] = (in_text or list(names))[0]
    return found


def refusals(machine: OwnCode) -> Lines:
    """Return the lines that say what the constructor has no word for."""
    refused = [
        ("len(set(problem.C)) > 1", "penalties that differ"),
        ('problem.C[0] == float("inf")', "a hard margin"),
        ('problem.slack != "hinge"', "squared slacks"),
        ("not problem.bias", "no offset"),
    ]
    if machine.form is not None:
        refused = [("set(problem.example_weights) != {1.0}", "weights that differ")]
        for name in _own_numbers(machine.form):
            if not {name, "lambda" if name == "C" else name} & set(machine.roles):
                refused.append((f"problem.{name} != {words.USUAL[name]}", f"another {name}"))
    elif not {"C", "lambda", "nu"} & set(machine.roles):
        refused[0] = ("set(problem.C) != {1.0}", "another penalty than 1")
    if not machine.has_kernel:
        refused.append(("type(problem.kernel) is not Linear", "another kernel than the linear"))
    elif _takes_function(machine):
        refused.append(("not problem.kernel.has_rows", "a Gram matrix"))
    return [
        line
        for test, what in refused
        for line in (f"if {test}:", f'    raise Unsupported("{what}")')
    ]


def arguments_of(machine: OwnCode) -> tuple[Lines, dict[str, str]]:
    """Return the lines before the call, and the arguments {parameter: value}."""
    lines: Lines = []
    given: dict[str, str] = {}
    required = [p.name for p in parameters(machine.target) if p.default is Parameter.empty]
    conversions = _conversions_for(machine.form)
    for role, name in machine.roles.items():
        if role in conversions:
            given[name] = conversions[role]
        elif role in words.IF_NEEDED and name in required:
            given[name] = words.IF_NEEDED[role]
    if "lambda" in machine.roles and "lambda" in conversions:
        lines.append("# this lambda weighs 1/2 |w|^2 against the mean of the slacks;")
        lines.append("# one of |w|^2, without 1/2, is half of it; one against their sum, n times")
    if machine.has_kernel:
        lines += _kernel_lines(machine, given)
    given.update({name: "None" for name in machine.needed})
    if machine.needed:
        lines.append(f"# to be filled in: {', '.join(machine.needed)}")
    return lines, given


def _own_numbers(form: Form) -> list[str]:
    """Return the names of the numbers of a machine beside those of its kernel."""
    return ["C"] * form.has_C + ([] if form.parameter is None else [form.parameter])


def _conversions_for(form: Form | None) -> dict[str, str]:
    """Return {role: the value that it has of a problem}."""
    if form is None:
        return words.CONVERSIONS
    kept = {role: words.CONVERSIONS[role] for role in ("rows", "labels", "tol", "seed")}
    if not form.is_labelled:
        del kept["labels"]
    if form.has_C:
        kept["lambda"] = "1 / (problem.n * problem.C)"
    return {**kept, **{name: f"problem.{name}" for name in _own_numbers(form)}}


def _kernel_lines(machine: OwnCode, given: dict[str, str]) -> Lines:
    """Return the lines that make the kernel's arguments, and add these."""
    roles, name = machine.roles, machine.roles["kernel"]
    if _takes_function(machine):
        given[name] = "values_of(problem.kernel)"
        return []
    names = _named_kernels(machine)
    if not {"gamma", "sigma"} & set(roles):
        names.pop("Gaussian", None)  # its width cannot be told
    pairs = ", ".join(f'{kernel}: "{word}"' for kernel, word in names.items())
    lines = [
        f"names = {{{pairs}}}",
        "if type(problem.kernel) not in names:",
        '    raise Unsupported(f"the kernel {type(problem.kernel).__name__}")',
    ]
    given[name] = "names[type(problem.kernel)]"
    for role, usual in (("degree", 3), ("gamma", 1), ("coef0", 1)):
        if role not in roles and "Polynomial" in names:
            lines += [
                f"if type(problem.kernel) is Polynomial and problem.kernel.{role} != {usual}:",
                f'    raise Unsupported("polynomials whose {role} is not {usual}")',
            ]
    given.update({roles[r]: text for r, text in words.KERNEL_PARAMETERS.items() if r in roles})
    return lines


def _data_lines(machine: OwnCode) -> Lines:
    """Return the lines that make X and y."""
    form = machine.form
    if form is not None and not form.is_labelled:
        return ["X = np.array(problem.X)" if machine.uses_numpy else "X = problem.X"]
    note = "# the labels are -1 and +1; for 0 and 1 write [(v + 1) // 2 for v in problem.y]"
    lines = [note] if form is None or form.answers == "classes" else []
    lines.append("X, y = problem.X, problem.y")
    return lines + (["X, y = np.array(X), np.array(y)"] if machine.uses_numpy else [])


def fitting(machine: OwnCode) -> Lines:
    """Return the line that trains, if the constructor does not."""
    if not isclass(machine.target):
        return []
    name = next((name for name in words.FITTING if hasattr(machine.target, name)), None)
    if name is None:
        return []
    given: Lines = []
    conversions = _conversions_for(machine.form)
    data = "Xy" if "labels" in conversions else "X"
    for parameter in parameters(getattr(machine.target, name))[1:]:  # without self
        needed = parameter.default is Parameter.empty
        role = _role_of(parameter) or ""
        value = conversions.get(role, words.IF_NEEDED.get(role) if needed else None)
        if value is None and needed and len(given) < len(data):
            value = data[len(given)]  # whatever they are called
        if value is not None:
            given.append(f"{parameter.name}={value}")
    return [f"machine.{name}({', '.join(given)})"]
