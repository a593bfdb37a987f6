"""A trained machine as one C99 file that needs nothing and decides with the same bits.

constants.py          numbers, tables and words, as C writes them
kernel_functions.py   a kernel as C functions, and the arithmetic that every one shares
exported_model.py     what of a model a C file holds, and the refusals
templates.py          the rest of the file: head, checks, decisions, predictions
exporting.py          export: all of it put together, and written
"""
