"""A trained machine as one C99 file that needs nothing and decides with the same bits.

constants.py    numbers, tables and words, as C writes them
functions.py    the arithmetic that every machine shares
formulas.py     a kernel as a C function
machines.py     what of a model a C file holds, and the refusals
programs.py     the rest of the file: head, checks, decisions, predictions
exporting.py    export: all of it put together, and written
"""
