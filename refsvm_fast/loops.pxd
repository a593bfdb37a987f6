# The declarations of simd/loops.h, for Cython.

from libc.stdint cimport int64_t, uint64_t

cdef extern from "simd/loops.h":
    ctypedef int64_t i64
    const int WIDTH
    i64 PADDED(i64) noexcept nogil
    const int BLOCK
    const int NOT_FINITE
    const int FINER

    ctypedef struct Extremes:
        double m
        double M
        i64 place

    ctypedef struct Rough:
        double high
        double low
        double size

    ctypedef struct Loops:
        const char *name
        i64 width
        void (*products)(double *, const double *, const double *, const i64 *, i64,
                         i64, const double *) noexcept nogil
        void (*squares)(double *, const double *, const double *, const i64 *, i64,
                        i64, const double *) noexcept nogil
        void (*two_products)(double *, const double *, const double *, const double *,
                             const i64 *, i64, i64, const double *) noexcept nogil
        void (*weigh)(double *, const double *, const double *, const i64 *, i64,
                      i64) noexcept nogil
        void (*exps)(double *, double, i64) noexcept nogil
        void (*tanhs)(double *, double, double, i64) noexcept nogil
        void (*powers)(double *, double, double, i64, i64) noexcept nogil
        void (*sums_of_powers)(double *, i64, i64) noexcept nogil
        void (*count_bits)(const uint64_t *, const uint64_t *, i64, int, const double *, double *,
                           i64) noexcept nogil
        void (*mark)(uint64_t *, const double *, double, uint64_t, i64) noexcept nogil
        double (*largest)(const double *, i64) noexcept nogil
        Extremes (*update_pair)(double *, double *, const double *, const double *, double, double,
                                i64) noexcept nogil
        Extremes (*update_single)(double *, double *, const double *, double, i64) noexcept nogil
        i64 (*partner)(const double *, const double *, const double *, double, double, i64,
                       double *) noexcept nogil
        i64 (*best_alone)(const double *, const double *, const double *, i64,
                          double *) noexcept nogil
        i64 (*first_outside)(const double *, const double *, double, double, i64,
                             i64) noexcept nogil
        void (*gather_columns)(const double **, const i64 *, i64, double *, i64) noexcept nogil
        void (*subtract_rows)(double *, const double *, const double **, int, i64) noexcept nogil
        void (*subtract)(double *, const double *, const double *, i64, int, i64) noexcept nogil
        void (*add_squares)(double *, const double *, const double *, i64, int, i64) noexcept nogil
        void (*step)(double *, const double *, double, const double *, i64) noexcept nogil
        void (*dots)(const double **, const double **, i64, double *) noexcept nogil
        int (*survey)(const double *, double *, double *, double, i64) noexcept nogil
        void (*side_by_side)(const double **, i64, i64, double *, i64) noexcept nogil
        i64 (*nonzero_places)(const double *, i64, int *) noexcept nogil
        void (*count_below)(const double *, double, i64, i64 *, i64 *) noexcept nogil
        double (*next_below)(const double *, double, double, i64) noexcept nogil
        int (*differ_exactly)(const double *, double, i64) noexcept nogil
        i64 (*count_equal)(const double *, double, i64) noexcept nogil
        int (*rough_sum)(const double *, const double *, i64, Rough *) noexcept nogil

    const Loops *refsvm_loops(const char *name) noexcept nogil
    const Loops *_loops "refsvm_loops_in_use"  # there from the start, before any choice
    void *refsvm_room(size_t bytes) noexcept nogil
    void *refsvm_smaller(void *room, size_t bytes) noexcept nogil
    void release "refsvm_release"(void *room) noexcept nogil
    void bring_near "refsvm_bring_near"(const void *) noexcept nogil
