"""Is a kernel matrix positive semidefinite whose elements are known as intervals only?

Where the kernel's formula says so, it is. Any other is looked at on the examples: p bits of it are
factored, and either that proves that it is positive definite, or a negative pivot shows a vector v
with v'Kv < 0, which is proved on its own. If neither, twice the bits; a matrix that is singular
stays undecided, and is refused like an indefinite one: nothing would be certain about its optimum.
"""

from math import gcd

from ..numerics.dixon_lifting import integer_dot
from ..numerics.fixed_point import FixedPointLDL, eigenvalue_lower_bound
from .definiteness import indefinite, inner_product, refuse_asymmetric
from .enclosures import enclosing, on_fractions
from .rounded_problem import Merged, centres

PRECISIONS = (64, 128, 256, 512)
DIGITS = (2, 4, 8, 16, 32, 64)  # bits of a witness: the fewer the easier to read


def refuse_unless_definite(problem):
    """ValueError, with a witness if there is one, unless the kernel is known to be one.

    Examples with the same features count once, those without features not at all.
    """
    if inner_product(problem.kernel):
        return
    X = on_fractions(problem.X)
    row = enclosing(problem.kernel, X)
    refuse_asymmetric([row(x, PRECISIONS[0], problem.n) for x in X])
    merged = Merged(problem)
    places = {x: k for k, (x, _) in enumerate(merged.features) if x is not None}.values()
    for p in PRECISIONS:
        values = centres(merged.problem, p)
        K = [[values[i][j] for j in places] for i in places]
        # An error of one unit in each element lowers an eigenvalue by at most n units.
        if eigenvalue_lower_bound(K, p) * (1 << p) > len(K):
            return
        v = negative_direction(K, p)
        if v is not None:
            v = dict(zip((merged.groups[k][0] for k in places), v))
            raise indefinite([v.get(i, 0) for i in range(problem.n)])
    raise ValueError(
        f"the kernel matrix of {problem.kernel!r} could be neither proved nor refuted to be"
        f" positive semidefinite with {p} bits"
    )


def negative_direction(K, p):
    """Whole numbers v with v'Kv < 0 for every matrix less than 1 unit off K; None if not found.

    A row that is left out of the factors has a pivot that is not positive: its v makes Kv zero at
    all the rows that were kept.
    """
    factor = FixedPointLDL(K, p)
    for i in set(range(len(K))) - set(factor.kept):
        v = [0] * len(K)
        v[i] = 1 << p
        for k, u in zip(factor.kept, factor.solve([K[i][k] for k in factor.kept])):
            v[k] = -u
        for digits in DIGITS:
            short = [c >> p - digits for c in v]
            size = integer_dot(map(abs, short), [1] * len(K))
            if integer_dot(short, [integer_dot(row, short) for row in K]) + size * size < 0:
                return [c // gcd(*short) for c in short]
    return None
