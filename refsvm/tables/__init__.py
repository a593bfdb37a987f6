"""Tables, read and prepared for a kernel; and data files, which may be tables.

data.py      read_data, write_data     LIBSVM's text or a table, by the name of the file
csv_table.py read_table                comma-, semicolon- or tab-separated values
layout.py    which columns of a table are read
"""
