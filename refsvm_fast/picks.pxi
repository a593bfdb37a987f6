# The draws of refsvm.numerics.picks, compiled: iterators of indices drawn by SplitMix64.
#
# An iterator gives ints to next(). A compiled learner calls take() instead, and gets as many indices
# as it has room for, without an int for each.
#
#     Draws    an iterator of indices below n, of which `left` are still to come:
#              InOrder (passes), Shuffled (shuffled_passes), Uniform (uniform), Listed (a list)
#
# Threads may share one: each index comes once. The critical sections see to that where
# Python has no global lock; with the lock they do nothing.
#
# Source: refsvm/numerics/picks.py, and there the papers. Part of _online.pyx.


cdef inline uint64_t next_word(uint64_t *state) noexcept nogil:
    state[0] += 0x9E3779B97F4A7C15U
    cdef uint64_t z = state[0]
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU
    return z ^ (z >> 31)


cdef inline int unused_bits(uint64_t n) noexcept nogil:
    """64 less the bits of n - 1: how far a word is shifted to leave an index below n, or a try."""
    cdef int unused = 64
    n -= 1
    while n:
        n >>= 1
        unused -= 1
    return unused


cdef inline uint64_t draw(uint64_t n, int unused, uint64_t *state) noexcept nogil:
    """The index below n that refsvm.numerics.picks.below would draw; n = 1 takes no word."""
    if n == 1:
        return 0
    cdef uint64_t index = next_word(state) >> unused
    while index >= n:
        index = next_word(state) >> unused
    return index


cdef Py_ssize_t *in_order(Py_ssize_t n) except NULL:
    """0, ..., n - 1; to be freed."""
    cdef Py_ssize_t i
    cdef Py_ssize_t *order = <Py_ssize_t *> zeroed(n, sizeof(Py_ssize_t))
    for i in range(n):
        order[i] = i
    return order


cdef enum:
    DRAWN = 256    # places of a shuffle that are drawn before any of them changes


cdef void shuffle(Py_ssize_t *order, Py_ssize_t n, uint64_t *state) noexcept nogil:
    """Put n places into a random order: from the last to the second, as picks.shuffle.

    Many are drawn before the first of them changes places: neither then waits for the other.
    """
    cdef uint64_t index[DRAWN]
    cdef Py_ssize_t i = n - 1, end, k, kept
    while i > 0:
        end = max(0, i - DRAWN)
        draw_below(i, end, index, state)
        for k in range(i - end):
            kept = order[i - k]
            order[i - k] = order[index[k]]
            order[index[k]] = kept
        i = end


cdef void draw_below(Py_ssize_t i, Py_ssize_t end, uint64_t *index,
                     uint64_t *state) noexcept nogil:
    """Draw an index below i + 1, one below i, and so on, as long as i is more than `end`.

    A word that gives none writes one that is too large, and the next writes over it: a branch on
    it could not be foretold, and would take longer than all the rest.
    """
    cdef Py_ssize_t first = i, low
    cdef int unused
    cdef uint64_t drawn
    while i > end:
        unused = unused_bits(i + 1)
        low = max(end + 1, <Py_ssize_t> 1 << (63 - unused))  # down to here i has as many bits
        while i >= low:
            drawn = next_word(state) >> unused
            index[first - i] = drawn
            i -= drawn <= <uint64_t> i


cdef class Draws:
    """An iterator of indices below n."""

    cdef Py_ssize_t n                 # every index is below n
    cdef unsigned long long left      # how many are still to come

    def __iter__(self):
        return self

    def __next__(self):
        cdef Py_ssize_t index
        if self.take(&index, 1) == 0:
            raise StopIteration
        return index

    cdef Py_ssize_t take(self, Py_ssize_t *into, Py_ssize_t room) except -1:
        """Take the next indices, as many as there is room for; how many there were."""
        cdef Py_ssize_t count
        with cython.critical_section(self):
            count = <Py_ssize_t> min(self.left, <unsigned long long> room)
            self.fill(into, count)
            self.left -= count
        return count

    cdef void fill(self, Py_ssize_t *into, Py_ssize_t count) noexcept:
        """Write the next `count` indices; there are as many."""

    cdef Draws moved(self):
        """Another that goes on where this one is; None if there is none."""


cdef class InOrder(Draws):
    """0, ..., n - 1 again and again."""

    cdef Py_ssize_t following

    def __cinit__(self, Py_ssize_t n, unsigned long long count):
        self.n, self.left = n, count

    cdef Draws moved(self):
        cdef InOrder rest = InOrder(self.n, self.left)
        rest.following = self.following
        return rest

    cdef void fill(self, Py_ssize_t *into, Py_ssize_t count) noexcept:
        cdef Py_ssize_t t, i = self.following
        for t in range(count):
            into[t] = i
            i += 1
            if i == self.n:
                i = 0
        self.following = i


cdef class Shuffled(Draws):
    """0, ..., n - 1 again and again, each time in a new order, drawn when it begins."""

    cdef uint64_t state
    cdef Py_ssize_t at
    cdef Py_ssize_t *order

    def __cinit__(self, Py_ssize_t n, unsigned long long count, uint64_t seed):
        self.n, self.left, self.state, self.at = n, count, seed, n
        self.order = in_order(n)

    def __dealloc__(self):
        PyMem_Free(self.order)

    cdef Draws moved(self):
        cdef Shuffled rest = Shuffled(self.n, self.left, self.state)
        rest.order, self.order, rest.at = self.order, rest.order, self.at
        return rest

    cdef void fill(self, Py_ssize_t *into, Py_ssize_t count) noexcept:
        cdef Py_ssize_t t = 0, i, some
        while t < count:
            if self.at == self.n:
                for i in range(self.n):
                    self.order[i] = i
                shuffle(self.order, self.n, &self.state)
                self.at = 0
            some = min(count - t, self.n - self.at)
            memcpy(into + t, self.order + self.at, some * sizeof(Py_ssize_t))
            self.at += some
            t += some


cdef class Uniform(Draws):
    """Independent draws, each index with the same probability."""

    cdef uint64_t state
    cdef int unused

    def __cinit__(self, Py_ssize_t n, unsigned long long count, uint64_t seed):
        self.n, self.left, self.state, self.unused = n, count, seed, unused_bits(n)

    cdef Draws moved(self):
        return Uniform(self.n, self.left, self.state)

    cdef void fill(self, Py_ssize_t *into, Py_ssize_t count) noexcept:
        cdef Py_ssize_t t
        cdef uint64_t state = self.state
        for t in range(count):
            into[t] = <Py_ssize_t> draw(self.n, self.unused, &state)
        self.state = state


cdef class Listed(Draws):
    """The ints of a list, all of them below n."""

    cdef Py_ssize_t *picks
    cdef Py_ssize_t at

    def __cinit__(self, list picks, Py_ssize_t n):
        self.picks = <Py_ssize_t *> zeroed(len(picks), sizeof(Py_ssize_t))
        self.n = n

    def __dealloc__(self):
        PyMem_Free(self.picks)

    cdef bint read(self, list picks) except -1:
        """Take them over; False if one of them is anything but a plain int from 0 to n - 1."""
        cdef Py_ssize_t t
        for t in range(len(picks)):
            self.picks[t] = small_index(picks[t])
            if not 0 <= self.picks[t] < self.n:
                return False
        self.left = len(picks)
        return self.left > 0

    cdef void fill(self, Py_ssize_t *into, Py_ssize_t count) noexcept:
        memcpy(into, self.picks + self.at, count * sizeof(Py_ssize_t))
        self.at += count


cdef Draws draws_of(picks, Py_ssize_t n):
    """The picks as Draws below n; what validation.indices refuses is refused in its words.

    All are read at once. Compiled draws seem to be: others go on where they are.
    """
    cdef Draws draws, rest
    if isinstance(picks, Draws):
        draws = picks
        with cython.critical_section(draws):
            rest = draws.moved() if draws.n <= n and draws.left > 0 else None
            if rest is not None:
                draws.left = 0
        if rest is not None:
            return rest
    cdef list read = []
    if type(picks) is list:
        read = picks
    else:
        coming = validation.iterator(picks, "picks", "indices")
        for pick in coming:
            read.append(pick)
            if small_index(pick) < 0:
                return listed(validation.indices(chain(read, coming), n), n)
    return listed(read, n) or listed(validation.indices(read, n), n)


cdef Listed listed(list picks, Py_ssize_t n):
    """The picks as Listed; None if they are not plain."""
    cdef Listed found = Listed(picks, n)
    return found if found.read(picks) else None


cdef Py_ssize_t small_index(pick) except -2:
    """A plain int that is no less than 0 and that a Py_ssize_t holds; -1 for anything else."""
    cdef int overflow = 0
    cdef long long index
    if type(pick) is not int:
        return -1
    index = PyLong_AsLongLongAndOverflow(pick, &overflow)
    return <Py_ssize_t> index if not overflow and 0 <= index <= PY_SSIZE_T_MAX else -1
