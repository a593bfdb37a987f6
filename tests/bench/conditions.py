"""What the numbers of a benchmark depend on: the day, the processor, and the versions."""

import platform
import shutil
import subprocess
from datetime import date
from importlib.metadata import PackageNotFoundError, version

PEERS = ("scikit-learn", "numpy", "scipy", "libsvm-official", "scikit-learn-intelex")


def conditions():
    """All of it in one line."""
    parts = [
        f"{date.today()}", processor(), f"{platform.system()} {platform.machine()}",
        f"{platform.python_implementation()} {platform.python_version()}", *map(named, PEERS),
    ]
    if shutil.which("pypy3"):
        code = "import sys; print('PyPy %d.%d.%d' % sys.pypy_version_info[:3])"
        parts.append(subprocess.check_output(["pypy3", "-c", code], text=True).strip())
    return "; ".join(parts)


def named(package):
    """The package with its version, or that it is missing."""
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"no {package}"


def processor():
    """The name of the CPU."""
    try:
        with open("/proc/cpuinfo") as lines:
            return [s.split(":")[1].strip() for s in lines if s.startswith("model name")][0]
    except (OSError, IndexError):
        return platform.processor() or platform.machine()
