"""What Model and OneAgainstOne have in common: what was packed once serves every later call.

It is kept with the model, but is no part of it: a copy or a pickle packs its own. It is used only
as long as the lists it was made from hold the same numbers.
"""

from ._given import Chosen, table_of


def of_lists(values):
    """Whether these are lists in a list, or packed, as training leaves them."""
    return type(values) is Chosen or type(values) is list and set(map(type, values)) == {list}


def copied(values):
    """These lists in a list, as they are now; what is packed cannot change."""
    return values if type(values) is Chosen else list(map(list, values))


class Remembering:
    """What a model remembers besides its fields."""

    def vectors_packed(self):
        """The Table of the vectors; None if they are not lists of plain numbers."""
        return self.remembered([self.vectors], lambda: table_of(self.vectors))

    def remembered(self, sources, make):
        """make(), or what it made before of the same lists of lists; None of anything else."""
        if not all(map(of_lists, sources)):
            return None
        known, made = vars(self).get("_packed", ([], None))
        if known != sources:
            known, made = list(map(copied, sources)), make()
            vars(self)["_packed"] = known, made
        return made

    def __setattr__(self, name, value):
        first, *others = type(self).__bases__
        if first is Remembering:  # and not a subclass of the caller's, which may have attributes
            self = others[0](*self)  # the oracle's, which has none, and says so
        object.__setattr__(self, name, value)

    def __getstate__(self):
        return {name: value for name, value in vars(self).items() if name != "_packed"} or None
