"""Builds the compiled modules of refsvm_fast where it can; everything static is in pyproject.toml.

    REFSVM_PURE_PYTHON=1          build no extension (refsvm_fast then runs on refsvm's own code)
    REFSVM_REQUIRE_EXTENSIONS=1   fail, rather than go without, where they cannot be built
"""

import os
import sys

from setuptools import Extension, setup

PURE = os.environ.get("REFSVM_PURE_PYTHON", "0") != "0"
REQUIRED = os.environ.get("REFSVM_REQUIRE_EXTENSIONS", "0") != "0"

# Each module with the C files compiled into it.
MODULES = {
    "_rows": [],
    "_descent": [],
    "_table": ["processor.c", "lanes.c", "lanes_avx2.c", "lanes_avx512.c"],
}
# No fused multiply-add: the two roundings of a * b + c are part of the definition.
FLAGS = ["-O3", "-g0", "-ffp-contract=off"]


def extensions():
    """The extension modules, as plain sources where Cython is missing: then there are none."""
    if PURE or sys.implementation.name != "cpython":
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        if REQUIRED:
            raise
        return []
    modules = [
        Extension(
            f"refsvm_fast.{name}",
            [f"refsvm_fast/{name}.pyx", *(f"refsvm_fast/{source}" for source in sources)],
            depends=["refsvm_fast/lanes.c", "refsvm_fast/lanes.h"],
            extra_compile_args=FLAGS,
        )
        for name, sources in MODULES.items()
    ]
    built = cythonize(
        modules,
        build_dir="build/cython",
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "freethreading_compatible": True,
        },
    )
    for extension in built:
        extension.optional = not REQUIRED  # cythonize() drops the argument of Extension
    return built


if PURE and REQUIRED:
    sys.exit("REFSVM_PURE_PYTHON and REFSVM_REQUIRE_EXTENSIONS exclude each other")
setup(ext_modules=extensions())
