# exp, tanh and power of single floats, and exp of lists. The steps are in loops.c; whatever is no
# float is the oracle's. Part of _basics.pyx.


@cython.binding(True)
def exp(x):
    """refsvm.numerics.elementary.exp: e^x for a float x, less than one unit in the last place off."""
    cdef double values[WIDTH]
    if type(x) is not float:
        return elementary.exp(x)
    alone(x, values)
    loops().exps(values, 1, WIDTH)
    return values[0]


@cython.binding(True)
def tanh(x):
    """refsvm.numerics.elementary.tanh: the hyperbolic tangent of a float."""
    cdef double values[WIDTH]
    if type(x) is not float:
        return elementary.tanh(x)
    alone(x, values)
    loops().tanhs(values, 1, -0.0, WIDTH)  # v + -0.0 is v for every v, -0.0 too
    return values[0]


@cython.binding(True)
def power(b, n):
    """refsvm.numerics.elementary.power: b^n, by repeated squaring from the lowest bit of n."""
    cdef double values[WIDTH]
    if type(b) is not float or type(n) is not int or not 0 <= n < 1 << 31:
        return elementary.power(b, n)
    alone(b, values)
    loops().powers(values, 1, -0.0, n, WIDTH)
    return values[0]


@cython.binding(True)
def exps(xs):
    """refsvm.numerics.elementary.exps: [exp(x) for x in xs]."""
    cdef Py_ssize_t n, i
    cdef list given
    cdef double *values
    if type(xs) is not list:
        return elementary.exps(xs)
    given, n = xs, len(xs)
    values = <double *> zeroed(n + WIDTH, sizeof(double))
    try:
        for i in range(n):
            if type(given[i]) is not float:
                return elementary.exps(xs)
            values[i] = given[i]
        loops().exps(values, 1, PADDED(n))
        return [values[i] for i in range(n)]
    finally:
        PyMem_Free(values)


cdef void alone(double x, double *values) noexcept:
    """x in the first of the lanes."""
    memset(values, 0, WIDTH * sizeof(double))
    values[0] = x
