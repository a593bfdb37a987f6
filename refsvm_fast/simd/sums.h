/* Sums over features: inner products, squared distances, exact weights. */

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
                       const double *z, const i64 *which, i64 n, const double *soon)
{
    Lane c[8];
    const double *column[8];
    UNROLL for (int k = 0; k < N; k++)
        c[k] = all(x[k]), column[k] = z + which[k] * n;
    i64 l = 0;
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
                  const i64 *which, i64 count, i64 n, const double *soon)
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
                         const i64 *which, i64 n, const double *soon)
{
    Lane c[8], e[8];
    UNROLL for (int k = 0; k < 8; k++)
        c[k] = all(x[k]), e[k] = all(y[k]);
    for (i64 l = 0; l < n; l += LANES) {
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

static void products(double *totals, const double *x, const double *z, const i64 *which,
                     i64 count, i64 n, const double *soon)
{
    terms(0, totals, x, z, which, count, n, soon);
}

static void squares(double *totals, const double *x, const double *z, const i64 *which,
                    i64 count, i64 n, const double *soon)
{
    terms(1, totals, x, z, which, count, n, soon);
}

static void two_products(double *totals, const double *x, const double *y, const double *z,
                         const i64 *which, i64 count, i64 n, const double *soon)
{
    if (LANES == 8) /* elsewhere there are not registers enough */
        for (; count >= 8; count -= 8, x += 8, y += 8, which += 8)
            eight_of_two(totals, x, y, z, which, n, soon);
    products(totals, x, z, which, count, n, soon);
    products(totals + BLOCK, y, z, which, count, n, soon + n);
}

/* Some lanes of all products: M of them, a constant. */
INLINE void weigh_some(const int M, double *totals, const double *x, const double *z,
                       const i64 *which, i64 count, i64 n)
{
    Lane t[8];
    UNROLL for (int l = 0; l < M; l++)
        t[l] = load(totals + l * LANES);
    for (i64 k = 0; k < count; k++) {
        const double *column = z + which[k] * n;
        Lane c = all(x[k]);
        if (k + 8 < count)
            bring_near(z + which[k + 8] * n, M * LANES);
        UNROLL for (int l = 0; l < M; l++)
            t[l] = t[l] + c * load(column + l * LANES);
    }
    UNROLL for (int l = 0; l < M; l++)
        store(totals + l * LANES, t[l]);
}

static void weigh(double *totals, const double *x, const double *z, const i64 *which, i64 count,
                  i64 n)
{
    if (n % WIDTH) {
        double a = totals[0], b = totals[1], c = totals[2], d = totals[3];
        for (i64 k = 0; k < count; k++) {
            const double *column = z + which[k] * 4;
            a += x[k] * column[0], b += x[k] * column[1];
            c += x[k] * column[2], d += x[k] * column[3];
        }
        totals[0] = a, totals[1] = b, totals[2] = c, totals[3] = d;
        return;
    }
    i64 l = 0;
    for (; l + 8 * LANES <= n; l += 8 * LANES)
        weigh_some(8, totals + l, x, z + l, which, count, n);
    for (; l + 4 * LANES <= n; l += 4 * LANES)
        weigh_some(4, totals + l, x, z + l, which, count, n);
    for (; l + 2 * LANES <= n; l += 2 * LANES)
        weigh_some(2, totals + l, x, z + l, which, count, n);
    for (; l < n; l += LANES)
        weigh_some(1, totals + l, x, z + l, which, count, n);
}

/* Residuals less so many rows: each residual is loaded and stored once for all. */
INLINE void subtract_some(const int m, double *r, const double *b, const double *const *rows,
                          i64 n)
{
    const double *row[WIDTH];
    Lane c[WIDTH];
    UNROLL for (int q = 0; q < m; q++)
        c[q] = all(b[q]), row[q] = rows[q];
    for (i64 l = 0; l < n; l += LANES) {
        Lane v = load(r + l);
        UNROLL for (int q = 0; q < m; q++)
            v = v - c[q] * load(row[q] + l);
        store(r + l, v);
    }
}

static void subtract_rows(double *r, const double *b, const double *const *rows, int m, i64 n)
{
    if (m == WIDTH)
        subtract_some(WIDTH, r, b, rows, n);
    else
        for (int q = 0; q < m; q++)
            subtract_some(1, r, b + q, rows + q, n);
}

static void subtract(double *r, const double *b, const double *rows, i64 stride, int m, i64 n)
{
    const double *row[WIDTH];
    for (int q = 0; q < m; q++)
        row[q] = rows + q * stride;
    subtract_rows(r, b, row, m, n);
}

static void step(double *next, const double *w, double push, const double *x, i64 n)
{
    i64 l = 0;
    for (; l <= n - LANES; l += LANES)
        store(next + l, load(w + l) + push * load(x + l));
    for (; l < n; l++)
        next[l] = w[l] + push * x[l];
}

/* Squares of examples: a total for each pair of features, j and k, with four j at a time, whose
   totals stay at hand while all examples go by. */

#define FOUR 4

INLINE void tile(const int lanes, double *H, const double *c, const double *x, i64 stride, int m)
{
    Lane t[FOUR][2];
    UNROLL for (int j = 0; j < FOUR; j++)
        UNROLL for (int g = 0; g < lanes; g++)
            t[j][g] = load(H + j * stride + g * LANES);
    for (int q = 0; q < m; q++, c += stride, x += stride)
        UNROLL for (int g = 0; g < lanes; g++) {
            Lane v = load(x + g * LANES);
            UNROLL for (int j = 0; j < FOUR; j++)
                t[j][g] = t[j][g] + c[j] * v;
        }
    UNROLL for (int j = 0; j < FOUR; j++)
        UNROLL for (int g = 0; g < lanes; g++)
            store(H + j * stride + g * LANES, t[j][g]);
}

static void add_squares(double *H, const double *c, const double *x, i64 stride, int m, i64 n)
{
    for (i64 j = 0; j < n; j += FOUR) {
        i64 k = 0;
        for (; k + LANES < j + FOUR; k += 2 * LANES)
            tile(2, H + j * stride + k, c + j, x + k, stride, m);
        for (; k < j + FOUR; k += LANES)
            tile(1, H + j * stride + k, c + j, x + k, stride, m);
    }
}

/* Dots, a lane for each. */

static void dots(const double *const *w, const double *const *x, i64 d, double *into)
{
    Few total[WIDTH / FEW];
    i64 k = 0;
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

/* Exact weights (_solution.pyx, and there the sources): what a sum of two doubles lost by rounding,
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

static int rough_sum(const double *a, const double *b, i64 n, Rough *sum)
{
    Lane high = all(0.0), low = high, size = high;
    Mask beyond = high != high;
    double highs[LANES];
    for (i64 l = 0; l < n; l += LANES) {
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
