"""How command lines are read, refused in one sentence, and printed to be typed.

A line to type does what it says whatever a name holds: a file that begins with a dash is named in
its folder.
"""

import argparse
import os
import re
import sys
from functools import partial

from ..files import STDOUT, no_name_of_file
from ..numerics.cures import Cure
from ..numerics.quoting import quote, shell_words
from .console import columns, say
from .wording import from_libsvm, in_words_of_options, libsvm_hint

AS_MODULE = "python3 -m refsvm"
INSTALLED = os.path.basename(sys.argv[0]) in ("refsvm", "refsvm.exe")
PROGRAM = "refsvm" if INSTALLED else AS_MODULE  # as it was called
STDIN = "/dev/stdin"
NAMES_OF_STDOUT = ("-", "/dev/fd/1", "/proc/self/fd/1")


class Refusal(ValueError):
    """Bad usage or input; where options help, the cure is a change of the words of the line.

    give, leave_out    the options to type, and those not to; a value that only the reader knows
                       is left to be typed at the end
    say                how the options to give are told
    how                what is told instead, of both; "" where the sentence has told it
    """

    def __init__(self, sentence, give="", leave_out="", say="say", how=None):
        if how is None and (give or leave_out):
            how = f"{say} {give}" if give else "leave out " + leave_out.replace(" ", " and ")
        super().__init__(f"{sentence}; {how}" if how else sentence)
        if give or leave_out:
            words = how or sentence.split("; ")[1]
            self.cure = Cure(words, "argv", partial(_retyped, give, leave_out.split()))


def _retyped(give, leave_out, words):
    """Return a command line without some options and their values, and with others.

    >>> _retyped("--C '1 2'", ["-o"], ["heart.csv", "-o", "machine", "--nu", "0.5"])
    ['heart.csv', '--nu', '0.5', '--C', '1 2']
    """
    from shlex import split  # which few command lines need

    kept, leaves = [], False
    for word in words:
        leaves = word.partition("=")[0] in leave_out or (leaves and word[:1] != "-")
        kept += [] if leaves else [word]
    return [*kept, *split(give)]


def as_typed(error, names, given):
    """Return a Refusal that tells an error, and its cure if it has one, in words of options."""
    refusal = Refusal(in_words_of_options(str(error), names))
    cure = getattr(error, "cure", None)
    if cure and cure.argument == "argv":
        refusal.cure = cure
    elif cure and cure.argument in vars(given):
        name, value = cure.argument.replace("_", "-"), cure.change(getattr(given, cure.argument))
        give = shell_words([f"--{name}={value}"])
        if isinstance(value, list):
            give = columns_to_type(f"--{name}", map(str, value))
        if isinstance(value, bool):
            give = f"--{name}" if value else f"--no-{name}"
        words = in_words_of_options(cure.words, names)
        refusal.cure = Cure(words, "argv", partial(_retyped, give, []))
    return refusal


class _Help(argparse.RawDescriptionHelpFormatter):
    """argparse's, in fewer lines; it is made for every option and would import shutil for the
    width."""

    def __init__(self, prog, **options):
        super().__init__(prog, **{"width": columns(), "max_help_position": 25, **options})

    def _format_action_invocation(self, action):
        """Return the names of an option, and what follows them once."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"

    def _split_lines(self, text, width):
        """Return the lines of a text, which are not broken within an option."""
        from textwrap import wrap

        return wrap(text, width, break_on_hyphens=False)

    def format_help(self):
        """Return the help, with one empty line: after the usage."""
        usage, empty, rest = super().format_help().partition("\n\n")
        return usage + empty + rest.replace("\n\n", "\n")


class Parser(argparse.ArgumentParser):
    """argparse, whose refusals are exceptions of one sentence.

    takes_libsvm    whether a command takes LIBSVM's options; others say what they are called here
    """

    takes_libsvm = False

    def __init__(self, name, does, example):
        super().__init__(
            prog=f"{PROGRAM} {name}",
            description=does[0].upper() + does[1:] + ".",
            epilog="example:\n" + example.replace(AS_MODULE, PROGRAM),
            formatter_class=_Help,
            allow_abbrev=False,
            add_help=False,
        )
        self.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
        self._positionals.title = None

    def format_help(self):
        """Return the help, with the files alone in the usage: all options follow."""
        formatter = self._get_formatter()
        files = [
            formatter._format_args(action, action.metavar or action.dest)
            for action in self._get_positional_actions()
        ]
        self.usage = " ".join([self.prog, *files, "[options]"])
        return super().format_help()

    def error(self, message):
        raise Refusal(*self.better(message, f"; see {self.prog} --help"), how="")

    def options(self):
        """Return the options, as they are written, but for --help, which is no nearest one."""
        return {word for a in self._actions for word in a.option_strings} - {"--help"}

    def parameters(self):
        """Return the names that the options have as parameters in the library."""
        return [word[2:].replace("-", "_") for word in self.options() if word[:2] == "--"]

    def better(self, message, end):
        """Return what argparse refuses; where there is a cure, what to give and to leave out."""
        options = self.options()
        hint = libsvm_hint(self.words, options)
        if hint:
            here = hint.partition("here it is ")[2]
            is_cure = hint.endswith("leave it out") or (here and ", " not in here)  # a list of all
            return [hint + end, *([here, hint.split()[0]] if is_cure else [])]
        if message.endswith("expected one argument"):
            for option, value in zip(self.words, self.words[1:]):
                if option in options and value.startswith("-"):
                    cure = shell_words([f"{option}={value}"])
                    told = f"{message}; if {value} is that, write {cure}"
                    return told + end, cure, f"{option} {value}"
        missing = message.partition("the following arguments are required: ")[2]
        dashed = [word for word in self.words if word[:1] == "-" and os.path.exists(word)]
        if (missing or "unrecognized arguments: " in message) and dashed:
            cure = shell_words(["./" + dashed[0]])
            return f"{message}; if {dashed[0]} is the file, write {cure}{end}", cure, dashed[0]
        taker = missing and missing[0] != "-" and self.takes_all_words()
        if taker:
            message += f"; {taker} takes all words after it, so write {missing} before it"
        kind, colon, words = message.partition("unrecognized arguments: ")
        if colon and words[0] != "-" and "-o" in options:
            return [f"one name too many: {words}; a file to write is named by -o{end}"]
        near = nearest(words.split()[0], options, "option ") if colon else ""
        return [f"{message}{near}{end}"]

    def takes_all_words(self):
        """Return the option among the words that takes as many as there are, if any."""
        takers = {name for a in self._actions if a.nargs == "+" for name in a.option_strings}
        return next((word for word in self.words if word in takers), None)

    def given(self, argv):
        """Parse the words into attributes; None if help was asked for."""
        if self.takes_libsvm:
            argv = from_libsvm(argv, self.options())
        self.words = argv
        try:
            given = self.parse_args(argv)
        except SystemExit:  # argparse leaves so after --help
            return None
        for name, value in vars(given).items():
            if type(value) in (Input, Output):
                setattr(given, name, type(value)(_no_parameter(value, self.parameters())))
        given.command, given.words = self.prog.split()[-1], argv
        given.options = self.options_of(argv)
        if paths(given, Input).count(STDIN) > 1:
            self.error("- stands twice; standard input can be read once")
        return given

    def options_of(self, argv):
        """Return the options of a command line that can be parsed, each with its values."""
        found, left = [], list(argv)
        while left and left[0] != "--":
            word = left.pop(0)
            if self._parse_optional(word) is None:  # it names a file, as argparse sees it
                continue
            found.append([word])
            takes = getattr(self._option_string_actions.get(word), "nargs", 0)
            while left and (
                takes is None or takes == "+" and self._parse_optional(left[0]) is None
            ):
                found[-1].append(left.pop(0))
                if takes is None:
                    break
        return found

    def print_help(self, file=None):
        say(*self.format_help().split("\n"), end="")


def nearest(word, known, kind=""):
    """Return, to be added to a refusal, which of these names may be meant."""
    from difflib import get_close_matches  # which takes long to import

    near = get_close_matches(word, known, 1)
    return f"; the nearest {kind}is {near[0]}" if near else ""


class _File(str):
    """The name of a file, as an argument gave it."""

    def paths(self):
        """Return the files it stands for."""
        return [self]


class Input(_File):
    """The name of a file to read."""


class ProgramWords(Input):
    """A command line, or the name of a Python subject; the files among its words are read."""

    def paths(self):
        return [w for w in self.split() if not no_name_of_file(w) and os.path.isfile(w)]


class Output(_File):
    """The name of a file to write."""


class Prefix(Output):
    """What the names of the two files of a proof begin with."""

    def paths(self):
        return [f"{self}.{part}" for part in ("problem", "certificate")]


def paths(given, kind):
    """Return the files of a kind, Input or Output, among the arguments."""
    values = (v if isinstance(v, list) else [v] for v in vars(given).values())
    named = [value for several in values for value in several if isinstance(value, kind)]
    return [path for value in named for path in value.paths()]


def source(word):
    """Return a file to read; - is standard input."""
    return Input(STDIN if word == "-" else _named(word))


def target(word):
    """Return a file to write; - is standard output."""
    return Output(STDOUT if word in NAMES_OF_STDOUT else _named(word))


def picture_file(word):
    """Return a picture to write, refused if its name says that it is no SVG."""
    stem, ending = os.path.splitext(word.removesuffix(".gz"))
    if ending.lower() not in ("", ".svg"):
        raise argparse.ArgumentTypeError(
            f"{word} ends in {ending}; a picture is SVG, so name it {shell_words([f'{stem}.svg'])}"
        )
    return target(word)


def prefix(word):
    """Return what the names of two files begin with."""
    if word == "-":
        raise argparse.ArgumentTypeError("two files are written, which no one stream can take")
    return Prefix(_named(word))


def coq_file(word):
    """Return a file of Coq to write, whose name Coq allows: that of a module."""
    if not re.fullmatch(r"[A-Za-z_]\w*\.v", os.path.basename(word), re.ASCII):
        raise argparse.ArgumentTypeError(
            f"{quote(word)} names no module of Coq; a letter, then letters, digits and _, then .v"
        )
    return Output(_named(word))


def _named(word):
    """Return the name of a file, refused if it is empty, as that of an unset variable."""
    if not word:
        raise argparse.ArgumentTypeError("the name of the file is empty")
    why = no_name_of_file(word)
    if why:
        raise argparse.ArgumentTypeError(f"{quote(word)} is no file; {why}")
    return word


def data_file(parser):
    """Add the argument DATA."""
    parser.add_argument(
        "data",
        metavar="DATA",
        type=source,
        help="a table or LIBSVM's text, also .gz; - is standard input",
    )
    table_options(parser)


def large_option(parser):
    """Add the option --large."""
    parser.add_argument("--large", action="store_true", help="also where much comes of little")


def table_options(parser):
    """Add the options that say what DATA is, and what the columns of a table are."""
    parser.tables = group = parser.add_argument_group("tables")
    group.add_argument(
        "--format",
        choices=("libsvm", "csv", "tsv"),
        metavar="FORMAT",
        help="csv, tsv or libsvm (default: by the name of DATA)",
    )
    large_option(group)
    parser.label = group.add_argument(
        "--label",
        metavar="COLUMN",
        type=_named_column,
        help="labels or values, by name or number (default: last)",
    )
    group.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        help="whether the first line has names (default: if none but the label's is a number)",
    )
    group.add_argument(
        "--drop",
        metavar="COLUMN,..",
        type=_listed_columns,
        action="extend",
        default=[],
        help="leave out these columns, as --drop id,name",
    )


def preparation_options(parser):
    """Add the options that say how the columns of a table are prepared."""
    group = parser.tables
    group.add_argument(
        "--as-is", action="store_true", help="prepare nothing: all features are numbers"
    )
    for option, does in (
        ("--keep", "keep these, though they seem to tell rows apart only"),
        ("--texts", "read these as texts: codes that are numbers"),
    ):
        group.add_argument(
            option,
            metavar="COLUMN,..",
            type=_listed_columns,
            action="extend",
            default=[],
            help=does,
        )


def unknown_option(parser):
    """Add the option that says what becomes of texts among numbers in rows to predict."""
    parser.tables.add_argument(
        "--unknown",
        choices=("refuse", "gap"),
        default="refuse",
        metavar="HOW",
        help="what no column of numbers has held: refuse, or gap, as if it were not known"
        " (default: refuse)",
    )


def _named_column(word):
    """Return the name or number of a column."""
    if not word.strip():
        raise argparse.ArgumentTypeError("the name of the column is empty")
    return " ".join(word.split())


def _listed_columns(words):
    """Return names or numbers of columns; a name with a comma stands in double quotes.

    >>> _listed_columns('id,"last, first"')
    ['id', 'last, first']
    """
    return [_named_column(word) for word in fields_of(words)]


def fields_of(words):
    """Return what commas part, but those within double quotes."""
    if '"' not in words:
        return words.split(",")
    import csv  # which few command lines need

    try:
        return next(csv.reader([re.sub(r"[\r\n]", " ", words)], skipinitialspace=True))
    except csv.Error:
        raise argparse.ArgumentTypeError(
            f"{quote(words)} cannot be read as a list of names"
        ) from None


def model_file(parser, **options):
    """Add the argument MODEL."""
    parser.add_argument(
        "model",
        metavar="MODEL",
        type=source,
        help="a LIBSVM model file; - is standard input",
        **options,
    )
    if hasattr(parser, "tables"):  # the command takes DATA
        parser.label.help = parser.label.help.replace("last", "those of the model, or the last")
        unknown_option(parser)


def line_to_type(command, files, options):
    """Return the line that gives a command these files and options."""
    words = [word for option in options for word in option]
    return shell_words([*PROGRAM.split(), command, *map(file_word, files), *words])


def _no_parameter(path, names):
    """Return the name of a file as no sentence has that of an option or a row: in its folder.

    >>> _no_parameter("kernel", ["kernel"]), _no_parameter("heart", ["kernel"])
    ('./kernel', 'heart')
    """
    sentence = f"{path} is it"
    return path if in_words_of_options(sentence, names) == sentence else f"./{path}"


def file_word(path):
    """Return the name of a file as a word that is no option.

    >>> file_word("heart.csv"), file_word("-heart.csv"), file_word(STDIN)
    ('heart.csv', './-heart.csv', '-')
    """
    if path == STDIN:
        return "-"
    return f"./{path}" if path[:1] == "-" and path != "-" else path


def _option_words(option, value):
    """Return an option with its value as words; a value that begins with a dash needs a sign.

    >>> _option_words("--label", "ill"), _option_words("--label", "-x")
    (['--label', 'ill'], ['--label=-x'])
    """
    return [f"{option}={value}"] if value[:1] == "-" else [option, value]


def columns_to_type(option, names):
    """Return an option with names of columns, for a sentence; see arguments.fields_of.

    >>> print(columns_to_type("--drop", ["id", 'the "last", first']))
    --drop 'id,"the ""last"", first"'
    """
    quoted = [
        '"' + name.replace('"', '""') + '"' if set(name) & set(',"') else name for name in names
    ]
    return shell_words(_option_words(option, ",".join(quoted)))


def name_of_option(words):
    """Return which option words are.

    >>> name_of_option(["--C", "1"]), name_of_option(["--C=1"]), name_of_option(["-v5"])
    ('--C', '--C', '-v')
    """
    return words[0].partition("=")[0] if words[0].startswith("--") else words[0][:2]
