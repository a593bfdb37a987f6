"""Runs both packages on other processors, and refsvm_fast of other flags: the same digests?

    python3 tests/other_machines.py                every machine, then every flag: half an hour
    python3 tests/other_machines.py s390x flags    some of them

    amd64 aarch64 s390x riscv64 armhf ppc64el    the digests of digests.py, and spec/vectors made
                anew, by Debian's Python of that processor; then by refsvm_fast, compiled across
    i386        Debian's Python for it computes in the x87: it must say so, and differ
    flags       refsvm_fast compiled with all that could change a bit, by gcc and clang

Of a foreign processor Debian's packages are unpacked into a folder, not installed, and run by
qemu-user: that needs no root and changes nothing of this system. What cannot be had is named, and
is no failure unless it was asked for. BUILDS_ROOTS: a folder that keeps the packages between runs.
"""

import os
import re
import shutil
import sys
from typing import NamedTuple

import builds
from builds import ROOT, Failed, NotHere, build, call, need, tools, unpacked

PACKAGES = ["python3-minimal", "libpython3-stdlib", "libpython3-dev"]


class Machine(NamedTuple):
    """What Debian, the compiler and qemu call a processor, and Debian's release that has it."""

    debian: str
    triplet: str
    qemu: str
    release: str = "bookworm"


MACHINES = {
    "aarch64": Machine("arm64", "aarch64-linux-gnu", "aarch64"),
    "s390x": Machine("s390x", "s390x-linux-gnu", "s390x"),
    "riscv64": Machine("riscv64", "riscv64-linux-gnu", "riscv64", "trixie"),
    "armhf": Machine("armhf", "arm-linux-gnueabihf", "arm"),
    "ppc64el": Machine("ppc64el", "powerpc64le-linux-gnu", "ppc64le"),
}
X87 = Machine("i386", "i386-linux-gnu", "i386")

# Each asks for other bits: in what is compiled, or of the process that loads it.
FLAGS = [
    "-Ofast", "-ffast-math", "-funsafe-math-optimizations", "-fsingle-precision-constant",
    "-fassociative-math -fno-signed-zeros -fno-trapping-math", "-freciprocal-math",
    "-ffinite-math-only", "-fno-signed-zeros", "-ffp-contract=fast -march=native",
    "-Ofast -march=native -mrecip -mfpmath=387", "-flto -Ofast",
]  # fmt: skip
FLAGS_OF_GCC = ["-mfpmath=both", "-fcx-limited-range -fno-rounding-math", "-mdaz-ftz"]
FLAGS_OF_CLANG = [
    "-ffp-model=fast", "-fapprox-func", "-fdenormal-fp-math=positive-zero",
    "-fno-honor-nans -fno-honor-infinities",
]  # fmt: skip


# ---- systems of other processors


def root_of(machine):
    """A folder with Debian's Python for a processor, unpacked."""
    root = builds.ROOTS / f"unpacked-{machine.release}-{machine.debian}"
    if not (root / "complete").exists():
        shutil.rmtree(root, ignore_errors=True)
        for package in packages_of(machine, root / "apt"):
            call("dpkg", "-x", package, root)
        shutil.rmtree(root / "apt")
        if not (root / "lib").exists():  # newer packages rely on it
            (root / "lib").symlink_to("usr/lib")
        for path in root.rglob("*"):
            if path.is_symlink() and os.readlink(path).startswith("/"):  # to what is within
                target = root / os.readlink(path)[1:]
                path.unlink()
                path.symlink_to(target)
        (root / "complete").touch()
    return root


def packages_of(machine, state):
    """The packages of a Python and all that it needs, fetched into a folder of apt's."""
    need("apt-get", "apt")
    asked = ["apt-get", "indextargets", "--format", "$(SITE) $(CODENAME)", "Identifier: Packages"]
    sites = [line.split()[0] for line in call(*asked).splitlines() if line.endswith(" bookworm")]
    if not sites:
        raise NotHere("apt knows no site of Debian 12")
    for folder in "lists/partial", "archives/partial", "sources":
        (state / folder).mkdir(parents=True)
    (state / "status").touch()  # nothing is installed there
    (state / "sources" / "debian.list").write_text(f"deb {sites[0]} {machine.release} main\n")
    settings = {
        "APT::Architecture": machine.debian, "APT::Architectures": machine.debian,
        "APT::Install-Recommends": "0", "APT::Sandbox::User": "root", "Debug::NoLocking": "1",
        "Dir::State": state, "Dir::State::status": state / "status", "Dir::Cache": state,
        "Dir::Etc::sourcelist": "/dev/null", "Dir::Etc::sourceparts": state / "sources",
    }  # fmt: skip
    apt = ["apt-get", "-q", "-y", *(f"-o{name}={value}" for name, value in settings.items())]
    try:
        call(*apt, "update")
        call(*apt, "--download-only", "install", *PACKAGES)
    except Failed as error:
        raise NotHere(f"Debian {machine.release} for {machine.debian}: {error}") from None
    return sorted(state.glob("archives/*.deb"))


def python_in(root, machine):
    """The words that run the Python of a folder, and its version."""
    qemu = need(f"qemu-{machine.qemu}-static", "qemu-user-static")
    (python,) = root.glob("usr/bin/python3.[0-9][0-9]")
    return [qemu, "-L", root, python], python.name[len("python") :]


def compiled_across(folder, machine, root, version):
    """Compile refsvm_fast in a folder for another processor."""
    compiler = need(f"{machine.triplet}-gcc", f"gcc-{machine.triplet}")
    data = root / f"usr/lib/python{version}/_sysconfigdata__{machine.triplet}.py"
    (folder / "across").mkdir()
    shutil.copy(data, folder / "across")
    # Its C library may be newer than the compiler's, whose headers are asked for first.
    headers = f"-I{root}/usr/include/python{version} -idirafter {root}/usr/include"
    settings = {
        "_PYTHON_SYSCONFIGDATA_NAME": data.stem,
        "_PYTHON_HOST_PLATFORM": f"linux-{machine.qemu}",
        "CC": compiler,
        "LDSHARED": f"{compiler} -shared",
        "CFLAGS": headers,
    }
    build(folder, path=f"{folder / 'across'}:{tools()}", **settings)


# ---- digests


def digests(folder, package, *python):
    """{name: digest} of what a package answers in a folder, by these words for a Python."""
    words = [*(python or [sys.executable]), "tests/digests.py", package]
    said = call(*words, cwd=folder, PYTHONPATH=folder, PYTHONDONTWRITEBYTECODE=1)
    return dict(re.findall(r"^(\S+) ([0-9a-f]{16})$", said, re.MULTILINE))


def right():
    """What this machine answers in plain Python."""
    if not RIGHT:
        RIGHT.update(digests(ROOT, "refsvm"))
    return RIGHT


RIGHT = {}  # found when it is first asked for


def compared(found):
    """In words how many digests are those of this machine; Failed if any is not."""
    unlike = [name for name, digest in found.items() if right().get(name) != digest]
    if unlike or len(found) < 100:
        raise Failed(f"{len(unlike)} of {len(found)} digests differ: {' '.join(unlike[:9])}")
    return f"{len(found)} of {len(found)}"


def on(name):
    """The digests of plain Python on a processor, the vectors, and the compiled ones."""
    machine = MACHINES[name]
    root = root_of(machine)
    python, version = python_in(root, machine)
    folder = unpacked(f"machine-{name}")
    plain = compared(digests(folder, "refsvm", *python))
    told = f"Python {version}; vectors {vectors(folder, python)}; plain {plain}; compiled"
    try:
        compiled_across(folder, machine, root, version)
    except NotHere as error:
        return f"{told}: NOT HERE: {error}"
    return f"{told} {compared(digests(folder, 'refsvm_fast', *python))}"


def vectors(folder, python):
    """How many files of spec/vectors are made anew byte for byte; Failed if one is not."""
    made = folder / "made"
    made.mkdir()
    words = [*python, "-m", "spec.vectors.makers", made]
    call(*words, cwd=folder, PYTHONDONTWRITEBYTECODE=1)
    names = [path.relative_to(made) for path in made.rglob("*.json")]
    known = ROOT / "spec" / "vectors"
    unlike = [str(n) for n in names if (made / n).read_bytes() != (known / n).read_bytes()]
    if unlike or not names:
        raise Failed(f"of {len(names)} files of vectors others were made: {unlike}")
    return f"{len(names)} of {len(names)}"


def amd64():
    """This machine: compiled and plain."""
    folder = unpacked("machine-amd64")
    build(folder)
    return f"Python {builds.VERSION}; compiled {compared(digests(folder, 'refsvm_fast'))}"


def i386():
    """What rounds twice says so; and what was compiled to round once is not used there."""
    root = root_of(X87)
    python, version = python_in(root, X87)
    folder = unpacked("machine-i386")
    said = call(*python, "-m", "refsvm", "--version", cwd=folder, PYTHONDONTWRITEBYTECODE=1)
    if said.count("x87") != 2 or "RuntimeWarning" not in said:  # the warning, and a line
        raise Failed(f"nothing is told of the x87:\n{said}")
    found = digests(folder, "refsvm", *python)
    unlike = [name for name, digest in found.items() if right()[name] != digest]
    if not unlike:
        raise Failed("nothing differs, so what is told of it is false")
    return f"Python {version}: says that it rounds twice; {len(unlike)} of {len(found)} differ"


def flags():
    """refsvm_fast, compiled with each flag in CFLAGS and LDFLAGS, or refused."""
    results = []
    for compiler, more in (("gcc", FLAGS_OF_GCC), ("clang", FLAGS_OF_CLANG)):
        need(compiler, compiler)
        folder = unpacked(f"machine-flags-{compiler}")
        for words in ["", *FLAGS, *more]:
            for path in folder.glob("refsvm_fast/*.so"):
                path.unlink()
            shutil.rmtree(folder / "build", ignore_errors=True)
            results.append(f"{compiler} {words}: {with_flags(folder, compiler, words)}")
            print("   ", results[-1], flush=True)
    return f"{len(results)} builds"


def with_flags(folder, compiler, words):
    """What comes of a build: the digests of all, or why the compiler refuses."""
    settings = {"CC": compiler, "LDSHARED": f"{compiler} -shared", "CFLAGS": words}
    try:
        build(folder, LDFLAGS=words, **settings)
    except Failed as error:
        why = [line for line in str(error).splitlines() if "error: " in line]
        if not why:
            raise
        return f"refused: {why[0].partition('error: ')[2]}"
    return compared(digests(folder, "refsvm_fast"))


CHECKS = {"amd64": amd64, **{name: (lambda name=name: on(name)) for name in MACHINES}}
CHECKS |= {"i386": i386, "flags": flags}

if __name__ == "__main__":
    sys.exit(builds.main(sys.argv[1:], CHECKS))
