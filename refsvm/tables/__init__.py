"""Tables, read and prepared for a kernel; and data files, which may be tables.

data          read_data, write_data: LIBSVM's text or a table, by the name of the file
csv_table     comma-, semicolon- or tab-separated values; layout: which columns are read
preparation   rows for a kernel, and what was learnt of the columns
column_kinds  what a column holds: cells, and what is at fault
prepared_data tables as the command line takes them
"""
