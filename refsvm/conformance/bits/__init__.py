"""Answers to the last bit: what is asked of another implementation, line by line.

The lines are those of spec/standard/vectors.md, "Asked line by line".

functions   the functions by their types, of refsvm or compiled; a question and its answer as JSON
sections    which section of the standard orders what, in which revision
digests     those of an answer: of steps, alpha, offsets and values
judging     whether an answer is right, of a program or of a stream of answers to what was drawn
answering   a program that answers with refsvm's own functions
conforming  asks a program what the vectors ask, and says by section what passed
drawing     questions without end, drawn; problem_draws draws their problems
"""
