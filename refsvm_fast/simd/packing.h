/* The training set on its way into memory: what its features hold, and where each number goes. */

static double largest(const double *values, i64 n)
{
    Lane most = all(0.0), sum = all(0.0); /* sum: 0, and NaN as soon as one is not finite */
    for (i64 l = 0; l < n; l += LANES) {
        Lane v = load(values + l);
        most = larger(size_of(v), most);
        sum = sum + v * 0.0;
    }
    return largest_of(0.0, most) + total_of(sum);
}

static void gather_columns(const double *const *rows, const i64 *which, i64 n, double *block,
                           i64 stride)
{
    const double *row[WIDTH];
    UNROLL for (int q = 0; q < WIDTH; q++)
        row[q] = rows[q];
    for (i64 c = 0; c < n; c++, block += stride)
        UNROLL for (int q = 0; q < WIDTH; q++)
            block[q] = row[q][which[c]];
}

/* What looked_at returns is 0 for each number that is finite, and NaN for others. */

INLINE Lane looked_at(const double *x, double *counts, double *most, double inverse, Mask *finer)
{
    Lane v = load(x), size = size_of(v), grains = size * inverse;
    store(counts, load(counts) + pick(bits_of(v) != 0, all(1.0), all(0.0)));
    store(most, larger(size, load(most)));
    *finer |= (grains + ROUNDER) - ROUNDER != grains;
    return v * 0.0;
}

static int survey(const double *x, double *counts, double *most, double inverse, i64 n)
{
    Lane sum = all(0.0);
    Mask finer = {0};
    double rest[WIDTH] = {0};
    i64 k = 0;
    for (; k + LANES <= n; k += LANES)
        sum = sum + looked_at(x + k, counts + k, most + k, inverse, &finer);
    if (k < n) {
        for (i64 l = k; l < n; l++)
            rest[l - k] = x[l];
        sum = sum + looked_at(rest, counts + k, most + k, inverse, &finer);
    }
    return total_of(sum) != 0 ? NOT_FINITE : any(finer) ? FINER : 0;
}

static void side_by_side(const double *const *rows, i64 begin, i64 end, double *out, i64 stride)
{
    i64 k = begin;
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

static i64 nonzero_places(const double *x, i64 n, int *places)
{
    i64 count = 0;
#if defined(BITS)
    for (i64 begin = 0, k = 0; k < n; begin = k) {
        uint64_t found = 0; /* a bit for each of the next 64 */
        for (; k < begin + 64 && k + LANES <= n; k += LANES)
            found |= (uint64_t)BITS(load(x + k) != 0.0) << (k - begin);
        for (; k < begin + 64 && k < n; k++)
            found |= (uint64_t)(x[k] != 0) << (k - begin);
        for (; found; found &= found - 1)
            places[count++] = (int)(begin + __builtin_ctzll(found));
    }
#else
    for (i64 k = 0; k < n; k++)
        places[count] = (int)k, count += x[k] != 0;
#endif
    return count;
}

static void count_below(const double *values, double pivot, i64 n, i64 *below, i64 *equal)
{
    i64 less = 0, same = 0;
    for (i64 l = 0; l < n; l += LANES) {
        Lane v = load(values + l);
        less += how_many(v < pivot);
        same += how_many(v == pivot);
    }
    *below = less, *equal = same;
}

static double next_below(const double *values, double pivot, double sign, i64 n)
{
    Lane next = all(-INFINITY), edge = all(sign * pivot);
    for (i64 l = 0; l < n; l += LANES) {
        Lane v = sign * load(values + l);
        next = larger(pick(v < edge, v, next), next);
    }
    return sign * largest_of(-INFINITY, next);
}

static int differ_exactly(const double *values, double c, i64 n)
{
    for (i64 l = 0; l < n; l += LANES) {
        Lane v = load(values + l), d = v - c;
        if (any((d + c != v) | (v - d != c)))
            return 0;
    }
    return 1;
}

static i64 count_equal(const double *values, double v, i64 n)
{
    i64 same = 0;
    for (i64 l = 0; l < n; l += LANES)
        same += how_many(bits_of(load(values + l)) == bits_of(all(v)));
    return same;
}

/* Kernel values of examples that are sets of marks, a bit each (binary_features.pxi) */

#if defined(__POPCNT__) || defined(__clang__) || (defined(__GNUC__) && defined(__aarch64__))
INLINE i64 ones(uint64_t bits) { return __builtin_popcountll(bits); }
#else
INLINE i64 ones(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555u; /* how many of every two, four, eight bits, of all */
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (i64)(bits * 0x0101010101010101u >> 56);
}
#endif

INLINE void some_bits(const int apart, const uint64_t *x, const uint64_t *z, i64 words,
                         const double *value, double *out, i64 n)
{
    for (i64 l = 0; l < n; l += WIDTH) {
        i64 count[WIDTH] = {0};
        for (i64 w = 0; w < words; w++)
            UNROLL for (int k = 0; k < WIDTH; k++)
                count[k] += ones(apart ? x[w] ^ z[w * n + l + k] : x[w] & z[w * n + l + k]);
        UNROLL for (int k = 0; k < WIDTH; k++)
            out[l + k] = value[count[k]];
    }
}

static void count_bits(const uint64_t *x, const uint64_t *z, i64 words, int apart,
                       const double *value, double *out, i64 n)
{
#if defined(COUNTED)
    if (COUNTED(x, z, words, apart, value, out, n))
        return;
#endif
    if (apart)
        some_bits(1, x, z, words, value, out, n);
    else
        some_bits(0, x, z, words, value, out, n);
}

static void mark(uint64_t *bits, const double *values, double low, uint64_t bit, i64 n)
{
    for (i64 l = 0; l < n; l += LANES)
        store_bits(bits + l, load_bits(bits + l) | chosen(load(values + l) != low, bit));
}
