"""Which files of refsvm a reader passes from a Problem to a prediction:  python3 tests/way.py

It runs five points through smo, with a Gaussian too, and through textbook_smo, and prints each
file in which a line ran, in the order in which they were met, and which of its functions.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import refsvm  # noqa: E402

X, Y = [[0.0, 1.0], [1.0, 0.5], [3.0, 2.0], [4.0, 1.0], [2.5, 3.0]], [-1, -1, 1, 1, 1]
WAYS = {
    "smo": lambda: way(refsvm.smo, refsvm.Linear()),
    "smo with a Gaussian": lambda: way(refsvm.smo, refsvm.Gaussian(0.5)),
    "textbook_smo": lambda: way(refsvm.textbook_smo, refsvm.Linear()),
}


def way(solver, kernel):
    return solver(refsvm.Problem(X, Y, kernel)).model().predictions(X)


def files_of(run):
    """{file of refsvm: names of its functions} that are called, in the order of the first call."""
    seen = {}

    def note(frame, event, _):
        path = Path(frame.f_code.co_filename)
        if event == "call" and ROOT / "refsvm" in path.parents:
            name = str(path.relative_to(ROOT / "refsvm"))
            seen.setdefault(name, {})[frame.f_code.co_name] = None

    run()  # what is imported once is no part of the way
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return seen


def main():
    for name, run in WAYS.items():
        seen = files_of(run)
        print(f"{name}: {sum(map(len, seen.values()))} functions in {len(seen)} files")
        for path, functions in seen.items():
            print(f"    {path:34} {', '.join(f for f in functions if f[0] != '<')}")


if __name__ == "__main__":
    main()
