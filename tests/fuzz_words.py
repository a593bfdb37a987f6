"""Look for a false word about an answer in doubles, for as long as there is time:

    python tests/fuzz_words.py --seconds 600 --seed 1
    python tests/fuzz_words.py --only 1234567        one answer again, by the number printed

A problem of any machine is solved by any solver; then all that its Solution says is compared with
Fractions: the status, gap, objective, violation and the intervals of the offsets; and between what
gap_bounds says that the primal is of these and of spoilt multipliers and offsets. Every fourth one
is solved by both packages. Now and then it is 60 raw rows of a real data set, under a cubic kernel
(REFSVM_DATA). What is false is printed with its number; the exit status is then 1.
"""

import argparse
import sys
import time
from collections import Counter
from fractions import Fraction
from functools import cache
from math import inf
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import equality  # noqa: E402
import truths  # noqa: E402

import refsvm  # noqa: E402
import refsvm_fast  # noqa: E402
from refsvm.numerics.environment import env_text  # noqa: E402
from refsvm.proofs.definiteness import (  # noqa: E402
    require_definite,
    require_definite_enclosed,
)
from refsvm.proofs.rational_kernels import is_rational  # noqa: E402
from refsvm.solvers.decomposition import decomposition  # noqa: E402
from refsvm.svm.dual_form import infeasible_group  # noqa: E402

SETS = ["spambase", "wdbc", "diabetes_scale", "german.numer", "heart_scale", "svmguide3"]
ROWS = 60
EXACT_AT_MOST = 8  # examples of a problem whose optimum is asked for
PROVED = ("infeasible", "degenerate")


def solvers_of(problem):
    """(the name, refsvm's function, its other arguments) of each that takes the problem."""
    yield "smo", refsvm.smo, {}
    if not isinstance(problem, refsvm.Problem):
        return
    yield "decomposition", decomposition, {"members": 4, "max_iter": 5000}
    yield "active_set", refsvm.active_set, {}
    yield "projected_gradient", refsvm.projected_gradient, {"max_iter": 5000}
    if not problem.bias:
        yield "coordinate_ascent", refsvm.coordinate_ascent, {"max_iter": 5000}
        if problem.linear:
            picks = list(range(problem.n)) * 100
            yield "dual_coordinate_descent", refsvm.dual_coordinate_descent, {"picks": picks}


def false_words(problem, solution, tol, best=None):
    """What the Solution says that is not so, a sentence each. best: a lower bound of the optimum

    Without it the optimum is not told, and the dual of the multipliers stands for it, if these
    are feasible.
    """
    if solution.status in (*PROVED, "indefinite"):
        return []
    twin = truths.exact_twin(problem)
    alpha, slip = solution.alpha, truths.doubt(problem, solution.alpha)
    found, model = [], solution.model()
    offsets = [offset.value for offset in solution.offsets]
    kept = [("solution", offsets)]
    if len(offsets) == 1 and all(abs(v) < inf for v in offsets):  # models move theirs by rounding
        moved = {"b": "b", "rho": "b", "radius2": "radius2"}[problem.offsets_class._fields[0]]
        value = getattr(model, moved)
        kept.append(("model", [-value if "rho" in problem.offsets_class._fields else value]))
    least = best if best is not None else feasible_dual(problem, twin, alpha)
    for name, some in kept:
        if least is None or not all(abs(v) < inf for v in some):
            continue
        true = truths.kept_primal(problem, alpha, some, twin)
        if solution.gap < inf and not Fraction(solution.gap) + slip >= true - least:
            found.append(f"gap {solution.gap} of the {name}'s, {float(true - least)}")
        most = solution.optimum_at_most
        if most < inf and Fraction(most) + slip < true:
            found.append(f"optimum_at_most {most}, the primal of the {name}'s is {float(true)}")
        if best is None and solution.objective > true + slip:
            found.append(f"objective {solution.objective} above the primal {float(true)}")
    if best is not None and solution.objective > best + slip:
        found.append(f"objective {solution.objective}, optimum {float(best)}")
    if isinstance(problem, refsvm.NuRegressionProblem):  # its alpha do not tell its variables
        beta, more = truths.best_split(problem, alpha, twin)
        return found + false_violation(solution, tol, truths.Conditions.at(
            problem, alpha, twin, beta), slip + more)
    return found + false_conditions(problem, solution, tol, twin, slip)


def false_proof(problem, solution, is_semidefinite):
    """The same of a status that is a proof: the optimum of a few examples must have it, too.

    A sum that cannot be reached proves itself; all else is about inner products.
    """
    status = solution.status
    if status == "indefinite":
        return ["indefinite, and K is semidefinite"] if is_semidefinite else []
    if status not in PROVED or infeasible_group(problem.dual_form()) is not None:
        return []
    if not is_semidefinite:
        told = [] if has_twins(problem) and status == "infeasible" else [status]
        return [f"{word} is said of a matrix that is not semidefinite" for word in told]
    true = refsvm.solve_exactly(truths.stated(problem)).status
    return [] if true == status else [f"{status}, it is {true}"]


def has_twins(problem):
    """Whether two equal rows of both classes allow no slack: then no function parts them."""
    hard = [(tuple(x), y) for x, y, c in zip(problem.X, problem.y, problem.C) if c == inf]
    return any((x, -y) in hard for x, y in hard)


def has_semidefinite_kernel(problem):
    """Whether the kernel matrix is positive semidefinite, as far as that can be told."""
    try:
        require = require_definite if is_rational(problem.kernel) else require_definite_enclosed
        require(truths.exact_twin(problem) if is_rational(problem.kernel) else problem)
    except ValueError:
        return False
    return True


def false_conditions(problem, solution, tol, twin, slip, beta=None):
    """The same of violation, status, and the intervals of the offsets; of these variables."""
    true = truths.Conditions.at(problem, solution.alpha, twin, beta)
    found = false_violation(solution, tol, true, slip)
    for offset, low, high in zip(solution.offsets, *true.offsets()):
        if not (offset.low <= low + slip and offset.high >= high - slip):
            found.append(f"offset {offset.low}..{offset.high}: {float(low)}..{float(high)}")
    return found


def false_violation(solution, tol, true, slip):
    """The same of violation and status."""
    found, V = [], true.violation
    told = solution.violation
    if not (told if abs(told) == inf else Fraction(told) + slip) >= V:
        found.append(f"violation {solution.violation}, {float(V)}")
    if solution.status == "optimal" and V > Fraction(tol) * true.unit + slip:
        found.append(f"optimal, V {float(V)} of {float(Fraction(tol) * true.unit)}")
    return found


def feasible_dual(problem, twin, alpha):
    """The dual of the multipliers, if they are feasible; else None."""
    form, exact = twin.dual_form(), list(map(Fraction, alpha))
    beta = twin.variables_of(exact)
    sums = [truths.total(beta[k] for k in g) for g in form.groups]
    inside = all(a <= x <= b for a, x, b in zip(form.lower, beta, form.upper))
    return twin.dual(exact) if inside and sums == list(form.sums) else None


def spoilt(random, problem, solution):
    """(alpha, offsets), a little wrong: some of the multipliers outside their bounds."""
    size = random.choice([0.0, 1e-12, 1e-6, 1e-2])
    alpha = [a * (1 + size * random.gauss(0, 1)) for a in solution.alpha]
    if random.random() < 0.3:
        alpha[random.randrange(len(alpha))] *= 1 + random.choice([1e-15, 1e-8, 1e-3])
    if random.random() < 0.1:
        k = random.randrange(len(alpha))
        alpha[k] = alpha[k] + random.choice([1, -1]) * max(map(abs, alpha)) * 1e-3
    offsets = [offset.value for offset in solution.offsets]
    if random.random() < 0.5:
        offsets = [v * (1 + random.choice([1e-9, 1e-3, 0.1]) * random.gauss(0, 1))
                   for v in offsets]
    return alpha, offsets


def false_bounds(problem, alpha, offsets, best):
    """What gap_bounds says that is not so; best as above."""
    names = problem.offsets_class._fields
    if not all(abs(v) < inf for v in [*alpha, *offsets]):
        return []
    if any(v < 0 and name in ("epsilon", "radius2") for v, name in zip(offsets, names)):
        return []
    bounds, twin = refsvm.gap_bounds(problem, alpha, *offsets), truths.exact_twin(problem)
    true, slip = truths.kept_primal(problem, alpha, offsets, twin), truths.doubt(problem, alpha)
    least = best if best is not None else feasible_dual(problem, twin, alpha)
    found = []
    high = Fraction(bounds.high) + slip if bounds.high < inf else inf
    if least is not None and not high >= true - least:
        found.append(f"high {bounds.high}, {float(true - least)} for {alpha}, {offsets}")
    if best is not None and true < inf and Fraction(bounds.low) > true - best + slip:
        found.append(f"low {bounds.low}, {float(true - best)} for {alpha}, {offsets}")
    return found


def false_bounds_of_best(problem, alpha, best):
    """The same of these multipliers with the offsets that are best for them."""
    if not all(abs(v) < inf for v in alpha):
        return []
    low, high = refsvm.gap_bounds(problem, alpha)
    gap = refsvm.certify(truths.stated(problem), alpha).primal - best
    return [] if low <= gap <= high else [f"gap {low} .. {high}, {float(gap)} for {alpha}"]


@cache
def rows_of(name):
    """The rows and labels of a set of REFSVM_DATA; none if it is not there."""
    folder = env_text("REFSVM_DATA")
    path = Path(folder or "") / f"{name}.libsvm"
    if folder is None or not path.exists():
        return [], []
    data = refsvm.read_data(path)
    return [list(x) for x in data.X], list(data.y)


def real_problem(random):
    """60 raw rows of a real set, cubic or quartic kernel; None where there are no sets."""
    X, y = rows_of(random.choice(SETS))
    if not X:
        return None
    chosen = random.sample(range(len(X)), min(ROWS, len(X)))
    labels = [1 if y[i] > 0 else -1 for i in chosen]
    if len(set(labels)) < 2:
        return None
    gamma, coef0 = random.choice([1.0, 1 / len(X[0])]), random.choice([0.0, 1.0])
    kernel = refsvm.Polynomial(random.choice([2, 3, 3, 3, 4]), gamma, coef0)
    C = random.choice([0.01, 1.0, 1000.0])
    return refsvm.Problem([X[i] for i in chosen], labels, kernel, C)


def false_of(random, problem, solution, tol):
    """What is false of this answer, and of what gap_bounds says of one like it."""
    best, few = None, problem.n <= EXACT_AT_MOST
    is_semidefinite = has_semidefinite_kernel(problem) if few else True
    if not is_semidefinite:  # then there is no optimum for which bounds could hold
        return false_proof(problem, solution, False)
    if few and is_rational(problem.kernel):
        best = truths.least_value(problem)
    alpha, offsets = spoilt(random, problem, solution)
    found = false_words(problem, solution, tol, best)
    if few:
        found += false_proof(problem, solution, True)
    if solution.status not in (*PROVED, "indefinite"):
        found += false_bounds(problem, alpha, offsets, best)
        if best is not None and not problem.linear:  # certify knows of no w that is rounded
            found += false_bounds_of_best(problem, alpha, best)
    return found


def tried(number, seen):
    """What is false of the answer of this number, as sentences; seen counts."""
    random = Random(number)
    real = random.random() < 0.004
    try:
        draw = random.choice([truths.drawn_problem, truths.edge_problem])
        problem = real_problem(random) if real else draw(random)
        if problem is None:
            seen["no data"] += 1
            return []
        name, solve, options = random.choice(list(solvers_of(problem)))
        tol = random.choice([1e-3, 1e-6, 0.1, 0.0])
        own = equality.own_problem(problem) if random.random() < 0.5 else problem
        package = refsvm if own is problem else refsvm_fast
        solution = getattr(package, name, solve)(own, tol=tol, **options)
        if random.random() < 0.25 and hasattr(refsvm_fast, name):
            equality.same(name, problem, tol=tol, **options)
        found = false_of(random, own, solution, tol)
    except ValueError as error:  # numbers beyond the doubles, and what no machine has
        seen[f"refused: {str(error).split(' ')[0]}"] += 1
        return []
    except AssertionError as error:
        return [str(error)]
    seen[solution.status] += 1
    seen["real" if real else type(problem).__name__] += 1
    seen[name] += 1
    return [f"{name} tol {tol}, {problem!r}, {package.__name__}: {word}" for word in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the number of one answer")
    given = parser.parse_args()
    end, numbers, seen, false = time.monotonic() + given.seconds, Random(given.seed), Counter(), 0
    while time.monotonic() < end:
        number = given.only if given.only is not None else numbers.getrandbits(40)
        found = tried(number, seen)
        seen["answers"] += 1
        for word in found:
            print(f"number {number}: {word}", flush=True)
        false += bool(found)
        if given.only is not None:
            break
    print(f"{false} of {seen['answers']} answers with a false word;", dict(seen.most_common()))
    return int(false > 0)


if __name__ == "__main__":
    sys.exit(main())
