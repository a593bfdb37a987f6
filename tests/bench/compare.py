"""refsvm_fast next to LIBSVM, oneDAL and the linear programs of scikit-learn: times and gaps.

    REFSVM_DATA=folder python tests/bench/compare.py [PART ..] [--sets ..] [--kernels ..] [--C ..]
        [--programs ..] [--runs N] [--patience SECONDS] [--print]

What is measured, and how, stands in README.md beside this file. Nothing is judged. Records are
appended to build/bench/records.jsonl; the tables are made of the last record of each kind, so
they may come from several runs. With --print nothing is measured.
"""

import argparse
import os

import environment

PARTS = (
    "training", "classes", "machines", "scaling", "prediction", "steps", "loops", "limit",
    "picture",
)
APART = ("large", "linear", "serving", "threads", "memory")  # which run only where they are named
KERNELS = ("gaussian", "cubic", "linear", "flat")


def main():
    environment.enter()
    import sets
    from conditions import conditions
    from trainers import TRAINERS

    options = arguments(sets, TRAINERS)
    print(conditions(), "\n")
    for part in options.parts or PARTS:
        module = __import__(part)
        if not options.print:
            module.measure(options)
        print(module.tables(options), "\n", flush=True)


def arguments(sets, programs):
    """The words of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS, *APART], metavar="PART")
    parser.add_argument("--sets", nargs="+", type=sets.known, default=sets.SETS, metavar="SET")
    parser.add_argument("--kernels", nargs="+", choices=KERNELS, default=KERNELS)
    parser.add_argument("--C", nargs="+", type=float, default=[1.0, 10.0])
    parser.add_argument("--programs", nargs="+", choices=programs, default=list(programs))
    parser.add_argument("--runs", type=int, default=5, help="runs of each, at most")
    parser.add_argument(
        "--patience", type=float, default=60, help="CPU seconds after which a run is ended, and"
        " after which no more runs of the same begin (default: 60)",
    )
    parser.add_argument("--print", action="store_true", help="measure nothing")
    options = parser.parse_args()
    if not os.environ.get("REFSVM_DATA"):
        parser.error("set REFSVM_DATA to the folder of LIBSVM data files")
    return options


if __name__ == "__main__":
    main()
