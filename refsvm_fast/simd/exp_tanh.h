/* Kernel values from inner products and distances: exp, tanh, powers. The steps, and the letters,
   are those of refsvm/numerics/elementary.py. */

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

static void exps(double *values, double factor, i64 n)
{
    Lane x[SEVERAL];
    const int several = SEVERAL;
    i64 l = 0;
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

static void tanhs(double *values, double gamma, double coef0, i64 n)
{
    for (i64 l = 0; l < n; l += LANES)
        store(values + l, tanh_of(gamma * load(values + l) + coef0));
}

static void powers(double *values, double gamma, double coef0, i64 degree, i64 n)
{
    for (i64 l = 0; l < n; l += LANES) {
        Lane b = gamma * load(values + l) + coef0;
        Lane r = all(1.0);
        for (i64 left = degree; left; left /= 2) {
            if (left % 2)
                r = r * b;
            b = b * b;
        }
        store(values + l, r);
    }
}

static void sums_of_powers(double *values, i64 degree, i64 n)
{
    for (i64 l = 0; l < n; l += LANES) {
        Lane s = load(values + l);
        Lane total = all(1.0);
        for (i64 k = 0; k < degree; k++)
            total = 1.0 + s * total;
        store(values + l, total);
    }
}
