"""Certificates with anything in them changed at random: refused, or what they state is true.

A text is changed by characters, or as the document that it holds: a number for another, a sign, a
part left out, doubled or moved, whole fields of two certificates swapped. Where the problem was
changed its name in the certificate is adapted most of the time, so that more than the name has to
see it. What the checker then believes must be written by the rules of
spec/standard/certificates.md, which canonical_json.py reads, and be true by exact.py, which tries
every pattern.
"""

import json
from fractions import Fraction as Q
from hashlib import sha256
from math import inf
from operator import itemgetter

import exact as judge
from hypothesis import assume, given
from hypothesis import strategies as st
from profiles import draws
from test_checker import believed, certified, paths, replaced, text

import refsvm
from refsvm import Polynomial, Precomputed, Problem, Spectrum
from refsvm.proofs.canonical_json import canonical, parsed, problem_of
from refsvm.proofs.certificate_json import problem_document

NUMBERS = ("b", "dual", "primal")
LINE, Y = [[0], [1], [3], [2]], [-1, 1, 1, -1]
MIXED = [1, inf, 2, 3]
OPTIMA = [
    Problem(LINE, Y), Problem(LINE, Y, C=[0.5, 2, 1, 3], bias=False),
    Problem(LINE, Y, C=MIXED, slack="squared"), Problem(LINE, [-1, 1, 1, 1], C=inf),
    Problem(LINE, Y, C=inf), Problem([[1], [1]], [1, -1], C=inf, slack="squared"),
    Problem(LINE, Y, Polynomial(2, gamma=0.5, coef0=1), C=MIXED),
    Problem(["ab", "ba", "aba"], [1, -1, 1], Spectrum(2)),
    Problem([[2, 1], [1, 2]], [1, -1], Precomputed(), [0.5, 2], False, "squared"),
]
PAIRS = [tuple(map(text, certified(problem))) for problem in OPTIMA]
PAIRS += [
    (text(problem_document(problem)), text(refsvm.certify(problem, alpha, b).document()))
    for problem, alpha, b in (
        (OPTIMA[0], [0.5, 0.25, 0, 0.5], -0.5), (OPTIMA[1], [0.5, 1, 0, 2], 0),
        (OPTIMA[2], [1, 1, 0, 0], 0.25), (OPTIMA[3], [1, 0.5, 0.25, 0.25], -0.25),
        (OPTIMA[8], [0.5, 0.5], 0), (OPTIMA[3], [1, 0.5, 0.25, 0.25], 5),
    )
]
PAIRS += [  # where alpha is 0 no kernel value is used, and no number stated depends on it
    (text(problem_document(problem)), text(refsvm.certify(problem, [0] * problem.n, 0).document()))
    for problem in [
        OPTIMA[0], OPTIMA[1], OPTIMA[7], OPTIMA[8], Problem(LINE, Y, Polynomial(1, coef0=1)),
        Problem([[1, 1, 0], [1, 1, 0], [0, 0, 0]], [1, -1, 1], Precomputed()),
    ]
]
NEAR = st.sampled_from([Q(1), Q(-1), Q(1, 2), Q(1, 7), Q(2**70), Q(-1, 2**70)])
PARTS = st.sampled_from([
    None, True, False, 0, 1, -1, 2, 0.5, 1.0, float("nan"), inf, "", "0", "1", "-1", "2", "1/2",
    "inf", "-inf", "nan", "Infinity", "1e9", "1e999999999", "2/4", "01", "-0", "+1", " 1", "1/-2",
    "1/0", "2/3/4", [], {}, [[]], ["1"], "hinge", "squared", {"name": "linear"},
    {"name": "precomputed"}, {"name": "polynomial", "degree": 3, "gamma": "1", "coef0": "0"},
    {"name": "spectrum", "length": 1}, {"name": "gaussian", "gamma": "1"},
])
CHARACTERS = st.sampled_from('0123456789-+/.,:"[]{} eE_\n\t\\naifulstr\u0661\ufeff')


@st.composite
def characters_changed(draw, whole):
    """The text with a few characters changed, left out, put in, swapped or doubled."""
    for _ in range(draw(st.integers(1, 3))):
        i, j = sorted(draw(st.tuples(*[st.integers(0, len(whole) - 1)] * 2)))
        part, other = whole[i:j], draw(CHARACTERS)
        whole = draw(st.sampled_from([
            whole[:i] + other + whole[i + 1 :], whole[:i] + other + whole[i:],
            whole[:i] + whole[i + 1 :], whole[:i] + whole[i : i + 2][::-1] + whole[i + 2 :],
            whole[:i] + chr(ord(whole[i]) ^ 1 << draw(st.integers(0, 6))) + whole[i + 1 :],
            whole[:j] + part + whole[j:], whole[:i] + whole[j:],
        ])) or "0"
    return whole


@st.composite
def documents_changed(draw, whole, other):
    """The text of the document with one part changed; now and then not in its canonical form."""
    document, other = json.loads(whole), json.loads(other)
    place = draw(st.sampled_from(list(paths(document))))
    part = document
    for key in place:
        part = part[key]
    ways = [draw(PARTS)]
    if isinstance(part, str) and part[-1:].isdigit() and len(part) < 60:
        ways += [str(Q(part) + draw(NEAR)), str(-Q(part)), str(Q(part) * draw(NEAR))]
        p, q = Q(part).as_integer_ratio()
        ways.append(draw(st.sampled_from([f"{2 * p}/{2 * q}", f"{p}/{q}", f"0{part}", p, p / q])))
    elif isinstance(part, int):
        ways += [-part, part + 1, bool(part), int(part), float(part), str(part), not part]
    elif isinstance(part, list) and part:
        i, j = draw(st.tuples(*[st.integers(0, len(part) - 1)] * 2))
        turned = list(part)
        turned[i], turned[j] = turned[j], turned[i]
        ways += [part[:i] + part[i + 1 :], [*part, part[i]], turned, part[::-1]]
        ways += ["".join(map(str, part)), {str(v): v for v in part}]
    elif isinstance(part, dict):
        keys = draw(st.lists(st.sampled_from(sorted({*part, *other})), min_size=1, max_size=3))
        ways.append({**part, **{key: other[key] for key in keys if key in other}})
        ways.append({key: value for key, value in part.items() if key != keys[0]})
        ways.append({**part, keys[0] + "x": part.get(keys[0])})
    document = replaced(document, place, draw(st.sampled_from(ways)))
    if draw(st.integers(0, 9)):
        return text(document)
    if isinstance(document, dict):
        document = dict(draw(st.permutations(list(document.items()))))
    return json.dumps(document, separators=draw(st.sampled_from([(",", ":"), (", ", ": ")])))


@st.composite
def tampered(draw):
    """Two texts, one or both of them changed, or those of two problems mixed."""
    (problem, certificate), others = draw(st.tuples(*[st.sampled_from(PAIRS)] * 2))
    which = draw(st.sampled_from(["problem", "certificate", "certificate", "both", "mixed"]))
    if which == "mixed":
        return problem, renamed(others[1], problem)
    way = draw(st.booleans())
    if which != "certificate":
        problem = draw(
            characters_changed(problem) if way else documents_changed(problem, others[0])
        )
    if which != "problem":
        certificate = draw(
            characters_changed(certificate) if way else documents_changed(certificate, others[1])
        )
    return problem, renamed(certificate, problem) if draw(st.integers(0, 3)) else certificate


def renamed(certificate, problem):
    """The certificate as one of this problem, if it still is a document."""
    try:
        document = json.loads(certificate)
        named = {**document, "problem_sha256": sha256(problem.encode()).hexdigest()}
    except (ValueError, TypeError):
        return certificate
    return text(named) if text(document) == certificate else certificate


def true(problem, certificate):
    """Whether both are well written, and what is stated is so, by the judge."""
    stated, given_ = parsed(certificate), problem_of(parsed(problem)).to(Q)
    assert canonical(stated) == certificate and canonical(parsed(problem)) == problem
    assert stated.pop("problem_sha256") == sha256(problem.encode()).hexdigest()
    below = Q(stated.pop("denominator"))
    alpha = [int(a) / below for a in stated.pop("alpha")]
    b, dual, primal = (inf if v == "inf" else Q(v) for v in map(stated.pop, NUMBERS))
    assert stated == {} and below > 0
    y, C, squared = given_.y, given_.C, given_.slack == "squared"
    beta = [a * l for a, l in zip(alpha, y)]
    assert len(alpha) == len(y) and all(0 <= a and (squared or a <= c) for a, c in zip(alpha, C))
    assert not given_.bias or judge.exact_sum(beta) == 0
    K = refsvm.gram(given_.kernel, given_.X) if given_.kernel != Precomputed() else given_.X
    assert refsvm.mercer(K).psd
    assert given_.bias or b == 0
    if dual == inf:
        assert judge.optimum(K, y, C, given_.bias, squared) is None
    else:
        assert dual == judge.dual(K, y, C, beta, squared)
    return primal == given_.primal(alpha, b)


def test_what_is_tampered_with_was_believed_and_true():
    assert all(believed(*pair) and true(*pair) for pair in PAIRS)
    values = [itemgetter("dual", "primal")(json.loads(certificate)) for _, certificate in PAIRS]
    assert any(dual == primal == "inf" for dual, primal in values)
    assert any(dual == primal != "inf" for dual, primal in values)
    assert any(dual != primal != "inf" for dual, primal in values)
    assert any(dual != primal == "inf" for dual, primal in values)


@draws(15/2)
@given(tampered())
def test_what_was_changed_is_refused_or_still_true(texts):
    assume(texts not in PAIRS)
    assert not believed(*texts) or true(*texts)
