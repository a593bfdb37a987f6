"""The result of training on one class: a Model that tells outliers from the others."""

from __future__ import annotations

from .model import Model


class OneClassModel(Model):
    """A trained machine of one class: f(x) = sum alpha_i k(x_i, x) - rho, +1 where f(x) >= 0.

    Attributes
    ----------
    b : number
        -rho
    coef, vectors, kernel, w
        as in Model; coef holds the multipliers
    """
