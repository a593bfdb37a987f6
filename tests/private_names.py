"""What no file else names is private; one name, one meaning:  python3 tests/private_names.py

A function of refsvm, or of what makes the vectors, that no other file of the checkout names begins
with an underscore. Classes are free, as a repr shows their names; so are refsvm/sklearn, where
scikit-learn finds things by their place, and the exercises. A number of refsvm
and refsvm_fast is one wherever its name stands. Sections of docstrings name what there is.
"""

import ast
import builtins
import re
import sys
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

from budget import ROOT, listed

READ = (".py", ".pyi", ".pyx", ".pxi", ".pxd", ".md", ".json", ".toml", ".js", ".html", ".yml", "")
HELD, FREE = ("refsvm/", "spec/vectors/makers/"), ("refsvm/sklearn/", "refsvm/exercises/")
INTERFACE = "refsvm/play/"  # of its three machines, whose columns have one name
NUMBER = r"(?:\{float: )?((?:Fraction)?[-(]*\d[-(\d_.e<*/+, )]*)\}?"  # one of floats alone, too
CONSTANT = re.compile(rf"^(?:cdef \w+ )?([A-Z][A-Z\d_]+)(?:: .+?)? = {NUMBER}(?:  #.*)?$", re.M)
SECTION = re.compile(r"^( +)(?:Parameters|Returns|Raises|See Also)\n\1-+\n((?:\1.+\n)+)", re.M)


def tracked():
    """{path: text} of the files of the checkout that are read."""
    paths = [name for name in listed() if Path(name).suffix in READ
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
                yield path, f"no other file names {node.name}, so it begins with an underscore"


def constants_of_two_values(texts):
    """(path, complaint) of each number that another file has otherwise."""
    values = {}
    for path in texts:
        if not path.startswith(("refsvm/", "refsvm_fast/")) or path.startswith(INTERFACE):
            continue
        for name, text in CONSTANT.findall(texts[path]):
            number = eval(text, {"Fraction": Fraction})
            first, other = values.setdefault(name, (path, number))
            if number != other:
                yield path, f"{name} is another number in {first}: say what is counted"


def unknown_classes(texts):
    """(path, complaint) of each class that docstrings name, and that is defined nowhere."""
    lines = re.findall(r"^ *(?:class|def|from|import) .*", "\n".join(texts.values()), re.M)
    known = {*dir(builtins), "RandomState", *re.findall(r"\w+", "\n".join(lines))}
    for path, text in texts.items():
        for indent, section in SECTION.findall(text):
            for line in re.findall(rf"^{indent}\S.*", section, re.M):
                for word in re.findall(r"\b[A-Z][a-z]\w+", line.split(" : ")[-1]):
                    if not {word, re.sub("s$", "", word)} & known:
                        yield path, f"there is no {word}, which a docstring names"


def main():
    texts, rules = tracked(), (names_of_one_file, constants_of_two_values, unknown_classes)
    found = sorted(": ".join(complaint) for rule in rules for complaint in rule(texts))
    print(*found, sep="\n", end="\n" * bool(found))
    return f"{len(found)} names are not as they must be" if found else 0


if __name__ == "__main__":
    sys.exit(main())
