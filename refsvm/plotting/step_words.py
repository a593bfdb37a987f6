"""What the columns of a trace mean, in a line each."""

from __future__ import annotations

from collections.abc import Iterable

MEANINGS = {
    "step": "how many steps the solver has taken",
    "i": "the example that asks most to move",
    "j": "its partner: alpha_j moves, and alpha_i with it, so that the sum of alpha y stays 0",
    "low": "the least alpha_j at which both multipliers are within their bounds",
    "high": "the largest alpha_j at which both multipliers are within their bounds",
    "unclipped": "the alpha_j at which the dual would be largest, if there were no bounds",
    "clipped": "the alpha_j that is taken: unclipped, or the end of low .. high that is nearer",
    "others": "how many more multipliers moved: now and then all that are off their bounds do",
    "rate": "how far along the slope of the dual the multipliers move",
    "moved": "how many multipliers this step moved",
    "entering": "the example whose multiplier is let go from its bound",
    "travel": "how far it moved; without one, the part that was gone of the way to the best point",
    "blocking": "the example whose multiplier met a bound and ended the step",
    "dual": "the objective that is reached; it never falls, and the optimum is not below it",
    "violation": "by how much the conditions of optimality are violated; 0 at the optimum",
    "gap": "primal - dual: by so much the objective can rise at most",
}
OF_GROUPS = {
    "j": "its partner: alpha_j moves, and alpha_i with it, so that sums stay what they must be",
}
OF_SHARES = {
    "j": "its partner: a share of alpha_j moves, and one of alpha_i, so that sums stay what they"
    " must be",
    "low": "the least that share, which is above 0 or below it, at which all bounds are kept",
    "high": "the largest that share at which all bounds are kept",
    "unclipped": "where that share would make the dual largest, if there were no bounds",
    "clipped": "the share that is taken: unclipped, or the end of low .. high that is nearer",
    "net": "alpha_j after the step: its shares above and below 0 together",
}


def meanings(names: Iterable[str], grouped: bool = False) -> list[tuple[str, str]]:
    """Return (name, what it means) of the columns of these names.

    grouped: whether the multipliers are those of nu, regression, one class or the ball. Those of
    regression have two shares, and so a column `net`.

    >>> meanings(["moved"])
    [('moved', 'how many multipliers this step moved')]
    """
    names = list(names)
    words = {**MEANINGS, **OF_GROUPS} if grouped else MEANINGS
    if "net" in names:
        words = {**words, **OF_SHARES}
    return [(name, words[name]) for name in names]
