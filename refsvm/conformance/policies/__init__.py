"""What estimators alone are asked, check G7: each policy asks about one thing that users do.

parameters    weights of classes, kernels by their names, tolerance
inputs        forms of the rows, rows to decide, labels of every sort
classes       three to ten classes, far apart or overlapping
state         what was fitted before, copies, threads, settings
questions     what policies share; own_answers: the same problem asked in another way
"""
