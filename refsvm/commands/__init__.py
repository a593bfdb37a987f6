"""The command line: python3 -m refsvm COMMAND .., one module a command.

    demo, scale, train, predict, check, exact, audit, plot, trace, export
                  a module each: EXAMPLE, arguments(parser), run(given)
    arguments     how options are written, and refused
    training      from options to trained pairs, and to folds
    optimality    how far an answer is from the optimum, in tables
    console       lines of aligned text; progress on a terminal

The exit status: 0 done (check: everything passes), 1 something fails the check, 2 bad usage or
bad input, which is told in one sentence on stderr. Only a mistake of refsvm's own shows where in
the source it happened.
"""

import os
import sys
from importlib import import_module

from .arguments import PROGRAM, Parser, Refusal

COMMANDS = {
    "demo": "train on a data set that comes with refsvm, and explain the result",
    "scale": "bring every feature of a data file to the same range",
    "train": "train a machine on a data file, and say how good it is",
    "predict": "decide about the rows of a data file",
    "check": "tell how far a LIBSVM model, of any program, is from the optimum",
    "exact": "find the very optimum, as fractions, and prove it",
    "audit": "hold an SVM, in any language, against problems whose optimum is known exactly",
    "plot": "draw a machine with two features",
    "trace": "watch a solver step by step, as a table and as a picture that moves",
    "export": "write a model as one C file that needs no library and gives the same bits",
}
INTERRUPTED, PIPE_CLOSED = 130, 141  # 128 + the number of the signal, as shells have it

HELP = f"""\
usage: {PROGRAM} COMMAND ..

refsvm: the support vector machine in plain Python, to be read and trusted.

{{commands}}

{PROGRAM} COMMAND --help tells more, with an example.
"""


def main(argv):
    """Run a command line, without the name of the program; the exit status."""
    try:
        status = run(argv)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # what reads our output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:
        where = f"{error.filename}: " if error.filename is not None else ""
        return refused(where + (error.strerror or str(error)))
    except ValueError as error:
        return refused(error)


def run(argv):
    """Run the command that argv begins with."""
    name = argv[0] if argv else None
    if name in ("-h", "--help"):
        print(HELP.format(commands=summary()), end="")
        return 0
    if name == "--version":
        from .. import __version__

        print(f"refsvm {__version__}")
        return 0
    if name not in COMMANDS:
        what = "no command is given" if name is None else f"{name!r} is no command"
        raise Refusal(f"{what}; the known ones are {', '.join(COMMANDS)}")
    command = import_module(f".{name}", __package__)
    parser = Parser(name, COMMANDS[name], command.EXAMPLE)
    command.arguments(parser)
    given = parser.given(argv[1:])
    return 0 if given is None else command.run(given)


def summary():
    """Return a line for each command."""
    return "\n".join(f"  {name:8} {does}" for name, does in COMMANDS.items())


def refused(sentence):
    """Print a refusal, as one line; its exit status."""
    print("refsvm:", " ".join(str(sentence).split()), file=sys.stderr)
    return 2
