"""What is told beside "at most" is rounded up, and beside "at least" down: so it is a bound.

Every f-string of refsvm is read. Beside such a word stands a call of text_above or text_below, or
a whole number, or what is listed in EXACT with the reason why it may be told in another way.
"""

import ast
import re
from fractions import Fraction as F
from pathlib import Path
from types import SimpleNamespace

import pytest

import refsvm
from refsvm.commands.exact import _rounded
from refsvm.commands.optimality import _share_of_gap
from refsvm.numerics.intervals import Interval
from refsvm.play.shown_machine import enclosed

FOLDER = Path(refsvm.__file__).parent
ABOVE, BELOW = ("text_above", "rounded_up"), ("text_below", "rounded_down")
BEFORE = {  # the last words before a number, and the functions that round it
    r"(at most|(?<!add )(?<!adds )up to|no more than|no larger than|beyond|within|≤|<=)": ABOVE,
    r"(at least|no less than|more than|exceeds|≥|>=)": BELOW,
}
AFTER = {r"(at most|or less)\b": ABOVE, r"(at least|or more)\b": BELOW}
WHOLE = "len", "sum", "plural", "round"  # calls that give whole numbers, or words
SHOWN = "quote",  # a number of the caller's, or an exact one, with all of its digits
EXACT = {
    "text_below(allowed, 3)": "what tol allows is never told as more",
    "text_below(most)": "what a machine allows is never told as more",
    "deadline:.3g": "a setting of the caller's, as it was given",
    "least": "a whole number",
    "most": "a whole number",
    "n": "a whole number",
    "k": "a whole number",
    "size": "a whole number",
    "self.vectors[-1] + 1": "a whole number",
    "sys.maxsize": "a whole number",
    "seconds:g": "a limit of an exercise, of few digits",
    "within": "words",
    "in_words(low, text_below)": "rounded so, or a power of two",
    "in_words(high, text_above)": "rounded so, or a power of two",
}


def faults_of(text):
    """(line, expression) of each number of a program that is told beside a word that it breaks."""
    for text_node in ast.walk(ast.parse(text)):
        parts = getattr(text_node, "values", []) if isinstance(text_node, ast.JoinedStr) else []
        for k, part in enumerate(parts):
            if isinstance(part, ast.FormattedValue):
                before = literal(parts[k - 1]) if k else ""
                after = literal(parts[k + 1]) if parts[k + 1:] else ""
                asked = [f for words, f in BEFORE.items() if re.search(words + r"\s*$", before)]
                asked += [f for words, f in AFTER.items() if re.match(r"\s*" + words, after)]
                if asked and not is_right(part, asked[0]):
                    yield part.lineno, ast.unparse(part.value)


def literal(part):
    """The text between two numbers."""
    return part.value if isinstance(part, ast.Constant) else ""


def is_right(part, functions):
    """Whether a number is told as the word beside it asks."""
    value, form = part.value, part.format_spec
    told = ast.unparse(value) + (":" + literal(form.values[0]) if form else "")
    if told in EXACT or form:
        return told in EXACT
    if isinstance(value, ast.Call):
        return ast.unparse(value.func) in (*functions, *WHOLE, *SHOWN)
    names = [n.id for n in ast.walk(value) if isinstance(n, ast.Name)]
    return all(map(str.isupper, names))  # a constant of a module


@pytest.mark.slow("a number that is told as a bound, and is none")
def test_bounds_are_rounded_to_their_side():
    texts = {path: path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py")}
    assert {path: found for path, text in texts.items() if (found := list(faults_of(text)))} == {}


@pytest.mark.parametrize("program, count", [
    ('f"at most {gap:.3g}"', 1), ('f"at most {number(gap)} of {n}"', 1),
    ('f"{text_below(gap)} at most"', 1), ('f"at most {text_above(gap, 3)}"', 0),
    ('f"at least {text_above(gap)}"', 1), ('f"at most {LARGEST}, adds up to {gap}"', 0),
])
def test_the_reader_sees_what_is_rounded_to_no_side(program, count):
    assert len(list(faults_of(program))) == count


@pytest.mark.parametrize("ends", [(F(1, 3), F(2, 3)), (F(-2, 3), F(-1, 3)), (F(1, 10), F(3, 10))])
def test_an_interval_lies_in_what_is_told_of_it(ends):
    low, high = map(F, _rounded(Interval(*ends)).split(" to "))
    assert low <= ends[0] and ends[1] <= high
    near, off = map(F, enclosed(Interval(*ends))["full"].replace("−", "-").split(", to within "))
    assert near - off <= ends[0] and ends[1] <= near + off


@pytest.mark.parametrize("primal, told", [
    (3.0, "at most 0.34 of the primal as computed: proved"), (0.0, "it is no larger: proved"),
])
def test_the_share_of_a_gap_is_rounded_up(primal, told):
    machine = SimpleNamespace(problem=refsvm.Problem([[0], [1]], [-1, 1]))
    assert _share_of_gap(SimpleNamespace(primal=primal, machine=machine), 1.0) == told
