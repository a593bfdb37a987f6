"""Which section of the standard orders the bits of a type: the table is algorithms.json, too.

    section    of the whole answer; `fields` names those of parts of it, where they are others
    revision   counts from 1 the changes of its bits, as long as the format of the vectors is one
    since      the version of refsvm that has this revision first

Sections are held against the headings of spec/standard by a test.
"""

from __future__ import annotations

import re
from typing import NamedTuple

FIRST, THIRD = "0.1.0", "0.3.0"  # the versions in which bits last changed

# Of a Solution: where each of its fields is ordered; what stands first in an answer comes first.
OF_SOLUTION = {
    "alpha": "S3.10",
    "b": "S3.10",
    "b_low": "S30.7",
    "b_high": "S30.7",
    "objective": "S30.7",
    "gap": "S30.6",
    "violation": "S30.7",
    "status": "S3.9",
    "farkas": "S3.9",
    "offsets": "S30.7",
}
OF_PAIRS = {
    "steps": "S3.5",
    "steps.violation": "S3.4",
    "steps.objective": "S3.4",
    "iterations": "S3.4",
    **OF_SOLUTION,
}
AT_GRADIENT = dict.fromkeys(("objective", "gap", "violation", "b_low", "b_high"), "S31.4")


class Algorithm(NamedTuple):
    """A function whose bits are stated."""

    section: str
    since: str = FIRST
    fields: dict[str, str] = {}
    revision: int = 1


ALGORITHMS = {
    "exp": Algorithm("S1.3"),
    "tanh": Algorithm("S1.4"),
    "power": Algorithm("S1.4"),
    "words": Algorithm("S1.5"),
    "units": Algorithm("S1.5"),
    "below": Algorithm("S1.5"),
    "shuffle": Algorithm("S1.5"),
    "passes": Algorithm("S1.5"),
    "shuffled_passes": Algorithm("S1.5"),
    "uniform": Algorithm("S1.5"),
    "folds": Algorithm("S1.5"),
    "kernel": Algorithm("S2.3", THIRD),
    "kkt": Algorithm("S2.7"),
    "gap_bounds": Algorithm("S30.6", THIRD),
    "votes": Algorithm("S2.10"),
    "smo": Algorithm("S3", THIRD, OF_PAIRS),
    "decomposition": Algorithm(
        "S4", THIRD, {**OF_PAIRS, "steps": "S4.3", "steps.i": "S4.2", "iterations": "S4.1"}
    ),
    "coordinate_ascent": Algorithm("S5.7", THIRD, OF_SOLUTION),
    "projected_gradient": Algorithm("S5.7", THIRD, OF_SOLUTION),
    "dual_coordinate_descent": Algorithm("S5.9", THIRD, OF_SOLUTION),
    "active_set": Algorithm("S6.7", THIRD, OF_SOLUTION),
    "newton": Algorithm("S31.3", THIRD, AT_GRADIENT),
    "proximal_point": Algorithm("S31.7", THIRD, AT_GRADIENT),
    "pegasos": Algorithm("S29.4"),
    "kernel_pegasos": Algorithm("S29.7"),
    "perceptron": Algorithm("S23"),
    "kernel_perceptron": Algorithm("S23"),
    "lms": Algorithm("S23.1"),
    "stochastic_lms": Algorithm("S23.1"),
    "kernel_lms": Algorithm("S23.2"),
    "stochastic_kernel_lms": Algorithm("S23.2"),
    "calibrate": Algorithm("S12.2"),
    "sigmoid": Algorithm("S12.1"),
    "couple": Algorithm("S12.3"),
    "class_probabilities": Algorithm("S12.4"),
    "laplace_scale": Algorithm("S12.5"),
    "preparation": Algorithm("S33.3", THIRD, {"rows": "S33.4", "new": "S33.4", "names": "S33.4"}),
    "refitted": Algorithm("S33.5", THIRD),
    "refusal": Algorithm("S33.2", THIRD),
}


def section_of(kind: str, place: str = "") -> str:
    """Return the section that orders a place of an answer; without a place, the whole of it.

    >>> section_of("smo", "steps[3].violation"), section_of("smo", "alpha[0]"), section_of("exp")
    ('S3.4', 'S3.10', 'S1.3')
    """
    algorithm, field = ALGORITHMS[kind], re.sub(r"\[\d+\]", "", place)
    first = field.partition(".")[0]
    return algorithm.fields.get(field) or algorithm.fields.get(first, algorithm.section)


def is_within(section: str, other: str) -> bool:
    """Return whether a section is another one, or in its chapter.

    >>> is_within("S3.5", "S3"), is_within("S30.6", "S3"), is_within("S3.5", "S3.5")
    (True, False, True)
    """
    return section == other or section.startswith(other + ".")
