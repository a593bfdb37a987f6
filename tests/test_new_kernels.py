"""What the recipe at the head of kernels/standard.py promises of every kernel by a formula."""

import copy
import inspect
import pickle
from fractions import Fraction as Q
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

import refsvm
import refsvm_fast as FAST
from refsvm.commands import main
from refsvm.kernels import standard
from refsvm.kernels.base import KNOWN
from refsvm.kernels.gram_matrices import gram
from refsvm.kernels.mercer_condition import mercer
from refsvm.kernels.rational_values import is_rational
from refsvm.kernels.standard import FORMULAS, KERNELS, WORDS, parameters_of
from refsvm.kernels.value_errors import value_errors

ROWS = [[0.1, -0.7], [0.3, 0.9], [1.5, 0.2], [-0.4, 0.6], [2.1, 1.1], [1.9, -0.8]]
LABELS = [-1, -1, 1, -1, 1, 1]
GIVEN = {"degree": 3, "gamma": 0.3, "coef0": 0.7}
NUMBERS = st.floats(-8, 8).filter(lambda v: v == 0 or abs(v) > 1e-3)


def made(kernel):
    """A kernel with parameters that are no small fractions."""
    return kernel(**{name: GIVEN[name] for name in parameters_of(kernel)})


def named(kernels):
    return pytest.mark.parametrize("kernel", kernels, ids=lambda each: each.__name__)


@named(FORMULAS)
def test_a_kernel_is_public_under_its_name_and_told_where_another_is_unknown(kernel):
    assert getattr(refsvm, kernel.__name__) is kernel
    told = [text.partition("(")[0] for text in KNOWN]
    assert kernel.__name__ in told
    assert kernel.__doc__.startswith("The kernel k(x, z) = ")


@named(FORMULAS)
def test_a_kernel_is_shown_compared_copied_and_pickled_by_its_parameters(kernel):
    one = made(kernel)
    assert list(vars(one)) == parameters_of(kernel)
    assert eval(repr(one), vars(refsvm)) == one == copy.deepcopy(one)
    assert pickle.loads(pickle.dumps(one)) == one


@named([kernel for kernel in FORMULAS if is_rational(made(kernel))])
@given(st.lists(st.lists(NUMBERS, min_size=2, max_size=2), min_size=2, max_size=3))
@draws(0.3)
def test_a_value_is_as_far_from_exact_as_it_says(kernel, X):
    one = made(kernel)
    (roundings, sizes), exactly = value_errors(one, X, 2), one.to(Q)
    for i, x in enumerate(X):
        for z, size, value in zip(X, sizes, one.row_function(X, float)(x)):
            off = abs(Q(value) - exactly([*map(Q, x)], [*map(Q, z)]))
            assert off <= Q(roundings) * Q(2) ** -53 * Q(sqrt(sizes[i] * size)) * Q(1.0001)


@named([kernel for kernel in FORMULAS if made(kernel).inner_product and is_rational(made(kernel))])
def test_a_kernel_that_is_said_to_be_an_inner_product_has_gram_matrices_of_some(kernel):
    assert mercer(gram(made(kernel).to(Q), [[*map(Q, x)] for x in ROWS]))


@named([WORDS[word] for word in WORDS if word != "precomputed"])
def test_its_word_is_known_to_svc_and_the_command_line(kernel, tmp_path, capsys):
    given = {name: GIVEN[name] for name in parameters_of(kernel)}
    by_word = refsvm.SVC(kernel=kernel.word, **given).fit(ROWS, LABELS)
    by_class = refsvm.SVC(kernel=made(kernel)).fit(ROWS, LABELS)
    assert by_word.dual_coef_ == by_class.dual_coef_
    fast = FAST.SVC(kernel=kernel.word, **given).fit(ROWS, LABELS)
    assert fast.dual_coef_ == by_word.dual_coef_
    assert fast.decision_function(ROWS) == by_word.decision_function(ROWS)
    table = tmp_path / "rows.csv"
    lines = [f"{x[0]},{x[1]},{y}" for x, y in zip(ROWS, LABELS)]
    table.write_text("\n".join(["a,b,y", *lines]), encoding="utf-8")
    options = [word for name in given for word in (f"--{name}", str(GIVEN[name]))]
    assert main(["train", str(table), "--label", "y", "--kernel", kernel.word, *options]) == 0
    capsys.readouterr()


def test_every_kernel_of_the_file_is_on_its_list():
    classes = {c for c in vars(standard).values() if inspect.isclass(c)
               and c.__module__ == standard.__name__ and issubclass(c, refsvm.Kernel)}
    assert classes - set(KERNELS) == {standard.FormulaKernel}
