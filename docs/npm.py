"""Files of a package of npm, one release and no other, below build/: the repository has none."""

import hashlib
import shutil
import subprocess
import tarfile
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent


def fetch(name: str, release: str, sha512: str, files: "list[str]") -> "Path | None":
    """The folder of these files, from npm if they are not there; None without npm."""
    folder = ROOT / "build" / f"{name}-{release}"
    if all((folder / file).exists() for file in files):
        return folder
    npm = shutil.which("npm")
    if npm is None:
        return None
    folder.parent.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=folder.parent) as own:  # another process may fetch it, too
        command = [npm, "pack", f"{name}@{release}", "--silent", "--pack-destination", own]
        if subprocess.call(command, stdout=subprocess.DEVNULL) != 0:
            return None
        archive = Path(own) / f"{name}-{release}.tgz"
        found = b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        if found != sha512:
            raise SystemExit(f"{archive.name} has the SHA-512 {found}; it must be {sha512}")
        with tarfile.open(archive) as members:
            for file in files:
                source = members.extractfile(f"package/{file}")
                assert source is not None
                (Path(own) / file).write_bytes(source.read())
        folder.mkdir(exist_ok=True)
        for file in files:
            (Path(own) / file).replace(folder / file)
    return folder
