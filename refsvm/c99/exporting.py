"""export: a model as the text of a C file, or as the file.

name       the prefix of the public names in C
piece      a few lines of C that belong together; the file is the pieces with blank lines between
rows       what x is compared with: for a linear machine the weights, a row for each pair of
           classes, or the centre of a ball; otherwise the support vectors
           without any, as in some regressions, the decision value is a constant
coefs      for each support vector the factors of its kernel value, one for each class but its
           own, in their order; None for a linear machine
offsets    b of each pair of classes, in the order of one_vs_one.py; of a ball R^2
counts     how many support vectors each class has; None except for a OneAgainstOne
labels     of the classes; None where the prediction is +1 or -1, or a value
kernel     with its parameters as floats
task       what the model is for
norm2      |c|^2 of the centre of a ball; None for the others
features   how many numbers x has; 0 where it is not known, for there is no row to compare x with
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from string import Template
from typing import Any, Literal, NamedTuple

from ..files.model_text import int_label
from ..files.models import Fitted, fitted_model
from ..files.outputs import writing
from ..files.table_columns import TableColumns
from ..files.text import PathLike
from ..kernels.base import Kernel, as_kernel
from ..kernels.standard import Linear
from ..numerics.quoting import quote
from ..numerics.types import Label
from ..numerics.validation import matrix, number_kind, to_number, vector, whole_number
from ..svm.ball_problem import BallModel
from ..svm.model import Model
from ..svm.one_class_problem import OneClassModel
from ..svm.one_vs_one import OneAgainstOne, pair_terms, pair_weights, pairs
from ..svm.regression_problem import RegressionModel
from . import templates
from .constants import (
    CText,
    count_table,
    lines,
    literal,
    matrix_table,
    number_table,
    quoted,
    smaller_without_zeros,
    sparse_tables,
)
from .kernel_functions import (
    functions,
    functions_of,
    kernel_function,
    own_kernel_function,
    refuse_unless_formula,
)
from .preparing import preparing


def export(
    model: Model | OneAgainstOne | BallModel | Fitted,
    path: PathLike | None = None,
    name: str = "svm",
) -> str:
    """Return a trained machine as C99, and write it to a file if a path is given (S14.1).

    Of an estimator that is fitted its `model_` is exported.

    The C file needs no library and no memory but the stack, and its functions return the bits of
    decision and predict of the model, or of OneAgainstOne.pair_decisions and predict. Its first
    comment says what they are called and how to compile them; an x that would be refused here is
    NaN.

    Parameters
    ----------
    path : name of a file
        which appears whole or not at all
    name : ASCII letters, digits and _, a letter first
        the prefix of the names in C

    Returns
    -------
    str
        the text of the file

    Raises
    ------
    ValueError or TypeError
        for a kernel of strings or of the caller's own and for Precomputed, for Fractions, for a
        model of classes or of a ball without support vectors, and for a name that C could not use

    Notes
    -----
    The tables take the smallest types that lose nothing, and leave out zeros where that is
    shorter. O(V d), for a linear OneAgainstOne O(k V d). A regression without support vectors is a
    constant, and the number of features is 0 unless an estimator tells it. Source:
    spec/standard/export.md.

    Examples
    --------
    >>> from refsvm.kernels.standard import Linear
    >>> from refsvm.svm.model import Model
    >>> text = export(Model(-2.0, [], [], Linear(), [0.5, 3.0]))
    >>> for line in text.splitlines():
    ...     if "const" in line and line[0] != " ":
    ...         print(line)
    double svm_decision(const double *x);
    int svm_predict(const double *x);
    static const float rows[1][2] = {
    static const signed char offsets[1] = {
    static int all_finite(const double *x)
    static double dot(const double *x, size_t row)
    static int decide(const double *x, double *pairs)
    double svm_decision(const double *x)
    int svm_predict(const double *x)
    """
    text = c_text(model, name, getattr(model, "n_features_in_", None))
    if path is not None:
        with writing(path) as out:
            out.write(text)
    return text


def c_text(
    model: Any, name: str, features: int | None, columns: TableColumns | None = None
) -> str:
    """Return the text of the C file; features: how many a row has, if that is known.

    columns: of the table that it was trained on; if they were prepared, so are they in C.
    """
    _refuse_unless_identifier(name)
    exported = _exported_model(fitted_model(model), features)
    if columns is None or columns.prepared is None:
        return program(exported, name)
    made = f",\n * which {name}_prepare, at the end of this file, makes of a row of the table"
    text = program(exported, name, made)
    names = columns.names or [str(k + 1) for k in range(columns.width)]
    pieces = preparing(columns.prepared, names)
    return "\n".join([text, *(Template(piece).substitute(name=name) for piece in pieces)])


def _refuse_unless_identifier(name: str) -> None:
    """Refuse a prefix with which a name in C cannot begin."""
    rule = "it must be letters of ASCII, digits and _, a letter first"
    if not isinstance(name, str):
        raise TypeError(f"name is {quote(name)}; {rule}")
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name):
        raise ValueError(f"name is {quote(name)}; {rule}")


def program(model: ExportedModel, name: str, made: str = "") -> str:
    """Return the text of the C file; made: words of what makes the numbers of a row."""
    tables, is_sparse = _tables_of(model)
    by = by_kernel if model.coefs else by_weights if model.rows else _by_constant
    head, declared, public = _public_parts(model)
    is_long = any("uint_least32_t" in table.text for table in tables)
    pieces = [
        head
        + templates.HEAD_END
        + ("#include <stdint.h>\n" if is_long else "")
        + templates.CHECKS_IN_C,
        _sizes(model) + declared,
        "".join(table.text for table in tables),
        *([templates.IS_FINITE, templates.ALL_FINITE] if model.features else []),
        *by(model, is_sparse),
        templates.NOT_A_NUMBER,
        *public,
    ]
    size = sum(table.size for table in tables)  # exact
    words = {"name": name, "size": size, "made": made}
    return "\n".join(Template(piece).substitute(words) for piece in pieces)


def _by_constant(model: ExportedModel, is_sparse: bool) -> list[str]:
    """Return how a machine decides that has neither weights nor support vectors."""
    return [templates.DECIDE_CONSTANT if model.features else templates.DECIDE_WITHOUT_X]


def by_weights(model: ExportedModel, is_sparse: bool) -> list[str]:
    """Return how a linear machine decides: by its weights, or the centre of its ball (S14.2)."""
    if model.task == "ball":
        return [*functions({"squared_distance"}, is_sparse), templates.DECIDE_BY_CENTRE]
    return [*functions({"dot"}, is_sparse), templates.DECIDE_BY_WEIGHTS]


def by_kernel(model: ExportedModel, is_sparse: bool) -> list[str]:
    """Return how a machine decides by kernel values with its support vectors (S14.2)."""
    called, own, decision = functions_of(model.kernel), [], templates.SUM_AND_OFFSET
    if model.task == "ball":
        called |= {"squared_norm"} if "dot" in called else set()
        own = [own_kernel_function(model.kernel)]
        decision = Template(templates.INSIDE_BALL).substitute(norm2=literal(model.norm2))
    one = Template(templates.DECIDE_ONE).safe_substitute(decision=decision)
    decide = [templates.PLACE_OF, templates.DECIDE_MANY] if model.task == "many classes" else [one]
    return [*functions(called, is_sparse), kernel_function(model.kernel), *own, *decide]


def _tables_of(model: ExportedModel) -> tuple[list[CText], bool]:
    """Return the tables of a model, and whether its rows are stored without their zeros."""
    if not model.rows:
        return [number_table("offsets", model.offsets, "the value of all x")], False
    is_sparse = smaller_without_zeros(model.rows)
    what = _names_of_rows(model)
    rows = sparse_tables(model.rows, what) if is_sparse else matrix_table("rows", model.rows, what)
    ends = "what is added in the end, for each pair" if model.task != "ball" else "R^2"
    offsets = number_table("offsets", model.offsets, ends)
    if model.coefs is None:
        return [rows, offsets], is_sparse
    what = "the factors of each support vector's kernel value, for every class but its own"
    tables = [rows, matrix_table("coefs", model.coefs, what), offsets]
    if model.counts is not None and len(model.offsets) > 1:
        tables.append(count_table("counts", model.counts, "the support vectors of each class"))
    return tables, is_sparse


def _names_of_rows(model: ExportedModel) -> str:
    """Return what the comment says of the rows."""
    if model.coefs is not None:
        return "the support vectors"
    return "the centre" if model.task == "ball" else "the weights of each pair"


def _sizes(model: ExportedModel) -> str:
    """Return the numbers of features, classes, pairs and support vectors, as constants of C."""
    found = {"features": model.features, "classes": 2, "pairs": len(model.offsets)}
    if model.labels is not None:
        found["classes"] = len(model.labels)
    elif model.task != "two classes":
        del found["classes"]
    if model.coefs is not None:
        found["vectors"] = len(model.rows)
    lines = ",\n".join(f"    ${{name}}_{word} = {n}" for word, n in found.items())
    return f"enum {{\n{lines}\n}};\n\n"


def _public_parts(model: ExportedModel) -> tuple[str, str, list[str]]:
    """Return the head, the declarations, and the functions that the user of the C file calls."""
    if model.labels is None:
        return templates.WITHOUT_LABELS[model.task]
    labels = _label_table(model.labels)
    if len(model.offsets) == 1:
        public = [labels, templates.DECISION, templates.PREDICT_PLACE]
        return templates.HEAD_OF_TWO, templates.DECLARE_ONE + declaration(labels), public
    public = [labels, templates.DECISIONS, templates.PREDICT_PLACE]
    return templates.HEAD_OF_MANY, templates.DECLARE_MANY + declaration(labels), public


def _label_table(labels: list[Label]) -> str:
    """Return the labels as C: whole numbers if all are ints of 32 bits, otherwise words."""
    try:
        kind, words = "long ", [str(int_label(label, "label")) for label in labels]
    except (TypeError, ValueError):
        kind, words = "char *const ", [quoted(str(label)) for label in labels]
    return f"const {kind}${{name}}_labels[${{name}}_classes] = {{\n{lines(words)}\n}};\n"


def declaration(table: str) -> str:
    """Return the declaration of a table that is defined elsewhere in the file."""
    return f"extern {table.partition(' = ')[0]};\n"


Task = Literal["two classes", "many classes", "regression", "one class", "ball"]


class ExportedModel(NamedTuple):
    """The numbers of a C file; see the top of this module."""

    rows: list[list[Any]]  # floats, as all numbers here
    coefs: list[list[Any]] | None
    offsets: list[Any]
    counts: list[int] | None
    labels: list[Any] | None
    kernel: Kernel
    task: Task
    norm2: Any = None  # a float
    features: int = 0


def _exported_model(
    model: Model | OneAgainstOne | BallModel, features: int | None = None
) -> ExportedModel:
    """Return what a C file holds of a model; anything C cannot hold is refused.

    features: how many a row has, which a model without support vectors does not know.
    """
    if not isinstance(model, (Model, OneAgainstOne, BallModel)):
        raise TypeError(
            f"model is a {type(model).__name__}; a Model, a OneAgainstOne or a BallModel is"
            " needed, or an estimator that is fitted"
        )
    kernel = as_kernel(model.kernel)
    refuse_unless_formula(kernel)
    if number_kind([list(model), kernel.parameters()]) is Fraction:
        raise TypeError(
            "model holds Fractions, and C has none; export model.to(float), which decides by"
            " rounded numbers"
        )
    if isinstance(model, RegressionModel) and not model.vectors and model.w is None:
        _refuse_unless_as_long(model.coef, "coef", 0)
        b = to_number(float, model.b, "b")
        return ExportedModel(
            [], None, [b], None, None, Linear(), "regression", features=features or 0
        )
    if not model.vectors and getattr(model, "w", None) is None:
        raise ValueError("model has no support vector; one is needed, and C has no empty tables")
    found = _of_vectors(model, kernel)
    return found._replace(features=len(found.rows[0]))


def _of_vectors(model: Model | OneAgainstOne | BallModel, kernel: Kernel) -> ExportedModel:
    """Return the ExportedModel of a model with support vectors or weights."""
    if isinstance(model, OneAgainstOne):
        return of_many(model._replace(kernel=kernel))
    if isinstance(model, BallModel):
        radius2 = to_number(float, model.radius2, "radius2")
        norm2 = to_number(float, model.w_norm2, "w_norm2")
        return of_one(model, radius2, kernel.to(float), "ball")._replace(norm2=norm2)
    return of_one(model, to_number(float, model.b, "b"), kernel.to(float), task_of(model))


def task_of(model: Model) -> Task:
    """Return what a Model is for."""
    if isinstance(model, RegressionModel):
        return "regression"
    return "one class" if isinstance(model, OneClassModel) else "two classes"


def of_one(model: Model | BallModel, offset: object, kernel: Kernel, task: Task) -> ExportedModel:
    """Return what is held of a model with one decision value; the kernel is given in floats."""
    if model.w is not None:
        rows = [vector(model.w, "w", float)]
        return ExportedModel(rows, None, [offset], None, None, kernel, task)
    coef = vector(model.coef, "coef", float)
    _refuse_unless_as_long(coef, "coef", len(model.vectors))
    rows = matrix(model.vectors, "vectors", float)
    return ExportedModel(rows, [[c] for c in coef], [offset], None, None, kernel, task)


def of_many(model: OneAgainstOne) -> ExportedModel:
    """Return the ExportedModel of a OneAgainstOne."""
    model = model.to(float)
    k, V = len(model.classes), len(model.vectors)
    if k < 2:
        raise ValueError(f"classes has length {k}; there must be at least 2")
    _refuse_unless_as_long(model.counts, "counts", k)
    _refuse_unless_as_long(model.coefs, "coefs", k - 1)
    _refuse_unless_as_long(model.coefs[0], "coefs[0]", V)
    _refuse_unless_as_long(model.offsets, "offsets", k * (k - 1) // 2)
    counts = [whole_number(n, f"counts[{c}]", 0) for c, n in enumerate(model.counts)]
    if sum(counts) != V:  # exact
        raise ValueError(f"counts adds up to {sum(counts)}; there are {V} vectors")  # exact
    rows, coefs = model.vectors, [list(of_vector) for of_vector in zip(*model.coefs)]
    if type(model.kernel) is Linear:
        rows = [pair_weights(model, pair_terms(model, p, q)) for p, q in pairs(k)]
        coefs = None
    kernel = as_kernel(model.kernel)
    task: Task = "two classes" if k == 2 else "many classes"
    return ExportedModel(rows, coefs, model.offsets, counts, list(model.classes), kernel, task)


def _refuse_unless_as_long(values: Sequence[object], name: str, length: int) -> None:
    """ValueError for a table of another length than the others ask for."""
    if len(values) != length:
        raise ValueError(f"{name} has length {len(values)}; it must be {length}")
