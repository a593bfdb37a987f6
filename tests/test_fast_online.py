"""refsvm_fast's learners of one example at a time: the same bits, classes and sentences."""

from contextlib import suppress
from fractions import Fraction
from itertools import permutations
from math import inf, nan, nextafter
from random import Random

import interrupting
import profiles
import pytest
import strategies_fast as draws
from equality import Fresh, agree, compiled, equality_test, find, same, tree
from hypothesis import given
from hypothesis import strategies as st
from profiles import one_in, slow_cases
from strategies_fast import tried

import refsvm
import refsvm_fast
from refsvm import Gaussian, Linear, Polynomial, Precomputed, Spectrum

if refsvm_fast.COMPILED:
    from refsvm_fast._online import examples

LEARNERS = ["pegasos", "perceptron"]
KERNEL_LEARNERS = ["kernel_pegasos", "kernel_perceptron"]

lams = st.one_of(
    st.sampled_from([1, 0.1, 0.01, 1e-3, 1e-6, 3, 0.3, 1 / 3]),
    st.sampled_from([1e-300, 1e-308, 6e-309, 5e-324, 1e300, 1e307, 1e12]),
)
usual_lams = st.sampled_from([1, 0.5, 0.1, 0.25])


@st.composite
def lists_of_picks(draw, n):
    """Indices below n, as a list: random, in order, one again and again."""
    random = Random(draw(draws.seeds))
    steps = draw(st.one_of(st.integers(1, 9), st.integers(1, 40)))
    way = draw(st.integers(0, 4))
    if way == 0:
        return [i % n for i in range(steps)]
    if way == 1:
        return [random.randrange(n)] * steps
    if way == 2:
        return [random.choice([0, n - 1]) for _ in range(steps)]
    return [random.randrange(n) for _ in range(steps)]


@st.composite
def picks_below(draw, n):
    """Picks as any iterable of them, one that either package drew, too."""
    picks = draw(lists_of_picks(n))
    package = draw(st.sampled_from(["refsvm.numerics.picks", "refsvm_fast.numerics.picks"]))
    seed, steps = draw(draws.seeds), len(picks)
    sorts = [
        picks, picks, tuple(picks), dict.fromkeys(picks), draws.Listed(picks), iter_of(picks),
        Fresh(lambda: (s for s in picks)), range(min(steps, n)),
        Fresh(lambda: drawn(package, "uniform", n, steps, seed)),
        Fresh(lambda: drawn(package, "uniform", n, steps, seed)),
        Fresh(lambda: drawn(package, "shuffled_passes", n, 2, seed)),
        Fresh(lambda: drawn(package, "passes", n, 2)),
        Fresh(lambda: drawn(package, "passes", max(1, n - 1), 2)),
    ]
    if draws.numpy:
        sorts.append(draws.numpy.array(picks))
    return draw(st.sampled_from(sorts))


def iter_of(picks):
    return Fresh(lambda: iter(picks))


def drawn(package, name, *args):
    """An iterator of indices from the module picks of a package."""
    return getattr(__import__(package, fromlist=[name]), name)(*args)


@st.composite
def arguments(draw, learner, sorts=True, most=33, gentle=False):
    """The arguments of a learner, by name; good ones."""
    n = draw(draws.sizes(most))
    usual = gentle or draw(st.booleans())
    X = draw((draws.gentle_tables if usual else draws.tables)(n, draw(draws.widths)))
    given = {}
    if "kernel" in learner:
        given["kernel"] = draw(draws.plain_kernels(True) if usual else draws.kernels)
        which = draw(st.integers(0, 9))
        if which == 0:
            X, given["kernel"] = draw(draws.words_of(min(n, 15))), draw(draws.string_kernels)
        elif which == 1:
            X, given["kernel"] = draws.gram_of(X[:30]), Precomputed()
        given["cache_mb"] = draw(draws.cache_sizes)
    n, y = len(X), draw(draws.labellings(X))
    given["y"] = draw(draws.lists_as(y)) if sorts else y
    if learner == "pegasos":
        given["history"] = draw(st.sampled_from([True, True, False, 0, 1]))
    if "pegasos" in learner:
        given["lam"] = draw(usual_lams if gentle else lams)
    given["picks"] = draw(picks_below(n)) if sorts else draw(lists_of_picks(n))
    words = isinstance(X[0], str)
    given["X"] = draws.dress(X, draw(draws.dresses)) if sorts and not words else X
    return given


@equality_test("pegasos")
@given(arguments("pegasos"))
@profiles.draws(1/2)
def test_pegasos_visits_the_same_iterates(given):
    same("pegasos", **given)


@equality_test("perceptron")
@given(arguments("perceptron"))
def test_perceptron_makes_the_same_mistakes(given):
    same("perceptron", **given)


@pytest.mark.parametrize("name", sorted(draws.ROW_DRESSES))
def test_labels_and_values_of_each_sort_are_taken_and_refused_alike(name):
    for y in ([1.0, -1.0, -1.0], [1.0, 1.0, 1.0], [1.0, -1.0], [1.0, 2.0, -1.0], [1.0, nan, -1.0],
              [inf, 1.0, -1.0], []):
        learned_alike(draws.as_row(y, name))


def learned_alike(y):
    X = [[1.0, 2.0], [2.0, -1.0], [0.5, 0.5]]
    same("pegasos", X, y, 0.1, [0, 1, 2, 0])
    same("perceptron", X, y, [0, 1, 2, 0])


@pytest.mark.skipif(draws.numpy is None, reason="NumPy is needed")
def test_an_array_of_no_length_is_refused_as_labels_and_as_values_alike():
    learned_alike(draws.numpy.array(1.0))


@pytest.mark.skipif(draws.sparse is None, reason="SciPy is needed")
@equality_test(*LEARNERS)
@given(st.data())
@profiles.draws(1/2)
def test_sparse_matrices_are_learned_from_alike(data):
    learner = data.draw(st.sampled_from(LEARNERS))
    given = data.draw(arguments(learner, sorts=False))
    sort = data.draw(st.sampled_from(sorted(draws.SPARSE)))
    same(learner, **{**given, "X": draws.dress(given["X"], f"sparse, {sort}")})


@pytest.mark.skipif(draws.sparse is None, reason="SciPy is needed")
@pytest.mark.parametrize("count", [63, 64, 65, 128, 129, 200])
def test_rows_of_a_sparse_matrix_may_have_any_number_of_numbers(count):
    random = Random(count)
    places = [k for _ in range(3) for k in random.sample(range(1, 1999), count) + [0] * count]
    values = [random.gauss(0, 1) for _ in places]
    starts = [2 * count * i for i in range(4)]
    X = draws.sparse.csr_matrix((values, places, starts), shape=(3, 2000))
    same("pegasos", X, [1, -1, 1], 0.1, [0, 1, 2, 0, 2])
    same("perceptron", X, [1, -1, 1], [0, 1, 2, 0, 2])


@pytest.mark.skipif(draws.sparse is None, reason="SciPy is needed")
def test_a_score_is_summed_in_the_order_of_the_features_wherever_they_are_stored():
    values, places = [1, 1, 1, 1e16, -1e16, 1], [5, 3, 0, 5, 3, 0]

    def use(package):
        X = draws.sparse.csr_matrix((values, places, [0, 3, 6, 6]), shape=(3, 20))
        return package.perceptron(X, [1, 1, -1], [0, 1]).mistakes

    agree(use)
    assert use(refsvm) == 2  # 1 - 1e16 + 1e16 is 0


@compiled
@pytest.mark.parametrize("name, part", draws.BROKEN)
def test_a_sparse_matrix_that_is_none_is_not_listed(name, part):
    X = draws.three_rows(20)
    assert examples(X).n == 3
    assert examples(draws.with_part(X, name, part)) is None


@equality_test("kernel_pegasos")
@given(arguments("kernel_pegasos"))
@profiles.draws(1/2)
def test_kernel_pegasos_counts_the_same_pushes(given):
    same("kernel_pegasos", **given)


@equality_test("kernel_perceptron")
@given(arguments("kernel_perceptron"))
@profiles.draws(1/2)
def test_kernel_perceptron_makes_the_same_mistakes(given):
    same("kernel_perceptron", **given)


@equality_test("kernel_pegasos")
@given(arguments("kernel_pegasos", sorts=False, most=12), st.booleans())
def test_what_a_run_of_kernel_pegasos_can_tell_is_the_same(given, average):
    def use(package, **given):
        run = package.kernel_pegasos(**given)
        return run.alpha(average), run.model(average), run.bracket(average)

    agree(use, **given)


@equality_test(*LEARNERS, *KERNEL_LEARNERS)
@given(st.data())
def test_fractions_are_learned_from_as_the_oracle_does(data):
    learner = data.draw(st.sampled_from(LEARNERS + KERNEL_LEARNERS))
    given = data.draw(arguments(learner, sorts=False, most=6, gentle=True))
    names = [name for name in ("X", "lam", "y") if name in given]
    name = data.draw(st.sampled_from(names))
    value = data.draw(st.sampled_from([Fraction(1, 3), Fraction(2), Fraction(-1, 2)]))
    if name == "X" and not isinstance(given["X"][0], str):
        given["X"] = [[value, *row[1:]] for row in given["X"]]
    elif name == "y":
        given["y"] = [*given["y"][:-1], value]
    elif name != "X":
        given[name] = value
    same(learner, **given)


# ---- the places where compiled code could go another way


@pytest.mark.parametrize("n, d", [
    (3, 1), (40, 9), *slow_cases("a difference that appears after hundreds of rounds", (300, 17))
])
@pytest.mark.parametrize("share", [1, 0.2])
def test_long_runs_agree_to_the_end(n, d, share):
    random = Random(n + d)
    X = [[random.gauss(0, 1) if random.random() < share else 0.0 for _ in range(d)]
         for _ in range(n)]
    y = [1 if x[0] + random.gauss(0, 0.3) > 0 else -1 for x in X]
    y[:2] = [1, -1]

    def use(package, name, *args):
        picks = drawn(f"{package.__name__}.numerics.picks", "uniform", n, 600, 7)
        return find(package, name)(*args, picks)

    agree(use, "perceptron", X, y)
    for lam in (1, 1e-2, 1e-5):
        runs = [use(package, "pegasos", X, y, lam) for package in (refsvm, refsvm_fast)]
        assert tree(runs[0].w) == tree(runs[1].w)
        assert tree(runs[0].average) == tree(runs[1].average)
        assert runs[0].W == runs[1].W
    for kernel in (Linear(), Gaussian(0.5), Polynomial(2)):
        if n <= 300:
            agree(use, "kernel_perceptron", kernel, X, y)
            agree(use, "kernel_pegasos", kernel, X, y, 1e-3)


@pytest.mark.parametrize("lam", [1, 1e-300, 1e-308])
def test_products_with_zero_count_once_a_weight_is_infinite(lam):
    # Mostly zeros; a push of 1e300 / 1e-300 is infinite, and infinity times 0 is no number.
    X = [[0.0] * 9 for _ in range(6)]
    X[0][2], X[1][3], X[2][2], X[4][8] = 1e300, -1e300, 1.0, -0.0
    y = [1, -1, 1, -1, 1, -1]
    same("pegasos", X, y, lam, [0, 2, 3, 4, 1, 2, 5, 0, 1, 2, 3, 4, 5])
    same("perceptron", [[v * 1e8 for v in x] for x in X], y, list(range(6)) * 4)
    X[0][2] = X[1][2] = 1.7e308
    same("perceptron", X, [1, 1, -1, -1, 1, -1], [0, 1, 0, 1, 2, 2, 3, 4, 5, 0])


@pytest.mark.parametrize("d", [
    1, 4, 9, *slow_cases("an end of the lanes", *one_in(3, [2, 3, *range(5, 9), *range(10, 21)]))
])
def test_scores_side_by_side_are_summed_in_the_order_of_the_features(d):
    random = Random(d)
    sizes = [1.0, 1e8, 1e16, 5e-324, 1e-160, 1e160]
    for n in (2, 8, 11):
        X = [[random.gauss(0, 1) for _ in range(d)] for _ in range(n)]
        for size in sizes:  # what cancels, is subnormal, or overflows, and maybe to NaN
            Z = [[random.choice([1, -1, -1e-16, 0.3, -0.0]) * size for _ in range(d)] for _ in X]
            with_one = [[random.choice(sizes) if k == i % d else x for k, x in enumerate(row)]
                        for i, row in enumerate(Z)]
            for rows in (Z, with_one):
                same("perceptron", rows, labels_of(n), [random.randrange(n) for _ in range(60)])
                same("pegasos", rows, labels_of(n), 0.1, [random.randrange(n) for _ in range(60)])


def labels_of(n):
    """n labels, -1 for one in three."""
    return [1 if i % 3 else -1 for i in range(n)]


@pytest.mark.parametrize("values", [[1], [1, 1, -1], [2], [0.1, 0.3, -0.7]])
@pytest.mark.parametrize("d", [9, 21, *slow_cases("lists longer than a block", 150)])
def test_lists_of_any_length_are_learned_from_alike(d, values):
    random = Random(d)
    X = []
    for filled in [*range(d // 4 + 1), 0, 1]:
        places = random.sample(range(d), filled)
        X.append([random.choice(values) if k in places else 0.0 for k in range(d)])
        X[-1][d - 1] = float(random.choice(values))
    assert 2 * sum(v != 0 for row in X for v in row) < len(X) * d
    y = labels_of(len(X))
    picks = [random.randrange(len(X)) for _ in range(300)]
    for history in (True, False):
        for lam in (1, 1e-2, 1 / 3):
            same("pegasos", X, y, lam, picks, history=history)
    same("perceptron", X, y, picks)


@pytest.mark.parametrize("d", [1, 8, 30])
@pytest.mark.parametrize("lam", [1, 1 / 3, 1e300, 7e-309])
def test_a_margin_of_one_is_no_reason_to_push_and_the_next_below_is(lam, d):
    # In round 2 the margin is x x' / lam, for x' around lam / x; rounded it may be 1, or not.
    for x in (1.0, 3.0, 0.7, 1.1e-3):
        centre = lam / x
        for other in (centre, nextafter(centre, 0), nextafter(centre, inf)):
            X = [[x] + [0.0] * (d - 1), [other] + [0.0] * (d - 1), [-x] + [0.0] * (d - 1)]
            same("pegasos", X, [1, 1, -1], lam, [0, 1, 2, 1, 1, 2])


@pytest.mark.parametrize("d", [3, 8, *slow_cases("rows longer than the lanes", 30)])
def test_once_lam_times_t_is_infinite_finite_margins_push_and_no_others(d):
    # 1e307 t is infinite from t = 18 on, and w then shows the sign of v, no more. The margins of
    # rows 0 to 3 are infinite, -infinite, no number, and 0 at first.
    X = [[1e200, 0.0, 0.0], [-1e200, 0.0, 0.0], [1e200, 1e200, 0.0], [0.0, 0.0, 1.0]]
    X = [row + [0.0] * (d - 3) for row in [*X, [0.0, -1e200, 0.0]]]
    first = [0, 4, *[0] * 20]
    for rest in permutations(range(5), 3):
        for picks in (first + list(rest) * 3, [*first[:9], *rest, *first]):
            same("pegasos", X, [1, 1, 1, -1, -1], 1e307, picks)


def test_a_weight_that_becomes_minus_zero_is_minus_zero():
    # -5e-324 shrunk by 1/2 is -0.0; adding +0 makes it +0, adding -0 does not.
    X = [[5e-324, 0.0, 1.0], [0.0, 0.0, -1.0], [0.0, -0.0, 1.0]]
    for y in ([-1, 1, 1], [-1, 1, -1], [-1, -1, 1]):
        for picks in ([0, 1, 2, 1, 2], [0, 2, 1, 1], [0, 1, 1, 1, 1]):
            same("pegasos", X, y, 1.0, picks)


def test_what_only_seems_to_be_iterable_is_refused_as_picks_alike():
    for picks in (list, *([draws.numpy.array(1)] if draws.numpy else [])):
        same("perceptron", [[1.0], [-1.0]], [1, -1], picks)
        same("kernel_perceptron", Linear(), [[1.0], [-1.0]], [1, -1], picks)


@pytest.mark.parametrize("package", ["refsvm.numerics.picks", "refsvm_fast.numerics.picks"])
def test_picks_are_used_up_whatever_comes_of_the_run(package):
    for X in ([[1.0], [2.0]], [[1.0], [None]]):
        picks = drawn(package, "uniform", 2, 5000, 3)
        with suppress(ValueError, TypeError):
            refsvm_fast.perceptron(X, [1, -1], picks)
        assert len(list(picks)) == (0 if X[1][0] is not None else 5000)


@pytest.mark.parametrize("name", ["uniform", "passes", "shuffled_passes"])
@pytest.mark.parametrize("learner", ["kernel_perceptron", "kernel_pegasos"])
def test_picks_are_used_up_before_the_kernel_is_asked(learner, name):
    X, y = [[1.0], [2.0], [-1.0]], [1, 1, -1]

    def use(package, kernel):
        picks = find(package, f"numerics.picks.{name}")(3, 40, *([7] if name != "passes" else []))
        seen = [next(picks)]
        run = tried(getattr(package, learner), lambda x, z: kernel(x, z, seen, picks), X, y,
                    *([0.1] if learner == "kernel_pegasos" else []), picks)
        return run, seen, list(picks)

    def curious(x, z, seen, picks):
        seen.extend(picks)
        return x[0] * z[0]

    def refusing(x, z, seen, picks):
        return inf if x != z else 1.0

    agree(use, curious)
    agree(use, refusing)


def test_a_row_that_is_not_asked_for_is_not_computed():
    def kernel(x, z):
        return 1e999 if x != z and min(x[0], z[0]) > 1 else 1.0

    X, y = [[1.0], [2.0], [3.0]], [1, -1, 1]
    for picks in ([0], [1], [1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 1, 0], [0, 2, 2]):
        same("kernel_pegasos", kernel, X, y, 0.5, picks)
        same("kernel_perceptron", kernel, X, y, picks)


@pytest.mark.parametrize("place", [0, 3, 7, 8, 9, 16, 19])
def test_a_kernel_value_that_is_infinite_is_named_by_its_place(place):
    X, y = [[1.0, 0.0] for _ in range(20)], [1, -1] * 10
    X[place][1] = 1e200
    for kernel in (Linear(), Polynomial(2)):
        for picks in ([(place + 1) % 20], [place, 0], [0, 1, place]):
            same("kernel_perceptron", kernel, X, y, picks)
            same("kernel_pegasos", kernel, X, y, 0.5, picks)


def test_a_model_decides_alike():
    X, y = [[0.5, 1.0], [2.0, -1.0], [0.0, 3.0]], [1, -1, 1]

    def use(package, name, *args):
        model = find(package, name)(*args).model()
        assert type(model) is package.Model
        return model.decision([0.25, 0.5])

    agree(use, "pegasos", X, y, 0.1, [0, 1, 2])
    agree(use, "perceptron", X, y, [0, 1, 2])
    for kernel in (Gaussian(1), Linear()):
        agree(use, "kernel_pegasos", kernel, X, y, 0.1, [0, 1, 2])
        agree(use, "kernel_perceptron", kernel, X, y, [0, 1, 2])
    words = ["ab", "ba", "bb"]
    agree(lambda package: package.kernel_pegasos(Spectrum(1), words, y, 0.1, [0, 1, 2]).model()
          .decision("abba"))


def test_the_last_iterate_is_the_list_that_is_returned_as_w():
    for package in (refsvm, refsvm_fast):
        run = package.pegasos([[1.0], [2.0]], [1, -1], 1.0, [0, 1])
        assert run.w is run.W[-1]


@interrupting.possible
@pytest.mark.parametrize("name", LEARNERS + KERNEL_LEARNERS)
def test_an_interruption_ends_a_long_run(name):
    if not refsvm_fast.COMPILED:
        pytest.skip("nothing is compiled here")
    random = Random(1)
    X = [[random.gauss(0, 1) for _ in range(10)] for _ in range(400)]
    given = {"X": X, "y": [1 if i % 2 else -1 for i in range(400)]}
    if "kernel" in name:
        given["kernel"] = Gaussian(0.1)
    if "pegasos" in name:
        given["lam"] = 1e-3
    if name == "pegasos":
        given["history"] = False
    given["picks"] = drawn("refsvm_fast.numerics.picks", "uniform", 400, 10**9, 1)
    with pytest.raises(KeyboardInterrupt), interrupting.interrupted_after(0.2):
        getattr(refsvm_fast, name)(**given)


def test_every_learner_is_compiled():
    for name in LEARNERS + KERNEL_LEARNERS:
        assert find(refsvm_fast, name) is not find(refsvm, name) or not refsvm_fast.COMPILED


def test_lms_is_the_oracles_also_for_pickles_of_when_it_was_compiled():
    theirs = find(refsvm, "online.lms")
    for name in "lms", "kernel_lms", "stochastic_lms", "stochastic_kernel_lms":
        assert find(refsvm_fast, f"online.lms.{name}") is getattr(theirs, name)
    assert refsvm_fast.lms is theirs.lms
    assert refsvm_fast.KernelLMS is theirs.KernelLMS
