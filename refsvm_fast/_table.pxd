# The training set in memory; see _table.pyx, whose letters these are.

from libc.stdint cimport int64_t

from .loops cimport BLOCK, Loops

cdef const Loops *loops() noexcept nogil

ctypedef struct Query:
    double *x         # d numbers. Behind them: `value`
    long known        # how many places are listed where x may not be zero; -1: it may be anywhere
    int *at           # these places, in order
    long outside      # how many numbers there are besides, in columns that the table leaves out:
    double *other     # these, in order,
    long *before      # and which feature each stands before
    # for products (Table.find_entries):
    double norm       # <x, x>, if no sum rounds
    long count        # of how many numbers products are made: those not zero, or all; which are
    double *value     # these, in the order of the sums,
    long *place       # each with the place p of its feature
    # for distances (Table.find_runs):
    long *until       # of each feature: where the run ends that it is in. Behind them: `place`

cdef class Queries:
    cdef Query *query
    cdef double *numbers          # the memory of their x and value,
    cdef long *places             # of their until and place
    cdef int *at                  # and of their at

cdef Queries queries_for(int m, long d)

cdef class Table

cdef class Numbering

cdef class Reader

cdef class RowNumbers:
    cdef long d
    cdef long *first              # of row i: its numbers are those from first[i] up to first[i + 1],
    cdef int *feature             # each of a feature, in order,
    cdef double *value            # and what it is
    cdef void count_block(self, Table table, long block, long *counts) noexcept nogil
    cdef void copy_block(self, Table table, long block) noexcept nogil
    cdef void take(self, long *place, long k, double v) noexcept nogil
    cdef int make_room(self, long n, long count) except -1
    cdef bint read(self, Reader reader) except -1
    cdef long read_row(self, Reader reader, long i) noexcept nogil
    cdef long read_unordered(self, Reader reader, long i) except -2
    cdef int choose(self, RowNumbers whole, const long *wanted, long n) except -1
    cdef RowNumbers with_constant(self, long n, double c)
    cdef long write(self, long i, double *x, int *at) noexcept nogil
    cdef double score(self, const double *w, long i) noexcept nogil
    cdef void add_row(self, long i, double t, double *w, int part, int parts) noexcept nogil

cdef enum:
    FILLED = 4  # what the length of a row's list is a multiple of

cdef class ListedRows:
    cdef readonly long n, d       # rows, features; the constant is one
    cdef Py_ssize_t *first        # of row i: its list is that from first[i] up to first[i + 1],
    cdef Py_ssize_t *end          # and its own numbers end before end[i];
    cdef int *places              # the feature of each,
    cdef double *values           # and what it is
    cdef double constant          # behind each row; 0: there is none
    cdef ListedRows lender        # whose memory this is; None: its own
    cdef readonly object columns  # those of the rows given that the features are; None: all
    cdef int make_room(self, long n, long count) except -1
    cdef Py_ssize_t fill_up(self, long i, Py_ssize_t p) noexcept nogil
    cdef long features(self) noexcept nogil
    cdef void put_constant(self) noexcept nogil

cdef class Table:
    cdef readonly long n, d       # examples, features
    cdef readonly long padded     # n, up to a multiple of WIDTH
    cdef long blocks              # of BLOCK examples; the last may be smaller
    cdef long dense               # how many features are stored as columns
    cdef long scattered           # and how many as lists of what is not zero
    cdef long *place              # of feature k: its column if >= 0, else -1 - (its list)
    cdef long *feature            # which feature each column is; behind them: each list
    cdef double *columns          # block after block, of each block column after column
    cdef long *first              # of each block: where its lists begin; at last, where they end
    cdef unsigned char *spots     # of each entry of a list: which example of the block,
    cdef double *values           # and its value
    cdef double *norms            # <z, z> of every example
    cdef double grain, reach      # grain is 0 if sums of products of the numbers may round
    cdef tuple shift              # what was taken off each feature; None if nothing was
    cdef list shifting            # the features of which that is not zero
    cdef public object kept         # which columns of the rows given the features are; None: all
    cdef RowNumbers by_row        # None where they are not needed
    cdef Numbering numbering      # of the columns kept, made when it is asked for
    cdef Table lender             # whose lists these are, too; None: they are its own,
    cdef bint lent                # and no other's
    cdef object by_feature        # the rows side by side, as weights (sparse_rows.pxi); None

    cdef object floats(self, long i, tuple shift)
    cdef int require(self, list places) except -1
    cdef int remember(self, tuple shift) except -1
    cdef Numbering columns_kept(self)
    cdef double taken_off(self, long k)
    cdef long width(self, long block) noexcept nogil
    cdef double listed(self) noexcept nogil
    cdef long near_columns(self, long block) noexcept nogil
    cdef long near_features(self, long block) noexcept nogil
    cdef void row(self, long i, double *x) noexcept nogil
    cdef void some_rows(self, const long *wanted, int m, double **x) noexcept nogil
    cdef void lists_at(self, long block, long spot, double *x) noexcept nogil
    cdef bint is_hollow(self) noexcept nogil
    cdef int number_rows(self) except -1
    cdef long list_with(self, long e, long block, long low) noexcept nogil
    cdef void add_row(self, long i, double t, double *w, int part, int parts) noexcept nogil
    cdef long next_entry(self, long e, long block, long spot) noexcept nogil
    cdef double *shift_column(self, long k, long block, double c, double *room) noexcept nogil
    cdef void column(self, long k, long block, double *out) noexcept nogil
    cdef bint loses(self, long k) noexcept nogil
    cdef bint mostly_zero(self, long k, long n) noexcept nogil
    cdef void ask(self, Query *query, bint joint, bint apart, bint exact) noexcept nogil
    cdef void find_entries(self, Query *query, bint exact) noexcept nogil
    cdef void add_entries(self, Query *query, long places, bint columns,
                          bint lists) noexcept nogil
    cdef void clear(self, long block, int m, double *out) noexcept nogil
    cdef void dots(self, long block, Query *queries, int m, double *out) noexcept nogil
    cdef long some_dots(self, long block, Query *query, long s, long end, long ahead,
                        double *totals) noexcept nogil
    cdef void find_runs(self, Query *query) noexcept nogil
    cdef void squares_up_to(self, long block, Query *query, long k, long end, long ahead,
                            double *totals) noexcept nogil
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

cdef inline double *columns_of(Table table, long block) noexcept nogil:
    """The columns of a block: `width` numbers each, one column after the other."""
    return table.columns + block * BLOCK * table.dense

cdef inline long *lists_of(Table table, long block) noexcept nogil:
    """`first` of a block."""
    return table.first + block * table.scattered

cdef inline double given_back(double v, double c) noexcept nogil:
    """The number that was given, of which v is stored since c was taken off."""
    return v + c if c != 0 else v  # -0.0 + 0 would be another zero

cdef class Some:
    cdef Table table
    cdef long n
    cdef const long *wanted       # which rows of the table
    cdef bint all                 # whether these are all, in order
    cdef long *index              # of a row of the table: which of these it is, or -1
    cdef long *blocks             # the blocks that they are in, as these follow each other,
    cdef long spread              # and how many blocks that is
    cdef void choose(self, const long *wanted, long n) noexcept nogil
    cdef bint column(self, long k, double *out) noexcept
    cdef long numbers(self, long k, const double *coefs, double *values, double *theirs) noexcept

cdef struct Entry:
    int64_t place
    double value
    long order                    # in which the numbers are given

cdef class Reader:
    cdef long n, d
    # of a buffer:
    cdef Py_buffer view
    cdef bint viewed              # whether there is one: it must be released
    cdef bint in_place            # whether it holds doubles, row after row without gaps
    # of a Compressed:
    cdef Py_buffer parts[3]       # its starts, places and values
    cdef int opened               # how many of these must be released
    # of a list or tuple of rows:
    cdef object sequence
    # of another table:
    cdef Table table
    cdef long *wanted             # the indices of the rows that are read
    cdef const double *shift      # what is taken off each row, or NULL
    cdef bint open(self, object rows) except -1
    cdef long stored(self) noexcept nogil
    cdef long count(self, long i) noexcept nogil
    cdef int64_t place(self, long e) noexcept nogil
    cdef bint find(self, long i, long *ends) noexcept nogil
    cdef long values(self, long e, long end, double *value) noexcept nogil
    cdef bint tells_numbers(self) noexcept nogil
    cdef long add(self, long i, double *x, int *at) noexcept nogil
    cdef const double *at(self, long i, double *x) except? NULL
    cdef void shift_row(self, double *x) noexcept nogil
    cdef bint read(self, long i, double *x) except -1
    cdef int some_rows(self, long i, double *room, double **rows) except -1

cdef class Numbering:
    cdef long count
    cdef int64_t *columns         # by their numbers
    cdef long width               # if > 0, there is a slot for each of so many columns; otherwise
    cdef int bits                 # there are 2^bits, at least twice as many as columns,
    cdef int *slots               # each of a number, or -1: a column is sought from its own slot on
    cdef long slot(self, int64_t column) noexcept nogil
    cdef long find(self, int64_t column) noexcept nogil
    cdef long count_before(self, int64_t column) noexcept nogil
    cdef int make_room(self, long count) except -1
    cdef long size(self) noexcept nogil
    cdef void number_all(self) noexcept nogil
    cdef void sort(self) noexcept nogil
    cdef int add(self, int64_t column) except -1
    cdef bint add_places(self, Reader reader) except -1
    cdef list all(self)

cdef Numbering numbering_of(list columns, int64_t width, long entries)
cdef long entries_of(Reader reader, long i, Entry *row) noexcept nogil
cdef void *allocated(size_t size) except NULL
cdef long *places_in(Table table, list places) except NULL
cdef void fill_up(double *column, long n, long padded, double v) noexcept nogil
cdef bint all_finite(const double *values, long n) noexcept nogil
cdef bint is_zero(double v) noexcept nogil
cdef double grain_of(double v) noexcept nogil
cdef bint read_numbers(object row, long d, double *x) except -1
cpdef bint readable(object X) except -1
cdef Reader reader_of(object X)
cpdef Table packed(object X)
