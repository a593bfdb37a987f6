/* Steps of SMO: up, low, m, M are those of refsvm/solvers/dual_ascent.py. Lanes are looked at in
   groups: of m it is noted in which group it came up, and only at the end its place is found
   there. Rows that come from memory are asked for some way ahead: all else is near, and a step
   waits for them. */

#define TOGETHER 4 /* Lanes in a group */
#define GROUP (TOGETHER * LANES)
#define AHEAD 256 /* doubles: 2 kB */

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

INLINE Extremes of_lanes(const Seen *seen, const double *up, i64 n)
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
        for (i64 p = (i64)place[l] + l; p < found.place; p += LANES)
            if (up[p] == found.m)
                found.place = p;
    }
    return found;
}

INLINE Extremes look_at_all(const int rows, double *up, double *low, const double *row_i,
                            const double *row_j, double rose, double fell, i64 n)
{
    Seen seen = {all(-INFINITY), all(INFINITY), all(-INFINITY), all(0.0)};
    for (i64 begin = 0, l = 0; begin < n; begin = l) {
        bring_near(row_j + begin + AHEAD, GROUP); /* row_i was near already */
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

static Extremes update_pair(double *up, double *low, const double *row_i, const double *row_j,
                            double rose, double fell, i64 n)
{
    return look_at_all(2, up, low, row_i, row_j, rose, fell, n);
}

static Extremes update_single(double *up, double *low, const double *row, double moved, i64 n)
{
    return look_at_all(1, up, low, row, row, moved, 0.0, n);
}

INLINE i64 first_best(Lane best, Lane place, double *gain)
{
    double gains[LANES], places[LANES], where;
    store(gains, best), store(places, place);
    *gain = gains[0], where = places[0];
    for (int l = 1; l < LANES; l++)
        if (gains[l] > *gain || (gains[l] == *gain && places[l] < where))
            *gain = gains[l], where = places[l];
    return (i64)where;
}

/* The gain of a lane is d * d / e. A division costs as much as all the rest: it is done only in
   groups where in some lane d * d is not below bound * e, `bound` being the best gain yet. If the
   quotient, rounded, is above the bound, d * d is above the product, and so not below it when that
   is rounded: no lane is missed. Where e <= 0, or something is NaN, the test is passed. d |d| is
   below zero where low > m: such a lane is no partner. */

INLINE Lane curvature(const int even, const double *row, const double *diagonal, double k_ii)
{
    return (k_ii + (even ? all(k_ii) : load(diagonal))) - 2.0 * load(row);
}

INLINE Mask hopeful(const int even, const double *low, const double *row, const double *diagonal,
                    double m, double k_ii, double bound)
{
    Lane d = m - load(low), e = curvature(even, row, diagonal, k_ii);
    return not(d * size_of(d) < bound * e);
}

INLINE i64 best_partner(const int even, const double *low, const double *row,
                        const double *diagonal, double m, double k_ii, i64 n, double *gain)
{
    Lane best = all(-1.0), place = all(0.0);
    double bound = 0;
    for (i64 l = 0, end; l < n; l = end) {
        end = l + GROUP < n ? l + GROUP : n;
        bring_near(row + l + AHEAD, GROUP);
        if (l + GROUP <= n) {
            Mask hope = hopeful(even, low + l, row + l, diagonal + l, m, k_ii, bound);
            UNROLL for (int k = LANES; k < GROUP; k += LANES)
                hope |= hopeful(even, low + l + k, row + l + k, diagonal + l + k, m, k_ii, bound);
            if (!any(hope))
                continue;
        }
        for (; l < end; l += LANES) {
            Lane v = load(low + l);
            Lane d = m - v, e = curvature(even, row + l, diagonal + l, k_ii);
            Lane g = pick(e > 0.0, d * d / e, all(INFINITY));
            Mask better = (v < m) & (g > best);
            best = pick(better, g, best);
            place = pick(better, numbered() + (double)l, place);
        }
        bound = largest_of(bound, best);
    }
    return first_best(best, place, gain);
}

static i64 partner(const double *low, const double *row, const double *diagonal, double m,
                   double k_ii, i64 n, double *gain)
{
    if (diagonal)
        return best_partner(0, low, row, diagonal, m, k_ii, n, gain);
    return best_partner(1, low, row, low, m, k_ii, n, gain);
}

static i64 best_alone(const double *up, const double *low, const double *diagonal, i64 n,
                      double *gain)
{
    Lane best = all(-1.0), place = numbered(), here = place;
    for (i64 l = 0; l < n; l += LANES) {
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

static i64 first_outside(const double *up, const double *low, double above, double below,
                         i64 begin, i64 end)
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
