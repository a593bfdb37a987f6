"""Gathers the pages of the site: texts as they stand, and a page for each public name."""

import re
import shutil
from functools import cache
from html import escape
from pathlib import Path
from posixpath import relpath

from docs.formulas import with_formulas
from docs.moving import with_moving
from docs.names import ADAPTER, INDEX, LISTED, LISTS, name_pages, page, text_of
from docs.notebooks import write_notebooks
from docs.run import for_running
from tests.references import pages
from tests.test_spec import ROOT, found

LINK = re.compile(r"(?<=\]\()[^)#\s]+(#[^)\s]+)?|(?<=\]: )[^#\s]+(#\S+)?")
SHOWN = re.compile(r"tests/test_\w+\.py|refsvm/[\w/]+\.py")
PLAY = re.compile(r"`((?:python3 -m )?refsvm play)(?: '(#[^'`]*)')?`")  # and the page on the site
PICTURE = re.compile(r"^(!\[[^]]*\]\([./]*docs/play\.svg\))$", re.MULTILINE)
PLAYED = "play/index.html"
OPENED = "https://play.invalid/"  # an entry of the sidebar; conf.py writes where play is
MODULE = Path("refsvm/sklearn/__init__.py")  # whose page is that of its classes
FIRST = "spec/start.md"
PROJECT = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "tests/bench/README.md"]
PROJECT += ["refsvm/data/SOURCES.md"]
NOTES = "spec/errata/", "spec/concordance/"
USE = {"scikit-learn": "scikit-learn", "Command line": "command-line", "Python": "python"}


def gather(folder, with_play=False):
    """Write every page below the folder, in which nothing older is left.

    with_play: the page of play is on the site, and what names it links to it.
    """
    shutil.rmtree(folder, ignore_errors=True)
    names = [f"spec/{each.file}" for each in pages().values()]
    for name in ["README.md", *names, *PROJECT]:
        text = with_moving(text_of(name), name) if with_play else text_of(name)
        text = with_links(text, name, folder)
        if name.startswith("spec/course/"):
            text = for_running(with_formulas(text), with_play)
        write(folder / page_of(name), linked_to_play(text, name) if with_play else text)
    for path in write_notebooks(folder / "spec" / "course"):
        offer(path)
    written, parts = name_pages()
    for file, text in written.items():
        write(folder / file, text)
    write(folder / INDEX, page("API", ["Every public name, by what it is about."]))
    for name, listed in books(names, parts).items():
        path = folder / page_of(name)
        write(path, path.read_text("utf-8") + table_of(listed, name))
    index = folder / page_of(FIRST)
    write(index, index.read_text("utf-8") + sidebar(with_play))


def books(names, parts):
    """The pages that stand below a page in the sidebar: {page: {title or number: page}}."""
    below = {
        "spec/course/README.md": [n for n in names if n.startswith("spec/course/")],
        "spec/README.md": [n for n in names if n.startswith("spec/standard/")],
        "spec/errata.md": [n for part in NOTES for n in names if n.startswith(part)],
        INDEX: parts,
        "README.md": PROJECT,
    }
    placed = {
        FIRST,
        *below,
        *(f"spec/use/{page}.md" for page in [*USE.values(), "is-yours-right", "iris-map"]),
    }
    placed.update(name for listed in below.values() for name in listed)
    below["spec/README.md"] = [*below["spec/README.md"], *(n for n in names if n not in placed)]
    return {page: [n for n in listed if n != page] for page, listed in below.items()}


def sidebar(with_play):
    """The tables of contents of the first page: the books, which the theme folds."""
    begin = ["Start <self>", *([f"Play <{OPENED}>"] if with_play else [])]
    begin.append("Course <spec/course/README>")
    used = [f"{title} <spec/use/{page}>" for title, page in USE.items()]
    rest = ["Is yours right? <spec/use/is-yours-right>", "C and gamma <spec/use/iris-map>"]
    rest += ["Standard <spec/README>"]
    rest += ["Lecture notes <spec/errata>", f"API <{INDEX[:-4]}>", "Project <README>"]
    return toctree("", begin) + toctree("In use", used) + toctree("To be sure", rest)


def table_of(pages, name):
    """A table of contents below a page: that of API is seen, others have one in their text."""
    listed = [relpath(re.sub(r"\.(md|rst)$", "", each), Path(name).parent) for each in pages]
    if name == INDEX:
        return "\n.. toctree::\n   :maxdepth: 1\n\n" + "".join(f"   {each}\n" for each in listed)
    return toctree("", listed)


def toctree(caption, entries):
    """A hidden table of contents in a page of Markdown."""
    options = ":hidden:\n" + (f":caption: {caption}\n" if caption else "")
    return "\n```{toctree}\n" + options + "\n" + "\n".join(entries) + "\n```\n"


def linked_to_play(text, name):
    """The text of a page in which each command of play, and its picture, leads to its page."""
    way = relpath(PLAYED, Path(page_of(name)).parent)

    def linked(match):
        state = escape(match[2] or "")
        return f'<a href="{way}{state}"><code>{escape(match[1])}</code></a>'

    return PLAY.sub(linked, PICTURE.sub(rf"[\1](source:{way})", text))


def offer(notebook):
    """Let the page of a chapter offer its notebook, below the picture."""
    page = notebook.with_suffix(".md")
    head, picture, rest = page.read_text("utf-8").split("\n\n", 2)
    line = f"[This chapter as a notebook]({notebook.name})"
    write(page, "\n\n".join([head, picture, line, rest]))


def page_of(name):
    """Where the text of a file stands in the site: spec/start.md is its first page."""
    return "index.md" if name == FIRST else name


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def with_links(text, name, folder):
    """The text of a file with links that hold in the site: sources as pages, folders as theirs."""
    here = Path(page_of(name)).parent

    def held(match):
        target, sharp, place = match[0].partition("#")
        file = (ROOT / name).parent / target
        if ":" in target or not file.exists():
            return match[0]  # elsewhere, or a mistake that Sphinx will name
        inside = file.resolve().relative_to(ROOT)
        if file.is_dir():
            inside /= "README.md"
        if inside == MODULE:
            return "source:" + relpath(Path(ADAPTER).with_suffix(".html"), here)
        if inside.parts[0] == "refsvm" and inside.suffix == ".py" and has_page(inside):
            page = Path("_modules", inside).with_suffix(".html")
            part = marked_part(inside, place)
            scheme, anchor = ("place:", f"#{part}") if part else ("source:", "")
            return scheme + relpath(page, here) + anchor
        if inside.suffix == ".html":  # opened, not downloaded: conf.py puts it on top of the site
            scheme = "place:" if place else "source:"
            return scheme + relpath(inside.name, here) + sharp + place
        if inside.suffix != ".md":
            (folder / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / inside, folder / inside)
        if SHOWN.fullmatch(inside.as_posix()):
            return relpath(page_of_source(inside, folder), here)  # in which no place is marked
        return relpath(page_of(str(inside)), here) + sharp + place

    return LINK.sub(held, text)


def module_of(file):
    """The name of the module in a file."""
    return ".".join(file.with_suffix("").parts).removesuffix(".__init__")


def has_page(file):
    """Whether Sphinx makes a page of a source: where something in it has a public name."""
    return module_of(file) in {module for module, _ in marked()}


def marked_part(file, name):
    """The name, where the page of its source marks it; else its class; else nothing."""
    module = module_of(file)
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


def page_of_source(file, folder):
    """Write the page that shows a source, which no table of contents names; its file."""
    written = file.with_suffix(".md")
    lines = ["---", "orphan: true", "---", f"# {file.as_posix()}", ""]
    lines += [f"```{{literalinclude}} {file.name}", ":language: python", "```", ""]
    write(folder / written, "\n".join(lines))
    return written
