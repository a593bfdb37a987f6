"""Where the programs to compare with live: an environment of their own under build/.

    home()        the environment, made and filled on the first call
    enter()       run this very command by the Python of that environment
    missing()     the programs that cannot be installed here

One thread each, unless a program is asked for more: the libraries read this before they start.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "bench"  # data as arrays, results, pictures
NEEDED = ["scikit-learn"]
WISHED = ["libsvm-official", "scikit-learn-intelex", "matplotlib"]
THREADS = ("OMP", "OPENBLAS", "MKL")


def enter():
    """Go on in the environment of the peers: returns there, with the checkout importable."""
    folder = home()
    if Path(sys.prefix).resolve() != folder.resolve():
        os.execv(python_of(folder), [python_of(folder), *sys.argv])
    for library in THREADS:
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    KEPT.mkdir(parents=True, exist_ok=True)


def python_of(folder):
    """The interpreter of an environment."""
    return str(folder / "bin" / "python")


def home():
    """The folder of the environment; whatever it lacks is installed into it, once."""
    tag = f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]}"
    folder = ROOT / "build" / f"bench-peers-{tag}"
    if (folder / "complete.txt").exists():
        return folder
    print(f"installing the programs to compare with into {folder}", file=sys.stderr)
    subprocess.check_call([sys.executable, "-m", "venv", str(folder)])
    if not installed(folder, NEEDED):
        sys.exit("the benchmark needs scikit-learn, and pip cannot install it here")
    absent = [package for package in WISHED if not installed(folder, [package])]
    (folder / "complete.txt").write_text("\n".join(absent))
    return folder


def installed(folder, packages):
    """Whether pip could install the packages; NumPy and the like are never built here."""
    pip = [python_of(folder), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    return subprocess.call([*pip, "--only-binary", "numpy,scipy,scikit-learn", *packages]) == 0


def missing():
    """The packages that pip could not install, in the environment that enter() entered."""
    return (Path(sys.prefix) / "complete.txt").read_text().split()
