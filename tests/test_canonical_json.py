"""A problem as a document: nothing is lost, one text and name a problem, all else refused."""

import copy
import hashlib
from fractions import Fraction as Q
from math import inf

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from problems import givens
from test_validation import refused

from refsvm import (
    Gaussian,
    Kernel,
    Linear,
    MonomialSum,
    Polynomial,
    Precomputed,
    Problem,
    Sigmoid,
    Spectrum,
)
from refsvm.numerics import numerals
from refsvm.numerics.numerals import digits_to_int, int_to_digits, numeral, parse_number
from refsvm.proofs.canonical_json import (
    NAMED,
    canonical,
    digest,
    document_of,
    parsed,
    problem_of,
)

ROWS = [[0, 1.5], [1, -0.25], [3, 1]]
WORDS = ["banana", 'a"\\\n\x7f\u00e9\U0001f34c', ""]
KERNELS = [
    Linear(), Polynomial(3, gamma=0.5, coef0=-1), MonomialSum(2), Gaussian(0.1), Sigmoid(0.5, -1),
    Linear() + Gaussian(2), 0.5 * Polynomial(2) * (MonomialSum(1) + 2 * Linear()),
]


def same(ours, theirs):
    """Whether two Problems are one: rows, labels, kernel, penalties, kinds of things."""
    return all(
        getattr(ours, name) == getattr(theirs, name)
        for name in ("X", "y", "kernel", "C", "bias", "slack", "kind")
    )


@given(givens(most=5, hard=True))
def test_a_problem_is_read_back_as_it_was_written(g):
    problem = g.problem()
    document = document_of(problem)
    assert same(problem_of(document), problem)
    assert parsed(canonical(document)) == document
    assert document_of(problem_of(document)) == document


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("C", [0.1, [1, inf, 2.5]])
def test_every_kernel_is_read_back(kernel, C):
    problem = Problem(ROWS, [-1, 1, 1], kernel, C, False, "squared")
    again = problem_of(parsed(canonical(document_of(problem))))
    exponential = "Gaussian" in repr(kernel) or "Sigmoid" in repr(kernel)
    assert again.kind is (float if exponential else Q)
    assert same(again, problem if exponential else problem.to(Q))


def test_parameters_that_no_double_holds_are_read_back():
    kernel = Q(1, 3) * Polynomial(2, gamma=Q(1, 7), coef0=Q(1, 5))
    problem = Problem(ROWS, [-1, 1, 1], kernel)
    assert same(problem_of(document_of(problem)), problem)


def test_strings_are_read_back_and_written_in_ascii():
    problem = Problem(WORDS, [-1, 1, 1], Spectrum(2))
    text = canonical(document_of(problem))
    assert problem_of(parsed(text)).X == WORDS
    assert text.isascii() and r'"a\"\\\n\u007f\u00e9\ud83c\udf4c"' in text


def test_floats_and_the_fractions_they_are_have_one_name():
    given_ = ([-1, 1, 1], Polynomial(2, coef0=0.5), 0.1)
    ours, theirs = Problem(ROWS, *given_), Problem([list(map(Q, x)) for x in ROWS], *given_)
    assert digest(document_of(ours)) == digest(document_of(theirs))
    text = canonical(document_of(ours))
    assert digest(document_of(ours)) == hashlib.sha256(text.encode()).hexdigest()


def test_the_order_of_keys_is_that_of_the_text():
    document = document_of(Problem(ROWS, [-1, 1, 1]))
    turned = dict(reversed(document.items()))
    assert list(turned) != list(document) and canonical(turned) == canonical(document)


class Own(Kernel):
    def __call__(self, x, z):
        return 2 * x[0] * z[0]


def test_a_kernel_of_the_callers_own_is_written_as_its_exact_values():
    for kernel in (Own(), Own() + Linear(), lambda x, z: x[0] * z[0] / 3):
        document = document_of(Problem([[0.5], [0.1], [3]], [-1, 1, 1], kernel))
        assert document["kernel"] == {"name": "precomputed"}
        X = [[Q(0.5)], [Q(0.1)], [Q(3)]]
        assert document["X"] == [[numeral(kernel(x, z)) for z in X] for x in X]


def test_a_kernel_that_is_not_symmetric_is_refused():
    def skew(x, z):
        return x[0] - z[0]

    with pytest.raises(ValueError, match="a precomputed Gram matrix is symmetric"):
        document_of(Problem([[Q(0)], [1]], [-1, 1], skew))


def test_a_kernel_of_ones_own_next_to_a_gaussian_has_no_document():
    with pytest.raises(TypeError, match="on Fractions are not Fractions; give floats"):
        document_of(Problem(ROWS, [-1, 1, 1], Own() + Gaussian(1)))


# Numbers


@example(10**4000)
@example(-(10**9999) + 1)
@given(st.integers())
def test_digits_of_any_length_are_read_back(n):
    assert digits_to_int(int_to_digits(n)) == n
    if abs(n) < 10**4000:
        assert int_to_digits(n) == str(n)


@given(st.fractions())
def test_a_number_has_one_text(value):
    text = numeral(value)
    assert text == str(value) and parse_number(text, "b") == value


def test_a_number_of_more_letters_than_are_read_is_refused():
    most = numerals.MAX_NUMERAL
    assert parse_number("1" + "0" * (most - 1), "b") == 10 ** (most - 1)
    with pytest.raises(ValueError, match=f"b has {most + 1} letters; a number has at most {most}"):
        parse_number("1" * (most - 1) + "/7", "b")


@pytest.mark.parametrize("text", [
    "", "0.5", "1e3", "+1", " 1", "1 ", "1/0", "2/4", "1/1", "01", "-0", "1/-2", "1_0", "\u0661",
    "inf", "nan", "1\n", None, 1, 0.5, True,
])
def test_what_is_no_number(text):
    assert refused(parse_number, text, "b") == (
        ValueError, f'b is {text!r}; a number is "p" or "p/q" in lowest terms'
    )


# What is no document


DOCUMENT = document_of(Problem(ROWS, [-1, 1, 1], 0.5 * Linear() + Polynomial(2), C=[1, inf, 2]))


def bent(path, part):
    """The DOCUMENT with another part at the path."""
    document = copy.deepcopy(DOCUMENT)
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = part
    return document


BENT = [
    (("X", 0, 1), "0.5", ValueError,
     'X[0][1] is \'0.5\'; a number is "p" or "p/q" in lowest terms'),
    (("X", 0, 1), 0.5, TypeError, 'the document holds 0.5; a number is a string, "p" or "p/q"'),
    (("X", 0, 1), None, TypeError, 'the document holds None; a number is a string, "p" or "p/q"'),
    (("X", 0), ["1"], ValueError,
     "X[1] has length 2; every row must have the length of X[0], which is 1"),
    (("X", 0), {}, TypeError, "the document holds {}; a list is needed"),
    (("X",), [], ValueError, "X is empty; it must have at least one row"),
    (("X",), "ab", TypeError, "the document holds 'ab'; a list is needed"),
    (("y", 0), True, TypeError, "y[0] is True; a label must be 1 or -1"),
    (("y", 0), "1", TypeError, "y[0] is '1'; a label must be 1 or -1"),
    (("y", 0), 2, ValueError, "y[0] is 2; a label must be +1 or -1"),
    (("y", 0), 1, ValueError, "y holds the label +1 only; both classes are needed"),
    (("C", 0), "0", ValueError, "C[0] is 0; it must be positive"),
    (("C",), ["1"], ValueError, "C has length 1; there are 3 examples"),
    (("bias",), "yes", TypeError, "bias is 'yes'; it must be True or False"),
    (("slack",), "square", ValueError,
     "slack is 'square'; the known ones are 'hinge', 'squared'"),
    (("gamma",), "1", ValueError,
     "a key of the document is 'gamma'; the known ones are 'X', 'y', 'C', 'kernel', 'bias',"
     " 'slack'"),
    (("kernel",), "linear", TypeError, "kernel is 'linear'; an object with a name is needed"),
    (("kernel",), {"name": "rbf"}, ValueError,
     f"kernel.name is 'rbf'; the known ones are {', '.join(map(repr, NAMED))}, 'sum', 'product',"
     " 'multiple'"),
    (("kernel",), {"name": "linear", "gamma": "1"}, ValueError,
     "a key of kernel is 'gamma'; the known ones are 'name'"),
    (("kernel",), {"name": "gaussian"}, ValueError, "kernel has no 'gamma'"),
    (("kernel",), {"name": "gaussian", "gamma": "1/3"}, ValueError,
     "kernel.gamma is '1/3', which is no double; the kernel needs doubles"),
    (("kernel",), {"name": "spectrum", "length": "2"}, TypeError,
     "length is '2'; a whole number is needed"),
    (("kernel", "terms", 1, "degree"), True, TypeError,
     "degree is True; a whole number is needed"),
    (("kernel", "terms"), [{"name": "linear"}], ValueError,
     "kernel.terms has length 1; there are two"),
    (("kernel", "terms", 0, "factor"), "-1", ValueError,
     "the factor of a kernel is -1; it must not be negative"),
]


@pytest.mark.parametrize("path, part, kind, sentence", BENT)
def test_what_is_no_document_is_refused(path, part, kind, sentence):
    assert refused(problem_of, bent(path, part)) == (kind, sentence)


@pytest.mark.parametrize("key", sorted(DOCUMENT))
def test_every_key_is_needed(key):
    document = {k: v for k, v in DOCUMENT.items() if k != key}
    assert refused(problem_of, document) == (ValueError, f"the document has no {key!r}")


@pytest.mark.parametrize("text, sentence", [
    ('{"y":1,"X":2,"y":3}', "the document has the key 'y' twice in one object"),
    ('[0.5]', 'the document holds 0.5; a number is a string, "p" or "p/q"'),
    ('[NaN]', 'the document holds NaN; a number is a string, "p" or "p/q"'),
    ('[-Infinity]', 'the document holds -Infinity; a number is a string, "p" or "p/q"'),
])
def test_json_that_holds_more_than_documents_do_is_refused(text, sentence):
    assert refused(parsed, text) == (ValueError, sentence)


def test_what_has_no_text_is_refused():
    assert refused(canonical, {1: "2"}) == (
        TypeError, "the document has the key 1; a string is needed"
    )
    assert refused(canonical, ["a", ("b",)])[0] is TypeError


def test_precomputed_is_written_as_given():
    K = [[2, 0.5, 0], [0.5, 2, 0], [0, 0, 1]]
    document = document_of(Problem(K, [1, -1, 1], Precomputed()))
    assert document["X"][0] == ["2", "1/2", "0"] and document["kernel"] == {"name": "precomputed"}
