"""Files to write: tried before the work, whole or not at all, never over a file that is read."""

import gzip
import os
import stat
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from refsvm.commands import main
from refsvm.files import outputs
from refsvm.files.outputs import STDOUT, try_outputs, writing
from refsvm.tables.data import write_data

posix = pytest.mark.skipif(os.name != "posix", reason="links and permissions are those of POSIX")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").write_text("what was there")
    (tmp_path / "folder").mkdir()
    return tmp_path


def contents(folder):
    """Names, kinds, permissions and owners; of files also what they hold and since when.

    Left out is what a look changes: when a file was read, and when a folder last changed.
    """
    return {path.name: content(path) for path in folder.iterdir()}


def content(path):
    seen = path.lstat()
    held = (path.read_bytes(), seen.st_mtime_ns) if path.is_file() else None
    return seen.st_mode, seen.st_ino, seen.st_uid, seen.st_gid, held


# Tried before


def test_what_can_be_written_is_tried_and_nothing_changes(folder):
    before = contents(folder)
    try_outputs(["there", "new", "folder/new", os.devnull, STDOUT], ["folder/other"])
    assert contents(folder) == before and os.listdir("folder") == []


@pytest.mark.parametrize("path, why", [
    ("folder", "it is a folder"), ("new/", "it is a folder"), ("", "it is a folder"),
    ("no/new", "there is no folder no"), ("there/new", "there is no folder there"),
    ("n" * 999, "the name is too long for this system; choose a shorter one"),
])
def test_what_cannot_be_written_is_refused_in_a_sentence(folder, path, why):
    before = contents(folder)
    with pytest.raises(ValueError) as refused:
        try_outputs(["other", path])
    assert str(refused.value) == f"{path} cannot be written; {why}"
    assert contents(folder) == before


@pytest.mark.parametrize("call, error", [
    ("write", OSError(28, "No space left on device")), ("open", PermissionError(13, "denied")),
])
def test_a_full_disk_and_a_kept_folder_are_found_out(folder, monkeypatch, call, error):
    class Full:
        def __init__(self, name, mode, opener):
            self.name = name
            if call == "open":
                raise type(error)(*error.args, name)

        def __enter__(self):
            open(self.name, "x").close()
            return self

        def __exit__(self, *ignored):
            pass

        def write(self, block):
            raise error

    monkeypatch.setattr("refsvm.files.outputs.open", Full, raising=False)
    with pytest.raises(ValueError, match=f"^new cannot be written; {error.strerror}$"):
        try_outputs(["new"])
    assert sorted(os.listdir()) == ["folder", "there"]


@posix
def test_two_names_of_one_file_are_seen_through(folder):
    os.link("there", "hard")
    os.symlink("there", "soft")
    os.symlink("folder", "way")
    os.symlink("not yet", "later")
    for name in ("there", "./there", "folder/../there", str(folder / "there"), "hard", "soft"):
        for inputs, written in ((["there"], [name]), ([name], ["there"]), ([], ["there", name])):
            with pytest.raises(ValueError, match="it is .*already; name another"):
                try_outputs(written, inputs)
    for one, other in (("folder/new", "way/new"), ("later", "not yet"), (STDOUT, STDOUT)):
        with pytest.raises(ValueError, match="already"):
            try_outputs([one, other])
    try_outputs([os.devnull, os.devnull, "soft"], [os.devnull, "folder"])


def test_a_file_that_standard_output_goes_to_is_in_use(folder, monkeypatch):
    with open("there", "a") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        for outputs, inputs in ((["there"], []), ([], ["there"]), ([STDOUT], ["there"])):
            with pytest.raises(ValueError, match="already"):
                try_outputs(outputs, inputs)
        try_outputs([STDOUT, "new"], ["other"])
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(ValueError, match="^/dev/stdout cannot be written; it is closed$"):
        try_outputs([STDOUT])


# Whole or not at all


class Stop(BaseException):
    """What a reader pressing the keys for an interrupt may raise anywhere."""


@pytest.mark.parametrize("name", ["new", "old", "new.gz", "old.gz"])
def test_an_error_in_the_middle_leaves_the_old_file_or_none(tmp_path, name):
    if name.startswith("old"):
        (tmp_path / name).write_bytes(b"what was there")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(Stop), writing(tmp_path / name) as file:
        file.write("half of it" * 100_000)
        assert len(list(tmp_path.iterdir())) == len(before) + 1
        raise Stop
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_disk_that_fails_at_the_end_leaves_the_old_file(tmp_path, monkeypatch):
    write_data(tmp_path / "old", [[1]], [1])

    def full(part, target, **folders):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        write_data(tmp_path / "old", [[2]], [1])
    assert os.listdir(tmp_path) == ["old"]
    assert (tmp_path / "old").read_text() == "1 1:1\n"


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX here")
@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_permissions_are_those_that_open_gives(tmp_path, umask):
    before = os.umask(umask)
    try:
        write_data(tmp_path / "ours", [[1]], [1])
        (tmp_path / "theirs").write_text("")
        (tmp_path / "kept").write_text("")
        os.chmod(tmp_path / "kept", 0o640)
        write_data(tmp_path / "kept", [[1]], [1])
    finally:
        os.umask(before)
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode
    assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o640


@pytest.mark.skipif(os.name != "posix", reason="symbolic links need rights elsewhere")
def test_a_link_is_followed_and_stays_a_link(tmp_path):
    (tmp_path / "far").mkdir()
    for target in ("far/there", "far/not yet there"):
        link = tmp_path / "link"
        link.symlink_to(target)
        write_data(link, [[1]], [1])
        assert link.is_symlink()
        assert (tmp_path / target).read_text() == "1 1:1\n"
        link.unlink()
        write_data(tmp_path / "far/there", [[2]], [1])
    assert sorted(os.listdir(tmp_path / "far")) == ["not yet there", "there"]


def test_a_file_that_may_not_be_written_is_refused_and_kept(tmp_path):
    path = tmp_path / "kept"
    path.write_text("what was there")
    os.chmod(path, 0o444)
    with pytest.raises(PermissionError):
        write_data(path, [[1]], [1])
    assert os.listdir(tmp_path) == ["kept"]
    assert path.read_text() == "what was there"


def test_a_folder_that_is_missing_is_an_error_that_names_the_file(tmp_path):
    path = tmp_path / "missing" / "new"
    with pytest.raises(FileNotFoundError) as refused:
        write_data(path, [[1]], [1])
    assert refused.value.filename == path
    with pytest.raises(OSError):
        write_data(tmp_path, [[1]], [1])


def test_equal_data_gives_equal_bytes_gzipped_too(tmp_path):
    for name in ("a.gz", "b.gz"):
        write_data(tmp_path / name, [[1, 2], [3, 4]], [1, -1])
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert (tmp_path / "a.gz").read_bytes()[4:8] == bytes(4)  # where gzip keeps the time
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"1 1:1 2:2\n-1 1:3 2:4\n"


@posix
def test_a_file_that_cannot_be_replaced_is_written_into(folder, monkeypatch):
    def mounted(part, target, **folders):
        raise OSError(16, "Device or resource busy", part, None, target)

    number = os.stat("there").st_ino
    monkeypatch.setattr(os, "replace", mounted)
    write_data("there", [[2]], [1])
    assert (folder / "there").read_text() == "1 1:2\n" and os.stat("there").st_ino == number
    assert sorted(os.listdir()) == ["folder", "there"]
    with pytest.raises(OSError, match="busy.*new"):
        write_data("new", [[2]], [1])


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_stays(folder):
    os.chown("there", 12345, 54321)
    write_data("there", [[2]], [1])
    assert (os.stat("there").st_uid, os.stat("there").st_gid) == (12345, 54321)


@posix
def test_a_part_shows_no_more_than_the_file_did(folder):
    os.chmod("there", 0o600)
    with writing("there"):
        (part,) = (name for name in os.listdir() if name.endswith(".part"))
        assert stat.S_IMODE(os.stat(part).st_mode) == 0o600


@pytest.mark.parametrize("name", [STDOUT, os.devnull])
def test_streams_and_devices_are_written_to_as_they_are(capsys, name):
    write_data(name, [[1]], [1])
    assert capsys.readouterr().out == ("1 1:1\n" if name == STDOUT else "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_an_error_names_the_file_that_was_asked_for(monkeypatch):
    with pytest.raises(OSError, match="'/dev/full'"):
        write_data("/dev/full", [[1]], [1])
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(OSError, match="closed: '/dev/stdout'"):
        write_data(STDOUT, [[1]], [1])


# Nothing lost, nothing followed by name


ROOT = Path(__file__).parents[1]
UNBUFFERED = pytest.mark.parametrize("unbuffered", ["", "1"])
WRITES = "import sys; from refsvm.files import write_whole; write_whole(sys.stdout, 'x' * 400_000)"


def running(code, unbuffered, out, **options):
    """A Python that runs this, with standard output as given."""
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-c", code], stdout=out, env=environment, **options)


@posix
@UNBUFFERED
def test_a_pipe_that_does_not_wait_gets_all(unbuffered):
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    writer = running(WRITES, unbuffered, writes)
    os.close(writes)
    with open(reads, "rb") as pipe:
        time.sleep(0.2)  # until it is full
        assert len(pipe.read()) == 400_000
    assert writer.wait() == 0


@posix
@UNBUFFERED
def test_a_file_that_takes_a_part_only_is_told(folder, unbuffered):
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)); "
    with open("full", "wb") as full:
        writer = running(limit + WRITES, unbuffered, full, stderr=subprocess.PIPE)
        _, told = writer.communicate()
    assert writer.returncode == 1 and b"File too large" in told


@posix
def test_a_link_in_the_place_of_the_new_file_is_not_followed(folder):
    secret = folder / "secret"
    secret.write_text("of one user")
    secret.chmod(0o600)
    (folder / "there").chmod(0o666)
    before = content(secret), content(folder / "there")
    with (pytest.raises(PermissionError, match="another program has put a file in its place"),
          writing("there") as text):
        text.write("new")
        (part,) = folder.glob(".*.part")
        part.unlink()
        part.symlink_to(secret)
    assert (content(secret), content(folder / "there")) == before


# Another user in the folder
#
# Who may write in the folder may put anything in the place of any name, at any moment. The worst
# moments are made here: when the new file is whole, and before it takes its place.

WRITERS = [
    "scale rows -o OUT", "scale rows -o /dev/null --save OUT", "train rows -o OUT",
    "predict rows model -o OUT", "export model -o OUT", "plot rows -o OUT",
    "trace rows -o OUT", "grid rows --C 1,10 --kernel linear -o OUT",
    "grid rows --C 1,10 --kernel linear --table OUT", "exact rows --kernel linear --coq OUT.v",
    "explain rows model -o OUT", "demo -o OUT", "exercise hinge -o OUT",
    "audit refsvm:textbook_smo --case C?? -o OUT.json",
    "conform CONFORMING --type exp -o OUT.xml",
]


@pytest.fixture
def attacked(folder):
    """A folder with data, a model, and a secret file; what the secret was, as a function tells."""
    (folder / "rows").write_text("".join(
        f"{1 if k % 3 else -1} 1:{k % 7} 2:{k * k % 11}\n" for k in range(20)))
    assert main(["train", "rows", "-o", "model", "--pure"]) == 0
    (folder / "secret").write_text("of one user")
    (folder / "secret").chmod(0o600)
    before = content(folder / "secret")
    return lambda: content(folder / "secret") == before


def in_place_of(part, *, wins):
    """fsync that puts, once, a link to the secret where the new file, or the target, is."""

    def sync(number):
        for name in [] if wins else os.listdir():
            if name.endswith(".part") if part else name.startswith("OUT"):
                os.unlink(name)
                os.symlink("secret", name)
                wins.append(name)

    return sync


def words_of(line):
    program = f"{sys.executable} -m refsvm.conformance.bits.answering"
    return [program if word == "CONFORMING" else word for word in line.split()]


@posix
@pytest.mark.parametrize("line", WRITERS)
def test_no_command_writes_where_a_link_in_the_place_of_its_new_file_leads(
    attacked, monkeypatch, capsys, line
):
    wins = []
    monkeypatch.setattr(os, "fsync", in_place_of(True, wins=wins))
    assert main(words_of(line)) == 2
    assert "another program has put a file in its place" in capsys.readouterr().err
    assert wins and attacked() and not [name for name in os.listdir() if name.endswith(".part")]


@posix
@pytest.mark.parametrize("line", WRITERS)
def test_no_command_writes_where_a_link_in_the_place_of_its_target_leads(
    attacked, monkeypatch, line
):
    wins, name = [], line.split()[-1]
    if "exercise" not in line:
        Path(name).write_text("old")
    monkeypatch.setattr(os, "fsync", in_place_of(False, wins=wins))
    assert main(words_of(line)) in (0, 1)
    assert wins and attacked() and not os.path.islink(name) and Path(name).read_text() != "old"


@posix
def test_one_who_races_for_the_new_file_does_not_win(attacked, folder):
    code = """if True:
        import os
        while True:
            for name in os.listdir():
                if name.endswith(".part"):
                    try:
                        os.symlink("secret", "made")
                        os.rename("made", name)
                    except OSError:
                        pass
        """
    racing = running(code, "", None, cwd=folder)
    try:
        time.sleep(0.5)
        for _ in range(20):
            with suppress(OSError):
                write_data("shared", [[float(k)] for k in range(2000)], [1] * 2000)
    finally:
        racing.kill()
        racing.wait()
    assert attacked()


@posix
def test_a_file_that_is_made_meanwhile_is_not_written_over(folder, capsys, monkeypatch):
    real = os.path.realpath

    def later(name, **options):
        Path("mine.py").write_text("my work")
        return real(name, **options)

    monkeypatch.setattr(os.path, "realpath", later)
    assert main(["exercise", "hinge", "-o", "mine.py"]) == 2
    assert "mine.py exists and may hold your work" in capsys.readouterr().err
    assert Path("mine.py").read_text() == "my work"


@posix
def test_a_file_that_is_new_is_whole_or_not_there(folder):
    with pytest.raises(Stop), writing("mine.py", is_new=True) as file:
        file.write("half")
        raise Stop
    assert sorted(os.listdir()) == ["folder", "there"]
    with writing("mine.py", is_new=True) as file:
        file.write("whole")
    assert Path("mine.py").read_text() == "whole"
    with pytest.raises(FileExistsError), writing("mine.py", is_new=True):
        pass


@posix
def test_a_file_in_the_place_of_a_pipe_keeps_its_bytes(folder, monkeypatch):
    os.mkfifo("pipe")
    real = os.open

    def exchanged(name, flags, *more, **folders):
        if name == "pipe":
            os.unlink("pipe")
            os.symlink("there", "pipe")
        return real(name, flags, *more, **folders)

    monkeypatch.setattr(os, "open", exchanged)
    with pytest.raises(PermissionError, match="another program has put a file in its place"):
        write_data("pipe", [[1]], [1])
    assert (folder / "there").read_text() == "what was there"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("mode", [0o1777, 0o775])
def test_a_link_of_another_user_where_others_may_write_is_not_followed(folder, mode):
    os.mkdir("shared")
    os.chmod("shared", mode)
    for target in ("there", "new"):
        os.symlink(folder / target, f"shared/{target}")
        os.lchown(f"shared/{target}", 12345, 12345)
        named = f"it is a link of another user, to {folder / target}"
        with pytest.raises(PermissionError, match=named):
            write_data(f"shared/{target}", [[1]], [1])
        os.lchown(f"shared/{target}", 0, 0)
        write_data(f"shared/{target}", [[1]], [1])
        assert (folder / target).read_text() == "1 1:1\n"


@posix
@pytest.mark.parametrize("name", ["new", "there"])
def test_a_link_that_comes_while_a_name_is_looked_up_is_not_followed(folder, monkeypatch, name):
    (folder / "other").write_text("not yours")
    real = outputs._is_own_link

    def planted(asked):
        found = real(asked)
        with suppress(FileNotFoundError):
            os.unlink(name)
        os.symlink("other", name)
        return found

    monkeypatch.setattr(outputs, "_is_own_link", planted)
    with pytest.raises(PermissionError, match="another program has put a file in its place"):
        write_data(name, [[1]], [1])
    assert (folder / "other").read_text() == "not yours" and os.path.islink(name)


@posix
def test_the_new_file_and_then_its_folder_are_on_the_disk(folder, monkeypatch):
    found = []
    monkeypatch.setattr(os, "fsync", lambda number: found.append(os.fstat(number).st_ino))
    write_data("there", [[1]], [1])
    assert found == [os.stat("there").st_ino, os.stat(folder).st_ino]


@posix
def test_another_name_of_the_file_keeps_the_old_contents(folder):
    os.link("there", "hard")
    write_data("there", [[1]], [1])
    assert Path("hard").read_text() == "what was there"


@posix
def test_a_folder_whose_names_cannot_be_listed_takes_a_file(folder):
    os.chmod("folder", 0o300)
    try:
        write_data("folder/new", [[1]], [1])
    finally:
        os.chmod("folder", 0o700)
    assert Path("folder/new").read_text() == "1 1:1\n"


def test_where_names_are_not_looked_up_in_folders_they_are_paths(folder, monkeypatch):
    monkeypatch.setattr("refsvm.files.outputs.LOOKS_UP_IN_FOLDERS", False)
    for name in ("there", "folder/new"):
        write_data(name, [[1]], [1])
        assert Path(name).read_text() == "1 1:1\n"
    assert os.listdir("folder") == ["new"]
