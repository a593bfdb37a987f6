"""What setup.py promises, on a project of two small modules that takes a second to build.

The whole matrix (sanitizers, other compilers, other processors, one wheel for several Pythons) is
in builds.py, which takes its time.
"""

import ast
import gzip
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest
from profiles import one_in

import refsvm
import refsvm_fast
from refsvm.numerics import environment
from refsvm.numerics.environment import env_flag

ROOT = Path(__file__).resolve().parent.parent
SETUP = (ROOT / "setup.py").read_text()
TABLE = re.compile(r"^MODULES = \{[^}]*\}", re.MULTILINE)
CPU = Path("/proc/cpuinfo")
PROCESSOR = CPU.read_text() if CPU.exists() else ""
LARGEST = 905_000  # bytes, of all compiled modules together
REQUIRED = env_flag("REFSVM_REQUIRE_EXTENSIONS")

ONE = """
def bits(double a, double b, double c, double zero):
    values = [a * b + c, (a + b) - a, a / 3.0, b / c, a * 0.1, zero + 0.0, zero - zero]
    return [value.hex() for value in values] + [a - a != a - a, -zero / b]

def at(list entries, Py_ssize_t i):
    return entries[i]
"""
TWO = """
cdef extern from "two.h":
    int two() nogil

def answer():
    return two()
"""
PROJECT = {
    "refsvm/version.py": '__version__ = "0"\n',
    "refsvm/numerics/environment.py": Path(environment.__file__).read_text(encoding="utf-8"),
    "refsvm_fast/__init__.py": "",
    "refsvm_fast/_one.pyx": ONE,
    "refsvm_fast/_two.pyx": TWO,
    "refsvm_fast/two.h": "int two(void);\n",
    "refsvm_fast/two.c": '#include "two.h"\nint two(void) { return 2; }\n',
    "README.md": "a small project\n",
    "LICENSE": "none\n",
    "pytest_refsvm.py": "",
    "spec/vectors/core.json": "{}\n",
}


@pytest.mark.parametrize("path", ["refsvm/__init__.py", "setup.py", "tests/__main__.py"])
def test_an_older_python_can_read_which_one_is_needed(monkeypatch, path):
    tree = ast.parse((ROOT / path).read_text(), path, feature_version=(3, 6))
    monkeypatch.setattr(sys, "version_info", (3, 8, 18))
    with pytest.raises((ImportError, SystemExit), match="needs? Python 3.9 or later; this is "):
        exec(compile(tree, path, "exec"), {"__name__": "refsvm"})


def table():
    """The table MODULES of setup.py."""
    names = {}
    exec(TABLE.search(SETUP).group(), names)
    return names["MODULES"]


@pytest.fixture
def project(tmp_path):
    for name, text in PROJECT.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    small, replaced = TABLE.subn('MODULES = {"_one": [], "_two": ["two.c"]}', SETUP)
    assert replaced == 1
    (tmp_path / "setup.py").write_text(small)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def run(folder, *words, **variables):
    """Run this Python in the folder, none of the build's variables set but those given."""
    unset = ("REFSVM_", "CFLAGS", "CPPFLAGS", "LDFLAGS", "CC")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(unset)}
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**environment, **variables},
        capture_output=True,
        text=True,
    )


def build(folder, **variables):
    return run(folder, "setup.py", "-q", "build_ext", "--inplace", "--force", **variables)


def built(folder):
    return sorted(path.name.split(".")[0] for path in folder.glob("refsvm_fast/_*.so"))


def in_project(folder, code):
    done = run(folder, "-c", f"from refsvm_fast import _one, _two; print({code})")
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


def missing():
    """Why nothing can be compiled here, or None."""
    if sys.implementation.name != "cpython":
        return "the modules are built for CPython only"
    if None in map(importlib.util.find_spec, ("Cython", "setuptools")):
        return "Cython and setuptools are not installed"
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    return None if shutil.which(compiler) else f"there is no {compiler}"


WHY_NOT = missing()
compiled = pytest.mark.skipif(not refsvm_fast.COMPILED, reason="nothing is compiled")
possible = pytest.mark.skipif(WHY_NOT is not None and not REQUIRED, reason=WHY_NOT or "")


def builds(test):
    return possible(pytest.mark.slow("a mistake in setup.py")(test))


def test_every_source_of_refsvm_fast_is_in_the_table_of_setup_py():
    folder = ROOT / "refsvm_fast"
    assert sorted(table()) == sorted(path.stem for path in folder.glob("*.pyx"))
    named = [source for others in table().values() for source in others]
    assert sorted(named) == sorted(str(path.relative_to(folder)) for path in folder.rglob("*.c"))


def test_refsvm_fast_is_compiled_where_it_must_be():
    if REQUIRED:
        assert refsvm_fast.COMPILED
    assert refsvm_fast.__version__ == refsvm.__version__


def imported(stands_for, name, **variables):
    """What a Python does in which that stands for a module: an expression of `types` or None."""
    code = f"import sys, types; sys.modules['refsvm_fast.{name}'] = {stands_for}"
    seen = "import refsvm_fast as r; print(r.COMPILED, r.smo.__module__)"
    return run(ROOT, "-c", f"{code}; {seen}", **variables)


@compiled
@pytest.mark.parametrize("name", table())
def test_refsvm_fast_is_the_oracle_where_one_module_is_missing(name):
    done = imported("None", name)
    assert done.stdout.split() == ["False", refsvm.smo.__module__], done.stderr


@compiled
@pytest.mark.parametrize("name", ["_kernel_rows", "_solution", "_table"])
def test_refsvm_fast_is_the_oracle_where_one_module_lacks_what_others_take(name):
    """As one that was built from older sources."""
    done = imported("types.ModuleType('older')", name)
    assert done.stdout.split() == ["False", refsvm.smo.__module__], done.stderr
    assert "RuntimeWarning: the compiled modules of refsvm_fast do not load: " in done.stderr
    done = imported("types.ModuleType('older')", name, REFSVM_REQUIRE_EXTENSIONS="1")
    assert "\nImportError: the compiled modules of refsvm_fast do not load: " in done.stderr


@compiled
def test_another_interpreter_that_gets_none_is_told():
    interpreters = pytest.importorskip("_xxsubinterpreters")
    code = ("import _xxsubinterpreters as other; "
            "other.run_string(other.create(), 'import refsvm_fast'); import refsvm_fast")
    done = run(ROOT, "-c", code)
    assert interpreters and "do not load: Interpreter change detected" in done.stderr


@compiled
@pytest.mark.parametrize("name", table())
def test_a_missing_module_is_named_where_they_must_be_there(name):
    done = imported("None", name, REFSVM_REQUIRE_EXTENSIONS="1")
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError") and name in last


@compiled
def test_the_compiled_modules_are_small():
    paths = [importlib.util.find_spec(f"refsvm_fast.{name}").origin for name in table()]
    assert paths
    assert sum(os.path.getsize(path) for path in paths) < LARGEST


@builds
def test_a_build_has_every_module_or_none(project):
    done = build(project)
    assert (done.returncode, built(project)) == (0, ["_one", "_two"]), done.stderr
    assert in_project(project, "_two.answer()") == "2"
    (project / "refsvm_fast/two.c").write_text("#error a platform without promises\n")
    assert build(project).returncode == 0
    assert built(project) == []
    assert list(project.glob("build/lib*/refsvm_fast/*.so")) == []


FUSED = "-mfma" if " fma " in PROCESSOR else ""
FLAGS = [  # each part of -ffast-math is tried by builds.py, on all of refsvm_fast
    {"CFLAGS": f"-Ofast -ffast-math {FUSED} -ffp-contract=fast"},
    {"CFLAGS": "-funsafe-math-optimizations -fsingle-precision-constant -fno-signed-zeros"},
    {"LDFLAGS": "-Ofast -funsafe-math-optimizations", "CPPFLAGS": "-ffinite-math-only"},
]
NUMBERS = [
    (1e16, 1.0, 2.9999, -0.0), (1 + 2**-30, 1 - 2**-30, -1.0, 0.0), (2.0**-1022, 0.5, 3.0, -0.0),
    (float("inf"), 1.0, 7.0, 0.0),
]


@builds
@pytest.mark.parametrize("flags", one_in(3, FLAGS), ids=str)
def test_flags_of_the_machine_do_not_change_a_bit(project, flags):
    (project / "plain.py").write_text(ONE.replace("double ", "").replace("list ", "")
                                      .replace("Py_ssize_t ", ""))
    assert build(project, **flags).returncode == 0
    for numbers in NUMBERS:
        inf = 'inf = float("inf")'
        code = f"{inf}; import plain; from refsvm_fast import _one, _two; "
        code += f"print(plain.bits(*{numbers}) == _one.bits(*{numbers}), plain.bits(*{numbers}))"
        # The oracle's bits are those of a process that has not loaded what was built.
        alone = run(project, "-c", f"{inf}; import plain; print(True, plain.bits(*{numbers}))")
        assert run(project, "-c", code).stdout == alone.stdout != ""


@builds
def test_without_a_compiler_there_is_no_module_and_no_error_unless_they_are_required(project):
    for compiler in "/bin/false", "/no/compiler/here":
        done = build(project, CC=compiler)
        assert (done.returncode, built(project)) == (0, []), done.stderr
        assert "refsvm_fast stays uncompiled" in done.stderr
    assert build(project, CC="/bin/false", REFSVM_REQUIRE_EXTENSIONS="1").returncode != 0


@builds
def test_a_mistake_in_the_source_is_not_taken_for_a_missing_compiler(project):
    (project / "refsvm_fast/_one.pyx").write_text("def f(:\n")
    assert build(project).returncode != 0


def without_cython(folder, **variables):
    code = (
        "import sys, runpy; sys.modules['Cython'] = None; sys.path.insert(0, '.');"
        "sys.argv = ['setup.py', '-q', 'build_ext', '--inplace'];"
        "runpy.run_path('setup.py', run_name='__main__')"
    )
    return run(folder, "-c", code, **variables)


@builds
def test_without_cython_there_is_no_module_and_no_error_unless_they_are_required(project):
    done = without_cython(project)
    assert (done.returncode, built(project)) == (0, []), done.stderr
    assert without_cython(project, REFSVM_REQUIRE_EXTENSIONS="1").returncode != 0


@builds
def test_what_is_not_wanted_is_not_built(project):
    done = build(project, REFSVM_PURE_PYTHON="1")
    assert (done.returncode, built(project)) == (0, []), done.stderr
    done = build(project, REFSVM_PURE_PYTHON="1", REFSVM_REQUIRE_EXTENSIONS="1")
    assert done.returncode != 0
    assert done.stderr == ("REFSVM_PURE_PYTHON and REFSVM_REQUIRE_EXTENSIONS exclude each other\n")


@builds
def test_the_limited_api_is_refused_where_it_is_not_there(project):
    done = build(project, REFSVM_ABI3="1")
    if sys.version_info >= (3, 11) and not sysconfig.get_config_var("Py_GIL_DISABLED"):
        assert done.returncode == 0, done.stderr
        names = sorted(path.name for path in project.glob("refsvm_fast/*.so"))
        assert names == ["_one.abi3.so", "_two.abi3.so"]
        assert in_project(project, "_two.answer()") == "2"
    else:
        assert done.returncode != 0
        assert done.stderr.startswith("REFSVM_ABI3 needs CPython 3.11 or later")


@builds
def test_a_checked_build_finds_an_index_out_of_range(project):
    assert build(project, REFSVM_CHECKED="1").returncode == 0
    assert in_project(project, "_one.at([5], 1)") == "IndexError: list index out of range"


@builds
def test_the_vectors_are_installed_gzipped(project):
    done = run(project, "setup.py", "-q", "build_py", "-d", "there")
    assert done.returncode == 0, done.stderr
    made = {path.name: gzip.decompress(path.read_bytes()) for path in project.rglob("*.gz")}
    assert made == {"core.json.gz": b"{}\n"}


def packed(folder, command, mask):
    """The name and the bytes of what a command of setup.py packs, where files have other modes."""
    words = ["setup.py", "-q", command, "-d", "dist"]
    code = f"import os, runpy, sys; os.umask({mask}); sys.argv = {words}; sys.path.insert(0, '')"
    settings = {"REFSVM_PURE_PYTHON": "1", "SOURCE_DATE_EPOCH": "1000000000"}
    done = run(folder, "-c", f"{code}; runpy.run_path('setup.py')", **settings)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("dist/*")
    return path.name, path.read_bytes()


@builds
def test_one_tree_is_packed_into_the_same_bytes_at_another_time_and_place(
    project, tmp_path_factory
):
    there = tmp_path_factory.mktemp("there")
    shutil.copytree(project, there, dirs_exist_ok=True)
    for path in there.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
        os.utime(path, (10**9, 10**9))
    archives = {packed(project, "sdist", 0o022), packed(there, "sdist", 0o077)}
    assert {name for name, _ in archives} == {"refsvm-0.tar.gz"}
    assert len(archives) == 1
    wheels = set()
    for folder, mask in (project, 0o022), (there, 0o077):
        shutil.unpack_archive(folder / "dist/refsvm-0.tar.gz", folder)
        wheels.add(packed(folder / "refsvm-0", "bdist_wheel", mask))
    assert {name for name, _ in wheels} == {"refsvm-0-py3-none-any.whl"}
    assert len(wheels) == 1


@builds
def test_the_source_distribution_holds_the_sources_and_the_tests_and_nothing_made(tmp_path):
    done = run(ROOT, "setup.py", "-q", "egg_info", "-e", tmp_path, "sdist", "-d", tmp_path)
    assert done.returncode == 0, done.stderr
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(str(archive)) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    for folder in "refsvm", "refsvm_fast", "spec", "tests", "docs":
        paths = [path for path in (ROOT / folder).rglob("*.*") if path.is_file()]
        wanted = {str(path.relative_to(ROOT)) for path in paths}
        wanted = {name for name in wanted if not name.endswith((".pyc", ".so"))}
        assert wanted
        assert wanted <= names
    assert not [name for name in names if name.startswith("build") or name.endswith(".so")]
    pages = {path.name for path in ROOT.glob("*.*") if path.suffix in (".md", ".cff", ".toml")}
    assert pages | {"setup.py", "pytest_refsvm.py", "LICENSE"} <= names
    assert not [name for name in names if name.startswith(".ci")]  # it is run in a checkout
