# The declarations of simd/loops.h, for Cython.

from libc.stdint cimport uint64_t

cdef extern from "simd/loops.h":
    const int WIDTH
    long PADDED(long) noexcept nogil
    const int BLOCK
    const int NOT_FINITE
    const int FINER

    ctypedef struct Extremes:
        double m
        double M
        long place

    ctypedef struct Rough:
        double high
        double low
        double size

    ctypedef struct Loops:
        const char *name
        long width
        void (*products)(double *, const double *, const double *, const long *, long,
                         long, const double *) noexcept nogil
        void (*squares)(double *, const double *, const double *, const long *, long,
                        long, const double *) noexcept nogil
        void (*two_products)(double *, const double *, const double *, const double *,
                             const long *, long, long, const double *) noexcept nogil
        void (*exps)(double *, double, long) noexcept nogil
        void (*tanhs)(double *, double, double, long) noexcept nogil
        void (*powers)(double *, double, double, long, long) noexcept nogil
        void (*sums_of_powers)(double *, long, long) noexcept nogil
        void (*count_bits)(const uint64_t *, const uint64_t *, long, int, const double *, double *,
                           long) noexcept nogil
        void (*mark)(uint64_t *, const double *, double, uint64_t, long) noexcept nogil
        double (*largest)(const double *, long) noexcept nogil
        Extremes (*update_pair)(double *, double *, const double *, const double *, double, double,
                                long) noexcept nogil
        Extremes (*update_single)(double *, double *, const double *, double, long) noexcept nogil
        long (*partner)(const double *, const double *, const double *, double, double, long,
                        double *) noexcept nogil
        long (*best_alone)(const double *, const double *, const double *, long,
                           double *) noexcept nogil
        long (*first_outside)(const double *, const double *, double, double, long,
                              long) noexcept nogil
        void (*gather_columns)(const double **, const long *, long, double *, long) noexcept nogil
        void (*subtract_rows)(double *, const double *, const double **, int, long) noexcept nogil
        void (*subtract)(double *, const double *, const double *, long, int, long) noexcept nogil
        void (*add_squares)(double *, const double *, const double *, long, int, long) noexcept nogil
        void (*step)(double *, const double *, double, const double *, long) noexcept nogil
        void (*dots)(const double **, const double **, long, double *) noexcept nogil
        int (*survey)(const double *, double *, double *, double, long) noexcept nogil
        void (*side_by_side)(const double **, long, long, double *, long) noexcept nogil
        long (*nonzero_places)(const double *, long, int *) noexcept nogil
        void (*count_below)(const double *, double, long, long *, long *) noexcept nogil
        double (*next_below)(const double *, double, double, long) noexcept nogil
        int (*differ_exactly)(const double *, double, long) noexcept nogil
        long (*count_equal)(const double *, double, long) noexcept nogil
        int (*rough_sum)(const double *, const double *, long, Rough *) noexcept nogil

    const Loops *refsvm_loops(const char *name) noexcept nogil
    const Loops *_loops "refsvm_loops_in_use"  # there from the start, before any choice
    void *refsvm_room(size_t bytes) noexcept nogil
    void *refsvm_smaller(void *room, size_t bytes) noexcept nogil
    void release "refsvm_release"(void *room) noexcept nogil
    void bring_near "refsvm_bring_near"(const void *) noexcept nogil
