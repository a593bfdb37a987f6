"""How long Python takes to start and import, with and without what trains a first machine:

    python3 tests/bench/import_time.py

Time of the processor for the whole process, without the site's own packages; the smallest of many
processes, in turns: what is larger is the machine's doing. Exit status 1 beyond a limit.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RUNS = 20
FIT = "SVC().fit([[0.0], [1.0]], [0, 1])"
LIMITS = {  # ms
    "": None,
    "import refsvm": 15,
    f"import refsvm; refsvm.{FIT}": 50,
    "import refsvm_fast; refsvm_fast.SVC": 55,
    f"import refsvm_fast; refsvm_fast.{FIT}": 60,
}


def measured(code):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # sources are not compiled at every import
    whole = f"{code}\nimport time; print(1000 * time.process_time())"
    return float(subprocess.check_output([sys.executable, "-S", "-c", whole], env=environment))


def main():
    runs = [[measured(code) for code in LIMITS] for _ in range(RUNS)]
    slow = False
    for (code, limit), times in zip(LIMITS.items(), zip(*runs)):
        least = min(times)
        slow |= limit is not None and least > limit
        print(f"{least:5.1f} ms  {code or 'Python alone'}{limit and f', at most {limit}' or ''}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
