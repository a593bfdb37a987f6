# What a round looks at of every variable, in its slot (variables.pxi): threads have a range each.
# Part of _smo.pyx.
#
#     TopSlots   the slots of the largest up, or of the smallest low
#     Bounds     up and low, from the residuals; the largest and the smallest of each section
#
# No answer depends on how many threads there are: of equals the first comes first.

cdef enum:
    LOOK = 1  # cycles for each slot: a few less than it takes, as threads may have to be woken


cdef class Decomposition(DualAscent)


cdef bint is_worse(double v, i64 k, double w, i64 l) noexcept nogil:
    """Whether slot k of size v comes after slot l of size w: it is smaller, or later."""
    return v < w or v == w and k > l


cdef class TopSlots(Job):
    """The slots of the largest size, the first of equals. Each thread has a heap, with the one at
    its top that would go first; then all that they found is offered to the first heap."""

    cdef Decomposition whole
    cdef i64 begin, end           # where to look,
    cdef const bint *taken        # and of a slot: whether it is to be left out
    cdef double least             # what the size must be above;
    cdef bint falling             # it is -low if this holds, else up
    cdef i64 room                 # of a heap
    cdef i64 *found               # heap after heap
    cdef double *size
    cdef i64 count[MOST_THREADS]

    def __cinit__(self, Decomposition whole, i64 room):
        cdef i64 all_heaps = room * whole.rows.source.parts()
        self.whole = whole
        self.found = <i64 *>allocated(all_heaps * sizeof(i64))
        self.size = <double *>allocated(all_heaps * sizeof(double))

    def __dealloc__(self):
        release(self.found)
        release(self.size)

    cdef i64 find(self, double least, i64 most, bint falling) except -1 nogil:
        """Find the top slots, `most` of them at most: `found` holds them in order. How many they
        are."""
        cdef int part, parts = self.whole.rows.source.parts()
        cdef i64 a
        if most == 0:
            return 0
        self.least, self.falling, self.room = least, falling, min(most, self.end - self.begin)
        for part in range(parts):
            self.count[part] = 0
        self.whole.rows.source.run(self, LOOK * <double>(self.end - self.begin))
        for part in range(1, parts):
            for a in range(part * self.room, part * self.room + self.count[part]):
                if self.count[0] < self.room or is_worse(self.size[0], self.found[0], self.size[a],
                                                    self.found[a]):
                    self.offer(0, self.found[a], self.size[a])
        self.sort()
        return self.count[0]

    cdef void work(self, int part, int parts) noexcept nogil:
        """Look through a range of slots."""
        cdef const double *up = self.whole.up
        cdef const double *low = self.whole.low
        cdef i64 n = self.end - self.begin, end = self.begin + n * (part + 1) // parts
        cdef i64 k = self.begin + n * part // parts - 1
        cdef double bound
        while True:
            bound = self.bound(part)
            if self.falling:
                k = loops().first_outside(up, low, INFINITY, -bound, k + 1, end)
            else:
                k = loops().first_outside(up, low, bound, -INFINITY, k + 1, end)
            if k == end:
                return
            if not self.taken[k]:
                self.offer(part, k, -low[k] if self.falling else up[k])

    cdef double bound(self, int part) noexcept nogil:
        """What the size of one more in this heap must be above, if it is a later one."""
        return self.size[part * self.room] if self.count[part] == self.room else self.least

    cdef void offer(self, int part, i64 k, double v) noexcept nogil:
        """Take slot k of size v into a heap, where it is not the worst."""
        cdef i64 *found = self.found + part * self.room
        cdef double *size = self.size + part * self.room
        cdef i64 place = self.count[part], above
        if place == self.room:
            self.sink(found, size, 0, place, k, v)
            return
        self.count[part] += 1
        while place > 0:
            above = (place - 1) // 2
            if not is_worse(v, k, size[above], found[above]):
                break
            found[place], size[place] = found[above], size[above]
            place = above
        found[place], size[place] = k, v

    cdef void sink(self, i64 *found, double *size, i64 place, i64 count, i64 k,
                   double v) noexcept nogil:
        """Put slot k into this place of the first `count` of a heap, or below it."""
        cdef i64 below
        while 2 * place + 1 < count:
            below = 2 * place + 1
            if below + 1 < count and is_worse(size[below + 1], found[below + 1],
                                              size[below], found[below]):
                below += 1
            if not is_worse(size[below], found[below], v, k):
                break
            found[place], size[place] = found[below], size[below]
            place = below
        found[place], size[place] = k, v

    cdef void sort(self) noexcept nogil:
        """Put the first heap in order, the largest first. It is no heap afterwards."""
        cdef i64 end, k
        cdef double v
        for end in range(self.count[0] - 1, 0, -1):
            k, v = self.found[end], self.size[end]
            self.found[end], self.size[end] = self.found[0], self.size[0]
            self.sink(self.found, self.size, 0, end, k, v)


cdef class Bounds(Job):
    """Makes up and low show the residuals of all variables."""

    cdef Decomposition whole
    cdef Extremes found[MOST_THREADS][2]  # by each thread, of each section

    def __cinit__(self, Decomposition whole):
        self.whole = whole

    cdef void show(self) noexcept nogil:
        """Do it, and let the sections have their extremes, as DualAscent.find_extremes does."""
        cdef Extremes best
        cdef int part, parts = self.whole.rows.source.parts(), s
        for part in range(parts):
            for s in range(self.whole.sections):
                self.found[part][s].m, self.found[part][s].M = -INFINITY, INFINITY
                self.found[part][s].place = self.whole.section[s].begin
        self.whole.rows.source.run(self, LOOK * <double>self.whole.n)
        for s in range(self.whole.sections):
            best = self.found[0][s]
            for part in range(1, parts):
                best.M = min(best.M, self.found[part][s].M)
                if self.found[part][s].m > best.m:
                    best.m, best.place = self.found[part][s].m, self.found[part][s].place
            self.whole.section[s].seen = best

    cdef void work(self, int part, int parts) noexcept nogil:
        cdef const Section *section
        cdef i64 n
        cdef int s
        for s in range(self.whole.sections):
            section = &self.whole.section[s]
            n = section.end - section.begin
            self.show_range(section.begin + n * part // parts,
                            section.begin + n * (part + 1) // parts, &self.found[part][s])

    cdef void show_range(self, i64 begin, i64 end, Extremes *found) noexcept nogil:
        """Show the residuals of these slots, and note their extremes."""
        cdef const double *beta = self.whole.beta
        cdef double r, up, low
        cdef Extremes best = found[0]
        cdef i64 k
        for k in range(begin, end):
            r = self.whole.r[k]
            up = r if beta[k] < self.whole.upper[k] else -INFINITY
            low = r if beta[k] > self.whole.lower[k] else INFINITY
            self.whole.up[k], self.whole.low[k] = up, low
            if up > best.m:
                best.m, best.place = up, k
            if low < best.M:
                best.M = low
        found[0] = best
