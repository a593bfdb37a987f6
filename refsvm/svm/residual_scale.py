"""How far predictions of numbers are off: the scale of a Laplace distribution of residuals.

A regression says a number, not how sure it is. Suppose that its residuals, label less prediction,
have the density e^(-|r| / scale) / (2 scale) of Laplace's distribution. Then the scale that makes
some residuals most probable is the mean of their sizes, and a prediction is off by more than t
with the probability e^(-t / scale). Its standard deviation is sqrt(2) scale.

A few rows may be off by far more than this says. LIBSVM takes the mean of all, leaves out what is
beyond five standard deviations, and takes the mean of the rest; its model files call it probA.

Source: Lin and Weng, Simple probabilistic predictions for support vector regression (2004).
"""

from __future__ import annotations

from fractions import Fraction

from ..numerics.linalg import total
from ..numerics.powers_of_two import in_ordinary_unit, times_power_of_two
from ..numerics.types import Number, Vector, VectorLike
from ..numerics.validation import vector

MAX_SQUARED_RATIO = 50  # times the squared scale: five standard deviations, squared


def laplace_scale(residuals: VectorLike) -> Number:
    """Return the scale of the Laplace distribution of some residuals, outliers left out (S12.5).

    Parameters
    ----------
    residuals : n numbers
        label less prediction, in the unit of the labels, of machines that were NOT trained on the
        row, as those of cross_validate

    Returns
    -------
    float or Fraction
        in the same unit; exact on Fractions. 0 if all residuals are

    Raises
    ------
    ValueError
        for numbers that are not finite, or none

    Notes
    -----
    O(n). An outlier is a residual of more than 5 sqrt(2) times the mean size of all. So there is
    none among seven residuals; and the mean of the rest makes no further outliers.

    Examples
    --------
    >>> laplace_scale([1, -3, 2])
    2.0
    >>> laplace_scale([Fraction(1, 2)] * 9 + [100])
    Fraction(1, 2)
    """
    r = vector(residuals, "residuals")
    if isinstance(r[0], Fraction):
        return _mean_size(r)
    (r,), unit = in_ordinary_unit([r])
    return times_power_of_two(_mean_size(r), unit)


def _mean_size(r: Vector) -> Number:
    """Return the mean |r_i| of those within five standard deviations.

    A size is divided by the mean before it is squared, as squares of doubles may not be doubles.
    """
    sizes: Vector = [max(v, -v) for v in r]
    mean = total(sizes) / len(r)
    if mean == 0:
        return mean
    kept = [size for size in sizes if (size / mean) * (size / mean) <= MAX_SQUARED_RATIO]
    return total(kept) / len(kept)
