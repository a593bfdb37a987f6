"""The notebooks of the course: cells in order give what the page shows."""

import ast
import json
import re
from contextlib import redirect_stdout
from doctest import DocTestParser
from io import StringIO

import pytest

from docs.notebooks import ROOT, chapters, code_cell, groups, notebook

NOTEBOOKS = {path.stem: json.loads(notebook(path)) for path in chapters()}
KEYS = {"markdown": {"cell_type", "id", "metadata", "source"}}
KEYS["code"] = KEYS["markdown"] | {"execution_count", "outputs"}


def run(cell, namespace):
    """What Jupyter would show: what is printed, and the last expression's value."""
    body = ast.parse("".join(cell["source"])).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), namespace)
        value = last and eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)
    return printed.getvalue(), "" if value is None else repr(value)


def kept(cell, kind, key):
    return "".join(line for out in cell["outputs"] if out["output_type"] == kind
                   for line in (out["text"] if key == "text" else out[key]["text/plain"]))


LONG = pytest.mark.slow("cells of a long chapter that show other output than its page")
LASTING = ("13-is-yours-right", "17-in-practice")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=LONG) if name in LASTING else name for name in NOTEBOOKS]
)
def test_cells_run_in_order_and_show_what_is_kept_of_them(name, monkeypatch):
    monkeypatch.chdir(ROOT / "build")  # a notebook may lie anywhere
    namespace = {"__name__": "__main__"}
    for cell in NOTEBOOKS[name]["cells"]:
        if cell["metadata"].get("tags") == ["raises-exception"]:
            with pytest.raises(Exception) as raised:
                run(cell, namespace)
            assert type(raised.value).__name__ == cell["outputs"][0]["ename"]
            assert str(raised.value) == cell["outputs"][0]["evalue"]
        elif cell["cell_type"] == "code":
            shown = kept(cell, "stream", "text"), kept(cell, "execute_result", "data")
            assert run(cell, namespace) == shown


def test_a_cell_ends_at_a_value_and_a_call_that_raises_stands_alone():
    page = ">>> a = 1\n>>> print(a)\n1\n>>> a\n1\n>>> a = 2\n>>> 1 / (a - 2)\n"
    page += "Traceback (most recent call last):\n  ...\nZeroDivisionError: division by zero\n"
    page += ">>> a\n2\n"
    cells = [code_cell(group) for group in groups(DocTestParser().get_examples(page))]
    assert ["".join(cell["source"]) for cell in cells] == [
        "a = 1\nprint(a)\na", "a = 2", "1 / (a - 2)", "a",
    ]
    assert [[out["output_type"] for out in cell["outputs"]] for cell in cells] == [
        ["stream", "execute_result"], [], ["error"], ["execute_result"],
    ]


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_a_notebook_has_every_line_of_code_and_every_picture_of_its_page(path):
    page = path.read_text(encoding="utf-8")
    cells = NOTEBOOKS[path.stem]["cells"]
    code = ["".join(cell["source"]) + "\n" for cell in cells if cell["cell_type"] == "code"]
    assert "".join(code) == "".join(e.source for e in DocTestParser().get_examples(page))
    pictures = [name for cell in cells for name in cell.get("attachments", ())]
    assert pictures == re.findall(r"\(pictures/([\w-]+\.svg)\)", page)
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    for title in re.findall(r"^#+ .+$", page, re.MULTILINE):
        assert title in text
    for shown, name in re.findall(r"!\[(.+)\]\(pictures/([\w-]+\.svg)\)", page):
        assert f"![](attachment:{name})\n\n*{shown}*\n" in text
    targets = re.findall(r"^\[[^\]]+\]: (.+)$", text, re.MULTILINE)
    assert {each.removesuffix(".ipynb") for each in targets} <= set(NOTEBOOKS)
    others = re.sub(r"^```c\n.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert ".md" not in text and "```" not in others


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_in_the_format_4_5(name):
    book = NOTEBOOKS[name]
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    for cell in book["cells"]:
        assert set(cell) - {"attachments"} == KEYS[cell["cell_type"]]
        assert all(line.endswith("\n") for line in cell["source"][:-1])
