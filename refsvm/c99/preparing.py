"""How a row of a table becomes the x of a machine, as C: what a Preparation does, bit for bit.

raw     a number for each column of the table: NaN for what is not known, days for a date, and
        for a text its place among the values that were learnt
x       what the machine decides about
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..numerics.quoting import visible
from .constants import lines, literal, quoted

HEAD = """\
/* A row as the table has it. raw holds ${name}_columns numbers, NaN for what is not known:
 *
%(columns)s
 *
 *     void ${name}_prepare(const double *raw, double *x)
 *         makes the x of the functions above
%(code)s */
"""
CODE_IN_HEAD = """\
 *     int ${name}_code(int column, const char *text)
 *         the place of a text, in UTF-8, among the values of a column, counted from 0; -1 if it
 *         is none of them, or the column has none. Between two words stands one blank, and none
 *         at the ends
"""
SCALED = """\
static double scaled(double value, double mean, double deviation)
{
    return value != value || deviation == 0.0 ? 0.0 : (value - mean) / deviation;
}
"""
CODE = """\
static int same(const char *one, const char *other)
{
    while (*one != 0 && *one == *other) {
        one++;
        other++;
    }
    return *one == *other;
}

static int place_among(const char *const *texts, int count, const char *text)
{
    int k;
    for (k = 0; k < count; k++) {
        if (same(texts[k], text)) {
            return k;
        }
    }
    return -1;
}

int ${name}_code(int column, const char *text)
{
    switch (column) {
%(cases)s
    default:
        return -1;
    }
}
"""
PREPARE = """\
void ${name}_prepare(const double *raw, double *x)
{
%(steps)s
}
"""


def preparing(document: Sequence[Any], names: Sequence[str]) -> list[str]:
    """Return the pieces of C that prepare rows, from the document of a Preparation (S14.1).

    names: of the columns of the table, for the comment.
    """
    words, cases, steps, tables, declared = [], [], [], [], []
    x = 0
    for k, (entry, name) in enumerate(zip(document, names)):
        if entry is None:
            words.append((name, "not looked at"))
        elif "values" in entry:
            values = [quoted(value) for value in entry["values"]]
            table = f"const char *const ${{name}}_values_{k}[{len(values)}]"
            declared.append(f"extern {table};\n")
            tables.append(f"{table} = {{\n{lines(values)}\n}};\n")
            words.append((name, f"the place of the text in ${{name}}_values_{k}"))
            count = f"${{name}}_values_{k}, {len(values)}"
            cases.append(f"    case {k}:\n        return place_among({count}, text);")
            steps += [f"    x[{x + v}] = raw[{k}] == {v}.0;" for v in range(len(values))]
            x += len(values)
        else:
            unit = f" in {_in_comment(entry['unit'])}" if "unit" in entry else ""
            number = "days from 1970-01-01" if "days" in entry else f"a number{unit}"
            words.append((name, number))
            mean, deviation = literal(float(entry["mean"])), literal(float(entry["deviation"]))
            steps.append(f"    x[{x}] = scaled(raw[{k}], {mean}, {deviation});")
            x += 1
    columns = "\n".join(
        f" *     {k}  {_in_comment(name)}: {what}" for k, (name, what) in enumerate(words)
    )
    functions = f"void ${{name}}_prepare(const double *raw, double *x);\n{''.join(declared)}"
    code = [*tables, CODE % {"cases": "\n".join(cases)}] if cases else []
    if cases:
        functions += "int ${name}_code(int column, const char *text);\n"
    return [
        HEAD % {"columns": columns, "code": CODE_IN_HEAD if cases else ""}
        + f"enum {{\n    ${{name}}_columns = {len(words)}\n}};\n\n{functions}",
        *code,
        *([SCALED] if any(entry and "mean" in entry for entry in document) else []),
        PREPARE % {"steps": "\n".join(steps)},
    ]


def _in_comment(name: str) -> str:
    """Return a name as it may stand in a comment of C.

    >>> _in_comment("a*/b"), _in_comment("na\u00efve")
    ('a* /b', 'na\\\\303\\\\257ve')
    """
    return quoted(visible(name))[1:-1].replace("*/", "* /").replace("/*", "/ *")
