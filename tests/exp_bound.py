"""How far off refsvm's exp and tanh can be: a proof in rational numbers.

Run it: python tests/exp_bound.py. Nothing here is measured. The reduced argument rho = x - k ln 2
is confined to an interval, the interval is cut into pieces, and on every piece each operation of
`refsvm.numerics.elementary` is followed: an interval that holds its result, and half a unit in the
last place of the largest number in it for its rounding. All in fractions.Fraction, or integers
over a power of two; `Fraction(f)` of a float f is exact.

The reference `exp_bounds(x)` holds e^x between two fractions by the Taylor series and its
remainder. `near_exp(x)` is quicker and held against it; the tests judge single results by it.

The letters are those of elementary.py; rho is the true reduced argument, r the computed.
Rounding to nearest (IEEE 754): |round(v) - v| <= half_ulp(v), half the distance of the doubles
around |v|.
"""

import sys
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # run as a program, not installed

from refsvm.numerics import elementary  # noqa: E402

HIGH, LOW, INV = (Fraction(v) for v in
                  (elementary.LN2_HIGH, elementary.LN2_LOW, elementary.INV_LN2))
P = [Fraction(v) for v in
     (elementary.P1, elementary.P2, elementary.P3, elementary.P4, elementary.P5)]
K_LEAST, K_MOST = -1076, 1024
X_MOST = 746  # |x| in the computation; beyond, exp returns 0 or infinity at once
GRID = 1 << 220  # intervals are rounded outward to this grid so that the fractions stay short


# ---- intervals --------------------------------------------------------------------------------

def outward(low, high):
    """An interval on the grid that holds [low, high]."""
    low, high = Fraction(low), Fraction(high)
    return (Fraction(low.numerator * GRID // low.denominator, GRID),
            Fraction(-(-high.numerator * GRID // high.denominator), GRID))


def plus(u, v):
    return outward(u[0] + v[0], u[1] + v[1])


def minus(u, v):
    return outward(u[0] - v[1], u[1] - v[0])


def times(u, v):
    ends = [p * q for p in u for q in v]
    return outward(min(ends), max(ends))


def size(u):
    return max(-u[0], u[1])


def widened(u, e):
    return outward(u[0] - e, u[1] + e)


def binade(v):
    """The e with 2^e <= v < 2^(e+1), for a fraction v > 0."""
    e = v.numerator.bit_length() - v.denominator.bit_length()
    return e if v >= two_to(e) else e - 1


def two_to(e):
    return Fraction(1 << e) if e >= 0 else Fraction(1, 1 << -e)


def ulp(v):
    """The distance of neighbouring doubles in the binade of v > 0; 2^-1074 below 2^-1022."""
    return two_to(max(binade(v) - 52, -1074))


def half_ulp(v):
    """N(v): no result of size at most v is further than this from what was rounded."""
    return ulp(v) / 2 if v else two_to(-1075)


# ---- an independent exp -----------------------------------------------------------------------

def ln2_bounds(bits=300):
    """(low, high) around ln 2 = the sum of 1 / (j 2^j); what follows j = n is below 2^-n / n."""
    one, total, j = 1 << bits, 0, 1
    while j <= bits:
        total += (one >> j) // j
        j += 1
    return Fraction(total, one), Fraction(total + bits + 2, one)  # each term lost less than 1


LN2 = ln2_bounds()


def exp_bounds(x, bits=160):
    """(low, high), fractions with low <= e^x <= high, for a rational x with |x| < 2^11.

    Integers over a power of two. x = k ln 2 + r, then e^(r / 2^8) by Taylor, then eight squarings;
    every rounding goes outward.
    """
    x = Fraction(x)
    k = (x * (1 << 64) / int(LN2[0] * (1 << 64)) + Fraction(1, 2)).__floor__()
    work = bits + 24
    one = 1 << work
    r_low, r_high = x - k * LN2[k > 0], x - k * LN2[k <= 0]
    low = _taylor(r_low.numerator * one // r_low.denominator >> 8, work, down=True)
    high = _taylor(-(-r_high.numerator * one // r_high.denominator >> 8) + 1, work, down=False)
    for _ in range(8):
        low, high = low * low >> work, (high * high >> work) + 1
    return two_to(k) * Fraction(low, one), two_to(k) * Fraction(high, one)


def _taylor(r, work, down):
    """An integer below 2^work e^(r / 2^work) if `down`, else above it, for |r| < 2^(work - 8)."""
    total = term = 1 << work
    j = 0
    while term not in (0, -1):
        j += 1
        term = (term * r >> work) // j  # floors: less than 2 too low, hardly ever too high
        total += term
    return total - 4 if down else total + 3 * j + 4


BITS = 100  # of the quick reference
LN2_140 = int(LN2[0] * (1 << 140))


@cache
def exp_tables():
    """e^(i / 2^9) for i from -180 to 180, and e^(j / 2^18) for j below 512, as integers."""
    steps = range(-180, 181), range(512)
    values = ([Fraction(i, 1 << 9) for i in steps[0]], [Fraction(j, 1 << 18) for j in steps[1]])
    return tuple([int(exp_bounds(x, BITS)[0] * (1 << BITS)) for x in xs] for xs in values)


def near_exp(x):
    """(k, E), integers with |E / 2^100 - e^x / 2^k| < 2^-90, for a float |x| < 2^11.

    In fixed point: x - k ln 2 = i / 2^9 + j / 2^18 + r, 0 <= r < 2^-18, e^r by Taylor to r^5/120.
    The rest is below 2^-117; about ten roundings of 2^-100, grown by less than 2 each.
    """
    n, d = x.as_integer_ratio()
    r = (n << 140) // d
    k = (2 * r + LN2_140) // (2 * LN2_140)
    r -= k * LN2_140
    i = r >> 131
    r -= i << 131
    j = r >> 122
    r = (r - (j << 122)) >> 40
    one = 1 << BITS
    p = one + r // 5
    for divisor in (4, 3, 2, 1):
        p = one + (r * p >> BITS) // divisor
    coarse, fine = exp_tables()
    return k, (coarse[i + 180] * fine[j] >> BITS) * p >> BITS


def exp_error(x, y):
    """(error, unit), integers: |y - e^x| / ulp(e^x) is at most error / unit."""
    k, E = near_exp(x)
    n, d = y.as_integer_ratio()
    shift = BITS - k - d.bit_length() + 1
    value = n << shift if shift >= 0 else n >> -shift  # exact: y has 53 bits at most
    slack = 1 << (BITS - 90)
    binade = BITS - 53 if E < (1 << BITS) + slack else BITS - 52
    return abs(value - E) + slack, 1 << max(binade, BITS - 1074 - k)


# ---- 1. the reduction --------------------------------------------------------------------------

def reduction():
    """(largest |rho|, largest error of b); checks that k LN2_HIGH and a are exact."""
    for k in range(K_LEAST, K_MOST + 1):
        product = k * HIGH
        assert Fraction(float(product)) == product
    assert (HIGH * two_to(42)).denominator == 1
    # t = x INV rounded; t + ROUNDER lies between 2^52 and 2^53, where the doubles are the
    # integers: so k is t rounded to an integer (ties to even, since ROUNDER is even).
    inv_error = max(abs(INV - 1 / LN2[0]), abs(INV - 1 / LN2[1]))
    k_error = Fraction(1, 2) + X_MOST * inv_error + half_ulp(X_MOST * INV + 1)
    rho = k_error * LN2[1]
    # k = 0: a = x. Otherwise |x| > 1/4, so x, k LN2_HIGH and with them x - k LN2_HIGH are
    # multiples of 2^-54; and its size is below 1/2: it has 53 bits, the subtraction is exact.
    most_k = max(-K_LEAST, K_MOST)
    a_from_rho = most_k * max(abs(LN2[0] - HIGH), abs(LN2[1] - HIGH))
    assert LN2[0] * Fraction(1, 2) > Fraction(1, 4) and rho + a_from_rho < Fraction(1, 2)
    b_error = most_k * max(abs(v - HIGH - LOW) for v in LN2) + half_ulp(most_k * abs(LOW))
    return rho, b_error


RHO_MOST, B_ERROR = reduction()
B_MOST = max(-K_LEAST, K_MOST) * abs(LOW) + B_ERROR


# ---- 2. the polynomial -------------------------------------------------------------------------

def product(p, q):
    """The coefficients of the product of two polynomials, lowest first."""
    result = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, u in enumerate(p):
        for j, v in enumerate(q):
            result[i + j] += u * v
    return result


def defect(terms=14):
    """G(z) = S (2 + z P) - 2 C as coefficients, and a bound of what the cut series leave out.

    sinh(r/2) = (r/2) S(z) and cosh(r/2) = C(z), with S, C the sums of (z/4)^j / (2j+1)! and
    (z/4)^j / (2j)!. As r coth(r/2) = 2 C / S, the error of z P(z) is G / S, and S >= 1.
    """
    factorial = [1]
    for j in range(1, 2 * terms + 2):
        factorial.append(factorial[-1] * j)
    S = [Fraction(1, 4 ** j * factorial[2 * j + 1]) for j in range(terms)]
    C = [Fraction(1, 4 ** j * factorial[2 * j]) for j in range(terms)]
    G = product(S, [Fraction(2)] + P)
    for j, v in enumerate(C):
        G[j] -= 2 * v
    first = two_to(-2 * terms) / factorial[2 * terms]  # z < 1: a tail is below twice that
    return G, 12 * first


def bound_on(G, low, high):
    """A bound of |G| over [low, high]: the sum of |G^(j)(middle)| / j! half^j."""
    middle, half = (low + high) / 2, (high - low) / 2
    shifted = list(G)
    n = len(shifted)
    for i in range(n):  # repeated Horner: the coefficients about the middle
        for j in range(n - 2, i - 1, -1):
            shifted[j] = outward(0, shifted[j] + middle * shifted[j + 1])[1]  # off by 2^-220
    bound = two_to(-200)
    for v in reversed(shifted):
        bound = bound * half + abs(v)
    return bound


@cache
def approximation(pieces=128):
    """(top, bounds of |z P(z) - (r coth(r/2) - 2)| on `pieces` equal pieces of 0 <= z <= top)."""
    G, rest = defect()
    top = outward(0, (RHO_MOST + two_to(-40)) ** 2)[1]
    return top, [bound_on(G, top * i / pieces, top * (i + 1) / pieces) + rest
                 for i in range(pieces)]


def p_error(z):
    """The bound of `approximation` that holds all over the interval z."""
    top, errors = approximation()
    pieces = len(errors)
    first = max(0, (z[0] * pieces / top).__floor__())
    last = min(pieces - 1, (z[1] * pieces / top).__floor__())
    return max(errors[first:last + 1])


# ---- 3. the roundings of exp -------------------------------------------------------------------

def horner(r):
    """For r in the interval: (interval of z P(z), bound of its roundings, bound of its distance).

    The distance is that from r coth(r/2) - 2; the roundings are z's and that of each step.
    """
    z = times(r, r)
    z = (max(z[0], Fraction(0)), z[1])
    z_error = half_ulp(z[1])
    value, error = (P[4], P[4]), Fraction(0)
    for p in reversed([Fraction(0)] + P[:4]):
        error = size(value) * z_error + error * (z[1] + z_error)
        value = times(z, value)
        error += half_ulp(size(value) + error)
        if p:
            value = plus((p, p), value)
            error += half_ulp(size(value) + error)
        error = outward(0, error)[1]
    return value, error, p_error(z)


def exp_piece(low, high):
    """Bounds, in ulps of e^rho, of what makes up its error: rho in [low, high], of one sign."""
    rho = (low, high)
    subtraction = B_ERROR + half_ulp(size(rho) + B_ERROR)  # |r - rho|
    r = widened(rho, subtraction)
    q, q_error, p_off = horner(r)
    c = minus(r, q)
    c_rounding = half_ulp(size(c) + q_error)
    c = widened(c, q_error + p_off + c_rounding)
    m = minus((2, 2), c)
    numerator_rounding, m_rounding = half_ulp(size(times(r, c))), half_ulp(size(m))
    m = widened(m, m_rounding)
    d = size(r) * size(c) / m[0] + two_to(-55)
    slope = 2 * size(r) / m[0] ** 2  # of r c / (2 - c) in c
    growth = max(abs(v - 1) for end in r for v in exp_bounds(end))  # >= |e^t - 1| for t in r
    rest = half_ulp(Fraction(1))  # |(1 - s) + a|, exact (Dekker): what rounding 1 + a lost
    unit = two_to(-52 if low >= 0 else -53)
    before = {
        "polynomial against the function": slope * p_off,
        "ln 2 cut to two numbers, b rounded": B_ERROR,
        "r rounded": subtraction * growth,
        "z and the polynomial rounded": slope * q_error,
        "c rounded": slope * c_rounding,
        "r c rounded": numerator_rounding / m[0],
        "2 - c rounded": d * m_rounding / m[0],
        "quotient rounded": half_ulp(d),
        "b - quotient rounded": half_ulp(B_MOST + d),
        "rest - (b - quotient) rounded": half_ulp(rest + B_MOST + d),
    }
    total = Fraction(0)
    for part in before.values():
        total += part
    # The last sum and e^rho may lie on two sides of 1, where the ulp doubles. If rho < 0 and the
    # sum exceeds 1, it does so by less than 2^-54 and is rounded to 1, which is nearer to e^rho.
    assert total < two_to(-54)
    before["last sum rounded"] = unit / 2
    return {name: part / unit for name, part in before.items()}


@cache
def exp_bound(pieces=128):
    """(bound in ulps, its parts on the worst piece, that piece), if e^x is a normal double."""
    worst = None
    for sign in (-1, 1):
        for i in range(pieces):
            ends = sorted((sign * RHO_MOST * i / pieces, sign * RHO_MOST * (i + 1) / pieces))
            low, high = outward(ends[0], ends[1])
            if sign < 0:
                high = min(high, Fraction(0))
            else:
                low = max(low, Fraction(0))
            parts = exp_piece(low, high)
            total = Fraction(0)
            for part in parts.values():
                total += part
            if worst is None or total > worst[0]:
                worst = (total, parts, (low, high))
    return worst


def normal_bound():
    """The bound in ulps of a result that is a normal double."""
    return exp_bound()[0]


def subnormal_bound():
    """The bound of a subnormal result, in units of 2^-1074.

    The error of a normal one counts half at most, for below 2^-1022 the ulp of a 53-bit number
    would be 2^-1075 or less; the product by 2^k (or by its second factor) rounds once more, by at
    most 1/2.
    """
    return normal_bound() / 2 + Fraction(1, 2)


def at_most_one():
    """exp(x) <= 1 for x <= 0, in three cases; the numbers they need are checked here.

    x <= -2^-50 with k = 0: e^x <= 1 - 2^-51, and the error is below 2^-53. k < 0: e^x < 0.71.
    -2^-50 < x <= 0: b = 0, the quotient is below 2^-99, and the result is s + w rounded, where w
    is (1 - s) + x + quotient rounded. If s = 1, that is x + quotient <= 0. Else s <= 1 - 2^-53
    and w < 2^-53, as (1 - s) + x <= 2^-54. So s + w <= 1, and rounding keeps it so.
    """
    assert exp_bounds(RHO_MOST)[1] / 2 < 1 - two_to(-50)
    assert exp_bounds(-two_to(-50))[1] < 1 - two_to(-51) and normal_bound() < 1
    return True


def overflow_is_right():
    """The last double below 1024 ln 2, and the next: e^x is further from 2^1024 than its error."""
    x, beyond = float.fromhex("0x1.62e42fefa39efp+9"), float.fromhex("0x1.62e42fefa39f0p+9")
    assert exp_bounds(Fraction(x))[1] < two_to(1024) - 2 * two_to(971)
    assert exp_bounds(Fraction(beyond))[0] > two_to(1024) + 2 * two_to(972)
    return elementary.exp(x) < float("inf") == elementary.exp(beyond)


# ---- 4. tanh -----------------------------------------------------------------------------------

def tanh_near(low, high):
    """The error of r / (2 + z P(z)) in ulps of tanh(r/2), for r in [low, high], 0 < low."""
    q, q_error, p_off = horner((low, high))
    m = plus((2, 2), q)
    m_rounding = half_ulp(m[1] + q_error)
    m = widened(m, q_error + p_off + m_rounding)
    value = outward(low / m[1], high / m[0])
    error = value[1] * (q_error + p_off + m_rounding) / m[0] + half_ulp(value[1])
    return error / ulp(value[0])


def tanh_far(low, high):
    """The error of (e - 1) / (e + 1) in ulps, for the true e^(2x) in [low, high], one binade."""
    e_error = normal_bound() * ulp(low)
    top = high + e_error
    minus_one = Fraction(0) if top <= 2 else half_ulp(top - 1)  # e <= 2: exact (Sterbenz)
    plus_one = half_ulp(top + 1)
    value = outward((low - 1) / (low + 1), (top - 1) / (top + 1))
    error = e_error * 2 / (low - e_error + 1) ** 2
    error += (minus_one + value[1] * plus_one) / (low + 1 - e_error - plus_one)
    error += half_ulp(min(value[1], 1 - two_to(-60)))
    return error / ulp(value[0])


@cache
def tanh_bound(pieces=16):
    """(bound while the polynomial serves, bound beyond), in ulps.

    Below r = 2^-31, 2 + z P(z) is rounded to 2 and the quotient is x: off by a part x^2 / 3.
    """
    small = Fraction(elementary.TANH_SMALL)
    near = Fraction(1, 1000)
    for e in range(-31, -1):
        for i in range(pieces):
            low = two_to(e) * (pieces + i) / pieces
            high = two_to(e) * (pieces + i + 1) / pieces
            if low < small:
                near = max(near, tanh_near(low, min(high, small)))
    start, far = exp_bounds(small)[0], Fraction(0)
    for e in range(0, 65):
        for i in range(pieces):
            low = two_to(e) * (pieces + i) / pieces
            high = two_to(e) * (pieces + i + 1) / pieces
            if high > start:
                far = max(far, tanh_far(max(low, start), high))
    return near, far


# ---- where the coefficients come from ----------------------------------------------------------

def coefficients(degree=4, points=1500):
    """P1..P5 by the Remez exchange on a grid, in 70 digits, each rounded to a double at the end.

    This is how they were found; the proof does not use it. What is levelled is the error of e^r
    for r < 0: that of z P(z) times 2 |r| / (2 - c)^2.
    """
    with localcontext() as context:
        context.prec = 70
        top = (Decimal(2).ln() / 2 * (1 + Decimal(2) ** -40)) ** 2
        grid = [top * i / points for i in range(1, points + 1)]
        target, weight = zip(*[_target(z) for z in grid])
        picked = [points * (2 * i + 1) // (2 * degree + 4) for i in range(degree + 2)]
        while True:
            rows = [[grid[g] ** j for j in range(degree + 1)] + [(-1) ** i / weight[g], target[g]]
                    for i, g in enumerate(picked)]
            found = _solved(rows)[:degree + 1]
            errors = [(_polynomial(found, z) - t) * w for z, t, w in zip(grid, target, weight)]
            extremes = _extremes(errors)[-(degree + 2):]
            if extremes == picked:
                return [float(v) for v in found]
            picked = extremes


def _target(z):
    """((r coth(r/2) - 2) / z, weight of its error) at z = r r."""
    r = z.sqrt()
    e = r.exp()
    value = (r * (e + 1) / (e - 1) - 2) / z
    return value, z * 2 * r / (2 + r + z / 6) ** 2


def _polynomial(p, z):
    value = 0 * z
    for v in reversed(p):
        value = value * z + v
    return value


def _extremes(errors):
    """The index of the largest error in each run of one sign."""
    runs = [[0]]
    for i in range(1, len(errors)):
        if (errors[i] > 0) == (errors[i - 1] > 0):
            runs[-1].append(i)
        else:
            runs.append([i])
    return [max(run, key=lambda i: abs(errors[i])) for run in runs]


def _solved(rows):
    """The solution of a square system, its rows given with the right side last (Gauss-Jordan)."""
    rows = [list(row) for row in rows]
    n = len(rows)
    for i in range(n):
        best = max(range(i, n), key=lambda q: abs(rows[q][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for q in range(n):
            if q != i:
                factor = rows[q][i] / rows[i][i]
                rows[q] = [u - factor * v for u, v in zip(rows[q], rows[i])]
    return [row[n] / row[i] for i, row in enumerate(rows)]


def report():
    near, far = tanh_bound()
    bound, parts, where = exp_bound()
    low, high = map(float, where)
    print(f"|rho| <= {float(RHO_MOST):.17f}   (ln 2 / 2 = {float(LN2[0] / 2):.17f})")
    print(f"z P(z) is within {float(max(approximation()[1])):.3g} of r coth(r/2) - 2\n")
    print(f"exp, worst piece: rho in [{low:.5f}, {high:.5f}], contributions in ulps")
    for name, part in parts.items():
        print(f"  {name:38} {float(part):.6f}")
    print(f"  {'bound':38} {float(bound):.6f}   (normal results)")
    print(f"  {'bound':38} {float(subnormal_bound()):.6f}   (subnormal ones, in units of 2^-1074)")
    print(f"exp(x) <= 1 for x <= 0: {at_most_one()}; "
          f"overflow at the right double: {overflow_is_right()}")
    print(f"tanh: {float(near):.6f} ulps while the polynomial serves, {float(far):.6f} beyond")


if __name__ == "__main__":
    report()
