"""What a subject's process has started: found, measured, and ended with it; and its own lines.

A process that is asked leads a session of its own. To its group belong the processes of that
session, their descendants, and all that have its TOKEN in their environment, so that one that has
left session and parent (a daemon) is found, too. One that has emptied its environment besides is
found where the leader keeps orphans: those whose parent has ended are its children then (Linux).

Where /proc is (Linux) all of this holds. Where only ps is, the environment is not seen; where
neither is, the process alone is ended, and no memory is measured.

Memory is what is resident, of all the processes together: address space costs nothing, and some
programs reserve much of it.

A process of Python has private_lines, which the code that it runs does not have.
"""

from __future__ import annotations

import atexit
import faulthandler
import os
import signal
import subprocess
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from threading import Event, Thread
from typing import IO, NamedTuple, cast

TOKEN = "REFSVM_AUDIT"  # the name of the environment variable
PARENT = "REFSVM_AUDIT_PARENT"  # the variable with the number of the process that asks
FOLDER_PREFIX = "refsvm-audit-"  # of the temporary folder in which a process is asked
MOST_RESIDENT = 2 * 2**30  # bytes
MOST_PROCESSES = 500
TICK = 0.25  # seconds between two looks at the memory
HOUR = 3600.0
ORPHANED = 0.05  # seconds in which a parent that is ended is seen to be
SHELL = "/bin/sh"
PR_SET_CHILD_SUBREAPER = 36
ENDED = "ZX"  # states of what is only waited for
ROUNDS, PAUSE = 20, 0.02  # of ending what is found, until nothing is


class Running(NamedTuple):
    """A process: its parent, its session, when it started, and its resident bytes."""

    parent: int
    session: int
    started: str
    resident: int


def process_table() -> dict[int, Running]:
    """Return every process that can be seen, by its number; empty where there is no way."""
    if os.path.exists("/proc/self/stat"):
        rows = {int(name): _row_of_proc(name) for name in os.listdir("/proc") if name.isdigit()}
        return {pid: row for pid, row in rows.items() if row is not None}
    return _rows_of_ps() if os.name == "posix" else {}


def _row_of_proc(name: str) -> Running | None:
    """Return what is known of a process; None if it has ended."""
    try:
        with open(f"/proc/{name}/stat", "rb") as file:
            words = file.read().rpartition(b") ")[2].decode("ascii").split()
    except OSError:
        return None
    if not words or words[0] in ENDED:
        return None
    pages = int(words[21])
    return Running(int(words[1]), int(words[3]), words[19], pages * os.sysconf("SC_PAGE_SIZE"))


def _rows_of_ps() -> dict[int, Running]:
    """Return what ps says; the group stands for the session."""
    command = ["ps", "-A", "-o", "pid=,ppid=,pgid=,rss=,state=,lstart="]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, timeout=5).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    rows = {}
    for line in listed.splitlines():
        pid, parent, group, resident, state, started = line.split(None, 5)
        if state[0] not in ENDED:
            rows[int(pid)] = Running(int(parent), int(group), started, 1024 * int(resident))
    return rows


def _resident_share(pid: int, row: Running) -> int:
    """Return the resident bytes of a process, a page that others have, too, by its share."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            return 1024 * next(int(line.split()[1]) for line in file if line[:4] == b"Pss:")
    except (OSError, StopIteration):
        return row.resident


def queue_times(pids: Collection[int]) -> dict[str, float]:
    """Return the seconds that each thread of processes could have run and had no processor.

    Empty where the system does not tell (Linux does).
    """
    times = {}
    for pid in pids:
        with suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{thread}/schedstat", "rb") as file:
                    times[thread] = int(file.read().split()[1]) / 1e9
    return times


def _has_in_environment(pid: int, words: bytes) -> bool:
    """Return whether the environment with which a process began holds these words."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return words in file.read()
    except OSError:
        return False


def _with_descendants(found: set[int], rows: dict[int, Running]) -> set[int]:
    """Return processes and all that descend from them."""
    more = found
    while more:
        more = {pid for pid, row in rows.items() if row.parent in more and pid not in found}
        found = found | more
    return found


def _keep_orphans() -> None:
    """Make this process the parent of its descendants that lose theirs, where that can be done."""
    with suppress(ImportError, OSError, AttributeError):
        from ctypes import CDLL

        CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_all(token: str) -> None:
    """End what this process has started, and all whose environment has the token.

    An interruption may come between the start of a process and the note that it runs: what is
    about to end asks the system instead.
    """
    own, words = os.getpid(), f"{TOKEN}={token}".encode()

    def started() -> set[int]:
        rows = process_table()
        marked = {pid for pid in rows if _has_in_environment(pid, words)}
        return _with_descendants({own} | marked, rows) - {own}

    _kill_all(started)


def _kill_all(find: Callable[[], Collection[int]]) -> None:
    """Kill the processes that are found, until none is: some may start others meanwhile."""
    for _ in range(ROUNDS):
        found = find()
        for pid in found:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return
        time.sleep(PAUSE)


class ProcessGroup(Thread):
    """The processes that a leader has started, watched until they are ended.

    `broken` says which limit was exceeded; then they have been killed.
    """

    def __init__(self, leader: int, token: str, allowance: int = 0) -> None:
        super().__init__(daemon=True)
        self.leader, self.most = leader, MOST_RESIDENT + allowance
        self.token = f"{TOKEN}={token}".encode()
        row = process_table().get(leader)
        self.known = {leader: row.started} if row else {}  # when: numbers are used again
        self.others: dict[int, str] = {}  # those whose environment has been read in vain
        self.broken: str | None = None
        self.ending = Event()
        self.start()

    def members(self) -> dict[int, Running]:
        """Return the members that run."""
        rows = process_table()
        rows.pop(os.getpid(), None)
        found = {pid for pid, row in rows.items() if self.is_member(pid, row)}
        found = _with_descendants(found, rows)
        self.known = {pid: rows[pid].started for pid in found}
        return {pid: rows[pid] for pid in found}

    def is_member(self, pid: int, row: Running) -> bool:
        """Return whether a process is one for itself, not for its parent."""
        if row.session == self.leader or self.known.get(pid) == row.started:
            return True
        if self.others.get(pid) == row.started:
            return False
        found = _has_in_environment(pid, self.token)
        if not found:
            self.others[pid] = row.started
        return found

    def run(self) -> None:
        """Watch the limits until the end."""
        while not self.broken and not self.ending.wait(TICK):
            rows = self.members()
            if len(rows) > MOST_PROCESSES:
                self.broken = (
                    f"it had started more than {MOST_PROCESSES} processes, and was killed"
                )
            if self.is_too_large(rows):
                size = MOST_RESIDENT // 2**30
                self.broken = f"it used more than {size} GB of memory, and was killed"
        if self.broken:
            self.kill()

    def is_too_large(self, rows: dict[int, Running]) -> bool:
        """Return whether the memory of the members exceeds the limit; pages they share are one."""
        if sum(row.resident for row in rows.values()) <= self.most:  # exact: ints
            return False
        shares = [_resident_share(pid, row) for pid, row in rows.items()]
        return sum(shares) > self.most  # exact: ints

    def end(self) -> None:
        """End every member, and the watching."""
        self.ending.set()
        self.kill()
        self.join()

    def kill(self) -> None:
        """Kill the members until none is left, the leader last: it knows its children."""
        with suppress(OSError, AttributeError):  # it ends just now; this system cannot stop one
            if self.leader in self.members():
                os.kill(self.leader, signal.SIGSTOP)
        _kill_all(lambda: self.members().keys() - {self.leader})
        _kill_all(self.outside_its_group)

    def outside_its_group(self) -> Collection[int]:
        """Kill the leader's process group at once; return the members that run all the same."""
        with suppress(OSError, AttributeError):  # no such group; this system has none
            os.killpg(self.leader, signal.SIGKILL)
        return self.members()


# ---- in the process that is asked


def remove_orphaned(folder: str, parent: int) -> None:
    """Remove a temporary folder if the parent, which would have removed it, has ended.

    What it held open is closed a moment before that is seen.
    """
    until = time.monotonic() + ORPHANED
    while os.getppid() == parent:
        if time.monotonic() > until:
            return
        time.sleep(ORPHANED / 10)
    if os.path.basename(folder).startswith(FOLDER_PREFIX):
        from shutil import rmtree  # which takes long to import

        rmtree(folder, ignore_errors=True)


class Heir:
    """A shell that outlives this process, to end a program that knows nothing of refsvm.

    The system closes the shell's input when this process ends, however it ends; two lines come
    before that if nothing is left to do.
    """

    PROGRAM = (
        'read -r group || { rm -rf -- "$0"; exit; };'
        ' read -r _ || { kill -s KILL -- "-$group"; rm -rf -- "$0"; }'
    )

    def __init__(self, folder: str) -> None:
        self.shell = subprocess.Popen(
            [SHELL, "-c", self.PROGRAM, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )

    def note(self, group: int) -> None:
        """Tell it which process group to end."""
        self.say(f"{group}\n")

    def dismiss(self) -> None:
        """Let it end, as all is done."""
        self.say("0\n0\n")
        self.shell.communicate()

    def say(self, lines: str) -> None:
        with suppress(OSError, ValueError):  # the shell has ended already
            os.write(cast("IO[bytes]", self.shell.stdin).fileno(), lines.encode())


def _end_with(parent: int, folder: str) -> None:
    """End this process group when its parent has ended; it may be in a loop that never ends.

    A loop of compiled code may keep every thread of Python from running: it ends after an hour.
    """
    while os.getppid() == parent:
        faulthandler.dump_traceback_later(HOUR, exit=True)  # put off as long as Python runs
        time.sleep(1)
    remove_orphaned(folder, parent)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def private_lines() -> tuple[IO[str], IO[str]]:
    """Return standard input and output, which lead nowhere for all that follows.

    What that starts stays below this process, by which it is found when this one is ended. It
    leads a process group, which ends soon after the process that asks.
    """
    _keep_orphans()
    # One that ended while Python started here is not the parent any more.
    parent, folder = int(os.environ.pop(PARENT, os.getppid())), os.getcwd()
    atexit.register(remove_orphaned, folder, parent)
    Thread(target=_end_with, args=(parent, folder), daemon=True).start()
    lines = os.fdopen(os.dup(0), encoding="utf-8")
    writer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for number, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY)):
        nowhere = os.open(os.devnull, mode)
        os.dup2(nowhere, number)
        os.close(nowhere)
    return lines, writer
