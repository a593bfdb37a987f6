"""Lint, format and types:  python3 tests/lint.py  (python3 tests/lint.py --fix mends what it can)

Runs `ruff check`, `ruff format --check` and `mypy`, as pyproject.toml sets them: mypy reads
refsvm, what makes the vectors, and the programs in tests/typing, which a user might write.
private_names.py finds names that look public or have two meanings, dropped_texts.py what `python
-OO` drops, budget.py folders that grew. zizmor reads what GitHub runs. The tools go into build/.
"""

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.__main__ import ROOT, installed  # noqa: E402

LINTERS = ["ruff>=0.17,<0.18", "mypy>=2.4,<3", "zizmor>=1.32,<2"]
COMMANDS = [
    ["ruff", "check", "."],
    ["ruff", "format", "--check", "."],
    ["mypy"],
]
OWN = ["tests/private_names.py", "tests/dropped_texts.py", "tests/budget.py"]
FIXES = [["ruff", "check", "--fix", "."], ["ruff", "format", "."]]


def main(words):
    folder = ROOT / "build" / "lint-tools"
    if not installed(folder, LINTERS, "20 seconds"):
        return f"{' and '.join(LINTERS)} cannot be installed"
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    failed = []
    for command in FIXES if words == ["--fix"] else COMMANDS:
        print("lint:", *command, flush=True)
        if subprocess.call([sys.executable, "-m", *command], cwd=ROOT, env=environment) != 0:
            failed.append(" ".join(command))
    print("lint: zizmor .github", flush=True)
    if subprocess.call([folder / "bin" / "zizmor", "--offline", "--quiet", ".github"], cwd=ROOT):
        failed.append("zizmor")
    for program in OWN:
        print("lint:", program, flush=True)
        if subprocess.call([sys.executable, program], cwd=ROOT) != 0:
            failed.append(program)
    return "; ".join(failed) + " failed" if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
