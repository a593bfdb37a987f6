"""exercise [NAME [FILE]], exercise FOLDER: functions to write, and what checks them."""

import os
from itertools import groupby

from ..exercises.catalogue import EXERCISES
from ..files import STDOUT
from ..files.outputs import writing
from ..numerics.quoting import quote, visible
from .arguments import PROGRAM, STDIN, nearest, source, target
from .console import cells, padded, plural, say, say_written, show, table

EXAMPLE = """\
  python3 -m refsvm exercise
  python3 -m refsvm exercise hinge -o hinge.py
  python3 -m refsvm exercise hinge hinge.py
  python3 -m refsvm exercise class

The last line marks the files of a folder, and of the folders in it: a row for each file, a column
for each exercise.

The exit status is 0 if the function is right, 1 if it is wrong, 2 if the file does not have it or
no answer comes. Of a folder it is 0 if all functions in it are right, 1 if one is not, 2 if there
is none. A file is run as any program is, with your rights."""
COLUMN_GAP = 2  # blanks between a name and what it stands for


def arguments(parser):
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="the function to write, or a folder to mark (default: list them all)",
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        type=source,
        help="the Python file that holds the function, to be checked (default: print the task)",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE.py",
        type=target,
        help="write the task to this file, in which the body is missing; not over another file",
    )


def run(given):
    if given.name is None:
        _refuse_output(given, "without NAME")
        return _list_all()
    if given.name not in EXERCISES and given.file is None and os.path.isdir(given.name):
        _refuse_output(given, "with a folder")
        return _mark_folder(given.name)
    if given.name not in EXERCISES:
        meant = nearest(given.name, EXERCISES)
        raise ValueError(
            f"{quote(given.name)} is no exercise{meant}; {PROGRAM} exercise lists them all"
        )
    exercise = EXERCISES[given.name]
    if given.file is None:
        return _print_task(exercise, given.output)
    _refuse_output(given, "with FILE")
    if given.file == STDIN:
        raise ValueError("FILE is standard input; it is read by another process, so name a file")
    from ..exercises.student_file import judge_file  # which takes long to import

    return _print_assessment(judge_file(exercise, given.file))


def _refuse_output(given, why):
    """Refuse -o where no task is printed."""
    if given.output is not None:
        raise ValueError(f"-o is given {why}, but it takes the task of one exercise")


def _list_all():
    """Print every exercise below its chapter; the exit status."""
    width = max(map(cells, EXERCISES)) + COLUMN_GAP
    for chapter, several in groupby(EXERCISES.values(), lambda exercise: exercise.chapter):
        say(chapter)
        show(f"{exercise.name:{width}}{exercise.summary()}" for exercise in several)
    say(f"{PROGRAM} exercise NAME -o FILE.py writes the task of one.")
    return 0


def _print_task(exercise, path):
    """Print the file that a student begins with, or write it; the exit status."""
    text = exercise.file_text(PROGRAM)
    if path is None or path == STDOUT:
        say(*text.split("\n"), end="")
        return 0
    try:
        with writing(path, is_new=True) as out:
            out.write(text)
    except FileExistsError:
        raise ValueError(f"{path} exists and may hold your work; name another file") from None
    say_written(path)
    return 0


def _mark_folder(folder):
    """Print how each file of a folder does, a row when it is marked; the exit status."""
    from ..exercises.student_file import NONE, OUTCOMES, RIGHT, handed_in, mark, python_files

    handed = {path: handed_in(path) for path in python_files(folder)}
    found = {name for each in handed.values() if each for name in each.names}
    names = [name for name in EXERCISES if name in found]
    if not names:
        torn = [*handed.values()].count(None)
        why = f"; {plural(torn, 'file')} cannot be read as Python" if torn else ""
        raise ValueError(f"no Python file of {folder} has a function of an exercise{why}")
    shown = {path: visible(path.relative_to(folder).as_posix()) for path in handed}
    widths = [max(map(cells, ["file", *shown.values()]))]
    widths += [max(map(cells, [name, *OUTCOMES])) for name in names]
    marks = set()

    def show_row(words):
        say("  ".join(map(padded, words, widths, "l" * len(words))).rstrip())

    show_row(["file", *names])
    for path, each in handed.items():
        row = [mark(EXERCISES[name], path, each) for name in names]
        show_row([shown[path], *row])
        marks |= {*row}
    say(f"{PROGRAM} exercise NAME FILE shows what is wrong with one.")
    return 0 if marks <= {RIGHT, NONE} else 1


def _print_assessment(found):
    """Print what was found; the exit status."""
    say(found.sentence)
    if found.shown:
        show(table([[name, value] for name, value in found.shown], "ll"))
    return 0 if found.right else 1 if found.answered else 2
