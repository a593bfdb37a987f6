"""The steps of the solvers of the dual (_solvers.py), compiled line by line from refsvm/solvers/.

variables.pxi is part of this module: where the variables of each machine are; so are
coordinate_ascent.pxi, face_system.pxi, many_pairs.pxi, and decomposition.pxi with
round_members.pxi and small_program.pxi.

The names, and the order of every operation, are the oracle's; its comments give the reasons. What
is different:

    up, low   as in dual_ascent.py, with -inf and +inf after the last variable, up to a multiple of
              WIDTH: what stands there is never the largest or the smallest
    m, M      the largest up, the smallest low of the worst group; without the 0 that joins them if
              there is no group
    place     the first slot (variables.pxi) in that group whose up is m
    reach     no residual is larger in size, whatever the kernel. Near the ends of the doubles, from
              NEAR_OVERFLOW on, a comparison might meet NaN: the oracle takes over from the start
    cycles    of a processor: what work is estimated in, to know when to look for Ctrl-C
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, fabs, isfinite
from libc.stdint cimport uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcpy, memset

from fractions import Fraction
from functools import partial
from math import inf

import refsvm as oracle
from refsvm.kernels.gram_matrices import refuse_infinite
from refsvm.kernels.value_errors import has_norms_as_sizes, may_exceed_its_diagonal
from refsvm.kernels.value_errors import roundings_of
from refsvm.solvers import ascent_loop, dual_ascent
from refsvm.solvers.decomposition import LARGEST_FACE
from refsvm.solvers.dual_program import refuse_overflow, starting_point
from refsvm.svm.dual_form import DualForm, infeasible_group, restore_exact_sums, restore_sums
from refsvm.svm.dual_form import middle
from refsvm.solvers.dual_ascent import Move
from refsvm.solvers.infeasibility import farkas_multipliers
from refsvm.solvers.semidefiniteness import has_negative_curvature
from refsvm.svm.model import OffsetInterval, Solution
from refsvm.svm.exact_answers import is_short
from refsvm.svm.solutions import FinalIterate, solution_at

from .loops cimport Extremes, PADDED, WIDTH, i64, release
from ._solution cimport PairRows, PlainEnding, ends_plainly
from ._solution cimport restore_exact_sum
from ._kernel_rows cimport SHARED, Formula, Moves, Outlook, PartSource, Rows
from ._kernel_rows cimport ScorePass, Source, TableSource, formula_of, next_not_zero, ordered
from ._kernel_rows cimport source_of, source_over
from ._table cimport Table, all_finite, allocated, loops

# From dual_ascent.py and conjugate_gradient.py:
cdef double ROUNDING = 2.0**-53
cdef double CURVATURE_NOISE = 2.0**-40
cdef i64 CG_INTERVAL = 1000
cdef i64 CG_EFFORT = 10
cdef i64 CG_LEAST = 25_000
cdef i64 LOOKS_IN_DOUBT = 20  # of ascent_loop.py, as is
cdef double STALL_ROUNDOFF = 2.0**-50
cdef i64 CG_STEPS = 10  # conjugate_gradient.CG_STEPS
cdef double LOST_SHARE = 2.0**-40  # 1 / conjugate_gradient.LOST_PARTS
cdef i64 IN_DOUBT = 4  # face_system.IN_DOUBT

cdef i64 SIGNAL_INTERVAL = 200_000_000  # cycles, about, between two looks for Ctrl-C
cdef double NEAR_OVERFLOW = 1e290  # of this size numbers are too near to the end of the doubles

cdef enum Status:
    GOING, OPTIMAL, MAX_ITER, PRECISION, INFEASIBLE, DEGENERATE, TOO_LARGE

STATUS_WORDS = {
    OPTIMAL: "optimal", MAX_ITER: "max_iter", PRECISION: "precision", INFEASIBLE: "infeasible",
    DEGENERATE: "degenerate",
}


cdef double best_travel(double slope, double curvature, double low, double high) noexcept nogil:
    """dual_program.best_travel."""
    if curvature > 0:
        return min(max(slope / curvature, low), high)
    if curvature == 0:
        return high if slope >= 0 else low
    cdef double at_low = low * (slope - curvature * low / 2)
    cdef double at_high = high * (slope - curvature * high / 2)
    return high if at_high >= at_low else low


cdef double *numbers(i64 n) except NULL:
    """Room for n doubles, all zero."""
    cdef double *found = <double *>allocated(n * sizeof(double))
    memset(found, 0, n * sizeof(double))
    return found


cdef bint is_among(i64 k, const i64 *found, int count) noexcept nogil:
    """Whether k is one of the found."""
    cdef int q
    for q in range(count):
        if found[q] == k:
            return True
    return False


cdef void insert(i64 k, double v, i64 *found, double *size, int begin, int end) noexcept nogil:
    """Insert k, of size v, among those found from `begin` up to `end`, the largest first; what was
    in place `end` is written over."""
    while end > begin and v > size[end - 1]:
        found[end], size[end] = found[end - 1], size[end - 1]
        end -= 1
    found[end], size[end] = k, v


include "variables.pxi"


cdef class DualAscent


include "face_system.pxi"


cdef class Face:
    """conjugate_gradient.Face: the free multipliers, moved by conjugate gradients."""

    cdef bint unbounded           # along p the dual rises for ever
    cdef int groups               # how many, and
    cdef i64 second               # where the second begins
    cdef double *beta             # of the DualAscent, as are the bounds
    cdef double *lower
    cdef double *upper
    cdef i64 n
    cdef i64 begun, size          # examples on the face at first, and now
    cdef i64 room                 # how many there is room for
    cdef i64 *members             # those at first, then those that moved
    cdef i64 *index               # those now,
    cdef i64 *columns             # and theirs
    cdef i64 *order               # where they are in the block K
    cdef double *start
    cdef double *old
    cdef double *change           # of every example of the problem
    cdef double *r
    cdef double *p
    cdef double *Kp
    cdef double *ends
    cdef double *K                # K[c * width + a]: row a of the block, element c
    cdef i64 width
    cdef bint has_K, has_p
    cdef double norm2             # g.g when p was found
    cdef FaceSystem system        # of a large face
    cdef double level[2]          # face_system.solve_face: what residuals of a group are without h

    def __cinit__(self, i64 n):
        self.n, self.change, self.system = n, numbers(n), FaceSystem()

    def __dealloc__(self):
        self.release()
        release(self.change)

    cdef void release(self) noexcept nogil:
        release(self.members)
        release(self.index)
        release(self.columns)
        release(self.order)
        release(self.start)
        release(self.old)
        release(self.r)
        release(self.p)
        release(self.Kp)
        release(self.ends)
        release(self.K)
        self.members = self.index = self.columns = self.order = NULL
        self.start = self.old = self.r = self.p = self.Kp = self.ends = self.K = NULL
        self.room = 0

    cdef int begin(self, const double *up, const double *low) except -1 nogil:
        """Take up the examples that may both rise and fall, and their residuals."""
        cdef i64 k, count = 0
        for k in range(self.n):
            count += up[k] > -INFINITY and low[k] < INFINITY
        if count > self.room:
            with gil:
                self.make_room(count)
        self.size = 0
        for k in range(self.n):
            if up[k] > -INFINITY and low[k] < INFINITY:
                self.members[self.size] = self.index[self.size] = k
                self.start[self.size], self.r[self.size] = self.beta[k], up[k]
                self.size += 1
        self.begun = self.size
        self.has_K = self.has_p = self.unbounded = False
        return 0

    cdef int make_room(self, i64 count) except -1:
        """Make room for `count` examples, but not for their block of K."""
        cdef i64 width = PADDED(count), a
        self.release()
        self.members = <i64 *>allocated(count * sizeof(i64))
        self.index = <i64 *>allocated(count * sizeof(i64))
        self.columns = <i64 *>allocated(count * sizeof(i64))
        self.order = <i64 *>allocated(count * sizeof(i64))
        self.start, self.old = numbers(width), numbers(width)
        self.r, self.p = numbers(width), numbers(width)
        self.Kp, self.ends = numbers(width), numbers(width)
        self.room = count
        return 0

    cdef i64 end_of(self, int group, i64 begin) noexcept nogil:
        """Where the members of a group end, which begin there."""
        if group == self.groups - 1:
            return self.size
        while begin < self.size and self.index[begin] < self.second:
            begin += 1
        return begin

    cdef double violation(self) noexcept nogil:
        """How far the residuals of a group are apart, at most; from zero if there is no group."""
        cdef double high, low, most = 0
        cdef i64 begin = 0, end, a
        cdef int g
        for g in range(max(self.groups, 1)):
            end = self.end_of(g, begin) if self.groups > 0 else self.size
            high, low = -INFINITY, INFINITY
            for a in range(begin, end):
                high, low = max(high, self.r[a]), min(low, self.r[a])
            most = max(most, high - low if self.groups > 0 else max(high, -low))
            begin = end
        return most

    cdef bint step(self, DualAscent ascent) except -1 nogil:
        """Take one conjugate step; whether there was one to take. ascent: whose multipliers these
        are, which has the rows of K."""
        cdef double t, end = INFINITY, slope = 0, curvature = 0, zero
        cdef i64 a
        if not self.next_direction(ascent):
            return False
        memset(self.Kp, 0, self.width * sizeof(double))
        loops().products(self.Kp, self.p, self.K, self.order, self.size, self.width, self.K)
        for a in range(self.size):
            self.ends[a] = self.length_to_bound(self.index[a], self.p[a])
            end = min(end, self.ends[a])
            slope += self.p[a] * self.r[a]
            curvature += self.p[a] * self.Kp[self.order[a]]
        zero = 0 * self.norm2
        t = best_travel(slope, curvature, zero, end)
        if t == INFINITY:
            for a in range(self.size):
                self.unbounded = self.unbounded or self.p[a] != 0
            return False
        if not (t > 0 and self.move(t)):
            return False
        for a in range(self.size):
            self.r[a] = self.r[a] - t * self.Kp[self.order[a]]
        if t == end:
            self.remove_bounded()
        return True

    cdef void find_gradient(self) noexcept nogil:
        """Let `ends` be the residuals less their mean over each group."""
        cdef double first, total, mean
        cdef i64 begin = 0, end, a
        cdef int g
        memcpy(self.ends, self.r, self.size * sizeof(double))
        for g in range(self.groups):
            end = self.end_of(g, begin)
            if end == begin:
                continue
            first, total = self.r[begin], 0
            for a in range(begin, end):
                self.ends[a] = self.r[a] - first
                total += self.ends[a]
            mean = total / (end - begin)
            for a in range(begin, end):
                self.ends[a] = self.ends[a] - mean
            begin = end

    cdef bint next_direction(self, DualAscent ascent) except -1 nogil:
        """Find the next direction p; whether there is one."""
        cdef double norm2 = 0, g, ratio
        cdef i64 a
        self.find_gradient()
        for a in range(self.size):
            norm2 += self.ends[a] * self.ends[a]
        if norm2 == 0:
            return False
        if not self.has_K:
            self.fill_block(ascent)
        ratio = norm2 / self.norm2 if self.has_p else 0
        for a in range(self.size):
            g = self.ends[a]
            self.p[a] = g + ratio * self.p[a] if self.has_p else g
        if not self.keeps_sums():
            memcpy(self.p, self.ends, self.size * sizeof(double))
        self.has_p, self.norm2 = True, norm2
        return True

    cdef bint keeps_sums(self) noexcept nogil:
        """Whether p sums to zero over each group, up to rounding."""
        cdef double total, size
        cdef i64 begin = 0, end, a
        cdef int g
        for g in range(self.groups):
            end = self.end_of(g, begin)
            total = size = 0
            for a in range(begin, end):
                total += self.p[a]
                size += fabs(self.p[a])
            if not fabs(total) <= LOST_SHARE * size:
                return False
            begin = end
        return True

    cdef int fill_block(self, DualAscent ascent) except -1 nogil:
        """Cut the block of the face out of K: row a of it, element c in K[c * width + a]."""
        cdef const double *rows[WIDTH]
        cdef i64 a
        cdef int m, q
        release(self.K)
        self.K = NULL
        self.width = PADDED(self.size)
        with gil:
            self.K = <double *>allocated(self.width * self.size * sizeof(double))
        for a in range(self.size):
            self.order[a], self.columns[a] = a, ascent.column(self.index[a])
        for a in range(0, self.size, 8):  # SHARED
            m = <int>min(SHARED, self.size - a)
            ascent.want(self.index + a, m)
            for q in range(m):
                rows[q] = ascent.kernel_row(self.index[a + q])
            self.fill_rows(a, rows, m)
        self.has_K = True
        return 0

    cdef void fill_rows(self, i64 a, const double **rows, int m) noexcept nogil:
        """Keep what the face needs of m <= WIDTH rows, which become rows a, a + 1, .. of its block:
        of all together, so that each line of memory is written once."""
        cdef int q
        for q in range(m, WIDTH):  # columns that are not read
            rows[q] = rows[0]
        loops().gather_columns(rows, self.columns, self.size, self.K + a, self.width)

    cdef int solve(self, DualAscent ascent, double tol) except -1 nogil:
        """face_system.solve_face."""
        cdef double t
        cdef i64 tries = self.size // 2, a
        self.fill_system(ascent)
        self.system.eliminate_all()
        while tries > 0 and self.size > 0 and self.violation() > tol / 2:
            tries -= 1
            ascent.check_signals(self.begun * self.begun // 100)
            self.system.solve()
            t = 1
            self.has_p = True
            for a in range(self.size):
                self.p[a] = self.system.z[self.order[a]]
                self.has_p = self.has_p and isfinite(self.p[a])
                self.ends[a] = self.length_to_bound(self.index[a], self.p[a])
                t = min(t, self.ends[a])
            if not (self.has_p and self.keeps_sums() and t > 0 and self.move(t)):
                break
            self.approach(t)
            if t == 1:
                break
            self.system.scale_right_side(1 - t)
            for a in range(self.size):
                if not self.is_free(self.index[a]):
                    self.system.remove(self.order[a])
            self.remove_bounded()
        self.system.release()
        return 0

    cdef int fill_system(self, DualAscent ascent) except -1 nogil:
        """Put the rows of the members into the system, the right-hand side and groups before."""
        cdef double *row
        cdef const double *values
        cdef i64 a, begin = 0, end
        cdef int g, m, q
        with gil:
            self.system.make_room(1 + self.groups, self.size)
        for a in range(self.size):
            self.order[a], self.columns[a] = self.system.first + a, ascent.column(self.index[a])
        for a in range(0, self.size, 8):  # SHARED
            m = <int>min(SHARED, self.size - a)
            ascent.want(self.index + a, m)
            for q in range(m):
                row = self.system.L + self.order[a + q] * self.system.width + self.system.first
                values = ascent.kernel_row(self.index[a + q])
                for end in range(a + q + 1):
                    row[end] = values[self.columns[end]]
        for g in range(max(self.groups, 1)):
            end = self.end_of(g, begin) if self.groups > 0 else self.size
            self.level[g] = self.r[begin] if self.groups > 0 and begin < end else 0
            for a in range(begin, end):
                row = self.system.L + self.order[a] * self.system.width
                row[0] = self.r[a] - self.level[g] if self.groups > 0 else self.r[a]
                if self.groups > 0:
                    row[1 + g] = 1
            begin = end
        return 0

    cdef void approach(self, double t) noexcept nogil:
        """Let residuals go by t towards the number that all of a group would be."""
        cdef double aim
        cdef i64 a, begin = 0, end
        cdef int g
        for g in range(max(self.groups, 1)):
            end = self.end_of(g, begin) if self.groups > 0 else self.size
            aim = self.level[g]
            if self.groups > 0:
                aim = self.level[g] + self.system.z[1 + g]
                self.level[g] = self.level[g] + t * (aim - self.level[g])
            for a in range(begin, end):
                self.r[a] = self.r[a] - t * (self.r[a] - aim)
            begin = end

    cdef bint is_free(self, i64 i) noexcept nogil:
        """Whether beta_i lies between its bounds."""
        return self.lower[i] < self.beta[i] < self.upper[i]

    cdef bint move(self, double t) noexcept nogil:
        """Move by t along p; whether any beta is another number than before."""
        cdef bint moved = False
        cdef double before
        cdef i64 a, i
        for a in range(self.size):
            i = self.index[a]
            before = self.beta[i]
            if self.ends[a] == t:
                self.beta[i] = self.upper[i] if self.p[a] > 0 else self.lower[i]
            else:
                self.beta[i] = min(max(before + t * self.p[a], self.lower[i]), self.upper[i])
            moved = moved or self.beta[i] != before
        return moved

    cdef double length_to_bound(self, i64 i, double q) noexcept nogil:
        """How many q until beta_i meets its bound."""
        if q == 0:
            return INFINITY
        return ((self.upper[i] if q > 0 else self.lower[i]) - self.beta[i]) / q

    def direction(self):
        """p as a dict, of the examples on the face now."""
        cdef i64 a
        return {self.index[a]: self.p[a] for a in range(self.size)}

    cdef void remove_bounded(self) noexcept nogil:
        """Take those that met a bound off the face, and start the directions anew."""
        cdef i64 a, i, kept = 0
        for a in range(self.size):
            i = self.index[a]
            if self.is_free(i):
                self.index[kept], self.r[kept], self.order[kept] = i, self.r[a], self.order[a]
                kept += 1
        self.size, self.has_p = kept, False


cdef class DualAscent:
    """dual_ascent.DualAscent and pair_ascent.PairAscent."""

    cdef object problem
    cdef object form              # its DualForm; of classification, None where it was not needed
    cdef Section section[2]
    cdef int sections, groups     # how many
    cdef int group                # the worst one
    cdef i64 variables            # how many
    cdef i64 n, padded            # slots; up to a multiple of WIDTH
    cdef i64 width                # numbers in a kernel row
    cdef double least_curvature   # the most negative one met, relative to its terms,
    cdef i64 rising, falling      # and which slots moved then: the same where one moved alone
    cdef bint hard                # C is inf for some example
    cdef bint feasible            # whether the bounds allow the sums
    cdef double sums[2]           # of the groups: what they must be, rounded
    cdef bint degenerates         # whether there is no machine where the unit is 0
    cdef i64 last_step            # as in the oracle; -1 for inf
    cdef object unit_of           # DualForm.unit
    cdef double unit              # of tol
    cdef double *beta
    cdef double *lower
    cdef double *upper
    cdef double *target
    cdef double *diagonal
    cdef bint even                # whether all of it is one number
    cdef double *ridge
    cdef double *up
    cdef double *low
    cdef double *r                # room for residuals
    cdef readonly Rows rows
    cdef double m, M              # the largest up, the smallest low of the worst group
    cdef Outlook outlook          # the same for the rows, which must not all be kept
    cdef i64 place                # the first slot whose up is m
    cdef double largest_norm, largest_residual, distance_moved, residual_error
    cdef double mass_when_new
    cdef i64 support_when_new
    cdef double reach             # no residual is larger, whatever the kernel
    cdef double largest_target
    cdef double last_violation, last_objective
    cdef i64 window, due          # StallTest of ascent_loop.py, and
    cdef double least, most       # its best
    cdef object unbounded_direction
    cdef object farkas            # a proof that there is no hard margin, once found
    cdef readonly i64 iterations  # steps taken
    cdef double dual              # kept by what each step gains
    cdef i64 cg_interval
    cdef i64 largest_face         # conjugate gradients move no more than so many,
    cdef i64 largest_system       # and elimination no more than these;
    cdef i64 usual_system         # for more than these it has to save longer
    cdef i64 patience             # how many times the usual budget conjugate gradients have next
    cdef Face face
    cdef object tell              # on_step, or None
    cdef bint sampled             # whether it is to hear of some ten steps a second only
    cdef i64 worked               # cycles, about, since the last look for Ctrl-C
    cdef bint looked              # whether there was one since a step was told
    # the Move taken last:
    cdef i64 i, j
    cdef double step_low, step_high, unclipped, clipped, gain

    def __cinit__(self, owner, *given, **named):
        """There is none without arguments, whose pointers would lead nowhere."""

    def __init__(self, problem, start, double cache_mb):
        """Begin at `start`."""
        cdef Source source = source_of(problem)
        cdef bint classifies = isinstance(problem, oracle.Problem)
        self.problem, self.unit, self.feasible = problem, 1, True
        if not classifies or start is not None:
            self.form = problem.dual_form()
        if classifies:
            self.take_labels(problem)
        else:
            source = self.take_form(self.form, source)
        self.take_diagonal(source)
        if self.form is not None:
            self.put_variables(starting_point(problem, self.form, start), self.beta)
        self.rows = Rows(source, cache_mb, problem.kernel.bounded)
        self.rows.ridge, self.rows.outlook = self.ridge, &self.outlook
        self.outlook.up, self.outlook.low = self.up, self.low
        self.outlook.second = self.width if self.n > self.width else 0
        self.rows.expect(self.not_zero())
        self.last_violation, self.last_objective = INFINITY, -INFINITY
        self.window = ascent_loop.window(self.variables)
        self.largest_face = dual_ascent.DualAscent.largest_face
        self.largest_system = dual_ascent.DualAscent.largest_system
        self.usual_system = dual_ascent.DualAscent.usual_system

    cdef i64 not_zero(self) noexcept nogil:
        """How many multipliers are not zero."""
        cdef i64 k, count = 0
        for k in range(self.n):
            count += self.beta[k] != 0
        return count

    cdef double mass(self) noexcept nogil:
        """The sum of the sizes of the multipliers."""
        cdef double found = 0
        cdef i64 k
        for k in range(self.n):
            found += fabs(self.beta[k])
        return found

    cdef double error_besides(self) noexcept nogil:
        """dual_ascent.DualAscent.error_besides."""
        cdef double largest = self.largest_residual + 4 * self.mass_when_new
        if self.residual_error == 0:
            return 0
        return self.residual_error + ROUNDING * self.support_when_new * largest

    cdef int take_labels(self, problem) except -1:
        """Make room, and find the bounds, for classification (Problem.dual_form)."""
        cdef list bounds = problem.upper_bounds()
        cdef object y = problem.y
        cdef i64 k
        self.make_room(problem.n, 1 if problem.bias else 0)
        self.hard, self.largest_target = inf in problem.C, 1
        for k in range(self.n):
            self.target[k] = <i64>y[k]
            if self.target[k] > 0:
                self.upper[k] = bounds[k]
            else:
                self.lower[k] = -<double>bounds[k]
        return 0

    cdef Source take_form(self, form, Source source):
        """Make room, and find targets and bounds, for a DualForm; and the source of its rows, of
        which `source` has those of examples."""
        cdef i64 n = source.n, half
        cdef i64 k
        if form.of is None:
            self.make_room(n, len(form.groups))
        elif len(form.of) == 2 * n:  # one row for two variables
            half = source.padded
            self.make_room(half + n, len(form.groups))
            self.divide(n, n, 0, 0 if len(form.groups) < 2 else 1)
            self.width = half
        else:
            order = order_by_slots(form)
            source = ordered(source, order)
            self.make_room(source.n, len(form.groups))
            self.divide(len(form.groups[0]), len(form.groups[1]), PADDED(len(form.groups[0])), 1)
        self.put_variables(form.target, self.target)
        self.put_variables(form.lower, self.lower)
        self.put_variables(form.upper, self.upper)
        for k in range(self.n):
            self.largest_target = max(self.largest_target, fabs(self.target[k]))
        self.feasible = not any(form.sums) or infeasible_group(form) is None
        for k, s in enumerate(form.sums):
            self.sums[k] = s
        self.hard, self.unit_of, self.degenerates = form.hard, form.unit, form.degenerates
        return source

    cdef int make_room(self, i64 n, int groups) except -1:
        """Make room for n slots, of one section."""
        self.beta, self.lower, self.upper = numbers(n), numbers(n), numbers(n)
        self.target, self.diagonal = numbers(n), numbers(PADDED(n))
        self.up, self.low = numbers(PADDED(n)), numbers(PADDED(n))
        self.r = numbers(PADDED(n))
        self.groups = groups
        self.face = Face(n)
        self.face.groups = groups
        self.face.beta, self.face.lower, self.face.upper = self.beta, self.lower, self.upper
        self.be_one_section(n)
        return 0

    cdef void be_one_section(self, i64 n) noexcept nogil:
        """Let the first n slots be those of n variables."""
        self.n, self.variables, self.padded, self.width = n, n, PADDED(n), PADDED(n)
        self.section[0], self.sections = section_at(0, n, 0, 0), 1
        self.patience, self.last_step = 1, -1
        self.cg_interval = min(n // 4 + 1, CG_INTERVAL)

    cdef void divide(self, i64 first, i64 second, i64 column, int group) noexcept nogil:
        """Let the slots be those of two sections, of so many variables; the first column and the
        group of the second."""
        self.section[0] = section_at(0, first, 0, 0)
        self.section[1] = section_at(PADDED(first), second, column, group)
        self.sections, self.variables, self.face.second = 2, first + second, PADDED(first)
        self.cg_interval = min(self.variables // 4 + 1, CG_INTERVAL)

    cdef int put_variables(self, list values, double *slots) except -1:
        """Write a number for each variable into its slot."""
        cdef i64 k, begin = 0, count
        cdef int s
        for s in range(self.sections):
            count = self.section[s].end - self.section[s].begin
            for k in range(count):
                slots[self.section[s].begin + k] = values[begin + k]
            begin += count
        return 0

    cdef list variables_in(self, const double *slots):
        """A list of the numbers in the slots, in the order of the variables. Those that are one of
        the two met last, as most bounds and multipliers are, take no memory of their own."""
        cdef const uint64_t *bits = <const uint64_t *>slots
        cdef uint64_t last = 0, other = 0
        cdef object value = 0.0, another = 0.0
        cdef list found = []
        cdef i64 k
        cdef int s
        for s in range(self.sections):
            for k in range(self.section[s].begin, self.section[s].end):
                if bits[k] != last:
                    last, other, value, another = other, last, another, value
                    if bits[k] != last:
                        last, value = bits[k], slots[k]
                found.append(value)
        return found

    cdef i64 variable(self, i64 k) noexcept nogil:
        """The variable in slot k."""
        if k < self.section[0].end:
            return k
        return self.section[0].end + k - self.section[1].begin

    cdef i64 column(self, i64 k) noexcept nogil:
        """Where a kernel row has the value of slot k."""
        return k if k < self.width else k - self.width

    cdef int take_diagonal(self, Source source) except -1:
        """Find the diagonal of K with the ridge, refused if it is not finite."""
        cdef i64 k
        if isinstance(self.problem, oracle.Problem) and self.problem.slack == "squared":
            self.ridge = numbers(self.n)
            for k, c in enumerate(self.problem.ridge()):
                self.ridge[k] = c
        source.norms(self.diagonal)
        for k in range(source.n):
            if not isfinite(self.diagonal[k]):
                source.refuse_norms(self.diagonal)
            if self.ridge != NULL:
                self.diagonal[k] += self.ridge[k]
        memset(self.diagonal + source.n, 0, (self.padded - source.n) * sizeof(double))
        if self.n > self.width:
            memcpy(self.diagonal + self.width, self.diagonal, source.n * sizeof(double))
        self.measure_diagonal()
        return 0

    cdef void measure_diagonal(self) noexcept nogil:
        """Find the largest size on the diagonal of K, and whether all of it is one number."""
        cdef double first = self.diagonal[self.section[0].begin]
        cdef i64 k
        cdef int s
        self.largest_norm, self.even = 0, True
        for s in range(self.sections):
            for k in range(self.section[s].begin, self.section[s].end):
                self.largest_norm = max(self.largest_norm, fabs(self.diagonal[k]))
                self.even = self.even and self.diagonal[k] == first

    def __dealloc__(self):
        release(self.beta)
        release(self.lower)
        release(self.upper)
        release(self.target)
        release(self.diagonal)
        release(self.ridge)
        release(self.up)
        release(self.low)
        release(self.r)

    # What is known

    cdef int check_signals(self, i64 values) except -1 nogil:
        """Let Ctrl-C through from time to time; `values`: how many kernel values are about to be
        computed, or as many numbers touched."""
        self.worked += values * self.rows.cost + self.rows.source.slept
        self.rows.source.slept = 0
        if self.worked > SIGNAL_INTERVAL:
            self.worked, self.looked = 0, True
            with gil:
                PyErr_CheckSignals()
        return 0

    cdef bint recompute_residuals(self) except -1 nogil:
        """Compute every residual anew; whether rounding had touched them."""
        cdef bint drifted = self.residual_error > 0
        cdef i64 k
        cdef int s
        self.compute_residuals()
        self.set_residuals()
        self.largest_residual = 0
        for s in range(self.sections):
            for k in range(self.section[s].begin, self.section[s].end):
                self.largest_residual = max(self.largest_residual, fabs(self.r[k]))
        self.support_when_new, self.mass_when_new = self.not_zero(), self.mass() * self.largest_norm
        self.distance_moved = self.residual_error = 0
        if self.reach < NEAR_OVERFLOW:
            self.reach = self.largest_residual
        return drifted

    cdef int compute_residuals(self) except -1 nogil:
        """Compute self.r as dual_program.compute_residuals: over beta_j != 0 in index order."""
        cdef i64 wanted[SHARED]
        cdef const double *amount = self.net_variables()
        cdef i64 j = 0
        cdef int m
        memcpy(self.r, self.target, self.n * sizeof(double))
        self.reach = max(self.reach, self.largest_target)
        while j < self.n:
            m = next_not_zero(amount, self.n, &j, wanted)
            self.subtract_rows(wanted, amount, m, self.iterations == 0)
        return 0

    cdef const double *net_variables(self) noexcept nogil:
        """dual_program.net_variables, in the slots of the first of them."""
        cdef double *net = self.face.change
        cdef i64 k, other
        if self.sections < 2 or self.section[1].column != self.section[0].column:
            return self.beta
        memset(net, 0, self.n * sizeof(double))
        other = self.section[1].begin - self.section[0].begin
        for k in range(self.section[0].begin, self.section[0].end):
            net[k] = self.beta[k] + self.beta[k + other]
        return net

    cdef int subtract_rows(self, const i64 *wanted, const double *amount, int m,
                           bint again) except -1 nogil:
        """r_k -= amount_j K_jk for m <= SHARED slots j, in their order. again: whether their rows
        are likely to be needed again."""
        cdef const double *rows[SHARED]
        cdef double moved[SHARED]
        cdef i64 end
        cdef int q, s
        self.check_signals(m * self.padded)
        self.find_rows(wanted, m, again, rows)
        for q in range(m):
            moved[q] = amount[wanted[q]]
            self.extend_reach(moved[q])
        for s in range(self.sections):
            end = self.section[s].end - self.section[s].begin
            for q in range(m if self.section[s].column > 0 else 0):
                rows[q] += self.section[s].column
            loops().subtract_rows(self.r + self.section[s].begin, moved, rows, m, PADDED(end))
        return 0

    cdef int find_rows(self, const i64 *wanted, int m, bint again,
                       const double **rows) except -1 nogil:
        """Find the rows of K of m <= SHARED slots, which stay in place until others are asked for;
        and keep them, as far as there is room, if they are needed again."""
        cdef i64 columns[SHARED]
        cdef int q
        if not (again or self.rows.mirrors):
            for q in range(m):
                columns[q] = self.column(wanted[q])
            return self.rows.for_once(columns, m, rows)
        self.want(wanted, m)
        for q in range(m):
            rows[q] = self.kernel_row(wanted[q])
        return 0

    cdef int subtract_moves(self, const i64 *members, const double *change,
                          i64 moved) except -1 nogil:
        """Let self.r follow after beta_j rose by change_j, of `moved` members j; and bound what
        rounding added, as settle() of the oracle does."""
        cdef i64 a
        for a in range(moved):
            self.distance_moved += fabs(change[members[a]]) * self.largest_norm
        for a in range(0, moved, 8):  # SHARED
            self.subtract_rows(members + a, change, <int>min(SHARED, moved - a), True)
        self.residual_error += ROUNDING * moved * (self.largest_residual + 4 * self.distance_moved)
        return 0

    cdef double residual(self, i64 k) noexcept nogil:
        """r_k, as up and low show it."""
        return self.up[k] if self.up[k] > -INFINITY else self.low[k]

    cdef void read_residuals(self) noexcept nogil:
        """Let self.r be what up and low show."""
        cdef i64 k
        for k in range(self.n):
            self.r[k] = self.residual(k)

    cdef void set_residuals(self) noexcept nogil:
        """Let up and low show self.r."""
        cdef i64 k
        for k in range(self.n):
            self.update_bounds(k, self.r[k])
        for k in range(self.n, self.padded):
            self.up[k], self.low[k] = -INFINITY, INFINITY
        self.find_extremes()

    cdef void update_bounds(self, i64 k, double r) noexcept nogil:
        """Make up and low show what beta_k may do, at the residual r."""
        self.up[k] = r if self.beta[k] < self.upper[k] else -INFINITY
        self.low[k] = r if self.beta[k] > self.lower[k] else INFINITY

    cdef void find_extremes(self) noexcept nogil:
        """Find m and M of each group."""
        cdef Extremes seen
        cdef i64 k
        cdef int s
        for s in range(self.sections):
            seen.m, seen.M, seen.place = -INFINITY, INFINITY, self.section[s].begin
            for k in range(self.section[s].begin, self.section[s].end):
                if self.up[k] > seen.m:
                    seen.m, seen.place = self.up[k], k
                if self.low[k] < seen.M:
                    seen.M = self.low[k]
            self.section[s].seen = seen
        self.take_worst_group()

    cdef Extremes extremes_of(self, int group) noexcept nogil:
        """m, M and the slot of m of a group."""
        cdef Extremes found
        cdef const Extremes *seen
        cdef int s
        found.m, found.M, found.place = -INFINITY, INFINITY, -1
        for s in range(self.sections):
            if self.section[s].group == group:
                seen = &self.section[s].seen
                if found.place < 0 or seen.m > found.m:
                    found.m, found.place = seen.m, seen.place
                found.M = min(found.M, seen.M)
        return found

    cdef void take_worst_group(self) noexcept nogil:
        """Let m, M and place be those of the group with the largest m - M, the first of equals."""
        cdef Extremes worst = self.section[0].seen, found
        self.group = 0
        if self.sections > 1:
            worst = self.extremes_of(0)
            if self.groups > 1:
                found = self.extremes_of(1)
                if found.m - found.M > worst.m - worst.M:
                    self.group, worst = 1, found
        self.m, self.M, self.place = worst.m, worst.M, worst.place
        self.look_out()

    cdef void look_out(self) noexcept nogil:
        """Let the rows know m and M."""
        self.outlook.m, self.outlook.M = self.largest_up(), self.smallest_low()

    cdef double largest_up(self) noexcept nogil:
        return self.m if self.groups else max(self.m, 0.0)

    cdef double smallest_low(self) noexcept nogil:
        return self.M if self.groups else min(self.M, 0.0)

    cdef double violation(self) noexcept nogil:
        return self.largest_up() - self.smallest_low()

    cdef bint is_surely_within(self, double tol) noexcept nogil:
        return self.violation() + 2 * self.residual_error <= tol

    cdef bint improves_when_recomputed(self, double tol) except -1 nogil:
        """Compute all residuals anew, as rounding may hide tol; whether to go on."""
        cdef double violation, objective
        cdef bint better
        self.recompute_residuals()
        violation, objective = self.violation(), self.objective()
        better = violation <= tol or violation < self.last_violation
        better = better or objective > self.last_objective
        self.last_violation, self.last_objective = violation, objective
        return better

    cdef double objective(self) noexcept nogil:
        """The dual objective."""
        cdef double total = 0
        cdef i64 k
        cdef int s
        for s in range(self.sections):
            for k in range(self.section[s].begin, self.section[s].end):
                total += self.beta[k] * (self.target[k] + self.residual(k))
        return total / 2

    cdef int renew_unit(self) except -1 nogil:
        """Let the unit of tol be that of the machine as it is now."""
        cdef Extremes found
        cdef double norm2 = 0
        cdef i64 k
        cdef int s, g
        for s in range(self.sections):
            for k in range(self.section[s].begin, self.section[s].end):
                norm2 += self.beta[k] * (self.target[k] - self.residual(k))
        with gil:
            multipliers = []
            for g in range(self.groups):
                found = self.extremes_of(g)
                multipliers.append(middle(found.m, found.M))
            self.unit = max(self.unit_of(multipliers, norm2), 0.0)
        return 0

    cdef bint is_degenerate(self) noexcept nogil:
        """DualAscent.is_degenerate."""
        cdef double rounding
        if not self.degenerates or self.last_step >= 0:
            return False
        rounding = CURVATURE_NOISE * self.mass() * self.largest_norm
        return self.unit <= rounding and self.violation() <= rounding

    # Steps

    cdef bint advance(self, double tol, i64 max_iter) except -1 nogil:
        """Take a step, and every so many steps conjugate gradients; whether anything moved. A step
        after which numbers are too large is not counted, and not reported."""
        self.check_signals(2 * self.padded)
        if not self.step():
            return False
        self.dual += self.gain
        if (self.iterations + 1) % self.cg_interval == 0:
            self.dual += self.move_free_multipliers(tol)
        if not self.reach < NEAR_OVERFLOW:
            return True
        self.iterations += 1
        self.report()
        return True

    cdef int report(self) except -1 nogil:
        """Tell on_step of the step just taken; but if sampled, of some ten a second."""
        if self.tell is None:
            return 0
        if not self.sampled or self.looked:
            self.looked = False
            with gil:
                self.tell(self.problem, self.last_move(), self.iterations, self.violation(),
                          self.dual)
        return 0

    cdef bint step(self) except -1 nogil:
        """Take one step; whether anything moved."""
        return self.pair_step() if self.groups else self.single_step()

    cdef bint pair_step(self) except -1 nogil:
        """Raise the beta of the worst group with the largest up, and lower the best partner."""
        cdef i64 i = self.place, j
        cdef double slope, curvature, k_ii, k_jj, k_ij, forward, backward, t, rose, fell
        cdef double r_i, r_j
        cdef const double *row_i = self.row_of(i)
        cdef const double *row_j
        j = self.partner(row_i, self.diagonal[i])
        row_j = self.row_of(j)
        r_i, r_j = self.up[i], self.low[j]
        slope = r_i - r_j
        k_ii, k_jj, k_ij = self.diagonal[i], self.diagonal[j], row_i[self.column(j)]
        curvature = (k_ii + k_jj) - 2 * k_ij
        if curvature < 0:
            self.note_curvature(curvature, fabs(k_ii) + fabs(k_jj) + 2 * fabs(k_ij), i, j)
        forward = min(self.upper[i] - self.beta[i], self.beta[j] - self.lower[j])
        backward = min(self.beta[i] - self.lower[i], self.upper[j] - self.beta[j])
        t = best_travel(slope, curvature, -backward, forward)
        if fabs(t) == INFINITY:
            with gil:
                self.unbounded_direction = {i: 1, j: -1}
            return False
        self.unclipped = self.beta[j] - slope / curvature if curvature > 0 else self.beta[j] - t
        self.step_low, self.step_high = self.beta[j] - forward, self.beta[j] + backward
        rose, fell = self.add_clipped(i, t), self.add_clipped(j, -t)
        if rose == 0 and fell == 0:
            return False
        self.gain = (rose * r_i + fell * r_j) - (
            k_ii * rose * rose + 2 * k_ij * rose * fell + k_jj * fell * fell
        ) / 2
        self.i, self.j, self.clipped = i, j, self.beta[j]
        # Their bounds are updated before all residuals follow, their own included.
        self.update_bounds(i, r_i)
        self.update_bounds(j, r_j)
        self.follow_pair(row_i, row_j, rose, fell)
        self.add_residual_error(rose, fell)
        return True

    cdef i64 partner(self, const double *row, double k_ii) noexcept nogil:
        """PairAscent.partner of the variable with the largest up, whose row of K is given."""
        cdef Section *part
        cdef const double *diagonal
        cdef double gain, most = -INFINITY
        cdef i64 found = -1, j
        cdef int s
        for s in range(self.sections):
            part = &self.section[s]
            if part.group == self.group:
                diagonal = NULL if self.even else self.diagonal + part.begin
                j = loops().partner(self.low + part.begin, row + part.column, diagonal, self.m,
                                    k_ii, PADDED(part.end - part.begin), &gain)
                if gain > most:
                    found, most = part.begin + j, gain
        return found

    cdef void follow_pair(self, const double *row_i, const double *row_j, double rose,
                          double fell) noexcept nogil:
        """Let up and low fall by rose K_i + fell K_j, and find the extremes after it."""
        cdef Section *part
        cdef int s
        for s in range(self.sections):
            part = &self.section[s]
            part.seen = loops().update_pair(
                self.up + part.begin, self.low + part.begin, row_i + part.column,
                row_j + part.column, rose, fell, PADDED(part.end - part.begin)
            )
            part.seen.place += part.begin
        self.take_worst_group()

    cdef void note_curvature(self, double curvature, double size, i64 i, i64 j) noexcept nogil:
        """DualAscent.note_curvature, where slot i rose and j fell; i is j where it moved alone."""
        if size > 0 and curvature / size < self.least_curvature:
            self.least_curvature, self.rising, self.falling = curvature / size, i, j

    cdef bint single_step(self) except -1 nogil:
        """Move alone the beta that gains most."""
        cdef double best
        return self.move_alone(
            loops().best_alone(self.up, self.low, self.diagonal, self.padded, &best)
        )

    cdef bint move_alone(self, i64 i) except -1 nogil:
        """Move beta_i to where the dual is largest along it; whether it moved."""
        cdef const double *row = self.row_of(i)
        cdef double slope = self.residual(i), curvature = self.diagonal[i], t, moved
        cdef double old = self.beta[i], low = self.lower[i], high = self.upper[i]
        cdef Section *part
        cdef int s
        if curvature < 0:
            self.note_curvature(curvature, -curvature, i, i)
        t = best_travel(slope, curvature, low - old, high - old)
        if fabs(t) == INFINITY:
            with gil:
                self.unbounded_direction = {i: 1 if t > 0 else -1}
            return False
        self.unclipped = old + slope / curvature if curvature > 0 else old + t
        moved = self.add_clipped(i, t)
        if moved == 0:
            return False
        self.gain = moved * slope - curvature * moved * moved / 2
        self.i, self.j, self.clipped = i, i, self.beta[i]
        self.step_low, self.step_high = low, high
        self.update_bounds(i, slope)
        for s in range(self.sections):
            part = &self.section[s]
            part.seen = loops().update_single(self.up + part.begin, self.low + part.begin,
                                              row + part.column, moved,
                                              PADDED(part.end - part.begin))
            part.seen.place += part.begin
        self.take_worst_group()
        self.add_residual_error(moved, 0)
        return True

    cdef const double *kernel_row(self, i64 i) except NULL nogil:
        """The row of K of slot i, with the ridge; it stays in place until SHARED others were asked
        for."""
        return self.rows.row(self.column(i))

    cdef int want(self, const i64 *wanted, int m) except -1 nogil:
        """Compute the rows of m <= SHARED slots, which are asked for next."""
        cdef i64 columns[SHARED]
        cdef int q, count = 0
        for q in range(m):
            columns[count] = self.column(wanted[q])
            count += not is_among(columns[count], columns, count)
        return self.rows.want(columns, count)

    cdef const double *row_of(self, i64 i) except NULL nogil:
        """The row of slot i; if it must be computed, together with some that may be next."""
        cdef i64 wanted[SHARED]
        i = self.column(i)
        if self.rows.guesses_pay() and not self.rows.has(i):
            wanted[0] = i
            self.rows.guess_too(wanted, 1 + self.likely_next(i, wanted + 1, self.rows.share - 1))
        return self.rows.row(i)

    cdef int likely_next(self, i64 i, i64 *found, int most) noexcept nogil:
        """Find up to `most` columns but i, `most` from 1 to SHARED, whose rows are missing and may
        be needed next: those with the largest up, and the smallest low, half of them each. How many
        there are."""
        cdef double size[SHARED]
        cdef int count = 0, half = most - most // 2, side, q
        cdef double bound
        cdef i64 k, c
        for side in range(2):
            half = most if side else half
            q, k = count, -1
            while True:
                bound = size[count - 1] if count == half else -INFINITY
                if side:
                    k = loops().first_outside(self.up, self.low, INFINITY, -bound, k + 1, self.n)
                else:
                    k = loops().first_outside(self.up, self.low, bound, -INFINITY, k + 1, self.n)
                if k == self.n:
                    break
                c = self.column(k)
                if c == i or self.rows.has(c) or is_among(c, found, count):
                    continue
                insert(c, -self.low[k] if side else self.up[k], found, size, q,
                       min(count, half - 1))
                count = min(count + 1, half)
        return count

    cdef double add_clipped(self, i64 i, double t) noexcept nogil:
        """Move beta_i by t, onto a bound exactly if it gets there; what it really moved."""
        cdef double old = self.beta[i], low = self.lower[i], high = self.upper[i]
        if t == high - old:
            self.beta[i] = high
        elif t == low - old:
            self.beta[i] = low
        else:
            self.beta[i] = min(max(old + t, low), high)
        return self.beta[i] - old

    cdef void extend_reach(self, double moved) noexcept nogil:
        """Note how far a residual may have gone when a beta moved."""
        self.reach += fabs(moved) * max(self.rows.largest, self.largest_norm)

    cdef void add_residual_error(self, double rose, double fell) noexcept nogil:
        """Bound what rounding added to the residuals."""
        self.extend_reach(fabs(rose) + fabs(fell))
        self.distance_moved += (fabs(rose) + fabs(fell)) * self.largest_norm
        self.residual_error += ROUNDING * (self.largest_residual + 4 * self.distance_moved)

    # The face

    cdef double move_free_multipliers(self, double tol) except? -1 nogil:
        """DualAscent.move_free_multipliers, conjugate_gradient.move_free_multipliers; the dual's
        gain."""
        cdef i64 budget = max(CG_EFFORT * self.cg_interval * self.variables, CG_LEAST)
        cdef double gain
        cdef i64 f
        self.face.begin(self.up, self.low)
        f = self.face.size
        if f > self.largest_face:
            return self.solve_large_face(tol, budget)
        budget = max(budget, min(self.patience * budget, CG_STEPS * f * f * f))
        while self.face.size > 0 and self.face.violation() > tol / 2:
            budget -= self.face.size * self.face.size
            self.check_signals(self.face.size * self.face.size // 100)
            if budget < 0 or not self.face.step(self):
                break
        if self.face.unbounded:
            with gil:
                self.unbounded_direction = self.face.direction()
        gain = self.update_after_moving()
        self.patience = 2 * self.patience if budget < 0 and self.dual + gain > self.dual else 1
        return gain

    cdef double solve_large_face(self, double tol, i64 budget) except? -1 nogil:
        """conjugate_gradient.solve_large_face."""
        cdef i64 f = self.face.size, work = f * f * f // 6
        if f > self.largest_system or self.face.violation() <= tol / 2:
            self.patience = 1
            return 0
        work *= IN_DOUBT if f > self.usual_system else 1
        if work > self.patience * budget:
            self.patience += 1
            return 0
        self.patience = 1
        self.face.solve(self, tol)
        return self.update_after_moving()

    cdef double update_after_moving(self) except? -1 nogil:
        """Let the residuals follow the moves of the face; the dual's gain."""
        cdef i64 *members = self.face.members
        cdef double *change = self.face.change
        cdef double *old = self.face.old
        cdef i64 k, a, moved = 0
        cdef double gain = 0
        self.read_residuals()
        for a in range(self.face.begun):
            k = members[a]
            change[k] = self.beta[k] - self.face.start[a]
            if change[k] != 0:
                members[moved], old[moved] = k, self.r[k]
                moved += 1
        self.subtract_moves(members, change, moved)
        self.set_residuals()
        for a in range(moved):
            k = members[a]
            gain += change[k] * (old[a] + self.r[k]) / 2
        return gain

    # The loop

    cdef bint keeps_sums(self) noexcept nogil:
        """dual_program.keeps_sums."""
        cdef double total, size
        cdef i64 count, k
        cdef int g, s
        for g in range(self.groups):
            total, size, count = 0, 0, 0
            for s in range(self.sections):
                if self.section[s].group == g:
                    count += self.section[s].end - self.section[s].begin
                    for k in range(self.section[s].begin, self.section[s].end):
                        total += self.beta[k]
                        size += fabs(self.beta[k])
            size += fabs(self.sums[g])
            if not fabs(total - self.sums[g]) <= 16 * ROUNDING * (count + 2) * size:
                return False
        return True

    cdef int end_with_sums(self, Status status) except -1 nogil:
        """dual_program.end_with_sums."""
        cdef bint lost, moved = False
        cdef i64 a
        if self.has_common_parts():
            with gil:
                self.take_common_parts()
        lost = status != INFEASIBLE and not self.keeps_sums()
        self.face.begin(self.up, self.low)
        with gil:
            self.restore_exact_sums()
            if lost and not self.keeps_sums():
                form = self.form or self.form_of_classes()
                self.put_variables(restore_sums(form, self.betas(), float), self.beta)
        if lost:
            self.recompute_residuals()
            return 0
        for a in range(self.face.begun):
            moved = moved or self.beta[self.face.members[a]] != self.face.start[a]
        if moved:
            self.update_after_moving()
        return 0

    cdef bint has_common_parts(self) noexcept nogil:
        """Whether both variables of some example are not 0."""
        cdef i64 k, other = self.section[self.sections - 1].begin
        if self.sections < 2 or self.section[1].column != self.section[0].column:
            return False
        for k in range(self.section[0].begin, self.section[0].end):
            if self.beta[k] != 0 and self.beta[k + other] != 0:
                return True
        return False

    cdef int take_common_parts(self) except -1:
        """Let problem.without_common_parts take them off."""
        self.read_residuals()
        self.put_variables(self.problem.without_common_parts(self.betas()), self.beta)
        self.set_residuals()
        return 0

    cdef int restore_exact_sums(self) except -1:
        """dual_form.restore_exact_sums; the slots of a group follow each other."""
        cdef bint linear = self.problem.linear
        cdef i64 begin, end
        cdef int g, s
        for g in range(self.groups):
            begin, end = self.n, 0
            for s in range(self.sections):
                if self.section[s].group == g:
                    begin, end = min(begin, self.section[s].begin), self.section[s].end
            s_of_group = 0 if self.form is None else self.form.sums[g]
            if not restore_exact_sum(self.beta + begin, self.lower + begin, self.upper + begin,
                                     self.diagonal + begin, end - begin, s_of_group, linear):
                form = self.form or self.form_of_classes()
                norms = self.variables_in(self.diagonal)
                betas = restore_exact_sums(form, self.betas(), float, norms, linear)
                return self.put_variables(betas, self.beta)
        return 0

    cdef Status ascend(self, double tol, i64 max_iter) except? TOO_LARGE nogil:
        """ascent_loop.ascend, but for the infeasibility proof at the end."""
        cdef i64 check_at = self.n
        cdef bint moved
        cdef Status status
        self.recompute_residuals()
        self.dual = self.objective()
        self.due, self.least, self.most = self.window, INFINITY, -INFINITY
        if not self.feasible:
            return INFEASIBLE if self.reach < NEAR_OVERFLOW else TOO_LARGE
        while True:
            status = self.reason_to_stop(tol, max_iter)
            if status == DEGENERATE and not self.is_proved_degenerate():
                self.last_step = self.iterations + LOOKS_IN_DOUBT * self.cg_interval
                continue
            if status != GOING:
                return status
            moved = self.advance(tol * self.unit, max_iter)
            if not self.reach < NEAR_OVERFLOW:
                return TOO_LARGE
            if self.unbounded_direction is not None:
                return PRECISION
            if not moved and not self.recompute_residuals():
                return PRECISION
            if self.iterations >= check_at:
                check_at *= 2
                if self.hard:
                    with gil:
                        self.farkas = self.infeasibility_proof()
                        if self.farkas:
                            return INFEASIBLE
            elif self.has_stalled(tol * self.unit):
                return PRECISION

    cdef bint has_stalled(self, double limit) except -1 nogil:
        """ascent_loop.StallTest.has_stalled."""
        cdef double violation, dual, roundoff
        cdef bint fell, rose
        if self.iterations < self.due:
            return False
        self.due = self.iterations + self.window
        self.recompute_residuals()
        violation, dual = self.violation(), self.objective()
        roundoff = STALL_ROUNDOFF * (self.largest_residual + self.mass_when_new)
        fell = self.least - violation > roundoff
        rose = not self.hard and dual - self.most > roundoff * self.mass()
        self.least, self.most = min(self.least, violation), max(self.most, dual)
        return violation > limit and not (fell or rose)

    cdef bint is_time_to_look(self) noexcept nogil:
        """Whether to ask if the violation is rounding only: every so many steps."""
        return self.iterations % self.cg_interval == 0

    cdef Status reason_to_stop(self, double tol, i64 max_iter) except? TOO_LARGE nogil:
        """ascent_loop.reason_to_stop; GOING for None."""
        cdef double violation, limit
        cdef bint look, rounded
        while self.reach < NEAR_OVERFLOW:
            violation, look = self.violation(), self.is_time_to_look()
            if self.unit_of is not None and (look or violation <= tol * self.unit):
                self.renew_unit()
                if self.is_degenerate():
                    return DEGENERATE
            limit = tol * self.unit
            rounded = look and violation <= 2 * self.residual_error
            if not (violation <= limit or rounded):
                if self.iterations >= max_iter:
                    return MAX_ITER
                return PRECISION if 0 <= self.last_step <= self.iterations else GOING
            if self.is_surely_within(limit):
                return OPTIMAL
            if not self.improves_when_recomputed(limit):
                return PRECISION
        return TOO_LARGE

    def last_move(self):
        """The Move taken last."""
        return Move(self.variable(self.i), self.variable(self.j), self.step_low, self.step_high,
                    self.unclipped, self.clipped, self.gain)

    def betas(self):
        """beta as a list."""
        return self.variables_in(self.beta)

    def row(self, i64 i):
        """Row i of K as a list, as KernelRows.row gives it, before rows are let go."""
        cdef const double *row
        cdef i64 k
        if self.rows is None or not 0 <= i < self.n:
            raise IndexError(i)
        row = self.rows.row(i)
        return [row[k] for k in range(self.n)]

    cdef bint is_proved_degenerate(self) except -1 nogil:
        """ascent_loop.is_proved_degenerate."""
        with gil:
            from refsvm.solvers import degeneracy  # as in the oracle

            form = self.problem.dual_form()
            return degeneracy.is_proved_degenerate(self.problem, form, self.betas())

    def infeasibility_proof(self):
        """infeasibility.infeasibility_proof."""
        problem = self.problem
        if self.unbounded_direction is None:
            return farkas_multipliers(problem, self.betas(), self.row)
        if any(problem.C[i] < inf for i, speed in self.unbounded_direction.items() if speed != 0):
            return None
        way = [float(self.unbounded_direction.get(i, 0)) for i in range(problem.n)]
        return farkas_multipliers(problem, way, self.row)

    def steepest_directions(self):
        """DualAscent.steepest_directions, by the numbers of the variables (variables.pxi)."""
        unbounded = (self.unbounded_direction or {}).items()
        negative = {}
        if self.least_curvature < 0:
            negative = {self.variable(self.falling): -1} if self.falling != self.rising else {}
            negative[self.variable(self.rising)] = 1
        return [{self.variable(k): speed for k, speed in unbounded}, negative]

    def form_of_classes(self):
        """Problem.dual_form, as it was at the start."""
        lower, upper = self.variables_in(self.lower), self.variables_in(self.upper)
        groups = [range(self.n)] if self.groups else []
        squared = self.problem.C if self.problem.slack == "squared" else None
        return DualForm(None, self.variables_in(self.target), lower, upper, groups,
                        [Fraction(0)] * self.groups, self.hard, squared)

    cdef int let_rows_go(self) except -1:
        """Give back the memory of kernel rows, before the answer takes some."""
        self.rows = None
        return 0

    cdef bint tell_plainly(self, double tol, double roundings, PlainEnding *told) except -1:
        """Whether the residuals prove the answer of a Problem with hinge loss, whose rows are not
        shifted, as nearly always; then `told` is what its Solution says (ends_plainly).

        roundings: of a kernel value
        """
        self.read_residuals()
        if not (all_finite(self.beta, self.n) and all_finite(self.r, self.n)):
            return False
        told.tol, told.claimed, told.carried = tol, tol, self.error_besides()
        told.offset, told.linear = self.groups > 0, self.problem.linear
        return ends_plainly(told, self.beta, self.r, self.target, self.lower, self.upper, NULL,
                            NULL, self.diagonal, self.n, roundings)

    cdef plain_solution(self, double tol):
        """What solution_at returns of an answer that is proved at once, as nearly always; or None."""
        cdef PlainEnding told
        cdef i64 k
        problem = self.problem
        if self.form is not None or self.ridge != NULL or self.hard:
            return None
        if self.tell is not None:  # who may have changed the problem
            return None
        if problem.linear and problem.point_shift and any(problem.point_shift):
            return None
        plain = has_norms_as_sizes(problem.kernel) and not may_exceed_its_diagonal(problem.kernel)
        if not plain or is_short(problem):
            return None
        roundings = roundings_of(problem.kernel, problem.most_terms())
        if not self.tell_plainly(tol, roundings, &told):
            return None
        alpha = [(self.beta[k] if self.target[k] > 0 else -self.beta[k]) + 0.0
                 for k in range(self.n)]  # a zero has no sign
        found = Solution.for_problem(
            problem, alpha=alpha, b=told.b, b_low=told.b_low, b_high=told.b_high,
            objective=told.objective, gap=told.gap, violation=told.violation_at_most,
            iterations=self.iterations, status="optimal", farkas=None,
        )
        found.offsets = problem.offsets_class(OffsetInterval(told.b, told.b_low, told.b_high))
        found.optimum_at_most, found.least_scores = told.optimum_at_most, ()
        return found

    def run(self, double tol, i64 max_iter, tell, bint sampled):
        """ascent_loop.maximise: the Solution; None if numbers get too large. Every step is told; if
        sampled, some ten a second, with the violation as far as it is known."""
        cdef Status ended
        self.tell, self.sampled = tell, sampled
        with nogil:
            ended = self.ascend(tol, max_iter)
            if ended != TOO_LARGE:
                self.end_with_sums(ended)
        if ended == TOO_LARGE or not self.reach < NEAR_OVERFLOW:
            return None
        status, farkas = STATUS_WORDS[ended], self.farkas
        if self.hard and not farkas:
            farkas = self.infeasibility_proof()
        if ended == PRECISION and self.degenerates and self.is_proved_degenerate():
            status = "degenerate"
        if status != "max_iter":
            if farkas:
                status = "infeasible"
            elif any(has_negative_curvature(self.problem, d) for d in self.steepest_directions()):
                status = "indefinite"
        self.let_rows_go()
        found = self.plain_solution(tol) if status == "optimal" else None
        if found is not None:
            return found
        self.read_residuals()
        self.form = self.form or self.form_of_classes()
        form, beta, r = self.form, self.betas(), self.variables_in(self.r)
        if not (all_finite(self.beta, self.n) and all_finite(self.r, self.n)):
            refuse_overflow(beta, r)
        answer = FinalIterate(self.problem, form, beta, r, self.error_besides(), self.residual_error)
        steps = self.iterations
        return solution_at(answer, tol, iterations=steps, status=status, farkas=farkas)


include "coordinate_ascent.pxi"
include "round_members.pxi"
include "small_program.pxi"
include "decomposition.pxi"
include "many_pairs.pxi"
