"""The command line: python3 -m refsvm COMMAND .., one module a command.

    demo, scale, train, grid, predict, explain, check, exact, audit, plot, trace, export, exercise,
    conform, draw, compare, play
                  a module each: EXAMPLE, arguments(parser), run(given)
    arguments     how options are written, and refused; files to read and to write;
                  machine_options, those of a machine and its solver, and the types of machines
    wording       refusals in the words of the command line, and hints for LIBSVM's options
    reading       data, by the options of tables and as a model asks, and models
    reports       accuracy, figures of each class, the confusion matrix, the scores of a search
    hints         at columns to scale, or to leave out
    training      from options to an estimator, and what it is once trained: figures, its file
    optimality    how far an answer is from the optimum, in tables
    console       what a command says, and progress on a terminal; watching guesses the time left
    engine        refsvm_fast where it is compiled, else refsvm: a command computes with the names
                  of its library(given), and once the input is accepted its announce(given) tells
                  on stderr which of the two that is; processes that share the work

The exit status: 0 done (check: everything passes), 1 something fails the check, 2 bad usage or
bad input, which is told in one sentence on stderr. A status of 0 or 1 says that every file that
was asked for is written, whatever became of standard output; where that was to take what was
asked for, 141 says that its reader left, and 2 that it failed. Only a mistake of refsvm's own
shows where in the source it happened; its status is 70.
"""

import sys
from importlib import import_module

from ..files import STDOUT
from ..numerics.quoting import quote, shorten, visible
from .arguments import PROGRAM, Input, Output, Parser, Refusal, as_typed, paths
from .console import complain, put, reporting, say

COMMANDS = {
    "demo": "train on a data set that comes with refsvm, and explain the result",
    "scale": "bring every feature of a data file to the same range",
    "train": "train a machine on a data file, and say how good it is",
    "grid": "search for the best parameters, by cross-validation",
    "predict": "decide about the rows of a data file",
    "explain": "tell how much each feature matters to a machine",
    "check": "tell how far a LIBSVM model, of any program, is from the optimum",
    "exact": "find the very optimum, as fractions, and prove it",
    "audit": "hold an SVM, in any language, against problems whose optimum is known exactly",
    "plot": "draw a machine with two features",
    "trace": "watch a solver step by step, as a table and as a picture that moves",
    "export": "write a model as one C file that needs no library and gives the same bits",
    "exercise": "write a function of the course, and see what checks it",
    "conform": "ask a program, in any language, for the bits of each algorithm",
    "draw": "write questions without end for such a program",
    "compare": "hold its answers to these against refsvm's, bit by bit",
    "play": "drag points on a page, and watch the exact optimum move",
}
VERDICTS = ("check", "audit", "conform", "compare")  # what is asked for is the exit status
MAX_REFUSAL_LETTERS = 590  # letters of a refusal, which may name a dozen columns
BROKEN, INTERRUPTED, PIPE_CLOSED = 70, 130, 141  # as <sysexits.h> and shells have them
SIGNALLED = 128  # and more: a signal ends it, see __main__.py

HELP = f"""\
usage: {PROGRAM} COMMAND ..

refsvm: the support vector machine in plain Python, to be read and trusted.

{{commands}}

{PROGRAM} COMMAND --help tells more, with an example.
{PROGRAM} --version tells the release, the Python, and whether refsvm_fast is compiled.
"""


def main(argv=None):
    """Run a command line, without the name of the program; the exit status."""
    try:
        with reporting(sys.stdout, needed=True):
            return run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        from ..files.outputs import words_of

        if isinstance(error, BrokenPipeError) and error.filename == STDOUT:
            return PIPE_CLOSED
        where = f"{shorten(str(error.filename), 200)}: " if error.filename is not None else ""
        return _refused(where + words_of(error))
    except MemoryError:
        return _refused("there is not enough memory for this; give fewer rows or columns")
    except ValueError as error:
        return _refused(str(error))
    except SystemExit as left:
        if isinstance(left.code, int) and left.code > SIGNALLED:
            raise
        return _refused("code that was asked ended the program by sys.exit; nothing is told of it")
    except Exception:
        import traceback

        put(sys.stderr, "\n".join(map(visible, traceback.format_exc().split("\n"))))
        return BROKEN


def run(argv):
    """Run the command that argv begins with."""
    name = argv[0] if argv else None
    if name in ("-h", "--help"):
        say(*HELP.format(commands=_summary()).split("\n"), end="")
        return 0
    if name == "--version":
        say(*_versions())
        return 0
    if name not in COMMANDS:
        what = "no command is given" if name is None else f"{quote(name)} is no command"
        raise Refusal(f"{what}; the known ones are {', '.join(COMMANDS)}")
    command = import_module(f".{name}", __package__)
    parser = Parser(name, COMMANDS[name], command.EXAMPLE)
    command.arguments(parser)
    given = parser.given(argv[1:])
    if given is None:
        return 0
    try:
        with _outputs_tried(given, _has_verdict(name, given)):
            return command.run(given)
    except ValueError as error:
        raise as_typed(error, parser.parameters(), given) from error


def _versions():
    """Return lines on what runs: release, Python, whether its bits may differ, what computes."""
    from ..numerics.roundings import difference
    from ..version import __version__
    from .engine import running

    python = f"Python {sys.version.split()[0]} ({sys.implementation.name})"
    return filter(None, [f"refsvm {__version__}", python, difference(), running()])


def _has_verdict(name, given):
    """Return whether a command tells by its exit status what was asked for."""
    return name in VERDICTS or (name == "exercise" and given.file is not None)


def _outputs_tried(given, has_verdict):
    """Refuse outputs that cannot be written; return the context in which the report has its
    stream."""
    from ..files.outputs import try_outputs

    outputs = paths(given, Output)
    needed = not outputs and not has_verdict
    try_outputs([*outputs, *([STDOUT] if needed else [])], paths(given, Input))
    return reporting(sys.stderr if STDOUT in outputs else sys.stdout, needed)


def _summary():
    """Return a line for each command."""
    return "\n".join(f"  {name:8} {does}" for name, does in COMMANDS.items())


def _refused(sentence):
    """Print a refusal; its exit status."""
    complain(shorten(visible(sentence), MAX_REFUSAL_LETTERS))
    return 2
