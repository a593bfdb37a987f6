"""Lines to type, as commands print them: whatever a name holds, the line does what it says.

files     what a line names without an option; one that begins with a dash is named in its folder
options   each with its values, as the words of a command line
"""

from ..numerics.quoting import shell_words
from .arguments import PROGRAM, STDIN


def line_to_type(command, files, options):
    """Return the line that gives a command these files and options."""
    words = [word for option in options for word in option]
    return shell_words([*PROGRAM.split(), command, *map(file_word, files), *words])


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
