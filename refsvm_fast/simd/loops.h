/* The inner loops, side by side on several examples at once.

A processor can add eight doubles as fast as one. Summing one example's features eight at a time
would change the order of its additions, and so its bits. Here the lanes run over examples: each of
them keeps its own total, which receives its terms one after the other, as in the oracle.

loops.c is compiled once for each sort of processor that may be met (avx2.c, avx512.c), and `Loops`
is the table of the functions that came of it; dispatch.c picks one. The functions stand in a file a
concern: vectors.h, sums.h, exp_tanh.h, selection.h and packing.h. Of arrays with one number an
example the length n is a multiple of WIDTH, unless another is given here.
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
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)        \
    || defined(__NO_SIGNED_ZEROS__) || defined(_M_FP_FAST)                                         \
    || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ + 0)
#error "options such as -ffast-math change bits; setup.py takes them back"
#endif
typedef char refsvm_constants_are_doubles[sizeof 1.0 == sizeof(double) ? 1 : -1];

typedef int64_t i64; /* what is counted: a long has 32 bits on some machines, callers need 63 */

#define WIDTH 8   /* lanes at most, and what lengths are multiples of: */
#define PADDED(n) (((n) + WIDTH - 1) / WIDTH * WIDTH)
#define BLOCK 256 /* examples stored together: a column of them is 2 kB */

/* m: the largest up and its first place; M: the smallest low (refsvm/solvers/dual_ascent.py) */
typedef struct {
    double m, M;
    i64 place;
} Extremes;

/* A sum of products: as its additions were rounded (high), nearly what all roundings lost (low),
   and the sum of the products' sizes */
typedef struct {
    double high, low, size;
} Rough;

typedef struct {
    const char *name;
    i64 width; /* how many doubles are computed side by side */

    /* totals[l] += the terms of `count` features, in their order: x[k] z or (x[k] - z)^2, where z
       stands in column which[k] of those at z, of n numbers each. A column at `soon` is brought
       near meanwhile: nothing is read there, whatever the address */
    void (*products)(double *totals, const double *x, const double *z, const i64 *which,
                     i64 count, i64 n, const double *soon);
    void (*squares)(double *totals, const double *x, const double *z, const i64 *which,
                    i64 count, i64 n, const double *soon);

    /* and the products of another row, y, to totals[BLOCK + l]; two columns are brought near */
    void (*two_products)(double *totals, const double *x, const double *y, const double *z,
                         const i64 *which, i64 count, i64 n, const double *soon);

    /* products() where few of many columns are wanted, and these are short: totals stay in registers.
       n: 4, or a multiple of WIDTH */
    void (*weigh)(double *totals, const double *x, const double *z, const i64 *which, i64 count,
                  i64 n);

    /* each value v becomes the kernel's (refsvm/kernels/standard.py): exp(factor v),
       tanh(gamma v + coef0), (gamma v + coef0)^degree, 1 + v + .. + v^degree */
    void (*exps)(double *values, double factor, i64 n);
    void (*tanhs)(double *values, double gamma, double coef0, i64 n);
    void (*powers)(double *values, double gamma, double coef0, i64 degree, i64 n);
    void (*sums_of_powers)(double *values, i64 degree, i64 n);

    /* out[l] = value[how many bits x has apart from z, or with it if not apart]; z holds the first
       word of each of n examples, BLOCK at most, then the second, ... */
    void (*count_bits)(const uint64_t *x, const uint64_t *z, i64 words, int apart,
                       const double *value, double *out, i64 n);
    /* bits[l] gets this bit, too, where values[l] is not low */
    void (*mark)(uint64_t *bits, const double *values, double low, uint64_t bit, i64 n);

    /* the largest |v|, or NaN if a value is not finite */
    double (*largest)(const double *values, i64 n);

    /* steps: up and low fall by rose row_i + fell row_j, or moved row; their extremes after it */
    Extremes (*update_pair)(double *up, double *low, const double *row_i, const double *row_j,
                            double rose, double fell, i64 n);
    Extremes (*update_single)(double *up, double *low, const double *row, double moved, i64 n);
    /* PairAscent.partner and the choice of single_step (refsvm/solvers/pair_ascent.py): the first place of
       the largest gain, which is -1 if none gains. diagonal: NULL if all of it is k_ii */
    i64 (*partner)(const double *low, const double *row, const double *diagonal, double m,
                   double k_ii, i64 n, double *gain);
    i64 (*best_alone)(const double *up, const double *low, const double *diagonal, i64 n,
                      double *gain);

    /* the first place from `begin` up to `end` where up > above or low < below, else `end` */
    i64 (*first_outside)(const double *up, const double *low, double above, double below,
                         i64 begin, i64 end);

    /* block[c stride + q] = rows[q][which[c]], of WIDTH rows, for n places of theirs */
    void (*gather_columns)(const double *const *rows, const i64 *which, i64 n, double *block,
                           i64 stride);

    /* r[l] -= b[q] rows[q][l] of m <= WIDTH rows, one after the other; or rows[q stride + l] */
    void (*subtract_rows)(double *r, const double *b, const double *const *rows, int m, i64 n);
    void (*subtract)(double *r, const double *b, const double *rows, i64 stride, int m, i64 n);

    /* H[j stride + k] += c[q stride + j] x[q stride + k] of m rows, one after the other, for j below n
       and k up to j; beyond these, what is there may change up to the stride. n: a multiple of 4,
       the stride of WIDTH */
    void (*add_squares)(double *H, const double *c, const double *x, i64 stride, int m, i64 n);

    /* learners of one example at a time, for any n: next = w + push x */
    void (*step)(double *next, const double *w, double push, const double *x, i64 n);
    /* into[j] = w[j] . x[j], summed in the order of d features, for WIDTH dots */
    void (*dots)(const double *const *w, const double *const *x, i64 d, double *into);

    /* packing, for any n: counts[k] grows by one where x[k] is not +0, most[k] to |x[k]| if that
       is larger; both have room for a multiple of WIDTH. NOT_FINITE if a number is not; otherwise
       FINER if one is no multiple of 1 / inverse, a power of two, or is very large; otherwise 0 */
    int (*survey)(const double *x, double *counts, double *most, double inverse, i64 n);
    /* out[(k - begin) stride + q] = rows[q][k], of WIDTH rows, for k from begin to end */
    void (*side_by_side)(const double *const *rows, i64 begin, i64 end, double *out,
                         i64 stride);
    /* for any n: the places where x is not zero, in order, and how many these are; there must be
       room for one more */
    i64 (*nonzero_places)(const double *x, i64 n, int *places);

    /* medians, for any n: what follows, up to a multiple of WIDTH, must be NaN, or c for the last.
       How many values are below the pivot, and how many are equal to it; which is next to it,
       below if sign is 1, above if it is -1; and whether each v - c is exact (problem_rows.py) */
    void (*count_below)(const double *values, double pivot, i64 n, i64 *below, i64 *equal);
    double (*next_below)(const double *values, double pivot, double sign, i64 n);
    int (*differ_exactly)(const double *values, double c, i64 n);
    /* how many values have the bits of v; n is a multiple of WIDTH */
    i64 (*count_equal)(const double *values, double v, i64 n);

    /* the sum of a[l] b[l], for any n if zeros follow; whether all numbers are within reach: 0, or
       of a size from 2^-430 to 2^430, so that every product is the sum of two doubles */
    int (*rough_sum)(const double *a, const double *b, i64 n, Rough *sum);
} Loops;

#define NOT_FINITE 1
#define FINER 2

/* Memory for that many bytes, not cleared, at a multiple of 64, in large pages if it is large; 0 if
   there is none. */
void *refsvm_room(size_t bytes);
/* Give back all but the first `bytes` of such memory; where these are then. */
void *refsvm_smaller(void *room, size_t bytes);
/* Give it back; 0 is none. In front of it stands where the block of the C library begins. */
static inline void refsvm_release(void *room)
{
    if (room)
        free(((void **)room)[-1]);
}

/* Let the cache fetch what lies there: a hint only, which does no harm at any address. */
static inline void refsvm_bring_near(const void *p)
{
#if defined(__GNUC__)
    __builtin_prefetch(p);
#else
    (void)p;
#endif
}

extern const Loops refsvm_loops_baseline;
extern const Loops refsvm_loops_avx2;
extern const Loops refsvm_loops_avx512;

/* The loops called by this name; those of this processor for NULL; NULL if it has none such. */
const Loops *refsvm_loops(const char *name);

/* Those in use: the baseline until others are chosen. */
extern const Loops *refsvm_loops_in_use;

#endif
