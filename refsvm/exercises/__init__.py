"""Exercises: functions with a missing body, and what checks the body that a student writes.

The modules, in the order of their imports:

    calls            how a function is called: arguments in, plain values out
    exercise         what an exercise is, and the file that a student begins with
    draws            small numbers, rows and labels for the checks
    geometry         hyperplanes, the perceptron, margins
    penalties        losses, slack, slopes; the primal and the dual, conditions of optimality
    steps            kernels, and the steps of SMO, Pegasos and others
    machines         regression, one class, the ball, nu, probabilities
    checking         the judge: small arguments, and the smallest failure
    own_svm          the last one on classes: an SVM in sixty lines, audited
    catalogue        all of them, in the order of the course
    student_process  what reads a student's file and answers calls of its function
    student_file     a file of a student's, or a folder of them, judged in this process
"""
