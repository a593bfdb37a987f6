"""Files to write: tried before the work, whole or not at all, and never a file that is read.

    path      of an output, as the caller gave it; /dev/stdout is sys.stdout, on any system
    target    the file that a path leads to, links followed; a pipe or a device has none
    part      a new file beside the target, which takes its place when it is whole

try_outputs asks of the system, and then undoes, what writing will ask of it. So what can be known
of a folder, a permission or a full disk is known before a machine is trained.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, TextIO, cast

from ..numerics.quoting import quote, visible
from . import STDOUT, write_whole
from .text import PathLike, brief, checked_path, naming

TRIAL_BYTES = bytes(4096)  # written on trial: a full disk may still take a file without contents
CURES = {  # for what systems refuse most
    errno.ENOENT: "there is no such file",
    errno.EISDIR: "it is a folder; name a file in it",
    errno.ENOTDIR: "what stands before the last / is a file and no folder",
    errno.EIO: "it cannot be read or written (input/output error); is it a plain file?",
    errno.ENAMETOOLONG: "the name is too long for this system; choose a shorter one",
    errno.ELOOP: "its links lead in a circle; name the file itself",
    errno.EMFILE: "too many files are open; ulimit -n allows more",
}
# How a system refuses to replace one file that is mounted, or another owner's in a shared folder.
KEEPS_ITS_PLACE = (errno.EBUSY, errno.EPERM, errno.EACCES)


def try_outputs(outputs: Iterable[str], inputs: Iterable[str] = ()) -> None:
    """Refuse, before the work, an output that cannot be written, or is another file in use.

    Two names are one file where links lead to the same: then an input would be lost, or one of
    two outputs. Standard output counts as an output even if none of them is that.
    """
    outputs = list(outputs)
    used: dict[object, tuple[str, str]] = {_file_identity(path): (path, "read") for path in inputs}
    for path in [*outputs, *([] if STDOUT in outputs else [STDOUT])]:
        key = _file_identity(path)
        if key in used and key is not None:
            other, does = used[key]
            same = "it is" if other == path else f"it is the file {other}, which is"
            raise ValueError(f"{path} cannot be written; {same} {does} already; name another")
        used[key] = path, "written"
    for path in outputs:
        _try_output(path)


def _file_identity(path: str) -> object:
    """Return what all names of a file have in common; None for a pipe or a device."""
    try:
        found = os.fstat(sys.stdout.fileno()) if path == STDOUT else os.stat(path)
    except (OSError, AttributeError):  # not there yet; or standard output is closed or no file
        return path if path == STDOUT else os.path.normcase(os.path.realpath(path))
    if stat.S_ISREG(found.st_mode):
        return found.st_dev, found.st_ino
    return path if path == STDOUT else None


def _try_output(path: str) -> None:
    """Refuse a file that could not be written; nothing that is there is changed."""
    try:
        target = _target_of(path)
        if target is not None:
            with _part_beside(target, path) as part, open(part, "xb") as raw:
                raw.write(TRIAL_BYTES)
        elif path == STDOUT:
            _standard_output()
        elif not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    except OSError as error:
        raise ValueError(f"{path} cannot be written; {reason(error, path)}") from None


def reason(error: OSError, path: str) -> str:
    """Return why a file cannot be written, in words."""
    if isinstance(error, IsADirectoryError):
        return "it is a folder"
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        named = os.path.dirname(path) or "."
        linked = os.path.dirname(os.path.realpath(path))
        folder = linked if os.path.isdir(named) else named
        if os.path.isdir(folder):  # as /proc
            return f"the folder {folder} takes no new file, so name one in another"
        return f"there is no folder {folder}"
    return words_of(error)


def words_of(error: OSError) -> str:
    """Return what a system refuses, with a cure where there is one."""
    if isinstance(error, FileNotFoundError) and error.filename is None:  # of os.getcwd
        return "the current folder is no longer there; change to another"
    words = CURES.get(error.errno or 0)
    return words or str(error.strerror or error)


@contextmanager
def writing(path: PathLike) -> Iterator[TextIO]:
    """Open a text to write to; the file appears, whole, when the block ends without an error.

    The text goes to a new file in the same folder, which then takes the place of the old one.
    As with open(): a link is followed, the permissions are those of the old file or of any new
    one, and a file that may not be written is refused. A name that ends in .gz is gzipped,
    without a time in it, so that equal contents give equal bytes. A pipe or a device, which
    nothing can take the place of, is written directly.
    """
    target = _target_of(path)
    if os.fsdecode(path) == STDOUT:
        with naming(STDOUT):
            held = io.StringIO()
            yield held
            _say_all(held.getvalue(), _standard_output())
    elif target is None:
        with naming(path), open(path, "wb") as device, _text_into(device, path) as text:
            yield cast("TextIO", _Shown(text)) if device.isatty() else text
    else:
        with (
            _utf_8_alone(path),
            _part_beside(target, path) as part,
            _new_file(part, target) as new,
        ):
            with open(new.fileno(), "wb", closefd=False) as raw, _text_into(raw, path) as text:
                yield text
            _take_place(part, new, target)


def _say_all(text: str, out: TextIO) -> None:
    """Print a whole text on standard output, or refuse it before anything is printed."""
    if out.isatty():
        text = printable(text)
    try:
        write_whole(out, text)
    except UnicodeEncodeError as error:
        sign = quote(error.object[error.start])
        name = codecs.lookup(getattr(out, "encoding", None) or "utf-8").name
        cure = "" if name.startswith("utf") else "set PYTHONIOENCODING=utf-8, or "
        raise ValueError(
            f"standard output is in {name}, which has no {sign}; {cure}name a file by -o"
        ) from None


def printable(text: str) -> str:
    """Return lines for a terminal: what would steer it is visible, as in a report.

    A file or a pipe gets the text as it is: there it is data, and a label must be found again.
    """
    return re.sub(r"[^\n\t]+", lambda found: visible(found[0]), text)


class _Shown:
    """A text file that leads to a terminal."""

    def __init__(self, text: TextIO) -> None:
        self.text = text

    def write(self, text: str) -> int:
        return self.text.write(printable(text))

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)


@contextmanager
def _utf_8_alone(path: PathLike) -> Iterator[None]:
    """Refuse what no file in UTF-8 can hold."""
    try:
        yield
    except UnicodeEncodeError as error:
        sign = quote(error.object[error.start])
        raise ValueError(
            f"{brief(path)} is written in UTF-8, which has no {sign}; rename what holds it"
        ) from None


def _standard_output() -> TextIO:
    """Return sys.stdout, refused if it is closed."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "it is closed", STDOUT)
    return sys.stdout


def _target_of(path: PathLike) -> str | None:
    """Return the file that a path leads to, if it has one; a folder or a file kept from being
    written is refused."""
    path = checked_path(path)
    name = os.fsdecode(path)
    if name == STDOUT:
        return None
    try:
        mode = os.stat(name).st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG if os.path.basename(name) else stat.S_IFDIR
    else:
        if stat.S_ISREG(mode):
            if not mode & 0o222:  # which would not stop root
                raise PermissionError(errno.EACCES, "it is read-only", path)
            os.close(os.open(name, os.O_WRONLY))  # refuses what open() refuses
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    return os.path.realpath(name) if stat.S_ISREG(mode) else None


@contextmanager
def _part_beside(target: str, path: PathLike) -> Iterator[str]:
    """Give the name of a new file beside the target, which is not there when the block ends."""
    part = os.path.join(os.path.dirname(target), f".{os.urandom(8).hex()}.part")
    try:
        with naming(path, part):
            yield part
    finally:
        with suppress(FileNotFoundError):
            os.unlink(part)


def _new_file(part: str, target: str) -> IO[bytes]:
    """Return a new binary file that no one can read who could not read the target."""
    mode = os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o666
    return open(part, "x+b", opener=lambda name, flags: os.open(name, flags, mode))


def _take_place(part: str, new: IO[bytes], target: str) -> None:
    """Put the part in the place of the target, with its permissions.

    In a folder where others write, they may put a file of theirs in the place of the part at any
    time. So the new file is never opened again, nor changed, by its name.
    """
    number = new.fileno()
    if os.path.exists(target) and hasattr(os, "fchown"):
        old = os.stat(target)
        with suppress(PermissionError):
            os.fchown(number, old.st_uid, old.st_gid)
        os.fchmod(number, stat.S_IMODE(old.st_mode))
    os.fsync(number)
    if os.name == "nt":  # which replaces no file that is open
        new.close()
    elif not os.path.samestat(os.fstat(number), os.lstat(part)):
        raise PermissionError(errno.EPERM, "another program has put a file in its place", part)
    try:
        os.replace(part, target)
    except OSError as error:
        if error.errno not in KEEPS_ITS_PLACE or not os.path.exists(target) or new.closed:
            raise
        # It can only be written into; its new contents are whole already.
        new.seek(0)
        with open(target, "r+b") as old_file:
            old_file.write(new.read())
            old_file.truncate()


@contextmanager
def _text_into(raw: IO[bytes], path: PathLike) -> Iterator[TextIO]:
    """Open a text whose bytes go into the binary file raw, gzipped if path says so."""
    if os.fsdecode(path).endswith(".gz"):
        import gzip  # which takes long to import

        packed: Any = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)
    else:
        packed = raw
    with io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as text:
        yield text
