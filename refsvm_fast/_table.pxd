# The data of a problem, packed; see _table.pyx.

from .lanes cimport Lanes

cdef const Lanes *lanes() noexcept nogil

ctypedef struct Query:
    double *x         # d numbers, and room for as many
    # for products:
    double norm       # <x, x>, if no sum rounds
    long count        # how many of them are not zero: these, in the order of the sums,
    double *value
    long *place       # each with the column or list of its feature (Table.place)
    # for distances:
    long *until       # of each feature: where the run ends that it is in (find_runs); and room

cdef class Queries:
    cdef Query *query
    cdef double *numbers
    cdef long *places

cdef Queries queries_for(int m, long d)

cdef class Table:
    cdef readonly long n, d       # examples, features
    cdef readonly long padded     # n, up to a multiple of WIDTH
    cdef long blocks
    cdef long dense               # how many features are stored as columns
    cdef long scattered           # and how many as lists of what is not zero
    cdef long *place              # of feature k: its column if >= 0, else -1 - (its list)
    cdef double *columns
    cdef long *first              # where the list of a block and a feature begins; one more
    cdef unsigned char *spots     # which example of the block
    cdef double *values
    cdef double *norms            # <z, z> of every example
    cdef double grain, reach      # every number is a multiple of grain; the largest possible norm
    cdef tuple moved              # what was taken off each feature; None if nothing
    cdef list moving              # the features of which it is not zero

    cdef list list_of_row(self, long i, tuple moved)
    cdef double taken(self, long k)
    cdef long width(self, long block) noexcept nogil
    cdef double listed(self) noexcept nogil
    cdef long near_columns(self, long block) noexcept nogil
    cdef long near_features(self, long block) noexcept nogil
    cdef void row(self, long i, double *x) noexcept nogil
    cdef void some_rows(self, const long *wanted, int m, double **x) noexcept nogil
    cdef long next_entry(self, long e, long block, long spot) noexcept nogil
    cdef double *lower(self, long k, long block, double c, double *room) noexcept nogil
    cdef void column(self, long k, long block, double *out) noexcept nogil
    cdef bint mostly_zero(self, long k, long n) noexcept nogil
    cdef void ask(self, Query *query, bint joint, bint apart, bint exact) noexcept nogil
    cdef void find_entries(self, Query *query, bint exact) noexcept nogil
    cdef void clear(self, long block, int m, double *out) noexcept nogil
    cdef void dots(self, long block, Query *queries, int m, double *out) noexcept nogil
    cdef long some_dots(self, long block, Query *query, long s, long end, long ahead,
                        double *totals) noexcept nogil
    cdef void find_runs(self, Query *query) noexcept nogil
    cdef void some_squares(self, long block, Query *query, long k, long end, long ahead,
                           double *totals) noexcept nogil
    cdef void distances(self, long block, Query *queries, int m, bint exact,
                        double *out) noexcept nogil
    cdef void add_squares(self, long block, Query *queries, int m, long k,
                          double *out) noexcept nogil
    cdef void scatter_product(self, long block, long list_, double x,
                              double *totals) noexcept nogil
    cdef void scatter_squares_of(self, long begin, long end, double *totals) noexcept nogil
    cdef void scatter_square(self, long block, long list_, double x, long width,
                             double *totals) noexcept nogil
    cdef bint exact_with(self, Table other) noexcept nogil
    cdef bint exact_beside(self, double grain, double reach) noexcept nogil

cdef class Some:
    cdef Table table
    cdef long n
    cdef const long *wanted       # which rows of the table
    cdef bint all                 # whether these are all, in order
    cdef long *index              # of a row of the table: which of these it is, or -1
    cdef long *blocks             # where they are,
    cdef long spread              # and how many blocks that is
    cdef void choose(self, const long *wanted, long n) noexcept nogil
    cdef bint column(self, long k, double *out) noexcept

cdef class Reader:
    cdef Py_buffer view
    cdef bint viewed
    cdef Py_buffer parts[3]       # starts, places and values of a Compressed
    cdef int opened               # how many of these can be read
    cdef bint in_place            # doubles, row after row
    cdef object sequence
    cdef Table table
    cdef list wanted              # the indices of the rows that are read
    cdef const double *less       # what is taken off each, or NULL
    cdef long n, d
    cdef bint open(self, object rows) except -1
    cdef long stored(self) noexcept nogil
    cdef long add(self, long i, double *x, int *at) noexcept nogil
    cdef const double *at(self, long i, double *x) except? NULL
    cdef void lower(self, double *x) noexcept nogil
    cdef bint read(self, long i, double *x) except -1
    cdef int gang(self, long i, double *room, double **rows) except -1

cdef void *allocated(size_t size) except NULL
cdef long *places_in(list places) except NULL
cdef void fill_up(double *column, long n, long padded, double v) noexcept nogil
cdef double grain_of(double v) noexcept nogil
cdef bint read_numbers(object row, long d, double *x) except -1
cpdef bint readable(object X) except -1
cdef Reader reader_of(object X)
cpdef Table packed(object X)
