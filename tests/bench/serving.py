"""Part "serving": one sparse row after the other to a fitted machine; and sparse rows are packed.

    serving     decision_function (SVR: predict) of 1 and of 100 rows, as a CSR matrix of SciPy, by
                a machine that has answered before, ours and scikit-learn's; fitted to at most FEW
                rows
    packing     what a fit begins with: from the CSR matrix of the training rows to a Table
"""

from clock import best, in_turns, timed
from records import keep, kept, table
from sets import SETS, training

NAMES = ("text-11000-30000-70", "text-5000-200000-80")
FEW = 1000
MACHINES = {
    "LinearSVC": {}, "SVC": {"gamma": 0.1}, "SVC, linear": {"kernel": "linear"},
    "SVR": {"gamma": 0.1}, "OneClassSVM": {"gamma": 0.1, "nu": 0.2},
}
ROWS = (1, 100)
KEYS = ("set", "machine", "rows", "program")


def names(options):
    """The sets that the options name; without --sets those of the goals."""
    return NAMES if options.sets is SETS else options.sets


def measure(options):
    """Time all machines on all sets, and packing."""
    from scipy.sparse import csr_matrix

    from refsvm_fast._inputs import table_of

    for name in names(options):
        X, y = training(name)
        X = csr_matrix(X)
        (done,) = in_turns(
            {"": lambda X=X: timed(lambda: table_of(X))}, options.runs, options.patience
        ).values()
        columns = len(set(X.indices.tolist()))
        keep("packing", set=name, numbers=X.nnz, columns=columns, **best(done))
        for machine in MACHINES:
            serve(name, machine, X[:FEW], y[:FEW], options)


def serve(name, machine, X, y, options):
    """Time ours and theirs, for each number of rows."""
    for count in ROWS:
        rows = X[:count].copy()
        contestants = {
            program: lambda ask=ask, rows=rows: timed(lambda: ask(rows))
            for program, ask in asked(machine, X, y).items()
        }
        for program, done in in_turns(contestants, options.runs, options.patience).items():
            keep("serving", **dict(zip(KEYS, (name, machine, count, program))), **best(done))


def asked(machine, X, y):
    """{program: what answers, fitted}."""
    from sklearn import svm

    import refsvm_fast

    found = {}
    for program, library in (("refsvm", refsvm_fast), ("scikit-learn", svm)):
        fitted = getattr(library, machine.partition(",")[0])(**MACHINES[machine]).fit(X, y)
        found[program] = fitted.predict if machine == "SVR" else fitted.decision_function
    return found


def tables(options):
    """Milliseconds of each call, and nanoseconds of each number that is packed."""
    records, served, packed = kept("serving", *KEYS), [], []
    for name in names(options):
        record = kept("packing", "set").get((name,))
        if record:
            numbers, columns, cpu = record["numbers"], record["columns"], record["cpu"]
            each = f"{cpu / numbers * 1e9:.0f}"
            packed.append([name, str(numbers), str(columns), f"{cpu * 1e3:.1f}", each])
        for machine in MACHINES:
            for count in ROWS:
                pair = [records.get((name, machine, count, p)) for p in ("refsvm", "scikit-learn")]
                if all(pair):
                    ours, theirs = (r["cpu"] * 1e3 for r in pair)
                    row = f"{ours:.3f}", f"{theirs:.3f}", f"{theirs / ours:.2f}"
                    served.append([name, machine, str(count), *row])
    heads = (
        "serving | machine | rows | refsvm ms | scikit-learn ms | theirs to ours",
        "packing | numbers | columns | ms | ns a number",
    )
    return "\n\n".join(table(head, rows) for head, rows in zip(heads, (served, packed)) if rows)
