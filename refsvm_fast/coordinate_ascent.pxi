"""Coordinate ascent, compiled: refsvm/solvers/coordinate_ascent.py, step by step.

It is a DualAscent that takes other steps. Part of _smo.pyx.
"""


cdef class CyclicAscent(DualAscent):
    """coordinate_ascent.CyclicAscent."""

    cdef i64 turn                # whose turn it is

    cdef bint step(self) except -1 nogil:
        """Move the next one that has anything to gain; whether there was one."""
        cdef i64 turn = self.turn
        if self.step_among(turn, self.n):
            return True
        return self.unbounded_direction is None and self.step_among(0, turn)

    cdef bint step_among(self, i64 begin, i64 end) except -1 nogil:
        """Move the first from begin on that can be moved; whether there was one before the end."""
        cdef bint moved
        cdef i64 k = loops().first_outside(self.up, self.low, 0, 0, begin, end)
        while k < end:
            moved = self.move_alone(k)
            if moved or self.unbounded_direction is not None:
                self.turn = k + 1
                return moved
            self.check_signals(10 * self.padded)
            k = loops().first_outside(self.up, self.low, 0, 0, k + 1, end)
        return False

    cdef int likely_next(self, i64 i, i64 *found, int most) noexcept nogil:
        """Up to `most` others whose rows are missing: those whose turn is next."""
        cdef int count = self.add_missing(i + 1, self.n, found, 0, most)
        return self.add_missing(0, i, found, count, most)

    cdef int add_missing(self, i64 begin, i64 end, i64 *found, int count,
                         int most) noexcept nogil:
        """Add those from begin on that have something to gain, but no row; how many there are."""
        cdef i64 k = loops().first_outside(self.up, self.low, 0, 0, begin, end)
        while k < end and count < most:
            if not self.rows.has(k):
                found[count] = k
                count += 1
            k = loops().first_outside(self.up, self.low, 0, 0, k + 1, end)
        return count
