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
import sys
import tempfile
import time
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
from refsvm.files.scaling import read_scaling  # noqa: E402
from refsvm.files.table_columns import TableColumns  # noqa: E402
from refsvm.proofs.canonical_json import canonical, document_of, parsed, problem_of  # noqa: E402
from refsvm.proofs.certificate_json import optimum_document  # noqa: E402
from refsvm.proofs.checker import check  # noqa: E402

LONGEST, MOST_SECONDS, MOST_MB = 300, 2, 200
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


def from_file(read, **options):
    def call(content, path):
        path.write_bytes(content)
        read(path, **options)

    return call


def decoded(read):
    return lambda content, path: read(content.decode(errors="surrogateescape"))


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
    read, texts = READERS[name]
    random = Random(number)
    content = changed(random, random.choice(texts))
    begun = time.process_time()
    try:
        read(content, path)
    except (ValueError, TypeError) as error:
        if len(str(error)) > LONGEST:
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
