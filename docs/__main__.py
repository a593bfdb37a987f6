"""Build the site of the documentation:  python3 -m docs  (open build/site/index.html)

The earlier site stays until the new one is whole.

It begins with spec/start.md; its pages are those of spec/, README.md and what the docstrings of
public names say, a page for each name; none of it is written twice. They are gathered below
build/docs and made into pages by Sphinx, for which a warning is an error; then every link within
the site is followed. The examples are run by pytest.
What Sphinx needs is the extra `docs` of pyproject.toml; it is installed into build/docs-tools.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from docs import play, run
from docs.links import broken_links
from tests.__main__ import ROOT, installed

TOOLS = ["sphinx>=8.1,<10", "myst-parser>=4,<6", "furo>=2025.7"]
TOOLS += ["scikit-learn>=1.2", "hypothesis>=6.80"]  # some of what is shown needs them
SOURCE, SITE = ROOT / "build" / "docs", ROOT / "build" / "site"
NEW_SITE = SITE.with_name("site.new")


def main() -> "int | str":
    summary = (__doc__ or "").partition(":")[0] + "."
    parser = argparse.ArgumentParser(prog="python3 -m docs", description=summary)
    parser.parse_args()
    tools = ROOT / "build" / "docs-tools"
    if not installed(tools, TOOLS, "a minute"):
        return f"{', '.join(TOOLS)} cannot be installed"
    sys.path.append(str(tools))
    from docs.pages import gather  # which looks at all that has a public name

    engine = play.fetch()
    gather(SOURCE, with_play=engine is not None)
    shutil.rmtree(NEW_SITE, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet"]
    command += ["-c", str(Path(__file__).parent), str(SOURCE), str(NEW_SITE)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(tools)])}
    if subprocess.call(command, cwd=ROOT, env=environment) != 0:
        return "the site has mistakes"
    shutil.copytree(ROOT / "spec" / "course" / "slides", NEW_SITE / "slides")
    if engine is None:
        print("the page of play is left out: npm is not here, or cannot fetch its engine")
    else:
        play.make(NEW_SITE / "play", engine)
        run.make(NEW_SITE / "play")
    broken = broken_links(NEW_SITE) + run.blocks_lost(NEW_SITE)
    if broken:
        print(*broken, f"this is in {NEW_SITE.relative_to(ROOT)}", sep="\n")
        return 1
    exchange(NEW_SITE, SITE)
    print(f"all is well: {SITE.relative_to(ROOT)}/index.html")
    return 0


def exchange(new: Path, site: Path) -> None:
    """Put a new folder in the place of an earlier one, of which nothing stays."""
    earlier = site.with_name(site.name + ".earlier")
    shutil.rmtree(earlier, ignore_errors=True)
    if site.exists():
        site.rename(earlier)
    new.rename(site)
    shutil.rmtree(earlier, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
