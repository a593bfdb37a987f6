"""export: a model as the text of a C file, or as the file.

name     the prefix of the public names in C
piece    a few lines of C that belong together; the file is the pieces with blank lines between
"""

from __future__ import annotations

import re
from string import Template
from typing import Any

from ..files.model_text import int_label
from ..files.models import Fitted, fitted_model
from ..files.outputs import writing
from ..files.table_columns import TableColumns
from ..files.text import PathLike
from ..numerics.quoting import quote
from ..svm.ball_problem import BallModel
from ..svm.model import Model
from ..svm.one_vs_one import OneAgainstOne
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
from .exported_model import ExportedModel, exported_model
from .kernel_functions import functions, functions_of, kernel_function, own_kernel_function
from .preparing import preparing
from .templates import (
    ALL_FINITE,
    CHECKS,
    DECIDE_BY_CENTRE,
    DECIDE_BY_WEIGHTS,
    DECIDE_CONSTANT,
    DECIDE_MANY,
    DECIDE_ONE,
    DECIDE_WITHOUT_X,
    DECISION,
    DECISIONS,
    DECLARE_MANY,
    DECLARE_ONE,
    DECLARE_REGRESSION,
    HEAD_END,
    HEAD_OF_BALL,
    HEAD_OF_MANY,
    HEAD_OF_MODEL,
    HEAD_OF_ONE_CLASS,
    HEAD_OF_REGRESSION,
    HEAD_OF_TWO,
    INSIDE_BALL,
    IS_FINITE,
    NOT_A_NUMBER,
    PLACE_OF,
    PREDICT_PLACE,
    PREDICT_SIGN,
    PREDICT_VALUE,
    SUM_AND_OFFSET,
)


def export(
    model: Model | OneAgainstOne | BallModel | Fitted,
    path: PathLike | None = None,
    name: str = "svm",
) -> str:
    """Return a trained machine as C99, and write it to a file if a path is given.

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
    exported = exported_model(fitted_model(model), features)
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
        head + HEAD_END + ("#include <stdint.h>\n" if is_long else "") + CHECKS,
        _sizes(model) + declared,
        "".join(table.text for table in tables),
        *([IS_FINITE, ALL_FINITE] if model.features else []),
        *by(model, is_sparse),
        NOT_A_NUMBER,
        *public,
    ]
    size = sum(table.size for table in tables)  # exact
    words = {"name": name, "size": size, "made": made}
    return "\n".join(Template(piece).substitute(words) for piece in pieces)


def _by_constant(model: ExportedModel, is_sparse: bool) -> list[str]:
    """Return how a machine decides that has neither weights nor support vectors."""
    return [DECIDE_CONSTANT if model.features else DECIDE_WITHOUT_X]


def by_weights(model: ExportedModel, is_sparse: bool) -> list[str]:
    """Return how a linear machine decides: by its weights, or by the centre of its ball."""
    if model.task == "ball":
        return [*functions({"squared_distance"}, is_sparse), DECIDE_BY_CENTRE]
    return [*functions({"dot"}, is_sparse), DECIDE_BY_WEIGHTS]


def by_kernel(model: ExportedModel, is_sparse: bool) -> list[str]:
    """Return how a machine decides by kernel values with its support vectors."""
    called, own, decision = functions_of(model.kernel), [], SUM_AND_OFFSET
    if model.task == "ball":
        called |= {"squared_norm"} if "dot" in called else set()
        own = [own_kernel_function(model.kernel)]
        decision = Template(INSIDE_BALL).substitute(norm2=literal(model.norm2))
    one = Template(DECIDE_ONE).safe_substitute(decision=decision)
    decide = [PLACE_OF, DECIDE_MANY] if model.task == "many classes" else [one]
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
        return WITHOUT_LABELS[model.task]
    labels = _label_table(model.labels)
    if len(model.offsets) == 1:
        public = [labels, DECISION, PREDICT_PLACE]
        return HEAD_OF_TWO, DECLARE_ONE + declaration(labels), public
    public = [labels, DECISIONS, PREDICT_PLACE]
    return HEAD_OF_MANY, DECLARE_MANY + declaration(labels), public


WITHOUT_LABELS = {
    "two classes": (HEAD_OF_MODEL, DECLARE_ONE, [DECISION, PREDICT_SIGN]),
    "regression": (HEAD_OF_REGRESSION, DECLARE_REGRESSION, [DECISION, PREDICT_VALUE]),
    "one class": (HEAD_OF_ONE_CLASS, DECLARE_ONE, [DECISION, PREDICT_SIGN]),
    "ball": (HEAD_OF_BALL, DECLARE_ONE, [DECISION, PREDICT_SIGN]),
}


def _label_table(labels: list[Any]) -> str:
    """Return the labels as C: whole numbers if all are ints of 32 bits, otherwise words."""
    try:
        kind, words = "long ", [str(int_label(label, "label")) for label in labels]
    except (TypeError, ValueError):
        kind, words = "char *const ", [quoted(str(label)) for label in labels]
    return f"const {kind}${{name}}_labels[${{name}}_classes] = {{\n{lines(words)}\n}};\n"


def declaration(table: str) -> str:
    """Return the declaration of a table that is defined elsewhere in the file."""
    return f"extern {table.partition(' = ')[0]};\n"
