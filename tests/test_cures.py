"""Each cure that a refusal names is obeyed here: the change is made, and the input is taken.

A row of CURED is a call that is refused, with what it is given. The exception says which argument
to change, and how; the same call with the change must answer. Each place in refsvm that makes a
cure has a row: that is seen by the lines that run.
"""

import ast
import inspect
import pickle
import re
import sys
from collections import namedtuple
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FunctionType

import pytest
from equality import PACKAGES

import refsvm
from refsvm.estimators.executor_tasks import require_executor
from refsvm.files.text import decimals
from refsvm.kernels import rkhs, weighted_features
from refsvm.numerics import cures, eigenvalues, factorisations, linalg
from refsvm.solvers.step_sizes import inverse_root
from refsvm.svm import conventions
from refsvm.theory import hyperplanes

FOLDER = Path(refsvm.__file__).parent
HALF, NAN = Fraction(1, 2), float("nan")
ROWS, SIGNS = [[0.0], [1.0], [3.0], [4.0]], [-1, -1, 1, 1]
MIXED = [[0], [2], [4], [1], [3], [5]], [0, 0, 0, 1, 1, 1]
LOPSIDED = [[1.0, 2.0], [3.0, 1.0]]  # not symmetric

Row = namedtuple("Row", "call given")


def row(*call, **given):
    return Row(call[0], given)


def fitted(name):
    """The call that trains an estimator of either package, whose parameters are arguments."""
    def fit(package, X, y=None, sample_weight=None, **parameters):
        return getattr(package, name)(**parameters).fit(X, y, sample_weight)
    return fit


def solved(name):
    """The call that solves the problem that is made of the other arguments."""
    def solve(package, solver=None, **given):
        problem = refsvm.Problem(y=SIGNS, **{"X": ROWS, **given})
        solver = solver(getattr(package, name)) if solver else getattr(package, name)
        picks = [[0, 1, 2, 3] * 9] if solver.__name__ == "dual_coordinate_descent" else []
        return solver(problem, *picks)
    return solve


def judged(function):
    def judge(package, b=0.5):
        solution = refsvm.smo(refsvm.Problem(ROWS, SIGNS))
        return function(solution.problem, solution, *([] if b is None else [b]))
    return judge


class FrameOf:
    """A frame as refsvm sees it: names, rows, and columns taken by their names."""

    def __init__(self, **columns):
        self.columns, self.of = list(columns), columns
        self.shape = len(next(iter(columns.values()))), len(columns)

    def __getitem__(self, names):
        return FrameOf(**{name: self.of[name] for name in names})

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("no array is needed here")

    def tolist(self):
        return [list(cells) for cells in zip(*self.of.values())]


def read(package, text, **options):
    """The call that reads a file with this text."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "some.csv" if options.get("format", "csv") == "csv" else "some.txt")
        path.write_text(text)
        return package.read_data(path, **options)


def prepared(package, rows, names, drop=()):
    return refsvm.Preparation.fit(rows, names, drop=drop)


def scaled_text(values):
    return [decimals(value, "values") for value in values]


class Day(str):
    """A date as NumPy has it."""

    dtype = namedtuple("DType", "kind")("M")


class Client:
    """A client of a cluster, which has an executor and is none."""

    def get_executor(self):
        return None


def predicted(package, X):
    frame = FrameOf(a=[0.0, 1.0, 3.0, 4.0], b=[1.0, 0.0, 0.0, 1.0])
    return package.SVC().fit(frame, SIGNS).predict(X)


CURED = [
    row(fitted("OneClassSVM"), X=[[-1], [1], [3], [4]], kernel="linear", nu=0.5),
    row(fitted("OneClassSVM"), X=[[-1], [1], [-3], [3]], kernel="linear", nu=0.5),
    row(fitted("SVDD"), X=ROWS, C=0.1),
    row(fitted("NuSVC"), X=MIXED[0], y=MIXED[1], kernel="linear", nu=0.3),
    row(fitted("NuSVC"), X=MIXED[0], y=[0, 0, 1, 0, 1, 2], kernel="linear", nu=0.9),
    row(fitted("NuSVC"), X=[[0], [3], [1], [2]], y=[0, 0, 1, 1], kernel="linear", nu=1.0),
    row(fitted("NuSVC"), X=[[0.0], [2.0**-520]], y=[0, 1], kernel="linear", nu=1.0),
    row(fitted("NuSVC"), X=[[0, 1], [3, 3], [-3, -1], [0, 3], [-3, -2], [-1, 1]],
        y=[1, 1, 1, 1, 1, -1], nu=0.2, kernel="linear", max_iter=1),
    row(fitted("SVC"), X=[[0.0], [1e-200]], y=[0, 1]),
    row(fitted("SVC"), X=ROWS, y=[[0], [0], [1], [1]]),
    row(fitted("SVC"), X=ROWS, y=["a", "b", "b", None]),
    row(fitted("SVC"), X=ROWS, y=[0, 1, 1, NAN]),
    row(fitted("SVC"), X=ROWS, y=[Day("2026-01-01"), Day("2026-01-02")] * 2),
    row(lambda package, estimator, X, y: estimator().fit(X, y), estimator=refsvm.SVC, X=ROWS,
        y=[0.5, 1, 1.5, 2]),
    row(fitted("SVC"), X=ROWS, y=SIGNS, C=2**53 + 1),
    row(solved("smo"), C=10**400),
    row(fitted("LinearSVC"), X=ROWS, y=SIGNS, penalty="l1"),
    row(fitted("LinearSVC"), X=ROWS, y=SIGNS, multi_class="crammer_singer"),
    row(fitted("LinearSVC"), X=ROWS, y=SIGNS, dual=False, loss="hinge"),
    row(fitted("LinearSVC"), X=ROWS, y=SIGNS, dual=False, C=float("inf")),
    row(lambda package, estimator: package.cross_validate(estimator, ROWS, SIGNS, 2),
        estimator=refsvm.SVC),
    row(lambda package, parameters: package.grid(refsvm.SVC(), parameters, ROWS, SIGNS, 2),
        parameters={"C": 1}),
    row(lambda package, executor: require_executor(executor), executor=Client()),
    row(predicted, X=FrameOf(b=[1.0, 0.0], a=[0.0, 3.0])),
    row(predicted, X=FrameOf(a=[1.0, 0.0], c=[0.0, 3.0], b=[5.0, 2.0])),
    row(solved("dual_coordinate_descent"), kernel=refsvm.Gaussian(1), bias=False),
    row(solved("dual_coordinate_descent")),
    row(solved("newton"), kernel=refsvm.Gaussian(1), bias=False, slack="squared"),
    row(solved("newton"), slack="squared"),
    row(solved("newton"), bias=False),
    row(solved("newton"), bias=False, slack="squared", C=float("inf")),
    row(solved("newton"), X=ROWS, bias=False, slack="squared", C=1e308),
    row(solved("coordinate_ascent")),
    row(solved("smo"), X=ROWS, C=1e308, bias=False),
    row(lambda package, weights: refsvm.RegressionProblem(ROWS, SIGNS, C=1e300, weights=weights),
        weights=[1e10] * 4),
    row(lambda package, weights: refsvm.RegressionProblem(ROWS, SIGNS, C=1e-300, weights=weights),
        weights=[1e-50] * 4),
    row(solved("smo"), X=[[2, 1, 0, 0], [0, 2, 1, 0], [0, 0, 2, 1], [0, 0, 0, 2]],
        kernel=refsvm.Precomputed()),
    row(solved("smo"), kernel=lambda x, z: x[0] * z[0] + x[0]),
    row(solved("smo"), X=[[HALF], [1], [3], [4]], kernel=refsvm.Gaussian(1)),
    row(lambda package, weights: refsvm.NuProblem(ROWS, SIGNS, refsvm.Linear(), 0.9, weights)
        .dual_form(), weights=[1e308] * 4),
    row(lambda package, degree: refsvm.solve_exactly(
        refsvm.Problem([[x / 3] for [x] in ROWS], SIGNS, kernel=refsvm.Polynomial(degree))),
        degree=5000),
    row(judged(refsvm.certify), b=0.5),
    row(judged(refsvm.gap_bounds), b=0.5),
    row(lambda package, decisions: package.calibrate(decisions, SIGNS),
        decisions=[0.0, 5e-324, 5e-324, 1e-323]),
    row(lambda package, decisions: package.calibrate(decisions, SIGNS),
        decisions=[HALF, HALF, 1, 2]),
    row(lambda package, R: package.couple(R), R=[[0.0, 0.25], [0.5, 0.0]]),
    row(lambda package, C: conventions.from_average_slack(C, 10**9), C=1e-320),
    row(lambda package, norm, x: norm(x), norm=linalg.norm, x=[HALF, 1]),
    row(lambda package, norm, g: norm(g), norm=rkhs.norm,
        g=rkhs.section(refsvm.Linear(), [HALF])),
    row(lambda package, inner, f: inner(*[f] * len(inspect.signature(inner).parameters)),
        inner=weighted_features.coordinates, f=[weighted_features.Feature(HALF, HALF)]),
    row(lambda package, x: weighted_features.gaussian(x, 0.5, 3), x=HALF),
    row(lambda package, gamma: weighted_features.gaussian(1.0, gamma, 3), gamma=HALF),
    row(lambda package, cholesky, A: cholesky(A), cholesky=factorisations.cholesky,
        A=[[HALF, 0], [0, 1]]),
    row(lambda package, A: factorisations.cholesky(A), A=[[4.0, 2.0], [1.0, 3.0]]),
    row(lambda package, A: eigenvalues.symmetric_eigenvalues(A), A=[[HALF, 0], [0, 1]]),
    row(lambda package, c: inverse_root(c, 3), c=HALF),
    row(lambda package, z: hyperplanes.logistic(z), z=HALF),
    row(lambda package, w: hyperplanes.length(w), w=[HALF, HALF]),
    row(lambda package, w: hyperplanes.length(w), w=[1e-200, 0.0]),
    row(read, text="a,b,c\n1,,no\n2,3,yes\n"),
    row(read, text="a,b,c\n1,red,no\n2,blue,yes\n"),
    row(read, text="0,1,2\n1,2,3\n"),
    row(prepared, rows=[["1", "x"], ["2", "y"], ["3", "z"]], names=["a", "a"]),
    row(lambda package, values: scaled_text(values), values=[Fraction(1, 3), HALF]),
    row(read, text="a,,c\n1,2,no\n3,4,yes\n"),
    row(read, text="a,a,c\n1,2,no\n3,4,yes\n"),
    row(read, text="a,b,c\n1,2,no\n3,4,yes\n", format="libsvm", label="c"),
    row(read, text="a,b,c\n1,2,no\n3,4,yes\n", format="libsvm"),
    row(read, text="1\n-1\n", format="libsvm"),
    row(read, text="1 0:2 1:3\n-1 0:1 1:5\n", format="libsvm", first=1),
]


def refusal_of(call, package, given):
    with pytest.raises((ValueError, TypeError)) as refused:
        call(package, **given)
    return refused.value


def obeyed(cure, given):
    """What to give after the change: to a part of an argument, to several, or another function."""
    if cure.argument == "":
        name = next((k for k, v in given.items() if isinstance(v, (type, FunctionType))), "solver")
        return {**given, name: cure.change(given[name]) if name in given else cure.change}
    names = cure.argument.split(", ")
    if names[1:]:
        return {**given, **dict(zip(names, cure.change(tuple(given[name] for name in names))))}
    name, *places = re.findall(r"[^][]+", cure.argument)
    return {**given, name: changed(given.get(name), [ast.literal_eval(k) for k in places], cure)}


def changed(value, places, cure):
    if not places:
        return cure.change(value)
    inner = changed(value[places[0]], places[1:], cure)
    if isinstance(value, dict):
        return {**value, places[0]: inner}
    return [*value[:places[0]], inner, *value[places[0] + 1:]]


@pytest.mark.parametrize("package", PACKAGES.values(), ids=PACKAGES)
@pytest.mark.parametrize("call, given", CURED, ids=range(len(CURED)))
def test_what_a_refusal_recommends_helps(package, call, given):
    refusal = refusal_of(call, package, given)
    assert str(refusal).endswith(refusal.cure.words)
    for _ in range(3):  # what is to be scaled may have to be so again; no cure leads to a circle
        given = obeyed(refusal.cure, given)
        try:
            call(package, **given)
            return
        except ValueError as again:
            refusal = again
    raise refusal


@pytest.mark.parametrize("call, given", CURED, ids=range(len(CURED)))
def test_a_cure_travels_with_its_exception(call, given):
    refusal = refusal_of(call, refsvm, given)
    copied = pickle.loads(pickle.dumps(refusal))
    assert str(copied) == str(refusal) and copied.cure.words == refusal.cure.words


MAKERS = cures.Cure.__new__, cures.adding, cures.calling, cures.giving


def makers():
    """Each place of the sources where a cure is made: (file, first line, last line)."""
    for path in sorted(FOLDER.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "cures import" in text and path.parent.name != "sklearn":
            for node in ast.walk(ast.parse(text)):
                name = isinstance(node, ast.Call) and getattr(node.func, "id", None)
                if name in ("Cure", "adding", "calling", "giving"):
                    yield str(path), node.lineno, node.end_lineno


# What only a person can do, or what is said of a machine and not of an input: no cure is carried.
PROSE = {
    "call fit(X, y) first", "make columns of 0 and 1 of such texts", "mend them, or leave them",
    "give each row that of its class", "give the rows of fit", "save the table",
    "save it as UTF-8",
    "name a file in it", "choose a shorter one", "name the file itself", "so name one in another",
    "name another", "rename what holds it", "leave the item out where each row", "rename one",
    "add many kernels in pairs", "use that release, or make it anew", "set the mode back",
    "take a Python for x86-64", "fit again with a smaller tol", "give the kernel as a function",
    "lower C, scale X, or take a", "centre and scale X", "give {}, or none", "lower must be below",
    "fill it in, or leave out the row", "if it is the label, say label={}",
    "write one, or leave the row out", "if these are names, say header=True",
    "say format='tsv'", "give its number, from 1", "or leave it out by drop=[{}], as where",
    "name it in keep", "give Fractions", "take a larger one, or another kernel",
    "or leave them out{}", "fit with kernel='precomputed'", "fit again, with a smaller tol",
}
RECOMMENDS = re.compile(
    r"(?:[;:,]|, so| or) (?:take|give|say|use|scale|write|rename|save|leave|call|choose|add|set"
    r"|make|mend|fill|fit|allow|try|load|name|centre|lower|divide) ")
OF_PEOPLE = "conformance", "play", "exercises", "plotting", "commands", "c99"  # folders


def sentences(path):
    """The texts of a source that are no docstrings, and no part of a cure; {} for what varies."""
    tree, passed = ast.parse(path.read_text(encoding="utf-8")), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "with_cure", "Cure", "adding", "calling", "giving"):
            passed.update(map(id, ast.walk(node)))
        if isinstance(node, ast.JoinedStr):
            passed.update(map(id, node.values))
        if isinstance(node, ast.Expr):
            passed.add(id(node.value))
    for node in ast.walk(tree):
        if id(node) not in passed and isinstance(node, ast.JoinedStr):
            yield "".join(getattr(part, "value", None) if isinstance(part, ast.Constant) else "{}"
                          for part in node.values)
        elif id(node) not in passed and isinstance(getattr(node, "value", None), str):
            yield node.value


def test_a_sentence_that_recommends_carries_its_cure():
    bare = [text for path in sorted(FOLDER.rglob("*.py"))
            if path.relative_to(FOLDER).parts[0] not in OF_PEOPLE
            for text in sentences(path) if RECOMMENDS.search(f" {text}")]
    assert [text for text in bare if not any(words in text for words in PROSE)] == []
    assert [words for words in PROSE if not any(words in text for text in bare)] == []


def test_every_cure_is_obeyed_here():
    seen, made_by = set(), {make.__code__ for make in MAKERS}

    def note(frame, event, _):
        if event == "call" and frame.f_code in made_by:
            seen.add((frame.f_back.f_code.co_filename, frame.f_back.f_lineno))

    for call, given in CURED:
        sys.setprofile(note)
        try:
            refusal_of(call, refsvm, given)
        finally:
            sys.setprofile(None)
    unseen = [place for place in makers()
              if not any(path == place[0] and place[1] <= line <= place[2] for path, line in seen)]
    assert not unseen, [f"{Path(path).name}:{first}" for path, first, _ in unseen]
