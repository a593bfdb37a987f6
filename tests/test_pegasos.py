"""Pegasos: the step of the notes, to the last bit on floats and exactly on Fractions; kernels."""

from copy import deepcopy
from fractions import Fraction as Q
from functools import reduce
from itertools import islice
from operator import add

import pytest
from exact import exact_sum, inner, linear_gram
from hypothesis import given
from hypothesis import strategies as st
from problems import labellings
from profiles import draws
from test_regret import samples_and_picks, three
from test_regularised_risk import Sample, mean, minimum, samples, samples_and_points
from test_validation import refused

from refsvm.kernels.standard import Gaussian, Linear, Polynomial, Precomputed
from refsvm.numerics.picks import passes, uniform
from refsvm.online.pegasos import equivalent_problem, kernel_pegasos, pegasos
from refsvm.online.textbook_pegasos import textbook_pegasos
from refsvm.solvers.smo import smo
from refsvm.theory.regret import expectation, harmonic, pegasos_bound
from refsvm.theory.regularised_risk import objective, objective_unhalved

MIRRORED = [[Q(1)], [Q(-1)]], [1, -1]  # to every w the same as the one point x = 1, y = +1


def slide(X, y, lam, picks):
    """[w_1, w_2, ...] as the slides write the step: a rate, and two cases."""
    W = [[Q(0)] * len(X[0])]
    for j in picks:
        t, w = len(W), W[-1]
        rate = 1 / (t * lam)
        if y[j] * inner(w, X[j]) < 1:
            W.append([(1 - rate * lam) * v + rate * y[j] * x for v, x in zip(w, X[j])])
        else:
            W.append([(1 - rate * lam) * v for v in w])
    return W


def bits(vectors):
    return [[v.hex() for v in vector] for vector in vectors]


# The step


@given(samples_and_picks())
def test_iterates_are_those_of_the_slide(case):
    sample, picks = case
    before = deepcopy((sample, picks))
    run = pegasos(*sample, picks)
    assert slide(*sample, picks) == run.W
    assert run.w == run.W[-1] and len(run.W) == len(picks) + 1
    assert (sample, picks) == before


@given(samples_and_picks())
def test_the_textbook_step_gives_the_same_answer_on_fractions(case):
    sample, picks = case
    assert textbook_pegasos(*sample, picks) == pegasos(*sample, picks)


@pytest.mark.parametrize("algorithm", [pegasos, textbook_pegasos])
def test_a_margin_of_exactly_1_is_not_pushed(algorithm):
    assert algorithm(*MIRRORED, 1, [0, 1, 0]).W == [[0], [1], [Q(1, 2)], [Q(2, 3)]]


@draws(1/4)
@given(samples_and_picks())
def test_the_textbook_step_is_the_slide_rounded_operation_by_operation(case):
    (X, y, lam), picks = case
    X, lam = [list(map(float, x)) for x in X], float(lam)
    run = textbook_pegasos(X, y, lam, picks)
    assert bits(run.W) == bits(literal(X, y, lam, picks))
    sums = [reduce(add, column) for column in zip(*run.W[:-1])]
    assert bits([run.w, run.average]) == bits([run.W[-1], [v / len(picks) for v in sums]])


def literal(X, y, lam, picks):
    """[w_1, w_2, ...] on floats: first the shrinking, then the push."""
    W = [[0.0] * len(X[0])]
    for t, s in enumerate(picks, 1):
        margin = 0
        for a, x in zip(W[-1], X[s]):
            margin += a * x
        w = [(1 - 1.0 / t) * a for a in W[-1]]
        if y[s] * margin < 1:
            w = [a + y[s] / (lam * t) * x for a, x in zip(w, X[s])]
        W.append(w)
    return W


@draws(1/2)
@given(samples(), st.integers(1, 3))
def test_rounds_are_counted_on_through_all_passes(sample, times):
    n = len(sample.X)
    run = pegasos(*sample, passes(n, times))
    assert slide(*sample, [j for _ in range(times) for j in range(n)]) == run.W


@given(samples_and_picks())
def test_average_has_the_first_iterate_and_not_the_last(case):
    sample, picks = case
    run = pegasos(*sample, picks)
    assert run.W[0] == [0 * v for v in run.w]
    assert run.average == [mean(column) for column in zip(*run.W[:-1])]
    assert pegasos(*sample, picks[:1]).average == run.W[0]


@given(samples_and_picks())
def test_without_history_only_the_last_iterate_is_kept(case):
    sample, picks = case
    whole, last = pegasos(*sample, picks), pegasos(*sample, picks, history=False)
    assert last.W == [last.w] and last[:2] == whole[:2]


numbers = st.floats(-1e3, 1e3, allow_subnormal=False)


@given(
    st.lists(st.lists(numbers, min_size=2, max_size=2), min_size=3, max_size=3),
    labellings(3), st.floats(1e-3, 1e3), st.lists(st.integers(0, 2), min_size=1, max_size=12))
def test_floats_are_rounded_operation_by_operation(X, y, lam, picks):
    v, late, W, h = [0.0, 0.0], [0.0, 0.0], [[0.0, 0.0]], 0.0
    for t, s in enumerate(picks, 1):
        (p, q), margin, label = X[s], 0.0, float(y[s])
        if t > 1:
            h += 1.0 / float(t - 1)
            score = 0.0 + v[0] * p
            score += v[1] * q
            margin = label * (score / (lam * float(t - 1)))
        if margin < 1.0:
            v = [v[0] + label * p, v[1] + label * q]
            late = [late[0] + h * (label * p), late[1] + h * (label * q)]
        W.append([v[0] / (lam * float(t)), v[1] / (lam * float(t))])
    run, scale = pegasos(X, y, lam, picks), lam * float(len(picks))
    assert bits(run.W) == bits(W)
    assert bits([run.average]) == bits([[(0.0 - b + a * h) / scale for a, b in zip(v, late)]])


def test_the_average_after_one_round_is_zero_without_a_sign():
    assert bits([pegasos([[-1.0], [2.0]], [1, -1], 1, [0]).average]) == [["0x0.0p+0"]]


def test_bits_of_a_run_are_these():
    X = [[0.1, 0.7], [-0.3, 0.2], [1.3, -0.4], [0.6, 0.9]]
    run = pegasos(X, [1, -1, -1, 1], 0.3, uniform(4, 50, seed=1))
    assert bits([run.w]) == [["-0x1.1111111111115p-2", "0x1.40da740da740ep+0"]]
    assert bits([run.average]) == [["-0x1.d2f297e76d4c0p-2", "0x1.02306b2736b1ap+0"]]


@given(samples_and_picks())
def test_integers_floats_and_fractions_are_the_same_examples(case):
    sample, picks = case
    X = [[int(4 * v) for v in x] for x in sample.X]
    assert pegasos(X, sample.y, sample.lam, picks) == pegasos(
        [[float(v) for v in x] for x in X], sample.y, sample.lam, picks)
    assert pegasos(X, sample.y, 2, picks) == pegasos(
        [[float(v) for v in x] for x in X], sample.y, 2.0, picks)


def test_picks_may_be_an_iterator_and_the_same_seed_gives_the_same_run():
    X, y = [[1.5], [-2.0], [0.25]], [1, -1, -1]
    run = pegasos(X, y, 0.1, uniform(3, 20, seed=5))
    assert run == pegasos(X, y, 0.1, list(uniform(3, 20, seed=5)))
    assert run.W[:11] == pegasos(X, y, 0.1, islice(uniform(3, 20, seed=5), 10)).W


# Ties, and where the slide leads


def test_on_the_kink_nothing_is_pushed():
    # Not strictly, w would stay at 1 for ever: both are subgradients, the trajectories differ.
    assert [[0], [1], [Q(1, 2)], [Q(2, 3)], [Q(3, 4)]] == pegasos(*MIRRORED, 1, passes(2, 2)).W
    assert pegasos([[1.0], [-1.0]], [1, -1], 1.0, passes(2, 1)).W == [[0.0], [1.0], [0.5]]


@given(st.integers(1, 60))
def test_slide_goes_to_the_minimum_of_F_and_not_to_that_of_J(T):
    # One point, lam = 1: F is least at 1, J at 1/2. w_{t+1} = 1 - 1/t, but for the tie at first.
    run = pegasos(*MIRRORED, 1, [t % 2 for t in range(T)])
    assert run.w == ([1 - Q(1, T)] if T > 1 else [1])
    assert minimum(Sample(*MIRRORED, Q(1)))[0] == [1]
    assert minimum(Sample(*MIRRORED, Q(2)))[0] == [Q(1, 2)]  # J is F with 2 lam
    least = objective_unhalved([Q(1, 2)], *MIRRORED, 1)
    assert objective(run.w, *MIRRORED, 1) - objective([1], *MIRRORED, 1) == (
        Q(1, 2 * T * T) if T > 1 else 0)
    if T > 2:
        assert objective_unhalved(run.w, *MIRRORED, 1) - least == (Q(1, 2) - Q(1, T)) ** 2


@given(st.integers(2, 60))
def test_with_lam_doubled_it_goes_to_the_minimum_of_J(T):
    run = pegasos(*MIRRORED, 2, [t % 2 for t in range(T)])
    assert run.w == [Q(1, 2)]  # one point: every round pushes
    assert run.W[1:] == [[Q(1, 2)]] * T


@given(st.integers(1, 60))
def test_on_one_point_the_average_is_exactly_harmonic_over_T_away(T):
    # Slow: ten times nearer takes more than ten times as many rounds, and F grows as the square.
    run = pegasos(*MIRRORED, 1, [t % 2 for t in range(T)])
    away = harmonic(T - 1) / T if T > 1 else 1
    assert 1 - run.average[0] == away
    assert objective(run.average, *MIRRORED, 1) - objective([1], *MIRRORED, 1) == away**2 / 2
    assert away**2 / 2 <= pegasos_bound(1, 1, T)


# Kernels


KERNELS = [Linear(), Polynomial(2, coef0=1), lambda x, z: (1 + inner(x, z)) ** 3]


def functions(K, y, lam, picks):
    """[g_1, g_2, ...] as coefficients of the K(x_i, .), updated as the notes write it."""
    g, all_of_them = [Q(0)] * len(y), [[Q(0)] * len(y)]
    for t, s in enumerate(picks, 1):
        h = 1 - y[s] * inner(g, K[s])
        g = [(1 - Q(1, t)) * a for a in g]
        if h > 0:
            g[s] += y[s] / (lam * t)
        all_of_them.append(g)
    return all_of_them


def signed(amounts, y):
    return [a * label for a, label in zip(amounts, y)]


@draws(1/2)
@given(samples_and_picks(), st.sampled_from(KERNELS))
def test_counts_are_those_of_the_notes_update_in_function_space(case, kernel):
    (X, y, lam), picks = case
    before = deepcopy((X, y, picks))
    K = [[kernel(x, z) for z in X] for x in X]
    G = functions(K, y, lam, picks)
    run = kernel_pegasos(kernel, X, y, lam, picks)
    assert signed(run.alpha(average=False), y) == G[-1]
    assert run.alpha(average=False) == [c / (lam * len(picks)) for c in run.counts]
    assert signed(run.alpha(), y) == [mean(column) for column in zip(*G[:-1])]
    assert all(type(c) is int and c >= 0 for c in run.counts)
    assert exact_sum(run.counts) <= run.steps == len(picks)
    assert inner(G[-1], [inner(row, G[-1]) for row in K]) <= max(
        K[i][i] for i in range(len(X))) / lam**2
    assert (X, y, picks) == before


@draws(1/2)
@given(samples_and_picks())
def test_linear_kernel_takes_the_same_rounds_as_pegasos(case):
    sample, picks = case
    plain = pegasos(*sample, picks)
    for t in range(1, len(picks) + 1):
        run = kernel_pegasos(Linear(), *sample, picks[:t])
        assert run.model(average=False).w == plain.W[t]
    assert run.model().w == plain.average


@draws(1/2)
@given(samples_and_picks())
def test_explicit_features_take_the_same_rounds_as_their_kernel(case):
    (X, y, lam), picks = case
    features = [[a * b for a in x for b in x] for x in X]  # their dots are <x, z>^2
    run = kernel_pegasos(Polynomial(2), X, y, lam, picks)
    plain = pegasos(features, y, lam, picks)
    for average, w in ((True, plain.average), (False, plain.w)):
        beta = signed(run.alpha(average), y)
        assert [inner(beta, column) for column in zip(*features)] == w
        assert [run.model(average).decision(x) for x in X] == [inner(w, z) for z in features]


@draws(1/2)
@given(samples_and_picks())
def test_precomputed_values_stand_for_the_kernel(case):
    (X, y, lam), picks = case
    run = kernel_pegasos(Precomputed(), linear_gram(X), y, lam, picks)
    assert run == kernel_pegasos(Linear(), X, y, lam, picks)
    assert run.model().decisions(linear_gram(X)) == kernel_pegasos(
        Linear(), X, y, lam, picks).model().decisions(X)


def test_a_margin_of_exactly_1_is_seen_on_fractions_that_no_double_holds():
    run = kernel_pegasos(
        Linear(), [[Q(-2, 7)], [Q(1)], [Q(1)]], [1, -1, 1], Q(1, 49), [1, 1, 2, 0, 0])
    assert run.counts == [1, 1, 1]  # at last g(x_0) = 1; in floats it would be a little less


def test_words_can_be_told_apart():
    def common(x, z):
        return len(set(x) & set(z))

    X, y = ["ab", "abc", "xy", "xyz"], [1, 1, -1, -1]
    run = kernel_pegasos(common, X, y, Q(1, 4), passes(4, 3))
    assert run.model().predictions(["b", "y"]) == [1, -1]
    assert run.counts == kernel_pegasos(
        Precomputed(), [[Q(common(x, z)) for z in X] for x in X], y, Q(1, 4), passes(4, 3)).counts


@draws(1/8)
@given(three(3), st.sampled_from([Linear(), Polynomial(2, coef0=1)]))
def test_uniform_draws_keep_the_bound_with_a_kernel_too(case, kernel):
    (X, y, lam), T = case
    problem, _ = equivalent_problem(kernel, X, y, lam)
    least = lam * smo(problem, tol=0).objective
    X2 = max(kernel(x, x) for x in X)

    def F_at_average(picks):
        return kernel_pegasos(kernel, X, y, lam, picks).bracket()[1]

    assert expectation(3, T, F_at_average) <= least + pegasos_bound(X2, lam, T)


# The certificate


@draws(1/2)
@given(samples_and_picks(), st.booleans())
def test_least_value_is_inside_the_bracket_and_F_here_is_its_top(case, average):
    sample, picks = case
    run = kernel_pegasos(Linear(), *sample, picks)
    low, high = run.bracket(average)
    assert low <= minimum(sample)[1] <= high
    assert high == objective(run.model(average).w, *sample)


@draws(1/2)
@given(samples_and_points(1))
def test_problem_of_F_is_F_over_lam(case):
    (X, y, lam), _ = case
    problem, same = equivalent_problem(Linear(), X, y, lam)
    assert same == lam and set(problem.C) == {1 / (lam * len(X))} and not problem.bias
    alpha = [Q(k + 1, 3) for k in range(len(X))]
    w = problem.weights(alpha)
    assert lam * problem.primal(alpha, 0) == objective(w, X, y, lam)


def test_bracket_closes_on_one_point():
    run = kernel_pegasos(Linear(), *MIRRORED, 1, [0, 1, 0, 1])
    assert run.bracket(average=False) == (Q(15, 32), Q(17, 32))
    assert minimum(Sample(*MIRRORED, Q(1)))[1] == Q(1, 2)


# Models, floats, memory


@given(samples_and_picks())
def test_models_decide_by_the_average_or_by_the_last(case):
    sample, picks = case
    run = pegasos(*sample, picks)
    for x in sample.X:
        assert run.model().decision(x) == inner(run.average, x)
        assert run.model(average=False).decision(x) == inner(run.w, x)
    assert run.model().w is not run.average  # a model may be changed without harm to the run


@given(st.lists(st.tuples(numbers, numbers), min_size=3, max_size=3), labellings(3),
       st.lists(st.integers(0, 2), min_size=1, max_size=12))
@draws(1/2)
def test_kernel_floats_are_rounded_operation_by_operation(X, y, picks):
    lam, k = 0.3, Gaussian(0.001)
    counts, since, h = [0, 0, 0], [0.0, 0.0, 0.0], 0.0
    for t, s in enumerate(picks, 1):
        g = 0.0
        if t > 1:
            h += 1.0 / float(t - 1)
            for i in range(3):
                if counts[i]:
                    g += float(counts[i] * y[i]) * k(X[s], X[i])
            g = g / (lam * float(t - 1))
        if float(y[s]) * g < 1.0:
            counts[s] += 1
            since[s] += h
    run = kernel_pegasos(k, X, y, lam, picks)
    assert run.counts == counts
    assert bits([run.average]) == bits([[float(c) * h - late for c, late in zip(counts, since)]])
    assert bits([run.alpha(False)]) == bits([[c / (lam * float(len(picks))) for c in counts]])
    assert run == kernel_pegasos(k, X, y, lam, picks, cache_mb=1e-9)


def test_lam_and_fractions_mix():
    run = kernel_pegasos(Linear(), [[1.0], [-1.0]], [1, -1], Q(1, 3), [0, 1, 0])
    assert set(run.problem.C) == {Q(3, 2)} and type(run.lam) is Q
    run = kernel_pegasos(Linear(), [[Q(1)], [Q(-1)]], [1, -1], 0.1, [0, 1, 0])
    assert set(run.problem.C) == {1 / (2 * Q(0.1))}


# The door


@pytest.mark.parametrize("call, sentence", [
    (lambda: pegasos([[1], [2]], [1, 1], 1, [0]),
     (ValueError, "y holds the label +1 only; both classes are needed")),
    (lambda: pegasos([[1], [2, 3]], [1, -1], 1, [0]),
     (ValueError, "X[1] has length 2; every row must have the length of X[0], which is 1")),
    (lambda: pegasos([[1], [2]], [1, -1], 0, [0]), (ValueError, "lam is 0; it must be positive")),
    (lambda: pegasos([[1], [2]], [1, -1], 5e-324, [0]),
     (ValueError, "lam is 5e-324; 1 / lam and 2 lam must be numbers a double holds")),
    (lambda: pegasos([[1], [2]], [1, -1], 1e308, [0]),
     (ValueError, "lam is 1e+308; 1 / lam and 2 lam must be numbers a double holds")),
    (lambda: pegasos([[1], [2]], [1, -1], 1, []),
     (ValueError, "picks is empty; it must hold at least one index")),
    (lambda: pegasos([[1], [2]], [1, -1], 1, 7),
     (TypeError, "picks is 7; an iterable of indices is needed")),
    (lambda: pegasos([[1], [2]], [1, -1], 1, [0, 2]),
     (ValueError, "picks[1] is 2; there are 2 examples")),
    (lambda: pegasos([[1], [2]], [1, -1], 1, [0, -1]),
     (ValueError, "picks[1] is -1; it must be at least 0")),
    (lambda: pegasos([[1], [2]], [1, -1], 1, [0.0]),
     (TypeError, "picks[0] is 0.0; a whole number is needed")),
    (lambda: kernel_pegasos(7, [[1], [2]], [1, -1], 1, [0]),
     (TypeError, "kernel is 7; a kernel or a function k(x, z) is needed")),
    (lambda: kernel_pegasos(Linear(), [[1], [2]], [1, -1], 0, [0]),
     (ValueError, "lam is 0; it must be positive")),
    (lambda: kernel_pegasos(Linear(), [[1], [2]], [1, -1], 1, [2]),
     (ValueError, "picks[0] is 2; there are 2 examples")),
    (lambda: kernel_pegasos(Linear(), [[1], [2]], [1, -1], 1, [0], cache_mb=0),
     (ValueError, "cache_mb is 0; it must be positive")),
    (lambda: kernel_pegasos(Precomputed(), [[1, 2], [3, 4]], [1, -1], 1, [0]),
     (ValueError, "X[1][0] is 3.0 and X[0][1] is 2.0; a precomputed Gram matrix is symmetric,"
      " so take (K + K.T) / 2")),
    (lambda: kernel_pegasos(Gaussian(1), [[Q(1)], [2]], [1, -1], 1, [0]),
     (TypeError, "the values of Gaussian on Fractions are not Fractions; give floats")),
    (lambda: kernel_pegasos(lambda x, z: 1e308 * 10 * x[0] * z[0], [[0], [2]], [1, -1], 1, [0]),
     (ValueError, "the kernel value of examples 0 and 0 is nan; it must be finite")),
    (lambda: pegasos([[1], [2]], [1, -1], 1, [0]).model("last"),
     (TypeError, "average is 'last'; it must be True or False"))])
def test_bad_arguments_are_refused_with_a_sentence(call, sentence):
    assert refused(call) == sentence
