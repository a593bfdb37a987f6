# The labels of a classifier, class by class: refsvm/estimators/labels.py. Part of _table.pyx.
#
# Whole numbers of a few classes are looked at here: a list of ints, or of floats; or a buffer. All
# others are the oracle's to read, or to refuse.

cdef enum:
    CLASSES = 16  # of more, each label would be compared with too many


cdef object sort_of_labels(y):
    """int or float, of which all labels are; None if they are not, or cannot be told."""
    cdef Py_buffer view
    cdef char letter
    if type(y) is list or type(y) is tuple:
        cls = type(y[0]) if len(y) else None
        for label in y:
            if type(label) is not cls:
                return None
        return cls if cls is int or cls is float else None
    if not view_numbers(y, 1, &view):
        return None
    letter = view.format[0]
    PyBuffer_Release(&view)
    if letter == b"?":
        return None
    if letter == b"d" or letter == b"f":
        return float
    return int


def members_of(y, i64 n):
    """labels.classes_of the n labels, with the indices of each class as an array; None where the
    oracle is to answer."""
    cdef object sort = sort_of_labels(y)
    cdef double *label = NULL
    cdef unsigned char *code = NULL
    cdef double found[CLASSES]
    cdef int64_t *into[CLASSES]
    cdef i64 count[CLASSES]
    cdef i64 i
    cdef int classes = 0, c = 0
    cdef Py_buffer view
    if sort is None:
        return None
    try:
        label = <double *>allocated(n * sizeof(double))
        code = <unsigned char *>allocated(n)
        if not read_numbers(y, n, label):
            return None
        for i in range(n):
            c = classes > 0 and label[i] != found[0]  # of two no branch that could not be foretold
            while c < classes and found[c] != label[i]:
                c += 1
            if c == classes:
                if classes == CLASSES or not isfinite(label[i]) or floor(label[i]) != label[i]:
                    return None
                found[c], count[c], classes = label[i], 0, classes + 1
            code[i], count[c] = <unsigned char>c, count[c] + 1
        members = [array("q", bytes(8 * count[c])) for c in range(classes)]
        for c in range(classes):
            PyObject_GetBuffer(members[c], &view, PyBUF_FORMAT | PyBUF_STRIDES)
            into[c] = <int64_t *>view.buf
            PyBuffer_Release(&view)  # nobody else has the array yet: it stays where it is
        for i in range(n):
            into[code[i]][0] = i
            into[code[i]] += 1
        order = sorted([(found[c], c) for c in range(classes)])
        return [sort(v) for v, _ in order], [members[c] for _, c in order]
    finally:
        release(label)
        release(code)


def signs_of(ones, i64 n):
    """linear_machines.signs_of an array that members_of made, or of other indices."""
    cdef list y = [-1] * n
    cdef object one = 1
    cdef Py_buffer view
    cdef int64_t *places
    cdef i64 i
    if type(ones) is not array or ones.typecode != "q":
        ones = array("q", ones)
    PyObject_GetBuffer(ones, &view, PyBUF_FORMAT | PyBUF_STRIDES)
    places = <int64_t *>view.buf
    for i in range(view.shape[0]):
        if not 0 <= places[i] < n:
            PyBuffer_Release(&view)
            raise IndexError(places[i])
        y[places[i]] = one
    PyBuffer_Release(&view)
    return y
