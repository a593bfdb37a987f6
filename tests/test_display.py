"""Results are short in a terminal, tables or pictures in a notebook, alike in both packages."""

import inspect
import random
import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws, one_in
from test_spec import PUBLIC

import refsvm
import refsvm_fast
from refsvm.kernels.standard import Gaussian, Linear, Precomputed
from refsvm.kernels.strings import Spectrum
from refsvm.numerics.display import MAX_REPR, call_text
from refsvm.numerics.sparse_rows import KeptColumns, SparseRow

F = Fraction
RESULTS = sorted({v for v in PUBLIC if inspect.isclass(v) and issubclass(v, tuple)}
                 - {refsvm.Check},  # which prints its verdict: tests/test_fitted_check.py
                 key=lambda cls: (cls.__module__, cls.__name__))
LARGE = list(range(100_000)), [[0.1] * 1000] * 1000, "LMU" * 10_000, F(10**5000, 3)
chance = random.Random(3)
POINTS = [[chance.gauss(2 * (k % 2), 1), chance.gauss(0, 1)] for k in range(24)]
LABELS = [1 if k % 2 else -1 for k in range(24)]


# ---- in a terminal

@pytest.mark.parametrize("cls", RESULTS, ids=lambda cls: cls.__name__)
def test_every_result_is_short_however_much_it_holds(cls):
    for value in one_in(4, LARGE, RESULTS.index(cls) % 4):
        instance = cls._make([value] * len(cls._fields))
        text = repr(instance)
        assert text.startswith(cls.__name__ + "(") and len(text) <= MAX_REPR < 25 * 80
        assert len(instance._repr_html_()) < 40_000


@given(st.lists(st.floats(allow_nan=False) | st.none() | st.fractions(), max_size=9),
       st.text("a'\"\\\n\0é€", max_size=20))
@draws(1/5)
def test_what_is_small_is_as_ever_and_evaluates_to_an_equal(numbers, text):
    made = refsvm.Mercer(True, False, text, numbers)
    assert repr(made) == (f"Mercer(symmetric=True, psd=False, smallest={text!r},"
                          f" witness={numbers!r})")
    assert eval(repr(made), {"Mercer": refsvm.Mercer, "Fraction": F, "inf": float("inf")}) == made


@given(st.integers(0, 3000), st.sampled_from([1, "ab", F(1, 3), [0.5] * 9]))
@draws(1/5)
def test_the_middle_of_a_long_list_is_left_out_and_its_length_said(n, value):
    text = call_text("List", [("of", [value] * n)])
    if len(f"List(of={[value] * n!r})") <= MAX_REPR:
        assert text == f"List(of={[value] * n!r})"
    else:
        (left_out,) = map(int, re.findall(r"\.\.\. (\d+) more \.\.\.", text)[-1:])
        assert len(text) <= MAX_REPR and n - left_out in (2, 4, 6, 12, n - 5)


def test_a_sparse_row_and_an_svc_are_short():
    row = SparseRow(KeptColumns(list(range(0, 90_000, 3)), 100_000), [0.5] * 30_000)
    assert len(repr(row)) < 500 and "29976 more" in repr(row)
    svc = refsvm.SVC(C=2, class_weight={k: 1 for k in range(9999)})
    assert len(repr(svc)) < MAX_REPR and repr(svc).startswith("SVC(C=2, class_weight={0: 1,")
    assert repr(refsvm.SVC(C=2.5, kernel="linear")) == "SVC(C=2.5, kernel='linear')"


def test_a_list_that_holds_itself_and_an_object_without_a_repr_are_shown():
    class Silent:
        def __repr__(self):
            raise RuntimeError

    endless = []
    endless.append(endless)
    model = refsvm.Model(0.5, [1.0] * 5000, [endless] * 5000, Silent(), None)
    assert len(repr(model)) <= MAX_REPR and "kernel=<" in repr(model)
    assert "Silent" in model._repr_html_()


# ---- in a notebook

def made_by(package):
    """What a user meets, by the functions of one of the packages."""
    problem = package.Problem(POINTS, LABELS, Gaussian(1), C=3)
    linear = package.Problem(POINTS, LABELS)
    solution = package.smo(problem)
    names = ["<b>no</b>" if y < 0 else "yes & more" for y in LABELS]
    svc = package.SVC(C=2).fit(POINTS, names)
    return {
        "Problem": problem, "Solution": solution, "Model": solution.model(), "SVC": svc,
        "LinearSVC": package.LinearSVC().fit(POINTS, names),
        "KKT": package.kkt(problem, solution.alpha), "OneAgainstOne": svc.model_,
        "Optimum": package.solve_exactly(linear), "unfitted": package.SVC(C=2),
        "Certificate": package.certify(linear, package.smo(linear).alpha, 0.5),
        "Mercer": package.mercer(package.gram(Linear(), POINTS)),
        "Perceptron": package.perceptron(POINTS, LABELS, range(24)),
        **others_by(package),
        "Data": package.Data(POINTS, LABELS), "Trace": package.trace(linear, max_iter=5),
    }


def others_by(package):
    """Problems, solutions, models and estimators of the other machines."""
    line, values = [row[:1] for row in POINTS], [row[1] for row in POINTS]
    problems = [package.NuProblem(POINTS, LABELS), package.RegressionProblem(line, values),
                package.NuRegressionProblem(line, values, Gaussian(1)),
                package.OneClassProblem(POINTS, Gaussian(1)), package.BallProblem(POINTS)]
    made = {}
    for problem in problems:
        name, solution = type(problem).__name__, package.smo(problem)
        made.update({name: problem, f"{name}.solution": solution})
        made[f"{name}.model"] = solution.model()
    fits = [package.NuSVC(nu=0.3).fit(POINTS, LABELS), package.SVR().fit(line, values),
            package.NuSVR().fit(line, values), package.OneClassSVM().fit(POINTS),
            package.SVDD().fit(POINTS)]
    return {**made, **{type(fit).__name__: fit for fit in fits}, "no fit": package.SVR()}


ORACLE, FAST = made_by(refsvm), made_by(refsvm_fast)
PICTURED = {"Problem", "Solution", "Model", "SVC", "OneAgainstOne", "Data", "NuProblem", "NuSVC",
            "NuProblem.model", "OneClassProblem.model", "BallProblem.model", "OneClassSVM", "SVDD",
            *(f"{name}.solution" for name in ("NuProblem", "RegressionProblem", "BallProblem",
                                              "NuRegressionProblem", "OneClassProblem"))}


@pytest.mark.parametrize("name", ORACLE)
def test_html_is_well_formed_alone_and_the_same_in_both_packages(name):
    html = ORACLE[name]._repr_html_()
    assert html == FAST[name]._repr_html_() and repr(ORACLE[name]) == repr(FAST[name])
    tree = ElementTree.fromstring(html)
    assert (tree.find("{http://www.w3.org/2000/svg}svg") is not None) == (name in PICTURED)
    plain = html.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"<script|http|\bon\w+=|url\(|\bid=", plain)
    for style in re.findall("<style>(.*?)</style>", html, re.DOTALL):
        for selectors in re.findall(r"([^{}]*)\{[^{}]*\}", re.sub(r"@media[^{]*\{", "", style)):
            assert all(s.startswith((".refsvm-result ", ".refsvm-picture"))
                       for s in selectors.split(","))


def test_numbers_are_told_with_their_meaning():
    texts = list(ElementTree.fromstring(ORACLE["Solution"]._repr_html_()).itertext())
    for name, value, meaning in (
        ("status", "optimal", "m - M <= tol in exact arithmetic"),
        ("gap", repr(ORACLE["Solution"].gap),
         "an upper bound of the duality gap of the machine that is kept, this w and b, and so of"
         " its suboptimality, ..."),
    ):
        assert texts[texts.index(name):][:3] == [name, value, meaning]
    assert "... 13 more ..." in texts and "Gaussian(gamma=1.0), C = 3, " in "".join(texts)


def test_labels_are_text_and_the_letters_of_an_optimum_are_counted():
    html = ORACLE["SVC"]._repr_html_()
    assert "&lt;b&gt;no&lt;/b&gt;" in html and "<b>" not in html
    status = ORACLE["Optimum"].status
    assert f"{status.count('L')} L, {status.count('M')} M" in ORACLE["Optimum"]._repr_html_()


@pytest.mark.parametrize("problem", [
    refsvm.Problem([[0, 1, 2], [1, 1, 1]], [-1, 1]),
    refsvm.Problem(["ab", "ba"], [-1, 1], Spectrum(1)),
    refsvm.Problem([[2, 0], [0, 2]], [-1, 1], Precomputed()),
])
def test_what_is_no_plane_has_a_table_and_no_picture(problem):
    solution = refsvm.smo(problem)
    for thing in (problem, solution, solution.model()):
        assert "<table>" in thing._repr_html_() and "<svg" not in thing._repr_html_()


def test_a_picture_that_would_take_long_is_not_drawn():
    many = [[float(k), float(k * k % 7)] for k in range(400)]
    model = refsvm.Model(0.0, [1.0, -1.0] * 200, many, Gaussian(1), None)
    assert "<svg" not in model._repr_html_()
