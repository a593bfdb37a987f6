/* The inner loops, side by side on several examples at once.

A processor can add eight doubles as fast as one. Summing one example's features eight at a time
would change the order of its additions, and so its bits. Here the lanes run over examples: each of
them keeps its own total, which receives its terms one after the other, as in the oracle.

lanes.c is compiled once for every processor this machine may turn out to have, and `Lanes` is the
table of what came of it. Arrays of numbers, one an example, are as long as a multiple of WIDTH.
*/

#ifndef REFSVM_LANES_H
#define REFSVM_LANES_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if FLT_EVAL_METHOD != 0 || FLT_RADIX != 2 || DBL_MANT_DIG != 53 || DBL_MAX_EXP != 1024
#error "the bits are defined for IEEE binary64 without wider intermediate results"
#endif
#if defined(__FAST_MATH__)
#error "-ffast-math changes bits"
#endif

#define WIDTH 8   /* lanes at most, and what lengths are multiples of: */
#define PADDED(n) (((n) + WIDTH - 1) / WIDTH * WIDTH)
#define BLOCK 256 /* examples stored together: a column of them is 2 kB */
#define SUMMED 8  /* squares that are summed together, about: */
#define SPAN 16   /* and what their columns are as long as a multiple of */

/* m: the largest up and its first place; M: the smallest low (refsvm/solvers/descent.py) */
typedef struct {
    double m, M;
    long place;
} Extremes;

/* A sum as its additions were rounded, what they lost, about, and the sum of the terms' sizes */
typedef struct {
    double high, low, size;
} Rough;

typedef struct {
    const char *name;
    long width; /* how many doubles are computed side by side */

    /* totals[l] += the terms of `count` features, in their order; z holds columns of n numbers,
       and which[k] is the column of the feature whose value in the one row is x[k]; a column at
       `soon` is brought near meanwhile, no more: whatever the address, nothing is read there */
    void (*products)(double *totals, const double *x, const double *z, const long *which,
                     long count, long n, const double *soon);
    void (*squares)(double *totals, const double *x, const double *z, const long *which,
                    long count, long n, const double *soon);

    /* products of another row y, too, in totals[BLOCK + l]; two columns are brought near */
    void (*two_products)(double *totals, const double *x, const double *y, const double *z,
                         const long *which, long count, long n, const double *soon);

    /* totals[l] += the squares of SUMMED features, about: in single precision, in any order; z
       holds their columns of n numbers, n a multiple of SPAN; two columns at `soon` are brought
       near. And totals[BLOCK + l] those for another row, which begins `apart` from x */
    void (*squares_about)(float *totals, const float *x, long apart, const float *z, long n,
                          const float *soon);

    /* kernels/: values[l] becomes a function of itself */
    void (*exps)(double *values, double factor, long n); /* exp(factor v) */
    /* out[l] = exp(factor values[l]) + more, about: in single precision. Nothing is above zero, n
       at most BLOCK; values are read up to a multiple of SPAN */
    void (*exps_about)(double *out, const float *values, double factor, double more, long n);
    void (*tanhs)(double *values, double gamma, double coef0, long n);
    void (*powers)(double *values, double gamma, double coef0, long degree, long n);
    void (*sums_of_powers)(double *values, long degree, long n);

    /* out[l] = value[how many bits x has apart from z, or with it if not apart]; z holds the first
       word of each of n examples, BLOCK at most, then the second, ... */
    void (*counted)(const uint64_t *x, const uint64_t *z, long words, int apart,
                    const double *value, double *out, long n);
    /* bits[l] gets this bit, too, where values[l] is not low */
    void (*mark)(uint64_t *bits, const double *values, double low, uint64_t bit, long n);

    /* the largest |v|, or NaN if a value is not finite */
    double (*largest)(const double *values, long n);

    /* descent: r falls by rose row_i + fell row_j; what is largest and smallest after it */
    Extremes (*follow)(double *up, double *low, const double *row_i, const double *row_j,
                       double rose, double fell, long n);
    Extremes (*follow_one)(double *up, double *low, const double *row, double moved, long n);
    /* the first place of the largest gain; -1 in *gain if there is none */
    long (*partner)(const double *low, const double *row, const double *diagonal, double m,
                    double k_ii, long n, double *gain);
    long (*alone)(const double *up, const double *low, const double *diagonal, long n,
                  double *gain);

    /* the first place from begin on where up > above or low < below; end if there is none */
    long (*asking)(const double *up, const double *low, double above, double below, long begin,
                   long end);

    /* block[c stride + q] = rows[q][which[c]], of WIDTH rows, for n places of theirs */
    void (*cut)(const double *const *rows, const long *which, long n, double *block, long stride);

    /* r[l] -= b row[l] */
    void (*subtract)(double *r, double b, const double *row, long n);
    /* sums[s] = the sum of z[l] - shift[s], clipped to [lower[l], upper[l]]; WIDTH shifts */
    void (*clipped_sums)(const double *z, const double *lower, const double *upper,
                         const double *shift, double *sums, long n);

    /* learners of one example at a time, for any n: next = w + push x */
    void (*step)(double *next, const double *w, double push, const double *x, long n);
    /* into[j] = w[j] . x[j], summed in the order of d features, for WIDTH dots */
    void (*dots)(const double *const *w, const double *const *x, long d, double *into);

    /* packing: counts[k] grows by one where x[k] is not +0, most[k] to |x[k]| if that is larger;
       both have room for a multiple of WIDTH. NOT_FINITE if a number is not; otherwise FINER if
       one is no multiple of 1 / inverse, a power of two (it may say so of very large ones) */
    int (*survey)(const double *x, double *counts, double *most, double inverse, long n);
    /* out[(k - begin) stride + q] = rows[q][k], of WIDTH rows, for k from begin to end */
    void (*side_by_side)(const double *const *rows, long begin, long end, double *out,
                         long stride);
    /* where x is not zero, in order, and how many are; room for one more is needed */
    long (*filled)(const double *x, long n, int *places);

    /* medians, for any n; the lanes after it are read, too, and change nothing if they hold NaN,
       or c: how many values are below the pivot, and how many are equal to it; which is the next
       below it, if sign is 1, or above it, if -1; and whether each v - c is the difference itself,
       which leads back to both (problem.py) */
    void (*rank)(const double *values, double pivot, long n, long *below, long *equal);
    double (*next_below)(const double *values, double pivot, double sign, long n);
    int (*differ_exactly)(const double *values, double c, long n);
    /* how many values have the bits of v; n is a multiple of WIDTH */
    long (*alike)(const double *values, double v, long n);

    /* out[l] = values[l] - c in single precision; the largest size of these differences. n is a
       multiple of WIDTH */
    double (*narrowed)(float *out, const double *values, double c, long n);

    /* the sum of a[l] b[l], for any n if zeros follow; whether all numbers are within reach: 0, or
       of a size that lets every product be the sum of two doubles */
    int (*rough_sum)(const double *a, const double *b, long n, Rough *sum);
} Lanes;

#define NOT_FINITE 1
#define FINER 2

/* Room for that many bytes, not cleared, on an edge of 64, in large pages if it is large; 0 if there
   is none. */
void *refsvm_room(size_t bytes);
/* The same room with fewer bytes; where it is then. */
void *refsvm_smaller(void *room, size_t bytes);
/* No longer needed; 0 is no room. Before it stands where its block begins. */
static inline void refsvm_release(void *room)
{
    if (room)
        free(((void **)room)[-1]);
}

/* Let what lies there come near, if it is memory; whatever the address, nothing is read. */
static inline void refsvm_bring_near(const void *p)
{
#if defined(__GNUC__)
    __builtin_prefetch(p);
#else
    (void)p;
#endif
}

extern const Lanes refsvm_lanes_baseline;
extern const Lanes refsvm_lanes_avx2;
extern const Lanes refsvm_lanes_avx512;

/* The lanes called by this name; those of this processor for NULL; NULL if it has none such. */
const Lanes *refsvm_lanes(const char *name);

#endif
