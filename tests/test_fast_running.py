"""How compiled fits run: they stop when asked to, share work among threads, give memory back."""

import ctypes
import os
import subprocess
import sys
import threading
from array import array
from itertools import count, product
from math import exp
from pathlib import Path
from random import Random

import pytest
import strategies_fast as draws
from equality import compiled
from profiles import one_in, slow_cases

import refsvm
import refsvm_fast
from refsvm import Gaussian, Polynomial, Problem
from refsvm.kernels.gram_matrices import BYTES_A_NUMBER

ROOT = Path(__file__).resolve().parent.parent
TOLD = Path("/proc/self/status")
LINUX = TOLD.exists() and "VmHWM" in TOLD.read_text()  # the peak of this process
linux = pytest.mark.skipif(not LINUX, reason="memory is read as Linux tells it")

NOISE = """
import atexit, os, signal, subprocess, sys, threading, time, warnings
from array import array
from random import Random
import refsvm_fast
from refsvm import Gaussian

signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background ignore it

draw = Random(1)
def noise(n, d):  # with no list in between, whose memory would count as the peak
    uniform = draw.random
    numbers = array("d", (uniform() for _ in range(n * d)))
    y = [1 if uniform() < 0.5 else -1 for _ in range(n)]
    return memoryview(numbers).cast("B").cast("d", [n, d]), y
"""


def told_by(program):
    """What a program prints that begins with NOISE."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    command = [sys.executable, "-c", NOISE + program]
    return subprocess.check_output(command, env=environment, text=True, timeout=300)


BUSY = """
os.sched_setaffinity(0, list(os.sched_getaffinity(0))[:1])
other = subprocess.Popen([sys.executable, "-c", "while True: pass"])  # on that processor, too
atexit.register(other.kill)
"""


@compiled
@pytest.mark.parametrize("threads, machine", [
    (1, ""),
    *slow_cases("threads that wait for each other and hear no signal", (2, "")),
    pytest.param(2, BUSY, marks=[linux, pytest.mark.slow("a thread that waits for its turn")]),
])
def test_a_long_fit_ends_within_a_second_of_ctrl_c_and_leaves_nothing_broken(threads, machine):
    told = told_by(f"""{machine}
X, y = noise(6000, 40)
problem = refsvm_fast.Problem(X, y, Gaussian(100), C=1e6)
asked = []
def ask():
    time.sleep(1)
    asked.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=ask).start()
try:
    refsvm_fast.smo(problem, tol=0, threads={threads})
except KeyboardInterrupt:
    print(time.process_time() - asked[0])
small = refsvm_fast.Problem([[0], [1], [3], [4]], [-1, -1, 1, 1])
print(refsvm_fast.smo(small).alpha)
""")
    seconds, alpha = told.splitlines()
    assert float(seconds) < 1  # of processor time, however busy the machine
    assert alpha == "[0.0, 0.5, 0.5, 0.0]"


@compiled
@pytest.mark.slow("a loop in which no other thread has its turn")
@pytest.mark.parametrize("call", one_in(3, [
    "smo(refsvm_fast.Problem(X, y, Gaussian(1)), max_iter=900)",
    "coordinate_ascent(refsvm_fast.Problem(X, y, Gaussian(1), bias=False), max_iter=900)",
    "kkt(refsvm_fast.Problem(X, y, Gaussian(1)), [1] * 4000)",
    "Problem(X, y, Gaussian(1)).gap([1] * 4000, 0)",
    "gram(Gaussian(1), X.tolist()[:2000])",
    "SVC(gamma=1.0, max_iter=900).fit(X, y).predict(X)",
    "SVC(kernel='linear', max_iter=900).fit(X, y)",
    "pegasos(X, y, 1e-9, [i % 4000 for i in range(10**6)], history=False)",
    "kernel_pegasos(Gaussian(1), X, y, 1e-9, range(4000))",
    "perceptron(X, y, [i % 4000 for i in range(10**6)])",
    "kernel_perceptron(Gaussian(1), X, y, range(4000))",
]))
def test_other_threads_go_on_meanwhile(call):
    # They have nearly no time at all where the interpreter is held.
    longest, all_of_it = map(float, told_by(f"""
X, y = noise(4000, 200)
seen, over = [], False
def tick():
    while not over:
        seen.append(time.perf_counter())
        time.sleep(0.001)
warnings.simplefilter("ignore")
other = threading.Thread(target=tick)
other.start()
begin = time.perf_counter()
refsvm_fast.{call}
end = time.perf_counter()
over = True
other.join()
seen = [begin, *(t for t in seen if begin < t < end), end]
print(max(t - s for s, t in zip(seen, seen[1:])), end - begin)
""").split())
    assert longest < max(all_of_it / 3, 0.2)


def sized(n, d):
    """n rows of d numbers, and their labels."""
    return [[float((3 * i + k) % 7) for k in range(d)] for i in range(n)], [1, -1] * (n // 2)


@compiled
@pytest.mark.parametrize("kernel", [Gaussian(0.5), Polynomial(3, 0.5, 1) + Gaussian(2)])
def test_threads_change_no_bit(kernel):
    problem = refsvm_fast.Problem(*sized(1000, 1600), kernel)
    alone = refsvm_fast.smo(problem, tol=1e-2, max_iter=10)
    for threads in (2, 3, 70):
        with draws.threads_begun() as begun:
            assert refsvm_fast.smo(problem, max_iter=10, tol=1e-2, threads=threads) == alone
        assert len(begun) == min(threads, 64) - 1


@compiled
@pytest.mark.parametrize("call", [
    lambda X, y: refsvm_fast.smo(refsvm_fast.Problem(X, y, Gaussian(1)), max_iter=3, threads=2),
    lambda X, y: refsvm_fast.gram(Gaussian(1), X, threads=2),
    lambda X, y: draws.decided_by_hand(refsvm_fast, [0.5] * len(X), X, Gaussian(1), X, 2),
])
def test_what_is_not_worth_sharing_is_left_to_one_thread(call):
    for d, shared in ((5, False), (4000, True)):
        with draws.threads_begun() as begun:
            call(*sized(300, d))
        assert bool(begun) == shared


@compiled
def test_rounds_of_the_linear_kernel_are_left_to_one_thread():
    with draws.threads_begun() as begun:
        refsvm_fast.smo(refsvm_fast.Problem(*sized(300, 4000)), max_iter=3, threads=2)
    assert not begun


@compiled
@pytest.mark.parametrize("problem", [
    Problem([[1e155], [0.0]], [1, -1]),  # before anything is done
    Problem([[1e52], [-1e52]], [1, -1], Polynomial(3, 1, -1e104)),  # in the first row
])
def test_no_thread_waits_where_a_problem_is_refused(problem):
    before = threading.enumerate()
    with pytest.raises(ValueError, match="must be finite"):
        refsvm_fast.smo(problem, threads=3)
    hired = [thread for thread in threading.enumerate() if thread not in before]
    for thread in hired:
        thread.join(10)  # seconds; they were told to go, and are on their way
    assert not any(thread.is_alive() for thread in hired)


@compiled
@linux
@pytest.mark.slow("a fit that takes more memory than it was given")
@pytest.mark.parametrize("fit, n, d, cache", one_in(3, [(fit, *size) for fit in [
    "smo(refsvm_fast.Problem(X, y, Gaussian(1)), cache_mb={cache}, max_iter=500)",
    "smo(refsvm_fast.Problem(X, y), cache_mb={cache}, max_iter=500)",  # moved by its medians
    "coordinate_ascent(refsvm_fast.Problem(X, y, bias=False), cache_mb={cache}, max_iter=500)",
    "SVC(kernel='linear', cache_size={cache}, max_iter=99).fit(X, y)",
    "SVC(gamma=1.0, cache_size={cache}).fit(X, y)",  # every row is a support vector
] for size in [(6000, 300, 1), (1500, 1200, 24)]]))
def test_a_fit_needs_the_packed_data_the_cache_and_twelve_megabytes(n, d, cache, fit):
    assert room_for(n, d, fit.format(cache=cache)) <= n * d * 8 + cache * 2**20 + 12 * 2**20


@compiled
@linux
@pytest.mark.slow("rows that are looked at once, at the end, and kept in the cache")
def test_residuals_of_the_end_take_twelve_megabytes_whatever_the_cache():
    fit = "smo(refsvm_fast.Problem(X, y, Gaussian(1 / 8), C=0.01), 1e-12, cache_mb=200)"
    assert room_for(4000, 8, fit) <= 12 * 2**20  # 122 if all rows of support vectors stay


@compiled
@linux
@pytest.mark.slow("memory of one pair of classes that the next cannot use")
@pytest.mark.parametrize("kernel, count, size", one_in(3, [
    ("linear", 0, 0), ("linear", 15, 13879), ("linear", 21, 15121), ("rbf", 26, 1348),
    ("rbf", 0, 0), ("rbf", 15, 13879), ("rbf", 21, 15121), ("linear", 26, 1348)]))
def test_a_fit_of_several_classes_needs_the_rows_of_two_classes_besides(kernel, count, size):
    # Each pair's rows are to lie where those of the pair before lay, whatever is kept in between:
    # a copy of them is 3.6 MB.
    fit = f"SVC(kernel={kernel!r}, cache_size=4, max_iter=9).fit(X, [i % 8 for i in range(6000)])"
    taken = room_for(6000, 300, fit, f"kept = [bytes({size}) for _ in range({count})]")
    assert taken <= (1 + 2 / 8) * 6000 * 300 * 8 + 4 * 2**20 + 8 * 2**20


@compiled
@linux
@pytest.mark.slow("a sparse matrix that is laid out for a moment")
@pytest.mark.parametrize("make, fit", one_in(3, [*product(["csr_matrix", "csc_array"], [
    "smo(refsvm_fast.Problem(X, y, Gaussian(1)), cache_mb=1)",
    "SVC(kernel='linear', cache_size=1, max_iter=500).fit(X, y).predict(X)",
    "SVC(gamma=1.0, cache_size=1, max_iter=500).fit(X, y).decision_function(X)",
    "pegasos(X, y, 0.1, range(3000), history=False).model().decisions(X)",
    "perceptron(X, y, range(3000))",
])]))
def test_a_sparse_matrix_is_never_laid_out(make, fit):
    pytest.importorskip("scipy.sparse")
    taken = room_for(3000, 10, fit, f"""
from scipy import sparse
values, rows = X.cast("B").cast("d"), [i for i in range(3000) for _ in range(10)]
places = [draw.randrange(20000) for _ in values]
X = sparse.{make}((values, (rows, places)), shape=(3000, 20000))
""")
    assert taken < 3000 * 20000 * 8 // 10  # a tenth of all its zeros


def room_for(n, d, fit, before=""):
    """How many bytes more than before are in use at the height of a fit to n rows of d numbers."""
    return int(told_by(f"""
X, y = noise({n}, {d})
{before}
def peak():  # not ru_maxrss, which begins with that of the process before this one
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return int(status["VmHWM"].split()[0]) * 1024
refsvm_fast.smo(refsvm_fast.Problem([[0.0], [1.0]], [1, -1]))
before = peak()
warnings.simplefilter("ignore")  # that a machine stopped early
answer = refsvm_fast.{fit}
print(peak() - before)
"""))


# Compiled modules take memory from the C library, and Python may have another allocator, which
# keeps what it pleases (a free-threaded one has).
IN_USE = """
import ctypes
class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "abcdefghij"]
count = ctypes.CDLL(None).mallinfo2
count.restype = Info
def in_use():
    found = count()
    return found.e + found.h  # hblkhd and uordblks: what is mapped, and what of the heap
"""
counted = pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="glibc 2.33 counts"
)


@compiled
@counted
@pytest.mark.slow("a leak")
def test_memory_goes_when_the_answer_goes():
    told = told_by(IN_USE + """
X, y = noise(3000, 50)
sizes = []
for _ in range(30):
    solution = refsvm_fast.smo(refsvm_fast.Problem(X, y, Gaussian(1)), cache_mb=30, max_iter=300)
    solution.model().decisions(X)
    del solution
    sizes.append(in_use())
print(sorted(after - before for before, after in zip(sizes[9:], sizes[10:]))[5])
""")
    # Six of twenty fits left nothing. A leak is of every fit; Python grows now and then, and the C
    # library then keeps freed blocks for up to twelve fits (by the length of sys.path).
    assert int(told) <= 0


@compiled
@counted
@pytest.mark.slow("training rows that a machine keeps")
def test_a_machine_of_few_vectors_does_not_keep_the_other_rows():
    told = told_by(IN_USE + """
def fitted():
    X, y = noise(6000, 300)
    for i in range(6000):
        X[i, 0] += 50 * y[i]
    return refsvm_fast.SVC(kernel="linear").fit(X, y)
fitted()
before = in_use()
machine = fitted()
print(len(machine.support_), in_use() - before)
""")
    vectors, kept = map(int, told.split())
    assert vectors < 600 and kept < 6000 * 300 * 8 // 2


def test_an_array_of_arrays_is_read_like_lists():
    X, y = [[0.5, 1.0], [2.0, -1.0], [3.0, 0.25]], [1, -1, 1]
    flat = array("d", [v for x in X for v in x])
    for given in (memoryview(flat).cast("B").cast("d", [3, 2]), [array("d", x) for x in X]):
        problem = refsvm_fast.Problem(given, y)
        assert problem.X == X
        assert refsvm_fast.smo(problem) == refsvm_fast.smo(refsvm_fast.Problem(X, y))


# ---- rows that are kept


def rows_made(package, bytes_a_number):
    """How many rows a fit computes that goes round among twice as many as have room, and more."""
    draw = Random(0)
    X = [[draw.uniform(-1, 1) for _ in range(3)] for _ in range(240)]
    y = [draw.choice((1, -1)) for _ in X]
    asked = count()

    def kernel(x, z):
        next(asked)
        return exp(-8 * ((x[0] - z[0]) ** 2 + (x[1] - z[1]) ** 2 + (x[2] - z[2]) ** 2))

    package.smo(package.Problem(X, y, kernel, C=1000), cache_mb=120 * 240 * bytes_a_number / 2**20)
    return next(asked) // len(X)


@compiled
@pytest.mark.slow("a cache that gives up what is needed next")
def test_rows_that_are_used_again_and_again_stay():
    made_by_oracle = rows_made(refsvm, BYTES_A_NUMBER)  # it keeps those used last
    assert rows_made(refsvm_fast, 8) < made_by_oracle * 2 / 3
