"""Write what a release is made of, in CycloneDX's JSON: python3 .github/bill_of_materials.py dist

The files in the folder with their SHA-256, and what builds them, pinned in requirements/build.txt.
Nothing else is in them: refsvm needs the standard library only. What is written depends on the
files and on SOURCE_DATE_EPOCH alone.
"""

import hashlib
import json
import os
import re
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from refsvm.version import __version__  # noqa: E402

PINNED = re.compile(r"^([a-z][a-z0-9-]*)==([^ ;\\]+)", re.MULTILINE)


def component_of(path):
    """A file of the release."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {
        "type": "file",
        "bom-ref": path.name,
        "name": path.name,
        "hashes": [{"alg": "SHA-256", "content": digest}],
    }


def builder_of(name, version):
    """A package that builds the files, and is needed by none of them."""
    purl = f"pkg:pypi/{name}@{version}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "scope": "excluded",
        "purl": purl,
    }


def bill_of(folder):
    """The bill of materials of the files in a folder."""
    purl = f"pkg:pypi/refsvm@{__version__}"
    refsvm = {"type": "library", "bom-ref": purl, "name": "refsvm", "version": __version__}
    files = [component_of(path) for path in sorted(folder.iterdir())]
    pinned = PINNED.findall((HERE / "requirements" / "build.txt").read_text(encoding="utf-8"))
    components = [*files, *(builder_of(*pin) for pin in pinned)]
    time = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc)
    licence = [{"expression": "MIT AND CC-BY-4.0"}]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(components)).urn,
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {**refsvm, "purl": purl, "licenses": licence},
        },
        "components": components,
        "dependencies": [{"ref": purl, "dependsOn": []}],
    }


if __name__ == "__main__":
    json.dump(bill_of(Path(sys.argv[1])), sys.stdout, indent=1)
    print()
