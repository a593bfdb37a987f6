"""What no other file names is private:  python3 tests/private_names.py

A function of refsvm, or of what makes the vectors, that no other file of the checkout names,
neither code nor test nor page, begins with an underscore: so a reader sees which are a module's
own. Classes are free, as a repr shows their names; so are refsvm/sklearn, where scikit-learn finds
things by their place, and the exercises, whose functions are named to those who write them.
"""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
READ = (".py", ".pyi", ".pyx", ".pxi", ".pxd", ".md", ".json", ".toml", ".js", ".html", ".yml", "")
HELD, FREE = ("refsvm/", "spec/vectors/makers/"), ("refsvm/sklearn/", "refsvm/exercises/")


def tracked():
    """{path: text} of the files of the checkout that are read."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [name for name in names.splitlines() if Path(name).suffix in READ
             and ("spec/vectors/" not in name or name.endswith(".py"))]
    return {path: (ROOT / path).read_text(encoding="utf-8", errors="replace")
            for path in paths if (ROOT / path).is_file()}


def names_of_one_file(texts):
    """(path, name) of each function that no other file names, though it looks public."""
    where = defaultdict(set)
    for path, text in texts.items():
        for word in set(re.findall(r"[A-Za-z_]\w*", text)):
            where[word].add(path)
    for path, text in texts.items():
        if not path.startswith(HELD) or path.startswith(FREE) or not path.endswith(".py"):
            continue
        for node in ast.parse(text).body:
            looks_public = isinstance(node, ast.FunctionDef) and node.name[0] != "_"
            if looks_public and where[node.name] == {path}:
                yield path, node.name


def main():
    found = sorted(names_of_one_file(tracked()))
    for path, name in found:
        print(f"{path}: {name} is named in no other file, so it begins with an underscore")
    return f"{len(found)} names that look public are not" if found else 0


if __name__ == "__main__":
    sys.exit(main())
