"""Files to write: tried before the work, whole or not at all, and never a file that is read.

    path      of an output, as the caller gave it; /dev/stdout is sys.stdout, on any system
    target    the file that a path leads to, links followed; a pipe or a device has none
    part      a new file beside the target, which takes its place when it is whole

try_outputs asks of the system, and then undoes, what writing will ask of it. So what can be known
of a folder, a permission or a full disk is known before a machine is trained.

In a folder where others write, they may put a file or a link of theirs in the place of any name at
any time. So a name is looked up once. The folder stays open (Folder), and part and target are
names in it alone, whose links are not followed; the part is changed by what it was opened as.
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
LOOKS_UP_IN_FOLDERS = {os.open, os.stat, os.unlink, os.rename} <= os.supports_dir_fd
# A folder may be one in which files can be made and whose names cannot be listed (O_PATH: Linux).
OPENS_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0)


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
            with _folder_of(target, path) as folder, folder.new_file(0o666) as new:
                new.write(TRIAL_BYTES)
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
def writing(path: PathLike, is_new: bool = False) -> Iterator[TextIO]:
    """Open a text to write to; the file appears, whole, when the block ends without an error.

    The text goes to a new file in the same folder, which then takes the place of the old one, and
    both are on the disk when the block has ended. As with open(): a link is followed, but not one
    that another user has put into a folder where others may write; the permissions are those of
    the old file or of any new one; a file that may not be written is refused. Other than with
    open(): where the old file has another name, a hard link, that name keeps the old contents. A
    name that ends in .gz is gzipped, without a time in it, so that equal contents give equal
    bytes. A pipe or a device, which nothing can take the place of, is written directly; so is one
    file that is mounted. is_new: a file that is there is refused, be it made by another program
    meanwhile.
    """
    target = _target_of(path)
    if os.fsdecode(path) == STDOUT:
        with naming(STDOUT):
            held = io.StringIO()
            yield held
            _say_all(held.getvalue(), _standard_output())
    elif target is None:
        with (
            naming(path),
            open(path, "wb", opener=_open_device) as device,
            _text_into(device, path) as text,
        ):
            yield cast("TextIO", _Shown(text)) if device.isatty() else text
    else:
        with (
            _utf_8_alone(path),
            _folder_of(target, path, is_new) as folder,
            folder.new_file(folder.mode_of_target()) as new,
        ):
            with open(new.fileno(), "wb", closefd=False) as raw, _text_into(raw, path) as text:
                yield text
            folder.take_place(new)


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
    is_link = _is_own_link(name)
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
    if not stat.S_ISREG(mode):
        return None
    folder, last = os.path.split(name)
    # What was no link is none: a link that has come meanwhile is then found in its folder.
    return os.path.realpath(name) if is_link else os.path.join(os.path.realpath(folder), last)


def _is_own_link(name: str) -> bool:
    """Whether it is a link; one of another user where others may write is refused."""
    try:
        link, around = os.lstat(name), os.stat(os.path.dirname(name) or ".")
    except OSError:
        return False
    is_link = stat.S_ISLNK(link.st_mode)
    is_shared = is_link and around.st_mode & (stat.S_IWOTH | stat.S_IWGRP)
    if is_shared and hasattr(os, "geteuid") and link.st_uid not in {os.geteuid(), around.st_uid}:
        why = f"it is a link of another user, to {os.path.realpath(name)}"
        raise PermissionError(errno.EACCES, why, name)
    return is_link


def _open_device(name: str, flags: int) -> int:
    """Open a pipe or a device; a file that has taken its place is refused, and keeps its bytes."""
    number = os.open(name, flags & ~(os.O_CREAT | os.O_TRUNC) | getattr(os, "O_NOCTTY", 0))
    if stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise _taken(name)
    return number


def _taken(name: str) -> PermissionError:
    return PermissionError(errno.EPERM, "another program has put a file in its place", name)


@contextmanager
def _folder_of(target: str, path: PathLike, is_new: bool = False) -> Iterator[Folder]:
    """Give the Folder of a target; the part is not there when the block ends."""
    with naming(path, os.path.dirname(target) or "."):
        folder = Folder(target)
    try:
        with naming(path, folder.part):
            if is_new:
                folder.keep_place()
            yield folder
    except BaseException:
        folder.give_up_place()
        raise
    finally:
        folder.close()


class Folder:
    """The folder of a target, open while a file is made in it.

    number    what the folder is open as; None where the system looks up no names in such (Windows)
    part      the name of the new file; name: of the target; in the folder, or with it if None
    old       the file that was there, if one was
    """

    def __init__(self, target: str) -> None:
        folder, self.name = os.path.split(target)
        self.part, self.number = f".{os.urandom(8).hex()}.part", None
        self.kept: os.stat_result | None = None
        if LOOKS_UP_IN_FOLDERS:
            self.number = os.open(folder or ".", OPENS_FOLDER)
        else:
            self.part, self.name = os.path.join(folder, self.part), target
        try:
            self.old: os.stat_result | None = self.look_at(self.name)
        except FileNotFoundError:
            self.old = None
        if self.old is not None and not stat.S_ISREG(self.old.st_mode):
            self.close()
            raise _taken(target)

    def close(self) -> None:
        """Remove the part, if it is still there, and close the folder."""
        with suppress(FileNotFoundError):
            os.unlink(self.part, dir_fd=self.number)
        if self.number is not None:
            os.close(self.number)

    def keep_place(self) -> None:
        """Make the target, empty; FileExistsError if it is there."""
        with open(self.name, "xb", opener=self.opener(0o666)) as empty:
            self.kept = os.fstat(empty.fileno())

    def give_up_place(self) -> None:
        """Remove the target if it is the empty one."""
        if self.kept is not None:
            with suppress(FileNotFoundError):
                if os.path.samestat(self.kept, self.look_at(self.name)):
                    os.unlink(self.name, dir_fd=self.number)

    def look_at(self, name: str) -> os.stat_result:
        """Return what is there under a name; a link itself."""
        return os.stat(name, dir_fd=self.number, follow_symlinks=False)

    def mode_of_target(self) -> int:
        """Return the permissions of the old file, if there was one, else those of a new one."""
        return 0o666 if self.old is None else self.old.st_mode & 0o777

    def opener(self, mode: int) -> Any:
        """Return what opens a file in the folder, and no link."""
        more = getattr(os, "O_NOFOLLOW", 0)
        return lambda name, flags: os.open(name, flags | more, mode, dir_fd=self.number)

    def new_file(self, mode: int) -> IO[bytes]:
        """Return the part: new, binary, open, of this mode at most."""
        return open(self.part, "x+b", opener=self.opener(mode))

    def take_place(self, new: IO[bytes]) -> None:
        """Put the part, open as `new`, in the place of the target, with its permissions."""
        number = new.fileno()
        if self.old is not None and hasattr(os, "fchown"):
            with suppress(PermissionError):
                os.fchown(number, self.old.st_uid, self.old.st_gid)
            os.fchmod(number, self.mode_of_target())
        os.fsync(number)
        if os.name == "nt":  # which replaces no file that is open
            new.close()
        elif not os.path.samestat(os.fstat(number), self.look_at(self.part)):
            raise _taken(self.part)
        try:
            at = self.number
            os.replace(self.part, self.name, src_dir_fd=at, dst_dir_fd=at)
        except OSError as error:
            if error.errno not in KEEPS_ITS_PLACE or self.old is None or new.closed:
                raise
            self.write_into_target(new)
        else:
            self.sync()

    def write_into_target(self, new: IO[bytes]) -> None:
        """Write the whole contents of the part into a target that keeps its place."""
        new.seek(0)
        with open(self.name, "r+b", opener=self.opener(0)) as target:
            if not os.path.samestat(os.fstat(target.fileno()), cast("os.stat_result", self.old)):
                raise _taken(self.name)
            target.write(new.read())
            target.truncate()
            target.flush()
            os.fsync(target.fileno())

    def sync(self) -> None:
        """Let the disk know the new name, where the system does that."""
        with suppress(OSError):
            number = os.open(".", os.O_RDONLY, dir_fd=self.number)
            try:
                os.fsync(number)
            finally:
                os.close(number)


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
