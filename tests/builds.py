"""Builds refsvm_fast in every way that matters, and runs its tests on what came of it.

    python3 tests/builds.py                all of them: more than an hour on two cores
    python3 tests/builds.py abi3 clang     some of them

Each begins at the source archive, unpacked into a folder of its own under build/matrix/, so that
what is missing from the archive is missed. The log of each is beside it. Exit status: 0 if none
failed; what cannot be had here is named with its reason, and is no failure unless asked for.

    BUILDS_ROOTS           a folder that keeps the systems of `newest` and `arm64` between runs
    BUILDS_HOSTILE_CALLS   how many of them are made under the sanitizers; 50000 without it
    BUILDS_FREE_PYTHON     a free-threaded Python; without it python3.14t from PATH. The pip here
                           must know such: 23.2 took wheels that cannot be loaded, 26.3 does not
    BUILDS_MUSL_PYTHON     a Python linked with musl, whose `sysconfig` names the compiler for it
    BUILDS_WORDS           further words for pytest, as in  -k smo

Linux, Python 3.11 and pip are needed; further Debian packages are named where they are missing.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MATRIX = ROOT / "build" / "matrix"
ROOTS = Path(os.environ.get("BUILDS_ROOTS", MATRIX / "roots"))
BUILD_TOOLS = ["setuptools>=77", "cython>=3.1,<4"]
TEST_TOOLS = ["pytest>=7", "pytest-xdist>=3.2", "hypothesis>=6.80"]
PARTS = {"refsvm", "refsvm_fast", "pytest_refsvm.py", "bin", "__pycache__"}  # of an installation
GNU = "manylinux_2_28"
VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"
# Tests that look at variables, what is installed, and names that pytest adds to modules.
OF_THE_STATE = ["course", "environment"]
ORDERS = [".", "-e."], ["-e.", "."]  # of pip install: the README has both


class Failed(Exception):
    """A command did not end well, and what it printed."""


class NotHere(Exception):
    """Something that is needed cannot be had on this machine."""


def call(*words, cwd=ROOT, **variables):
    """Run a command; what it prints goes to the log, and is returned."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("REFSVM_", "CFLAGS", "CI"))}
    done = subprocess.run(
        list(map(str, words)),
        cwd=cwd,
        env={**kept, **{k: str(v) for k, v in variables.items()}},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    with open(MATRIX / "log.txt", "a") as log:
        print("$", *variables.items(), *words, file=log)
        print(done.stdout, file=log, flush=True)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, words))}\n{done.stdout}")
    return done.stdout


def need(program, package):
    """Where a program is; NotHere names the Debian package that has it."""
    found = shutil.which(program)
    if not found:
        raise NotHere(f"there is no {program} (Debian: {package})")
    return found


def python_of(version):
    """The interpreter of a version such as 3.12, if there is one on this machine."""
    if version == VERSION:
        return sys.executable
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = sorted(home.glob(f"versions/{version}.*/bin/python"))
    if found:
        return str(found[-1])
    return need(f"python{version}", f"python{version}-dev")


def tools(version=VERSION, platform=f"{GNU}_x86_64", abi=None, packages=None):
    """A folder with what builds and tests need on that Python and platform."""
    packages = packages or [*BUILD_TOOLS, *TEST_TOOLS]
    folder = MATRIX / "site-packages" / f"{abi or version}-{platform}-{len(packages)}"
    if not (folder / "complete").exists():
        platforms = {platform, platform.replace("2_28", "2_17")}
        tags = [f"--platform={name}" for name in sorted(platforms)]
        tags += [f"--abi={name}" for name in (abi, "none") if abi]
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--upgrade"]
        target = ["--only-binary=:all:", f"--python-version={version}", f"--target={folder}"]
        call(*pip, *target, *tags, *packages)
        (folder / "complete").touch()
    return folder


def archive():
    """The source archive of this checkout."""
    folder = MATRIX / "archive"
    found = list(folder.glob("*.tar.gz"))
    if not found:
        words = ["-q", "egg_info", "-e", MATRIX, "sdist", "-d", folder]
        call(sys.executable, "setup.py", *words, PYTHONPATH=tools())
        found = list(folder.glob("*.tar.gz"))
    return found[0]


def unpacked(name, where=MATRIX):
    folder = where / name
    shutil.rmtree(folder, ignore_errors=True)
    with tarfile.open(archive()) as tar:
        tar.extractall(folder)
    (inner,) = folder.iterdir()
    return inner


def build(folder, python=sys.executable, path=None, **variables):
    """Compile in place, where nothing may be missing."""
    words = ["setup.py", "-q", "build_ext", "--inplace", "--parallel", "2"]
    settings = {"REFSVM_REQUIRE_EXTENSIONS": 1, "PYTHONPATH": path or tools(), **variables}
    call(python, *words, cwd=folder, **settings)


def fast_tests(folder):
    found = sorted(str(path.relative_to(folder)) for path in folder.glob("tests/test_fast*.py"))
    if not found:
        raise Failed("there are no tests of refsvm_fast")
    return found


def check(folder, *python, path=None, tests=None, workers="2", **variables):
    """Run the tests of refsvm_fast, few examples each, on the compiled modules in the folder."""
    words = ["-m", "pytest", "-q", "-n", workers, "--dist=worksteal", "-p", "no:cacheprovider"]
    words += ["--hypothesis-profile=few", "--durations=9", *(tests or fast_tests(folder))]
    words += os.environ.get("BUILDS_WORDS", "").split()
    settings = {"REFSVM_REQUIRE_EXTENSIONS": 1, "PYTHONPATH": path or tools(), **variables}
    said = call(*(python or [sys.executable]), *words, cwd=folder, **settings)
    return said.splitlines()[-1]


# ---- what is built


def sdist():
    """The archive installs without a network, and what it installs is compiled and small."""
    return installed("sdist", "True", tools(packages=BUILD_TOOLS), REFSVM_REQUIRE_EXTENSIONS=1)


def no_compiler():
    """Where there is no compiler the install succeeds, and refsvm_fast is the oracle's code."""
    return installed("no_compiler", "False", tools(packages=BUILD_TOOLS), CC="/bin/false")


def no_cython():
    """Where there is no Cython likewise; this Python may have one of its own."""
    hidden = MATRIX / "hidden"
    hidden.mkdir(exist_ok=True)
    (hidden / "Cython.py").write_text('raise ImportError("there is no Cython")\n')
    return installed("no_cython", "False", f"{hidden}:{tools(packages=BUILD_TOOLS[:1])}")


def installed(name, compiled, path, **variables):
    target = MATRIX / name
    shutil.rmtree(target, ignore_errors=True)
    offline = ["--no-index", "--no-build-isolation", "--no-deps"]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    call(*pip, *offline, f"--target={target}", archive(), PYTHONPATH=path, **variables)
    code = "import refsvm_fast as r; r.smo(r.Problem([[0], [1]], [-1, 1])); print(r.COMPILED)"
    said = call(sys.executable, "-c", code, cwd=target).split()[-1]
    if said != compiled:
        raise Failed(f"COMPILED is {said}")
    code = "from refsvm.conformance import cases as c; print(len(c.cases(*c.FILES)))"
    if int(call(sys.executable, "-c", code, cwd=target)) < 200:
        raise Failed("cases of the audit are missing")
    call(sys.executable, "-m", "refsvm", "demo", cwd=target)
    call(target / "bin" / "refsvm", "demo", cwd=target, PYTHONPATH=target)
    made = sum(path.stat().st_size for path in target.glob("refsvm_fast/*.so"))
    beside = {path.name for path in target.iterdir()} - PARTS - {"refsvm-demo.svg"}
    if [name for name in beside if not name.endswith(".dist-info")]:
        raise Failed(f"installed, but no part of refsvm: {beside}")
    if list(target.glob("refsvm_fast/*.[pc]y[xd]")):
        raise Failed("what only a build needs was installed")
    return f"{made:,} bytes of compiled code"


def states():
    """In each state that the README makes run the demo, and tests that read what is installed."""
    few = [f"tests/test_{name}.py" for name in OF_THE_STATE]
    return after_each(ORDERS[0], [*few, "-n", "0", "-m", "not slow"], REFSVM_PURE_PYTHON=1)


def orders():
    """The README's commands in every order, compiled and not; after each, the quick tests."""
    pure = after_each([], REFSVM_PURE_PYTHON=1)
    return "; ".join([*map(after_each, ORDERS), f"with nothing compiled {pure}"])


def after_each(order, words=(), **variables):
    """What tests say in a fresh clone and after each install, outside and inside its venv."""
    home, results = MATRIX / "-".join(["state", *order]), []
    clone, inside = home / "refsvm", home / "venv" / "bin" / "python"
    shutil.rmtree(home, ignore_errors=True)
    call("git", "clone", "-q", ROOT, clone)
    call(sys.executable, "-m", "venv", home / "venv")
    for what in "", *order:
        if what:
            call(inside, "-m", "pip", "install", "-q", what, cwd=clone, **variables)
            call(inside.with_name("refsvm"), "--version", cwd=home)
        for python in sys.executable, inside:
            call(python, "-m", "refsvm", "demo", cwd=clone, **variables)
            said = call(python, "-m", "tests", "-q", *words, cwd=clone, **variables)
            results.append(said.splitlines()[-1])
    return "; ".join(results)


def twice():
    """The archive and the wheels have the same bytes in another folder, at another time."""
    first, again = packed_in("twice"), packed_in("again")
    names = sorted(path.name for path in first.iterdir())
    differ = [name for name in names if (first / name).read_bytes() != (again / name).read_bytes()]
    if differ or len(names) != 3:
        raise Failed(f"of {', '.join(names)} these differ: {', '.join(differ)}")
    return ", ".join(names)


def packed_in(name):
    """A folder with the archive, the wheel without compiled modules, and that of this Python."""
    folder = unpacked(name)
    settings = {"SOURCE_DATE_EPOCH": 1_700_000_000, "PYTHONPATH": tools(packages=BUILD_TOOLS)}
    for command, need in ("sdist", "PURE_PYTHON"), ("bdist_wheel", "PURE_PYTHON"), (
        "bdist_wheel", "REQUIRE_EXTENSIONS"
    ):
        words = ["setup.py", "-q", command, "-d", "packed"]
        call(sys.executable, *words, cwd=folder, **settings, **{f"REFSVM_{need}": 1})
    return folder / "packed"


def pure():
    """Of the wheels pip takes the compiled one where it fits, and the pure one elsewhere."""
    wheels = packed_in("pure")
    for archived in wheels.glob("*.tar.gz"):
        archived.unlink()
    results = []
    for version, compiled in (VERSION, "True"), ("3.12", "False"), ("3.9", "False"):
        python, target = python_of(version), wheels / version
        words = ["-m", "pip", "install", "-q", "--no-index", f"--find-links={wheels}"]
        call(python, *words, f"--target={target}", "refsvm")
        code = "import refsvm_fast as r; r.smo(r.Problem([[0], [1]], [-1, 1])); print(r.COMPILED)"
        said = call(python, "-c", code, cwd=target).split()[-1]
        if said != compiled:
            raise Failed(f"with Python {version} COMPILED is {said}")
        call(python, "-m", "refsvm", "demo", cwd=target)
        results.append(f"{version}: {'compiled' if said == 'True' else 'pure'}")
    return "; ".join(results)


def abi3():
    """One wheel, made with 3.11, serves every later Python."""
    folder, path = unpacked("abi3"), tools("3.11")
    limited = {"REFSVM_REQUIRE_EXTENSIONS": 1, "REFSVM_ABI3": 1, "PYTHONPATH": path}
    call(python_of("3.11"), "setup.py", "-q", "bdist_wheel", cwd=folder, **limited)
    (wheel,) = folder.glob("dist/*-cp311-abi3-linux_*.whl")
    shutil.unpack_archive(wheel, folder, "zip")
    code = "import refsvm_fast; assert refsvm_fast.COMPILED"
    call(python_of("3.11"), "-c", code, cwd=folder)  # all tests run there elsewhere
    results = []
    for version in "3.12", "3.13":
        said = check(folder, python_of(version), path=tools(version))
        results.append(f"{version}: {said}")
    return "; ".join(results)


def clang():
    """Another compiler."""
    need("clang", "clang")
    folder = unpacked("clang")
    build(folder, CC="clang", LDSHARED="clang -shared")
    return check(folder)


def checked():
    """Every index checked."""
    folder = unpacked("checked")
    build(folder, REFSVM_CHECKED=1)
    return check(folder)


def sanitized():
    """The whole test suite, and hostile calls: no access out of place and nothing undefined."""
    folder = unpacked("sanitized")
    flags = "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
    build(folder, REFSVM_CHECKED=1, CFLAGS=flags, LDFLAGS="-fsanitize=address,undefined")
    libraries = [
        call("gcc", f"-print-file-name=lib{name}.so").strip() for name in ("asan", "ubsan")
    ]
    # Python itself keeps what it allocates until it ends, so leaks are not looked for here; and
    # what was freed must not stay for long, or memory would seem to be kept.
    options = {"ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=8"}
    options |= {"UBSAN_OPTIONS": "print_stacktrace=1"}
    options |= {"LD_PRELOAD": " ".join(libraries), "PYTHONMALLOC": "malloc"}
    code = "import ctypes; ctypes.string_at(ctypes.create_string_buffer(1), 99)"
    try:
        call(sys.executable, "-c", code, cwd=folder, **options)
    except Failed as error:
        if "AddressSanitizer" not in str(error):
            raise
    else:
        raise Failed("a read out of place went unnoticed: the sanitizer is not at work")
    calls = os.environ.get("BUILDS_HOSTILE_CALLS", "50000")
    call(sys.executable, "tests/hostile_calls.py", "--count", calls, cwd=folder, **options)
    whole = sorted(str(path.relative_to(folder)) for path in folder.glob("tests/test_*.py"))
    whole.remove("tests/test_build.py")  # its compilers would run under the sanitizer, too
    return check(folder, tests=whole, **options)


def isa():
    """Each of the inner loops that this processor can run."""
    folder, results = unpacked("isa"), []
    build(folder)
    for name in "baseline", "avx2", "avx512":
        code = "import refsvm_fast"
        try:
            call(sys.executable, "-c", code, cwd=folder, REFSVM_ISA=name)
        except Failed as error:
            if "this build and processor have" not in str(error):
                raise
            results.append(f"{name}: not this processor")
            continue
        results.append(f"{name}: {check(folder, REFSVM_ISA=name)}")
    return "; ".join(results)


def wide():
    """As many lanes as AVX-512 has, by the instructions of any processor."""
    folder = unpacked("wide")
    build(folder, CFLAGS="-DBASELINE=64 -Wno-psabi")
    return check(folder, REFSVM_ISA="baseline")


def free():
    """Without the global lock, which importing refsvm_fast must not bring back."""
    python = os.environ.get("BUILDS_FREE_PYTHON") or shutil.which("python3.14t")
    if not python:
        raise NotHere("there is no free-threaded Python (BUILDS_FREE_PYTHON)")
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    version = call(python, "-c", code).strip()
    packages = [*BUILD_TOOLS, *TEST_TOOLS, "hypothesis<6.156"]  # newer ones do not load there
    path = tools(version, abi=f"cp{version.replace('.', '')}t", packages=packages)
    folder = unpacked("free")
    build(folder, python, path)
    code = "import sys, refsvm_fast as r; print(r.COMPILED and not sys._is_gil_enabled())"
    if call(python, "-W", "error", "-c", code, cwd=folder).split()[-1] != "True":
        raise Failed("importing refsvm_fast brought the global lock back")
    return check(folder, python, path=path, PYTHON_GIL=0)


def musl():
    """Another C library."""
    python = os.environ.get("BUILDS_MUSL_PYTHON")
    if not python:
        raise NotHere("there is no Python linked with musl (BUILDS_MUSL_PYTHON)")
    version = call(python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])").strip()
    path = tools(version, platform="musllinux_1_2_x86_64")
    folder = unpacked("musl")
    build(folder, python, path)
    return check(folder, python, path=path)


def newest():
    """The newest Pythons there are, with the newest compiler: Debian's unstable."""
    versions = ["3.14", "3.15"]
    packages = [f"python{version}-dev" for version in versions]
    root = system("sid", "amd64", ["gcc", "libc6-dev", *packages])
    results = []
    for version in versions:
        path, folder = root / f"tools-{version}", unpacked(f"refsvm-{version}", root)
        shutil.copytree(tools(version), path, dirs_exist_ok=True)
        inside = ["chroot", root, "env", "-C", f"/{folder.relative_to(root)}", f"python{version}"]
        words = ["setup.py", "-q", "build_ext", "--inplace"]
        call(*inside, *words, REFSVM_REQUIRE_EXTENSIONS=1, PYTHONPATH=f"/tools-{version}")
        said = check(folder, *inside, path=f"/tools-{version}")
        results.append(f"{version}: {said}")
    return "; ".join(results)


def arm64():
    """Another processor: compiled across, run by qemu."""
    compiler = need("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu")
    need("qemu-aarch64-static", "qemu-user-static binfmt-support")
    if VERSION != "3.11":
        raise NotHere("Debian's Python for arm64 is 3.11, and the one that builds must be, too")
    root = system("bookworm", "arm64", ["python3-dev"])
    folder = unpacked("refsvm", root)
    data = root / "usr/lib/python3.11"
    (folder / "across").mkdir()
    for path in data.glob("_sysconfigdata__*aarch64*.py"):
        shutil.copy(path, folder / "across")
    names = [root / "usr/include/python3.11", root / "usr/include"]
    across = {
        "_PYTHON_SYSCONFIGDATA_NAME": "_sysconfigdata__aarch64-linux-gnu",
        "_PYTHON_HOST_PLATFORM": "linux-aarch64",
        "CC": compiler,
        "LDSHARED": f"{compiler} -shared",
        "CFLAGS": " ".join(f"-I{name}" for name in names),
    }
    build(folder, path=f"{folder / 'across'}:{tools()}", **across)
    path = tools("3.11", platform=f"{GNU}_aarch64", packages=TEST_TOOLS)
    shutil.copytree(path, root / "tools", dirs_exist_ok=True)
    inside = ["chroot", root, "env", "-C", f"/{folder.relative_to(root)}", "python3"]
    # The one test that looks at a clock: what is emulated takes many times as long.
    timed = "test_a_long_fit_ends_within_a_second_of_ctrl_c_and_leaves_nothing_broken"
    tests = [*fast_tests(folder), "--deselect", f"tests/test_fast_running.py::{timed}"]
    return check(folder, *inside, path="/tools", tests=tests)


def i386():
    """A processor whose doubles are wider inside is refused, and with SSE it is not."""
    compiler = need("i686-linux-gnu-gcc", "gcc-i686-linux-gnu")
    folder = unpacked("i386")
    source = [compiler, "-std=c99", "-fsyntax-only", "refsvm_fast/simd/loops.c"]
    try:
        call(*source, cwd=folder)
    except Failed as error:
        if "binary64" not in str(error):
            raise
    else:
        raise Failed("simd/loops.c compiles where intermediate results are wider than a double")
    call(*source, "-msse2", "-mfpmath=sse", cwd=folder)
    return "refused"


def system(suite, architecture, packages):
    """A Debian of its own in a folder, made by debootstrap."""
    root = ROOTS / f"{suite}-{architecture}"
    if not (root / "complete").exists():
        need("debootstrap", "debootstrap")
        if os.geteuid() != 0:
            raise NotHere("only root can make a system in a folder (debootstrap)")
        if architecture == "arm64":
            call("update-binfmts", "--enable", "qemu-aarch64")
        words = [f"--arch={architecture}", "--variant=minbase", f"--include={','.join(packages)}"]
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        try:
            call("debootstrap", *words, suite, root)
        except Failed as error:
            raise NotHere(
                f"debootstrap could not make {suite} for {architecture}\n{error}"
            ) from None
        (root / "complete").touch()
    return root


CHECKS = [sdist, no_compiler, no_cython, twice, pure, i386, abi3, clang, checked, isa, wide]
CHECKS += [states, orders, free, musl, newest, arm64, sanitized]


def main(names, known):
    """Run these checks of a table, or all; the exit status."""
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"{unknown[0]} is none of: {', '.join(known)}")
    MATRIX.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(MATRIX / "archive", ignore_errors=True)
    (MATRIX / "log.txt").unlink(missing_ok=True)
    failed = 0
    for name in names or known:
        begun = time.monotonic()
        try:
            said = known[name]()
        except NotHere as error:
            said = f"NOT HERE: {error}"
            failed += name in names
        except Failed as error:
            said = "FAILED: " + "\n".join(
                str(error).splitlines()[:1] + str(error).splitlines()[-30:]
            )
            failed += 1
        print(f"{name:12} {time.monotonic() - begun:4.0f} s  {said}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], {check.__name__: check for check in CHECKS}))
