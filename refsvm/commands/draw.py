"""draw ALGORITHM: questions without end, for a program that answers to the last bit."""

import argparse
import json

from ..conformance.bits.drawing import DRAWS, LAST, drawn
from ..numerics.picks import WORD
from ..numerics.quoting import quote
from ..numerics.validation import whole_number
from .arguments import nearest
from .console import say

EXAMPLE = """\
  python3 -m refsvm draw smo --seed 7 --count 1000 | ./program | python3 -m refsvm compare -
  python3 -m refsvm draw smo:regression --seed 7 --first 12

A line of JSON for each question (spec/standard/vectors.md). A seed draws the same questions in
every version, as long as its release notes say nothing else."""
COUNT = 100


def arguments(parser):
    parser.add_argument(
        "algorithm",
        metavar="ALGORITHM",
        type=_algorithm,
        help=f"one of {', '.join(DRAWS)}",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of the generator (default: 0)"
    )
    parser.add_argument(
        "--count", type=int, metavar="N", help=f"how many (default: {COUNT}; with --first, 1)"
    )
    parser.add_argument("--first", type=int, metavar="N", help="the number of the first (1)")


def _algorithm(word):
    """Return a key of DRAWS; of another word say which is meant: svc is classification."""
    if word in DRAWS:
        return word
    meant = nearest(word.replace("classification", "svc"), DRAWS)
    raise argparse.ArgumentTypeError(f"{quote(word)} is no algorithm{meant}")


def run(given):
    seed = whole_number(given.seed, "seed", 0, most=WORD)
    first = whole_number(1 if given.first is None else given.first, "first", 1, most=LAST)
    usual = COUNT if given.first is None else 1
    count = whole_number(usual if given.count is None else given.count, "count", 1, most=LAST)
    for question in drawn(given.algorithm, seed, count, first):
        say(json.dumps(question))
    return 0
