"""How long an answer of play takes:  python3 tests/bench/play.py [STATES]  (processor time, ms)

The first table is of points as they are dragged, on eighths: median and 95th percentile. The
second has the slowest of so many states drawn from those that are allowed: none may take a second.
"""

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from refsvm.play.answers import answer  # noqa: E402
from refsvm.play.states import most_points, parse_state  # noqa: E402

KERNELS = ("lin", "poly,2,1,1", "poly,3,1,1", "rbf,1/2")
PENALTIES = ("1", "1048576", "inf", "123457/1000003")
MACHINES = ("m=svc", "m=svc;o=0;s=2", "m=svr", "m=one", "m=svc;t=smo,9", "m=svc;t=smo,300",
            "m=svc;t=perceptron,999", "m=svc;t=pegasos,300")
COORDINATES = {
    "eighths": lambda draw: f"{draw.randint(-24, 24)}/8",
    "decimals": lambda draw: f"{draw.uniform(-3, 3):.6f}",
    "fractions": lambda draw: f"{draw.randint(-99, 99)}/{draw.randint(1, 99)}",
    "far": lambda draw: f"{draw.uniform(-1000, 1000):.6f}",
    "few places": lambda draw: str(draw.randint(-2, 2)),
}


def state(draw, n, parts, coordinate):
    """A state of n points; a third of them on the wrong side of a line."""
    points = []
    for _ in range(n):
        u, v = coordinate(draw), coordinate(draw)
        side = draw.random() < (1 / 3 if not u.startswith("-") else 2 / 3)
        points.append(f"{'-' if side else '+'}{u},{v}")
    return f"1;{parts};p=" + ";".join(points)


def milliseconds(text):
    """Processor time of an answer."""
    begun = time.process_time()
    answer({"state": text})
    return 1000 * (time.process_time() - begun)


def main():
    draw = random.Random(1)
    print(f"{'points':8}{'kernel':14}{'median':>8}{'95 %':>8}")
    for n in (5, 10, 20, 30):
        for kernel in KERNELS:
            asked = [state(draw, n, f"k={kernel}", COORDINATES["eighths"]) for _ in range(20)]
            taken = sorted(map(milliseconds, asked))
            print(f"{n:<8}{kernel:14}{taken[10]:8.0f}{taken[18]:8.0f}", flush=True)
    slowest = []
    for _ in range(int(sys.argv[1]) if sys.argv[1:] else 150):
        kernel, machine = draw.choice((*KERNELS, "rbf,1/1000", "rbf,64")), draw.choice(MACHINES)
        C, name = draw.choice(PENALTIES), draw.choice(list(COORDINATES))
        n = draw.choice((12, most_points(parse_state(f"1;k={kernel};p=").kernel)))
        text = state(draw, n, f"{machine};k={kernel};C={C}", COORDINATES[name])
        slowest.append((milliseconds(text), f"{n} points, {machine}, {kernel}, C={C}, {name}"))
    print()
    for taken, what in sorted(slowest, reverse=True)[:12]:
        print(f"{taken:8.0f}  {what}")


if __name__ == "__main__":
    main()
