"""The commands of README.md and of spec/use:  python3 tests/readme.py  writes what they print now.

A command is a line of an example that begins with $; what follows is what it prints. Those of all
pages run one after another in a folder of their own, in which the data of the package lie where a
checkout has them. A picture that they make and that lies in docs/ is written anew, too.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "spec" / "use").glob("*.md"))]
COMMAND = re.compile(r"^    \$ (.+)\n((?:    (?!\$ ).*\n|\n(?=    (?!\$ )))*)", re.MULTILINE)


def as_printed(folder: Path) -> dict[Path, str]:
    """Return each page with what its commands print, run in the folder; their pictures stay."""
    (folder / "refsvm").mkdir()
    (folder / "refsvm" / "data").symlink_to(ROOT / "refsvm" / "data")
    program = folder / "bin" / "refsvm"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nfrom refsvm.__main__ import start\nstart()\n")
    program.chmod(0o755)
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {
        **os.environ,
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONSAFEPATH": "1",
    }

    def printed(match: re.Match[str]) -> str:
        if "sklearn" in match[1] and not find_spec("sklearn"):
            return match[0]
        done = subprocess.run(
            match[1], shell=True, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE
        )
        lines = done.stdout.rstrip().splitlines()
        return f"    $ {match[1]}\n" + "".join(f"    {line}".rstrip() + "\n" for line in lines)

    return {page: COMMAND.sub(printed, page.read_text(encoding="utf-8")) for page in PAGES}


def pictures(folder: Path) -> list[Path]:
    """Return the pictures in the folder that docs/ has, too."""
    return [path for path in folder.glob("*.svg") if (ROOT / "docs" / path.name).exists()]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        for page, text in as_printed(Path(name)).items():
            page.write_text(text, encoding="utf-8")
        for path in pictures(Path(name)):
            shutil.copy(path, ROOT / "docs" / path.name)


if __name__ == "__main__":
    main()
