"""What Python answers on a page of the course: a block that is run, a function that is judged.

Questions and answers are texts of JSON, as those of refsvm.play.answers:

    {"printed": ">>> 1 + 1\\n2\\n", "source": null, or "1 + 2\\n"}
    {"same": true, "lines": [[" ", "2"]]}                what the page and Python print, as a diff
    {"exercise": "hinge", "source": "def hinge(m): .."}
    {"right": true, "sentence": "..", "shown": [["m", "0"]]}

A block is compared with its page as doctest does it, statement by statement. All blocks of a page
share their names.
"""

import ast
import io
import json
import sys
from contextlib import redirect_stdout
from difflib import SequenceMatcher, ndiff
from doctest import DocTestParser, Example, OutputChecker
from traceback import format_exception_only

NAMES = {"__name__": "__main__"}  # of the page
MOST = 100_000  # letters that a statement may print
SHOWN = 500  # lines


def reply(text):
    """Answer one question."""
    asked = json.loads(text)
    if "exercise" in asked:
        return json.dumps(judged(asked["exercise"], asked["source"]))
    return json.dumps(run(asked["printed"], asked["source"]))


# ---- blocks


def run(printed, source=None, names=NAMES):
    """Run a block, and say what differs from its page.

    printed : the session as the page shows it
    source : the code that the reader has made of it, without prompts
    names : what has been defined so far

    >>> run(">>> 1 + 1\\n2\\n", "1 + 2\\n", {})
    {'same': False, 'lines': [('-', '2'), ('+', '3')]}
    """
    examples = DocTestParser().get_examples(printed)
    if source is not None:
        try:
            examples = placed(examples, statements(source))
        except SyntaxError as error:
            return {"same": False, "lines": [("+", one_sentence(error))]}
    lines, every = [], True
    for example in examples:
        got, raised = outcome(example.source, names)
        same = agrees(example, got, raised)
        got += raised and f"{raised}\n"
        lines += compared(example.exc_msg or example.want, got, same)
        every = every and same
        if raised and not same:
            break
    if len(lines) > SHOWN:
        lines[SHOWN:] = [("+", f"... and {len(lines) - SHOWN} lines more")]
    return {"same": every, "lines": lines}


def statements(source):
    """Return the statements of a text; those that share a line stay together.

    >>> statements("a = 1; b = 2\\n\\nif a:\\n    b\\n")
    ['a = 1; b = 2\\n', '\\nif a:\\n    b\\n']
    """
    lines, begun, cut = list(io.StringIO(source)), 0, []  # splitlines ends one at a form feed, too
    body = ast.parse(source).body
    for node, following in zip(body, [*body[1:], None]):
        if following is None or following.lineno > node.end_lineno:
            cut.append("".join(lines[begun : node.end_lineno]))
            begun = node.end_lineno
    return cut


def placed(examples, sources):
    """Return an example for each statement of a reader, with what the page prints there."""
    pages = [example.source.strip() for example in examples]
    ours = [source.strip() for source in sources]
    found = []
    for _, i, end, k, last in SequenceMatcher(None, pages, ours, autojunk=False).get_opcodes():
        for step in range(last - k):
            old = examples[i + step] if i + step < end else Example("", "")
            found.append(Example(sources[k + step], old.want, old.exc_msg, options=old.options))
    return found


def outcome(source, names):
    """Run a statement; what it prints, and the last line of what it raises, or nothing."""
    printed = Printed()
    with redirect_stdout(printed):
        try:
            exec(compile(source, "<page>", "single"), names)
        except (Exception, SystemExit) as error:
            return printed.getvalue(), one_sentence(error)
    return printed.getvalue(), ""


class Printed(io.StringIO):
    """Standard output that takes no more than a page can show."""

    def write(self, text):
        """Keep a text; RuntimeError where there is too much."""
        if self.tell() + len(text) > MOST:
            raise RuntimeError(f"more than {MOST:,} letters are printed")
        return super().write(text)


def one_sentence(error):
    """Return the last line of a traceback; the place of a mistake of syntax, too."""
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"{type(error).__name__}: {error.msg} (line {error.lineno})"
    return format_exception_only(type(error), error)[-1].rstrip("\n")


def agrees(example, got, raised):
    """Tell whether a statement did what its page says, by doctest's rules and its flags."""
    flags = sum(flag for flag, on in example.options.items() if on)
    check = OutputChecker().check_output
    if raised:
        return example.exc_msg is not None and check(example.exc_msg, f"{raised}\n", flags)
    return example.exc_msg is None and check(example.want, got, flags)


def compared(want, got, same):
    """Return lines with a sign: of both, of the page alone, of Python alone."""
    if same:
        return [(" ", line) for line in got.splitlines()]
    lines = ndiff(want.splitlines(), got.splitlines())
    return [(line[0], line[2:]) for line in lines if line[0] != "?"]


# ---- exercises


def judged(name, source):
    """Judge a reader's function as `refsvm exercise` does it, in this process."""
    from refsvm.exercises.calls import calling
    from refsvm.exercises.catalogue import EXERCISES
    from refsvm.exercises.checking import assess
    from refsvm.exercises.student_process import Printed as Silent
    from refsvm.exercises.student_process import function_of

    silent, path = Silent(), list(sys.path)
    try:
        with redirect_stdout(silent):
            function = function_of(name, f"{name}.py", source)
            found = assess(EXERCISES[name], calling(function, lambda: silent.has_text), source)
    except ValueError as error:
        return {"right": False, "sentence": str(error), "shown": []}
    finally:
        sys.path[:] = path
    return {"right": found.right, "sentence": found.sentence, "shown": found.shown}
