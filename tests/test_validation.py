"""The door: what may come in, in which forms, and the sentence for each thing that may not."""

from array import array
from collections import UserList, deque
from decimal import Decimal
from fractions import Fraction
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import peer
from refusing import refusals, type_error, value_error

import refsvm
import refsvm_fast
from refsvm import Linear, Polynomial
from refsvm.numerics import validation as door
from refsvm.numerics.quoting import quote

HUGE = 10**400
ODD = 2**53 + 1  # the first integer that no double holds


def refused(call, *arguments, **named):
    """What a call refuses its arguments with: the exception's type and sentence."""
    with pytest.raises((TypeError, ValueError)) as caught:
        call(*arguments, **named)
    return caught.type, str(caught.value)


def exactly(got, expected):
    """Equal, and of the same types all the way down."""
    if isinstance(expected, list):
        return type(got) is list and len(got) == len(expected) and all(map(exactly, got, expected))
    return type(got) is type(expected) and got == expected


class Stranger:
    """A table that gives its rows only to who asks for them by a name of its own."""

    def __init__(self, rows):
        self.rows = rows


class Frame(Stranger):
    def to_numpy(self):
        return Listed(self.rows)


class Sparse(Stranger):
    def toarray(self):
        return Frame(self.rows)


class Listed(Stranger):
    def tolist(self):
        return self.rows


class Letters:
    """A sequence in the old way: a length and an item at a time."""

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return [1.0, 2.0][i]


# One kind of number


@pytest.mark.parametrize("values, kind", [
    ((1, 2.5), float),
    ((1, 2.5, Fraction(1, 2)), Fraction),
    (([1, [2, [Fraction(3)]]],), Fraction),
    (("1/2", None, True), float),
    ((["ab", "cd"], Fraction(1)), Fraction),
    (([1.0, Fraction(1)],), Fraction),
    (([[1.0, 2.0], [3.0, 4.0]],), float),
    ((deque([Fraction(1)]),), Fraction),
    ((UserList([1, Fraction(1)]),), Fraction),
    ((range(3),), float),
    ((Frame([[Fraction(1)]]),), Fraction),
    (([Frame([Fraction(1)])],), Fraction),
    ((), float),
])
def test_one_fraction_anywhere_makes_everything_fractions(values, kind):
    assert door.number_kind(*values) is kind


@given(st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(-(2**53), 2**53)))
def test_a_number_keeps_its_value_in_either_kind(value):
    for kind in (float, Fraction):
        number = door.to_number(kind, value, "v")
        assert type(number) is kind
        assert Fraction(number) == Fraction(value)


@pytest.mark.parametrize("value, number", [
    (True, 1.0), (False, 0.0), (7, 7.0), (-0.0, -0.0), (5e-324, 5e-324), (2**1023, 2.0**1023),
    (Decimal("0.1"), 0.1), (ODD - 1, float(2**53)), (Listed(3), 3.0),
])
def test_numbers_of_other_sorts_become_floats(value, number):
    got = door.to_number(float, value, "v")
    assert type(got) is float and got.hex() == number.hex()


@pytest.mark.parametrize("value", [ODD, HUGE, -HUGE, Fraction(1, 3), Fraction(HUGE, 3), 0.1, True])
def test_fractions_hold_every_number(value):
    number = door.to_number(Fraction, value, "v")
    assert type(number) is Fraction and number == Fraction(value)


def test_a_fraction_is_never_rounded():
    assert exactly(door.to_number(float, Fraction(1, 3), "v"), Fraction(1, 3))


@pytest.mark.parametrize("value, refusal", [
    (nan, (ValueError, "v is nan; it must be a finite number")),
    (inf, (ValueError, "v is inf; it must be a finite number")),
    (-inf, (ValueError, "v is -inf; it must be a finite number")),
    (Decimal("Infinity"), (ValueError, "v is inf; it must be a finite number")),
    (Decimal("-1e999"), (ValueError, "v is -inf; it must be a finite number")),
    ("1", (TypeError, "v is '1'; a number is needed")),
    (b"1", (TypeError, "v is b'1'; a number is needed")),
    (None, (TypeError, "v is None; a number is needed")),
    (1j, (TypeError, "v is 1j; a number is needed")),
    ([1], (TypeError, "v is [1]; a number is needed")),
    ({}, (TypeError, "v is {}; a number is needed")),
    (float, (TypeError, "v is <class 'float'>; a number is needed")),
    (Listed([1.0]), (TypeError, "v is [1.0]; a number is needed")),
])
@pytest.mark.parametrize("kind", [float, Fraction])
def test_what_is_no_finite_number_is_refused(kind, value, refusal):
    assert refused(door.to_number, kind, value, "v") == refusal


@pytest.mark.parametrize("value", [ODD, -ODD, HUGE, -HUGE])
def test_an_integer_that_no_double_holds_is_refused(value):
    cure = "it as a Fraction" if abs(value) == HUGE else "the nearest float, or a Fraction"
    sentence = f"v is {quote(value)}, an integer that no double holds; give {cure}"
    assert refused(door.to_number, float, value, "v") == (ValueError, sentence)


# Vectors and matrices


SEQUENCES = [
    [1, 2.0], (1, 2), array("d", [1, 2]), array("i", [1, 2]), memoryview(array("d", [1, 2])),
    deque([1, 2]), UserList([1, 2]), range(1, 3), bytearray([1, 2]), [True, 2],
    Listed([1, 2]), Frame([1, 2]), Letters(), [Decimal(1), Decimal(2)],
]


@pytest.mark.parametrize("x", SEQUENCES, ids=lambda x: type(x).__name__)
def test_a_vector_comes_in_many_forms(x):
    assert exactly(door.vector(x, "x"), [1.0, 2.0])


@pytest.mark.parametrize("x", SEQUENCES, ids=lambda x: type(x).__name__)
def test_a_matrix_has_rows_of_many_forms(x):
    assert exactly(door.matrix([x, [3, 4]], "X"), [[1.0, 2.0], [3.0, 4.0]])
    assert exactly(door.matrix((x, [Fraction(3), 4]), "X"),
                   [[Fraction(1), Fraction(2)], [Fraction(3), Fraction(4)]])


FLAT = memoryview(array("d", [1, 2, 3, 4]))


@pytest.mark.parametrize("X", [
    FLAT.cast("B").cast("d", (2, 2)), Frame([[1, 2], [3, 4]]), Listed([[1, 2], [3, 4]]),
    deque([[1, 2], [3, 4]]), (range(1, 3), range(3, 5)), [FLAT[:2], FLAT[2:]],
])
def test_a_matrix_comes_in_many_forms(X):
    assert exactly(door.matrix(X, "X"), [[1.0, 2.0], [3.0, 4.0]])


def test_a_sparse_matrix_is_asked_for_all_its_entries():
    assert exactly(door.matrix(Sparse([[1, 0], [0, 2]]), "X"), [[1.0, 0.0], [0.0, 2.0]])


def test_kind_can_be_asked_for():
    assert exactly(door.vector([1, 0.5], "x", Fraction), [Fraction(1), Fraction(1, 2)])
    assert exactly(door.matrix([[1]], "X", Fraction), [[Fraction(1)]])


def test_what_comes_back_is_new_and_what_was_given_is_as_before():
    for x in ([1.0, 2.0], [1, Fraction(2)]):
        before = list(x)
        got = door.vector(x, "x")
        got[0] = 99
        assert exactly(x, before)
    X = [[1.0, 2.0], [3.0, 4.0]]
    got = door.matrix(X, "X")
    got[0][0] = 99
    got.append([0.0, 0.0])
    assert X == [[1.0, 2.0], [3.0, 4.0]]


NO_SEQUENCES = [5, 1.5, None, "ab", b"ab", {1: 2}, {1, 2}, 1j, object]


@pytest.mark.parametrize("values", NO_SEQUENCES, ids=repr)
def test_what_is_no_sequence_is_refused(values):
    sentence = f"{values!r}; a sequence is needed"
    assert refused(door.vector, values, "x") == (TypeError, f"x is {sentence}")
    assert refused(door.matrix, values, "X") == (TypeError, f"X is {sentence}")
    assert refused(door.matrix, [[1], values], "X") == (TypeError, f"X[1] is {sentence}")


def test_a_generator_is_refused_unread():
    for stream in (iter([1, 2]), map(abs, [1, 2]), (v for v in [1, 2])):
        assert refused(door.vector, stream, "x") == (
            TypeError, f"x is {quote(stream)}; a sequence is needed"
        )
        assert door.number_kind(stream) is float
        assert list(stream) == [1, 2]


test_what_is_no_matrix_is_refused_by_place = refusals(
    value_error("X is empty; it must have at least one row", door.matrix, [], "X"),
    value_error("X[0] is empty; it must hold at least one number", door.matrix, [[]], "X"),
    value_error("X[1] is empty; it must hold at least one number", door.matrix, [[1], []], "X"),
    value_error("X[1] has length 1; every row must have the length of X[0], which is 2",
                door.matrix, [[1, 2], [3]], "X"),
    value_error("X[2] has length 2; every row must have the length of X[0], which is 1",
                door.matrix, [[1], [2], [3, 4]], "X"),
    type_error("X[0] is 1; a sequence is needed", door.matrix, [1, 2], "X"),
    type_error("X[0][1] is [2]; a number is needed", door.matrix, [[1, [2]]], "X"),
    type_error("X[0][0] is [1]; a number is needed", door.matrix, [[[1]]], "X"),
    value_error("X[1][1] is nan; it must be a finite number", door.matrix,
                [[1.0, 2.0], [3.0, nan]], "X"),
    value_error("X[0][1] is -inf; it must be a finite number", door.matrix, [[1.0, -inf]], "X"),
    type_error("X[0][1] is None; a number is needed", door.matrix, [[1, None]], "X"),
    value_error(f"X[0][0] is {ODD}, an integer that no double holds; give the nearest float, or"
                " a Fraction", door.matrix, [[ODD]], "X"),
    value_error("X[0][1] is nan; it must be a finite number", door.matrix, [[Fraction(1), nan]],
                "X"),
    type_error("X[0] is 'ab'; a sequence is needed", door.matrix, ["ab", "cd"], "X"),
)


def test_an_empty_vector_is_refused():
    assert refused(door.vector, [], "w") == (
        ValueError, "w is empty; it must hold at least one number"
    )


def test_large_integers_are_welcome_beside_a_fraction():
    assert exactly(door.vector([HUGE, Fraction(1, 3)], "x"), [Fraction(HUGE), Fraction(1, 3)])


# Labels, penalties, single numbers, words


@pytest.mark.parametrize("y", [
    [1, -1, 1], (1.0, -1.0, 1.0), array("i", [1, -1, 1]), [Fraction(1), -1, True],
    Frame([1, -1, 1]),
])
def test_labels_become_the_ints_plus_and_minus_one(y):
    assert exactly(door.labels(y, 3), [1, -1, 1])


test_what_are_no_labels_is_refused = refusals(
    value_error("y[1] is 0; a label must be +1 or -1", door.labels, [1, 0], 2),
    value_error("y[1] is 2; a label must be +1 or -1", door.labels, [1, 2], 2),
    value_error("y[1] is nan; a label must be +1 or -1", door.labels, [1, nan], 2),
    value_error("y[0] is '1'; a label must be +1 or -1", door.labels, ["1", "-1"], 2),
    value_error("y[0] is None; a label must be +1 or -1", door.labels, [None, 1], 2),
    value_error("y[0] is [1]; a label must be +1 or -1", door.labels, [[1], [-1]], 2),
    value_error("y holds the label +1 only; both classes are needed", door.labels, [1, 1], 2),
    value_error("y holds the label -1 only; both classes are needed", door.labels, [-1, -1], 2),
    value_error("y has length 3; there are 2 examples", door.labels, [1, -1, 1], 2),
    value_error("y has length 0; there are 2 examples", door.labels, [], 2),
    type_error("y is 1; a sequence is needed", door.labels, 1, 2),
    type_error("y is '+-'; a sequence is needed", door.labels, "+-", 2),
)


def test_labels_are_called_by_the_name_given():
    assert refused(door.labels, [3], 1, "targets") == (
        ValueError, "targets[0] is 3; a label must be +1 or -1"
    )


def test_one_penalty_is_for_all_and_several_are_for_one_each():
    assert exactly(door.penalties(float, 2, 3), [2.0, 2.0, 2.0])
    assert exactly(door.penalties(float, (1, 2), 2), [1.0, 2.0])
    assert exactly(door.penalties(Fraction, [1, inf], 2), [Fraction(1), inf])
    assert exactly(door.penalties(float, inf, 2), [inf, inf])
    assert exactly(door.penalties(float, Frame([1, 2]), 2), [1.0, 2.0])


@pytest.mark.parametrize("C, refusal", [
    (0, (ValueError, "C is 0; it must be positive")),
    (-1.5, (ValueError, "C is -1.5; it must be positive")),
    (nan, (ValueError, "C is nan; it must be positive")),
    (-inf, (ValueError, "C is -inf; it must be a finite number")),
    ("1", (TypeError, "C is '1'; a number is needed")),
    (None, (TypeError, "C is None; a number is needed")),
    ([1, 0], (ValueError, "C[1] is 0; it must be positive")),
    ([1, -inf], (ValueError, "C[1] is -inf; it must be a finite number")),
    ([1.0, 0.0], (ValueError, "C[1] is 0.0; it must be positive")),
    ([1.0, nan], (ValueError, "C[1] is nan; it must be positive")),
    ([2.0, -inf], (ValueError, "C[1] is -inf; it must be a finite number")),
    ([1, "2"], (TypeError, "C[1] is '2'; a number is needed")),
    ([1], (ValueError, "C has length 1; there are 2 examples")),
    ({1: 2}, (TypeError, "C is {1: 2}; a sequence is needed")),
])
@pytest.mark.parametrize("kind", [float, Fraction])
def test_what_is_no_penalty_is_refused(kind, C, refusal):
    assert refused(door.penalties, kind, C, 2) == refusal


def test_positive_numbers_are_finite_unless_infinity_may_pass():
    assert exactly(door.positive(float, 3, "g"), 3.0)
    assert exactly(door.positive(Fraction, 0.5, "g"), Fraction(1, 2))
    assert exactly(door.positive(Fraction, inf, "g", infinite=True), inf)
    assert refused(door.positive, float, inf, "g") == (
        ValueError, "g is inf; it must be a finite number"
    )
    assert refused(door.positive, float, -0.0, "g") == (
        ValueError, "g is -0.0; it must be positive"
    )


@pytest.mark.parametrize("values", [[], [1.0, 2.0]])
def test_an_array_is_no_positive_number(values):
    array = peer("numpy").array(values)
    assert refused(door.positive, float, array, "C", True) == (
        TypeError, f"C is {values}; a number is needed"
    )


@pytest.mark.parametrize("value", [0, 3, 2**63 - 1])
def test_whole_numbers_are_ints(value):
    assert exactly(door.whole_number(value, "n", 0), value)


test_what_is_no_whole_number_is_refused = refusals(
    value_error("n is -1; it must be at least 0", door.whole_number, -1, "n", 0),
    value_error("n is about 10^400; it must be at most 9223372036854775807", door.whole_number,
                HUGE, "n", 0),
    type_error("n is 2.0; a whole number is needed", door.whole_number, 2.0, "n", 0),
    type_error("n is 2, a Fraction; a whole number is needed", door.whole_number, Fraction(2), "n",
               0),
    type_error("n is True; a whole number is needed", door.whole_number, True, "n", 0),
    type_error("n is '2'; a whole number is needed", door.whole_number, "2", "n", 0),
    type_error("n is None; a whole number is needed", door.whole_number, None, "n", 0),
    type_error("n is [1, 2]; a whole number is needed", door.whole_number, Listed([1, 2]), "n", 0),
)


@pytest.mark.parametrize("value, meaning", [(True, True), (False, False), (1, True), (0, False),
                                            (Listed(True), True)])
def test_yes_or_no(value, meaning):
    assert door.yes_or_no(value, "bias") is meaning


@pytest.mark.parametrize("value", ["no", "True", None, 2, 0.0, [], [1]])
def test_what_is_neither_true_nor_false_is_refused(value):
    assert refused(door.yes_or_no, value, "bias") == (
        TypeError, f"bias is {value!r}; it must be True or False"
    )


@pytest.mark.parametrize("value", ["c", "", None, 1, ["a"]])
def test_an_unknown_word_is_refused_with_the_known_ones(value):
    assert refused(door.one_of, value, ("a", "b"), "word") == (
        ValueError, f"word is {value!r}; the known ones are 'a', 'b'"
    )
    assert door.one_of("b", ("a", "b"), "word") == "b"


# NumPy, without importing it


def test_arrays_of_numpy_come_in_like_lists():
    np = peer("numpy")
    rows = [[1.0, 2.0], [3.0, 4.0]]
    for dtype in (float, "f4", int, "u1", object):
        X = np.array(rows, dtype=dtype)
        assert exactly(door.matrix(X, "X"), rows)
        assert exactly(door.matrix(np.asfortranarray(X), "X"), rows)
        assert exactly(door.matrix(list(X), "X"), rows)
        assert exactly(door.vector(X[0], "x"), rows[0])
        assert (X == np.array(rows, dtype=dtype)).all()
    assert exactly(door.matrix(np.array(rows)[::-1, ::-1], "X"), [[4.0, 3.0], [2.0, 1.0]])
    assert exactly(door.labels(np.array([1, -1]), 2), [1, -1])
    assert exactly(door.labels([np.int8(1), np.float32(-1)], 2), [1, -1])
    assert exactly(door.penalties(float, np.array([1, 2]), 2), [1.0, 2.0])
    assert exactly(door.penalties(float, np.array(2), 2), [2.0, 2.0])


def test_an_array_is_no_label():
    np = peer("numpy")
    for size in (1, 2):
        assert refused(door.labels, [1, np.ones(size)], 2) == (
            ValueError, f"y[1] is {[1.0] * size}; a label must be +1 or -1"
        )


def test_what_only_seems_to_be_iterable_holds_no_picks():
    for picks in (list, peer("numpy").array(1)):
        assert refused(door.indices, picks, 2) == (
            TypeError, f"picks is {picks!r}; an iterable of indices is needed"
        )


def test_scalars_of_numpy_are_numbers():
    np = peer("numpy")
    for scalar in (np.float64(0.5), np.float32(0.5), np.float16(0.5), np.array(0.5)):
        assert exactly(door.to_number(float, scalar, "v"), 0.5)
        assert exactly(door.to_number(Fraction, scalar, "v"), Fraction(1, 2))
    for scalar in (np.int8(1), np.uint64(1), np.bool_(True), np.array(1)):
        assert exactly(door.to_number(float, scalar, "v"), 1.0)
        number = door.to_number(Fraction, scalar, "v")
        assert exactly(number, Fraction(1)) and type(number.numerator) is int
    assert exactly(door.whole_number(np.int32(3), "n", 0), 3)
    assert door.yes_or_no(np.bool_(False), "bias") is False


def test_an_integer_of_numpy_that_no_double_holds_is_refused():
    np = peer("numpy")
    sentence = (f"X[0][0] is {ODD}, an integer that no double holds; give the nearest float, or a"
                " Fraction")
    for X in (np.array([[ODD]]), [np.array([ODD])], [[np.int64(ODD)]], [[np.array(ODD)]]):
        assert refused(door.matrix, X, "X") == (ValueError, sentence)
    X = [[np.int64(ODD), Fraction(1)]]
    assert exactly(door.matrix(X, "X"), [[Fraction(ODD), Fraction(1)]])


def test_what_numpy_has_that_is_no_number_is_refused():
    np = peer("numpy")
    assert refused(door.matrix, np.zeros((0, 2)), "X") == (
        ValueError, "X is empty; it must have at least one row"
    )
    assert refused(door.matrix, np.zeros((2, 0)), "X") == (
        ValueError, "X[0] is empty; it must hold at least one number"
    )
    assert refused(door.matrix, np.zeros(2), "X") == (
        TypeError, "X[0] is 0.0; a sequence is needed"
    )
    assert refused(door.matrix, np.zeros((1, 1, 1)), "X") == (
        TypeError, "X[0][0] is [0.0]; a number is needed"
    )
    assert refused(door.vector, np.array([1j]), "x") == (
        TypeError, "x[0] is 1j; a number is needed"
    )
    assert refused(door.vector, np.array(["a"]), "x") == (
        TypeError, "x[0] is 'a'; a number is needed"
    )
    assert refused(door.vector, np.array([np.nan]), "x") == (
        ValueError, "x[0] is nan; it must be a finite number"
    )
    assert refused(door.whole_number, np.bool_(True), "n", 0) == (
        TypeError, "n is True; a whole number is needed"
    )


BEYOND, ROWS, SIGNS = Fraction(10**400), [[0.0, 1.0], [1.0, 2.0], [3.0, 1.0]], [-1, -1, 1]


@pytest.mark.parametrize("package", [refsvm, refsvm_fast])
@pytest.mark.parametrize("name, call", [
    *(("tol", lambda p, name=name: getattr(p, name)(tol=BEYOND).fit(ROWS, SIGNS))
      for name in ("LinearSVC", "LinearSVR", "SVC", "SVR")),
    ("cache_size", lambda p: p.SVC(cache_size=BEYOND).fit(ROWS, SIGNS)),
    ("cache_mb", lambda p: p.kernel_perceptron(Linear(), ROWS, SIGNS, [0], cache_mb=BEYOND)),
    ("cache_mb", lambda p: p.kernel_pegasos(Linear(), ROWS, SIGNS, 1, [0], cache_mb=BEYOND)),
    ("cache_mb", lambda p: p.smo(p.Problem(ROWS, SIGNS), cache_mb=BEYOND)),
    ("b", lambda p: p.Model(BEYOND, [1.0], ROWS[:1], Linear(), None).to(float)),
    (r"coef\[0\]", lambda p: p.Model(1, [BEYOND], ROWS[:1], Linear(), None).to(float)),
    (r"C\[2\]", lambda p: p.Problem(ROWS, SIGNS, C=[1, 1, BEYOND]).to(float)),
])
def test_a_fraction_beyond_the_doubles_is_named(package, name, call):
    with pytest.raises(ValueError, match=rf"^{name} is about 10\^400; it must be within the dou"):
        call(package)


def test_extremes_beyond_the_doubles_are_told_apart_from_infinities():
    # With nu = 1 every multiplier is at its bound: m is -infinity.
    problem = refsvm.OneClassProblem(ROWS, Polynomial(3, coef0=-BEYOND), 1)
    assert refsvm.smo(problem).iterations == 0
