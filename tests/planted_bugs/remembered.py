"""What a small SVM has computed is not computed again, in this audit or in that of the next bug.

Most bugs are elsewhere, and leave the problem of most fits as it is. What `smo` and `decide_all`
return depends on the text of a few functions, on the machine and on the arguments, and is
remembered by all of these. It is the same, bit for bit; only the time that it takes is not.
"""

import pickle
from hashlib import sha256

TO_SOLVE = [("", "class Machine"), ("    def value(", "    def decision_function(")]
TO_DECIDE = [*TO_SOLVE, ("    def decision_function(", "    def predict(")]
FOUND = {}  # {digest: what was returned}, of functions without a change


def remember(module, text, unchanged):
    """Let the solver and the decisions of a module remember; its text, and that without a change.

    Not for a machine that keeps something outside of itself.
    """
    module.smo = remembered_smo(module.smo, *memory(TO_SOLVE, text, unchanged))
    machine = module.Machine
    machine.decide_all = remembered_decisions(
        machine.decide_all, *memory(TO_DECIDE, text, unchanged))


def memory(places, text, unchanged):
    """The parts of a text, and where to remember what comes of them."""
    now, usual = ("".join(part(t, *ends) for ends in places) for t in (text, unchanged))
    return now, FOUND if now == usual else {}


def part(text, begin, end):
    """The text from one word on to another; up to its end without the first."""
    start = text.index(begin)
    return text[start : text.index(end, start)]


def digest(*values):
    """A short name of values; None if they have none."""
    try:
        return sha256(pickle.dumps(values)).digest()
    except (AttributeError, TypeError, pickle.PicklingError):
        return None


def state_of(machine):
    return {name: v for name, v in vars(machine).items() if name != "classes_"}


def remembered_smo(solve, text, found):
    """The solver, which remembers; of a Gram matrix it computes each row once."""

    def smo(K, *given):
        machine = getattr(getattr(K, "value", None), "__self__", None)
        before = machine and state_of(machine)
        key = digest(text, before, K.examples if machine else K, given)
        if key is None or (machine is None and not isinstance(K, list)):
            return solve(K, *given)
        if key not in found:
            answer = solve(all_rows(K), *given)
            if before != (machine and state_of(machine)):
                return answer
            found[key] = answer
        alpha, r, *rest = found[key]
        return alpha[:], r[:], *rest

    return smo


def all_rows(K):
    """The rows of a Gram matrix as a list, if all can be computed; some may never be asked for."""
    try:
        return [K[i] for i in range(len(K))]
    except (ArithmeticError, LookupError, ValueError):
        return K


def remembered_decisions(decide, text, found):
    """The decisions of a machine, which it remembers."""

    def decide_all(self, X):
        key = digest(text, state_of(self), X)
        if key in found:
            return found[key][:]
        answer = decide(self, X)
        if key is not None and key == digest(text, state_of(self), X):
            found[key] = answer[:]
        return answer

    return decide_all
