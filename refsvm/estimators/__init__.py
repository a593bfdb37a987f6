"""SVC as scikit-learn spells it, on plain lists."""
