"""How input may be given to an estimator, and what must be refused there.

    labels          two words, two ints, two booleans, two floats: predicted as they were given
    integers        rows of ints are rows of numbers, as large as they are; rows to decide about
                    may be floats all the same
    arrays          arrays of small integers, of other strides, of single precision
    sparse rows     sparse matrices, whatever is stored of a row and in which order
    many rows       thousands of rows to decide about at once
    rows to decide  with a NaN, or of another width, are refused

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the interface.
"""

from math import isfinite

from ..kernels.standard import Gaussian, Linear, Polynomial
from ..svm.problem import Problem
from .answer_checks import unfinished
from .array_forms import SPARSE
from .checks import PASS, Finding, failed
from .protocol import Request, kernel_document
from .truth import evidence_of, shape_of, truth_of

SORTS = (
    ("no", "yes"),
    (0, 1),
    (1, 2),
    (False, True),
    (-1.0, 1.0),
    (3, -7),
    (9, 10),
    (2**53, 2**53 + 1),
)
SCALES = {  # how large features are that an array of each form holds
    "uint8": 2.0**5,
    "int8": 2.0**4,
    "int16": 2.0**12,
    "int32": 2.0**28,
    "int64": 2.0**40,
    "float16": 2.0**12,
    "float32": 1.0,
    ">f8": 1.0,
    "columns first": 1.0,
    "every second row": 1.0,
    "backwards": 1.0,
    "read-only": 1.0,
}
MANY = 2503  # a prime, so that blocks of no size fit


def labels(ask):
    """Labels of every sort."""
    for first, second in SORTS:
        y = [first if sign < 0 else second for sign in SIGNS]
        answer = ask(question(f"labels {first!r} and {second!r}", LINE, y, 10.0))
        ended = stopped(answer, len(y), len(LINE))
        if ended is None and answer.predictions is not None and answer.predictions != y:
            ended = [
                ("G7", failed(f"of the labels {y} it makes {answer.predictions}", "NotAccepted"))
            ]
        if ended is None and answer.decisions is not None:
            ended = ordered(answer, y)
        if ended is not None:
            return ended
    return [("G7", PASS)]


def ordered(answer, y):
    """[(check, Finding)] if f > 0 does not mean the larger label, classes_[1]; else None."""
    classes = (answer.attributes or {}).get("classes", sorted(set(y)))
    if classes != sorted(set(y)):
        return [("G7", failed(f"of {y} classes_ is {classes}", "LabelOrder"))]
    if [f > 0 for f in answer.decisions] == [label == classes[-1] for label in y]:
        return None
    return [("G7", failed(f"of {y} the decisions are {answer.decisions}", "LabelOrder"))]


def integers(ask):
    """Rows of ints, whose squares need 6, 16, 34 and 70 bits; rows to decide that are none."""

    def at(scale):
        X = [[int(v * scale) for v in row] for row in LINE]
        rows = [*scaled(LINE, float(scale)), [0.5], [2.5]]
        problem = Problem(scaled(LINE, float(scale)), SIGNS, C=float(scale) ** -2)
        request = question(f"ints times {scale}", X, SIGNS, problem.C[0])._replace(rows=rows)
        return judged(ask, request, problem, "NotAccepted")

    return first_failure(at(scale) for scale in (1, 2**5, 2**14, 2**32))


def arrays(ask):
    """The rows in arrays of every form: linear, and with a Gaussian kernel."""
    return first_failure(
        in_an_array(ask, form, SCALES[form], kernel)
        for form in SCALES
        for kernel in (None, Gaussian(0.25 / SCALES[form] ** 2))
    )


def in_an_array(ask, form, scale, kernel=None, flag="NotAccepted"):
    """G7 of rows in this form; the labels are 0 and 1, of small ints where the rows are.

    C is so small that multipliers meet it: else rows of half the size have the same decisions.
    """
    X = scaled(PLANE, scale)
    C = 1.0 if kernel else scale**-2 / 16
    problem = Problem(X, SIGNS, kernel, C) if kernel else Problem(X, SIGNS, C=C)
    name = f"{form}, {problem.kernel!r}"
    y = [int(label > 0) for label in SIGNS]
    request = question(name, X, y, C, kernel_document(problem.kernel), form=form)
    return judged(ask, request, problem, flag)


def sparse_rows(ask):
    """The rows in sparse matrices. Who takes none may refuse them."""

    def at(form):
        found = in_an_array(ask, form, 1.0, flag="SparseRows")
        if found and found[0][1].flag in ("NotAccepted", "Crash"):
            return [("G7", Finding("acceptable", f"not on offer: {found[0][1].reason}"))]
        return found

    return first_failure(map(at, SPARSE))


def many_rows(ask):
    """Thousands of rows to decide about: of a linear machine, and of a kernel's."""
    rows = [[k / 256] for k in range(MANY)]

    def at(kernel):
        problem = Problem(LINE, SIGNS, kernel, 1 / 64)
        request = question(f"{MANY} rows", LINE, SIGNS, 1 / 64, kernel_document(kernel))
        return judged(ask, request._replace(rows=rows), problem, "BatchDependence")

    return first_failure(map(at, (Linear(), Polynomial(2, 1.0, 1.0))))


def rows_to_decide(ask):
    """Rows to decide about that are none: a NaN, a feature more, a feature less."""
    for row, flag, name in (
        ([float("nan"), 1.0], "RejectNotFinite", "a NaN"),
        ([1.0, 2.0, 3.0], "RejectShape", "a feature more"),
        ([1.0], "RejectShape", "a feature less"),
    ):
        answer = ask(question(f"to decide: {name}", PLANE, SIGNS)._replace(rows=[row]))
        if answer.late or answer.died:
            return stopped(answer, len(SIGNS), 1)
        said = answer.decisions or []
        if said and all(isinstance(f, float) and isfinite(f) for f in said):
            reason = f"a row to decide about has {name}, and f is {said[0]:g}"
            return [("G7", failed(reason, flag))]
    return [("G7", PASS)]


# ---- asking

LINE = [[0.0], [1.0], [3.0], [4.0], [7.0]]
SIGNS = [-1, -1, 1, 1, 1]
PLANE = [[0.0, 1.0], [1.0, 3.0], [3.0, 0.0], [4.0, 2.0], [7.0, 1.0]]


def question(name, X, y, C=1.0, kernel=None, **more):
    """A Request for an estimator, about its own rows."""
    kernel = kernel or {"name": "linear"}
    return Request(name, X, y, [C] * len(y), kernel, X, True, "hinge", 1e-6, **more)


def stopped(answer, n, rows):
    """A [(check, Finding)] for an answer that is none, else None."""
    if answer.unsupported is not None:
        return [("G7", Finding("acceptable", f"not on offer: {answer.unsupported}"))]
    ended = unfinished(answer, n, rows)
    if ended is not None:
        return [("G8", ended)]
    if answer.refused is not None:
        return [("G7", failed(answer.refused, "NotAccepted"))]
    return None


def judged(ask, request, problem, flag, rows=None):
    """G7 of a Request whose answer must be that of a Problem, after a second fit and
    another model's, too.

    rows are those to decide about as the Problem has them, if they are others there.
    """
    answer = ask(request)
    ended = stopped(answer, len(request.y), len(request.rows))
    if ended is not None or answer.decisions is None:
        return ended or []
    truth = truth_of(problem, [list(map(float, row)) for row in rows or request.rows])
    for decisions, shown in (
        (answer.decisions, flag),
        (answer.again, "StateKept"),
        (answer.after, "StateKept"),
    ):
        if decisions is None:
            continue
        said = answer._replace(decisions=decisions)
        shape = shape_of(evidence_of(truth, request, said, None))
        if shape.bent or shape.outside:
            reason = f"{request.id}: not the answer to the problem that this means"
            return [("G7", failed(reason, shown))]
    return [("G7", PASS)]


def first_failure(findings):
    """The first of the lists of findings that has a failure; else a pass, if there is one."""
    seen = []
    for found in findings:
        seen += found
        if found and found[0][1].result == "fail":
            return found
    return [next((one for one in seen if one[1].result == "pass"), seen[0])] if seen else []


def scaled(rows, factor):
    """The rows times a power of two."""
    return [[v * factor for v in row] for row in rows]
