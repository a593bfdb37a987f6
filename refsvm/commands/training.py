"""From the options of a command to a trained machine: what it is, in figures, and its file."""

from functools import partial
from operator import eq
from typing import Any, NamedTuple

from ..estimators.folds import all_but, part_of_groups, select_rows, stratified_part
from ..estimators.linear_machines import solves_primal
from ..estimators.svc import SVC
from ..estimators.training_data import TrainingSet
from ..files.model_text import int_label
from ..files.models import write_model
from ..files.table_columns import LINEAR_TYPES
from ..kernels.value_errors import may_exceed_its_diagonal, most_terms, value_errors
from ..numerics.display import text_above, text_below
from ..numerics.linalg import total
from ..numerics.rounding_bounds import of_sum
from .console import number, plural, progress, ratio, say, say_written, show, table
from .cross_validating import prepared_by
from .engine import decide, library, signs
from .hints import hint_at_bounds, hint_at_identity
from .machine_options import solver_parameters, type_of
from .reading import tell_unknown_texts
from .reports import accuracy, cautions, fit_of_values, outside, report, shortened

LESS = 0.99  # of a margin, for what rounding takes off the comparison
OFFSET_SYMBOLS = {"radius2": "R^2"}  # as they are called in a report
OFFSET_MEANINGS = {
    "b": "offset",
    "rho": "level of the margin",
    "epsilon": "half width of the tube",
    "radius2": "of the ball",
}
STATUS = {
    "optimal": "the conditions of optimality hold to within tol",
    "max_iter": "the last step allowed was taken",
    "infeasible": "no machine separates the classes, as C = inf asks",
    "indefinite": "the kernel is not that of an inner product on these rows",
    "degenerate": "w is 0, and there is no machine",
    "precision": "doubles cannot show that the conditions hold to within tol",
}
PAIR_FACTS = ("status", "steps", "vectors", "at C", "dual", "gap/primal")
MAX_PAIRS = 15  # shown of more


def machine(given):
    """Return the estimator of the library in use, not yet trained, that the options describe."""
    return getattr(library(given), type_of(given).estimator)(
        **machine_parameters(given), **solver_parameters(given)
    )


def machine_parameters(given):
    """Return the parameters of an estimator that say what to train, from the options."""
    names = type_of(given).options
    if given.type not in LINEAR_TYPES:
        names = ("kernel", "degree", "gamma", "coef0", *names)
    return {name: getattr(given, name) for name in names if getattr(given, name) is not None}


class _Accepted(NamedTuple):
    """An SVC and a training set that are checked, and ready for the work."""

    svc: SVC
    steps: Any  # at most, for a pair
    cache_mb: Any
    data: TrainingSet


def accept(svc, X, y):
    """Check all that SVC.fit checks before the work."""
    return _Accepted(svc, *svc._solver_settings(), svc._training_set(X, y, None))


def train(accepted, what="training"):
    """Train as SVC.fit does, with progress shown; return (OneAgainstOne, Pairs)."""
    svc, steps, cache_mb, data = accepted

    def watch(first, second):
        return progress(f"{what}, {first} against {second}", svc.tol)

    trained = svc._trained(data, steps, cache_mb, watch)
    model = svc._gather(data, svc._in_units_of_margin(trained))[1]
    model.svm_type = svc._libsvm_type
    return model, trained


def training_predictions(model, trained, accepted, X, y):
    """Return what a model predicts of the rows that it was trained on.

    A row whose alpha is below its bound has a margin, and need not be asked about if that is more
    than the model may be off where it decides, in every pair. So most rows cost nothing.
    """
    doubtful = doubtful_rows(model.kernel, trained, accepted.data.C, X)
    with progress("predicting what it was trained on"):
        found = model.predictions([X[i] for i in doubtful]) if doubtful else []
    predicted = list(y)
    for i, label in zip(doubtful, found):
        predicted[i] = label
    return predicted


def doubtful_rows(kernel, trained, C, X):
    """Return the rows whose label the Solutions leave open (S30.1).

    Let f be the decision of the machine that is kept, exactly. Where alpha may rise, y f is at
    least the margin that _least_margin tells. A model is off from f by less than

        (q + v + 8) u (sqrt(s_i) S + |b|)        S = sum sqrt(s_j) |alpha_j|, of q vectors

    in its products, its sum, w, and what nu-classification divides by; v and s are those of
    kernels/value_errors.py. Of a kernel that has none every row is asked about.
    """
    if may_exceed_its_diagonal(kernel):
        return list(range(len(X)))
    width = 0 if isinstance(X[0], str) else len(X[0])
    of_values = value_errors(kernel, X, most_terms(X, width))
    terms, roots = of_values.roundings, of_values.roots
    doubtful = set()
    for pair in trained:
        found, margin = pair.solution, _least_margin(pair.solution)
        vectors = [(a, roots[i]) for a, i in zip(found.alpha, pair.rows) if a != 0]
        mass, off = total(a * s for a, s in vectors), terms + len(vectors) + 8
        for a, i in zip(found.alpha, pair.rows):
            error = of_sum(off, roots[i] * mass + abs(found.b))
            if a == C[i] or not error < LESS * margin:
                doubtful.add(i)
    return sorted(doubtful)


def _least_margin(solution):
    """Return what y f is at least, of a row whose alpha may rise; negative if nothing is known.

    By the conditions it is no less than the margin, 1 or rho, less m - M, and less what b may be
    off. b_low .. b_high hold the true m and M.
    """
    unit = getattr(solution.offsets, "rho", None)
    b = solution.offsets.b
    away = max(b.high - b.value, b.value - b.low, 0)
    return (1 if unit is None else unit.low) - 2 * max(solution.violation, 0) - away


class _Ready(NamedTuple):
    """An estimator, the rows to train it on and those to test it with, all checked."""

    machine: Any
    problems: list
    X: list
    y: list
    tested: list
    X_tested: list
    y_tested: list
    data: Any  # prepared by the rows to train on


def ready_to_train(given, machine, answers, data):
    """Check all that fit checks before the work; return a _Ready."""
    y, n = data.y if answers != "outliers" else [], len(data.X)
    tested = []
    if given.test_size is not None and answers == "classes":
        tested = stratified_part(y, given.test_size, given.seed)
    elif given.test_size is not None:
        tested = part_of_groups([list(range(n))], given.test_size, given.seed)
    kept = all_but(tested, n)
    data = prepared_by(data, kept) if tested else data
    columns = kept if given.kernel == "precomputed" else None
    X, X_tested = (select_rows(data.X, rows, columns) for rows in (kept, tested))
    y, y_tested = ([y[i] for i in rows] if y else [] for rows in (kept, tested))
    accepted = machine._accept(X, y or None, None)
    problems = machine._problems if answers == "classes" else lambda data: [machine._problem(data)]
    return _Ready(machine, list(problems(accepted)), X, y, tested, X_tested, y_tested, data)


def train_one(given, ready, answers):
    """Train a machine on the rows, and print a report."""
    machine = ready.machine
    if ready.tested:
        n, m = len(ready.X), len(ready.tested)
        say(f"{plural(n, 'row')} to train on, {m} to test with (seed {given.seed})")
        tell_unknown_texts(ready.data)
    is_linear = given.type in LINEAR_TYPES
    with progress("training", machine.tol) as on_step:
        if not is_linear:
            machine._solve = partial(machine._solve, on_step=on_step)
        machine._train(ready.X, ready.y or None, None)
    _show_weights(machine, ready.problems) if is_linear else _show_vectors(machine, ready)
    if answers == "values":
        bounded = _count_at_bounds(machine.solution_, *ready.problems)
        hint_at_bounds(bounded, ready.y)
    parts = [("training", ready.X, ready.y), ("test", ready.X_tested, ready.y_tested)]
    for part, X, y in parts[: 2 if ready.tested else 1]:
        if answers == "classes":
            tell_classes(part, machine.classes_, y, machine.predict(X))
            continue
        f = decide(given, machine.model_, X)
        say(f"{part} {fit_of_values(y, f) if answers == 'values' else outside(signs(f))}")


def _show_vectors(machine, ready):
    """Print what one machine is, and what the solver returned for it."""
    say(f"{machine.model_.kernel!r}, {plural(len(machine.support_), 'support vector')}", "")
    show(table(_facts_of_one(machine.solution_, *ready.problems), "lrl"))
    _tell_limit(machine.solution_)
    hint_at_identity(machine.model_.kernel, ready.X)


def _show_weights(machine, problems):
    """Print what a LinearSVC or LinearSVR is, and what the solver returned for each machine."""
    offset = "and an offset, which is penalised"
    say(f"{plural(machine.n_features_in_, 'weight')}, {offset}", "")
    classes, solutions = getattr(machine, "classes_", []), machine._endings()[1]
    of_each = list(zip(solutions, problems, machine.intercept_))

    def facts(solution, problem, b):
        found = _facts(solution, "alpha not 0", ("at C", _count_at_bounds(solution, problem)))
        if solution.status == "optimal" and solves_primal(problem, machine.dual):
            found[0] = ("status", "optimal", "the gap is at most tol times the primal")
        return [*found, ("b", number(b, 8), OFFSET_MEANINGS["b"])]

    if len(of_each) == 1:
        show(table(facts(*of_each[0]), "lrl"))
        return
    names = [shortened(str(label), 12) for label in classes]
    _show_several("class", names, solutions, [partial(facts, *each) for each in of_each])


def tell_classes(part, classes, y, predicted):
    """Print how rightly classes are predicted, of rows not trained on also which."""
    unseen = part == "test"
    say(f"{part} {accuracy(list(map(eq, predicted, y)).count(True), y)}")
    for line in cautions(y, predicted, unseen=unseen):
        say(line)
    if unseen:
        say()
        report(classes, y, predicted)


def train_on_all(accepted, data):
    """Train on all rows, and print a report; return the model."""
    model, trained = train(accepted)
    show_machine(model, trained, accepted.data)
    hint_at_identity(model.kernel, data.X)
    show_training_accuracy(model, trained, accepted, data.X, data.y)
    return model


def show_training_accuracy(model, trained, accepted, X, y):
    """Print how rightly a model predicts what it was trained on, and what that hides."""
    predicted = training_predictions(model, trained, accepted, X, y)
    tell_classes("training", model.classes, y, predicted)


def write_trained(path, model, data):
    """Write the model of a machine; vectors of kernel values by their serial numbers."""
    if data.serials:
        model = model._replace(vectors=[int(data.serials[row]) - 1 for row in model.vectors])
    write_model(path, model, data.columns, first=data.first)
    say_written(path)


def refuse_large_labels(y):
    """Refuse before the work the labels that write_model would refuse after it."""
    first = {}
    for i, label in enumerate(y):
        first.setdefault(label, i)
    for label, i in first.items():
        if not isinstance(label, str):
            int_label(label, f"y[{i}]")


def show_machine(model, trained, data):
    """Print what was trained."""
    say(f"{model.kernel!r}, {plural(len(model.vectors), 'support vector')}", "")
    _show_pairs(model.classes, trained, data.C)


def _show_pairs(classes, trained, C):
    """Print what the solver returned for each pair: one in full, several as a table."""
    if len(trained) == 1:
        show(table(_facts_of_pair(trained[0], C), "lrl"))
        _tell_limit(trained[0].solution)
        return
    places = [(pair.p, pair.q) for pair in trained]
    names = [", ".join(shortened(str(classes[c]), 12) for c in pair) for pair in places]
    facts = [partial(_facts_of_pair, pair, C) for pair in trained]
    _show_several("classes", names, [pair.solution for pair in trained], facts)


def _show_several(head, names, solutions, facts):
    """Print a line for each of several machines, of which those of largest gap are shown."""
    by_gap = sorted(range(len(names)), key=lambda k: _least_certain(solutions[k]))
    shown, rows, limited = sorted(by_gap[:MAX_PAIRS]), [[head, *PAIR_FACTS]], []
    for k in shown:
        values = {name: value for name, value, _ in facts[k]()}
        rows.append([names[k], *(values[name] for name in PAIR_FACTS)])
        limited += [k] if getattr(solutions[k], "limit", "") else []
    show(table(rows, "ll" + "r" * (len(PAIR_FACTS) - 1)))
    if len(shown) < len(names):
        each = "pairs" if head == "classes" else "classes"
        more = f"and {len(names) - len(shown)} more {each}"
        say(f"{more}, whose gaps are smaller in proportion", "")
    for k in limited[:1]:
        _tell_limit(solutions[k], f"{names[k]}: ")


def _tell_limit(solution, whose=""):
    """Print why doubles cannot show more, and what helps, where the status is "precision"."""
    if solution.limit:
        why, _, helps = solution.limit.partition(": ")
        say(f"precision: {whose}{why}:", *helps.replace("; ", ";\n").split("\n"), "")


def _least_certain(solution):
    """Return a key by which the machines come first that are furthest from the optimum."""
    primal = solution.objective + solution.gap
    return solution.status == "optimal", -abs(solution.gap) / (abs(primal) or 1)


def _facts_of_pair(pair, C):
    """Return (name, value, meaning) of what the solver returned for a pair, for tables."""
    at_C = len([1 for a, i in zip(pair.solution.alpha, pair.rows) if a == C[i]])
    return _facts(pair.solution, "alpha > 0", ("at C", at_C))


def _facts_of_one(found, problem):
    """Return (name, value, meaning) of what the solver returned for one machine, for a table."""
    return _facts(found, "alpha not 0", ("at bound", _count_at_bounds(found, problem)))


def _count_at_bounds(found, problem):
    """Return how many variables of a Solution are at a bound that is not 0."""
    form, bound = problem.dual_form(), 0
    for x, low, high in zip(problem.variables_of(found.alpha), form.lower, form.upper):
        bound += x != 0 and x in (low, high)
    return bound


def _facts(found, vectors, full):
    """Return the lines of the report; `full` names and counts the multipliers at the bound."""
    primal, (called, count) = found.objective + found.gap, full
    offsets = getattr(found, "offsets", None)  # of weights it is none of the solver's
    close = found.status == "optimal"
    return [
        ("status", found.status, STATUS[found.status]),
        ("steps", str(found.iterations), "of the solver"),
        ("vectors", str(len([a for a in found.alpha if a != 0])), f"support vectors, {vectors}"),
        (called, str(count), "of them at their bound"),
        (
            "dual",
            text_below(found.objective, 9),
            "the optimum is at least this, rounding included",
        ),
        ("primal", number(primal, 9), "dual and gap: what margin and slacks cost, about"),
        (
            "gap",
            text_above(found.gap, 3),
            "how far from the optimum it is at most, rounding included",
        ),
        ("gap/primal", ratio(found.gap, abs(primal)), "about the same in proportion"),
        *(
            (
                OFFSET_SYMBOLS.get(name, name),
                number(value, 8),
                OFFSET_MEANINGS[name] + (f", {_from_to(ends)} within tol" if close else ""),
            )
            for name, (value, *ends) in (zip(offsets._fields, offsets) if offsets else ())
        ),
    ]


def _from_to(ends):
    """Return between what an offset may lie, in words."""
    return f"from about {number(min(ends))} to {number(max(ends))}"
