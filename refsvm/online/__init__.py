"""Learners that see one example at a time: perceptron, LMS, Pegasos."""
