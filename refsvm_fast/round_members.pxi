# The members of a round, compiled: decomposition.RoundAscent.next_members, in slots
# (variables.pxi). Part of _smo.pyx.

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
