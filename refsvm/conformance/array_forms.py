"""The same numbers in arrays of other sorts: small integers, other strides, sparse matrices.

NumPy and SciPy are nobody's need here; where the subject has loaded them, its users have such
arrays, and each of them is the same problem.
"""

import sys


def every_second(numpy, array):
    """A view of every second row of a longer array."""
    return numpy.repeat(array, 2, axis=0)[::2]


def backwards(numpy, array):
    """A view with negative strides."""
    return numpy.array(array[::-1, ::-1])[::-1, ::-1]


def read_only(numpy, array):
    array.setflags(write=False)
    return array


DENSE = {
    **{
        name: lambda numpy, array, name=name: array.astype(name)
        for name in (
            "uint8",
            "int8",
            "int16",
            "int32",
            "int64",
            "float32",
            "float16",
            ">f8",
        )
    },
    "columns first": lambda numpy, array: numpy.asfortranarray(array),
    "every second row": every_second,
    "backwards": backwards,
    "read-only": read_only,
}


def csr(scipy, array):
    return scipy.sparse.csr_matrix(array)


def rebuilt(change):
    """What makes a sparse matrix whose rows hold the same entries in another way."""

    def made(scipy, array):
        plain = csr(scipy, array)
        data, indices, ends = [], [], [0]
        for i in range(plain.shape[0]):
            row = range(plain.indptr[i], plain.indptr[i + 1])
            entries = change(
                [(int(plain.indices[k]), float(plain.data[k])) for k in row], plain.shape[1]
            )
            indices += [k for k, _ in entries]
            data += [v for _, v in entries]
            ends.append(len(data))
        return scipy.sparse.csr_matrix((data, indices, ends), shape=plain.shape)

    return made


def with_zeros(entries, width):
    """Each feature stored, the zeros too."""
    return [(k, dict(entries).get(k, 0.0)) for k in range(width)]


def in_halves(entries, width):
    """Each entry stored twice, as two halves, which count together."""
    return [(k, v / 2) for k, v in entries for _ in range(2)]


SPARSE = {
    "sparse rows": csr,
    "sparse columns": lambda scipy, array: scipy.sparse.csc_matrix(array),
    "sparse, from the last feature": rebuilt(lambda entries, width: entries[::-1]),
    "sparse, with stored zeros": rebuilt(with_zeros),
    "sparse, in halves": rebuilt(in_halves),
}


def in_form(values, form):
    """The rows as an array of this form; LookupError where the library is not loaded."""
    numpy = sys.modules["numpy"]
    array = numpy.array(values, dtype=float)
    if form in DENSE:
        return DENSE[form](numpy, array)
    sys.modules["scipy.sparse"]
    return SPARSE[form](sys.modules["scipy"], array)
