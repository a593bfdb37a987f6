"""Make a notebook of each chapter of the course:  python3 -m docs.notebooks  (see build/notebooks)

A fence of a chapter is a cell, without prompts. Of the values in a cell a notebook shows only the
last, so a fence is cut behind each value that its page shows; a call that raises stands alone and
has the tag by which Jupyter goes on after it. Cells keep the output of the page, which the tests
have seen: a class can read before it runs. Pictures are in the file, with what they show below
them; chapters lead to chapters, and other links, which would lead nowhere, are text.

Source: the notebook format 4.5, https://nbformat.readthedocs.io/en/latest/format_description.html.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from base64 import b64encode
from doctest import DocTestParser, Example
from pathlib import Path

from tests.references import DEFINITION

ROOT = Path(__file__).resolve().parent.parent
COURSE, FOLDER = ROOT / "spec" / "course", ROOT / "build" / "notebooks"
FENCE = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"!\[([^\]]*)\]\(pictures/([\w-]+\.svg)\)")
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:)[^)]*\)")
NEEDS = "To run this notebook, install refsvm for the Python that Jupyter runs."


def chapters() -> list[Path]:
    """Return the files of the chapters of the course, in order."""
    return sorted(COURSE.glob("[0-9]*.md"))


def notebook(path: Path) -> str:
    """Return the notebook of a chapter as JSON."""
    text = path.read_text(encoding="utf-8")
    links = {label: leading(target) for label, target in DEFINITION.findall(text)}
    pieces = FENCE.split(DEFINITION.sub("", text))
    cells = []
    for k, piece in enumerate(pieces):
        if k % 2:
            cells += [code_cell(group) for group in groups(DocTestParser().get_examples(piece))]
        elif piece.strip():
            cells.append(text_cell(piece.strip(), links))
    cells.append({"cell_type": "markdown", "metadata": {}, "source": lines(NEEDS)})
    for k, cell in enumerate(cells):
        cell["id"] = f"cell-{k}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    whole = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def leading(target: str) -> str:
    """Return where a link leads in a notebook: to that of a chapter, else ""."""
    chapter = re.fullmatch(r"(\d\d-[\w-]+)\.md(#.*)?", target)
    return f"{chapter[1]}.ipynb" if chapter else ""


def text_cell(text: str, links: dict[str, str]) -> dict[str, object]:
    """Return a cell of prose with the pictures and the definitions of links that it needs."""
    cell: dict[str, object] = {"cell_type": "markdown", "metadata": {}}
    names = [name for _, name in PICTURE.findall(text)]
    if names:
        cell["attachments"] = {
            name: {"image/svg+xml": b64encode((COURSE / "pictures" / name).read_bytes()).decode()}
            for name in names
        }
    text = LINK.sub(r"\1", PICTURE.sub(r"![](attachment:\2)\n\n*\1*", text))
    used = {label: to for label, to in links.items() if to and f"[{label}]" in text.lower()}
    defined = "".join(f"\n[{label}]: {target}" for label, target in used.items())
    cell["source"] = lines(text + ("\n" + defined if defined else ""))
    return cell


def groups(examples: list[Example]) -> list[list[Example]]:
    """Return the examples of a fence as cells: each ends at a value that is shown."""
    cut: list[list[Example]] = []
    ended = True
    for example in examples:
        if ended or example.exc_msg is not None:
            cut.append([])
        cut[-1].append(example)
        ended = example.exc_msg is not None or is_value(example)
    return cut


def is_value(example: Example) -> bool:
    """Return whether what is shown is the value of an expression; None, as of print, is not."""
    statement = ast.parse(example.source).body[-1]
    printed = isinstance(statement, ast.Expr) and ast.unparse(statement).startswith("print(")
    return bool(example.want) and isinstance(statement, ast.Expr) and not printed


def code_cell(group: list[Example]) -> dict[str, object]:
    """Return a cell of code with its output."""
    last = group[-1]
    value = is_value(last) and last.exc_msg is None
    printed = "".join(example.want for example in (group[:-1] if value else group))
    outputs: list[dict[str, object]] = []
    metadata: dict[str, object] = {}
    if last.exc_msg is not None:
        name, _, message = last.exc_msg.strip().partition(": ")
        error = {"output_type": "error", "ename": name, "evalue": message}
        outputs.append({**error, "traceback": [last.exc_msg.strip()]})
        metadata["tags"] = ["raises-exception"]
    elif printed:
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines(printed)})
    if value:
        shown = {"text/plain": lines(last.want.rstrip("\n"))}
        result = {"output_type": "execute_result", "execution_count": None, "metadata": {}}
        outputs.append({**result, "data": shown})
    source = "".join(example.source for example in group).rstrip("\n")
    cell: dict[str, object] = {"cell_type": "code", "execution_count": None, "metadata": metadata}
    return {**cell, "outputs": outputs, "source": lines(source)}


def lines(text: str) -> list[str]:
    """Return a text as the format keeps it, a list of lines with their ends."""
    return text.splitlines(keepends=True)


def write_notebooks(folder: Path) -> list[Path]:
    """Write the notebook of each chapter into a folder; those files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = [folder / f"{path.stem}.ipynb" for path in chapters()]
    for path, target in zip(chapters(), written):
        target.write_text(notebook(path), encoding="utf-8")
    return written


if __name__ == "__main__":
    write_notebooks(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
