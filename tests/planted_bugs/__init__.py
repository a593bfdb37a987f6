"""Bugs, by the stage of an SVM that they are in, and changes that are no bugs."""
