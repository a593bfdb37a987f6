"""A trained machine as one C99 file that needs nothing and decides with the same bits.

constants.py          numbers, tables and words, as C writes them
kernel_functions.py   a kernel as C functions, and the arithmetic that every one shares
templates.py          the rest of the file: head, checks, decisions, predictions
exporting.py          export: what of a model a C file holds, put together, and written
"""
