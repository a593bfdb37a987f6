# The kernel for strings. Part of _basics.pyx.
#
# To count words, they get numbers. A letter's number is its code point. A word of m + k letters,
# k <= m, is known by the word of m letters that it begins with and the one of m letters that it
# ends with: the pair of their numbers gets a number of its own, its name. So all words of 2, 4, 8,
# ... letters are numbered, and in the end those of the length that is asked for.
#
#     x, z     strings                     word     its number
#     give     whether a pair that has no name gets one: of the points, but not of other strings
#     holders  the points that have a word              counts   how often each of them has it


cdef enum:
    LETTERS = 0x110000      # so many code points there are; the numbers of words begin here
    UNKNOWN = 0xFFFFFFFFU   # a word that has no number


cdef class Names:
    """Numbers for pairs of numbers: a hash table with open addressing, half of it free."""

    def __cinit__(self):
        self.make_room(1024)

    def __dealloc__(self):
        PyMem_Free(self.pairs)
        PyMem_Free(self.names)
        PyMem_Free(self.slots)

    cdef int make_room(self, uint64_t places) except -1:
        """Move into a table of so many places."""
        cdef uint64_t *pairs = self.pairs
        cdef uint32_t *names = self.names
        cdef uint64_t before = self.places, p, moved
        self.pairs = <uint64_t *> zeroed(places, sizeof(uint64_t))
        self.names = <uint32_t *> zeroed(places, sizeof(uint32_t))
        PyMem_Free(self.slots)
        self.slots = <uint32_t *> zeroed(places, sizeof(uint32_t))
        self.places = places
        for p in range(before):
            if names[p]:
                moved = self.place(pairs[p])
                self.pairs[moved], self.names[moved] = pairs[p], names[p]
        PyMem_Free(pairs)
        PyMem_Free(names)
        return 0

    cdef uint64_t place(self, uint64_t pair) noexcept:
        """Where a pair is, or would be."""
        cdef uint64_t mixed = pair * 0x9E3779B97F4A7C15U
        cdef uint64_t p = (mixed ^ mixed >> 32) & (self.places - 1)
        while self.names[p] and self.pairs[p] != pair:
            p = (p + 1) & (self.places - 1)
        return p

    cdef uint32_t name(self, uint32_t first, uint32_t last, bint give) except 0:
        """The name of a pair; one that has none is given one, or is UNKNOWN."""
        cdef uint64_t pair = <uint64_t> first << 32 | last
        cdef uint64_t p = self.place(pair)
        if self.names[p]:
            return self.names[p]
        if not give or first == UNKNOWN or last == UNKNOWN:
            return UNKNOWN
        if 2 * <uint64_t> self.count >= self.places:
            self.make_room(2 * self.places)
            p = self.place(pair)
        if self.count == UNKNOWN - LETTERS:
            raise MemoryError
        self.pairs[p], self.names[p] = pair, LETTERS + self.count
        self.count += 1
        return self.names[p]


cdef class Tally:
    """The words of a string that have names, less LETTERS, each once; and how often."""

    cdef uint32_t *words
    cdef int64_t *counts
    cdef Py_ssize_t count

    def __cinit__(self, str x, Py_ssize_t length, Names names, bint give):
        cdef Py_ssize_t all = max(0, len(x) - length + 1)
        self.words = <uint32_t *> PyUnicode_AsUCS4Copy(x)
        self.counts = <int64_t *> zeroed(all, sizeof(int64_t))
        if all:
            with cython.critical_section(names):
                self.number(len(x), length, names, give)
                self.tally(all, names)

    def __dealloc__(self):
        PyMem_Free(self.words)
        PyMem_Free(self.counts)

    cdef int number(self, Py_ssize_t n, Py_ssize_t length, Names names, bint give) except -1:
        """Turn each of the n letters into the word that begins there, but for the last letters,
        where none does."""
        cdef Py_ssize_t p, k, m = 1
        while True:
            PyErr_CheckSignals()
            k = min(m, length - m)  # 0 for words of one letter, which get names, too
            for p in range(n - m - k + 1):
                self.words[p] = names.name(self.words[p], self.words[p + k], give)
            m += k
            if m == length:
                return 0

    cdef void tally(self, Py_ssize_t all, Names names) noexcept:
        """Keep each word once, and count it."""
        cdef Py_ssize_t p
        cdef uint32_t word
        for p in range(all):
            if self.words[p] == UNKNOWN:
                continue
            word = self.words[p] - LETTERS
            if not names.slots[word]:
                self.words[self.count] = word
                self.count += 1
                names.slots[word] = <uint32_t> self.count
            self.counts[names.slots[word] - 1] += 1
        for p in range(self.count):
            names.slots[self.words[p]] = 0


cdef class WordCounts:
    """Points to compare strings with: for each word the points that have it, and how often.

    The holders of a word are holders[first[word]], ..., holders[first[word + 1] - 1].
    """

    def __cinit__(self, list points, Py_ssize_t length):
        cdef Tally tally
        cdef list found
        cdef Py_ssize_t i, w, p, all = 0
        self.length, self.n, self.names = length, len(points), Names()
        found = [Tally(x, length, self.names, True) for x in points]
        self.tallies = dict(zip(points, found))
        self.first = <Py_ssize_t *> zeroed(self.names.count + 2, sizeof(Py_ssize_t))
        for tally in found:
            for p in range(tally.count):
                self.first[tally.words[p] + 2] += 1
            all += tally.count
        for w in range(self.names.count):
            self.first[w + 2] += self.first[w + 1]
        self.holders = <Py_ssize_t *> zeroed(all, sizeof(Py_ssize_t))
        self.counts = <int64_t *> zeroed(all, sizeof(int64_t))
        for i in range(self.n):  # first[w + 1] is where w goes on, and in the end where it ends
            tally = found[i]
            for p in range(tally.count):
                w = tally.words[p]
                self.holders[self.first[w + 1]] = i
                self.counts[self.first[w + 1]] = tally.counts[p]
                self.first[w + 1] += 1

    def __dealloc__(self):
        PyMem_Free(self.first)
        PyMem_Free(self.holders)
        PyMem_Free(self.counts)

    cdef int values(self, str x, double *into) except -1:
        """How many pairs of equal words x has with each point."""
        cdef Tally tally = self.tallies.get(x)
        cdef Py_ssize_t p, h, w
        cdef int64_t *totals = <int64_t *> zeroed(self.n, sizeof(int64_t))
        try:
            if tally is None:
                tally = Tally(x, self.length, self.names, False)
            for p in range(tally.count):
                w = tally.words[p]
                for h in range(self.first[w], self.first[w + 1]):
                    totals[self.holders[h]] += tally.counts[p] * self.counts[h]
            for p in range(self.n):
                into[p] = <double> totals[p]
        finally:
            PyMem_Free(totals)
        return 0

    cdef double norm(self, str x) except -1:
        """How many pairs of equal words one of the points has with itself."""
        cdef Tally tally = self.tallies[x]
        cdef Py_ssize_t p
        cdef int64_t total = 0
        for p in range(tally.count):
            total += tally.counts[p] * tally.counts[p]
        return <double> total

    def row(self, str x):
        """[k(x, z) for each point z], as floats."""
        cdef double *values = <double *> zeroed(self.n, sizeof(double))
        cdef Py_ssize_t i
        try:
            self.values(x, values)
            return [values[i] for i in range(self.n)]
        finally:
            PyMem_Free(values)


cdef WordCounts counts_of(kernel, points):
    """The WordCounts of a Spectrum and a list of strings; None if they are anything else."""
    if type(kernel) is not Spectrum or type(kernel.length) is not int or kernel.length < 1:
        return None
    if type(points) is not list:
        return None
    for x in points:
        if type(x) is not str:
            return None
    return WordCounts(points, min(kernel.length, PY_SSIZE_T_MAX // 4))


def word_rows(kernel, points):
    """The function x -> [kernel(x, z) for z in points] of floats; None if it is not compiled."""
    cdef WordCounts counts = counts_of(kernel, points)
    return None if counts is None else counts.row


def pairs_by_counting(str x, str z, Py_ssize_t length):
    """The number of refsvm.kernels.strings.pairs_by_counting."""
    cdef Names names = Names()
    cdef Tally of_z = Tally(z, length, names, True), of_x = Tally(x, length, names, False)
    cdef Py_ssize_t p
    cdef int64_t pairs = 0
    for p in range(of_z.count):
        names.slots[of_z.words[p]] = <uint32_t> (p + 1)
    for p in range(of_x.count):
        pairs += of_x.counts[p] * of_z.counts[names.slots[of_x.words[p]] - 1]
    return pairs


def pairs_by_suffixes(str x, str z, Py_ssize_t length):
    """The number of refsvm.kernels.strings.pairs_by_suffixes."""
    cdef Py_UCS4 *of_x = NULL
    cdef Py_UCS4 *of_z = NULL
    cdef Py_ssize_t *suffixes = NULL  # at j + 1: of what x and z read up to j have in common
    cdef Py_ssize_t i, j
    cdef int64_t pairs = 0
    try:
        of_x, of_z = PyUnicode_AsUCS4Copy(x), PyUnicode_AsUCS4Copy(z)
        suffixes = <Py_ssize_t *> zeroed(len(z) + 1, sizeof(Py_ssize_t))
        for i in range(len(x)):
            for j in range(len(z) - 1, -1, -1):  # backwards: suffixes[j] is still that of i - 1
                suffixes[j + 1] = suffixes[j] + 1 if of_x[i] == of_z[j] else 0
                pairs += suffixes[j + 1] >= length
            PyErr_CheckSignals()
    finally:
        PyMem_Free(of_x)
        PyMem_Free(of_z)
        PyMem_Free(suffixes)
    return pairs
