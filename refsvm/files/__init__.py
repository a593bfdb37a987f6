"""Files: LIBSVM's data, models and scaling ranges, and tables, read and written.

    text.py      what the three share: plain or gzipped text, refusals by line, decimals
    outputs.py   writing, try_outputs                  whole files only, tried before the work
    table_columns.py  TableColumns                 the columns of a table, and how they are kept
    tables.py    read_table; table_layout.py       comma-separated values
    data.py      read_data, write_data             label index:value index:value ..; tables
    models.py    read_model, write_model           what svm-train writes; model_text.py
    matching.py  match_rows                        which rows a model's vectors are
    scaling.py   Scaling, read_scaling, write_scaling  what svm-scale -s writes

This is the only part of refsvm that opens files, beside the command line.
"""

STDOUT = "/dev/stdout"  # the name of standard output as a file, on any system
