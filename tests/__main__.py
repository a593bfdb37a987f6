"""Run the tests, on a machine that has only Python and pip.

    python3 -m tests                 the quick tests: 510 s of CPU; before each commit
    python3 -m tests --all           every test
    python3 -m tests --rest          those that are not quick: after the quick ones, before a merge
    python3 -m tests -k kernels      words after the command go to pytest
    python3 -m tests -n 0            one at a time, in this process
    python3 -m tests --python tests/mutation.py --count 9    a program that needs what tests need

What the tests need is installed into a folder of its own under build/, one for each Python, so
that nothing is asked of the system: a Python that refuses `pip install` takes this, too. The
folder is called site-packages, as hypothesis draws constants of all sources that lie elsewhere: to
read those of scikit-learn takes it ten seconds, and they are not numbers to try refsvm with. The
modules of refsvm_fast are compiled beside their sources, where that can be done; what was compiled
and is newer than its sources stays.

Tests that are marked slow are run by --all and --rest only, which also install the programs that
refsvm is compared with (scikit-learn, LIBSVM) or runs on (dask). How many examples hypothesis
draws is in profiles.py. With -k only files are read that have one of its words in their name or
text: a name that is put together as a test is read is not found so.

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

from refsvm.numerics.environment import env_flag

if sys.version_info < (3, 9):  # noqa: UP036 - before anything is installed
    sys.exit("the tests need Python 3.9 or later; this is " + sys.version.split()[0])

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ["pytest>=7", "pytest-xdist>=3.2", "hypothesis>=6.80"]
PEERS = ["scikit-learn", "libsvm-official", "distributed"]  # compared with, and in use with these
PEERS += ["pandas", "polars", "matplotlib", "skops"]
BUILDERS = ["setuptools>=77", "cython>=3.1,<4"]
READY_MADE = "numpy,scipy,scikit-learn,pandas,polars,matplotlib"  # never built here, but skipped
WORKERS = 2  # of the quick tests: each reads all of them first, which takes as long as many do
PAIR = str(min(WORKERS, os.cpu_count() or 1))
QUICK = ["-n", PAIR, "-m", "not slow"]
ALL = ["-n", "auto"]
REST = [*ALL, "-m", "slow"]


def main(words):
    rest = "--rest" in words
    everything = rest or "--all" in words
    words = [word for word in words if word not in ("--all", "--rest")]
    tag = f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]}"
    tag += "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    folder = ROOT / "build" / f"test-tools-{tag}" / "site-packages"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        sys.exit(f"the tests need a checkout that can be written to: {error}")
    if words[:1] != ["--python"]:
        say("all tests that are slow: 14 minutes on two cores" if rest else
            "every test: 21 minutes on two cores" if everything else
            "the quick tests: 510 s of CPU on two cores (--all runs every test)")
    if not installed(folder / "tools", TOOLS, "10 seconds"):
        sys.exit("the tests need pip, to install pytest and hypothesis")
    compile_modules(folder / "builders")
    paths = [str(ROOT), str(folder / "tools"), str(folder / "builders")]
    if everything or env_flag("REFSVM_REQUIRE_PEERS"):
        install_peers(folder / "peers")
        paths.append(str(folder / "peers"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # each worker would compile all tests anew
    if words[:1] == ["--python"]:
        return subprocess.call([sys.executable, *words[1:]], cwd=ROOT, env=environment)
    say("reading the tests: some 10 seconds until the first has run")
    command = [sys.executable, "-m", "pytest", "--dist", "worksteal"]
    command += [*(REST if rest else ALL if everything else QUICK), *words]
    return subprocess.call(command, cwd=ROOT, env=environment)


def say(text):
    print(f"tests: {text}", file=sys.stderr, flush=True)


def compile_modules(builders):
    """Compile refsvm_fast with tools of its own: setup.py knows where it may go without."""
    if env_flag("REFSVM_PURE_PYTHON"):
        return
    cpython = sys.implementation.name == "cpython"
    if not cpython or not installed(builders, BUILDERS, "5 seconds"):
        if env_flag("REFSVM_REQUIRE_EXTENSIONS"):
            sys.exit(f"REFSVM_REQUIRE_EXTENSIONS is set; CPython and {BUILDERS} are not here")
        return
    say("compiling refsvm_fast where it changed: half a minute for all of it")
    paths = os.pathsep.join([str(builders), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace", "--parallel", "2"]
    if subprocess.call(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": paths}) != 0:
        sys.exit("refsvm_fast could not be built")


def install_peers(folder):
    """Install the programs that refsvm is compared with: on PyPy, which builds them, if asked."""
    must = env_flag("REFSVM_REQUIRE_PEERS")
    wanted = must or sys.implementation.name == "cpython"
    if wanted and not installed(folder, PEERS, "a minute") and must:
        sys.exit(f"REFSVM_REQUIRE_PEERS is set, and {', '.join(PEERS)} cannot all be installed")


def installed(folder, packages, time):
    """Install the packages into the folder unless they are there; whether they are now."""
    done = folder / "complete.txt"
    if done.exists() and done.read_text().split() == packages:
        return True
    say(f"installing {', '.join(packages)} into {folder.relative_to(ROOT)}: {time}")
    pip = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    pip.append("--no-warn-conflicts")  # what else is installed is not touched, nor seen
    environment = {**os.environ, "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0",
                   "PIP_ROOT_USER_ACTION": "ignore"}
    status = subprocess.call(
        [*pip, "--only-binary", READY_MADE, "--target", str(folder), "--upgrade", *packages],
        env=environment,
    )
    if status == 0:
        done.write_text("\n".join(packages))
    return status == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
