"""Lifting gives the exact solution, whatever the prime."""

from fractions import Fraction as Q
from itertools import islice
from random import Random

from exact import inner as dot
from exact_programs import solved
from hypothesis import given
from hypothesis import strategies as st

from refsvm.numerics import dixon_lifting as lifting
from refsvm.numerics.dixon_lifting import mersenne_primes, solve_by_lifting
from refsvm.numerics.submatrix_inverse import ExactInverse

fractions = st.fractions(-50, 50, max_denominator=60)


def test_the_primes_are_those_of_mersenne():
    exponents = (3, 5, 7, 13, 17, 19, 31, 61, 89)
    assert list(islice(mersenne_primes(3), 9)) == [2**e - 1 for e in exponents]
    assert list(islice(mersenne_primes(), 2)) == [2**107 - 1, 2**127 - 1]


@given(st.data())
def test_solutions_are_those_of_elimination(data):
    k = data.draw(st.integers(1, 5))
    lower = [[data.draw(fractions) for _ in range(i + 1)] for i in range(k)]
    M = [[lower[max(i, j)][min(i, j)] for j in range(k)] for i in range(k)]
    right = [data.draw(fractions) for _ in range(k)]
    x = solved(M, right)
    if x is None:
        return
    part = ExactInverse(lambda a: M[a], k)
    part.primes = mersenne_primes(data.draw(st.sampled_from([3, 5, 61])))
    part.p = next(part.primes)
    part.set_index(range(k))
    assert part.solve(right) == x
    rows = [whole for whole, _ in part.rows]
    scales = [below for _, below in part.rows]
    guess = data.draw(st.integers(1, 9))
    assert solve_by_lifting(rows, scales, part.H, part.p, right, guess)[0] == x
    assert [dot(row, x) for row in M] == right


def test_ratios_are_found_as_soon_as_they_are_determined():
    p = 2**31 - 1
    for value in (Q(0), Q(5), Q(-5), Q(355, 113), Q(-1, 1000)):
        residue = value.numerator * pow(value.denominator, -1, p) % p
        found = lifting.reconstruct_fractions([[residue]], p, 1)
        assert found == ([value.numerator], value.denominator, p)


@given(st.integers(1, 900), st.integers(0, 2**32))
def test_many_steps_of_euclid_at_once_are_the_same_steps(bits, seed):
    random = Random(seed)  # whose numbers are of any size, not small ones as hypothesis's are
    modulus = random.getrandbits(bits) + 2
    v, limit = random.randrange(modulus), random.getrandbits(random.randint(1, bits))
    r, s = (modulus, v), (0, 1)
    while r[1] > limit:
        q = r[0] // r[1]
        r, s = (r[1], r[0] - q * r[1]), (s[1], s[0] - q * s[1])
    assert lifting.smallest_denominator(v, modulus, limit) == abs(s[1])
