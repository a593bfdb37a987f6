"""Part "large": Gaussian fits of 16,000 to 64,000 rows, ours and scikit-learn's, on one thread.

C is 1 and 10, and 1000 up to 20,000 rows. The records are those of the part "training", and a fit
is ended after 600 s unless --patience says otherwise. A set whose file is not there is left out.
"""

from sets import SETS, file_of
from training import measure_task, one_thread
from workers import Worker

FILES = {"ijcnn1": "ijcnn1", "cod-rna": "cod-rna", "a9a": "a9a", "letter.whole": "letter.scale"}
CLOUDS = [f"clouds-{n}-20-{kind}" for n in (16_000, 32_000, 64_000) for kind in ("3", "2-5")]
STIFF = ("magic", "letter.whole", *CLOUDS[:2])  # those of at most 20,000 rows
NAMES = (*FILES, "magic", *CLOUDS)
PROGRAMS = ("refsvm", "sklearn-dense", "sklearn-sparse")
PATIENCE = 600


def tasks(options):
    """(set, kernel, C) of what the options name; without --sets all that are there."""
    names = NAMES if options.sets is SETS else [name for name in NAMES if name in options.sets]
    return [
        (name, "gaussian", C)
        for name in names if name not in absent()
        for C in [*options.C, *([1000.0] if name in STIFF else [])]
    ]


def absent():
    """The sets whose files are not there."""
    return [name for name, file in FILES.items() if file_of(file) is None]


def measure(options):
    """Fit each set with each program in turn."""
    options.patience = max(options.patience, PATIENCE)
    workers = [Worker(program) for program in PROGRAMS if program in options.programs]
    try:
        for task in tasks(options):
            measure_task(workers, task, options)
    finally:
        for worker in workers:
            worker.stop()


def tables(options):
    """Times, steps and gaps; gaps above 1 and > show a program that did not get there."""
    found = one_thread("gaussian", tasks(options))
    lacking = "".join(f"\n- {name}: its file is not there" for name in absent())
    return found + lacking
