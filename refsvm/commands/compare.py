"""compare ANSWERS: hold answers to drawn questions against refsvm's, to the last bit."""

from collections import Counter

from ..conformance.bits.drawing import parts_of, question_of
from ..conformance.bits.judging import FAIL, NOT_OFFERED, PASS, compared, complaint
from ..files.text import reading
from .arguments import AS_MODULE, source
from .console import say
from .engine import announce, library, pure_option

EXAMPLE = """\
  python3 -m refsvm draw smo --seed 7 --count 1000 | ./program | python3 -m refsvm compare -
  python3 -m refsvm compare answers.jsonl

The exit status is 1 if an answer is wrong or missing; else 2 if fewer than half of the questions
were answered; else 0."""

LONGEST_ANSWER = 2**30  # characters: some million steps of a solver


def arguments(parser):
    parser.add_argument(
        "answers",
        metavar="ANSWERS",
        type=source,
        help="a line of JSON for each question that draw wrote (spec/standard/vectors.md); - is"
        " standard input",
    )
    parser.add_argument(
        "--all", action="store_true", help="show every answer that is wrong, not the first only"
    )
    pure_option(parser)


def run(given):
    package, counts = library(given).__name__, Counter()
    announce(given)
    with reading(given.answers, LONGEST_ANSWER) as lines:
        for answer in compared(filter(_has_words, lines), package):
            counts[answer.result] += 1
            if answer.result == FAIL and (given.all or counts[FAIL] == 1):
                _show(answer)
    if not counts:
        raise ValueError(f"{given.answers} holds no answer")
    say(f"{counts[PASS]} right, {counts[FAIL]} wrong, {counts[NOT_OFFERED]} not offered")
    if counts[FAIL]:
        return 1
    sentence = complaint((result, "-") for result in counts.elements())
    if sentence is not None:
        raise ValueError(sentence)
    return 0


def _has_words(line):
    """Return whether a line, with its number, is not blank."""
    return bool(line[1].strip())


def _show(answer):
    """Say what is wrong, and how its question is seen."""
    kind, seed, number, _ = parts_of(answer.id)
    say(f"{answer.id}: {answer.reason}")
    asked = f"{AS_MODULE} draw {kind} --seed {seed} --first {number}"
    say(f"  {_problem_in(question_of(answer.id)['given'])}: {asked}")


def _problem_in(given):
    """Return in a few words which problem a question asks about, if it has one."""
    if "problem" not in given:
        return "the question"
    problem = given["problem"]
    machine, n = problem.get("form", "svc"), len(problem["X"])
    return f"{machine}, {n} examples, {_kernel_words(problem['kernel'])}"


def _kernel_words(kernel):
    """Return the name of a kernel, and of those that it is made of."""
    parts = kernel.get("terms") or kernel.get("factors") or [kernel.get("kernel")]
    made_of = ", ".join(_kernel_words(part) for part in parts if part)
    return f"{kernel['name']}({made_of})" if made_of else kernel["name"]
