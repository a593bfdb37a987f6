"""How long `import refsvm` takes, and `import refsvm_fast` after it:

    python3 tests/bench/import_time.py

Time of the processor, the smallest of many processes, each of which imports the one and then the
other; what is larger is the machine's doing. Exit status 1 if one takes more than its limit.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LIMIT, LIMIT_FAST = 20.0, 5.0  # ms
RUNS = 20
CODE = """
from time import process_time as now
begun = now()
import refsvm
oracle = now()
import refsvm_fast
print(oracle - begun, now() - oracle, refsvm_fast.COMPILED)
"""


def measured():
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # sources are not compiled at every import
    words = subprocess.check_output([sys.executable, "-c", CODE], env=environment).split()
    return 1000 * float(words[0]), 1000 * float(words[1]), words[2] == b"True"


def main():
    runs = [measured() for _ in range(RUNS)]
    oracle, more, compiled = (min(column) for column in zip(*runs))
    kind = "compiled" if compiled else "not compiled"
    print(f"import refsvm: {oracle:.1f} ms, of {LIMIT:.0f} at most")
    print(f"then refsvm_fast ({kind}): {more:.1f} ms more, of {LIMIT_FAST:.0f} at most")
    return 1 if oracle > LIMIT or more > LIMIT_FAST else 0


if __name__ == "__main__":
    sys.exit(main())
