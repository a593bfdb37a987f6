"""What every solver ends with: dual_program.solution_of of the oracle, exact sums (exact_sums.py).

The .pxi files that are part of this module are about Gram matrices and decisions, coupling.pxi and
ending.pxi besides. They share one because an empty module has 50 kB already.

A sum of doubles is kept exactly, as a few doubles that do not overlap (Shewchuk, Discrete and
Computational Geometry 18, 1997, pages 305-363); it is rounded once, at the end. A product of two
doubles is exactly the sum of two (Dekker, Numerische Mathematik 18, 1971), unless it comes near
the ends of the range of doubles, beyond `reach` (loops.h): then the oracle's whole numbers do the
work.

Nearly always two doubles are enough to tell how the exact sum is rounded, and they may be summed in
any order, so by lanes: of such a `Rough` sum a bound of the error is known. Only if the middle
between two doubles lies within that bound is the sum made exactly.

    beta     alpha_k y_k                       r        residuals, y_k - (K beta)_k, the ridge in K
    m, M     the largest r of the beta that may rise, the smallest of those that may fall
    n        examples                          here     the offset that belongs to the shifted rows
    place    which row of a table; NULL: row k is place k
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, fabs, frexp, isfinite, ldexp, nextafter, sqrt
from libc.stdint cimport int64_t
from libc.string cimport memcpy, memset

cdef extern from "Python.h":
    void PyObject_GC_Track(object o)
    void PyObject_GC_UnTrack(object o)


from array import array
from fractions import Fraction
from functools import partial
from math import inf

import refsvm
from refsvm.kernels.gram_matrices import finite_row
from refsvm.kernels.base import Kernel
from refsvm.numerics import exact_sums
from refsvm.numerics.exact_sums import nearest_offset, nearest_weights
from refsvm.numerics.sparse_rows import mostly_zero
from refsvm.svm import coupling
from refsvm.kernels.value_errors import has_norms_as_sizes, may_exceed_its_diagonal
from refsvm.kernels.value_errors import roundings_of
from refsvm.svm.dual_form import infeasible_group
from refsvm.svm.model import SolutionValues
from refsvm.svm.residual_bounds import BoundedResiduals, error_of_w

from .loops cimport BLOCK, PADDED, WIDTH, Rough, i64, release
from ._kernel_rows cimport SHARED, Formula, Part, Source, TableSource, formula_of
from ._kernel_rows cimport next_not_zero, source_of
from ._table cimport FILLED, ListedRows, Numbering, Queries, Query, Reader, RowNumbers, Some, Table
from ._table cimport add_weighted, all_finite
from ._table cimport allocated
from ._table cimport given_back, common_unit_of, lists_of, loops, packed, places_in
from ._table cimport Entry, entries_of, queries_for, read_numbers, readable, reader_of
from ._kernel_rows import PythonSource
from ._inputs import as_rows, table_of, without_zeros
from ._compressed import Compressed
from ._inputs import PART, in_parts

cdef enum:
    MOST = 64  # parts of a sum: each has 53 bits of it, and all the doubles span 2100


cdef struct Sum:
    int count
    double parts[MOST]  # by growing size; none reaches to the bits of the next


cdef void add(Sum *sum, double x) noexcept nogil:
    """Add x, exactly."""
    cdef int i, kept = 0
    cdef double y, high, low
    for i in range(sum.count):
        y = sum.parts[i]
        if fabs(x) < fabs(y):
            x, y = y, x
        high = x + y
        low = y - (high - x)
        if low != 0:
            sum.parts[kept] = low
            kept += 1
        x = high
    sum.parts[kept] = x
    sum.count = kept + 1


cdef double rounded(Sum *sum) noexcept nogil:
    """The double nearest to the sum; of two, the even one."""
    cdef int i = sum.count - 1
    cdef double high, low, x, y
    if i < 0:
        return 0
    high, low = sum.parts[i], 0
    while i > 0 and low == 0:
        i -= 1
        x, y = high, sum.parts[i]
        high = x + y
        low = y - (high - x)
    # If high + low is half way between two doubles, the parts below tell on which side the sum is.
    if i > 0 and (low < 0 and sum.parts[i - 1] < 0 or low > 0 and sum.parts[i - 1] > 0):
        y = low * 2
        x = high + y
        if y == x - high:
            high = x
    return high


cdef inline double product_error(double a, double b, double p) noexcept nogil:
    """a b - p, where p is a b rounded, and a and b are within reach. So does lost_of_product in
    loops.c, of lanes."""
    cdef double t = 134217729.0 * a, u = 134217729.0 * b  # 2^27 + 1
    cdef double a_high = t - (t - a), b_high = u - (u - b)
    cdef double a_low = a - a_high, b_low = b - b_high
    return ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low


cdef bint is_within_reach(double v) noexcept nogil:
    """Whether v is 0, or so far from the ends of the doubles that product_error is right."""
    return v == 0 or 2.0**-430 < fabs(v) < 2.0**430


cdef bint is_certain(Rough *sum, i64 n, double *out) noexcept nogil:
    """Write the sum of n products, rounded once; whether that is known from the Rough sum.

    With u = 2^-53 and k additions, each of them loses at most u size, and all the products lose no
    more: `low` is the sum of 2 k numbers, of k u size together, and wrong by at most 2 k u times
    that. `error` is four times as much, and has room for the roundings in these two lines.
    """
    cdef double k = n + 2 * WIDTH
    cdef double error = 8 * k * k * 2.0**-106 * sum.size
    out[0] = sum.high + (sum.low - error)
    return out[0] == sum.high + (sum.low + error)


cdef bint nearest_sum(const double *a, const double *b, i64 n, double *out) noexcept nogil:
    """Write the double nearest to the sum of a_k b_k; whether all numbers were within reach.

    After the n numbers there must be zeros, up to a multiple of WIDTH.
    """
    cdef Rough rough
    cdef Sum sum
    cdef double p
    cdef i64 k
    if not loops().rough_sum(a, b, n, &rough):
        return False
    if is_certain(&rough, n, out):
        return True
    sum.count = 0
    for k in range(n):
        p = a[k] * b[k]
        add(&sum, p)
        add(&sum, product_error(a[k], b[k], p))
    out[0] = rounded(&sum)
    return True


cdef bint weights(Table table, const i64 *places, const double *beta, i64 n, list features,
                  double *w) except -1:
    """Write these features of nearest.nearest_weights(beta, X); whether all numbers were within
    reach. X are n rows of the table: those in these places, or all for NULL."""
    cdef i64 padded = PADDED(n), used = 0, count = 0, i, k
    cdef double *coefs = <double *>allocated(3 * padded * sizeof(double))
    cdef double *values = coefs + padded
    cdef double *theirs = values + padded  # of the rows in which a list has numbers
    cdef double c  # what was taken off a feature
    cdef i64 *support = NULL
    cdef Some rows = Some(table)
    try:
        support = <i64 *>allocated(n * sizeof(i64))
        memset(coefs, 0, 2 * padded * sizeof(double))
        for i in range(n):
            used += beta[i] != 0
        for i in range(n):
            if beta[i] != 0 or 2 * used > n:  # if most are used, it is quicker to take all
                support[count], coefs[count] = i if places == NULL else places[i], beta[i]
                count += 1
        rows.choose(support, count)
        for i, k in enumerate(features):
            w[i], c = 0, table.taken_off(k)
            if table.place[k] < 0 and c == 0:
                used = rows.numbers(k, coefs, values, theirs)
                if not nearest_sum(theirs, values, used, &w[i]):
                    return False
            elif rows.column(k, values) or c != 0:
                give_back(values, count, c)
                if not nearest_sum(coefs, values, count, &w[i]):
                    return False
        return True
    finally:
        release(coefs)
        release(support)


cdef bint weights_by_row(Table table, const i64 *places, const double *beta, i64 n,
                         double *w) except -1:
    """weights() of all features of a table that is not shifted and has its numbers by row: these
    are put together by feature, each with the coefficient of its row."""
    cdef RowNumbers numbers = table.by_row
    cdef i64 *next_ = <i64 *>allocated((table.d + 1) * sizeof(i64))  # where each feature goes on
    cdef double *values = NULL
    cdef double *theirs
    cdef i64 i, k, count, begin = 0
    try:
        memset(next_, 0, (table.d + 1) * sizeof(i64))
        count_by_feature(numbers, places, beta, n, next_)
        for k in range(table.d):
            count = next_[k]
            next_[k] = begin
            begin += PADDED(count)
        values = <double *>allocated(2 * begin * sizeof(double))
        theirs = values + begin
        memset(values, 0, 2 * begin * sizeof(double))
        sort_by_feature(numbers, places, beta, n, next_, values, theirs)
        begin = 0
        for k in range(table.d):
            w[k], count = 0, next_[k] - begin
            if count > 0 and not nearest_sum(theirs + begin, values + begin, count, &w[k]):
                return False
            begin += PADDED(count)
        return True
    finally:
        release(next_)
        release(values)


cdef void count_by_feature(RowNumbers numbers, const i64 *places, const double *beta, i64 n,
                           i64 *counts) noexcept nogil:
    """Count the numbers of each feature in those of n rows whose beta is not zero."""
    cdef i64 i, row, s
    for i in range(n):
        row = i if places == NULL else places[i]
        for s in range(numbers.first[row], numbers.first[row + 1] if beta[i] != 0 else 0):
            counts[numbers.feature[s]] += 1


cdef void sort_by_feature(RowNumbers numbers, const i64 *places, const double *beta, i64 n,
                          i64 *next_, double *values, double *theirs) noexcept nogil:
    """Write what was counted, and the beta of each, where its feature goes on."""
    cdef i64 i, row, s, k
    for i in range(n):
        row = i if places == NULL else places[i]
        for s in range(numbers.first[row], numbers.first[row + 1] if beta[i] != 0 else 0):
            k = numbers.feature[s]
            values[next_[k]], theirs[next_[k]] = numbers.value[s], beta[i]
            next_[k] += 1


cdef void give_back(double *values, i64 n, double c) noexcept nogil:
    """Make n numbers of a feature what they were before c was taken off it."""
    cdef i64 s
    for s in range(n if c != 0 else 0):
        values[s] = given_back(values[s], c)


cdef bint add_rows(ListedRows rows, const double *beta, Rough *sums) noexcept nogil:
    """Add beta_i x_i of all rows to the rough sum of each feature; whether all numbers were within
    reach."""
    cdef Rough *sum
    cdef double b, b_high, b_low, v, v_high, v_low, p, lost, more, part
    cdef bint within = True
    cdef Py_ssize_t e
    cdef i64 i
    for i in range(rows.n):
        b = beta[i]
        within &= is_within_reach(b)
        b_high = 134217729.0 * b  # 2^27 + 1, as in product_error
        b_high -= b_high - b
        b_low = b - b_high
        for e in range(rows.first[i], rows.first[i + 1] if b != 0 else 0):
            sum, v = &sums[rows.places[e]], rows.values[e]
            within &= (v == 0) | (2.0**-430 < fabs(v)) & (fabs(v) < 2.0**430)
            v_high = 134217729.0 * v
            v_high -= v_high - v
            v_low = v - v_high
            p = b * v
            lost = ((b_high * v_high - p) + b_high * v_low + b_low * v_high) + b_low * v_low
            more = sum.high + p
            part = more - sum.high
            sum.low += ((sum.high - (more - part)) + (p - part)) + lost
            sum.high, sum.size = more, sum.size + fabs(p)
    return within


cdef int sum_exactly(ListedRows rows, const double *beta, i64 *next_, double *w) except -1:
    """Write the weights of the features of which next_ is 0, and not -1; it is written over.

    Their products are put together by feature first: each is two doubles.
    """
    cdef double *parts = NULL
    cdef Sum sum
    cdef double p
    cdef Py_ssize_t e
    cdef i64 i, k, t, end, begin = 0
    for i in range(rows.n):
        for e in range(rows.first[i], rows.first[i + 1] if beta[i] != 0 else 0):
            next_[rows.places[e]] += next_[rows.places[e]] >= 0
    for k in range(rows.d):
        if next_[k] >= 0:
            next_[k], begin = begin, begin + 2 * next_[k]
    try:
        parts = <double *>allocated(begin * sizeof(double))
        for i in range(rows.n):
            for e in range(rows.first[i], rows.first[i + 1] if beta[i] != 0 else 0):
                k = rows.places[e]
                if next_[k] >= 0:
                    p = beta[i] * rows.values[e]
                    parts[next_[k]], parts[next_[k] + 1] = p, product_error(beta[i], rows.values[e], p)
                    next_[k] += 2
        begin = 0
        for k in range(rows.d):
            if next_[k] < 0:
                continue
            sum.count, end = 0, next_[k]
            for t in range(begin, end):
                add(&sum, parts[t])
            w[k], begin = rounded(&sum), end
        return 0
    finally:
        release(parts)


def weights_in_list(ListedRows rows, list coefs):
    """weights_in() of all of ListedRows: rough sums of all features side by side, and exact ones
    where these leave a doubt."""
    cdef i64 n = rows.n, d = rows.d, unsure = 0, k
    cdef double *beta = NULL
    cdef double *w
    cdef Rough *sums = NULL
    cdef i64 *next_ = NULL
    if len(coefs) != n:
        raise IndexError(n)
    try:
        beta = <double *>allocated((n + d) * sizeof(double))
        w = beta + n
        for k in range(n):
            beta[k] = coefs[k]
        sums = <Rough *>allocated((d + FILLED) * sizeof(Rough))
        memset(sums, 0, (d + FILLED) * sizeof(Rough))
        next_ = <i64 *>allocated((d + FILLED) * sizeof(i64))
        memset(next_, 0xFF, (d + FILLED) * sizeof(i64))  # -1
        rows.put_constant()
        if not add_rows(rows, beta, sums):
            return None
        for k in range(d):
            if not is_certain(&sums[k], n, &w[k]):
                next_[k], unsure = 0, unsure + 1
        if unsure:
            sum_exactly(rows, beta, next_, w)
        return array("d", (<char *>w)[:d * sizeof(double)])
    finally:
        release(beta)
        release(sums)
        release(next_)


def squared_norms_of(problem):
    """TrainingProblem.squared_norms of a problem of packed rows."""
    cdef Source source = source_of(problem)
    cdef double *norms = <double *>allocated(PADDED(source.n) * sizeof(double))
    cdef i64 k
    try:
        source.norms(norms)
        if not all_finite(norms, source.n):
            source.refuse_norms(norms)
        return [norms[k] for k in range(source.n)]
    finally:
        release(norms)


def weights_of(problem, beta):
    """The weights of a linear problem as a list: nearest_weights of its X."""
    w = None
    if type(problem.packed) is ListedRows:
        w = weights_in_list(problem.packed, beta)
    elif problem.given is not None:
        w = weights_in(problem.given, range(problem.n), beta)
    return list(nearest_weights(beta, problem.points)) if w is None else w.tolist()


def weights_in(Table table, places, list coefs):
    """nearest_combination(coefs, the rows of the table in these places) as an array; None where
    whole numbers must do the work."""
    cdef i64 n = len(coefs), i
    cdef double *numbers = <double *>allocated((n + table.d) * sizeof(double))
    cdef double *w = numbers + n
    cdef i64 *wanted = NULL
    try:
        wanted = places_in(table, list(places))
        for i in range(n):
            numbers[i] = coefs[i]
        if table.by_row is not None and table.shift is None:
            within = weights_by_row(table, wanted, numbers, n, w)
        else:
            within = weights(table, wanted, numbers, n, list(range(table.d)), w)
        return array("d", (<char *>w)[:table.d * sizeof(double)]) if within else None
    finally:
        release(numbers)
        release(wanted)


cdef Table table_of_rows(problem):
    """The Table of the packed rows that a problem computes with: of a Part, that of the Whole."""
    packed = getattr(problem, "packed", None)
    if type(packed) is Part:
        return (<Part>packed).whole.table
    return None if packed is None else problem.table


cdef list weights_at_shift(problem, Table table, list coefs):
    """The weights of the features from which something was taken off, in the columns as given; None
    where whole numbers must do the work (see weights)."""
    cdef i64 count = len(table.shifting), n = len(coefs), k
    cdef double *beta = <double *>allocated((n + count) * sizeof(double))
    cdef i64 *places = NULL
    try:
        if type(problem.packed) is Part:
            places = places_in(table, (<Part>problem.packed).places)
        for k in range(n):
            beta[k] = coefs[k]
        if not weights(table, places, beta, problem.n, table.shifting, beta + n):
            return None
        return [beta[n + k] for k in range(count)]
    finally:
        release(places)
        release(beta)


def moved_by_shift(problem, list coefs):
    """problem.moved_by_shift, of packed rows; None where nothing is shifted, or where whole numbers
    must do the work."""
    cdef Table table = table_of_rows(problem)
    cdef Sum sum
    cdef double a, c
    cdef i64 k
    if table is None or not table.shifting:
        return None
    w = weights_at_shift(problem, table, coefs)
    if w is None:
        return None
    sum.count = 0
    for a, k in zip(w, table.shifting):
        c = table.taken_off(k)
        if not (is_within_reach(a) and is_within_reach(c)):
            return None
        add(&sum, a * c)
        add(&sum, product_error(a, c, a * c))
    return value_of(&sum)


cdef object value_of(const Sum *sum):
    """The Fraction that the parts add up to."""
    cdef int k
    found = Fraction(0)
    for k in range(sum.count):
        found += Fraction(sum.parts[k])
    return found


def unshifted_offsets(problem, list coefs, list offsets):
    """problem.translated_offsets with the sign -1, of a problem of floats; None where whole numbers
    must do the work."""
    cdef Table table = table_of_rows(problem)
    cdef i64 count, padded, k
    cdef double *numbers = NULL
    cdef double found
    cdef list w, back = []
    shift = problem.point_shift
    if shift is None or not (any(shift) if table is None else table.shifting):
        return offsets
    w = None if table is None else weights_at_shift(problem, table, coefs)
    if w is None:
        return None
    count, padded = len(w), PADDED(len(w) + 1)
    numbers = <double *>allocated(2 * padded * sizeof(double))
    try:
        memset(numbers, 0, 2 * padded * sizeof(double))
        for k in range(count):
            numbers[k], numbers[padded + k] = -<double>w[k], table.taken_off(table.shifting[k])
        numbers[padded + count] = 1
        for b in offsets:
            numbers[count] = b
            if not nearest_sum(numbers, numbers + padded, count + 1, &found):
                return None
            back.append(found)
        return back
    finally:
        release(numbers)


cdef class PairRows:
    """The examples of two classes, one pair of classes after the other."""

    def __cinit__(self, list members):
        cdef list of_class
        cdef i64 c, l, begin = 0
        self.classes, self.n = len(members), sum(map(len, members))
        self.members = <i64 *>allocated(max(1, self.n) * sizeof(i64))
        self.begins = <i64 *>allocated((self.classes + 1) * sizeof(i64))
        self.rows = <i64 *>allocated(max(1, self.n) * sizeof(i64))
        self.sign = <double *>allocated(max(1, self.n) * sizeof(double))
        for c, of_class in enumerate(members):
            self.begins[c] = begin
            for l in range(len(of_class)):
                self.members[begin + l] = of_class[l]
            begin += len(of_class)
        self.begins[self.classes] = begin

    def __dealloc__(self):
        release(self.members)
        release(self.begins)
        release(self.rows)
        release(self.sign)

    cdef i64 take(self, i64 p, i64 q) noexcept nogil:
        """Let rows be those of the classes p and q, in the order given, and sign 1 for q; how many
        there are."""
        cdef i64 a = self.begins[p], b = self.begins[q], l = 0
        cdef i64 a_end = self.begins[p + 1], b_end = self.begins[q + 1]
        while a < a_end or b < b_end:
            if b == b_end or a < a_end and self.members[a] < self.members[b]:
                self.rows[l], self.sign[l] = self.members[a], -1
                a += 1
            else:
                self.rows[l], self.sign[l] = self.members[b], 1
                b += 1
            l += 1
        return l


def gather(list members, bytes alphas, i64 n):
    """pairwise_training.gather: (the support vectors among n rows, how many of each class, their
    coefficients). alphas: doubles, those of all pairs, one pair after the other."""
    cdef PairRows pair = PairRows(members)
    cdef const double *alpha = <const double *><const char *>alphas
    cdef i64 *place
    cdef i64 i, p, q, l, k = 0
    cdef list support = [], counts = [], coefs, of_first, of_second
    if len(alphas) != max(0, pair.classes - 1) * pair.n * <i64>sizeof(double):
        raise ValueError("one number for each example of each pair is needed")
    place = <i64 *>allocated(n * sizeof(i64))
    try:
        memset(place, 0xFF, n * sizeof(i64))  # -1: no support vector
        for p in range(pair.classes):
            for q in range(p + 1, pair.classes):
                for l in range(pair.take(p, q)):
                    if alpha[k] != 0:
                        place[pair.rows[l]] = 0
                    k += 1
        for rows in members:
            before = len(support)
            for i in rows:
                if place[i] == 0:
                    place[i] = len(support)
                    support.append(i)
            counts.append(len(support) - before)
        coefs = [[0.0] * len(support) for _ in members[1:]]
        k = 0
        for p in range(pair.classes):
            for q in range(p + 1, pair.classes):
                of_first, of_second = coefs[q - 1], coefs[p]
                for l in range(pair.take(p, q)):
                    if alpha[k] != 0 and pair.sign[l] > 0:
                        of_second[place[pair.rows[l]]] = -alpha[k]
                    elif alpha[k] != 0:
                        of_first[place[pair.rows[l]]] = alpha[k]
                    k += 1
        return support, counts, coefs
    finally:
        release(place)


include "sparse_rows.pxi"
include "questions.pxi"
include "variance.pxi"
include "decisions.pxi"
include "coupling.pxi"
include "ending.pxi"
