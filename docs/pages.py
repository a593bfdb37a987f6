"""Gathers the pages of the site: texts as they stand, and a page for each list of public names."""

import inspect
import re
import shutil
from functools import cache
from pathlib import Path
from posixpath import relpath

from docs.formulas import with_formulas
from docs.notebooks import write_notebooks
from tests.references import pages, slug
from tests.test_spec import found

ROOT = Path(__file__).resolve().parent.parent
LISTS = ["spec/README.md", "spec/formulas.md"]
SKLEARN = ("SVC", "LinearSVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM", "SVDD")
VALUES = ("SVR", "NuSVR")  # what they predict are decision values
ADAPTER = "names/scikit-learn.rst"  # its class needs scikit-learn, so it is on no list
LISTED = re.compile(r"^- `([\w.]+)\(", re.MULTILINE)
PLAY = "refsvm play"  # the command, and the page that is on the site
MEMBERS = "   :members:"
LINK = re.compile(r"(?<=\]\()[^)#\s]+(#[^)\s]+)?|(?<=\]: )[^#\s]+(#\S+)?")
TEST = re.compile(r"tests/test_\w+\.py")
PROJECT = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "tests/bench/README.md"]
PROJECT += ["refsvm/data/SOURCES.md"]


def gather(folder, with_play=False):
    """Write every page below the folder, in which nothing older is left.

    with_play: the page of play is on the site, and the first page links to it.
    """
    shutil.rmtree(folder, ignore_errors=True)
    names = [f"spec/{each.file}" for each in pages().values()]
    course = [name for name in names if name.startswith("spec/course/")]
    standard = [name for name in names if name.startswith("spec/standard/")]
    notes = [name for name in names if "errata" in name or "concordance" in name]
    beside = [name for name in names if name not in (*course, *standard, *notes)]
    for name in ["README.md", *names, *PROJECT]:
        text = with_links((ROOT / name).read_text("utf-8"), name, folder)
        write(folder / page_of(name), with_formulas(text) if name in course else text)
    for path in write_notebooks(folder / "spec" / "course"):
        offer(path)
    lists = [page for file in LISTS for page in name_pages(file, folder)] + [ADAPTER]
    shown = [
        f".. autoclass:: refsvm.sklearn.{name}\n{MEMBERS} fit, predict"
        + (", decision_function\n" if name not in VALUES else "\n")
        for name in SKLEARN
    ]
    write(folder / ADAPTER, page("With scikit-learn", shown))
    contents = {"The course": course, "The standard": standard, "Five lecture notes": notes}
    contents |= {"Public names": lists, "Project": beside + PROJECT}
    index = folder / page_of("README.md")
    if with_play:
        linked = f'<a href="play/index.html">{PLAY}</a>'
        write(index, index.read_text("utf-8").replace(f"`{PLAY}`", linked, 1))
    tables = (table_of(title, names) for title, names in contents.items())
    write(index, index.read_text("utf-8") + "".join(tables))


def offer(notebook):
    """Let the page of a chapter offer its notebook, below the picture."""
    page = notebook.with_suffix(".md")
    head, picture, rest = page.read_text("utf-8").split("\n\n", 2)
    line = f"[This chapter as a notebook]({notebook.name})"
    write(page, "\n\n".join([head, picture, line, rest]))


def page_of(name):
    """Where the text of a file stands in the site: README.md is its first page."""
    return "index.md" if name == "README.md" else name


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def table_of(title, pages):
    """A table of contents, which the theme shows at the side."""
    names = "\n".join(re.sub(r"\.(md|rst)$", "", page) for page in pages)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{names}\n```\n"


def with_links(text, name, folder):
    """The text of a file with links that hold in the site: sources as pages, folders as theirs."""

    def held(match):
        target, sharp, place = match[0].partition("#")
        file = (ROOT / name).parent / target
        if ":" in target or not file.exists():
            return match[0]  # elsewhere, or a mistake that Sphinx will name
        inside = file.resolve().relative_to(ROOT)
        if file.is_dir():
            inside /= "README.md"
        if inside.parts[0] == "refsvm" and inside.suffix == ".py":
            page = Path("_modules", inside).with_suffix(".html")
            part = marked_part(inside, place)
            scheme, anchor = ("place:", f"#{part}") if part else ("source:", "")
            return scheme + relpath(page, Path(name).parent) + anchor
        if inside.suffix == ".html":  # opened, not downloaded: conf.py puts it on top of the site
            return "source:" + relpath(inside.name, Path(name).parent)
        if inside.suffix != ".md":
            (folder / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / inside, folder / inside)
        if TEST.fullmatch(inside.as_posix()):
            inside = page_of_test(inside, folder)
        return relpath(page_of(str(inside)), Path(name).parent) + sharp + place

    return LINK.sub(held, text)


def marked_part(file, name):
    """The name, where the page of its source marks it; else its class; else nothing."""
    module = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
    return next(
        (part for part in (name, name.partition(".")[0]) if (module, part) in marked()), ""
    )


@cache
def marked():
    """Module and name of all that the pages of sources mark: what has a public name there."""
    names = [name for file in LISTS for name in LISTED.findall(text_of(file)) if "__" not in name]
    values = ((name, found(name)[1]) for name in names)
    parts = ((name, each, getattr(each, "__qualname__", None)) for name, each in values)
    return {
        (each.__module__, part) for name, each, part in parts if f".{name}".endswith(f".{part}")
    }


def page_of_test(file, folder):
    """Write the page that shows a file of tests, which no table of contents names; its file."""
    written = file.with_suffix(".md")
    lines = ["---", "orphan: true", "---", f"# {file.as_posix()}", ""]
    lines += [f"```{{literalinclude}} {file.name}", ":language: python", "```", ""]
    write(folder / written, "\n".join(lines))
    return written


def text_of(file):
    """The text of a file of the project."""
    return (ROOT / file).read_text("utf-8")


def name_pages(file, folder):
    """Write a page for each list of public names in a file; those pages."""
    written = []
    for part in re.split(r"^#+ ", text_of(file), flags=re.MULTILINE):
        title, names = part.partition("\n")[0], LISTED.findall(part)
        if names:
            written.append(f"names/{slug(title)}.rst")
            write(folder / written[-1], page(title, directives(names)))
    return written


def page(title, lines):
    """A page of reStructuredText."""
    return "\n".join([title, "=" * len(title), "", *lines]) + "\n"


def directives(names):
    """What makes Sphinx show each name: a class with those of its methods that are listed."""
    methods = {}
    for name in names:
        owner, value = found(name)
        if inspect.isclass(owner):
            methods.setdefault(name.rpartition(".")[0], []).append(name.rpartition(".")[2])
        else:
            methods.setdefault(name, [])
    for name, listed in methods.items():
        kind = "class" if inspect.isclass(found(name)[1]) else "function"
        yield f".. auto{kind}:: refsvm.{name}"
        if kind == "class" and listed:
            yield f"{MEMBERS} {', '.join(listed)}"
        yield ""
