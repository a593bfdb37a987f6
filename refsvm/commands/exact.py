"""exact DATA: the very optimum of the machine that train would approach, proved."""

import re

from ..files.outputs import try_outputs, writing
from ..kernels.rational_values import is_rational
from ..numerics.intervals import Interval
from ..numerics.numerals import numeral
from ..proofs.canonical_json import canonical
from ..proofs.certificate_json import optimum_document, problem_document
from ..proofs.optimum import solve_exactly
from ..svm.dual_form import infeasible_group, why_infeasible
from ..svm.one_vs_one import pairs
from .arguments import Prefix, data_file, prefix
from .console import number, plural, progress, say, say_written, show, table
from .engine import announce, library, pure_option
from .machine_options import problem_options
from .machine_types import TYPES, type_of
from .reading import read_for
from .training import MEANINGS, OFFSETS, machine_parameters

EXAMPLE = """\
  python3 -m refsvm exact wdbc.scaled --kernel linear --C 0.1
  python3 -m refsvm exact wdbc.scaled --kernel linear --C 0.1 --fractions
  python3 -m refsvm exact wdbc.scaled --kernel linear --C 0.1 --certificate wdbc"""
DIGITS = 17  # that tell every double from its neighbours


def arguments(parser):
    data_file(parser)
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
    pure_option(parser)


def run(given):
    machine_type = type_of(given)
    data = read_for(given, given.kernel, answers=machine_type.answers)
    machine = getattr(library(given), machine_type.estimator)(**machine_parameters(given))
    if given.type == "c_svc":
        _prove_pairs(given, machine, data)
        return 0
    classes, proved = problems_of(machine, machine_type.answers, data)
    kernel = proved[0][2].kernel
    proofs = certificates(given, kernel, classes)
    announce(given)
    say(f"{plural(len(data.X), 'row')}, {kernel!r}")
    write = written if given.fractions else rounded
    for k, (heading, rows, problem) in enumerate(proved):
        with progress("proving the optimum"):
            best = solve_exactly(problem, bits=given.bits)
        say(f"\n{heading}\n" if heading else "")
        if best.status == "infeasible":
            _tell_infeasible_sums(problem, best, rows)
        else:
            _show_optimum(best, rows, write, given.fractions)
        if proofs:
            _write_certificate(proofs[k], problem, best)
    return 0


def problems_of(machine, answers, data):
    """Return the classes, and (heading, rows, problem) of each pair or of the one machine."""
    X, y = data
    if answers != "classes":
        single = machine._problem(machine._accept(X, y if answers == "values" else None, None))
        return [], [("", range(len(X)), single)]
    training = machine._accept(X, y, None)
    found = []
    for p, q in pairs(len(training.classes)):
        rows, problem = machine._pair_problem(training, p, q)
        found.append((_heading_of(training.classes, p, q, problem), rows, problem))
    return training.classes, found


def _heading_of(classes, p, q, problem):
    """Return what stands above the optimum of a pair."""
    return f"classes {classes[p]} (y = -1) and {classes[q]} (y = +1): {problem.n} examples"


def _show_optimum(best, rows, write, fractions):
    """Print the optimum of a machine of nu, regression, one class or the ball."""
    if best.status == "degenerate":
        say("w is 0, and there is no machine: the reduced hulls meet in the point of these")
        say("weights\n")
        weights = [[str(i + 1), write(v)] for i, v in zip(rows, best.farkas) if v != 0]
        show(table([["row", "weight"], *weights], "rl"))
        return
    show(table(_facts_with_offsets(best, write), "lrl"))
    show(table(kinds(best.status, OF_OTHER_MACHINES), "lrl"))
    if fractions:
        show(table(multipliers(best, rows), "rl"))


def _facts_with_offsets(best, write):
    """Return (name, value, meaning) of the optimum of such a machine, for a table."""
    ends = []
    for name, (_, low, high) in zip(best.offsets._fields, best.offsets):
        called = OFFSETS.get(name, name)
        ends.append([f"{called} from", write(low), MEANINGS[name]])
        ends.append([f"{called} to", write(high), "the last that is optimal"])
    return [
        ["optimum", write(best.objective), "the least primal is the greatest dual"],
        ["|w|^2", write(best.w_norm2), "the same at every optimum"],
        *ends,
        *_facts_of_alpha(best),
    ]


def _prove_pairs(given, svc, read):
    """Prove the optimum of C-SVC, of each pair of classes."""
    X, y = read
    data = svc._training_set(X, y, None)
    proofs = certificates(given, data.kernel, data.classes)
    announce(given)
    say(f"{plural(len(X), 'row')}, {data.kernel!r}")
    for pair, (p, q) in enumerate(pairs(len(data.classes))):
        rows, problem = svc._pair_problem(data, p, q)
        names = data.classes[p], data.classes[q]
        with progress(f"proving the optimum of {names[0]} against {names[1]}"):
            best = solve_exactly(problem, bits=given.bits)
        say(f"\n{_heading_of(data.classes, p, q, problem)}\n")
        write = written if given.fractions else rounded
        if best.status == "infeasible":
            _tell_infeasible(best, rows, write)
        else:
            show(table(facts(best, write), "lrl"))
            show(table(kinds(best.status), "lrl"))
            if given.fractions:
                show(table(multipliers(best, rows), "rl"))
        if proofs:
            _write_certificate(proofs[pair], problem, best)


def certificates(given, kernel, classes):
    """Return for each pair of classes what the names of its files begin with; [] for none.

    That the files can be written is tried.
    """
    if not given.certificate:
        return []
    if not is_rational(kernel):
        raise ValueError(
            f"--certificate: the values of {kernel!r} are no fractions; --kernel linear or poly"
            " has a certificate"
        )
    proofs = _prefixes(given.certificate, classes)
    try_outputs([path for proof in proofs for path in proof.paths()], [given.data])
    return proofs


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


def facts(best, write):
    """Return (name, value, meaning) of the optimum, for a table."""
    return [
        ["optimum", write(best.objective), "the least primal is the greatest dual"],
        ["|w|^2", write(best.w_norm2), "the margin is 1 / |w| wide, on either side"],
        ["slack costs", write(best.sum_C_slack), "sum C_i xi_i"],
        ["sum alpha", write(best.sum_alpha), "the same for every optimal alpha"],
        ["b from", write(best.b_low), "every offset from here"],
        ["b to", write(best.b_high), "to here is optimal, and no other"],
        *_facts_of_alpha(best),
    ]


def _facts_of_alpha(best):
    """Return (name, value, meaning) of the multipliers."""
    return [
        ["alpha", *_one_or_many(best.alpha_unique)],
        ["vectors", str(len([a for a in best.alpha if a != 0])), "support vectors, alpha not 0"],
        ["digits", str(longest(best.alpha)), "binary ones of the longest denominator in alpha"],
    ]


def _one_or_many(unique):
    """Return what alpha_unique says, in words."""
    return {
        True: ("unique", "no other alpha is optimal"),
        False: ("one of many", "other alpha have the same w, and are optimal too"),
        None: ("undecided", "more --bits may tell whether others are optimal"),
    }[unique]


def longest(alpha):
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


def kinds(status, meanings=OF_C_SVC):
    """Return rows of a table: how many examples of each status there are."""
    return [
        [letter, str(status.count(letter)), means]
        for letter, means in meanings.items()
        if letter in status or letter != "?"
    ]


def multipliers(best, rows):
    """Return rows of a table: alpha of the support vectors."""
    found = [[str(i + 1), written(a)] for i, a in zip(rows, best.alpha) if a != 0]
    return [["row", "alpha"], *found]


def _tell_infeasible_sums(problem, best, rows):
    """Print the proof that no multipliers have the sums that the machine asks for."""
    form = problem.dual_form()
    say("no multipliers have the sums asked for: those of these rows")
    say(f"{why_infeasible(form, infeasible_group(form))}\n")
    show([", ".join(str(i + 1) for i, v in zip(rows, best.farkas) if v != 0)])


def _tell_infeasible(best, rows, write):
    """Print the proof that there is no hard margin."""
    say("no machine separates the classes, as C = inf asks: weigh these rows so, each times its")
    say("label, and what is left of them in feature space is zero\n")
    weights = [[str(i + 1), write(v)] for i, v in zip(rows, best.farkas) if v != 0]
    show(table([["row", "weight"], *weights], "rl"))


def rounded(value):
    """Return a number or an Interval in decimals."""
    if isinstance(value, Interval):
        low, high = (number(end, DIGITS) for end in value)
        return low if low == high else f"{low} to {high}"
    return number(value, DIGITS)


def written(value):
    """Return a number or an Interval in fractions.

    >>> from fractions import Fraction
    >>> written(Fraction(3, 2)), written(Interval(Fraction(0), Fraction(1, 2)))
    ('3/2', '0 to 1/2')
    """
    return " to ".join(map(numeral, value)) if isinstance(value, Interval) else numeral(value)
