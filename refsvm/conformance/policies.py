"""G7, and what else estimators alone are asked: what must be refused, and what must not."""


def policies():
    """{name of a case: a function that asks, and returns [(check, Finding)]}."""
    return {}
