"""The catalogue of wrong machines: every entry has a case that shows it, and names itself.

spec/vectors/catalogue/wrong-machines.json holds, for each entry and machine, the smallest case
that shows it: `python tests/test_wrong_machines.py --write` finds them anew, and writes the page
of the specification, which `--page` does alone.
"""

import json
import sys
from functools import cache
from pathlib import Path
from random import random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import pytest  # noqa: E402
from catalogue_page import cases_of, document_of, page_of  # noqa: E402
from profiles import one_in, partly_slow  # noqa: E402

import refsvm  # noqa: E402
import refsvm_fast  # noqa: E402
from refsvm.conformance.audit import Auditor, audit  # noqa: E402
from refsvm.conformance.cases import FILES, case_named  # noqa: E402
from refsvm.conformance.cases import names_of as names_in_file  # noqa: E402
from refsvm.conformance.cases.flags import BUGS  # noqa: E402
from refsvm.conformance.cases.machines import INVALID, group_names, machine_case  # noqa: E402
from refsvm.conformance.naming.answers import Seen  # noqa: E402
from refsvm.conformance.naming.asked import asked_about, truth_about  # noqa: E402
from refsvm.conformance.naming.prediction import names_of_run  # noqa: E402
from refsvm.conformance.protocol import Answer, request_for  # noqa: E402
from refsvm.conformance.protocol.forms import FORMS  # noqa: E402
from refsvm.conformance.report.causes import cause_of  # noqa: E402
from refsvm.conformance.truth import evidence_of, shape_of  # noqa: E402
from refsvm.conformance.wrong import BY_NAME, CATALOGUE, pipeline, planted  # noqa: E402
from refsvm.conformance.wrong.pipeline import ON_ESTIMATORS, SAME, STAGES, outcome_of  # noqa: E402
from refsvm.conformance.wrong.rows import single  # noqa: E402
from refsvm.conformance.wrong.state import Shown  # noqa: E402
from refsvm.conformance.wrong.tasks import problem_of, task_of  # noqa: E402
from refsvm.svm.model import model_at  # noqa: E402

pipeline.smo = refsvm_fast.smo  # the same bits, sooner

SPEC = Path(__file__).parent.parent / "spec"
FILE = SPEC / "vectors" / "catalogue" / "wrong-machines.json"
PAGE, BEGIN = SPEC / "standard" / "wrong-machines.md", "## S32.2 The entries\n\n"
END = "\n[chapter S19]: audit.md\n"
CASES = cases_of(json.loads(FILE.read_text(encoding="ascii")))  # {entry: {machine: case}}
LARGE = 130  # examples of a case that may show an entry
NO_CASE = {  # {entry: why no case of the audit shows it}
    "StateKept: a second fit keeps the classes of the first": "no check fits one model to the"
    " labels of other classes",
    "WeightsScaled: weights are rounded down": "no case has such a weight, above 1, that matters",
}
IDLE = {  # {case that shows no entry: what else it is for}
    "C03": "a solver that skips a pair without curvature stops there",
    "precomputed, all zero": "all kernel values are 0: a program may divide by them",
}
MANY = 10  # cases of a run
UNNAMED = ("FarRows",)  # entries that fresh answers do not name yet
ESTIMATOR = "estimator"  # in the place of a machine: a check that only estimators have
CHECKS = ("C01", "C02")  # cases that an estimator is asked beside checks of its own


def machines():
    return ["c_svc", *FORMS]


def case_names(form):
    """The names of the cases of a machine that have an optimum."""
    if form == "c_svc":
        return [name for file in FILES if file != "rejects" for name in names_in_file(file)]
    return [name for name, group in group_names(form).items() if group != INVALID]


@cache
def case_of(form, name):
    if form != "c_svc":
        return machine_case(form, name)
    return case_named(next(file for file in FILES if name in names_in_file(file)), name)


@cache
def asked_in_case(form, name):
    return asked_about(case_of(form, name))


@cache
def truth_in_case(form, name):
    return truth_about(case_of(form, name))


def shows(form, name, bug):
    asked = asked_in_case(form, name)
    return asked is not None and asked.shows(bug)


def names_by_size(form, every=1):
    """The names of a machine's cases with an optimum, or of one in so many; the small first."""
    sizes = {}
    for name in list(case_names(form))[::every]:
        asked = asked_in_case(form, name)
        if asked is not None and asked.task.n <= LARGE and asked.right is not None:
            sizes[name] = asked.task.n, len(asked.task.X[0])
    return sorted(sizes, key=lambda name: sizes[name])


# ---- the entries


def test_entries_have_names_of_their_own_and_say_what_they_are():
    assert len(BY_NAME) == len(CATALOGUE) >= 400
    for bug in CATALOGUE:
        assert bug.stage in STAGES and bug.flag in BUGS and bug.effect and bug.met
    words = [bug.words for bug in CATALOGUE]
    assert [w for w in words if w != w.strip() or w.endswith(".")] == []


@pytest.mark.parametrize("form", machines())
def test_the_pipeline_without_a_bug_is_the_right_machine(form):
    for name in list(case_names(form))[:12]:
        asked = asked_in_case(form, name)
        if asked is not None and asked.right is not None:
            right = asked.outcome(())
            f = right.decisions()
            off = [p - q for p, q in zip(f, asked.scores)]
            assert max(off) - min(off) <= 2 * max(asked.allowed), name


def test_bugs_compose():
    problem = refsvm.Problem([[0.0], [2.0], [3.0]], [-1, 1, 1], C=4)
    double, sign = (BY_NAME[name] for name in (
        "PriceScaled: C counts half", "SignFlipped: every decision has the wrong sign"))
    (f,) = planted(double)(problem).decisions([[5.0]])
    assert planted(double, sign)(problem).decisions([[5.0]]) == [-f]
    assert planted()(problem).decisions([[2.0]]) == pytest.approx([1.0])


def test_of_two_bugs_that_which_changes_something_is_planted():
    swapped = BY_NAME["WeightsSwapped: the weights of the classes are exchanged"]
    sign = BY_NAME["OffsetSign: b has the wrong sign"]
    problem, rows = refsvm.Problem([[2.0], [4.0]], [-1, 1], C=8), [[2.0], [4.0]]
    assert planted(sign)(problem).decisions(rows) == [5.0, 7.0]
    assert planted(swapped, sign)(problem).decisions(rows) == [5.0, 7.0]
    assert planted(swapped)(problem).decisions(rows) == [-1.0, 1.0]


def test_a_change_that_changes_nothing_leaves_the_outcome_the_same():
    task = task_of(refsvm.Problem([[0.0], [2.0]], [-1, 1], C=1), [[0.0]])
    nothing = ["KernelParameters: gamma counts twice", "NuScaled: nu counts half",
               "RadiusNotSquared: decisions are R - d", "PriceIgnored: C is 1, whatever was asked"]
    assert [outcome_of(task, [BY_NAME[name]]) for name in nothing] == [SAME] * 4


@pytest.mark.slow("a page or a file that is not made anew")
def test_the_page_and_the_file_are_those_of_the_entries():
    document = document_of(CASES)
    assert FILE.read_text(encoding="ascii") == text_of(document)
    _, _, page = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    assert page == page_of(document) + END
    assert all(e["change"] for e in document["entries"])


# ---- the cases


def test_every_entry_has_a_case_that_shows_it():
    missing = [bug.name for bug in CATALOGUE if not CASES.get(bug.name)]
    assert sorted(missing) == sorted(NO_CASE)
    assert set(CASES) <= set(BY_NAME)


def shown_cases(bugs):
    every = [(b, f, case) for b in bugs for f, case in CASES.get(b.name, {}).items()]
    return [some for some in every if some[1] != ESTIMATOR]


def test_the_cases_show_some_entries():
    some = shown_cases(CATALOGUE)[::40]
    assert [(b.name, f, case) for b, f, case in some if not shows(f, case, b)] == []


@pytest.mark.slow("an entry that its case shows no more")
def test_every_case_shows_its_entry():
    some = shown_cases(CATALOGUE)
    assert [(b.name, f, case) for b, f, case in some if not shows(f, case, b)] == []


@pytest.mark.slow("a case of the audit that shows no bug of the catalogue")
@pytest.mark.parametrize("form", machines())
def test_every_case_is_needed(form):
    asked = {name: asked_in_case(form, name) for name in one_in(3, names_by_size(form))}
    idle = [name for name, a in asked.items() if not any(map(a.shows, reversed(CATALOGUE)))]
    assert set(idle) <= set(IDLE)


def fails(subject, names):
    return {r.flag for r in audit(subject, isolate=False, names=names) if r.result == "fail"}


def policies_of(stages):
    """(entry, the check that shows it) of entries that only an estimator shows."""
    some = [b for b in CATALOGUE if b.stage in stages and b.name not in NO_CASE]
    return [(b, CASES[b.name][ESTIMATOR]) for b in some]


@pytest.mark.parametrize("stage", partly_slow("a pair's bug", ["pairs"], list(ON_ESTIMATORS)))
def test_an_estimator_shows_a_bug_that_no_problem_shows(stage):
    bug, policy = policies_of([stage])[0]
    assert bug.flag in fails(planted(bug), [policy])
    assert fails(Shown, [policy]) == set()


@pytest.mark.slow("a bug of estimators that its check shows no more")
def test_estimators_show_every_bug_that_no_problem_shows():
    some = policies_of(ON_ESTIMATORS)
    assert [b.name for b, policy in some if b.flag not in fails(planted(b), [policy])] == []
    assert fails(Shown, [policy for _, policy in some]) == set()


# ---- the names


def answer_of(program, form, name):
    """What a program answers in a case, as Evidence; None where it cannot answer."""
    problem, truth, rows = truth_in_case(form, name)
    request = request_for(name, problem, rows, 1e-6)
    try:
        decisions = program(problem).decisions(rows)
    except ValueError:
        return None
    return evidence_of(truth, request, Answer(decisions=decisions), None)


def names_of(program, form, names):
    """The names that a run of some cases has."""
    found = {name: answer_of(program, form, name) for name in names}
    wrong = [e for e in found.values() if e is not None and not shape_of(e).is_right]
    right = [name for name, e in found.items() if e is not None and shape_of(e).is_right]

    def ask(task, more_steps=False):
        try:
            return Answer(decisions=program(problem_of(task)).decisions(task.rows))
        except ValueError:
            return None

    return names_of_run(map(Seen, wrong), [asked_in_case(form, name) for name in right], ask=ask)


def cases_for(bug, form):
    """Some cases of a machine, among which the one that shows the bug is.

    Where doubles end, a program on doubles is wrong without a bug, too.
    """
    names = [CASES[bug.name][form], *names_by_size(form, 2 if form == "c_svc" else 1)]
    names = [name for name in dict.fromkeys(names) if "heavy tails" not in name]
    showing = [name for name in names if shows(form, name, bug)][:MANY]
    others = [name for name in names if name not in showing][:: max(1, len(names) // MANY)]
    return [*showing, *others]


def names_itself(bug, form):
    """Whether the first name of a run is the bug, or one that cannot be told from it there.

    Answers that are the same for all rows tell no bugs apart, and have no other name.
    """
    names = names_of(planted(bug), form, cases_for(bug, form))
    if {name.theory.flag for name in names} == {"NothingLearnt"} or bug.flag in UNNAMED:
        return True
    others = [n for n in names if n.theory.flag != "NothingLearnt" or bug in n.theory.bugs]
    said = [theory for n in others[:1] for theory in (n.theory, *n.also)]
    return any(bug in t.bugs or bug.flag == t.flag and not t.bugs for t in said)


PAIRS = [
    pytest.param("PriceScaled: C counts half", "OffsetSign: b has the wrong sign", "c_svc",
                 marks=pytest.mark.slow("two bugs of C-SVC that have one name together")),
    pytest.param("NuScaled: nu counts half", "OffsetSign: b has the wrong sign", "one_class",
                 marks=pytest.mark.slow("two bugs of one class that have one name together")),
    pytest.param("EpsilonScaled: epsilon counts twice", "OffsetMissing: b is 0", "epsilon_svr",
                 marks=pytest.mark.slow("two bugs of regression that have one name together")),
]


@pytest.mark.parametrize("one, other, form", PAIRS)
def test_two_bugs_at_once_are_named_together(one, other, form):
    bugs, some = (BY_NAME[one], BY_NAME[other]), names_by_size(form, 5 if form == "c_svc" else 4)
    assert names_of(planted(*bugs), form, some)[0].theory.bugs == bugs


def test_labels_alone_have_no_name():
    bug = BY_NAME["OffsetSign: b has the wrong sign"]

    def labels(problem):
        f = planted(bug)(problem).decisions(problem.X)
        return {"predictions": [1 if v >= 0 else -1 for v in f]}

    wrong = [r for r in audit(labels, isolate=False, names=["C04", "C06"]) if r.result == "fail"]
    assert wrong and all("a name needs decisions" in r.reason for r in wrong)


@pytest.mark.slow("a bug that hides behind what most of its answers look like")
def test_a_bug_whose_answers_are_nearly_all_flat_is_named_by_the_others():
    """Of centred rows the centre is the origin, where every decision is 0, but for a few."""
    bug = BY_NAME["LinearTerm: k(x, x) counts as 1, of centred rows if the kernel is linear"]
    assert names_of(planted(bug), "svdd", names_by_size("svdd")[:36])[0].theory.flag == bug.flag


def test_every_machine_is_asked_for_a_polynomial_without_coef0():
    assert set(CASES["KernelParameters: coef0 is 1"]) == set(machines())


@pytest.mark.slow("what the problem before leaves, which no bug of one problem explains")
def test_what_is_left_of_the_problem_before_is_named():
    """The multipliers are those of the problem before, if it had as many examples."""
    last = {}

    def solve(problem):
        before, last[problem.n] = last.get(problem.n, problem), problem
        solution = refsvm_fast.smo(before, tol=1e-9)
        return {"alpha": solution.alpha, "b": solution.b}

    found = [r for r in audit(solve, names=["C0?"]) if r.flag == "StateKept"]
    assert len(found) >= 3
    assert all(r.reason.endswith("alone it is right, and after others it is not") for r in found)


@pytest.mark.slow("chance that is taken for memory")
def test_a_program_with_chance_inside_keeps_nothing():
    def solve(problem):
        solution = refsvm_fast.smo(problem, tol=1e-9)
        return {"alpha": solution.alpha, "b": solution.b + (random() < 0.3) * random()}

    found = {r.flag for r in audit(solve, names=["C0?", "C1?"]) if r.result == "fail"}
    assert found and "StateKept" not in found


@pytest.mark.slow("single precision that ends elsewhere, by another way than the entry's")
def test_single_precision_is_named_wherever_its_solver_ends():
    """Another order of the examples is another way; so have libraries in C."""
    def in_single(problem):
        K = refsvm.gram(problem.kernel, problem.X)[::-1]
        K = [[single(v) for v in row[::-1]] for row in K]
        backwards = refsvm.Problem(
            K, problem.y[::-1], refsvm.Precomputed(), problem.C[::-1], problem.bias)
        found = refsvm_fast.smo(backwards, tol=1e-3, max_iter=200)
        return model_at(problem, found.alpha[::-1], found.b).decision

    names = ["C17", "C18", "moved by*", "years s*", "unix*", "far on*", "4096*", "*year", "E5*"]
    cause = cause_of(audit(in_single, isolate=False, names=names))
    assert cause.flag == "Float32Rows" and "StoppedEarly" not in {c.flag for c in cause.others}


def test_a_right_program_has_no_name():
    assert names_of(planted(), "c_svc", names_by_size("c_svc", 40)) == []


@pytest.mark.slow("an entry that has another name first")
@pytest.mark.parametrize("first", one_in(2, range(10)))
def test_every_entry_names_itself(first):
    some = one_in(50, [(b, form) for b, form, _ in shown_cases(CATALOGUE)][first::10])
    assert [(b.name, form) for b, form in some if not names_itself(b, form)] == []


# ---- the file


def write():
    """Find for each entry and machine the smallest case that shows it, and write them down."""
    found = {}
    for form in machines():
        names, left = names_by_size(form), list(CATALOGUE)
        for name in names:
            asked = asked_in_case(form, name)
            first = [bug for bug in left if asked.shows(bug)]
            for bug in first:
                found.setdefault(bug.name, {})[form] = name
                left.remove(bug)
            if not first and name not in IDLE and not any(map(asked.shows, reversed(CATALOGUE))):
                print(form, "no entry needs the case", name, flush=True)
            asked.outcomes.clear()
        print(form, len(names), "cases,", len(CATALOGUE) - len(left), "entries", flush=True)
    names = [*CHECKS, *Auditor(Shown, isolate=False).policies]
    for bug in CATALOGUE:
        if bug.stage in ON_ESTIMATORS:
            records = audit(planted(bug), isolate=False, names=names)
            shown = [r.case for r in records if r.result == "fail" and r.flag == bug.flag]
            if shown:
                found[bug.name] = {ESTIMATOR: shown[0]}
    write_page(found)
    for bug in CATALOGUE:
        if bug.name not in found:
            print("no case shows", bug.name)


def write_page(cases):
    """Write the catalogue, as JSON and as a page."""
    document = document_of(cases)
    FILE.write_text(text_of(document), encoding="ascii")
    head, _, _ = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(head + BEGIN + page_of(document) + END, encoding="utf-8")


def text_of(document):
    return json.dumps(document, indent=1) + "\n"


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    write()
if __name__ == "__main__" and sys.argv[1:] == ["--page"]:
    write_page(CASES)
