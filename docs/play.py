"""The page of `refsvm play` without a server: the same files, and Python in the browser.

Pyodide comes from npm when the site is made, this release and no other, and is served beside the
page: nothing is loaded from elsewhere. It is under the MPL-2.0 and stays out of the repository.
"""

import gzip
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from docs import npm
from docs.npm import ROOT

RELEASE = "314.0.7"
SHA512 = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
FILES = [
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json"),
    *("python_stdlib.zip", "package.json"),
]
PORT = ROOT / "spec" / "ports" / "javascript"
IMPORTED = re.compile(r'from "\./(\w+\.mjs)"')
COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)  # a third of what a reader would wait for
LICENSE = """\
The files in this folder are Pyodide {}, under the Mozilla Public License 2.0,
https://mozilla.org/MPL/2.0/. Its source is at https://github.com/pyodide/pyodide.
"""
STARTED = """\
import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "SITE/pyodide/pyodide.mjs";
const python = await loadPyodide({ indexURL: "SITE/pyodide/", _makeSnapshot: true });
python.unpackArchive(new Uint8Array(readFileSync("SITE/refsvm.zip")).buffer, "zip");
python.runPython("import gc, refsvm.play.answers; gc.collect()");
writeFileSync(process.argv[2], python.makeMemorySnapshot());
"""
WITHOUT = (  # not needed
    *(
        "c99",
        "commands",
        "conformance",
        "course",
        "estimators",
        "exercises",
        "files",
        "sklearn",
        "tables",
        "theory",
    ),
)


def fetch() -> "Path | None":
    """The folder of Pyodide's files below build/, from npm if they are not there; None without."""
    return npm.fetch("pyodide", RELEASE, SHA512, FILES)


def make(site: Path, engine: Path) -> None:
    """Write the page into a folder, with its engine: the folder that fetch() returns."""
    from docs.moving import pages
    from refsvm.play.page import WITHOUT_SERVER, answers_to_presets, files, index, read_script

    shutil.rmtree(site, ignore_errors=True)
    (site / "pyodide").mkdir(parents=True)
    port = write_port(site / "port")
    modules = ["quick.js", "areas.js", *(f"port/{name}" for name in port)]
    (site / "index.html").write_bytes(index(engine="worker", scripts=modules))
    for name in WITHOUT_SERVER:
        (site / name).write_text(read_script(name), encoding="utf-8")
    (site / "presets.json").write_text(answers_to_presets(), encoding="utf-8")
    for name, page in pages(modules):
        (site / name).write_bytes(page)
    for path, (_, body) in files().items():
        (site / path[1:]).write_bytes(body)
    for name in FILES:
        shutil.copy(engine / name, site / "pyodide" / name)
    (site / "pyodide" / "LICENSE.txt").write_text(LICENSE.format(RELEASE), encoding="utf-8")
    zip_modules(site / "refsvm.zip", WITHOUT)
    write_started(site)


def write_started(site: Path) -> None:
    """Write the memory of Python once it has started and read play's modules, compressed.

    Beginning with it is a tenth of the work of starting anew. It is made by node, which comes with
    the npm that fetched the engine.
    """
    with TemporaryDirectory() as folder:
        script, memory = Path(folder, "start.mjs"), Path(folder, "memory")
        script.write_text(STARTED.replace("SITE", site.resolve().as_posix()), encoding="utf-8")
        done = subprocess.run(["node", str(script), str(memory)], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"Python does not start in node: {done.stderr[-500:]}")
        (site / "started.bin").write_bytes(gzip.compress(memory.read_bytes(), 9, mtime=0))


def write_port(folder):
    """Write the solver in JavaScript into a folder, as far as it is needed; its files."""
    found, left = [], ["smo.mjs", "kernels.mjs"]
    folder.mkdir()
    while left:
        name = left.pop()
        if name not in found:
            found.append(name)
            text = (PORT / name).read_text("utf-8")
            (folder / name).write_text(COMMENT.sub("", text), "utf-8")
            left += IMPORTED.findall(text)
    return found


def zip_modules(path: Path, without: "tuple[str, ...]" = ()) -> None:
    """Write refsvm without some of its folders into an archive, the same bytes each time.

    With all of its folders it has the vectors and their makers, too: its cases are read there.
    """
    more = () if without else ("spec/vectors/*.json", "spec/vectors/makers/*.py")
    files = [path for pattern in ("refsvm/**/*.py", *more) for path in ROOT.glob(pattern)]
    zip_files(path, [file for file in files if file.relative_to(ROOT).parts[1] not in without])


def zip_files(path: Path, files: "list[Path]") -> None:
    """Write files of this checkout into an archive, the same bytes each time."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(files):
            entry = zipfile.ZipInfo(file.relative_to(ROOT).as_posix(), (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.read_bytes())
