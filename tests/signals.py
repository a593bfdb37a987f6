"""Ends commands at random moments: nothing may run on, and no file or traceback may be left.

    python3 -m tests --python tests/signals.py [--count 200] [--seed 1]

Searches with two processes, audits, and questions to a program that never ends, ended by Ctrl-C,
TERM, HUP or KILL after up to four seconds. Of a command that is killed a process that has not
begun yet may still say so: Python starts it, and its words are not counted.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = (["grid", "rows.csv", "--jobs", "2", "--pure"], ["audit", "refsvm:textbook_smo"],
            ["conform", "sh -c 'sleep 1000 & while :; do :; done'"])
SIGNALS = "SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"
MARK = "REFSVM_SIGNALS"
PATIENCE = 5.0  # seconds in which what a command has started must end with it


def rows():
    lines = [f"{i % 97},{i % 89},{i % 83},{'no' if i * 7 % 3 else 'yes'}" for i in range(1200)]
    return "\n".join(["a,b,c,y", *lines, ""])


def still_running(mark):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            environment = Path("/proc", pid, "environ").read_bytes()
        except OSError:
            continue
        if f"{MARK}={mark}".encode() in environment.split(b"\0"):
            found.append(int(pid))
    return found


def what_is_left(command, name, seconds):
    """What is wrong after a command was ended so, in words; "" if nothing is."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as files:
        Path(folder, "rows.csv").write_text(rows())
        mark = f"{os.getpid()}-{time.monotonic_ns()}"
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        process = subprocess.Popen(
            [sys.executable, "-m", "refsvm", *command], cwd=folder, text=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
            env={**os.environ, "TMPDIR": files, "PYTHONPATH": path, MARK: mark})
        time.sleep(seconds)
        process.send_signal(getattr(signal, name))
        try:
            _, said = process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            return "what it started holds its output open"
        until = time.monotonic() + PATIENCE
        while (still_running(mark) or os.listdir(files)) and time.monotonic() < until:
            time.sleep(0.1)
        left = [*still_running(mark), *os.listdir(files)]
        for pid in still_running(mark):
            os.kill(pid, signal.SIGKILL)
        # A process that ends while Python starts may say so, in Python's own words.
        if "Traceback" in said and "refsvm" in said and name != "SIGKILL":
            left.append(said)
        return " ".join(map(str, left))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for name in SIGNALS[:3]:  # which a shell lets what it starts in the background ignore
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    draw, failed = random.Random(given.seed), 0
    for k in range(given.count):
        command, name = COMMANDS[k % len(COMMANDS)], draw.choice(SIGNALS)
        seconds = draw.uniform(0.1, 4)
        left = what_is_left(command, name, seconds)
        if left:
            failed += 1
            print(f"{command[0]}, {name} after {seconds:.2f} s: {left}")
    print(f"{given.count} commands ended, {failed} left something")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
