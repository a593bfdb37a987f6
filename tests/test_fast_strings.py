"""refsvm_fast's kernel for strings: the same counts, however it comes by them."""

import signal
from contextlib import suppress
from itertools import product
from random import Random
from time import perf_counter

import pytest
import strategies_fast as draws
from equality import agree, equality_test, outcome, same
from hypothesis import given
from hypothesis import strategies as st

import refsvm_fast
from refsvm import Spectrum
from refsvm.kernels import strings as oracle
from refsvm_fast.kernels import strings as fast

NAMES = ["pairs_by_counting", "pairs_by_suffixes", "substring_counts"]
alphabets = st.sampled_from(["a", "ab", "ACGT", "aäß漢\U0010ffff", "\ud800a\udfff", "a\0b"])
lengths = st.one_of(st.integers(1, 5), st.integers(1, 20))


class Word(str):
    """A string with a class, and ways, of its own."""

    def __getitem__(self, place):
        return "z"


@st.composite
def words(draw, most=24):
    return draw(st.text(draw(alphabets), max_size=most))


def alike(name, *args):
    """The function of this name shows the same, whichever of the two modules it is from."""
    assert outcome(getattr(oracle, name), *args) == outcome(getattr(fast, name), *args)


@given(words(), words(), st.one_of(lengths, st.sampled_from([10**6, 2**62, 2**63, 10**30])))
def test_pairs_of_equal_words_are_as_many(x, z, length):
    alike("pairs_by_counting", x, z, length)
    alike("pairs_by_suffixes", x, z, length)


@given(st.data())
def test_bad_arguments_meet_the_same_sentence(data):
    args = ["abab", Word("bab"), 2]
    args[data.draw(st.integers(0, 2))] = data.draw(draws.nonsense)
    alike("pairs_by_counting", *args)
    alike("pairs_by_suffixes", *args)


@given(alphabets, st.data(), lengths)
def test_rows_are_the_same(alphabet, data, length):
    texts = st.text(alphabet, max_size=20)
    points = data.draw(st.lists(texts, min_size=1, max_size=9))
    kernel = Spectrum(length)
    slow, quick = kernel.row_function(points, float), fast_rows(kernel, points)
    for x in [*points, *data.draw(st.lists(st.text(alphabet + "q", max_size=20), max_size=4))]:
        assert list(map(float.hex, slow(x))) == list(map(float.hex, quick(x)))


def fast_rows(kernel, points):
    """The compiled rows, where there are any."""
    if not refsvm_fast.COMPILED:
        return kernel.row_function(points, float)
    return fast.word_rows(kernel, points)


@pytest.mark.parametrize("length", [2**31, 2**62, 2**63 - 1, 2**63, 2**64, 10**30])
def test_words_longer_than_any_string_are_nowhere(length):
    same("gram", Spectrum(length), ["ab", "", "b"], ["ab"])


@pytest.mark.skipif(not refsvm_fast.COMPILED, reason="nothing is compiled here")
def test_rows_are_compiled_for_plain_strings_and_a_plain_kernel_only():
    class Own(Spectrum):
        pass

    assert fast.word_rows(Spectrum(1), ["a", "b"])
    assert fast.word_rows(Own(1), ["a", "b"]) is None
    assert fast.word_rows(Spectrum(1), ["a", Word("b")]) is None
    assert fast.word_rows(Spectrum(1), ["a", [1.0]]) is None


def test_every_word_over_two_letters_is_told_from_every_other():
    for length in (1, 2, 3, 4, 5, 7):
        points = ["".join(letters) for letters in product("ab", repeat=length)]
        row = fast_rows(Spectrum(length), points)
        for i, x in enumerate(points):
            assert row(x) == [1.0 if i == j else 0.0 for j in range(len(points))]


def test_more_words_than_the_first_table_has_room_for():
    text = "".join(chr(0x4E00 + i * 7919 % 20000) for i in range(9000))
    points = [text[i * 30 : i * 30 + 60] for i in range(200)]
    for length in (1, 2, 5):
        kernel = Spectrum(length)
        slow, quick = kernel.row_function(points, float), fast_rows(kernel, points)
        for x in points[::20] + [text, text[::-1]]:
            assert slow(x) == quick(x)
        assert fast.pairs_by_counting(text, text, length) == oracle.pairs_by_counting(
            text, text, length)


@pytest.mark.parametrize("length", [0, -1, 2.0, True, None])
def test_a_length_that_somebody_changed_is_refused_when_it_is_used(length):
    kernel = Spectrum(1)
    kernel.length = length
    for X in (["ab", "b"], ["ab", b"b"], []):
        same("gram", kernel, X)
        same("gram", kernel, X, ["ab"])


@pytest.mark.skipif(not refsvm_fast.COMPILED, reason="nothing is compiled here")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
def test_an_interruption_ends_the_counting_of_long_words():
    text = "".join(Random(1).choices("ab", k=200_000))

    def seconds():
        begin = perf_counter()
        with suppress(KeyboardInterrupt):
            fast.pairs_by_counting(text, text, 1 << 14)
        return perf_counter() - begin

    whole = seconds()
    handler = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:  # by a timer of the system: a thread would have to wait for the end
        signal.setitimer(signal.ITIMER_REAL, whole / 8)
        assert seconds() < whole / 2
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)


@equality_test("Spectrum", "gram", "smo", "Model.decisions", "Model.decision")
@given(st.integers(2, 14), st.data())
def test_training_on_strings_is_the_same(n, data):
    X = data.draw(draws.words_of(n))
    kernel = data.draw(draws.string_kernels)
    y = data.draw(draws.labellings(X))
    Z = data.draw(draws.words_of(3))
    rows = [*Z, Word(Z[0]), *X[:2]]
    same("gram", kernel, X)
    same("gram", kernel, X, Z)
    same("gram", kernel, rows, X)

    def use(package):
        model = package.smo(package.Problem(X, y, kernel, C=3), max_iter=40).model()
        svc = package.SVC(kernel=kernel).fit(X, y)
        return model, model.decisions(rows), model.decision(Z[0]), svc.decision_function(rows)

    agree(use)


@given(st.integers(2, 10), lengths, st.data())
def test_strings_with_a_class_are_the_oracles(n, length, data):
    X = [Word(x) for x in data.draw(draws.words_of(n))]
    same("kernel_perceptron", Spectrum(length), X, [1, -1] * (n // 2) + [1] * (n % 2),
         list(range(n)))
