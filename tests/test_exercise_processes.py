"""A student's file may write, start and answer what it likes: one sentence, no forged verdict."""

import os
import time
from pathlib import Path

import pytest
from profiles import slow_cases

from refsvm.conformance.asking import process_groups
from refsvm.conformance.protocol.answer_reader import object_from_line
from refsvm.conformance.protocol.plain_values import Malformed
from refsvm.exercises import student_file
from refsvm.exercises.calls import called_of, calling
from refsvm.exercises.catalogue import EXERCISES
from refsvm.exercises.checking import FORM, assess
from refsvm.exercises.student_file import judge_file

RIGHT = "def hinge(m): return max(0, 1 - m)\n"
WRITE = """
import os
def write(text):
    for number in range(3, 10):
        try: os.write(number, text.encode() + b'\\n')
        except OSError: pass
"""
STRANGE = """
class Same(float):
    def __eq__(self, other): return True
    __ne__ = __lt__ = __le__ = __float__ = __sub__ = __abs__ = __eq__
    __hash__ = None
class Any:
    def __getattr__(self, name): return lambda *given: self
    def __eq__(self, other): return True
    def __bool__(self): return True
    def __len__(self): return 2
    def __iter__(self): return iter([self, self])
    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __abs__ = __eq__
class Many(list):
    def __eq__(self, other): return True
    def __getitem__(self, k): return Any()
    def __iter__(self): return iter([Any()] * 2)
    def __len__(self): return 2
"""


def judged(tmp_path, text, name="hinge"):
    """What is said of a file: its Assessment, or the refusal."""
    path = tmp_path / "f.py"
    path.write_text(text)
    try:
        return judge_file(EXERCISES[name], str(path))
    except ValueError as error:
        return error


CALLED = '{"value": %s, "arguments": [1], "printed": false}'
FORGED = [
    ("{}", "answers no call"),
    ('{"right": true, "sentence": "hinge is right", "shown": []}', "answers no call"),
    ('{"missing": 1}', "answers no call"),
    ('{"raised": [1]}', "answers no call"),
    ("[1]", "an object of JSON is needed"),
    ("1", "an object of JSON is needed"),
    ("[" * 100_000, "a line of JSON is needed"),
    ('{"value":' + "[" * 100_000, "a line of JSON is needed"),
    (CALLED % ("9" * 5000), "a line of JSON is needed"),
    *((CALLED % value, "no plain value") for value in (
        "[" * 50 + "]" * 50, '{"fraction": [1, 0]}', '{"fraction": ["1e999999999", 1]}', "1e999",
        '{"tuple": 3}', '{"strange": [1, 2]}', '{"fraction": [true, 1]}', "NaN")),
    (CALLED % '{"float": "0x1p99999"}', "no float"),
]


@pytest.mark.parametrize("line, sentence", FORGED)
def test_a_line_that_answers_no_call_is_refused(line, sentence):
    with pytest.raises(Malformed, match=sentence) as told:
        called_of(object_from_line(line.encode()))
    assert len(str(told.value)) < 300


@pytest.mark.parametrize("act, sentence", [
    ("write('[' * 100000)", "a line of JSON is needed"),
    ("os.fork()", "the program wrote"),
    ("write('{\"call\": 9, \"value\": 0, \"arguments\": [1]}')", "no call, or another one"),
    ("os.kill(os.getpid(), 9)", "ends the process in which it is asked"),
    *slow_cases("too long a line", ("write('x' * 10**7)", "longer than 1 MB"),
                ("while True: write('x' * 10**5)", "a line of JSON is needed"),
                ("[os.close(k) for k in range(10)]", "ends the process in which it is asked")),
])
def test_what_is_forged_or_ended_is_no_answer(tmp_path, act, sentence):
    text = f"{WRITE}\ndef hinge(m):\n    {act}\n    return max(0, 1 - m)\n"
    told = judged(tmp_path, text)
    assert sentence in told.sentence and len(told.sentence) < 300
    assert not told.right and not told.answered


@pytest.mark.parametrize("text, sentence", [
    (f"{WRITE}write('{{}}')", "f.py cannot be judged: the program wrote what answers no call"),
    (f"{WRITE}write('{{\"call\": 1}}')\n{RIGHT}", "f.py cannot be judged: the program wrote {}"),
    (f"{WRITE}write('{{\"call\": 1, \"ready\": true}}')\n{RIGHT}", "hinge cannot be judged: the "),
    ("import os\nos._exit(3)", "ends the process in which it is asked when it is read"),
])
def test_what_is_forged_before_the_first_call_is_told(tmp_path, text, sentence):
    told = judged(tmp_path, text)
    assert sentence in (str(told) if isinstance(told, ValueError) else told.sentence)


def told_of(text, name="hinge"):
    """What is said of a function that this process calls."""
    names = {}
    exec(text, names)
    return assess(EXERCISES[name], calling(names[name]))


def test_objects_that_equal_everything_are_no_answer(tmp_path):
    for value in ("Same(7)", "[Same(7)]", "(Same(1),) * 2", "Any()", "Many([1])"):
        told = told_of(f"{STRANGE}\ndef hinge(m): return {value}")
        assert told.sentence == "hinge is wrong for" and told.answered
    for value in ("[Same(7), 2], [Same(8), 2]", "Many([[1, 2], [3, 4]])", "Any()", "[Any()] * 2"):
        told = told_of(f"{STRANGE}\ndef two_points(w, b): return {value}", "two_points")
        assert told.sentence == "two_points is wrong for"
    told = judged(tmp_path, f"{STRANGE}\ndef hinge(m): return Any()")
    assert told.sentence == "hinge is wrong for"


@pytest.mark.parametrize("answer", ["'1e999999999'", "1e999 - 1e999", "Any()", "[0]", "None"])
def test_multipliers_of_an_svm_are_numbers(answer):
    told = told_of(f"{STRANGE}\ndef svm(K, y, C): return [{answer}] * len(y), {answer}", "svm")
    assert not told.right and dict(told.shown)["found"] == FORM


def test_answers_of_types_that_numbers_have_elsewhere_are_right():
    text = "class Real(float): pass\nfrom decimal import Decimal\ndef hinge(m):\n"
    text += "    x = max(0, 1 - m)\n"
    text += "    return Real(x) if x == int(x) else Decimal(0.5) + int(x) if x * 2 % 2 == 1 else x"
    assert told_of(text).right


@pytest.mark.parametrize("value", [
    "10 ** 100000", "[0] * 10**6", "'x' * 10**6", "[[0] * 10**4] * 10**4", "Decimal('1e999999')",
    "Fraction(1, 10**5000)", "[many, many]"])
def test_answers_that_are_too_large_are_wrong_and_cost_little(value):
    text = "from fractions import Fraction\nfrom decimal import Decimal\nmany = [1]\n"
    text += f"for _ in range(99): many = [many, many]\ndef hinge(m): return {value}"
    told = told_of(text)
    assert told.sentence == "hinge is wrong for" and len(dict(told.shown)["yours"]) < 60


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="processes are seen in /proc")
@pytest.mark.parametrize("start", [
    "subprocess.Popen(['sleep', '987'], start_new_session=True, env={})",
    *slow_cases(
        "another way to leave a process behind",
        "subprocess.Popen(['sleep', '987'], start_new_session=True)",
        "subprocess.Popen(['sleep', '987'], close_fds=False)",
        "os.fork() or (os.setsid(), os.fork() and os._exit(0), time.sleep(987))",
        "os.fork() or (os.setsid(), os.fork() and os._exit(0),\n"
        "              os.execve('/bin/sleep', ['sleep', '987'], {}))"),
])
def test_what_a_file_starts_is_ended_and_not_waited_for(tmp_path, monkeypatch, start):
    monkeypatch.setattr(process_groups, "TICK", 9.0)  # nothing is found before it is ended
    before = set(process_groups.process_table())
    text = f"import os, subprocess, time\n{start}\ntime.sleep(0.05)\n{RIGHT}"
    begun = time.monotonic()
    assert judged(tmp_path, text).right
    assert time.monotonic() - begun < 5
    assert not [pid for pid in set(process_groups.process_table()) - before if sleeps(pid)]


def sleeps(pid):
    try:
        return b"987" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


@pytest.mark.slow("that a loop is ended with its process, also one that swallows every exception")
def test_a_file_that_loops_is_ended(tmp_path):
    told = judged(tmp_path, "def hinge(m):\n    while True: pass\n")
    assert "does not answer within 2 seconds" in told.sentence and not told.answered
    deaf = "def loop():\n    while True: pass\n\ndef hinge(m):\n    while True:\n        try:"
    told = judged(tmp_path, deaf + " loop()\n        except BaseException: pass\n")
    assert "does not answer within 2 seconds" in told.sentence and not told.answered


@pytest.mark.slow("a file whose loop is outside of its function")
def test_a_file_that_is_never_read_to_its_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(student_file, "READING", 0.4)
    told = judged(tmp_path, f"{RIGHT}while True: pass\n")
    assert str(told).endswith("takes longer than 0.4 seconds to be read")
