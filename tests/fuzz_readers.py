"""Look for a text that a reader answers otherwise than with what it holds or one short sentence.

    python tests/fuzz_readers.py --inputs 1000000 --seed 1
    python tests/fuzz_readers.py --only data:1234567       one input again, by the words printed

Texts of every sort that is read (data, tables, models, scalings, problems, certificates) are
changed at random: bytes, tokens, lines, whole pieces many times over. A ValueError or TypeError
of at most 300 characters is an answer. Any other exception is a finding, and so are 2 seconds of
processor time for one input, or 200 MB of memory for all of them. The exit status is then 1.
"""

import argparse
import gzip
import json
import sys
import tempfile
import time
from fractions import Fraction
from math import inf
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from refsvm import (  # noqa: E402
    BallProblem,
    NuProblem,
    NuRegressionProblem,
    OneClassProblem,
    Problem,
    RegressionProblem,
    read_data,
    read_model,
    solve_exactly,
)
from refsvm.conformance.bits.answering import answers  # noqa: E402
from refsvm.conformance.bits.digests import digests_of  # noqa: E402
from refsvm.conformance.bits.drawing import drawn  # noqa: E402
from refsvm.conformance.bits.judging import compared  # noqa: E402
from refsvm.conformance.protocol import Request  # noqa: E402
from refsvm.conformance.protocol.answer_reader import answer_from_line, object_from_line  # noqa: E402
from refsvm.conformance.protocol.plain_values import Malformed  # noqa: E402
from refsvm.conformance.protocol.records import Record  # noqa: E402
from refsvm.conformance.report.contents import changes_since  # noqa: E402
from refsvm.conformance.report.formats import read_stored, to_json  # noqa: E402
from refsvm.files.models import read_model_and_columns  # noqa: E402
from refsvm.files.scaling import read_scaling  # noqa: E402
from refsvm.files.table_columns import TableColumns  # noqa: E402
from refsvm.files.text import reading  # noqa: E402
from refsvm.play.answers import reply  # noqa: E402
from refsvm.play.states import parse_state, state_text  # noqa: E402
from refsvm.proofs.canonical_json import canonical, document_of, parsed, problem_of  # noqa: E402
from refsvm.proofs.certificate_json import optimum_document  # noqa: E402
from refsvm.proofs.checker import check  # noqa: E402
from refsvm.tables.layout import choice_of  # noqa: E402
from refsvm.tables.prepared_data import apply, learn, read_cells  # noqa: E402

LONGEST, MOST_SECONDS, MOST_MB = 300, 2, 200
LONGER = {"prepared": 600}  # which tells all that is at fault with the columns of a table
PAIR = Problem([[0.5], [2]], [-1, 1])
PROBLEM = canonical(document_of(PAIR))
CERTIFICATE = canonical(optimum_document(PAIR, solve_exactly(PAIR)))
LINE = [[0.5], [2], [4]]
MACHINES = [
    NuProblem(LINE, [-1, 1, 1], nu=0.5), RegressionProblem(LINE, [0, 1, 4]),
    NuRegressionProblem(LINE, [0, 1, 4]), OneClassProblem(LINE), BallProblem(LINE),
]
PAIRS = [(canonical(document_of(p)), canonical(optimum_document(p, solve_exactly(p))))
         for p in MACHINES]
SUM = PROBLEM.replace(
    '{"name":"linear"}',
    '{"name":"sum","terms":[{"name":"multiple","factor":"1/2","kernel":{"name":"linear"}},'
    '{"name":"polynomial","degree":2,"gamma":"1","coef0":"0"}]}',
)
MODEL = b"""svm_type c_svc
kernel_type polynomial
degree 3
gamma 0.5
coef0 0
nr_class 2
total_sv 2
rho -0.25
label 1 -1
nr_sv 1 1
SV
0.5 1:1 3:2
-0.5 2:-1
"""
COMPARED = ["\n".join(answers(json.dumps(question) for question in drawn(kind, 7, 2))).encode()
            for kind in ("power", "kkt", "smo:nu")]
PREPARED_MODEL = MODEL.replace(b"1 -1\n", b"1 2\n", 1) + (
    b'# refsvm {"labels":["no","yes"],"features":["a","s","d"],"label":"y","prepared":['
    b'{"mean":0.5,"deviation":1.25,"decimal":",","unit":"kg"},{"values":["x","zz"]},'
    b'{"mean":18000,"deviation":2.5,"days":true}]}\n'
)
REQUEST = Request("C02", [[0.0], [1.0]], [-1, 1], [1.0, 1.0], {"name": "linear"}, [[0.0], [2.0]])
LINES = [
    b'{"decisions":[-1,3.5],"predictions":[-1,1],"alpha":[1,1],"b":-1,"w":[2],"status":"optimal",'
    b'"warnings":["slow"],"exchanged":[1,-3.5],"one_by_one":[[0,-1]],"threaded":[[-1,3.5],null]}',
    b'{"attributes":{"support":[0,1],"support_vectors":[[0],[1]],"n_support":[1,1],"dual_coef":'
    b'[[-1,1]],"intercept":[-1],"coef":[[2]],"classes":[-1,1]},"scores":[[1,2],[3,4]],"b":"inf"}',
    b'{"refused":"C is too large","place":"f.py, line 3","late":"yes"}',
]
RECORDS = [
    Record("C02", "G3", "fail", Fraction(1, 3), [0.5, inf], None, "the gap is 1/3"),
    Record("C03", "G1", "pass", None, None, None, ""),
    Record("C03", "G2", "pass", inf, None, None, ""),
]
STATES = [b"1;k=poly,3,1/2,1;C=1;s=2;o=0;t=smo,3;p=+1,2;+2,3;-2,1;-3,2;-4,5/2",
          b"http://127.0.0.1:8/#1;m=svr;k=rbf,0.5;C=inf;e=1/4;p=+1,2;-3,0.5",
          b"1;m=one;n=0.25;p=+1,2;+0,0"]
QUESTIONS = [b'{"state":"1;k=lin;C=1/2;p=+1,2;-3,1;-2,0","plane":[-4,4,-3.0,3],"number":7}',
             b'{"state":"1;m=svr;p=+1,2;-3,1"}']


def read_compared(path):
    """Hold the answers of a stream against those that are right; why one is not must be short."""
    with reading(path) as lines:
        why = [found.reason for found in compared(line for line in lines if line[1].strip())
               if found.reason]
    if why:
        raise ValueError(max(why, key=len))


def read_for_digests(content, path):
    """Make digests of an answer whose bits are too many to tell."""
    try:
        digests_of(object_from_line(content))
    except Malformed as error:
        raise ValueError(str(error)) from None


def from_file(read, **options):
    def call(content, path):
        path.write_bytes(content)
        read(path, **options)

    return call


def decoded(read):
    return lambda content, path: read(content.decode(errors="surrogateescape"))


def read_prepared(path):
    """Learn of a table, and make its own rows anew by what was learnt."""
    choice = choice_of(None, None, [], None)
    learnt = learn(read_cells(path, "csv", choice))
    rows = apply(read_cells(path, "csv", choice), learnt.columns)[0].X
    if [row.hex() for row in sum(rows, [])] != [v.hex() for v in sum(learnt.X, [])]:
        raise AssertionError("rows are made otherwise by what was learnt of them")


def read_preparing(path):
    """Make rows of a table by what a model says of its columns."""
    _, columns = read_model_and_columns(path)
    if columns is not None and columns.prepared is not None:
        path.write_text("a,s,d,y\n1,x,2020-01-02,no\n,zz,,yes\n")
        apply(read_cells(path, "csv", choice_of(None, None, [], columns)), columns)


def read_state(text):
    """Read a state, write it and read it again."""
    state = parse_state(text)
    if parse_state(state_text(state)) != state:
        raise AssertionError("a state is read otherwise where it was written anew")


def read_question(text):
    """Ask the page; of what it refuses the sentence must be short."""
    said = json.loads(reply(text))
    if "error" in said:
        raise ValueError(said["error"])


def read_line(content, path):
    """Read the answer of a program; what is no answer is told in a sentence."""
    try:
        sentence = answer_from_line(content, REQUEST).malformed
    except Malformed as error:
        sentence = str(error)
    if sentence:
        raise ValueError(sentence)


# What reads, and texts that it takes.
READERS = {
    "data": (from_file(read_data), [b"+1 1:0.7 3:-1\n-1 # no\n2 2:1e-3\n", b"1 1:1\r\n\n-1 1:2"]),
    "width": (from_file(read_data, features=9), [b"+1 1:0.7 9:-1\n-1\n"]),
    "gram": (from_file(read_data, precomputed=True), [b"1 0:1 1:2 2:0\n-1 0:2 1:0 2:3\n"]),
    "table": (from_file(read_data, format="csv"), [
        b'age,size,ill\n31,1.75,no\n58,1.62,"yes, very"\n',
        b"1;2;01\r\n3;4.5;02\r\n", b"1\t2\n3\t4"]),
    "columns": (from_file(read_data, format="csv", columns=TableColumns(["b", "a"], 2, "y", 3)), [
        b"a,y,b,c\n1,no,2,x\n3,yes,4,y\n", b"b,a\n1,2\n"]),
    "packed": (from_file(read_data), [gzip.compress(b"1 1:2\n-1 2:1\n" * 9, mtime=0)]),
    "model": (from_file(read_model), [
        MODEL, MODEL.replace(b"polynomial", b"rbf"), MODEL.replace(b"1 -1", b"1 2") +
        b'# refsvm {"labels":["no","yes"],"features":["a","b","c"],"label":"y"}\n']),
    "scaling": (from_file(read_scaling), [
        b"x\n-1 1\n1 0 10\n3 7 8\n", b'x\n-1 1\n2 0 9\n# refsvm {"features":2,"label":3}\n']),
    "problem": (decoded(lambda t: problem_of(parsed(t))), [
        PROBLEM.encode(), SUM.encode(), *(problem.encode() for problem, _ in PAIRS)
    ]),
    "certificate": (decoded(lambda t: check(PROBLEM, t)), [CERTIFICATE.encode()]),
    "certified": (decoded(lambda t: check(t, CERTIFICATE)), [PROBLEM.encode()]),
    **{f"certificate{k}": (decoded(lambda t, p=p: check(p, t)), [proof.encode()])
       for k, (p, proof) in enumerate(PAIRS)},
    **{f"certified{k}": (decoded(lambda t, c=proof: check(t, c)), [p.encode()])
       for k, (p, proof) in enumerate(PAIRS)},
}
READERS |= {
    "prepared": (from_file(read_prepared), [
        b"age,size,when,ill\n31,S,2020-01-02,no\n58,L,2021-05-06,yes\n,S,,no\n44,M,2020-07-08,yes\n"]),
    "preparing": (from_file(read_preparing), [PREPARED_MODEL]),
    "state": (decoded(read_state), STATES),
    "question": (decoded(read_question), QUESTIONS),
    "answer": (read_line, LINES),
    "compared": (from_file(read_compared), COMPARED),
    "digested": (read_for_digests, [COMPARED[2].splitlines()[0]]),
    "stored": (from_file(lambda path: changes_since(read_stored(path), RECORDS)), [
        to_json("his", {"date": "2026-01-02"}, RECORDS).encode()]),
}
PIECES = [
    *b"\0 \t\n\r#:/,;[]{}\"'-+.0123456789eExXnaif_\\\x1f\x8b\xff\xef", *(
        b"nan inf -inf 1e999 1e-999 -0 0x1p3 1_0 2147483647 2147483648 99999999999999999999 0: 1:1"
        b" qid:1 # SV x y null true false [[ ]] {} [] \"\" \"1/0\" \"1/2\" \"inf\" \\ud800"
        b" \xef\xbb\xbf \xd9\xa3 kernel_type gamma degree 1/3 -1/3"
    ).split(),
]  # fmt: skip
PIECES = [bytes([piece]) if type(piece) is int else piece for piece in PIECES]


def changed(random, text):
    """The text with some changes, mostly one or two."""
    for _ in range(min(int(random.expovariate(0.7)) + 1, 12)):
        begin = random.randint(0, len(text))
        end = min(len(text), begin + int(random.expovariate(0.2)))
        part = text[begin:end] or random.choice(PIECES)
        way = random.randrange(8)
        new = (
            b"" if way == 0 else random.choice(PIECES) if way < 4
            else bytes([random.randrange(256)]) if way == 4 else part + random.choice(PIECES)
            if way == 5 else part * random.choice([2, 3, 30, 3000 if len(part) < 20 else 3])
            if way == 6 else text[random.randint(0, len(text)) :][: end - begin]
        )  # fmt: skip
        text = text[:begin] + new + text[end:]
        if random.random() < 0.02:
            text = text[:begin]
    return text


def tried(name, number, path):
    """What is wrong with the answer to one input, in words; None if nothing is."""
    random = Random(number)
    return wrong_with(name, changed(random, random.choice(READERS[name][1])), path)


def wrong_with(name, content, path):
    """What is wrong with the answer of a reader to some bytes, in words; None if nothing is."""
    begun = time.process_time()
    try:
        READERS[name][0](content, path)
    except (ValueError, TypeError) as error:
        if len(str(error)) > LONGER.get(name, LONGEST):
            return f"a sentence of {len(str(error))} characters: {str(error)[:200]}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    seconds = time.process_time() - begun
    return f"{seconds:.1f} seconds" if seconds > MOST_SECONDS else None


def memory():
    """The most memory that this process had at any time, in MB; 0 where no system says it."""
    try:
        import resource
    except ImportError:
        return 0
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def fuzz(inputs, seed):
    """Findings among so many inputs, as (name:number, what is wrong)."""
    numbers, names, before = Random(seed), list(READERS), memory()
    with tempfile.TemporaryDirectory() as folder:
        for i in range(inputs):
            name, number = names[i % len(names)], numbers.getrandbits(40)
            wrong = tried(name, number, Path(folder) / "f")
            if wrong is None and memory() - before > MOST_MB:
                wrong, before = f"{memory() - before:.0f} MB more", memory()
            if wrong:
                yield f"{name}:{number}", wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one input, as it is printed: reader:number")
    given = parser.parse_args()
    if given.only:
        name, number = given.only.split(":")
        with tempfile.TemporaryDirectory() as folder:
            print(tried(name, int(number), Path(folder) / "f"))
        return 0
    found = []
    for place, wrong in fuzz(given.inputs, given.seed):
        found.append(place)
        print(f"{place}: {wrong}", flush=True)
    print(f"{given.inputs} inputs, {len(found)} findings, at most {memory():.0f} MB")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
