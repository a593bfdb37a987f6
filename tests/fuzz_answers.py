"""Answers of any form to questions of the audit, for as long as there is time:

    python tests/fuzz_answers.py --seconds 600 --seed 1
    python tests/fuzz_answers.py --only 1234567       one answer again, by the number printed

A right answer is taken, and a value of any kind is put into it somewhere; then it goes through
the doors by which answers come: a line of bytes, the fields of a function, an estimator. Whatever
it is, the audit must return records, each with a short reason, in time. At the first answer of
which that is not so its number is printed; the exit status is then 1.
"""

import argparse
import copy
import json
import sys
import time
import traceback
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import inf, nan
from pathlib import Path
from random import Random

try:
    import resource
except ImportError:  # not on Windows
    resource = None

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import refsvm  # noqa: E402
import refsvm_fast  # noqa: E402
from refsvm.conformance.audit import Auditor  # noqa: E402
from refsvm.conformance.protocol import Answer, floats_to_words, to_line  # noqa: E402
from refsvm.conformance.protocol.answer_reader import answer_from_line, read_answer  # noqa: E402
from refsvm.conformance.protocol.plain_values import Malformed  # noqa: E402
from refsvm.conformance.report import AuditReport, html  # noqa: E402
from refsvm.conformance.subjects.estimator_adapter import Estimator  # noqa: E402
from refsvm.conformance.what_is_asked import policies_for  # noqa: E402

POLICIES = [name for name in policies_for(Estimator(refsvm_fast.SVC)) if name != "tolerance"]

CASES = [
    "C01", "C02", "C04", "C09", "C14", "C17", "C24", "E2-5", "E3", "E8", "only plus", "C is NaN",
    *POLICIES, "tolerance",
]
SECONDS, LETTERS = 2.0, 300  # of processor time for a case, and of a reason
MEGABYTES = 200  # of all of it, kept by this process
READINGS = 50  # for each answer that is judged, too


class Raises:
    """Raises whenever anything is done with it."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    def fail(self, *given):
        raise self.error

    error = ValueError("no")
    __float__ = __len__ = __iter__ = __getitem__ = __eq__ = __repr__ = __str__ = __bool__ = fail
    __hash__ = __int__ = __index__ = __lt__ = __call__ = fail


class Lies(list):
    """A list that has another length than it says, and items that raise."""

    def __len__(self):
        return 10**9

    def tolist(self):
        raise OSError("no list")


class Word(str):
    def __str__(self):
        raise KeyError("no word")

    __repr__ = __str__


def itself():
    endless = [1.0]
    endless.append(endless)
    return endless


JSON_VALUES = [
    None, True, False, 0, 1, -1, 2**53 + 1, 10**400, -(10**30), 0.5, -0.0, 1e308, 5e-324, nan,
    inf, -inf, "", "nan", "optimal", "x" * 10**4, "\ud800", "a\nb\x1b[2J|", [], {}, [[]], [[],
    [1.0]], [None], ["a"], [True, 2], [0.5] * 3, [1e300] * 4, [[0.5]] * 4, {"b": 1}, [{"b": [1]}],
    [[1, 2], [3]], [[[[[[[1.0]]]]]]], [0, 1, 2, 3, 4, 5], [-1], [10**9], "converge",
]
OBJECTS = [
    Raises, Lies, itself, object, lambda: Word("x"), lambda: (v for v in [1.0]),
    lambda: iter([1.0]), lambda: b"bytes", lambda: 1j, lambda: Decimal("sNaN"),
    lambda: Decimal("1e999999"), lambda: Fraction(10**400), lambda: Fraction(1, 3), lambda: {1, 2},
    lambda: range(4), lambda: range(10**12), lambda: [Raises()], lambda: {Word("b"): 1},
    lambda: type("F", (float,), {"__float__": Raises.fail})(2.0), lambda: Raises,
    lambda: ValueError, lambda: [Lies([1.0])] * 3,
]


with suppress(ImportError):
    import numpy

    OBJECTS += [
        lambda: numpy.array(1.5), lambda: numpy.array([[1], [2]]), lambda: numpy.float32("nan"),
        lambda: numpy.array([object(), 1.0], dtype=object), lambda: numpy.ones(4, dtype="f4,i4"),
        lambda: numpy.array(["a", "b", "c"]), lambda: numpy.array([1j]), lambda: numpy.bool_(True),
        lambda: numpy.array(["2020-01-01"], dtype="datetime64[D]"), lambda: numpy.empty((0, 3)),
        lambda: numpy.ma.array([1.0, 2.0], mask=[True, False]), lambda: numpy.uint64(2**64 - 1),
    ]


def value_of(random, objects):
    if objects and random.random() < 0.5:
        return random.choice(OBJECTS)()
    return copy.deepcopy(random.choice(JSON_VALUES))


def put_somewhere(random, thing, objects):
    """The thing with something in it changed: a value, a length or a place."""
    if isinstance(thing, (list, tuple, dict)) and thing and random.random() < 0.7:
        if isinstance(thing, dict):
            key = random.choice(sorted(thing))
            return {**thing, key: put_somewhere(random, thing[key], objects)}
        items = list(thing)
        k = random.randrange(len(items))
        change = random.randrange(5)
        if change == 0:
            del items[k]
        elif change == 1:
            items.insert(k, items[k])
        elif change == 2:
            random.shuffle(items)
        else:
            items[k] = put_somewhere(random, items[k], objects)
        return items
    if isinstance(thing, float) and random.random() < 0.6:
        return random.choice([1e308, -1e308, 5e-324, 1e-9, -thing, 2 * thing, thing + 1, nan, inf])
    return random.choice([value_of(random, objects), [thing], (thing, thing), thing])


# ---- the doors


@cache
def right_answers():
    """{id of a request: (the request, the fields of a right answer)}, of all these cases."""
    answers, machine = {}, Estimator(refsvm_fast.SVC)  # with the bits of refsvm's, sooner
    auditor = Auditor(refsvm_fast.SVC, isolate=False)

    def ask(request):
        answer = machine.answer(request)
        fields = {name: v for name, v in answer._asdict().items() if v is not None}
        answers[request.id] = request, {**fields, "status": "optimal"}
        return answer

    auditor.asker.ask = ask
    for case in CASES:
        auditor.records(case)
    return answers


def right_fields(request):
    return right_answers().get(request.id, (request, {}))[1]


def by_line(random, request):
    fields = put_somewhere(random, right_fields(request), False)
    line = json.dumps(floats_to_words(fields)).encode("utf-8", "surrogatepass")
    if random.random() < 0.2:
        k = random.randrange(len(line) + 1)
        noise = random.choice([b"\xff", b"[" * 10**5, b"1" * 10**5, b"NaN", b"", b'"', b"1e999"])
        line = line[:k] + noise + line[k + random.randrange(9) :]
    try:
        return answer_from_line(line, request)
    except Malformed as error:
        return Answer(malformed=str(error))


def by_fields(random, request):
    return read_answer(put_somewhere(random, right_fields(request), True), request)


def by_estimator(random, request):
    """What an estimator answers whose methods and attributes return anything."""
    name = random.choice(
        [
            "decision_function",
            "predict",
            "fit",
            "support_",
            "coef_",
            "dual_coef_",
            "support_vectors_",
            "n_support_",
            "intercept_",
            "classes_",
            "fit_status_",
        ]
    )
    seed = random.random()

    class Any(refsvm.SVC):
        def __getattribute__(self, wanted):
            found = super().__getattribute__(wanted)
            if wanted != name:
                return found
            draw = Random(seed)
            if name.endswith("_"):
                return put_somewhere(draw, found, True)
            if draw.random() < 0.2:
                return value_of(draw, True)
            return lambda *given: put_somewhere(draw, found(*given), True)

    return Estimator(Any).answer(request)


def misreading(number):
    """What is wrong with the Answer that is read of this number; None if nothing is."""
    answers = right_answers()
    random = Random(number)
    request, _ = answers[random.choice(sorted(answers))]
    door = random.choice([by_line, by_fields])
    begun = time.process_time()
    try:
        answer = door(random, request)
        again = answer_from_line(to_line(answer).encode("utf-8", "surrogatepass"), request)
    except Exception:
        return f"number {number}, {door.__name__}:\n{traceback.format_exc()}"
    taken = time.process_time() - begun
    sentences = [text for text in answer if isinstance(text, str)]
    longest = max(map(len, sentences), default=0)
    if longest > LETTERS or taken > SECONDS or to_line(again) != to_line(answer):
        return f"number {number}, {door.__name__}: {longest} letters, {taken:.1f} s, {answer}"
    return None


def complaint(number):
    """What is wrong with the records of the answer of this number, as text; None if nothing is."""
    right_answers()
    random = Random(number)
    case, door = random.choice(CASES), random.choice([by_line, by_fields, by_estimator])
    auditor = Auditor(refsvm.SVC, isolate=False)
    first = random.random() < 0.5  # whether the first answer alone is changed
    asked = []

    def ask(request):
        asked.append(request.id)
        if first and len(asked) > 1:
            return read_answer(right_fields(request), request)
        return door(random, request)

    auditor.asker.ask = ask
    begun = time.process_time()
    try:
        (records,) = auditor.every([case])
        assert html(AuditReport("it", records))
    except Exception:
        return f"number {number}, {door.__name__}, {case}:\n{traceback.format_exc()}"
    taken = time.process_time() - begun
    longest = max((len(record.reason) for record in records), default=0)
    forms = [r for r in records if r.result == "fail" and r.flag == "NoAnswer"]
    most = 1 if case not in POLICIES else len({r.reason.split(": ")[0] for r in forms})
    if longest > LETTERS or taken > SECONDS or len(forms) > most:
        said = f"{longest} letters, {taken:.1f} s, {records}"
        return f"number {number}, {door.__name__}, {case}: {said}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the number of one answer")
    given = parser.parse_args()
    end, numbers, tried = time.monotonic() + given.seconds, Random(given.seed), 0
    while time.monotonic() < end:
        number = given.only if given.only is not None else numbers.getrandbits(40)
        found = [complaint(number), *map(misreading, range(number, number + READINGS))]
        if any(found):
            print(*filter(None, found), sep="\n")
            return 1
        tried += 1
        if given.only is not None:
            break
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000 if resource else 0
    print(f"{tried} answers told in records, {READINGS * tried} more read; {most:.0f} MB")
    return int(most > MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
