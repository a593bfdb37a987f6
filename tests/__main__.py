"""Run every test, on a machine that has only Python and pip:  python3 -m tests

What the tests need is installed into a folder of its own under build/, one for each Python, so
that nothing is asked of the system: a Python that refuses `pip install` takes this, too. As many
tests run at a time as there are cores. Words after the command go to pytest, as in
python3 -m tests -k kernels  or  python3 -m tests -n 0  (one at a time, here).

The modules of refsvm_fast are compiled first, beside their sources, where that can be done.

    REFSVM_DATA            the folder of the larger LIBSVM data files; without it those tests skip
    REFSVM_REQUIRE_PEERS   1: the programs refsvm is compared with must be there; otherwise the
                           comparisons are skipped where these cannot be installed
    REFSVM_REQUIRE_EXTENSIONS   1: the compiled modules must be there
    REFSVM_PURE_PYTHON     1: nothing is compiled, and what was is not used
"""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ["pytest>=7", "pytest-xdist>=3.2", "hypothesis>=6.80"]
PEERS = ["scikit-learn", "libsvm-official"]
BUILDERS = ["setuptools>=77", "cython>=3.1,<4"]
READY_MADE = "numpy,scipy,scikit-learn"  # these are never built here: where they must be, skip


def main(words):
    tag = f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]}"
    tag += "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    # What lies below this name hypothesis does not read through for numbers to draw: 900 files.
    folder = ROOT / "build" / f"test-tools-{tag}" / "site-packages"
    if not installed(folder / "tools", TOOLS):
        sys.exit("the tests need pip, to install pytest and hypothesis")
    required = os.environ.get("REFSVM_REQUIRE_PEERS") == "1"
    wanted = required or sys.implementation.name == "cpython"  # on PyPy they take long to build
    if wanted and not installed(folder / "peers", PEERS) and required:
        sys.exit(f"REFSVM_REQUIRE_PEERS is set, and {' and '.join(PEERS)} cannot be installed")
    compile_modules(folder / "builders")
    paths = [str(ROOT), *(str(folder / name) for name in ("tools", "builders", "peers"))]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-m", "pytest", "-n", "auto", "--dist", "worksteal", *words]
    return subprocess.call(command, cwd=ROOT, env=environment)


def compile_modules(builders):
    """Compile refsvm_fast with tools of its own: setup.py knows where it may go without."""
    if sys.implementation.name != "cpython" or not installed(builders, BUILDERS):
        if os.environ.get("REFSVM_REQUIRE_EXTENSIONS", "0") != "0":
            sys.exit(f"REFSVM_REQUIRE_EXTENSIONS is set; CPython and {BUILDERS} are not here")
        return
    paths = os.pathsep.join([str(builders), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace", "--parallel", "2"]
    if subprocess.call(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": paths}) != 0:
        sys.exit("refsvm_fast could not be built")


def installed(folder, packages):
    """Install the packages into the folder unless they are there; whether they are now."""
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
