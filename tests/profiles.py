"""How many examples hypothesis draws: the profile says it, and a test asks for a share of that.

    @draws(1/4)     a quarter of what the profile draws: each example is a problem to be solved
    @draws(15)      fifteen times as many: an example costs nothing
    (neither)       as many as the profile says

    few             10, the same ones each time: by day, for every test
    nightly         2,000 new ones, after those that failed before (.ci/nightly)
    breaking        100 new ones, no failure made smaller (mutation.py, breaking.py)

No test says a number of its own, which would beat the profile. The exception is a search that
must find something: it has as many tries in every profile. A test of hundreds of cases takes one
in so many of them, and at night all:

    for name in one_in(3, names)

A test of combinations takes so many that every two values meet; at night all:

    @pytest.mark.parametrize("kernel, bias, slack", each_pair(KERNELS, [True, False], SLACKS))

What takes seconds is marked slow, with what it finds and no quick test does; the quick tests go
without. A test of many cases keeps some of them quick:

    @pytest.mark.slow("memory that is kept")
    @pytest.mark.parametrize("n", [7, 8, 9, *slow_cases("the end of a block", 255, 256, 257)])
    @pytest.mark.parametrize("name", partly_slow("what a large file holds", LARGE, NAMES))
"""

from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, Phase, settings

FEWEST = 4  # of any property, whatever its share
NIGHT = 2000  # examples
PATIENT = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}


def register():
    """Make the profiles known to hypothesis, and few the one in use."""
    settings.register_profile("few", max_examples=10, derandomize=True, **PATIENT)
    settings.register_profile("nightly", max_examples=NIGHT, print_blob=True, **PATIENT)
    look = [Phase.explicit, Phase.reuse, Phase.generate]
    settings.register_profile("breaking", max_examples=100, phases=look, **PATIENT)
    settings.load_profile("few")


def draws(share):
    """Settings under which a property is tried on this share of the profile's examples."""
    return settings(max_examples=max(FEWEST, round(share * settings.default.max_examples)))


def tries(most, **kw):
    """Settings of a search that must find something: the same examples each time."""
    return settings(max_examples=most, derandomize=True, database=None, phases=[Phase.generate],
                    report_multiple_bugs=False, **kw)


def one_in(many, cases, first=0):
    """One in so many of the cases; at night all of them."""
    return cases if settings.default.max_examples >= NIGHT else cases[first::many]


def each_pair(*lists):
    """Combinations of a value of each list in which every two values meet; at night all."""
    if settings.default.max_examples >= NIGHT:
        return list(product(*lists))
    places = list(combinations(range(len(lists)), 2))
    left = list(product(*map(range, map(len, lists))))
    unmet, chosen = {(p, q, one[p], one[q]) for one in left for p, q in places}, []
    while unmet:
        best = max(left, key=lambda one: sum((p, q, one[p], one[q]) in unmet for p, q in places))
        chosen.append(best)
        unmet -= {(p, q, best[p], best[q]) for p, q in places}
    return [tuple(values[i] for values, i in zip(lists, one)) for one in chosen]


def partly_slow(finds, slow, cases):
    """The cases for parametrize, those in `slow` marked so, with what they find."""
    marks = pytest.mark.slow(finds)
    return [pytest.param(case, marks=marks) if case in slow else case for case in cases]


def slow_cases(finds, *cases):
    """Slow cases for parametrize, and what they find; a tuple holds several arguments."""
    marks = pytest.mark.slow(finds)
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=marks)
            for case in cases]
