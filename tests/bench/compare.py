"""How long refsvm_fast takes to train, next to LIBSVM and oneDAL, on twenty sets.

    REFSVM_DATA=folder python tests/bench/compare.py [--sets ..] [--kernels ..] [--C ..]
        [--programs ..] [--fits N] [--patience SECONDS]

What is measured, and how, stands in README.md beside this file. Nothing is judged. Every record
is appended to build/bench/fits.jsonl, and the table is made from the last record of each fit.
"""

import argparse
import os
from datetime import datetime

import environment


def main():
    environment.enter()
    from trainers import PACKAGE, TRAINERS
    from sets import SETS
    from tables import training_table
    from turns import Worker

    options = arguments(SETS, TRAINERS)
    absent = environment.missing()
    programs = [p for p in options.programs if PACKAGE.get(p) not in absent]
    workers = [Worker(program) for program in programs]
    try:
        for name in options.sets:
            for kernel in options.kernels:
                for C in options.C:
                    measure(workers, (name, kernel, C), options)
    finally:
        for worker in workers:
            worker.stop()
    print(training_table(options.sets, options.kernels, options.C))


def arguments(sets, programs):
    """The words of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sets", nargs="+", choices=sets, default=sets, metavar="SET")
    parser.add_argument("--kernels", nargs="+", default=["gaussian", "cubic", "linear"])
    parser.add_argument("--C", nargs="+", type=float, default=[1.0, 10.0])
    parser.add_argument("--programs", nargs="*", choices=programs, default=list(programs))
    parser.add_argument("--fits", type=int, default=5, help="fits of each, at most")
    parser.add_argument(
        "--patience", type=float, default=60,
        help="seconds after which a program fits no more, and a fit is ended",
    )
    options = parser.parse_args()
    if not os.environ.get("REFSVM_DATA"):
        parser.error("set REFSVM_DATA to the folder of LIBSVM data files")
    return options


def measure(workers, task, options):
    """Fit one task with all programs in turn, and keep what was found."""
    from judge import relative_gap
    from records import keep
    from sets import training
    from turns import in_turns

    name, kernel, C = task
    X, y = training(name)
    found = in_turns(workers, task, options.fits, options.patience)
    for program, fits in found.items():
        record = {
            "set": name, "kernel": kernel, "C": C, "program": program,
            "date": datetime.now().isoformat(timespec="minutes"), "fits": len(fits),
            "patience": options.patience,
        }
        if fits:
            record["wall"] = min(fit.wall for fit in fits)
            record["cpu"] = min(fit.cpu for fit in fits)
            record["iterations"] = fits[-1].iterations
            record["support"] = int((fits[-1].alpha > 0).sum())
            record["gap"] = relative_gap(X, y, fits[-1].alpha, kernel, C)
        keep(record)


if __name__ == "__main__":
    main()
