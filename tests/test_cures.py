"""Each cure that a refusal names is obeyed here: the change is made, and the input is taken.

A row of CURED is a call that is refused, with what it is given. The exception says which argument
to change, and how; the same call with the change must answer. Each place in refsvm that makes a
cure has a row: that is seen by the lines that run.
"""

import ast
import contextlib
import inspect
import os
import pickle
import re
import sys
from collections import namedtuple
from fractions import Fraction
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FunctionType

import pytest
from equality import PACKAGES

import refsvm
from refsvm.commands import costs, play, run
from refsvm.commands.arguments import Refusal
from refsvm.estimators.executor_tasks import require_executor
from refsvm.files.text import decimals
from refsvm.kernels import rkhs, weighted_features
from refsvm.numerics import cures, eigenvalues, factorisations, linalg
from refsvm.solvers.step_sizes import inverse_root
from refsvm.svm import conventions
from refsvm.svm.regression_without_offset import RegressionWithoutOffset
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


def tube_solved(package, solver=None):
    """Solve a tube with squared slack."""
    tube = RegressionWithoutOffset(ROWS, SIGNS, slack="squared")
    return (solver(package.smo) if solver else package.smo)(tube)


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


def audited(package, isolate):
    """Audit a function that no other process can import, where no process can fork."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(os, "fork", raising=False)
        problem = refsvm.Problem(ROWS, SIGNS)
        return package.audit(lambda problem: ([0.0], 0.0), problem, isolate=isolate)


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
    row(audited, isolate=True),
    row(predicted, X=FrameOf(b=[1.0, 0.0], a=[0.0, 3.0])),
    row(predicted, X=FrameOf(a=[1.0, 0.0], c=[0.0, 3.0], b=[5.0, 2.0])),
    row(solved("dual_coordinate_descent"), kernel=refsvm.Gaussian(1), bias=False),
    row(solved("dual_coordinate_descent")),
    row(solved("newton"), kernel=refsvm.Gaussian(1), bias=False, slack="squared"),
    row(solved("newton"), slack="squared"),
    row(solved("newton"), bias=False),
    row(solved("newton"), bias=False, slack="squared", C=float("inf")),
    row(solved("newton"), X=ROWS, bias=False, slack="squared", C=1e308),
    row(solved("proximal_point"), slack="squared", bias=False),
    row(solved("proximal_point")),
    row(tube_solved),
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


TABLE = "a,b,kind,y\n1,2,red,0.5\n3,4,blue,1.5\n5,7,red,2.5\n2,1,blue,3.5\n"
MODEL = "svm_type {}\nkernel_type linear\nnr_class 2\ntotal_sv {}\nrho 0\n{}SV\n{}"
FILES = {  # by their names
    "rents": TABLE, "-rents": TABLE, "some": "1 1:1\n-1 1:2\n1 1:3\n-1 1:4\n",
    "kernel": "1 0:1 1:4 2:2\n-1 0:2 1:2 2:4\n", "none": "a,,kind\n1,2,u\n3,4,v\n5,9,u\n",
    "more": "".join(f"{(-1) ** k} 1:{k}\n" for k in range(12)), "odd": TABLE.replace("4", "x"),
    "ids": "no,a,b,kind\n" + "".join(f"{k},{k % 3},{k % 4},{k % 2}\n" for k in range(1, 15)),
    "diagonal": "".join(f"{k % 2} {k}:{k}\n" for k in range(1, 111)),
    "new": "a,b,kind,y\n1,2,red,1\n3,4,grey,2\n",
    "zero": MODEL.format("c_svc", 2, "label 1 -1\nnr_sv 1 1\n", "0 1:0\n0 1:1\n"),
    "no_nu": MODEL.format("nu_svr", 2, "", "0 1:1\n0 1:2\n"),
    "no_C": MODEL.format("epsilon_svr", 2, "", "0 1:1\n0 1:2\n"),
    "all": MODEL.format("epsilon_svr", 4, "", "1 1:1\n-1 1:2\n1 1:3\n-1 1:4\n"),
}
BEFORE = ["train rents --format csv -o m --label kind", "scale more -o scaled --save ranges",
          "train more -o model --C 1 --kernel linear", "train more --type linear_svc -o linear"]
CSV = " --format csv"
TYPED = [  # a line, and what only its reader knows
    ("train more -c 10", ""), ("exact more -t 0", ""), ("train more -w1 2", ""),
    ("check more model -s 0", ""), ("train more --class-weight -1:2", ""),
    ("train -rents" + CSV, ""), ("train rents", ""), ("train rents" + CSV, ""),
    ("train rents --label kind", ""),
    ("train rents --type epsilon_svr --label kind" + CSV, "y"),
    ("scale more --restore ranges --lower 0 --upper 2 -o again", ""),
    ("train more -v 2 --test-size 0.5", ""), ("train some --type svdd --C 1 -o svdd", ""),
    ("train more --probabilities --test-size 0.5", "sure"),
    ("train kernel --type svdd --C 0.9 --kernel precomputed", ""),
    ("train kernel --test-size 0.5 --kernel precomputed -o m", ""),
    ("exact more --coq proof.v", ""), ("exact more --certificate proof", ""),
    ("trace more --type one_class --solver active-set", ""),
    ("trace more --type one_class -o p", ""), ("train none" + CSV, ""),
    ("train some --type svdd --C 0.1", ""), ("plot ids --features no a -o p" + CSV, ""),
    ("predict odd m" + CSV, ""), ("scale new --restore m -o written" + CSV, "kind"),
    ("scale diagonal -o wide", ""),
    ("check more zero", "1"), ("check some no_nu", "1"), ("check some no_C", "1"),
    ("check some all", "0.1"), ("check more linear", "1"), ("exact more --type linear_svc", ""),
    ("train more --type linear_svc --kernel poly", ""),
    ("train more --type linear_svc --probabilities -o sure", ""),
    ("play --no-browser --port 65535", ""),
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


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Files for the lines, few numbers that are many, and a server that has one port and ends."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    for line in BEFORE:
        assert run(line.split()) == 0
    monkeypatch.setattr(costs, "USUAL_NUMBERS", 1000)
    monkeypatch.setattr(play, "PlayServer", OnePort)


class OnePort(contextlib.nullcontext):
    url = "here"

    def __init__(self, port, state):
        if port:
            raise OSError(98, "Address already in use")

    __enter__ = serve_forever = lambda self: self


@pytest.mark.parametrize("line, known", TYPED)
def test_a_line_typed_with_its_cure_is_done(files, line, known):
    command, *words = line.split()
    for _ in range(2):
        refusal = refusal_of(run, [command, *words], {})
        assert refusal.cure.words in str(refusal)
        words = [*refusal.cure.change(words), *known.split()]
        with contextlib.suppress(Refusal):
            assert run([command, *words]) < 1 + (command == "check")
            return
    raise refusal


MAKERS = cures.Cure.__new__, cures.adding, cures.calling, cures.giving, Refusal.__init__


def makers():
    """Each place of the sources where a cure is made: (file, first line, last line)."""
    for path in sorted(FOLDER.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if re.search("cures import|Refusal", text) and path.parent.name != "sklearn":
            for node in ast.walk(ast.parse(text)):
                name = isinstance(node, ast.Call) and getattr(node.func, "id", None)
                if name in ("Cure", "adding", "calling", "giving") or (
                        name == "Refusal" and len(node.args) + len(node.keywords) > 1):
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
    # of the command line, whose Refusal carries the cure of its Parser as well
    "no bytes; rename it", "by a power of two", "fewer rows or columns", "so write {} before it",
    "a picture is SVG", "is the file, write {}", "is that, write {}", "say them as they were",
    "if training had more", "if it was another, say", "if the labels are values", "fewer --jobs",
    "say it to within 2^-N", "so leave only those in the data", "so name a file", "another unit",
    "name OUT as a table", "take one of them, as {}", "add 1 to every index", "give at least {}",
    "so leave it out", "give the number of columns", "scale them, .*", "the estimator inside it",
    # what only the caller knows, a student or a player does; words of others, and of a report
    "say {'w': .., 'b': ..} or", "make a new list in the place of that", "write x / 2, not 0.5",
    "there is no point: add one", "add one of class {}", "load the page anew",
    "not supported, not implemented", "The model is that of another kernel",
}
RECOMMENDS = re.compile(
    r"(?:[;:,]|, so| or) (?:take|give|say|use|scale|write|rename|save|leave|call|choose|add|set"
    r"|make|mend|fill|fit|allow|try|load|name|centre|lower|divide) ")


def sentences(path):
    """The texts of a source that are no docstrings, and no part of a cure; {} for what varies."""
    tree, passed = ast.parse(path.read_text(encoding="utf-8")), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "with_cure", "Cure", "adding", "calling", "giving", "say") or (
                getattr(node, "func", None) and getattr(node.func, "id", "") == "Refusal"
                and len(node.args) + len(node.keywords) > 1):
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
            for text in sentences(path) if RECOMMENDS.search(f" {text}")]
    assert [text for text in bare if not any(words in text for words in PROSE)] == []
    assert [words for words in PROSE if not any(words in text for text in bare)] == []


def test_every_cure_is_obeyed_here(files):
    seen, made_by = set(), {make.__code__ for make in MAKERS}

    def note(frame, event, _):
        if event == "call" and frame.f_code in made_by:
            seen.add((frame.f_back.f_code.co_filename, frame.f_back.f_lineno))

    lines = [(partial(lambda words, package: run(words), line.split()), {}) for line, _ in TYPED]
    for call, given in [*CURED, *lines]:
        sys.setprofile(note)
        try:
            refusal_of(call, refsvm, given)
        finally:
            sys.setprofile(None)
    unseen = [place for place in makers()
              if not any(path == place[0] and place[1] <= line <= place[2] for path, line in seen)]
    assert not unseen, [f"{Path(path).name}:{first}" for path, first, _ in unseen]
