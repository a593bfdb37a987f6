# The training set in memory; see _table.pyx, whose letters these are.

from libc.stdint cimport int64_t

from .loops cimport BLOCK, Loops, i64

cdef const Loops *loops() noexcept nogil

ctypedef struct Query:
    double *x         # d numbers. Behind them: `value`
    i64 known         # how many places are listed where x may not be zero; -1: it may be anywhere
    int *at           # these places, in order
    i64 outside       # how many numbers there are besides, in columns that the table leaves out:
    double *other     # these, in order,
    i64 *before       # and which feature each stands before
    # for products (Table.find_entries):
    double norm       # <x, x>, if no sum rounds
    i64 count         # of how many numbers products are made: those not zero, or all; which are
    double *value     # these, in the order of the sums,
    i64 *place        # each with the place p of its feature
    # for distances (Table.find_runs):
    i64 *until       # of each feature: where the run ends that it is in. Behind them: `place`

cdef class Queries:
    cdef Query *query
    cdef double *numbers          # the memory of their x and value,
    cdef i64 *places              # of their until and place
    cdef int *at                  # and of their at

cdef Queries queries_for(int m, i64 d)

cdef class Table

cdef class Numbering

cdef class Reader

cdef class RowNumbers:
    cdef i64 d
    cdef i64 *first               # of row i: its numbers are those from first[i] up to first[i + 1],
    cdef int *feature             # each of a feature, in order,
    cdef double *value            # and what it is
    cdef void count_block(self, Table table, i64 block, i64 *counts) noexcept nogil
    cdef void copy_block(self, Table table, i64 block) noexcept nogil
    cdef void take(self, i64 *place, i64 k, double v) noexcept nogil
    cdef int make_room(self, i64 n, i64 count) except -1
    cdef bint read(self, Reader reader) except -1
    cdef i64 read_row(self, Reader reader, i64 i) noexcept nogil
    cdef i64 read_unordered(self, Reader reader, i64 i) except -2
    cdef int choose(self, RowNumbers whole, const i64 *wanted, i64 n) except -1
    cdef RowNumbers with_constant(self, i64 n, double c)
    cdef i64 write(self, i64 i, double *x, int *at) noexcept nogil
    cdef double score(self, const double *w, i64 i) noexcept nogil
    cdef void add_row(self, i64 i, double t, double *w) noexcept nogil

cdef enum:
    FILLED = 4  # what the length of a row's list is a multiple of
    AT_A_TIME = 64  # numbers of a Compressed that are read together

cdef class ListedRows:
    cdef readonly i64 n, d        # rows, features; the constant is one
    cdef Py_ssize_t *first        # of row i: its list is that from first[i] up to first[i + 1],
    cdef Py_ssize_t *end          # and its own numbers end before end[i];
    cdef int *places              # the feature of each,
    cdef double *values           # and what it is
    cdef double constant          # behind each row; 0: there is none
    cdef ListedRows owner        # whose memory this is; None: its own
    cdef readonly object columns  # those of the rows given that the features are; None: all
    cdef int make_room(self, i64 n, i64 count) except -1
    cdef Py_ssize_t fill_up(self, i64 i, Py_ssize_t p) noexcept nogil
    cdef i64 features(self) noexcept nogil
    cdef void put_constant(self) noexcept nogil

cdef class Table:
    cdef readonly i64 n, d        # examples, features
    cdef readonly i64 padded      # n, up to a multiple of WIDTH
    cdef i64 blocks               # of BLOCK examples; the last may be smaller
    cdef i64 dense                # how many features are stored as columns
    cdef i64 scattered            # and how many as lists of what is not zero
    cdef i64 *place               # of feature k: its column if >= 0, else -1 - (its list)
    cdef i64 *feature             # which feature each column is; behind them: each list
    cdef double *columns          # block after block, of each block column after column
    cdef i64 *first               # of each block: where its lists begin; at last, where they end
    cdef unsigned char *spots     # of each entry of a list: which example of the block,
    cdef double *values           # and its value
    cdef double *norms            # <z, z> of every example
    cdef double common_unit, reach      # common_unit is 0 if sums of products of the numbers may round
    cdef tuple shift              # what was taken off each feature; None if nothing was
    cdef list shifting            # the features of which that is not zero
    cdef public object kept         # which columns of the rows given the features are; None: all
    cdef RowNumbers by_row        # None where they are not needed
    cdef Numbering numbering      # of the columns kept, made when it is asked for
    cdef Table owner             # whose lists these are, too; None: they are its own,
    cdef bint lent                # and no other's
    cdef object by_feature        # the rows side by side, as weights (sparse_rows.pxi); None

    cdef void count_numbers(self, i64 block, i64 *counts) noexcept nogil
    cdef object floats(self, i64 i, tuple shift)
    cdef int require(self, list places) except -1
    cdef int remember(self, tuple shift) except -1
    cdef Numbering columns_kept(self)
    cdef double taken_off(self, i64 k)
    cdef i64 width(self, i64 block) noexcept nogil
    cdef double listed(self) noexcept nogil
    cdef i64 near_columns(self, i64 block) noexcept nogil
    cdef i64 near_features(self, i64 block) noexcept nogil
    cdef void row(self, i64 i, double *x) noexcept nogil
    cdef void some_rows(self, const i64 *wanted, int m, double **x) noexcept nogil
    cdef void lists_at(self, i64 block, i64 spot, double *x) noexcept nogil
    cdef i64 cost(self) noexcept nogil
    cdef bint is_very_sparse(self) noexcept nogil
    cdef int number_rows(self) except -1
    cdef i64 list_with(self, i64 e, i64 block, i64 low) noexcept nogil
    cdef void add_row(self, i64 i, double t, double *w) noexcept nogil
    cdef i64 next_entry(self, i64 e, i64 block, i64 spot) noexcept nogil
    cdef double *shift_column(self, i64 k, i64 block, double c, double *room) noexcept nogil
    cdef void column(self, i64 k, i64 block, double *out) noexcept nogil
    cdef bint loses(self, i64 k) noexcept nogil
    cdef bint mostly_zero(self, i64 k, i64 n) noexcept nogil
    cdef void ask(self, Query *query, bint joint, bint apart, bint exact) noexcept nogil
    cdef void find_entries(self, Query *query, bint exact) noexcept nogil
    cdef void add_entries(self, Query *query, i64 places, bint columns,
                          bint lists) noexcept nogil
    cdef void clear(self, i64 block, int m, double *out) noexcept nogil
    cdef void dots(self, i64 block, Query *queries, int m, double *out) noexcept nogil
    cdef i64 some_dots(self, i64 block, Query *query, i64 s, i64 end, i64 ahead,
                       double *totals) noexcept nogil
    cdef void find_runs(self, Query *query) noexcept nogil
    cdef void squares_up_to(self, i64 block, Query *query, i64 k, i64 end, i64 ahead,
                            double *totals) noexcept nogil
    cdef void some_squares(self, i64 block, Query *query, i64 k, i64 end, i64 ahead,
                           double *totals) noexcept nogil
    cdef void distances(self, i64 block, Query *queries, int m, bint exact,
                        double *out) noexcept nogil
    cdef void add_squares(self, i64 block, Query *queries, int m, i64 k,
                          double *out) noexcept nogil
    cdef void scatter_product(self, i64 block, i64 list_, double x,
                              double *totals) noexcept nogil
    cdef void scatter_squares_of(self, i64 begin, i64 end, double *totals) noexcept nogil
    cdef void scatter_square(self, i64 block, i64 list_, double x, i64 width,
                             double *totals) noexcept nogil
    cdef bint exact_with(self, Table other) noexcept nogil
    cdef bint exact_beside(self, double common_unit, double reach) noexcept nogil

cdef inline double *columns_of(Table table, i64 block) noexcept nogil:
    """The columns of a block: `width` numbers each, one column after the other."""
    return table.columns + block * BLOCK * table.dense

cdef inline i64 *lists_of(Table table, i64 block) noexcept nogil:
    """`first` of a block."""
    return table.first + block * table.scattered

cdef inline double given_back(double v, double c) noexcept nogil:
    """The number that was given, of which v is stored since c was taken off."""
    return v + c if c != 0 else v  # -0.0 + 0 would be another zero

cdef class Some:
    cdef Table table
    cdef i64 n
    cdef const i64 *wanted        # which rows of the table
    cdef bint all                 # whether these are all, in order
    cdef i64 *index               # of a row of the table: which of these it is, or -1
    cdef i64 *blocks              # the blocks that they are in, as these follow each other,
    cdef i64 spread               # and how many blocks that is
    cdef void choose(self, const i64 *wanted, i64 n) noexcept nogil
    cdef bint column(self, i64 k, double *out) noexcept
    cdef i64 numbers(self, i64 k, const double *coefs, double *values, double *theirs) noexcept

cdef struct Entry:
    int64_t place
    double value
    i64 order                    # in which the numbers are given

cdef class Reader:
    cdef i64 n, d
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
    cdef i64 *wanted              # the indices of the rows that are read
    cdef const double *shift      # what is taken off each row, or NULL
    cdef bint open(self, object rows) except -1
    cdef i64 stored(self) noexcept nogil
    cdef i64 count(self, i64 i) noexcept nogil
    cdef int64_t place(self, i64 e) noexcept nogil
    cdef bint find(self, i64 i, i64 *ends) noexcept nogil
    cdef const double *values(self, i64 e, i64 count, double *room) noexcept nogil
    cdef bint add_products(self, i64 i, Numbering numbering, const double *w, i64 stride,
                           double *totals) noexcept nogil
    cdef i64 sum_products(self, i64 begin, i64 end, const double *w, double *sums) noexcept nogil
    cdef bint tells_numbers(self) noexcept nogil
    cdef i64 add(self, i64 i, double *x, int *at) noexcept nogil
    cdef const double *at(self, i64 i, double *x) except? NULL
    cdef void shift_row(self, double *x) noexcept nogil
    cdef bint read(self, i64 i, double *x) except -1
    cdef int some_rows(self, i64 i, double *room, double **rows) except -1

cdef class Numbering:
    cdef i64 count
    cdef int64_t *columns         # by their numbers
    cdef i64 width                # if > 0, there is a slot for each of so many columns; otherwise
    cdef int bits                 # there are 2^bits, at least twice as many as columns,
    cdef int *slots               # each of a number, or -1: a column is sought from its own slot on
    cdef i64 slot(self, int64_t column) noexcept nogil
    cdef i64 find(self, int64_t column) noexcept nogil
    cdef i64 count_before(self, int64_t column) noexcept nogil
    cdef int make_room(self, i64 count) except -1
    cdef i64 size(self) noexcept nogil
    cdef void number_all(self) noexcept nogil
    cdef void sort(self) noexcept nogil
    cdef int add(self, int64_t column) except -1
    cdef bint add_places(self, Reader reader) except -1
    cdef list all(self)

cdef Numbering numbering_of(list columns, int64_t width, i64 entries)
cdef i64 entries_of(Reader reader, i64 i, Entry *row) noexcept nogil
cdef void *allocated(size_t size) except NULL
cdef i64 *places_in(Table table, list places) except NULL
cdef void fill_up(double *column, i64 n, i64 padded, double v) noexcept nogil
cdef void add_weighted(const double *value, const i64 *which, i64 count, const double *w, i64 stride,
                       double *totals) noexcept nogil
cdef bint all_finite(const double *values, i64 n) noexcept nogil
cdef bint is_zero(double v) noexcept nogil
cdef double common_unit_of(double v) noexcept nogil
cdef bint read_numbers(object row, i64 d, double *x) except -1
cpdef bint readable(object X) except -1
cdef Reader reader_of(object X)
cpdef Table packed(object X)
