# A face of many free multipliers solved at once, compiled: refsvm/solvers/face_system.py. Part of
# _smo.pyx.
#
# Row c of L begins at L + c * width, and is zero from its diagonal on: so that lanes beyond it
# change nothing.

cdef enum:
    PANEL = 32  # rows; a multiple of WIDTH


cdef class FaceSystem:
    """face_system.FaceSystem."""

    cdef double *L
    cdef double *d                # the pivots
    cdef double *z                # the solution; room for a row meanwhile
    cdef double *norms            # the diagonal as it was
    cdef double *panel            # rows of L, and these times -d
    cdef i64 first, size, width

    def __dealloc__(self):
        self.release()

    cdef void release(self) noexcept nogil:
        release(self.L)
        release(self.d)
        release(self.z)
        release(self.norms)
        release(self.panel)
        self.L = self.d = self.z = self.norms = self.panel = NULL

    cdef int make_room(self, i64 first, i64 members) except -1:
        """Make room for so many members, the first of which is unknown `first`; all is zero."""
        self.release()
        self.first, self.size = first, first + members
        self.width = PADDED(self.size)
        self.L = numbers(self.width * self.size)
        self.d, self.z = numbers(self.width), numbers(self.width)
        self.norms, self.panel = numbers(self.width), numbers(2 * PANEL * self.width)
        return 0

    cdef void eliminate_all(self) noexcept nogil:
        """Eliminate a panel of rows after the other. What they take off the rows before them is
        taken off together: each of these comes into the cache once for all."""
        cdef i64 end = self.size, begin, c
        for c in range(self.size):
            self.norms[c] = self.L[c * self.width + c]
        while end > 1:
            begin = (end - 1) // PANEL * PANEL
            for c in range(end - 1, max(begin, 1) - 1, -1):
                self.eliminate(c, end)
            if begin > 0:
                self.take_off(begin, end)
            end = begin

    cdef void eliminate(self, i64 c, i64 end) noexcept nogil:
        """Let row c become that of L, and find its pivot. Rows from `end` on were taken off it."""
        cdef double *row = self.L + c * self.width
        cdef double *b = self.z
        cdef double pivot
        cdef i64 k, count = end - 1 - c, last = end - 1
        for k in range(count):
            b[k] = self.d[last - k] * self.L[(last - k) * self.width + c]
        for k in range(0, count, 8):  # WIDTH
            loops().subtract(row, b + k, self.L + (last - k) * self.width, -self.width,
                             <int>min(WIDTH, count - k), PADDED(c + 1))
        pivot = row[c]
        memset(row + c, 0, (self.width - c) * sizeof(double))
        if c >= self.first and not pivot > CURVATURE_NOISE * self.norms[c] or pivot == 0:
            memset(row, 0, c * sizeof(double))
            return
        self.d[c] = pivot
        for k in range(c):
            row[k] = row[k] / pivot

    cdef void take_off(self, i64 begin, i64 end) noexcept nogil:
        """Take rows `begin` to `end` of L off all before them, the last first. What is then beyond
        their diagonals, eliminate() clears."""
        cdef double *x = self.panel
        cdef double *c = self.panel + PANEL * self.width
        cdef const double *row
        cdef i64 k, j
        for k in range(end - 1, begin - 1, -1):
            row = self.L + k * self.width
            memcpy(x, row, begin * sizeof(double))
            for j in range(begin):  # x + (-b) y has the bits of x - b y
                c[j] = -(self.d[k] * row[j])
            x, c = x + self.width, c + self.width
        loops().add_squares(self.L, self.panel + PANEL * self.width, self.panel, self.width,
                            <int>(end - begin), begin)

    cdef void solve(self) noexcept nogil:
        """Let z be the solution: eight rows at a time, each from its first element on."""
        cdef const double *rows[WIDTH]
        cdef const double *solution[WIDTH]
        cdef double s[WIDTH]
        cdef double *z = self.z
        cdef i64 begin, k, a
        cdef int q
        z[0] = -1
        for begin in range(0, self.size, 8):  # WIDTH
            for q in range(WIDTH):
                rows[q] = self.L + min(begin + q, self.size - 1) * self.width
                solution[q] = z
            loops().dots(rows, solution, begin, s)
            for q in range(<int>min(WIDTH, self.size - begin)):
                k = begin + q
                for a in range(begin, k):
                    s[q] += self.L[k * self.width + a] * z[a]
                if k > 0:
                    z[k] = -s[q]

    cdef void scale_right_side(self, double share) noexcept nogil:
        cdef i64 k
        for k in range(1, self.size):
            self.L[k * self.width] = share * self.L[k * self.width]

    cdef void remove(self, i64 k) noexcept nogil:
        """Take unknown k out: what was eliminated after it gains d l l', l its row of L."""
        cdef double *w = self.z
        cdef double *row = self.L + k * self.width
        cdef double alpha = self.d[k], p, pivot, beta
        cdef i64 j
        memcpy(w, row, self.width * sizeof(double))
        memset(row, 0, self.width * sizeof(double))
        self.d[k] = 0
        for j in range(k + 1, self.size):
            self.L[j * self.width + k] = 0
        for j in range(k - 1, 0, -1):
            p, row = w[j], self.L + j * self.width
            w[j] = 0
            if p == 0 or self.d[j] == 0:
                continue
            pivot = self.d[j] + alpha * p * p
            if not pivot / self.d[j] > CURVATURE_NOISE:
                memset(row, 0, self.width * sizeof(double))
                self.d[j] = 0
                continue
            beta, alpha = alpha * p / pivot, self.d[j] * alpha / pivot
            self.d[j] = pivot
            loops().subtract(w, &p, row, self.width, 1, PADDED(j))
            loops().step(row, row, beta, w, j)
