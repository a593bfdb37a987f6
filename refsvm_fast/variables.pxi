# Variables of the dual in the arrays of a DualAscent. Part of _smo.pyx.
#
#     variable   numbered as in refsvm/svm/dual_form.py
#     slot       its place in the arrays; between two sections there may be slots without one
#     section    variables of one group, side by side, that read one stretch of a kernel row
#     column     of a slot: its place in a kernel row
#
# A section begins at a multiple of WIDTH, as the loops need it. Most machines have one section,
# where slots, columns and examples are the same. nu-classification has one for each class, and the
# rows of its examples are in that order. Regression has one for each side of the tube: the two
# variables of an example have one column, and one kernel row. A slot without a variable has the
# bounds 0 and 0: it may neither rise nor fall.

cdef struct Section:
    i64 begin, end                # the slots of its variables
    i64 column                    # of the first
    int group
    Extremes seen                 # m, M and the slot of m among them


cdef Section section_at(i64 begin, i64 count, i64 column, int group) noexcept nogil:
    """The Section of so many variables."""
    cdef Section section
    section.begin, section.end, section.column, section.group = begin, begin + count, column, group
    return section


def order_by_slots(form):
    """The examples in the order of slots, where each is one variable. Between two sections the one
    before is repeated."""
    order = []
    for group in form.groups:
        order += order[len(order) - 1:] * (PADDED(len(order)) - len(order))
        order += [form.of[k] for k in group]
    return order
