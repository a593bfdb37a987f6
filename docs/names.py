"""The pages of public names: one for each, in parts, as spec/README.md and spec/formulas.md list.

A page shows the docstring, with an example. What is only returned, and has none of its own, shows
the example of a function that returns it. The classes of refsvm.sklearn need scikit-learn, so they
are on no list; they have pages, too.
"""

import ast
import inspect
import re
from functools import cache

from tests.references import slug
from tests.test_spec import ROOT
from tests.test_spec import found as look_up

LISTS = ["spec/README.md", "spec/formulas.md"]
LISTED = re.compile(r"^- `([\w.]+)\(", re.MULTILINE)
SKLEARN = ("SVC", "LinearSVC", "NuSVC", "SVR", "LinearSVR", "NuSVR", "OneClassSVM", "SVDD")
VALUES = ("SVR", "LinearSVR", "NuSVR")  # what they predict are decision values
FOLDER, INDEX, ADAPTER = "names", "names/index.rst", "names/scikit-learn.rst"
MEMBERS = "   :members:"
found = cache(look_up)  # each name is asked for many times


def text_of(file):
    """The text of a file of the project."""
    return (ROOT / file).read_text("utf-8")


def parts():
    """Title and listed names of each part of the lists that has some."""
    pieces = (re.split(r"^#+ ", text_of(file), flags=re.MULTILINE) for file in LISTS)
    for piece in (piece for of_file in pieces for piece in of_file):
        names = LISTED.findall(piece)
        if names:
            yield piece.partition("\n")[0], names


def name_pages():
    """The text of each page by its file, and the files of the parts, in order."""
    shown = {title: methods_of(names) for title, names in parts()}
    files = files_of([name for names in shown.values() for name in names])
    examples = {name: example_of(name) for names in shown.values() for name in names}
    written, of_parts = {}, []
    for title, names in shown.items():
        of_parts.append(f"{FOLDER}/{slug(title)}.rst")
        for name, methods in names.items():
            lines = [*directive(name, methods), *example_from_elsewhere(name, examples, files)]
            written[f"{FOLDER}/{files[name]}.rst"] = name_page(name, title, lines)
        rows = [(name, files[name], first_line(name)) for name in names]
        written[of_parts[-1]] = page(title, contents(rows))
    of_parts.append(ADAPTER)
    for name in SKLEARN:
        lines = [f".. autoclass:: refsvm.sklearn.{name}", f"{MEMBERS} fit, predict"]
        lines[1] += "" if name in VALUES else ", decision_function"
        text = name_page(f"sklearn.{name}", "With scikit-learn", lines, ADAPTER)
        written[f"{FOLDER}/sklearn.{name}.rst"] = text
    rows = [
        (f"sklearn.{name}", f"sklearn.{name}", "as scikit-learn's own kind") for name in SKLEARN
    ]
    written[ADAPTER] = page("With scikit-learn", [*contents(rows), "", *differences()])
    return written, of_parts


def differences():
    """What the head of refsvm.sklearn says is other than in scikit-learn, as it stands there."""
    text = ast.get_docstring(ast.parse(text_of("refsvm/sklearn/__init__.py")))
    yield ".. code-block:: text"
    yield ""
    yield from ("   " + line for line in text[text.index("What is other") :].splitlines())


def files_of(names):
    """{name: the name of its page}: also where a file system takes Check and check for one."""
    files = {}
    for name in sorted(names, key=str.swapcase):  # check before Check
        known = {file.lower() for file in files.values()}
        files[name] = f"{name}-class" if name.lower() in known else name
    return files


def methods_of(names):
    """{name: its listed methods}, of names in which methods stand beside their classes."""
    methods = {}
    for name in names:
        owner, _ = found(name)
        if inspect.isclass(owner):
            methods.setdefault(name.rpartition(".")[0], []).append(name.rpartition(".")[2])
        else:
            methods.setdefault(name, [])
    return methods


def directive(name, methods):
    """What makes Sphinx show a name: a class with those of its methods that are listed."""
    kind = "class" if inspect.isclass(found(name)[1]) else "function"
    yield f".. auto{kind}:: refsvm.{name}"
    if kind == "class" and methods:
        yield f"{MEMBERS} {', '.join(methods)}"


def example_of(name):
    """The lines of the example in the docstring of a name; none if there is none."""
    text = inspect.getdoc(found(name)[1]) or ""
    start = text.find(">>> ")
    return text[start:].partition("\n\n")[0].splitlines() if start >= 0 else []


def example_from_elsewhere(name, examples, files):
    """Of a name without an example: that of a function which returns one, or has it in its own."""
    if examples[name]:
        return []
    value, word = found(name)[1], re.compile(rf"\b{re.escape(name.rpartition('.')[2])}\b")
    near = [(o, lines) for o, lines in examples.items() if lines and o != name]
    beside = [(o, lines) for o, lines in near if found(o)[1].__module__ == value.__module__]
    shown = [each for each in near if word.search(returned(found(each[0])[1]))]
    shown += [each for each in beside if word.search("\n".join(each[1]))]
    shown += [each for each in near if word.search(taken(found(each[0])[1]))]
    if not shown:
        return []
    other, lines = shown[0]
    code = ["", "   .. rubric:: Example", "", f"   From :doc:`{other} <{files[other]}>`:", ""]
    return [*code, *(f"      {line}" for line in lines)]


def taken(thing):
    """What a function says that it takes, a function that is called with each step included."""
    return str(getattr(thing, "__annotations__", {}))


def returned(thing):
    """What a function says that it returns."""
    return str(getattr(thing, "__annotations__", {}).get("return", ""))


def first_line(name):
    """What the docstring of a name says first."""
    return (inspect.getdoc(found(name)[1]) or "").partition("\n\n")[0].replace("\n", " ")


def contents(rows):
    """A list of pages of names, each with its first line."""
    for name, file, line in rows:
        yield f":doc:`{name} <{file}>`"
        yield "   " + re.sub(r"([\\*|`]|_(?!\w))", r"\\\1", line)


def name_page(name, title, lines, part=None):
    """The page of a name, which says where it stands."""
    at = (part or f"{FOLDER}/{slug(title)}.rst").removeprefix(f"{FOLDER}/").removesuffix(".rst")
    way = f":doc:`API <index>` / :doc:`{title} <{at}>`"
    return ":orphan:\n\n" + page(name, [way, "", *lines])


def page(title, lines):
    """A page of reStructuredText."""
    return "\n".join([title, "=" * len(title), "", *lines]) + "\n"
