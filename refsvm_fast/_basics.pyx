"""Small things that are asked for often, compiled. Each is in a file of its own.

    picks.pxi         the draws of refsvm.numerics.picks
    strings.pxi       the kernel for strings of refsvm.kernels.strings
    elementary.pxi    exp, tanh and power of refsvm.numerics.elementary

They share one module because an empty one has 50 kB already. What refsvm_fast.numerics.picks, .strings and
.elementary offer is made of them there.
"""

cimport cython

from itertools import chain

from cpython.exc cimport PyErr_CheckSignals
from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from refsvm import Spectrum
from refsvm.numerics import validation as door, elementary

from .loops cimport PADDED, WIDTH
from ._table cimport loops


cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX
    Py_UCS4 *PyUnicode_AsUCS4Copy(object) except NULL


cdef void *zeroed(size_t count, size_t size) except NULL:
    """Room for so many things, all bits 0; for PyMem_Free."""
    cdef void *room = PyMem_Calloc(count + 1, size)
    if not room:
        raise MemoryError
    return room


include "picks.pxi"
include "strings.pxi"
include "elementary.pxi"
