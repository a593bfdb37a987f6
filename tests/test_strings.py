"""The kernel of substrings: one number in four ways, and strings as rows all the way."""

from fractions import Fraction as Q
from itertools import product
from math import inf
from unittest.mock import patch

import pytest
from exact import optimum
from hypothesis import given
from hypothesis import strategies as st
from problems import labellings, penalties
from profiles import draws
from test_validation import exactly, refused

from refsvm.estimators.svc import SVC
from refsvm.kernels import strings
from refsvm.kernels.gram_matrices import gram
from refsvm.kernels.mercer_condition import mercer
from refsvm.kernels.standard import Linear
from refsvm.kernels.strings import (
    Spectrum,
    count_vector,
    count_words,
    pairs_by_counting,
    pairs_by_suffixes,
    substring_counts,
)
from refsvm.numerics.linalg import dot, gram_of_rows
from refsvm.solvers.smo import smo
from refsvm.svm.kkt_conditions import kkt
from refsvm.svm.problem import Problem

words = st.text("ab", max_size=8)
lengths = st.integers(1, 4)


def pairs_one_by_one(x, z, length):
    """The definition: places i and j with x[i : i + length] == z[j : j + length]."""
    starts_x, starts_z = range(len(x) - length + 1), range(len(z) - length + 1)
    return len([1 for i in starts_x for j in starts_z if x[i:i + length] == z[j:j + length]])


# The number


@given(words, words, lengths)
def test_pairs_of_equal_substrings_in_four_ways(x, z, length):
    expected = pairs_one_by_one(x, z, length)
    assert exactly(pairs_by_counting(x, z, length), expected)
    assert exactly(pairs_by_suffixes(x, z, length), expected)
    assert exactly(Spectrum(length)(x, z), expected)
    assert exactly(
        dot(count_vector(x, length, "ab"), count_vector(z, length, "ab")), expected
    )


def test_all_short_strings_of_two_letters_agree():
    some = ["".join(letters) for n in range(5) for letters in product("ab", repeat=n)]
    for length in (1, 2, 3):
        for x in some:
            for z in some:
                assert pairs_by_suffixes(x, z, length) == pairs_by_counting(x, z, length)


@given(st.text("aαé", max_size=6), lengths)
def test_counts_are_of_every_place_overlaps_included(x, length):
    counts = substring_counts(x, length)
    places = [x[i:i + length] for i in range(max(0, len(x) - length + 1))]
    assert counts == {word: places.count(word) for word in places}


@given(words, lengths)
def test_count_vector_has_a_place_for_every_word(x, length):
    vector = count_vector(x, length, "ab")
    assert len(vector) == count_words(2, length) == 2**length
    of_place = dict(zip(map("".join, product("ab", repeat=length)), vector))
    counts = substring_counts(x, length)
    assert {word: count for word, count in of_place.items() if count} == counts


def test_four_letters_of_26_make_456976_words():
    assert count_words(26, 4) == 26**4 == 456976
    assert len(substring_counts("thequickbrownfox", 4)) == 13


@given(words, st.integers(1, 12))
def test_a_string_shorter_than_the_length_is_the_zero_vector(x, more):
    k = Spectrum(len(x) + more)
    assert exactly(k(x, x), 0) and exactly(k("", x), 0) and exactly(k(x, "abababab"), 0)
    assert pairs_by_suffixes(x, x, len(x) + more) == 0


def test_overlaps_count():
    assert Spectrum(2)("aaaa", "aaa") == 6


class Letter(str):
    """A string that counts comparisons: for the cost of the dynamic programme."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other):
        Letter.compared += 1
        return str.__eq__(self, other)


class Letters(str):
    def __iter__(self):
        return map(Letter, str.__iter__(self))


@given(words, words, lengths)
def test_suffixes_compare_each_letter_with_each_once_whatever_the_length(x, z, length):
    before = Letter.compared
    with patch("refsvm.kernels.strings.text", lambda value, name: value):
        pairs_by_suffixes(Letters(x), z, length)
    assert Letter.compared - before == len(x) * len(z)


@pytest.mark.parametrize("call, refusal", [
    (lambda: Spectrum(0), (ValueError, "length is 0; it must be at least 1")),
    (lambda: Spectrum(2.0), (TypeError, "length is 2.0; a whole number is needed")),
    (lambda: Spectrum(2)([1, 2], [1, 3]),
     (TypeError, "Spectrum(length=2) compares strings; it was given [1, 2]")),
    (lambda: Spectrum(2)("ab", 3),
     (TypeError, "Spectrum(length=2) compares strings; it was given 3")),
    (lambda: gram(Spectrum(2), [[1, 2], [3, 4]]),
     (TypeError, "X[0] is [1, 2]; Spectrum(length=2) needs strings")),
    (lambda: gram(Spectrum(1) + 2 * Spectrum(2), [[1, 2], [3, 4]]),
     (TypeError, "X[0] is [1, 2]; (Spectrum(length=1) + 2.0 * Spectrum(length=2)) needs strings")),
    (lambda: gram(Spectrum(2), ["ab", [1]]),
     (TypeError, "X[1] is [1]; Spectrum(length=2) needs strings")),
    (lambda: gram(Spectrum(2), ["ab"], [[1]]),
     (TypeError, "Z[0] is [1]; Spectrum(length=2) needs strings")),
    (lambda: gram(Spectrum(2) + Linear(), ["ab"]),
     (TypeError, "X[0] is 'ab'; (Spectrum(length=2) + Linear()) needs rows of numbers")),
    (lambda: Problem([[1, 2], [3, 4]], [1, -1], Spectrum(2)),
     (TypeError, "X[0] is [1, 2]; Spectrum(length=2) needs strings")),
    (lambda: SVC(kernel=Spectrum(2)).fit([[1], [2]], [1, 2]),
     (TypeError, "X[0] is [1.0]; Spectrum(length=2) needs strings")),
    (lambda: SVC(kernel=Spectrum(1)).fit(["ab", "b"], [1, 2]).predict([[1, 2]]),
     (TypeError, "X[0] is [1.0, 2.0]; the model was trained on strings")),
    (lambda: SVC(kernel="linear").fit([[1], [2]], [1, 2]).predict(["ab"]),
     (TypeError, "X[0] is 'ab'; the model was trained on rows of numbers")),
    (lambda: SVC().fit(["ab", "b"], [1, 2]),
     (TypeError, "X[0] is 'ab'; the kernel 'rbf' needs rows of numbers")),
    (lambda: substring_counts([1], 1), (TypeError, "x is [1]; a string is needed")),
    (lambda: substring_counts("a", 0), (ValueError, "length is 0; it must be at least 1")),
    (lambda: pairs_by_counting("a", None, 1), (TypeError, "z is None; a string is needed")),
    (lambda: pairs_by_suffixes("a", b"a", 1), (TypeError, "z is b'a'; a string is needed")),
    (lambda: pairs_by_suffixes("a", "a", 0), (ValueError, "length is 0; it must be at least 1")),
    (lambda: count_vector("abc", 1, "ab"), (ValueError, "x[2] is 'c'; the alphabet is 'ab'")),
    (lambda: count_vector("a", 1, "aba"),
     (ValueError, "alphabet is 'aba'; no letter may be there twice")),
    (lambda: count_vector("a", 1, ["a"]), (TypeError, "alphabet is ['a']; a string is needed")),
    (lambda: count_words(0, 1), (ValueError, "letters is 0; it must be at least 1")),
    (lambda: count_words(26, 0), (ValueError, "length is 0; it must be at least 1")),
])
def test_bad_input_is_refused(call, refusal):
    assert refused(call) == refusal


# Many at once


kernels = st.recursive(
    st.builds(Spectrum, lengths),
    lambda part: st.one_of(
        st.builds(lambda p, q: p + q, part, part),
        st.builds(lambda p, q: p * q, part, part),
        st.builds(lambda c, p: c * p, st.sampled_from([2, 0.5]), part),
    ),
    max_leaves=3,
)


@draws(2/5)
@given(kernels, words, st.lists(words, min_size=1, max_size=5), st.sampled_from([float, Q]))
def test_many_strings_at_once_are_as_one_at_a_time(kernel, x, points, kind):
    ready = kernel.to(kind)
    given = list(points)
    assert exactly(ready.row_function(points, kind)(x), [kind(kernel(x, z)) for z in points])
    assert exactly(ready.squared_norms(points, kind), [kind(kernel(z, z)) for z in points])
    assert points == given


def test_each_training_string_is_counted_once(monkeypatch):
    counted = []

    def counts(x, length):
        counted.append(x)
        return substring_counts(x, length)

    monkeypatch.setattr(strings, "substring_counts", counts)
    row = Spectrum(2).row_function(["abab", "ba", ""], float)
    assert exactly([row("ab"), row("aba"), row("")], [[2.0, 0.0, 0.0], [3.0, 1.0, 0.0], [0.0] * 3])
    assert counted == ["abab", "ba", "", "ab", "aba", ""]


@draws(2/5)
@given(kernels, st.lists(words, min_size=1, max_size=5))
def test_gram_matrices_of_strings_are_positive_semidefinite(kernel, X):
    K = gram(kernel, X)
    assert mercer(K).psd
    assert exactly(K, [[float(kernel(x, z)) for z in X] for x in X])


@draws(2/5)
@given(st.lists(words, min_size=1, max_size=4), lengths, lengths)
def test_a_sum_of_two_lengths_lists_the_counts_of_both(X, p, q):
    both = [count_vector(x, p, "ab") + count_vector(x, q, "ab") for x in X]
    assert gram(Spectrum(p) + Spectrum(q), X) == gram_of_rows(both)


def test_spectrum_is_a_value():
    assert Spectrum(2) == Spectrum(2) != Spectrum(3)
    assert repr(Spectrum(2)) == "Spectrum(length=2)" and len({Spectrum(2), Spectrum(2)}) == 1


# Training


@draws(2/5)
@given(st.data(), st.lists(words, min_size=2, max_size=5), kernels, penalties)
def test_training_on_strings_is_exact(data, X, kernel, C):
    """Empty strings, equal ones and those shorter than the length included."""
    y, bias = data.draw(labellings(len(X))), data.draw(st.booleans())
    given = list(X)
    problem = Problem(X, y, kernel, C=C, bias=bias)
    solution = smo(problem, tol=0)
    K = [[Q(kernel(x, z)) for z in X] for x in X]
    known = optimum(K, y, [C] * len(X), bias)
    assert solution.status == "optimal"
    assert exactly(Q(solution.objective), known.value)
    assert solution.gap == 0 and kkt(problem, solution.alpha).worst.amount == 0
    assert X == given
    model, b = solution.model(), solution.b
    scores = [s + b for s in known.scores]
    assert model.decisions(X) == scores
    assert [model.predict(x) for x in X] == model.predictions(X) == [
        1 if f >= 0 else -1 for f in scores
    ]


def test_strings_without_substrings_are_all_the_same_to_the_kernel():
    solution = smo(Problem(["", "a"], [1, -1], Spectrum(2), C=Q(2)), tol=0)
    assert solution.alpha == [2, 2] and (solution.b_low, solution.b_high) == (-1, 1)
    assert smo(Problem(["", "a"], [1, -1], Spectrum(2), C=inf)).status == "infeasible"


X = ["abab", "babab", "ccc", "ccac", "bbb", "bbab", ""]
Y = ["weave", "weave", "row", "row", "wall", "wall", "none"]


def test_a_classifier_of_strings_with_several_classes():
    svc = SVC(C=Q(10), kernel=Spectrum(1) + Spectrum(2)).fit(X, Y)
    assert svc.predict(X) == Y
    assert svc.predict(["cccc", "", "ababa"]) == ["row", "none", "weave"]
    assert {type(f) for row in svc.decision_function(X) for f in row} == {Q}
    assert svc.shape_fit_ == (7,) and set(svc.support_vectors_) <= set(X)
    assert svc.score(X, Y) == 1


def test_a_classifier_of_two_classes_decides_as_the_machine_does():
    y = [1, 1, -1, -1, 1, 1, -1]
    svc = SVC(C=Q(3), kernel=Spectrum(2), tol=0).fit(X, y)
    model = smo(Problem(X, y, Spectrum(2), C=Q(3)), tol=0).model()
    assert svc.decision_function(X + ["zz"]) == model.decisions(X + ["zz"])


def test_a_machine_of_strings_refuses_numbers():
    model = smo(Problem(X, [1, 1, -1, -1, 1, 1, -1], Spectrum(2))).model()
    assert refused(model.decision, [1, 2]) == (
        TypeError, "x is [1, 2]; the model was trained on strings"
    )
