"""Builds the compiled modules of refsvm_fast where it can; everything static is in pyproject.toml.

What REFSVM_PURE_PYTHON, REFSVM_REQUIRE_EXTENSIONS, REFSVM_ABI3 and REFSVM_CHECKED ask for stands
in spec/use/command-line.md. SOURCE_DATE_EPOCH is the time of every file in an archive or a wheel,
which have the same bytes each time that they are built for the same one.

A module that cannot be compiled takes the others with it, so refsvm_fast is compiled or it is not.

Where the project is at home is known where it is built for others, by an action of GitHub: its
pages are named in the metadata, and links of the README lead there. Elsewhere nothing is named.
"""

import gzip
import io
import os
import re
import runpy
import subprocess
import sys
import sysconfig
import tarfile
from glob import glob
from pathlib import Path

if sys.version_info < (3, 9):  # noqa: UP036 - pip knows, but setup.py may be run without it
    sys.exit("refsvm needs Python 3.9 or later; this is " + sys.version.split()[0])

from setuptools import Extension, setup  # noqa: E402
from setuptools.command.build_ext import build_ext  # noqa: E402
from setuptools.command.build_py import build_py  # noqa: E402
from setuptools.command.sdist import sdist  # noqa: E402
from setuptools.errors import BaseError, CCompilerError  # noqa: E402

# Each module with the C files compiled into it.
MODULES = {
    "_solution": [],
    "_kernel_rows": [],
    "_smo": [],
    "_table": [
        "simd/loops.c",
        "simd/avx2.c",
        "simd/avx512.c",
        "simd/dispatch.c",
        "simd/memory.c",
    ],
    "_online": [],
}


# How variables are read stands in refsvm, which cannot be imported where it is not yet installed.
variables = runpy.run_path(str(Path(__file__).with_name("refsvm") / "numerics/environment.py"))
try:
    PURE, REQUIRED, ABI3, CHECKED = (
        variables["env_flag"](f"REFSVM_{name}")
        for name in ("PURE_PYTHON", "REQUIRE_EXTENSIONS", "ABI3", "CHECKED")
    )
except ValueError as error:
    sys.exit(str(error))
EPOCH = os.environ.get("SOURCE_DATE_EPOCH")

# The roundings are part of the definition, whatever the CFLAGS of the machine say: those come
# first on the command line, these last. To link, too: a library that is linked with -ffast-math,
# or -Ofast, sets subnormal numbers to zero in the process that loads it. Each part of -ffast-math
# is named, as -fno-fast-math leaves what was asked for by its own name. What no flag mends,
# simd/loops.h refuses.
EXACT = [
    "-ffp-contract=off",
    "-fno-fast-math",
    "-fno-unsafe-math-optimizations",
    "-fno-associative-math",
    "-fno-reciprocal-math",
    "-fno-finite-math-only",
    "-fsigned-zeros",
]
EXACT_WHERE_KNOWN = [  # to this compiler, for this processor
    "-fno-single-precision-constant",
    "-fno-approx-func",
    "-fdenormal-fp-math=ieee",
    "-mno-daz-ftz",
    "-mfpmath=sse",
]
STRICT = ["-Werror=implicit-function-declaration"]  # or a crash at run time
SMALL = ["-g0", "-fno-asynchronous-unwind-tables"]
PLAIN = ["-Os", "-ftree-vectorize", *SMALL]
LOOPS = ["-O2", *SMALL]  # elsewhere it is a third larger, not faster
INNER = {"refsvm_fast._table", "refsvm_fast._online"}  # where the inner loops are
TO_LOOK_INTO = ["-O1", "-g", "-UNDEBUG"]
MICROSOFT = ["/O2", "/fp:precise"]
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": CHECKED,
    "wraparound": False,
    "cdivision": True,
    "auto_pickle": False,  # code that is never called
    "binding": False,  # nor this, 10 kB a module; public functions ask for it: signatures
    "freethreading_compatible": True,
    "allow_none_for_extension_args": False,  # to look into None as a Table is a crash
}


class AllOrNone(build_ext):
    """Builds every module, or where one cannot be compiled, none and says so."""

    def build_extensions(self):
        from Cython.Build import cythonize

        translated = cythonize(
            self.extensions,
            build_dir="build/checked" if CHECKED else "build/cython",
            compiler_directives=DIRECTIVES,
            quiet=True,
        )
        sources = {module.name: module.sources for module in translated}
        for module in self.extensions:
            module.sources = sources[module.name]
        exact = self.exact_flags()
        for module in self.extensions:
            module.extra_compile_args = self.flags(module, exact)
            if exact:
                module.extra_link_args = ["-O2", *exact]  # -O2: an -Ofast before it is void
            if sys.platform.startswith("linux") and not CHECKED:
                module.extra_link_args += ["-s", "-Wl,-z,noseparate-code"]  # half the size
        super().build_extensions()

    def flags(self, module, exact):
        if not exact:
            return MICROSOFT
        speed = LOOPS if module.name in INNER else PLAIN
        return [*(TO_LOOK_INTO if CHECKED else speed), *exact, *STRICT]

    def exact_flags(self):
        """EXACT, and what this compiler knows of the others; none of Microsoft's."""
        if self.compiler.compiler_type == "msvc":
            return []
        return EXACT + [flag for flag in EXACT_WHERE_KNOWN if self.knows(flag)]

    def knows(self, flag):
        """Whether the compiler takes a flag without a warning."""
        words = [*self.compiler.compiler_so, "-Werror", flag, "-fsyntax-only", "-xc", os.devnull]
        try:
            return subprocess.run(words, capture_output=True).returncode == 0
        except OSError:  # there is no compiler, which the build will tell
            return False

    def run(self):
        in_place = self.inplace
        try:
            super().run()
        except (BaseError, CCompilerError) as error:
            if REQUIRED:
                raise
            print(f"refsvm_fast stays uncompiled: {error}", file=sys.stderr)
            for self.inplace in {False, in_place}:
                self.remove_what_was_built()
            self.extensions = []

    def remove_what_was_built(self):
        for module in self.extensions:
            path = self.get_ext_fullpath(module.name)
            if os.path.exists(path):
                os.remove(path)


class WithVectors(build_py):
    """Puts the JSON of spec/vectors into what is installed, gzipped; a checkout reads it there."""

    def vectors(self):
        """Where each file comes from, and where it goes."""
        folder = Path(self.build_lib, "refsvm", "conformance", "vectors")
        return [(path, folder / f"{path.name}.gz") for path in Path("spec/vectors").glob("*.json")]

    def run(self):
        super().run()
        for source, target in self.vectors():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(gzip.compress(source.read_bytes(), mtime=0))  # the same each time

    def get_outputs(self, include_bytecode=True):
        made = [str(target) for _, target in self.vectors()]
        return [*super().get_outputs(include_bytecode), *made]


class SameEachTime(sdist):
    """Packs the archive of one tree into the same bytes: by name, of nobody, at one time."""

    def make_archive(self, base_name, format, root_dir=None, base_dir=None, **owner):
        if format != "gztar" or not EPOCH:
            return super().make_archive(base_name, format, root_dir, base_dir, **owner)

        def plain(member):
            member.mtime, member.uid, member.gid = int(EPOCH), 0, 0
            member.uname = member.gname = ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            return member

        path = Path(f"{base_name}.tar.gz")
        path.parent.mkdir(exist_ok=True)
        tree = io.BytesIO()
        with tarfile.open(fileobj=tree, mode="w", format=tarfile.PAX_FORMAT) as tar:
            tar.add(base_dir, filter=plain)  # in the order of the names
        path.write_bytes(gzip.compress(tree.getvalue(), mtime=int(EPOCH)))
        return str(path)


def modules():
    """The extension modules to build: none where they are not wanted, or Cython is missing."""
    if PURE or sys.implementation.name != "cpython":
        return []
    try:
        import Cython  # noqa: F401
    except ImportError:
        if REQUIRED:
            raise
        return []
    limited = [("Py_LIMITED_API", "0x030B0000")] if ABI3 else []
    return [
        Extension(
            f"refsvm_fast.{name}",
            [f"refsvm_fast/{source}" for source in (f"{name}.pyx", *others)],
            include_dirs=["refsvm_fast"],
            depends=["setup.py", *sorted(glob("refsvm_fast/simd/*.[ch]"))],
            define_macros=limited,
            py_limited_api=ABI3,
        )
        for name, others in MODULES.items()
    ]


def home():
    """The page of the project and that of its files at this commit; "" where they are unknown."""
    read = variables["env_text"]
    told = [read(f"GITHUB_{name}") for name in ("SERVER_URL", "REPOSITORY", "SHA")]
    if not all(told):
        return "", ""
    page = "/".join(told[:2])
    return page, f"{page}/blob/{told[2]}/"


def readme(files):
    """README.md with links that work away from the checkout: to these files, or left out."""
    with open("README.md", encoding="utf-8") as file:
        text = file.read()
    if not files:
        text = re.sub(r"!\[[^]]*\]\([^)]*\)\n*", "", text)
        return re.sub(r"\[([^]]*)\]\((?!https?:|#)[^)]*\)", r"\1", text)
    text = re.sub(r"(!\[[^]]*\]\()(?!https?:)", rf"\1{files.replace('/blob/', '/raw/')}", text)
    return re.sub(r"(\]\()(?!https?:|#)", rf"\1{files}", text)


PAGE, FILES = home()
URLS = {
    "Source": PAGE,
    "Documentation": FILES + "spec/README.md",
    "Changelog": FILES + "CHANGELOG.md",
    "Issues": PAGE + "/issues",
}
if PURE and REQUIRED:
    sys.exit("REFSVM_PURE_PYTHON and REFSVM_REQUIRE_EXTENSIONS exclude each other")
if ABI3 and (sys.version_info < (3, 11) or sysconfig.get_config_var("Py_GIL_DISABLED")):
    sys.exit("REFSVM_ABI3 needs CPython 3.11 or later, and not a free-threaded one")
os.umask(0o022)  # the modes of files are part of a wheel's bytes
setup(
    project_urls=URLS if PAGE else {},
    long_description=readme(FILES),
    long_description_content_type="text/markdown",
    ext_modules=modules(),
    cmdclass={"build_ext": AllOrNone, "build_py": WithVectors, "sdist": SameEachTime},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if ABI3 else {},
)
