"""Run every test, on a machine that has only Python and pip:  python3 -m tests

What the tests need is installed into a folder of its own under build/, one for each Python, so
that nothing is asked of the system: a Python that refuses `pip install` takes this, too. As many
tests run at a time as there are cores. Words after the command go to pytest, as in
python3 -m tests -k kernels  or  python3 -m tests -n 0  (one at a time, here).

    REFSVM_DATA            the folder of the larger LIBSVM data files; without it those tests skip
    REFSVM_REQUIRE_PEERS   1: the programs refsvm is compared with must be there; otherwise the
                           comparisons are skipped where these cannot be installed
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ["pytest>=7", "pytest-xdist>=3", "hypothesis>=6.80"]
PEERS = ["scikit-learn", "libsvm-official"]
READY_MADE = "numpy,scipy,scikit-learn"  # these are never built here: where they must be, skip


def main(words):
    tag = f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]}"
    folder = ROOT / "build" / f"test-tools-{tag}"
    if not installed(folder / "tools", TOOLS):
        sys.exit("the tests need pip, to install pytest and hypothesis")
    required = os.environ.get("REFSVM_REQUIRE_PEERS") == "1"
    wanted = required or sys.implementation.name == "cpython"  # on PyPy they take long to build
    if wanted and not installed(folder / "peers", PEERS) and required:
        sys.exit(f"REFSVM_REQUIRE_PEERS is set, and {' and '.join(PEERS)} cannot be installed")
    paths = [str(ROOT), str(folder / "tools"), str(folder / "peers")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-m", "pytest", "-n", "auto", *words]
    return subprocess.call(command, cwd=ROOT, env=environment)


def installed(folder, packages):
    """Install the packages into the folder, unless that was done before; whether they are there."""
    done = folder / "complete.txt"
    if done.exists() and done.read_text().split() == packages:
        return True
    print(f"installing {', '.join(packages)} into {folder}", file=sys.stderr)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    environment = {**os.environ, "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}
    status = subprocess.call(
        [*pip, "--only-binary", READY_MADE, "--target", str(folder), "--upgrade", *packages],
        env=environment,
    )
    if status == 0:
        done.write_text("\n".join(packages))
    return status == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
