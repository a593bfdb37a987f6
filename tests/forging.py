"""Three checkers agree on drawn certificates and on forged ones:

    python3 tests/forging.py --certificates 1000 --forgeries 2000 --seed 1

refsvm/proofs/checker.py, spec/ports/javascript/checker.mjs and the program of spec/proof, where it
is built as build/proof/refsvm-proved, are asked the same pairs of texts. What they believe must be
true by the optimum that solve_exactly finds.

A forgery is a certificate with one number changed, with a part of another certificate, with a text
bent so that a lax reader would not see it, with a character changed; or the end of a climb: from
the optimum alpha walks to where its dual is above the optimum's value and as little of the
conditions as possible is broken.
"""

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
from fractions import Fraction as F
from hashlib import sha256
from math import inf
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from refsvm import (  # noqa: E402
    BallProblem,
    Linear,
    MonomialSum,
    NuProblem,
    NuRegressionProblem,
    OneClassProblem,
    Polynomial,
    Precomputed,
    Problem,
    RegressionProblem,
    certify,
    solve_exactly,
)
from refsvm.proofs.canonical_json import canonical, problem_of  # noqa: E402
from refsvm.proofs.certificate_json import (  # noqa: E402
    optimum_document,
    problem_document,
    statement,
)
from refsvm.proofs.checker import check  # noqa: E402
from refsvm.svm.regression_without_offset import RegressionWithoutOffset  # noqa: E402

PROVED = ROOT / "build" / "proof" / "refsvm-proved"
PORT = (ROOT / "spec" / "ports" / "javascript" / "checker.mjs").as_uri()
OF_JAVASCRIPT = f"""
import {{ check }} from "{PORT}";
import {{ readFileSync }} from "node:fs";
const lines = readFileSync(0, "latin1").split("\\n");
for (let i = 0; i + 1 < lines.length; i += 2) {{
  let said = "proved";
  try {{ check(lines[i], lines[i + 1]); }} catch {{ said = "refused"; }}
  console.log(said);
}}
"""
NUMBERS = ("alpha", "denominator", "b", "rho", "epsilon", "radius2", "dual", "primal")
STEPS = [F(1), F(-1), F(1, 10**9), F(-1, 10**9), F(1, 2**60), F(-1, 10**300)]


# ---- the checkers


def by_python(pairs):
    """What checker.py says of each pair."""
    return [believed(*pair) for pair in pairs]


def believed(problem, certificate):
    try:
        check(problem, certificate)
    except ValueError:
        return False
    return True


def by_program(*words):
    """The function that asks a program, which reads all pairs as lines."""
    def asked(pairs):
        lines = "".join(f"{text}\n" for pair in pairs for text in pair)
        run = subprocess.run(words, input=lines, capture_output=True, text=True, check=True)
        return [word == "proved" for word in run.stdout.split()]
    return asked


def checkers():
    """{name: function} of those that are on this machine."""
    found = {"checker.py": by_python}
    if shutil.which("node"):
        script = ROOT / "build" / "forging.mjs"
        script.parent.mkdir(exist_ok=True)
        script.write_text(OF_JAVASCRIPT, encoding="utf-8")
        found["checker.mjs"] = by_program("node", str(script))
    if PROVED.exists():
        found["refsvm-proved"] = by_program(str(PROVED), "-")
    return found


# ---- certificates


def drawn_problem(r):
    """A problem of any machine: two to five rows of small numbers."""
    n, d = r.randint(2, 5), r.randint(1, 2)
    X = [[F(r.randint(-4, 4), r.choice([1, 1, 2])) for _ in range(d)] for _ in range(n)]
    kernel = r.choice([
        Linear(), Linear(), Polynomial(r.randint(0, 3), gamma=F(1, 2), coef0=r.randint(0, 1)),
        MonomialSum(2), Precomputed(),
    ])
    if kernel == Precomputed():
        X = [[sum(a * b for a, b in zip(x, z)) for z in X] for x in X]
    y = [1, -1] + [r.choice([1, -1]) for _ in range(n - 2)]
    values = [F(r.randint(-3, 3)) for _ in range(n)]
    weights = [F(r.randint(1, 4), 2) for _ in range(n)] if r.random() < 0.5 else None
    C, nu = F(r.randint(1, 8), 4), F(r.randint(1, 4), 4)
    kind = r.randrange(6 if PROVED.exists() else 7)  # which does not know the last
    if kind == 0:
        Cs = r.choice([C, [r.choice([C, F(1), inf]) for _ in range(n)], inf])
        return Problem(X, y, kernel, Cs, r.random() < 0.7, r.choice(["hinge", "squared"]))
    if kind == 1:
        return NuProblem(X, y, kernel, nu, weights)
    if kind == 2:
        return RegressionProblem(X, values, kernel, C, F(r.randint(0, 2), 2), weights)
    if kind == 3:
        return NuRegressionProblem(X, values, kernel, C, nu, weights)
    if kind == 4:
        return OneClassProblem(X, kernel, nu, weights)
    if kind == 6:
        slack = r.choice(["linear", "squared"])
        return RegressionWithoutOffset(X, values, kernel, C, F(r.randint(0, 2), 2), slack)
    return BallProblem(X, kernel, r.choice([C, C / 4, inf]), weights)


def drawn_certificate(r):
    """(a problem, its document, a certificate): that of its optimum, or of other multipliers."""
    problem = drawn_problem(r)
    best = solve_exactly(problem)
    if best.alpha is None or best.status == "degenerate" or r.random() < 0.5:
        try:
            return problem, problem_document(problem), optimum_document(problem, best)
        except TypeError:  # degenerate: there is no machine
            return drawn_certificate(r)
    alpha = [a + F(r.randint(-2, 2), 8) for a in best.alpha]
    offsets = [F(r.randint(-6, 6), 2) for _ in problem.offsets_class._fields]
    if not getattr(problem, "bias", True):
        offsets = [0]
    found = certify(problem, alpha, *offsets)
    return problem, problem_document(problem), found.document()


# ---- forgeries


def named(problem, certificate):
    """The two texts, the certificate bound to the problem."""
    text = canonical(problem)
    name = sha256(text.encode()).hexdigest()
    return text, canonical({**certificate, "problem_sha256": name})


def places(document, keys):
    """The path to each number below these keys."""
    for key in keys:
        part = document.get(key)
        if isinstance(part, str):
            yield (key,)
        for i, item in enumerate(part if isinstance(part, list) else []):
            if isinstance(item, list):
                yield from ((key, i, k) for k in range(len(item)))
            else:
                yield key, i


def changed(document, path, change):
    """A copy in which the part at the path is another."""
    copy = json.loads(json.dumps(document))
    place = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = change(place[path[-1]])
    return copy


def near(step):
    """The change of a number, written as one, by a step."""
    def change(part):
        if isinstance(part, int):
            return -part
        value = F(0) if part in ("inf", "-inf") else F(part)
        return str(value + step)
    return change


def each_number(r, problem, certificate):
    """Every single number changed, by one step that is drawn."""
    for path in places(certificate, NUMBERS):
        yield named(problem, changed(certificate, path, near(r.choice(STEPS))))
    for path in places(problem, ("X", "y", "C", "weights", "nu", "epsilon")):
        yield named(changed(problem, path, near(r.choice(STEPS))), certificate)


def exchanged(r, one, other):
    """Parts of one pair of documents in another."""
    for which in (0, 1):
        keys = sorted(one[which].keys() & other[which].keys())
        for key in r.sample(keys, min(2, len(keys))):
            parts = list(one)
            parts[which] = {**one[which], key: other[which][key]}
            yield named(*parts)
    yield named(one[0], other[1])


def bent(r, problem, certificate):
    """Texts that a lax reader would take for the same."""
    text, proof = named(problem, certificate)
    other = [
        re.sub(r'"(-?\d+)"', r'"0\1"', proof, count=1), proof.replace(":", ": ", 1), proof + "x",
        proof.replace('"dual"', '"dual":"0","dual"', 1), proof.replace('"alpha"', '"\\u0061lpha"'),
        proof.replace('{"alpha"', '{"aa":"1","alpha"', 1), proof[:-1],
        re.sub(r'"(\d+)"', r'"\1/1"', proof, count=1), proof.replace('","', '",,"', 1),
        proof.replace('"denominator":"', '"denominator":"-'),
        re.sub(r'"(\d+)"', r'\1', proof, count=1), re.sub(r'"(\d+)"', r'["\1"]', proof, count=1),
        re.sub(r'"dual":("[^"]*")', r'"dual":[\1]', proof), proof.replace('"0"', '"-0"', 1),
    ]
    texts = [re.sub(r'"(\d+)"', r'"\1/1"', text, count=1), text.replace('"X"', '"X":[],"X"', 1),
             text.replace('"form":"nu"', '"form":["nu"]'), text.replace("true", "1"),
             text.replace('"y":[', '"y":[1,'), text.replace('"kernel":{', '"kernel":{"degree":1,')]
    for changed_proof in r.sample(other, 4):
        yield text, changed_proof
    for changed_text in r.sample(texts, 2):
        name = sha256(changed_text.encode()).hexdigest()
        yield changed_text, re.sub(r"[0-9a-f]{64}", name, proof)


def scrambled(r, problem, certificate):
    """The texts with one character changed, left out, put in or doubled."""
    text, proof = named(problem, certificate)
    for k in range(6):
        whole = (text, proof)[k % 2]
        i, c = r.randrange(len(whole)), r.choice('0123456789-+/.,:"[]{} eE_\\naifulstr')
        other = r.choice([whole[:i] + c + whole[i + 1:], whole[:i] + c + whole[i:],
                          whole[:i] + whole[i + 1:], whole[:i] + whole[i] + whole[i:]])
        if k % 2:
            yield text, other
        else:
            yield other, re.sub(r"[0-9a-f]{64}", sha256(other.encode()).hexdigest(), proof)


def broken(problem, alpha):
    """How far alpha is from its bounds and sums."""
    form, x = problem.dual_form(), problem.beta(alpha)
    if len(x) != len(form.lower):
        return None
    bounds = zip(x, form.lower, form.upper)
    outside = sum(max(low - v, 0) + max(v - high, 0) for v, low, high in bounds)
    sums = sum(abs(sum(x[k] for k in group) - s) for group, s in zip(form.groups, form.sums))
    return outside + sums


def climbed(r, problem, document):
    """Each step of a walk to multipliers whose dual is too high, with the values they have."""
    exact = problem.to(F)
    best = solve_exactly(exact)
    if best.alpha is None or best.status == "degenerate":
        return
    alpha = list(best.alpha)
    offsets = [end.value for end in best.offsets]
    if isinstance(exact, Problem) and not exact.bias:
        offsets = [F(0)]
    for _ in range(12):
        trial = list(alpha)
        for i in r.sample(range(exact.n), r.randint(1, min(2, exact.n))):
            trial[i] += r.choice([1, -1]) * F(1, r.choice([2, 8, 64, 10**9]))
        yield honest(exact, document, trial, offsets)
        higher, far = exact.dual(trial) > best.objective, broken(exact, trial)
        if higher and (alpha == best.alpha or far is None or far <= broken(exact, alpha)):
            alpha = trial
    if alpha != best.alpha:
        names, high = exact.offsets_class._fields, exact.dual(alpha)
        told = statement(exact, best.alpha, dict(zip(names, offsets)), high, high)
        yield canonical(document), canonical(told)


def honest(problem, document, alpha, offsets):
    """The texts of multipliers that break a condition, with their own dual and primal."""
    values = problem.dual(alpha), problem.primal(alpha, *offsets)
    named_offsets = dict(zip(problem.offsets_class._fields, offsets))
    return canonical(document), canonical(statement(problem, alpha, named_offsets, *values))


def forgeries(r, count):
    """At least so many pairs of texts, of each kind in turn."""
    found, before = [], None
    while len(found) < count:
        problem, document, certificate = drawn_certificate(r)
        pair = document, certificate
        new = [*each_number(r, *pair), *bent(r, *pair), *scrambled(r, *pair)]
        new += climbed(r, problem, document)
        if before:
            new += [*exchanged(r, pair, before), *exchanged(r, before, pair)]
        found += [texts for texts in new if texts != named(*pair)]
        before = pair
    return found


# ---- the verdicts


def true(problem, certificate):
    """Whether what is stated lies on the right sides of the optimum's value."""
    stated = json.loads(certificate)
    asked = problem_of(json.loads(problem)).to(F)
    best = solve_exactly(asked)
    values = (stated["dual"], stated["primal"])
    dual, primal = (float(v) if v.endswith("inf") else F(v) for v in values)
    value = best.objective
    if value is None:  # no hard margin; or the primal falls without end
        value = inf if isinstance(asked, Problem) else -inf
    return dual <= value <= primal


def disagreements(pairs, asked):
    """The pairs on which the checkers part, and what the first says of each."""
    said = {name: ask(pairs) for name, ask in asked.items()}
    first = next(iter(said.values()))
    parted = [(pair, {name: word[i] for name, word in said.items()})
              for i, pair in enumerate(pairs) if len({word[i] for word in said.values()}) > 1]
    return parted, first


def main(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--certificates", type=int, default=1000)
    parser.add_argument("--forgeries", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    r, asked = random.Random(given.seed), checkers()
    print("asked:", ", ".join(asked))
    drawn = [named(*drawn_certificate(r)[1:]) for _ in range(given.certificates)]
    parted, proved = disagreements(drawn, asked)
    print(f"{len(drawn)} certificates: {sum(proved)} proved, {len(parted)} on which they part")
    forged = forgeries(r, given.forgeries)
    parted_too, believed_too = disagreements(forged, asked)
    false = [pair for pair, yes in zip(forged, believed_too) if yes and not true(*pair)]
    print(f"{len(forged)} forgeries: {sum(believed_too)} are true and proved, {len(false)} are"
          f" false and proved, {len(parted_too)} on which they part")
    for pair, words in [*parted, *parted_too][:5]:
        print(words, *pair, sep="\n  ")
    bad = parted or parted_too or false or not all(proved)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
