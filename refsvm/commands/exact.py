"""exact DATA: the very optimum of the machine that train would approach, proved."""

import re
from typing import Any, NamedTuple

from ..files.outputs import try_outputs, writing
from ..kernels.rational_values import is_rational
from ..numerics.display import text_above, text_below
from ..numerics.intervals import Interval
from ..numerics.numerals import numeral
from ..proofs.canonical_json import canonical
from ..proofs.certificate_json import optimum_document, problem_document
from ..proofs.coq_theorem import coq_theorem
from ..proofs.optimum import solve_exactly
from ..svm.dual_form import infeasible_group, why_infeasible
from ..svm.one_vs_one import pairs
from ..svm.problem import Problem
from .arguments import Prefix, Refusal, coq_file, data_file, prefix, preparation_options
from .console import number, plural, progress, say, say_written, show, table
from .costs import watch_machines
from .engine import announce, library, pure_option
from .machine_options import (
    TYPES,
    problem_options,
    refuse_linear,
    set_defaults_of_tables,
    type_of,
)
from .reading import pair_heading, read_for
from .training import OFFSET_MEANINGS, OFFSET_SYMBOLS, machine_parameters

EXAMPLE = """\
  python3 -m refsvm exact wdbc.scaled --kernel linear --C 0.1
  python3 -m refsvm exact wdbc.scaled --kernel linear --C 0.1 --fractions
  python3 -m refsvm exact wdbc.scaled --kernel linear --C 0.1 --certificate wdbc
  python3 -m refsvm exact wdbc.scaled --kernel linear --C inf --coq wdbc.v"""
DIGITS_OF_DOUBLE = 17  # that tell every double from its neighbours
DIGITS_OF_ENDS = 15  # of an Interval that is seen to be one; these are rounded outwards


def arguments(parser):
    data_file(parser)
    preparation_options(parser)
    problem_options(parser, TYPES)
    parser.add_argument(
        "--bits",
        type=int,
        default=64,
        metavar="N",
        help="with an exponential in the kernel the optimum is no fraction: say it to within 2^-N"
        " (default: 64)",
    )
    parser.add_argument(
        "--fractions",
        action="store_true",
        help="print every number as the fraction it is, and all alpha that are not 0",
    )
    parser.add_argument(
        "--certificate",
        metavar="PREFIX",
        type=prefix,
        help="write PREFIX.problem and PREFIX.certificate, which refsvm/proofs/checker.py"
        " believes, or not; with more than two classes one of each for every pair",
    )
    parser.add_argument(
        "--coq",
        metavar="FILE.v",
        type=coq_file,
        help="write a theorem that Coq checks, once spec/proof is built: no machine has a lower"
        " primal; of two classes, or of a machine that needs none",
    )
    pure_option(parser)


def run(given):
    refuse_linear(given)
    machine_type = type_of(given)
    data = read_for(given, given.kernel, answers=machine_type.answers)
    set_defaults_of_tables(given, data)
    machine = getattr(library(given), machine_type.estimator)(**machine_parameters(given))
    y = None if machine_type.answers == "outliers" else data.y
    training = machine._accept(data.X, y, None)
    watch_machines(given, len(training.classes), len(data.X))
    _refuse_other_kernels(given, training.kernel)
    proofs = _certificates(given, training.classes)
    _try_theorem(given, training.classes)
    announce(given)
    say(f"{plural(len(data.X), 'row')}, {training.kernel!r}")
    for k, (subject, heading, rows, problem) in enumerate(_problems_of(machine, training)):
        with progress(f"proving the optimum{subject}"):
            best = solve_exactly(problem, bits=given.bits)
        say(*(("", heading, "") if heading else ("",)))
        _show(problem, best, rows, given.fractions)
        if proofs:
            _write_certificate(proofs[k], problem, best)
        if given.coq:
            with writing(given.coq) as text:
                text.write(coq_theorem(problem, best))
            say_written(given.coq)
    return 0


class _Asked(NamedTuple):
    """A problem whose optimum is asked for, and how it is called."""

    subject: str
    heading: str
    rows: Any  # of the data that are its examples
    problem: Any


def _problems_of(machine, training):
    """Yield an _Asked for each pair of classes, or for the one machine."""
    classes = training.classes
    if not classes:
        problem = machine._problem(training)
        yield _Asked("", "", range(problem.n), problem)
    for p, q in pairs(len(classes)):
        rows, problem = machine._pair_problem(training, p, q)
        subject = f" of {classes[p]} against {classes[q]}"
        yield _Asked(subject, pair_heading(classes, p, q, len(rows)), rows, problem)


def _show(problem, best, rows, fractions):
    """Print the optimum, or the proof that there is none."""
    write, is_C_SVC = _written if fractions else _rounded, isinstance(problem, Problem)
    if best.status == "infeasible" and is_C_SVC:
        _tell_hard_margin(best, rows, write)
        return
    if best.status == "infeasible":
        _tell_sums(problem, best, rows)
        return
    if best.status == "degenerate":
        say("w is 0, and there is no machine: the reduced hulls meet in the point of these")
        say("weights", "")
        show(table(_weights(best, rows, write), "rl"))
        return
    show(table((_facts_of_C_SVC if is_C_SVC else _facts_of_offsets)(best, write), "lrl"))
    show(table(_kinds(best.status, OF_C_SVC if is_C_SVC else OF_OTHER_MACHINES), "lrl"))
    if fractions:
        found = [[str(i + 1), _written(a)] for i, a in zip(rows, best.alpha) if a != 0]
        show(table([["row", "alpha"], *found], "rl"))


def _refuse_other_kernels(given, kernel):
    """Refuse --certificate and --coq where values of the kernel are no fractions."""
    for option, file in ("--certificate", given.certificate), ("--coq", given.coq):
        if file and not is_rational(kernel):
            sentence = f"{option}: the values of {kernel!r} are no fractions"
            cure = "those of --kernel linear and poly are"
            raise Refusal(sentence, "--kernel linear", how=cure)


def _certificates(given, classes):
    """Return for each pair of classes what the names of its files begin with; [] for none.

    That the files can be written is tried.
    """
    if not given.certificate:
        return []
    proofs = _prefixes(given.certificate, classes)
    try_outputs([path for proof in proofs for path in proof.paths()], [given.data])
    return proofs


def _try_theorem(given, classes):
    """Refuse --coq where no one file holds the theorem."""
    if not given.coq:
        return
    if len(classes) > 2:
        raise ValueError(
            f"--coq: there are {len(classes)} classes; one file holds the theorem of two, so leave"
            " only those in the data"
        )
    try_outputs([given.coq], [given.data])


def _prefixes(prefix, classes):
    """Return what the names of files begin with, of each pair of classes or of one machine."""
    if len(classes) <= 2:
        return [prefix]
    words = [re.sub(r"[^\w.+-]", "_", str(label)) for label in classes]
    if len(set(words)) < len(words):
        words = [str(c + 1) for c in range(len(classes))]
    return [Prefix(f"{prefix}-{words[p]}-{words[q]}") for p, q in pairs(len(classes))]


def _write_certificate(proof, problem, best):
    """Write the problem and the certificate of its optimum, each as its canonical text."""
    documents = problem_document(problem), optimum_document(problem, best)
    for path, document in zip(proof.paths(), documents):
        with writing(path) as text:
            text.write(canonical(document) + "\n")
        say_written(path)


def _facts_of_C_SVC(best, write):
    """Return (name, value, meaning) of the optimum of a C-SVC, for a table."""
    return [
        ["optimum", write(best.objective), "the least primal is the greatest dual"],
        ["|w|^2", write(best.w_norm2), "the margin is 1 / |w| wide, on either side"],
        ["slack costs", write(best.sum_C_slack), "sum C_i xi_i"],
        ["sum alpha", write(best.sum_alpha), "the same for every optimal alpha"],
        ["b from", write(best.b_low), "every offset from here"],
        ["b to", write(best.b_high), "to here is optimal, and no other"],
        *_facts_of_alpha(best),
    ]


def _facts_of_offsets(best, write):
    """Return (name, value, meaning) of the optimum of another machine, for a table."""
    ends = []
    for name, (_, low, high) in zip(best.offsets._fields, best.offsets):
        called = OFFSET_SYMBOLS.get(name, name)
        ends.append([f"{called} from", write(low), OFFSET_MEANINGS[name]])
        ends.append([f"{called} to", write(high), "the last that is optimal"])
    return [
        ["optimum", write(best.objective), "the least primal is the greatest dual"],
        ["|w|^2", write(best.w_norm2), "the same at every optimum"],
        *ends,
        *_facts_of_alpha(best),
    ]


def _facts_of_alpha(best):
    """Return (name, value, meaning) of the multipliers."""
    return [
        ["alpha", *_one_or_many(best.alpha_unique)],
        ["vectors", str(len([a for a in best.alpha if a != 0])), "support vectors, alpha not 0"],
        ["digits", str(_longest(best.alpha)), "binary ones of the longest denominator in alpha"],
    ]


def _one_or_many(unique):
    """Return what alpha_unique says, in words."""
    return {
        True: ("unique", "no other alpha is optimal"),
        False: ("one of many", "other alpha have the same w, and are optimal too"),
        None: ("undecided", "more --bits may tell whether others are optimal"),
    }[unique]


def _longest(alpha):
    """Return how many binary digits the longest denominator has."""
    return max(a.denominator.bit_length() for a in alpha)


OF_C_SVC = {
    "L": "outside the margin: alpha is 0 at every optimum",
    "M": "on the margin: alpha may be anything from 0 to C",
    "U": "inside the margin, or beyond it: alpha is C at every optimum",
    "?": "undecided: more --bits may tell",
}
OF_OTHER_MACHINES = {
    "L": "alpha is 0 at every optimum",
    "M": "on the margin, the edge of the tube or the sphere",
    "U": "beyond it: alpha is as large as it may be at every optimum",
    "?": "undecided: more --bits may tell",
}


def _kinds(status, meanings):
    """Return rows of a table: how many examples of each status there are."""
    return [
        [letter, str(status.count(letter)), means]
        for letter, means in meanings.items()
        if letter in status or letter != "?"
    ]


def _weights(best, rows, write):
    """Return rows of a table: the weights that prove that there is no machine."""
    weights = [[str(i + 1), write(v)] for i, v in zip(rows, best.farkas) if v != 0]
    return [["row", "weight"], *weights]


def _tell_sums(problem, best, rows):
    """Print the proof that no multipliers have the sums that the machine asks for."""
    form = problem.dual_form()
    say("no multipliers have the sums asked for: those of these rows")
    say(f"{why_infeasible(form, infeasible_group(form))}", "")
    show([", ".join(row for row, _ in _weights(best, rows, _rounded)[1:])])


def _tell_hard_margin(best, rows, write):
    """Print the proof that there is no hard margin."""
    say("no machine separates the classes, as C = inf asks: weigh these rows so, each times its")
    say("label, and what is left of them in feature space is zero", "")
    show(table(_weights(best, rows, write), "rl"))


def _rounded(value):
    """Return a number or an Interval in decimals."""
    if isinstance(value, Interval):
        low, high = (number(end, DIGITS_OF_DOUBLE) for end in value)
        ends = text_below(value.low, DIGITS_OF_ENDS), text_above(value.high, DIGITS_OF_ENDS)
        return low if low == high else " to ".join(ends)
    return number(value, DIGITS_OF_DOUBLE)


def _written(value):
    """Return a number or an Interval in fractions.

    >>> from fractions import Fraction
    >>> _written(Fraction(3, 2)), _written(Interval(Fraction(0), Fraction(1, 2)))
    ('3/2', '0 to 1/2')
    """
    return " to ".join(map(numeral, value)) if isinstance(value, Interval) else numeral(value)
