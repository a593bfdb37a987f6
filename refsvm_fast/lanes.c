/* See lanes.h. This file knows no processor: the file that includes it says in VECTOR how many
bytes are computed side by side, and in TABLE what the table of these functions is called. A `Lane`
holds so many doubles (LANES of them); every operation on one is that operation on each of them,
rounded as always. Where the compiler has no such type a Lane is one double.

    Mask      of each double of a Lane whether something holds: what a comparison comes to
    Bits      the doubles of a Lane as whole numbers of 64 bits
    Small     floats, as many as fit (SMALLS); SmallBits: as whole numbers of 32 bits
    Loose..   the same in memory, wherever it begins
    t, u      totals of two Lanes, or of two rows, side by side

`pick(mask, a, b)` is a where the mask is set and b elsewhere. Where the processor has one
instruction for one of these, which no compiler finds, the including file names it:

    LARGER(a, b)    a where a > b, b elsewhere: b also where one of them is not a number
    SMALLER(a, b)   a where a < b, b elsewhere
    MINUS(a, b)     a - b by a unit that multiplies: (1 a) - b, rounded once, has the same bits
    LOST(a, b, p)   a b - p, where p is a b rounded; a and b within reach (rough_sum)
    FUSED(a, b, c)  a b + c of Smalls, rounded once: only for sums that may round in any way
    BITS(mask)      a number with one bit for each lane: whether the mask is set there

and of four doubles, where that is quicker than with two:

    EVENS(a, b)     a0 b0 a2 b2
    ODDS(a, b)      a1 b1 a3 b3
    FIRST(a, b)     a0 a1 b0 b1
    LAST(a, b)      a2 a3 b2 b3

COUNTED(..) is counted(..) with instructions that only some of the table's processors have; it
returns 0, having done nothing, where this one has not.
*/

#include <math.h>
#include <stdint.h>

#include "lanes.h"

#ifndef TABLE
#define TABLE refsvm_lanes_baseline
#define NAME "baseline"
#ifndef BASELINE
#define BASELINE 16 /* tests have 64, too: as many lanes as AVX-512 on any processor */
#endif
#define VECTOR BASELINE
#endif

#if defined(__GNUC__)
#define LANES (VECTOR / 8)
typedef double Lane __attribute__((vector_size(VECTOR)));
typedef double Loose __attribute__((vector_size(VECTOR), aligned(8), may_alias));
typedef uint64_t LooseBits __attribute__((vector_size(VECTOR), aligned(8), may_alias));
typedef int64_t Mask __attribute__((vector_size(VECTOR)));
typedef uint64_t Bits __attribute__((vector_size(VECTOR)));
typedef float Small __attribute__((vector_size(VECTOR))); /* twice as many */
typedef uint32_t SmallBits __attribute__((vector_size(VECTOR)));
typedef float LooseSmall __attribute__((vector_size(VECTOR), aligned(4), may_alias));
typedef float Narrow __attribute__((vector_size(VECTOR / 2))); /* as many as a Lane has */
typedef float LooseNarrow __attribute__((vector_size(VECTOR / 2), aligned(4), may_alias));
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 8")

INLINE Lane load(const double *p) { return *(const Loose *)p; }
INLINE void store(double *p, Lane v) { *(Loose *)p = v; }
INLINE Lane all(double v) { return v - (Lane){0}; }
INLINE Small load_small(const float *p) { return *(const LooseSmall *)p; }
INLINE void store_small(float *p, Small v) { *(LooseSmall *)p = v; }
INLINE Small all_small(float v) { return v - (Small){0}; }
INLINE Lane widened(const float *p)
{
    return __builtin_convertvector(*(const LooseNarrow *)p, Lane);
}
INLINE void narrow(float *p, Lane v) { *(LooseNarrow *)p = __builtin_convertvector(v, Narrow); }
INLINE Lane pick(Mask mask, Lane a, Lane b) { return (Lane)(((Mask)a & mask) | ((Mask)b & ~mask)); }
INLINE Small at_least(float low, Small v)
{
    SmallBits below = (SmallBits)(v < low);
    return (Small)(((SmallBits)all_small(low) & below) | ((SmallBits)v & ~below));
}
INLINE SmallBits small_bits_of(Small v) { return (SmallBits)v; }
INLINE Small of_small_bits(SmallBits b) { return (Small)b; }
INLINE Bits bits_of(Lane v) { return (Bits)v; }
INLINE Lane of_bits(Bits b) { return (Lane)b; }
INLINE Bits load_bits(const uint64_t *p) { return *(const LooseBits *)p; }
INLINE void store_bits(uint64_t *p, Bits b) { *(LooseBits *)p = b; }
INLINE Bits chosen(Mask mask, uint64_t bits) { return (Bits)mask & bits; }
INLINE Mask not(Mask mask) { return ~mask; }

#if defined(BITS)
INLINE int any(Mask mask) { return BITS(mask) != 0; }
INLINE long how_many(Mask mask) { return __builtin_popcount(BITS(mask)); }
#else
INLINE long how_many(Mask mask)
{
    int64_t set = 0;
    for (int l = 0; l < LANES; l++)
        set -= mask[l];
    return set;
}
INLINE int any(Mask mask) { return how_many(mask) != 0; }
#endif

INLINE Lane numbered(void)
{
    Lane v;
    for (int l = 0; l < LANES; l++)
        v[l] = l;
    return v;
}
#else
#define LANES 1
typedef double Lane;
typedef float Small;
typedef int Mask;
typedef uint64_t Bits;
typedef uint32_t SmallBits;
#define INLINE static inline
#define UNROLL

INLINE Lane load(const double *p) { return *p; }
INLINE void store(double *p, Lane v) { *p = v; }
INLINE Lane all(double v) { return v; }
INLINE Small load_small(const float *p) { return *p; }
INLINE void store_small(float *p, Small v) { *p = v; }
INLINE Small all_small(float v) { return v; }
INLINE Lane widened(const float *p) { return *p; }
INLINE void narrow(float *p, Lane v) { *p = (float)v; }
INLINE Lane pick(Mask mask, Lane a, Lane b) { return mask ? a : b; }
INLINE Small at_least(float low, Small v) { return v < low ? low : v; }
INLINE SmallBits small_bits_of(Small v) { union { Small v; SmallBits b; } u = {v}; return u.b; }
INLINE Small of_small_bits(SmallBits b) { union { SmallBits b; Small v; } u = {b}; return u.v; }
INLINE Bits bits_of(Lane v) { union { double v; Bits b; } u = {v}; return u.b; }
INLINE Lane of_bits(Bits b) { union { Bits b; double v; } u = {b}; return u.v; }
INLINE Bits load_bits(const uint64_t *p) { return *p; }
INLINE void store_bits(uint64_t *p, Bits b) { *p = b; }
INLINE Bits chosen(Mask mask, uint64_t bits) { return mask ? bits : 0; }
INLINE Mask not(Mask mask) { return !mask; }
INLINE int any(Mask mask) { return mask; }
INLINE long how_many(Mask mask) { return mask; }
INLINE Lane numbered(void) { return 0; }
#endif

#if defined(LARGER)
INLINE Lane larger(Lane a, Lane b) { return LARGER(a, b); }
INLINE Lane smaller(Lane a, Lane b) { return SMALLER(a, b); }
#else
INLINE Lane larger(Lane a, Lane b) { return pick(a > b, a, b); }
INLINE Lane smaller(Lane a, Lane b) { return pick(a < b, a, b); }
#endif
#if defined(MINUS)
INLINE Lane minus(Lane a, Lane b) { return MINUS(a, b); }
#else
INLINE Lane minus(Lane a, Lane b) { return a - b; }
#endif
#if defined(FUSED)
INLINE Small fused(Small a, Small b, Small c) { return FUSED(a, b, c); }
#else
INLINE Small fused(Small a, Small b, Small c) { return a * b + c; }
#endif
INLINE Lane size_of(Lane v) { return of_bits(bits_of(v) & 0x7FFFFFFFFFFFFFFFu); }

INLINE double largest_of(double a, Lane v) /* of all the lanes, and a */
{
    double of[LANES];
    store(of, v);
    for (int l = 0; l < LANES; l++)
        a = of[l] > a ? of[l] : a;
    return a;
}

INLINE double total_of(Lane v)
{
    double of[LANES], total = 0;
    store(of, v);
    for (int l = 0; l < LANES; l++)
        total += of[l];
    return total;
}

/* Totals of several features in one pass: each total is loaded and stored once for N <= 8 terms,
   products or squares. Both are constants to the compiler, as all is inlined: it makes a loop of
   its own for each. */

#define LINE 8 /* doubles that come from memory together */

INLINE void bring_near(const double *p, const int n)
{
    UNROLL for (int l = 0; l < n; l += LINE)
        refsvm_bring_near(p + l);
}

INLINE void some_terms(const int squares, const int N, double *totals, const double *x,
                       const double *z, const long *which, long n, const double *soon)
{
    Lane c[8];
    const double *column[8];
    UNROLL for (int k = 0; k < N; k++)
        c[k] = all(x[k]), column[k] = z + which[k] * n;
    long l = 0;
    for (; l + LANES < n; l += 2 * LANES) { /* two chains of additions side by side */
        bring_near(soon + l, 2 * LANES);
        Lane t = load(totals + l), u = load(totals + l + LANES);
        UNROLL for (int k = 0; k < N; k++) {
            Lane v = load(column[k] + l), w = load(column[k] + l + LANES);
            /* one of the two differences by a unit that multiplies: those that add and subtract
               are busy with the totals */
            Lane d = c[k] - v, e = minus(c[k], w);
            t = t + (squares ? d * d : c[k] * v);
            u = u + (squares ? e * e : c[k] * w);
        }
        store(totals + l, t);
        store(totals + l + LANES, u);
    }
    for (; l < n; l += LANES) {
        Lane t = load(totals + l);
        UNROLL for (int k = 0; k < N; k++) {
            Lane v = load(column[k] + l), d = c[k] - v;
            t = t + (squares ? d * d : c[k] * v);
        }
        store(totals + l, t);
    }
}

/* That for any number of features: eight, four, two and one at a time. */
INLINE void terms(const int squares, double *totals, const double *x, const double *z,
                  const long *which, long count, long n, const double *soon)
{
    for (; count >= 8; count -= 8, x += 8, which += 8)
        some_terms(squares, 8, totals, x, z, which, n, soon);
    if (count >= 4)
        some_terms(squares, 4, totals, x, z, which, n, soon), count -= 4, x += 4, which += 4;
    if (count >= 2)
        some_terms(squares, 2, totals, x, z, which, n, soon), count -= 2, x += 2, which += 2;
    if (count >= 1)
        some_terms(squares, 1, totals, x, z, which, n, soon);
}

/* Eight products of each of two rows: each number is loaded once for both. */
INLINE void eight_of_two(double *totals, const double *x, const double *y, const double *z,
                         const long *which, long n, const double *soon)
{
    Lane c[8], e[8];
    UNROLL for (int k = 0; k < 8; k++)
        c[k] = all(x[k]), e[k] = all(y[k]);
    for (long l = 0; l < n; l += LANES) {
        Lane t = load(totals + l), u = load(totals + BLOCK + l);
        bring_near(soon + l, LANES);
        bring_near(soon + n + l, LANES);
        UNROLL for (int k = 0; k < 8; k++) {
            Lane v = load(z + which[k] * n + l);
            t = t + c[k] * v;
            u = u + e[k] * v;
        }
        store(totals + l, t), store(totals + BLOCK + l, u);
    }
}

static void products(double *totals, const double *x, const double *z, const long *which,
                     long count, long n, const double *soon)
{
    terms(0, totals, x, z, which, count, n, soon);
}

static void squares(double *totals, const double *x, const double *z, const long *which,
                    long count, long n, const double *soon)
{
    terms(1, totals, x, z, which, count, n, soon);
}

static void two_products(double *totals, const double *x, const double *y, const double *z,
                         const long *which, long count, long n, const double *soon)
{
    if (LANES == 8) /* elsewhere there are not registers enough */
        for (; count >= 8; count -= 8, x += 8, y += 8, which += 8)
            eight_of_two(totals, x, y, z, which, n, soon);
    products(totals, x, z, which, count, n, soon);
    products(totals + BLOCK, y, z, which, count, n, soon + n);
}

/* Squares in single precision: how these sums are rounded does not matter (sketch.pxi). */

#define SMALLS ((long)(sizeof(Small) / sizeof(float)))
#define PIECES ((int)(SPAN / SMALLS)) /* Smalls that hold a feature of SPAN examples */
#define SUMS 8                        /* at once: fewer would wait for one another */
#define SOON 512                      /* floats from here to what is brought near */

/* m rows with SPAN examples. Where m is small a row has several sums, which take turns. */
INLINE void squares_of(const int m, float *totals, const float *x, const float *z, long width)
{
    const int turns = m * PIECES < SUMS ? SUMS / (m * PIECES) : 1;
    UNROLL for (int q = 0; q < m; q++)
        UNROLL for (int p = 0; p < PIECES; p++)
            store_small(totals + q * BLOCK + p * SMALLS, all_small(0));
    for (long k = 0; k < width; ) {
        const long end = width - k < SUMMED ? width : k + SUMMED;
        Small sums[TURNS][SUMS][PIECES];
        UNROLL for (int h = 0; h < turns; h++)
            UNROLL for (int q = 0; q < m; q++)
                UNROLL for (int p = 0; p < PIECES; p++)
                    sums[h][q][p] = all_small(0);
        for (; k < end; k += turns)
            UNROLL for (int h = 0; h < turns; h++) {
                const float *v = z + (k + h) * SPAN;
                refsvm_bring_near(v + SOON);
                UNROLL for (int q = 0; q < m; q++)
                    UNROLL for (int p = 0; p < PIECES; p++) {
                        Small d = load_small(v + p * SMALLS) - all_small(x[q * width + k + h]);
                        sums[h][q][p] = fused(d, d, sums[h][q][p]);
                    }
            }
        UNROLL for (int q = 0; q < m; q++)
            UNROLL for (int p = 0; p < PIECES; p++) {
                float *total = totals + q * BLOCK + p * SMALLS;
                UNROLL for (int h = 1; h < turns; h++)
                    sums[0][q][p] = sums[0][q][p] + sums[h][q][p];
                store_small(total, load_small(total) + sums[0][q][p]);
            }
    }
}

static void rough_squares(float *totals, int m, const float *x, const float *z, long width, long n)
{
    for (long l = 0; l < n; l += SPAN)
        for (int q = 0; q < m; ) {
            float *to = totals + q * BLOCK + l;
            const float *from = x + q * width;
            if (SMALLS >= 16 && m - q > 4)
                squares_of(8, to, from, z + l * width, width), q += 8;
            else if (SMALLS >= 8 && m - q > 2)
                squares_of(4, to, from, z + l * width, width), q += 4;
            else
                squares_of(2, to, from, z + l * width, width), q += 2;
        }
}

/* exp and tanh: the steps, and the letters, of refsvm/numerics/elementary.py */

static const double ROUNDER = 0x1.8p+52, INV_LN2 = 0x1.71547652b82fep+0;
static const double LN2_HIGH = 0x1.62e42fefa3800p-1, LN2_LOW = 0x1.ef35793c76730p-45;
static const double P1 = 0x1.5555555555530p-3, P2 = -0x1.6c16c16bdd563p-9;
static const double P3 = 0x1.1566aac9be885p-14, P4 = -0x1.bbd3bf9244eaep-20;
static const double P5 = 0x1.6351493e5c54fp-25;
static const double TANH_SMALL = 0x1.62e42fefa39efp-2;

INLINE Lane polynomial(Lane z) { return P1 + z * (P2 + z * (P3 + z * (P4 + z * P5))); }

/* e 2^k by two powers, as 2^k alone may be beyond the doubles; the first product is exact.
   `rounded` is k + ROUNDER, so that its bits less those of ROUNDER are k. Half of k + 2048, less
   1024, is k / 2 rounded down also where k is below zero. */
INLINE Lane times_power(Lane e, Lane rounded)
{
    Bits whole = bits_of(rounded) - 0x4338000000000000u;
    Bits half = ((whole + 2048u) >> 1) - 1024u;
    Lane first = of_bits((half + 1023u) << 52);
    Lane second = of_bits((whole - half + 1023u) << 52);
    return e * first * second;
}

/* exp of several Lanes, which take each step together: alone, each would wait for its last result.
   `near`: all are below NEAR in size, so that 2^k, and e times it, are doubles within range. */

#define NEAR 700.0
#define SEVERAL 4
#define EACH UNROLL for (int g = 0; g < several; g++)

INLINE void exp_of(Lane *x, const int several, const int near)
{
    Lane rounded[SEVERAL], k[SEVERAL], a[SEVERAL], b[SEVERAL], r[SEVERAL];
    Lane z[SEVERAL], c[SEVERAL], s[SEVERAL], e[SEVERAL];
    if (!near) /* beyond these exp is 0 and infinity, as it is at them */
        EACH x[g] = smaller(all(711.0), larger(all(-750.0), x[g]));
    EACH rounded[g] = x[g] * INV_LN2 + ROUNDER;
    EACH k[g] = rounded[g] - ROUNDER;
    EACH a[g] = x[g] - k[g] * LN2_HIGH;
    EACH b[g] = k[g] * LN2_LOW;
    EACH r[g] = a[g] - b[g];
    EACH z[g] = r[g] * r[g];
    EACH c[g] = r[g] - z[g] * polynomial(z[g]);
    EACH s[g] = 1.0 + a[g];
    EACH e[g] = s[g] + ((1.0 - s[g]) + a[g] - (b[g] - r[g] * c[g] / (2.0 - c[g])));
    EACH x[g] = near ? of_bits(bits_of(e[g]) + (bits_of(rounded[g]) << 52))
                     : times_power(e[g], rounded[g]);
}

static void exp_of_any(Lane *x) { exp_of(x, 1, 0); } /* seldom needed: not inlined, to save room */

INLINE int all_near(const Lane *x, const int several)
{
    Mask far = {0};
    EACH far |= not(size_of(x[g]) < NEAR); /* so is NaN */
    return !any(far);
}

INLINE Lane tanh_of(Lane x)
{
    Bits sign = bits_of(x) & 0x8000000000000000u;
    Lane size = of_bits(bits_of(x) ^ sign);
    Lane r = size + size;
    Lane z = r * r;
    Lane near_zero = r / (2.0 + z * polynomial(z));
    Lane e = r;
    exp_of_any(&e);
    Lane t = pick(r > TANH_SMALL, (e - 1.0) / (e + 1.0), near_zero);
    t = pick(size > 22.0, all(1.0), t);
    return of_bits(bits_of(t) | sign);
}

static void exps(double *values, double factor, long n)
{
    Lane x[SEVERAL];
    const int several = SEVERAL;
    long l = 0;
    for (; l + SEVERAL * LANES <= n; l += SEVERAL * LANES) {
        EACH x[g] = factor * load(values + l + g * LANES);
        if (all_near(x, SEVERAL))
            exp_of(x, SEVERAL, 1);
        else
            for (int g = 0; g < SEVERAL; g++)
                exp_of_any(x + g);
        EACH store(values + l + g * LANES, x[g]);
    }
    for (; l < n; l += LANES) {
        x[0] = factor * load(values + l);
        exp_of_any(x);
        store(values + l, x[0]);
    }
}

/* 2^y of no y above 0, to within 2^-21 (sketch.pxi): the whole part of y goes into the exponent,
   and 2^f of the rest f is the sum of (ln 2)^i / i! f^i. y is not below LEAST, where the exponent
   of a float ends. */

static const float LEAST = -126, ROUNDER_SMALL = 0x1.8p+23f;
static const float E1 = 0.693147181f, E2 = 0.240226507f, E3 = 0.0555041087f;
static const float E4 = 0.00961812911f, E5 = 0.00133335581f, E6 = 0.000154035304f;

INLINE Small rough_power(Small y)
{
    Small rounded = y + ROUNDER_SMALL, f = y - (rounded - ROUNDER_SMALL);
    Small e = fused(f, all_small(E6), all_small(E5));
    e = fused(f, e, all_small(E4));
    e = fused(f, e, all_small(E3));
    e = fused(f, e, all_small(E2));
    e = fused(f, e, all_small(E1));
    e = fused(f, e, all_small(1));
    return of_small_bits(small_bits_of(e) + (small_bits_of(rounded) << 23));
}

static void rough_exps(double *out, const float *values, double factor, double more, long n)
{
    const float rate = (float)(factor * INV_LN2);
    float exponentials[BLOCK];
    for (long l = 0; l < n; l += SMALLS)
        store_small(exponentials + l, rough_power(at_least(LEAST, rate * load_small(values + l))));
    for (long l = 0; l < n; l += LANES)
        store(out + l, widened(exponentials + l) + more);
}

static void tanhs(double *values, double gamma, double coef0, long n)
{
    for (long l = 0; l < n; l += LANES)
        store(values + l, tanh_of(gamma * load(values + l) + coef0));
}

static void powers(double *values, double gamma, double coef0, long degree, long n)
{
    for (long l = 0; l < n; l += LANES) {
        Lane b = gamma * load(values + l) + coef0;
        Lane r = all(1.0);
        for (long left = degree; left; left /= 2) {
            if (left % 2)
                r = r * b;
            b = b * b;
        }
        store(values + l, r);
    }
}

static void sums_of_powers(double *values, long degree, long n)
{
    for (long l = 0; l < n; l += LANES) {
        Lane s = load(values + l);
        Lane total = all(1.0);
        for (long k = 0; k < degree; k++)
            total = 1.0 + s * total;
        store(values + l, total);
    }
}

/* Kernel values of examples that are sets of marks, a bit each (marks.pxi) */

#if defined(__POPCNT__) || defined(__clang__) || (defined(__GNUC__) && defined(__aarch64__))
INLINE long ones(uint64_t bits) { return __builtin_popcountll(bits); }
#else
INLINE long ones(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555u; /* how many of every two, four, eight bits, of all */
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (long)(bits * 0x0101010101010101u >> 56);
}
#endif

INLINE void some_counted(const int apart, const uint64_t *x, const uint64_t *z, long words,
                         const double *value, double *out, long n)
{
    for (long l = 0; l < n; l += WIDTH) {
        long count[WIDTH] = {0};
        for (long w = 0; w < words; w++)
            UNROLL for (int k = 0; k < WIDTH; k++)
                count[k] += ones(apart ? x[w] ^ z[w * n + l + k] : x[w] & z[w * n + l + k]);
        UNROLL for (int k = 0; k < WIDTH; k++)
            out[l + k] = value[count[k]];
    }
}

static void counted(const uint64_t *x, const uint64_t *z, long words, int apart,
                    const double *value, double *out, long n)
{
#if defined(COUNTED)
    if (COUNTED(x, z, words, apart, value, out, n))
        return;
#endif
    if (apart)
        some_counted(1, x, z, words, value, out, n);
    else
        some_counted(0, x, z, words, value, out, n);
}

static void mark(uint64_t *bits, const double *values, double low, uint64_t bit, long n)
{
    for (long l = 0; l < n; l += LANES)
        store_bits(bits + l, load_bits(bits + l) | chosen(load(values + l) != low, bit));
}

static double largest(const double *values, long n)
{
    Lane most = all(0.0), sum = all(0.0); /* sum: 0, and NaN as soon as one is not finite */
    for (long l = 0; l < n; l += LANES) {
        Lane v = load(values + l);
        most = larger(size_of(v), most);
        sum = sum + v * 0.0;
    }
    return largest_of(0.0, most) + total_of(sum);
}

/* Descent: up, low, m, M are those of refsvm/solvers/descent.py. Lanes are looked at in groups: of
   m it is noted in which group it came up, and only at the end its place is found there. */

#define TOGETHER 4 /* Lanes in a group */
#define GROUP (TOGETHER * LANES)

typedef struct {
    Lane m, M;     /* of each lane: the largest up and the smallest low that it has seen, */
    Lane m_before; /* m before this group, */
    Lane place;    /* where the group begins in which m came up, as a double: exact to 2^53 */
} Seen;

INLINE void look(Seen *seen, const int rows, double *up, double *low, const double *row_i,
                 const double *row_j, double rose, double fell)
{
    Lane change = rose * load(row_i);
    if (rows > 1)
        change = change + fell * load(row_j);
    Lane u = load(up) - change, v = load(low) - change;
    store(up, u);
    store(low, v);
    seen->m = larger(u, seen->m);
    seen->M = smaller(v, seen->M);
}

INLINE Extremes of_lanes(const Seen *seen, const double *up, long n)
{
    Extremes found = {-INFINITY, INFINITY, n - 1};
    double m[LANES], M[LANES], place[LANES];
    store(m, seen->m), store(M, seen->M), store(place, seen->place);
    for (int l = 0; l < LANES; l++) {
        found.m = m[l] > found.m ? m[l] : found.m;
        found.M = M[l] < found.M ? M[l] : found.M;
    }
    for (int l = 0; l < LANES; l++) {
        if (m[l] != found.m)
            continue;
        for (long p = (long)place[l] + l; p < found.place; p += LANES)
            if (up[p] == found.m)
                found.place = p;
    }
    return found;
}

INLINE Extremes look_at_all(const int rows, double *up, double *low, const double *row_i,
                            const double *row_j, double rose, double fell, long n)
{
    Seen seen = {all(-INFINITY), all(INFINITY), all(-INFINITY), all(0.0)};
    for (long begin = 0, l = 0; begin < n; begin = l) {
        if (begin + GROUP <= n) {
            UNROLL for (int k = 0; k < TOGETHER; k++, l += LANES)
                look(&seen, rows, up + l, low + l, row_i + l, row_j + l, rose, fell);
        } else {
            for (; l < n; l += LANES)
                look(&seen, rows, up + l, low + l, row_i + l, row_j + l, rose, fell);
        }
        seen.place = pick(seen.m > seen.m_before, all((double)begin), seen.place);
        seen.m_before = seen.m;
    }
    return of_lanes(&seen, up, n);
}

static Extremes follow(double *up, double *low, const double *row_i, const double *row_j,
                       double rose, double fell, long n)
{
    return look_at_all(2, up, low, row_i, row_j, rose, fell, n);
}

static Extremes follow_one(double *up, double *low, const double *row, double moved, long n)
{
    return look_at_all(1, up, low, row, row, moved, 0.0, n);
}

INLINE long first_best(Lane best, Lane place, double *gain)
{
    double gains[LANES], places[LANES], where;
    store(gains, best), store(places, place);
    *gain = gains[0], where = places[0];
    for (int l = 1; l < LANES; l++)
        if (gains[l] > *gain || (gains[l] == *gain && places[l] < where))
            *gain = gains[l], where = places[l];
    return (long)where;
}

/* The gain of a lane is d * d / e. A division costs as much as all the rest: it is done only in
   groups where in some lane d * d is not below bound * e, `bound` being the best gain yet. If the
   quotient, rounded, is above the bound, d * d is above the product, and so not below it when that
   is rounded: no lane is missed. Where e <= 0, or something is NaN, the test is passed. d |d| is
   below zero where low > m: such a lane is no partner. */

INLINE Mask hopeful(const double *low, const double *row, const double *diagonal, double m,
                    double k_ii, double bound)
{
    Lane d = m - load(low), e = (k_ii + load(diagonal)) - 2.0 * load(row);
    return not(d * size_of(d) < bound * e);
}

static long partner(const double *low, const double *row, const double *diagonal, double m,
                    double k_ii, long n, double *gain)
{
    Lane best = all(-1.0), place = all(0.0);
    double bound = 0;
    for (long l = 0, end; l < n; l = end) {
        end = l + GROUP < n ? l + GROUP : n;
        if (l + GROUP <= n) {
            Mask hope = hopeful(low + l, row + l, diagonal + l, m, k_ii, bound);
            UNROLL for (int k = LANES; k < GROUP; k += LANES)
                hope |= hopeful(low + l + k, row + l + k, diagonal + l + k, m, k_ii, bound);
            if (!any(hope))
                continue;
        }
        for (; l < end; l += LANES) {
            Lane v = load(low + l);
            Lane d = m - v, e = (k_ii + load(diagonal + l)) - 2.0 * load(row + l);
            Lane g = pick(e > 0.0, d * d / e, all(INFINITY));
            Mask better = (v < m) & (g > best);
            best = pick(better, g, best);
            place = pick(better, numbered() + (double)l, place);
        }
        bound = largest_of(bound, best);
    }
    return first_best(best, place, gain);
}

static long alone(const double *up, const double *low, const double *diagonal, long n,
                  double *gain)
{
    Lane best = all(-1.0), place = numbered(), here = place;
    for (long l = 0; l < n; l += LANES) {
        Lane u = load(up + l), v = load(low + l), k = load(diagonal + l);
        Lane pull = pick(u > 0.0, u, pick(v < 0.0, v, all(0.0)));
        Lane g = pick(k > 0.0, pull * pull / k, all(INFINITY));
        Mask better = (pull != 0.0) & (g > best);
        best = pick(better, g, best);
        place = pick(better, here, place);
        here = here + (double)LANES;
    }
    return first_best(best, place, gain);
}

static long asking(const double *up, const double *low, double above, double below, long begin,
                   long end)
{
    for (; begin + 4 * LANES <= end; begin += 4 * LANES) {
        Mask found = {0};
        UNROLL for (int k = 0; k < 4; k++)
            found |= (load(up + begin + k * LANES) > above) |
                     (load(low + begin + k * LANES) < below);
        if (any(found))
            break;
    }
    while (begin < end && !(up[begin] > above || low[begin] < below))
        begin++;
    return begin;
}

static void cut(const double *const *rows, const long *which, long n, double *block, long stride)
{
    const double *row[WIDTH];
    UNROLL for (int q = 0; q < WIDTH; q++)
        row[q] = rows[q];
    for (long c = 0; c < n; c++, block += stride)
        UNROLL for (int q = 0; q < WIDTH; q++)
            block[q] = row[q][which[c]];
}

static void subtract(double *r, double b, const double *row, long n)
{
    for (long l = 0; l < n; l += LANES)
        store(r + l, load(r + l) - b * load(row + l));
}

/* Here the lanes run over the shifts, nu: each keeps the total for one of them. */
static void clipped_sums(const double *z, const double *lower, const double *upper,
                         const double *shift, double *sums, long n)
{
    Lane nu[WIDTH / LANES], total[WIDTH / LANES];
    UNROLL for (int s = 0; s < WIDTH / LANES; s++)
        nu[s] = load(shift + s * LANES), total[s] = all(0.0);
    for (long l = 0; l < n; l++) {
        Lane v = all(z[l]), low = all(lower[l]), high = all(upper[l]);
        UNROLL for (int s = 0; s < WIDTH / LANES; s++) {
            Lane x = v - nu[s];
            x = larger(low, x);
            x = smaller(high, x);
            total[s] = total[s] + x;
        }
    }
    UNROLL for (int s = 0; s < WIDTH / LANES; s++)
        store(sums + s * LANES, total[s]);
}

static void step(double *next, const double *w, double push, const double *x, long n)
{
    long l = 0;
    for (; l <= n - LANES; l += LANES)
        store(next + l, load(w + l) + push * load(x + l));
    for (; l < n; l++)
        next[l] = w[l] + push * x[l];
}

/* Dots, a lane for each. A Few holds the products of FEW features for one dot; turn_over makes FEW
   of these into the products of one feature for FEW dots. At most four: to turn over eight takes
   more instructions, and is not quicker. */

#if LANES > 1
#if defined(EVENS)
#define FEW 4
#else
#define FEW 2
#endif
typedef double Few __attribute__((vector_size(8 * FEW)));
typedef double LooseFew __attribute__((vector_size(8 * FEW), aligned(8), may_alias));
INLINE Few load_few(const double *p) { return *(const LooseFew *)p; }
INLINE void store_few(double *p, Few v) { *(LooseFew *)p = v; }
#else
#define FEW 1
typedef Lane Few;
INLINE Few load_few(const double *p) { return *p; }
INLINE void store_few(double *p, Few v) { *p = v; }
#endif

INLINE void turn_over(Few *p)
{
#if FEW == 4
    Few a = EVENS(p[0], p[1]), b = ODDS(p[0], p[1]), c = EVENS(p[2], p[3]), d = ODDS(p[2], p[3]);
    p[0] = FIRST(a, c), p[1] = FIRST(b, d), p[2] = LAST(a, c), p[3] = LAST(b, d);
#elif FEW == 2
    Few a = {p[0][0], p[1][0]}, b = {p[0][1], p[1][1]};
    p[0] = a, p[1] = b;
#else
    (void)p;
#endif
}

static void dots(const double *const *w, const double *const *x, long d, double *into)
{
    Few total[WIDTH / FEW];
    long k = 0;
    UNROLL for (int g = 0; g < WIDTH / FEW; g++)
        total[g] = (Few){0};
    for (; k + FEW <= d; k += FEW)
        UNROLL for (int g = 0; g < WIDTH / FEW; g++) {
            Few p[FEW];
            UNROLL for (int j = 0; j < FEW; j++)
                p[j] = load_few(w[g * FEW + j] + k) * load_few(x[g * FEW + j] + k);
            turn_over(p);
            UNROLL for (int j = 0; j < FEW; j++)
                total[g] = total[g] + p[j];
        }
    UNROLL for (int g = 0; g < WIDTH / FEW; g++)
        store_few(into + g * FEW, total[g]);
    for (; k < d; k++)
        UNROLL for (int j = 0; j < WIDTH; j++)
            into[j] += w[j][k] * x[j][k];
}

/* Packing. What looked_at returns is 0 for each number that is finite, and NaN for others. */

INLINE Lane looked_at(const double *x, double *counts, double *most, double inverse, Mask *finer)
{
    Lane v = load(x), size = size_of(v), grains = size * inverse;
    store(counts, load(counts) + pick(bits_of(v) != 0, all(1.0), all(0.0)));
    store(most, larger(size, load(most)));
    *finer |= (grains + ROUNDER) - ROUNDER != grains;
    return v * 0.0;
}

static int survey(const double *x, double *counts, double *most, double inverse, long n)
{
    Lane sum = all(0.0);
    Mask finer = {0};
    double rest[WIDTH] = {0};
    long k = 0;
    for (; k + LANES <= n; k += LANES)
        sum = sum + looked_at(x + k, counts + k, most + k, inverse, &finer);
    if (k < n) {
        for (long l = k; l < n; l++)
            rest[l - k] = x[l];
        sum = sum + looked_at(rest, counts + k, most + k, inverse, &finer);
    }
    return total_of(sum) != 0 ? NOT_FINITE : any(finer) ? FINER : 0;
}

static void side_by_side(const double *const *rows, long begin, long end, double *out, long stride)
{
    long k = begin;
    for (; k + FEW <= end; k += FEW, out += FEW * stride)
        UNROLL for (int g = 0; g < WIDTH; g += FEW) {
            Few p[FEW];
            UNROLL for (int j = 0; j < FEW; j++)
                p[j] = load_few(rows[g + j] + k);
            turn_over(p);
            UNROLL for (int j = 0; j < FEW; j++)
                store_few(out + j * stride + g, p[j]);
        }
    for (; k < end; k++, out += stride)
        for (int q = 0; q < WIDTH; q++)
            out[q] = rows[q][k];
}

static long filled(const double *x, long n, int *places)
{
    long count = 0;
#if defined(BITS)
    for (long begin = 0, k = 0; k < n; begin = k) {
        uint64_t found = 0; /* a bit for each of the next 64 */
        for (; k < begin + 64 && k + LANES <= n; k += LANES)
            found |= (uint64_t)BITS(load(x + k) != 0.0) << (k - begin);
        for (; k < begin + 64 && k < n; k++)
            found |= (uint64_t)(x[k] != 0) << (k - begin);
        for (; found; found &= found - 1)
            places[count++] = (int)(begin + __builtin_ctzll(found));
    }
#else
    for (long k = 0; k < n; k++)
        places[count] = (int)k, count += x[k] != 0;
#endif
    return count;
}

static void rank(const double *values, double pivot, long n, long *below, long *equal)
{
    long less = 0, same = 0;
    for (long l = 0; l < n; l += LANES) {
        Lane v = load(values + l);
        less += how_many(v < pivot);
        same += how_many(v == pivot);
    }
    *below = less, *equal = same;
}

static double next_below(const double *values, double pivot, double sign, long n)
{
    Lane next = all(-INFINITY), edge = all(sign * pivot);
    for (long l = 0; l < n; l += LANES) {
        Lane v = sign * load(values + l);
        next = larger(pick(v < edge, v, next), next);
    }
    return sign * largest_of(-INFINITY, next);
}

static int differ_exactly(const double *values, double c, long n)
{
    for (long l = 0; l < n; l += LANES) {
        Lane v = load(values + l), d = v - c;
        if (any((d + c != v) | (v - d != c)))
            return 0;
    }
    return 1;
}

static long alike(const double *values, double v, long n)
{
    long same = 0;
    for (long l = 0; l < n; l += LANES)
        same += how_many(bits_of(load(values + l)) == bits_of(all(v)));
    return same;
}

static double narrowed(float *out, const double *values, double c, long n)
{
    Lane most = all(0.0);
    for (long l = 0; l < n; l += LANES) {
        Lane v = load(values + l) - c;
        narrow(out + l, v);
        most = larger(size_of(v), most);
    }
    return largest_of(0.0, most);
}

/* Exact weights (_answers.pyx, and there the sources): what a sum of two doubles lost by rounding,
   and what a product did. */

INLINE Lane lost(Lane a, Lane b, Lane sum)
{
    Lane part = sum - a;
    return (a - (sum - part)) + (b - part);
}

#if defined(LOST)
INLINE Lane lost_of_product(Lane a, Lane b, Lane product) { return LOST(a, b, product); }
#else
INLINE Lane lost_of_product(Lane a, Lane b, Lane product)
{
    Lane t = 134217729.0 * a, u = 134217729.0 * b; /* 2^27 + 1 */
    Lane a_high = t - (t - a), b_high = u - (u - b);
    Lane a_low = a - a_high, b_low = b - b_high;
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}
#endif

INLINE Mask beyond_reach(Lane v)
{
    Lane size = size_of(v);
    return not(size < 0x1p430) | ((size <= 0x1p-430) & (size != 0.0));
}

static int rough_sum(const double *a, const double *b, long n, Rough *sum)
{
    Lane high = all(0.0), low = high, size = high;
    Mask beyond = high != high;
    double highs[LANES];
    for (long l = 0; l < n; l += LANES) {
        Lane v = load(a + l), w = load(b + l), p = v * w, more = high + p;
        beyond |= beyond_reach(v) | beyond_reach(w);
        low = low + (lost(high, p, more) + lost_of_product(v, w, p));
        size = size + size_of(p);
        high = more;
    }
    store(highs, high);
    *sum = (Rough){0, total_of(low), total_of(size)};
    for (int l = 0; l < LANES; l++) {
        double more = sum->high + highs[l], part = more - sum->high;
        sum->low += (sum->high - (more - part)) + (highs[l] - part);
        sum->high = more;
    }
    return !any(beyond);
}

const Lanes TABLE = {
    NAME, LANES,
    products, squares, two_products, rough_squares, rough_exps,
    exps, tanhs, powers, sums_of_powers, counted, mark, largest,
    follow, follow_one, partner, alone, asking,
    cut, subtract, clipped_sums, step, dots, survey, side_by_side, filled,
    rank, next_below, differ_exactly, alike, narrowed, rough_sum,
};
