# The members of a round, compiled: decomposition.RoundAscent.next_members, in slots
# (variables.pxi). Part of _smo.pyx.

cdef class Decomposition(DualAscent)


cdef bint is_worse(double v, i64 k, double w, i64 l) noexcept nogil:
    """Whether slot k of size v comes after slot l of size w: it is smaller, or later."""
    return v < w or v == w and k > l


cdef class TopSlots:
    """The slots of the largest size, the first of equals, in a heap: at its top is the one that
    would go first."""

    cdef Decomposition whole
    cdef i64 begin, end           # where to look,
    cdef const bint *taken        # and of a slot: whether it is to be left out
    cdef i64 *found
    cdef double *size
    cdef i64 count

    def __cinit__(self, Decomposition whole, i64 room):
        self.whole = whole
        self.found = <i64 *>allocated(room * sizeof(i64))
        self.size = <double *>allocated(room * sizeof(double))

    def __dealloc__(self):
        release(self.found)
        release(self.size)

    cdef i64 find(self, double least, i64 most, bint falling) noexcept nogil:
        """Find the top slots, `most` of them at most, whose up, or -low if falling, is above
        `least`: `found` holds them in order. How many they are."""
        cdef const double *up = self.whole.up
        cdef const double *low = self.whole.low
        cdef i64 k = self.begin - 1
        self.count = 0
        while most > 0:
            if falling:
                k = loops().first_outside(up, low, INFINITY, -least, k + 1, self.end)
            else:
                k = loops().first_outside(up, low, least, -INFINITY, k + 1, self.end)
            if k == self.end:
                break
            if not self.taken[k]:
                self.offer(k, -low[k] if falling else up[k], most)
                if self.count == most:
                    least = self.size[0]
        self.sort()
        return self.count

    cdef void offer(self, i64 k, double v, i64 most) noexcept nogil:
        """Take slot k of size v into the heap of `most`, where it is not the worst."""
        cdef i64 place = self.count, above
        if place == most:
            self.sink(0, place, k, v)
            return
        self.count += 1
        while place > 0:
            above = (place - 1) // 2
            if not is_worse(v, k, self.size[above], self.found[above]):
                break
            self.found[place], self.size[place] = self.found[above], self.size[above]
            place = above
        self.found[place], self.size[place] = k, v

    cdef void sink(self, i64 place, i64 count, i64 k, double v) noexcept nogil:
        """Put slot k into this place of the first `count` of the heap, or below it."""
        cdef i64 *found = self.found
        cdef double *size = self.size
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
        """Put the heap in order, the largest first. It is no heap afterwards."""
        cdef i64 end, k
        cdef double v
        for end in range(self.count - 1, 0, -1):
            k, v = self.found[end], self.size[end]
            self.found[end], self.size[end] = self.found[0], self.size[0]
            self.sink(0, end, k, v)


cdef class Members:
    """Which variables take part in a round; those of a group are chosen without the others."""

    cdef Decomposition whole
    cdef TopSlots top
    cdef i64 count       # of the last round,
    cdef i64 *last                # as they were chosen,
    cdef i64 *chosen              # and those of the next,
    cdef i64 *slots               # in order
    cdef bint *taken              # of a slot: whether it is chosen, while they are
    # While those of a group are chosen:
    cdef i64 begin, end           # its slots,
    cdef i64 limit                # how many there may be with those of groups before,
    cdef i64 found                # and how many there are

    def __cinit__(self, Decomposition whole, i64 room):
        self.whole, self.top = whole, TopSlots(whole, room)
        self.last = <i64 *>allocated(room * sizeof(i64))
        self.chosen = <i64 *>allocated(room * sizeof(i64))
        self.slots = <i64 *>allocated(room * sizeof(i64))
        self.taken = <bint *>allocated(whole.n * sizeof(bint))
        memset(self.taken, 0, whole.n * sizeof(bint))
        self.top.taken = self.taken

    def __dealloc__(self):
        release(self.last)
        release(self.chosen)
        release(self.slots)
        release(self.taken)

    cdef int choose(self, i64 most) except -1 nogil:
        """Choose `most` of them: as many of each group, if each can have two; else of the worst group."""
        cdef int g, groups = max(self.whole.groups, 1)
        cdef i64 a
        self.found = 0
        for g in range(groups):
            if most >= 2 * groups:
                self.choose_in(g, most // groups)
            elif g == self.whole.group:
                self.choose_in(g, most)
        self.count, self.last, self.chosen = self.found, self.chosen, self.last
        memcpy(self.slots, self.last, self.count * sizeof(i64))
        qsort(self.slots, self.count, sizeof(i64), compare_longs)
        for a in range(self.count):
            self.taken[self.last[a]] = False
        return 0

    cdef int choose_in(self, int group, i64 most) except -1 nogil:
        """decomposition.choose_members, of a group."""
        cdef Extremes seen = self.whole.extremes_of(group)
        cdef i64 first = self.found, fresh
        if self.whole.groups == 0:
            seen.m = seen.M = 0
        self.take_group(group)
        fresh = most - min(most // 2, min(most - 2, self.count_last()))
        self.limit = self.found + most
        self.take_top(seen.M, fresh // 2, False)
        self.take_top(-seen.m, fresh - (self.found - first), True)
        self.take_last(False)
        self.take_free()
        self.take_last(True)
        return 0

    cdef void take_group(self, int group) noexcept nogil:
        """Let begin and end be those of a group."""
        cdef Section *sections = self.whole.section
        self.begin, self.end = 0, self.whole.n
        if self.whole.groups > 1:
            self.begin, self.end = sections[group].begin, sections[group].end
        self.top.begin, self.top.end = self.begin, self.end

    cdef bint is_in_group(self, i64 k) noexcept nogil:
        return self.begin <= k < self.end

    cdef i64 count_last(self) noexcept nogil:
        """How many of the last round are of the group."""
        cdef i64 a, count = 0
        for a in range(self.count):
            count += self.is_in_group(self.last[a])
        return count

    cdef int take_top(self, double least, i64 most, bint falling) except -1 nogil:
        """Take at most `most` of those with the largest up above `least`; or, if falling, with the
        largest -low."""
        cdef i64 a
        for a in range(self.top.find(least, most, falling)):
            self.take(self.top.found[a])
        return 0

    cdef void take(self, i64 k) noexcept nogil:
        self.chosen[self.found], self.taken[k] = k, True
        self.found += 1

    cdef void take_last(self, bint bounded) noexcept nogil:
        """Take those of the last round that are free, while there is room; or, if `bounded`, those
        that are not."""
        cdef i64 a, k
        for a in range(self.count):
            k = self.last[a]
            if (self.found < self.limit and self.is_in_group(k) and not self.taken[k]
                    and bounded != self.whole.is_free(k)):
                self.take(k)

    cdef void take_free(self) noexcept nogil:
        """Take other free ones, while there is room."""
        cdef i64 k = self.begin
        while k < self.end and self.found < self.limit:
            if self.whole.is_free(k) and not self.taken[k]:
                self.take(k)
            k += 1


cdef int compare_longs(const void *a, const void *b) noexcept nogil:
    """For qsort: the smallest first."""
    cdef i64 v = (<const i64 *>a)[0], w = (<const i64 *>b)[0]
    return (v > w) - (v < w)
