"""The catalogue as a page for people, and as JSON for other languages.

A kind is what is written down at once: its flag, what it does to people, where it was met, and
its variants. Each variant has the code of its change, as it stands in the file of its stage.
"""

import ast
import inspect
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from refsvm.conformance.wrong import (
    CATALOGUE,
    decision,
    kernel,
    machines,
    offset,
    problem,
    rows,
    solver,
    state,
)

MODULES = (rows, problem, machines, kernel, solver, offset, decision, state)
LONGEST = 300  # letters of a change that is shown
Document = dict[str, Any]
Cases = Mapping[str, Mapping[str, str]]  # {entry: {machine: the smallest case that shows it}}


def document_of(cases: Cases) -> Document:
    """Return the catalogue as JSON has it: entries with the smallest cases that show them."""
    code = dict(_code_of_changes())
    entries = [
        {
            "stage": bug.stage,
            "flag": bug.flag,
            "words": bug.words,
            "change": code[bug.name],
            "effect": bug.effect,
            "met": bug.met,
            "cases": dict(sorted(cases.get(bug.name, {}).items())),
        }
        for bug in CATALOGUE
    ]
    return {"format": 1, "entries": entries}


def cases_of(document: Document) -> dict[str, dict[str, str]]:
    """Return {entry: {machine: case}} of a document, of the entries that have some."""
    every = {f"{e['flag']}: {e['words']}": e["cases"] for e in document["entries"]}
    return {name: cases for name, cases in every.items() if cases}


# ---- the code of the changes


def _code_of_changes() -> Iterator[tuple[str, str]]:
    """Yield the name of each entry and the code of its change."""
    for module in MODULES:
        source = _Source(module)
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Call) and _is_add(node):
                flag = ast.literal_eval(node.args[0])
                for each in [*node.args, *(word.value for word in node.keywords)]:
                    for words, code in source.variants(each):
                        yield f"{flag}: {words}", code


def _is_add(call: ast.Call) -> bool:
    """Return whether a call adds a kind of bug to a table."""
    return isinstance(call.func, ast.Attribute) and call.func.attr == "add" and len(call.args) > 2


class _Source:
    """The text of a module, in which the variants are written."""

    def __init__(self, module: ModuleType) -> None:
        self.module, self.text = module, inspect.getsource(module)
        self.tree = ast.parse(self.text)
        self.named = {
            node.target.id: node.value
            for node in self.tree.body
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        }

    def variants(self, node: ast.expr | None) -> Iterator[tuple[str, str]]:
        """Yield what each variant of a dictionary does, and its code.

        Those that a loop makes have the code that stands in the loop.
        """
        if isinstance(node, ast.Name):
            yield from self.variants(self.named.get(node.id))
        elif isinstance(node, ast.DictComp):
            code = compile(ast.Expression(node), self.module.__name__, "eval")
            yield from ((words, self.code(node.value)) for words in eval(code, vars(self.module)))
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values):
                if key is None:
                    yield from self.variants(value)
                else:
                    yield str(ast.literal_eval(key)), self.code(value)

    def code(self, node: ast.expr) -> str:
        """Return the code of an expression in one line."""
        words = " ".join((ast.get_source_segment(self.text, node) or "").split())
        return words.replace("( ", "(").replace(" )", ")")


# ---- the page


def page_of(document: Document) -> str:
    """Return the catalogue as Markdown: a section a stage, a table a kind."""
    lines: list[str] = []
    stage, kind = None, None
    for e in document["entries"]:
        if e["stage"] != stage:
            stage, kind = e["stage"], None
            lines += ["", f"### {stage}: {STAGE_WORDS[stage]}"]
        if (e["flag"], e["effect"]) != kind:
            kind = e["flag"], e["effect"]
            met = f"**{e['flag']}.** {e['effect']} Met: {e['met']}."
            lines += ["", met, "", HEADER, "|---|---|---|"]
        shown = next(iter(_in_order(e["cases"])), "-")
        lines.append(f"| {e['words']} | `{_short(e['change'])}` | {shown} |")
    return "\n".join(lines).lstrip("\n") + "\n"


HEADER = "| the program | change | a case |"
STAGE_WORDS = {
    "rows": "X as the program sees it",
    "problem": "C, weights, nu, epsilon, the objective",
    "kernel": "k(x, z)",
    "solve": "the multipliers",
    "offset": "b from the multipliers",
    "decide": "f of a row",
    "pairs": "what each pair of several classes is trained on",
    "votes": "which class is said",
    "labels": "labels as they are read and said",
    "state": "what is left of an earlier fit",
}


def _in_order(cases: Mapping[str, str]) -> Iterator[str]:
    """Yield the cases, that of classification first."""
    for machine in sorted(cases, key=lambda name: (name != "c_svc", name)):
        yield (
            cases[machine]
            if machine in ("c_svc", "estimator")
            else f"{cases[machine]} ({machine})"
        )


def _short(code: str) -> str:
    """Return code that fits a table: no bar, and its beginning where it is long."""
    code = code.replace("|", "\\|")
    return code if len(code) <= LONGEST else f"{code[:LONGEST]} .."
