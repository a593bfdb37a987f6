"""Look for a text that a reader answers wrongly, led by the lines of code that texts reach.

    python tests/fuzz_guided.py                          every reader, ten minutes each
    python tests/fuzz_guided.py table state --seconds 60     some of them
    python tests/fuzz_guided.py --file build/guided/..       one input again, by the name printed

The readers, the texts to begin with, and what is wrong are those of fuzz_readers.py; atheris, for
CPython on Linux, keeps each text that reaches a new line, and changes it further. The first letter
of an input chooses among the readers of a group. What was kept stays in build/guided. The exit
status is 1 if anything was found: a reader ends at its first finding.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from tests.__main__ import ROOT, installed  # noqa: E402

FOLDER = ROOT / "build" / "guided"
TOOLS = ["atheris>=3,<4"]
LONGEST = 4096  # bytes of an input
GROUPS = {
    "data": ["data", "width", "gram", "packed"],
    "table": ["table", "columns", "prepared"],
    "model": ["model", "preparing"],
    "scaling": ["scaling"],
    "problem": ["problem"],
    "certificate": ["certificate", *(f"certificate{k}" for k in range(5))],
    "certified": ["certified", *(f"certified{k}" for k in range(5))],
    "play": ["state", "question"],
    "audit": ["answer", "stored", "compared", "digested"],
}


def reader_of(group, content):
    """The reader that the first letter of an input chooses, and what it is to read."""
    names = GROUPS[group]
    return names[(content or b"\0")[0] % len(names)], content[1:]


def lead(group, seconds, seed):
    """Try inputs in this process until the time is over or something is found; never returns."""
    import atheris

    with atheris.instrument_imports(include=["refsvm"], enable_loader_override=False):
        import fuzz_readers

    kept = FOLDER / group
    kept.mkdir(parents=True, exist_ok=True)
    for k, name in enumerate(GROUPS[group]):
        for i, text in enumerate(fuzz_readers.READERS[name][1]):
            (kept / f"first-{name}-{i}").write_bytes(bytes([k]) + text)
    with tempfile.TemporaryDirectory() as folder:
        path, before = Path(folder) / "f", fuzz_readers.memory()

        def one(content):
            wrong = fuzz_readers.wrong_with(*reader_of(group, content), path)
            if wrong is None and fuzz_readers.memory() - before > fuzz_readers.MOST_MB:
                wrong = "too much memory"
            if wrong:
                print(f"{group}: {wrong}", flush=True)
                raise SystemError(wrong)

        def change(content, most, number):
            if number % 2:
                return atheris.Mutate(content, most)
            return fuzz_readers.changed(fuzz_readers.Random(number), content)[:most]

        words = [f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={LONGEST}"]
        words += ["-timeout=60", "-print_final_stats=1", "-verbosity=0"]
        words += [f"-artifact_prefix={FOLDER}/{group}-"]
        atheris.Setup([sys.argv[0], *words, str(kept)], one, custom_mutator=change)
        atheris.Fuzz()


def again(path):
    """Say what is wrong with the answer to the input in a file."""
    import fuzz_readers

    name, content = reader_of(Path(path).name.partition("-")[0], Path(path).read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        print(f"{name}, {content!r}: {fuzz_readers.wrong_with(name, content, Path(folder) / 'f')}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("groups", nargs="*", metavar="READER", help=", ".join(GROUPS))
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file")
    parser.add_argument("--in-this-process", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.file:
        return again(given.file)
    if given.in_this_process:
        sys.path.append(str(FOLDER / "tools"))
        return lead(given.groups[0], given.seconds, given.seed)
    if not installed(FOLDER / "tools", TOOLS, "10 seconds"):
        sys.exit("atheris cannot be installed: it is made for CPython on Linux")
    failed = []
    for group in given.groups or GROUPS:
        print(f"{group}:", flush=True)
        words = ["--in-this-process", f"--seconds={given.seconds}", f"--seed={given.seed}", group]
        if subprocess.call([sys.executable, __file__, *words]) != 0:
            failed.append(group)
    print(f"findings: {' '.join(failed) or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
