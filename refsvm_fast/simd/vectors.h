/* Vectors of doubles, of whichever width the processor has: what all loops are written in.

The including file says in VECTOR how many bytes are computed side by side. A `Lane` holds so many
doubles (LANES of them); every operation on one is that operation on each of them, rounded as
always. Where the compiler has no such type a Lane is one double.

    Mask      of each double of a Lane whether something holds: what a comparison comes to
    Bits      the doubles of a Lane as whole numbers of 64 bits
    Loose..   the same in memory, wherever it begins
    t, u      totals of two Lanes, or of two rows, side by side

`pick(mask, a, b)` is a where the mask is set and b elsewhere. Where the processor has one
instruction for one of these, which no compiler finds, the including file names it:

    LARGER(a, b)    a where a > b, b elsewhere: b also where one of them is not a number
    SMALLER(a, b)   a where a < b, b elsewhere
    MINUS(a, b)     a - b by a unit that multiplies: (1 a) - b, rounded once, has the same bits
    LOST(a, b, p)   a b - p, where p is a b rounded; a and b within reach (rough_sum)
    BITS(mask)      a number with one bit for each lane: whether the mask is set there

and of four doubles, where that is quicker than with two:

    EVENS(a, b)     a0 b0 a2 b2
    ODDS(a, b)      a1 b1 a3 b3
    FIRST(a, b)     a0 a1 b0 b1
    LAST(a, b)      a2 a3 b2 b3
*/

#if defined(__GNUC__)
#define LANES (VECTOR / 8)
typedef double Lane __attribute__((vector_size(VECTOR)));
typedef double Loose __attribute__((vector_size(VECTOR), aligned(8), may_alias));
typedef uint64_t LooseBits __attribute__((vector_size(VECTOR), aligned(8), may_alias));
typedef int64_t Mask __attribute__((vector_size(VECTOR)));
typedef uint64_t Bits __attribute__((vector_size(VECTOR)));
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 8")

INLINE Lane load(const double *p) { return *(const Loose *)p; }
INLINE void store(double *p, Lane v) { *(Loose *)p = v; }
INLINE Lane all(double v) { return v - (Lane){0}; }
INLINE Lane pick(Mask mask, Lane a, Lane b) { return (Lane)(((Mask)a & mask) | ((Mask)b & ~mask)); }
INLINE Bits bits_of(Lane v) { return (Bits)v; }
INLINE Lane of_bits(Bits b) { return (Lane)b; }
INLINE Bits load_bits(const uint64_t *p) { return *(const LooseBits *)p; }
INLINE void store_bits(uint64_t *p, Bits b) { *(LooseBits *)p = b; }
INLINE Bits chosen(Mask mask, uint64_t bits) { return (Bits)mask & bits; }
INLINE Mask not(Mask mask) { return ~mask; }

#if defined(BITS)
INLINE int any(Mask mask) { return BITS(mask) != 0; }
INLINE i64 how_many(Mask mask) { return __builtin_popcount(BITS(mask)); }
#else
INLINE i64 how_many(Mask mask)
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
typedef int Mask;
typedef uint64_t Bits;
#define INLINE static inline
#define UNROLL

INLINE Lane load(const double *p) { return *p; }
INLINE void store(double *p, Lane v) { *p = v; }
INLINE Lane all(double v) { return v; }
INLINE Lane pick(Mask mask, Lane a, Lane b) { return mask ? a : b; }
INLINE Bits bits_of(Lane v) { union { double v; Bits b; } u = {v}; return u.b; }
INLINE Lane of_bits(Bits b) { union { Bits b; double v; } u = {b}; return u.v; }
INLINE Bits load_bits(const uint64_t *p) { return *p; }
INLINE void store_bits(uint64_t *p, Bits b) { *p = b; }
INLINE Bits chosen(Mask mask, uint64_t bits) { return mask ? bits : 0; }
INLINE Mask not(Mask mask) { return !mask; }
INLINE int any(Mask mask) { return mask; }
INLINE i64 how_many(Mask mask) { return mask; }
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

/* A Few holds FEW doubles of one row; turn_over makes FEW of these, of as many rows, into the
   doubles of one feature, from all these rows. At most four: to turn over eight takes more
   instructions, and is not quicker. */

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
